"""The session: rounds, matches, the record, and what the person is told."""

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
from tests.tui.company import Scripted, seated, set_up, uno


class Notes:
    """A recorder that remembers what it was told."""

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


def move(table: Session) -> None:
    if table.decider == table.person:
        table.play(table.state.legal_actions()[0])
    else:
        table.apply(table.ask())


def play_round(table: Session) -> None:
    table.deal()
    while not table.round_over:
        move(table)


def test_rounds_follow_the_seed_and_the_dealer_moves_on():
    game = uno(3)
    table = seated(game, None, "reflex", "random", seed=5)
    play_round(table)
    first = int(table.state.record.dealer)
    assert first == int(game.new_initial_state(rng.derive(5, 0)).record.dealer)
    table.deal()
    second = game.new_initial_state(rng.derive(5, 1), dealer=(first + 1) % 3)
    assert table.state.to_dict() == second.to_dict()
    assert table.round == 2


def test_points_add_up_to_a_match_which_then_begins_anew():
    table = seated(uno(3, "match-score=150"), "reflex", "random", "random")
    won = [0.0, 0.0, 0.0]
    while not table.match_over:
        play_round(table)
        (winner,) = table.winners
        won[winner] += table.state.returns()[winner]
        assert table.scores == won
    assert max(won) >= 150
    table.deal()
    assert table.scores == [0.0, 0.0, 0.0]


def test_without_points_rounds_won_are_counted():
    table = seated(uno(2, rules="common"), "reflex", "reflex")
    assert table.match_score is None
    play_round(table)
    play_round(table)
    assert sum(table.scores) == 2
    assert not table.match_over


def test_the_record_hears_of_everything_in_order():
    notes = Notes()
    game = uno(2)
    table = Session(game, [None, Scripted()], recorder=notes)
    table.begin(game.position(hands=["r1 r2", "g5 g6"], top="r5"))
    table.play(game.parse_action("r1"))
    table.play(game.parse_action("uno"))
    table.apply(table.ask())
    table.close()
    table.close()
    assert [call[0] for call in notes.calls[:-1]] == ["begin", "step", "step", "step"]
    assert notes.calls[1:4] == [("step", "r1", False), ("step", "uno", False), ("step", "draw", True)]
    assert notes.calls.count("close") == 1


def test_the_end_of_a_round_is_recorded():
    notes = Notes()
    play_round(seated(uno(2), "reflex", "reflex", recorder=notes))
    assert notes.calls[-1] == ("end", True)


class First:
    """Plays what comes first."""

    name = "first"

    def act(self, observation: Observation, limit: object = None) -> Decision:
        return Decision(observation.legal_actions[0])


def recorded(path: Path, resume: bool = False) -> Session:
    game, names = uno(3, "match-score=150"), ["you", "first", "first"]
    recorder = Recorder(path, game, names, 5, resume=resume)
    return Session(game, [None, First(), First()], seed=5, recorder=recorder, played=read(path) if resume else ())


@pytest.mark.parametrize("ended", ["", "\n\n"])
def test_a_session_broken_off_goes_on_as_if_it_had_not_been(tmp_path: Path, ended: str):
    path, moves = tmp_path / "broken.jsonl", 0
    broken, whole = recorded(path), recorded(tmp_path / "whole.jsonl")
    for _ in range(7):
        whole.deal()
        broken.deal()
        while not whole.round_over:
            move(whole)
            move(broken)
            moves += 1
            if moves % 40 == 0:
                broken.close()
                path.write_text(path.read_text().rstrip() + ended)
                broken = recorded(path, resume=True)
                broken.deal()
                assert broken.log() == whole.log() and broken.round == whole.round and broken.scores == whole.scores
    assert moves > 200
    assert path.read_text() == (tmp_path / "whole.jsonl").read_text()
    for played in read(path):
        replay(played)


