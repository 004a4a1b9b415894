"""Tests of the encodings `douzero` and `cql` against plain-Python versions computed from the history.

`test_rlcard_games.py` compares the encoding `rlcard` with RLCard.
"""

import random
from collections.abc import Sequence

import numpy as np
import pytest

import cardgames
from cardgames.core.events import ACTION
from cardgames.core.state import State
from cardgames.doudizhu.cards import RANKS, hand_to_text
from cardgames.doudizhu.events import LANDLORD
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.moves.move_table import PASS, move_from_id
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import DECK
from tests.doudizhu.rounds import random_playthrough
from tests.referees.doudizhu_rounds import minus


def card_numbers(cards: str) -> list[int]:
    """Return 54 numbers for cards: per rank four numbers, of which the first n are 1, then one for each joker."""
    four = [int(copy < cards.count(rank)) for rank in "3456789TJQKA2" for copy in range(4)]
    return [*four, cards.count("B"), cards.count("R")]


def one_hot(at: int, size: int) -> list[int]:
    return [int(i == at) for i in range(size)]


class TableHistory:
    """Inputs of DouZero's features, from the history of a round without doubling."""

    def __init__(self, state: State):
        self.landlord = int(state.record.landlord)
        rows = state.history()
        start = next(i for i, row in enumerate(rows) if row[0] == LANDLORD)
        actions = [(seat, action) for kind, seat, action, _ in rows[start:] if kind == ACTION]
        self.moves = [
            (seat, "" if action == PASS else hand_to_text(move_from_id(action).cards)) for seat, action in actions
        ]
        self.bombs = sum(
            action != PASS and move_from_id(action).form.name in ("bomb", "rocket") for _, action in actions
        )

    def played_by(self, seat: int) -> str:
        return "".join(cards for who, cards in self.moves if who == seat)

    def last_of(self, seat: int) -> str:
        return next((cards for who, cards in reversed(self.moves) if who == seat), "")

    @property
    def to_beat(self) -> str:
        return next((cards for _, cards in reversed(self.moves[-2:]) if cards), "")


def features(table: TableHistory, state: State, player: int) -> list[int]:
    """Return DouZero's x without the action, and z, as one list."""
    hand = hand_to_text(state.record.hands[player])
    others = minus(DECK, hand + "".join(cards for _, cards in table.moves))
    up, down = (table.landlord + 2) % 3, (table.landlord + 1) % 3
    partner, counts = up if player == down else down, [int(n) for n in state.record.counts]

    def concat(*parts: Sequence[int]) -> list[int]:
        return [number for part in parts for number in part]

    if player == table.landlord:
        x = concat(
            *map(card_numbers, (hand, others, table.to_beat, table.played_by(up), table.played_by(down))),
            *(one_hot(counts[seat] - 1, 17) for seat in (up, down)),
            one_hot(table.bombs, 15),
        )
        assert len(x) == 319
    else:
        seats = (table.landlord, partner)
        x = concat(
            *map(card_numbers, (hand, others, *map(table.played_by, seats), table.to_beat, *map(table.last_of, seats))),
            one_hot(counts[table.landlord] - 1, 20),
            one_hot(counts[partner] - 1, 17),
            one_hot(table.bombs, 15),
        )
        assert len(x) == 430
    last = [cards for _, cards in table.moves[-15:]]
    return x + (430 - len(x)) * [0] + concat(*map(card_numbers, (15 - len(last)) * [""] + last))


@pytest.mark.parametrize("rules", ["douzero", "classic"])
def test_douzero_encoding_matches_history(rules: str) -> None:
    game, bombs = DouDiZhu(rules=rules), 0
    for seed in range(40):
        for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
            if not state.is_terminal() and state.record.landlord >= 0:
                expected = features(TableHistory(state), state, state.current_player())
                assert state.game.encode(state, "douzero").tolist() == expected
                bombs += state.record.bombs
    assert bombs > 100


def plane(cards: str, value: int = 1) -> list[list[int]]:
    """Return a plane [rank, copy] of cards."""
    return [[value * (copy < cards.count(rank)) for copy in range(4)] for rank in RANKS]


def test_cql_encoding_matches_history() -> None:
    game = DouDiZhu(rules="cql")
    for seed in range(20):
        for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
            if state.is_terminal():
                continue
            table, player, counts = TableHistory(state), state.current_player(), state.record.counts
            after, before = (player + 1) % 3, (player + 2) % 3
            hand = hand_to_text(state.record.hands[player])
            hidden = minus(DECK, hand + "".join(cards for _, cards in table.moves))
            percent = 100 * int(counts[after]) // int(counts[after] + counts[before])
            expected = [plane(hand), plane(hidden, percent), plane(hidden, 100 - percent)]
            expected += [plane(table.last_of(before)), plane(table.last_of(after))]
            assert game.encode(state, "cql").tolist() == expected


def test_douzero_encoding_in_auction_has_only_the_hand() -> None:
    state = DouDiZhu().new_initial_state(seed=1)
    seat = state.current_player()
    seen = state.game.encode(state.observation(), "douzero")
    assert seen[:54].tolist() == card_numbers(hand_to_text(state.record.hands[seat]))
    assert not seen[430:].any()


def test_vector_env_observations_match_single_states() -> None:
    env = cardgames.make("doudizhu", rules="classic").vector(num_envs=5, seed=1, encoding="rlcard")
    seen, info = env.reset()
    chance = random.Random(0)
    for _ in range(300):
        for row in range(5):
            state = State(env.game, env.states[row], [])
            assert np.array_equal(seen[row], env.game.encode(state, "rlcard"))
            assert np.flatnonzero(info["action_mask"][row]).tolist() == state.legal_actions()
        actions = [chance.choice(np.flatnonzero(mask).tolist()) for mask in info["action_mask"]]
        seen, rewards, ended, _, info = env.step(np.array(actions))
        assert (rewards.any(axis=1) == ended).all() and rewards.sum() == 0


def test_unknown_encoding_raises() -> None:
    with pytest.raises(InvalidInput, match="choose from rlcard, douzero, cql"):
        DouDiZhu().vector(2, encoding="4x4x15")


def test_first_bidder_is_encoded_as_landlord_in_auction() -> None:
    for dealer in range(3):
        state = DouDiZhu().new_initial_state(seed=1, dealer=dealer)
        table = TableHistory.__new__(TableHistory)
        table.landlord, table.moves, table.bombs = dealer, [], 0
        for seat in range(3):
            assert state.game.encode(state, "douzero", player=seat).tolist() == features(table, state, seat)


def test_last_actions_are_encoded_at_the_end() -> None:
    for seed in range(5):
        *_, state = random_playthrough(DouDiZhu(rules="douzero").new_initial_state(seed=seed), random.Random(seed))
        last = [card_numbers(TableHistory(state).last_of(seat)) for seat in range(3)]
        landlord = int(state.record.landlord)
        for seat in {0, 1, 2} - {landlord}:
            seen = state.game.encode(state, "douzero", player=seat).tolist()
            assert [seen[270:324], seen[324:378]] == [last[landlord], last[3 - seat - landlord]]
