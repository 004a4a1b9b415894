"""Renamed colors of Uno: the game stays the same, inputs are renamed along, and canonical inputs do not change."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardgames
from cardgames.core import ops
from cardgames.networks.network_file import random_network
from cardgames.networks.network_policy import network_weights
from cardgames.support.errors import InvalidInput
from cardgames.uno.cards import CATCH, COLOR, COLORED, NUM_ACTIONS, NUM_CARD_IDS, WILD, WILD_FOURS, WILDS
from cardgames.uno.encodings.canonicalize import LAYOUTS
from cardgames.uno.encodings.color_symmetry import PERMUTATIONS, RENAMED_ACTIONS
from cardgames.uno.encodings.encode import ENCODINGS
from cardgames.uno.game import Uno
from cardgames.uno.policies.compiled_policies import indirect_network_actions
from tests.differences import assert_same
from tests.uno.tables import choose_game, lively, play

CANONICAL = {name: known.canonical for name, known in ENCODINGS.items() if known.canonical}
RENAMED_INPUTS = {name: Uno().symmetries(name).inputs for name in CANONICAL}


def renamed_bits(mask: int, cards: np.ndarray) -> int:
    """Return a mask of cards with each card renamed."""
    return sum(1 << int(cards[card]) for card in range(NUM_CARD_IDS) if mask >> card & 1)


def renamed(record: Any, number: int) -> Any:
    """Return the same position with its colors renamed, including cards yet to come."""
    other, colors, cards = record.copy(), PERMUTATIONS[number], RENAMED_ACTIONS[number]
    for hands, before in ((other.once, record.once), (other.twice, record.twice)):
        hands[:] = [renamed_bits(int(mask), cards) for mask in before]
    other.pile[:], other.discard[:] = cards[record.pile], cards[record.discard]
    for field in ("top", "drawn"):
        other[field] = cards[record[field]] if record[field] >= 0 else -1
    for field in ("color", "prior_color"):
        other[field] = colors[record[field]] if record[field] >= 0 else -1
    for color in range(4):
        other.received[2 * colors[color] : 2 * colors[color] + 2] = record.received[2 * color : 2 * color + 2]
    for seat, word in enumerate(record.cards_since_draw.tolist()):
        counts = [word >> 4 * color & 15 for color in range(4)]
        other.cards_since_draw[seat] = sum(count << 4 * int(colors[c]) for c, count in enumerate(counts))
    return other


def relevant_fields(game: Uno, record: Any) -> Any:
    """Return a record; if wilds of one face are interchangeable under the rules, with each as the same card."""
    if game.rules["wild-color"] == "ignored" or game.rules["shown-color"] == "printed":
        return record
    other = record.copy()
    for seat in range(game.num_players):
        for hands, wilds in ((other.once, WILDS), (other.twice, WILD_FOURS)):
            held = int(record.once[seat] & wilds).bit_count()
            hands[seat] = int(hands[seat] & COLORED) | held << 60
    for pile in (other.pile, other.discard):
        pile[pile % 15 >= WILD] %= 15
    other.top = record.top % 15 if record.top % 15 >= WILD else record.top
    other.received[:] = 0
    return other


def encoded(game: Uno, record: Any, seat: int, encoding: str) -> tuple[np.ndarray, int]:
    """Return the inputs of an encoding and the number of the renaming they are written under."""
    known = game.encoding(encoding)
    out = np.full(known.inputs, 7, np.int8)
    return out, int(ops.encode(game.kernel_rules, record, seat, known.encoding_id, out))


def renamed_action_ids(game: Any, symmetry_id: int) -> np.ndarray:
    """Return the id of each action under a renaming."""
    return np.array([int(ops.apply_symmetry(game.kernel_rules, symmetry_id, action)) for action in range(NUM_ACTIONS)])


def legal(game: Uno, record: Any) -> set[int]:
    """Return the ids of the legal actions."""
    out = np.empty(game.max_legal_actions, np.int32)
    return set(out[: ops.legal_actions(game.kernel_rules, record, out)].tolist())


def test_renamings_form_a_group() -> None:
    for table in (PERMUTATIONS, RENAMED_ACTIONS, *RENAMED_INPUTS.values()):
        rows = {tuple(row) for row in table.tolist()}
        assert len(rows) == 24 and table[0].tolist() == sorted(table[0])
        assert all(tuple(first[second]) in rows for first in table for second in table)
        products = {(a, b): table[a][table[b]].tolist() for a in range(24) for b in (1, 7, 23)}
        for (a, b), row in products.items():
            assert row == table[PERMUTATIONS.tolist().index(PERMUTATIONS[a][PERMUTATIONS[b]].tolist())].tolist()


def test_negative_symmetry_id_undoes_a_renaming() -> None:
    rules = Uno().kernel_rules
    for number in range(24):
        names = [int(ops.apply_symmetry(rules, number, action)) for action in range(95)]
        assert names == RENAMED_ACTIONS[number].tolist() and names[60:COLOR] == list(range(60, COLOR))
        assert [int(ops.apply_symmetry(rules, -number, name)) for name in names] == list(range(95))
    assert ops.apply_symmetry(rules, 1, 15 * 2 + 4) == 15 * 3 + 4, "renaming 1 swaps the last two colors"


def test_layouts_have_the_sizes_of_the_encodings() -> None:
    for encoding_id, shape, _ in ENCODINGS.values():
        assert sum(rows * width for rows, width in LAYOUTS[encoding_id % len(LAYOUTS)]) == np.prod(shape)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_renamed_position_is_the_same_game(data: st.DataObject) -> None:
    """Legal actions, the state after each, and the inputs of every encoding are renamed alike."""
    game = choose_game(lambda values: data.draw(st.sampled_from(list(values))))
    number, chance = data.draw(st.integers(1, 23)), random.Random(data.draw(st.integers(0, 99)))
    for ply, state in enumerate(play(game.new_initial_state(seed=chance.randrange(1000)), chance)):
        if ply > 80 or state.is_terminal():
            break
        other = renamed(state.record, number)
        assert legal(game, other) == {int(RENAMED_ACTIONS[number, action]) for action in state.legal_actions()}
        check_encodings(game, state.record, other, number)
        action = lively(state.legal_actions(), chance)
        before = state.record.copy()
        for record, taken in ((before, action), (other, RENAMED_ACTIONS[number, action])):
            ops.apply_action(game.kernel_rules, record, np.int64(taken))
        expected = renamed(before, number)
        if game.rules["drawn-card"] == "rlcard":
            other.color = expected.color  # a wild played from the pile gets a random color
        assert_same(relevant_fields(game, other), relevant_fields(game, expected), f"ply {ply}, renaming {number}")


def check_encodings(game: Uno, record: Any, other: Any, number: int) -> None:
    """Check that every encoding of `other` is that of `record` with renamed colors."""
    for seat in (record.to_move, (record.to_move + 1) % game.num_players):
        for name, canonical in CANONICAL.items():
            inputs, other_inputs = encoded(game, record, seat, name)[0], encoded(game, other, seat, name)[0]
            renamed_inputs = np.empty_like(inputs)
            renamed_inputs[RENAMED_INPUTS[name][number]] = inputs
            assert_same(other_inputs, renamed_inputs, f"seat {seat}, encoding {name}, renaming {number}")
            check_canonical(game, record, other, seat, canonical, inputs)


def check_canonical(game: Uno, record: Any, other: Any, seat: int, canonical: str, plain: np.ndarray) -> None:
    """Check that a canonical encoding is the plain one renamed, and equal for both positions, with equal legal actions."""
    (inputs, symmetry), (other_inputs, other_symmetry) = (
        encoded(game, each, seat, canonical) for each in (record, other)
    )
    assert np.array_equal(inputs, other_inputs)
    renamed_inputs = np.empty_like(plain)
    renamed_inputs[RENAMED_INPUTS[canonical.removesuffix("-canonical")][symmetry % len(PERMUTATIONS)]] = plain
    assert np.array_equal(inputs, renamed_inputs)
    if seat == record.to_move:
        actions, other_actions = (
            {int(renamed_action_ids(game, symmetry_id)[action]) for action in legal(game, each)}
            for each, symmetry_id in ((record, symmetry), (other, other_symmetry))
        )
        assert actions == other_actions


@pytest.mark.parametrize("encoding", CANONICAL.values())
def test_canonical_encoding_puts_the_color_in_force_first(encoding: str) -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    for color, text in enumerate("rgby"):
        state = game.position(hands=["r1 g2 b3 y4 w", 4], top=f"{text}5", to_move=0)
        symmetry_id = encoded(game, state.record, 0, encoding)[1]  # type: ignore[arg-type]
        assert PERMUTATIONS[symmetry_id, color] == 0


def test_canonical_encoding_sorts_other_colors_by_cards_held() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["g1 g3 b3 y4 y5 y6", 4], top="r5", to_move=0)
    symmetry_id = encoded(game, state.record, 0, "seat-canonical")[1]  # type: ignore[arg-type]
    assert PERMUTATIONS[symmetry_id].tolist() == [0, 2, 3, 1]


@pytest.mark.parametrize("encoding", [name for name in CANONICAL.values() if not name.startswith("cheating-")])
@pytest.mark.parametrize("preset", ["rlcard", "official", "rlcard-2022"])
def test_network_plays_the_same_in_renamed_positions(preset: str, encoding: str) -> None:
    game, chance = Uno(3, preset), random.Random(5)
    sizes = game.encoding(encoding).inputs, 16, game.num_distinct_actions
    network = random_network(sizes, 1, encoding, "uno")
    weights, num_choices = network_weights(game, network), 0
    for seed in range(3):
        for count, state in enumerate(play(game.new_initial_state(seed=seed), chance)):
            if state.is_terminal() or count > 60:
                break
            num_choices += len(state.legal_actions()) > 1
            number = chance.randrange(24)
            other = renamed(state.record, number)
            best_actions, other_best_actions = (
                greedy_actions(game, record, weights) for record in (state.record, other)
            )
            inputs, symmetry_id = encoded(game, state.record, state.current_player(), encoding)
            other_symmetry_id = encoded(game, other, state.current_player(), encoding)[1]
            # compared by the network's names, since the numbers of equal colors decide which gets which name
            assert {renamed_action_ids(game, other_symmetry_id)[action] for action in other_best_actions} == {
                renamed_action_ids(game, symmetry_id)[action] for action in best_actions
            }
            q = network(inputs.reshape(1, -1))[0][renamed_action_ids(game, symmetry_id)[: game.num_distinct_actions]]
            greatest = max(q[action] for action in state.legal_actions())
            assert best_actions == {action for action in state.legal_actions() if q[action] == greatest}
    assert num_choices > 20


def greedy_actions(game: Uno, record: Any, weights: np.ndarray) -> set[int]:
    """Return the actions of greatest output of a network."""
    best, chances = np.empty(game.max_legal_actions, np.int32), np.empty(game.max_legal_actions)
    return set(best[: indirect_network_actions(game.kernel_rules, record, weights, best, chances)].tolist())


def test_encodings_and_networks_without_color_symmetry_are_refused() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    with pytest.raises(
        InvalidInput, match="unknown encoding with color symmetries 'seat-canonical': choose from 4x4x15"
    ):
        game.symmetries("seat-canonical")
    with pytest.raises(InvalidInput, match="doudizhu has no symmetries"):
        cardgames.make("doudizhu").symmetries("rlcard")
    network = random_network((240, 50), 1, "4x4x15-canonical", "uno")
    with pytest.raises(
        InvalidInput, match="has 50 outputs, and 4x4x15-canonical maps some to actions without an output"
    ):
        network.check(game)
    random_network((240, 1), 1, "4x4x15-canonical", "uno").check(game)


def test_vector_env_renames_actions_as_its_encoding() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    plain, env = game.vector(8, 3, "seat"), game.vector(8, 3, "seat-canonical")
    plain.reset(), env.reset()
    for _ in range(50):
        symmetry_ids = [encoded(game, state, state.to_move, "seat-canonical")[1] for state in env.states]  # type: ignore[arg-type]
        assert np.array_equal(env.states, plain.states)
        actions = plain.action_mask.argmax(axis=1)
        for row, symmetry_id in enumerate(symmetry_ids):
            assert np.array_equal(
                env.action_mask[row][renamed_action_ids(game, symmetry_id)[:61]], plain.action_mask[row]
            )
        env.step(
            np.array(
                [
                    renamed_action_ids(game, symmetry_id)[action]
                    for symmetry_id, action in zip(symmetry_ids, actions, strict=True)
                ]
            )
        )
        plain.step(actions)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_seats_are_renamed_by_turns_ahead(players: int, direction: int) -> None:
    """A network sees the same inputs from every seat, and the same outputs stand for the legal actions."""
    game = cardgames.make("uno", players=players, overrides=["seven-zero=seven"])
    hands = ["r7 b1 b2", *["g1 g2", "y1 y2 y3", "b3", "r1 r2"][: players - 1]]
    views = set()
    for seat in range(players):
        turned = [hands[(player - seat) * direction % players] for player in range(players)]
        state = game.position(hands=turned, top="r5", to_move=seat, direction=direction, seed=1)
        state.apply_action(game.parse_action("r7")) if players > 2 else None
        inputs = np.zeros(game.encoding("seat").inputs, np.int8)
        record, rules = state.observation(seat).record, game.kernel_rules
        symmetry_id = ops.encode(rules, record, seat, game.encoding("seat").encoding_id, inputs)
        names = renamed_action_ids(game, symmetry_id)
        assert [int(ops.apply_symmetry(rules, -symmetry_id, name)) for name in names] == [*range(NUM_ACTIONS)]
        ahead = [CATCH + (seat + direction * step) % players for step in range(players)]
        assert names[ahead].tolist() == [*range(CATCH, CATCH + players)]
        views.add((inputs.tobytes(), tuple(sorted(names[state.legal_actions()]))))
    assert len(views) == 1


def test_network_outputs_for_some_seats_only_are_refused() -> None:
    for outputs in (61, 70, 80, 90, 95):
        random_network((240, outputs), 1, "4x4x15", "uno").check(Uno(3))
    for outputs in (71, 79, 81, 89):
        with pytest.raises(InvalidInput, match=f"has {outputs} outputs: as seen from other seats, some"):
            random_network((240, outputs), 1, "4x4x15", "uno").check(Uno(3))


def test_canonical_encoding_sorts_colors_with_equal_counts_by_their_cards() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["g5 b3 y1 y2", 4], top="r7", to_move=0)
    symmetry_id = encoded(game, state.record, 0, "seat-canonical")[1]  # type: ignore[arg-type]
    assert PERMUTATIONS[symmetry_id].tolist() == [0, 3, 2, 1]


def test_canonical_encoding_sorts_colors_with_equal_inputs_by_legal_actions() -> None:
    """These inputs do not show which of the fives was drawn and may be played."""
    game = cardgames.make("uno", players=2, rules="common")
    state = game.position(hands=["g5 r1", 4], top="r5", to_move=0, draw="b5")
    state.apply_action(game.parse_action("draw"))
    symmetry_id = encoded(game, state.record, 0, "4x4x15-canonical")[1]  # type: ignore[arg-type]
    assert PERMUTATIONS[symmetry_id].tolist() == [0, 3, 2, 1]
