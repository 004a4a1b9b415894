"""Observations depend only on what their seat can know; determinizations are uniform over the states they allow."""

import collections
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardgames
from cardgames.core import ops
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.uno import piles
from cardgames.uno.cards import DECK
from cardgames.uno.events import cards_as_received, cards_in_hand
from cardgames.uno.game import Uno
from cardgames.uno.notation import hand_text, parse_cards
from cardgames.uno.state import AFTER_DRAW, ANSWER, MAX_CLOCK, STATE, WAIT
from tests.differences import assert_same
from tests.observations import assert_same_for
from tests.uno.tables import PRESETS, choose_game, play

AGENTS = ("random", "random:by=copies", "reflex", "reflex:color=random", "rlcard-rule", "human-rule", "expectimax")
ALL_CARDS = sorted(int(card) for card in DECK)


def known_cards(state: State, seat: int) -> list[list[int]]:
    """Return, for each hand, the cards that `seat` knows to be in it."""
    record = state.observation(seat).record
    return [cards_in_hand(record, other) for other in range(state.game.num_players)]


def without(cards: list[int], taken: list[int]) -> list[int]:
    """Return `cards` without those `taken`; fail if one of those is not there."""
    remaining = list(cards)
    for card in taken:
        remaining.remove(card)
    return remaining


def reshuffled(record: Any, viewer: int, known: list[list[int]], chance: random.Random) -> Any:
    """Return the record with all cards unknown to the viewer dealt again, and everything else hidden from it changed."""
    other, players = record.copy(), len(known)
    hidden = [without(cards_in_hand(record, seat), known[seat]) for seat in range(players)]
    loose = [*itertools.chain(*hidden), *record.pile[: record.n_pile].tolist()]
    chance.shuffle(loose)
    other.once[:] = other.twice[:] = 0
    for seat in range(players):
        other.counts[seat] = 0
        for card in known[seat] + [loose.pop() for _ in hidden[seat]]:
            piles.add_to_hand(other, seat, card)
    for card in known[viewer]:  # a viewer knows the order in which it received its wilds
        if card % 15 >= 13:
            other.received[piles.wild_index(card)] = 100 + record.received[piles.wild_index(card)]
    other.pile[: len(loose)] = loose
    other.n_fixed = chance.randint(0, len(loose))
    other.rng = chance.getrandbits(63)
    return other


def check_shuffle(state: State, seat: int, chance: random.Random) -> None:
    """Check that what `seat` sees, and what agents do with it, stays the same when the cards hidden from it change."""
    other = state.clone()
    origin_known = [cards_in_hand(state._origin, s) if s == seat else [] for s in range(state.game.num_players)]
    other.record = reshuffled(state.record, seat, known_cards(state, seat), chance)
    other._origin = reshuffled(state._origin, seat, origin_known, chance)
    assert_same_for(state, other, seat, AGENTS)


def determinized(state: State, seat: int, seed: int) -> State:
    """Return a determinization of what `seat` observes."""
    record = np.zeros(1, STATE)[0]
    ops.determinize(state.game.kernel_rules, state.observation(seat).record, rng.stream(seed), record)
    return State(state.game, record, [])


def check_determinize(state: State, seat: int, seed: int) -> None:
    """Check a determinization.

    No card is lost, known cards stay, hands keep their sizes, and the seat to move has the same choice and sees the
    same.
    """
    guess, known = determinized(state, seat, seed), known_cards(state, seat)
    record, players = guess.record, state.game.num_players
    hands = [cards_in_hand(record, s) for s in range(players)]
    table = record.pile[: record.n_pile].tolist() + record.discard[: record.n_discard].tolist()
    assert sorted(itertools.chain(table, *hands)) == ALL_CARDS
    if state.observation(seat).record.phase == WAIT:
        return  # a decision is hidden from this seat; a determinization goes on after it
    assert record.n_pile == state.record.n_pile
    assert [len(hand) for hand in hands] == record.counts[:players].tolist() == state.record.counts[:players].tolist()
    for s in range(players):
        without(hands[s], known[s])
    if seat == state.current_player():
        assert guess.legal_actions() == state.legal_actions()
        seen, expected = np.zeros(1, STATE)[0], state.observation(seat)
        ops.observe(state.game.kernel_rules, record, seat, seen)
        state.game.remember(seen, expected.events)
        assert_same(seen, expected.record, f"seat {seat}")


