"""Where the papers' learners learned: games, rules and numbers of players, by the paper's number."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgames.core.game import Game
from cardgames.core.game_registry import make
from cardgames.learners.base.settings import Settings


class PaperSetup(NamedTuple):
    """A game, its rules by their preset, and how many play; of several numbers one is drawn for every round."""

    rules: str
    players: tuple[int, ...]
    game: str = "uno"

    def make_game(self, players: int, changes: Iterable[str] = ()) -> Game:
        """Return the game among so many, with some rules changed (`axis=value`). Raises `InvalidInput`."""
        return make(self.game, players, self.rules, changes)


SETUPS: Mapping[str, PaperSetup] = {
    "000": PaperSetup("rlcard", (3,)),  # section IV has four players too
    "001": PaperSetup("simplified", (2, 3, 4)),
    "002": PaperSetup("rlcard-2022", (2,)),
    "003": PaperSetup("rlcard-2022", (3,)),
    "004": PaperSetup("cql", (3,), "doudizhu"),
}


def paper_setup(game: str, settings: type[Settings], paper: str | None = None) -> PaperSetup | None:
    """Return where an algorithm of these settings learned in a paper, by default in the first that has it; None if none has,
    or another game is asked for. `settings.from_paper` refuses a paper that has it not.
    """
    found = SETUPS.get(paper or next(iter(settings.papers), ""))
    return found if found is not None and found.game == game else None
