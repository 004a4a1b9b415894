"""Trainings side by side: those that differ by their seed alone make one curve, with intervals over them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from cardgames.core.errors import InvalidInput
from cardgames.core.intervals import over_trainings
from cardgames.core.toml_file import as_toml
from cardgames.learners.curves import Curve, Point, read_curves
from cardgames.learners.description import Description, described
from cardgames.learners.run import PROGRESS, SETTINGS

_RULE = "rule "


@dataclass(frozen=True)
class Trainings:
    """Runs that were told the same but for their seed."""

    name: str
    """In what they differ from the others they are compared with; else the algorithm."""
    seeds: tuple[int, ...]
    curves: Mapping[str, Curve]
    """By whom they were played against: the mean win rate, as far as all have come."""


def compare(folders: Sequence[Path]) -> list[Trainings]:
    """Return what was trained in some runs' folders, in their order.

    Raises `InvalidInput` for a folder that holds no run, or none that was evaluated, and for two of one training.
    """
    groups: dict[str, dict[int, Path]] = {}
    told: dict[str, Mapping[str, str]] = {}
    for folder in folders:
        run = _described(folder)
        answers = _told(run)
        key = repr(answers)
        told[key] = answers
        others = groups.setdefault(key, {})
        if run.seed in others:
            raise InvalidInput(f"{others[run.seed]} and {folder} are one training twice, of seed {run.seed}")
        others[run.seed] = folder
    names = dict(zip(told, _names(list(told.values())), strict=True))
    return [Trainings(names[key], tuple(runs), _curves(list(runs.values()))) for key, runs in groups.items()]


def _described(folder: Path) -> Description:
    path = folder / SETTINGS
    found = described(path)
    if found is None:
        raise InvalidInput(f"{path} is of settings alone, not of a run")
    return found


def _told(run: Description) -> dict[str, str]:
    """Return all that a run was told but its seed and its device, by name."""
    rules = {f"{_RULE}{axis}": str(value) for axis, value in run.rules.to_dict().items()}
    about = {"game": run.game, "algorithm": run.algorithm, "players": "+".join(map(str, run.players))}
    settings = {key: as_toml(value) for key, value in run.settings.items()}
    return about | {"rules": run.rules.name} | rules | settings


def _names(told: Sequence[Mapping[str, str]]) -> list[str]:
    """Return a name for each of several, in which they differ."""
    keys = list(dict.fromkeys(key for answers in told for key in answers))
    differing = [key for key in keys if len({answers.get(key) for answers in told}) > 1]
    if "rules" in differing:
        differing = [key for key in differing if not key.startswith(_RULE)]
    if "algorithm" in differing:  # which have settings of their own
        differing = [key for key in differing if all(key in answers for answers in told)]
    parts = [key for key in differing if key != "algorithm"]
    return [
        ", ".join([answers["algorithm"], *(f"{key.removeprefix(_RULE)}={answers.get(key)}" for key in parts)])
        for answers in told
    ]


def _curves(folders: Sequence[Path]) -> dict[str, Curve]:
    """Return the curves of runs that were told the same, together."""
    of_runs = [read_curves(folder / PROGRESS) for folder in folders]
    for folder, curves in zip(folders, of_runs, strict=True):
        if not curves:
            raise InvalidInput(f"{folder} has no evaluation yet")
    return {name: _together([curves[name] for curves in of_runs]) for name in of_runs[0]}


def _together(curves: Sequence[Curve]) -> Curve:
    """Return the mean of several curves, as long as the shortest, with intervals over trainings."""
    return [_mean(points) for points in zip(*curves, strict=False)]


def _mean(points: Sequence[Point]) -> Point:
    rates = [point.rate for point in points]
    rate = fmean(rates)
    below = math.hypot(*(point.rate - point.low for point in points)) / len(points)
    above = math.hypot(*(point.high - point.rate for point in points)) / len(points)
    interval = over_trainings(rates, (rate - below, rate + above), (0.0, 1.0))
    return Point(fmean(point.rounds for point in points), rate, *interval)
