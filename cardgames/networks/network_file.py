"""Reading and writing of network files: safetensors with torch's names of the weights, and metadata on the training."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.networks.mlp import Layer, pack
from cardgames.networks.network import Mlp
from cardgames.support.errors import InvalidInput
from cardgames.support.tensor_file import read_tensors, write_tensors

_FORMAT = "cardgames-mlp-1"
NETWORK_SUFFIX = ".safetensors"
"""Suffix of network files. A network option that ends in it is a path, not the name of a pretrained network."""
_CRITIC = ("critic.weight", "critic.bias")
_Q = "q."
"""Prefix, in a network file, of the tensor names of the Q-network `Mlp.q`. (A head has its name and a dot.)"""


def network_of(
    tensors: Mapping[str, NDArray[Any]],
    encoding: str,
    game: str,
    *,
    q_activations: Sequence[str] = (),
    head_samples: int = 0,
    **options: Any,
) -> Mlp:
    """Return a network made of the weights `tensors`.

    Args:
        tensors: Weights, named as by `Mlp.tensors`, with those of the critic, `q` and the heads.
        encoding: Name of the encoding of the inputs.
        game: Name of the game.
        q_activations: Names of the activation functions of the Q-network `Mlp.q`.
        head_samples: Number of candidates that its policy evaluates with its heads (`Mlp.head_samples`).
        options: Further fields of `Mlp`.

    Raises:
        InvalidInput: If the names or shapes are not those of a perceptron, or a weight is not finite.
    """
    tensors = dict(tensors)
    critic = _critic_of(tensors)
    q = _q_of(tensors, encoding, game, options | {"algorithm": "", "activations": tuple(q_activations)})
    heads = _heads_of(tensors, encoding, game)
    names = [f"{2 * number}.{part}" for number in range(len(tensors) // 2) for part in ("weight", "bias")]
    if not names or set(names) != set(tensors):
        raise InvalidInput(f"these are not the weights of a perceptron: {', '.join(sorted(tensors)) or 'none'}")
    layers = [(tensors[weight], tensors[bias]) for weight, bias in zip(names[::2], names[1::2], strict=True)]
    for name, tensor in tensors.items():
        check_finite_float32(name, tensor)
    for number, (weight, bias) in enumerate(layers):
        inputs = layers[number - 1][0].shape[:1] if number else weight.shape[1:]
        if weight.ndim != 2 or 0 in weight.shape or weight.shape[1:] != inputs or bias.shape != weight.shape[:1]:
            raise InvalidInput(f"{names[2 * number]} does not fit its bias or the layer before: {list(weight.shape)}")
    sizes = (layers[0][0].shape[1], *(weight.shape[0] for weight, _ in layers))
    if critic is not None and critic[0].shape[1] != sizes[-2]:
        raise InvalidInput(f"the critic does not fit the layer before it: {list(critic[0].shape)}")
    if q is not None and (q.sizes[0], q.sizes[-1]) != (sizes[0], sizes[-1]):
        raise InvalidInput(
            f"q has {q.sizes[0]} inputs and {q.sizes[-1]} outputs, the policy {sizes[0]} inputs and {sizes[-1]} outputs"
        )
    return Mlp(
        sizes, pack(layers), encoding, game, critic=critic, q=q, heads=heads, head_samples=head_samples, **options
    )


def _heads_of(tensors: dict[str, NDArray[Any]], encoding: str, game: str) -> dict[str, Mlp]:
    """Remove the weights of the heads (`Mlp.heads`) from `tensors` and return these networks by name.

    Raises `InvalidInput` if one is not a perceptron.
    """
    names = sorted({name.partition(".")[0] for name in tensors if name.count(".") == 2})
    return {name: network_of(_pop_prefixed(tensors, f"{name}."), encoding, game) for name in names}


def _pop_prefixed(tensors: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Remove the tensors whose names begin with `prefix` from `tensors`; return them, named without the prefix."""
    return {name.removeprefix(prefix): tensors.pop(name) for name in list(tensors) if name.startswith(prefix)}


def _q_of(tensors: dict[str, NDArray[Any]], encoding: str, game: str, options: Mapping[str, Any]) -> Mlp | None:
    """Remove the weights of the Q-network `Mlp.q` from `tensors` and return this network; None if there are none.

    Raises `InvalidInput` if they are not those of a perceptron.
    """
    q_tensors = _pop_prefixed(tensors, _Q)
    return network_of(q_tensors, encoding, game, **options) if q_tensors else None


