"""Compare the cost of one update of a Q-network in kernels, by torch on one core, and on CUDA.

    python -m cardgames.bench.experiments.updates --widths 64 256 512 1024 --batches 32 256 1024

An update of a network 240-WIDTH-WIDTH-61 computes the outputs for a batch of inputs (61 of 240 set), the errors of one
action each and the gradient, and makes a step of Adam. Prints milliseconds, the shortest of several measurements: CPU
time, for CUDA wall-clock time. `device=auto` (`search.evaluators.choose_device`) should switch devices where the columns
cross.
"""

import functools

import numpy as np

from cardgames.bench.arguments import count, parser_of, run, seconds
from cardgames.bench.experiments.networks import all_devices, inputs, shortest
from cardgames.learners.networks import losses
from cardgames.learners.networks.optimizers import Adam
from cardgames.learners.networks.trainable_factory import make_trainable


def update(network, x, actions, targets):
    """Make one update of a Q-network as in DQN: the loss of one action's Q against a target per input, and an Adam step.

    `x` are the inputs [batch, inputs], `actions` [batch] the action ids and `targets` [batch] the target values.
    """
    _, gradient = losses.action_loss(network.forward(x), actions, targets)
    network.step(gradient)


def main():
    """Parse the arguments, and print the milliseconds per update on each device by layer width and batch size."""
    parser = parser_of(__doc__)
    parser.add_argument("--widths", type=count, nargs="+", default=[64, 256, 512, 1024])
    parser.add_argument("--batches", type=count, nargs="+", default=[32, 256, 1024])
    parser.add_argument("--seconds", type=seconds, default=0.5, help="duration of each measurement")
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
