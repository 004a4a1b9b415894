"""Text tables: rows of cells in aligned columns."""

from collections.abc import Sequence

_GAP = "  "


def text_table(rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Return rows as the lines of a text table: the first column is aligned to the left, the others to the right.

    Args:
        rows: Cells of each row, equally many; the first row has the headings.
        width: Largest width in characters, None for no limit. If the table is wider, its first column gets narrower, and a
            text that does not fit there has a line of its own.
    """
    name_width, *cell_widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    name_column = name_width
    if width is not None:
        name_column = min(name_column, max(len(rows[0][0]), width - sum(len(_GAP) + size for size in cell_widths)))
    lines = []
    for name, *cells in rows:
        figures = "".join(f"{_GAP}{cell:>{size}}" for cell, size in zip(cells, cell_widths, strict=True)).rstrip()
        lines += (
            [f"{name:<{name_column}}{figures}"] if len(name) <= name_column else [name, " " * name_column + figures]
        )
    return "\n".join(lines)
