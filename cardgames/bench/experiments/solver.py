"""Measure the exact solver: times to solve endgames, and open deals of Dou Di Zhu with random hands.

    python -m cardgames.bench.experiments.solver --cards 8 10 --deals 30

Prints CPU times after compilation, in milliseconds, each with an empty transposition table. Endgames are hands of a
landlord who leads, of its opponent, and a third hand that never plays, under the rules `online`.
"""

import random
import time

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core.state import State
from cardgames.doudizhu.cards import DECK, hand_to_text
from cardgames.search.exact.solution import Solution

ENDGAMES = (
    ("45569TKA2", "4588TJKB"),
    ("3366789TJQKKR", "789TJQKAA"),
    ("3455KK", "345522"),
    ("33345AR", "QK222B"),
    ("QQKK22BR", "TT888822"),
    ("45577TTKK2", "8AA"),
)


def solve(state: State, objective: str, seconds: float | None = None) -> tuple[Solution, float]:
    """Return the solution of a state and the CPU time in milliseconds."""
    started = time.process_time()
    solution = cardgames.solve(state, objective, seconds=seconds)
    return solution, 1000 * (time.process_time() - started)


def main() -> None:
    """Parse the arguments, and print the times of the endgames and of random deals."""
    parser = parser_of(__doc__)
    parser.add_argument("--rules", default="classic", help="rules of the random deals")
    parser.add_argument("--objective", default="win", choices=["win", "payoff"])
    parser.add_argument("--cards", type=count, nargs="+", default=[8, 10], help="cards a seat of the random deals")
    parser.add_argument("--seconds", type=count, default=60, help="time after which a deal counts as not solved")
    parser.add_argument("--deals", type=count, default=30)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    dealt, online = cardgames.make("doudizhu", rules=args.rules), cardgames.make("doudizhu", rules="online")
    solve(online.position(hands=["3", "4", "5"], landlord=0), args.objective)  # compiles
    for own, other in ENDGAMES:
        state = online.position(hands=[own, other, "3"], landlord=0)
        solution, spent = solve(state, "win")
        winning = " ".join(map(state.action_to_string, solution.winning)) or "none"
        print(f"{own} against {other}: {winning}; {solution.nodes:,} nodes, {spent:.1f} ms", flush=True)
    for cards in args.cards:
        choice, times, nodes, solved, wins = random.Random(args.seed), [], [], 0, 0
        for _ in range(args.deals):
            deck = list(hand_to_text(DECK))
            choice.shuffle(deck)
            hands = ["".join(deck[seat * cards : (seat + 1) * cards]) for seat in range(3)]
            solution, spent = solve(dealt.position(hands=hands, landlord=0), args.objective, args.seconds)
            times.append(spent)
            nodes.append(solution.nodes)
            solved += solution.complete
            wins += solution.complete and (solution.value or 0.0) > 0.0
        median, high, highest = np.quantile(times, [0.5, 0.9, 1])
        print(
            f"{cards}, {cards}, {cards} cards, {args.rules}, {args.objective}, {args.deals} deals, seed {args.seed}: median "
            f"{median:.1f} ms, 90 % {high:.1f}, maximum {highest:.1f}; {np.median(nodes):,.0f} nodes; "
            f"solved {solved}, the landlord wins {wins}",
            flush=True,
        )


if __name__ == "__main__":
    run(main)