def check_round(game: Uno, seed: int, every: int) -> None:
    """Check what all seats see at about one in `every` decisions of a random round."""
    chance = random.Random(seed)
    check_chance = random.Random(seed + 1)
    for state in play(game.new_initial_state(seed=seed), chance):
        if check_chance.randrange(every) == 0:
            for seat in range(game.num_players):
                known = known_cards(state, seat)
                for other in range(game.num_players):
                    without(cards_in_hand(state.record, other), known[other])  # fails if a card is not there
                check_shuffle(state, seat, check_chance)
                check_determinize(state, seat, seed)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_observations_hide_what_a_seat_cannot_know_under_presets(preset: str, players: int) -> None:
    for seed in range(2):
        check_round(Uno(players, preset, ["turn-limit=200"]), seed, every=8)


def test_observations_hide_what_a_seat_cannot_know_under_random_rules() -> None:
    for seed in range(60):
        check_round(choose_game(random.Random(seed).choice), seed, every=20)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_observations_hide_what_a_seat_cannot_know_under_any_rules(data: st.DataObject, seed: int) -> None:
    check_round(choose_game(lambda values: data.draw(st.sampled_from(values))), seed, every=20)


def test_known_cards_are_in_the_hands() -> None:
    """Under rules that move or show hands, no seat is ever wrong about a card, and some seats know some cards."""
    num_known = 0
    for seed, rules in enumerate([[], ["wild-color=ignored"], ["drawn-card=auto-play"]] * 4):
        overrides = ["seven-zero=both", "draw-when=stuck", "draw-how=until-playable", "turn-limit=150", *rules]
        game = Uno(2 + seed % 3, "common", overrides)
        for state in play(game.new_initial_state(seed=seed), random.Random(seed)):
            for seat in range(game.num_players):
                known = known_cards(state, seat)
                for other in range(game.num_players):
                    without(cards_in_hand(state.record, other), known[other])
                    num_known += other != seat and len(known[other])
    assert num_known > 1000


def cards(text: str) -> list[int]:
    """Return the sorted card ids written as `text`."""
    return sorted(parse_cards(text))


def test_swapped_hand_is_known_until_its_cards_are_played() -> None:
    game = cardgames.make("uno", players=3, rules="common", overrides=["seven-zero=seven"])
    state = game.position(hands=["r7 g1 r2 y5", "b1 b2", "y1 y2"], top="r5", draw="y9")
    for text in ("r7", "swap 1"):
        state.apply_action(game.parse_action(text))
    assert known_cards(state, 0) == [cards("b1 b2"), cards("g1 r2 y5"), []]
    assert known_cards(state, 1) == [cards("b1 b2"), cards("g1 r2 y5"), []]
    assert known_cards(state, 2) == [[], [], cards("y1 y2")]
    state.apply_action(game.parse_action("r2"))
    assert known_cards(state, 0) == [cards("b1 b2"), cards("g1 y5"), []]
    assert known_cards(state, 2) == [[], [], cards("y1 y2")]


def test_card_used_to_jump_in_is_no_longer_known_after_loading() -> None:
    """The start card is in the pile again when the state is saved, so only the jump itself names the card."""
    overrides = ["refill=with-top", "jump-in=identical", "seven-zero=seven", "uno-call=off"]
    game = cardgames.make("uno", players=3, rules="common", overrides=overrides)
    hands = ["rd b1 b2 b3", "y1 y2 y3", "rd f r7 g1 g2"]
    state = game.position(hands=hands, top="r5", pile=1, draw="g9", seed=1)
    state.apply_action(game.parse_action("rd"))
    state = game.from_dict(state.to_dict())
    for text in ("jump rd", "draw", "keep", "r7", "swap 0"):
        state.apply_action(game.parse_action(text))
    assert known_cards(state, 2)[0] == cards("f g1 g2")


def test_challenger_knows_the_hand_it_was_shown() -> None:
    game = cardgames.make("uno", players=3, rules="official")
    state = game.position(hands=["r9 f b1", "y1 y2", "g1 g2"], top="r5")
    for text in ("f:g", "challenge"):
        state.apply_action(game.parse_action(text))
    assert known_cards(state, 1)[0] == cards("r9 b1")  # and not the four cards drawn afterwards
    assert known_cards(state, 2)[0] == []
    assert hand_text(known_cards(state, 1)[0]) == "r9 b1"


def test_challenge_keeps_what_other_seats_know() -> None:
    game = cardgames.make("uno", players=3, rules="official", overrides=["seven-zero=seven", "uno-call=off"])
    hands = ["f r9 g7 b1 b2 b3", "g1 y1 y2 y3 y4 y5", "g2 r1 r2 r3 r4 r5 b9"]
    state = game.position(hands=hands, top="r8", draw="y6 y7 y8 y9")
    for text in ("f:g", "challenge", "g1", "g2", "g7", "swap 2"):
        state.apply_action(game.parse_action(text))
    assert known_cards(state, 0)[2] == cards("r9 b1 b2 b3 y6 y7 y8 y9")


