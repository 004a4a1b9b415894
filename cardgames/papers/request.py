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
    STACKED = "stacked"
    """As the paper has it, all players of a table at once on a GPU; with each decision goes one update, where in full size
    those of a round come when it is over (`papers.stacked.stack`)."""
    QUICK = "quick"
    """A small network for some seconds, to see that all works; its figures are not the paper's."""


OUT = "runs/reproduce"
"""Where trainings are kept unless told."""
RLCARD_NETWORK = "rlcard-network"
"""In the names of what was trained or drawn so."""
TRAININGS = 3
"""Players trained for each figure unless told; one in a quick run."""
GAMES, QUICK_GAMES = 10_000, 1_000
"""Played with each trained player unless told; in a quick run."""
TEST_CARDS, MATCH_CARDS, OTHER_CARDS = 17, 18, 19
"""Labels of seeds that keep the cards of tests, of paper 000's tests and matches, and of second tests apart from those of
training.
"""

Report = Callable[[str], None]
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
    only: str | None = None
    """The player whose rows or curves are wanted; all if not given."""
    rlcard_network: bool = False
    """Whether players learn on RLCard's network where the paper's may have, not all on plain layers."""
    device: str = "cuda"
    """Where players learn that are stacked: `cuda`, or `cpu` to see that all works."""
    trainings: int | None = None
    """Of each player, with one seed after the other; as many as is usual if not given."""
    report_progress: Report = _silent

    @property
    def seeds(self) -> range:
        """The seeds of the players that are trained for one figure."""
        default = 1 if self.size is Size.QUICK else TRAININGS
        return range(self.seed, self.seed + (self.trainings or default))

    def number(self, default: int, quick: int | None = None) -> int:
        """Return how many games are to be played where so many are usual, and in a quick run perhaps others."""
        return self.games or (quick if quick and self.size is Size.QUICK else default)

    def file_name(self, name: str) -> str:
        """Return the name of a file of figures, which says so if they are of one player alone, not those of the full size,
        not of as many trainings as usual, or of another seed than 0.
        """
        stem = f"{name}-{self.only}" if self.only else name
        stem += f"-{RLCARD_NETWORK}" if self.rlcard_network else ""
        stem += f"-seeds-{self.trainings}" if self.trainings else ""
        stem += f"-seed-{self.seed}" if self.seed else ""
        return stem if self.size is Size.FULL else f"{stem}-{self.size}"
