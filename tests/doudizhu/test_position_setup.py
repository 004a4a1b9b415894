"""Tests of positions set up by hand, and of states as plain data and back."""

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardgames
from cardgames.core.state import State
from cardgames.doudizhu.cards import DECK, card_count, hand_to_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.support.errors import InvalidInput
from tests.differences import assert_same
from tests.doudizhu.hand_helpers import choose_rules
from tests.doudizhu.rounds import random_playthrough, state_after

GAME = DouDiZhu()


def test_position_with_given_parts() -> None:
    state = GAME.position(hands=["34567J", "88Q", 3], landlord=0, to_move=1, last="3", bottom="355", bid=2, seed=0)
    plain = state.to_dict()
    assert (plain["to_move"], plain["landlord"], plain["last"], plain["last_by"], plain["bid"]) == (1, 0, "3", 0, 2)
    assert plain["hands"][:2] == ["34567J", "88Q"] and len(plain["hands"][2]) == 3
    assert plain["phase"] == "play" and plain["winner"] is None
    assert {state.action_to_string(action) for action in state.legal_actions()} == {"pass", "8", "Q"}
    assert sum(int(hand) for hand in (*state.record.hands, *state.record.played)) == DECK
    assert "3" in plain["played"][0]


def test_last_by_implies_passes_since_the_move_to_beat() -> None:
    state = GAME.position(hands=["4", "5", "67"], landlord=0, to_move=2, last="3", last_by=0)
    state.apply_action(0)
    assert state.current_player() == 0 and state.to_dict()["last"] is None


def test_position_without_landlord_starts_the_auction() -> None:
    state = GAME.position(hands=["33344455566677788", None, 17], to_move=2, bottom="2BR")
    assert state.current_player() == 2 and state.to_dict()["phase"] == "auction"
    for text in ("bid 1", "pass", "pass"):
        state.apply_action(GAME.parse_action(text))
    assert hand_to_text(state.record.hands[2]).endswith("2BR")


