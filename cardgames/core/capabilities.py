"""Optional capabilities of a game, as values: support for networks, for expectimax and for a particle filter.

A game sets them as the attributes `networks`, `expectimax` and `belief` (`core.game_definition.GameDefinition`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class NetworkSupport:
    """Support for policies that use a network."""

    policy_id: int
    """Policy id under which the verb `policy` of the game evaluates a network (`networks.network_policy`)."""
    folder: Path
    """Folder of the pretrained networks (`networks.pretrained`)."""
    check_heads: Callable[[Any], None] | None = None
    """Function that raises `InvalidInput` if the heads of a network (`networks.network.Mlp.heads`) do not fit.

    None if no policy of the game has heads.
    """


@dataclass(frozen=True)
class ExpectimaxSupport:
    """Arguments of the verbs `chance_outcomes` and `evaluate_hand` of a game."""

    chance_models: Mapping[str, int]
    """Name of a model of chance and opponents -> `chance_model_id` for the verb `chance_outcomes`."""
    max_outcomes: int
    """Size of the arrays `outcomes` and `probs` of that verb."""
    evaluation_weights: Mapping[str, float]
    """Name of each weight of the verb `evaluate_hand` -> its default."""


@dataclass(frozen=True)
class BeliefSupport:
    """Facts about a game that a particle filter over hidden cards needs."""

    card_kinds: Sequence[str]
    """Names of the kinds of cards that the verb `accumulate_card_counts` counts."""
    redeal_event: int | None = None
    """Kind of the event at which all cards are dealt again within a round, None if that never happens."""
    reset_events: frozenset[int] = frozenset()
    """Kinds of events at which `advance_particle` deals a particle again, so that earlier weights no longer count."""
