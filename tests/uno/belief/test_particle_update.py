"""What the particle filter reads from the history: never against the truth, and all that the rules tell."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardgames
from cardgames.core import events, ops
from cardgames.core.policy import NO_WEIGHTS
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.particle_filter import ParticleFilter, Particles, run_particle_filter
from cardgames.uno.belief.particle_repair import swap_wilds
from cardgames.uno.cards import CHALLENGE, DECK, KIND_OF_CARD
from cardgames.uno.events import DREW, LAID, REFILLED, cards_in_hand
from cardgames.uno.game import Uno
from cardgames.uno.state import AFTER_DRAW, STATE, WAIT
from tests.uno.tables import PRESETS, choose_game, play


def card_kinds(cards: list[int]) -> list[int]:
    """Cards by their look: the printed colours of wilds, which players do not choose by, are left out."""
    return sorted(int(KIND_OF_CARD[card]) for card in cards)


def hands_of(record: Any) -> list[list[int]]:
    """Every hand, by the look of its cards."""
    return [card_kinds(cards_in_hand(record, seat)) for seat in range(record.players)]


class Truth:
    """A particle that is given the true card whenever one is drawn; all the history must explain it."""

    def __init__(self, game: Uno, origin: Any, seen: Any):
        self.game, self.seen, self.particle = game, seen, origin.copy()

    def follow(self, row: int, viewer: int) -> float:
        """Take in a row as the filter does and return its weight."""
        nobody, by = np.int64(-1), rng.stream(row)
        return ops.advance_particle(
            self.game.kernel_rules, self.particle, self.seen, row, viewer, 0.5, nobody, NO_WEIGHTS, by
        )

    def draw(self, row: int, viewer: int, card: int) -> float:
        """Take in a card drawn, this one: nothing else is hidden meanwhile, but for its like if the pile has two."""
        particle = self.particle
        pile = particle.pile[: particle.n_pile].tolist()
        alike = [own for own in pile if KIND_OF_CARD[own] == KIND_OF_CARD[card]]
        if card not in alike:  # a wild, which only now is known by its id
            swap_wilds(particle, np.int64(alike[0]), np.int64(card))
            pile = particle.pile[: particle.n_pile].tolist()
        others = np.arange(len(particle.once)) != viewer
        once, twice = particle.once[others], particle.twice[others]
        particle.once[others], particle.twice[others] = 0, 0
        particle.pile[:2], particle.n_pile = card, min(2, len(pile))
        weight = self.follow(row, viewer)
        cards_in_hand = particle.once[others]  # by whoever drew it, if not the viewer
        particle.once[others], particle.twice[others] = once | cards_in_hand, twice | (once & cards_in_hand)
        pile.remove(card)
        particle.pile[: len(pile)], particle.n_pile = pile, len(pile)
        return weight


def check_round(game: Uno, seed: int) -> None:
    """Follow a random round with the truth as one of the seats sees it."""
    viewer, state = seed % game.num_players, game.new_initial_state(seed=seed)
    origin, rows, hands, sights = state.record.copy(), [], {}, {}
    for _ in play(state, random.Random(seed)):
        if state.record.void or state.record.phase == AFTER_DRAW:
            continue  # in the middle of a turn: what has to be laid need not have been
        rows = [row for row in state.history() if row[3] < 100 or row[3] == 100 + viewer]
        hands[len(rows)] = hands_of(state.record)
        sights[len(rows)] = state.observation(viewer).record
    dealt = next((at for at, row in enumerate(rows) if row[0] == events.ACTION), len(rows))
    truth, aligned = Truth(game, origin, events.view(rows, viewer)), np.zeros(1, STATE)[0]
    for row in range(dealt, len(rows)):
        kind, _, card, _ = rows[row]
        if kind == DREW:
            weight = truth.draw(row, viewer, card)
        else:
            weight = truth.follow(row, viewer)
        assert weight == 1.0, (game.rules, seed, rows[: row + 2])
        if row + 1 in hands:
            assert hands_of(truth.particle) == hands[row + 1]
            assert truth.particle.void_counts.tolist() == sights[row + 1].void_counts.tolist()
            ops.project_particle(game.kernel_rules, sights[row + 1], truth.particle, rng.stream(row), aligned)
            # where others decide in private that is decided too
            assert sights[row + 1].phase == WAIT or hands_of(aligned) == hands[row + 1]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_truth_explains_every_event(preset: str, players: int) -> None:
    for seed in range(6):
        check_round(Uno(players, preset, ["turn-limit=300"]), seed)


def test_the_truth_explains_every_event_under_random_rules() -> None:
    for seed in range(150):
        check_round(choose_game(random.Random(seed).choice), seed)


def check_particles(game: Uno, policy: str, seeds: range) -> None:
    """Follow rounds of a policy as seat 0 sees them; every particle's hands are as large as those at the table."""
    which, stream = find_policy(game, policy), rng.stream(1)
    for seed in seeds:
        state, following = game.new_initial_state(seed=seed), ParticleFilter(game, 10, 0.9, game.policy("reflex"))
        row, cloud = 0, None
        while not state.is_terminal():
            seen = state.observation(0)
            cloud, row = following._draw_particles(seen) if cloud is None else cloud, row or seen.first
            cloud, row = following._filter_events(cloud, seen, row, len(seen.events)), len(seen.events)
            assert (cloud.states["counts"][:, : game.num_players] == state.record.counts[: game.num_players]).all()
            assert cloud.weights.sum() == pytest.approx(1)
            legal = state.legal_actions()
            choice = (
                CHALLENGE if CHALLENGE in legal else int(ops.policy(game.kernel_rules, state.record, *which, stream))
            )
            state.apply_action(choice)


