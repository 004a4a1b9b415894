"""Golden transcripts and action counts: any change of the game, its chance or the reflex agent shows here first.

After an intended change, `python -m tests.uno.test_golden` rewrites the files; review the difference.
"""

import json
from pathlib import Path

import pytest

import cardgames
from cardgames.core.state import State
from tests.differences import assert_same_counts, assert_same_transcript
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
    """Deal a round for three players under a preset with changed rules."""
    preset, *overrides = rules.split()
    return cardgames.make("uno", players=3, rules=preset, overrides=overrides).new_initial_state(seed=seed)


def counts(rules: str, depth: int) -> list[int]:
    """Return the number of action sequences of one deal for every depth up to `depth`."""
    return [count(deal(rules, seed=19), n) for n in range(1, depth + 1)]


@pytest.mark.parametrize("name", RULES)
def test_rounds_equal_golden_transcripts(name: str) -> None:
    assert_same_transcript(transcript(deal(RULES[name][0], seed=7), "reflex"), GOLDEN / f"uno-{name}.txt")


@pytest.mark.parametrize("name", RULES)
def test_action_counts_equal_golden_counts(name: str) -> None:
    golden = json.loads(COUNTS.read_text(encoding="utf-8"))[name]
    assert_same_counts(counts(*RULES[name]), golden, f"{COUNTS.name}, {name}")


def write() -> None:
    """Rewrite all golden files."""
    for name, (rules, _) in RULES.items():
        (GOLDEN / f"uno-{name}.txt").write_text(transcript(deal(rules, seed=7), "reflex"), encoding="utf-8")
    counts_by_name = {name: counts(*spec) for name, spec in RULES.items()}
    COUNTS.write_text(json.dumps(counts_by_name, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
