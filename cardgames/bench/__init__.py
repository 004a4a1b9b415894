"""The benchmarks behind `cardgames bench`: what is fast, beside its peers measured in the same run.

Figures are of one core, where nothing else is said, and after compilation: speeds mostly the best of several
repetitions, a decision's time the median over positions. Who trains on torch has as many threads as it takes. RLCard,
OpenSpiel and torch are measured where they are installed.
"""

from collections.abc import Callable, Iterator

from cardgames.bench import doudizhu, learning, search, uno
from cardgames.bench.timing import Result
from cardgames.support.errors import unknown_name

BENCHMARKS: dict[str, Callable[[], Result | Iterator[Result]]] = {
    "uno-random-playouts": uno.random_playouts,
    "uno-reflex-playouts": uno.reflex_playouts,
    "uno-decisions": uno.preset_decisions,
    "uno-python-decisions": uno.python_decisions,
    "uno-vector-steps": uno.vector_steps,
    "mcts-dbm-decision": search.mcts_dbm_decision,
    "search-threads": search.search_threads,
    "network-leaves": search.network_leaves,
    "batched-simulations": search.batched_simulations,
    "expectimax-decision": search.expectimax_decision,
    "ismcts-decision": search.ismcts_decision,
    "cql-decision": search.cql_decision,
    "dqn-training": learning.dqn_training,
    "ddqn-mcts-training": learning.ddqn_mcts_training,
    "doudizhu-random-games": doudizhu.random_doudizhu,
    "doudizhu-legal-lead20": doudizhu.legal_leads,
    "doudizhu-legal-follow": doudizhu.legal_replies,
    "doudizhu-decompose20": doudizhu.decompositions,
    "doudizhu-decompose20-fewest": doudizhu.decompositions_into_fewest,
    "doudizhu-min-turns20": doudizhu.fewest_turns,
}


def run(names: list[str]) -> Iterator[Result]:
    """Run the benchmarks named, each once (all, if none is), and yield their results as they come. Raises `InvalidInput`."""
    for name in names:
        if name not in BENCHMARKS:
            raise unknown_name("benchmark", name, BENCHMARKS)
    for name in dict.fromkeys(names or BENCHMARKS):
        results = BENCHMARKS[name]()
        yield from [results] if isinstance(results, dict) else results