def test_a_hand_that_is_shown_takes_no_card_from_a_particle() -> None:
    """One of a shown hand's wilds may seem to have been laid: of a wild laid the history tells the face alone."""
    check_particles(Uno(3, "official", ["turn-limit=60"]), "random", range(20))
    check_particles(Uno(4, "common", ["seven-zero=both", "turn-limit=60"]), "random", range(20))


def test_particles_keep_their_cards_when_the_pile_is_empty() -> None:
    check_particles(Uno(10, "common", ["hand-size=10", "turn-limit=100"]), "linear", range(10))
    check_particles(Uno(4, "official", ["turn-limit=300"]), "human-rule", range(10))


@pytest.mark.parametrize("refill", ["with-top", "all-but-top"])
@pytest.mark.parametrize("drawn", ["rlcard", "auto-play", "must-play"])
def test_the_truth_explains_every_event_when_cards_run_out(refill: str, drawn: str) -> None:
    how = "one" if drawn == "rlcard" else "until-playable"
    for seed in range(60):
        players = 5 + seed % 6
        rules = [f"refill={refill}", f"draw-how={how}", f"drawn-card={drawn}", "stacking=none", "turn-limit=200"]
        check_round(Uno(players, "rlcard", [*rules, f"hand-size={104 // players}"]), seed)


def test_a_refill_before_a_penalty_is_told_before_it() -> None:
    """Under `with-top` both cards come from the mixed pile if it could not serve them both."""
    game = cardgames.make("uno", 3, "rlcard", ["draw-how=until-playable", "drawn-card=auto-play"])
    table = "y1 y1 y2 y2 y3 y3 y4 y4 y5 y5"
    hands = ["b1 b2", "g1 g2"]
    hands.append(" ".join(others(*hands, table, "rd g9 r8")))
    state = game.position(hands=hands, top="r8", discard=table, draw="rd g9")
    state.apply_action(game.parse_action("draw"))
    rows = [row[:3] for row in state.history() if row[0] != 1][-6:]
    assert [kind for kind, *_ in rows] == [events.ACTION, DREW, LAID, REFILLED, DREW, DREW]


