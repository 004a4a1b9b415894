"""Pretrained networks: which file is taken for the rules and players of a game, and which rules a network may play."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.core.game import Game
from cardgames.networks.network_file import random_network, save_network
from cardgames.networks.policy_lookup import find_policy, policy_choices
from cardgames.networks.pretrained import load_named_network, network_path, pretrained_names
from cardgames.support.errors import InvalidInput
from cardgames.uno.game import Uno


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace Uno's folder of weights by one with a network `pupil` for two presets."""
    monkeypatch.setattr(Uno, "networks", replace(Uno.networks, folder=tmp_path))
    (tmp_path / "pupil").mkdir()
    for seed, preset in enumerate(("rlcard", "common")):
        game = cardgames.make("uno", players=2, rules=preset)
        sizes = (game.encoding("seat").inputs, 8, game.num_distinct_actions)
        network = random_network(sizes, seed, "seat", "uno", rules=game.rules.hash)
        save_network(network, tmp_path / "pupil" / f"{preset}.safetensors")
    return tmp_path


def uno(rules: str, *overrides: str) -> Game:
    return cardgames.make("uno", players=2, rules=rules, overrides=list(overrides))


def test_pretrained_network_of_the_nearest_preset_is_taken(weights: Path) -> None:
    assert pretrained_names(weights) == ["pupil"] and pretrained_names(None) == []
    assert network_path(uno("rlcard"), "pupil") == str(weights / "pupil" / "rlcard.safetensors")
    assert network_path(uno("rlcard-2022"), "pupil") == str(weights / "pupil" / "rlcard.safetensors")
    assert network_path(uno("official"), "pupil") == str(weights / "pupil" / "common.safetensors")
    assert network_path(uno("rlcard"), "other.safetensors") == "other.safetensors"


def test_pretrained_network_for_the_number_of_players_has_precedence(weights: Path) -> None:
    (weights / "pupil" / "rlcard-2.safetensors").write_bytes((weights / "pupil" / "rlcard.safetensors").read_bytes())
    three_player_game = cardgames.make("uno", players=3, rules="rlcard")
    assert network_path(uno("rlcard"), "pupil") == str(weights / "pupil" / "rlcard-2.safetensors")
    assert network_path(three_player_game, "pupil") == str(weights / "pupil" / "rlcard.safetensors")


def test_pretrained_network_plays_under_any_rules_without_outputs_for_missing_actions(weights: Path) -> None:
    for game in (uno("common", "hand-size=5"), uno("simplified"), uno("rlcard"), uno("official")):
        network = load_named_network(game, "pupil")
        assert network.sizes[-1] <= game.num_distinct_actions
        assert find_policy(game, "pupil").policy_id == game.networks.policy_id
        assert "pupil" in policy_choices(game)
        agent = cardgames.agent("mcts:setting=paper,playout=pupil,simulations=20", game)
        assert agent.act(game.new_initial_state(seed=1).observation()).action >= 0


def test_unknown_name_and_missing_file_have_different_messages(weights: Path) -> None:
    with pytest.raises(
        InvalidInput, match=r"unknown network 'linear': choose from pupil, FILE\.safetensors, FOLDER of a training"
    ):
        load_named_network(uno("rlcard"), "linear")
    for name in ("nowhere.safetensors", "runs/nowhere"):
        with pytest.raises(InvalidInput, match=f"cannot read {name}: No such file"):
            load_named_network(uno("rlcard"), name)


def test_network_file_outside_the_weights_folder_is_bound_to_its_rules(weights: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.safetensors"
    copy.write_bytes((weights / "pupil" / "rlcard.safetensors").read_bytes())
    elsewhere = tmp_path.parent / f"{tmp_path.name}-mine.safetensors"
    copy.rename(elsewhere)
    assert load_named_network(uno("rlcard"), str(elsewhere)).rules
    with pytest.raises(cardgames.InvalidInput, match=r"mine\.safetensors: the network was trained under rules"):
        load_named_network(uno("common"), str(elsewhere))


def test_agent_without_a_pretrained_network_needs_a_file(weights: Path) -> None:
    with pytest.raises(cardgames.InvalidInput, match="dqn has no pretrained network: use dqn:weights=FILE"):
        cardgames.agent("dqn", uno("rlcard"))


def test_network_with_fewer_outputs_computes_the_same_values() -> None:
    network = random_network((5, 4, 7), 1, "seat", "uno")
    inputs = np.random.default_rng(2).integers(0, 2, (6, 5)).astype(np.int8)
    assert np.array_equal(network.with_outputs(3)(inputs), network(inputs)[:, :3])
    assert network.with_outputs(7) is network


def test_changed_network_file_is_read_again(tmp_path: Path) -> None:
    game, path = uno("rlcard"), tmp_path / "own.safetensors"
    hidden_sizes = []
    for seed in (1, 2):
        network = random_network((game.encoding("seat").inputs, seed + 3, 61), seed, "seat", "uno")
        save_network(network, path)
        hidden_sizes.append(load_named_network(game, str(path), any_rules=True).sizes[1])
    assert hidden_sizes == [4, 5]
