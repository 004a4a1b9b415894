"""Games and agents of other packages, found by their entry points."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from cardgames.agents import agent_factory
from cardgames.core import game_registry
from tests.core.toy import Highest


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package, with a game and an agent."""
    found = {
        "cardgames.games": [EntryPoint("highest", "tests.core.toy:Highest", "cardgames.games")],
        "cardgames.agents": [EntryPoint("mine", "tests.cli.acting:talkative", "cardgames.agents")],
    }
    for module in (agent_factory, game_registry):
        monkeypatch.setattr(module, "entry_points", lambda group: found[group])
    agent_factory.plugins.cache_clear()
    yield
    agent_factory.plugins.cache_clear()


@pytest.mark.usefixtures("others")
def test_a_game_of_another_package_is_made_by_its_name() -> None:
    game = game_registry.make("highest", 3)
    assert isinstance(game, Highest) and game.num_players == 3


@pytest.mark.usefixtures("others")
def test_an_agent_of_another_package_is_made_by_its_name() -> None:
    assert list(agent_factory.plugins()) == ["mine"]
    assert agent_factory.agent("mine", game_registry.make("uno", 2)).name == "random"
