"""Fit the network of the model of auctions (`doudizhu.auction_model`) to deals, and print how well it is calibrated.

    python -m cardgames.bench.strength.auction_fit deals --out auction.safetensors --table calibration.csv

`deals` is the folder that `auction_deals` wrote; its last shards, `--held-out` deals, are not used for fitting. Evidence on
the other seats' hands is made from the deals: a first network, without evidence, gives the level of each hand; a second
one whether a landlord would double. The network that is written is fitted with both kinds of evidence, hidden at random.
"""

import csv
import itertools
import pathlib

import numpy as np

from cardgames.bench.arguments import count, parser_of, run
from cardgames.doudizhu.auction_model.encoding import (
    DOUBLED,
    FAIR,
    LANDLORD_DOUBLES,
    LEVELS,
    NOBODY,
    NOT_ASKED,
    NUM_INPUTS,
    NUM_LEVELS,
    NUM_OUTPUTS,
    PASSED,
    STRONG,
    write_inputs,
)
from cardgames.doudizhu.auction_model.outcomes import FIRST_LOST_OUTCOME
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import STREAM, below, derive
from cardgames.support.errors import InvalidInput
from cardgames.support.tensor_file import write_tensors

HIDDEN = (64, 64)
_HIDDEN_TARGET = -100
"""Target that torch's cross entropy ignores."""
_STAGES = ((0, 0.15), (1, 0.25), (2, 0.6))
"""Kinds of evidence in each stage (0 none, 1 of the auction, 2 of doubling too), and its share of the training rows."""
_BATCH = 1024


@njit
def bounds(level, stream):
    """Return an interval of levels that contains `level`: everything, only it, or a half of the scale, at random."""
    draw = below(stream, np.int64(20))
    if draw < 6:
        return np.int64(0), np.int64(NUM_LEVELS - 1)
    if draw < 15:
        return level, level
    if level == 0 or (level == 1 and draw % 2 == 0):
        return np.int64(0), np.int64(1)
    return np.int64(1), np.int64(NUM_LEVELS - 1)


@njit
def make_rows(hands, outcomes, levels, doubles, chosen, evidence, stream, inputs, targets):
    """Make one training row for each of the deals `chosen`, of a random seat with random knowledge.

    Args:
        hands: uint64 [deals, 4], as `auction_deals` writes them; seat 0 is the landlord.
        outcomes: Outcome class of each deal, uint8 [deals].
        levels: Level of each hand, int8 [deals, 3].
        doubles: Whether each seat would double, int8 [deals, 3].
        chosen: Indices of deals, int64 [rows].
        evidence: 0 without evidence, 1 with that of the auction, 2 with that of doubling too.
        stream: Random stream.
        inputs: Output: int8 [rows, NUM_INPUTS].
        targets: Output: int64 [rows, 3]: outcome class, pair of levels, and whether the landlord doubles, each
            `_HIDDEN_TARGET` in rows that do not train it.
    """
    low, high, asked = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    for row in range(len(chosen)):
        deal, seat, draw = chosen[row], below(stream, np.int64(3)), below(stream, np.int64(100))
        first, second = (seat + 1) % 3, (seat + 2) % 3
        hand, bottom, place = hands[deal, seat], np.uint64(0), (3 - seat) % 3
        low[0], low[1], high[0], high[1] = 0, 0, NUM_LEVELS - 1, NUM_LEVELS - 1
        asked[0], asked[1] = NOT_ASKED, NOT_ASKED
        targets[row, 0], targets[row, 1], targets[row, 2] = outcomes[deal], _HIDDEN_TARGET, _HIDDEN_TARGET
        if draw < 15:
            place = np.int64(NOBODY)
            targets[row, 0], targets[row, 1] = _HIDDEN_TARGET, NUM_LEVELS * levels[deal, first] + levels[deal, second]
        elif evidence > 0:
            low[0], high[0] = bounds(np.int64(levels[deal, first]), stream)
            low[1], high[1] = bounds(np.int64(levels[deal, second]), stream)
        if draw >= 55:
            bottom = hands[deal, 3]
            hand += bottom if seat == 0 else np.uint64(0)
            if evidence > 1:
                for other in range(2):
                    if below(stream, np.int64(2)) == 0:
                        doubled = doubles[deal, (seat + 1 + other) % 3] > 0
                        asked[other] = DOUBLED if doubled else PASSED
                if seat > 0 and asked[place - 1] == NOT_ASKED:
                    targets[row, 2] = doubles[deal, 0]
        write_inputs(hand, bottom, place, low, high, asked, inputs[row])


