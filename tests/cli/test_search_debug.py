"""`cardgames search-debug` as text and JSON: positions, trees, beliefs, comparisons and exports."""

import json
import pathlib
import re

import pytest

import cardgames
from cardgames.agents.agent import Decision
from cardgames.cli.search_debug_text import lines
from cardgames.records.recorder import Recorder
from cardgames.search.position_analysis import Analysis
from cardgames.search.report import SearchReport
from cardgames.tui.shared_wording import unreported
from tests.command import call


def test_search_debug_analyzes_a_written_position(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = "mcts-dbm:setting=paper,simulations=60,trees=3"
    position = "hands=r9 b2 w|g1 g2 y5|7 top=r5 to_move=0 direction=1 draw=b1 r9"
    shown = ("search-debug", "uno", "--agent", agent, "--position", position, "--seed", "2")
    assert call(monkeypatch, *shown) == 0
    text = capsys.readouterr().out
    for words in (
        "hand:          r9 b2 w",
        "tree 2: ",
        "principal line: ",
        "effective sample size",
        "seat 2, 7 cards:",
    ):
        assert words in text
    assert call(monkeypatch, *shown, "--json", "--depth", "1") == 0
    data = json.loads(capsys.readouterr().out)
    assert sum(entry["visits"] for entry in data["actions"]) == data["simulations"] == 60
    assert data["best"] == data["actions"][0]["text"] and len(data["nodes"]) == len(data["roots"]) == 3
    assert all(child["children"] == [] for root in data["roots"] for child in root["children"])
    assert sum(data["belief"]["2"]) == pytest.approx(7)
    again = (
        "search-debug",
        "uno",
        "--agent",
        agent,
        "--position",
        json.dumps(data["position"]),
        "--seed",
        "2",
        "--json",
    )
    assert call(monkeypatch, *again) == 0
    assert json.loads(capsys.readouterr().out)["actions"] == data["actions"]


def test_search_debug_reaches_the_same_position_from_the_same_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    analyses = []
    for _ in range(2):
        code = call(monkeypatch, "search-debug", "uno", "--agent", "reflex", "--seed", "7", "--ply", "9", "--json")
        assert code == 0
        analyses.append(json.loads(capsys.readouterr().out))
    assert analyses[0] == analyses[1] and analyses[0]["position"]["decisions"] == 9


def test_search_debug_shows_priors_and_q_of_network_agents(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = (
        "search-debug",
        "uno",
        "--rules",
        "rlcard",
        "--position",
        "hands=r1 r2 g5|b3 w top=r5 to_move=0",
        "--plain",
    )
    assert call(monkeypatch, *where, "--seed", "7", "--agent", "nfsp", "--against", "ddqn") == 0
    text = capsys.readouterr().out
    policy, q = text.split("ddqn plays")
    assert re.search(r"prior\nr\d +0 +- +- +\d+\.\d%", policy) and "no simulations" in policy
    assert re.search(r"\+-\nr\d +0 +\d+\.\d% +-\n", q) and "prior" not in q


def test_search_debug_compares_and_exports(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    names = ("--agent", "mcts:setting=paper,simulations=20", "--against", "reflex")
    where = ("search-debug", "uno", "--seed", "7", "--ply", "9", *names)
    assert call(monkeypatch, *where) == 0
    text = capsys.readouterr().out
    assert "mcts:setting=paper,simulations=20 plays" in text and "reflex plays" in text and "no report" in text
    for name in ("thoughts.json", "thoughts.svg"):
        assert call(monkeypatch, *where, "--export", str(tmp_path / name)) == 0
        assert capsys.readouterr().out == f"wrote {tmp_path / name}\n"
    data = json.loads((tmp_path / "thoughts.json").read_text())
    assert data["simulations"] == 20 and data["against"]["agent"] == "reflex"
    assert (tmp_path / "thoughts.svg").read_text().startswith("<svg")


def test_decision_without_report_shows_value_and_probabilities() -> None:
    state = cardgames.make("uno", rules="rlcard").position(hands=["r1 r2 g5 r9 r8 r7 r6", "b3 w"], top="r5", to_move=0)
    legal = state.legal_actions()
    decisions = [
        Decision(legal[0], {legal[0]: 1.0}),
        Decision(legal[0], {legal[0]: 1.0}, 0.25),
        Decision(legal[0], {legal[0]: 0.75, legal[1]: 0.25}, 0.5),
        Decision(legal[0], dict.fromkeys(legal[:6], 1 / 6)),
    ]
    assert [unreported(Analysis("mine", 0, 0, state, decision)) for decision in decisions] == [
        "no report",
        "value 25.0%",
        "value 50.0%; probabilities r1 75.0%, r2 25.0%",
        "probabilities r1 16.7%, r2 16.7%, r6 16.7%, r7 16.7%, r8 16.7%, ...",
    ]


@pytest.mark.parametrize(
    "search",
    [
        "mcts-dbm:setting=paper,root=halving",
        "mcts-dbm:setting=paper,determinize=simulation,trees=1",
        "mcts-net:trees=2",
    ],
)
def test_search_debug_shows_every_kind_of_search(
    search: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    agent = f"{search},particles=20,simulations=100"
    place = ["search-debug", "uno", "--seed", "1", "--ply", "4", "--agent", agent]
    assert call(monkeypatch, *place, "--plain") == 0
    assert call(monkeypatch, *place, "--export", str(tmp_path / "position.svg")) == 0


def test_search_debug_shows_dou_di_zhu(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    position = "hands=34567J|88Q|?3 landlord=0 to_move=1 last=3 bottom=355"
    agent = ("--agent", "mcts-dbm:setting=paper,simulations=60,trees=2", "--position", position, "--seed", "1")
    assert call(monkeypatch, "search-debug", "doudizhu", *agent, "--plain") == 0
    out = capsys.readouterr().out
    assert "hand:          88Q" in out and "belief from 100 particles" in out and "seat 0, 6 cards:" in out
    assert "known:         -\n" in out and "winner" not in out and "None" not in out and "{" not in out


def test_search_debug_takes_a_round_of_a_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    game, path = cardgames.make("uno", players=2), tmp_path / "game.jsonl"
    with Recorder(path, game, ["you", "reflex"], 0) as recorder:
        for seed in (1, 2):
            recorder.begin(game.new_initial_state(seed))
    for number in (0, 1):
        where = ("--record", str(path), "--round", str(number))
        assert call(monkeypatch, "search-debug", "uno", "--agent", "reflex", *where, "--json") == 0
        hands = json.loads(capsys.readouterr().out)["position"]["hands"]
        assert hands == game.new_initial_state(number + 1).to_dict()["hands"]
    assert call(monkeypatch, "search-debug", "doudizhu", "--record", str(path)) == 2
    assert "is a record of uno, not of doudizhu" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--position", "hands=r5|g5 top=r1", "--ply", "2"], "leave out --ply"),
        (["--record", "game.jsonl", "--players", "3"], "--record sets the game"),
        (["--record", "game.jsonl", "--rule", "stacking=same"], "--record sets the game"),
        (["--position", "hands=r5|g5 top=r1", "--players", "3"], "2 hands were given for 3 players"),
        (["--position", json.dumps({"hands": ["r5", "g5"]}), "--players", "11"], "2 to 10 players, not 11"),
    ],
)
def test_search_debug_refuses_contradicting_options(
    options: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "search-debug", "uno", "--agent", "reflex", *options) == 2
    assert words in capsys.readouterr().err


def test_search_debug_refuses_a_finished_round(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seeded = ("search-debug", "uno", "--agent", "reflex", "--seed", "1")
    assert call(monkeypatch, *seeded, "--ply", "9999") == 2
    (length,) = re.findall(r"seed 1 has only (\d+) decisions", capsys.readouterr().err)
    assert call(monkeypatch, *seeded, "--ply", length) == 2
    assert "the round is over in this position" in capsys.readouterr().err


def test_depth_limits_the_printed_trees(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown = ("search-debug", "uno", "--agent", "mcts:setting=paper,simulations=40,trees=1", "--seed", "1", "--plain")
    depths = []
    for depth in ("0", "1", "2"):
        assert call(monkeypatch, *shown, "--depth", depth) == 0
        tree = capsys.readouterr().out.partition("\ntree 0: ")[2].splitlines()
        depths.append(max((len(line) - len(line.lstrip()) for line in tree if line.startswith("  ")), default=0))
    assert depths == [0, 2, 4]


def test_text_shows_last_events_and_most_likely_cards() -> None:
    state = cardgames.make("uno", rules="rlcard").position(hands=["r1 r2 r3 r4 r5", "b3 w"], top="r6", to_move=0)
    history = []
    for _ in range(8):
        state.apply_action(state.legal_actions()[0])
        history = state.observation().to_dict()["history"]
    card_kinds = tuple(state.game.belief.card_kinds)
    likely = tuple(number / 100 for number in range(len(card_kinds)))
    belief = {"particles": 5, "effective_sample_size": 2.0, "belief": {1: likely}, "card_kinds": card_kinds}
    report = SearchReport("mine", 0, 9, 0.1, (), **belief)
    analysis = Analysis("mine", 0, 8, state, Decision(state.legal_actions()[0], {}, 0.5, report))
    text = "\n".join(lines([analysis]))
    assert f"history:       {'; '.join(history[-6:])}\n" in text
    assert f"most likely: {card_kinds[-1]} 0.53  {card_kinds[-2]} 0.52" in text
