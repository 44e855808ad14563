"""The pages that list every public name by group, in the order in which the front door imports
them, and the docstrings on them, which are plain text, in the markup that autodoc reads."""

import ast
import importlib
import inspect
import re
from pathlib import Path
from typing import NamedTuple

import minigrad

COLUMNS = re.compile(r"^ |^>>> |\S {2,}\S", re.MULTILINE)
MARKUP = re.compile(r"([\\*|_])")
TITLE = """# Public names

Everything that `import minigrad as mg` gives, by group. Each name has its signature, what it
does, and a link to its source.
"""


class Section(NamedTuple):
    """A page of public names: those of modules that begin with one of `modules`."""

    name: str
    title: str
    modules: tuple
    example: str


SECTIONS = (
    Section("errors", "Errors", ("core.errors",), """
>>> try:
...     mg.tensor([1.0, 2.0]) + mg.tensor([1.0, 2.0, 3.0])
... except mg.ShapeError as error:
...     print("not the same length")
not the same length
"""),
    Section("operations", "Operations", ("core.spec", "core.ops", "core.custom"), """
>>> float(mg.exp(0.0) + mg.maximum(2.0, 3.0))
4.0
"""),
    Section("derivatives", "Derivatives", (
        "core.autodiff", "core.modes", "core.stepwise", "dynamic.transform", "dynamic.jacobians",
        "dynamic.checkpoint",
    ), """
>>> mg.grad(lambda x: x**3)(2.0)
tensor(12.)
"""),
    Section("dynamic", "The dynamic engine", ("dynamic", "core.hints"), """
>>> w = mg.tensor(3.0, requires_grad=True)
>>> (w * w).backward()
>>> w.grad.item()
6.0
"""),
    Section("static", "The static engine", ("static",), """
>>> with mg.Graph() as graph:
...     x = mg.placeholder("x")
...     y = x * x
>>> float(mg.Session(graph).run(y, {x: 3.0}))
9.0
"""),
    Section("layers", "Layers, optimisers and data", ("nn",), """
>>> layer = mg.nn.Linear(3, 2)
>>> layer(mg.ones((5, 3))).shape
(5, 2)
"""),
    Section("tools", "Pictures, files and measurements", ("",), """
>>> player = mg.player(lambda x, w: x * w, {"x": 2.0, "w": 3.0}, wrt="w")
"""),
)  # fmt: skip


def reference_pages():
    """Return {path: text} of the page with all groups and of a page for each, in Markdown."""
    groups = {section.name: {} for section in SECTIONS}
    for module, name, directive in directives():
        group = groups[section_of(module).name]
        group.setdefault(module, []).append((name, directive))
    pages = {f"reference/{one.name}.md": section_page(one, groups[one.name]) for one in SECTIONS}
    return {"reference.md": groups_page(groups), **pages}


def section_of(module):
    """Return the first Section that a module belongs to."""
    name = module.removeprefix("minigrad").removeprefix(".")
    return next(one for one in SECTIONS if name.startswith(one.modules))


def groups_page(groups):
    """Return the page that links every name, group by group."""
    parts = [TITLE]
    for section in SECTIONS:
        names = [name for found in groups[section.name].values() for name, _ in found]
        parts.append(f"## [{section.title}](reference/{section.name}.md)\n")
        parts.append(" · ".join(map(name_link, names)) + "\n")
    pages = "\n".join(f"reference/{section.name}" for section in SECTIONS)
    return "\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{pages}\n```\n"])


def name_link(name):
    """Return a link to where a name is described."""
    value = getattr(minigrad, name)
    if inspect.ismodule(value):
        return f"{{py:mod}}`{name} <{value.__name__}>`"
    return f"{{py:obj}}`{name} <minigrad.{name}>`"


def section_page(section, modules):
    """Return the page of a group: an example, then its files."""
    example = f"```python\n>>> import minigrad as mg{section.example}```\n"
    body = (module_section(module, [one for _, one in found]) for module, found in modules.items())
    return "\n".join([f"# {section.title}\n", example, *body])


def directives():
    """(module, name, directive) of each public name; a module brings all its own."""
    for module, name in public_names():
        value = getattr(minigrad, name)
        if inspect.ismodule(value):
            yield value.__name__, name, f".. automodule:: {value.__name__}"
        else:
            yield module, name, name_directive(name)


def public_names():
    """(module, name) of all that the front door imports, at once or on first use."""
    tree = ast.parse(Path(minigrad.__file__).read_text(encoding="utf-8"))
    for node in (one for one in tree.body if isinstance(one, ast.ImportFrom)):
        names = (alias.name for alias in node.names)
        yield from ((node.module, name) for name in names if name in minigrad.__all__)
    yield from ((module, name) for name, module in minigrad.ON_FIRST_USE.items())


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
