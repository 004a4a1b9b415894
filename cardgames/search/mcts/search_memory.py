"""The last search of an agent, saved so that its next decision in the same round can reuse the trees."""

from dataclasses import dataclass, replace
from typing import Optional

import numpy as np

from cardgames.core.events import ACTION
from cardgames.core.observation import Observation
from cardgames.search.mcts.forest_search import Forest


@dataclass(frozen=True)
class PreviousSearch:
    """The last search of an agent, and the actions that the searching player has taken since."""

    forest: Forest
    observation: Observation
    """The searching player's observation at its latest decision; this may be later than the search."""
    path: tuple[int, ...] = ()
    """Actions that lead from the roots of the search's trees to the nodes of the decision at `observation`.

    If this decision is `forced`, they lead to the nodes of the next decision.
    """
    forced: bool = False
    """True if the decision at `observation` has only one legal action: the trees have no nodes for such decisions."""

    def advance(self, observation: Observation) -> Optional["PreviousSearch"]:
        """Return this record with `path`, `forced` and `observation` moved on to the decision at `observation`.

        None unless that is the searching player's next decision in the same round, with no redeal in between.
        """
        if not _continues(self.observation, observation):
            return None
        new_events = observation.events[len(self.observation.events) :]
        own_actions = [int(value) for kind, seat, value in new_events if kind == ACTION and seat == observation.player]
        if len(own_actions) != 1 or any(kind == observation.game.belief.redeal_event for kind, _, _ in new_events):
            return None
        path = self.path if self.forced else (*self.path, own_actions[0])
        return replace(self, observation=observation, path=path, forced=len(observation.legal_actions) == 1)


def _continues(before: Observation, after: Observation) -> bool:
    """Return whether `after` is a later observation of the same player in the same round."""
    if (before.player, before.first) != (after.player, after.first):
        return False
    prefix = after.events[: len(before.events)]
    return before.origin.tobytes() == after.origin.tobytes() and np.array_equal(before.events, prefix)
