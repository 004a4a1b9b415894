"""The colours of Uno renamed: the game is the same, inputs follow, and the canonical ones do not change at all."""

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
from tests.uno.tables import choose_game, lively, play

CANONICAL = {name: known.canonical for name, known in ENCODINGS.items() if known.canonical}
PLACES = {name: Uno().symmetries(name).inputs for name in CANONICAL}


def renamed_bits(mask: int, cards: np.ndarray) -> int:
    return sum(1 << int(cards[card]) for card in range(NUM_CARD_IDS) if mask >> card & 1)


def renamed(record: Any, number: int) -> Any:
    """The same position with its colours renamed, cards yet to come included."""
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
    for seat, word in enumerate(record.void_counts.tolist()):
        counts = [word >> 4 * color & 15 for color in range(4)]
        other.void_counts[seat] = sum(count << 4 * int(colors[c]) for c, count in enumerate(counts))
    return other


def told_apart(game: Uno, record: Any) -> bytes:
    """All of a record that makes a difference: where it makes none which wild of a face is laid, any of them is."""
    if game.rules["wild-color"] == "ignored" or game.rules["shown-color"] == "printed":
        return bytes(record.tobytes())
    other = record.copy()
    for seat in range(game.num_players):
        for hands, wilds in ((other.once, WILDS), (other.twice, WILD_FOURS)):
            held = int(record.once[seat] & wilds).bit_count()
            hands[seat] = int(hands[seat] & COLORED) | held << 60
    for pile in (other.pile, other.discard):
        pile[pile % 15 >= WILD] %= 15
    other.top = record.top % 15 if record.top % 15 >= WILD else record.top
    other.received[:] = 0
    return bytes(other.tobytes())


def encoded(game: Uno, record: Any, seat: int, encoding: str) -> tuple[np.ndarray, int]:
    known = game.encoding(encoding)
    out = np.full(known.inputs, 7, np.int8)
    return out, int(ops.encode(game.kernel_rules, record, seat, known.encoding_id, out))


def named(game: Any, symmetry_id: int) -> np.ndarray:
    """What each action goes by where inputs are written under a renaming."""
    return np.array([int(ops.apply_symmetry(game.kernel_rules, symmetry_id, action)) for action in range(NUM_ACTIONS)])


def legal(game: Uno, record: Any) -> set[int]:
    out = np.empty(game.max_legal_actions, np.int32)
    return set(out[: ops.legal_actions(game.kernel_rules, record, out)].tolist())


def test_the_renamings_are_a_group() -> None:
    for table in (PERMUTATIONS, RENAMED_ACTIONS, *PLACES.values()):
        rows = {tuple(row) for row in table.tolist()}
        assert len(rows) == 24 and table[0].tolist() == sorted(table[0])
        assert all(tuple(first[second]) in rows for first in table for second in table)
        products = {(a, b): table[a][table[b]].tolist() for a in range(24) for b in (1, 7, 23)}
        for (a, b), row in products.items():
            assert row == table[PERMUTATIONS.tolist().index(PERMUTATIONS[a][PERMUTATIONS[b]].tolist())].tolist()


def test_what_renames_actions_is_undone_by_its_negative() -> None:
    rules = Uno().kernel_rules
    for number in range(24):
        names = [int(ops.apply_symmetry(rules, number, action)) for action in range(95)]
        assert names == RENAMED_ACTIONS[number].tolist() and names[60:COLOR] == list(range(60, COLOR))
        assert [int(ops.apply_symmetry(rules, -number, name)) for name in names] == list(range(95))
    assert ops.apply_symmetry(rules, 1, 15 * 2 + 4) == 15 * 3 + 4, "renaming 1 swaps the last two colours"


def test_layouts_are_those_of_the_encodings() -> None:
    for encoding_id, shape in ENCODINGS.values():
        assert sum(rows * width for rows, width in LAYOUTS[encoding_id % len(LAYOUTS)]) == np.prod(shape)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_renamed_position_is_the_same_game(data: st.DataObject) -> None:
    """Legal actions, what follows each, and the inputs of every encoding are renamed alike."""
    game = choose_game(lambda values: data.draw(st.sampled_from(list(values))))
    number, chance = data.draw(st.integers(1, 23)), random.Random(data.draw(st.integers(0, 99)))
    for count, state in enumerate(play(game.new_initial_state(seed=chance.randrange(1000)), chance)):
        if count > 80 or state.is_terminal():
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
            other.color = expected.color  # that of a wild laid as it is drawn is chance
        assert told_apart(game, other) == told_apart(game, expected)


