"""The rules of the house: reading order, openings, widths, and what may stand nowhere."""

import ast
import functools
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "minigrad"

# Reading order: a file imports only what stands before it here. The rooms that both engines are
# made of are listed file by file; every other room is one entry.
FILES = {
    "core": "errors hints spec signatures pytree modes op ops numpy_calls operators autodiff"
    " stepwise custom",
    "dynamic": "in_place hooks conversions tensor lazy history creation random"
    " transform batch jacobians checkpoint",
    "static": "unevaluated provenance graph statements program interpret feeds session compile"
    " control function pickling",
}
ENGINES = tuple(f"{room}.{file}" for room in FILES for file in FILES[room].split())
FAST = ("fast",)
TOOLS = ("files", "draw", "measure", "workers", "course")
ORDER = (*ENGINES, "compiler", "on_jax", "nn", *FAST, *TOOLS)
DOORS = {  # a file that imports what stands below it, and why
    ("dynamic.tensor", "dynamic.history"): "a Tensor's graph is built again when it is drawn",
    ("static.graph", "compiler"): "a Node is computed again when a gradient has checkpoints",
    ("static.graph", "static.session"): "a Variable that starts as a node is computed in one",
    ("static.session", "compiler"): "a Session compiles what it runs",
    ("static.session", "measure"): "Executable.profile imports what measures when it is called",
    ("compiler", "on_jax"): "the backend is imported when a Session asks for it",
}
PUBLIC_ONLY = ("nn",)  # a reader could have written it
TWICE = {  # names that stand for two things, and why
    "Linear": "the layer, and the class of linear ops: both are the field's word",
    "Sigmoid": "the layer is named after its op",
    "Tanh": "the layer is named after its op",
    "arguments": "each command of the command line defines its own by this name",
    "expect": "the checks of assignments call it, and the checks of plans",
    "install": "each file of fast/ puts itself in by a function of this name",
    "launch": "each sandbox starts a worker by this name",
    "main": "what runs by itself begins there",
    "memory": "plot.memory draws what measure.memory measures",
    "profile": "plot.profile draws what measure.profile measures",
    "passes": "draw.passes and plot.passes show what the passes did, and what they cost",
    "run": "each command of the command line runs by this name",
    "works": "each sandbox says by this name whether it can be had",
}
PARTICIPLES = {  # functions that are no verb, and why
    "detached": "a rule of simplify is called after its equation, and so named in notes",
    "speed": "a noun, as plot.memory",
    "squared": "a rule of simplify, as above",
}
FIELDS = ("assignments", "figures", "minigrad", "notebooks", "tests")
WIDTH = 100

SOURCES = sorted(path for field in FIELDS for path in (ROOT / field).rglob("*.py"))
MODULES = [path for path in SOURCES if PACKAGE in path.parents]
TEXTS = sorted(
    path
    for path in [
        *(path for field in FIELDS for path in (ROOT / field).rglob("*")),
        *(ROOT / ".ci").iterdir(),
        *(ROOT / ".github").rglob("*"),
        *(
            ROOT / name
            for name in ("README.md", "CHANGELOG.md", "Makefile", "pyproject.toml", "LICENSE")
        ),
    ]
    if path.suffix in {"", ".py", ".md", ".txt", ".toml", ".yml", ".cfg", ".json", ".ipynb", ".svg"}
    and path.is_file()
    and not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts)
)
# Joined from halves, so that this file does not hold what it forbids.
NOWHERE = {
    "unfinished work": r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b",
    "a path of one machine": r"(?:/ho" r"me|/Us" r"ers|/ro" r"ot|/wo" r"rk)/\w",
    "a package host": r"py"
    r"pi\.org|python"
    r"hosted|npm"
    r"js\.|deb"
    r"ian\.org|ana"
    r"conda\.org",
}
SHOWS_PATHS = {  # they are about paths
    "minigrad/course/commands/lint.py",
    "tests/course/commands/test_lint.py",
    "tests/core/test_errors.py",
}


def name(path):
    """The path as it reads from the course's folder."""
    return path.relative_to(ROOT).as_posix()


def entry(path):
    """The entry of ORDER that a file of the package belongs to; None for the public names."""
    return entry_of(path.relative_to(ROOT).with_suffix("").parts)


