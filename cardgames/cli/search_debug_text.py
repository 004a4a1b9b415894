"""Text output of the command `search-debug`: position, root statistics, trees and belief as lines."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardgames.tui.shared_wording import effort, error_text, fact, percent, unreported, value_text, widest

if TYPE_CHECKING:
    from cardgames.core.observation import Observation
    from cardgames.search.position_analysis import Analysis
    from cardgames.search.report import Node, PrincipalVariation, SearchReport

_UNITS = {"win": "probability of winning", "points": "mean payoff in points"}
_MAX_CHILDREN = 8
"""Largest number of children printed for a tree node."""


def lines(analyses: "Sequence[Analysis]") -> "Iterator[str]":
    """Yield lines of text that describe a position, then the analysis of it by each of one or two agents."""
    first = analyses[0]
    observation = first.state.observation()
    yield f"{observation.game!r}, seed {first.seed}, ply {first.ply}"
    yield from _observation_lines(observation)
    for analysis in analyses:
        yield from _analysis_lines(analysis, observation)


def _analysis_lines(analysis: "Analysis", observation: "Observation") -> Iterator[str]:
    report = analysis.report
    yield f"\n{analysis.agent} plays {analysis.best}"
    if report is None:
        forced = len(observation.legal_actions) == 1
        yield f"({'the only legal action' if forced else unreported(analysis)})"
        return
    value = value_text(analysis.decision.value, report.unit)
    yield f"{effort(report)}, value {value} ({_UNITS[report.unit]})\n"
    with_priors = report.has_priors
    width = widest((row.text for row in report.actions), 10)
    yield f"{'action':<{width}} {'visits':>8} {'value':>7} {'+-':>6}" + (f" {'prior':>7}" if with_priors else "")
    for row in report.actions:
        prior = f" {percent(row.prior):>7}" if with_priors else ""
        value, error = value_text(row.value, report.unit), error_text(row.standard_error, report.unit)
        proven = "" if row.proven is None else f"  proven {row.proven}"
        yield f"{row.text:<{width}} {row.visits:>8} {value:>7} {error:>6}{prior}{proven}"
    yield from _tree_lines(report)
    yield from _belief_lines(report)


def _observation_lines(observation: "Observation") -> Iterator[str]:
    """Yield lines of text with the observation of the player to move, including the last six events of its history."""
    facts = observation.to_dict()
    history = facts.pop("history")
    facts.pop("discard", None)
    for name, value in facts.items():
        yield f"{name + ':':<15}{fact(value)}"
    yield f"{'history:':<15}{'; '.join(history[-6:])}"


def _tree_lines(report: "SearchReport") -> Iterator[str]:
    if report.principal_variation is not None:
        yield f"\nprincipal line: {_variation_text(report.principal_variation, report.unit)}"
    for i, tree in enumerate(report.tree_reports):
        yield f"\ntree {i}: " + ("" if tree.nodes is None else f"{tree.nodes} nodes, ") + f"{tree.root.visits} visits"
        if tree.determinization is not None:
            yield f"hands searched: {' | '.join(tree.determinization)}"
        elif report.determinizations:
            yield f"hands drawn from {len(report.determinizations)} determinizations"
        if tree.principal_variation is not None:
            yield f"principal line: {_variation_text(tree.principal_variation, report.unit)}"
        yield from _child_lines(tree.root.children, report.unit, "  ")


def _variation_text(line: "PrincipalVariation", unit: str) -> str:
    return f"{line.text} (visits {line.visits}, value {value_text(line.value, unit)})"


def _child_lines(nodes: Sequence["Node"], unit: str, indent: str) -> Iterator[str]:
    width = widest((node.text for node in nodes[:_MAX_CHILDREN]), 6)
    for node in nodes[:_MAX_CHILDREN]:
        yield f"{indent}{node.text:<{width}} {node.visits:>6} {value_text(node.value, unit):>7}"
        yield from _child_lines(node.children, unit, indent + "  ")
    if len(nodes) > _MAX_CHILDREN:
        yield f"{indent}and {len(nodes) - _MAX_CHILDREN} more"


def _belief_lines(report: "SearchReport") -> Iterator[str]:
    if not report.belief:
        return
    yield f"\nbelief from {report.particles} particles, effective sample size {report.effective_sample_size:.1f}"
    for seat, expected in report.belief.items():
        # the first letter of a card kind is its color; each kind of wild has its own
        groups: dict[str, float] = defaultdict(float)
        for kind, number in zip(report.card_kinds, expected, strict=True):
            groups[kind[0]] += number
        likely = sorted(zip(report.card_kinds, expected, strict=True), key=lambda pair: -pair[1])[:10]
        yield f"seat {seat}, {sum(expected):.0f} cards: " + "  ".join(f"{g} {n:.2f}" for g, n in groups.items())
        yield "  most likely: " + "  ".join(f"{kind} {number:.2f}" for kind, number in likely)
