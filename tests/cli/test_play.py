"""`cardgames play` and `watch` line by line: scripted games, their records, and resuming them."""

import io
import json
import os
import pathlib
from collections.abc import Callable

import pytest

from cardgames.agents.agent import Agent, Decision
from cardgames.cli.options import choose_seed
from cardgames.cli.session import session_from_record
from cardgames.core.game_registry import make
from cardgames.records.record import read
from cardgames.records.recorder import Recorder
from cardgames.support.errors import InvalidInput
from cardgames.tui.session import Session
from tests.command import call, is_one_line, run


def test_scripted_uno_session_is_recorded_replayed_and_analyzed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "game.jsonl"
    rules = ("--rules", "common", "--rule", "hand-size=2")
    code, out, err = run(
        "play",
        "uno",
        "--plain",
        "--vs",
        "reflex",
        "--seed",
        "3",
        *rules,
        "--record",
        str(path),
        typed="zzz\n" + "1\n" * 300,
    )
    assert code == 0 and err == ""
    assert out.startswith("seed 3\n") and "'zzz' is not a move" in out and "Round over" in out
    code, out, err = run("replay", str(path))
    assert code == 0 and err == "" and "result: " in out
    hands = read(str(path))[0].header["start"]["hands"]
    assert out.splitlines()[1].strip().startswith("0 you: ") and len(hands[0].split()) == 2
    assert f"1 reflex: {hands[1]}\n" in out and "is turned up" in out.splitlines()[3]
    code, out, err = run("replay", str(path), "--json")
    first = json.loads(out)["rounds"][0]
    assert first["seed"] == 3 and first["finished"] and first["players"][0]["name"] == "you"
    code, out, err = run(
        "search-debug",
        "uno",
        "--agent",
        "mcts-dbm:setting=paper,simulations=30",
        "--record",
        str(path),
        "--ply",
        "0",
        "--json",
    )
    assert json.loads(out)["position"]["hands"] and json.loads(out)["rules"]["name"] == "common+hand-size=2"
    assert json.loads(out)["seed"] == 3
    code, out, err = run("search-debug", "uno", "--agent", "reflex", "--record", str(path), "--seed", "5", "--json")
    assert code == 0 and json.loads(out)["seed"] == 5


