"""`cardgames agents`: the table with ratings, the page of one agent, agents of other packages, JSON."""

import json
from importlib.metadata import EntryPoint
from typing import Any

import pytest

import cardgames.agents.agent_factory
import cardgames.core.game_registry
from cardgames.agents import agent_ratings
from cardgames.agents.agent_ratings import AgentRating
from cardgames.agents.agent_registry import BUILT_IN
from tests.agents.test_agent_ratings import TABLE
from tests.command import call, is_one_line


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the ratings of Uno by a table of three agents; Dou Di Zhu has none."""
    monkeypatch.setattr(agent_ratings, "shipped_ratings", lambda game: TABLE if game == "uno" else None)


def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert call(monkeypatch, "agents", *arguments) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("rated")
def test_table_begins_with_the_strongest_agent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    title, head, first, second, third, *_ = printed(monkeypatch, capsys, "uno").splitlines()
    assert title == "Uno" and head.split() == ["agent", "rating", "ms", "description"]
    assert first.split()[:5] == ["reflex", "123", "±", "25", "0.05"] and second.split()[:3] == ["random", "0", "0.02"]
    assert third.split()[:3] == ["rlcard-rule", "-", "-"], "agents without a rating follow in their usual order"


@pytest.mark.usefixtures("rated")
def test_table_says_for_which_rules_and_when(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = " ".join(printed(monkeypatch, capsys, "uno").split())
    assert "uno, official rules, 2 players, 1,200 games, seed 1, 2026-01-02; a machine." in words
    assert "Measured" not in printed(monkeypatch, capsys, "doudizhu")


@pytest.mark.parametrize("arguments", [(), ("uno",), ("doudizhu",)])
def test_table_fits_into_80_columns(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wide = AgentRating("cheating-hands", -1234.0, (-1434.0, -1034.0), 400, 0.67, 123.4, 123.4)
    table = agent_ratings.RatingTable(**vars(TABLE) | {"agents": (wide, *TABLE.agents)})
    monkeypatch.setattr(agent_ratings, "shipped_ratings", lambda game: table)
    lines = printed(monkeypatch, capsys, *arguments).splitlines()
    assert max(map(len, lines)) <= 80
    starts = {
        len(line) - len(spec.description)
        for spec in BUILT_IN
        for line in lines
        if line.startswith(f"{spec.name} ") and line.endswith(spec.description)
    }
    assert len(starts) == 1, "the descriptions are aligned"


def test_descriptions_are_short_and_have_no_jargon() -> None:
    for spec in BUILT_IN:
        assert len(spec.description) <= 43 and "\n" not in spec.description, spec.name
        assert not {"Markov", "particle", "simulation", "determinization"} & set(spec.description.split()), spec.name


@pytest.mark.usefixtures("rated")
def test_page_of_an_agent_has_its_options_and_rating(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(monkeypatch, capsys, "uno", "reflex")
    assert "rating 123 ± 25, 0.05 ms a decision (uno, official rules" in text
    assert "color [default: most]: " in text and "rlcard-rule" not in text
    assert "Options" not in printed(monkeypatch, capsys, "uno", "rlcard-rule")
    assert "color [default" not in printed(monkeypatch, capsys, "uno")


def test_agents_without_a_game_lists_every_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(monkeypatch, capsys)
    assert text.startswith("Uno\n") and "\nDou Di Zhu\n" in text and text.count("\nchampion ") == 2


@pytest.mark.parametrize("name", ["nobody", "REFLEX", "rhcp"])
def test_unknown_agent_is_one_line(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "agents", "uno", name) == 2
    error = capsys.readouterr().err
    assert f"unknown agent for uno '{name}'" in error and is_one_line(error)


@pytest.mark.usefixtures("rated")
def test_json_has_ratings_and_where_they_are_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data: dict[str, Any] = json.loads(printed(monkeypatch, capsys, "uno", "reflex", "--json"))
    (reflex,) = data["agents"]
    assert reflex["ratings"]["uno"]["ci95"] == [100.0, 150.0] and "color" in reflex["options"]
    assert data["ratings"]["uno"]["rules"] == TABLE.rules and "agents" not in data["ratings"]["uno"]
    assert not json.loads(printed(monkeypatch, capsys, "doudizhu", "--json"))["ratings"]
    both = json.loads(printed(monkeypatch, capsys, "--json"))["agents"]
    assert next(entry["ratings"] for entry in both if entry["games"] == ["doudizhu"]) == {}


def test_long_names_of_other_packages_keep_their_distance(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "an-agent-with-a-very-long-name"
    point = EntryPoint(long, "tests.cli.acting:talkative", "cardgames.agents")
    monkeypatch.setattr(cardgames.agents.agent_factory, "plugins", lambda: {long: point})
    (line,) = (line for line in printed(monkeypatch, capsys, "uno").splitlines() if line.startswith(long))
    assert line.split() == [long, "-", "-", "tests.cli.acting:talkative,", "from", "the", "package", "?"]
    assert printed(monkeypatch, capsys, "uno", long) == f"{long}: tests.cli.acting:talkative, from the package ?\n"


def test_agents_of_other_packages_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = {
        name: EntryPoint(name, "tests.cli.acting:interrupting", "cardgames.agents") for name in ("mine", "reflex")
    }
    monkeypatch.setattr(cardgames.agents.agent_factory, "plugins", lambda: points)
    assert call(monkeypatch, "agents", "uno") == 0
    mine, reflex = (line for line in capsys.readouterr().out.splitlines() if "tests.cli.acting" in line)
    assert mine.startswith("mine ") and "hidden" not in mine
    assert reflex.startswith("reflex ") and reflex.endswith("hidden by the built-in agent of that name")
    assert call(monkeypatch, "arena", "uno", "--agents", "nobody,random") == 2
    assert capsys.readouterr().err.count("reflex") == 1


def test_agents_of_other_packages_are_listed_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    point = EntryPoint("mine", "tests.cli.acting:talkative", "cardgames.agents")
    monkeypatch.setattr(cardgames.agents.agent_factory, "plugins", lambda: {"mine": point})
    assert call(monkeypatch, "agents", "--json") == 0
    assert json.loads(capsys.readouterr().out)["plugins"] == {"mine": "tests.cli.acting:talkative"}
    table = cardgames.core.game_registry.make("uno", 2)
    assert cardgames.agents.agent_factory.agent("mine", table).name == "random"
