"""Registry of the learning algorithms by name, including those of other packages as `module:class`."""

from collections.abc import Sequence
from functools import cache

from cardgames.core.game import Game
from cardgames.core.game_registry import load
from cardgames.kernels.rng import check_seed
from cardgames.learners.algorithms.action_input_dmc import ChoiceDmc
from cardgames.learners.algorithms.actor_critic import ActorCritic
from cardgames.learners.algorithms.afcandqn import Afcandqn
from cardgames.learners.algorithms.afdqn import Afdqn
from cardgames.learners.algorithms.candqn import Candqn
from cardgames.learners.algorithms.ddqn_mcts import DdqnMcts
from cardgames.learners.algorithms.dmc import Dmc
from cardgames.learners.algorithms.dqn import DoubleDqn, Dqn
from cardgames.learners.algorithms.nfsp import Nfsp
from cardgames.learners.algorithms.sarsa import Sarsa
from cardgames.learners.base.learner import Learner
from cardgames.learners.base.replay_learner import ReplayLearner
from cardgames.learners.base.settings import Settings, check_settings_class
from cardgames.support.errors import InvalidInput, check_value, unknown_name

ALGORITHMS: dict[str, type[Learner]] = {
    learner.name: learner
    for learner in (Dqn, DoubleDqn, Sarsa, Dmc, Nfsp, DdqnMcts, Afdqn, Candqn, Afcandqn, ActorCritic)
}


@cache
def choice_algorithms() -> dict[str, type[Learner]]:
    """Return the algorithms for games with action-input networks (`Game.action_encodings`), by name.

    They are imported only here, so that other games need not load Dou Di Zhu.
    """
    from cardgames.learners.algorithms.cql import Cql

    return {learner.name: learner for learner in (ChoiceDmc, Cql)}


def algorithm(name: str, game: type[Game] | None = None) -> type[Learner]:
    """Return the learner class of an algorithm.

    Args:
        name: Name of an algorithm, or `module:class` for one of another package.
        game: Class of the game to learn; by default a game whose networks have an output per action.

    Raises:
        InvalidInput: There is no such algorithm for the game.
    """
    check_value("an algorithm", name, "a name, or module:class", isinstance(name, str))
    if ":" in name:
        learner_class = _load_learner(name)
        if game is not None and game.action_encodings and issubclass(learner_class, ReplayLearner):
            bases = " or ".join(f"{cls.__module__}.{cls.__name__}" for cls in choice_algorithms().values())
            raise InvalidInput(
                f"{name} has one output per action, but {game.name} has too many actions: derive from {bases}"
            )
        return learner_class
    algorithms = choice_algorithms() if game is not None and game.action_encodings else ALGORITHMS
    if name not in algorithms:
        raise unknown_name("algorithm" if game is None else f"algorithm for {game.name}", name, algorithms)
    return algorithms[name]


def _load_learner(name: str) -> type[Learner]:
    """Import the class `module:class`. Raises `InvalidInput` unless it is a complete learner with valid settings."""
    learner_class = load(name)
    if not (isinstance(learner_class, type) and issubclass(learner_class, Learner)):
        raise InvalidInput(f"{name} is not a subclass of {Learner.__module__}.{Learner.__qualname__}")
    missing = sorted(learner_class.__abstractmethods__)
    if not hasattr(learner_class, "name"):
        missing.append("name")
    if missing:
        raise InvalidInput(f"{name} is incomplete: it lacks {', '.join(missing)}")
    if not _is_importable(learner_class):
        raise InvalidInput(
            f"{name} cannot be imported as {learner_class.algorithm_name()}, as runs need it: define it in a module"
        )
    check_settings_class(learner_class.settings_class)
    return learner_class


def _is_importable(learner: type[Learner]) -> bool:
    if learner.__module__ == "__main__":
        return False
    try:
        return load(learner.algorithm_name()) is learner
    except InvalidInput:
        return False


def check_trainable(game: type[Game]) -> None:
    """Raise `InvalidInput` if the game has no agents that play by a network."""
    if game.networks is None:
        raise InvalidInput(f"{game.name} has no agents that play by a network, so nothing can be trained for it")


def make_learner(
    name: str, games: Sequence[Game], settings: Settings | None = None, seed: int = 0, device: str = "auto"
) -> Learner:
    """Return a new learner.

    Args:
        name: Name of the algorithm, as for the function `algorithm`.
        games: Games that differ only in their number of players.
        settings: Hyperparameters; by default those of the algorithm's first paper.
        seed: Seed of all random numbers.
        device: One of `search.evaluators.DEVICES`.

    Raises:
        InvalidInput: An argument is invalid.
    """
    if isinstance(games, Game) or not games or not all(isinstance(game, Game) for game in games):
        raise InvalidInput(f"games must be a list of at least one game, not {games!r:.60}")
    check_trainable(type(games[0]))
    cls = algorithm(name, type(games[0]))
    if settings is not None and not isinstance(settings, cls.settings_class):
        raise InvalidInput(f"{name} takes {cls.settings_class.__name__}, not {settings!r:.60}")
    return cls(games, settings or cls.settings_class(), check_seed(seed), device)