@pytest.mark.parametrize("drawn", ["rlcard", "auto-play"])
def test_the_like_of_a_card_laid_unasked_comes_from_the_discards(drawn: str) -> None:
    """The pile held the one red draw two that was laid, and a card that its victim draws before the discards are mixed."""
    changes = ["challenge=off", "uno-call=off", f"drawn-card={drawn}"]
    game = cardgames.make("uno", 3, "official", changes)
    hands = ["g1 g2", "b1 b2"]
    hands.append(" ".join(others(*hands, "r5", "rd rd", "b6")))
    state = game.position(hands=hands, top="r5", discard="rd", draw="rd b6", pile=2, seed=0)
    seen = len(state.history())
    state.apply_action(game.parse_action("draw"))
    assert [game.event_to_string(row) for row in state.history(seen)[1:]] == [
        "seat 0 draws rd",
        "seat 0 lays rd",
        "seat 1 draws b6",
        "2 discards are shuffled into the pile",
        "seat 1 draws rd",
    ]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_the_truth_explains_every_event_under_any_rules(data: st.DataObject, seed: int) -> None:
    check_round(choose_game(lambda values: data.draw(st.sampled_from(values))), seed)


class Seen:
    """What a seat expects others to hold, by the rules' evidence alone."""

    def __init__(
        self,
        rules: str,
        changes: list[str],
        hands: list[str],
        actions: str,
        viewer: int = 0,
        number: int = 4000,
        **parts: Any,
    ):
        game = cardgames.make("uno", players=len(hands), rules=rules, overrides=changes)
        self.state = game.position(hands=hands, **parts)
        for text in actions.split(", "):
            self.state.apply_action(game.parse_action(text))
        self.card_kinds = list(game.belief.card_kinds)
        particles = run_particle_filter(self.state.observation(viewer), number, 0.9, rng.stream(5))
        self.belief, self.states, self.weights = particles.belief, particles.states, particles.weights

    def expected(self, seat: int, cards: str) -> float:
        """How many of the cards named (`r5 w`, or `r` for all reds) the seat is expected to hold."""
        named = cards.split()
        return float(
            sum(self.belief[seat][i] for i, kind in enumerate(self.card_kinds) if {kind, kind[0]} & set(named))
        )


def test_cards_known_are_counted_once() -> None:
    """A second copy of a card one was shown is no likelier than of any other."""
    hands = ["f r9 r8 b1 b2 b3 y1 y2", "g1 y5 y6 y3 y4 b5 b6"]
    seen = Seen("official", [], hands, "f:g, challenge", viewer=1, top="r7", draw="g9 g8 b9 b8")
    known = "r9 r8 b1 b2 b3 y1 y2"
    assert seen.expected(0, known) - len(known.split()) == pytest.approx(0.31, abs=0.03)


@pytest.mark.parametrize("wilds", ["w:y w:r", "w:r w:y"])
def test_of_two_wilds_that_were_shown_one_is_left(wilds: str) -> None:
    """Besides, the four cards drawn may hold one."""
    hands = [f"f r9 {wilds} b1", "y1 y2 g3", "g1 g2"]
    seen = Seen(
        "official", ["uno-call=off"], hands, "f:g, challenge, g3, g1, w:y", viewer=1, top="r5", draw="b6 b7 b8 b9"
    )
    assert seen.expected(0, "w") == pytest.approx(1.07, abs=0.04)


def test_a_penalty_card_is_not_the_card_laid_next() -> None:
    hands = ["y1 y2 y3 y4 y6", "r7 rs r5"]
    actions = "r7, rs, quiet, catch 0, r5"
    seen = Seen("official", ["seven-zero=seven"], hands, actions, viewer=1, to_move=1, top="r8", draw="g9 b8 b9 g8")
    assert seen.expected(0, "r5") < 0.1


def test_a_wild_four_laid_on_a_penalty_says_nothing_of_playable_cards() -> None:
    hands = ["rd y1 y2 y3", "f r1 r2 r3 r5 b1", "g1 g2 g3 g4"]
    seen = Seen("rlcard", ["stacking=up"], hands, "rd, f:g", top="r8")
    assert seen.expected(1, "r") == pytest.approx(seen.expected(1, "g"), abs=0.15)
    assert seen.expected(1, "rd gd bd yd") == 0


def test_a_card_that_had_to_be_laid_and_was_not_is_not_of_its_kind() -> None:
    changes = ["wild-four=no-color", "challenge=off", "drawn-card=must-play", "uno-call=off"]
    hands = ["y1 y2 y3 r4", "b7 r5 b6"]
    seen = Seen("common", changes, hands, "draw", number=60_000, to_move=1, top="r8", draw="f f f f")
    assert seen.expected(1, "g8 b8 y8") < 0.7 * seen.expected(1, "g9 b9 y9")
    # which may be kept while he holds a red card: of the 70 cards that do not fit, or may be kept, four are
    assert seen.expected(1, "f") - seen.expected(1, "w") == pytest.approx(4 / 70, abs=0.02)


