"""Tests of games and agents that other packages register by entry points."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from cardgames.agents import agent_factory
from cardgames.core import game_registry
from tests.core.toy import Highest


@pytest.fixture
def other_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that another package with a game and an agent is installed."""
    entries = {
        "cardgames.games": [EntryPoint("highest", "tests.core.toy:Highest", "cardgames.games")],
        "cardgames.agents": [EntryPoint("mine", "tests.cli.acting:talkative", "cardgames.agents")],
    }
    for module in (agent_factory, game_registry):
        monkeypatch.setattr(module, "entry_points", lambda group: entries[group])
    agent_factory.plugins.cache_clear()
    yield
    agent_factory.plugins.cache_clear()


@pytest.mark.usefixtures("other_package")
def test_game_of_another_package_is_made_by_name() -> None:
    game = game_registry.make("highest", 3)
    assert isinstance(game, Highest) and game.num_players == 3


@pytest.mark.usefixtures("other_package")
def test_agent_of_another_package_is_made_by_name() -> None:
    assert list(agent_factory.plugins()) == ["mine"]
    assert agent_factory.agent("mine", game_registry.make("uno", 2)).name == "random"
