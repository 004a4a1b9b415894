"""Optional capabilities of a game, as values: support for networks, for expectimax and for a particle filter.

A game sets them as the attributes `networks`, `expectimax` and `belief` (`core.game_definition.GameDefinition`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class NetworkSupport:
    """Data that a game supplies so that networks can play it: policy id, folder of pretrained networks, check of heads."""

    policy_id: int
    """Id, for the verb `policy`, of the policy that plays by the outputs of a network (`networks.network_policy`)."""
    folder: Path
    """Folder with the files of the game's pretrained networks (`networks.pretrained`)."""
    check_heads: Callable[[Any], None] | None = None
    """Function that takes a network and raises `InvalidInput` if its heads do not fit the game's policy.

    Heads are further networks on top of its outputs (`networks.network.Mlp.heads`). None if no policy of the game uses
    heads.
    """


@dataclass(frozen=True)
class ExpectimaxSupport:
    """Chance models, array size and weights with which expectimax calls a game's `chance_outcomes` and `evaluate_hand`."""

    chance_models: Mapping[str, int]
    """Name of each model of chance and opponents -> its id, the argument `chance_model_id` of the verb `chance_outcomes`."""
    max_outcomes: int
    """Length of the arrays `outcomes` and `probs` that the verb `chance_outcomes` fills."""
    evaluation_weights: Mapping[str, float]
    """Name of each weight that the verb `evaluate_hand` takes -> the default of that weight."""


@dataclass(frozen=True)
class BeliefSupport:
    """Data about a game for a particle filter over hidden cards: names of card faces, and events that void particles."""

    card_kinds: Sequence[str]
    """Names of the distinct card faces, in the order of the counts that the verb `accumulate_card_counts` adds up."""
    redeal_event: int | None = None
    """Event kind (`core.events`) of a new deal of all cards within a round; None if rounds have only one deal."""
    reset_events: frozenset[int] = frozenset()
    """Event kinds (`core.events`) at which the verb `advance_particle` draws all hidden cards of a particle again.

    The particle filter resets all weights before such an event.
    """
