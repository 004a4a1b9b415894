"""What `search-debug` prints where there is no screen."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardgames.tui.wording import effort, fact, percent, unreported, widest

if TYPE_CHECKING:
    from cardgames.core.observation import Observation
    from cardgames.search.analysis import Thought
    from cardgames.search.report import Line, Node, SearchReport

_BREADTH = 8
"""So many of a node's children are printed."""


def lines(thoughts: "Sequence[Thought]") -> "Iterator[str]":
    """Yield what one agent, or two, thought in the same position, line by line."""
    first = thoughts[0]
    observation = first.state.observation()
    yield f"{observation.game!r}, seed {first.seed}, ply {first.ply}"
    yield from _situation(observation)
    for thought in thoughts:
        yield from _opinion(thought, observation)


def _opinion(thought: "Thought", observation: "Observation") -> Iterator[str]:
    report = thought.report
    yield f"\n{thought.agent} plays {thought.best}"
    if report is None:
        forced = len(observation.legal_actions) == 1
        yield f"({'it is the only legal action' if forced else unreported(thought)})"
        return
    value = percent(thought.decision.value)
    yield f"{effort(report)}, value {value}\n"
    with_priors = report.has_priors
    width = widest((row.text for row in report.actions), 10)
    yield f"{'action':<{width}} {'visits':>8} {'value':>7} {'+-':>6}" + (f" {'prior':>7}" if with_priors else "")
    for row in report.actions:
        prior = f" {percent(row.prior):>7}" if with_priors else ""
        yield f"{row.text:<{width}} {row.visits:>8} {percent(row.value):>7} {percent(row.standard_error):>6}{prior}"
    yield from _forest(report)
    yield from _belief(report)


def _situation(observation: "Observation") -> Iterator[str]:
    """Yield what the mover knows: everything but the ends of long lists, and the last events of the history."""
    facts = observation.to_dict()
    history = facts.pop("history")
    facts.pop("discard", None)
    for name, value in facts.items():
        yield f"{name + ':':<15}{fact(value)}"
    yield f"{'history:':<15}{'; '.join(history[-6:])}"


def _forest(report: "SearchReport") -> Iterator[str]:
    if report.best_line is not None:
        yield f"\nbest line: {_principal(report.best_line)}"
    for i, tree in enumerate(report.by_tree):
        yield f"\ntree {i}: " + ("" if tree.nodes is None else f"{tree.nodes} nodes, ") + f"{tree.root.visits} visits"
        if tree.determinization is not None:
            yield f"hands searched: {' | '.join(tree.determinization)}"
        elif report.determinizations:
            yield f"hands drawn from {len(report.determinizations)} determinizations"
        if tree.line is not None:
            yield f"principal line: {_principal(tree.line)}"
        yield from _branches(tree.root.children, "  ")


def _principal(line: "Line") -> str:
    return f"{line.text} (visits {line.visits}, value {percent(line.value)})"


def _branches(nodes: Sequence["Node"], indent: str) -> Iterator[str]:
    width = widest((node.text for node in nodes[:_BREADTH]), 6)
    for node in nodes[:_BREADTH]:
        yield f"{indent}{node.text:<{width}} {node.visits:>6} {percent(node.value):>7}"
        yield from _branches(node.children, indent + "  ")
    if len(nodes) > _BREADTH:
        yield f"{indent}and {len(nodes) - _BREADTH} more"


def _belief(report: "SearchReport") -> Iterator[str]:
    if not report.belief:
        return
    yield f"\nbelief from {report.particles} particles, effective sample size {report.effective_sample_size:.1f}"
    for seat, expected in report.belief.items():
        # kinds of one colour, and all of one kind of wild, share their first letter
        groups: dict[str, float] = defaultdict(float)
        for kind, number in zip(report.kinds, expected, strict=True):
            groups[kind[0]] += number
        likely = sorted(zip(report.kinds, expected, strict=True), key=lambda pair: -pair[1])[:10]
        yield f"seat {seat}, {sum(expected):.0f} cards: " + "  ".join(f"{g} {n:.2f}" for g, n in groups.items())
        yield "  most likely: " + "  ".join(f"{kind} {number:.2f}" for kind, number in likely)
