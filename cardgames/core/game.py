"""`Game`, the base class of all games: makes states, determinizations and encodings.

Methods have the names of OpenSpiel where it has them. The base class, in `core.game_definition`, has what needs no
states: rules, sizes, texts.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.encoding import sees_hidden
from cardgames.core.game_definition import GameDefinition
from cardgames.core.observation import Observation, check_is_observation
from cardgames.core.state import State
from cardgames.core.vector_env import VectorEnv
from cardgames.kernels.record_type import new_record
from cardgames.kernels.rng import check_seed, derive, stream
from cardgames.support.errors import InvalidInput

_DETERMINIZE_SALT = 0x41DDE  # so that the same seed deals a round and determinizes it with unrelated cards
_MAX_CERTAIN_WIN = 64
"""Greatest number of own actions in a certain win that is looked for."""


class Game(GameDefinition):
    """A card game: makes states, determinizations, encodings and vector environments.

    `core.game_definition.GameDefinition` describes the attributes and methods that a subclass defines.
    """

    def new_initial_state(
        self, seed: int = 0, *, deck: Sequence[str | int] | str | None = None, dealer: int | None = None
    ) -> State:
        """Deal a round.

        Args:
            seed: Seed of all chance in the round, in [0, 2**64).
            deck: The whole deck in the order it is dealt, None to shuffle.
            dealer: Seat of the dealer, None for the one that the rules choose.

        Raises:
            InvalidInput: If an argument is not valid.
        """
        record = new_record(self.state_dtype)
        self.deal(record, check_seed(seed), deck, dealer)
        return State(self, record, self.opening_events(record))

    def deal_from_word(self, word: int | np.uint64) -> State:
        """Return the round that the verb `deal` deals, inside kernels too, from the 64-bit seed `word`."""
        record = new_record(self.state_dtype)
        ops.deal(self.kernel_rules, record, np.uint64(word))
        return State(self, record, self.opening_events(record))

    def determinize(self, observation: Observation, seed: int = 0) -> State:
        """Return a determinization: a state consistent with an observation, its hidden cards drawn at random.

        The verb `determinize` draws it. The observing seat keeps its history; the history of the other seats begins at
        this state. If another player is about to decide in private and the observing seat does not know it, the decision
        counts as already taken.

        Args:
            observation: Observation of any seat.
            seed: Seed of the draw and of all later chance.

        Raises:
            InvalidInput: If the observation is of another game, or if another player is about to decide in private and
                the observing seat knows it.
        """
        self.check_observation(observation)
        rules = self.kernel_rules
        if ops.current_player(rules, observation.record) < 0 and not ops.is_terminal(rules, observation.record):
            raise InvalidInput("another player is about to decide in private: determinize after that decision")
        record = new_record(self.state_dtype)
        ops.determinize(rules, observation.record, stream(derive(seed, _DETERMINIZE_SALT)), record)
        return State(self, record, self.opening_events(record), prior=observation)

    def certain_win(self, observation: Observation) -> tuple[int, ...]:
        """Return actions of the player to move that win the round for certain, empty if no certain win is found.

        They are its own next decisions up to the end of the round; whatever the others hold, draw and do, each is legal
        when its turn comes, and the last one wins. The verb `certain_win` finds them.

        Args:
            observation: Observation of the player to move. An observation of another seat has no certain win.

        Raises:
            InvalidInput: If the observation is of another game.
        """
        self.check_observation(observation)
        if not observation.legal_actions:
            return ()
        out = np.empty(_MAX_CERTAIN_WIN, np.int32)
        return tuple(int(action) for action in out[: ops.certain_win(self.kernel_rules, observation.record, out)])

    @abstractmethod
    def position(self, **parts: Any) -> State:
        """Return a state with the given hands and other parts, whose history begins there.

        Args:
            **parts: `hands`, one for each seat, and optionally any of the arguments that `position_parts` names.

        Raises:
            InvalidInput: If an argument is not valid, or the parts do not fit together.
        """

    @abstractmethod
    def from_dict(self, data: dict[str, Any]) -> State:
        """Return the state that `data`, a result of `State.to_dict`, describes. Raises `InvalidInput` if it is not valid."""

    @abstractmethod
    def deck_of(self, state: State) -> list[str]:
        """Return the deck of a newly dealt state as text: all cards in the order they were, and will be, dealt."""

    def encode(self, source: Observation | State, encoding: str, player: int | None = None) -> NDArray[np.int8]:
        """Return what one seat sees as an array of numbers, the inputs of a network.

        Args:
            source: Observation or state to encode.
            encoding: Name of an encoding.
            player: Seat whose view is encoded; default: the seat of the observation, or the seat to move in the state.

        Returns:
            int8 array with the shape of the encoding.

        Raises:
            InvalidInput: If the encoding is unknown, if `source` belongs to another game, if `player` is not the seat
                of the observation, or if an observation is given to a `cheating-` encoding, which shows hidden cards.
        """
        spec = self.encoding(encoding)
        if isinstance(source, State):
            record, seat = self._state_to_encode(source, encoding, player)
        else:
            record, seat = self._observation_to_encode(source, encoding, player)
        out = np.zeros(spec.inputs, np.int8)
        ops.encode(self.kernel_rules, record, seat, spec.encoding_id, out)
        return out.reshape(spec.shape)

    def _state_to_encode(self, state: State, encoding: str, player: int | None) -> tuple[Any, int]:
        """Return what to pass to the verb `encode` for a state: the record (of an observation, or the state), and the seat.

        Raises `InvalidInput` for a state of another game or a seat that does not exist.
        """
        self._check_same_game("a state", state.game)
        seat = state.mover() if player is None else player
        self.check_seat(seat)
        # the state record, unlike an observation, reveals private decisions of others
        return (state if sees_hidden(encoding) else state.observation(seat)).record, seat

    def _observation_to_encode(self, observation: Observation, encoding: str, player: int | None) -> tuple[Any, int]:
        """Return what to pass to the verb `encode` for an observation: its record and its seat.

        Raises `InvalidInput` if it is of another game or seat, or if the encoding shows hidden cards.
        """
        self.check_observation(observation)
        if sees_hidden(encoding):
            raise InvalidInput(f"{encoding} shows hidden cards: give it a state, not an observation")
        seat = observation.player if player is None else player
        self.check_seat(seat)
        if seat != observation.player:
            raise InvalidInput(f"an observation of seat {observation.player} does not show what seat {seat} sees")
        return observation.record, seat

    def check_observation(self, observation: Observation) -> None:
        """Raise `InvalidInput` unless this is an observation of the same game, rules and number of players."""
        check_is_observation(observation)
        self._check_same_game("an observation", observation.game)

    def _check_same_game(self, what: str, game: GameDefinition) -> None:
        """Raise `InvalidInput` unless `game` has the rules and the number of players of this game.

        `what` names, for the message, the object that belongs to `game`, such as "a state".
        """
        if not self.is_same_game(game):
            raise InvalidInput(f"{what} of {game!r} is not one of {self!r}")

    def vector(self, num_envs: int, seed: int = 0, encoding: str | None = None) -> VectorEnv:
        """Return a vector environment: `num_envs` rounds of this game stepped together (`core.vector_env.VectorEnv`).

        Raises `InvalidInput` if an argument is not valid.
        """
        return VectorEnv(self, num_envs, seed, encoding)


def check_is_game(game: object) -> Game:
    """Return `game` unchanged. Raises `InvalidInput` if it is not a `Game`."""
    if not isinstance(game, Game):
        raise InvalidInput(f"a game is needed, as cardgames.make returns, not {game!r:.60}")
    return game