def entry_of(parts):
    """The entry of ORDER of a dotted name in parts; None for the public names, or for the opening
    of a room that is listed file by file."""
    room, *inside = parts[1:] or [""]
    if room not in FILES:
        return room if room in ORDER else None
    return f"{room}.{inside[0]}" if inside and inside[0] != "__init__" else None


@functools.cache
def tree(path):
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path):
    """The dotted names of the package that a file imports, wherever in the file it does so."""
    place = ("minigrad", *path.relative_to(PACKAGE).with_suffix("").parts)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("minigrad"))
        elif isinstance(node, ast.ImportFrom):
            base = place[: -node.level] if node.level else ()
            parts = (*base, *(node.module or "").split(".")) if node.module else base
            if parts and parts[0] == "minigrad":
                yield from (".".join((*parts, alias.name)) for alias in node.names)


@functools.cache
def entries(path):
    """The entries of ORDER that a file imports; None for the public names."""
    return {entry_of(dotted.split(".")) for dotted in imports(path)}


def test_the_order_names_every_file_of_the_package():
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    there = rooms - {*FILES}
    for room in FILES:
        files = [*(PACKAGE / room).glob("*.py"), *(PACKAGE / room).glob("*/__init__.py")]
        names = {path.parent.name if path.parent.name != room else path.stem for path in files}
        there |= {f"{room}.{name}" for name in names - {"__init__"}}
    assert set(ORDER) == there
    assert {path.stem for path in PACKAGE.glob("*.py")} == {"__init__", "__main__"}


def test_the_map_names_every_file_once_and_in_order():
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    listed = []
    for part in re.split(r"(?m)^## ", text)[1:]:
        room = re.match(r"`(\w+)/`", part)
        bullets = re.findall(r"(?m)^- `(\w+)/?`", part)
        listed += [f"{room[1]}.{bullet}" for bullet in bullets] if room else bullets
    assert tuple(listed) == ORDER
    unnamed = [
        name(path)
        for path in MODULES
        if path.stem != "__init__"
        and entry(path) not in (None, "draw", "course")
        and f"`{path.stem}`" not in text
    ]
    assert unnamed == []
    lessons = {path.name[:2] for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {
        n for part in re.findall(r"\((\d\d[\d, ]*)\)", text) for n in part.split(", ")
    } <= lessons


# budgets -----------------------------------------------------------------------------------------

FUNCTION_LINES, COMPLEXITY = 25, 10
LONG = {
    "binary_on_tensors": "a call inside it would cost a tenth of what the shortcut saves",
    "custom_op": "the parts of an op are its arguments, and each of them is checked",
    "cut_body": "its two inner walks share what they feed",
    "shortcut": "it is the inner function of binary_on_tensors and unary_on_tensors",
    "unary_on_tensors": "as binary_on_tensors",
}


def code_lines(path):
    """The numbers of the lines that hold code: no blank ones, no comments, no docstrings."""
    kinds = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    found, words = set(), set()
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type not in (*kinds, tokenize.ENDMARKER):
                found |= {*range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(tree(path)):
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if documented and ast.get_docstring(node) is not None:
            words |= {*range(node.body[0].lineno, node.body[0].end_lineno + 1)}
    return found - words


def engines():
    """The files of both engines, of the compiler and of the shortcuts."""
    return [path for room in (*FILES, "compiler", *FAST) for path in (PACKAGE / room).rglob("*.py")]


def test_functions_of_the_engines_fit_into_a_look():
    long = set()
    for path in engines():
        lines = code_lines(path)
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef):
                own = lines & {*range(node.lineno, node.end_lineno + 1)}
                long |= {node.name} if len(own) > FUNCTION_LINES else set()
    assert long == LONG.keys()


def test_functions_of_the_engines_have_few_branches():
    limit = f"lint.mccabe.max-complexity={COMPLEXITY}"
    words = ["check", "--select", "C901", "--config", limit, "--no-cache", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *words, *map(str, engines())],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def tops():
    """{name: files} of the functions and classes that stand at the top of the package's files.

    Lessons' own modules, l00.py to l17.py, are left out: each names what its lesson is about.
    """
    found = {}
    for path in MODULES:
        if re.fullmatch(r"l\d\d\w*", path.stem):
            continue
        for node in tree(path).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name[:2] != "__":
                found.setdefault(node.name, []).append(name(path))
    return found


def test_one_word_is_one_thing():
    assert {word for word, files in tops().items() if len({*files}) > 1} == TWICE.keys()


def test_no_function_is_a_bare_participle():
    assert {word for word in tops() if re.fullmatch("[a-z]+ed", word)} == PARTICIPLES.keys()


IRREGULAR = (
    "told met made taken held given known seen found kept written drawn gone done sent lost"
    " chosen fed left spent"
)
STATES = {  # properties, not calls, which say in which state something is
    "asked": "the questions of a Job",
    "done": "Team.done counts the steps, as Future.done does",
    "passed": "whether a Check passed",
    "recomputed": "Executable.recomputed are nodes that are computed twice",
}


def test_no_method_is_a_bare_participle():
    methods = {
        part.name
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.FunctionDef)
    }
    found = {word for word in methods if re.fullmatch("[a-z]{2,}[^e]ed", word)}
    assert found | methods & {*IRREGULAR.split()} == STATES.keys()


