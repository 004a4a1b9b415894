"""Gymnasium environment: the learner plays one seat, agents play the others."""

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
"""Number of successive rounds that end before the learner's first decision after which `reset` fails."""


class GymnasiumEnv(gymnasium.Env[Any, Any]):
    """Environment in which the learner plays one seat of a game against agents; an episode is a round.

    An observation is a dict of `observation` and `action_mask` (`envs.seat_view.MaskedObservation`). The dict `info` has the
    `action_mask` too, the learner's seat (`player`), and whether the round is over without a winner (`void`).
    `action_masks()` returns the mask as bools, as maskable PPO expects. The reward is the seat's payoff at the end of the
    round, and 0 before.

    An illegal action raises `InvalidInput` and changes nothing. The attribute `round` is the full state, hidden cards
    included; it is not meant for agents.
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
        """Make the environment.

        Args:
            game: Game to play.
            opponents: One participant for all other seats, or a list with one for each, in the order of play after the seat.
            seat: Seat of the learner; None to move it to the next seat after every round.
            encoding: Encoding of observations, by default the game's first.
            seed: Seed of the rounds, and of opponents given by name or function, until `reset` gets another one. An opponent
                given as an object keeps its state. Parallel environments need different seeds.
            render_mode: `ansi`, or None.

        Raises:
            InvalidInput: If an argument is wrong.
        """
        check_render_mode(render_mode)
        self._encoder = ObservationEncoder(game, encoding)
        self.game, self.encoding, self.render_mode = game, self._encoder.encoding, render_mode
        self.observation_space, self.action_space = self._encoder.observation_space, self._encoder.action_space
        if seat is not None:
            game.check_seat(seat)
        self._seat = seat
        self._opponents = self._expand_opponents(opponents)
        for opponent in self._opponents:
            make_participant(opponent, game, 0)  # unknown names are refused now, not at the first round
        self._rounds = RoundSequence(game, seed)
        self._observation: Observation | None = None
        """Learner's latest observation of the current round; None before the first round or after an opponent failed."""

    def _expand_opponents(self, opponents: Participant | Sequence[Participant]) -> list[Participant]:
        num_opponents = self.game.num_players - 1
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            return [opponents] * num_opponents
        if len(opponents) != num_opponents:
            raise InvalidInput(f"{len(opponents)} opponents were given for {num_opponents} other seats")
        return list(opponents)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[MaskedObservation, dict[str, Any]]:
        """Deal the next round and let the opponents play up to the learner's first decision.

        Rounds that end before the learner has a decision are skipped.

        Args:
            seed: Restart the sequence of rounds with this seed; by default it continues.
            options: Ignored.

        Returns:
            The observation, and the dict `info` (see `GymnasiumEnv`).

        Raises:
            InvalidInput: If an opponent fails, or the learner has no decision in 1000 successive rounds.
        """
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if seed is not None:
            self._rounds.restart(seed)
        for _ in range(_MAX_ROUNDS_WITHOUT_DECISION):
            observation = self._deal()
            if not self.round.is_terminal():  # with hands of one card a round may end before the seat's first decision
                return self._outcome(observation)
        raise InvalidInput(f"seat {self.player} had no decision in {_MAX_ROUNDS_WITHOUT_DECISION} rounds")

    def _deal(self) -> Observation:
        """Deal the next round, make its opponents, and let them play up to the learner's first decision or the end.

        Returns the learner's observation.
        """
        self._observation = None  # if an opponent fails or is interrupted, the seat must not act
        self.round: State = self._rounds.next()
        players = self.game.num_players
        self.player = self._rounds.number % players if self._seat is None else self._seat
        """Seat of the learner in this round."""
        self._agents: dict[int, Agent] = {
            (self.player + turn) % players: make_participant(opponent, self.game, self._rounds.seed_for(turn))
            for turn, opponent in enumerate(self._opponents, 1)
        }
        return self._play_opponents()

    def _play_opponents(self) -> Observation:
        """Let the opponents play until the learner has to decide or the round is over; return the learner's observation."""
        while not self.round.is_terminal() and (mover := self.round.current_player()) != self.player:
            play_decision(self._agents[mover], self.round, decide(self._agents[mover], self.round).action)
        return self.round.observation(self.player)

    def _outcome(self, observation: Observation) -> tuple[MaskedObservation, dict[str, Any]]:
        """Encode the learner's observation; return it with the dict `info` (action mask, learner's seat, void round)."""
        self._observation, encoded = observation, self._encoder.encode(observation)
        self._mask = encoded["action_mask"].copy()
        void = self.round.is_terminal() and not self.round.winners()
        return encoded, {"action_mask": self._mask.copy(), "player": self.player, "void": void}

    def step(self, action: np.int64) -> tuple[MaskedObservation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and let the opponents play up to its next decision or the end of the round.

        Returns:
            The observation, the reward, whether the round is over, False (rounds are never truncated), and `info`.

        Raises:
            InvalidInput: If the action is not legal, an opponent fails, or no round has begun.
        """
        action_id = self._encoder.action(require_observation(self._observation), action)
        self.round.apply_action(action_id)
        self._observation = None  # as in `_deal`
        encoded, info = self._outcome(self._play_opponents())
        return encoded, self.round.returns()[self.player], self.round.is_terminal(), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the learner's legal actions, [actions] bool. Raises `InvalidInput` before the first round."""
        require_observation(self._observation)
        return self._mask.astype(np.bool_)

    def render(self) -> str | None:
        """Return the seat's observation as text in mode `ansi`, else None. Raises `InvalidInput` before the first round."""
        return str(require_observation(self._observation)) if self.render_mode == "ansi" else None


def make_gymnasium_env(
    game: str,
    players: int | None = None,
    rules: str | RuleSet | None = None,
    overrides: Iterable[str] = (),
    **options: Any,
) -> GymnasiumEnv:
    """Return the Gymnasium environment of the game with the given name.

    `gymnasium.make("cardgames.envs:cardgames/Uno-v0", players=3, rules="rlcard", opponents="reflex")` calls this.

    Args:
        game: Name of the game; this and the next three arguments are those of `cardgames.make`.
        players: Number of players.
        rules: Preset, TOML file or rule set.
        overrides: Rules that differ, as texts `rule=value`.
        options: Arguments of `GymnasiumEnv`.
    """
    return GymnasiumEnv(make(game, players, rules, overrides), **options)
