"""A submission's answers: each found by its cell's name, then by the names that it defines."""

import re
from dataclasses import dataclass, replace

from minigrad.course.grading import markup, notebook

LONGEST = 100_000
MAGIC = re.compile(r"^([ \t]*)(%|!|\?|[\w.]+\?{1,2}[ \t]*$)")


@dataclass(frozen=True)
class Submission:
    """The parts to run, with the student's answers in them, what there is to say, and the texts
    that are graded by hand."""

    parts: tuple
    missing: tuple = ()
    notes: tuple = ()
    written: tuple = ()


def extract(master, raw):
    """The `Submission` in the notebook `raw`. Raises `Unreadable` when it holds no answer."""
    texts = written(master, notebook.cells(raw))
    cells = [cell for cell in notebook.cells(raw) if cell.kind == "code"]
    names = {part.name for part in master.parts}
    long = [cell.name for cell in cells if len(cell.source) > LONGEST and cell.name in names]
    cells = [cell for cell in cells if len(cell.source) <= LONGEST]
    parts, missing = [], []
    notes = [f"{name}: longer than {LONGEST:,} characters; not read" for name in long]
    for part in master.parts:
        if part.given:
            parts.append(part)
            continue
        found, remarks = answer(part, cells)
        notes += remarks
        if found is None:
            missing.append(part.name)
        else:
            source, remarks = without_magics(part.name, found.source)
            notes += remarks
            parts.append(replace(part, source=source))
    if len(missing) == sum(not part.given for part in master.parts):
        raise notebook.Unreadable(
            "the notebook holds no answer cell of this assignment",
            mend="hand in the notebook that `minigrad start` made",
        )
    return Submission(tuple(parts), tuple(missing), tuple(notes), tuple(texts))


def written(master, cells):
    """(question, its points, the student's text) of each question that is graded by hand; the
    text is empty when nothing was written."""
    for question, points in master.written.items():
        texts = [cell.source for cell in cells if cell.name and cell.question == question]
        texts = [text[:LONGEST] for text in texts if text.strip() != markup.WRITTEN_STUB]
        yield question, points, texts[-1] if texts else ""


def answer(part, cells):
    """(the student's cell for `part` or None, notes). The last of several counts, as it does
    when a notebook runs from top to bottom."""
    named = [cell for cell in cells if cell.name == part.name]
    full = [cell for cell in named if part.defines & markup.defined_names(cell.source)]
    if len(named) > 1:
        return (full or named)[-1], [
            f"{part.name}: {len(named)} cells have this name; "
            "the last one that defines something counts"
        ]
    if named:
        return named[0], []
    others = [cell for cell in cells if part.defines <= markup.defined_names(cell.source)]
    if part.defines and others:
        return others[-1], [f"{part.name}: its cell is gone; found by the names it defines"]
    return None, [f"{part.name}: there is no such answer cell"]


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
    try:
        compile(source, "answer", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
