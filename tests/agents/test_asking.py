"""Wrong arguments of agents, games and states are refused in one line, and so are wrong decisions of agents."""

import json
import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.agents.agent import Decision, decide
from cardgames.agents.agent_factory import _make
from cardgames.arena.match import play_round
from cardgames.kernels.indirect_call import CompilationInterrupted
from cardgames.networks.pretrained import load_named_network
from cardgames.search.position_analysis import think
from cardgames.support.errors import InvalidInput
from tests.differences import assert_same, assert_same_observation

UNO = cardgames.make("uno", players=2, rules="rlcard")
AGENTS = [
    "random",
    "reflex",
    "linear",
    "dqn",
    "expectimax",
    "mcts:setting=paper",
    "mcts-dbm:setting=paper",
    "ismcts",
    "mcts-net",
    "q-tree",
]


@pytest.mark.parametrize("digits", [30, 5000])
def test_huge_numbers_are_refused_in_one_short_line(digits: int) -> None:
    """Python converts numbers of up to some thousands of digits to and from text, and refuses longer ones."""
    text, number, other = digits * "9", 10**digits - 1, cardgames.make("doudizhu")
    for call in (
        lambda: UNO.parse_action(f"catch {text}"),
        lambda: UNO.position(hands=[text, "r5"], top="r6"),
        lambda: UNO.position(hands=["r5", "r7"], top="r6", pile=number),
        lambda: other.position(hands=[f"?{text}", "3", "4"], landlord=0),
        lambda: other.position(hands=[number, "3", "4"], landlord=0),
        lambda: UNO.new_initial_state(dealer=number),
        lambda: UNO.new_initial_state(seed=1).apply_action(number),
        lambda: cardgames.make("uno", players=number),
        lambda: cardgames.make("uno", overrides=[f"hand-size={text}"]),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_messages_about_arrays_and_line_breaks_have_one_line() -> None:
    mask = np.zeros(95, np.bool_)
    state = UNO.new_initial_state(seed=1)
    for wrong in (
        lambda: state.apply_action(mask),  # type: ignore[arg-type]
        lambda: UNO.new_initial_state(seed=mask),  # type: ignore[arg-type]
        lambda: cardgames.make("uno", 2, "./a\nb"),
        lambda: cardgames.agent("foo:a\nb", UNO),
        lambda: cardgames.make("uno", 2, "./a\rb\u2028c"),
    ):
        with pytest.raises(InvalidInput) as caught:
            wrong()
        assert len(str(caught.value).splitlines()) == 1
    assert str(InvalidInput("a\n\n  b\n")) == "a b" and str(InvalidInput(3)) == "3" and str(InvalidInput()) == ""


@pytest.mark.parametrize("name", AGENTS)
def test_agents_refuse_observations_of_other_seats_and_games(name: str) -> None:
    agent, state = cardgames.agent(name, UNO), UNO.new_initial_state(seed=1)
    other_state = cardgames.make("uno", players=4, rules="official").new_initial_state(seed=1)
    arguments: list[Any] = [
        (state, "is not an observation"),
        (state.observation(1 - state.current_player()), "it is not the turn of seat"),
        (other_state.observation(), "an observation of"),
    ]
    for argument, message in arguments:
        with pytest.raises(InvalidInput, match=message):
            agent.act(argument)
    same_game = cardgames.make("uno", players=2, rules="rlcard").new_initial_state(seed=1)
    assert agent.act(same_game.observation()).action in same_game.legal_actions()


class FixedAgent:
    """Agent that always returns the same object."""

    name = "mine"

    def __init__(self, decision: Any):
        self.decision = decision

    def act(self, observation: cardgames.Observation, limit: cardgames.Limit | None = None) -> Any:
        """Return the object."""
        return self.decision


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (3, "act returns a Decision, not int"),
        (Decision(66), "66 is not legal"),
        (Decision("draw"), "'draw' is not legal"),  # type: ignore[arg-type]
        (Decision(0, value=math.nan), "a decision's value is a number, in the unit win from 0 to 1, or None"),
        (Decision(0, value=10**5000), "a decision's value is a number, in the unit win from 0 to 1, or None"),
        (Decision(0, value=1.5), "a decision's value is a number, in the unit win from 0 to 1, or None"),
        (Decision(0, value="much"), "a decision's value is a number, in the unit win from 0 to 1, or None"),  # type: ignore[arg-type]
        (Decision(0, {0: math.inf}), "a decision's policy has a probability from 0 to 1 for each action"),
        (Decision(0, {0: 3.0}), "a decision's policy has a probability from 0 to 1 for each action"),
        (Decision(0, [0.5]), "a decision's policy has a probability from 0 to 1 for each action"),  # type: ignore[arg-type]
    ],
)
def test_invalid_decision_is_refused_with_the_name_of_the_agent(decision: Any, message: str) -> None:
    state = UNO.new_initial_state(seed=1)
    with pytest.raises(InvalidInput, match=f"agent mine: {message}"):
        think(FixedAgent(decision), state.observation())
    with pytest.raises(InvalidInput, match="agent mine"):
        cardgames.play_match(UNO, [FixedAgent(decision), "random"], games=2)


