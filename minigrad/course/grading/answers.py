"""A submission's answers: each found by its cell's name, then by the names that it defines.

A cell that was split keeps its name on both halves, and a copied one on both copies: an untouched
cell never counts, an attempt that stands alone replaces those before it, and halves are joined.
What answers need and will not have when they are graded is said in words: a helper in a cell that
is not graded, a library that is not there.
"""

import ast
import builtins
import functools
import re
import symtable
import sys
from dataclasses import dataclass, replace

from minigrad.course.grading import markup, notebook
from minigrad.course.grading.markup import defined_names, parse_quietly
from minigrad.course.grading.report import Written

LONGEST, MOST = 100_000, 2_000_000  # characters of a cell, of all code cells
LONGEST_TEXT, MOST_TEXTS = 10_000, 100  # of the text cells in which code is looked for
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
MAGIC = re.compile(r"^([ \t]*)(%|!|\?|[\w.]+\?{1,2}[ \t]*$)")
OURS = "hand in the notebook that `minigrad start` made"


@dataclass(frozen=True)
class Submission:
    """The parts to run, with the student's answers in them, what there is to say, and the texts
    that are graded by hand."""

    parts: tuple
    missing: tuple = ()
    notes: tuple = ()
    written: tuple = ()


def extract(master, raw):
    """The `Submission` in the notebook `raw`. Raises `Unreadable` when it holds no answer, or is
    another assignment's."""
    if (other := notebook.read_statement(raw, "assignment")) and master.name not in ("", other):
        raise notebook.Unreadable(f"this is {other}, not {master.name}", hint=OURS)
    texts = written_answers(master, notebook.cells(raw))
    cells, notes = readable(notebook.cells(raw), master)
    parts, missing, taken = [], [], set()
    for part in master.parts:
        if part.given:
            parts.append(part)
            continue
        found, remarks = answer(part, cells)
        notes += remarks
        if found is None:
            missing.append(part.name)
            continue
        taken.add(id(found))
        source, remarks = without_magics(part.name, found.source)
        notes += remarks
        parts.append(replace(part, source=source))
    if len(missing) == len(master.asked):
        raise notebook.Unreadable("the notebook holds no answer cell of this assignment", hint=OURS)
    left = [without_magics("", cell.source)[0] for cell in cells if id(cell) not in taken]
    lacking = lacking_names(parts, left, master.libraries)
    notes += [*(f"{name}: {words}" for name, words in lacking), *strange(parts)]
    return Submission(tuple(parts), tuple(missing), tuple(notes), tuple(texts))


def readable(cells, master):
    """(the code cells that are not too long, notes); where all are too many together, the answers
    go before others."""
    names = {part.name for part in master.parts}
    code, notes = answers_as_code(cells, master)
    found, room = set(), MOST
    for cell in sorted(code, key=lambda cell: cell.name not in names):
        if len(cell.source) <= min(LONGEST, room):
            room -= len(cell.source)
            found.add(id(cell))
        else:
            what = cell.name if cell.name in names else "a cell"
            most = LONGEST if len(cell.source) > LONGEST else MOST
            notes.append(f"{what}: longer than {most:,} characters; not read")
    return [cell for cell in code if id(cell) in found], list(dict.fromkeys(notes))


def answers_as_code(cells, master):
    """(the code cells, notes): an answer cell that has become a text cell counts as the code that
    it was; of code in another text cell there is only a note."""
    asked = master.asked
    done = {cell.name for cell in cells if is_answer(asked, cell)}
    code = [cell for cell in cells if cell.kind == "code" or is_answer(asked, cell)]
    texts = [cell for cell in cells if cell.kind != "code" and not is_answer(asked, cell)]
    notes = [
        f"{cell.name}: the answer stands in a text cell; it is read as code"
        for cell in code
        if cell.kind != "code"
    ]
    sources = [cell.source for cell in texts if len(cell.source) <= LONGEST_TEXT]
    for part in (part for name, part in asked.items() if name not in done and part.defines):
        if any(defines_in_text(part.defines, source) for source in sources[:MOST_TEXTS]):
            message = "a text cell defines what is asked for; only code cells are graded"
            notes.append(f"{part.name}: {message}")
    return code, notes


def defines_in_text(names, source):
    """Whether a text cell is, or shows in fences, code that defines all of `names`."""
    code = "\n".join(FENCED.findall(source)) or source
    return all(name in code for name in names) and names <= defined_names(code)


def is_untouched(part, cell):
    """Whether a cell is as it was handed out, or blank."""
    return cell.source.strip() in ("", part.stub.strip())


def is_answer(asked, cell):
    """Whether a cell is one of those {name: part} that are asked for, and has been worked on."""
    return cell.name in asked and not is_untouched(asked[cell.name], cell)


def has_work(master, raw):
    """Whether a notebook holds anything that its student wrote for the assignment."""
    asked, cells = master.asked, notebook.cells(raw)
    answered = any(is_answer(asked, cell) for cell in cells)
    return answered or any(one.text for one in written_answers(master, cells))


