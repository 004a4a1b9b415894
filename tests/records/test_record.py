"""Records are read back and replayed exactly; damage is reported with the number of the line."""

import json
import pathlib
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from cardgames.agents.agent import Decision
from cardgames.agents.agent_factory import agent
from cardgames.core.game import Game
from cardgames.core.game_registry import make
from cardgames.core.state import State
from cardgames.doudizhu import events as doudizhu_events
from cardgames.records.record import read, replay, state_at, truncate_partial_line
from cardgames.records.record_lines import Step
from cardgames.records.recorder import Recorder
from cardgames.support.errors import InvalidInput
from cardgames.uno import events
from cardgames.uno.rules import BOOK
from tests.differences import assert_same_round

HOUSE_RULES = ["stacking=any", "jump-in=identical", "seven-zero=both", "draw-how=until-playable"]


def play(recorder: Recorder, game: Game, seed: int, limit: int = 10_000) -> State:
    """Record a round of random actions, at most `limit` of them; most play a card, so that the round ends."""
    chance, state = random.Random(seed), game.new_initial_state(seed)
    recorder.begin(state)
    for _ in range(limit):
        if state.is_terminal():
            break
        cards = [action for action in state.legal_actions() if action < 60 and chance.random() < 0.9]
        action = chance.choice(cards or state.legal_actions())
        state.apply_action(action)
        recorder.step(state, action)
    recorder.end(state)
    return state


@pytest.fixture
def short(tmp_path: pathlib.Path) -> pathlib.Path:
    """Return the record of a finished round of three players."""
    game, path = make("uno", players=3, rules="rlcard"), tmp_path / "short.jsonl"
    with Recorder(path, game, ["ann", "bob", "cyd"], seed=1) as recorder:
        play(recorder, game, 1)
    return path


@pytest.mark.parametrize(("rules", "changes"), [*((name, []) for name in BOOK.presets), ("official", HOUSE_RULES)])
def test_written_rounds_are_read_and_replayed(tmp_path: pathlib.Path, rules: str, changes: list[str]) -> None:
    for seed in range(5):
        path = tmp_path / f"{seed}.jsonl"
        game = make("uno", players=2 + seed, rules=rules, overrides=changes)
        names = [f"p{seat}" for seat in range(game.num_players)]
        with Recorder(path, game, names, seed) as recorder:
            ends = [play(recorder, game, seed), play(recorder, game, seed + 100)]
        rounds = read(path)
        assert [played.names for played in rounds] == [names, names]
        for number, (played, end) in enumerate(zip(rounds, ends, strict=True)):
            assert_same_round(replay(played), end, f"{path.name}, round {number}")
            assert played.returns == end.returns()
            assert played.game.rules == game.rules


def test_header_has_game_rules_players_and_deck(short: pathlib.Path) -> None:
    header = json.loads(short.read_text().splitlines()[0])
    game = make("uno", players=3, rules="rlcard")
    assert header["cardgames"] == 1 and header["game"] == "uno" and header["seed"] == 1
    assert header["players"][2] == {"seat": 2, "name": "cyd"}
    assert header["rules"] == game.rules.to_dict() and header["rules_hash"] == game.rules.hash
    assert len(header["deck"]) == 108
    assert game.new_initial_state(5, deck=header["deck"]).to_dict()["hands"] == header["start"]["hands"]


def test_text_of_a_draw_names_the_card(short: pathlib.Path) -> None:
    lines = [json.loads(line) for line in short.read_text().splitlines()]
    draws = [line for line in lines if line.get("action") == "draw"]
    assert draws and all(re.match(r"seat \d draws [rgbywf]", line["text"][0]) for line in draws)


def first_choice(path: pathlib.Path, name: str) -> tuple[Step, Decision, list[str]]:
    """Record a round up to the first decision with several legal actions.

    Returns that step, the agent's decision, and the legal actions as text.
    """
    game = make("uno", players=2, rules="rlcard")
    player = agent(name, game)
    state = game.new_initial_state(3)
    with Recorder(path, game, [name, name], 3) as recorder:
        recorder.begin(state)
        while True:
            decision = player.act(state.observation())
            choices = [state.action_to_string(action) for action in state.legal_actions()]
            state.apply_action(decision.action)
            recorder.step(state, decision.action, decision)
            if len(choices) > 1:
                break
    return read(path)[0].steps[-1], decision, choices


