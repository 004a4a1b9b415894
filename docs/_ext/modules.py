"""The directive `modules`: the docstring of a room of the package, and the API of each of its public modules.

    ```{modules} uno
    rules
    ```

Public are the modules that `__all__` of the room and of its subpackages names. The content names more modules.
"""

from importlib import import_module
from importlib.util import find_spec

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def public_modules(package: str) -> list[str]:
    """Return the names of the public modules of a package and its subpackages; names that are no modules are left out."""
    found = []
    for name in getattr(import_module(package), "__all__", ()):
        spec = find_spec(f"{package}.{name}")
        if spec is not None:
            found += public_modules(spec.name) if spec.submodule_search_locations else [spec.name]
    return found


class Modules(SphinxDirective):
    """The modules of a room."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the docstring of the room and a section for each module."""
        package = f"cardgames.{self.arguments[0]}"
        names = public_modules(package) + [f"{package}.{line}" for line in self.content if line.strip()]
        text = [f"```{{eval-rst}}\n.. automodule:: {package}\n"]
        for name in sorted(set(names)):
            title = f"``{name.removeprefix('cardgames.')}``"
            text.append(f"{title}\n{'-' * len(title)}\n\n.. automodule:: {name}\n   :members:\n")
        return self.parse_text_to_nodes("\n".join([*text, "```"]), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("modules", Modules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
