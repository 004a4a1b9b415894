"""Rounds and counts as they were: whatever changes the game, its chance or the random agent shows here first.

`python -m tests.doudizhu.test_golden` writes the files anew after a change that is meant; look at the difference then.
"""

import json
from pathlib import Path

import pytest

import cardgames
from cardgames.core.state import State
from tests.doudizhu.hand_helpers import PRESETS
from tests.rounds import count, transcript

GOLDEN = Path(__file__).parents[1] / "golden"
COUNTS = GOLDEN / "doudizhu-counts.json"
DEPTH = {"none": 3, "score": 6, "call-rob": 8}
"""How deep action sequences are counted, by how the landlord is found."""


def deal(preset: str, seed: int) -> State:
    """A round under a preset."""
    return cardgames.make("doudizhu", rules=preset).new_initial_state(seed=seed)


def counts(preset: str) -> list[int]:
    """The counts of one deal for every depth."""
    state = deal(preset, seed=19)
    return [count(state, n) for n in range(1, 1 + DEPTH[str(state.game.rules["bidding"])])]


@pytest.mark.parametrize("preset", PRESETS)
def test_transcripts(preset: str) -> None:
    assert transcript(deal(preset, seed=7), "random") == (GOLDEN / f"doudizhu-{preset}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("preset", PRESETS)
def test_counts_of_action_sequences(preset: str) -> None:
    assert counts(preset) == json.loads(COUNTS.read_text(encoding="utf-8"))[preset]


def write() -> None:
    """Write all golden files anew."""
    for preset in PRESETS:
        (GOLDEN / f"doudizhu-{preset}.txt").write_text(transcript(deal(preset, seed=7), "random"), encoding="utf-8")
    COUNTS.write_text(json.dumps({name: counts(name) for name in PRESETS}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
