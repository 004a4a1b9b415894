"""Compare the cost of a leaf evaluation in kernels, by torch on one core, and on CUDA, by layer width and batch size.

    python -m cardgames.bench.experiments.networks --widths 64 256 512 1024 2048 --batches 1 8 64 512

Prints microseconds per leaf, the best of several calls, of perceptrons 240-WIDTH-WIDTH-61 on inputs as sparse as Uno's. The
times are CPU times, which are least affected by other load; for CUDA they are wall-clock times. `device=auto`
(`search.evaluators`) should switch devices where the columns cross.
"""

import functools
import time
from importlib.util import find_spec

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run, seconds
from cardgames.networks.network_file import random_network
from cardgames.search.evaluators import make_evaluator
from cardgames.support.errors import InvalidInput

ACTIVE = 61


def inputs(batch):
    """Return random inputs [batch, 240] with 61 ones each, as in the encoding `4x4x15`."""
    x = np.zeros((batch, 240), np.int8)
    x[:, :ACTIVE] = 1
    return np.random.default_rng(0).permuted(x, axis=1)


def shortest(work, seconds, device):
    """Call `work` repeatedly for `seconds` (at least five times) and return the shortest time of a call in seconds.

    It is CPU time, but wall-clock time if `device` is `cuda`.
    """
    clock = time.perf_counter if device == "cuda" else time.thread_time
    work()
    times, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until or len(times) < 5:
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def all_devices():
    """Return the devices for networks available on this machine (`kernel`, `cpu`, `cuda`), and limit torch to one thread.

    Raises:
        InvalidInput: If torch is not installed.
    """
    if find_spec("torch") is None:
        raise InvalidInput("this compares kernels with torch, which is not installed")
    import torch

    torch.set_num_threads(1)
    return ["kernel", "cpu"] + ["cuda"] * torch.cuda.is_available()


def main():
    """Parse the arguments, and print the microseconds per leaf on each device by layer width and batch size."""
    parser = parser_of(__doc__)
    parser.add_argument("--widths", type=count, nargs="+", default=[64, 256, 512, 1024, 2048])
    parser.add_argument("--batches", type=count, nargs="+", default=[1, 8, 64, 512])
    parser.add_argument("--seconds", type=seconds, default=0.3, help="duration of each measurement")
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
