"""Games and agents of other packages, found by their entry points."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from cardgames.core import agents, games
from tests.core.toy import Highest


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package, with a game and an agent."""
    found = {
        "cardgames.games": [EntryPoint("highest", "tests.core.toy:Highest", "cardgames.games")],
        "cardgames.agents": [EntryPoint("mine", "tests.cli.acting:talkative", "cardgames.agents")],
    }
    for module in (agents, games):
        monkeypatch.setattr(module, "entry_points", lambda group: found[group])
    agents.plugins.cache_clear()
    yield
    agents.plugins.cache_clear()


@pytest.mark.usefixtures("others")
def test_a_game_of_another_package_is_made_by_its_name() -> None:
    game = games.make("highest", 3)
    assert isinstance(game, Highest) and game.num_players == 3


@pytest.mark.usefixtures("others")
def test_an_agent_of_another_package_is_made_by_its_name() -> None:
    assert list(agents.plugins()) == ["mine"]
    assert agents.agent("mine", games.make("uno", 2)).name == "random"
