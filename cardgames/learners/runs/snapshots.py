"""Snapshots of a run: the network of each evaluation in its own file."""

from collections.abc import Mapping
from pathlib import Path

from cardgames.learners.runs.run_files import make_folder
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import NETWORK_SUFFIX, save_network
from cardgames.support.atomic_write import remove_partial_files


class NetworkSnapshots:
    """Folder with the network of each evaluation in a file ROUNDS.safetensors; the folder is made with the first file."""

    def __init__(self, folder: Path):
        self.folder = folder

    def keep(self, network: Mlp, rounds: int, notes: Mapping[str, str]) -> None:
        """Save the network of the evaluation after `rounds` rounds. Raises `InvalidInput` if that fails."""
        path = self.folder / f"{rounds}{NETWORK_SUFFIX}"
        make_folder(self.folder)
        remove_partial_files(path)
        save_network(network, path, notes)

    def delete_after(self, rounds: int) -> None:
        """Delete the snapshots after more than `rounds` rounds: a resumed run will play those rounds again."""
        for path in self.folder.glob(f"*{NETWORK_SUFFIX}"):
            if path.stem.isdecimal() and int(path.stem) > rounds and path.is_file():
                path.unlink()
