"""Tests of learners from other modules: the example of docs/howto/learner.md, and invalid ones."""

import sys
from pathlib import Path

import pytest

import cardgames
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.algorithms.dqn import Dqn
from cardgames.learners.runs.run import WEIGHTS_FILE, Run
from cardgames.learners.runs.run_comparison import compare
from cardgames.support.errors import InvalidInput
from tests.cli.tiny_training import TINY
from tests.command import call
from tests.test_docs import blocks

HEAD = """
from dataclasses import dataclass
from cardgames.learners.algorithms.dqn import Dqn, DqnSettings
from cardgames.learners.base.settings import setting
from cardgames.learners.base.value_learner import ValueLearner
"""


class Own(Dqn):
    """Learner outside the package."""


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the example of the page as `mine.py`."""
    example, _ = blocks("docs/howto/learner.md", "{testcode}")
    return module(tmp_path, monkeypatch, "mine", example)


def module(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> Path:
    (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(folder)
    return folder


def test_external_learner_trains_resumes_and_plays(
    example_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", "uno", "mine:Mixed", "--players", "2", "--set", "caution=0.8"]
    assert call(monkeypatch, *command, *TINY) == 0
    shorter = [word for word in TINY if "rounds" not in word]
    assert call(monkeypatch, *command, *shorter, "--rounds", "10", "--out", "half") == 0
    assert "mine:Mixed, 10 rounds" in capsys.readouterr().out
    assert call(monkeypatch, "train", "uno", "mine:Mixed", "--out", "half", "--resume", "--rounds", "20") == 0
    whole, half = example_folder / "runs" / "Mixed", example_folder / "half"
    assert Run.resume(whole).learner.settings.to_dict()["caution"] == 0.8
    assert (whole / WEIGHTS_FILE).read_bytes() == (half / WEIGHTS_FILE).read_bytes()
    game = cardgames.make("uno", players=2, rules="rlcard", overrides=["hand-size=2"])
    assert cardgames.play_match(game, [f"dqn:weights={whole / WEIGHTS_FILE}", "random"], games=2, seed=1).games == 2
    assert [run.name for run in compare([whole])] == ["mine:Mixed"]


def test_settings_of_external_learner_are_listed_and_checked(
    example_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "train", "uno", "mine:Mixed", "--set", "help") == 0
    message = capsys.readouterr().out
    assert "caution = 0.5  weight of the smaller" in message and "rounds = 20000" in message
    assert call(monkeypatch, "train", "uno", "mine:Mixed", "--set", "caution=2") == 2
    assert "caution is from 0 to 1, not 2" in capsys.readouterr().err


def test_resume_with_another_algorithm_is_refused(
    example_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "train", "uno", "mine:Mixed", *TINY, "--out", "run") == 0
    assert call(monkeypatch, "train", "uno", "dqn", "--out", "run", "--resume") == 2
    assert "run holds a run of uno mine:Mixed, not of uno dqn" in capsys.readouterr().err
    (example_folder / "again.py").write_text("from mine import Mixed\n")
    assert call(monkeypatch, "train", "uno", "again:Mixed", "--out", "run", "--resume", "--rounds", "21") == 0


def test_failing_cycle_prints_how_to_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cycle = "    def cycle(self):\n        if self.rounds > 9: 1 / 0\n        super().cycle()"
    module(tmp_path, monkeypatch, "breaking", f"{HEAD}class Own(Dqn):\n{cycle}")
    with pytest.raises(ZeroDivisionError):
        call(monkeypatch, "train", "uno", "breaking:Own", *TINY, "--checkpoint", "1e-9", "--out", "run")
    message = capsys.readouterr().out
    rounds = Run.resume("run").learner.rounds
    assert (
        rounds > 9
        and f"stopped after {rounds} rounds; continue from the last checkpoint with --resume --out run" in message
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Own = dict", "Own is not a subclass of cardgames.learners.base.learner.Learner"),
        ("Own = Dqn.targets", "Own is not a subclass of"),
        ("class Own(ValueLearner): pass", "Own is incomplete: it lacks targets, name"),
        (
            "class Own(Dqn): settings_class = dict",
            "settings_class must be a subclass of .*Settings, not <class 'dict'>",
        ),
        (
            "class S(DqnSettings):\n    a: float = setting(0.5, 'what it is')\nclass Own(Dqn): settings_class = S",
            r"S is not a dataclass: write @dataclass\(frozen=True\) above it",
        ),
        (
            "@dataclass(frozen=True)\nclass S(DqnSettings):\n    a: float = 0.5\nclass Own(Dqn): settings_class = S",
            r"S\.a must be made by cardgames\.learners\.base\.settings\.setting, with a description",
        ),
        (
            "@dataclass(frozen=True)\nclass S(DqnSettings):\n    rounds = 20\nclass Own(Dqn): settings_class = S",
            r"S\.rounds = \.\.\. has no effect: write rounds: \.\.\. = default\(\.\.\.\) in a dataclass",
        ),
        (
            "class S(DqnSettings):\n    rounds: int = 20\nclass Own(Dqn): settings_class = S",
            r"S\.rounds = \.\.\. has no effect",
        ),
        (
            "@dataclass(frozen=True)\nclass S(DqnSettings):\n    a: bool = setting(True, 'whether')\n"
            "class Own(Dqn): settings_class = S",
            r"S\.a is a number, a text or a tuple of whole numbers, not True",
        ),
        (
            "def made():\n    class Made(Dqn): pass\n    return Made\nOwn = made()",
            r"faulty:Own cannot be imported as faulty:made\.<locals>\.Made, as runs need it",
        ),
        (
            "class Own(Dqn): pass\nOwn.__module__ = '__main__'",
            "faulty:Own cannot be imported as __main__:Own, as runs need it",
        ),
        ("", "cannot load faulty:Own: module 'faulty' has no attribute 'Own'"),
    ],
)
def test_invalid_learner_classes_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    module(tmp_path, monkeypatch, "faulty", HEAD + text)
    with pytest.raises(InvalidInput, match=message):
        algorithm("faulty:Own")


@pytest.mark.parametrize(
    ("targets", "shape"),
    [
        ("batch.rewards[:1]", r"shape \[1\]"),
        ("batch.rewards[:, None]", r"shape \[4, 1\]"),
        ("batch.rewards.tolist()", "list"),
        ("batch.rewards[0]", "float32"),
    ],
)
def test_targets_of_wrong_shape_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, targets: str, shape: str
) -> None:
    source = f"class Own(ValueLearner):\n    name = 'dqn'\n    def targets(self, batch): return {targets}\n"
    module(tmp_path, monkeypatch, "shapes", HEAD + source)
    game = cardgames.make("uno", players=2, rules="rlcard", overrides=["hand-size=2"])
    settings = algorithm("shapes:Own").settings_class().with_changes({"hidden": (8,), "batch": 4, "memory_init": 4})
    learner = make_learner("shapes:Own", [game], settings, device="kernel")
    with pytest.raises(InvalidInput, match=rf"targets must return an array of shape \[4\], .*, not {shape}$"):
        while True:
            learner.cycle()


def test_metric_missing_in_metric_names_is_refused() -> None:
    class Forgetful(Own):
        metric_names = ("spread",)

    game = cardgames.make("uno", players=2, rules="rlcard")
    learner = Forgetful([game], Forgetful.settings_class().with_changes({"hidden": "8", "memory_init": "32"}), 0)
    with pytest.raises(InvalidInput, match="error is not one of the learner's metric_names: spread"):
        for _ in range(100):
            learner.cycle()


def test_learner_with_output_per_action_is_refused_for_doudizhu() -> None:
    with pytest.raises(
        InvalidInput,
        match=r"too many actions: derive from cardgames\.learners\.algorithms\.action_input_dmc\.ChoiceDmc or ",
    ):
        algorithm(Own.algorithm_name(), type(cardgames.make("doudizhu")))


def test_resumed_run_keeps_settings_when_defaults_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "@dataclass(frozen=True)\nclass S(DqnSettings):\n    a: float = setting({}, 'what')\n"
    source += "class Own(Dqn): settings_class = S\n"
    module(tmp_path, monkeypatch, "later", HEAD + source.format(0.5))
    assert call(monkeypatch, "train", "uno", "later:Own", *TINY, "--out", "run") == 0
    module(tmp_path, monkeypatch, "later", HEAD + source.format(0.75))
    run = Run.resume(tmp_path / "run", {"rounds": 25})
    assert run.learner.settings.to_dict()["a"] == 0.5 and run.train()


@pytest.mark.parametrize("name", [None, Dqn])
def test_algorithm_name_must_be_text(name: object) -> None:
    with pytest.raises(InvalidInput, match="an algorithm is a name, or module:class, not "):
        algorithm(name)  # type: ignore[arg-type]


def test_algorithm_name_finds_the_learner_class() -> None:
    assert (Dqn.algorithm_name(), Own.algorithm_name()) == ("dqn", f"{__name__}:Own")
    assert algorithm(Dqn.algorithm_name()) is Dqn and algorithm(Own.algorithm_name()) is Own
