"""The networks of a run's evaluations, each in a file of its own."""

from collections.abc import Mapping
from pathlib import Path

from cardgames.learners.runs.run_files import make_folder
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import NETWORK_SUFFIX, save_network
from cardgames.support.atomic_write import remove_partial_files


class NetworkSnapshots:
    """A folder of files ROUNDS.safetensors; it is made for the first of them."""

    def __init__(self, folder: Path):
        self.folder = folder

    def keep(self, network: Mlp, rounds: int, notes: Mapping[str, str]) -> None:
        """Write the network of the evaluation after so many rounds. Raises `InvalidInput` if it cannot be written."""
        path = self.folder / f"{rounds}{NETWORK_SUFFIX}"
        make_folder(self.folder)
        remove_partial_files(path)
        save_network(network, path, notes)

    def delete_after(self, rounds: int) -> None:
        """Remove those of more rounds, which will be played again."""
        for path in self.folder.glob(f"*{NETWORK_SUFFIX}"):
            if path.stem.isdecimal() and int(path.stem) > rounds and path.is_file():
                path.unlink()
