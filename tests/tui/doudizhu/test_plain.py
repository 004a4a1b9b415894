"""Line mode of Dou Di Zhu."""

import io
from typing import Any

import pytest

from cardgames.core.state import State
from cardgames.tui.line_table import play_plain, watch_plain
from cardgames.tui.session import Session
from tests.tui.company import FAST, Scripted, doudizhu, seated, set_up
from tests.tui.doudizhu.scenes import LATER_HAND, following, leading


def played(state: State, *lines: str, others: tuple[Any, ...] = (), **options: Any) -> str:
    out = io.StringIO()
    session = set_up(Session(state.game, [None, *(others or (Scripted(), Scripted()))]), state)
    play_plain(session, io.StringIO("".join(line + "\n" for line in lines)), out, **options)
    return out.getvalue()


def test_line_mode_shows_table_in_words():
    state = following("TT", hands=[LATER_HAND, 13, None], bottom="3QR", bid=2, bombs=1, rules="openspiel")
    shown = played(state, "x")
    assert "scripted 1: peasant, 13 cards" in shown
    assert "scripted 2: peasant, 15 cards, last TT" in shown
    assert "stake 2 × 2, 1 bomb; the landlord's three cards: 3 Q R" in shown
    assert "to beat: TT, a pair, by scripted 2" in shown
    assert "your hand (landlord): 333 44 55 6 7 99 T QQQQ 2 B R" in shown
    assert "you may: #1 pass   #2 QQ   #3 QQQQ   #4 BR" in shown
    assert shown.endswith("Goodbye.\n")


def test_stake_respects_multiplier_cap():
    state = leading("3R", "multiplier-cap=4", hands=["3R", 17, 17], bombs=3, bid=2, rules="openspiel")
    assert "stake 2 × 4, 3 bombs" in played(state, "x")


def test_few_moves_are_numbered_and_digits_stay_cards():
    assert "you: QQ" in played(following("TT"), "#2", "x")
    assert "you: 3\n" in played(leading(), "3", "x")
    assert "you: Q\n" in played(leading(), "q", "x")


def test_many_moves_are_summarized_and_help_lists_them():
    shown = played(leading(), "?", "x")
    assert "you may play: 12 solos, 5 pairs, 2 trios, " in shown and "1 bomb, 1 rocket (? lists them)" in shown
    assert "  pairs: 33 44 55 99 QQ\n" in shown and "  bomb: QQQQ\n" in shown
    assert "Type a move as its cards" in shown and "spring=none: " in shown


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "no cards are chosen"),
        ("zz", "'Z' in 'zz' is not a card"),
        ("#9", "there is no #9: choose from #1 to #4"),
        ("34", "34 is not a combination"),
        ("99", "99, a pair, does not beat TT: that takes a higher pair, a bomb or the rocket"),
        ("AA", "you do not hold AA"),
        ("bid 3", "bid 3 is not allowed now: choose from pass, cards"),
        ("\x00", "is not a card"),
    ],
)
def test_illegal_line_is_rejected_with_reason(wrong: str, why: str):
    shown = played(following("TT"), wrong, "qq", "x")
    answer = next(line for line in shown.splitlines() if "or h: hint, ?: help, x: quit" in line)
    assert why in answer
    assert "you: QQ" in shown


def test_auction_is_played_with_typed_words():
    state = doudizhu(rules="online").position(hands=["33445566778899TTJ", None, None], seed=1)
    shown = played(state, "5", "bid 4", "c", "call", "double", "x")
    assert "no call yet; the landlord's three cards: hidden" in shown
    assert shown.count("no cards are played yet: choose from pass, call") == 3
    assert "you: call" in shown and "you are the landlord" in shown and "you take up " in shown
    assert "you: double" in shown and "stake 1" in shown
    assert "you lead\n" in shown and "your hand (landlord, × 2): " in shown


