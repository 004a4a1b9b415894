"""Chance node of `expectimax`: one opponent's turn against enumeration, small chains by hand, whole chains simulated."""

import random
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.bench.experiments.chance_model_error import chained, distance, positions, simulated
from cardgames.core import ops
from cardgames.uno.cards import DECK, NUM_CARD_IDS
from cardgames.uno.expectimax.opponent_replies import (
    DEALT_HANDS,
    GOES_OUT,
    NO_EFFECT,
    ON_COLOR,
    ON_FACE,
    ON_WILD_FOUR,
    OPPONENT_MODELS,
    PAPER,
    TURN_PASSES,
    seat_rates,
)
from cardgames.uno.game import Uno
from cardgames.uno.notation import action_text
from cardgames.uno.rules.match import SYMBOL
from cardgames.uno.state import AFTER_DRAW, OVER, PLAY
from tests.referees.replies import reply
from tests.uno.tables import PRESETS, choose_game


def reply_probabilities(
    game: Uno, chance_model_id: int, unseen: list[int], size: int, top: int
) -> dict[tuple[str, int], float]:
    """Return the kernel's probabilities of one opponent's turn in the format of `reply`."""
    copies = np.bincount(unseen, minlength=NUM_CARD_IDS).astype(np.float64)
    weights, rates = np.zeros(NUM_CARD_IDS), np.zeros((NUM_CARD_IDS, 6))
    seat_rates(game.kernel_rules, chance_model_id, len(unseen), copies, size, weights, rates)
    rate = rates[top]
    probabilities = {("kept", top): rate[TURN_PASSES], ("out", -1): rate[GOES_OUT]}
    for card in range(NUM_CARD_IDS):
        face, same = card % 15, card % 15 == top % 15 and (game.kernel_rules.match == SYMBOL or card % 15 < 10)
        if face == 14:
            chance = rate[ON_WILD_FOUR]
        elif face < 13 and card // 15 == top // 15:
            chance = rate[ON_COLOR]
        else:
            chance = rate[ON_FACE] if face == 13 or same else 0.0
        probabilities["laid", card] = weights[card] * chance
        probabilities["idle", card] = weights[card] * rate[NO_EFFECT] if face >= 13 else 0.0
    return probabilities


def test_replies_of_dealt_hands_are_exact() -> None:
    """Random rules for playing and drawing, few unseen cards, hands of every size."""
    chance = random.Random(3)
    for _ in range(120):
        game = choose_game(chance.choice)
        unseen = sorted(chance.sample(DECK.tolist(), chance.randint(1, 8)))
        top, size = chance.randrange(60), chance.randint(1, len(unseen))
        expected = reply(unseen, size, top, game.rules.to_dict())
        probabilities = reply_probabilities(game, DEALT_HANDS, unseen, size, top)
        assert sum(probabilities.values()) == pytest.approx(1)
        for key, value in probabilities.items():
            assert value == pytest.approx(float(expected.get(key, 0)), abs=1e-12), (key, game.rules, unseen, size, top)


def test_paper_model_by_hand() -> None:
    """U = r1 twice, r2, g3 (m = 4), n = 2 on r5: P_h is 3/4, 7/16, 7/16; the hand is stuck with probability (1/4)^2."""
    game = Uno(2, "common", ["drawn-card=keep"])
    probabilities = reply_probabilities(game, PAPER, [1, 1, 2, 18], 2, 5)
    can_play, p1, p2 = 15 / 16, 3 / 4, 7 / 16
    assert probabilities["laid", 1] == pytest.approx(can_play * p1 / (p1 + p2))
    assert probabilities["laid", 2] == pytest.approx(can_play * p2 / (p1 + p2))
    assert probabilities["laid", 18] == 0
    assert probabilities["kept", 5] == pytest.approx(1 / 16)


def outcomes(state: cardgames.State, text: str, chain: str = "dealt") -> tuple[Any, Any]:
    """Return the outcomes of an action and their probabilities."""
    game = state.game
    records, probs = np.zeros(game.expectimax.max_outcomes, game.state_dtype), np.zeros(game.expectimax.max_outcomes)
    action = np.int64(game.parse_action(text))
    record = state.observation().record
    n = ops.chance_outcomes(game.kernel_rules, record, action, np.int64(OPPONENT_MODELS[chain]), records, probs)
    return records[:n], probs[:n]