class FailingAgent:
    """Agent that raises an exception."""

    name = "mine"

    def __init__(self, error: BaseException):
        self.error = error

    def act(self, observation: cardgames.Observation, limit: cardgames.Limit | None = None) -> Decision:
        """Raise the exception."""
        raise self.error


class AgentFailingInLibrary(FailingAgent):
    """Agent that calls a library function which raises an exception."""

    def __init__(self) -> None:
        super().__init__(ValueError())

    def act(self, observation: cardgames.Observation, limit: cardgames.Limit | None = None) -> Decision:
        """Raise an exception in the library."""
        return Decision(json.loads("{"))


class AgentWithoutLimit:
    """Agent whose method `act` lacks the parameter `limit`."""

    name = "mine"

    def act(self, observation: cardgames.Observation) -> Decision:
        """Return the first legal action."""
        return Decision(observation.legal_actions[0])


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (FailingAgent(RuntimeError("boom")), r"RuntimeError: boom \(test_asking.py, line \d+\)$"),
        (FailingAgent(SystemExit(3)), r"SystemExit: 3 \(test_asking.py, line \d+\)$"),
        (FailingAgent(KeyError()), r"KeyError \(test_asking.py, line \d+\)$"),
        (FailingAgent(ValueError("a\nb\n\nc")), r"ValueError: a b c \(test_asking.py, line \d+\)$"),
        (AgentFailingInLibrary(), r"json.decoder.JSONDecodeError: .* \(test_asking.py, line \d+\)$"),
        (AgentWithoutLimit(), "TypeError: .* takes 2 positional arguments but 3 were given$"),
    ],
)
def test_exception_of_an_agent_is_reported_with_reason_and_place(agent: Any, message: str) -> None:
    for entries in ([agent, "random"], [agent, "mcts:setting=paper,simulations=2"]):
        with pytest.raises(InvalidInput, match=f"^agent mine failed: {message}") as caught:
            cardgames.play_match(UNO, entries, games=2)
        assert caught.value.__cause__ is not None, "the original exception is available"


def test_invalid_input_raised_by_an_agent_is_reported_with_its_name() -> None:
    with pytest.raises(InvalidInput, match=r"^agent mine: no such card$"):
        cardgames.play_match(UNO, [FailingAgent(InvalidInput("no such card")), "random"], games=2)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), CompilationInterrupted()])
def test_ctrl_c_is_not_reported_as_a_failure_of_the_agent(error: BaseException) -> None:
    with pytest.raises(KeyboardInterrupt):
        cardgames.play_match(UNO, [FailingAgent(error), "random"], games=2)

    def make(game: cardgames.Game, seed: int) -> Any:
        raise error

    with pytest.raises(KeyboardInterrupt):
        _make(make, "mine", UNO, 0, {})


