"""Vector environment: many rounds (tables) of a game stepped together in one kernel call.

The methods have the names of Gymnasium's vector environments. Each table is one row of the arrays that they return.
"""

from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game_definition import GameDefinition
from cardgames.kernels import rng
from cardgames.kernels.jit import njit
from cardgames.support.errors import InvalidInput, check_integer_in

_MAX_ENVS = 2**31 - 1
"""Maximum number of rounds (tables) that a vector environment steps together."""


@njit
def _write_view(rules, state, encoding_id, row, obs, mask, players, symmetry_ids, legal):
    """Write what the seat to move sees in one round into index `row` of the output arrays.

    Output arrays: the encoded observation `obs`, the action `mask`, the seat to move (`players`) and the symmetry under
    which the observation is encoded (`symmetry_ids`).
    """
    seat = ops.current_player(rules, state)
    players[row] = seat
    symmetry_ids[row] = ops.encode(rules, state, seat, encoding_id, obs[row])
    mask[row] = 0
    for i in range(ops.legal_actions(rules, state, legal)):
        mask[row, ops.apply_symmetry(rules, symmetry_ids[row], legal[i])] = 1


@njit
def _deal_next(rules, state, row, rounds, base, num_envs):
    """Deal the next round of table `row` into `state`, and count it in `rounds[row]`.

    The seed depends on `base`, `row` and the number of rounds already dealt at that table.
    """
    number = np.uint64(row) + np.uint64(num_envs) * np.uint64(rounds[row])
    rounds[row] += 1
    ops.deal(rules, state, rng.mix(base + number))


@njit
def reset_all(rules, states, base, encoding_id, rounds, obs, mask, players, symmetry_ids, legal):
    """Deal the next round at every table and write observations, action masks, seats to move and symmetry ids."""
    n = len(states)
    for row in range(n):
        state = states[row]
        _deal_next(rules, state, row, rounds, base, n)
        _write_view(rules, state, encoding_id, row, obs, mask, players, symmetry_ids, legal)


@njit
def has_winner(rules, state, seats):
    """Return whether any of the `seats` seats won the round; False for a void round."""
    for seat in range(seats):
        if ops.won(rules, state, seat):
            return True
    return False


@njit
def step_all(
    rules,
    states,
    actions,
    base,
    encoding_id,
    rounds,
    obs,
    mask,
    players,
    symmetry_ids,
    rewards,
    terminated,
    truncated,
    legal,
):
    """Play one action at every table, and deal the next round at tables where the round ends.

    If the action of any table is illegal, no action is played.

    Returns:
        Index of the first table whose action is illegal, -1 if all are legal.
    """
    n = len(states)
    for row in range(n):
        if actions[row] < 0 or actions[row] >= mask.shape[1]:
            return row
        # the mask cannot be used: the caller may have overwritten it
        if not ops.is_legal(rules, states[row], np.int64(ops.apply_symmetry(rules, -symmetry_ids[row], actions[row]))):
            return row
    for row in range(n):
        state = states[row]
        ops.apply_action(rules, state, np.int64(ops.apply_symmetry(rules, -symmetry_ids[row], actions[row])))
        rewards[row] = 0.0
        terminated[row] = truncated[row] = False
        if ops.is_terminal(rules, state):
            ops.returns(rules, state, rewards[row])
            terminated[row] = has_winner(rules, state, rewards.shape[1])
            truncated[row] = not terminated[row]
            _deal_next(rules, state, row, rounds, base, n)
        _write_view(rules, state, encoding_id, row, obs, mask, players, symmetry_ids, legal)
    return -1


