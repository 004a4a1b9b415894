"""The chance node of `expectimax`: one opponent's turn against enumeration, small chains by hand, whole ones simulated."""

import random
from typing import Any

import numpy as np
import pytest
from benchmarks.chain import chained, distance, positions, simulated

import cardgames
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


def chances(game: Uno, chain_id: int, unseen: list[int], size: int, top: int) -> dict[tuple[str, int], float]:
    """What the kernel says of one opponent's turn, as `reply` says it."""
    copies = np.bincount(unseen, minlength=NUM_CARD_IDS).astype(np.float64)
    weights, rates = np.zeros(NUM_CARD_IDS), np.zeros((NUM_CARD_IDS, 6))
    seat_rates(game.kernel_rules, chain_id, len(unseen), copies, size, weights, rates)
    rate = rates[top]
    found = {("kept", top): rate[TURN_PASSES], ("out", -1): rate[GOES_OUT]}
    for card in range(NUM_CARD_IDS):
        face, same = card % 15, card % 15 == top % 15 and (game.kernel_rules.match == SYMBOL or card % 15 < 10)
        if face == 14:
            chance = rate[ON_WILD_FOUR]
        elif face < 13 and card // 15 == top // 15:
            chance = rate[ON_COLOR]
        else:
            chance = rate[ON_FACE] if face == 13 or same else 0.0
        found["laid", card] = weights[card] * chance
        found["idle", card] = weights[card] * rate[NO_EFFECT] if face >= 13 else 0.0
    return found


def test_a_dealt_hand_is_exact() -> None:
    """Every rule about laying and drawing, few unseen cards, hands of every size."""
    chance = random.Random(3)
    for _ in range(120):
        game = choose_game(chance.choice)
        unseen = sorted(chance.sample(DECK.tolist(), chance.randint(1, 8)))
        top, size = chance.randrange(60), chance.randint(1, len(unseen))
        expected = reply(unseen, size, top, game.rules.to_dict())
        found = chances(game, DEALT_HANDS, unseen, size, top)
        assert sum(found.values()) == pytest.approx(1)
        for key, value in found.items():
            assert value == pytest.approx(float(expected.get(key, 0)), abs=1e-12), (key, game.rules, unseen, size, top)


def test_the_papers_hand_by_hand() -> None:
    """U = r1 twice, r2, g3 (m = 4), n = 2 on r5: P_h is 3/4, 7/16, 7/16; the hand is stuck with chance (1/4)^2."""
    game = Uno(2, "common", ["drawn-card=keep"])
    found = chances(game, PAPER, [1, 1, 2, 18], 2, 5)
    can_play, p1, p2 = 15 / 16, 3 / 4, 7 / 16
    assert found["laid", 1] == pytest.approx(can_play * p1 / (p1 + p2))
    assert found["laid", 2] == pytest.approx(can_play * p2 / (p1 + p2))
    assert found["laid", 18] == 0
    assert found["kept", 5] == pytest.approx(1 / 16)


def outcomes(state: cardgames.State, text: str, chain: str = "dealt") -> tuple[Any, Any]:
    """The outcomes of an action, and their probabilities."""
    game = state.game
    records, probs = np.zeros(game.expectimax.max_outcomes, game.state_dtype), np.zeros(game.expectimax.max_outcomes)
    action = np.int64(game.parse_action(text))
    record = state.observation().record
    n = ops.chance_outcomes(game.kernel_rules, record, action, np.int64(OPPONENT_MODELS[chain]), records, probs)
    return records[:n], probs[:n]


def tops(state: cardgames.State, text: str, chain: str = "dealt") -> dict[str, float]:
    """The previous card -> its probability; `over` for the end."""
    found: dict[str, float] = {}
    for record, prob in zip(*outcomes(state, text, chain), strict=True):
        name = action_text(15 * int(record.color) + int(record.top) % 15)
        if record.phase == OVER:
            name = "over"
        found[name] = found.get(name, 0.0) + float(prob)
    return found


def small(game: cardgames.Game, hands: list[str], draw: str, top: str = "r4") -> cardgames.State:
    """A position in which the cards of the other hands and of the pile are the only ones unseen."""
    return game.position(hands=hands, top=top, draw=draw, pile=len(draw.split()), seed=1)


def test_small_chains_by_hand() -> None:
    rlcard, kept = Uno(2, "rlcard"), Uno(2, "rlcard", ["drawn-card=keep"])
    # one card, of r1 and g2: it goes out with r1, else it draws r1 and lays it
    assert tops(small(rlcard, ["r5 r6", "g2"], "r1"), "r5") == pytest.approx({"over": 0.5, "r1": 0.5})
    # two of four cards: r1 is held (1/2), or drawn by a hand that is stuck (1/2 of 1/2)
    four = (["r5 r6", "g2 b3"], "r1 y4")
    assert tops(small(rlcard, *four), "r5") == pytest.approx({"r1": 0.75, "r5": 0.25})
    assert tops(small(kept, *four), "r5") == pytest.approx({"r1": 0.5, "r5": 0.5})
    # the paper's hand lacks r1 with chance (3/4)^2, and the card drawn is r1 with chance 1/4
    assert tops(small(rlcard, *four), "r5", "paper") == pytest.approx({"r1": 7 / 16 + 9 / 64, "r5": 27 / 64})


