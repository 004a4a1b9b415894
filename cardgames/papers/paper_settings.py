"""Game, rules and numbers of players with which each paper trained its learners."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgames.core.game import Game
from cardgames.core.game_registry import make
from cardgames.learners.base.settings import Settings


class PaperSetup(NamedTuple):
    """Rules, numbers of players and game of a paper's trainings."""

    rules: str
    """Name of a preset of rules."""
    players: tuple[int, ...]
    """Possible numbers of players; for every round of a training one is drawn at random."""
    game: str = "uno"

    def make_game(self, players: int, changes: Iterable[str] = ()) -> Game:
        """Return the game for a number of players; `changes` are rules that differ from the preset, as texts `name=value`.

        Raises `InvalidInput`.
        """
        return make(self.game, players, self.rules, changes)


SETUPS: Mapping[str, PaperSetup] = {
    "000": PaperSetup("rlcard", (3,)),  # section IV also uses four players
    "001": PaperSetup("simplified", (2, 3, 4)),
    "002": PaperSetup("rlcard-2022", (2,)),
    "003": PaperSetup("rlcard-2022", (3,)),
    "004": PaperSetup("cql", (3,), "doudizhu"),
}


def paper_setup(game: str, settings: type[Settings], paper: str | None = None) -> PaperSetup | None:
    """Return the game, rules and numbers of players with which a paper trained an algorithm.

    If the paper does not have the algorithm, this function raises no error; `settings.from_paper` does.

    Args:
        game: Name of the game that is requested.
        settings: Settings class of the algorithm.
        paper: Number of the paper, such as "003"; by default the first paper that has the algorithm.

    Returns:
        The setup; None if no paper has the algorithm, or if the paper uses another game than `game`.
    """
    setup = SETUPS.get(paper or next(iter(settings.papers), ""))
    return setup if setup is not None and setup.game == game else None
