"""Sessions: rounds, matches, the record, and the log that the person sees."""

from pathlib import Path
from typing import Any

import pytest

from cardgames.agents.agent import Decision
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.records.record import read, replay
from cardgames.records.recorder import Recorder
from cardgames.support.errors import InvalidInput
from cardgames.tui.session import Session
from tests.differences import assert_same_round
from tests.tui.company import Scripted, seated, set_up, uno


class RecorderSpy:
    """Recorder that lists the calls of its methods."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def begin(self, state: Any) -> None:
        self.calls.append(("begin", len(state.history())))

    def step(self, state: Any, action: int, decision: Decision | None) -> None:
        self.calls.append(("step", state.action_to_string(action), decision is not None))

    def end(self, state: Any) -> None:
        self.calls.append(("end", state.is_terminal()))

    def close(self) -> None:
        self.calls.append("close")


def make_move(session: Session) -> None:
    if session.decider == session.person:
        session.play(session.state.legal_actions()[0])
    else:
        session.apply(session.ask())


def play_round(session: Session) -> None:
    session.deal()
    while not session.round_over:
        make_move(session)


def test_rounds_are_dealt_from_seed_and_dealer_rotates():
    game = uno(3)
    session = seated(game, None, "reflex", "random", seed=5)
    play_round(session)
    first = int(session.state.record.dealer)
    assert first == int(game.new_initial_state(rng.derive(5, 0)).record.dealer)
    session.deal()
    second = game.new_initial_state(rng.derive(5, 1), dealer=(first + 1) % 3)
    assert_same_round(session.state, second, "second round")
    assert session.round == 2


def test_points_add_up_to_match_and_reset_for_the_next():
    session = seated(uno(3, "match-score=150"), "reflex", "random", "random")
    won = [0.0, 0.0, 0.0]
    while not session.match_over:
        play_round(session)
        (winner,) = session.winners
        won[winner] += session.state.returns()[winner]
        assert session.scores == won
    assert max(won) >= 150
    session.deal()
    assert session.scores == [0.0, 0.0, 0.0]


def test_match_ends_when_a_seat_has_exactly_the_match_score():
    first = seated(uno(3, "match-score=100000"), "reflex", "random", "random")
    play_round(first)
    points = int(max(first.scores))
    for score, over in ((points, True), (points + 1, False)):
        session = seated(uno(3, f"match-score={score}"), "reflex", "random", "random")
        play_round(session)
        assert (max(session.scores), session.match_over) == (points, over)


def test_scores_count_rounds_won_without_points():
    session = seated(uno(2, rules="common"), "reflex", "reflex")
    assert session.match_score is None
    play_round(session)
    play_round(session)
    assert sum(session.scores) == 2
    assert not session.match_over


def test_recorder_receives_begin_and_steps_in_order():
    notes = RecorderSpy()
    game = uno(2)
    session = Session(game, [None, Scripted()], recorder=notes)
    session.begin(game.position(hands=["r1 r2", "g5 g6"], top="r5"))
    session.play(game.parse_action("r1"))
    session.play(game.parse_action("uno"))
    session.apply(session.ask())
    session.close()
    session.close()
    assert [call[0] for call in notes.calls[:-1]] == ["begin", "step", "step", "step"]
    assert notes.calls[1:4] == [("step", "r1", False), ("step", "uno", False), ("step", "draw", True)]
    assert notes.calls.count("close") == 1


def test_recorder_receives_end_of_round():
    notes = RecorderSpy()
    play_round(seated(uno(2), "reflex", "reflex", recorder=notes))
    assert notes.calls[-1] == ("end", True)


class First:
    """Agent that plays the first legal action."""

    name = "first"

    def act(self, observation: Observation, limit: object = None) -> Decision:
        return Decision(observation.legal_actions[0])


def recorded_session(path: Path, resume: bool = False) -> Session:
    game, names = uno(3, "match-score=150"), ["you", "first", "first"]
    recorder = Recorder(path, game, names, 5, resume=resume)
    return Session(game, [None, First(), First()], seed=5, recorder=recorder, played=read(path) if resume else ())


@pytest.mark.parametrize("ended", ["", "\n\n"])
def test_resumed_session_equals_uninterrupted_one(tmp_path: Path, ended: str):
    path, moves = tmp_path / "broken.jsonl", 0
    broken, whole = recorded_session(path), recorded_session(tmp_path / "whole.jsonl")
    for _ in range(7):
        whole.deal()
        broken.deal()
        while not whole.round_over:
            make_move(whole)
            make_move(broken)
            moves += 1
            if moves % 40 == 0:
                broken.close()
                path.write_text(path.read_text().rstrip() + ended)
                broken = recorded_session(path, resume=True)
                broken.deal()
                assert broken.log() == whole.log() and broken.round == whole.round and broken.scores == whole.scores
    assert moves > 200
    assert path.read_text() == (tmp_path / "whole.jsonl").read_text()
    for played in read(path):
        replay(played)


def test_resuming_adds_missing_result_of_finished_round(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    session = recorded_session(path)
    play_round(session)
    session.close()
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    session = recorded_session(path, resume=True)
    session.deal()
    assert path.read_text().startswith(whole) and session.round == 2
    assert [played.returns is None for played in read(path)] == [False, True]


def test_log_addresses_the_person_and_hides_cards_of_others():
    game = uno(3)
    session = Session(game, [Scripted("draw", "keep"), None, Scripted("draw")])
    session.begin(game.position(hands=["r9 b1", "r1 r2 r4", 5], top="r5", draw="r7 g3", to_move=0))
    session.apply(session.ask())
    session.apply(session.ask())
    assert session.log() == ["r5 is turned up", "scripted 0 draws a card"]
    session.play(game.parse_action("draw"))
    assert session.log()[2:] == ["you draw g3"]


def test_spectator_log_shows_cards_drawn_in_one_line():
    game = uno(2)
    session = Session(game, [Scripted("rd"), Scripted()])
    session.begin(game.position(hands=["rd b1 b2", "g1"], top="r5", draw="y1 y1"))
    session.apply(session.ask())
    assert session.log() == ["r5 is turned up", "scripted 0: rd", "scripted 1 draws y1, y1"]


def test_challenge_logs_all_cards_shown_in_one_line():
    game = uno(2)
    logs = []
    for person in (0, 1):
        agents = [Scripted("challenge"), Scripted("f:g")]
        session = Session(game, [None if seat == person else agent for seat, agent in enumerate(agents)])
        session.begin(game.position(hands=["b1 b2 b3 b4", "f y1 y2"], top="r5", to_move=1))
        for action in ("f:g", "challenge"):
            if session.decider == person:
                session.play(game.parse_action(action))
            else:
                session.apply(session.ask())
        logs.append(session.log())
    assert logs[0][2] == "you: challenge" and "scripted 1 shows y1, y2" in logs[0]
    assert logs[1][2] == "scripted 0: challenge" and "you show 2 cards" in logs[1]


def test_hidden_cards_drawn_in_one_move_are_counted_and_moves_stay_apart():
    game = uno(2, rules="simplified")
    session = Session(game, [None, Scripted("draw", "draw")])
    session.begin(game.position(hands=["r1 r2", "b1 b2"], top="g5", draw="y1 y2 y3 y4", to_move=1))
    session.apply(session.ask())
    first = session.log()
    assert first == ["g5 is turned up", "scripted 1 draws a card"]
    session.apply(session.ask())
    assert session.log() == [*first, "scripted 1 draws a card"]


def test_draw_after_shuffling_discards_is_logged_once():
    game = uno(2)
    session = Session(game, [None, Scripted()])
    session.begin(game.position(hands=["r1 r2", "b1 b2"], top="g5", pile=0))
    before = len(session.log())
    session.play(game.parse_action("draw"))
    shuffled, drawn = session.log(before)[:2]
    assert shuffled.endswith("discards are shuffled into the pile") and drawn.startswith("you draw ")


@pytest.mark.parametrize("person", [None, 0])
def test_log_read_after_every_move_equals_log_read_at_the_end(person: int | None):
    names = [None if seat == person else "random" for seat in range(3)]
    tables = [seated(uno(3), *names, seed=4) for _ in range(2)]
    lines = 0
    for session in tables:
        session.deal()
    while not tables[0].round_over:
        for session in tables:
            make_move(session)
        log = tables[0].log()
        assert len(log) >= lines
        lines, log[:] = len(log), []  # the caller may change the lines it was given
    assert tables[0].log() == tables[1].log() and tables[0].news() == tables[1].news() >= lines > 50


def test_private_decisions_change_neither_news_nor_view():
    game = uno(3)
    session = Session(game, [None, Scripted("draw", "keep"), Scripted()])
    session.begin(game.position(hands=["r1 r2", "r9 b1", 5], top="r5", draw="r7", to_move=1))
    session.apply(session.ask())
    before, view_model = session.news(), session.view_model()
    assert session.decider == 1 and view_model.to_move == 2
    session.apply(session.ask())
    assert session.news() == before and session.view_model() == view_model


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("zz", "'zz' is not a move: choose from r1, r2, draw"),
        ("b4", "b4 is not allowed now: choose from r1, r2, draw"),
        ("catch 1", "catch 1 is not allowed now: choose from r1, r2, draw"),
        ("w", "name a color for the wild: w:r, w:g, w:b or w:y"),
    ],
)
def test_illegal_move_is_rejected_with_one_line(written: str, message: str):
    game = uno(2)
    session = set_up(Session(game, [None, Scripted()]), game.position(hands=["r1 r2 b4", "g1"], top="r5"))
    session.deal()
    with pytest.raises(InvalidInput) as error:
        session.parse(written)
    assert str(error.value) == message


def test_session_rejects_wrong_number_of_seats_or_persons():
    with pytest.raises(InvalidInput, match="3 seats"):
        Session(uno(3), [None, Scripted()])
    with pytest.raises(InvalidInput, match="at most one of them for a person"):
        Session(uno(2), [None, None])


def test_play_out_of_turn_is_rejected():
    game = uno(2)
    session = set_up(Session(game, [None, Scripted()]), game.position(hands=["r1 r2", "g1"], top="r5", to_move=1))
    session.deal()
    with pytest.raises(InvalidInput, match="not your turn"):
        session.play(game.parse_action("r1"))


def test_event_with_two_seats_names_both():
    game = uno(3, "seven-zero=seven")
    session = Session(game, [None, Scripted(), Scripted()])
    session.begin(game.position(hands=["r7 b1 b2", 5, 3], top="r5"))
    session.play(game.parse_action("r7"))
    session.play(game.parse_action("swap 2"))
    assert "you and scripted 2 swap hands" in session.log()
