"""Particle updates of Uno: the true hidden cards explain every event, and expected hands follow the rules' evidence."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardgames
from cardgames.core import events, ops
from cardgames.core.kernel_policy import NO_WEIGHTS
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
    """Return the sorted kinds of cards; they leave out the printed colors of wilds, which no player chooses by."""
    return sorted(int(KIND_OF_CARD[card]) for card in cards)


def hands_of(record: Any) -> list[list[int]]:
    """Return every hand as kinds of cards."""
    return [card_kinds(cards_in_hand(record, seat)) for seat in range(record.players)]


class TrueParticle:
    """Particle that gets the true card whenever one is drawn, so that the whole history must explain it."""

    def __init__(self, game: Uno, origin: Any, seen: Any):
        self.game, self.seen, self.particle = game, seen, origin.copy()

    def follow(self, row: int, viewer: int) -> float:
        """Apply a row as the particle filter does and return its weight."""
        no_policy, stream = np.int64(-1), rng.stream(row)
        return ops.advance_particle(
            self.game.kernel_rules, self.particle, self.seen, row, viewer, 0.5, no_policy, NO_WEIGHTS, stream
        )

    def draw(self, row: int, viewer: int, card: int) -> float:
        """Apply a draw of this card and return the weight.

        Nothing else is hidden meanwhile, except an equal card if the pile has two.
        """
        particle = self.particle
        pile = particle.pile[: particle.n_pile].tolist()
        alike = [own for own in pile if KIND_OF_CARD[own] == KIND_OF_CARD[card]]
        if card not in alike:  # a wild, whose id is known only now
            swap_wilds(particle, np.int64(alike[0]), np.int64(card))
            pile = particle.pile[: particle.n_pile].tolist()
        hidden_seats = np.arange(len(particle.once)) != viewer
        once, twice = particle.once[hidden_seats], particle.twice[hidden_seats]
        particle.once[hidden_seats], particle.twice[hidden_seats] = 0, 0
        particle.pile[:2], particle.n_pile = card, min(2, len(pile))
        weight = self.follow(row, viewer)
        cards_in_hand = particle.once[hidden_seats]  # the drawn card, unless the viewer drew it
        particle.once[hidden_seats], particle.twice[hidden_seats] = (
            once | cards_in_hand,
            twice | (once & cards_in_hand),
        )
        pile.remove(card)
        particle.pile[: len(pile)], particle.n_pile = pile, len(pile)
        return weight


def check_round(game: Uno, seed: int) -> None:
    """Follow a random round with the true particle, as one of the seats sees it."""
    viewer, state = seed % game.num_players, game.new_initial_state(seed=seed)
    origin, rows, hands_by_row, observations = state.record.copy(), [], {}, {}
    for _ in play(state, random.Random(seed)):
        if state.record.void or state.record.phase == AFTER_DRAW:
            continue  # in the middle of a turn, a card that must be played may not have been played yet
        rows = [row for row in state.history() if row[3] < 100 or row[3] == 100 + viewer]
        hands_by_row[len(rows)] = hands_of(state.record)
        observations[len(rows)] = state.observation(viewer).record
    first_action = next((index for index, row in enumerate(rows) if row[0] == events.ACTION), len(rows))
    true_particle, projected = TrueParticle(game, origin, events.view(rows, viewer)), np.zeros(1, STATE)[0]
    for row in range(first_action, len(rows)):
        kind, _, card, _ = rows[row]
        if kind == DREW:
            weight = true_particle.draw(row, viewer, card)
        else:
            weight = true_particle.follow(row, viewer)
        assert weight == 1.0, (game.rules, seed, rows[: row + 2])
        if row + 1 in hands_by_row:
            assert hands_of(true_particle.particle) == hands_by_row[row + 1]
            assert true_particle.particle.cards_since_draw.tolist() == observations[row + 1].cards_since_draw.tolist()
            ops.project_particle(
                game.kernel_rules, observations[row + 1], true_particle.particle, rng.stream(row), projected
            )
            # where others decide in private, the projection samples that decision
            assert observations[row + 1].phase == WAIT or hands_of(projected) == hands_by_row[row + 1]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3])
def test_true_particle_explains_every_event_under_presets(preset: str, players: int) -> None:
    for seed in range(6):
        check_round(Uno(players, preset, ["turn-limit=300"]), seed)


def test_true_particle_explains_every_event_under_random_rules() -> None:
    for seed in range(150):
        check_round(choose_game(random.Random(seed).choice), seed)


def check_particles(game: Uno, policy: str, seeds: range) -> None:
    """Follow rounds of a policy as seat 0 sees them; every particle's hands have the true sizes."""
    policy_and_weights, stream = find_policy(game, policy), rng.stream(1)
    for seed in seeds:
        state, particle_filter = game.new_initial_state(seed=seed), ParticleFilter(game, 10, 0.9, game.policy("reflex"))
        row, particles = 0, None
        while not state.is_terminal():
            observation = state.observation(0)
            particles, row = (
                particle_filter._draw_particles(observation) if particles is None else particles,
                row or observation.first,
            )
            particles, row = (
                particle_filter._filter_events(particles, observation, row, len(observation.events)),
                len(observation.events),
            )
            assert (particles.states["counts"][:, : game.num_players] == state.record.counts[: game.num_players]).all()
            assert particles.weights.sum() == pytest.approx(1)
            legal = state.legal_actions()
            action = (
                CHALLENGE
                if CHALLENGE in legal
                else int(ops.policy(game.kernel_rules, state.record, *policy_and_weights, stream))
            )
            state.apply_action(action)


