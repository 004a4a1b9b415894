"""Tests of whole trainings: they beat random play, their networks play and serve searches, divergence is reported."""

from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.core.game_registry import make
from cardgames.learners.algorithms.actor_critic import ActorCriticSettings
from cardgames.learners.algorithms.algorithm_registry import ALGORITHMS, algorithm, make_learner
from cardgames.learners.algorithms.ddqn_mcts import DdqnMctsSettings
from cardgames.learners.base.metrics import RunningMeans
from cardgames.learners.runs import run as runs
from cardgames.learners.runs.curves import read_curves
from cardgames.learners.runs.evaluation import evaluate
from cardgames.learners.runs.run import Run
from cardgames.networks.network import LOGITS
from cardgames.networks.network_file import load_network
from cardgames.support.errors import InvalidInput
from cardgames.uno.game import Uno
from tests.learners.tiny_run import TINY, VARIANTS, start


@pytest.mark.parametrize("name", ALGORITHMS)
def test_network_has_algorithm_and_value_network(name: str) -> None:
    network = make_learner(name, [cardgames.make("uno", rules="rlcard")]).network()
    assert network.algorithm == name
    if network.critic is not None:
        assert network.value_network.sizes == (*network.sizes[:-1], 1)
    elif name in LOGITS:
        assert network.value_network is network.q
    else:
        assert network.value_network is network


def test_weights_file_has_metadata_and_plays(tmp_path: Path) -> None:
    run = start(tmp_path / "run", "ddqn")
    run.train()
    file = run.folder / runs.WEIGHTS_FILE
    from safetensors import safe_open

    with safe_open(file, framework="np") as opened:
        metadata = opened.metadata()
    assert metadata["game"] == "uno" and metadata["encoding"] == "4x4x15" and metadata["sizes"] == "240 8 61"
    assert metadata["algorithm"] == "ddqn" and metadata["seed"] == "1" and metadata["version"] == cardgames.__version__
    game = run.learner.games[0]
    agent = cardgames.agent(f"ddqn:weights={file}", game, seed=1)
    state = game.new_initial_state(seed=3)
    assert agent.act(state.observation()).action in state.legal_actions()
    with pytest.raises(InvalidInput, match="trained under rules"):
        cardgames.agent(f"ddqn:weights={file}", make("uno", rules="common"))


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in VARIANTS))
def test_short_training_beats_random(name: str) -> None:
    """With four cards per hand, a training of seconds wins more than half of the rounds."""
    game = make("uno", players=2, rules="rlcard", overrides=["hand-size=4"])
    changes = {"tables": 32, "batch": 64, "train_every": 8, "learning_rate": 1e-3, "rounds": 2000}
    changes |= {"hidden": "32", "epsilon_decisions": 8000, "epsilon_factor": 1.0, "discount": 0.99}
    if name == "ddqn-mcts":
        changes |= {"simulations": 10, "rounds": 4000}  # a fifth of the paper's simulations
    cls = algorithm(name)
    learner = cls([game], cls.settings_class().with_changes(changes), 1, "kernel")
    while not learner.finished:
        learner.cycle()
    result = evaluate(learner, game, "random", 10_000, 5)
    assert result.interval[0] > 0.5, result


def test_curves_are_read_from_progress_file(tmp_path: Path) -> None:
    run = start(tmp_path / "run", evaluate="random+reflex")
    run.train()
    curves = read_curves(run.folder / runs.PROGRESS_FILE)
    assert list(curves) == ["random (2 players)", "reflex (2 players)"]
    for curve in curves.values():
        assert [point.rounds for point in curve] == [0, 10, 20, 30]
        assert all(point.low <= point.rate <= point.high for point in curve)


def test_network_without_draw_output_draws_only_when_forced(tmp_path: Path) -> None:
    game = make("uno", players=2, rules="simplified")
    settings = algorithm("dqn").settings_class().with_changes({**TINY, "outputs": 60})
    run = Run.start(tmp_path / "run", "dqn", [game], settings, 1, "kernel")
    assert run.train() and load_network(run.folder / runs.WEIGHTS_FILE).sizes[-1] == 60
    assert run.learner.memory.actions.max() < 60
    player = cardgames.agent("dqn", game, weights=str(run.folder / runs.WEIGHTS_FILE))
    state, draw_action = game.new_initial_state(seed=5), game.parse_action("draw")
    while not state.is_terminal():
        action, legal = player.act(state.observation()).action, state.legal_actions()
        assert action != draw_action or min(legal) == draw_action
        state.apply_action(action)
    with pytest.raises(InvalidInput, match="outputs is at most"):
        Run.start(tmp_path / "more", "dqn", [game], settings.with_changes({"outputs": 1_000}), 1, "kernel")
    with pytest.raises(InvalidInput, match="opponents need seats=first or any"):
        Run.start(tmp_path / "more", "dqn", [game], settings.with_changes({"seats": "all", "opponents": "reflex"}), 1)
    with pytest.raises(InvalidInput, match="batch is at most memory, 200, not 201"):
        Run.start(tmp_path / "more", "dqn", [game], settings.with_changes({"batch": 201}), 1, "kernel")


def test_training_game_without_network_policy_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Uno, "networks", None)
    with pytest.raises(InvalidInput, match="uno has no agents that play by a network"):
        Run.start(tmp_path / "run", "dqn", cardgames.make("uno"))
    assert not (tmp_path / "run").exists()


def test_diverged_loss_is_reported() -> None:
    means = RunningMeans(["error"])
    with pytest.raises(InvalidInput, match="the training diverged: its error is nan; a smaller learning_rate may help"):
        means.add("error", float("nan"))


def test_diverged_policy_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = make_learner(
        "actor-critic", [cardgames.make("uno", 2, "rlcard")], ActorCriticSettings(tables=2, memory=64)
    )
    outputs = learner.online.outputs
    monkeypatch.setattr(learner.online, "outputs", lambda inputs: outputs(inputs) * np.float32(np.nan))
    with pytest.raises(InvalidInput, match="the training diverged: its policy has outputs that are not finite"):
        learner.cycle()


def test_diverged_network_of_trees_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    game = cardgames.make("uno", 3, "rlcard")
    learner = make_learner("ddqn-mcts", [game], DdqnMctsSettings(hidden=(8,), tables=2, simulations=2))
    outputs = learner.online.outputs
    monkeypatch.setattr(learner.online, "outputs", lambda inputs: outputs(inputs) * np.float32(np.nan))
    with pytest.raises(InvalidInput, match="the training diverged: its network has outputs that are not finite"):
        learner.cycle()
