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
from cardgames.learners.runs.curves import Curve, Point, read_curves, together
from cardgames.learners.runs.run import PROGRESS, SETTINGS
from cardgames.learners.runs.run_config import Description, described
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.intervals import training_interval
from cardgames.support.toml_file import toml_value

_OF_TABLE = {"game", "players", "rules", "hash"}
"""What is told apart whatever the algorithm."""

Told = Mapping[str, str]
"""What a run was told, by name."""


@dataclass(frozen=True)
class Trainings:
    """Runs that were told the same but for their seed."""

    name: str
    """The algorithm, and in what they differ from the others they are compared with."""
    seeds: tuple[int, ...]
    curves: Mapping[str, Curve]
    """By whom all were played against: the mean win rate, as far as all have come."""


def compare(folders: Sequence[str | PathLike[str]]) -> list[Trainings]:
    """Return what was trained in some runs' folders, in their order.

    Raises `InvalidInput` for what is no run's folder, is damaged, or has no evaluation, and for two of one training.
    """
    groups = _grouped([Path(folder) for folder in folders])
    names = _names([told for told, _ in groups])
    return [
        Trainings(name, tuple(runs), _curves(list(runs.values())))
        for name, (_, runs) in zip(names, groups, strict=True)
    ]


def _grouped(folders: Sequence[Path]) -> list[tuple[Told, dict[int, Path]]]:
    """Return what was told, with the folders of the runs that were, by their seeds. Raises `InvalidInput`."""
    groups: list[tuple[Told, dict[int, Path]]] = []
    for folder in folders:
        run = _described(folder)
        with error_context(folder):
            told = _told(run)
        runs = next((runs for others, runs in groups if _alike(others, told)), None)
        if runs is None:
            runs = {}
            groups.append((told, runs))
        if run.seed in runs:
            raise InvalidInput(f"{runs[run.seed]} and {folder} have the same settings and the same seed, {run.seed}")
        runs[run.seed] = folder
    return groups


def _alike(told: Told, other: Told) -> bool:
    """Return whether runs were told the same; rules that are the same may have several names."""
    return {**told, "rules": ""} == {**other, "rules": ""}


def _described(folder: Path) -> Description:
    if not os.path.isfile(folder / SETTINGS):  # pathlib's own raises where it may not look
        raise InvalidInput(f"{folder} is no folder of a training")
    found = described(folder / SETTINGS)
    if found is None:
        raise InvalidInput(f"{folder / SETTINGS} is of settings alone, not of a training")
    return found


def _told(run: Description) -> Told:
    """Return all that shapes what a run learns but its seed and its device; what its file lacks was not there to be told."""
    cls = algorithm(run.algorithm, game_class(run.game)).settings_class
    told = {**cls().to_dict(), **run.settings}
    beside = cls.beside()
    settings = {key: toml_value(value) for key, value in told.items() if key not in beside}
    about = {"game": run.game, "algorithm": run.algorithm, "players": "+".join(map(str, run.players))}
    return about | {"rules": run.rules.name, "hash": run.rules.hash} | settings


def _names(runs: Sequence[Told]) -> list[str]:
    """Return a name for each, no two alike: its algorithm, what of game, players and rules is not the same for all (the
    rules' hash where others have the same name), and in which settings it differs from the others of its algorithm.
    """
    return [_name(told, runs) for told in runs]


def _name(told: Told, runs: Sequence[Told]) -> str:
    of_algorithm, called_so = _sharing(("game", "algorithm"), told, runs), _sharing(("game", "rules"), told, runs)
    parts = [key for key in told if _differ(key, runs if key in _OF_TABLE else of_algorithm)]
    unsaid = {"algorithm"}
    if not _differ("hash", runs):
        unsaid.add("rules")
    if not _differ("hash", called_so):
        unsaid.add("hash")
    return ", ".join([told["algorithm"], *(f"{key}={told[key]}" for key in parts if key not in unsaid)])


def _sharing(keys: Sequence[str], told: Told, runs: Sequence[Told]) -> list[Told]:
    """Return those runs that were told the same of `keys`."""
    return [other for other in runs if all(other[key] == told[key] for key in keys)]


def _differ(key: str, runs: Sequence[Told]) -> bool:
    return len({told.get(key) for told in runs}) > 1


def _curves(folders: Sequence[Path]) -> dict[str, Curve]:
    """Return the curves of runs that were told the same, together. Raises `InvalidInput`."""
    of_runs = [read_curves(folder / PROGRESS) for folder in folders]
    for folder, curves in zip(folders, of_runs, strict=True):
        if not curves:
            raise InvalidInput(f"{folder} has no evaluation yet")
    shared = [name for name in of_runs[0] if all(name in curves for curves in of_runs)]
    if not shared:
        raise InvalidInput(f"{', '.join(map(str, folders))} were evaluated against nobody in common")
    return {name: _together([curves[name] for curves in of_runs]) for name in shared}


def _together(curves: Sequence[Curve]) -> Curve:
    """Return the mean of several curves at those points of the shortest that all have (`curves.together`)."""
    matched = together([[point.rounds for point in curve] for curve in curves])
    return [_mean([curve[place] for curve, place in zip(curves, places, strict=True)]) for places in matched]


def _mean(points: Sequence[Point]) -> Point:
    """Return the mean of evaluations. By their games alone its interval is that of a sum of independent estimates
    (`intervals.between`).
    """
    rates, n = [point.rate for point in points], len(points)
    below = math.hypot(*(point.rate - point.low for point in points)) / n
    above = math.hypot(*(point.high - point.rate for point in points)) / n
    rate = fmean(rates)
    low, high = training_interval(rates, (rate - below, rate + above), (0.0, 1.0))
    return Point(fmean(point.rounds for point in points), rate, low, high)