def test_value_and_visits_of_a_decision_are_recorded(tmp_path: pathlib.Path) -> None:
    step, decision, choices = first_choice(tmp_path / "search.jsonl", "mcts:setting=paper,simulations=20")
    assert step.value == decision.value
    assert sorted(step.visits) == sorted(choices) and sum(step.visits.values()) == 20


def test_visits_are_left_out_for_agents_without_search(tmp_path: pathlib.Path) -> None:
    step, decision, _ = first_choice(tmp_path / "search.jsonl", "ddqn")
    assert step.value == decision.value is not None and not step.visits
    assert "visits" not in (tmp_path / "search.jsonl").read_text()


def test_record_is_valid_after_every_line(short: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lines = short.read_text().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    for num_lines in (1, 2, len(lines) // 2, len(lines) - 1):
        cut.write_text("".join(lines[:num_lines]))
        (played,) = read(cut)
        assert played.returns is None
        replay(played)
    game = make("uno", players=2)
    cut = tmp_path / "unfinished.jsonl"
    with Recorder(cut, game, ["a", "b"], 0) as recorder:
        play(recorder, game, 0, limit=4)
        assert len(read(cut)[0].steps) == 4, "each line is flushed"


def test_state_at_returns_the_state_after_each_decision(short: pathlib.Path) -> None:
    steps = read(short)[0].steps
    state = state_at(short, 0)
    for ply, step in enumerate(steps):
        assert_same_round(state_at(short, ply), state, short.name)
        state.apply_action(state.game.parse_action(step.action))
    assert state_at(short, len(steps)).is_terminal()
    with pytest.raises(InvalidInput, match=f"no ply {len(steps) + 1}"):
        state_at(short, len(steps) + 1)
    with pytest.raises(InvalidInput, match="a ply is a whole number"):
        state_at(short, 1.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="the argument of replay is a round from read, not "):
        replay("game.jsonl")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="no round 1"):
        state_at(short, 0, number=1)


def edit(line: int, change: Callable[[dict[str, Any]], object]) -> Callable[[list[str]], None]:
    """Return a function that changes the JSON of line `line` (from 1)."""

    def apply(lines: list[str]) -> None:
        data = json.loads(lines[line - 1])
        change(data)
        lines[line - 1] = json.dumps(data)

    return apply


def replace(line: int, text: str) -> Callable[[list[str]], None]:
    def apply(lines: list[str]) -> None:
        lines[line - 1] = text

    return apply


def cut_last(lines: list[str]) -> None:
    lines[-1] = lines[-1][:-5]


DAMAGES: list[tuple[Callable[[list[str]], None], int, str]] = [
    (replace(1, ""), 1, "JSON"),
    (replace(1, "[1, 2]"), 1, "not a record"),
    (replace(1, '{"a": 1}'), 1, "header"),
    (lambda lines: lines.pop(0), 1, "header"),
    (replace(3, '{"seat": 0, "act'), 3, "JSON"),
    (replace(4, ""), 4, "JSON"),
    (replace(4, '{"seat": 0}'), 4, "neither"),
    (lambda lines: lines.pop(3), 4, "acts, but|other events|not legal"),
    (lambda lines: lines.append(lines[2]), -1, "the round was over"),
    (cut_last, -2, "cut off within this line: delete it"),
    (edit(1, lambda d: d.update(cardgames=99)), 1, "format 99"),
    (edit(1, lambda d: d.update(game="chess")), 1, "unknown game"),
    (edit(1, lambda d: d.update(num_players=40)), 1, "players"),
    (edit(1, lambda d: d.update(players=["ann"])), 1, "players"),
    (edit(1, lambda d: d.pop("rules")), 1, "rules is missing"),
    (edit(1, lambda d: d["rules"].update(stacking="same")), 1, "rules_hash"),
    (edit(1, lambda d: d["rules"].update(stacking="no")), 1, "stacking"),
    (edit(1, lambda d: d["rules"].pop("stacking")), 1, "no value for stacking"),
    (edit(1, lambda d: d.update(rules_hash="0")), 1, "rules_hash"),
    (edit(1, lambda d: d.pop("start")), 1, "start is missing"),
    (edit(1, lambda d: d.update(start="r5")), 1, "start cannot be"),
    (edit(1, lambda d: d["start"].update(hands=["r9"])), 1, "position"),
    (edit(1, lambda d: d["start"]["draw_pile"].pop()), 1, "missing"),
    (edit(1, lambda d: d["deck"].reverse()), 1, "deck and start"),
    (edit(2, lambda d: d.update(seat=(d["seat"] + 1) % 3)), 2, "is to move"),
    (edit(2, lambda d: d.update(seat="me")), 2, "seat cannot be"),
    (edit(2, lambda d: d.update(action="r55")), 2, "not a card"),
    (edit(2, lambda d: d.update(action="catch 2")), 2, "not legal"),
    (edit(2, lambda d: d.update(action=None)), 2, "action cannot be"),
    (edit(2, lambda d: d.update(action=d["action"].upper())), 2, "would be .* here"),
    (edit(2, lambda d: d["events"].append([3, 0, 5, 0])), 2, "other events"),
    (edit(2, lambda d: d.update(events=[[1, 2]])), 2, "4 numbers"),
    (edit(2, lambda d: d["events"][0].__setitem__(0, False)), 2, "4 numbers"),
    (edit(2, lambda d: d.update(value="good")), 2, "value cannot be"),
    (edit(2, lambda d: d.update(value=7.5)), 2, "value cannot be"),
    (edit(2, lambda d: d.update(value=-0.5)), 2, "value cannot be"),
    (edit(2, lambda d: d.update(value=10**400)), 2, "value cannot be"),
    (edit(2, lambda d: d.update(value=float("nan"))), 2, "not valid JSON"),
    (lambda lines: lines.insert(1, lines.pop(1).replace("{", '{"value": 1e999, ', 1)), 2, "not valid JSON"),
    (edit(2, lambda d: d.update(visits={"draw": "many"})), 2, "visits cannot be"),
    (edit(2, lambda d: d.update(visits={"draw": -1})), 2, "visits cannot be"),
    (edit(2, lambda d: d.pop("text")), 2, "text is missing"),
    (edit(2, lambda d: d.update(text=[1])), 2, "text cannot be"),
    (edit(1, lambda d: d.pop("version")), 1, "version is missing"),
    (edit(1, lambda d: d.update(cardgames=True)), 1, "cardgames cannot be true"),
    (edit(1, lambda d: d.update(seed=-3)), 1, "seed is a whole number"),
    (edit(1, lambda d: d.update(seed=2**64)), 1, "seed is a whole number"),
    (edit(1, lambda d: d.update(seed="3")), 1, "seed is a whole number"),
    (edit(1, lambda d: d["players"][1].update(seat=0)), 1, "order of their seats"),
    (edit(1, lambda d: d["players"].reverse()), 1, "order of their seats"),
    (edit(1, lambda d: d["players"][1].pop("seat")), 1, "seat is missing"),
    (edit(1, lambda d: d.update(rules_name="\x1b[31mred")), 1, "rules_name cannot be"),
    (edit(1, lambda d: d["players"][1].update(name="\x1b[31mred")), 1, "name cannot be"),
    (edit(1, lambda d: d["players"][1].update(name="\x9b31mred")), 1, "name cannot be"),
    (edit(1, lambda d: d["players"][1].update(name="\u202eknar")), 1, "name cannot be"),
    (edit(1, lambda d: d["players"][1].update(name="\u2066rank")), 1, "name cannot be"),
]


@pytest.mark.parametrize(("damage", "line", "message"), DAMAGES)
def test_damaged_line_is_reported_with_its_number(
    short: pathlib.Path, damage: Callable[[list[str]], None], line: int, message: str
) -> None:
    lines = short.read_text().splitlines()
    damage(lines)
    short.write_text("\n".join(lines))
    number = {-1: len(lines), -2: len(lines)}.get(line, line)
    with pytest.raises(InvalidInput, match=f"{re.escape(str(short))} line {number}: .*({message})") as error:
        for played in read(short):
            replay(played)
    assert "\n" not in str(error.value)


def test_incomplete_last_line_is_removed_or_ignored(short: pathlib.Path) -> None:
    lines = short.read_bytes().splitlines(keepends=True)
    for end in (b"", b"\n", lines[-1][:-1], lines[-1], b"# a nice game"):
        short.write_bytes(b"".join(lines[:-1]) + end)
        assert truncate_partial_line(short) == 0 and short.read_bytes().endswith(end)
    short.write_bytes(b"".join(lines)[:-5])
    assert truncate_partial_line(short) == len(lines) and short.read_bytes() == b"".join(lines[:-1])
    short.write_bytes(b"".join(lines)[:-5])
    with pytest.raises(InvalidInput, match="cut off within this line"):
        read(short)
    (partial,) = read(short, allow_partial=True)
    assert short.read_bytes() == b"".join(lines)[:-5] and truncate_partial_line(short) == len(lines)
    assert read(short)[0].steps == partial.steps and not partial.returns


def test_empty_file_is_refused(tmp_path: pathlib.Path) -> None:
    for content in (b"", b"\n\n", b"\xef\xbb\xbf"):
        (tmp_path / "game.jsonl").write_bytes(content)
        with pytest.raises(InvalidInput, match=r"game\.jsonl is empty: it is not a record"):
            read(tmp_path / "game.jsonl")


def test_byte_order_mark_and_line_endings_of_editors_are_ignored(short: pathlib.Path) -> None:
    steps = read(short)[0].steps
    edited = b"\xef\xbb\xbf" + short.read_bytes().replace(b"\n", b"\r\n")
    short.write_bytes(edited + b"  \r\n\n")
    assert [step.action for step in read(short)[0].steps] == [step.action for step in steps]


def test_wrong_or_early_result_is_reported(short: pathlib.Path) -> None:
    lines = short.read_text().splitlines()
    result = f"line {len(lines)}: "
    short.write_text("\n".join([*lines[:-1], '{"returns": [9, 9, 9]}']))
    with pytest.raises(InvalidInput, match=result + "the result is"):
        replay(read(short)[0])
    short.write_text("\n".join([*lines[:-2], lines[-1]]))
    with pytest.raises(InvalidInput, match="the round is not over"):
        replay(read(short)[0])


@pytest.mark.parametrize("content", [b"\x00\xff\xfe", b"hello\n", b"{}\n", b"[" * 100_000, b"null", b'"cardgames"'])
def test_files_that_are_not_records_are_refused(tmp_path: pathlib.Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="line 1: "):
        read(path)


def test_files_that_cannot_be_opened_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InvalidInput, match="cannot read"):
        read(tmp_path / "none")
    with pytest.raises(InvalidInput, match="cannot read"):
        read(tmp_path)
    game = make("uno", players=2)
    for path in (tmp_path, tmp_path / "none" / "game.jsonl", tmp_path / ("long" * 100), "a\0b"):
        with pytest.raises(InvalidInput, match="cannot write"):
            Recorder(path, game, ["a", "b"], 0)