def test_of_the_cards_a_draw_may_have_been_each_is_as_likely() -> None:
    """There is one green zero among twice as many of any other green card; no red card lies before it in a pile."""
    seen = Seen("rlcard", [], ["y1 y2 y3 r4", "b7 b5"], "draw", to_move=1, top="r8", draw="g1")
    assert seen.expected(1, "g0") == pytest.approx(seen.expected(1, "g5") / 2, abs=0.02)


def test_the_card_that_ended_drawing_until_one_fits_does_fit() -> None:
    """Nothing fitted before, nor did the cards drawn before it."""
    changes = ["draw-how=until-playable", "drawn-card=keep"]
    seen = Seen("rlcard", changes, ["y1 y2 y3 r4", "b7 b5"], "draw", to_move=1, top="r8", draw="g1 b2 r9")
    assert seen.expected(1, "r w f g8 b8 y8") == pytest.approx(1)


@pytest.mark.parametrize("pile", [{}, {"pile": 0}])
def test_a_refill_hides_no_evidence(pile: dict[str, int]) -> None:
    """Under `rlcard` a card of the colour is laid at once, so the one kept is none, wherever it came from."""
    for seed in range(20):
        seen = Seen("rlcard", [], ["y1 y2 y3 r4", "b7 b5"], "draw", to_move=1, top="r8", seed=seed, **pile)
        if seen.state.record.counts[1] == 3:
            assert seen.expected(1, "r w f") == 0
            return
    raise AssertionError("every card drawn was laid")


def test_a_second_draw_after_a_drawn_skip_is_evidence_again() -> None:
    seen = Seen("rlcard", [], ["y1 y2 y3 r4", "b7 b5 b6 b9"], "draw, draw", to_move=1, top="r8", seed=3, draw="rs g1")
    assert seen.expected(1, "gs bs ys") < 0.1  # the card kept alone may be one


def test_a_refill_in_the_middle_of_a_draw_mixes_in_no_earlier() -> None:
    """Of four cards drawn from a pile of two, two come from the discards."""
    hands = ["f r9 g7 b1", "g1 y5 y6", "y1 y2 y3"]
    table = "r1 r1 r2 r2 r3 r3 r4 r4 r5 r5".split()
    left = others(*hands, *table, "r8")
    hands[2] += " " + " ".join(left[:-2])
    changes = ["challenge=off", "uno-call=off", "wild-four=any-time"]
    parts = {"top": "r8", "discard": " ".join(table), "draw": " ".join(left[-2:])}
    seen = Seen("common", changes, hands, "f:g", **parts)
    assert seen.expected(1, "r1 r2 r3 r4 r5 r8") == pytest.approx(2, abs=0.1)


def others(*named: str) -> list[str]:
    """The cards that are not among those named."""
    left = all_cards()
    for card in " ".join(named).split():
        left.remove(card)
    return left


def small(rules: str, hands: list[str], top: str, draw: str, actions: str, mover: int) -> Seen:
    """What the first seat expects where no cards are hidden but hands and this draw pile; all others lie on the table."""
    table, pile = " ".join(others(*hands, top, draw)), len(draw.split())
    return Seen(rules, [], hands, actions, top=top, draw=draw, pile=pile, discard=table, to_move=mover)


@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_a_card_drawn_leaves_its_like_wherever_it_may_be(rules: str) -> None:
    """It is one of the five cards left, of which the opponent holds two."""
    seen = small(rules, ["g1", "b9 y1"], "r5", "b9 y2 y3 y4", "draw", 0)
    assert seen.expected(1, "b9") == pytest.approx(2 / 5, abs=0.03)