def _critic_of(tensors: dict[str, NDArray[Any]]) -> Layer | None:
    """Remove the critic's weights and bias from `tensors` and return them; None if there are none.

    Raises `InvalidInput` if they have the wrong shape or are not finite float32 numbers.
    """
    if not any(name in tensors for name in _CRITIC):
        return None
    weight, bias = (tensors.pop(name, np.empty(0, np.float32)) for name in _CRITIC)
    for name, tensor in zip(_CRITIC, (weight, bias), strict=True):
        check_finite_float32(name, tensor)
    if weight.ndim != 2 or len(weight) != 1 or bias.shape != (1,):
        raise InvalidInput(
            f"a critic has weights [1, units] and bias [1], not {list(weight.shape)}, {list(bias.shape)}"
        )
    return weight, bias


def check_finite_float32(name: str, tensor: NDArray[Any]) -> None:
    """Raise `InvalidInput` unless `tensor` is an array of finite float32 numbers; the message calls it `name`."""
    if not isinstance(tensor, np.ndarray):
        raise InvalidInput(f"{name} has to be a numpy array of float32, not a {type(tensor).__name__}")
    if tensor.dtype != np.float32:
        raise InvalidInput(f"{name} is {tensor.dtype}, not float32")
    if not np.isfinite(tensor).all():
        raise InvalidInput(f"{name} has entries that are not finite")


def random_network(sizes: tuple[int, ...], seed: int, encoding: str, game: str, **options: Any) -> Mlp:
    """Return an untrained network with random weights and zero biases.

    The weights are uniform between -sqrt(3 / inputs) and sqrt(3 / inputs), so their variance is 1 / inputs. `options` are
    fields of `Mlp`.
    """
    random = np.random.default_rng(seed)
    tensors = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        bound = np.sqrt(3 / inputs)
        tensors[f"{2 * number}.weight"] = random.uniform(-bound, bound, (outputs, inputs)).astype(np.float32)
        tensors[f"{2 * number}.bias"] = np.zeros(outputs, np.float32)
    return network_of(tensors, encoding, game, **options)


def save_network(network: Mlp, path: str | PathLike[str], notes: Mapping[str, str] | None = None) -> None:
    """Write a network as a safetensors file, whose metadata has its fields and further `notes` on its origin.

    Raises:
        InvalidInput: If the file cannot be written.
    """
    metadata = {
        **(notes or {}),
        "format": _FORMAT,
        "game": network.game,
        "rules": network.rules,
        "rules_name": network.rules_name,
        "encoding": network.encoding,
        "sizes": " ".join(map(str, network.sizes)),
        "reward": " ".join(repr(float(paid)) for paid in network.reward),
        "algorithm": network.algorithm,
        "activations": " ".join(network.activations),
    }
    if network.q is not None:
        metadata["q_activations"] = " ".join(network.q.activations)
    tensors = network.tensors() | dict(zip(_CRITIC, network.critic or (), strict=network.critic is not None))
    if network.q is not None:
        tensors |= _prefixed(_Q, network.q)
    if network.heads:
        metadata["sampled"] = str(network.head_samples)
    for name, head in network.heads.items():
        tensors |= _prefixed(f"{name}.", head)
    write_tensors(path, tensors, metadata)


def _prefixed(prefix: str, network: Mlp) -> dict[str, NDArray[np.float32]]:
    return {prefix + name: tensor for name, tensor in network.tensors().items()}


def load_network(path: str | PathLike[str]) -> Mlp:
    """Return the network in a file that `save_network` wrote.

    Raises:
        InvalidInput: If the file cannot be read, or is not such a file.
    """
    tensors, metadata = read_tensors(path)
    if metadata.get("format") != _FORMAT:
        raise InvalidInput(f"{path} is not a network of cardgames: its metadata lacks format={_FORMAT}")
    try:
        low, high = (float(number) for number in metadata["reward"].split())
        sizes = tuple(int(number) for number in metadata["sizes"].split())
        network = network_of(
            tensors,
            metadata["encoding"],
            metadata["game"],
            rules=metadata["rules"],
            rules_name=metadata.get("rules_name", ""),
            reward=(low, high),
            algorithm=metadata.get("algorithm", ""),
            activations=tuple(metadata.get("activations", "").split()),
            q_activations=metadata.get("q_activations", "").split(),
            head_samples=int(metadata.get("sampled", "0")),
        )
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None
    except (KeyError, ValueError) as error:
        raise InvalidInput(f"{path} has damaged metadata: {error}") from None
    if network.sizes != sizes:
        raise InvalidInput(f"{path} has layers of {network.sizes} units, but its metadata says {sizes}")
    return network
