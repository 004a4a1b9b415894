"""Measure updates per second of a stack of paper 002's learners, which are trained together on one device.

    python -m cardgames.bench.experiments.stack --device cuda --algorithm dqn --members 1 6 18 36

Each learner has RLCard's update rate, a network 240-512-512 and its own game. Prints the updates per second of all learners
together. `updates.py` measures the cost of an update of a single learner in kernels, without the decision that precedes it.
"""

import time

import cardgames
from cardgames.bench.arguments import count, parser_of, run, seconds
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.papers.joint_training.stack import Stack
from cardgames.papers.joint_training.updates import TORCH_DEVICES


def rate(stack, duration):
    """Return the updates per second of all learners in a stack, measured for `duration` seconds.

    The measurement starts when every learner has made 100 updates, so that the replay buffers have enough decisions.
    """
    while stack.steps.min() < 100:
        stack.tick()
    before, started = stack.steps.sum(), time.perf_counter()
    while time.perf_counter() - started < duration:
        stack.tick()
    return (stack.steps.sum() - before) / (time.perf_counter() - started)


def main():
    """Parse the arguments, and print the updates per second by the number of learners in the stack."""
    parser = parser_of(__doc__)
    parser.add_argument("--device", choices=TORCH_DEVICES, default="cuda")
    parser.add_argument("--algorithm", choices=["dqn", "afdqn", "candqn"], default="dqn")
    parser.add_argument("--members", type=count, nargs="+", default=[1, 6, 18, 36])
    parser.add_argument("--seconds", type=seconds, default=5.0, help="duration of each measurement")
    options = parser.parse_args()
    game, settings = cardgames.make("uno", players=2, rules="rlcard-2022"), algorithm(options.algorithm).settings_class
    print("members  updates/s")
    for members in options.members:
        learners = [
            make_learner(options.algorithm, [game], settings.from_paper("002"), seed) for seed in range(members)
        ]
        print(f"{members:7}  {rate(Stack(learners, options.device), options.seconds):9,.0f}", flush=True)


if __name__ == "__main__":
    run(main)
