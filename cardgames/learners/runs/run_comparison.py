"""Trainings side by side: those that differ by their seed alone make one curve, with intervals over them."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from statistics import fmean

from cardgames.core.game_registry import game_class
from cardgames.learners.algorithms.algorithm_registry import algorithm
from cardgames.learners.runs.curves import Curve, Point, match_evaluations, read_curves
from cardgames.learners.runs.run import PROGRESS_FILE, SETTINGS_FILE
from cardgames.learners.runs.run_config import RunConfig, read_run_config
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.intervals import training_interval
from cardgames.support.toml_file import toml_value

_GAME_KEYS = {"game", "players", "rules", "hash"}
"""What is told apart whatever the algorithm."""

ComparedConfig = Mapping[str, str]
"""What a run was told, by name."""


@dataclass(frozen=True)
class TrainingGroup:
    """Runs that were told the same but for their seed."""

    name: str
    """The algorithm, and in what they differ from the others they are compared with."""
    seeds: tuple[int, ...]
    curves: Mapping[str, Curve]
    """By whom all were played against: the mean win rate, as far as all have come."""


def compare(folders: Sequence[str | PathLike[str]]) -> list[TrainingGroup]:
    """Return what was trained in some runs' folders, in their order.

    Raises `InvalidInput` for what is no run's folder, is damaged, or has no evaluation, and for two of one training.
    """
    groups = _group_by_config([Path(folder) for folder in folders])
    names = _names([config for config, _ in groups])
    return [
        TrainingGroup(name, tuple(runs), _curves(list(runs.values())))
        for name, (_, runs) in zip(names, groups, strict=True)
    ]


def _group_by_config(folders: Sequence[Path]) -> list[tuple[ComparedConfig, dict[int, Path]]]:
    """Return what was told, with the folders of the runs that were, by their seeds. Raises `InvalidInput`."""
    groups: list[tuple[ComparedConfig, dict[int, Path]]] = []
    for folder in folders:
        run = _read_config(folder)
        with error_context(folder):
            config = _compared_config(run)
        runs = next((runs for others, runs in groups if _same_config(others, config)), None)
        if runs is None:
            runs = {}
            groups.append((config, runs))
        if run.seed in runs:
            raise InvalidInput(f"{runs[run.seed]} and {folder} have the same settings and the same seed, {run.seed}")
        runs[run.seed] = folder
    return groups


def _same_config(config: ComparedConfig, other: ComparedConfig) -> bool:
    """Return whether runs were told the same; rules that are the same may have several names."""
    return {**config, "rules": ""} == {**other, "rules": ""}


def _read_config(folder: Path) -> RunConfig:
    if not os.path.isfile(folder / SETTINGS_FILE):  # pathlib's own raises where it may not look
        raise InvalidInput(f"{folder} is no folder of a training")
    found = read_run_config(folder / SETTINGS_FILE)
    if found is None:
        raise InvalidInput(f"{folder / SETTINGS_FILE} is of settings alone, not of a training")
    return found


def _compared_config(run: RunConfig) -> ComparedConfig:
    """Return all that shapes what a run learns but its seed and its device; what its file lacks was not there to be told."""
    cls = algorithm(run.algorithm, game_class(run.game)).settings_class
    values = {**cls().to_dict(), **run.settings}
    not_affecting_learning = cls.not_affecting_learning()
    settings = {key: toml_value(value) for key, value in values.items() if key not in not_affecting_learning}
    about = {"game": run.game, "algorithm": run.algorithm, "players": "+".join(map(str, run.players))}
    return about | {"rules": run.rules.name, "hash": run.rules.hash} | settings


def _names(runs: Sequence[ComparedConfig]) -> list[str]:
    """Return a name for each, no two alike: its algorithm, what of game, players and rules is not the same for all (the
    rules' hash where others have the same name), and in which settings it differs from the others of its algorithm.
    """
    return [_name(config, runs) for config in runs]


def _name(config: ComparedConfig, runs: Sequence[ComparedConfig]) -> str:
    same_algorithm, same_rules_name = (
        _runs_with_same(("game", "algorithm"), config, runs),
        _runs_with_same(("game", "rules"), config, runs),
    )
    parts = [key for key in config if _differ(key, runs if key in _GAME_KEYS else same_algorithm)]
    omitted = {"algorithm"}
    if not _differ("hash", runs):
        omitted.add("rules")
    if not _differ("hash", same_rules_name):
        omitted.add("hash")
    return ", ".join([config["algorithm"], *(f"{key}={config[key]}" for key in parts if key not in omitted)])


def _runs_with_same(
    keys: Sequence[str], config: ComparedConfig, runs: Sequence[ComparedConfig]
) -> list[ComparedConfig]:
    """Return those runs that were told the same of `keys`."""
    return [other for other in runs if all(other[key] == config[key] for key in keys)]


def _differ(key: str, runs: Sequence[ComparedConfig]) -> bool:
    return len({config.get(key) for config in runs}) > 1


def _curves(folders: Sequence[Path]) -> dict[str, Curve]:
    """Return the curves of runs that were told the same, together. Raises `InvalidInput`."""
    of_runs = [read_curves(folder / PROGRESS_FILE) for folder in folders]
    for folder, curves in zip(folders, of_runs, strict=True):
        if not curves:
            raise InvalidInput(f"{folder} has no evaluation yet")
    shared = [name for name in of_runs[0] if all(name in curves for curves in of_runs)]
    if not shared:
        raise InvalidInput(f"{', '.join(map(str, folders))} were evaluated against nobody in common")
    return {name: _mean_curve([curves[name] for curves in of_runs]) for name in shared}


def _mean_curve(curves: Sequence[Curve]) -> Curve:
    """Return the mean of several curves at those points of the shortest that all have (`curves.match_evaluations`)."""
    matched = match_evaluations([[point.rounds for point in curve] for curve in curves])
    return [_mean_point([curve[place] for curve, place in zip(curves, places, strict=True)]) for places in matched]


def _mean_point(points: Sequence[Point]) -> Point:
    """Return the mean of evaluations. By their games alone its interval is that of a sum of independent estimates
    (`intervals.between`).
    """
    rates, n = [point.rate for point in points], len(points)
    below = math.hypot(*(point.rate - point.low for point in points)) / n
    above = math.hypot(*(point.high - point.rate for point in points)) / n
    rate = fmean(rates)
    low, high = training_interval(rates, (rate - below, rate + above), (0.0, 1.0))
    return Point(fmean(point.rounds for point in points), rate, low, high)