def test_a_card_laid_leaves_its_like_wherever_it_may_be() -> None:
    """Of the 91 ways in which two of 14 cards may lie 36 give one or both to the first opponent, who has three; in 3 of
    these he has both, in 9 the other opponent has one.
    """
    seen = small("rlcard", ["g1", "b9 y1 y5", "y6 y7 y8"], "b1", "b9 y2 y3 y4 g2 g3 g4 g6", "b9", 1)
    assert seen.expected(1, "b9") == pytest.approx(3 / 36, abs=0.02)
    assert seen.expected(2, "b9") == pytest.approx(9 / 36, abs=0.03)


def test_a_guilty_hand_holds_as_many_of_the_colour_as_one_does_that_has_any() -> None:
    """Three of sixteen cards, four of them blue, then four of the others: 2.09; and three of what is left: 0.64."""
    draw = "b2 b3 b4 r2 y2 y4 g1 g2 g3 g4"
    seen = small("official", ["g9", "b1 r1 y1 f", "r3 r4 y3"], "b9", draw, "f:g, challenge", 1)
    assert seen.expected(1, "b") == pytest.approx(2.09, abs=0.06)
    assert seen.expected(2, "b") == pytest.approx(0.64, abs=0.06)


def test_draws_on_two_colours_are_both_remembered() -> None:
    """Four of his cards are of six that are neither; the last he drew is of the seven left that are not red, five blue."""
    hands, draw = ["w g9 r9", "g1 g2 y1"], "y2 b1 g3 y3 b2 b3 b4 b6 r1 r2 r3 r4 r6"
    seen = small("rlcard", hands, "b0", draw, "draw, w:r, draw", 1)
    assert seen.expected(1, "r") == 0
    assert seen.expected(1, "b") == pytest.approx(5 / 7, abs=0.03)
    assert max(sum(30 <= card < 43 for card in cards_in_hand(particle, 1)) for particle in seen.states) == 1


def test_what_one_hand_lacks_lies_in_the_others_too() -> None:
    """Five of ten cards that he has not are blue, and three of the ten are in the second hand."""
    seen = small("rlcard", ["g1", "r1 r2 r3", "b1 y1 y2"], "b5", "r4 b2 b3 b4 b6 r6 y3 y4", "draw", 1)
    assert seen.expected(1, "b") == 0
    assert seen.expected(2, "b") == pytest.approx(1.5, abs=0.06)


def test_who_had_to_draw_is_given_no_wild() -> None:
    """Two seats draw for want of any, one after the other; what the second gives up for it is not for the first."""
    hands, draw = ["g1", "r1 r2 r3", "y1 y2 y3"], "r4 y4 w w w b1 b2 b3 b4 b6"
    seen = small("rlcard", hands, "b5", draw, "draw, draw", 1)
    assert seen.expected(1, "w b") == seen.expected(2, "w b") == 0


def test_a_card_is_not_drawn_from_the_hand_of_whoever_draws() -> None:
    """There are but two cards in the pile, and mostly they do not fit."""
    seen = small("rlcard", ["g1", "r1 r2 r3", "b1 b2 b3 b4 w y1 y2"], "b5", "r4 b6", "draw", 1)
    assert seen.expected(1, "w b") == 0


def test_a_wild_not_yet_seen_is_as_likely_of_every_printed_colour() -> None:
    """Under `rlcard-2022` a wild that is laid shows its printed colour; his other one is one of three."""
    hands, draw = ["g1", "w w"], "w w"
    table = " ".join(others(*hands, "r5", draw))
    game = cardgames.make("uno", players=2, rules="rlcard-2022")
    state = game.position(hands=hands, top="r5", draw=draw, pile=2, discard=table, to_move=1)
    state.apply_action(next(action for action in state.legal_actions() if action % 15 == 13))
    states = run_particle_filter(state.observation(0), 4000, 0.9, rng.stream(5)).states
    left = set(range(13, 60, 15)) - {int(state.record.top)}
    assert [np.mean([wild in cards_in_hand(one, 1) for one in states]) for wild in left] == pytest.approx(
        [1 / 3] * 3, abs=0.03
    )


def all_cards() -> list[str]:
    """The texts of all cards."""
    game = cardgames.make("uno", players=2)
    return [str(game.belief.card_kinds[KIND_OF_CARD[card]]) for card in DECK]


