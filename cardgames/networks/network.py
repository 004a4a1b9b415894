"""Small networks as what kernels take, and what they were trained for; as files: `networks.network_file`."""

import math
import re
from dataclasses import dataclass, replace
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

MAX_DECOMPOSITIONS = 10_000
"""The most decompositions of one hand that a `Combination` judges, for which a kernel has to find room."""
ACTIVATIONS = {"relu": RELU, "tanh": TANH}
"""What may stand between two layers."""
LOGITS = ("nfsp", "actor-critic")
"""The algorithms whose networks are policies: their outputs are logits of the actions, no Q."""


@dataclass(frozen=True, eq=False)
class Mlp:
    """A multilayer perceptron (ReLU or tanh between the layers) and what it was trained for.

    One output is the value V of a state or, with a choice encoding, Q of one action. Several belong to the actions with
    these ids: their values Q or, of what `LOGITS` trained, the logits of a policy.
    """

    sizes: tuple[int, ...]
    """Inputs, units of each hidden layer, outputs."""
    weights: NDArray[np.float32]
    """Flat, as kernels take them (`networks.mlp.pack`)."""
    encoding: str
    """The game's encoding that makes the inputs, of positions or of choices."""
    game: str
    rules: str = ""
    """The hash of the rules it was trained under, empty for any (`RuleSet.hash`)."""
    reward: tuple[float, float] = (0.0, 1.0)
    """What a lost and a won round are worth in units of Q and V."""
    algorithm: str = ""
    """What trained it, empty where that is not known."""
    critic: Layer | None = None
    """A further layer beside the last, weights [1, units] and bias [1], whose output is the value V of the state."""
    q: "Mlp | None" = None
    """A network of Q beside one of logits, of the same inputs and outputs: what judges states where there is no critic."""
    combination: "Combination | None" = None
    """What judges groups of cards by this network's outputs, which are no Q then but features of one group each."""
    activations: tuple[str, ...] = ()
    """What stands behind each hidden layer, of `ACTIVATIONS`; left empty it becomes ReLU behind all."""
    rules_name: str = ""
    """What the rules it was trained under are called, to be told to people (`RuleSet.name`)."""

    @property
    def kernel_sizes(self) -> NDArray[np.int64]:
        """`sizes` as kernels take them."""
        return np.array(self.sizes, np.int64)

    @property
    def kernel_activations(self) -> NDArray[np.int64]:
        """`activations` as kernels take them."""
        return np.array([ACTIVATIONS[name] for name in self.activations], np.int64)

    @property
    def parameters(self) -> int:
        """The number of weights and biases."""
        return sum((inputs + 1) * outputs for inputs, outputs in pairwise(self.sizes))

    def __post_init__(self) -> None:
        check_reward(self.reward)
        if not isinstance(self.rules, str) or (self.rules and re.fullmatch("[0-9a-f]{16}", self.rules) is None):
            raise InvalidInput(f"rules are told by RuleSet.hash, sixteen hex digits, not by {self.rules!r}")
        check_value("rules_name", self.rules_name, "a text", isinstance(self.rules_name, str))
        hidden = len(self.sizes) - 2
        object.__setattr__(self, "activations", tuple(self.activations) or ("relu",) * hidden)
        for name in self.activations:
            if name not in ACTIVATIONS:
                raise unknown_name("activation", name, ACTIVATIONS)
        if len(self.activations) != hidden:
            raise InvalidInput(f"the network has {hidden} hidden layers and {len(self.activations)} activations")
        if self.combination is not None:
            self.combination.check_features(self.sizes[-1])
        if not self.has_logits and (self.critic or self.q):
            raise InvalidInput(
                f"a critic, or a network of Q, stands beside a policy's logits, but algorithm is {self.algorithm!r}: "
                f"it says that outputs are logits where it is one of {', '.join(LOGITS)}"
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
        """Return the outputs [outputs] for what an observation's seat sees, each at its action's own id: a canonical
        encoding renames actions. Raises `InvalidInput` if the network does not fit the game; its rules do not matter.
        """
        game = observation.game
        self.check(game, any_rules=True)
        if self.encoding in game.action_encodings:
            raise InvalidInput(
                f"the network judges one action at a time ({self.encoding}): an agent says what it makes of each"
            )
        if sees_hidden(self.encoding):
            raise InvalidInput(f"the network sees hidden cards ({self.encoding}), which no observation tells")
        inputs, rules = np.zeros((1, self.sizes[0]), np.int8), game.kernel_rules
        encoding_id = game.encoding(self.encoding).encoding_id
        symmetry_id = ops.encode(rules, observation.record, observation.player, encoding_id, inputs[0])
        outputs = self(inputs).ravel()
        names = [int(ops.apply_symmetry(rules, symmetry_id, action)) for action in range(len(outputs))]
        return outputs[names] if len(outputs) > 1 else outputs

    def layers(self) -> list[Layer]:
        """Return each layer's weights [outputs, inputs] and bias [outputs]."""
        return unpack(self.weights, self.sizes)

    def with_outputs(self, outputs: int) -> "Mlp":
        """Return the network without its outputs from the one numbered `outputs` on."""
        *before, (weight, bias) = self.layers()
        if outputs >= len(bias):
            return self
        sizes, weights = (*self.sizes[:-1], outputs), pack([*before, (weight[:outputs], bias[:outputs])])
        return replace(self, sizes=sizes, weights=weights, q=self.q and self.q.with_outputs(outputs))

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights by the names of torch's `Sequential(Linear, ReLU, Linear, ...)` (or `Tanh`): 0.weight, 0.bias,
        2.weight, ...; those of `critic` and `q` are not among them.
        """
        found = {}
        for number, (weight, bias) in enumerate(self.layers()):
            found[f"{2 * number}.weight"], found[f"{2 * number}.bias"] = weight, bias
        return found

    def check(self, game: GameDefinition, *, any_rules: bool = False) -> None:
        """Raise `InvalidInput` unless this network is for `game`, its encoding's inputs and (or `any_rules`) its rules."""
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
        if self.combination is None:
            check_outputs(game, self.encoding, self.sizes[-1])
        elif self.encoding not in game.action_encodings:
            raise InvalidInput(f"the network's features are of groups of cards, of which {self.encoding} shows none")

    @property
    def has_logits(self) -> bool:
        """Whether the outputs are a policy's logits."""
        return self.algorithm in LOGITS

    @cached_property
    def value_network(self) -> "Mlp":
        """The network whose outputs tell what states are worth: this one or, where these are logits, `q` or the critic.

        Raises `InvalidInput` for logits without either, and for features.
        """
        if self.combination is not None:
            raise InvalidInput(
                "the network judges what a hand is split into, and no states: a search can take it as a policy"
            )
        if not self.has_logits:
            return self
        if self.q is not None:
            return self.q
        if self.critic is None:
            raise InvalidInput(
                f"the network's outputs are a policy's logits ({self.algorithm}) and no Q, and no critic is beside them: "
                "a search can take it as a policy (playout, opponents), not as its network"
            )
        sizes, layers = (*self.sizes[:-1], 1), [*self.layers()[:-1], self.critic]
        return replace(self, sizes=sizes, weights=pack(layers), critic=None, algorithm="")


@dataclass(frozen=True, eq=False)
class Combination:
    """Two networks that judge by features of groups, what is negative in these set to 0 (paper 004, 4.2)."""

    decompositions: Mlp
    """Q of a decomposition, from the greatest of each feature over its groups."""
    moves: Mlp
    """Q of one of its groups as a move, from the features of that group, then the greatest of each."""
    sampled: int
    """How many decompositions of a hand are judged, drawn at random where there are more."""

    def __post_init__(self) -> None:
        if not 1 <= self.sampled <= MAX_DECOMPOSITIONS:
            raise InvalidInput(f"from 1 to {MAX_DECOMPOSITIONS:,} decompositions are judged, not {self.sampled:,}")
        if {*self.decompositions.activations, *self.moves.activations} - {"relu"}:
            raise InvalidInput("the networks of decompositions and moves have ReLU between their layers")

    def check_features(self, features: int) -> None:
        """Raise `InvalidInput` unless the two judge by so many features."""
        for what, network, inputs in (
            ("decompositions", self.decompositions, features),
            ("moves", self.moves, 2 * features),
        ):
            if (network.sizes[0], network.sizes[-1]) != (inputs, 1):
                raise InvalidInput(
                    f"the network of {what} has {network.sizes[0]} inputs and {network.sizes[-1]} outputs: for {features} "
                    f"features it needs {inputs} and 1"
                )


def check_reward(reward: tuple[float, float]) -> None:
    """Raise `InvalidInput` unless these are what a lost and a won round are worth."""
    try:
        low, high = map(float, reward)
    except (TypeError, ValueError):
        raise InvalidInput(f"a reward is what a lost and a won round are worth, two numbers, not {reward!r}") from None
    if not -np.inf < low < high < np.inf:
        raise InvalidInput(f"a lost round is worth less than a won one, not {low} and {high}")


def check_outputs(game: GameDefinition, encoding: str, outputs: int, what: str = "network") -> None:
    """Raise `InvalidInput` unless so many outputs are one value, or the Q of actions that are renamed to each other."""
    actions = game.num_distinct_actions
    if encoding in game.action_encodings and outputs != 1:
        raise InvalidInput(f"the {what} has {outputs} outputs, but {encoding} shows one action, which has one Q")
    if not 1 <= outputs <= max(1, actions):
        raise InvalidInput(f"the {what} has {outputs} outputs, {game.name} {actions} actions")
    if outputs > 1 and not game.outputs_are_closed(outputs):
        raise InvalidInput(f"the {what} has {outputs} outputs, of which some go by those it lacks on other seats")
    plain = next((name for name, known in game.encodings.items() if known.canonical == encoding), None)
    if plain is not None and outputs > 1 and not game.symmetries(plain).is_closed(outputs):
        raise InvalidInput(f"the {what} has {outputs} outputs, of which {encoding} renames some to others it lacks")
