"""The games as OpenSpiel's: importing this registers `python_cardgames_uno` and `python_cardgames_doudizhu`.

A round's deal is its number, of which chance tells six digits of 16 each; with it all later chance is fixed, as in
`core.state`. So there are 16.8 million deals, and searches that look through chance, as a plain MCTS does, know the
cards to come.
"""

import math
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError(f"{error}: pip install 'cardgames[openspiel]' installs it") from None

from cardgames.core.encoding import sees_hidden
from cardgames.core.game import Game
from cardgames.core.game_registry import game_class, make
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.kernels.rng import derive
from cardgames.support.errors import InvalidInput

_NUM_DIGITS = 6
_DIGIT_BASE = 16
_MAX_GAME_LENGTH = 1_000_000
"""Decisions in a round of rules without a limit of their own: more than there ever are."""
_CHANCE_OUTCOMES = [(digit, 1 / _DIGIT_BASE) for digit in range(_DIGIT_BASE)]


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of this package, `base_game`; parameters are `players`, `rules` (a preset or TOML file), `overrides` (`axis:value`,
    separated by semicolons) and `encoding`, that of observation tensors.

    Information states are texts that differ wherever what the seat has seen does.
    """

    def __init__(self, name: str, parameters: dict[str, Any]):
        """Raises `InvalidInput`."""
        settings: dict[str, Any] = _DEFAULTS | parameters
        overrides = [part.replace(":", "=", 1) for part in settings["overrides"].split(";") if part]
        self.base_game: Game = make(name, settings["players"] or None, settings["rules"] or None, overrides)
        """The game itself."""
        self.encoding: str = settings["encoding"] or self.base_game.default_encoding
        if sees_hidden(self.encoding) or self.encoding in {
            known.canonical for known in self.base_game.encodings.values()
        }:
            raise InvalidInput(f"{self.encoding} shows hidden cards, or renames actions: take another encoding")
        self.base_game.encoding(self.encoding)
        super().__init__(_game_type(name, self._is_zero_sum()), self._game_info(), parameters)

    def _is_zero_sum(self) -> bool:
        payoff = str(self.base_game.rules["payoff"])
        return payoff == "points" or (self.base_game.num_players == 2 and payoff != "win")

    def _game_info(self) -> "pyspiel.GameInfo":
        max_utility = math.inf if str(self.base_game.rules["payoff"]) == "points" else 1.0
        return pyspiel.GameInfo(
            num_distinct_actions=self.base_game.num_distinct_actions,
            max_chance_outcomes=_DIGIT_BASE,
            num_players=self.base_game.num_players,
            min_utility=-max_utility,
            max_utility=max_utility,
            utility_sum=0.0 if self._is_zero_sum() else None,
            max_game_length=int(self.base_game.rules.to_dict().get("turn-limit", _MAX_GAME_LENGTH)),
        )

    def new_initial_state(self) -> "SpielState":
        """Return a round that is not dealt yet."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer | None":
        """Return what observes states, as `open_spiel.python.observation` asks it: one seat's view, public and private; None
        for any other. Raises `InvalidInput` for parameters.
        """
        if params:
            raise InvalidInput(f"observers take no parameters, not {params}")
        if iig_obs_type is not None and not (
            iig_obs_type.public_info and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            return None
        return _Observer(self, iig_obs_type is not None and iig_obs_type.perfect_recall)

    def resampler(self, seed: int = 0) -> Any:
        """Return what `ISMCTSBot.set_resampler` takes: a function of a state and the seat to decide there that returns a
        state the seat cannot tell from it, drawn from a stream of the `seed`. It raises `InvalidInput` for another seat.
        """
        draws = np.random.default_rng(derive(seed))

        def resample(state: "SpielState", player: int) -> "SpielState":
            if state.round is None or player != state.current_player():
                raise InvalidInput(f"seat {player} is not to decide: a state is resampled for the seat that is")
            other = state.clone()
            other.round = self.base_game.determinize(state.observation(player), int(draws.integers(2**63)))
            return other  # type: ignore[no-any-return]

        return resample


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A round: first its deal, digit by digit, then the decisions."""

    def __init__(self, game: SpielGame):
        super().__init__(game)
        self._base_game = game.base_game
        self._digits: list[int] = []
        self.round: State | None = None
        """The state of this package; None until it is dealt."""

    def current_player(self) -> int:
        """Return the seat that decides, or that chance does, or that the round is over."""
        if self.round is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.round.is_terminal() else self.round.current_player()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the values a digit of the deal's number may have, all alike."""
        return _CHANCE_OUTCOMES

    def _legal_actions(self, player: int) -> list[int]:
        return self.round.legal_actions() if self.round is not None else []

    def _apply_action(self, action: int) -> None:
        if self.round is not None:
            self.round.apply_action(action)
            return
        if not 0 <= action < _DIGIT_BASE:
            raise InvalidInput(f"chance tells a digit below {_DIGIT_BASE}, not {action}")
        self._digits.append(action)
        if len(self._digits) == _NUM_DIGITS:
            self.round = self._base_game.new_initial_state(derive(*self._digits))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else self._base_game.action_to_string(action, self.round)

    def is_terminal(self) -> bool:
        """Return whether the round is over."""
        return self.round is not None and self.round.is_terminal()

    def returns(self) -> list[float]:
        """Return each seat's pay-off; zeros before the end and for a void round."""
        return self.round.returns() if self.round is not None else [0.0] * self._base_game.num_players

    def observation(self, player: int) -> Observation:
        """Return what a seat may know. Raises `InvalidInput` before the deal."""
        if self.round is None:
            raise InvalidInput("nothing is dealt yet")
        return self.round.observation(player)

    def __str__(self) -> str:
        return str(self.round) if self.round is not None else f"deal {self._digits}"


class _Observer:
    """Tells what a seat sees: as numbers in the game's encoding, as text."""

    def __init__(self, game: SpielGame, perfect_recall: bool):
        known = game.base_game.encoding(game.encoding)
        self._game, self._perfect_recall = game, perfect_recall
        self.tensor = None if perfect_recall else np.zeros(known.inputs, np.float32)
        """What a seat sees, in the game's encoding; an encoding recalls nothing."""
        self.dict = {} if self.tensor is None else {"observation": self.tensor.reshape(known.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees into `tensor` (float32, of the encoding's size; zeros before the deal) and `dict`."""
        if self.tensor is None:
            return
        self.tensor[:] = 0
        if state.round is not None:
            self.tensor[:] = self._game.base_game.encode(state.observation(player), self._game.encoding).reshape(-1)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return with perfect recall all that a seat has seen, in hexadecimal, else what it sees now, in words."""
        if state.round is None:
            return "nothing is dealt"
        if self._perfect_recall:
            return f"seat {player}: {state.observation(player).to_bytes().hex()}"
        facts = state.observation(player).to_dict()
        return "\n".join(f"{name}: {value}" for name, value in facts.items() if name != "history")


_DEFAULTS = {"players": 0, "rules": "", "overrides": "", "encoding": ""}
"""What parameters are where nobody gives them: 0 and "" leave it to the game."""


def _game_type(name: str, zero_sum: bool) -> "pyspiel.GameType":
    game_type = game_class(name)
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"python_cardgames_{name}",
        long_name=f"{game_type.name} of cardgames",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game_type.max_players,
        min_num_players=game_type.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_DEFAULTS,
    )


class UnoGame(SpielGame):
    """Uno, `python_cardgames_uno`."""

    def __init__(self, parameters: dict[str, Any] | None = None):
        super().__init__("uno", parameters or {})


class DouDiZhuGame(SpielGame):
    """Dou Di Zhu, `python_cardgames_doudizhu`."""

    def __init__(self, parameters: dict[str, Any] | None = None):
        super().__init__("doudizhu", parameters or {})


pyspiel.register_game(_game_type("uno", False), UnoGame)
pyspiel.register_game(_game_type("doudizhu", False), DouDiZhuGame)
