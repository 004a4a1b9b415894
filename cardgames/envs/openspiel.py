"""OpenSpiel games: importing this module registers `python_cardgames_uno` and `python_cardgames_doudizhu`.

A round starts with six chance nodes, each of which draws a digit in base 16. The six digits seed the deal and all later
random events (`core.state`). There are thus 16.8 million deals, and searches that look beyond chance nodes, such as plain
MCTS, know the cards to come.
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
"""Upper bound on the number of decisions in a round that OpenSpiel is given for rules without a turn limit."""
_CHANCE_OUTCOMES = [(digit, 1 / _DIGIT_BASE) for digit in range(_DIGIT_BASE)]


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """OpenSpiel game that wraps a game of this package (`base_game`).

    Its parameters are `players`, `rules` (preset or TOML file), `overrides` (texts `rule:value` separated by semicolons) and
    `encoding` (of observation tensors). Information state strings differ wherever the observations of the seat differ.
    """

    def __init__(self, name: str, parameters: dict[str, Any]):
        """Wrap the game named `name` with OpenSpiel parameters. Raises `InvalidInput` if a parameter is wrong."""
        settings: dict[str, Any] = _DEFAULTS | parameters
        overrides = [part.replace(":", "=", 1) for part in settings["overrides"].split(";") if part]
        self.base_game: Game = make(name, settings["players"] or None, settings["rules"] or None, overrides)
        """Wrapped `Game` object of this package."""
        self.encoding: str = settings["encoding"] or self.base_game.default_encoding
        if sees_hidden(self.encoding) or self.encoding in {
            spec.canonical for spec in self.base_game.encodings.values()
        }:
            raise InvalidInput(f"{self.encoding} shows hidden cards or permutes actions: choose another encoding")
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
        """Return the state before the deal, at the first of the six chance nodes."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer | None":
        """Return an observer for `open_spiel.python.observation`.

        The only type of observer is that of one seat's view, with its private and the public information. For all other
        types requested by `iig_obs_type` the result is None.

        Raises:
            InvalidInput: If `params` is not empty.
        """
        if params:
            raise InvalidInput(f"observers take no parameters, not {params}")
        if iig_obs_type is not None and not (
            iig_obs_type.public_info and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            return None
        return _Observer(self, iig_obs_type is not None and iig_obs_type.perfect_recall)

    def resampler(self, seed: int = 0) -> Any:
        """Return a function for `ISMCTSBot.set_resampler` that maps a state and the player to move to a random state.

        The random state is a determinization: it is in the same information set of the player. The random generator is
        seeded with `seed`. The function raises `InvalidInput` if the player is not to move.
        """
        random = np.random.default_rng(derive(seed))

        def resample(state: "SpielState", player: int) -> "SpielState":
            if state.round is None or player != state.current_player():
                raise InvalidInput(f"it is not the turn of seat {player}: states are resampled for the player to move")
            sample = state.clone()
            sample.round = self.base_game.determinize(state.observation(player), int(random.integers(2**63)))
            return sample  # type: ignore[no-any-return]

        return resample


class SpielState(pyspiel.State):  # type: ignore[misc]
    """OpenSpiel state of a round: first six chance nodes that draw the digits of the deal, then the seats' decisions."""

    def __init__(self, game: SpielGame):
        super().__init__(game)
        self._base_game = game.base_game
        self._digits: list[int] = []
        self.round: State | None = None
        """Wrapped `State` object of this package; None before the deal."""

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's id for chance or for a terminal state."""
        if self.round is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.round.is_terminal() else self.round.current_player()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the 16 outcomes of a chance node, the digits 0 to 15, each with probability 1/16."""
        return _CHANCE_OUTCOMES

    def _legal_actions(self, player: int) -> list[int]:
        return self.round.legal_actions() if self.round is not None else []

    def _apply_action(self, action: int) -> None:
        if self.round is not None:
            self.round.apply_action(action)
            return
        if not 0 <= action < _DIGIT_BASE:
            raise InvalidInput(f"a chance outcome is a digit from 0 to {_DIGIT_BASE - 1}, not {action}")
        self._digits.append(action)
        if len(self._digits) == _NUM_DIGITS:
            self.round = self._base_game.new_initial_state(derive(*self._digits))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else self._base_game.action_to_string(action, self.round)

    def is_terminal(self) -> bool:
        """Return whether the round is over."""
        return self.round is not None and self.round.is_terminal()

    def returns(self) -> list[float]:
        """Return the payoff of each seat; zeros before the end and after a void round."""
        return self.round.returns() if self.round is not None else [0.0] * self._base_game.num_players

    def observation(self, player: int) -> Observation:
        """Return this package's observation of the seat `player`. Raises `InvalidInput` before the deal."""
        if self.round is None:
            raise InvalidInput("there is no observation before the deal")
        return self.round.observation(player)

    def __str__(self) -> str:
        return str(self.round) if self.round is not None else f"deal {self._digits}"


class _Observer:
    """OpenSpiel observer: the observation of a seat as a tensor in the game's encoding, and as text."""

    def __init__(self, game: SpielGame, perfect_recall: bool):
        spec = game.base_game.encoding(game.encoding)
        self._game, self._perfect_recall = game, perfect_recall
        self.tensor = None if perfect_recall else np.zeros(spec.inputs, np.float32)
        """[inputs] float32 encoded observation; None for observers with perfect recall, since encodings omit the history."""
        self.dict = {} if self.tensor is None else {"observation": self.tensor.reshape(spec.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the encoded observation of the seat `player` into `tensor` and `dict`; zeros before the deal."""
        if self.tensor is None:
            return
        self.tensor[:] = 0
        if state.round is not None:
            self.tensor[:] = self._game.base_game.encode(state.observation(player), self._game.encoding).reshape(-1)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the observation of the seat `player` as text.

        With perfect recall the text is the observation's bytes, history included, in hexadecimal.
        """
        if state.round is None:
            return "before the deal"
        if self._perfect_recall:
            return f"seat {player}: {state.observation(player).to_bytes().hex()}"
        facts = state.observation(player).to_dict()
        return "\n".join(f"{name}: {value}" for name, value in facts.items() if name != "history")


_DEFAULTS = {"players": 0, "rules": "", "overrides": "", "encoding": ""}
"""Default values of the OpenSpiel game parameters; 0 and "" stand for the defaults of this package's game."""


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
    """OpenSpiel game of Uno, registered as `python_cardgames_uno`."""

    def __init__(self, parameters: dict[str, Any] | None = None):
        super().__init__("uno", parameters or {})


class DouDiZhuGame(SpielGame):
    """OpenSpiel game of Dou Di Zhu, registered as `python_cardgames_doudizhu`."""

    def __init__(self, parameters: dict[str, Any] | None = None):
        super().__init__("doudizhu", parameters or {})


pyspiel.register_game(_game_type("uno", False), UnoGame)
pyspiel.register_game(_game_type("doudizhu", False), DouDiZhuGame)
