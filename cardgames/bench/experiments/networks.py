"""What one leaf costs by kernels, by torch on one core and by CUDA (where there is one), by width and batch.

    python -m cardgames.bench.experiments.networks --widths 64 256 512 1024 2048 --batches 1 8 64 512

Prints microseconds a leaf, the best of several calls, of perceptrons 240-WIDTH-WIDTH-61 on inputs as sparse as Uno's:
of processor time, which a busy machine disturbs least (CUDA: of the clock).
Where columns cross `device=auto` should change its choice (`search.evaluators`).
"""

import functools
import time
from importlib.util import find_spec

import numpy as np

import cardgames
from cardgames.bench.experiments.arguments import count, parser_of, run, seconds
from cardgames.networks.network_file import random_network
from cardgames.search.evaluators import make_evaluator
from cardgames.support.errors import InvalidInput

ACTIVE = 61


def inputs(batch):
    """Return [batch, 240] inputs of which 61 are set, as in the encoding `4x4x15`."""
    x = np.zeros((batch, 240), np.int8)
    x[:, :ACTIVE] = 1
    return np.random.default_rng(0).permuted(x, axis=1)


def shortest(work, seconds, device):
    """Return the shortest time, in seconds, that `work()` takes: of the processor, or for `cuda` of the clock."""
    clock = time.perf_counter if device == "cuda" else time.thread_time
    work()
    times, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until or len(times) < 5:
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def all_devices():
    """Return where networks can be asked here, torch on one thread. Raises `InvalidInput` without torch."""
    if find_spec("torch") is None:
        raise InvalidInput("this compares kernels with torch, which is not installed")
    import torch

    torch.set_num_threads(1)
    return ["kernel", "cpu"] + ["cuda"] * torch.cuda.is_available()


def main():
    """Print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--widths", type=count, nargs="+", default=[64, 256, 512, 1024, 2048])
    parser.add_argument("--batches", type=count, nargs="+", default=[1, 8, 64, 512])
    parser.add_argument("--seconds", type=seconds, default=0.3, help="of each measurement")
    options = parser.parse_args()
    devices = all_devices()
    game = cardgames.make("uno", players=2, rules="rlcard")
    print("width  parameters  batch  " + "  ".join(f"{device:>7}" for device in devices))
    for width in options.widths:
        network = random_network((240, width, width, 61), 0, "4x4x15", "uno")
        evaluators = [make_evaluator(game, network, device) for device in devices]
        for batch in options.batches:
            x, times = inputs(batch), []
            for device, evaluator in zip(devices, evaluators, strict=True):
                taken = shortest(functools.partial(evaluator.outputs, x), options.seconds, device)
                times.append(taken / batch * 1e6)
            print(
                f"{width:5}  {network.parameters:10,}  {batch:5}  " + "  ".join(f"{t:7.2f}" for t in times), flush=True
            )


if __name__ == "__main__":
    run(main)
