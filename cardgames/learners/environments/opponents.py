"""Opponents of a learner: policies and agents by name, mixtures of them, and past versions of its own network."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent_factory import agent, available, policy_of, split_name
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy, check_fingerprint, fingerprint, stack_policies
from cardgames.kernels.sparse_matmul import LANES, aligned
from cardgames.learners.environments.learner_env import PAST, PYTHON_OPPONENT, Others
from cardgames.networks.network import Mlp
from cardgames.networks.network_policy import network_weights
from cardgames.networks.policy_lookup import find_policy, is_policy_name, policy_choices
from cardgames.support.errors import InvalidInput

PAST_NAME = "past"


def parse_mixture(text: str) -> dict[str, float]:
    """Return each name in a mixture of opponents such as `random+2*reflex` with its share (sum 1). Raises `InvalidInput`."""
    shares: dict[str, float] = {}
    for part in text.split("+"):
        weight_text, times, name = part.rpartition("*")
        try:
            share = float(weight_text) if times else 1.0
        except ValueError:
            share = 0.0
        if not name.strip() or not 0 < share < np.inf or name.strip() in shares:
            raise InvalidInput(f"opponents must be name+name or 2*name+name, each name once, not {text!r}")
        shares[name.strip()] = share
    total = sum(shares.values())
    if total == np.inf:
        raise InvalidInput(f"the shares of opponents must have a finite sum: {text!r}")
    return {name: share / total for name, share in shares.items()}


def _policy(game: Game, name: str) -> Policy:
    """Return the policy called `name`, or the policy that the agent called `name` follows.

    For an agent that follows no policy, return a policy with the id `PYTHON_OPPONENT`. If both an agent and a folder
    with a network have this name, the agent is meant.
    """
    is_agent = name in available(game.name) and name not in policy_choices(game)
    if not split_name(name)[1] and is_policy_name(game, name) and not is_agent:
        return find_policy(game, name, "opponent")
    return policy_of(name, agent(name, game), game) or Policy(np.int64(PYTHON_OPPONENT))


class Opponents:
    """Mixture of opponents, in arrays for kernels, for the seats that a learner does not play.

    Each seat draws its opponent for each round. An agent that follows a policy is played as that policy, inside the
    kernel; other agents decide one by one in Python, with their own time limits.


    Args:
        games: Games that differ in their number of players.
        text: Mixture (`parse_mixture`) of policies, network files, agents with options, and `past`: past selves, which are
            earlier versions of the learner's network.
        pool: Number of past selves to draw from; only the latest ones are stored.

    Raises:
        InvalidInput: The mixture or a name is invalid.
    """

    def __init__(self, games: Sequence[Game], text: str, pool: int = 10):
        mixture = parse_mixture(text)
        self._pool = pool if PAST_NAME in mixture else 0
        self._games = games
        self.selves = 0
        """Number of past selves added so far."""
        self.shares = np.cumsum(list(mixture.values()))
        """Cumulative shares of the names in the mixture ([names])."""
        self.rows = np.full((len(games), len(mixture)), PAST)
        """Row in `policy_id` of each name of the mixture, for each game; `PAST` for past selves ([games, names])."""
        self.agents: dict[int, str] = {}
        """Row in `policy_id` -> name and options of the agent at that row, which decides in Python."""
        policies: list[Policy] = []
        for game_index, game in enumerate(games):
            for i, name in enumerate(mixture):
                if name != PAST_NAME:
                    row = self.rows[game_index, i] = len(policies)
                    policies.append(_policy(game, name))
                    if policies[row].policy_id == PYTHON_OPPONENT:
                        self.agents[row] = name
        self.default_policy = len(policies)
        """Row in `policy_id` of the policy that decides where the learner's network has no output for a legal action."""
        policies.append(games[0].policy(games[0].default_policy))
        self.past = len(policies)
        """Row in `policy_id` of the first past self."""
        self._fixed_policies = policies
        self.policy_id, self.weights = stack_policies(policies)
        """Policy ids of the opponents for `ops.policy` ([rows]), and the weights of their policies ([rows, width])."""

    @property
    def includes_past_selves(self) -> bool:
        """True if past selves are among the opponents."""
        return self._pool > 0

    @property
    def num_past(self) -> int:
        """Number of past selves that can be drawn now."""
        return min(self.selves, self._pool)

    def others(self) -> Others:
        """Return the opponents in the form that kernels take (`learner_env.Others`)."""
        return Others(
            self.policy_id, self.weights, self.shares, self.rows, self.past, self.num_past, self.default_policy
        )

    def add_past_self(self, network: Mlp) -> None:
        """Add the network to the past selves, replacing the oldest one if the pool is full.

        Raises `InvalidInput` if the game has no policy that follows a network.
        """
        game = self._games[0]
        if game.networks is None:
            raise InvalidInput(f"{game.name} has no network policy, so no past selves")
        weights = network_weights(game, network)
        if not self.selves:
            width = max(self.weights.shape[1], -(-len(weights) // LANES) * LANES)
            self.weights = self._resized_weights(self._pool, width)
            self.policy_id = np.append(self.policy_id, np.full(self._pool, game.networks.policy_id))
        self.weights[self.past + self.selves % self._pool, : len(weights)] = weights
        self.selves += 1

    def _resized_weights(self, selves: int, width: int) -> NDArray[np.float32]:
        """Return an array with the weights of the policies, then zeros for `selves` past selves ([rows, width])."""
        fixed = stack_policies(self._fixed_policies)[1]
        weights = aligned(np.zeros((self.past + selves) * width, np.float32)).reshape(-1, width)
        weights[: self.past, : fixed.shape[1]] = fixed
        return weights

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the past selves, and a fingerprint of the other policies, as arrays by name, for a checkpoint."""
        return {
            "fixed": fingerprint(self._fixed_policies),
            "selves": np.array([self.selves]),
            "weights": self.weights[self.past :],
            "which": self.policy_id,
        }

    def load_state(self, state: dict[str, NDArray[np.generic]]) -> None:
        """Restore the past selves from the arrays that `state` returned.

        Raises `InvalidInput` if the weights of another policy of the mixture have changed since.
        """
        check_fingerprint(self._fixed_policies, state["fixed"])
        self.selves = int(state["selves"][0])
        if not self.selves:
            return
        past = state["weights"]
        self.weights, self.policy_id = self._resized_weights(*past.shape), np.asarray(state["which"], np.int64)
        self.weights[self.past :] = past
