"""The page that lists every public name, in the order in which the front door imports them, and
the docstrings on it, which are plain text, in the markup that autodoc reads."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import minigrad

COLUMNS = re.compile(r"^ |^>>> |\S {2,}\S", re.MULTILINE)
MARKUP = re.compile(r"([\\*|_])")
TITLE = """# Public names

Everything that `import minigrad as mg` gives, file by file, in the order in which a reader of the
package meets them. What `minigrad/core/autodiff.py` defines is under *core.autodiff*, and so on.
"""


def reference_page():
    """The page in MyST's Markdown."""
    tree = ast.parse(Path(minigrad.__file__).read_text(encoding="utf-8"))
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for module, directive in directives(node):
                found.setdefault(module, []).append(directive)
    return "\n".join([TITLE, *(module_section(module, given) for module, given in found.items())])


def directives(node):
    """(module, directive) for each name that an import brings; a module brings all of its own."""
    for name in (alias.name for alias in node.names):
        if inspect.ismodule(getattr(minigrad, name)):
            yield f"{node.module}.{name}", f".. automodule:: {node.module}.{name}"
        else:
            yield node.module, name_directive(name)


def module_section(module, given):
    """A heading, the sentence that opens the file, and what stands in it."""
    body = "\n".join(["```{eval-rst}", *given, "```"])
    sentence = inspect.getdoc(importlib.import_module(module)).split("\n\n")[0]
    return f"## {module.removeprefix('minigrad.')}\n\n{sentence}\n\n{body}\n"


def name_directive(name):
    """The directive that describes one name."""
    value = getattr(minigrad, name)
    if value.__module__ == "numpy":  # a dtype, whose docstring is NumPy's
        return f".. py:data:: minigrad.{name}\n\n   NumPy's `{name}`.\n"
    kind = "class" if inspect.isclass(value) else "function"
    kind = "exception" if kind == "class" and issubclass(value, Exception) else kind
    return f".. auto{kind}:: minigrad.{name}"


def as_rst(app, what, name, obj, options, lines):
    """Rewrites the lines in place: paragraphs wrap, and what stands in columns stays so."""
    first, *others = "\n".join(lines).strip().split("\n\n")
    parts = [block(part) if COLUMNS.search(part) else prose(part) for part in others]
    lines[:] = [*"\n\n".join([prose(first), *parts]).split("\n"), ""]


def prose(text):
    """A paragraph whose `code` is literal and whose other signs mean themselves."""
    parts = text.split("`")
    parts[::2] = [MARKUP.sub(r"\\\1", part) for part in parts[::2]]
    return "``".join(parts)


def block(text):
    """Lines that are kept as they are."""
    return "::\n\n" + "\n".join(f"    {line}" for line in text.split("\n"))
