"""Network of the model of auctions, compiled into its kernel: distributions of outcomes, levels and the landlord's double.

The weights are a constant of the kernel, in `doudizhu/weights/auction.safetensors`. `bench.strength.auction_fit` made
them.
"""

import math
from pathlib import Path

import numpy as np

from cardgames.doudizhu.auction_model.encoding import LANDLORD_DOUBLES, LEVELS, NUM_INPUTS, NUM_OUTPUTS
from cardgames.kernels.jit import njit
from cardgames.networks.mlp import mlp_batch, pack
from cardgames.support.tensor_file import read_tensors

FILE = Path(__file__).parents[1] / "weights" / "auction.safetensors"
"""File of the network; it is part of the fingerprint of the compile cache."""


def _load():
    """Return the flat weights, the sizes and the activations of the network, for `networks.mlp.mlp_batch`."""
    tensors, _ = read_tensors(FILE)
    layers = [(tensors[f"{2 * i}.weight"], tensors[f"{2 * i}.bias"]) for i in range(len(tensors) // 2)]
    sizes = np.array([NUM_INPUTS, *(len(bias) for _, bias in layers)], np.int64)
    return pack(layers), sizes, np.zeros(len(layers) - 1, np.int64)


_WEIGHTS, _SIZES, _ACTIVATIONS = _load()


@njit
def softmax_rows(outputs, first, last):
    """Replace the columns `first` to `last` - 1 of `outputs` (float32 [rows, outputs]) by their softmax, row by row."""
    for row in range(len(outputs)):
        top, total = outputs[row, first], np.float32(0)
        for i in range(first, last):
            top = max(top, outputs[row, i])
        for i in range(first, last):
            outputs[row, i] = math.exp(outputs[row, i] - top)
            total += outputs[row, i]
        for i in range(first, last):
            outputs[row, i] /= total


@njit
def predict(inputs, out):
    """Write the probabilities that the network gives.

    Args:
        inputs: Inputs, int8 [rows, NUM_INPUTS] (`encoding.write_inputs`).
        out: Output: float32 [rows, NUM_OUTPUTS]: distribution of the outcome classes, of the pairs of levels (from
            `encoding.LEVELS` on) and of the landlord's answer in doubling (from `LANDLORD_DOUBLES` on).
    """
    mlp_batch(_WEIGHTS, _SIZES, _ACTIVATIONS, inputs, out)
    softmax_rows(out, 0, LEVELS)
    softmax_rows(out, LEVELS, LANDLORD_DOUBLES)
    softmax_rows(out, LANDLORD_DOUBLES, NUM_OUTPUTS)
