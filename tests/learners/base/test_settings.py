"""Tests of settings: defaults of the papers, parsing of text, errors in one line."""

from pathlib import Path

import pytest

from cardgames.learners.algorithms.actor_critic import ActorCriticSettings
from cardgames.learners.algorithms.algorithm_registry import ALGORITHMS, algorithm, choice_algorithms
from cardgames.learners.algorithms.dqn import DqnSettings
from cardgames.learners.algorithms.sarsa import SarsaSettings
from cardgames.learners.base.settings import settings_from_toml
from cardgames.learners.base.value_learner import ValueSettings
from cardgames.papers.paper_settings import SETUPS, paper_setup
from cardgames.support.errors import InvalidInput
from cardgames.support.toml_file import read_toml, write_toml


def test_dqn_defaults_are_those_of_paper_000() -> None:
    settings = DqnSettings()
    assert (settings.hidden, settings.batch, settings.learning_rate, settings.discount) == ((64, 64), 32, 5e-5, 0.99)
    assert (settings.memory, settings.memory_init, settings.target_every) == (20_000, 100, 1_000)
    assert (settings.opponents, settings.evaluate_every, settings.evaluate_games) == ("random", 1_000, 1_000)
    assert DqnSettings.from_paper("000") == settings


def test_dqn_and_sarsa_settings_of_other_papers() -> None:
    one = DqnSettings.from_paper("001")
    assert (one.hidden, one.encoding, one.memory, one.train_every, one.discount) == ((512, 512), "54x5", 10_000, 2, 1.0)
    assert (one.learning_rate, one.outputs, one.decisions) == (1e-4, 60, 50_000)
    assert one.epsilon(0, 0) == one.epsilon(10**6, 10**5) == 0.1
    assert DqnSettings.from_paper("003").encoding == SarsaSettings.from_paper("003").encoding == "cheating-7x4x15"
    assert SarsaSettings().encoding == "4x4x15"
    assert DqnSettings.from_paper("002").to_dict() == DqnSettings(hidden=(512, 512), evaluate_every=2_000).to_dict()
    with pytest.raises(InvalidInput, match="no settings of paper '004' for this algorithm, only of 000, 001, 002, 003"):
        DqnSettings.from_paper("004")


def test_defaults_of_each_algorithm_that_differ_from_shared_ones() -> None:
    shared = ValueSettings().to_dict()
    differing = {
        name: {key: value for key, value in settings.to_dict().items() if shared.get(key) != value}
        for name in ALGORITHMS
        if isinstance(settings := algorithm(name).settings_class(), ValueSettings)
    }
    q, wide = {"target_every": 1_000}, {"hidden": (512, 512), "evaluate_every": 2_000}
    focus = {"focus_loss": "bce", "focus_weight": 1.5}
    branches = {"color_units": 128, "number_units": 256}
    trees = {"tables": 256, "simulations": 50, "c_puct": 1.0, "simulated": "random", "roots": "true", "threads": 2}
    averaged = {"epsilon_start": 0.06, "epsilon_end": 0.0, "epsilon_decisions": 1_000_000}
    averaged |= {"anticipatory": 0.1, "reservoir": 20_000, "policy_rate": 5e-5}
    linear_schedule = {"discount": 0.95, "epsilon_end": 0.0, "epsilon_factor": 0.95}
    assert differing == {
        "dqn": q,
        "ddqn": q,
        "dmc": {},
        "sarsa": {"hidden": (512, 512), "learning_rate": 1e-4, "rounds": 125_000} | linear_schedule,
        "nfsp": q | averaged,
        "ddqn-mcts": q | trees,
        "afdqn": q | wide | focus,
        "candqn": q | wide | branches,
        "afcandqn": q | wide | focus | branches,
    }


def test_every_paper_of_settings_has_a_setup() -> None:
    learners = [*ALGORITHMS.values(), *choice_algorithms().values()]
    papers = {paper for learner in learners for paper in learner.settings_class.papers}
    assert papers == set(SETUPS)
    with pytest.raises(InvalidInput, match="no paper has this algorithm"):
        algorithm("actor-critic").settings_class.from_paper("000")


def test_unknown_paper_has_no_setup() -> None:
    class Theirs(DqnSettings):
        papers = {"2024": {}}

    assert paper_setup("uno", DqnSettings) == SETUPS["000"]
    assert paper_setup("uno", Theirs) is None


