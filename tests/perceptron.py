"""Reference evaluation of a perceptron with NumPy in double precision, to compare kernels and torch with."""

import numpy as np
from numpy.typing import NDArray

from cardgames.networks.network import Mlp


def outputs_by_numpy(network: Mlp, inputs: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return the outputs [..., outputs] of a network for inputs [..., inputs]."""
    values = inputs.astype(np.float64)
    for number, (weight, bias) in enumerate(network.layers()):
        if number:
            values = np.tanh(values) if network.activations[number - 1] == "tanh" else np.maximum(values, 0)
        values = values @ weight.T.astype(np.float64) + bias
    return values
