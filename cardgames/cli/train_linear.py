"""The command `train uno linear`: train weights of Uno's linear policy and add them to a file."""

from typing import TYPE_CHECKING

from cardgames.cli.options import make_game, numbers_of_players
from cardgames.cli.progress import show_status
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.core.game import Game


def train_linear(
    game: str, players: str | None, rules: str | None, rule: list[str] | None, rounds: int | None, seed: int, out: str
) -> None:
    """Train Uno's linear policy for the given rules and number of players, and add its weights to the file `out`.

    Raises:
        InvalidInput: The game is not Uno, an option is out of range, or the file cannot take the weights.
    """
    table = _table(game, players, rules, rule)
    from cardgames.learners.algorithms import linear_reinforce
    from cardgames.uno.policies.linear_weights import add_weights, check_can_add_weights, table_name

    if rounds is None:
        rounds = linear_reinforce.ROUNDS
    if rounds < linear_reinforce.BATCHES:
        raise InvalidInput(f"--rounds is a number from {linear_reinforce.BATCHES}, not {rounds}")
    check_can_add_weights(out, table)
    share = 0.0

    def note(done: float) -> None:
        nonlocal share
        share = done

    try:
        with show_status(lambda: f"{share:.0%} of {rounds:,} rounds"):
            weights = linear_reinforce.train(table, rounds=rounds, seed=seed, progress=note)
    except KeyboardInterrupt:
        print(f"stopped after {share:.0%} of the rounds; no weights are saved", flush=True)
        raise
    add_weights(out, table, weights, seed)
    print(f"{out}: {table_name(table)}, {rounds:,} rounds, seed {seed}")


def _table(game: str, players: str | None, rules: str | None, rule: list[str] | None) -> "Game":
    numbers = numbers_of_players(game, players)
    if len(numbers) > 1:
        raise InvalidInput(f"linear trains for one number of players at a time, not {players}")
    if game != "uno":
        raise InvalidInput(f"linear is a policy for uno, not for {game}")
    return make_game(game, numbers[0], rules, rule)