def test_shown_hand_keeps_hand_sizes_of_particles() -> None:
    """A particle may have played one of a shown hand's wilds, since the history names only the face of a played wild."""
    check_particles(Uno(3, "official", ["turn-limit=60"]), "random", range(20))
    check_particles(Uno(4, "common", ["seven-zero=both", "turn-limit=60"]), "random", range(20))


def test_particles_keep_hand_sizes_when_the_pile_is_empty() -> None:
    check_particles(Uno(10, "common", ["hand-size=10", "turn-limit=100"]), "linear", range(10))
    check_particles(Uno(4, "official", ["turn-limit=300"]), "human-rule", range(10))


@pytest.mark.parametrize("refill", ["with-top", "all-but-top"])
@pytest.mark.parametrize("drawn", ["rlcard", "auto-play", "must-play"])
def test_true_particle_explains_every_event_when_cards_run_out(refill: str, drawn: str) -> None:
    how = "one" if drawn == "rlcard" else "until-playable"
    for seed in range(60):
        players = 5 + seed % 6
        rules = [f"refill={refill}", f"draw-how={how}", f"drawn-card={drawn}", "stacking=none", "turn-limit=200"]
        check_round(Uno(players, "rlcard", [*rules, f"hand-size={104 // players}"]), seed)


def test_refill_row_precedes_the_penalty_it_is_for() -> None:
    """Under `with-top`, both penalty cards come from the mixed pile if the old one could not supply both."""
    game = cardgames.make("uno", 3, "rlcard", ["draw-how=until-playable", "drawn-card=auto-play"])
    table = "y1 y1 y2 y2 y3 y3 y4 y4 y5 y5"
    hands = ["b1 b2", "g1 g2"]
    hands.append(" ".join(all_cards_except(*hands, table, "rd g9 r8")))
    state = game.position(hands=hands, top="r8", discard=table, draw="rd g9")
    state.apply_action(game.parse_action("draw"))
    rows = [row[:3] for row in state.history() if row[0] != 1][-6:]
    assert [kind for kind, *_ in rows] == [events.ACTION, DREW, LAID, REFILLED, DREW, DREW]


@pytest.mark.parametrize("drawn", ["rlcard", "auto-play"])
def test_second_copy_of_a_card_played_from_the_pile_comes_from_the_refill(drawn: str) -> None:
    """The pile holds one red draw two, which is played, and a card that the victim draws before the refill."""
    changes = ["challenge=off", "uno-call=off", f"drawn-card={drawn}"]
    game = cardgames.make("uno", 3, "official", changes)
    hands = ["g1 g2", "b1 b2"]
    hands.append(" ".join(all_cards_except(*hands, "r5", "rd rd", "b6")))
    state = game.position(hands=hands, top="r5", discard="rd", draw="rd b6", pile=2, seed=0)
    num_rows = len(state.history())
    state.apply_action(game.parse_action("draw"))
    assert [game.event_to_string(row) for row in state.history(num_rows)[1:]] == [
        "seat 0 draws rd",
        "seat 0 lays rd",
        "seat 1 draws b6",
        "2 discards are shuffled into the pile",
        "seat 1 draws rd",
    ]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_true_particle_explains_every_event_under_any_rules(data: st.DataObject, seed: int) -> None:
    check_round(choose_game(lambda values: data.draw(st.sampled_from(values))), seed)


