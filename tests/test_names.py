"""Names that docstrings and pages speak of exist: modules, functions, methods, files."""

import ast
import builtins
import functools
import re
from importlib import import_module
from pathlib import Path

import pytest

import minigrad

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "minigrad"
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGES = sorted([*PACKAGE.rglob("*.md"), *ROOT.glob(".github/*.md"), ROOT / "README.md"])

QUOTED = re.compile(r"(?<!`)`([A-Za-z_][\w/.-]*)(?:\([^`]*\))?`(?!`)")
DOTTED = re.compile(r"(?<![\w.`])([a-z]+\.[a-z]+_[a-z_]+)\b")  # also without quotes
FILES = (".py", ".toml", ".js", ".md", ".json", ".ini", ".yml")
# Modules of others, and `student`, whose attributes are those of what a student wrote.
ELSEWHERE = {"np", "numpy", "torch", "jax", "tf", "plt", "warnings", "pickle", "sys", "os", "math"}
ELSEWHERE |= {"student"}
KEPT = ROOT / "assignments" / "instructor"
IN_KEPT = re.compile(r"(assignments/)?instructor/|bank/|(hidden\.py|\w+\.txt|rubric\.md)$")
MINE = "my/"  # where a learner's own files lie, which no clone has


@functools.cache
def modules_named(stem):
    """The modules of the package whose last name is `stem`, or its folder."""
    paths = [p for p in MODULES if p.stem == stem or p.stem == "__init__" and p.parent.name == stem]
    return [p for p in paths if p.stem != "__main__"]


@functools.cache
def parts_of(path):
    """The names at the top of a file, and {class: what it defines, annotates or lists as slots}."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tops, classes = set(), {}
    for node in tree.body:
        tops |= names_bound(node)
        if isinstance(node, ast.ClassDef):
            words = {w for n in ast.walk(node) for w in names_bound(n) | words_of(n)}
            classes[node.name] = words
    return tops, classes


def names_bound(node):
    """The names that a statement binds, those of imports among them."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    return {n.id for t in targets if t is not None for n in ast.walk(t) if isinstance(n, ast.Name)}


def words_of(node):
    """The attributes that a method sets, and the words of a text of slots."""
    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {*node.value.split()}
    return set()


@functools.cache
def all_classes():
    """{name of a class, as written and in small letters: what it has, with its bases' parts}."""
    found = {}
    for path in MODULES:
        for name, words in parts_of(path)[1].items():
            for key in (name, name.lower()):
                found[key] = found.get(key, set()) | words
    return found


def is_there(name):
    """Whether a quoted name with a dot or a slash stands for something; None where it is not of
    the package, as `x.shape`."""
    if name.count("/") == 1 and name.endswith("/"):
        return None  # a folder that a command or a learner makes
    if IN_KEPT.match(name) and not KEPT.is_dir():
        return None  # what only teachers have
    if "/" in name or name.endswith(FILES):
        return is_file(name)
    first, *rest = name.split(".")
    if rest == ["ipynb"]:
        return None  # an example
    if not rest or first in ELSEWHERE or hasattr(builtins, first):
        return None
    if first in ("mg", "minigrad"):
        return resolves(rest)
    known = modules_named(first)
    classes = all_classes()
    if not known and first not in classes:
        return None
    if any(rest[0] in parts_of(path)[0] for path in known):
        return True
    if first in classes:
        return rest[0] in classes[first] or inherits(first, rest[0])
    return any((path.parent / f"{rest[0]}.py").exists() for path in known)


def inherits(name, attribute):
    """Whether a public class has an attribute from its bases."""
    public = {word.lower(): getattr(minigrad, word) for word in minigrad.__all__}
    for room in ("nn", "optim", "data"):
        module = getattr(minigrad, room)
        public |= {word.lower(): getattr(module, word) for word in dir(module)}
    return hasattr(public.get(name.lower()), attribute)


def resolves(parts):
    """Whether minigrad.a.b is something."""
    value = minigrad
    for at, part in enumerate(parts):
        if not hasattr(value, part):
            try:
                import_module(".".join(("minigrad", *parts[: at + 1])))
            except ImportError:
                return False
        value = getattr(value, part)
    return True


def is_file(name):
    """Whether a path is one of the course's, from its folder or from inside the package."""
    name = name.rstrip("/").replace("psN", "ps1")
    for number in ("17", "05b"):  # whose sentences lie in the notebook, and in a file
        own = name.replace("NN", number)
        if (ROOT / own).exists() or (PACKAGE / own).exists():
            return True
        if any(path.as_posix().endswith(f"/{own}") for path in ours()):
            return True
    return False


@functools.cache
def ours():
    """All files and folders of the course that are its own."""
    fields = ("minigrad", "tests", "notebooks", "assignments", "figures", ".ci", ".github")
    return [path for field in fields for path in (ROOT / field).rglob("*")]


def docstrings():
    """(place, text) of all docstrings of the package."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                yield (
                    f"{path.relative_to(ROOT)}: {getattr(node, 'name', '')}",
                    ast.get_docstring(node),
                )


def stale(places):
    """The quoted names in texts that stand for nothing."""
    return [
        f"{place}: {name}"
        for place, text in places
        for name in QUOTED.findall(text or "") + DOTTED.findall(text or "")
        if ("." in name or "/" in name) and not name.startswith(MINE) and is_there(name) is False
    ]


def test_names_in_docstrings_exist():
    assert stale(docstrings()) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_names_on_pages_exist(page):
    assert stale([(page.name, page.read_text(encoding="utf-8"))]) == []


@pytest.mark.parametrize(
    "name, there",
    [
        ("mg.Tensor.backward", True), ("autodiff.reverse_sweep", True), ("transform.Call", False),
        ("codegen.NO_SUCH", False), ("core/autodiff.py", True), ("core/sweeps.py", False),
        ("Graph.nodes", True), ("graph.nodes", True), ("Graph.nodds", False), ("x.shape", None),
        ("np.sum", None), ("mg.grat", False),
    ],
)  # fmt: skip
def test_what_exists_is_told_from_what_does_not(name, there):
    assert is_there(name) is there
