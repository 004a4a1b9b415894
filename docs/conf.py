"""Sphinx settings of the documentation: `sphinx-build -W --keep-going docs build/docs`."""

import re
import sys
from importlib.metadata import version as installed
from pathlib import Path

from sphinx.application import Sphinx

sys.path[:0] = [str(Path(__file__).parent / folder) for folder in ("_ext", "tutorial")]

project = "cardgames"
author = "The cardgames developers"
version = release = installed("cardgames")
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.doctest",
    "sphinx_copybutton",
    "results",
    "objects",
    "modules",
]
exclude_patterns = ["_ext", "_build"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
doctest_global_setup = "import os, tempfile; os.chdir(tempfile.mkdtemp())"
html_theme = "furo"
html_title = "cardgames"
html_static_path = ["_static"]
html_css_files = ["site.css"]


def literal_code(_: Sphinx, kind: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Turn the single backticks of docstrings into literals of reStructuredText, and escape stars and `|x|` outside of them.

    The empty comment in front keeps napoleon from reading what stands before a colon as the type of an attribute.
    """
    parts = re.split(r"(``?[^`]+``?)", "\n".join(lines))
    parts[1::2] = [f"``{part.strip('`')}``".replace("\n", " ") for part in parts[1::2]]
    parts[::2] = [re.sub(r"\*|\|(?=\w+\|)", r"\\\g<0>", part) for part in parts[::2]]
    comment = ["..", ""] if kind in ("attribute", "data", "property") else []
    lines[:] = comment + "".join(parts).split("\n")


def setup(app: Sphinx) -> None:
    """Read docstrings as they are written."""
    app.connect("autodoc-process-docstring", literal_code, priority=100)