def top_probabilities(state: cardgames.State, text: str, chain: str = "dealt") -> dict[str, float]:
    """Return the probability of each card on top; `over` stands for the end of the round."""
    probabilities: dict[str, float] = {}
    for record, prob in zip(*outcomes(state, text, chain), strict=True):
        name = action_text(15 * int(record.color) + int(record.top) % 15)
        if record.phase == OVER:
            name = "over"
        probabilities[name] = probabilities.get(name, 0.0) + float(prob)
    return probabilities


def small_position(game: cardgames.Game, hands: list[str], draw: str, top: str = "r4") -> cardgames.State:
    """Return a position in which only the cards of the other hands and of the pile are unseen."""
    return game.position(hands=hands, top=top, draw=draw, pile=len(draw.split()), seed=1)


def test_small_chains_by_hand() -> None:
    rlcard, kept = Uno(2, "rlcard"), Uno(2, "rlcard", ["drawn-card=keep"])
    # one card, r1 or g2: the opponent goes out with r1, otherwise it draws r1 and plays it
    assert top_probabilities(small_position(rlcard, ["r5 r6", "g2"], "r1"), "r5") == pytest.approx(
        {"over": 0.5, "r1": 0.5}
    )
    # two of four cards: r1 is held (1/2), or drawn by a hand that is stuck (1/2 of 1/2)
    four = (["r5 r6", "g2 b3"], "r1 y4")
    assert top_probabilities(small_position(rlcard, *four), "r5") == pytest.approx({"r1": 0.75, "r5": 0.25})
    assert top_probabilities(small_position(kept, *four), "r5") == pytest.approx({"r1": 0.5, "r5": 0.5})
    # the paper's hand lacks r1 with probability (3/4)^2, and the card drawn is r1 with probability 1/4
    assert top_probabilities(small_position(rlcard, *four), "r5", "paper") == pytest.approx(
        {"r1": 7 / 16 + 9 / 64, "r5": 27 / 64}
    )


def test_opponent_that_keeps_the_turn_counts_as_going_out() -> None:
    """If all unseen cards are skips, a player with one opponent never moves again."""
    skips = small_position(Uno(2, "simplified"), ["r5 g4 b1", "rs rs"], "rd rd")
    assert top_probabilities(skips, "r5", "paper") == {"over": 1.0}
    four = small_position(Uno(2, "simplified"), ["r5 g4 b1", "rs rs gs bs"], "rd rd")
    assert top_probabilities(four, "r5") == {"over": 1.0}


def test_opponents_wild_names_each_allowed_color_equally_often() -> None:
    every = {f"w:{color}": 0.25 for color in "rgby"}
    assert top_probabilities(small_position(Uno(2, "rlcard"), ["r5 r6", "w g2"], ""), "r5") == pytest.approx(every)
    changed = {f"w:{color}": 1 / 3 for color in "gby"}
    must = Uno(2, "rlcard", ["wild-color=must-change"])
    assert top_probabilities(small_position(must, ["r5 r6", "w g2"], ""), "r5") == pytest.approx(changed)
    assert top_probabilities(small_position(Uno(2, "rlcard-2022"), ["r5 r6", "w:b g2"], ""), "r5") == pytest.approx(
        {"w:b": 1.0}
    )


def test_effects_of_own_skip_reverse_and_draw_cards() -> None:
    two = small_position(Uno(2, "rlcard"), ["rs rd rv f r6 r7", "r1 r2"], "r3")
    assert top_probabilities(two, "rs") == {"rs": 1.0} and top_probabilities(two, "rd") == {"rd": 1.0}
    assert "rv" not in top_probabilities(two, "rv")
    again = small_position(Uno(2, "official"), ["rv r6 r7", "r1 r2"], "r3")
    assert top_probabilities(again, "rv") == {"rv": 1.0}
    three = small_position(Uno(3, "rlcard"), ["rd rv r6", "r1 r2", "g1 g2"], "g3")
    records, _ = outcomes(three, "rd")
    assert {int(record.counts[1]) for record in records} == {4}
    records, _ = outcomes(three, "rv")
    assert {int(record.direction) for record in records} == {-1}
    assert {int(record.direction) for record in outcomes(three, "r6")[0]} == {1}