def test_epsilon_falls_linearly_or_by_factor() -> None:
    linear = ValueSettings()
    assert [linear.epsilon(n, 0) for n in (0, 10_000, 20_000, 10**9)] == pytest.approx([1.0, 0.55, 0.1, 0.1])
    factor = ValueSettings(epsilon_factor=0.5)
    assert [factor.epsilon(10**9, n) for n in (0, 99, 100, 250, 10**6)] == [1.0, 1.0, 0.5, 0.25, 0.1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ({"hidden": "512-512"}, {"hidden": (512, 512)}),
        ({"hidden": [7]}, {"hidden": (7,)}),
        ({"rounds": "1_000"}, {"rounds": 1000}),
        ({"learning_rate": "1e-3", "max_norm": "inf"}, {"learning_rate": 1e-3, "max_norm": float("inf")}),
        ({"opponents": "random+past", "seats": "all"}, {"opponents": "random+past", "seats": "all"}),
    ],
)
def test_settings_are_parsed_from_text(text: dict[str, object], expected: dict[str, object]) -> None:
    with_changes = DqnSettings().with_changes(text)
    assert {name: getattr(with_changes, name) for name in expected} == expected


def test_max_norm_can_be_set_to_infinity() -> None:
    assert ActorCriticSettings().with_changes({"max_norm": "inf"}).max_norm == float("inf")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"speed": 1}, "unknown setting 'speed': choose from hidden, encoding"),
        ({"batch": "many"}, "batch is a whole number, not 'many'"),
        ({"batch": "0"}, "batch is from 1 to 1e\\+06, not 0"),
        ({"batch": "1.5"}, "batch is a whole number"),
        ({"train_every": "9" * 20}, "train_every is at most 1,000,000,000,000,000, not 99,999,999,999,999,999,999"),
        ({"discount": "1.2"}, "discount is from 0 to 1, not 1.2"),
        ({"discount": "nan"}, "discount is from 0 to 1, not nan"),
        ({"hidden": "64-0"}, "hidden is from 1"),
        ({"hidden": "wide"}, "hidden is whole numbers such as 64-64, not 'wide'"),
        ({"hidden": "-5"}, "hidden is whole numbers such as 64-64, not '-5'"),
        ({"hidden": ""}, "hidden is whole numbers"),
        ({"hidden": [32.5, 32]}, "hidden is whole numbers"),
        ({"seats": "second"}, "unknown seats 'second': choose from first, any, all"),
        ({"loss": "sum"}, "unknown loss 'sum': choose from mse, huber"),
        ({"opponents": 3}, "opponents is text, not 3"),
        ({"epsilon_factor": "inf"}, "epsilon_factor is"),
        ({"optimizer": "momentum"}, "unknown optimizer 'momentum': choose from adam, rmsprop, sgd"),
    ],
)
def test_invalid_settings_are_refused_in_one_line(change: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as refused:
        DqnSettings().with_changes(change)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_settings_survive_a_toml_file(name: str, tmp_path: Path) -> None:
    settings = algorithm(name).settings_class().with_changes({"hidden": "5-6", "opponents": "reflex"})
    write_toml(tmp_path / "run.toml", {"settings": settings.to_dict()})
    assert (
        algorithm(name).settings_class().with_changes(settings_from_toml(read_toml(tmp_path / "run.toml"))) == settings
    )
    assert len(settings.describe().splitlines()) == len(settings.to_dict())


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ({"settings": 3}, "settings is not a table"),
        ({"seed": 1, "settings": {"batch": 8}}, "seed is outside the table"),
    ],
)
def test_invalid_toml_contents_are_refused(contents: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        settings_from_toml(contents)


@pytest.mark.parametrize(
    "changes", [{"rounds": 500.5}, {"hidden": "x"}, {"learning_rate": "x"}, {"opponents": 5}, {"rounds": True}]
)
def test_settings_constructor_checks_types(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(changes))):
        DqnSettings(**changes)  # type: ignore[arg-type]


def test_settings_constructor_converts_lists_and_text() -> None:
    assert DqnSettings(hidden=[64, 32], rounds="500") == DqnSettings(hidden=(64, 32), rounds=500)  # type: ignore[arg-type]