def test_who_lays_a_wild_four_had_no_other_choice() -> None:
    """Under `no-color` none of the colour in force, under `rlcard` none at all. A few particles are renewed."""
    hands, parts = ["y1 y2 y3", "f b7 b5 g6"], {"to_move": 1, "top": "r8"}
    seen = Seen("common", ["wild-four=no-color", "challenge=off", "uno-call=off"], hands, "f:g", **parts)
    assert seen.expected(1, "r") < 0.1 < seen.expected(1, "g8 b8 y8")
    assert Seen("rlcard", [], hands, "f:g", **parts).expected(1, "r w g8 b8 y8") < 0.1


def test_a_penalty_that_was_taken_is_answered_by_nothing_more() -> None:
    """The second seat took the two cards; the third lays its wild draw four in a turn of its own."""
    hands = ["rd y1 y2 y3", "g1 g2 g3", "f b1 b2 b3 b5"]
    seen = Seen("rlcard", ["stacking=same"], hands, "rd, f:g", top="r8", draw="g4 g6")
    assert seen.expected(2, "r w gd bd yd") == 0


def test_who_was_challenged_and_innocent_holds_none_of_the_colour() -> None:
    hands = ["y1 y2 y3", "f b7 b5 g6", "g1 g2 g3"]
    seen = Seen("official", ["uno-call=off"], hands, "f:g, challenge", to_move=1, top="r8")
    assert seen.state.record.counts[:3].tolist() == [3, 3, 9]
    assert seen.expected(1, "r") == 0


def test_a_hand_that_gives_up_a_card_drawn_elsewhere_gets_none_that_it_lacks() -> None:
    """The opponent drew for want of blue and kept what he drew; the red six that then comes up was not his."""
    seen = small("rlcard", ["g1", "r1 r2 r3"], "b5", "r4 r6 b2 b3 b4 b6 y3 y4", "draw, draw", 1)
    assert seen.expected(1, "b") == 0


def weighed(hands: list[str], changes: list[str], actions: str, mismatch_weight: float, **parts: Any) -> Particles:
    """What seat 0 makes of it where the others' choices are thought to be those of `reflex`."""
    game = cardgames.make("uno", players=len(hands), rules="common", overrides=["uno-call=off", *changes])
    state = game.position(hands=hands, **parts)
    for text in actions.split(", "):
        state.apply_action(game.parse_action(text))
    return run_particle_filter(state.observation(0), 300, mismatch_weight, rng.stream(5), game.policy("reflex"))


def test_what_answers_a_penalty_is_no_choice() -> None:
    hands = ["rd y1 y2 y3", "bd r1 r2 g1 g2 b9"]
    assert weighed(hands, ["stacking=same"], "rd, bd", 1.0, top="r5").effective_sample_size == 300


def test_what_is_done_with_the_card_just_drawn_is_no_choice() -> None:
    hands, parts = ["y1 y2 y3 y4", "g1 g2 b3 b4"], {"to_move": 1, "top": "r5", "draw": "w"}
    assert weighed(hands, ["draw-when=stuck"], "draw, w:g", 1.0, **parts).effective_sample_size == 300


def test_a_hand_mended_for_a_choice_is_mistrusted() -> None:
    """Of his two cards b9 alone can be laid."""
    hands, draw = ["g1", "b9 y1"], "y2 y3 y4"
    parts = {"top": "b6", "draw": draw, "pile": 3, "to_move": 1, "discard": " ".join(others(*hands, "b6", draw))}
    weights = weighed(hands, ["draw-when=stuck"], "b9", 0.5, **parts).weights
    assert sorted({round(float(weight / weights.max()), 6) for weight in weights}) == [0.5, 1.0]


def test_a_wild_four_drawn_and_laid_by_rlcard_is_no_penalty_to_answer() -> None:
    """The next lays its own in a turn of its own: it held no card of the colour that chance gave the first."""
    hands = ["y1 y2 y3", "b1 b2 b3 b4", "f g5 g6 g7 g9"]
    seen = Seen("rlcard", ["stacking=same"], hands, "draw, f:g", to_move=1, top="r8", draw="f", seed=4)
    assert seen.state.record.counts[:3].tolist() == [7, 4, 4]
    assert seen.expected(2, "rgby"[seen.state.record.prior_color]) < 0.1