class BeliefOf:
    """Belief of a seat about other hands after some actions, by the rules' evidence alone."""

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
        """Return the expected number of the cards named (`r5 w`, or `r` for all reds) in the hand of `seat`."""
        names = cards.split()
        return float(
            sum(self.belief[seat][i] for i, kind in enumerate(self.card_kinds) if {kind, kind[0]} & set(names))
        )


def test_known_card_makes_its_second_copy_no_likelier() -> None:
    """A second copy of a card that the viewer was shown is no likelier than any other card."""
    hands = ["f r9 r8 b1 b2 b3 y1 y2", "g1 y5 y6 y3 y4 b5 b6"]
    seen = BeliefOf("official", [], hands, "f:g, challenge", viewer=1, top="r7", draw="g9 g8 b9 b8")
    known = "r9 r8 b1 b2 b3 y1 y2"
    assert seen.expected(0, known) - len(known.split()) == pytest.approx(0.31, abs=0.03)


@pytest.mark.parametrize("wilds", ["w:y w:r", "w:r w:y"])
def test_one_of_two_shown_wilds_remains_after_one_is_played(wilds: str) -> None:
    """In addition, the four cards drawn may include a wild."""
    hands = [f"f r9 {wilds} b1", "y1 y2 g3", "g1 g2"]
    seen = BeliefOf(
        "official", ["uno-call=off"], hands, "f:g, challenge, g3, g1, w:y", viewer=1, top="r5", draw="b6 b7 b8 b9"
    )
    assert seen.expected(0, "w") == pytest.approx(1.07, abs=0.04)


def test_card_played_after_a_penalty_is_not_taken_for_a_penalty_card() -> None:
    hands = ["y1 y2 y3 y4 y6", "r7 rs r5"]
    actions = "r7, rs, quiet, catch 0, r5"
    seen = BeliefOf("official", ["seven-zero=seven"], hands, actions, viewer=1, to_move=1, top="r8", draw="g9 b8 b9 g8")
    assert seen.expected(0, "r5") < 0.1


def test_stacked_wild_four_excludes_only_stackable_cards() -> None:
    hands = ["rd y1 y2 y3", "f r1 r2 r3 r5 b1", "g1 g2 g3 g4"]
    seen = BeliefOf("rlcard", ["stacking=up"], hands, "rd, f:g", top="r8")
    assert seen.expected(1, "r") == pytest.approx(seen.expected(1, "g"), abs=0.15)
    assert seen.expected(1, "rd gd bd yd") == 0


def test_kept_drawn_card_is_unplayable_under_must_play() -> None:
    changes = ["wild-four=no-color", "challenge=off", "drawn-card=must-play", "uno-call=off"]
    hands = ["y1 y2 y3 r4", "b7 r5 b6"]
    seen = BeliefOf("common", changes, hands, "draw", number=60_000, to_move=1, top="r8", draw="f f f f")
    assert seen.expected(1, "g8 b8 y8") < 0.7 * seen.expected(1, "g9 b9 y9")
    # with a red card in hand a wild draw four may be kept: 4 of the 70 cards that can be kept are wild draw fours
    assert seen.expected(1, "f") - seen.expected(1, "w") == pytest.approx(4 / 70, abs=0.02)


def test_possible_drawn_cards_are_equally_likely() -> None:
    """The deck has one green zero and two of every other green card; position in a pile makes no difference."""
    seen = BeliefOf("rlcard", [], ["y1 y2 y3 r4", "b7 b5"], "draw", to_move=1, top="r8", draw="g1")
    assert seen.expected(1, "g0") == pytest.approx(seen.expected(1, "g5") / 2, abs=0.02)


