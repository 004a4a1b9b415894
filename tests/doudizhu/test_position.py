"""Positions set up by hand, and states as plain data and back."""

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
from tests.doudizhu.hand_helpers import choose_rules
from tests.doudizhu.rounds import after, played

GAME = DouDiZhu()


def test_the_position_of_the_design() -> None:
    state = GAME.position(hands=["34567J", "88Q", 3], landlord=0, to_move=1, last="3", bottom="355", bid=2, seed=0)
    plain = state.to_dict()
    assert (plain["to_move"], plain["landlord"], plain["last"], plain["last_by"], plain["bid"]) == (1, 0, "3", 0, 2)
    assert plain["hands"][:2] == ["34567J", "88Q"] and len(plain["hands"][2]) == 3
    assert plain["phase"] == "play" and plain["winner"] is None
    assert {state.action_to_string(action) for action in state.legal_actions()} == {"pass", "8", "Q"}
    assert sum(int(hand) for hand in (*state.record.hands, *state.record.played)) == DECK
    assert "3" in plain["played"][0]


def test_a_pass_since_the_last_move_counts() -> None:
    state = GAME.position(hands=["4", "5", "67"], landlord=0, to_move=2, last="3", last_by=0)
    state.apply_action(0)
    assert state.current_player() == 0 and state.to_dict()["last"] is None


def test_without_a_landlord_the_auction_begins() -> None:
    state = GAME.position(hands=["33344455566677788", None, 17], to_move=2, bottom="2BR")
    assert state.current_player() == 2 and state.to_dict()["phase"] == "auction"
    for text in ("bid 1", "pass", "pass"):
        state.apply_action(GAME.parse_action(text))
    assert hand_to_text(state.record.hands[2]).endswith("2BR")


def test_random_hands_depend_on_the_seed_alone() -> None:
    parts: dict[str, Any] = {"hands": [None, 5, "?6"], "landlord": 1}
    assert GAME.position(**parts, seed=4).to_dict() == GAME.position(**parts, seed=4).to_dict()
    assert GAME.position(**parts, seed=4).to_dict() != GAME.position(**parts, seed=5).to_dict()
    assert [card_count(hand) for hand in GAME.position(**parts).record.hands] == [17, 5, 6]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hands": ["3", "4"]}, "hands are those of 3 seats"),
        ({"hands": ["", None, None]}, "in the auction each seat has 17 cards, not 0"),
        ({"hands": [5, None, None]}, "in the auction each seat has 17 cards, not 5"),
        ({"hands": "345"}, "hands is a list with a hand for each seat, not '345'"),
        ({"hands": ["33333", "4", "5"], "landlord": 0}, "more cards 3 than the deck"),
        ({"hands": ["333", "33", "5"], "landlord": 0}, "not that many cards 3"),
        ({"hands": ["3x", "4", "5"], "landlord": 0}, "is not a card"),
        ({"hands": ["", "4", "5"], "landlord": 0}, "seat 0 had 20 cards: it cannot hold 0"),
        ({"hands": ["3", 18, "5"], "landlord": 0}, "1 to 17, not 18"),
        ({"hands": ["3", "?x", "5"], "landlord": 0}, "is not a card"),
        ({"hands": ["3", "4", "5"], "landlord": 3}, "landlord is a seat from 0 to 2"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "to_move": -1}, "to_move is a seat"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last": "pass"}, "last is the move to beat"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last": "345"}, "'345' is no move"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last": "6", "last_by": 0}, "is not to move"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "last_by": 0}, "say which, as last"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bottom": "34"}, "3 cards lay at the bottom"),
        ({"hands": ["3", "4444", "5"], "landlord": 0, "bottom": "445"}, "not that many cards 4"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bid": 4}, "bid is a whole number from 1 to 3"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "rockets": 2}, "rockets is a whole number from 0 to 1"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "wind": 2}, "wind"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bottom": 5}, "bottom is a text, not 5"),
        ({"hands": ["3", "4", "5"], "landlord": 0, "bid": "2"}, "bid is a whole number, not '2'"),
        ({"hands": ["3", 1.5, "5"], "landlord": 0}, "is its cards or how many"),
        ({"hands": [None, 16, None]}, "in the auction each seat has 17 cards"),
        ({"hands": [None, None, None], "last": "3"}, "nothing has been played"),
        ({"hands": [None, None, None], "bid": 2}, "leave out last, last_by, bid"),
        ({"hands": [None, None, None], "bombs": 1}, "leave out last, last_by, bid"),
        ({"hands": [19, 8, None], "landlord": 0}, "the landlord, who is ahead, has played twice"),
        (
            {"hands": [19, 8, None], "landlord": 0, "to_move": 1, "last": "3"},
            "the landlord, who is ahead, has played twice",
        ),
    ],
)
def test_what_cannot_be_is_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        GAME.position(**parts)