def test_wrong_participants_and_limits_are_refused() -> None:
    for participant, message in (
        (None, "an agent is a name, an agent, or a function"),
        (lambda game, seed: None, "not an agent, which has a name and a method act"),
        (lambda game, seed: 5, "not an agent, which has a name and a method act"),
    ):
        with pytest.raises(InvalidInput, match=message):
            cardgames.play_match(UNO, [participant, "random"], games=2)  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match=r"games is a number from 1, not 2\.5"):
        cardgames.play_match(UNO, ["random", "random"], games=2.5)  # type: ignore[arg-type]
    for agents in ("random", None, 5):
        with pytest.raises(InvalidInput, match="agents is a list of participants"):
            cardgames.play_match(UNO, agents, games=2)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="a limit is a Limit"):
        cardgames.agent("mcts:setting=paper", UNO).act(UNO.new_initial_state(seed=1).observation(), 0.1)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="a limit is a Limit"):
        cardgames.play_match(UNO, ["random", "random"], games=2, limit=0.1)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["actor-critic", "dqn"])
def test_outputs_for_an_observation_are_in_the_order_of_action_ids(name: str) -> None:
    """The agent takes the action of greatest output, also with a canonical encoding, which permutes actions."""
    network, agent = load_named_network(UNO, name), cardgames.agent(name, UNO)
    for seed in range(5):
        state = UNO.new_initial_state(seed=seed)
        while not state.is_terminal():
            observation = state.observation()
            action, outputs = decide(agent, state).action, network.outputs_for(observation)
            assert outputs.shape == (61,) and outputs[action] == max(outputs[list(observation.legal_actions)])
            state.apply_action(action)


def test_observation_cannot_be_encoded_for_another_seat() -> None:
    state = UNO.new_initial_state(seed=1)
    with pytest.raises(InvalidInput, match="an observation of seat 0 does not show what seat 1 sees"):
        UNO.encode(state.observation(0), "seat", player=1)
    assert UNO.encode(state, "seat", player=1).any()


@pytest.mark.parametrize("action", [True, 0.9, np.float32(0.9), "r5", None])
def test_action_that_is_not_a_whole_number_is_refused(action: Any) -> None:
    with pytest.raises(InvalidInput, match="an action is a whole number"):
        UNO.new_initial_state(seed=1).apply_action(action)


def test_numpy_integers_are_accepted_as_whole_numbers() -> None:
    assert cardgames.make("uno", players=np.int64(3)).num_players == 3  # type: ignore[arg-type]
    state = UNO.new_initial_state(seed=1)
    state.apply_action(np.int64(state.legal_actions()[0]))  # type: ignore[arg-type]
    for players in (True, 3.0, "3"):
        with pytest.raises(InvalidInput, match="uno is for"):
            cardgames.make("uno", players=players)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [1.5, "a", None])