NAMED_STATES = {  # attributes whose name is a participle, and why
    "captured": "what a graph or a traced function takes from outside, as a closure does",
    "changed": "when and where a Tensor was changed in place, as its error says",
    "closed": "an Event, which is set when a worker is closed",
    "compiled": "Session.compiled is public; JAX calls a compiled program so",
    "detached": "PyTorch's word for a Tensor that derivatives do not reach",
    "donated": "JAX's word for an array that a result is written over",
    "earned": "the points of Done that are earned, beside the possible ones",
    "fed": "what the caller feeds to a Piece",
    "fetched": "what is fetched from a Piece",
    "found": "whether a part of the machine was found",
    "given": "whether a cell is given by the course",
    "inferred": "the Specs that an Fn has inferred so far",
    "kept": "what a Piece reads that its worker has kept",
    "left": "a side",
    "lost": "Team.lost is public: how many workers were lost",
    "measured": "a key of saved reports: what a Check measured",
    "needed": "whether a part of the machine is needed",
    "placed": "an argument of draw",
    "received": "the values or the bytes that are received, beside those sent",
    "saved": "an argument of draw",
    "sent": "the values or the bytes that are sent, beside those received",
    "tracked": "whether a Tensor is tracked for derivatives",
    "written": "a key of saved reports: the answers in words, which people grade",
}


def attributes(path):
    """The names of the attributes that a file assigns, or that its classes declare."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            yield from (name for statement in node.body for name in declared_names(statement))


def declared_names(statement):
    """The names that a statement in a class assigns or annotates; of `__slots__` those in it."""
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    parts = [part for target in targets if target for part in ast.walk(target)]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    if "__slots__" in names:
        texts = [part.value for part in ast.walk(statement.value) if isinstance(part, ast.Constant)]
        names += [name for text in texts for name in text.split()]
    return names


def test_no_attribute_is_a_bare_participle():
    names = {attribute.strip("_") for path in MODULES for attribute in attributes(path)}
    found = {word for word in names if re.fullmatch("[a-z]{2,}[^e]ed", word)}
    assert found | names & {*IRREGULAR.split()} == NAMED_STATES.keys()


def test_a_file_imports_only_what_stands_above_it():
    late = []
    for path in MODULES:
        own = entry(path)
        if own is not None and own not in PUBLIC_ONLY:
            above = ORDER[: ORDER.index(own) + 1]
            late += [(own, used, name(path)) for used in entries(path) & {*ORDER} - {*above}]
    assert [found for found in late if found[:2] not in DOORS] == []


WRITTEN_FROM_OUTSIDE = {  # tables that another module fills, and why
    "minigrad/compiler/__init__.py: WRITERS": "the writers of loops need the writer of nodes first",
}


CHANGES = "add append clear discard extend insert pop popitem remove setdefault update".split()


def outside_writes(path):
    """The names, imported from other modules of the package, into which a file writes, as it is
    imported or in a function: an attribute, by setattr, an entry, or as a whole by |=."""
    yield from writes_of(tree(path))


def writes_of(module):
    """The same for a syntax tree."""
    imported = {
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(module)
        if isinstance(node, ast.Import)
        or isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("minigrad")
        for alias in node.names
        if isinstance(node, ast.ImportFrom) or alias.name.startswith("minigrad")
    }
    for node in ast.walk(module):
        yield from filter(imported.__contains__, map(owner_of, written_by(node)))


def written_by(node):
    """What a node of a syntax tree writes into: x.y = 1, x[0] = 1, x |= y, del x.y, setattr(x, …),
    x.update(…)."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("setattr", "delattr"):
        return [node.args[0]]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [node.func.value] if node.func.attr in CHANGES else []
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return [node.target]
    is_written = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
    return [node.value] if is_written and isinstance(node, (ast.Attribute, ast.Subscript)) else []