class VectorEnv:
    """Many rounds (tables) of one game stepped together; all arrays have one row for each table.

    A row of the observations is what the seat to move at that table sees.

    When a round ends, the same step deals the next one (Gymnasium's same-step autoreset). All arrays are allocated once
    and overwritten by every call; copy those to keep. Masks and the actions given to `step` use
    the action ids that belong to the encoded observation (verb `apply_symmetry`): Uno counts the seats to catch or swap
    with from the player to move.

    Args:
        game: Game to play.
        num_envs: Number of tables, from 1 to 2**31 - 1.
        seed: Seed of all rounds.
        encoding: Name of the encoding of observations; None for the default of the game.

    Raises:
        InvalidInput: If an argument is not valid, or the game has no encoding.
    """

    def __init__(self, game: GameDefinition, num_envs: int, seed: int = 0, encoding: str | None = None):
        num_envs = check_integer_in("num_envs", num_envs, 1, _MAX_ENVS)
        name = game.default_encoding if encoding is None else encoding
        spec = game.encoding(name)
        self._encoding_id = spec.encoding_id
        self.game, self.num_envs, self.encoding = game, num_envs, name
        self._base_seed = np.uint64(rng.derive(seed))
        self.states = np.zeros(num_envs, game.state_dtype)
        """[num_envs] state record of each table, with hidden cards; not for agents."""
        self._flat = np.zeros((num_envs, spec.inputs), np.int8)
        self._shape = spec.shape
        self.action_mask: NDArray[np.int8] = np.zeros((num_envs, game.num_distinct_actions), np.int8)
        """[num_envs, num_distinct_actions] 1 where an action is legal for the seat to move, else 0."""
        self.player: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        """[num_envs] seat to move at each table."""
        self.rewards: NDArray[np.float64] = np.zeros((num_envs, game.num_players))
        """[num_envs, players] payoff of each seat at tables where the last step ended a round, else 0."""
        self.terminated: NDArray[np.bool_] = np.zeros(num_envs, np.bool_)
        """[num_envs] True at tables where the last step ended a round that somebody won."""
        self.truncated: NDArray[np.bool_] = np.zeros(num_envs, np.bool_)
        """[num_envs] True at tables where the last step ended a round that nobody won (a void round)."""
        self._rounds = np.zeros(num_envs, np.int64)
        self._symmetry_ids = np.zeros(num_envs, np.int64)
        self._legal = np.zeros(game.max_legal_actions, np.int32)

    def __copy__(self) -> "VectorEnv":
        """Return an independent copy, in which the same actions lead to the same cards."""
        return deepcopy(self)

    @property
    def observations(self) -> NDArray[np.int8]:
        """[num_envs, *shape of the encoding] int8: encoded observation of the seat to move at each table."""
        return self._flat.reshape(self.num_envs, *self._shape)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_mask, "player": self.player}

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Deal a new round at every table; return observations and info (`action_mask`, `player`).

        With a `seed`, all rounds from now on are those of a new environment with this seed. Without one, each table deals
        the next round of the current seed.
        """
        if seed is not None:
            self._base_seed = np.uint64(rng.derive(seed))
            self._rounds[:] = 0
        for array in (self.rewards, self.terminated, self.truncated):
            array[:] = 0
        rules = self.game.kernel_rules
        seen = self._flat, self.action_mask, self.player, self._symmetry_ids
        reset_all(rules, self.states, self._base_seed, self._encoding_id, self._rounds, *seen, self._legal)
        return self.observations, self._info()

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action at every table; a table whose round ends deals its next one at once.

        Args:
            actions: Legal action at each table, int [num_envs].

        Returns:
            Observations, rewards, terminated, truncated and info (`action_mask`, `player`), as Gymnasium has them;
            rewards are those of all seats [num_envs, players].

        Raises:
            InvalidInput: If the shape or dtype is wrong, an action is illegal (nothing is played then), or `reset` has
                not been called.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise InvalidInput(f"step takes {self.num_envs} actions, not an array of shape {actions.shape}")
        if actions.dtype.kind not in "iu":
            raise InvalidInput(f"actions are whole numbers, not {actions.dtype}")
        if not self._rounds[0]:
            raise InvalidInput("no round is dealt yet: call reset before the first step")
        bad = step_all(
            self.game.kernel_rules,
            self.states,
            actions.astype(np.int64, copy=False),
            self._base_seed,
            self._encoding_id,
            self._rounds,
            self._flat,
            self.action_mask,
            self.player,
            self._symmetry_ids,
            self.rewards,
            self.terminated,
            self.truncated,
            self._legal,
        )
        if bad >= 0:
            raise InvalidInput(f"action {actions[bad]} is not legal at table {bad}")
        return self.observations, self.rewards, self.terminated, self.truncated, self._info()