def check_encodings(game: Uno, record: Any, other: Any, number: int) -> None:
    for seat in (record.to_move, (record.to_move + 1) % game.num_players):
        for name, canonical in CANONICAL.items():
            ours, theirs = encoded(game, record, seat, name)[0], encoded(game, other, seat, name)[0]
            moved = np.empty_like(ours)
            moved[PLACES[name][number]] = ours
            assert np.array_equal(theirs, moved)
            check_canonical(game, record, other, seat, canonical, ours)


def check_canonical(game: Uno, record: Any, other: Any, seat: int, canonical: str, plain: np.ndarray) -> None:
    """It is the plain encoding renamed, the same for both positions, and so are the legal actions by its names."""
    (ours, mine), (theirs, yours) = (encoded(game, each, seat, canonical) for each in (record, other))
    assert np.array_equal(ours, theirs)
    moved = np.empty_like(plain)
    moved[PLACES[canonical.removesuffix("-canonical")][mine % len(PERMUTATIONS)]] = plain
    assert np.array_equal(ours, moved)
    if seat == record.to_move:
        first, second = (
            {int(named(game, symmetry_id)[action]) for action in legal(game, each)}
            for each, symmetry_id in ((record, mine), (other, yours))
        )
        assert first == second


@pytest.mark.parametrize("encoding", CANONICAL.values())
def test_the_colour_in_force_is_told_first(encoding: str) -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    for color, text in enumerate("rgby"):
        state = game.position(hands=["r1 g2 b3 y4 w", 4], top=f"{text}5", to_move=0)
        symmetry_id = encoded(game, state.record, 0, encoding)[1]  # type: ignore[arg-type]
        assert PERMUTATIONS[symmetry_id, color] == 0


def test_others_come_by_what_is_held_of_them() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["g1 g3 b3 y4 y5 y6", 4], top="r5", to_move=0)
    symmetry_id = encoded(game, state.record, 0, "seat-canonical")[1]  # type: ignore[arg-type]
    assert PERMUTATIONS[symmetry_id].tolist() == [0, 2, 3, 1]


@pytest.mark.parametrize("encoding", [name for name in CANONICAL.values() if not name.startswith("cheating-")])
@pytest.mark.parametrize("preset", ["rlcard", "official", "rlcard-2022"])
def test_a_network_plays_the_same_in_renamed_positions(preset: str, encoding: str) -> None:
    game, chance = Uno(3, preset), random.Random(5)
    sizes = game.encoding(encoding).inputs, 16, game.num_distinct_actions
    network = random_network(sizes, 1, encoding, "uno")
    weights, asked = network_weights(game, network), 0
    for seed in range(3):
        for count, state in enumerate(play(game.new_initial_state(seed=seed), chance)):
            if state.is_terminal() or count > 60:
                break
            asked += len(state.legal_actions()) > 1
            number = chance.randrange(24)
            other = renamed(state.record, number)
            ours, theirs = (greedy_actions(game, record, weights) for record in (state.record, other))
            inputs, symmetry_id = encoded(game, state.record, state.current_player(), encoding)
            there = encoded(game, other, state.current_player(), encoding)[1]
            # by the names of the network: which of two colours that are alike has which name is up to their numbers
            assert {named(game, there)[action] for action in theirs} == {
                named(game, symmetry_id)[action] for action in ours
            }
            q = network(inputs.reshape(1, -1))[0][named(game, symmetry_id)[: game.num_distinct_actions]]
            greatest = max(q[action] for action in state.legal_actions())
            assert ours == {action for action in state.legal_actions() if q[action] == greatest}
    assert asked > 20


def greedy_actions(game: Uno, record: Any, weights: np.ndarray) -> set[int]:
    best, chances = np.empty(game.max_legal_actions, np.int32), np.empty(game.max_legal_actions)
    return set(best[: indirect_network_actions(game.kernel_rules, record, weights, best, chances)].tolist())


