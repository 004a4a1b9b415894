"""Training the linear policy."""

import numpy as np
import pytest

import cardgames
from cardgames.core.arena import play_match
from cardgames.core.errors import InvalidInput
from cardgames.core.games import make
from cardgames.core.tensor_file import read_tensors
from cardgames.learners import reinforce
from cardgames.learners.reinforce import BATCHES, train
from cardgames.uno.linear_weights import add_weights


def test_training_beats_random_play_and_is_the_same_for_the_same_seed(tmp_path):
    game = make("uno", players=2, rules="rlcard")
    shares = []
    weights = train(game, rounds=40_000, seed=3, progress=shares.append)
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert np.array_equal(weights, train(game, rounds=40_000, seed=3))
    path = str(tmp_path / "own.safetensors")
    add_weights(path, game, weights, 3)
    add_weights(path, make("uno", players=3, rules="common"), weights, 4)
    with pytest.raises(InvalidInput, match="holds weights for rlcard-2 already"):
        add_weights(path, game, weights, 5)  # of a training that ended meanwhile
    tables, notes = read_tensors(path)
    assert set(tables) == {"rlcard-2", "common-3"} and notes["game"] == "uno"
    assert notes["rlcard-2"] == f"rules {game.rules.hash}, 2 players, seed 3, version {cardgames.__version__}"
    result = play_match(game, [f"linear:weights={path}", "random"], games=20_000, seed=1)
    assert result.agents[0].ci95[0] > 0.58


@pytest.mark.parametrize("rounds", [BATCHES, 1000, 1234])
def test_just_so_many_rounds_are_played(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def mean_gradient(rules: object, state: object, weights: object, batch: int, *rest: object) -> None:
        played.append(batch)

    monkeypatch.setattr(reinforce, "mean_gradient", mean_gradient)
    train(make("uno", players=2, rules="rlcard"), rounds=rounds)
    assert sum(played) == rounds and max(played) - min(played) <= 1
