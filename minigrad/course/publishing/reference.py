"""The page that lists every public name, in the order in which the front door imports them."""

import ast
import importlib
import inspect
from pathlib import Path

import minigrad

TITLE = """# Public names

Everything that `import minigrad as mg` gives, file by file, in the order in which a reader of the
package meets them. What `minigrad/autodiff.py` defines is under *autodiff*, and so on.
"""


def page():
    """The page in MyST's Markdown."""
    tree = ast.parse(Path(minigrad.__file__).read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return "\n".join([TITLE, *(part for node in imports for part in sections(node))])


def sections(node):
    """The sections of one import: of the module it names, or of each module that it brings."""
    names = [alias.name for alias in node.names]
    if node.module == "minigrad":
        for name in names:
            yield section(f"minigrad.{name}", [f".. automodule:: minigrad.{name}"])
    elif modules := [name for name in names if inspect.ismodule(getattr(minigrad, name))]:
        for name in modules:
            yield section(f"{node.module}.{name}", [f".. automodule:: {node.module}.{name}"])
        names = [name for name in names if name not in modules]
        yield section(node.module, map(entry, names))
    else:
        yield section(node.module, map(entry, names))


def section(module, directives):
    """A heading, the sentence that opens the file, and what stands in it."""
    body = "\n".join(["```{eval-rst}", ".. currentmodule:: minigrad", "", *directives, "```"])
    sentence = inspect.getdoc(importlib.import_module(module)).split("\n\n")[0]
    return f"## {module.removeprefix('minigrad.')}\n\n{sentence}\n\n{body}\n"


def entry(name):
    """The directive that describes one name."""
    value = getattr(minigrad, name)
    kind = "class" if inspect.isclass(value) else "function"
    kind = "exception" if kind == "class" and issubclass(value, Exception) else kind
    return f".. auto{kind}:: {name}"
