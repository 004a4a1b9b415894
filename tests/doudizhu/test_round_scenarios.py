"""Scenarios of whole rounds: the deal, the auction, tricks, payoffs."""

import random

import pytest

import cardgames
from cardgames.core.state import State
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import DECK, PRESETS
from tests.referees.doudizhu import in_order
from tests.referees.doudizhu_rounds import minus

TABLE_2 = ("34444566789TJQQAAA22", "3355678899TJJJQKK", "3567789TTQKKA22BR")
"""Hands of table 2 in paper 004, the landlord's first; sevens and nines are corrected to the number in the deck."""


def play(state: State, *texts: str) -> State:
    """Apply actions given as text and return the state."""
    for text in texts:
        state.apply_action(state.game.parse_action(text))
    return state


def legal_texts(state: State) -> set[str]:
    """Return the legal actions as text."""
    return {state.action_to_string(action) for action in state.legal_actions()}


def auction(rules: str, *overrides: str, first: int = 0) -> State:
    """Return a round at the start of its auction; seat `first` acts first."""
    return DouDiZhu(rules=rules, overrides=overrides).new_initial_state(seed=1, dealer=first)


def payoffs_after(rules: str, *overrides: str, moves: str, **parts: object) -> list[float]:
    """Return the payoffs at the end of a position after some moves."""
    state = play(DouDiZhu(rules=rules, overrides=overrides).position(**parts), *moves.split())
    assert state.is_terminal()
    return state.returns()


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_deck_is_dealt(preset: str) -> None:
    game = DouDiZhu(rules=preset)
    for seed in range(20):
        state = game.new_initial_state(seed=seed)
        assert in_order("".join(game.deck_of(state))) == DECK
        while state.record.landlord < 0:
            assert [len(hand) for hand in game.hands_of(state.record)] == [17, 17, 17]
            bids = [action for action in state.legal_actions() if action > 0]
            state.apply_action(bids[seed % len(bids)])
        assert [len(hand) for hand in game.hands_of(state.record)][state.record.landlord] == 20
        assert in_order("".join(game.hands_of(state.record))) == DECK


def test_pass_is_illegal_for_leader_and_legal_for_followers() -> None:
    chance = random.Random(0)
    for seed in range(30):
        state = DouDiZhu(rules="rlcard").new_initial_state(seed=seed)
        while not state.is_terminal():
            assert ("pass" in legal_texts(state)) == bool(state.record.last)
            state.apply_action(chance.choice(state.legal_actions()))


def test_player_who_passed_may_play_later_in_the_trick() -> None:
    state = DouDiZhu().position(hands=["3A7", "58", "69"], landlord=0)
    play(state, "3", "pass", "6", "pass")
    assert state.current_player() == 1 and legal_texts(state) == {"pass", "8"}


def test_peasant_may_beat_partner() -> None:
    state = DouDiZhu().position(hands=["3A7", "58", "69"], landlord=0)
    assert legal_texts(play(state, "3", "5")) == {"pass", "6", "9"}


def table_2(rules: str) -> State:
    """Return the position of table 2 in paper 004."""
    landlord, down, up = TABLE_2
    missing = minus(DECK, landlord + down + up)
    assert missing == ""
    return DouDiZhu(rules=rules).position(hands=TABLE_2, landlord=0)


MOVES_OF_TABLE_2 = (
    "56789TJ pass pass 444436 pass pass QQAAA pass BR pass pass 56789 pass 6789T pass pass 55 22 pass pass TT 22"
)


def test_round_of_table_2_of_paper_004() -> None:
    state = table_2("classic")
    for text in MOVES_OF_TABLE_2.split():
        assert state.game.parse_action(text) in state.legal_actions(), text
        play(state, text)
    assert state.is_terminal() and state.winners() == [0]
    assert (state.record.bombs, state.record.rockets) == (0, 1)
    assert state.returns() == [2.0, -1.0, -1.0]


def test_openspiel_rules_forbid_quad_with_kickers_of_table_2() -> None:
    state = play(table_2("openspiel"), "56789TJ", "pass", "pass")
    with pytest.raises(InvalidInput, match="444436"):
        play(state, "444436")


