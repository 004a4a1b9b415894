"""The directive `results`: a table made from a file of `docs/data`, so that no figure is typed twice.

    ```{results} strength/expectimax
    :where: rules=rlcard

    Agents: `{agents}`
    Won (%): {win_rate:ci}
    ```

The file is `docs/data/strength/expectimax.csv`. Each line of the content is a heading and a template filled from a row;
`{name:ci}` adds the interval of the columns `name_low` and `name_high`. Without content all columns are shown.
`:where:` keeps the rows whose columns have one of some values (`rules=rlcard|common`). `:pivot: players against` puts the
rows of one `against` into one, whose columns are `win_rate_2`, `win_rate_3` and so on.
"""

import string
from pathlib import Path
from typing import Any

from data_file import Row, read_results
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Template(string.Formatter):
    """Format with one more specifier, `:ci`: a value and its interval, or the value alone."""

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        """Return the name of the column and the row."""
        return key, kwargs

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return the cell, with its interval if it has one."""
        name, row = value
        low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
        return f"{row[name]} ({low} – {high})" if format_spec == "ci" and low else row[name]


def pivot(rows: list[Row], by: str, shared: str) -> list[Row]:
    """Merge the rows of one value of `shared`; the other columns get the value of `by` as a suffix."""
    merged: dict[str, Row] = {}
    for row in rows:
        target = merged.setdefault(row[shared], {shared: row[shared]})
        for name, value in row.items():
            stem, _, bound = name.rpartition("_")
            target[f"{stem}_{row[by]}_{bound}" if bound in ("low", "high") else f"{name}_{row[by]}"] = value
    names = {name: "" for row in merged.values() for name in row}
    return [names | row for row in merged.values()]


def markdown_table(headings: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table in Markdown; empty code spans are dropped."""
    lines = ["| " + " | ".join(headings) + " |", "|---" * len(headings) + "|"]
    return lines + [
        "| " + " | ".join(cell.replace("|", "\\|").replace("``", "") for cell in row) + " |" for row in rows
    ]


class Results(SphinxDirective):
    """A table of chosen columns and rows of a data file, and below it where its figures come from."""

    required_arguments = 1
    has_content = True
    option_spec = {"where": directives.unchanged, "pivot": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the title, the table and the provenance."""
        name = self.arguments[0]
        path = Path(self.env.srcdir, "data", f"{name}.csv")
        self.env.note_dependency(str(path))
        header, rows = read_results(path)
        for condition in self.options.get("where", "").split():
            column, _, values = condition.partition("=")
            rows = [row for row in rows if row[column] in values.split("|")]
        if "pivot" in self.options:
            rows = pivot(rows, *self.options["pivot"].split())
        lines = [line for line in self.content if line.strip()] or [f"{column}: {{{column}}}" for column in rows[0]]
        headings, templates = zip(*(line.split(": ", 1) for line in lines), strict=True)
        cells = [[Template().vformat(template, (), row) for template in templates] for row in rows]
        seed = "" if header["seed"] == "none" else f", seed {header['seed']}"
        source = f"`{header['command']}`{seed}; {header['version']}; {header['machine']}; {header['date']}."
        below = f"{{download}}`Data </data/{name}.csv>`: {source} {header.get('note', '')}"
        text = [f"**{header['title']}**", "", *markdown_table(list(headings), cells), "", below]
        return self.parse_text_to_nodes("\n".join(text))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("results", Results)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