def test_a_round_that_lacks_only_its_result_is_given_it(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    table = recorded(path)
    play_round(table)
    table.close()
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    table = recorded(path, resume=True)
    table.deal()
    assert path.read_text().startswith(whole) and table.round == 2
    assert [played.returns is None for played in read(path)] == [False, True]


def test_the_log_speaks_to_the_person_and_hides_what_he_cannot_know():
    game = uno(3)
    table = Session(game, [Scripted("draw", "keep"), None, Scripted("draw")])
    table.begin(game.position(hands=["r9 b1", "r1 r2 r4", 5], top="r5", draw="r7 g3", to_move=0))
    table.apply(table.ask())
    table.apply(table.ask())
    assert table.log() == ["r5 is turned up", "scripted 0: draw", "scripted 0 draws a card"]
    table.play(game.parse_action("draw"))
    assert table.log()[3:] == ["you: draw", "you draw g3"]


def test_a_spectator_is_told_all_and_repetitions_are_counted():
    game = uno(2)
    table = Session(game, [Scripted("rd"), Scripted()])
    table.begin(game.position(hands=["rd b1 b2", "g1"], top="r5", draw="y1 y1"))
    table.apply(table.ask())
    assert table.log() == ["r5 is turned up", "scripted 0: rd", "scripted 1 draws y1 (x2)"]


@pytest.mark.parametrize("person", [None, 0])
def test_whoever_asks_for_the_log_after_every_move_reads_what_is_read_at_the_end(person: int | None):
    names = [None if seat == person else "random" for seat in range(3)]
    tables = [seated(uno(3), *names, seed=4) for _ in range(2)]
    lines = 0
    for table in tables:
        table.deal()
    while not tables[0].round_over:
        for table in tables:
            move(table)
        log = tables[0].log()
        assert len(log) >= lines
        lines, log[:] = len(log), []  # who is given the lines may do with them what he likes
    assert tables[0].log() == tables[1].log() and tables[0].news() == tables[1].news() >= lines > 50


def test_private_decisions_are_no_news():
    game = uno(3)
    table = Session(game, [None, Scripted("draw", "keep"), Scripted()])
    table.begin(game.position(hands=["r1 r2", "r9 b1", 5], top="r5", draw="r7", to_move=1))
    table.apply(table.ask())
    before, view_model = table.news(), table.view_model()
    assert table.decider == 1 and view_model.to_move == 2
    table.apply(table.ask())
    assert table.news() == before and table.view_model() == view_model


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("zz", "'zz' is not a move: choose from r1, r2, draw"),
        ("b4", "b4 is not allowed now: choose from r1, r2, draw"),
        ("catch 1", "catch 1 is not allowed now: choose from r1, r2, draw"),
        ("w", "say which colour the wild is to be: w:r, w:g, w:b or w:y"),
    ],
)
def test_a_wrong_move_is_refused_in_one_line(written: str, message: str):
    game = uno(2)
    table = set_up(Session(game, [None, Scripted()]), game.position(hands=["r1 r2 b4", "g1"], top="r5"))
    table.deal()
    with pytest.raises(InvalidInput) as error:
        table.parse(written)
    assert str(error.value) == message


def test_seats_must_fit_the_game():
    with pytest.raises(InvalidInput, match="3 seats"):
        Session(uno(3), [None, Scripted()])
    with pytest.raises(InvalidInput, match="one of them for a person"):
        Session(uno(2), [None, None])


def test_nobody_plays_out_of_turn():
    game = uno(2)
    table = set_up(Session(game, [None, Scripted()]), game.position(hands=["r1 r2", "g1"], top="r5", to_move=1))
    table.deal()
    with pytest.raises(InvalidInput, match="not your turn"):
        table.play(game.parse_action("r1"))


def test_seats_that_are_told_of_together_have_names():
    game = uno(3, "seven-zero=seven")
    table = Session(game, [None, Scripted(), Scripted()])
    table.begin(game.position(hands=["r7 b1 b2", 5, 3], top="r5"))
    table.play(game.parse_action("r7"))
    table.play(game.parse_action("swap 2"))
    assert "you and scripted 2 swap hands" in table.log()