def test_a_move_to_beat_that_nobody_can_have_played_is_refused() -> None:
    game = DouDiZhu(overrides=["size-cap=none"])
    with pytest.raises(InvalidInput, match="nobody can have played 33445566"):
        game.position(hands=["3", "4", "5"], landlord=0, last="33445566778899TTJJQQKKAA", last_by=2)


def test_plain_data_with_a_move_that_the_rules_forbid_is_refused() -> None:
    plain = GAME.position(hands=["3", "666", "5"], landlord=0, to_move=1, last="444436").to_dict()
    assert GAME.from_dict(plain).to_dict() == plain
    with pytest.raises(InvalidInput, match="'344446' is no move"):
        DouDiZhu(rules="openspiel").from_dict(plain)


def test_rules_without_an_auction_need_a_landlord() -> None:
    with pytest.raises(InvalidInput, match="no auction"):
        DouDiZhu(rules="rlcard").position(hands=[None, None, None])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_every_state_is_read_back_to_the_byte(data: st.DataObject, seed: int) -> None:
    game = DouDiZhu(rules=choose_rules(lambda values: data.draw(st.sampled_from(values))))
    for state in played(game.new_initial_state(seed=seed), random.Random(seed)):
        read = game.from_dict(json.loads(json.dumps(state.to_dict())))
        assert read.record.tobytes() == state.record.tobytes()