def test_hint_names_a_move():
    assert "scripted would play QQ" in played(following("TT"), "h", "x", hint=lambda: Scripted("QQ"))


def test_round_result_shows_both_peasants_as_winners():
    state = doudizhu().position(hands=["9", "345QQQ", "78"], landlord=1, to_move=0, bid=3)
    shown = played(state, "9", "n", "x")
    assert "Round over: you and scripted 2 won." in shown
    assert "scripted 1: -6, holds 3 4 5 QQQ" in shown
    assert "landlord: scripted 1, stake 3" in shown
    assert "points: you 3, scripted 1 -6, scripted 2 3" in shown


def test_whole_round_can_be_played_by_action_numbers():
    session = seated(doudizhu(rules="rlcard"), None, "rhcp", "random", seed=3)
    out = io.StringIO()
    play_plain(session, io.StringIO("#1\n" * 300), out)
    assert "Round over" in out.getvalue()


def test_watch_mode_shows_hands_after_redeal():
    out = io.StringIO()
    watch_plain(seated(doudizhu(), "rlcard-rule", "rlcard-rule", "rlcard-rule", seed=3), out, FAST)
    before, again, after = out.getvalue().partition("all passed, the cards are dealt again\n")
    assert again, "this seed's first auction finds no landlord"
    first, second = before.partition("Round 1\n")[2].splitlines()[:3], after.splitlines()[1:4]
    assert all(len("".join(line.partition(": ")[2].split())) == 17 for line in second) and second != first


def test_watch_mode_shows_every_card():
    out = io.StringIO()
    watch_plain(seated(doudizhu(), "rhcp", "random", "rhcp", seed=1), out, FAST)
    shown = out.getvalue()
    first = shown.partition("Round 1\n")[2].splitlines()[:3]
    assert all(len("".join(line.partition(": ")[2].split())) == 17 for line in first)
    assert "Round over" in shown


def test_stake_line_names_highest_bidder():
    state = doudizhu().position(hands=["33445566778899TTJ", None, None], to_move=1, seed=1)
    for said in ("bid 2", "pass"):
        state.apply_action(state.game.parse_action(said))
    assert "stake 2, bid by scripted 1; the landlord's three cards: hidden" in played(state, "x")


def test_rocket_doubles_stake_only_under_rocket_doubling():
    for rule, stake in (("double", "stake 2 × 2, 1 rocket;"), ("none", "stake 2, 1 rocket;")):
        state = leading("3K", f"rocket-doubling={rule}", hands=["3K", 17, 17], rockets=1, bid=2, rules="openspiel")
        assert stake in played(state, "x")


def test_payoff_explanation_names_seats_that_doubled():
    game = doudizhu("anti-spring=double", "shutout=double", "doubling=double")
    state = game.position(hands=["5", "47", "36"], landlord=1, to_move=1, bid=1)
    state = game.from_dict(state.to_dict() | {"doubles": [2, 1, 1]})
    shown = played(state, "5", "x", others=(Scripted("4"), Scripted("pass")))
    assert "  landlord: scripted 1, stake 1, you doubled × 2\n" in shown


@pytest.mark.parametrize(
    ("play_counts", "factors"),
    [([1, 1, 0], "1 × 4, anti-spring, shutout"), ([1, 1, 1], "1 × 2, anti-spring"), ([1, 2, 0], "1 × 2, shutout")],
)
def test_payoff_explanation_names_anti_spring_and_shutout(play_counts: list[int], factors: str):
    game = doudizhu("anti-spring=double", "shutout=double")
    state = game.position(hands=["5", "47", "36"], landlord=1, to_move=0, bid=1)
    state.apply_action(game.parse_action("5"))
    state.record.play_counts[:] = play_counts
    session = Session(game, [None, Scripted(), Scripted()])
    session.begin(state)
    assert session.line_mode.explain_payoffs(session) == f"landlord: scripted 1, stake {factors}"