def test_pass_is_legal_with_a_beating_move_in_hand() -> None:
    state = DouDiZhu().position(hands=["56789TJ3", "6789TJQ44", "6"], landlord=0)
    assert legal_texts(play(state, "56789TJ")) == {"pass", "6789TJQ"}


@pytest.mark.parametrize("rules", ["classic", "openspiel"])
def test_bids_rise_and_bid_3_ends_the_auction(rules: str) -> None:
    state = play(auction(rules), "pass", "bid 1", "pass")
    assert state.current_player() == 0 and legal_texts(state) == {"pass", "bid 2", "bid 3"}
    state = play(auction(rules), "bid 1", "pass", "pass")
    assert (state.record.landlord, state.record.bid, state.current_player()) == (0, 1, 0)
    state = play(auction(rules), "bid 2")
    assert legal_texts(state) == {"pass", "bid 3"}
    assert play(state, "bid 3").record.landlord == 1


def test_re_entry_banned_skips_seats_that_passed() -> None:
    state = play(auction("classic", "re-entry=banned"), "pass", "bid 1", "bid 2")
    assert state.current_player() == 1
    assert play(state, "pass").record.landlord == 2
    assert play(auction("classic", "re-entry=banned"), "pass", "pass", "bid 1").record.landlord == 2


def test_auction_end_once_gives_each_seat_one_action() -> None:
    state = play(auction("classic", "auction-end=once"), "bid 1", "bid 2", "pass")
    assert (state.record.landlord, state.record.bid) == (1, 2)


def test_all_pass_redeals_or_voids_the_round() -> None:
    state = play(auction("classic", first=2), "pass", "pass", "pass")
    assert not state.is_terminal() and state.record.redeals == 1 and state.record.landlord < 0
    state = play(auction("openspiel", first=1), "pass", "pass", "pass")
    assert state.is_terminal() and state.returns() == [0.0, 0.0, 0.0] and state.winners() == []


def test_round_is_void_after_100_redeals() -> None:
    state = auction("classic")
    for _ in range(100):
        play(state, "pass", "pass", "pass")
        assert not state.is_terminal()
    assert play(state, "pass", "pass", "pass").is_terminal()


def test_call_rob_auction() -> None:
    state = play(auction("online"), "call", "rob", "pass", "rob")
    assert (state.record.landlord, state.record.robs, state.record.bid) == (0, 2, 1)
    state = play(auction("online"), "call", "pass", "pass")
    assert (state.record.landlord, state.record.robs) == (0, 0)
    state = play(auction("online"), "call", "rob", "rob", "pass")
    assert (state.record.landlord, state.record.robs) == (2, 2)
    state = play(auction("online"), "pass", "call", "rob")
    assert state.current_player() == 1, "a seat that declined to call may not rob"
    assert play(state, "pass").record.landlord == 2
    assert play(auction("online"), "pass", "pass", "call").record.landlord == 2


def test_robs_and_doubling_multiply_each_peasants_payoff() -> None:
    state = play(auction("online", "doubling=super"), "call", "rob", "pass", "pass")
    assert state.current_player() == 2 and legal_texts(state) == {"pass", "double", "super double"}
    play(state, "double", "pass", "super double")
    assert state.current_player() == state.record.landlord == 1
    won = state.record.copy()
    won.winner, won.phase, won.bombs = 1, 3, 1
    won.play_counts[:] = 2
    returns = State(state.game, won, []).returns()
    assert returns == [-16.0, 48.0, -32.0], "2 for the rob, 2 for the bomb, 4 for the landlord, 2 for seat 2"
    capped = DouDiZhu(rules="online", overrides=["doubling=super", "multiplier-cap=20"])
    assert State(capped, won, []).returns() == [-16.0, 36.0, -20.0]


@pytest.mark.parametrize(("rules", "payoffs"), [("openspiel", [16, -8, -8]), ("classic", [4, -2, -2])])
def test_payoffs_with_bombs_and_rocket(rules: str, payoffs: list[float]) -> None:
    moves = "3333 pass pass BR pass pass 7"
    assert payoffs_after(rules, moves=moves, hands=["33337BR", "88", "99"], landlord=0, bid=2) == payoffs


