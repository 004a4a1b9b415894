"""What an agent keeps of its last search, and whether its next decision goes on from there."""

from dataclasses import dataclass, replace
from typing import Optional

import numpy as np

from cardgames.core.events import ACTION
from cardgames.core.observation import Observation
from cardgames.search.mcts.forest import Forest


@dataclass(frozen=True)
class PreviousSearch:
    """An agent's last search, and where its player has gone since."""

    forest: Forest
    observation: Observation
    """What the player saw when last asked."""
    path: tuple[int, ...] = ()
    """The actions that lead from the roots to that decision's nodes, or, if it was `forced`, to those of the next one."""
    forced: bool = False
    """Whether that decision had one action only: such decisions are no nodes."""

    def advance_particle(self, observation: Observation) -> Optional["PreviousSearch"]:
        """Return the memory of the same player asked again, None unless `observation` is his next decision in the same round
        and the cards were not dealt again since.
        """
        if not _continues(self.observation, observation):
            return None
        news = observation.events[len(self.observation.events) :]
        own = [int(value) for kind, seat, value in news if kind == ACTION and seat == observation.player]
        if len(own) != 1 or any(kind == observation.game.belief.redeal_event for kind, _, _ in news):
            return None
        path = self.path if self.forced else (*self.path, own[0])
        return replace(self, observation=observation, path=path, forced=len(observation.legal_actions) == 1)


def _continues(before: Observation, after: Observation) -> bool:
    """Return whether `after` is what the player of `before` sees later in the same round."""
    if (before.player, before.first) != (after.player, after.first):
        return False
    prefix = after.events[: len(before.events)]
    return before.origin.tobytes() == after.origin.tobytes() and np.array_equal(before.events, prefix)
