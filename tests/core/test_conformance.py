"""`check_game` passes every preset and a third party's game, and finds what is wrong with broken ones."""

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
def test_presets(preset: str, players: int) -> None:
    check_game(Uno(players, preset, ["turn-limit=150"]), games=1)


def test_random_rules() -> None:
    for seed in range(12):
        check_game(choose_game(random.Random(seed).choice), games=1, seed=seed)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("size", [1, 2])
def test_a_third_partys_game(players: int, size: int) -> None:
    check_game(Highest(players, overrides=[f"hand-size={size}"]), games=20)


def test_the_same_seed_checks_the_same_rounds() -> None:
    check_game(Highest(3), games=3, seed=5)
    check_game(Highest(3), games=3, seed=5)


def leaking_observe(rules: Any, state: Any, player: Any, out: Any) -> None:
    toy.observe(rules, state, player, out)
    out.pile[:] = state.pile


def descending(rules: Any, state: Any, out: Any) -> int:
    found = toy.legal(state)[::-1]
    out[: len(found)] = found
    return len(found)


def without_hand(rules: Any, observation: Any, rng: Any, out: Any) -> None:
    """A determinization that deals the viewer's own hand anew as well."""
    blank = observation.copy()
    blank.hands[:] = 0
    toy.determinize(rules, blank, rng, out)


def going_round(rules: Any, state: Any, action: Any) -> None:
    """An `apply_action` that asks players who have no card left."""
    toy.apply_action(rules, state, action)
    state.drawn = 0
    state.seat %= rules.players


def failing_apply(rules: Any, state: Any, action: Any) -> None:
    raise IndexError("list index out of range")


def paying_early(rules: Any, state: Any, out: Any) -> None:
    out[0] = 1


def never_paying(rules: Any, state: Any, out: Any) -> None:
    if toy.is_terminal(rules, state):
        out[:] = np.nan


BROKEN_VERBS: list[tuple[str, dict[str, Any]]] = [
    ("observation does not depend on hidden", {"observe": leaking_observe}),
    ("observation does not depend on hidden", {"determinize": without_hand}),
    ("ascending", {"legal_actions": descending}),
    ("IndexError", {"apply_action": failing_apply}),
    ("has a legal action", {"apply_action": going_round}),
    ("zero before the end", {"returns": paying_early}),
    ("finite", {"returns": never_paying}),
    ("nobody has won before", {"won": lambda rules, state, seat: state.laid[seat] >= 0}),
    ("not everybody wins", {"won": lambda rules, state, seat: toy.is_terminal(rules, state)}),
    ("is_legal agrees", {"is_legal": lambda rules, state, action: True}),
    (r"lies in \[0, 1\]", {"utility": lambda rules, state, player: 7.0}),
]


@pytest.mark.parametrize("number", range(len(BROKEN_VERBS)))
def test_broken_verbs_are_found(number: int) -> None:
    sentence, verbs = BROKEN_VERBS[number]

    class Broken(Highest):
        rules_type = toy.register(toy.rules_dtype(f"broken{number}"), **verbs)

    with pytest.raises(AssertionError, match=sentence):
        check_game(Broken(3), games=20)


class TellsAll(Highest):
    def opening_events(self, record: Any) -> list[EventRow]:
        return [(kind, seat, value, PUBLIC) for kind, seat, value, _ in super().opening_events(record)]


class ForgetsTheOrder(Highest):
    def to_dict(self, state: State) -> dict[str, Any]:
        data = super().to_dict(state)
        return data | {"pile": sorted(data["pile"][: data["n_pile"]]) + data["pile"][data["n_pile"] :]}


class Unseeded(Highest):
    def deal(self, record: Any, seed: int, deck: Any, dealer: int | None) -> None:
        super().deal(record, random.getrandbits(32), deck, dealer)


class Misreads(Highest):
    def parse_action(self, text: str) -> int:
        return 0


class KeepsNoCount(Highest):
    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        return super().action_events(before, action, after)[1:] or [(7, 0, 0, PUBLIC)]


class HidesItself(Highest):
    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        first, *others = super().action_events(before, action, after)
        return [(*first[:3], (first[1] + 1) % self.num_players), *others]


class ForgetsItsChance(Highest):
    def from_dict(self, data: dict[str, Any]) -> State:
        return super().from_dict(data | {"rng": 0})


class NamesTooFew(Highest):
    def hands_of(self, record: Any) -> list[str]:
        return super().hands_of(record)[1:]


class SaysNothing(Highest):
    def event_to_string(self, row: Any) -> str:
        return ""


class ReadsNoEnd(Highest):
    def from_dict(self, data: dict[str, Any]) -> State:
        state = super().from_dict(data)
        if state.is_terminal():
            state.record.seat = 0
        return state


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (TellsAll, "opening history"),
        (ForgetsTheOrder, "to_dict"),
        (Unseeded, "deck_of|same seed"),
        (Misreads, "parse_action"),
        (KeepsNoCount, "first row"),
        (HidesItself, "own action"),
        (ForgetsItsChance, "from_dict reads back"),
        (NamesTooFew, "hands_of returns a text for each seat"),
        (SaysNothing, "event_to_string returns a sentence for every row"),
        (ReadsNoEnd, "from_dict reads a finished round"),
    ],
)
def test_broken_games_are_found(broken: type[Highest], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_game(broken(3), games=20)


def peeking(rules: Any, record: Any, *more: Any) -> int:
    """A policy that lays another card where it knows what is hidden."""
    found = toy.legal(record)
    return found[int(record.rng) % len(found)]


class Peeks(Highest):
    policies: ClassVar[dict[str, int]] = {"peeking": 0}
    rules_type = toy.register(toy.rules_dtype("peeking"), policy=peeking)


class Shows(Highest):
    encodings: ClassVar[dict[str, Any]] = {"showing": None}

    def encode(self, state: Any, encoding: str, player: int | None = None) -> Any:
        return state.record.pile.copy()


@pytest.mark.parametrize(("broken", "what"), [(Peeks, "policy peeking"), (Shows, "encoding showing")])
def test_what_goes_by_hidden_cards_is_found(broken: type[Highest], what: str) -> None:
    with pytest.raises(AssertionError, match=f"the {what} does not depend on hidden cards"):
        check_game(broken(3), games=20)
