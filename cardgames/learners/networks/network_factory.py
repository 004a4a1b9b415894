"""Trainable networks, made for the device that suits them."""

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
    """Return the weights a network begins with, drawn as torch's `Linear` draws them: all within 1 / sqrt(inputs).

    (Kaiming uniform with a = sqrt(5), biases alike.) With `xavier`, weights are within sqrt(6 / (inputs + outputs)) (Glorot
    and Bengio 2010). The same for every device.
    """
    if len(sizes) < 2 or min(sizes) < 1:
        raise InvalidInput(f"a network has inputs and outputs, at least one of each, not {sizes}")
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
    """Return a network to train: of these sizes and drawn with `seed`, or with these weights (`Mlp.tensors`,
    `Trainable.tensors`).

    `device` is one of `DEVICES`, for `auto` steps on so many rows (`batch`) are expected. `weight_tying` binds the first
    layer; given weights obey it already. `batch_norm_activation` is the activation of a network that normalises its inputs
    (`normalised_network`), which torch alone trains; without it ReLU stands between plain layers. Raises `InvalidInput`.
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
            raise InvalidInput("kernels train no network that normalises: device is one of auto, cpu, cuda")
        return BatchNormTrainable(tensors, optimizer, device, weight_tying, batch_norm_activation)
    if device == "kernel":
        return KernelTrainable(tensors, optimizer, weight_tying)
    return TorchTrainable(tensors, optimizer, device, weight_tying)