def test_last_card_of_draw_until_playable_is_playable() -> None:
    """Neither the hand nor the cards drawn before it were playable."""
    changes = ["draw-how=until-playable", "drawn-card=keep"]
    seen = BeliefOf("rlcard", changes, ["y1 y2 y3 r4", "b7 b5"], "draw", to_move=1, top="r8", draw="g1 b2 r9")
    assert seen.expected(1, "r w f g8 b8 y8") == pytest.approx(1)


@pytest.mark.parametrize("pile", [{}, {"pile": 0}])
def test_evidence_of_a_draw_survives_a_refill(pile: dict[str, int]) -> None:
    """Under `rlcard` a card of the color in force is played at once, so a kept card has another color."""
    for seed in range(20):
        seen = BeliefOf("rlcard", [], ["y1 y2 y3 r4", "b7 b5"], "draw", to_move=1, top="r8", seed=seed, **pile)
        if seen.state.record.counts[1] == 3:
            assert seen.expected(1, "r w f") == 0
            return
    raise AssertionError("every drawn card was played")


def test_second_draw_after_a_drawn_skip_is_evidence() -> None:
    seen = BeliefOf(
        "rlcard", [], ["y1 y2 y3 r4", "b7 b5 b6 b9"], "draw, draw", to_move=1, top="r8", seed=3, draw="rs g1"
    )
    assert seen.expected(1, "gs bs ys") < 0.1  # only the kept card may be one


def test_refill_in_the_middle_of_a_penalty_adds_discards_only_to_later_cards() -> None:
    """Of four cards drawn from a pile of two, two come from the discards."""
    hands = ["f r9 g7 b1", "g1 y5 y6", "y1 y2 y3"]
    table = "r1 r1 r2 r2 r3 r3 r4 r4 r5 r5".split()
    remaining = all_cards_except(*hands, *table, "r8")
    hands[2] += " " + " ".join(remaining[:-2])
    changes = ["challenge=off", "uno-call=off", "wild-four=any-time"]
    parts = {"top": "r8", "discard": " ".join(table), "draw": " ".join(remaining[-2:])}
    seen = BeliefOf("common", changes, hands, "f:g", **parts)
    assert seen.expected(1, "r1 r2 r3 r4 r5 r8") == pytest.approx(2, abs=0.1)


def all_cards_except(*named: str) -> list[str]:
    """Return the texts of all cards except those named."""
    left = all_cards()
    for card in " ".join(named).split():
        left.remove(card)
    return left


def belief_with_few_hidden_cards(
    rules: str, hands: list[str], top: str, draw: str, actions: str, mover: int
) -> BeliefOf:
    """Return the belief of seat 0 if only other hands and this draw pile are hidden; all other cards are discarded."""
    table, pile = " ".join(all_cards_except(*hands, top, draw)), len(draw.split())
    return BeliefOf(rules, [], hands, actions, top=top, draw=draw, pile=pile, discard=table, to_move=mover)


@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_drawn_card_leaves_its_second_copy_equally_likely_everywhere(rules: str) -> None:
    """The second copy is one of the five hidden cards, of which the opponent holds two."""
    seen = belief_with_few_hidden_cards(rules, ["g1", "b9 y1"], "r5", "b9 y2 y3 y4", "draw", 0)
    assert seen.expected(1, "b9") == pytest.approx(2 / 5, abs=0.03)


def test_played_card_leaves_its_second_copy_equally_likely_everywhere() -> None:
    """Probabilities by counting: two copies lie among 14 hidden cards in 91 ways.

    In 36 of them the first opponent, who has three cards, holds one or both. In 3 of these it holds both, in 9 the
    other opponent holds one.
    """
    seen = belief_with_few_hidden_cards(
        "rlcard", ["g1", "b9 y1 y5", "y6 y7 y8"], "b1", "b9 y2 y3 y4 g2 g3 g4 g6", "b9", 1
    )
    assert seen.expected(1, "b9") == pytest.approx(3 / 36, abs=0.02)
    assert seen.expected(2, "b9") == pytest.approx(9 / 36, abs=0.03)


