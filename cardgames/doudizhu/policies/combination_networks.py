"""Assembly and checks of paper 004's three networks (section 4.2), which the combination policy uses.

They compute the features of a group of cards, the Q of a decomposition of the hand, and the Q of a move.
"""

from dataclasses import replace

from cardgames.doudizhu.encodings.move_encoding import CHOICE_ENCODINGS
from cardgames.networks.network import Mlp
from cardgames.support.errors import InvalidInput

DECOMPOSITIONS, MOVES = "decompositions", "moves"
"""Names of the two head networks.

`decompositions` computes the Q of a decomposition from the maximum of each feature over its groups. `moves` computes
the Q of playing one of these groups from the features of the group followed by the same maxima.
"""
MAX_DECOMPOSITIONS = 10_000
"""Maximum number of decompositions of a hand that a decision evaluates."""


def combination_network(features: Mlp, decompositions: Mlp, moves: Mlp, num_decompositions: int) -> Mlp:
    """Combine paper 004's three networks into one `Mlp` whose two heads evaluate decompositions and moves.

    Args:
        features: Network that maps a position and one group of cards to features; negative features count as 0.
        decompositions: Network for the Q of a decomposition.
        moves: Network for the Q of a move.
        num_decompositions: Number of decompositions that a decision evaluates; if a hand has more, they are sampled.

    Raises:
        InvalidInput: If the networks' sizes, activations or encoding do not fit together (see `check_combination`).
    """
    network = replace(features, heads={DECOMPOSITIONS: decompositions, MOVES: moves}, head_samples=num_decompositions)
    check_combination(network)
    return network


def check_combination(network: Mlp) -> None:
    """Check that a network can be played by the combination policy: a feature network with the two heads it needs.

    Raises:
        InvalidInput: If the heads, their sizes or activations, the encoding or the number of decompositions is wrong.
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
