"""Tests of all learners of paper 002 (AFDQN, CANDQN and their combination): learning, resuming, saved networks."""

from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.arena.match import play_match
from cardgames.learners.algorithms.afcandqn import AfcandqnSettings
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.base.learner import Learner
from cardgames.learners.base.settings import Settings
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.runs.run import WEIGHTS_FILE, Run
from cardgames.networks.network_file import load_network

NAMES = ("afdqn", "candqn", "afcandqn")
SMALL = {"color_units": 8, "number_units": 8, "hidden": (16,), "memory_init": 50, "target_every": 20}
QUICK = {"evaluate_games": 20, "rounds": 20}


def settings_of(name: str, **changes: object) -> Settings:
    cls = algorithm(name).settings_class
    own_changes = {key: value for key, value in {**SMALL, **changes}.items() if key in cls.__dataclass_fields__}
    return cls().with_changes(own_changes)


def learner(name: str, rules: str = "rlcard-2022", **changes: object) -> Learner:
    return make_learner(name, [cardgames.make("uno", players=2, rules=rules)], settings_of(name, **changes), seed=6)


def cycles(trained: Learner, n: int) -> Learner:
    for _ in range(n):
        trained.cycle()
    return trained


@pytest.mark.parametrize("name", NAMES)
def test_resumed_learner_is_bit_identical(name: str) -> None:
    straight = cycles(learner(name), 150)
    resumed = learner(name)
    resumed.load_state({key: array.copy() for key, array in straight.state().items()})
    first, second = (cycles(trained, 100).state() for trained in (straight, resumed))
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[key], second[key]) for key in first)
    assert straight.metrics() == resumed.metrics() and straight.metrics()["updates"] > 100


@pytest.mark.parametrize("name", NAMES)
def test_short_training_learns_q_of_last_decisions(name: str) -> None:
    changes = {"learning_rate": 0.003, "batch": 64, "tables": 8, "train_every": 4, "hidden": (64,), "discount": 0.0}
    trained = learner(name, "rlcard", **changes)
    while trained.online.steps < 1000:  # type: ignore[attr-defined]
        trained.cycle()
    memory: Replay = trained.memory  # type: ignore[attr-defined]
    n = len(memory)
    q = trained.scores(memory.observations[:n])[np.arange(n), memory.actions[:n]]
    won, lost = (q[memory.rewards[:n] == reward].mean() for reward in (1, -1))
    assert won > 0.25 and lost < -0.1, (won, lost)
    assert abs(q[memory.rewards[:n] == 0].mean()) < 0.05


@pytest.mark.parametrize("name", NAMES)
def test_agents_play_saved_networks(name: str, tmp_path: Path) -> None:
    game = cardgames.make("uno", players=2, rules="rlcard-2022")
    run = Run.start(tmp_path, name, [game], settings_of(name, **QUICK), seed=2)
    assert run.train()
    network = load_network(tmp_path / WEIGHTS_FILE)
    assert network.sizes[-1] == 61
    inputs = np.ascontiguousarray(run.learner.memory.observations[:20])  # type: ignore[attr-defined]
    assert np.allclose(network(inputs), run.learner.scores(inputs), atol=1e-5)
    result = play_match(game, [f"{name}:weights={tmp_path / WEIGHTS_FILE}", "random"], games=20, seed=1)
    assert result.games == 20
    resumed = Run.resume(tmp_path, {"rounds": 30})
    assert resumed.train() and resumed.learner.rounds >= 30


def test_afcandqn_has_settings_and_layers_of_both() -> None:
    settings = AfcandqnSettings()
    assert (settings.hidden, settings.color_units, settings.number_units) == ((512, 512), 128, 256)
    assert (settings.focus_loss, settings.focus_weight, settings.evaluate_every) == ("bce", 1.5, 2_000)
    trained = learner("afcandqn")
    assert trained.online.sizes == (240, 8 + 8 + 60, 16, 122)  # type: ignore[attr-defined]
    assert trained.network().sizes == (240, 8 + 8 + 60, 16, 61)


@pytest.mark.parametrize("name", NAMES)
def test_defaults_are_settings_of_paper_002(name: str) -> None:
    cls = algorithm(name).settings_class
    assert cls.from_paper("002") == cls()
