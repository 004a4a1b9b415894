"""Reference implementation of the collector: one table of a learner in plain Python with `State` objects."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from cardgames.agents.agent import decide
from cardgames.agents.agent_factory import agent
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.kernels.rng import below, next_word, uniform
from cardgames.learners.environments.opponents import parse_mixture
from cardgames.networks.policy_lookup import find_policy


class Row(NamedTuple):
    """Recorded decision of the learner."""

    seen: bytes
    legal: tuple[int, ...]
    action: int
    reward: float
    last: bool
    returned: float


class ByHand:
    """Table of a learner; `q` maps inputs [1, inputs] to values [1, outputs]."""

    def __init__(
        self,
        games: Sequence[Game],
        encoding: str,
        opponents: str,
        stream: Any,
        q: Callable[[Any], Any],
        *,
        seats: str = "first",
        reward: str = "pay-off",
        discount: float = 1.0,
        epsilon: float = 0.0,
    ):
        self.games, self.encoding, self.opponents, self.stream, self.q = games, encoding, opponents, stream, q
        self.seats, self.reward, self.discount, self.epsilon = seats, reward, discount, epsilon

    def round(self) -> list[Row]:
        """Play a round, and return the learner's decisions seat by seat."""
        game = self.games[below(self.stream, len(self.games))]
        policies = self._sit_down(game)
        state = game.deal_from_word(next_word(self.stream))
        taken: dict[int, list[tuple[bytes, tuple[int, ...], int]]] = {}
        while not state.is_terminal():
            seat = state.current_player()
            if policies[seat] is None:
                symmetry_id, decision = self._decide(game, state)
                taken.setdefault(seat, []).append(decision)
                state.apply_action(int(ops.apply_symmetry(game.kernel_rules, -symmetry_id, decision[2])))
            else:
                state.apply_action(self._other(game, state, policies[seat]))
        return [row for seat in sorted(taken) for row in self._rows(taken[seat], self._pay(state, seat))]

    def _other(self, game: Game, state: State, name: str) -> int:
        if ":" not in name:
            return int(ops.policy(game.kernel_rules, state.record, *find_policy(game, name), self.stream))
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else decide(agent(name, game, int(next_word(self.stream))), state).action

    def _sit_down(self, game: Game) -> list[Any]:
        players = game.num_players
        mine = below(self.stream, players) if self.seats == "any" else 0
        mixture = parse_mixture(self.opponents)
        policies: list[Any] = []
        for seat in range(players):
            if self.seats == "all" or seat == mine:
                policies.append(None)
                continue
            part, names = uniform(self.stream), list(mixture)
            passed = sum(part >= total for total in np.cumsum(list(mixture.values()))[:-1])
            policies.append(names[passed])
        return policies

    def _decide(self, game: Game, state: State) -> tuple[int, tuple[bytes, tuple[int, ...], int]]:
        """Return the symmetry of the encoded observation, and the decision under it."""
        shown = state if self.encoding.startswith("cheating-") else state.observation()
        seen = game.encode(shown, self.encoding).reshape(1, -1)
        rules, encoding_id = game.kernel_rules, game.encoding(self.encoding).encoding_id
        symmetry_id = int(ops.encode(rules, shown.record, state.current_player(), encoding_id, seen[0].copy()))
        legal = sorted(int(ops.apply_symmetry(rules, symmetry_id, action)) for action in state.legal_actions())
        if self.epsilon > 0 and uniform(self.stream) < self.epsilon:
            action = legal[below(self.stream, len(legal))]
        else:
            values = self.q(seen)[0]
            action = max(legal, key=lambda a: (values[a], -a))
        return symmetry_id, (seen.tobytes(), tuple(legal), action)

    def _pay(self, state: State, seat: int) -> float:
        if self.reward == "pay-off":
            return state.returns()[seat]
        void = -1.0 if self.reward == "win-only" else 0.0
        return void if not state.winners() else 1.0 if seat in state.winners() else -1.0

    def _rows(self, taken: list[tuple[bytes, tuple[int, ...], int]], paid: float) -> list[Row]:
        rows, worth = [], paid
        for number, decision in enumerate(reversed(taken)):
            rows.append(Row(*decision, 0.0 if number else paid, not number, worth))
            worth *= self.discount
        return rows[::-1]