def test_draw_cards_of_the_previous_player_hit_and_skip_the_player() -> None:
    state = small_position(Uno(2, "rlcard"), ["r5 r6", "rd g2 b3"], "y1")
    before = state.observation().record
    records, probs = outcomes(state, "r5")
    # the opponent certainly holds or draws rd; it then moves again, in the chain with the same unseen cards
    next_turns = [record for record in records if record.phase == PLAY]
    assert {int(record.counts[0] - before.counts[0]) + 1 for record in next_turns} == {2, 4, 6}
    for record in next_turns:
        # the cards are unknown: the hand is what was left, its count what it must be
        assert record.once[0] == 1 << 6 and record.to_move == 0
    assert probs.sum() == pytest.approx(1)


def test_own_draw() -> None:
    cards = (["r5 r6", "b2 b3"], "g1 r1")
    # of the four unseen cards g1 is played if drawn, or played by the opponent, which has it with 1/2 + 1/2 * 1/2
    probabilities = top_probabilities(small_position(Uno(2, "common"), *cards, top="g4"), "draw")
    assert probabilities["g4"] == pytest.approx(3 / 4 * 1 / 4)
    keep_probabilities = top_probabilities(
        small_position(Uno(2, "common", ["drawn-card=keep"]), *cards, top="g4"), "draw"
    )
    assert keep_probabilities == pytest.approx({"g1": 0.5, "g4": 0.5})
    # the expected number of cards before the only playable one of four is one and a half, rounded to two
    until = Uno(2, "common", ["draw-how=until-playable"])
    assert {int(record.counts[0]) for record in outcomes(small_position(until, *cards, top="g4"), "draw")[0]} == {4}
    # a drawn skip is played at once under RLCard's rules: the player moves again
    skip = small_position(Uno(2, "rlcard"), ["r5 r6", "b2 b3"], "gs", top="g4")
    assert top_probabilities(skip, "draw")["gs"] >= 1 / 3 - 1e-9
    nothing_left = small_position(Uno(2, "common"), ["r5 r6", "g1 g2 b3"], "", top="g4")
    nothing_left.record.n_discard = 1
    assert min(int(record.counts[0]) for record in outcomes(nothing_left, "draw")[0]) == 2


def test_own_drawn_wild_mostly_names_the_color_most_held() -> None:
    for rules, color in (("any", "r"), ("must-change", "b")):
        game = Uno(2, "common", [f"wild-color={rules}"])
        state = small_position(game, ["r5 r6 b1", "g2 g3"], "w", top="r4")
        probabilities = top_probabilities(state, "draw", "paper")
        drawn = {name: chance for name, chance in probabilities.items() if name.startswith("w")}
        assert max(drawn, key=lambda name: drawn[name]) == f"w:{color}"


def test_playing_the_last_card_wins() -> None:
    records, probs = outcomes(small_position(Uno(2, "rlcard"), ["r5", "g2"], "r1"), "r5")
    assert [int(record.winner) for record in records] == [0] and probs == [1.0]


def test_questions_beside_the_turn_have_no_outcomes() -> None:
    state = Uno(2, "official").position(hands=["r5 r6", "g2 b3"], top="r4")
    state.apply_action(state.game.parse_action("r5"))
    assert state.legal_actions() == [state.game.parse_action(text) for text in ("uno", "quiet")]
    records = np.zeros(state.game.expectimax.max_outcomes, state.game.state_dtype)
    args = (np.int64(state.legal_actions()[0]), np.int64(PAPER), records, np.zeros(len(records)))
    assert ops.chance_outcomes(state.game.kernel_rules, state.record, *args) == -1


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 5, 10])
def test_outcomes_are_turns_of_the_player_or_finished_rounds(preset: str, players: int) -> None:
    game, chance = Uno(players, preset), random.Random(players)
    state = game.new_initial_state(seed=players)
    for _ in range(40):
        if state.is_terminal():
            break
        mover = state.current_player()
        for action in state.legal_actions() if state.record.phase in (PLAY, AFTER_DRAW) else ():
            for chain in OPPONENT_MODELS:
                records, probs = outcomes(state, game.action_to_string(action), chain)
                assert probs.sum() == pytest.approx(1) and (probs > 0).all()
                for record in records:
                    assert record.phase == OVER or (record.to_move == mover and record.phase in (PLAY, AFTER_DRAW))
                    assert 0 <= record.color < 4 and 0 <= record.top < 60
        state.apply_action(chance.choice(state.legal_actions()))


