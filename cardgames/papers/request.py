"""Options of the command `cardgames reproduce`: number of games, seeds, size of the trainings, folder of their files."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Size(StrEnum):
    """How much of a paper's training is run, and with which batches."""

    FULL = "full"
    """The training of the paper: its network, rounds and batches."""
    BATCHED = "batched"
    """The training of paper 002 or 003, with its network and as many rounds, but with larger batches.

    It makes one update on 1,024 samples every 256 decisions, instead of one on 32 samples after every decision. It is ten
    times as fast, and trains on an eighth of the samples.
    """
    STACKED = "stacked"
    """The training of the paper, but all players of a published table are trained at once (`papers.joint_training`).

    Each decision is followed by one update. With `FULL`, the updates of a round are made when the round is over.
    """
    QUICK = "quick"
    """A small network trained for seconds, to test that everything runs; it does not reproduce the results of the paper."""


OUT = "runs/reproduce"
"""Default folder in which trainings are saved."""
RLCARD_NETWORK = "rlcard-network"
"""Text in the names of folders and files of trainings and figures that use RLCard's network."""
TRAININGS = 3
"""Default number of trainings of each player, with different seeds; a quick run has one."""
GAMES, QUICK_GAMES = 10_000, 1_000
"""Default number of games in which each trained player is tested: `GAMES`, or in a quick run `QUICK_GAMES`."""
TEST_CARDS, MATCH_CARDS, OTHER_CARDS = 17, 18, 19
"""Labels that are mixed into the seed of a training, so that tests deal other cards than the training.

`TEST_CARDS` is for tests, `MATCH_CARDS` for the games of paper 000, `OTHER_CARDS` for the second tests of the grid of paper
003.
"""

Report = Callable[[str], None]
"""Function that receives a description of the progress."""


def _silent(description: str) -> None:
    """Ignore a description of the progress; the default of `Request.report_progress`."""


@dataclass(frozen=True)
class Request:
    """Options of a reproduction of a table or figure. Options that do not affect a table or figure are ignored."""

    games: int | None = None
    """Number of games of each match or test, or of rounds to measure; None for the default of the table or figure."""
    seed: int = 0
    jobs: int = 1
    """Number of processes that share the games of a match between agents."""
    size: Size = Size.FULL
    out: str = OUT
    """Folder in which trainings are saved.

    An interrupted training in it is resumed. A training that several tables need is run once.
    """
    only: str | None = None
    """Name of the only player that is reproduced; None for all players of the table or figure."""
    rlcard_network: bool = False
    """True to train on RLCard's network where the paper may have used it; False for plain ReLU layers everywhere."""
    device: str = "cuda"
    """Device of stacked trainings: `cuda`, or `cpu` for tests."""
    trainings: int | None = None
    """Number of trainings of each player, with consecutive seeds; None for the default."""
    report_progress: Report = _silent

    @property
    def seeds(self) -> range:
        """Seeds with which each player is trained, one training for each: consecutive numbers from `seed` on."""
        default = 1 if self.size is Size.QUICK else TRAININGS
        return range(self.seed, self.seed + (self.trainings or default))

    def number(self, default: int, quick: int | None = None) -> int:
        """Return the number of games to play.

        It is `games` if the user set it; otherwise `quick` in a quick run, if given; otherwise `default`.
        """
        return self.games or (quick if quick and self.size is Size.QUICK else default)

    def file_name(self, name: str) -> str:
        """Return the file name of a figure, without extension: `name`, then every option that differs from its default.

        The options are the player, the network, the number of trainings, the seed and the size.
        """
        stem = f"{name}-{self.only}" if self.only else name
        stem += f"-{RLCARD_NETWORK}" if self.rlcard_network else ""
        stem += f"-seeds-{self.trainings}" if self.trainings else ""
        stem += f"-seed-{self.seed}" if self.seed else ""
        return stem if self.size is Size.FULL else f"{stem}-{self.size}"
