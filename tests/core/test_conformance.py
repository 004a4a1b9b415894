"""Tests of `check_game`: all presets and a third-party game pass, and faults of broken games are reported."""

import random
from typing import Any, ClassVar

import numpy as np
import pytest

from cardgames.core.conformance import check_game
from cardgames.core.events import PUBLIC, EventRow
from cardgames.core.state import State
from cardgames.uno.game import Uno
from tests.core import toy
from tests.core.toy import Highest
from tests.uno.tables import PRESETS, choose_game


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 4, 10])
def test_presets_pass(preset: str, players: int) -> None:
    check_game(Uno(players, preset, ["turn-limit=150"]), games=1)


def test_random_rules_pass() -> None:
    for seed in range(12):
        check_game(choose_game(random.Random(seed).choice), games=1, seed=seed)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("size", [1, 2])
def test_third_party_game_passes(players: int, size: int) -> None:
    check_game(Highest(players, overrides=[f"hand-size={size}"]), games=20)


def test_same_seed_passes_twice() -> None:
    check_game(Highest(3), games=3, seed=5)
    check_game(Highest(3), games=3, seed=5)


def leaking_observe(rules: Any, state: Any, player: Any, out: Any) -> None:
    toy.observe(rules, state, player, out)
    out.pile[:] = state.pile


def descending_legal_actions(rules: Any, state: Any, out: Any) -> int:
    actions = toy.legal(state)[::-1]
    out[: len(actions)] = actions
    return len(actions)


def determinize_own_hand(rules: Any, observation: Any, rng: Any, out: Any) -> None:
    """A determinization that deals the observing player's own hand again as well."""
    blank = observation.copy()
    blank.hands[:] = 0
    toy.determinize(rules, blank, rng, out)


def endless_apply_action(rules: Any, state: Any, action: Any) -> None:
    """An `apply_action` that never ends the round: players without cards are to move."""
    toy.apply_action(rules, state, action)
    state.drawn = 0
    state.seat %= rules.players


def failing_apply_action(rules: Any, state: Any, action: Any) -> None:
    raise IndexError("list index out of range")


def early_returns(rules: Any, state: Any, out: Any) -> None:
    out[0] = 1


def nan_returns(rules: Any, state: Any, out: Any) -> None:
    if toy.is_terminal(rules, state):
        out[:] = np.nan


BROKEN_VERBS: list[tuple[str, dict[str, Any]]] = [
    ("observation does not depend on hidden", {"observe": leaking_observe}),
    ("observation does not depend on hidden", {"determinize": determinize_own_hand}),
    ("ascending", {"legal_actions": descending_legal_actions}),
    ("IndexError", {"apply_action": failing_apply_action}),
    ("has a legal action", {"apply_action": endless_apply_action}),
    ("zero before the end", {"returns": early_returns}),
    ("finite", {"returns": nan_returns}),
    ("nobody has won before", {"won": lambda rules, state, seat: state.laid[seat] >= 0}),
    ("not everybody wins", {"won": lambda rules, state, seat: toy.is_terminal(rules, state)}),
    ("is_legal agrees", {"is_legal": lambda rules, state, action: True}),
    (r"lies in \[0, 1\]", {"utility": lambda rules, state, player: 7.0}),
]


@pytest.mark.parametrize("number", range(len(BROKEN_VERBS)))
def test_broken_verb_is_reported(number: int) -> None:
    message, verbs = BROKEN_VERBS[number]

    class Broken(Highest):
        rules_type = toy.register(toy.rules_dtype(f"broken{number}"), **verbs)

    with pytest.raises(AssertionError, match=message):
        check_game(Broken(3), games=20)


class PublicDeal(Highest):
    def opening_events(self, record: Any) -> list[EventRow]:
        return [(kind, seat, value, PUBLIC) for kind, seat, value, _ in super().opening_events(record)]


class SortsPile(Highest):
    def to_dict(self, state: State) -> dict[str, Any]:
        data = super().to_dict(state)
        return data | {"pile": sorted(data["pile"][: data["n_pile"]]) + data["pile"][data["n_pile"] :]}


class IgnoresSeed(Highest):
    def deal(self, record: Any, seed: int, deck: Any, dealer: int | None) -> None:
        super().deal(record, random.getrandbits(32), deck, dealer)


class ParsesWrongAction(Highest):
    def parse_action(self, text: str) -> int:
        return 0


class OmitsActionEvent(Highest):
    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        return super().action_events(before, action, after)[1:] or [(7, 0, 0, PUBLIC)]


class HidesOwnAction(Highest):
    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        first, *others = super().action_events(before, action, after)
        return [(*first[:3], (first[1] + 1) % self.num_players), *others]


class LosesRandomStream(Highest):
    def from_dict(self, data: dict[str, Any]) -> State:
        return super().from_dict(data | {"rng": 0})


class OmitsHand(Highest):
    def hands_of(self, record: Any) -> list[str]:
        return super().hands_of(record)[1:]


class EmptySentence(Highest):
    def event_to_string(self, row: Any) -> str:
        return ""


class ReadsFinishedRoundAsUnfinished(Highest):
    def from_dict(self, data: dict[str, Any]) -> State:
        state = super().from_dict(data)
        if state.is_terminal():
            state.record.seat = 0
        return state


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (PublicDeal, "opening history"),
        (SortsPile, "to_dict"),
        (IgnoresSeed, "deck_of|same seed"),
        (ParsesWrongAction, "parse_action"),
        (OmitsActionEvent, "first row"),
        (HidesOwnAction, "own action"),
        (LosesRandomStream, "from_dict reads back"),
        (OmitsHand, "hands_of returns a text for each seat"),
        (EmptySentence, "event_to_string returns a sentence for every row"),
        (ReadsFinishedRoundAsUnfinished, "from_dict reads a finished round"),
    ],
)
def test_broken_game_is_reported(broken: type[Highest], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_game(broken(3), games=20)


def cheating_policy(rules: Any, record: Any, *more: Any) -> int:
    """A policy whose choice depends on hidden state."""
    actions = toy.legal(record)
    return actions[int(record.rng) % len(actions)]


class CheatingPolicy(Highest):
    policies: ClassVar[dict[str, int]] = {"cheating_policy": 0}
    rules_type = toy.register(toy.rules_dtype("peeking"), policy=cheating_policy)


class CheatingEncoding(Highest):
    encodings: ClassVar[dict[str, Any]] = {"showing": None}

    def encode(self, state: Any, encoding: str, player: int | None = None) -> Any:
        return state.record.pile.copy()


@pytest.mark.parametrize(
    ("broken", "what"), [(CheatingPolicy, "policy cheating_policy"), (CheatingEncoding, "encoding showing")]
)
def test_dependence_on_hidden_cards_is_reported(broken: type[Highest], what: str) -> None:
    with pytest.raises(AssertionError, match=f"the {what} does not depend on hidden cards"):
        check_game(broken(3), games=20)
