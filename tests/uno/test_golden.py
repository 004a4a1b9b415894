"""Rounds and counts as they were: whatever changes the game, its chance or the reflex agent shows here first.

`python -m tests.uno.test_golden` writes the files anew after a change that is meant; look at the difference then.
"""

import json
from pathlib import Path

import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.game import State

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


def transcript(rules: str) -> str:
    """A round between reflex agents, one line an event, then the pay-offs."""
    state = deal(rules, seed=7)
    agents = [cardgames.agent("reflex", state.game, seed=seat) for seat in range(3)]
    while not state.is_terminal():
        state.apply_action(agents[state.current_player()].act(state.observation()).action)
    lines = [state.game.event_to_string(row) for row in state.history()]
    return "\n".join([*lines, f"returns {state.returns()}", ""])


def count(state: State, depth: int) -> int:
    """The number of action sequences of so many decisions, fewer where the round ends; the seed fixes chance."""
    if depth == 0 or state.is_terminal():
        return 1
    total = 0
    for action in state.legal_actions():
        following = state.clone()
        # the verb itself: nobody reads the history here
        ops.apply_action(state.game.kernel_rules, following.record, action)
        total += count(following, depth - 1)
    return total


def counts(rules: str, depth: int) -> list[int]:
    """The counts of one deal for every depth up to `depth`."""
    return [count(deal(rules, seed=19), n) for n in range(1, depth + 1)]


@pytest.mark.parametrize("name", RULES)
def test_transcripts(name: str) -> None:
    assert transcript(RULES[name][0]) == (GOLDEN / f"uno-{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RULES)
def test_counts_of_action_sequences(name: str) -> None:
    assert counts(*RULES[name]) == json.loads(COUNTS.read_text(encoding="utf-8"))[name]


def write() -> None:
    """Write all golden files anew."""
    for name, (rules, _) in RULES.items():
        (GOLDEN / f"uno-{name}.txt").write_text(transcript(rules), encoding="utf-8")
    found = {name: counts(*given) for name, given in RULES.items()}
    COUNTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
