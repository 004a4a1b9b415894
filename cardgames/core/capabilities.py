"""Optional capabilities of a game: what a network, an expectimax search or a particle filter needs beyond playing rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class NetworkSupport:
    """How a game plays by networks."""

    policy_id: int
    """The id under which its verb `policy` follows a network (`networks.network_policy`)."""
    folder: Path
    """The folder of its pretrained networks (`networks.pretrained`)."""


@dataclass(frozen=True)
class ExpectimaxSupport:
    """What the verbs `chance_outcomes` and `appraise` of a game take."""

    chance_models: Mapping[str, int]
    """Name of a model of chance and opponents -> its id for the verb `chance_outcomes`."""
    max_outcomes: int
    """Number of outcome records that verb needs room for."""
    evaluation_weights: Mapping[str, float]
    """Name of a weight of the verb `appraise` -> its default."""


@dataclass(frozen=True)
class BeliefSupport:
    """What a particle filter over hidden cards needs to know about a game."""

    card_kinds: Sequence[str]
    """Names of the kinds of cards that the verb `belief` counts."""
    redeal_event: int | None = None
    """Kind of the event by which all cards are dealt again within a round, None if that never happens."""
    reset_events: frozenset[int] = frozenset()
    """Kinds of events after which the verb `advance_particle` deals a particle anew, so that earlier weights no longer count."""