@njit
def seat_rows(hands, seat, with_bottom, role_known, landlord_fair, inputs):
    """Write the inputs of one seat of every deal: the seat as the landlord, or a peasant with the landlord in seat 0.

    Args:
        hands: uint64 [deals, 4].
        seat: Seat whose hand is encoded.
        with_bottom: Whether the bottom is known.
        role_known: False to encode the seat as the landlord, whatever it is.
        landlord_fair: Whether the landlord of a peasant is known to have at least a fair hand.
        inputs: Output: int8 [deals, NUM_INPUTS].
    """
    low, high, asked = np.zeros(2, np.int64), np.full(2, NUM_LEVELS - 1), np.zeros(2, np.int64)
    place = (3 - seat) % 3 if role_known else np.int64(0)
    if landlord_fair and place > 0:
        low[place - 1] = 1
    for deal in range(len(hands)):
        bottom = hands[deal, 3] if with_bottom else np.uint64(0)
        hand = hands[deal, seat] + (bottom if place == 0 else np.uint64(0))
        write_inputs(hand, bottom, place, low, high, asked, inputs[deal])


def load_deals(folder):
    """Return hands and outcome classes of all deals in a folder of shards. Raises `InvalidInput` if there are none."""
    paths = sorted(path for path in folder.glob("*.npz") if not path.name.endswith(".part.npz"))
    if not paths:
        raise InvalidInput(f"{folder} has no shards of deals (NUMBER.npz)")
    shards = [np.load(path) for path in paths]
    return np.concatenate([s["hands"] for s in shards]), np.concatenate([s["outcomes"] for s in shards])


