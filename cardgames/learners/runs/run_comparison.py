"""Comparison of runs: those that differ only in their seed are averaged into one curve, with an interval over runs."""

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
"""Keys of a configuration that describe the game, not the algorithm or its settings."""

ComparedConfig = Mapping[str, str]
"""Configuration of a run as text, by key."""


@dataclass(frozen=True)
class TrainingGroup:
    """Runs with the same configuration, except for the seed."""

    name: str
    """Algorithm, and those keys of the configuration (with values) that differ from other runs in the comparison."""
    seeds: tuple[int, ...]
    """Seeds of the runs."""
    curves: Mapping[str, Curve]
    """Mean learning curves of the runs by opponent, up to the last evaluation that all of them have."""


def compare(folders: Sequence[str | PathLike[str]]) -> list[TrainingGroup]:
    """Group the runs in some folders by configuration, and return the groups in order of the folders.

    Raises `InvalidInput` if a folder holds no run, is damaged or has no evaluation, or if two runs have the same
    configuration and the same seed.
    """
    groups = _group_by_config([Path(folder) for folder in folders])
    names = _names([config for config, _ in groups])
    return [
        TrainingGroup(name, tuple(runs), _curves(list(runs.values())))
        for name, (_, runs) in zip(names, groups, strict=True)
    ]


def _group_by_config(folders: Sequence[Path]) -> list[tuple[ComparedConfig, dict[int, Path]]]:
    """Return each distinct configuration, with the folders of its runs by seed.

    Raises `InvalidInput` if a folder holds no run, or two runs have the same configuration and the same seed.
    """
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
    """Return True if two configurations are the same; the names of the rules may differ, as their hash is compared."""
    return {**config, "rules": ""} == {**other, "rules": ""}


def _read_config(folder: Path) -> RunConfig:
    if not os.path.isfile(folder / SETTINGS_FILE):  # Path.is_file would raise without permission
        raise InvalidInput(f"{folder} is not the folder of a run")
    config = read_run_config(folder / SETTINGS_FILE)
    if config is None:
        raise InvalidInput(f"{folder / SETTINGS_FILE} has only settings, and does not describe a run")
    return config


def _compared_config(run: RunConfig) -> ComparedConfig:
    """Return the configuration of a run, except for seed, device and settings that do not affect what it learns.

    Settings missing in the run's file have their defaults.
    """
    cls = algorithm(run.algorithm, game_class(run.game)).settings_class
    values = {**cls().to_dict(), **run.settings}
    not_affecting_learning = cls.not_affecting_learning()
    settings = {key: toml_value(value) for key, value in values.items() if key not in not_affecting_learning}
    game_config = {"game": run.game, "algorithm": run.algorithm, "players": "+".join(map(str, run.players))}
    return game_config | {"rules": run.rules.name, "hash": run.rules.hash} | settings


def _names(runs: Sequence[ComparedConfig]) -> list[str]:
    """Return a distinct name for each configuration.

    It has the algorithm; game, players and rules if they are not the same for all (with the rules' hash if other rules have
    the same name); and the settings that differ from other runs of the algorithm.
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
    """Return those of the configurations `runs` that have the same values as `config` for all `keys`."""
    return [other for other in runs if all(other[key] == config[key] for key in keys)]


def _differ(key: str, runs: Sequence[ComparedConfig]) -> bool:
    return len({config.get(key) for config in runs}) > 1


def _curves(folders: Sequence[Path]) -> dict[str, Curve]:
    """Return the mean learning curve of runs with the same configuration, by opponent.

    Raises `InvalidInput` if a run has no evaluation, or the runs have no opponent in common.
    """
    curves_of_runs = [read_curves(folder / PROGRESS_FILE) for folder in folders]
    for folder, curves in zip(folders, curves_of_runs, strict=True):
        if not curves:
            raise InvalidInput(f"{folder} has no evaluation yet")
    shared = [name for name in curves_of_runs[0] if all(name in curves for curves in curves_of_runs)]
    if not shared:
        raise InvalidInput(f"{', '.join(map(str, folders))} have no opponent of evaluations in common")
    return {name: _mean_curve([curves[name] for curves in curves_of_runs]) for name in shared}


def _mean_curve(curves: Sequence[Curve]) -> Curve:
    """Return the mean of several learning curves at the evaluations that all of them have (`curves.match_evaluations`)."""
    matched = match_evaluations([[point.rounds for point in curve] for curve in curves])
    return [_mean_point([curve[i] for curve, i in zip(curves, indices, strict=True)]) for indices in matched]


def _mean_point(points: Sequence[Point]) -> Point:
    """Return the mean of evaluations, one of each run, with an interval over runs (`support.intervals.training_interval`).

    That interval is never narrower than the one from the finite number of games, which is computed here as for a mean
    of independent estimates.
    """
    rates, n = [point.rate for point in points], len(points)
    below = math.hypot(*(point.rate - point.low for point in points)) / n
    above = math.hypot(*(point.high - point.rate for point in points)) / n
    rate = fmean(rates)
    low, high = training_interval(rates, (rate - below, rate + above), (0.0, 1.0))
    return Point(fmean(point.rounds for point in points), rate, low, high)
