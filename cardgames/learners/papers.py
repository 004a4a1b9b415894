"""At which tables the papers' learners played: rules and numbers of players, by the paper's number."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgames.core.game import Game, make
from cardgames.learners.settings import Settings


class PaperTable(NamedTuple):
    """Rules of Uno, by their preset, and how many play; of several numbers one is drawn for every round."""

    rules: str
    players: tuple[int, ...]

    def table(self, players: int, changes: Iterable[str] = ()) -> Game:
        """Return the game among so many, with some rules changed (`axis=value`). Raises `InvalidInput`."""
        return make("uno", players, self.rules, changes)


TABLES: Mapping[str, PaperTable] = {
    "000": PaperTable("rlcard", (3,)),  # section IV has four players too
    "001": PaperTable("simplified", (2, 3, 4)),
    "002": PaperTable("rlcard-2022", (2,)),
    "003": PaperTable("rlcard-2022", (3,)),
}


def table_of(game: str, settings: type[Settings], paper: str | None = None) -> PaperTable | None:
    """Return where an algorithm of these settings learned in a paper, by default in the one its defaults are from; None if
    no paper has it, or another game is asked for.
    """
    number = paper or next(iter(settings.papers), None)
    return TABLES[number] if game == "uno" and number is not None else None
