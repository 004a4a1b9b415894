"""Games as Python objects, by OpenSpiel's names."""

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

_DETERMINIZE_SALT = 0x41DDE  # keeps hidden cards drawn from a seed apart from those dealt from it


class Game(GameDefinition):
    """A card game: makes states, determinizations, encodings and vector environments.

    See `core.game_definition.GameDefinition` for what a subclass defines.
    """

    def new_initial_state(
        self, seed: int = 0, *, deck: Sequence[str | int] | str | None = None, dealer: int | None = None
    ) -> State:
        """Deal a round. `seed` fixes all chance; `deck` (the whole deck in the order it is dealt) and `dealer` fix the
        deal. Raises `InvalidInput`.
        """
        record = new_record(self.state_dtype)
        self.deal(record, check_seed(seed), deck, dealer)
        return State(self, record, self.opening_events(record))

    def deal_from_word(self, word: int | np.uint64) -> State:
        """Return the round that the verb `deal` deals from `word`, as kernels have it."""
        record = new_record(self.state_dtype)
        ops.deal(self.kernel_rules, record, np.uint64(word))
        return State(self, record, self.opening_events(record))

    def determinize(self, observation: Observation, seed: int = 0) -> State:
        """Return a determinization: a state that an observation's seat cannot tell from the true one, drawn as the verb
        `determinize` has it. What that seat observes there goes on from what it had seen; the history of all others begins
        here. What another is asked in private counts as answered where this seat takes his turn for over.

        Raises `InvalidInput`, also for a seat that sees that somebody is asked: what he answers is part of the state.
        """
        self.check_observation(observation)
        rules = self.kernel_rules
        if ops.current_player(rules, observation.record) < 0 and not ops.is_terminal(rules, observation.record):
            raise InvalidInput("somebody is asked what others must not know: determinize once he has answered")
        record = new_record(self.state_dtype)
        ops.determinize(rules, observation.record, stream(derive(seed, _DETERMINIZE_SALT)), record)
        return State(self, record, self.opening_events(record), prior=observation)

    @abstractmethod
    def position(self, **parts: Any) -> State:
        """Set up a position; each game says which parts it takes."""

    @abstractmethod
    def from_dict(self, data: dict[str, Any]) -> State:
        """Return the state that `to_dict` wrote. Raises `InvalidInput`."""

    @abstractmethod
    def deck_of(self, state: State) -> list[str]:
        """Return the cards of a freshly dealt state in the order they were, and will be, dealt."""

    def encode(self, source: Observation | State, encoding: str, player: int | None = None) -> NDArray[np.int8]:
        """Return what an observation's seat (of a state: `player`) sees as an array of the `encoding`'s shape.

        Raises `InvalidInput` for an unknown encoding, a `cheating-` one or another seat of an observation, and for what is
        seen at other tables.
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
        """Return the record that is encoded of a state, and the seat whose view it is. Raises `InvalidInput`."""
        self._check_same_game("a state", state.game)
        seat = state.mover() if player is None else player
        self.check_seat(seat)
        # a state tells besides when others decide in private
        return (state if sees_hidden(encoding) else state.observation(seat)).record, seat

    def _observation_to_encode(self, observation: Observation, encoding: str, player: int | None) -> tuple[Any, int]:
        """Return the same of an observation. Raises `InvalidInput`."""
        self.check_observation(observation)
        if sees_hidden(encoding):
            raise InvalidInput(f"{encoding} shows hidden cards: it takes a state")
        seat = observation.player if player is None else player
        self.check_seat(seat)
        if seat != observation.player:
            raise InvalidInput(f"an observation of seat {observation.player} does not tell what seat {seat} sees")
        return observation.record, seat

    def check_observation(self, observation: Observation) -> None:
        """Raise `InvalidInput` unless this is an observation of such a game."""
        check_is_observation(observation)
        self._check_same_game("an observation", observation.game)

    def _check_same_game(self, what: str, game: GameDefinition) -> None:
        """Raise `InvalidInput` unless the game that something is of is such a one."""
        if not self.is_same_game(game):
            raise InvalidInput(f"{what} of {game!r} is none of {self!r}")

    def vector(self, num_envs: int, seed: int = 0, encoding: str | None = None) -> VectorEnv:
        """Return so many tables of this game stepped together (`core.vector_env.VectorEnv`). Raises `InvalidInput`."""
        return VectorEnv(self, num_envs, seed, encoding)


def check_is_game(game: object) -> Game:
    """Return a game. Raises `InvalidInput` for anything else."""
    if not isinstance(game, Game):
        raise InvalidInput(f"a game is what cardgames.make returns, not {game!r:.60}")
    return game
