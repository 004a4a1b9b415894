"""Runs: the same to the last bit, however often interrupted; foreign files are refused; learning learns."""

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import cardgames
from cardgames.core.errors import InvalidInput
from cardgames.core.game import make
from cardgames.core.interruption import last_signal
from cardgames.core.network import LOGITS
from cardgames.core.network_file import load_network
from cardgames.learners import run as runs
from cardgames.learners.actor_critic import ActorCriticSettings
from cardgames.learners.algorithms import ALGORITHMS, algorithm, make_learner
from cardgames.learners.curves import read_curves
from cardgames.learners.description import identity_of
from cardgames.learners.dqn import DqnSettings
from cardgames.learners.evaluation import evaluate
from cardgames.learners.means import Means
from cardgames.learners.run import Progress, Run
from cardgames.learners.run_files import locked
from cardgames.uno.game import Uno

TINY = {"hidden": "8", "rounds": 30, "evaluate_every": 10, "evaluate_games": 4, "memory": 200, "batch": 4}


SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def start(folder: Path, name: str = "dqn", seed: int = 1, **changes: object) -> Run:
    game = make("uno", players=2, rules="rlcard", overrides=["hand-size=2"])
    settings = (
        algorithm(name)
        .settings_class()
        .changed({**TINY, "target_every": 7, **changes} if "dqn" in name else {**TINY, **changes})
    )
    return Run.start(folder, name, [game], settings, seed, "auto" if "network" in changes else "kernel")


def progress_of(run: Run) -> list[dict[str, float]]:
    """The rows of a run's progress, but for the time it took."""
    return [row | {"seconds": 0} for row in run._table.read()]


def contents(run: Run) -> dict[str, np.ndarray]:
    """The weights and the whole state at the end of a run, but for the time it took."""
    state = load_file(run.folder / runs.CHECKPOINT)
    del state["run/seconds"]
    return state | load_file(run.folder / runs.WEIGHTS)


def same(first: Run, second: Run) -> bool:
    left, right = contents(first), contents(second)
    return left.keys() == right.keys() and all(np.array_equal(left[name], right[name]) for name in left)


VARIANTS = [
    ("dqn", {}),
    ("ddqn", {"tables": 3, "priority": 0.6, "seats": "all"}),
    (
        "sarsa",
        {
            "train_every": 5,
            "opponents": "reflex+ismcts:simulations=4",
            "evaluate": "mcts:simulations=2",
            "optimizer": "sgd",
        },
    ),
    ("dmc", {"opponents": "random+2*past", "past_every": 5, "past_pool": 2, "seats": "any", "optimizer": "rmsprop"}),
    ("nfsp", {"tables": 3, "seats": "all", "memory_init": 10, "reservoir": 30, "anticipatory": 0.5}),
    ("ddqn-mcts", {"tables": 3, "simulations": 4, "priority": 0.6, "threads": 2}),
    ("dqn", {"network": "rlcard", "memory_init": 20, "opponents": "past", "past_every": 5}),
    ("nfsp", {"network": "rlcard", "memory_init": 10, "reservoir": 30, "anticipatory": 0.5}),
]


@pytest.mark.parametrize(("name", "changes"), VARIANTS, ids=[name for name, _ in VARIANTS])
def test_interrupted_anywhere_a_run_ends_with_the_same_bits(
    name: str, changes: dict[str, object], tmp_path: Path
) -> None:
    whole = start(tmp_path / "whole", name, **changes)
    assert whole.train()
    broken = start(tmp_path / "broken", name, **changes)
    for cycles in (40, 25):
        for _ in range(cycles):
            broken.learner.cycle()
        broken.save()
        for _ in range(10):
            broken.learner.cycle()  # what a kill loses
        broken = Run.resume(tmp_path / "broken")
    assert broken.train()
    assert same(whole, broken)
    other = start(tmp_path / "other", name, seed=2, **changes)
    other.train()
    assert not same(whole, other)