REFERENCE = pathlib.Path(__file__).parents[2] / "docs" / "reference"


def test_documentation_lists_the_event_kinds_of_the_code() -> None:
    parts = (REFERENCE / "records.md").read_text(encoding="utf-8").split("Kinds of event rows in Dou Di Zhu")
    for text, kinds, count in zip(parts, (events, doudizhu_events), (12, 6), strict=True):
        rows = re.findall(r"^\| (\d+) \| `(\w+)`", text, re.MULTILINE)
        assert len(rows) == count
        for number, name in rows:
            assert getattr(kinds, name) == int(number)


def test_example_in_the_documentation_can_be_replayed(tmp_path: pathlib.Path) -> None:
    (played,) = read(REFERENCE / "example.jsonl")
    assert replay(played).is_terminal()
    assert played.returns is not None


def test_zero_bytes_after_a_power_failure_are_removed(short: pathlib.Path) -> None:
    whole = short.read_bytes()
    short.write_bytes(whole + b"\0" * 512)
    assert [played.returns is None for played in read(short, allow_partial=True)] == [False]
    assert truncate_partial_line(short) == len(whole.splitlines()) + 1 and short.read_bytes() == whole


def test_negative_rounds_and_plies_are_refused(short: pathlib.Path) -> None:
    with pytest.raises(InvalidInput, match="no round -1: choose from 0 to 0"):
        state_at(short, 0, number=-1)
    with pytest.raises(InvalidInput, match="no ply -1: choose from 0 to"):
        state_at(short, -1)


def test_foreign_file_of_one_line_is_not_reported_as_cut_off(tmp_path: pathlib.Path) -> None:
    (tmp_path / "foreign").write_text("hello")
    with pytest.raises(InvalidInput, match="line 1: not valid JSON: damaged, or not a record"):
        read(tmp_path / "foreign")