def test_random_hands_depend_only_on_the_seed() -> None:
    parts: dict[str, Any] = {"hands": [None, 5, "?6"], "landlord": 1}
    assert GAME.position(**parts, seed=4).to_dict() == GAME.position(**parts, seed=4).to_dict()
    assert GAME.position(**parts, seed=4).to_dict() != GAME.position(**parts, seed=5).to_dict()
    assert [card_count(hand) for hand in GAME.position(**parts).record.hands] == [17, 5, 6]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hands": ["3", "4"]}, "hands must have 3 entries, one per seat"),
        ({"hands": ["", None, None]}, "each seat has 17 cards in the auction, not 0"),
        ({"hands": [5, None, None]}, "each seat has 17 cards in the auction, not 5"),
        ({"hands": "345"}, "hands is a list with a hand for each seat, not '345'"),
        ({"hands": ["33333", "4", "5"], "landlord": 0}, "'33333' has too many cards of rank 3; the deck has 4"),
        ({"hands": ["333", "33", "5"], "landlord": 0}, "more cards of rank 3 than the deck"),
        ({"hands": ["3x", "4", "5"], "landlord": 0}, "is not a card"),
        ({"hands": ["", "4", "5"], "landlord": 0}, "seat 0 was dealt 20 cards: it cannot hold 0"),
        ({"hands": ["3", 18, "5"], "landlord": 0}, "1 to 17, not 18"),
        ({"hands": ["3", "?x", "5"], "landlord": 0}, "is not a card"),
        ({"hands": ["3", "4", "5"], "landlord": 3}, "landlord is a seat from 0 to 2"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "to_move": -1}, "to_move is a seat"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last": "pass"}, "last must be the cards of the move to beat"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last": "345"}, "'345' is not a move"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last": "6", "last_by": 0}, "are both seat 0"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last_by": 0}, "last_by needs last"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bottom": "34"}, "there are 3 bottom cards, not '34'"),
        ({"hands": ["3", "4444", "5"], "landlord": 0, "bottom": "445"}, "more cards of rank 4 than the deck"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bid": 4}, "bid is a whole number from 1 to 3"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "rockets": 2}, "rockets is a whole number from 0 to 1"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "wind": 2}, "wind"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bottom": 5}, "bottom is a text, not 5"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bid": "2"}, "bid is a whole number, not '2'"),
        ({"hands": ["3", 1.5, "5"], "landlord": 0}, "is its cards or their number"),
        ({"hands": [None, 16, None]}, "each seat has 17 cards in the auction"),
        ({"hands": [None, None, None], "last": "3"}, "without landlord the position is the start of an auction"),
        ({"hands": [None, None, None], "bid": 2}, "leave out last, last_by, bid"),
        ({"hands": [None, None, None], "bombs": 1}, "leave out last, last_by, bid"),
        ({"hands": [19, 8, None], "landlord": 0}, "the landlord has the trick, so it must have played at least twice"),
        (
            {"hands": [19, 8, None], "landlord": 0, "to_move": 1, "last": "3"},
            "the landlord has the trick, so it must have played at least twice",
        ),
    ],
)
def test_impossible_position_raises(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        GAME.position(**parts)


def test_last_move_that_no_hand_can_hold_raises() -> None:
    game = DouDiZhu(overrides=["size-cap=none"])
    with pytest.raises(InvalidInput, match="no hand can hold the cards of 33445566"):
        game.position(hands=["3", "4", "5"], landlord=0, last="33445566778899TTJJQQKKAA", last_by=2)


def test_from_dict_with_forbidden_move_raises() -> None:
    plain = GAME.position(hands=["3", "666", "5"], landlord=0, to_move=1, last="444436").to_dict()
    assert_same(GAME.from_dict(plain).to_dict(), plain, "position")
    with pytest.raises(InvalidInput, match="'344446' is not a move"):
        DouDiZhu(rules="openspiel").from_dict(plain)


def test_rules_without_auction_need_landlord() -> None:
    with pytest.raises(InvalidInput, match="no auction"):
        DouDiZhu(rules="rlcard").position(hands=[None, None, None])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_to_dict_from_dict_round_trip_is_byte_identical(data: st.DataObject, seed: int) -> None:
    game = DouDiZhu(rules=choose_rules(lambda values: data.draw(st.sampled_from(values))))
    for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
        read = game.from_dict(json.loads(json.dumps(state.to_dict())))
        assert_same(read.record, state.record, f"ply {state.record.decisions}")


def damaged(plain: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return plain data with one or two values changed."""
    for _ in range(chance.choice([1, 1, 2])):
        name = chance.choice(list(plain))
        value = plain[name]
        if isinstance(value, list) and value and chance.random() < 0.8:
            index = chance.randrange(len(value))
            other = chance.choice([0, 1, 5, "3", "pass", "", "BR", *value])
            plain |= {name: [*value[:index], other, *value[index + 1 :]]}
        else:
            plain |= {
                name: chance.choice([None, -1, 0, 1, 2, 3, 17, "3", "play", "over", "auction", "doubling", [], {}])
            }
    return plain


def play_on(state: State, chance: random.Random) -> None:
    """Play to the end at random; fail if there are more actions than a round can have."""
    for _ in range(1000):
        if state.is_terminal():
            return
        state.observation()
        state.apply_action(chance.choice(state.legal_actions()))
    raise AssertionError("no end")


@pytest.mark.parametrize("rules", ["classic", "online", "rlcard"])
def test_damaged_dict_raises_or_gives_playable_state(rules: str) -> None:
    game, refused = DouDiZhu(rules=rules), 0
    for seed in range(600):
        chance = random.Random(seed)
        plain = damaged(state_after(game, seed, chance.choice([0, 1, 2, 3, 6, 20, 500])).to_dict(), chance)
        try:
            state = game.from_dict(plain)
        except InvalidInput as error:
            assert "not a position" not in str(error), str(error)
            refused += 1
            continue
        play_on(state, chance)
    assert refused > 300


def test_game_needs_three_players() -> None:
    assert cardgames.make("doudizhu").num_players == 3
    with pytest.raises(InvalidInput, match="for 3 players"):
        cardgames.make("doudizhu", players=2)


@pytest.mark.parametrize("deck", [["3"] * 54, "34", [*"3456789TJQKA2" * 4, "B", "3"], [*"3456789TJQKA2" * 4, "BR"], 5])
def test_invalid_deck_raises(deck: Any) -> None:
    with pytest.raises(
        InvalidInput, match=r"a deck is all 54 cards|too many cards|deck is a text or a list of cards, not 5"
    ):
        GAME.new_initial_state(deck=deck)


def test_move_to_beat_counts_among_bombs_and_rockets() -> None:
    parts = {"hands": ["34", "555", "66"], "landlord": 0, "to_move": 2, "last_by": 1}
    game = DouDiZhu(rules="douzero")
    assert game.position(**parts, last="7777").to_dict()["bombs"] == 1
    assert game.position(**parts, last="BR").to_dict()["rockets"] == 1
    assert game.position(**parts, last="7777", bombs=3).to_dict()["bombs"] == 3


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"bombs": 1}, "bombs is 1, but the placed cards leave room for fewer"),
        ({"rockets": 1}, "rockets is 1, but the placed cards"),
        ({"to_move": 1}, "no seat has played, so the landlord must have the lead"),
    ],
)
def test_counted_bombs_without_played_cards_raise(parts: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        DouDiZhu(rules="douzero").position(hands=[20, 17, 17], landlord=0, **parts)


@pytest.mark.parametrize("seed", range(20))
def test_counted_bombs_and_rocket_are_among_played_cards(seed: int) -> None:
    state = DouDiZhu(rules="douzero").position(hands=["?8", "?9", 11], landlord=0, bombs=4, rockets=1, seed=seed)
    played = state.to_dict()["played"]
    assert sum(4 * rank in hand for rank in "3456789TJQKA2" for hand in played) >= 4
    assert any("BR" in hand for hand in played)
    assert_same(DouDiZhu(rules="douzero").from_dict(state.to_dict()).record, state.record, "record")


@pytest.mark.parametrize(
    "parts",
    [
        {"hands": ["3", "?5", "?6"], "bottom": "BR4", "rockets": 1},
        {"hands": ["666777888TT", "?17", "?17"], "bottom": "345", "bombs": 2},
        {"hands": ["666777888TTJJ", "?13", "?17"], "bottom": "B34", "bombs": 1, "rockets": 1},
        {"hands": ["666777888TTJJ", "?13", "?15"], "bottom": "345", "bombs": 2, "rockets": 1},
    ],
)
def test_played_bottom_cards_may_be_part_of_bombs(parts: dict[str, Any]) -> None:
    """The landlord has played the bottom cards that it does not hold, so few more cards complete a bomb or the rocket."""
    for seed in range(20):
        game = DouDiZhu(rules="douzero")
        state = game.position(landlord=0, seed=seed, **parts)
        assert_same(game.from_dict(state.to_dict()).record, state.record, f"seed {seed}, record")


def test_random_landlord_hand_keeps_bottom_cards_with_hypergeometric_chance() -> None:
    """Of 20 cards the landlord holds 5: both jokers in C(18, 3) of C(20, 5) cases, none in C(18, 5)."""
    parts: dict[str, Any] = {"hands": ["34567", 5, 5], "landlord": 1, "to_move": 1, "bottom": "2BR"}
    jokers = [0, 0, 0]
    for seed in range(1500):
        record = GAME.position(**parts, seed=seed).record
        jokers[sum(card in hand_to_text(record.hands[1]) for card in "BR")] += 1
    assert jokers[0] / 1500 == pytest.approx(math.comb(18, 5) / math.comb(20, 5), abs=0.05)
    assert jokers[2] / 1500 == pytest.approx(math.comb(18, 3) / math.comb(20, 5), abs=0.025)


@pytest.mark.parametrize(
    "parts",
    [
        {"hands": ["34567", 1, 5], "landlord": 1, "bottom": "2BR"},
        {"hands": [2, 9, "3366222"], "landlord": 0, "bombs": 5, "rockets": 1, "bottom": "2BR"},
        {"hands": [5, "?13", "?13"], "landlord": 0, "bombs": 2, "rockets": 1, "bottom": "44R"},
    ],
)
def test_landlord_with_few_cards_has_played_bottom_cards(parts: dict[str, Any]) -> None:
    for seed in range(20):
        game = DouDiZhu(rules="douzero")
        state = game.position(**parts, seed=seed)
        assert_same(game.from_dict(state.to_dict()).record, state.record, f"seed {seed}, record")


def test_hand_none_has_most_cards_consistent_with_plays() -> None:
    def counts(**parts: Any) -> list[int]:
        return [card_count(hand) for hand in GAME.position(**parts).record.hands]

    assert counts(hands=[None, None, None], landlord=1) == [17, 20, 17]
    assert counts(hands=[None, 5, None], landlord=0) == [18, 5, 17]
    assert counts(hands=[None, 5, None], landlord=0, to_move=2) == [19, 5, 16]
    assert counts(hands=[None, 5, None], landlord=0, to_move=2, last="3") == [19, 5, 17]


def test_largest_possible_number_of_bombs() -> None:
    """Each seat has played a few cards more than its bombs."""
    parts: dict[str, Any] = {"hands": ["?9", "?12", "?13"], "landlord": 0}
    assert DouDiZhu(rules="douzero").position(**parts, bombs=4).to_dict()["bombs"] == 4
    with pytest.raises(InvalidInput, match="bombs is 5, but the placed cards leave room for fewer"):
        DouDiZhu(rules="douzero").position(**parts, bombs=5)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hands": ["BR", "?5", "?6"], "rockets": 1}, "rockets is 1, but the placed cards leave room for fewer"),
        ({"hands": ["3456789TJQKA2", "?5", "?6"], "bombs": 1}, "bombs is 1, but the placed cards leave room for fewer"),
        (
            {"hands": ["?20", "9", "?17"], "to_move": 1},
            "the landlord leads first, so it must have played if any seat has",
        ),
        ({"hands": ["?20", "9", "?17"], "to_move": 2, "last": "7"}, "the landlord leads first, so it must have played"),
        ({"hands": ["?15", "?17", "?17"], "to_move": 1}, "seat 1 has not played, so it cannot have the lead"),
        ({"hands": ["3", "?5", "?6"], "bid": 3}, "bid must be 1 under bidding=none, not 3"),
    ],
)
def test_inconsistent_plays_or_bid_raise(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        DouDiZhu(rules="douzero").position(landlord=0, **parts)


@pytest.mark.parametrize(("last", "counted"), [("BR", "rockets"), ("4444", "bombs")])
def test_from_dict_needs_move_to_beat_among_counted_bombs(last: str, counted: str) -> None:
    game = DouDiZhu(rules="openspiel")
    data = game.position(hands=["3", "5", "6"], landlord=0, last=last, to_move=1).to_dict()
    assert data[counted] == 1
    assert_same(game.from_dict(data).to_dict(), data, "position")
    with pytest.raises(InvalidInput, match=f"{counted} must be at least 1: the move to beat is {last}"):
        game.from_dict(data | {counted: 0})


def test_from_dict_with_landlord_but_no_bid_raises() -> None:
    game, doubling, over = DouDiZhu(rules="online"), 0, 0
    for seed in range(5):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            data = state.to_dict()
            if data["phase"] == "doubling":
                doubling += 1
                with pytest.raises(InvalidInput, match="phase doubling contradicts"):
                    game.from_dict(data | {"bid": 0})
            state.apply_action(state.legal_actions()[-1])
        if state.winners():
            over += 1
            with pytest.raises(InvalidInput, match="phase over contradicts"):
                game.from_dict(state.to_dict() | {"bid": 0})
    assert doubling and over


def test_landlord_with_the_trick_has_played_at_least_twice() -> None:
    """The rocket alone is not enough, although the landlord then has the same number of cards."""
    for seed in range(20):
        plain = GAME.position(hands=[18, 5, 5], landlord=0, rockets=1, seed=seed).to_dict()
        assert plain["plays"][0] == 2 and plain["rockets"] == 1 and "BR" not in plain["played"][0]
    assert GAME.position(hands=[None, 5, None], landlord=0, to_move=1, last="3").to_dict()["plays"] == [2, 2, 0]


@pytest.mark.parametrize(
    "parts",
    [
        {"hands": [12, 13, 17], "bombs": 3},
        {"hands": [14, 13, 17], "bombs": 2, "rockets": 1},
        {"hands": [12, 14, 17], "bombs": 2, "rockets": 1},
        {"hands": ["33344455566TJ", "78934566TTTJJJ22", 17], "bottom": "789", "bombs": 1},
    ],
)
def test_landlord_plays_twice_if_bombs_are_not_all_its_cards(parts: dict[str, Any]) -> None:
    for seed in range(10):
        plain = GAME.position(**parts, landlord=0, seed=seed).to_dict()
        assert plain["plays"][0] == 2 and (plain["bombs"], plain["rockets"]) == (
            parts["bombs"],
            parts.get("rockets", 0),
        )


@pytest.mark.parametrize("played", ["one card", "one bomb"])
def test_landlord_that_played_once_loses_by_anti_spring(played: str) -> None:
    """The landlord has played one card, or only a bomb; a peasant goes out."""
    parts: dict[str, Any] = (
        {"hands": ["?19", "9", "?16"]} if played == "one card" else {"hands": ["?16", "9", "?16"], "bombs": 1}
    )
    game = DouDiZhu(overrides=["anti-spring=double", "shutout=none"])
    state = game.position(**parts, landlord=0, to_move=1, seed=1)
    assert state.to_dict()["plays"][0] == 1
    state.apply_action(game.parse_action("9"))
    assert state.returns()[0] == -4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bid": 2}, "bid must be 1 under bidding=none, not 2"),
        ({"plays": [20, 2, 2]}, "plays is a whole number from 0 to 18, not 20"),
        ({"rockets": 1}, "rockets is 1, but the cards played contain at most 0"),
        ({"bottom": "3"}, "there are 3 bottom cards, not '3'"),
    ],
)
def test_from_dict_of_impossible_data_raises(change: dict[str, object], message: str) -> None:
    data = DouDiZhu(rules="douzero").position(hands=["3B", "55R", "66"], landlord=0).to_dict()
    with pytest.raises(InvalidInput, match=message):
        DouDiZhu(rules="douzero").from_dict(data | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"robs": 3}, "robs must be 0 under bidding="), ({"doubles": [1, 2, 1]}, "under doubling=none")],
)
def test_from_dict_of_robs_or_doubles_outside_the_rules_raises(change: dict[str, object], message: str) -> None:
    data = DouDiZhu(rules="douzero").position(hands=["34", "555", "66"], landlord=0).to_dict()
    with pytest.raises(InvalidInput, match=message):
        DouDiZhu(rules="douzero").from_dict(data | change)


def test_cards_of_move_to_beat_cannot_be_an_earlier_bomb() -> None:
    """The landlord holds a card of every other rank."""
    parts: dict[str, Any] = {"hands": ["356789TJQKA2", "?5", "?6"], "landlord": 0, "to_move": 1, "last": "4"}
    with pytest.raises(InvalidInput, match="bombs is 1, but the placed cards leave room for fewer"):
        DouDiZhu(rules="douzero").position(**parts, bombs=1)


def test_bomb_goes_to_a_seat_with_room_for_it() -> None:
    """Of the landlord's 20 cards, 14 are the move to beat and 3 were bottom cards, so another seat played the bomb."""
    parts: dict[str, Any] = {"hands": [1, "?5", "?6"], "to_move": 1, "last": "33445566778899", "bottom": "TJQ"}
    game = DouDiZhu(rules="douzero")
    for seed in range(20):
        state = game.position(**parts, landlord=0, bombs=1, seed=seed)
        assert_same(game.from_dict(state.to_dict()).record, state.record, f"seed {seed}, record")


def test_rocket_goes_to_the_seat_that_had_a_joker() -> None:
    """The black joker was a bottom card, so the landlord played the rocket; only another seat has room for the bomb."""
    parts: dict[str, Any] = {"hands": ["666777888TTJJQ", "?13", "?17"], "bottom": "B34", "bombs": 1, "rockets": 1}
    for seed in range(5):
        played = DouDiZhu(rules="douzero").position(**parts, landlord=0, seed=seed).to_dict()["played"]
        assert "BR" in played[0] and len(set(played[1])) == 1
