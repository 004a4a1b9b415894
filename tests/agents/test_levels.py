"""Tests of the levels easy, medium and hard: agents by name, and their order in matches."""

import pytest

import cardgames
from cardgames.agents.agent_factory import available, policy_of

LEVELS = ["easy", "medium", "hard"]


@pytest.mark.parametrize("name", ["uno", "doudizhu"])
@pytest.mark.parametrize("level", LEVELS)
def test_level_is_the_agent_that_the_game_names(name: str, level: str) -> None:
    game = cardgames.make(name)
    agent, named = cardgames.agent(level, game), cardgames.agent(game.levels[level], game)
    assert agent.name == level and level in available(name)
    policies = policy_of(level, agent, game), policy_of(game.levels[level], named, game)
    assert policies[0] is not None and policies[1] is not None
    assert policies[0].policy_id == policies[1].policy_id
    assert policies[0].weights.tobytes() == policies[1].weights.tobytes()


@pytest.mark.parametrize("name", ["uno", "doudizhu"])
def test_levels_have_no_options(name: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match="easy has no options"):
        cardgames.agent("easy:style=casual", cardgames.make(name))


@pytest.mark.parametrize("weaker", [0, 1])
@pytest.mark.parametrize(("name", "rules", "games"), [("uno", "official", 2000), ("doudizhu", "douzero", 300)])
def test_each_level_beats_the_one_below(name: str, rules: str, games: int, weaker: int) -> None:
    game = cardgames.make(name, rules=rules)
    result = cardgames.play_match(game, [LEVELS[weaker + 1], LEVELS[weaker]], games, seed=2).to_dict()
    assert result["agents"][0]["ci95"][0] > 0.55