@pytest.mark.parametrize(("rules", "payoffs"), [("openspiel", [2, -1, -1]), ("classic", [4, -2, -2])])
def test_payoffs_if_one_peasant_never_played_and_landlord_wins(rules: str, payoffs: list[float]) -> None:
    assert payoffs_after(rules, moves="3", hands=["3", None, "5"], landlord=0, bid=1) == payoffs


@pytest.mark.parametrize(("rules", "payoffs"), [("openspiel", [-2, 1, 1]), ("classic", [-4, 2, 2])])
def test_payoffs_if_one_peasant_never_played_and_partner_wins(rules: str, payoffs: list[float]) -> None:
    assert payoffs_after(rules, moves="3 pass 4", hands=["37", None, "4"], landlord=0, bid=1) == payoffs


def test_spring_with_all_20_cards_in_one_move() -> None:
    landlord = "33344455566677789TJQ"
    rest = minus(DECK, landlord)
    deck = [*landlord[:17], *rest, *landlord[17:]]
    state = play(DouDiZhu(rules="openspiel").new_initial_state(deck=deck, dealer=0), "bid 3")
    assert play(state, landlord).returns() == [12.0, -6.0, -6.0]
    state = play(DouDiZhu(rules="classic").new_initial_state(deck=deck, dealer=0), "bid 1", "pass", "pass")
    assert play(state, landlord).returns() == [4.0, -2.0, -2.0]


@pytest.mark.parametrize(
    ("overrides", "payoffs"),
    [([], [-4, 2, 2]), (["anti-spring=triple"], [-6, 3, 3]), (["anti-spring=none"], [-2, 1, 1])],
)
def test_payoffs_of_anti_spring(overrides: list[str], payoffs: list[float]) -> None:
    parts = {"hands": [19, "4", None], "landlord": 0, "to_move": 1, "bid": 1}
    assert payoffs_after("openspiel", *overrides, moves="4", **parts) == payoffs


@pytest.mark.parametrize(
    ("payoff", "won", "lost"), [("win-loss", [1, -1, -1], [-1, 1, 1]), ("rlcard", [1, 0, 0], [0, 1, 1])]
)
def test_payoff_rules_win_loss_and_rlcard(payoff: str, won: list[float], lost: list[float]) -> None:
    parts = {"hands": ["37", "4", "5"], "landlord": 0}
    assert payoffs_after("classic", f"payoff={payoff}", moves="7 pass pass 3", **parts) == won
    assert payoffs_after("classic", f"payoff={payoff}", moves="3 4", **parts) == lost


def test_dealer_argument_sets_first_bidder() -> None:
    game = cardgames.make("doudizhu")
    assert [game.new_initial_state(seed=3, dealer=seat).current_player() for seat in range(3)] == [0, 1, 2]
    drawn = {game.new_initial_state(seed=seed).current_player() for seed in range(30)}
    assert drawn == {0, 1, 2}
    fixed = DouDiZhu(overrides=["first-bidder=seat-0"])
    assert {fixed.new_initial_state(seed=seed, dealer=2).current_player() for seed in range(5)} == {0}


def test_first_bidder_is_landlord_without_auction() -> None:
    state = DouDiZhu(rules="rlcard", overrides=["first-bidder=random"]).new_initial_state(seed=1, dealer=2)
    assert (state.record.landlord, state.current_player(), int(state.record.counts[2])) == (2, 2, 20)


@pytest.mark.parametrize("preset", PRESETS)
def test_cards_are_conserved_and_rounds_end(preset: str) -> None:
    game, chance = DouDiZhu(rules=preset), random.Random(0)
    for seed in range(40):
        state = game.new_initial_state(seed=seed)
        auctions = 0
        while not state.is_terminal():
            record = state.record
            hands = [int(hand) for hand in (*record.hands, *record.played)]
            undealt_bottom = int(record.bottom) if record.landlord < 0 else 0
            assert sum(hands) + undealt_bottom == hand_from_text(DECK)
            auctions += record.phase < 2
            state.apply_action(chance.choice(state.legal_actions()))
        assert state.record.turns <= 3 * 54 and state.record.decisions == state.record.turns + auctions