class Fit:
    """Network being fitted, the deals, and what is known of their hands so far."""

    def __init__(self, hands, outcomes, seed):
        """Make an untrained network for these deals (see `make_rows`); equal seeds give equal networks."""
        import torch

        torch.manual_seed(seed)
        torch.set_num_threads(1)
        sizes = (NUM_INPUTS, *HIDDEN, NUM_OUTPUTS)
        layers = []
        for inputs, outputs in itertools.pairwise(sizes):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        self.torch, self.network = torch, torch.nn.Sequential(*layers[:-1])
        self.hands, self.outcomes = hands, outcomes
        self.levels, self.doubles = np.zeros((len(hands), 3), np.int8), np.zeros((len(hands), 3), np.int8)
        self.streams = np.zeros(1, STREAM)
        self.streams[0]["rng"] = np.uint64(derive(seed, 1))
        self.random = np.random.default_rng(derive(seed, 2))

    def loss(self, outputs, targets):
        """Return the sum of the cross entropies of outcomes, levels and the landlord's answer."""
        parts = (outputs[:, :LEVELS], outputs[:, LEVELS:LANDLORD_DOUBLES], outputs[:, LANDLORD_DOUBLES:])
        total = 0
        for column, part in enumerate(parts):
            known = targets[:, column] != _HIDDEN_TARGET
            total = total + self.torch.nn.functional.cross_entropy(part[known], targets[known, column], reduction="sum")
        return total / len(outputs)

    def rows(self, chosen, evidence):
        """Return inputs (float32) and targets of one row for each of the deals `chosen`, as tensors."""
        inputs, targets = np.empty((len(chosen), NUM_INPUTS), np.int8), np.empty((len(chosen), 3), np.int64)
        make_rows(
            self.hands, self.outcomes, self.levels, self.doubles, chosen, evidence, self.streams[0], inputs, targets
        )
        return self.torch.from_numpy(inputs).float(), self.torch.from_numpy(targets)

    def train(self, deals, rows, evidence, rate):
        """Train on `rows` rows of the first `deals` deals, by Adam with a step size that falls from `rate` to 0."""
        torch = self.torch
        optimizer = torch.optim.Adam(self.network.parameters(), lr=rate)
        steps = rows // _BATCH
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps + 1)
        sum_of_losses = 0.0
        for step in range(steps):
            inputs, targets = self.rows(self.random.integers(deals, size=_BATCH), evidence)
            loss = self.loss(self.network(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            sum_of_losses += loss.item()
            if (step + 1) % 1000 == 0 or step + 1 == steps:
                print(
                    f"evidence {evidence}, step {step + 1} of {steps}, loss {sum_of_losses / (step % 1000 + 1):.4f}",
                    flush=True,
                )
                sum_of_losses = 0.0

    def win_probabilities(self, seat, *knowledge):
        """Return the landlord's probability to win for every deal, float64 [deals], as `seat` sees it (`seat_rows`)."""
        found = []
        for start in range(0, len(self.hands), 100_000):
            hands = self.hands[start : start + 100_000]
            inputs = np.empty((len(hands), NUM_INPUTS), np.int8)
            seat_rows(hands, np.int64(seat), *knowledge, inputs)
            with self.torch.no_grad():
                outputs = self.network(self.torch.from_numpy(inputs).float())[:, :LEVELS].softmax(1)
            found.append(outputs[:, :FIRST_LOST_OUTCOME].sum(1).double().numpy())
        return np.concatenate(found)

    def set_levels(self):
        """Compute the levels of all hands by the network, from 17 cards without evidence."""
        for seat in range(3):
            probabilities = self.win_probabilities(seat, False, False, False)
            self.levels[:, seat] = (probabilities >= FAIR).astype(np.int8) + (probabilities >= STRONG)

    def set_doubles(self):
        """Compute who would double: a landlord that wins more than half of its rounds, a peasant that does so too."""
        self.doubles[:, 0] = self.win_probabilities(0, True, True, False) > 0.5
        for seat in (1, 2):
            self.doubles[:, seat] = self.win_probabilities(seat, True, True, True) < 0.5


VIEWS = {
    "landlord, 17 cards": (0, False, True, False),
    "landlord, 20 cards": (0, True, True, False),
    "peasant down, 17 cards": (1, False, True, False),
    "peasant up, 17 cards": (2, False, True, False),
    "peasant down, 17 cards and the bottom": (1, True, True, False),
    "peasant up, 17 cards and the bottom": (2, True, True, False),
}
"""Name of a view in the calibration table -> arguments of `Fit.win_probabilities`."""


def calibration(fit, first):
    """Yield a row for each view and each decile of predicted probabilities, of the deals from number `first` on.

    A row has the view, the decile, the mean predicted and the observed share of rounds that the landlord wins, the number
    of deals, and the view's log loss.
    """
    won = fit.outcomes[first:] < FIRST_LOST_OUTCOME
    for view, knowledge in VIEWS.items():
        predicted = fit.win_probabilities(*knowledge)[first:]
        loss = -np.log(np.where(won, predicted, 1 - predicted)).mean()
        for decile, part in enumerate(np.array_split(np.argsort(predicted, kind="stable"), 10)):
            yield view, decile + 1, f"{predicted[part].mean():.4f}", f"{won[part].mean():.4f}", len(part), f"{loss:.4f}"


def main():
    """Parse the arguments, fit the network, write it, and write the calibration on held-out deals."""
    parser = parser_of(__doc__)
    parser.add_argument("deals", type=pathlib.Path, help="folder of shards")
    parser.add_argument("--rows", type=count, default=30_000_000, help="training rows")
    parser.add_argument("--held-out", type=count, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="file for the network")
    parser.add_argument("--table", type=pathlib.Path, help="file for the calibration table")
    args = parser.parse_args()
    hands, outcomes = load_deals(args.deals)
    if args.held_out >= len(hands):
        raise InvalidInput(f"{args.deals} has {len(hands):,} deals: hold out fewer than that")
    fit, deals = Fit(hands, outcomes, args.seed), len(hands) - args.held_out
    for evidence, share in _STAGES:
        fit.train(deals, int(args.rows * share), evidence, 1e-2 if evidence == 0 else 5e-3)
        if evidence == 0:
            fit.set_levels()
            print("levels:", np.bincount(fit.levels.ravel(), minlength=NUM_LEVELS) / fit.levels.size)
        elif evidence == 1:
            fit.set_doubles()
            print("doubles:", fit.doubles.mean(0))
    tensors = {name: tensor.detach().numpy() for name, tensor in fit.network.state_dict().items()}
    metadata = {"format": "cardgames-auction-1", "deals": str(deals), "rows": str(args.rows), "seed": str(args.seed)}
    write_tensors(args.out, tensors, metadata)
    if args.table:
        with args.table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("view", "decile", "predicted", "observed", "deals", "log_loss"))
            writer.writerows(calibration(fit, deals))


if __name__ == "__main__":
    run(main)