def test_who_keeps_the_turn_goes_out() -> None:
    """With nothing but skips among the unseen cards a player alone against one never comes to move again."""
    skips = small(Uno(2, "simplified"), ["r5 g4 b1", "rs rs"], "rd rd")
    assert tops(skips, "r5", "paper") == {"over": 1.0}
    four = small(Uno(2, "simplified"), ["r5 g4 b1", "rs rs gs bs"], "rd rd")
    assert tops(four, "r5") == {"over": 1.0}


def test_a_wild_takes_every_allowed_colour() -> None:
    every = {f"w:{color}": 0.25 for color in "rgby"}
    assert tops(small(Uno(2, "rlcard"), ["r5 r6", "w g2"], ""), "r5") == pytest.approx(every)
    changed = {f"w:{color}": 1 / 3 for color in "gby"}
    must = Uno(2, "rlcard", ["wild-color=must-change"])
    assert tops(small(must, ["r5 r6", "w g2"], ""), "r5") == pytest.approx(changed)
    assert tops(small(Uno(2, "rlcard-2022"), ["r5 r6", "w:b g2"], ""), "r5") == pytest.approx({"w:b": 1.0})


def test_ones_own_skip_reverse_and_draw_cards() -> None:
    two = small(Uno(2, "rlcard"), ["rs rd rv f r6 r7", "r1 r2"], "r3")
    assert tops(two, "rs") == {"rs": 1.0} and tops(two, "rd") == {"rd": 1.0}
    assert "rv" not in tops(two, "rv")
    again = small(Uno(2, "official"), ["rv r6 r7", "r1 r2"], "r3")
    assert tops(again, "rv") == {"rv": 1.0}
    three = small(Uno(3, "rlcard"), ["rd rv r6", "r1 r2", "g1 g2"], "g3")
    records, _ = outcomes(three, "rd")
    assert {int(record.counts[1]) for record in records} == {4}
    records, _ = outcomes(three, "rv")
    assert {int(record.direction) for record in records} == {-1}
    assert {int(record.direction) for record in outcomes(three, "r6")[0]} == {1}


def test_draw_cards_of_the_player_before_hit_and_skip_the_player() -> None:
    state = small(Uno(2, "rlcard"), ["r5 r6", "rd g2 b3"], "y1")
    before = state.observation().record
    records, probs = outcomes(state, "r5")
    # rd is held or drawn for sure; whoever laid it moves again, in the chain with the same unseen cards
    met = [record for record in records if record.phase == PLAY]
    assert {int(record.counts[0] - before.counts[0]) + 1 for record in met} == {2, 4, 6}
    for record in met:
        # the cards are unknown: the hand is what was left, its count what it must be
        assert record.once[0] == 1 << 6 and record.to_move == 0
    assert probs.sum() == pytest.approx(1)


def test_ones_own_draw() -> None:
    cards = (["r5 r6", "b2 b3"], "g1 r1")
    # of the four unseen cards g1 is laid if drawn, or laid by the opponent, who holds or draws it with 1/2 + 1/2 * 1/2
    found = tops(small(Uno(2, "common"), *cards, top="g4"), "draw")
    assert found["g4"] == pytest.approx(3 / 4 * 1 / 4)
    kept = tops(small(Uno(2, "common", ["drawn-card=keep"]), *cards, top="g4"), "draw")
    assert kept == pytest.approx({"g1": 0.5, "g4": 0.5})
    # before the one playable card of four come one and a half others: two
    until = Uno(2, "common", ["draw-how=until-playable"])
    assert {int(record.counts[0]) for record in outcomes(small(until, *cards, top="g4"), "draw")[0]} == {4}
    # a skip drawn is laid at once under RLCard's rules: the player moves again
    skip = small(Uno(2, "rlcard"), ["r5 r6", "b2 b3"], "gs", top="g4")
    assert tops(skip, "draw")["gs"] >= 1 / 3 - 1e-9
    nothing_left = small(Uno(2, "common"), ["r5 r6", "g1 g2 b3"], "", top="g4")
    nothing_left.record.n_discard = 1
    assert min(int(record.counts[0]) for record in outcomes(nothing_left, "draw")[0]) == 2


