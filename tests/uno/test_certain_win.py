"""Tests of certain wins in Uno: scenarios rule by rule, and random positions against a slow referee and the engine."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core import ops
from cardgames.core.game_registry import make
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput
from cardgames.uno.cards import DECK, DRAW_TWO, REVERSE, SKIP, WILD, WILD_FOUR
from cardgames.uno.game import Uno
from cardgames.uno.notation import card_text
from tests.referees.uno_certain_win import find_certain_win, hostile_worlds, random_worlds, wins_everywhere
from tests.uno.tables import choose_rules, lively

LONGEST_HAND = 4
"""Greatest own hand for which the slow referee is asked."""


def certain_win(hands: str, top: str, *changes: str, preset: str = "common", **parts: Any) -> list[str]:
    """Return the certain win of seat 0 as texts; hands are separated by `|`."""
    seats = [int(hand) if hand.isdigit() else hand for hand in hands.split("|")]
    game = make("uno", players=len(seats), rules=preset, overrides=changes)
    observation = game.position(hands=seats, top=top, **parts).observation()
    return [game.action_to_string(action) for action in game.certain_win(observation)]


def test_skips_before_the_wild_win() -> None:
    line = certain_win("rs ys gs w|bs", "r8")
    assert line[0] == "rs" and sorted(line[1:3]) == ["gs", "ys"] and line[3] == "uno" and line[4].startswith("w:")


@pytest.mark.parametrize("hands", ["r5|7", "rs r5|7", "rd r5|7", "rv r5|7", "f b5|7"])
def test_one_number_after_cards_that_keep_the_turn(hands: str) -> None:
    assert certain_win(hands, "r8")[-1] == hands.split("|")[0].split()[-1]


@pytest.mark.parametrize("hands", ["b5|7", "r5 r6|7", "w r5|7", "rs b5|7", "bs gs|7"])
def test_no_certain_win(hands: str) -> None:
    assert certain_win(hands, "r8") == []


@pytest.mark.parametrize("hands", ["rs r5|7|7", "rv r5|7|7", "rd r5|7|7", "rs rs|7|7"])
def test_turn_passes_on_with_three_players(hands: str) -> None:
    assert certain_win(hands, "r8") == []


def test_reverse_flips_the_turn_away() -> None:
    assert certain_win("rv r5|7", "r8", "reverse-two=flip") == []


def test_wild_draw_four_that_is_a_bluff_may_be_challenged() -> None:
    assert certain_win("f r5|7", "r8") == []
    assert certain_win("f r5|7", "r8", "challenge=off") == ["f:r", "uno", "r5"]
    assert certain_win("f b5|7", "r8") == ["f:b", "uno", "b5"]


def test_wild_draw_four_as_last_card_wins_although_it_is_a_bluff() -> None:
    assert certain_win("rs f|7", "r8")[-1].startswith("f:")


def test_draw_two_may_be_answered_by_stacking() -> None:
    assert certain_win("rd r5|7", "r8", "stacking=same") == []


def test_draw_two_is_safe_if_all_others_were_seen() -> None:
    seen = "gd gd bd bd yd yd"
    assert certain_win("rd rd r5|7", "r8", "stacking=same", discard=seen) == ["rd", "rd", "uno", "r5"]
    assert certain_win("rd r5|7", "r8", "stacking=up", discard=f"rd {seen}") == []


def test_last_draw_two_wins_even_if_the_other_stacks() -> None:
    assert certain_win("rd gd|7", "r8", "stacking=same") == ["rd", "uno", "gd"]
    assert certain_win("rd gd|r5", "r8", "stacking=same") == []  # the other may go out by stacking
    assert certain_win("rd gd|7", "r8", "stacking=up") == []


def test_twin_is_played_by_a_jump() -> None:
    assert certain_win("r5 r5|7|7", "r8", "jump-in=identical") == ["r5", "uno", "jump"]
    assert certain_win("r5 r5|7|7", "r8") == []


def test_another_seat_may_jump_in() -> None:
    assert certain_win("rs r5|7", "r8", "jump-in=identical") == []
    assert certain_win("rs r5|7", "r8", "jump-in=identical", discard="rs") == ["rs", "uno", "r5"]


def test_seven_and_zero_give_the_hand_away_unless_they_are_last() -> None:
    assert certain_win("r7 r7|7", "r8", "seven-zero=both", "jump-in=identical") == []
    assert certain_win("rs r7|7", "r8", "seven-zero=both") == ["rs", "uno", "r7"]


def test_last_card_rule_orders_the_cards() -> None:
    assert certain_win("rs w|7", "r8", "last-card=number-only") == []
    assert certain_win("rs ys|7", "r8", "last-card=number-only") == []
    assert certain_win("rs r5|7", "r8", "last-card=number-only") == ["rs", "uno", "r5"]


def test_no_uno_call_where_none_is_required() -> None:
    assert certain_win("rs r5|7", "r8", "uno-call=off") == ["rs", "r5"]


def test_turn_limit_comes_first() -> None:
    assert certain_win("rs r5|7", "r8", "turn-limit=2") == []
    assert certain_win("rs r5|7", "r8", "turn-limit=3") == ["rs", "uno", "r5"]


def test_observation_of_another_seat_has_none_and_another_game_is_refused() -> None:
    state = make("uno", rules="common").position(hands=["r5", 7], top="r8")
    assert state.game.certain_win(state.observation(1)) == ()
    with pytest.raises(InvalidInput, match="is not one of"):
        make("uno", players=3, rules="common").certain_win(state.observation())


def test_state_counts_other_hands_as_unknown() -> None:
    state = make("uno", rules="common", overrides=["stacking=same"]).position(hands=["rd r5", "b1 b2"], top="r8")
    assert ops.certain_win(state.game.kernel_rules, state.record, np.empty(8, np.int32)) == 0


def test_longer_sequences_than_the_output_are_not_looked_for() -> None:
    state = make("uno", rules="common").position(hands=["rs r5", 7], top="r8")
    lengths = [ops.certain_win(state.game.kernel_rules, state.record, np.empty(n, np.int32)) for n in range(5)]
    assert lengths == [0, 0, 0, 3, 3]


def test_game_without_the_verb_has_none() -> None:
    state = make("doudizhu").new_initial_state(0)
    assert state.game.certain_win(state.observation()) == ()


def _small_position(chance: random.Random) -> State:
    """Return a position with small hands of many action cards under random rules."""
    rules = choose_rules(chance.choice)
    game = Uno(2 if chance.random() < 0.7 else chance.randint(3, 4), rules)
    deck = DECK.tolist()
    chance.shuffle(deck)
    actions = [card for card in deck if card % 15 in (SKIP, REVERSE, DRAW_TWO, WILD_FOUR)]
    hands = []
    for seat in range(game.num_players):
        hand: list[int] = []
        for _ in range(chance.randint(1, LONGEST_HAND)):
            twin = hand[-1] if hand and chance.random() < 0.3 else -1
            card = twin if twin in deck else chance.choice(actions if chance.random() < 0.6 - 0.2 * seat else deck)
            if card in deck:
                deck.remove(card)
                hand.append(card)
        hands.append(" ".join(map(_text, hand)) or 1)
    top = chance.choice(deck)
    return game.position(
        hands=hands,
        top=f"{_text(top)}:{chance.choice('rgby')}" if top % 15 >= WILD else _text(top),
        to_move=chance.randrange(game.num_players),
        direction=chance.choice([1, -1]),
        pile=chance.choice([None, None, 1, 5, 20]),
        seed=chance.randrange(1000),
    )


def _text(card: int) -> str:
    return card_text(card) if card % 15 < WILD else "w" if card % 15 == WILD else "f"


def _observations(seed: int, decisions: int = 12) -> list[tuple[State, Observation]]:
    """Return the decisions of a short random game from a small position, with the observation at each."""
    chance, found = random.Random(seed), []
    state = _small_position(chance)
    while not state.is_terminal() and len(found) < decisions:
        found.append((state.clone(), state.observation()))
        state.apply_action(lively(state.legal_actions(), chance))
    return found


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_certain_win_wins_in_every_world(seed: int) -> None:
    for state, observation in _observations(seed):
        line = state.game.certain_win(observation)
        if line:
            worlds = [state, *random_worlds(observation, 50), *hostile_worlds(observation)]
            assert wins_everywhere(observation, line, worlds), (seed, line)


def test_referee_finds_hardly_any_win_that_is_missed() -> None:
    positions = misses = found = 0
    for seed in range(150):
        for state, observation in _observations(seed):
            hand = int(observation.record.counts[observation.player])
            if hand > LONGEST_HAND:
                continue
            positions += 1
            if state.game.certain_win(observation):
                found += 1
                continue
            few = [*random_worlds(observation, 6), *hostile_worlds(observation)]
            line = find_certain_win(observation, few[:40], hand + 4)
            if line and wins_everywhere(observation, line, [*few, *random_worlds(observation, 200)]):
                misses += 1
    assert positions > 500 and found > 40 and misses <= found // 50
