"""Defaults of agent options: every option has one, and the help shows the one that the agent uses."""

from dataclasses import fields
from typing import Any

import pytest

import cardgames
from cardgames.agents.agent import Agent
from cardgames.agents.agent_registry import BUILT_IN, AgentSpec
from cardgames.agents.option_defaults import default_texts, option_defaults
from cardgames.core.game_registry import load

CASES = [pytest.param(spec, game, id=f"{spec.name}-{game}") for spec in BUILT_IN for game in spec.games]
REQUIRED_OPTIONS: dict[tuple[str, str], dict[str, Any]] = {
    ("mcts", "particles"): {"determinize": "simulation"},
    ("mcts-net", "device"): {"network": "actor-critic"},
    ("mcts-net", "mismatch_weight"): {"particles": 10},
    ("q-tree", "device"): {"network": "dqn"},
    ("q-tree", "mismatch_weight"): {"particles": 10},
}
"""(agent, option) -> other options without which the option has no effect and is refused."""
DERIVED = {"c", "playout", "opponents", "prior", "weights", "chain"}
"""Options whose default may depend on the game or on other options."""


def configuration(agent: Agent) -> object:
    """Return what the options of an agent set, in a form that can be compared."""
    if (settings := getattr(agent, "settings", None)) is not None:
        return settings
    if (policy := getattr(agent, "policy", None)) is not None:
        return int(policy.policy_id), policy.weights.tobytes()
    observation = cardgames.make("uno", players=2).new_initial_state(seed=1).observation()
    return agent.depth, agent.values(observation)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("spec", "game_name"), CASES)
def test_explicit_default_changes_nothing(spec: AgentSpec, game_name: str) -> None:
    game = cardgames.make(game_name)
    for option, default in option_defaults(spec, type(game)).items():
        if default == "" or (option in DERIVED and isinstance(default, str)):
            continue  # not an option value that can be given
        required = {"depth": 1} if spec.name == "expectimax" and option != "depth" else {}
        required |= REQUIRED_OPTIONS.get((spec.name, option), {})
        if option == "setting":
            assert default == "best"
        elif "setting" in spec.options:
            required |= {"setting": "paper"}  # whose values the help lists
        implicit, explicit = (
            cardgames.agent(spec.name, game, 0, **required, **more) for more in ({}, {option: default})
        )
        assert configuration(implicit) == configuration(explicit), option


@pytest.mark.parametrize(("spec", "game_name"), [case for case in CASES if case.values[0].settings])
def test_agent_without_options_has_the_default_settings(spec: AgentSpec, game_name: str) -> None:
    game = cardgames.make(game_name)
    name = f"{spec.name}:setting=paper" if "setting" in spec.options else spec.name
    settings = cardgames.agent(name, game).settings  # type: ignore[attr-defined]
    assert isinstance(settings, load(spec.settings))
    defaults, names = option_defaults(spec, type(game)), {field.name for field in fields(settings)}
    for option in spec.options.keys() & names - DERIVED:
        assert getattr(settings, option) == defaults[option], option


def test_derived_default_is_the_one_used() -> None:
    game = cardgames.make("uno", players=2)
    specs = {spec.name: spec for spec in BUILT_IN if "uno" in spec.games}
    mcts, expectimax = (option_defaults(specs[name], type(game)) for name in ("mcts", "expectimax"))
    for text in mcts["c"].split(", "):
        c, select = text.split(" for ")
        assert cardgames.agent("mcts:setting=paper", game, select=select).settings.c == float(c)  # type: ignore[attr-defined]
    assert mcts["playout"] == game.default_policy
    agents = [cardgames.agent("expectimax", game, depth=1, **more) for more in ({}, {"chain": expectimax["chain"]})]
    assert configuration(agents[0]) == configuration(agents[1])


def test_default_of_every_option_is_shown_by_game() -> None:
    specs = {spec.name: spec for spec in BUILT_IN if "uno" in spec.games}
    assert default_texts(specs["ismcts"], ["uno"])["simulations"] == "1000"
    assert default_texts(specs["mcts"], ["doudizhu"])["playout"] == "frugal"
    texts = default_texts(specs["mcts"], ["uno", "doudizhu"])
    assert texts["playout"] == "reflex for uno, frugal for doudizhu"
    assert texts["reuse"] == "false" and texts["cutoff"] == texts["network"] == "none" and texts["bias"] == "0"


def test_no_option_description_contains_a_default() -> None:
    for spec in BUILT_IN:
        for option, description in spec.options.items():
            assert "default" not in description, f"{spec.name}: {option}"
            assert not any(character.isdigit() for character in description.partition(" ")[0]), f"{spec.name}: {option}"
