"""Rounds and counts as they were: whatever changes the game, its chance or the reflex agent shows here first.

`python -m tests.uno.test_golden` writes the files anew after a change that is meant; look at the difference then.
"""

import json
from pathlib import Path

import pytest

import cardgames
from cardgames.core.state import State
from tests.rounds import count, transcript

GOLDEN = Path(__file__).parents[1] / "golden"
COUNTS = GOLDEN / "uno-counts.json"

EVERYTHING = "common stacking=any jump-in=identical seven-zero=both hand-size=3"
RULES = {
    "official": ("official", 6),
    "common": ("common", 6),
    "simplified": ("simplified", 6),
    "rlcard": ("rlcard", 10),
    "rlcard-2022": ("rlcard-2022", 10),
    "everything": (EVERYTHING, 9),
}
"""Name -> rules, and the depth to which action sequences are counted."""


def deal(rules: str, seed: int) -> State:
    """A round of three players under a preset with changes."""
    preset, *overrides = rules.split()
    return cardgames.make("uno", players=3, rules=preset, overrides=overrides).new_initial_state(seed=seed)


def counts(rules: str, depth: int) -> list[int]:
    """The counts of one deal for every depth up to `depth`."""
    return [count(deal(rules, seed=19), n) for n in range(1, depth + 1)]


@pytest.mark.parametrize("name", RULES)
def test_transcripts(name: str) -> None:
    assert transcript(deal(RULES[name][0], seed=7), "reflex") == (GOLDEN / f"uno-{name}.txt").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("name", RULES)
def test_counts_of_action_sequences(name: str) -> None:
    assert counts(*RULES[name]) == json.loads(COUNTS.read_text(encoding="utf-8"))[name]


def write() -> None:
    """Write all golden files anew."""
    for name, (rules, _) in RULES.items():
        (GOLDEN / f"uno-{name}.txt").write_text(transcript(deal(rules, seed=7), "reflex"), encoding="utf-8")
    found = {name: counts(*given) for name, given in RULES.items()}
    COUNTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
