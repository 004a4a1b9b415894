"""Sphinx settings of the documentation: `sphinx-build -W --keep-going docs build/docs`."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

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
]
exclude_patterns = [
    "_ext",
    "adr",
    "adding-a-learner.md",
    "adding-a-rule.md",
    "adding-an-agent.md",
    "algorithms.md",
    "architecture.md",
    "doudizhu-moves.md",
    "doudizhu.md",
    "json.md",
    "learning.md",
    "papers.md",
    "peers.md",
    "playing.md",
    "python.md",
    "records.md",
    "results.md",
    "rules.md",
    "search-debug.md",
    "searching.md",
    "strength.md",
    "words.md",
]
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