def changed(plain: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Plain data with one or two things in it changed."""
    for _ in range(chance.choice([1, 1, 2])):
        name = chance.choice(list(plain))
        value = plain[name]
        if isinstance(value, list) and value and chance.random() < 0.8:
            at = chance.randrange(len(value))
            other = chance.choice([0, 1, 5, "3", "pass", "", "BR", *value])
            plain |= {name: [*value[:at], other, *value[at + 1 :]]}
        else:
            plain |= {
                name: chance.choice([None, -1, 0, 1, 2, 3, 17, "3", "play", "over", "auction", "doubling", [], {}])
            }
    return plain


def play_on(state: State, chance: random.Random) -> None:
    """Play to the end, within as many decisions as there can be."""
    for _ in range(1000):
        if state.is_terminal():
            return
        state.observation()
        state.apply_action(chance.choice(state.legal_actions()))
    raise AssertionError("no end")


@pytest.mark.parametrize("rules", ["classic", "online", "rlcard"])
def test_damaged_data_is_refused_or_can_be_played(rules: str) -> None:
    game, refused = DouDiZhu(rules=rules), 0
    for seed in range(600):
        chance = random.Random(seed)
        plain = changed(after(game, seed, chance.choice([0, 1, 2, 3, 6, 20, 500])).to_dict(), chance)
        try:
            state = game.from_dict(plain)
        except InvalidInput as error:
            assert "not a position" not in str(error), str(error)
            refused += 1
            continue
        play_on(state, chance)
    assert refused > 300


def test_a_game_is_for_three() -> None:
    assert cardgames.make("doudizhu").num_players == 3
    with pytest.raises(InvalidInput, match="for 3 players"):
        cardgames.make("doudizhu", players=2)


@pytest.mark.parametrize("deck", [["3"] * 54, "34", [*"3456789TJQKA2" * 4, "B", "3"], [*"3456789TJQKA2" * 4, "BR"], 5])
def test_a_wrong_deck_is_refused(deck: Any) -> None:
    with pytest.raises(
        InvalidInput, match=r"a deck is the 54 cards|more cards|deck is a text or a list of cards, not 5"
    ):
        GAME.new_initial_state(deck=deck)


def test_a_bomb_on_the_table_is_counted() -> None:
    parts = {"hands": ["34", "555", "66"], "landlord": 0, "to_move": 2, "last_by": 1}
    game = DouDiZhu(rules="douzero")
    assert game.position(**parts, last="7777").to_dict()["bombs"] == 1
    assert game.position(**parts, last="BR").to_dict()["rockets"] == 1
    assert game.position(**parts, last="7777", bombs=3).to_dict()["bombs"] == 3


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"bombs": 1}, "bombs is 1, but where the cards lie fewer can have been played"),
        ({"rockets": 1}, "rockets is 1, but where"),
        ({"to_move": 1}, "nobody has played: the landlord leads"),
    ],
)
def test_where_nobody_has_played_nothing_is_counted(parts: dict[str, int], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        DouDiZhu(rules="douzero").position(hands=[20, 17, 17], landlord=0, **parts)


@pytest.mark.parametrize("seed", range(20))
def test_bombs_and_the_rocket_lie_where_they_were_played(seed: int) -> None:
    state = DouDiZhu(rules="douzero").position(hands=["?8", "?9", 11], landlord=0, bombs=4, rockets=1, seed=seed)
    played = state.to_dict()["played"]
    assert sum(4 * rank in hand for rank in "3456789TJQKA2" for hand in played) >= 4
    assert any("BR" in hand for hand in played)
    assert DouDiZhu(rules="douzero").from_dict(state.to_dict()).record.tobytes() == state.record.tobytes()


@pytest.mark.parametrize(
    "parts",
    [
        {"hands": ["3", "?5", "?6"], "bottom": "BR4", "rockets": 1},
        {"hands": ["666777888TT", "?17", "?17"], "bottom": "345", "bombs": 2},
        {"hands": ["666777888TTJJ", "?13", "?17"], "bottom": "B34", "bombs": 1, "rockets": 1},
        {"hands": ["666777888TTJJ", "?13", "?15"], "bottom": "345", "bombs": 2, "rockets": 1},
    ],
)
def test_cards_of_the_bottom_are_part_of_what_was_played(parts: dict[str, Any]) -> None:
    """The landlord has played those he does not hold, so it takes few more to make a bomb, or the rocket, of them."""
    for seed in range(20):
        game = DouDiZhu(rules="douzero")
        state = game.position(landlord=0, seed=seed, **parts)
        assert game.from_dict(state.to_dict()).record.tobytes() == state.record.tobytes()


def test_a_landlord_of_a_number_of_cards_holds_cards_of_the_bottom_as_chance_has_it() -> None:
    """Of his twenty he holds five: both jokers in C(18, 3) of C(20, 5) cases, none in C(18, 5)."""
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
def test_a_landlord_of_few_cards_has_played_cards_of_the_bottom(parts: dict[str, Any]) -> None:
    for seed in range(20):
        game = DouDiZhu(rules="douzero")
        state = game.position(**parts, seed=seed)
        assert game.from_dict(state.to_dict()).record.tobytes() == state.record.tobytes()


def test_as_many_cards_as_there_could_be_are_those_after_who_must_have_played_has() -> None:
    def counts(**parts: Any) -> list[int]:
        return [card_count(hand) for hand in GAME.position(**parts).record.hands]

    assert counts(hands=[None, None, None], landlord=1) == [17, 20, 17]
    assert counts(hands=[None, 5, None], landlord=0) == [18, 5, 17]
    assert counts(hands=[None, 5, None], landlord=0, to_move=2) == [19, 5, 16]
    assert counts(hands=[None, 5, None], landlord=0, to_move=2, last="3") == [19, 5, 17]


def test_as_many_bombs_as_there_can_be() -> None:
    """Each seat has played a few cards more than its bombs."""
    parts: dict[str, Any] = {"hands": ["?9", "?12", "?13"], "landlord": 0}
    assert DouDiZhu(rules="douzero").position(**parts, bombs=4).to_dict()["bombs"] == 4
    with pytest.raises(InvalidInput, match="bombs is 5, but where the cards lie fewer can have been played"):
        DouDiZhu(rules="douzero").position(**parts, bombs=5)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"hands": ["BR", "?5", "?6"], "rockets": 1}, "rockets is 1, but where the cards lie fewer"),
        ({"hands": ["3456789TJQKA2", "?5", "?6"], "bombs": 1}, "bombs is 1, but where the cards lie fewer"),
        ({"hands": ["?20", "9", "?17"], "to_move": 1}, "the landlord leads: he has played, if anybody has"),
        ({"hands": ["?20", "9", "?17"], "to_move": 2, "last": "7"}, "the landlord leads: he has played"),
        ({"hands": ["?15", "?17", "?17"], "to_move": 1}, "seat 1 has not played, so it cannot have taken the lead"),
        ({"hands": ["3", "?5", "?6"], "bid": 3}, "bid is 1 under bidding=none, not 3"),
    ],
)
def test_who_played_and_bid_must_have_been_able_to(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        DouDiZhu(rules="douzero").position(landlord=0, **parts)


@pytest.mark.parametrize(("last", "counted"), [("BR", "rockets"), ("4444", "bombs")])
def test_a_bomb_to_beat_is_counted(last: str, counted: str) -> None:
    game = DouDiZhu(rules="openspiel")
    data = game.position(hands=["3", "5", "6"], landlord=0, last=last, to_move=1).to_dict()
    assert data[counted] == 1 and game.from_dict(data).to_dict() == data
    with pytest.raises(InvalidInput, match=f"{counted} is at least 1 by the move to beat, {last}"):
        game.from_dict(data | {counted: 0})


def test_a_landlord_has_bid() -> None:
    game, doubling, over = DouDiZhu(rules="online"), 0, 0
    for seed in range(5):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            data = state.to_dict()
            if data["phase"] == "doubling":
                doubling += 1
                with pytest.raises(InvalidInput, match="phase doubling does not go with"):
                    game.from_dict(data | {"bid": 0})
            state.apply_action(state.legal_actions()[-1])
        if state.winners():
            over += 1
            with pytest.raises(InvalidInput, match="phase over does not go with"):
                game.from_dict(state.to_dict() | {"bid": 0})
    assert doubling and over


def test_a_landlord_ahead_of_those_who_have_played_has_done_so_twice() -> None:
    """Not by the rocket alone, though he holds as few cards less."""
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
def test_a_landlord_who_has_played_more_may_have_ended_with_a_bomb(parts: dict[str, Any]) -> None:
    for seed in range(10):
        plain = GAME.position(**parts, landlord=0, seed=seed).to_dict()
        assert plain["plays"][0] == 2 and (plain["bombs"], plain["rockets"]) == (
            parts["bombs"],
            parts.get("rockets", 0),
        )


@pytest.mark.parametrize("played", ["one card", "one bomb"])
def test_who_has_played_once_may_lose_by_an_anti_spring(played: str) -> None:
    """The landlord has played one card, or a bomb and no more; a peasant goes out."""
    parts: dict[str, Any] = (
        {"hands": ["?19", "9", "?16"]} if played == "one card" else {"hands": ["?16", "9", "?16"], "bombs": 1}
    )
    game = DouDiZhu(overrides=["anti-spring=double", "shutout=none"])
    state = game.position(**parts, landlord=0, to_move=1, seed=1)
    assert state.to_dict()["plays"][0] == 1
    state.apply_action(game.parse_action("9"))
    assert state.returns()[0] == -4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bid": 2}, "bid is 1 under bidding=none, not 2"),
        ({"plays": [20, 2, 2]}, "plays is a whole number from 0 to 18, not 20"),
        ({"rockets": 1}, "rockets is at most 0 by the cards played, not 1"),
        ({"bottom": "3"}, "3 cards lay at the bottom, not '3'"),
    ],
)
def test_plain_data_of_what_cannot_have_been_is_refused(change: dict[str, object], words: str) -> None:
    data = DouDiZhu(rules="douzero").position(hands=["3B", "55R", "66"], landlord=0).to_dict()
    with pytest.raises(InvalidInput, match=words):
        DouDiZhu(rules="douzero").from_dict(data | change)


@pytest.mark.parametrize(
    ("change", "words"),
    [({"robs": 3}, "nobody robs under bidding="), ({"doubles": [1, 2, 1]}, "under doubling=none doubles are of")],
)
def test_what_the_rules_never_say_is_refused(change: dict[str, object], words: str) -> None:
    data = DouDiZhu(rules="douzero").position(hands=["34", "555", "66"], landlord=0).to_dict()
    with pytest.raises(InvalidInput, match=words):
        DouDiZhu(rules="douzero").from_dict(data | change)


def test_cards_of_the_move_to_beat_were_no_bomb_before() -> None:
    """Of every other rank the landlord holds a card."""
    parts: dict[str, Any] = {"hands": ["356789TJQKA2", "?5", "?6"], "landlord": 0, "to_move": 1, "last": "4"}
    with pytest.raises(InvalidInput, match="bombs is 1, but where the cards lie fewer can have been played"):
        DouDiZhu(rules="douzero").position(**parts, bombs=1)


def test_a_landlord_without_room_for_a_bomb_beside_the_bottom_played_none() -> None:
    """Of his twenty cards fourteen are the move to beat and three lay at the bottom."""
    parts: dict[str, Any] = {"hands": [1, "?5", "?6"], "to_move": 1, "last": "33445566778899", "bottom": "TJQ"}
    game = DouDiZhu(rules="douzero")
    for seed in range(20):
        state = game.position(**parts, landlord=0, bombs=1, seed=seed)
        assert game.from_dict(state.to_dict()).record.tobytes() == state.record.tobytes()


def test_room_is_kept_for_a_rocket_that_one_seat_alone_can_have_played() -> None:
    """The black joker lay at the bottom, so the bomb is another's, who has just the room."""
    parts: dict[str, Any] = {"hands": ["666777888TTJJQ", "?13", "?17"], "bottom": "B34", "bombs": 1, "rockets": 1}
    for seed in range(5):
        played = DouDiZhu(rules="douzero").position(**parts, landlord=0, seed=seed).to_dict()["played"]
        assert "BR" in played[0] and len(set(played[1])) == 1