def test_a_drawn_wild_names_the_colour_most_held() -> None:
    for rules, color in (("any", "r"), ("must-change", "b")):
        game = Uno(2, "common", [f"wild-color={rules}"])
        state = small(game, ["r5 r6 b1", "g2 g3"], "w", top="r4")
        found = tops(state, "draw", "paper")
        drawn = {name: chance for name, chance in found.items() if name.startswith("w")}
        assert max(drawn, key=lambda name: drawn[name]) == f"w:{color}"


def test_the_last_card_wins() -> None:
    records, probs = outcomes(small(Uno(2, "rlcard"), ["r5", "g2"], "r1"), "r5")
    assert [int(record.winner) for record in records] == [0] and probs == [1.0]


def test_questions_beside_the_turn_have_no_answer() -> None:
    state = Uno(2, "official").position(hands=["r5 r6", "g2 b3"], top="r4")
    state.apply_action(state.game.parse_action("r5"))
    assert state.legal_actions() == [state.game.parse_action(text) for text in ("uno", "quiet")]
    records = np.zeros(state.game.expectimax.max_outcomes, state.game.state_dtype)
    args = (np.int64(state.legal_actions()[0]), np.int64(PAPER), records, np.zeros(len(records)))
    assert ops.chance_outcomes(state.game.kernel_rules, state.record, *args) == -1


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 5, 10])
def test_outcomes_are_positions_of_the_player(preset: str, players: int) -> None:
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
def test_the_chain_is_near_simulated_rounds(rules: str, players: int) -> None:
    """The bound leaves room for the noise of 20,000 rounds, 0.02, and for what the chain neglects."""
    game = Uno(players, rules)
    for observation, action in positions(game, 6, 0):
        truth = simulated(observation, action, 20_000, False, 1)
        for chain in OPPONENT_MODELS:
            assert distance(truth, chained(observation, action, chain)) < 0.12


def test_in_the_papers_hand_all_wilds_are_one_kind() -> None:
    """U = r1, g3 and two wilds (m = 4), n = 2 on r5: P_h is 7/16 of r1, 3/4 of the wilds together."""
    found = chances(Uno(2, "common", ["drawn-card=keep"]), PAPER, [1, 13, 18, 28], 2, 5)
    one, wilds = 7 / 16, 3 / 4
    assert found["laid", 1] == pytest.approx(15 / 16 * one / (one + wilds))
    assert found["laid", 13] == found["laid", 28] == pytest.approx(15 / 16 * wilds / (one + wilds) / 2)


def test_a_draw_two_hits_whoever_is_next_in_the_direction_of_play() -> None:
    state = Uno(3, "rlcard").position(hands=["rd r5 r6", 3, 4], top="r4", direction=-1, seed=1)
    records, _ = outcomes(state, "rd")
    assert {tuple(record.counts[1:3].tolist()) for record in records if record.phase == PLAY} == {(3, 6)}


def test_a_draw_two_for_the_other_opponent_leaves_ones_own_hand_alone() -> None:
    """The first opponent holds rd with chance 1/2; should he not, the second lays it on the player."""
    state = small(Uno(3, "rlcard", ["drawn-card=keep"]), ["r5 r6 r7", "rd b1", "b2 b3"], "")
    records, probs = outcomes(state, "r5")
    spared = [prob for record, prob in zip(records, probs, strict=True) if record.top == 12 and record.counts[0] == 2]
    assert sum(spared) == pytest.approx(0.5, abs=0.001)


def test_a_wild_draw_four_of_the_player_before_counts_four_cards() -> None:
    """It is all he can lay."""
    records, _ = outcomes(small(Uno(2, "rlcard", ["drawn-card=keep"]), ["r5 r6", "f g2"], ""), "r5")
    assert min(int(record.counts[0]) for record in records if record.phase == PLAY) == 1 + 4


def test_where_chance_names_a_colour_it_may_be_the_one_in_force() -> None:
    """The wild is held with chance 2/3 and must change the colour, else it is drawn and laid with a random one."""
    game = Uno(2, "rlcard", ["wild-color=must-change"])
    found = tops(small(game, ["r5 r6", "g2 b3"], "w"), "r5")
    assert found == pytest.approx({"w:r": 1 / 12} | {f"w:{color}": 2 / 9 + 1 / 12 for color in "gby"})


def test_a_drawn_wild_lies_in_the_colour_most_held_more_often_than_in_any_other() -> None:
    """The opponent, who has greens or yellows, can mostly lay nothing on it."""
    for rules, color in (("any", "r"), ("must-change", "b")):
        game = Uno(2, "common", [f"wild-color={rules}"])
        found = tops(small(game, ["r5 r6 b1", "g2 g3"], "w y3 y4", top="r4"), "draw", "paper")
        drawn = {name: chance for name, chance in found.items() if name.startswith("w")}
        assert drawn.pop(f"w:{color}") > max(drawn.values()) + 0.05
