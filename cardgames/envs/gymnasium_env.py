"""Rounds as a Gymnasium environment: one seat acts, agents of this package or one's own sit on the others."""

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Agent, decide, play_decision
from cardgames.arena.participants import Participant, make_participant
from cardgames.core.game import Game
from cardgames.core.game_registry import make
from cardgames.core.observation import Observation
from cardgames.core.rules import RuleSet
from cardgames.core.state import State
from cardgames.envs.round_source import RoundSequence
from cardgames.envs.seat_view import (
    RENDER_MODES,
    MaskedObservation,
    ObservationEncoder,
    check_render_mode,
    require_observation,
)
from cardgames.kernels.rng import check_seed
from cardgames.support.errors import InvalidInput

_MAX_ROUNDS_WITHOUT_DECISION = 1000
"""Rounds dealt in a row without the seat being asked."""


class GymnasiumEnv(gymnasium.Env[Any, Any]):
    """The `seat` of `game`, against `opponents`: one for all others, or one each in the order of play after it.

    An observation is a dict of `observation` and `action_mask` (`envs.seat_view.MaskedObservation`). `info` has the mask too, the seat as
    `player`, and whether the round is `void`, over and won by nobody; `action_masks()` returns the mask as a maskable PPO
    asks for it. The reward is the pay-off, at the end of a round, which terminates. `seat=None` moves the seat on from round
    to round. `seed` fixes all rounds, and all opponents that are named or made by a function (one given as an object goes on
    as it is), until `reset` is given one: of environments side by side each needs its own. An illegal action raises
    `InvalidInput`, and nothing is played. `round` is the state itself, not for agents.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        game: Game,
        opponents: Participant | Sequence[Participant] = "random",
        *,
        seat: int | None = 0,
        encoding: str | None = None,
        seed: int = 0,
        render_mode: str | None = None,
    ):
        """Raises `InvalidInput`."""
        check_render_mode(render_mode)
        self._encoder = ObservationEncoder(game, encoding)
        self.game, self.encoding, self.render_mode = game, self._encoder.encoding, render_mode
        self.observation_space, self.action_space = self._encoder.observation_space, self._encoder.action_space
        if seat is not None:
            game.check_seat(seat)
        self._seat = seat
        self._opponents = self._expand_opponents(opponents)
        for entry in self._opponents:
            make_participant(entry, game, 0)  # a name nobody has is refused now
        self._rounds = RoundSequence(game, seed)
        self._observation: Observation | None = None
        """What the seat saw when it was asked last; None while it is not."""

    def _expand_opponents(self, opponents: Participant | Sequence[Participant]) -> list[Participant]:
        others = self.game.num_players - 1
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            return [opponents] * others
        if len(opponents) != others:
            raise InvalidInput(f"{len(opponents)} opponents were given for {others} other seats")
        return list(opponents)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[MaskedObservation, dict[str, Any]]:
        """Deal the next round in which the seat is asked, with a `seed` from the first one of that seed on; return what is
        shown, and info. `options` mean nothing. Raises `InvalidInput`.
        """
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if seed is not None:
            self._rounds.restart(seed)
        for _ in range(_MAX_ROUNDS_WITHOUT_DECISION):
            observation = self._deal()
            if not self.round.is_terminal():  # over before the seat was asked, as may be with hands of one card
                return self._outcome(observation)
        raise InvalidInput(f"in {_MAX_ROUNDS_WITHOUT_DECISION} rounds seat {self.player} was never asked")

    def _deal(self) -> Observation:
        self._observation = None  # should an opponent fail, or be interrupted, the seat is not asked
        self.round: State = self._rounds.next()
        players = self.game.num_players
        self.player = self._rounds.number % players if self._seat is None else self._seat
        """The seat of this round."""
        self._agents: dict[int, Agent] = {
            (self.player + turn) % players: make_participant(entry, self.game, self._rounds.seed_for(turn))
            for turn, entry in enumerate(self._opponents, 1)
        }
        return self._play_opponents()

    def _play_opponents(self) -> Observation:
        """Let the others decide until the seat is asked, or the round over; return what the seat sees then."""
        while not self.round.is_terminal() and (mover := self.round.current_player()) != self.player:
            play_decision(self._agents[mover], self.round, decide(self._agents[mover], self.round).action)
        return self.round.observation(self.player)

    def _outcome(self, observation: Observation) -> tuple[MaskedObservation, dict[str, Any]]:
        self._observation, shown = observation, self._encoder.encode(observation)
        self._mask = shown["action_mask"].copy()
        void = self.round.is_terminal() and not self.round.winners()
        return shown, {"action_mask": self._mask.copy(), "player": self.player, "void": void}

    def step(self, action: np.int64) -> tuple[MaskedObservation, float, bool, bool, dict[str, Any]]:
        """Play an action and what follows it up to the seat's next decision, or to the end of the round; return what is
        shown, the reward, whether the round is over, False (nothing is truncated), and info. Raises `InvalidInput`.
        """
        chosen = self._encoder.action(require_observation(self._observation), action)
        self.round.apply_action(chosen)
        self._observation = None  # as in `_deal`
        shown, info = self._outcome(self._play_opponents())
        return shown, self.round.returns()[self.player], self.round.is_terminal(), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now (bool [actions]). Raises `InvalidInput` before the first round."""
        require_observation(self._observation)
        return self._mask.astype(np.bool_)

    def render(self) -> str | None:
        """Return, in mode `ansi`, what the seat knows, in words. Raises `InvalidInput` before the first round."""
        return str(require_observation(self._observation)) if self.render_mode == "ansi" else None


def make_seat(
    game: str,
    players: int | None = None,
    rules: str | RuleSet | None = None,
    overrides: Iterable[str] = (),
    **options: Any,
) -> GymnasiumEnv:
    """Return the environment of a game named as `cardgames.make` does; `options` are those of `GymnasiumEnv`.

    `gymnasium.make("cardgames.envs:cardgames/Uno-v0", players=3, rules="rlcard", opponents="reflex")` calls this.
    """
    return GymnasiumEnv(make(game, players, rules, overrides), **options)