def test_seed_that_is_not_a_whole_number_is_refused(seed: Any) -> None:
    state = UNO.new_initial_state(seed=1)
    for call in (
        lambda: UNO.new_initial_state(seed),
        lambda: UNO.determinize(state.observation(), seed),
        lambda: UNO.position(hands=["r1", "g1"], top="r5", seed=seed),
        lambda: UNO.vector(2, seed),
        lambda: cardgames.play_match(UNO, ["random", "random"], games=2, seed=seed),
    ):
        with pytest.raises(InvalidInput, match="seed is a whole number"):
            call()
    for num_envs in (2.0, "a", True):
        with pytest.raises(InvalidInput, match="num_envs is a whole number from 1 to"):
            UNO.vector(num_envs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "rules", "overrides"),
    [
        ("uno", "official", []),
        ("uno", "common", ["seven-zero=both", "stacking=any", "jump-in=identical", "draw-how=until-satisfied"]),
        ("uno", "simplified", []),
        ("doudizhu", "classic", []),
        ("doudizhu", "online", []),
    ],
)
def test_determinization_gives_the_seat_the_same_observation(name: str, rules: str, overrides: list[str]) -> None:
    game, chance, private = cardgames.make(name, players=3, rules=rules, overrides=overrides), random.Random(3), 0
    for seed in range(4):
        state = game.new_initial_state(seed=seed)
        for _ in range(60):
            if state.is_terminal():
                break
            observation = state.observation(chance.choice([state.current_player(), chance.randrange(3)]))
            if observation.to_dict().get("phase") == "wait":
                private += 1
                with pytest.raises(InvalidInput, match="another player is about to decide in private"):
                    game.determinize(observation)
            else:
                first, same, other = (game.determinize(observation, number) for number in (1, 1, 2))
                assert_same(same.record, first.record, "determinization with the same seed")
                for drawn in (first, other, first.clone(), game.determinize(other.observation(observation.player))):
                    again = drawn.observation(observation.player)
                    # where another player decides in private whether to keep a drawn card, the turn may pass to this seat
                    legal = observation.legal_actions or again.legal_actions
                    assert_same_observation(again, replace(observation, legal_actions=legal))
            state.apply_action(chance.choice(state.legal_actions()))
    assert bool(private) == bool(overrides)


@pytest.mark.parametrize(("name", "rules"), [("uno", "common"), ("doudizhu", "classic")])
def test_observation_after_a_determinization_continues_the_old_one(name: str, rules: str) -> None:
    game, chance = cardgames.make(name, players=3, rules=rules), random.Random(4)
    state = game.new_initial_state(seed=4)
    for _ in range(12):
        state.apply_action(chance.choice(state.legal_actions()))
    before = state.observation()
    drawn = game.determinize(before, 1)
    action = drawn.legal_actions()[0]
    drawn.apply_action(action)
    after = drawn.observation(before.player)
    assert_same(after.origin, before.origin, "origin")
    assert after.first == before.first
    assert after.events[: len(before.events)].tolist() == before.events.tolist()
    assert after.events[len(before.events)].tolist() == [0, before.player, action]
    other = (before.player + 1) % 3
    assert len(drawn.observation(other).events) < len(state.observation(other).events), (
        "the history of other seats begins at the determinization"
    )


def test_seeds_and_seats_out_of_range_are_refused() -> None:
    for seed in (3.7, True, "3", None, -1, 2**64):
        with pytest.raises(InvalidInput, match="a seed is a whole number"):
            UNO.new_initial_state(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"player is a seat from 0 to 1, not 0\.5"):
        UNO.new_initial_state(seed=1).observation(0.5)  # type: ignore[arg-type]


def test_arguments_of_wrong_types_are_refused() -> None:
    for call, message in (
        (lambda: cardgames.agent("random", "uno"), "a game is needed, as cardgames.make returns, not 'uno'"),
        (lambda: cardgames.play_match("uno", ["random", "random"], 2), "a game is needed, as cardgames.make returns"),
        (lambda: cardgames.agent(5, UNO), "an agent is a name, not 5"),
        (lambda: UNO.parse_action(5), "an action is written as text, not 5"),
        (lambda: cardgames.make("doudizhu").parse_action(5), "an action is written as text, not 5"),
        (lambda: cardgames.make("uno", "3"), "uno is for 2 to 10 players, not '3'"),
    ):
        with pytest.raises(InvalidInput, match=message):
            call()


def test_repr_of_state_and_observation_is_one_line() -> None:
    state = UNO.new_initial_state(seed=1)
    assert repr(state) == f"<a round of {UNO!r}: seat {state.current_player()} to move>"
    assert repr(state.observation(0)) == f"<observation of seat 0: uno, {len(state.observation(0).events)} events>"
    play_round(state, [cardgames.agent("random", UNO, seat) for seat in range(UNO.num_players)])
    assert repr(state) == f"<a round of {UNO!r}: over>"