def test_undecodable_input_is_not_a_move(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\nq\n"), encoding="utf-8"))
    assert call(monkeypatch, "play", "uno", "--plain", "--vs", "reflex", "--rules", "rlcard", "--seed", "3") == 0
    out = capsys.readouterr().out
    assert "'\ufffd' is not a move" in out and out.endswith("Goodbye.\n")


@pytest.mark.parametrize("opponents", ["cheating-all,mcts", "reflex", "cheating-all"])
def test_champion_gives_the_hints_whoever_plays(opponents: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hints: list[Callable[[], Agent] | None] = []
    monkeypatch.setattr("cardgames.tui.table_app.run_play", lambda table, hint: hints.append(hint))
    monkeypatch.setattr("cardgames.cli.session.check_terminal", lambda: None)
    assert call(monkeypatch, "play", "uno", "--vs", opponents, "--seed", "3") == 0
    assert hints[0] is not None and hints[0]().name == "champion"


def test_leaving_the_screen_prints_how_to_resume(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    def played(table: Session, hint: Callable[[], Agent]) -> None:
        assert hint().name == "champion"
        table.deal()
        table.close()

    monkeypatch.setattr("cardgames.tui.table_app.run_play", played)
    monkeypatch.setattr("cardgames.cli.session.check_terminal", lambda: None)
    path = tmp_path / "game.jsonl"
    assert call(monkeypatch, "play", "uno", "--vs", "reflex,mcts", "--seed", "3", "--record", str(path)) == 0
    assert capsys.readouterr().out == f"seed 3\nResume with --resume {path}.\n"
    assert read(path)[0].names == ["you", "reflex", "mcts"]


def test_session_with_an_incomplete_last_line_is_resumed(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "game.jsonl")
    seated = ("--vs", "reflex", "--rules", "rlcard", "--players", "3", "--seat", "1", "--seed", "3", "--record", path)
    code, out, err = run("play", "uno", "--plain", *seated, typed="1\n1\n")
    assert code == 0 and err == "" and out.endswith(f"Goodbye. Resume with --resume {path}.\n")
    (begun,) = read(path)
    os.truncate(path, os.path.getsize(path) - 5)
    code, out, err = run("play", "uno", "--plain", "--resume", path, typed="1\n" * 300)
    dropped = f"{path} line {begun.last_line}: incomplete, removed\n"
    assert code == 0 and err == "" and out.startswith(f"{dropped}seed 3\nuno, rlcard rules")
    assert "Round 1\n" in out and "Round over" in out and "reflex 0" in out and "reflex 2" in out
    ended = read(path)[0]
    assert ended.header == begun.header and ended.steps[: len(begun.steps) - 1] == begun.steps[:-1] and ended.returns


@pytest.mark.parametrize(
    ("arguments", "names", "words"),
    [
        (("doudizhu",), ["you", "reflex"], "is a record of uno, not of doudizhu"),
        (("uno",), ["random", "reflex"], "0 human players: --resume needs exactly one"),
        (("uno",), ["you", "you"], "2 human players: --resume needs exactly one"),
        (("uno",), ["you", "nobody"], "unknown agent for uno 'nobody'"),
        (("uno", "--vs", "reflex"), ["you", "reflex"], "--vs cannot be used with --resume"),
        (("uno", "--seat", "0"), ["you", "reflex"], "--seat cannot be used with --resume"),
        (("uno", "--rule", "stacking=same"), ["you", "reflex"], "--rule cannot be used with --resume"),
    ],
)
def test_refused_resume_leaves_the_record_unchanged(
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    names: list[str],
    words: str,
) -> None:
    path, game = tmp_path / "game.jsonl", make("uno", players=2)
    with Recorder(path, game, names, 0) as recorder:
        recorder.begin(game.new_initial_state(0))
    path.write_bytes(path.read_bytes().rstrip())
    before = path.read_bytes()
    assert call(monkeypatch, "play", *arguments, "--plain", "--resume", str(path)) == 2
    err = capsys.readouterr().err
    assert is_one_line(err) and words in err and path.read_bytes() == before


def test_resume_refuses_a_record_of_two_sessions(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, game = tmp_path / "game.jsonl", make("uno", players=2)
    for seed in (0, 1):
        with Recorder(path, game, ["you", "reflex"], seed, resume=seed > 0) as recorder:
            recorder.begin(game.new_initial_state(seed))
    assert call(monkeypatch, "play", "uno", "--plain", "--resume", str(path)) == 2
    assert "line 2: another session begins here" in capsys.readouterr().err


def test_scripted_doudizhu_session_is_recorded_and_replayed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "game.jsonl"
    options = ["--vs", "rhcp", "--seed", "3", "--rules", "online", "--record", str(path)]
    code, out, err = run("play", "doudizhu", "--plain", *options, typed="zzz\n" + "#1\n" * 300)
    assert code == 0 and err == ""
    assert "no cards are played yet: choose from pass, " in out and "Round over" in out
    code, out, err = run("replay", str(path))
    assert code == 0 and err == "" and "result: " in out


def test_watch_plain_prints_a_whole_round() -> None:
    code, out, err = run("watch", "uno", "--agents", "reflex,random,reflex", "--rules", "rlcard", "--plain")
    assert code == 0 and err == ""
    assert out.startswith("seed ") and "Round over" in out


def test_watched_doudizhu_seats_two_agents_as_the_arena_does(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "round.jsonl"
    options = ("--agents", "random,frugal", "--seed", "1", "--record", str(record))
    assert call(monkeypatch, "watch", "doudizhu", "--plain", *options) == 0
    assert read(str(record))[0].names == ["random", "frugal", "frugal"]


def test_watched_round_follows_from_the_seed_and_is_recorded(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        options = ["--rules", "rlcard", "--seed", "5", "--speed", "inf", "--record", str(tmp_path / name)]
        assert call(monkeypatch, "watch", "uno", "--plain", "--agents", "reflex,random", *options) == 0
    (played,) = read(tmp_path / "first")
    assert played.header["seed"] == 5 and played.names == ["reflex", "random"] and played.returns
    assert (tmp_path / "first").read_text() == (tmp_path / "second").read_text()


def test_watch_passes_the_speed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    speeds: list[float] = []
    monkeypatch.setattr("cardgames.tui.table_app.run_watch", lambda table, speed=1.0: speeds.append(speed))
    monkeypatch.setattr("cardgames.tui.line_table.watch_plain", lambda table, out, speed=1.0: speeds.append(speed))
    monkeypatch.setattr("cardgames.cli.session.check_terminal", lambda: None)
    for more in ([], ["--plain"]):
        assert call(monkeypatch, "watch", "uno", "--agents", "reflex,random", "--speed", "4", *more) == 0
    assert speeds == [4.0, 4.0]


def test_seeds_chosen_at_random_differ() -> None:
    assert choose_seed(3) == 3 and len({choose_seed(None) for _ in range(9)}) == 9


def test_replay_prints_values_and_marks_an_unfinished_round(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, path = make("uno", players=2, rules="rlcard"), str(tmp_path / "game.jsonl")
    state = game.new_initial_state(3)
    with Recorder(path, game, ["a", "b"], 3) as recorder:
        recorder.begin(state)
        for _ in range(2):
            action = state.legal_actions()[0]
            state.apply_action(action)
            recorder.step(state, action, Decision(action, value=0.25))
    assert call(monkeypatch, "replay", path) == 0
    out = capsys.readouterr().out
    assert out.count("   (value 25.0%)\n") == 2 and out.endswith("unfinished after 2 decisions\n")
    assert call(monkeypatch, "replay", path, "--json") == 0
    (played,) = json.loads(capsys.readouterr().out)["rounds"]
    assert played["finished"] is False and [step["value"] for step in played["actions"]] == [0.25, 0.25]


@pytest.mark.parametrize(("names", "rules"), [(["you", "random"], "rlcard"), (["you", "reflex"], "common")])
def test_rounds_with_other_players_or_rules_are_another_session(
    names: list[str], rules: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    for players, game in ((["you", "reflex"], make("uno", 2, "rlcard")), (names, make("uno", 2, rules))):
        with Recorder(path, game, players, 0, resume=path.exists()) as recorder:
            state = game.position(hands=["r1", "g1 g2"], top="r5")
            recorder.begin(state)
            state.apply_action(game.parse_action("r1"))
            recorder.step(state, game.parse_action("r1"))
            recorder.end(state)
    with pytest.raises(InvalidInput, match="another session begins here"):
        session_from_record("uno", str(path))


def test_round_after_an_unfinished_one_is_another_session(tmp_path: pathlib.Path) -> None:
    path, game = tmp_path / "game.jsonl", make("uno", players=2)
    for seed in (0, 1):
        with Recorder(path, game, ["you", "reflex"], 0, resume=seed > 0) as recorder:
            recorder.begin(game.new_initial_state(seed))
    with pytest.raises(InvalidInput, match="line 2: another session begins here"):
        session_from_record("uno", str(path))
