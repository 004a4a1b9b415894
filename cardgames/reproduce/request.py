"""What is asked of a table, a figure or a theorem that is reproduced: how much, from which seed, and where trainings lie."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Size(StrEnum):
    """How a paper's player is trained."""

    FULL = "full"
    """As the paper has it."""
    BATCHED = "batched"
    """So many rounds on the network of paper 002 or 003, but an update of 1,024 every 256 decisions, not one of 32 after
    each: ten times as fast, from an eighth of the samples."""
    QUICK = "quick"
    """A small network for some seconds, to see that all works; its figures are not the paper's."""


OUT = "runs/reproduce"
"""Where trainings are kept unless told."""
SEEDS = 3
"""Players trained for each figure; one in a quick run."""

Note = Callable[[str], None]
"""Is told in some words how far something is."""


def _silent(words: str) -> None:
    """Take no note."""


@dataclass(frozen=True)
class Request:
    """What is asked; whatever has no use for a part of it goes its way without."""

    games: int | None = None
    """Of each match or test, or rounds that are measured; as many as is usual for it if not given."""
    seed: int = 0
    jobs: int = 1
    """Processes that share the games of a match between agents."""
    size: Size = Size.FULL
    out: str = OUT
    """A folder: an interrupted training goes on from there, and what several tables need is trained once."""
    as_coded: bool = False
    """Where a paper's text is silent, what its code has in place of what all players here share."""
    only: str | None = None
    """The player whose rows are wanted; all rows if not given."""
    note: Note = _silent

    @property
    def seeds(self) -> range:
        """The seeds of the players that are trained for one figure."""
        return range(self.seed, self.seed + (1 if self.size is Size.QUICK else SEEDS))

    def number(self, usual: int, quick: int | None = None) -> int:
        """Return how many games are to be played where so many are usual, and in a quick run perhaps others."""
        return self.games or (quick if quick and self.size is Size.QUICK else usual)

    def file_name(self, name: str) -> str:
        """Return the name of a file of figures, which says so if they are not those of the full size."""
        coded = f"{name}-as-coded" if self.as_coded else name
        return coded if self.size is Size.FULL else f"{coded}-{self.size}"