def lacking_names(parts, others, libraries):
    """Yield (name of the part, words) on what the answers among `parts` use and will not have:
    names that only the cells `others` define, which are not graded, and modules that are not
    there."""
    graded = set(dir(builtins)).union(*(scope(part.source)[0] for part in parts))
    elsewhere = set().union(*(scope(source)[0] for source in others)) - graded
    there = sys.stdlib_module_names | {name.split(".")[0] for name in libraries}
    names = " and ".join(["Python's own", *libraries])
    for part in (part for part in parts if not part.given):
        hint = f"move it into the cell {part.name}"
        for name in few(scope(part.source)[1] & elsewhere):
            yield part.name, f"{name} stands in a cell that is not graded; {hint}"
        hint = f"the modules to use are {names}"
        for name in few(imported_modules(part.source) - there):
            yield part.name, f"{name} will not be there when this is graded; {hint}"


def few(names):
    """The first of some names, of which a student may have written any number, of any length."""
    return [name[:40] for name in sorted(names)[:5]]


def strange(parts):
    """A note on answers of which none defines anything that is asked for."""
    answers = [part for part in parts if not part.given]
    asked = set().union(*(part.defines for part in answers))
    found = set().union(*(defined_names(part.source) for part in answers))
    if asked and found and found.isdisjoint(asked):
        yield f"no cell defines {', '.join(few(asked))}: is this another assignment's notebook?"


@functools.lru_cache(1000)
def scope(source):
    """(the names that a cell binds, those that it reads and does not bind itself)."""
    top = parse_quietly(lambda: symtable.symtable(source, "answer", "exec"))
    if top is None:
        return frozenset(), frozenset()
    bound = {one.get_name() for one in top.get_symbols() if one.is_local()}
    used, tables = set(), [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        # Python takes a function named `top` for the module, and its own names for global ones
        found = [
            one
            for one in table.get_symbols()
            if table is top
            or (one.is_global() and (one.is_declared_global() or not one.is_local()))
        ]
        used |= {one.get_name() for one in found if one.is_referenced()}
    return frozenset(bound), frozenset(used - bound)


def imported_modules(source):
    """The modules that a cell imports, by the first part of their names."""
    nodes = parse_quietly(lambda: list(ast.walk(ast.parse(source)))) or ()
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.split(".")[0] for name in names}


def written_answers(master, cells):
    """The `Written` of each question that is graded by hand; the text is empty when nothing was
    written."""
    for question, points in master.written.items():
        texts = [cell.source for cell in cells if cell.name and cell.question == question]
        texts = [text[:LONGEST] for text in texts if text.strip() != markup.WRITTEN_STUB]
        yield Written(question, points, texts[-1] if texts else "")


def answer(part, cells):
    """(the student's cell for `part` or None, notes)."""
    named = [cell for cell in cells if cell.name == part.name]
    if named:
        return one_of_all(part, named)
    others = [cell for cell in cells if part.defines <= defined_names(cell.source)]
    if part.defines and others:
        return others[-1], [f"{part.name}: its cell is gone; found by the names it defines"]
    return None, [f"{part.name}: the notebook has no answer cell of this name"]


def one_of_all(part, named):
    """(the cell that stands for all cells `named` after a part, notes)."""
    if len(named) == 1:
        return named[0], []
    worked = [cell for cell in named if not is_untouched(part, cell)] or named[-1:]
    joined = "\n".join(cell.source for cell in worked)
    if not parses(without_magics("", joined)[0]):
        worked = [one for one in worked if parses(without_magics("", one.source)[0])] or worked[-1:]
        joined = "\n".join(cell.source for cell in worked)
    alone = len(worked) == 1 or stands_alone(part, worked)
    counts = "the last one with an answer counts" if alone else "they are joined, in their order"
    found = worked[-1] if alone else worked[-1]._replace(source=joined)
    return found, [f"{part.name}: {len(named)} cells have this name; {counts}"]


def stands_alone(part, cells):
    """Whether the last of some cells answers `part` and needs nothing of those before it."""
    sources = [without_magics("", cell.source)[0] for cell in cells]
    *before, last = map(scope, sources)
    return part.defines <= defined_names(sources[-1]) and not any(
        last[1] & bound for bound, _ in before
    )


def without_magics(name, source):
    """(the source with IPython's magics left out, notes). Only a cell that is not Python as it
    stands is changed, and a line becomes `pass`, so that line numbers stay."""
    lines = source.splitlines()
    magics = [number for number, line in enumerate(lines) if MAGIC.match(line)]
    if not magics or parses(source):
        return source, []
    for number in magics:
        lines[number] = MAGIC.match(lines[number])[1] + "pass"
    listing = ", ".join(str(number + 1) for number in magics)
    return "\n".join(lines), [f"{name}: left out what only IPython understands, line {listing}"]


def parses(source):
    """Whether `source` is Python."""
    awaiting = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    read = functools.partial(compile, source, "answer", "exec", awaiting, dont_inherit=True)
    return parse_quietly(read) is not None