def owner_of(target):
    """The first name of x, x.y, x[0] or x.y.z."""
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


@pytest.mark.parametrize(
    "line",
    [
        "TABLE |= {}",
        "TABLE[0] = 1",
        "TABLE[0].x, y = 1, 2",
        "TABLE.update(x=1)",
        "TABLE[0].append(1)",
        "del TABLE.x",
        "TABLE.x += 1",
        "for TABLE.x in (): pass",
        "setattr(TABLE, 'x', 1)",
        "def f():\n    TABLE.x = 1",
        "class A:\n    def f(self):\n        TABLE.x = 1",
    ],
)
@pytest.mark.parametrize(
    "origin", ["from minigrad.a import TABLE", "import minigrad.a as TABLE", "import TABLE"]
)
def test_a_write_into_another_module_is_found(origin, line):
    found = ["TABLE"] if "minigrad" in origin else []
    assert [*writes_of(ast.parse(f"{origin}\n{line}"))] == found
    assert [*writes_of(ast.parse(f"{origin}\nx = TABLE.x + TABLE[0]"))] == []


def test_no_module_writes_into_a_class_or_table_of_another():
    found = {
        f"{name(path)}: {owner}"
        for path in MODULES
        if entry(path) not in FAST
        for owner in outside_writes(path)
    }
    assert found == WRITTEN_FROM_OUTSIDE.keys()


def test_the_front_door_names_all_that_it_brings():
    import minigrad

    brought = [n for n in tree(PACKAGE / "__init__.py").body if isinstance(n, ast.ImportFrom)]
    names = {alias.name for node in brought for alias in node.names}
    names -= {"missing", "import_module", "pickling"}
    assert sorted(minigrad.__all__) == sorted({*names, *minigrad.ON_FIRST_USE})


def test_nothing_below_the_front_door_imports_the_fast_lane():
    users = [path for path in MODULES if entry(path) not in (None, *FAST, *TOOLS)]
    found = [(entry(path), used) for path in users for used in entries(path) & {*FAST, *TOOLS}]
    assert [pair for pair in found if pair not in DOORS] == []


@pytest.mark.parametrize("room", PUBLIC_ONLY)
def test_layers_and_optimisers_use_public_names_only(room):
    import minigrad

    public = {"minigrad", *(f"minigrad.{public}" for public in vars(minigrad))}
    for path in (PACKAGE / room).glob("*.py"):
        used = {dotted for dotted in imports(path) if not dotted.startswith(f"minigrad.{room}.")}
        assert used <= public
        text = path.read_text(encoding="utf-8")
        assert (
            re.findall(r"\bmg\.(?:_\w+|(?:op|ops|autodiff|tensor|graph|session)\.\w+)", text) == []
        )


def test_a_file_opens_with_its_sentence():
    said = {name(path): ast.get_docstring(tree(path)) or "" for path in SOURCES}
    ends = {path: text.split("\n\n")[0].strip()[-1:] for path, text in said.items()}
    assert [path for path, end in ends.items() if end not in {".", ":"}] == []


def test_lines_fit_the_page():
    long = []
    for path in SOURCES:
        lines = path.read_text(encoding="utf-8").splitlines()
        long += [f"{name(path)}:{at}" for at, line in enumerate(lines, 1) if len(line) > WIDTH]
    assert long == []


@pytest.mark.parametrize("kind", NOWHERE)
def test_what_may_stand_nowhere(kind):
    pattern = re.compile(NOWHERE[kind])
    found = [
        f"{name(path)}: {match[0]}"
        for path in TEXTS
        if not (kind == "a path of one machine" and name(path) in SHOWS_PATHS)
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_what_a_table_of_errors_expects_is_not_found_in_the_line_that_the_error_quotes():
    loose = []
    for path in (PACKAGE.parent / "tests").rglob("test_*.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.keyword) and node.arg == "match":
                own = isinstance(node.value, ast.Name)  # saying.raises_saying takes these
                loose += [f"{path.name}:{node.value.lineno}"] if own else []
    assert loose == []
