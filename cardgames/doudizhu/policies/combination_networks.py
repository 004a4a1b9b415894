"""The three networks of paper 004 (section 4.2): features of groups of cards, Q of a decomposition, Q of a move."""

from dataclasses import replace

from cardgames.doudizhu.encodings.move_encoding import CHOICE_ENCODINGS
from cardgames.networks.network import Mlp
from cardgames.support.errors import InvalidInput

DECOMPOSITIONS, MOVES = "decompositions", "moves"
"""Names of the heads: Q of a decomposition, from the maximum of each feature over its groups; Q of one of its groups as a
move, from the features of that group, then these maxima.
"""
MAX_DECOMPOSITIONS = 10_000
"""Maximum number of decompositions of a hand that a decision evaluates."""


def combination_network(features: Mlp, decompositions: Mlp, moves: Mlp, num_decompositions: int) -> Mlp:
    """Return the network of features with the other two as its heads.

    Args:
        features: Makes the features of one group of cards each; negative ones count as 0.
        decompositions: Q of a decomposition.
        moves: Q of a move.
        num_decompositions: Number of decompositions a decision evaluates, sampled at random where there are more.

    Raises:
        InvalidInput: If the networks do not fit each other.
    """
    network = replace(features, heads={DECOMPOSITIONS: decompositions, MOVES: moves}, head_samples=num_decompositions)
    check_combination(network)
    return network


def check_combination(network: Mlp) -> None:
    """Check that a network has the heads that Dou Di Zhu's policy combines.

    Raises:
        InvalidInput: If they are others, or of other sizes, activations or numbers of samples than it needs.
    """
    if list(network.heads) != [DECOMPOSITIONS, MOVES]:
        raise InvalidInput(f"the network's heads are {DECOMPOSITIONS} and {MOVES}, not {', '.join(network.heads)}")
    if network.encoding not in CHOICE_ENCODINGS:
        raise InvalidInput(
            f"encoding {network.encoding} does not encode groups of cards; choose from {', '.join(CHOICE_ENCODINGS)}"
        )
    if not 1 <= network.head_samples <= MAX_DECOMPOSITIONS:
        raise InvalidInput(
            f"from 1 to {MAX_DECOMPOSITIONS:,} decompositions are evaluated, not {network.head_samples:,}"
        )
    features = network.sizes[-1]
    for (name, head), inputs in zip(network.heads.items(), (features, 2 * features), strict=True):
        if set(head.activations) - {"relu"}:
            raise InvalidInput("the networks of decompositions and moves have ReLU between their layers")
        if (head.sizes[0], head.sizes[-1]) != (inputs, 1):
            raise InvalidInput(
                f"the network of {name} has {head.sizes[0]} inputs and {head.sizes[-1]} outputs: for {features} features it "
                f"needs {inputs} and 1"
            )
