"""Golden tests of random rounds: any change to the game, its chance or the random agent changes them.

`python -m tests.doudizhu.test_golden` rewrites the files after an intended change; review the difference.
"""

import json
from pathlib import Path

import pytest

import cardgames
from cardgames.core.state import State
from tests.differences import assert_same_counts, assert_same_transcript
from tests.doudizhu.hand_helpers import PRESETS
from tests.rounds import count, transcript

GOLDEN = Path(__file__).parents[1] / "golden"
COUNTS = GOLDEN / "doudizhu-counts.json"
DEPTH = {"none": 3, "score": 6, "call-rob": 8}
"""Depth to which action sequences are counted, by the value of the rule `bidding`."""


def deal(preset: str, seed: int) -> State:
    """Return a new round under a preset."""
    return cardgames.make("doudizhu", rules=preset).new_initial_state(seed=seed)


def counts(preset: str) -> list[int]:
    """Return the numbers of action sequences of one deal for each depth."""
    state = deal(preset, seed=19)
    return [count(state, n) for n in range(1, 1 + DEPTH[str(state.game.rules["bidding"])])]


@pytest.mark.parametrize("preset", PRESETS)
def test_random_round_matches_golden_transcript(preset: str) -> None:
    assert_same_transcript(transcript(deal(preset, seed=7), "random"), GOLDEN / f"doudizhu-{preset}.txt")


@pytest.mark.parametrize("preset", PRESETS)
def test_counts_of_action_sequences_match_golden_file(preset: str) -> None:
    golden = json.loads(COUNTS.read_text(encoding="utf-8"))[preset]
    assert_same_counts(counts(preset), golden, f"{COUNTS.name}, {preset}")


def write() -> None:
    """Rewrite all golden files."""
    for preset in PRESETS:
        (GOLDEN / f"doudizhu-{preset}.txt").write_text(transcript(deal(preset, seed=7), "random"), encoding="utf-8")
    COUNTS.write_text(json.dumps({name: counts(name) for name in PRESETS}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
