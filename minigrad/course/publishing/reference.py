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
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for module, directive in directives(node):
                found.setdefault(module, []).append(directive)
    return "\n".join([TITLE, *(section(module, given) for module, given in found.items())])


def directives(node):
    """(module, directive) for each name that an import brings; a module brings all of its own."""
    for name in (alias.name for alias in node.names):
        if inspect.ismodule(getattr(minigrad, name)):
            yield f"{node.module}.{name}", f".. automodule:: {node.module}.{name}"
        else:
            yield node.module, entry(name)


def section(module, given):
    """A heading, the sentence that opens the file, and what stands in it."""
    body = "\n".join(["```{eval-rst}", *given, "```"])
    sentence = inspect.getdoc(importlib.import_module(module)).split("\n\n")[0]
    return f"## {module.removeprefix('minigrad.')}\n\n{sentence}\n\n{body}\n"


def entry(name):
    """The directive that describes one name."""
    value = getattr(minigrad, name)
    kind = "class" if inspect.isclass(value) else "function"
    kind = "exception" if kind == "class" and issubclass(value, Exception) else kind
    return f".. auto{kind}:: minigrad.{name}"
