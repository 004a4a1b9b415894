"""Uno's pretrained networks and champion: metadata, size, and strength against random and rule-based players."""

from pathlib import Path

import pytest

import cardgames
from cardgames.agents.agent import Limit
from cardgames.arena.match import play_match
from cardgames.core.game import Game
from cardgames.networks.network_file import load_network
from cardgames.networks.pretrained import network_path
from cardgames.uno.game import Uno

FOLDER = Uno.networks.folder
FILES = sorted(FOLDER.glob("*/*.safetensors"))


def game_of(file: Path) -> Game:
    """Return the game that a file is named after: PRESET or PRESET-PLAYERS (the name of a preset may end in a number)."""
    if file.stem in Uno.rule_book.presets:
        return cardgames.make("uno", players=2, rules=file.stem)
    preset, _, players = file.stem.rpartition("-")
    return cardgames.make("uno", players=int(players), rules=preset)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_pretrained_network_fits_algorithm_and_game_of_its_path(file: Path) -> None:
    network, game = load_network(file), game_of(file)
    network.check(game)
    assert network.algorithm == file.parent.name
    assert network.rules == game.rules.hash and not network.encoding.startswith("cheating-")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_pretrained_network_is_not_worse_than_random_players(file: Path) -> None:
    game = game_of(file)
    result = play_match(game, [file.parent.name, *["random"] * (game.num_players - 1)], games=300, seed=1)
    assert result.agents[0].ci95[1] > 1 / game.num_players


def test_pretrained_networks_take_less_than_25_megabytes() -> None:
    assert sum(file.stat().st_size for file in FILES) < 25_000_000


@pytest.mark.parametrize(
    ("rules", "others", "games", "min_win_rate"),
    [
        ("rlcard", ["random"], 20_000, 0.66),
        ("rlcard", ["random"] * 2, 20_000, 0.43),
        ("rlcard", ["random"] * 3, 20_000, 0.325),
        ("rlcard", ["random"] * 4, 20_000, 0.26),
        ("rlcard", ["reflex"], 20_000, 0.6),
        ("rlcard", ["rlcard-rule"], 20_000, 0.6),
        ("simplified", ["reflex"], 500, 0.6),
        ("simplified", ["linear"], 150, 0.5),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else str(value),
)
def test_actor_critic_reaches_its_win_rate(rules: str, others: list[str], games: int, min_win_rate: float) -> None:
    game = cardgames.make("uno", players=1 + len(others), rules=rules)
    result = play_match(game, ["actor-critic", *others], games=games, seed=1)
    assert result.agents[0].win_rate > min_win_rate


@pytest.mark.parametrize("preset", ["rlcard", "rlcard-2022", "common", "official", "simplified"])
def test_champion_can_be_made_under_every_preset(preset: str) -> None:
    for players in (2, 3, 4, 10):
        game = cardgames.make("uno", players=players, rules=preset)
        assert cardgames.agent("champion", game).name == "champion"


def test_champion_decides_like_the_agent_it_stands_for() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    observation = game.new_initial_state(seed=3).observation()
    decisions = [
        cardgames.agent(name, game, seed=5).act(observation, Limit(simulations=60))
        for name in ("champion", game.champion)
    ]
    assert decisions[0].policy == decisions[1].policy and decisions[0].value == decisions[1].value
    assert decisions[0].report.agent == "champion"


def test_champion_of_two_players_who_may_draw_at_will_is_the_network_alone() -> None:
    assert cardgames.make("uno", players=2, rules="simplified").champion == "actor-critic"
    among_three = cardgames.make("uno", players=3, rules="simplified")
    assert among_three.champion == "mcts-dbm" and among_three.best_settings("mcts-dbm")["cutoff"] == 4


@pytest.mark.parametrize("other", ["draw-when=stuck", "draw-how=one", "draw-how=until-playable"])
def test_champion_of_simplified_with_restricted_drawing_is_a_search(other: str) -> None:
    game = cardgames.make("uno", rules="simplified", overrides=[other])
    assert game.champion == "mcts-dbm" and game.best_settings("mcts-dbm")["playout"] == "linear"


def test_champion_uses_no_critic_of_wins_where_rounds_pay_points() -> None:
    official, common = (cardgames.make("uno", rules=preset) for preset in ("official", "common"))
    assert "cutoff" in common.best_settings("mcts-dbm") and "cutoff" in official.best_settings("mcts-dbm")
    assert "cutoff" not in official.best_settings("mcts-dbm", "win")
    assert "cutoff" not in cardgames.make("uno", rules="rlcard", overrides=["payoff=points"]).best_settings("mcts-dbm")


@pytest.mark.parametrize("preset", ["common", "official"])
@pytest.mark.parametrize("payoff", ["win", "win-loss", "rlcard", "points"])
def test_pretrained_network_for_points_is_taken_where_rounds_pay_points(preset: str, payoff: str) -> None:
    game = cardgames.make("uno", rules=preset, overrides=[f"payoff={payoff}"])
    assert Path(network_path(game, "actor-critic")).stem == ("official" if payoff == "points" else "common")
    assert "cutoff" in game.best_settings("mcts-dbm")


def test_champion_refuses_options() -> None:
    with pytest.raises(cardgames.InvalidInput, match="champion has no options"):
        cardgames.agent("champion:simulations=5", cardgames.make("uno", rules="rlcard"))
    assert cardgames.agent("champion", cardgames.make("doudizhu")).name == "champion"
