"""Networks as files, and as weights by the names torch gives them: safetensors, with what they were trained for."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.networks.mlp import Layer, pack
from cardgames.networks.network import Combination, Mlp
from cardgames.support.errors import InvalidInput
from cardgames.support.tensor_file import read_tensors, write_tensors

_FORMAT = "cardgames-mlp-1"
NETWORK_SUFFIX = ".safetensors"
"""By which a network's file is told from a name."""
_CRITIC = ("critic.weight", "critic.bias")
_Q, _DECOMPOSITIONS, _MOVES = "q.", "decompositions.", "moves."
"""What the names of tensors begin with that are those of `Mlp.q` and of `Mlp.combination`."""


def network_of(
    tensors: Mapping[str, NDArray[Any]],
    encoding: str,
    game: str,
    *,
    q_activations: Sequence[str] = (),
    sampled: int = 0,
    **options: Any,
) -> Mlp:
    """Return the network with these weights, named as `Mlp.tensors` names them; `options` are fields of `Mlp`,
    `q_activations` those of `Mlp.q`, and `sampled` is that of its `Combination`.

    Raises `InvalidInput` if names, shapes or numbers are not those of such a network.
    """
    tensors = dict(tensors)
    critic = _critic_of(tensors)
    combination = _combination_of(tensors, encoding, game, sampled)
    q = _q_of(tensors, encoding, game, options | {"algorithm": "", "activations": tuple(q_activations)})
    names = [f"{2 * number}.{part}" for number in range(len(tensors) // 2) for part in ("weight", "bias")]
    if not names or set(names) != set(tensors):
        raise InvalidInput(f"these are not the weights of a perceptron: {', '.join(sorted(tensors)) or 'none'}")
    layers = [(tensors[weight], tensors[bias]) for weight, bias in zip(names[::2], names[1::2], strict=True)]
    for name, tensor in tensors.items():
        check_finite_float32(name, tensor)
    for number, (weight, bias) in enumerate(layers):
        before = layers[number - 1][0].shape[:1] if number else weight.shape[1:]
        if weight.ndim != 2 or 0 in weight.shape or weight.shape[1:] != before or bias.shape != weight.shape[:1]:
            raise InvalidInput(f"{names[2 * number]} does not fit its neighbours: {list(weight.shape)}")
    sizes = (layers[0][0].shape[1], *(weight.shape[0] for weight, _ in layers))
    if critic is not None and critic[0].shape[1] != sizes[-2]:
        raise InvalidInput(f"the critic does not fit the layer before it: {list(critic[0].shape)}")
    if q is not None and (q.sizes[0], q.sizes[-1]) != (sizes[0], sizes[-1]):
        raise InvalidInput(f"the network of Q beside it has {q.sizes[0]} inputs and {q.sizes[-1]} outputs")
    return Mlp(sizes, pack(layers), encoding, game, critic=critic, q=q, combination=combination, **options)


def _combination_of(tensors: dict[str, NDArray[Any]], encoding: str, game: str, sampled: int) -> Combination | None:
    """Take the weights of `Mlp.combination` from those of a network and return it, None if there are none. Raises
    `InvalidInput`.
    """
    parts = [_pop_prefixed(tensors, prefix) for prefix in (_DECOMPOSITIONS, _MOVES)]
    if not any(parts):
        return None
    decompositions, moves = (network_of(part, encoding, game) for part in parts)
    return Combination(decompositions, moves, sampled)


def _pop_prefixed(tensors: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Take the tensors whose names begin with `prefix` from those of a network, and return them without it."""
    return {name.removeprefix(prefix): tensors.pop(name) for name in list(tensors) if name.startswith(prefix)}


def _q_of(tensors: dict[str, NDArray[Any]], encoding: str, game: str, options: Mapping[str, Any]) -> Mlp | None:
    """Take the weights of `Mlp.q` from those of a network and return it, None if there are none. Raises `InvalidInput`."""
    found = _pop_prefixed(tensors, _Q)
    return network_of(found, encoding, game, **options) if found else None


def _critic_of(tensors: dict[str, NDArray[Any]]) -> Layer | None:
    """Take the critic's weights from those of a network and return them, None if there are none. Raises `InvalidInput`."""
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
    """Raise `InvalidInput` unless a tensor is an array, float32 and finite."""
    if not isinstance(tensor, np.ndarray):
        raise InvalidInput(f"{name} is a numpy array of float32, not a {type(tensor).__name__}")
    if tensor.dtype != np.float32:
        raise InvalidInput(f"{name} is {tensor.dtype}, not float32")
    if not np.isfinite(tensor).all():
        raise InvalidInput(f"{name} has entries that are no finite numbers")


def random_network(sizes: tuple[int, ...], seed: int, encoding: str, game: str, **options: Any) -> Mlp:
    """Return an untrained network: weights uniform within sqrt(3 / inputs) (variance 1 / inputs), biases zero."""
    random = np.random.default_rng(seed)
    tensors = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        bound = np.sqrt(3 / inputs)
        tensors[f"{2 * number}.weight"] = random.uniform(-bound, bound, (outputs, inputs)).astype(np.float32)
        tensors[f"{2 * number}.bias"] = np.zeros(outputs, np.float32)
    return network_of(tensors, encoding, game, **options)


def save_network(network: Mlp, path: str | PathLike[str], notes: Mapping[str, str] | None = None) -> None:
    """Write a network as safetensors, with its metadata and further `notes` on where it comes from.

    Raises `InvalidInput` if the file cannot be written.
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
    if network.combination is not None:
        metadata["sampled"] = str(network.combination.sampled)
        tensors |= _prefixed(_DECOMPOSITIONS, network.combination.decompositions)
        tensors |= _prefixed(_MOVES, network.combination.moves)
    write_tensors(path, tensors, metadata)


def _prefixed(prefix: str, network: Mlp) -> dict[str, NDArray[np.float32]]:
    return {prefix + name: tensor for name, tensor in network.tensors().items()}


def load_network(path: str | PathLike[str]) -> Mlp:
    """Read a network that `save_network` wrote. Raises `InvalidInput` for any other file."""
    tensors, metadata = read_tensors(path)
    if metadata.get("format") != _FORMAT:
        raise InvalidInput(f"{path} is no network of cardgames: its metadata lack format={_FORMAT}")
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
            sampled=int(metadata.get("sampled", "0")),
        )
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None
    except (KeyError, ValueError) as error:
        raise InvalidInput(f"{path} has damaged metadata: {error}") from None
    if network.sizes != sizes:
        raise InvalidInput(f"{path} has layers of {network.sizes} units, by its metadata {sizes}")
    return network
