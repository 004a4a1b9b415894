"""Line mode of Uno and of a game without a theme."""

import io
import re
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardgames.agents.agent_factory import agent
from cardgames.kernels import compile_cache
from cardgames.tui.line_table import play_plain, watch_plain
from cardgames.tui.session import PACE, Session
from tests.core.toy import Highest
from tests.tui.company import FAST, FakeSearch, Scripted, seated, set_up, uno


def played(session: Session, *lines: str, **options: Any) -> str:
    out = io.StringIO()
    play_plain(session, io.StringIO("".join(line + "\n" for line in lines)), out, **options)
    return out.getvalue()


def small(hands: list[Any] | None = None, *agents: Any, **parts: Any) -> Session:
    game = uno(2)
    parts.setdefault("top", "r5")
    state = game.position(hands=hands or ["r1 r2 g7 w", "y1 y2"], **parts)
    return set_up(Session(game, [None, *(agents or [Scripted()])]), state)


def test_line_mode_shows_table_in_words():
    shown = played(small(), "q")
    assert "scripted 1: 2 cards" in shown
    assert "top card r5, color red, play goes clockwise" in shown
    assert "your hand: red r1 r2 | green g7 | wild w" in shown
    assert "you may: 1 r1   2 r2   3 w:r   4 w:g   5 w:b   6 w:y   7 draw" in shown
    assert "y1" not in shown


def test_moves_can_be_typed_as_words_or_numbers():
    shown = played(small(), "w:b", "quiet", "1", "q")
    assert "you: w:b" in shown and "color blue" in shown
    assert "you: r1" in played(small(), "1", "q") and "you: w:g" in played(small(), "wg", "q")


@pytest.mark.parametrize("wrong", ["", "zz", "g7", "8", "catch 1", "\x00"])
def test_illegal_line_is_rejected_and_read_again(wrong: str):
    shown = played(small(), wrong, "r1", "q")
    answer = next(line for line in shown.splitlines() if "or h: hint, ?: help, q: quit" in line)
    assert "choose from r1, r2, w:r" in answer
    assert "you: r1" in shown


@pytest.mark.parametrize(("overrides", "shown"), [([], True), (["stacking=same", "challenge=off"], False)])
def test_challenger_sees_color_before_the_wild(overrides: list[str], shown: bool):
    state = uno(2, *overrides).position(hands=["f r1 r2", "f y1 y2"], top="r5", to_move=1)
    out = played(set_up(Session(state.game, [None, Scripted("f:g")]), state), "q")
    assert "top card f:g, color green" in out and ("color green, before it was red" in out) == shown


def test_jump_must_name_the_top_card():
    state = uno(3, "jump-in=identical").position(hands=["r1 b2 b3", "r1 y2 y4", 5], top="r5", to_move=1)
    state.apply_action(state.game.parse_action("r1"))
    session = set_up(Session(state.game, [None, Scripted(), Scripted()]), state)
    shown = played(session, "jump g7", "jump r1", "q")
    assert "'jump g7' names a card that is not the top card: choose from no jump, jump r1" in shown
    assert "you jump in with r1" in shown and "you: jump" not in shown


def test_end_of_input_leaves_cleanly():
    assert played(small()).endswith("Goodbye.\n")
    assert played(small(), "r1").endswith("Goodbye.\n")


def test_ctrl_c_leaves_cleanly_and_closes_the_record():
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    session, out = small(), io.StringIO()
    closed = []
    session._recorder = type(
        "Notes", (), {"path": Path(), "begin": lambda *_: None, "close": lambda _: closed.append(True)}
    )()
    play_plain(session, Interrupted(), out)
    assert out.getvalue().endswith("Goodbye.\n")
    assert closed == [True]


def test_help_names_the_rules_of_the_table():
    shown = played(small(), "?", "q")
    assert "h: hint" in shown
    assert "hand-size=7: Number of cards dealt to each player." in shown


def test_hint_prints_report_of_agent():
    def hint() -> FakeSearch:
        agent = FakeSearch()
        threading.Timer(0.1, agent.released.set).start()
        return agent

    shown = played(small(), "h", "r1", "q", hint=hint)
    assert "fake-search would play r1" in shown
    assert "visits   win 50 %\n" in shown
    assert "Hints are not available" in played(small(), "h", "q")


