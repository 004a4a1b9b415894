"""An agent that plays by chance: each legal action as likely as the softmax of a network's outputs has it."""

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.agents import Decision, Limit, forced
from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game
from cardgames.core.network import Mlp
from cardgames.core.observation import Observation
from cardgames.core.shipped import named_network
from cardgames.learners.losses import softmax


class SoftmaxAgent:
    """Plays an average policy, kept as a network of logits; where that has none for a legal action, any is as good."""

    def __init__(self, name: str, game: Game, seed: int, path: str):
        network = named_network(game, path)
        if network.encoding.startswith("cheating-"):
            raise InvalidInput(f"{path}: the network sees hidden cards ({network.encoding}), which no policy may")
        if network.sizes[-1] == 1:
            raise InvalidInput(f"{path}: the network has one output, the value of a state, and no policy")
        self.name = name
        self._game, self._network = game, network
        self._random = np.random.default_rng(rng.derive(seed, *name.encode()))

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Decide at once; `limit` does not matter."""
        if (only := forced(observation)) is not None:
            return only
        legal = list(observation.legal_actions)
        chances = action_chances(self._game, self._network, observation)
        action = legal[int(self._random.choice(len(legal), p=chances))]
        return Decision(action, dict(zip(legal, chances.tolist(), strict=True)))


def action_chances(game: Game, network: Mlp, observation: Observation) -> NDArray[np.float64]:
    """Return the chance of each legal action, in the order of the observation."""
    legal = np.array(observation.legal_actions)
    known = legal < network.sizes[-1]
    if not known.any():
        return np.full(len(legal), 1 / len(legal))
    rules, inputs = game.kernel_rules, np.zeros((1, network.sizes[0]), np.int8)
    naming = ops.encode(rules, observation.record, observation.player, game.encodings[network.encoding][0], inputs[0])
    outputs = [ops.renamed(rules, naming, action) for action in legal[known]]
    chances = np.zeros(len(legal))
    chances[known] = softmax(network(inputs)[:, outputs])[0]
    # float32 shares add up to 1 less exactly than numpy's `choice` wants them
    chances /= chances.sum()
    return chances