def test_hand_of_a_bluffer_is_sampled_given_at_least_one_card_of_the_color() -> None:
    """Expected numbers of blue cards after a successful challenge.

    Three of sixteen cards, of which four are blue, and then four of the others: 2.09; three of what is left: 0.64.
    """
    draw = "b2 b3 b4 r2 y2 y4 g1 g2 g3 g4"
    seen = belief_with_few_hidden_cards("official", ["g9", "b1 r1 y1 f", "r3 r4 y3"], "b9", draw, "f:g, challenge", 1)
    assert seen.expected(1, "b") == pytest.approx(2.09, abs=0.06)
    assert seen.expected(2, "b") == pytest.approx(0.64, abs=0.06)


def test_draws_on_two_colors_are_both_evidence() -> None:
    """Four cards of the hand are of six with neither color; the last one drawn is of seven not red, five of them blue."""
    hands, draw = ["w g9 r9", "g1 g2 y1"], "y2 b1 g3 y3 b2 b3 b4 b6 r1 r2 r3 r4 r6"
    seen = belief_with_few_hidden_cards("rlcard", hands, "b0", draw, "draw, w:r, draw", 1)
    assert seen.expected(1, "r") == 0
    assert seen.expected(1, "b") == pytest.approx(5 / 7, abs=0.03)
    assert max(sum(30 <= card < 43 for card in cards_in_hand(particle, 1)) for particle in seen.states) == 1


def test_cards_that_one_hand_lacks_may_be_in_other_hands() -> None:
    """Five of the ten cards not in the first opponent's hand are blue, and three of the ten are in the second's."""
    seen = belief_with_few_hidden_cards(
        "rlcard", ["g1", "r1 r2 r3", "b1 y1 y2"], "b5", "r4 b2 b3 b4 b6 r6 y3 y4", "draw", 1
    )
    assert seen.expected(1, "b") == 0
    assert seen.expected(2, "b") == pytest.approx(1.5, abs=0.06)


def test_hand_that_had_to_draw_gets_no_wild() -> None:
    """Two seats draw without a playable card; a card that the second gives up does not go to the first."""
    hands, draw = ["g1", "r1 r2 r3", "y1 y2 y3"], "r4 y4 w w w b1 b2 b3 b4 b6"
    seen = belief_with_few_hidden_cards("rlcard", hands, "b5", draw, "draw, draw", 1)
    assert seen.expected(1, "w b") == seen.expected(2, "w b") == 0


def test_drawn_card_does_not_come_from_the_drawing_hand() -> None:
    """The pile has only two cards, and mostly they do not fit."""
    seen = belief_with_few_hidden_cards("rlcard", ["g1", "r1 r2 r3", "b1 b2 b3 b4 w y1 y2"], "b5", "r4 b6", "draw", 1)
    assert seen.expected(1, "w b") == 0


def test_unseen_wild_has_any_printed_color_with_equal_probability() -> None:
    """Under `rlcard-2022` a played wild shows its printed color; the other wild in the hand is one of three."""
    hands, draw = ["g1", "w w"], "w w"
    table = " ".join(all_cards_except(*hands, "r5", draw))
    game = cardgames.make("uno", players=2, rules="rlcard-2022")
    state = game.position(hands=hands, top="r5", draw=draw, pile=2, discard=table, to_move=1)
    state.apply_action(next(action for action in state.legal_actions() if action % 15 == 13))
    states = run_particle_filter(state.observation(0), 4000, 0.9, rng.stream(5)).states
    unseen_wilds = set(range(13, 60, 15)) - {int(state.record.top)}
    assert [
        np.mean([wild in cards_in_hand(state_record, 1) for state_record in states]) for wild in unseen_wilds
    ] == pytest.approx([1 / 3] * 3, abs=0.03)


def all_cards() -> list[str]:
    """Return the texts of all cards."""
    game = cardgames.make("uno", players=2)
    return [str(game.belief.card_kinds[KIND_OF_CARD[card]]) for card in DECK]


