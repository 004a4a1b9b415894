"""Trainable networks, made for the device that suits them."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.rng import derive
from cardgames.learners.networks.batch_norm_network import NormalisedTrainable
from cardgames.learners.networks.kernel_network import KernelTrainable
from cardgames.learners.networks.optimizers import Optimizer
from cardgames.learners.networks.torch_network import TorchTrainable
from cardgames.learners.networks.trainable import Tensors, Trainable, Wiring
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
    found = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        random, bound = np.random.default_rng(derive(seed, number)), inputs**-0.5
        widest = (6 / (inputs + outputs)) ** 0.5 if xavier else bound
        found[f"{2 * number}.weight"] = random.uniform(-widest, widest, (outputs, inputs)).astype(np.float32)
        found[f"{2 * number}.bias"] = random.uniform(-bound, bound, outputs).astype(np.float32)
    return found


def trainable(
    start: tuple[int, ...] | Tensors,
    optimizer: Optimizer,
    *,
    seed: int = 0,
    device: str = "auto",
    batch: int = 32,
    wiring: Wiring | None = None,
    normalised: str = "",
) -> Trainable:
    """Return a network to train: of these sizes and drawn with `seed`, or with these weights (`Mlp.tensors`,
    `Trainable.tensors`).

    `device` is one of `DEVICES`, for `auto` steps on so many rows (`batch`) are expected. `wiring` binds the first
    layer; given weights obey it already. `normalised` is the activation of a network that normalises its inputs
    (`normalised_network`), which torch alone trains; without it ReLU stands between plain layers. Raises `InvalidInput`.
    """
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if normalised and normalised not in ACTIVATIONS:
        raise unknown_name("activation", normalised, ACTIVATIONS)
    tensors = initial_tensors(start, seed, xavier=bool(normalised)) if isinstance(start, tuple) else start
    if wiring is not None and isinstance(start, tuple):
        wiring.begin((tensors["0.weight"], tensors["0.bias"]))
    if device == "auto":
        device = choose_device(sum(tensor.size for tensor in tensors.values()), batch)
        if normalised and device == "kernel":
            device = "cpu"
    if normalised:
        if device == "kernel":
            raise InvalidInput("kernels train no network that normalises: device is one of auto, cpu, cuda")
        return NormalisedTrainable(tensors, optimizer, device, wiring, normalised)
    if device == "kernel":
        return KernelTrainable(tensors, optimizer, wiring)
    return TorchTrainable(tensors, optimizer, device, wiring)
