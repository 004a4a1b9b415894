"""Tables of ratings: files, text, and the tables that come with the package."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cardgames.agents import agent_ratings
from cardgames.agents.agent_factory import available
from cardgames.agents.agent_ratings import AgentRating, RatingTable, read_ratings, shipped_ratings
from cardgames.core.game_registry import BUILT_IN, make
from cardgames.support.errors import InvalidInput

TABLE = RatingTable(
    game="uno",
    rules={"name": "official", "hash": "0123"},
    players=2,
    anchor="random",
    command="cardgames arena uno --ratings --agents random,reflex,new",
    seed=1,
    games=1_200,
    version="0.2.0",
    machine="a machine",
    date="2026-01-02",
    agents=(
        AgentRating("reflex", 123.4, (100.0, 150.0), 400, 0.67, 0.051, 0.049),
        AgentRating("random", 0.0, (0.0, 0.0), 400, 0.33, 0.02, 0.02),
        AgentRating("new", None, None, 0, None),
    ),
)


def test_table_is_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    TABLE.write(tmp_path / "table.json")
    assert read_ratings(tmp_path / "table.json") == TABLE
    assert json.loads((tmp_path / "table.json").read_text())["agents"][0]["ci95"] == [100.0, 150.0]


def test_text_has_a_line_for_each_agent() -> None:
    head, reflex, random, new = TABLE.table().splitlines()
    assert head.split() == "agent rating 95 % interval games score ms/decision median ms".split()
    assert reflex.split() == "reflex 123 100 to 150 400 67.0% 0.05 0.05".split()
    assert random.split()[1:5] == ["0", "0", "to", "0"] and new.split() == ["new", "-", "0"]
    assert TABLE.source() == "uno, official rules, 2 players, 1,200 games, seed 1, 2026-01-02"
    assert TABLE.agents[0].half_width == 25.0 and TABLE.agents[2].half_width is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot read"),
        ("[]", "a table of ratings is an object of fields"),
        ('{"game": "uno"}', "a table of ratings has no field rules"),
        (json.dumps(TABLE.to_dict() | {"agents": [{"name": "reflex"}]}), "a rating has no field rating"),
        (json.dumps(TABLE.to_dict() | {"agents": 3}), "not a table of ratings"),
    ],
)
def test_malformed_files_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=words):
        read_ratings(path)
    with pytest.raises(InvalidInput, match="cannot read"):
        read_ratings(tmp_path / "none.json")


@pytest.mark.parametrize("game", BUILT_IN)
def test_shipped_table_is_of_the_usual_rules_and_of_existing_agents(game: str) -> None:
    table = shipped_ratings(game)
    assert table is not None and table.anchor == "random" and table.agents
    assert table.rules == make(game, players=table.players).rules.name_and_hash()
    assert set(table.ratings()) <= set(available(game))
    ratings = [entry.rating for entry in table.agents if entry.rating is not None]
    assert ratings == sorted(ratings, reverse=True) and 0.0 in ratings


def test_game_without_a_table_has_no_ratings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert shipped_ratings("chess") is None
    monkeypatch.setattr(agent_ratings, "_FOLDER", tmp_path)
    TABLE.write(tmp_path / "uno-official.json")
    assert shipped_ratings.__wrapped__("uno") == TABLE and shipped_ratings.__wrapped__("doudizhu") is None


def test_shipped_table_is_read_without_numba() -> None:
    code = (
        "import sys; from cardgames.agents.agent_ratings import shipped_ratings; "
        "print(shipped_ratings('uno').game, 'numba' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["uno", "False"]