def test_hint_of_network_shows_values_or_probabilities():
    def shown(name: str) -> str:
        game = uno(2, rules="rlcard")
        session = set_up(Session(game, [None, Scripted()]), game.position(hands=["r1 r2 g5", "b3 w"], top="r5"))
        return played(session, "h", "q", hint=lambda: agent(name, game))

    assert re.search(r"no simulations, .*\n  r\d +win \d+ %\n", shown("ddqn"))
    assert re.search(r"no simulations, .*\n  r\d +prior \d+ %\n", shown("nfsp"))


def test_round_result_shows_all_hands_and_next_round_can_be_dealt():
    shown = played(small(["r1", "y1 yd"]), "r1", "what", "n", "r1", "q")
    assert "Round over: you won." in shown
    assert "scripted 1: -21, holds yellow y1 yd" in shown
    assert "unknown input 'what': type n for the next round" in shown
    assert "points of 500: you 42, scripted 1 0" in shown


def test_whole_round_can_be_played_by_action_numbers():
    session = seated(uno(3, rules="rlcard"), None, "random", "reflex", seed=3)
    shown = played(session, *["1"] * 500)
    assert "Round over" in shown or "void" in shown


def test_watch_mode_shows_every_card():
    out = io.StringIO()
    session = seated(uno(3, "match-score=30"), "reflex", "random", "random", seed=1)
    watch_plain(session, out, FAST)
    shown = out.getvalue()
    assert "The match goes to" in shown
    assert "draws a card" not in shown and ": draw" not in shown
    assert shown.count("Round ") - shown.count("Round over") >= 1


def test_same_move_twice_in_a_row_is_logged_twice():
    session = small(["rs rs r1", "g1"])
    shown = played(session, "rs", "rs", "q")
    assert shown.count("you: rs\n") == 2
    assert session.log()[1:].count("you: rs") == 2


def test_compile_message_appears_once_per_machine(monkeypatch: pytest.MonkeyPatch):
    noted: set[str] = set()
    monkeypatch.setattr(compile_cache, "mark_compiled", noted.add)
    monkeypatch.setattr(compile_cache, "is_marked_compiled", noted.__contains__)
    assert "Compiling the rules" in played(small(), "q")
    assert "Compiling" not in played(small(), "draw", "q")
    said = []
    for hand in ("y1 g2", "r1 r2", "r1 r2"):  # a forced move, which is not searched, then choices
        state = uno(2, rules="rlcard").position(hands=[hand, "r7 b2 b3"], top="r5")
        search = agent("mcts:setting=paper,simulations=2,trees=1", state.game)
        shown = played(set_up(Session(state.game, [search, None]), state), "q")
        said.append("Compiling mcts 0" in shown)
        assert "Compiling the rules" not in shown
    assert said == [True, True, False]


def test_game_without_theme_is_played_as_plain_data(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compile_cache, "is_marked_compiled", lambda what: False)
    shown = played(Session(Highest(2), [None, Scripted()]), "?", "draw", *["1"] * 20, "n", "q")
    assert "hand" in shown and "you may: 1 " in shown
    assert "Type a move as listed" in shown
    assert "Round over" in shown and "Round 2" in shown and "Compiling" not in shown


def test_compile_message_hides_agent_that_decides_in_private(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compile_cache, "is_marked_compiled", lambda what: "fake-search" not in what)
    game, search = uno(3), FakeSearch()
    state = game.position(hands=["r1 r2", "r9 b1", 5], top="r5", draw="r7", to_move=1)
    state.apply_action(game.parse_action("draw"))
    search.released.set()
    shown = played(set_up(Session(game, [None, search, Scripted()]), state), "q")
    assert "Compiling the agents (first time only)" in shown and "Compiling fake-search" not in shown


def test_line_mode_shows_penalty():
    state = uno(2, "stacking=same").position(hands=["rd b2 b3", "gd y2 y4"], top="g5", to_move=1)
    state.apply_action(state.game.parse_action("gd"))
    assert "to draw, penalty 2 cards\n" in played(set_up(Session(state.game, [None, Scripted()]), state), "q")


def test_watch_speed_scales_the_pace(monkeypatch: pytest.MonkeyPatch):
    waited: list[float] = []
    monkeypatch.setattr("cardgames.tui.line_table.time", SimpleNamespace(monotonic=lambda: 0.0, sleep=waited.append))
    watch_plain(seated(uno(2, "hand-size=2", rules="rlcard"), "reflex", "reflex"), io.StringIO(), speed=4)
    assert set(waited) == {PACE / 4}