def test_number_of_wilds_in_a_passed_hand_is_known() -> None:
    game = cardgames.make("uno", players=3, rules="common", overrides=["seven-zero=seven", "uno-call=off"])
    state = game.position(hands=["w w w g7 b1 b2", "g1 y1 y2 y3", "g2 r1 r2 r3"], top="r8")
    for text in ("w:g", "g1", "g2", "g7", "swap 2"):
        state.apply_action(game.parse_action(text))
    assert hand_text(known_cards(state, 0)[2]) == "b1 b2 w w"


def test_wilds_left_in_a_shown_hand_are_known() -> None:
    game = cardgames.make("uno", players=3, rules="official", overrides=["uno-call=off"])
    state = game.position(hands=["f r9 w w b1", "y1 y2 g3", "g1 g2"], top="r5", draw="b6 b7 b8 b9")
    for text in ("f:g", "challenge", "g3", "g1", "w:y"):
        state.apply_action(game.parse_action(text))
    assert hand_text(known_cards(state, 1)[0]) == "r9 b1 w"


@pytest.mark.parametrize(("hand", "printed"), [("w:y r1 w:r", "w:y"), ("r1 w:r w:y", "w:r"), ("f:b w:g f:r", "w:g")])
def test_first_received_wild_is_played_whatever_its_printed_color(hand: str, printed: str) -> None:
    """The printed color of a played wild therefore reveals nothing about other wilds in the hand."""
    state = Uno(2, "common").position(hands=[hand, 3], top="r5")
    state.apply_action(state.game.parse_action("w:b"))
    assert state.to_dict()["printed_top"] == printed


def test_observation_has_color_in_force_before_the_top_card() -> None:
    for overrides, prior_color in ([], "r"), (["shown-color=printed"], None):
        game = cardgames.make("uno", players=2, rules="common", overrides=overrides)
        state = game.position(hands=["f r9 b1", "y1 y2 g3"], top="r5")
        assert state.observation(1).to_dict()["prior_color"] is None
        state.apply_action(game.parse_action("f:g"))
        assert [state.observation(seat).to_dict()["prior_color"] for seat in (0, 1)] == [
            prior_color,
            prior_color,
        ]


def test_order_of_wilds_survives_renumbering() -> None:
    record = Uno(2, "common").position(hands=["r1 w:y w:r f:g", "r2 r3"], top="r5").record
    before = cards_as_received(record, 0)
    record.received[record.received > 0] += 31_000
    record.clock = MAX_CLOCK
    blue = parse_cards("w:b")[0]
    piles.add_to_hand(record, 0, blue)
    assert cards_as_received(record, 0) == [*before, blue]
    assert record.clock == 9


def small_case(hands: list[str | int], **parts: Any) -> State:
    """Return a position of two players with all cards that are not named or hidden in the discard pile."""
    placed = sum((cards(hand) for hand in hands if isinstance(hand, str)), cards(parts["top"]))
    hidden = cards(parts.pop("hidden"))
    under = without(without(ALL_CARDS, placed), hidden)
    game = Uno(len(hands), "common")
    return game.position(hands=hands, discard=under, **parts)


@pytest.mark.parametrize(
    ("hidden", "relative_weights"),
    [
        ("g1 g2 g3 g4", {pair: 1 for pair in itertools.combinations(["g1", "g2", "g3", "g4"], 2)}),
        ("g1 g1 g2 g3", {("g1", "g1"): 1, ("g1", "g2"): 2, ("g1", "g3"): 2, ("g2", "g3"): 1}),
    ],
)
def test_determinization_is_uniform(hidden: str, relative_weights: dict[tuple[str, ...], int]) -> None:
    """Chi-square statistic over the other player's hand; 5 and 3 degrees of freedom, p < 0.001 beyond 20.5."""
    state = small_case(["r1 r2", 2], top="r5", pile=2, hidden=hidden)
    observation, stream, guess = state.observation(0), rng.stream(7), np.zeros(1, STATE)[0]
    hand_counts: collections.Counter[tuple[str, ...]] = collections.Counter()
    n = 6000
    for _ in range(n):
        ops.determinize(state.game.kernel_rules, observation.record, stream, guess)
        hand_counts[tuple(hand_text(cards_in_hand(guess, 1)).split())] += 1
    assert set(hand_counts) == set(relative_weights)
    expected = {hand: n * weight / sum(relative_weights.values()) for hand, weight in relative_weights.items()}
    assert sum((hand_counts[hand] - expected[hand]) ** 2 / expected[hand] for hand in relative_weights) < 20.5