def test_what_cannot_be_renamed_is_refused() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    with pytest.raises(
        InvalidInput, match="unknown encoding to rename the colours of 'seat-canonical': choose from 4x4x15"
    ):
        game.symmetries("seat-canonical")
    with pytest.raises(InvalidInput, match="doudizhu has no symmetries"):
        cardgames.make("doudizhu").symmetries("rlcard")
    network = random_network((240, 50), 1, "4x4x15-canonical", "uno")
    with pytest.raises(InvalidInput, match="has 50 outputs, of which 4x4x15-canonical renames some to others it lacks"):
        network.check(game)
    random_network((240, 1), 1, "4x4x15-canonical", "uno").check(game)


def test_a_vector_of_tables_names_actions_as_its_encoding_does() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    plain, env = game.vector(8, 3, "seat"), game.vector(8, 3, "seat-canonical")
    plain.reset(), env.reset()
    for _ in range(50):
        symmetry_ids = [encoded(game, state, state.to_move, "seat-canonical")[1] for state in env.states]  # type: ignore[arg-type]
        assert np.array_equal(env.states, plain.states)
        actions = plain.action_mask.argmax(axis=1)
        for row, symmetry_id in enumerate(symmetry_ids):
            assert np.array_equal(env.action_mask[row][named(game, symmetry_id)[:61]], plain.action_mask[row])
        env.step(
            np.array(
                [named(game, symmetry_id)[action] for symmetry_id, action in zip(symmetry_ids, actions, strict=True)]
            )
        )
        plain.step(actions)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_seats_go_by_how_many_turns_they_are_ahead(players: int, direction: int) -> None:
    """What a network sees is the same from every seat, and so are the outputs that are meant."""
    game = cardgames.make("uno", players=players, overrides=["seven-zero=seven"])
    hands = ["r7 b1 b2", *["g1 g2", "y1 y2 y3", "b3", "r1 r2"][: players - 1]]
    told = set()
    for seat in range(players):
        turned = [hands[(player - seat) * direction % players] for player in range(players)]
        state = game.position(hands=turned, top="r5", to_move=seat, direction=direction, seed=1)
        state.apply_action(game.parse_action("r7")) if players > 2 else None
        inputs = np.zeros(game.encoding("seat").inputs, np.int8)
        record, rules = state.observation(seat).record, game.kernel_rules
        symmetry_id = ops.encode(rules, record, seat, game.encoding("seat").encoding_id, inputs)
        names = named(game, symmetry_id)
        assert [int(ops.apply_symmetry(rules, -symmetry_id, name)) for name in names] == [*range(NUM_ACTIONS)]
        ahead = [CATCH + (seat + direction * step) % players for step in range(players)]
        assert names[ahead].tolist() == [*range(CATCH, CATCH + players)]
        told.add((inputs.tobytes(), tuple(sorted(names[state.legal_actions()]))))
    assert len(told) == 1


def test_outputs_that_lack_a_seat_are_refused() -> None:
    for outputs in (61, 70, 80, 90, 95):
        random_network((240, outputs), 1, "4x4x15", "uno").check(Uno(3))
    for outputs in (71, 79, 81, 89):
        with pytest.raises(
            InvalidInput, match=f"has {outputs} outputs, of which some go by those it lacks on other seats"
        ):
            random_network((240, outputs), 1, "4x4x15", "uno").check(Uno(3))


def test_of_colours_held_alike_that_comes_first_whose_cards_do() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["g5 b3 y1 y2", 4], top="r7", to_move=0)
    symmetry_id = encoded(game, state.record, 0, "seat-canonical")[1]  # type: ignore[arg-type]
    assert PERMUTATIONS[symmetry_id].tolist() == [0, 3, 2, 1]


def test_of_colours_that_look_alike_that_comes_first_of_which_more_may_be_laid() -> None:
    """These inputs do not tell which of the fives was drawn, and may be laid."""
    game = cardgames.make("uno", players=2, rules="common")
    state = game.position(hands=["g5 r1", 4], top="r5", to_move=0, draw="b5")
    state.apply_action(game.parse_action("draw"))
    symmetry_id = encoded(game, state.record, 0, "4x4x15-canonical")[1]  # type: ignore[arg-type]
    assert PERMUTATIONS[symmetry_id].tolist() == [0, 3, 2, 1]
