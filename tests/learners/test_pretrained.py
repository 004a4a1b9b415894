"""Tests of the pretrained networks and of the run configurations stored beside them."""

from pathlib import Path

import pytest
from safetensors import safe_open

from cardgames.core.game_registry import game_class, make
from cardgames.doudizhu.game import DouDiZhu
from cardgames.learners.algorithms.algorithm_registry import algorithm
from cardgames.learners.runs.run_config import read_run_config
from cardgames.uno.game import Uno

FOLDERS = [game.networks.folder for game in (Uno, DouDiZhu)]
NETWORKS = sorted(path for folder in FOLDERS for path in folder.glob("*/*.safetensors"))


@pytest.mark.parametrize("path", NETWORKS, ids=["-".join(path.with_suffix("").parts[-4:]) for path in NETWORKS])
def test_pretrained_network_has_config_of_its_run(path: Path) -> None:
    with safe_open(path, framework="np") as file:
        header = file.metadata()
    config = read_run_config(path.with_suffix(".toml"))
    assert config is not None and config.algorithm == path.parent.name == header["algorithm"]
    assert (config.game, str(config.seed)) == (header["game"], header["seed"])
    limit = ["turn-limit=100000"] if "note" in header else []
    assert make(config.game, config.players[0], config.rules, limit).rules.hash == header["rules"]
    settings = algorithm(config.algorithm, game_class(config.game)).settings_class().with_changes(config.settings)
    sizes = [int(size) for size in header["sizes"].split()]
    assert list(settings.hidden) == sizes[-1 - len(settings.hidden) : -1]
    assert settings.encoding in header["encoding"]


def test_all_pretrained_files_together_are_below_25_mb() -> None:
    assert len(NETWORKS) > 10
    assert sum(path.stat().st_size for folder in FOLDERS for path in folder.rglob("*")) < 25e6