@pytest.mark.parametrize("asked", [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)])
def test_signals_leave_a_checkpoint_to_go_on_from(asked: signal.Signals, tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    stopped = start(tmp_path / "stopped")
    cycle, before = stopped.learner.cycle, signal.getsignal(asked)
    if before is signal.SIG_IGN:
        pytest.skip("ignored here, as under nohup")

    def interrupted_cycle() -> None:
        cycle()
        if stopped.learner.rounds == 15:
            signal.raise_signal(asked)

    stopped.learner.cycle = interrupted_cycle  # type: ignore[method-assign]
    told: list[int] = []
    assert not stopped.train(stopping=lambda: told.append(stopped.learner.rounds))
    assert told == [15]
    assert signal.getsignal(asked) is before
    assert stopped.learner.rounds == 15 and last_signal() == asked
    resumed = Run.resume(tmp_path / "stopped")
    assert resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_a_signal_during_the_last_evaluation_is_told(tmp_path: Path) -> None:
    run = start(tmp_path / "run")

    def report(now: Progress) -> None:
        if run.learner.finished and now.fresh:
            signal.raise_signal(signal.SIGINT)

    assert run.train(report) and run.interrupted
    assert not Run.resume(tmp_path / "run").interrupted


def test_an_evaluation_that_a_signal_ends_is_played_by_whoever_goes_on(tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    stopped = start(tmp_path / "stopped")

    def report(now: Progress) -> None:
        if now.evaluated == 0 and now.rounds == 20:
            signal.raise_signal(signal.SIGINT)

    assert not stopped.train(report) and stopped.interrupted
    assert [row["rounds"] for row in stopped._table.read()] == [0, 10]
    resumed = Run.resume(tmp_path / "stopped")
    assert resumed.learner.rounds == 20 and resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_where_a_report_fails_a_checkpoint_is_left_to_go_on_from(tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    whole.train()

    def lost(progress: Progress) -> None:
        if progress.rounds == 20:
            raise OSError("the terminal is gone")

    with pytest.raises(OSError, match="gone"):
        start(tmp_path / "lost").train(lost)
    resumed = Run.resume(tmp_path / "lost")
    assert resumed.learner.rounds == 20
    assert resumed.train() and same(whole, resumed)


def test_where_an_evaluation_fails_a_checkpoint_is_left_to_go_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    said: list[int] = []

    def failing(*asked: Any) -> Any:
        if said[-1] == 20:
            raise KeyboardInterrupt
        return evaluate(*asked)

    def report(now: Progress) -> None:
        if now.evaluated == 0:
            said.append(now.rounds)

    with monkeypatch.context() as patched:
        patched.setattr(runs, "evaluate", failing)
        with pytest.raises(KeyboardInterrupt):
            start(tmp_path / "ended").train(report)
    resumed = Run.resume(tmp_path / "ended")
    assert resumed.learner.rounds == 20 and said == [0, 10, 20]
    assert resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_what_a_row_was_to_tell_is_kept_where_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, ended = start(tmp_path / "whole"), start(tmp_path / "ended")
    whole.train()
    append = ended._table.append

    def full(row: Any) -> None:
        if row["rounds"] == 20:
            raise InvalidInput("no space left on device")
        append(row)

    with monkeypatch.context() as patched:
        patched.setattr(ended._table, "append", full)
        with pytest.raises(InvalidInput, match="no space"):
            ended.train()
    resumed = Run.resume(tmp_path / "ended")
    assert resumed.train() and progress_of(whole) == progress_of(resumed)
    assert any(row["error"] for row in progress_of(whole))


def test_progress_after_the_checkpoint_is_played_again(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.train()
    before = run._table.path.read_text()
    run._table.append({key: 1000.0 for key in run._table.read()[0]})
    with open(run._table.path, "a") as file:
        file.write("2000,17,")
    again = Run.resume(tmp_path / "run", {"rounds": 45})
    assert again.train()
    assert [row["rounds"] for row in again._table.read()] == [0, 10, 20, 30, 40, 45]
    assert again._table.path.read_text().startswith(before), "rows that stay are as they were"
    assert Run.resume(tmp_path / "run").learner.settings.rounds == 45
    lines = run._table.path.read_text().splitlines()
    run._table.path.write_text("\n".join([*lines[:2], "20,x", *lines[2:]]))
    with pytest.raises(InvalidInput, match="is damaged"):
        Run.resume(tmp_path / "run").train()
    run._table.path.write_text("round,time\n1,2\n")
    with pytest.raises(InvalidInput, match="is damaged: it lacks 'rounds'"):
        Run.resume(tmp_path / "run").train()


def test_a_run_killed_before_its_first_checkpoint_begins_anew(tmp_path: Path) -> None:
    whole, killed = start(tmp_path / "whole"), start(tmp_path / "killed")
    whole.train()
    for rounds in (0.0, 10.0):
        killed._table.append({**whole._table.read()[0], "rounds": rounds})
    again = Run.resume(tmp_path / "killed")
    again.train()
    assert same(whole, again)
    assert [row["rounds"] for row in again._table.read()] == [0, 10, 20, 30]


@pytest.mark.parametrize("lost", [{runs.CHECKPOINT}, {runs.SETTINGS}, {runs.SETTINGS, runs.CHECKPOINT, runs.PROGRESS}])
def test_what_is_left_of_a_run_is_never_overwritten(lost: set[str], tmp_path: Path) -> None:
    assert start(tmp_path / "run").train()
    for name in lost:
        (tmp_path / "run" / name).unlink()
    left = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    words = "lacks its checkpoint.safetensors" if runs.SETTINGS not in lost else "holds no run"
    with pytest.raises(InvalidInput, match=words):
        Run.resume(tmp_path / "run")
    with pytest.raises(InvalidInput, match="name another folder"):
        start(tmp_path / "run")
    assert left == {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}


def test_progress_that_lacks_what_the_checkpoint_knows_is_refused(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.train()
    lines = run._table.path.read_text().splitlines(keepends=True)
    for rows in (lines[:-1], [*lines[:-1], "30,x,"], []):
        run._table.path.write_text("".join(rows))
        with pytest.raises(InvalidInput, match="is damaged: it lacks the evaluation after 30 rounds"):
            Run.resume(tmp_path / "run", {"rounds": 40}).train()
        assert run._table.path.read_text() == "".join(rows)
    run._table.path.unlink()
    assert Run.resume(tmp_path / "run", {"rounds": 40}).train()
    assert [row["rounds"] for row in run._table.read()] == [40]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InvalidInput("no space")])
def test_weights_are_saved_where_their_checkpoint_has_no_room_and_not_where_ctrl_c_ends_it(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*about: object) -> None:
        raise error

    run = start(tmp_path / "run")
    monkeypatch.setattr(runs, "write_checkpoint", fail)
    with pytest.raises(type(error)):
        run.train()
    assert (run.folder / runs.WEIGHTS).exists() == isinstance(error, InvalidInput)


def test_a_run_that_another_process_trains_or_has_trained_is_left_alone(tmp_path: Path) -> None:
    first = start(tmp_path / "run")
    second = Run.resume(tmp_path / "run")
    assert first.train()
    files = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    with pytest.raises(InvalidInput, match="was trained by another process meanwhile"):
        second.train()
    with locked(tmp_path / "run"), pytest.raises(InvalidInput, match="is being trained by another process"):
        Run.resume(tmp_path / "run", {"rounds": 40}).train()
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    assert first.train(), "what it wrote itself is no hindrance"


@pytest.mark.parametrize(
    ("name", "key", "changes"),
    [
        ("dqn", "opponents", {"memory": 200, "batch": 4}),
        ("rollouts", "policy", {"opponents": "random", "positions": 8, "batch": 4, "rollouts": 1}),
    ],
)
def test_a_run_whose_policies_are_others_now_is_refused(
    name: str, key: str, changes: dict[str, object], tmp_path: Path
) -> None:
    first, second = start(tmp_path / "first", "dmc"), start(tmp_path / "second", "dmc", seed=2)
    assert first.train() and second.train()
    file, own = tmp_path / "policy.safetensors", (first.folder / runs.WEIGHTS).read_bytes()
    file.write_bytes(own)
    few = {"hidden": "8", "rounds": 30, "evaluate": "random", "evaluate_games": 4, key: str(file)}
    settings = algorithm(name).settings_class().changed(few | changes)
    Run.start(tmp_path / "run", name, first.learner.games, settings).train()
    file.write_bytes((second.folder / runs.WEIGHTS).read_bytes())
    with pytest.raises(InvalidInput, match="not what it was when the run began"):
        Run.resume(tmp_path / "run", {"rounds": 40})
    file.write_bytes(own)
    assert Run.resume(tmp_path / "run", {"rounds": 40}).train()


def test_a_failure_leaves_the_folder_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(tmp_path / "run")
    monkeypatch.setattr(run.learner, "cycle", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run.train()
    assert Run.resume(tmp_path / "run").train()


def test_a_resumed_run_may_change_what_changes_nothing_learned(tmp_path: Path) -> None:
    start(tmp_path / "run", decisions=100).train()
    done = Run.resume(tmp_path / "run").learner.decisions
    with pytest.raises(InvalidInput, match=f"has {done:,} decisions already, more than 50"):
        Run.resume(tmp_path / "run", {"decisions": 50})
    assert Run.resume(tmp_path / "run", {"decisions": 0}).learner.settings.decisions == 0
    start(tmp_path / "trees", "ddqn-mcts", simulations=2, rounds=5, threads=1).train()
    again = Run.resume(tmp_path / "trees", {"threads": 2}).learner
    assert again.finished and again.settings.threads == 2  # type: ignore[attr-defined]


def test_files_have_the_rights_of_any_other(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.save()
    assert len({(run.folder / name).stat().st_mode for name in (runs.SETTINGS, runs.CHECKPOINT, runs.WEIGHTS)}) == 1


def test_whom_to_evaluate_against_is_checked_before_anything_is_written(tmp_path: Path) -> None:
    for text, words in (
        ("random,reflex", "several written random\\+rlcard-rule: unknown agent for uno 'random,reflex'"),
        ("past", "not against past selves"),
        ("random + 2*past", "they have no shares"),
        ("random + 2*reflex", "they have no shares"),
        ("random+random", "random is named twice"),
        ("", "evaluate="),
    ):
        with pytest.raises(InvalidInput, match=words):
            start(tmp_path / "run", evaluate=text)
        assert not (tmp_path / "run").exists()


def test_rounds_that_nobody_wins_are_told() -> None:
    game = make("uno", players=2, rules="common", overrides=["turn-limit=4"])
    learner = make_learner("dqn", [game], algorithm("dqn").settings_class().changed(TINY), 1, "kernel")
    found = evaluate(learner, game, "random", 20, 1)
    assert found.voids == 20 and str(found).endswith("against random (2 players), 100.0% void")


def test_what_does_not_fit_is_refused_with_the_reason(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.train()
    with pytest.raises(InvalidInput, match="holds a run already"):
        start(tmp_path / "run")
    with pytest.raises(
        InvalidInput, match="a resumed run keeps its batch, 4, not 5: only rounds, decisions, evaluate_games"
    ):
        Run.resume(tmp_path / "run", {"batch": 5})
    with pytest.raises(InvalidInput, match="holds no run"):
        Run.resume(tmp_path / "nowhere")
    other = start(tmp_path / "other", seed=2)
    checkpoint = run.folder / runs.CHECKPOINT
    checkpoint.rename(other.folder / runs.CHECKPOINT)
    with pytest.raises(InvalidInput, match="belongs to another run, whose seed is 1, not 2"):
        Run.resume(tmp_path / "other")
    checkpoint.write_bytes((run.folder / runs.WEIGHTS).read_bytes())
    with pytest.raises(InvalidInput, match="is no checkpoint of cardgames"):
        Run.resume(tmp_path / "run")
    whole = (other.folder / runs.CHECKPOINT).read_bytes()
    checkpoint.write_bytes(whole.replace(b"cardgames-checkpoint-8", b"cardgames-checkpoint-7"))
    with pytest.raises(InvalidInput, match="or one of an earlier version"):
        Run.resume(tmp_path / "run")
    (other.folder / runs.CHECKPOINT).rename(checkpoint)
    Run.resume(tmp_path / "run")
    checkpoint.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    with pytest.raises(InvalidInput, match="its bytes are not those that were written"):
        Run.resume(tmp_path / "run")
    save_file({}, checkpoint, {"format": "cardgames-checkpoint-8", "identity": "[1"})
    with pytest.raises(InvalidInput, match="is damaged: it does not say what it is a state of"):
        Run.resume(tmp_path / "run")
    checkpoint.write_bytes(b"half a che")
    with pytest.raises(InvalidInput, match="is damaged"):
        Run.resume(tmp_path / "run")
    checkpoint.write_bytes(whole)
    told = (run.folder / runs.SETTINGS).read_text()
    for line, other_line, words in (
        ("batch = 4", "batch = 5", "belongs to another run, whose batch is 4, not 5"),
        ('stacking = "none"', 'stacking = "same"', "whose rule stacking is none, not same"),
        ("batch = 4", 'batch = "many"', "settings.toml: batch is a whole number"),
        ("seed = 1", "seed = inf", "settings.toml is damaged: seed is a whole number, not inf"),
        ("seed = 1", "seed = true", "settings.toml is damaged: seed is a whole number, not True"),
        ("players = [2]", "players = [2.5]", "settings.toml is damaged: players is a whole number, not 2.5"),
        ("players = [2]", "players = 2", "settings.toml is damaged: players is a list of whole numbers, not 2"),
        (
            'rules_name = "rlcard+hand-size=2"',
            "rules_name = 7",
            "settings.toml is damaged: rules_name is a text, not 7",
        ),
        ('stacking = "none"', "stacking = []", "settings.toml is damaged: unknown value of rule stacking"),
        ('algorithm = "dqn"', "algorithm = []", "settings.toml is damaged: algorithm is a text"),
    ):
        (run.folder / runs.SETTINGS).write_text(told.replace(line, other_line))
        with pytest.raises(InvalidInput, match=words):
            Run.resume(tmp_path / "run")
    (run.folder / runs.SETTINGS).write_text("seed = 1\n")
    with pytest.raises(InvalidInput, match="describes no run"):
        Run.resume(tmp_path / "run")


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_network_names_what_trained_it_and_is_of_use_to_searches(name: str) -> None:
    network = make_learner(name, [cardgames.make("uno", rules="rlcard")]).network()
    assert network.algorithm == name
    if network.critic is not None:
        assert network.judge.sizes == (*network.sizes[:-1], 1)
    elif name in LOGITS:
        assert network.judge is network.q
    else:
        assert network.judge is network


def test_weights_say_what_they_are_and_play(tmp_path: Path) -> None:
    run = start(tmp_path / "run", "ddqn")
    run.train()
    file = run.folder / runs.WEIGHTS
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
def test_learning_beats_random_play(name: str) -> None:
    """With four cards a hand some seconds are enough to win more than half of the rounds."""
    game = make("uno", players=2, rules="rlcard", overrides=["hand-size=4"])
    changes = {"tables": 32, "batch": 64, "train_every": 8, "learning_rate": 1e-3, "rounds": 2000}
    changes |= {"hidden": "32", "epsilon_decisions": 8000, "epsilon_factor": 1.0, "discount": 0.99}
    if name == "ddqn-mcts":
        changes |= {"simulations": 10, "rounds": 4000}  # a fifth of the paper's simulations
    cls = algorithm(name)
    learner = cls([game], cls.settings_class().changed(changes), 1, "kernel")
    while not learner.finished:
        learner.cycle()
    found = evaluate(learner, game, "random", 10_000, 5)
    assert found.interval[0] > 0.5, found


def test_curves_are_read_from_progress(tmp_path: Path) -> None:
    run = start(tmp_path / "run", evaluate="random+reflex")
    run.train()
    curves = read_curves(run.folder / runs.PROGRESS)
    assert list(curves) == ["random (2 players)", "reflex (2 players)"]
    for curve in curves.values():
        assert [point.rounds for point in curve] == [0, 10, 20, 30]
        assert all(point.low <= point.rate <= point.high for point in curve)


def test_a_network_without_an_output_for_drawing_draws_only_when_stuck(tmp_path: Path) -> None:
    game = make("uno", players=2, rules="simplified")
    settings = algorithm("dqn").settings_class().changed({**TINY, "outputs": 60})
    run = Run.start(tmp_path / "run", "dqn", [game], settings, 1, "kernel")
    assert run.train() and load_network(run.folder / runs.WEIGHTS).sizes[-1] == 60
    assert run.learner.memory.actions.max() < 60
    player = cardgames.agent("dqn", game, weights=str(run.folder / runs.WEIGHTS))
    state, draw_action = game.new_initial_state(seed=5), game.parse_action("draw")
    while not state.is_terminal():
        action, legal = player.act(state.observation()).action, state.legal_actions()
        assert action != draw_action or min(legal) == draw_action
        state.apply_action(action)
    with pytest.raises(InvalidInput, match="outputs is at most"):
        Run.start(tmp_path / "more", "dqn", [game], settings.changed({"outputs": 1_000}), 1, "kernel")
    with pytest.raises(InvalidInput, match="opponents are met with seats=first or any"):
        Run.start(tmp_path / "more", "dqn", [game], settings.changed({"seats": "all", "opponents": "reflex"}), 1)
    with pytest.raises(InvalidInput, match="batch is at most memory, 200, not 201"):
        Run.start(tmp_path / "more", "dqn", [game], settings.changed({"batch": 201}), 1, "kernel")


def test_a_setting_that_is_added_later_leaves_checkpoints_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start(tmp_path / "run")
    identity, to_dict = identity_of(run.learner), DqnSettings.to_dict
    monkeypatch.setattr(DqnSettings, "to_dict", lambda self: to_dict(self) | {"later": 0})
    assert identity_of(run.learner) == identity
    assert identity_of(start(tmp_path / "other", batch=5).learner) != identity


def test_a_game_whose_agents_follow_no_network_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Uno, "network_policy", None)
    with pytest.raises(InvalidInput, match="uno has no agents that follow a network yet"):
        Run.start(tmp_path / "run", "dqn", cardgames.make("uno"))
    assert not (tmp_path / "run").exists()


def test_games_of_different_rules_are_no_run(tmp_path: Path) -> None:
    games = [cardgames.make("uno", 2, "rlcard"), cardgames.make("uno", 3, "rlcard-2022")]
    with pytest.raises(InvalidInput, match="differ in nothing but their number of players"):
        Run.start(tmp_path / "run", "dqn", games)


def test_a_training_that_diverges_says_so() -> None:
    means = Means(["error"])
    with pytest.raises(InvalidInput, match="the training diverged: its error is nan; a smaller learning_rate may help"):
        means.add("error", float("nan"))


def test_a_policy_that_diverged_acts_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = make_learner(
        "actor-critic", [cardgames.make("uno", 2, "rlcard")], ActorCriticSettings(tables=2, memory=64)
    )
    outputs = learner.online.outputs
    monkeypatch.setattr(learner.online, "outputs", lambda inputs: outputs(inputs) * np.float32(np.nan))
    with pytest.raises(InvalidInput, match="the training diverged: its policy has outputs that are no numbers"):
        learner.cycle()


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"games": []}, "games are a list of at least one"),
        ({"settings": {"rounds": 20}}, "dqn takes DqnSettings"),
        ({"seed": 1.5}, "a seed is a whole number from 0 to 18446744073709551615, not 1.5"),
    ],
)
def test_what_begins_no_run_is_refused(parts: dict[str, Any], words: str, tmp_path: Path) -> None:
    game = cardgames.make("uno", 2, "rlcard")
    with pytest.raises(InvalidInput, match=words):
        Run.start(tmp_path / "run", "dqn", **({"games": game} | parts))
    assert not (tmp_path / "run").exists()


def test_a_learner_on_all_seats_is_evaluated_on_one() -> None:
    learner = make_learner("dqn", [cardgames.make("uno", 2, "rlcard")])
    with pytest.raises(InvalidInput, match="evaluate it in one"):
        evaluate(learner, learner.games[0], "random", 2, 0, "all")
