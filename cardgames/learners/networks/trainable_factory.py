"""Construction of trainable networks: initial weights, and the class and device that suit them."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.rng import derive
from cardgames.learners.networks.batch_norm_network import BatchNormTrainable
from cardgames.learners.networks.kernel_network import KernelTrainable
from cardgames.learners.networks.optimizers import Optimizer
from cardgames.learners.networks.torch_network import TorchTrainable
from cardgames.learners.networks.trainable import Tensors, Trainable, WeightTying
from cardgames.networks.network import ACTIVATIONS
from cardgames.search.evaluators import DEVICES, choose_device
from cardgames.support.errors import InvalidInput, unknown_name


def initial_tensors(sizes: tuple[int, ...], seed: int, *, xavier: bool = False) -> dict[str, NDArray[np.float32]]:
    """Return random initial weights and biases of a perceptron, the same for every device.

    They are uniform within +-1 / sqrt(inputs of the layer), as in torch's `Linear` (Kaiming with a = sqrt(5)).

    Args:
        sizes: Number of inputs, units of each hidden layer, and outputs.
        seed: Seed of the weights.
        xavier: Draw weights (not biases) within +-sqrt(6 / (inputs + outputs)) instead (Glorot and Bengio 2010).

    Raises:
        InvalidInput: There are fewer than two sizes, or one is below 1.
    """
    if len(sizes) < 2 or min(sizes) < 1:
        raise InvalidInput(f"a network needs at least one input and one output, not sizes {sizes}")
    tensors = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        generator, bias_bound = np.random.default_rng(derive(seed, number)), inputs**-0.5
        weight_bound = (6 / (inputs + outputs)) ** 0.5 if xavier else bias_bound
        tensors[f"{2 * number}.weight"] = generator.uniform(-weight_bound, weight_bound, (outputs, inputs)).astype(
            np.float32
        )
        tensors[f"{2 * number}.bias"] = generator.uniform(-bias_bound, bias_bound, outputs).astype(np.float32)
    return tensors


def make_trainable(
    sizes_or_tensors: tuple[int, ...] | Tensors,
    optimizer: Optimizer,
    *,
    seed: int = 0,
    device: str = "auto",
    batch: int = 32,
    weight_tying: WeightTying | None = None,
    batch_norm_activation: str = "",
) -> Trainable:
    """Return a trainable network, of the class that suits the device and the normalization.


    Args:
        sizes_or_tensors: Sizes of the layers, for random weights; or weights (`Mlp.tensors`, `Trainable.tensors`).
        optimizer: Optimizer and its learning rate.
        seed: Seed of random weights.
        device: One of `search.evaluators.DEVICES`.
        batch: Expected rows per update; `device="auto"` chooses the device by it.
        weight_tying: Constraint on the first layer; given weights must satisfy it already.
        batch_norm_activation: If not empty, make a network with batch normalization and this activation
            (`batch_norm_network`, only in torch); otherwise plain layers with ReLU.

    Raises:
        InvalidInput: Device, activation or weights are invalid.
    """
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if batch_norm_activation and batch_norm_activation not in ACTIVATIONS:
        raise unknown_name("activation", batch_norm_activation, ACTIVATIONS)
    tensors = (
        initial_tensors(sizes_or_tensors, seed, xavier=bool(batch_norm_activation))
        if isinstance(sizes_or_tensors, tuple)
        else sizes_or_tensors
    )
    if weight_tying is not None and isinstance(sizes_or_tensors, tuple):
        weight_tying.initialize((tensors["0.weight"], tensors["0.bias"]))
    if device == "auto":
        device = choose_device(sum(tensor.size for tensor in tensors.values()), batch)
        if batch_norm_activation and device == "kernel":
            device = "cpu"
    if batch_norm_activation:
        if device == "kernel":
            raise InvalidInput("device=kernel cannot train batch normalization: use auto, cpu or cuda")
        return BatchNormTrainable(tensors, optimizer, device, weight_tying, batch_norm_activation)
    if device == "kernel":
        return KernelTrainable(tensors, optimizer, weight_tying)
    return TorchTrainable(tensors, optimizer, device, weight_tying)
