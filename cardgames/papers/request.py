"""Options of a reproduction: number of games, seeds, size of the trainings, and their folder."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Size(StrEnum):
    """Size of a paper's training."""

    FULL = "full"
    """As in the paper."""
    BATCHED = "batched"
    """As many rounds as in the paper, on the network of paper 002 or 003, but with larger batches: one update of 1,024
    samples every 256 decisions, instead of one of 32 after every decision. Ten times as fast, with an eighth of the
    samples."""
    STACKED = "stacked"
    """As in the paper, but all players of a table are trained at once on a GPU. Each decision is followed by one update;
    at full size, the updates of a round are made when it is over (`papers.stacked.stack`)."""
    QUICK = "quick"
    """A small network trained for seconds, as a test of the setup; its results do not reproduce the paper's."""


OUT = "runs/reproduce"
"""Default folder of trainings."""
RLCARD_NETWORK = "rlcard-network"
"""Part of the names of trainings and figures that use RLCard's network."""
TRAININGS = 3
"""Default number of trainings per player; in a quick run it is one."""
GAMES, QUICK_GAMES = 10_000, 1_000
"""Default number of games with each trained player; the same in a quick run."""
TEST_CARDS, MATCH_CARDS, OTHER_CARDS = 17, 18, 19
"""Labels mixed into seeds, so that tests, matches of paper 000 and second tests deal other cards than the training."""

Report = Callable[[str], None]
"""Function that receives a description of the progress."""


def _silent(description: str) -> None:
    """Ignore the progress."""


@dataclass(frozen=True)
class Request:
    """Options of a reproduction. Each table ignores the options that do not affect it."""

    games: int | None = None
    """Number of games of each match or test, or of rounds to measure; None for the table's default."""
    seed: int = 0
    jobs: int = 1
    """Number of processes that share the games of a match between agents."""
    size: Size = Size.FULL
    out: str = OUT
    """Folder of the trainings. Interrupted ones are resumed, and those that several tables need are run once."""
    only: str | None = None
    """Player whose rows or curves are requested; None for all."""
    rlcard_network: bool = False
    """True to train on RLCard's network where the paper may have used it; otherwise all networks are plain layers."""
    device: str = "cuda"
    """Device of stacked trainings: `cuda`, or `cpu` for tests."""
    trainings: int | None = None
    """Number of trainings of each player, with consecutive seeds; None for the default."""
    report_progress: Report = _silent

    @property
    def seeds(self) -> range:
        """Seeds of the trainings of each player."""
        default = 1 if self.size is Size.QUICK else TRAININGS
        return range(self.seed, self.seed + (self.trainings or default))

    def number(self, default: int, quick: int | None = None) -> int:
        """Return the number of games: the requested one, or `default`, or `quick` in a quick run if that is given."""
        return self.games or (quick if quick and self.size is Size.QUICK else default)

    def file_name(self, name: str) -> str:
        """Return the file name of a figure, without extension.

        It names every option that differs from the default: player, network, number of trainings, seed and size.
        """
        stem = f"{name}-{self.only}" if self.only else name
        stem += f"-{RLCARD_NETWORK}" if self.rlcard_network else ""
        stem += f"-seeds-{self.trainings}" if self.trainings else ""
        stem += f"-seed-{self.seed}" if self.seed else ""
        return stem if self.size is Size.FULL else f"{stem}-{self.size}"
