"""The directive `objects`: tables made from the objects of the package themselves.

    ```{objects} axes uno
    ```

`axes GAME`, `presets GAME`, `agents GAME`, `encodings GAME`, `settings GAME ALGORITHM` and
`command NAME` are known. They ask the command line, so they show what a user sees. The content of `encodings` describes
each encoding, one a line; a name that is missing or unknown is an error.
"""

import json
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import typer
from docutils import nodes
from results import markdown_table
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.testing import CliRunner

import cardgames
from cardgames.cli import app

Table = tuple[Sequence[str], list[list[str]]]


@cache
def output(*arguments: str) -> str:
    """Return what a command prints.

    Raises:
        RuntimeError: The command failed.
    """
    result = CliRunner().invoke(app, list(arguments))
    if result.exit_code:
        raise RuntimeError(f"cardgames {' '.join(arguments)}: {result.output}")
    return result.stdout


def axes(_: Sequence[str], game: str) -> Table:
    """Every rule of a game with its values."""
    rows = []
    for name, axis in json.loads(output("rules", game, "--json"))["axes"].items():
        numbers = "a number, {} to {}".format(*axis["numbers"]) if axis["numbers"] else ""
        values = [f"`{value}`: {words}" for value, words in axis["choices"].items()]
        rows.append([f"`{name}`", axis["description"], "<br>".join(values) or numbers])
    return ("Rule", "Meaning", "Values"), rows


def presets(_: Sequence[str], game: str) -> Table:
    """The value of every rule in every preset."""
    sets = json.loads(output("rules", game, "--json"))["presets"]
    rows = [[f"`{axis}`", *(f"{preset['axes'][axis]}" for preset in sets)] for axis in sets[0]["axes"]]
    return ("Rule", *(f"`{preset['rules']['name']}`" for preset in sets)), rows


def agents(_: Sequence[str], game: str) -> Table:
    """The agents of a game with ratings, times and options, the strongest first."""
    data = json.loads(output("agents", game, "--json"))
    rows = []
    for agent in sorted(data["agents"], key=lambda agent: -agent["ratings"].get(game, {}).get("rating", -math.inf)):
        options = [f"`{name}`: {words}" for name, words in agent["options"].items()]
        words = "<br>".join(filter(None, (agent["description"], agent["details"])))
        rows.append([f"`{agent['name']}`", *_rating(agent["ratings"].get(game)), words, "<br>".join(options)])
    source = data["ratings"].get(game)
    rating = "Rating" if source is None else f"Rating ({source['rules']['name']}, {source['date']})"
    return ("Agent", rating, "ms", "Description", "Options"), rows


def _rating(entry: dict[str, Any] | None) -> tuple[str, str]:
    """Return a rating with half the width of its interval, and the median time of a decision in ms."""
    if entry is None:
        return "", ""
    low, high = entry["ci95"]
    return f"{entry['rating']:.0f} ± {(high - low) / 2:.0f}", f"{entry['median_ms']:.2f}"


def encodings(content: Sequence[str], game: str) -> Table:
    """The encodings of a game: name, shape, and the description given in the page."""
    described = dict(line.split(": ", 1) for line in content if line.strip())
    encodings = cardgames.make(game, players=3).encodings
    known = {name: encoding.shape for name, encoding in encodings.items() if not name.endswith("-canonical")}
    if differing := set(described) ^ set(known):
        raise ValueError(f"encodings of {game}: {', '.join(sorted(differing))}")
    return ("Name", "Shape", "Content"), [[f"`{name}`", str(known[name]), words] for name, words in described.items()]


def settings(_: Sequence[str], game: str, algorithm: str) -> Table:
    """The settings of an algorithm with their defaults."""
    rows = []
    for line in output("train", game, algorithm, "--set", "help").splitlines():
        setting, _, words = line.partition("  ")
        name, _, value = setting.partition(" = ")
        rows.append([f"`{name}`", f"`{value}`", words])
    return ("Setting", "Default", "Meaning"), rows


def command(_: Sequence[str], name: str) -> Table:
    """The arguments and options of a command."""
    rows = []
    for parameter in typer.main.get_command(app).commands[name].params:  # type: ignore[attr-defined]
        is_option = parameter.param_type_name == "option"
        spelled = ", ".join([*parameter.opts, *parameter.secondary_opts]) if is_option else parameter.name.upper()
        rows.append([f"`{spelled}`", getattr(parameter, "help", "") or ""])
    return ("Argument or option", "Meaning"), rows


KINDS: dict[str, Callable[..., Table]] = {
    function.__name__: function for function in (axes, presets, agents, encodings, settings, command)
}


class Objects(SphinxDirective):
    """A table made from objects: its kind, then what of."""

    required_arguments = 1
    optional_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        kind, *of = self.arguments
        headings, rows = KINDS[kind](self.content, *of)
        plain = [[cell.replace("\n", " ") for cell in row] for row in rows]
        return self.parse_text_to_nodes("\n".join(markdown_table(list(headings), plain)))


def setup(sphinx: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    sphinx.add_directive("objects", Objects)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
