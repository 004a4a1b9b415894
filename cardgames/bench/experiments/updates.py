"""What one update of a Q-network costs in kernels, by torch on one core and by CUDA (where there is one).

    python -m cardgames.bench.experiments.updates --widths 64 256 512 1024 --batches 32 256 1024

An update of 240-WIDTH-WIDTH-61: the outputs for as many rows, 61 of their 240 inputs set, the errors of one action each,
the gradient, and a step of Adam. Prints milliseconds, the shortest of several, of processor time (CUDA: of the clock).
Where columns cross `device=auto` should change its choice (`search.evaluators.choose_device`).
"""

import functools

import numpy as np

from cardgames.bench.experiments.arguments import count, parser_of, run, seconds
from cardgames.bench.experiments.networks import all_devices, inputs, shortest
from cardgames.learners.networks import losses
from cardgames.learners.networks.network_factory import make_trainable
from cardgames.learners.networks.optimizers import Adam


def update(network, x, actions, targets):
    """Update the network once, as a DQN does."""
    _, gradient = losses.action_loss(network.forward(x), actions, targets)
    network.step(gradient)


def main():
    """Print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--widths", type=count, nargs="+", default=[64, 256, 512, 1024])
    parser.add_argument("--batches", type=count, nargs="+", default=[32, 256, 1024])
    parser.add_argument("--seconds", type=seconds, default=0.5, help="of each measurement")
    options = parser.parse_args()
    devices = all_devices()
    print("width  batch  " + "  ".join(f"{device:>7}" for device in devices))
    for width in options.widths:
        for batch in options.batches:
            random, times = np.random.default_rng(0), []
            rows = inputs(batch), random.integers(61, size=batch), random.random(batch, np.float32)
            for device in devices:
                network = make_trainable((240, width, width, 61), Adam(5e-5), device=device)
                times.append(shortest(functools.partial(update, network, *rows), options.seconds, device) * 1e3)
            print(f"{width:5}  {batch:5}  " + "  ".join(f"{t:7.3f}" for t in times), flush=True)


if __name__ == "__main__":
    run(main)
