"""Training the linear policy."""

import numpy as np

from cardgames.core.arena import play_match
from cardgames.core.game import make
from cardgames.learners.linear import train
from cardgames.uno.linear_weights import write_weights


def test_training_beats_random_play_and_is_the_same_for_the_same_seed(tmp_path):
    game = make("uno", players=2, rules="rlcard")
    shares = []
    weights = train(game, rounds=40_000, seed=3, progress=shares.append)
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert np.array_equal(weights, train(game, rounds=40_000, seed=3))
    path = str(tmp_path / "own.safetensors")
    write_weights(path, {"rlcard-2": weights})
    result = play_match(game, [f"linear:weights={path}", "random"], games=20_000, seed=1)
    assert result.agents[0].ci95[0] > 0.58