def both_ways(rules: str) -> Iterator[tuple[list[str], str, list[str]]]:
    """Yield ways to reach positions that must look the same to the others: hands, next cards, actions."""
    quiet = ["y1 y2 y3", "b1 b2 b3", "g7 g8 g9"]
    if rules.startswith("jump-in"):
        yield ["r5 y1 y2", "b1 b2 b3", "g1 g2 r5"], "", ["r5", "no jump"]
        yield ["r5 y1 y2", "b1 b2 b3", "g1 g2 g3"], "", ["r5"]
    elif rules.startswith("stacking"):
        yield ["b1 b2 b3", "rd y1 y2", "bd g1 g2"], "", ["rd", "take"]
        yield ["b1 b2 b3", "rd y1 y2", "b4 g1 g2"], "", ["rd"]
    elif rules.startswith("after-draw"):
        yield quiet, "r1", ["draw", "pass"]
        yield quiet, "b8", ["draw"]
    elif rules.startswith("drawn-card=auto-play"):
        yield quiet, "w", ["draw"]  # the decision is still open
        yield quiet, "b8", ["draw"]
    elif rules.startswith(("drawn-card=keep", "drawn-card=must-play")):
        yield quiet, "r1", ["draw"]
        yield quiet, "b8", ["draw"]
    else:
        yield quiet, "r1", ["draw", "keep"]
        yield quiet, "b8", ["draw"]
        yield quiet, "r1", ["draw"]  # the decision is still open
        yield quiet, "w", ["draw"]


@pytest.mark.parametrize(
    ("rules", "mover", "decider"),
    [
        ("drawn-card=may-play", 0, 0),
        ("drawn-card=keep", 0, 0),
        ("drawn-card=must-play", 0, 0),
        ("drawn-card=auto-play", 0, 0),
        ("after-draw=any-card", 0, 0),
        ("jump-in=identical", 0, 2),
        ("stacking=same", 1, 2),
    ],
)
def test_declined_plays_are_private(rules: str, mover: int, decider: int) -> None:
    """The others cannot see whether a seat that did not play, jump in or stack could have done so."""
    seen: dict[int, Observation] = {}
    for hands, draw, actions in both_ways(rules):
        game = cardgames.make("uno", players=3, rules="common", overrides=[rules])
        state = game.position(hands=hands, top="r9", draw=draw, to_move=mover)
        for text in actions:
            state.apply_action(game.parse_action(text))
        for seat in {0, 1, 2} - {decider}:
            observation = state.observation(seat)
            first = seen.setdefault(seat, observation)
            assert_same(observation.record, first.record, f"seat {seat}, record after {actions} and {draw}")
            assert_same(observation.events, first.events, f"seat {seat}, events after {actions} and {draw}")
    assert len(seen) == 2


def test_state_record_has_no_padding() -> None:
    """Observations are compared by their bytes, and padding bytes are undefined."""
    assert STATE.itemsize == sum(STATE.fields[name][0].itemsize for name in STATE.names or ())  # type: ignore[index]


def test_challenge_decision_and_option_to_draw_more_are_public() -> None:
    state = Uno(3, "official").position(hands=["f r1 r2", "g1 g2", "b1 b2"], top="r5")
    state.apply_action(state.game.parse_action("f:g"))
    before_challenge = state.observation(2).record
    assert (before_challenge.phase, before_challenge.to_move) == (ANSWER, 1)
    state = Uno(3, "simplified").position(hands=["r1 r2", "g1 g2", "b1 b2"], top="r5")
    state.apply_action(state.game.parse_action("draw"))
    after_draw = state.observation(2).record
    assert (after_draw.phase, after_draw.to_move, after_draw.drawn) == (AFTER_DRAW, 0, -1)


def test_determinization_samples_the_drawn_card_from_the_whole_hand() -> None:
    state = Uno(3, "simplified").position(hands=["r1 r2 r3", "g1 g2", "b1 b2"], top="r5")
    state.apply_action(state.game.parse_action("draw"))
    guesses = [determinized(state, 2, seed).record for seed in range(200)]
    places = collections.Counter(cards_in_hand(guess, 0).index(guess.drawn) for guess in guesses)
    assert set(places) == {0, 1, 2, 3} and min(places.values()) > 25


def test_observation_counts_decisions_seen() -> None:
    state = Uno(3, "common").position(hands=["r1 y1 y2", "g1 g2 g3", "b1 b2 b3"], top="b9", draw="b5")
    for text in ("draw", "keep", "draw"):
        state.apply_action(state.game.parse_action(text))
    assert [state.observation(seat).record.decisions for seat in (0, 1, 2)] == [3, 2, 2]
