"""Files of `docs/data`: a header of `# key: value` lines, then CSV."""

import csv
from pathlib import Path

Row = dict[str, str]

REQUIRED = ("title", "command", "seed", "version", "machine", "date")
"""Keys that the header of every data file has."""


def read_results(path: Path) -> tuple[Row, list[Row]]:
    """Return the header and the rows of a data file.

    Raises:
        ValueError: A key of `REQUIRED` is missing, or a row has more or fewer cells than there are columns.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next(index for index, line in enumerate(lines) if not line.startswith("#"))
    pairs = (line.lstrip("# ").partition(": ") for line in lines[:start])
    header = {key: value for key, _, value in pairs}
    if missing := [key for key in REQUIRED if key not in header]:
        raise ValueError(f"{path}: the header lacks {', '.join(missing)}")
    rows = list(csv.DictReader(lines[start:], strict=True))
    if any(None in row or None in row.values() for row in rows):
        raise ValueError(f"{path}: a row does not fit the columns")
    return header, rows
