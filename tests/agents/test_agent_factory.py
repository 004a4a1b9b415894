"""Agents made by name and options, their seeds, and limits of decisions."""

import math
from pathlib import Path
from typing import Any

import pytest

import cardgames
from cardgames.agents.agent_factory import split_name
from cardgames.cli.session import SessionSetup
from cardgames.kernels.rng import derive

UNO = cardgames.make("uno", players=2)


def remembering(game: cardgames.Game, seed: int) -> Any:
    """Return an agent that remembers its seed."""
    agent: Any = cardgames.agent("random", game, seed)
    agent.seed = seed
    return agent


def test_agents_of_a_session_do_not_get_the_seed_of_a_deal() -> None:
    """With that seed an agent could deal all hands again."""
    name = f"{__name__}:remembering"
    table = SessionSetup(UNO, [name, name], 7, None).open(plain=True)
    seeds = [getattr(agent, "seed", None) for agent in table.agents]
    assert len({*seeds, 7, *(derive(7, number) for number in range(1000))}) == 2 + 1 + 1000


@pytest.mark.parametrize("time", [math.nan, math.inf, 10**400, 0, -1.0, "x", True])
def test_time_limit_has_to_be_a_positive_number(time: Any) -> None:
    with pytest.raises(cardgames.InvalidInput, match="time is a number of seconds above 0, not"):
        cardgames.Limit(time=time)


@pytest.mark.parametrize("simulations", [0, -5, 2.5, "x", True])
def test_simulation_limit_has_to_be_a_positive_whole_number(simulations: Any) -> None:
    with pytest.raises(cardgames.InvalidInput, match="simulations are a whole number from 1, not"):
        cardgames.Limit(simulations=simulations)


def test_limit_replaces_the_budget_of_the_agent() -> None:
    observation = UNO.new_initial_state(seed=1).observation()
    agent = cardgames.agent("mcts:setting=paper,simulations=5,trees=1", UNO)
    assert isinstance(agent, cardgames.Searcher)
    for limit, simulations in ((None, 5), (cardgames.Limit(simulations=9), 9), (cardgames.Limit(60, 9), 9)):
        report = agent.search(observation, limit).report
        assert report.simulations == simulations


def test_policy_agent_gives_probabilities_only_for_forced_decisions() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state, agent, num_legal = game.new_initial_state(seed=1), cardgames.agent("random", game), set()
    while not state.is_terminal():
        decision, legal = agent.act(state.observation()), state.legal_actions()
        assert decision.policy == ({decision.action: 1.0} if len(legal) == 1 else {})
        num_legal.add(min(2, len(legal)))
        state.apply_action(decision.action)
    assert num_legal == {1, 2}


def test_name_is_split_from_its_options() -> None:
    assert split_name("mcts") == ("mcts", {})
    assert split_name("a.b:make") == ("a.b:make", {})
    assert split_name("a.b:make:x=1, y = 2") == ("a.b:make", {"x": "1", "y": "2"})
    assert split_name("linear:weights=a:b=c") == ("linear", {"weights": "a:b=c"})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mcts:setting=paper,simulations=100,simulations=200", "option simulations is given twice in mcts:"),
        (
            "mcts:setting=paper,simulations",
            "written name:option=value,option=value, not 'mcts:setting=paper,simulations'",
        ),
        ("mcts:setting=paper,prior=linear:select=puct", "written name:option=value,option=value, not"),
        ("mcts:", "written name:option=value,option=value, not 'mcts:'"),
        ("human-rule:", "written name:option=value"),
        ("mcts:setting=paper,simulations=5,", "written name:option=value"),
        ("dqn:weights=", "written name:option=value,option=value, not 'dqn:weights='"),
        ("rlcard-rule:x=1", "rlcard-rule has no options: leave out x"),
        ("q-tree:opponents=foo", "unknown opponents 'foo'"),
        ("mcts:setting=paper,c=inf", "c is a finite number from 0, not inf"),
        ("mcts:setting=paper,bias=inf", "bias is a finite number from 0, not inf"),
        ("linear:weights=/", "cannot read /: it is a folder"),
        ("linear:weights=/nowhere", "cannot read /nowhere: No such file or directory"),
        ("mcts-net:network=/", "cannot read /: it is a folder"),
        ("cheating-all:chance=fresh", "unknown option of cheating-all 'chance'"),
        ("cheating-hands:chance=fixed", "unknown option of cheating-hands 'chance'"),
        ("cheating-hands:determinize=simulation", "unknown option of cheating-hands 'determinize'"),
        ("cheating-all:root=halving,particles=5", "unknown option of cheating-all 'particles'"),
    ],
)
def test_wrong_name_or_option_is_refused_with_the_reason(name: str, message: str) -> None:
    with pytest.raises(cardgames.InvalidInput) as caught:
        cardgames.agent(name, UNO)
    assert message in str(caught.value)


@pytest.mark.parametrize("empty", ["", [], {}])
def test_empty_option_is_refused(empty: object) -> None:
    with pytest.raises(cardgames.InvalidInput, match="option weights of dqn is empty"):
        cardgames.agent("dqn", UNO, weights=empty)


def test_network_that_cannot_be_written_is_named_in_the_message(tmp_path: Path) -> None:
    from cardgames.networks.network_file import random_network, save_network

    network = random_network((240, 1), 0, "4x4x15", "uno")
    for path, reason in ((tmp_path, "it is a folder"), (tmp_path / "none" / "x", "No such file or directory")):
        with pytest.raises(cardgames.InvalidInput) as caught:
            save_network(network, path)
        assert str(caught.value) == f"cannot write {path}: {reason}"


def test_option_in_the_name_and_as_argument_is_refused() -> None:
    with pytest.raises(
        cardgames.InvalidInput,
        match="simulations is given twice: in mcts:setting=paper,simulations=5 and as an argument",
    ):
        cardgames.agent("mcts:setting=paper,simulations=5", UNO, simulations=9)