@pytest.mark.parametrize("rules", ["rlcard", "simplified"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_chain_is_close_to_simulated_rounds(rules: str, players: int) -> None:
    """The bound leaves room for the noise of 20,000 rounds, 0.02, and for the approximations of the chain."""
    game = Uno(players, rules)
    for observation, action in positions(game, 6, 0):
        truth = simulated(observation, action, 20_000, False, 1)
        for chain in OPPONENT_MODELS:
            assert distance(truth, chained(observation, action, chain)) < 0.12


def test_paper_model_treats_all_wilds_as_one_kind() -> None:
    """U = r1, g3 and two wilds (m = 4), n = 2 on r5: P_h is 7/16 of r1, 3/4 of the wilds together."""
    probabilities = reply_probabilities(Uno(2, "common", ["drawn-card=keep"]), PAPER, [1, 13, 18, 28], 2, 5)
    one, wilds = 7 / 16, 3 / 4
    assert probabilities["laid", 1] == pytest.approx(15 / 16 * one / (one + wilds))
    assert probabilities["laid", 13] == probabilities["laid", 28] == pytest.approx(15 / 16 * wilds / (one + wilds) / 2)


def test_draw_two_hits_the_next_player_in_the_direction_of_play() -> None:
    state = Uno(3, "rlcard").position(hands=["rd r5 r6", 3, 4], top="r4", direction=-1, seed=1)
    records, _ = outcomes(state, "rd")
    assert {tuple(record.counts[1:3].tolist()) for record in records if record.phase == PLAY} == {(3, 6)}


def test_draw_two_on_another_opponent_leaves_the_players_hand_unchanged() -> None:
    """The first opponent holds rd with probability 1/2; otherwise the second plays it, and the player draws."""
    state = small_position(Uno(3, "rlcard", ["drawn-card=keep"]), ["r5 r6 r7", "rd b1", "b2 b3"], "")
    records, probs = outcomes(state, "r5")
    spared = [prob for record, prob in zip(records, probs, strict=True) if record.top == 12 and record.counts[0] == 2]
    assert sum(spared) == pytest.approx(0.5, abs=0.001)


def test_wild_four_of_the_previous_player_adds_four_cards() -> None:
    """The opponent can play nothing else."""
    records, _ = outcomes(small_position(Uno(2, "rlcard", ["drawn-card=keep"]), ["r5 r6", "f g2"], ""), "r5")
    assert min(int(record.counts[0]) for record in records if record.phase == PLAY) == 1 + 4


def test_random_color_of_a_wild_may_be_the_color_in_force() -> None:
    """With probability 2/3 the wild is held and must change the color; otherwise it is drawn and gets a random color."""
    game = Uno(2, "rlcard", ["wild-color=must-change"])
    probabilities = top_probabilities(small_position(game, ["r5 r6", "g2 b3"], "w"), "r5")
    assert probabilities == pytest.approx({"w:r": 1 / 12} | {f"w:{color}": 2 / 9 + 1 / 12 for color in "gby"})


def test_own_drawn_wild_names_the_color_most_held_more_often_than_others() -> None:
    """The opponent, which has green or yellow cards, can mostly play nothing on it."""
    for rules, color in (("any", "r"), ("must-change", "b")):
        game = Uno(2, "common", [f"wild-color={rules}"])
        probabilities = top_probabilities(
            small_position(game, ["r5 r6 b1", "g2 g3"], "w y3 y4", top="r4"), "draw", "paper"
        )
        drawn = {name: chance for name, chance in probabilities.items() if name.startswith("w")}
        assert drawn.pop(f"w:{color}") > max(drawn.values()) + 0.05
