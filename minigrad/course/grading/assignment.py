"""An assignment: its files, its questions, and the cells that every submission shares."""

import re
from dataclasses import dataclass, field

from minigrad.core.errors import ArgumentError
from minigrad.course import project
from minigrad.course.grading import markup, notebook

FOLDED = re.compile(r"<details>.*?</details>\n*", re.DOTALL)
HEADING = re.compile(r"^## (q\w+) (?:[★☆✎]+ )?(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A cell that grading runs: given by the course, or answered by the student, who began with
    the text `stub`."""

    name: str
    question: str
    given: bool
    source: str
    defines: frozenset = frozenset()
    stub: str = ""


@dataclass(frozen=True)
class Master:
    """What an assignment's own notebook says. By question: its points, the names of the parts
    that run before its checks, and among them those that answer it, its title, and its text, in
    Markdown, without the hints that are folded. `written` has
    the points of the questions that are graded by hand; `libraries` are what answers may import,
    and `check_libraries` what the checks need besides, by the names that pip knows."""

    parts: tuple
    points: dict
    runs: dict
    own: dict
    libraries: tuple
    written: dict
    name: str = ""
    check_libraries: tuple = ()
    titles: dict = field(default_factory=dict)
    texts: dict = field(default_factory=dict)

    @property
    def asked(self):
        """{name: part} of what students answer."""
        return {part.name: part for part in self.parts if not part.given}

    @property
    def possible(self):
        """The points of every question, those that are graded by hand last."""
        return {**self.points, **self.written}


class Assignment:
    """The files of one assignment: `notebook` and `checks` are what students get; below
    `instructor`, which need not exist, all is made from `solution`, and `hidden` grades."""

    def __init__(self, name, folder, instructor):
        self.name, self.folder, self.instructor = name, folder, instructor
        self.notebook, self.checks = folder / f"{name}.ipynb", folder / "checks.py"
        self.solution, self.hidden = instructor / "solution.ipynb", instructor / "hidden.py"


def find_all():
    """The names of the assignments, in order."""
    folder = project.assignments()
    return sorted(path.name for path in folder.iterdir() if (path / "checks.py").is_file())


def find(name):
    """The assignment `name`. Raises an ArgumentError that lists the existing ones."""
    folder, found = project.assignments(), find_all()
    if name not in found:
        listing = ", ".join(found) or "none yet"
        raise ArgumentError(f"'{name}' is not an assignment", hint=f"name one of: {listing}")
    return Assignment(name, folder / name, folder / "instructor" / name)


def for_instructor(name):
    """The assignment `name`, once its instructor's files are there."""
    assignment = find(name)
    for path in (assignment.solution, assignment.hidden):
        if not path.is_file():
            hint = f"work in a copy of the course that has assignments/instructor/{name}/"
            raise ArgumentError(f"the instructor's file {path.name} of {name} is not here", hint)
    return assignment


def rubric(assignment):
    """What the instructor wrote about the points; empty without a rubric."""
    path = assignment.instructor / "rubric.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def released_master(assignment):
    """The `Master` that a student's kit holds: no solution is in it."""
    return read_master(assignment.notebook, lambda cell: cell.source, assignment.name)


def key_master(assignment):
    """The `Master` whose answers are the instructor's."""
    return read_master(assignment.solution, markup.key_text, assignment.name)


def read_master(path, source, name):
    """The `Master` in a file. Raises an ArgumentError that names the file and the cell."""
    try:
        return master(notebook.read_notebook(path), source, name)
    except markup.MarkupError as error:
        raise ArgumentError(error.message, error.hint, f"{path.name}, {error.line}") from error


def master(raw, source, name=""):
    """The `Master` of the assignment `name` in a notebook; `source(cell)` is the text that a cell
    is run with."""
    parts, points, runs, own, written = [], {}, {}, {}, {}
    for cell in notebook.cells(raw):
        if cell.kind == "code" and cell.role in ("given", "answer"):
            # the names that the student is asked for, not those of the key's helpers
            stub = markup.released_text(cell)
            asked = markup.defined_names(stub)
            given = cell.role == "given"
            parts.append(Part(cell.name, cell.question, given, source(cell), asked, stub))
        elif cell.role == "check":
            points[cell.question] = markup.cell_points(cell)
            runs[cell.question] = [part.name for part in parts]
            own[cell.question] = answering_parts(cell.question, parts)
        elif cell.role == "written":
            written[cell.question] = markup.cell_points(cell)
    said = notebook.metadata_table(raw, "minigrad")
    libraries, beside = (tuple(said.get(key, ())) for key in ("libraries", "check_libraries"))
    told = read_titles_and_texts(raw)
    return Master(tuple(parts), points, runs, own, libraries, written, name, beside, *told)


def read_titles_and_texts(raw):
    """({question: its title}, {question: its text}): from its heading to its checks, or to the cell
    that is graded by hand."""
    titles, texts, name = {}, {}, ""
    for cell in notebook.cells(raw):
        if cell.role in ("check", "written"):
            name = ""
        elif cell.kind == "markdown":
            found = HEADING.findall(cell.source)
            titles |= found
            name = found[-1][0] if found else name
            if name:
                texts.setdefault(name, []).append(FOLDED.sub("", markup.released_text(cell)))
    return titles, {name: "\n\n".join(parts).strip() for name, parts in texts.items()}


def answering_parts(question, parts):
    """The names of the parts that answer `question`: its own, or else the last answer, since
    several questions may be asked about one cell."""
    answers = [part for part in parts if not part.given]
    own = [part.name for part in answers if part.question == question]
    return own or [part.name for part in answers[-1:]]
