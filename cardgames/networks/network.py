"""A trained perceptron (`Mlp`): its weights, and the game, encoding and rules it was trained for.

`networks.network_file` reads and writes them.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.encoding import sees_hidden
from cardgames.core.game_definition import GameDefinition
from cardgames.core.observation import Observation
from cardgames.networks.mlp import RELU, TANH, Layer, mlp_batch, pack, unpack
from cardgames.support.errors import InvalidInput, check_value, unknown_name

ACTIVATIONS = {"relu": RELU, "tanh": TANH}
"""Name of each activation function -> its id for kernels."""
LOGITS = ("nfsp", "actor-critic")
"""Algorithms that train policies: the outputs of their networks are logits of the actions instead of Q values."""


@dataclass(frozen=True, eq=False)
class Mlp:
    """A multilayer perceptron with ReLU or tanh between the layers, and the game and rules it was trained for.

    A single output is the value V of a state or, with an encoding of actions, the Q value of one action. Of several
    outputs, number i belongs to the action with id i: it is its Q value or, if the algorithm is one of `LOGITS`, its logit.
    """

    sizes: tuple[int, ...]
    """Numbers of inputs, of units of each hidden layer, and of outputs."""
    weights: NDArray[np.float32]
    """Weights in the flat layout of kernels (`networks.mlp.pack`)."""
    encoding: str
    """Name of the game's encoding that computes the inputs: one of states or one of actions."""
    game: str
    """Name of the game that the network plays."""
    rules: str = ""
    """Hash of the rules that the network was trained under (`RuleSet.hash`); empty if it may play under any rules."""
    reward: tuple[float, float] = (0.0, 1.0)
    """Value of a lost round and of a won round on the scale of the network's Q and V."""
    algorithm: str = ""
    """Name of the algorithm that trained the network; empty if unknown."""
    critic: Layer | None = None
    """A second output layer on the last hidden layer, whose output is the value V of the state; None if there is none.

    Weights [1, units] and bias [1].
    """
    q: "Mlp | None" = None
    """Q-network with the same inputs and outputs, which evaluates states if the outputs are logits and `critic` is None."""
    heads: Mapping[str, "Mlp"] = field(default_factory=dict)
    """Name -> network whose inputs are the outputs of this one, which are then features instead of Q values.

    The game's own policy combines these heads, and `NetworkSupport.check_heads` checks that they fit.
    """
    head_samples: int = 0
    """Number of candidates that the policy of a network with heads evaluates with them; 0 without heads."""
    activations: tuple[str, ...] = ()
    """Name of the activation function of each hidden layer (`ACTIVATIONS`); empty for ReLU after all layers."""
    rules_name: str = ""
    """Name of the rules that the network was trained under (`RuleSet.name`), for error messages."""

    @property
    def kernel_sizes(self) -> NDArray[np.int64]:
        """`sizes` as an int64 array for kernels."""
        return np.array(self.sizes, np.int64)

    @property
    def kernel_activations(self) -> NDArray[np.int64]:
        """Ids of the hidden layers' activation functions (`ACTIVATIONS`), as an int64 array for kernels."""
        return np.array([ACTIVATIONS[name] for name in self.activations], np.int64)

    @property
    def parameters(self) -> int:
        """Number of weights and biases."""
        return sum((inputs + 1) * outputs for inputs, outputs in pairwise(self.sizes))

    def __post_init__(self) -> None:
        check_reward(self.reward)
        if not isinstance(self.rules, str) or (self.rules and re.fullmatch("[0-9a-f]{16}", self.rules) is None):
            raise InvalidInput(f"rules is a RuleSet.hash (sixteen hex digits) or empty, not {self.rules!r}")
        check_value("rules_name", self.rules_name, "a text", isinstance(self.rules_name, str))
        hidden = len(self.sizes) - 2
        object.__setattr__(self, "activations", tuple(self.activations) or ("relu",) * hidden)
        for name in self.activations:
            if name not in ACTIVATIONS:
                raise unknown_name("activation", name, ACTIVATIONS)
        if len(self.activations) != hidden:
            raise InvalidInput(f"the network has {hidden} hidden layers and {len(self.activations)} activations")
        if not self.has_logits and (self.critic or self.q):
            raise InvalidInput(
                f"critic and q are for networks with logits, whose algorithm is one of {', '.join(LOGITS)}, "
                f"not {self.algorithm!r}"
            )

    def __call__(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the outputs [n, outputs] for `inputs` (int8 [n, inputs], or [n, *shape of the encoding])."""
        if inputs.ndim < 2 or math.prod(inputs.shape[1:]) != self.sizes[0]:
            raise InvalidInput(f"the network takes [n, {self.sizes[0]}] inputs, not {list(inputs.shape)}")
        inputs = inputs.reshape(len(inputs), self.sizes[0])
        out = np.empty((len(inputs), self.sizes[-1]), np.float32)
        mlp_batch(self.weights, self.kernel_sizes, self.kernel_activations, inputs, out)
        return out

    def outputs_for(self, observation: Observation) -> NDArray[np.float32]:
        """Return the network's outputs for an observation, in the order of the action ids (float32 [outputs]).

        A canonical encoding permutes the actions; this is undone here. The rules need not be those of the training.

        Raises:
            InvalidInput: If the network does not fit the game, or its inputs are no encoding of an observation.
        """
        game = observation.game
        self.check(game, any_rules=True)
        if self.encoding in game.action_encodings:
            raise InvalidInput(
                f"the network evaluates one action at a time ({self.encoding}): get its Q values from an agent that plays it"
            )
        if sees_hidden(self.encoding):
            raise InvalidInput(
                f"the network sees hidden cards ({self.encoding}), which an observation does not contain"
            )
        inputs, rules = np.zeros((1, self.sizes[0]), np.int8), game.kernel_rules
        encoding_id = game.encoding(self.encoding).encoding_id
        symmetry_id = ops.encode(rules, observation.record, observation.player, encoding_id, inputs[0])
        outputs = self(inputs).ravel()
        permutation = [int(ops.apply_symmetry(rules, symmetry_id, action)) for action in range(len(outputs))]
        return outputs[permutation] if len(outputs) > 1 else outputs

    def layers(self) -> list[Layer]:
        """Return each layer's weights [outputs, inputs] and bias [outputs]."""
        return unpack(self.weights, self.sizes)

    def with_outputs(self, outputs: int) -> "Mlp":
        """Return a network with only the first `outputs` outputs of this one; itself if it has no more."""
        *hidden, (weight, bias) = self.layers()
        if outputs >= len(bias):
            return self
        sizes, weights = (*self.sizes[:-1], outputs), pack([*hidden, (weight[:outputs], bias[:outputs])])
        return replace(self, sizes=sizes, weights=weights, q=self.q and self.q.with_outputs(outputs))

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights, named as in torch's `Sequential(Linear, ReLU, Linear, ...)`: 0.weight, 0.bias, 2.weight, ...

        Those of `critic`, `q` and `heads` are not included.
        """
        tensors = {}
        for number, (weight, bias) in enumerate(self.layers()):
            tensors[f"{2 * number}.weight"], tensors[f"{2 * number}.bias"] = weight, bias
        return tensors

    def check(self, game: GameDefinition, *, any_rules: bool = False) -> None:
        """Check that the network fits a game.

        Raises:
            InvalidInput: If it is for another game, its inputs or outputs do not fit, or (unless `any_rules`) it was trained
                under other rules.
        """
        if self.game != game.name:
            raise InvalidInput(f"the network is for {self.game}, not for {game.name}")
        if self.encoding not in {**game.encodings, **game.action_encodings}:
            raise InvalidInput(f"the network's encoding {self.encoding} is unknown to {game.name}")
        inputs = game.network_encoding(self.encoding).inputs
        if self.sizes[0] != inputs:
            raise InvalidInput(f"the network takes {self.sizes[0]} inputs, the encoding {self.encoding} has {inputs}")
        if self.rules and self.rules != game.rules.hash and not any_rules:
            presets = (name for name, rules in game.rule_book.presets.items() if rules.hash == self.rules)
            theirs, ours = next(presets, self.rules_name or self.rules), game.rules.name
            if theirs == ours:
                theirs, ours = f"{theirs} ({self.rules})", f"{ours} ({game.rules.hash})"
            raise InvalidInput(f"the network was trained under rules {theirs}, not under {ours}")
        if not self.heads:
            check_outputs(game, self.encoding, self.sizes[-1])
        elif game.networks is None or game.networks.check_heads is None:
            raise InvalidInput(f"the network has heads ({', '.join(self.heads)}), for which {game.name} has no policy")
        else:
            game.networks.check_heads(self)

    @property
    def has_logits(self) -> bool:
        """True if the outputs are logits of a policy."""
        return self.algorithm in LOGITS

    @cached_property
    def value_network(self) -> "Mlp":
        """The network that evaluates states: this one or, if its outputs are logits, `q` or the critic.

        Raises:
            InvalidInput: If the outputs are logits and there is neither, or if they are features for heads.
        """
        if self.heads:
            raise InvalidInput(
                "the network's outputs are features for its heads, not values: a search can use it only as a policy"
            )
        if not self.has_logits:
            return self
        if self.q is not None:
            return self.q
        if self.critic is None:
            raise InvalidInput(
                f"the network's outputs are a policy's logits ({self.algorithm}), and it has neither a critic nor q: "
                "a search can use it as a policy (playout, opponents), but not as its network"
            )
        sizes, layers = (*self.sizes[:-1], 1), [*self.layers()[:-1], self.critic]
        return replace(self, sizes=sizes, weights=pack(layers), critic=None, algorithm="")


def check_reward(reward: tuple[float, float]) -> None:
    """Raise `InvalidInput` unless `reward` is a pair (value of a lost round, value of a won round) in ascending order."""
    try:
        low, high = map(float, reward)
    except (TypeError, ValueError):
        raise InvalidInput(f"reward is two numbers, the values of a lost and a won round, not {reward!r}") from None
    if not -np.inf < low < high < np.inf:
        raise InvalidInput(f"reward needs a lower value for a lost round than for a won one, not {low} and {high}")


def check_outputs(game: GameDefinition, encoding: str, outputs: int, what: str = "network") -> None:
    """Check that a network may have this number of outputs.

    A single output is always allowed. Several outputs belong to the first action ids, and every symmetry of the game (of
    seats, and of a canonical encoding) must map each of these ids to one of them.

    Args:
        game: Game of the network.
        encoding: Encoding of its inputs.
        outputs: Number of outputs.
        what: Name of the network in messages.

    Raises:
        InvalidInput: If the number does not fit.
    """
    actions = game.num_distinct_actions
    if encoding in game.action_encodings and outputs != 1:
        raise InvalidInput(f"the {what} has {outputs} outputs, but {encoding} encodes a single action, which has one Q")
    if not 1 <= outputs <= max(1, actions):
        raise InvalidInput(f"the {what} has {outputs} outputs, but {game.name} has {actions} actions")
    if outputs > 1 and not game.outputs_are_closed(outputs):
        raise InvalidInput(
            f"the {what} has {outputs} outputs: as seen from other seats, some of them are actions without an output"
        )
    base_encoding = next((name for name, spec in game.encodings.items() if spec.canonical == encoding), None)
    if base_encoding is not None and outputs > 1 and not game.symmetries(base_encoding).is_closed(outputs):
        raise InvalidInput(f"the {what} has {outputs} outputs, and {encoding} maps some to actions without an output")