def test_wild_four_excludes_cards_that_would_forbid_it() -> None:
    """Under `no-color` these are cards of the color in force, under `rlcard` all playable cards.

    The limits allow for a few renewed particles.
    """
    hands, parts = ["y1 y2 y3", "f b7 b5 g6"], {"to_move": 1, "top": "r8"}
    seen = BeliefOf("common", ["wild-four=no-color", "challenge=off", "uno-call=off"], hands, "f:g", **parts)
    assert seen.expected(1, "r") < 0.1 < seen.expected(1, "g8 b8 y8")
    assert BeliefOf("rlcard", [], hands, "f:g", **parts).expected(1, "r w g8 b8 y8") < 0.1


def test_wild_four_after_a_taken_penalty_is_a_normal_play() -> None:
    """The second seat took the two cards; the third plays its wild draw four in its own turn."""
    hands = ["rd y1 y2 y3", "g1 g2 g3", "f b1 b2 b3 b5"]
    seen = BeliefOf("rlcard", ["stacking=same"], hands, "rd, f:g", top="r8", draw="g4 g6")
    assert seen.expected(2, "r w gd bd yd") == 0


def test_failed_challenge_excludes_the_color_from_the_hand() -> None:
    hands = ["y1 y2 y3", "f b7 b5 g6", "g1 g2 g3"]
    seen = BeliefOf("official", ["uno-call=off"], hands, "f:g, challenge", to_move=1, top="r8")
    assert seen.state.record.counts[:3].tolist() == [3, 3, 9]
    assert seen.expected(1, "r") == 0


def test_hand_that_gives_up_a_card_gets_none_that_it_lacks() -> None:
    """The opponent drew without a blue card and kept the card; the red six that is drawn next was not in its hand."""
    seen = belief_with_few_hidden_cards("rlcard", ["g1", "r1 r2 r3"], "b5", "r4 r6 b2 b3 b4 b6 y3 y4", "draw, draw", 1)
    assert seen.expected(1, "b") == 0


def particles_by_reflex(
    hands: list[str], changes: list[str], actions: str, mismatch_weight: float, **parts: Any
) -> Particles:
    """Return the particles of seat 0 if the others are assumed to play `reflex`."""
    game = cardgames.make("uno", players=len(hands), rules="common", overrides=["uno-call=off", *changes])
    state = game.position(hands=hands, **parts)
    for text in actions.split(", "):
        state.apply_action(game.parse_action(text))
    return run_particle_filter(state.observation(0), 300, mismatch_weight, rng.stream(5), game.policy("reflex"))


def test_answer_to_a_penalty_does_not_weight_particles() -> None:
    hands = ["rd y1 y2 y3", "bd r1 r2 g1 g2 b9"]
    assert particles_by_reflex(hands, ["stacking=same"], "rd, bd", 1.0, top="r5").effective_sample_size == 300


def test_playing_a_drawn_card_does_not_weight_particles() -> None:
    hands, parts = ["y1 y2 y3 y4", "g1 g2 b3 b4"], {"to_move": 1, "top": "r5", "draw": "w"}
    assert particles_by_reflex(hands, ["draw-when=stuck"], "draw, w:g", 1.0, **parts).effective_sample_size == 300


def test_hand_repaired_for_a_decision_gets_the_mismatch_weight() -> None:
    """Of the opponent's two cards only b9 is playable."""
    hands, draw = ["g1", "b9 y1"], "y2 y3 y4"
    parts = {
        "top": "b6",
        "draw": draw,
        "pile": 3,
        "to_move": 1,
        "discard": " ".join(all_cards_except(*hands, "b6", draw)),
    }
    weights = particles_by_reflex(hands, ["draw-when=stuck"], "b9", 0.5, **parts).weights
    assert sorted({round(float(weight / weights.max()), 6) for weight in weights}) == [0.5, 1.0]


def test_wild_four_played_from_the_pile_leaves_no_penalty_to_answer() -> None:
    """The next wild draw four is a normal play: its player held no card of the random color of the first."""
    hands = ["y1 y2 y3", "b1 b2 b3 b4", "f g5 g6 g7 g9"]
    seen = BeliefOf("rlcard", ["stacking=same"], hands, "draw, f:g", to_move=1, top="r8", draw="f", seed=4)
    assert seen.state.record.counts[:3].tolist() == [7, 4, 4]
    assert seen.expected(2, "rgby"[seen.state.record.prior_color]) < 0.1
