"""Sources of positions for `search-debug`, `solve` and `play`: a seeded round, a record, or text on the command line."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.cli.options import make_game
from cardgames.support.errors import InvalidInput, unknown_name

_OPEN_SEEDS = 8
"""Number of seeds tried to find whether a position has random cards."""

if TYPE_CHECKING:
    from cardgames.core.state import State
    from cardgames.tui.position_history import PositionHistory


def position_at_ply(position_history: "PositionHistory", ply: int, source: str) -> "State":
    """Return the position of a round after `ply` decisions.

    Args:
        position_history: Positions of the round.
        ply: Number of decisions before the position.
        source: Name of the round for error messages.

    Raises:
        InvalidInput: The round has fewer than `ply` decisions, or it is over after them.
    """
    if ply < 0:
        raise InvalidInput(f"--ply is a number from 0, not {ply}")
    state = position_history.at(ply)
    if state is None:
        raise InvalidInput(f"{source} has only {position_history.length} decisions, fewer than --ply {ply}")
    if state.is_terminal():
        raise InvalidInput("the round is over in this position: no player is to move")
    return state


def play_default_policy(state: "State", seed: int) -> Iterator["State"]:
    """Let the game's default policy play from `state` to the end of the round, and yield each position.

    Every position yielded, the first included, is the object `state` itself, which is changed between.
    """
    from cardgames.agents.agent_factory import agent
    from cardgames.kernels import rng

    game = state.game
    seats = [agent(game.default_policy, game, rng.derive(seed, seat)) for seat in range(game.num_players)]
    yield state
    while not state.is_terminal():
        state.apply_action(seats[state.current_player()].act(state.observation()).action)
        yield state


def positions_from_record(game: str, path: str, number: int) -> tuple[Iterator["State"], int]:
    """Return the positions of the round with index `number` (from 0) of a record, and the round's seed.

    Raises:
        InvalidInput: The record cannot be read, has no such round, or is of another game.
    """
    from cardgames.records.record import read_round, replay_states

    recorded_round = read_round(path, number)
    if recorded_round.game.name != game:
        raise InvalidInput(f"{path} is a record of {recorded_round.game.name}, not of {game}")
    return replay_states(recorded_round), int(recorded_round.header["seed"])


class PositionRequest(NamedTuple):
    """Options of the command line that describe a position."""

    game: str
    position: str | None
    """Value of --position."""
    players: int | None
    rules: str | None
    rule: list[str] | None

    def state(self, seed: int) -> "State":
        """Return the position, with `seed` for hidden and random cards. Raises `InvalidInput` if it is not valid."""
        assert self.position is not None
        return parse_position(self.game, self.position, self.players, self.rules, self.rule, seed)

    def is_open(self) -> bool:
        """Return whether the position names all cards that can matter: no seed changes how the round can go on.

        A position given as JSON always does.
        """
        from cardgames.core import ops
        from cardgames.core.game_registry import game_class

        assert self.position is not None
        if self.position.lstrip().startswith("{"):
            return True
        parts = _parse_parts(self.position, game_class(self.game).position_parts)
        seats = len(parts["hands"]) if self.players is None else self.players
        game = make_game(self.game, seats, self.rules, self.rule)
        records = [game.position(**parts | {"seed": seed}).record for seed in range(_OPEN_SEEDS)]
        return len({int(ops.state_hash(game.kernel_rules, record, 0)) for record in records}) == 1

    def open_state(self) -> "State":
        """Return the position. Raises `InvalidInput` unless all cards that can matter are named."""
        state = self.state(0)
        if not self.is_open():
            raise InvalidInput(
                "the position is not open: write the cards of every hand and, in Uno, the whole draw pile, as in "
                "draw=b1 r9 pile=2 (pile=0 for none)"
            )
        return state


def parse_position(
    name: str, text: str, players: int | None, rules: str | None, rule: list[str] | None, seed: int
) -> "State":
    """Parse the option --position: JSON of `state.to_dict()`, or a text such as `hands=r9 b2|g1 top=r5 to_move=0`.

    Args:
        name: Name of the game.
        text: Value of the option.
        players: Number of players; by default the number of hands in the position.
        rules: Rules preset or rules file.
        rule: Rules to change, as texts NAME=VALUE.
        seed: Seed that fills in hidden and random cards, unless the position names one.

    Raises:
        InvalidInput: The text is malformed, or the position is impossible under the rules.
    """
    from cardgames.core.game_registry import game_class

    if not text.lstrip().startswith("{"):
        parts = _parse_parts(text, game_class(name).position_parts)
        seats = len(parts["hands"]) if players is None else players
        return make_game(name, seats, rules, rule).position(**{"seed": seed} | parts)
    try:
        data = json.loads(text, object_pairs_hook=_reject_duplicates)
        num_hands = len(data["hands"])
    except InvalidInput:
        raise
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInput("--position is not the JSON of state.to_dict()") from None
    return make_game(name, num_hands if players is None else players, rules, rule).from_dict(data)


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the key-value pairs of a JSON object as a dictionary.

    Raises:
        InvalidInput: A key occurs twice.
    """
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _duplicate_error(key)
        result[key] = value
    return result


def _duplicate_error(key: str) -> InvalidInput:
    return InvalidInput(f"--position gives {key} twice")


def _parse_parts(text: str, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Parse a position written as `part=value part=value` into keyword arguments of `game.position`.

    `kinds` maps the allowed parts, besides `hands`, to the type of their value.

    Raises:
        InvalidInput: The text is malformed, a part is unknown or occurs twice, or `hands` is missing.
    """
    tokens = re.split(r"(\w+)=", text)
    if tokens[0].strip():
        raise InvalidInput(f"--position is written part=value part=value, not {text!r}")
    parts: dict[str, Any] = {}
    for key, value in zip(tokens[1::2], (piece.strip() for piece in tokens[2::2]), strict=True):
        if key in parts:
            raise _duplicate_error(key)
        parts[key] = _parse_part(key, value, kinds)
    if "hands" not in parts:
        raise InvalidInput("--position needs hands")
    return parts


def _parse_part(key: str, text: str, kinds: Mapping[str, type]) -> Any:
    if key == "hands":
        return [_check_hand(seat, hand.strip()) for seat, hand in enumerate(text.split("|"))]
    if key not in kinds:
        raise unknown_name("part of a position", key, ("hands", *kinds))
    return _parse_int(key, text) if kinds[key] is int else text


def _check_hand(seat: int, text: str) -> str:
    """Return the text of the hand of seat `seat` unchanged (the game parses it later).

    Raises:
        InvalidInput: The text is empty.
    """
    if not text:
        raise InvalidInput(f"the hand of seat {seat} is empty: write its cards, or the number of random cards")
    return text


def _parse_int(key: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidInput(f"{key} is a number, not {text!r}") from None
