"""The instructor's bank: known wrong and right answers, each a few cells that replace the key's.

`bank/q3.py` holds the wrong answers to q3, `bank/right.py` the right ones of other kinds. An answer
begins with `# %% name | loses q3: why` or `# %% name | right: why`; comments directly below go on
with the reason, and may end with `| says: words`, which the page of this answer must have. Then
comes what takes the place of the key's cell q3; `# %% q1` begins what takes
that of another cell, `# %% q1 after the key` what is added to it. All other cells are the key's.

Beside them stand faults made by machine in the key: which does no check notice? `equivalent.txt` of
the instructor's folder explains those that nobody can notice: a line with the fault as it is
reported, then indented lines that say why the answer stays right.
"""

import ast
import random
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.grading import assignment, markup, notebook
from minigrad.course.grading.bench import GraderFault
from minigrad.course.grading.names import add_number
from minigrad.course.grading.run import Graders, Job, run_job
from minigrad.course.proving import mutating

MARK = re.compile(r"^# ?%%", re.MULTILINE)
CELL = re.compile(r"^# %% (\S+)( after the key)?[ \t]*$", re.MULTILINE)
MEMBER = re.compile(r"# %% (\w+) \| ((?:loses (q\w+)|right): .+(?:\n# (?!%%).+)*)")
FORM = "'# %% name | loses qN: why' or '# %% name | right: why', then code or cells, '# %% qN'"
TURNS = 3  # brief looks until each question was asked


@dataclass(frozen=True)
class Member:
    """One answer of the bank: the line where it begins, the question that it must lose (None:
    none) and why, its cells, which of them are added to the key's, and what its student reads."""

    place: str
    name: str
    loses: str | None
    about: str
    cells: dict
    added_cells: frozenset
    says: str = ""


def members(chosen):
    """List all members of an assignment's bank, wrong ones first. Raises an ArgumentError where
    two have one name."""
    found = {}
    for path in sorted((chosen.instructor / "bank").glob("*.py")):
        for member in read_members(path):
            if found.setdefault(member.name, member) is not member:
                message = f"two answers are called '{member.name}'"
                raise ArgumentError(message, "choose another name", member.place)
    return list(found.values())


def read_members(path):
    """Read the members of a file, in their order. Raises an ArgumentError, with the line, where
    one does not say what it is."""
    text = path.read_text(encoding="utf-8")
    marks = [mark.start() for mark in MARK.finditer(text) if not CELL.match(text, mark.start())]
    head, *parts = [text[start:end] for start, end in pairwise([0, *marks, len(text)])]
    refuse_loose_code(path, text, head)
    places = [place_of(path, text.count("\n", 0, mark) + 1) for mark in marks]
    return [read_member(*each) for each in zip(places, parts, strict=True)]


def place_of(path, line):
    """Name a line of a file of the bank."""
    return f"{path.parent.name}/{path.name}:{line}"


def refuse_loose_code(path, text, head):
    """Raise where a file is no Python, or its `head` before the first member has code."""
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        hint, place = "fix this answer; the whole file must be Python", place_of(path, error.lineno)
        raise ArgumentError(f"this is not Python: {error.msg}", hint, place) from None
    for node in body:
        if node.lineno <= len(head.splitlines()) and not mutating.is_docstring(node):
            message = "this code belongs to no answer of the bank"
            raise ArgumentError(message, FORM, place_of(path, node.lineno))


def read_member(place, text):
    """Read the `Member` that is `text` and begins at a place."""
    head = MEMBER.match(text)
    if head is None:
        raise ArgumentError("this line does not say what begins here", FORM, place)
    name, about, loses = head.groups()
    first, *pieces = CELL.split(text[head.end() :])
    if loses and (first.strip() or not pieces):
        first, pieces = "", [loses, None, first, *pieces]
    names, after, texts = pieces[::3], pieces[1::3], pieces[2::3]
    if first.strip() or not names or len({*names}) < len(names):
        raise ArgumentError(f"'{name}' has code for no cell, or twice for one", FORM, place)
    added = frozenset(cell for cell, word in zip(names, after, strict=True) if word)
    cells = dict(zip(names, texts, strict=True))
    about, _, says = about.replace("\n#", "").partition(" | says: ")
    return Member(place, name, loses, about, cells, added, says)


def submission(member, chosen):
    """The notebook that a student with this answer would hand in."""
    raw, lacking = with_answers(chosen, member.cells, member.added_cells)
    if lacking:
        message = f"the key has no answer cell '{min(lacking)}'"
        raise ArgumentError(message, "name one of its answers", member.place)
    return raw


def with_answers(chosen, cells, added=()):
    """(the key's notebook with {name: source} in the place of its answers, or, of those `added`,
    below them; the names that the key has not)."""
    raw, left = notebook.read_notebook(chosen.solution), dict(cells)
    for cell, parsed in zip(raw["cells"], notebook.cells(raw), strict=True):
        if parsed.name in left and parsed.role == "answer":
            before = f"{markup.key_text(parsed)}\n\n\n" if parsed.name in added else ""
            cell["source"] = before + left.pop(parsed.name).strip("\n")
    return raw, left


def verdicts(members, chosen, setting, jobs, brief=False):
    """The `verdict` of each member, in their order; a `brief` look at a wrong answer is at the
    question that must be lost, at a right one at a third of its questions. In the first of three
    such looks comes more: the question beside, or the visible checks."""
    master = assignment.key_master(chosen)
    tasks = [
        (one, chosen, master, setting, brief, number % TURNS) for number, one in enumerate(members)
    ]
    return map_beside(verdict, tasks, jobs)


def verdict(member, chosen, master, setting, brief=False, turn=0, grade=run_job):
    """(whether the member does as it promises, what it lost, its `Report` by the hidden checks).
    What fails a visible check must fail a hidden one of that question, too."""
    questions = concerned_questions(member, master)
    if brief and not member.loses:
        questions = questions[turn % len(questions) :: TURNS]
    whole = Job(chosen.hidden, master, setting, raw=submission(member, chosen), questions=questions)
    jobs, said = [whole, replace(whole, checks=chosen.checks)], "{} by a visible check alone"
    if brief and member.loses in questions:
        jobs, said = brief_look(member.loses, whole, beside=not turn), "{}"
    elif brief and turn:
        jobs = [whole]
    reports = [grade(job) for job in jobs]
    lost, *others = map(lost_questions, reports)
    lost += [said.format(question) for question in {*chain(*others)} - {*lost}]
    wanted = [member.loses] if member.loses else []
    as_promised = lost == wanted and all(report.checks for report in reports)
    return as_promised and is_said(member.says, reports[0]), lost, reports[0]


def is_said(words, report):
    """Whether the page of a failed check has these words."""
    failed = (check for check in report.checks if not check.passed)
    return not words or any(words in f"{check.advice}\n{check.brief}" for check in failed)


def concerned_questions(member, master):
    """The questions that run one of a member's cells: the others get the key's answers."""
    return tuple(name for name, parts in master.runs.items() if {*member.cells} & {*parts})


def brief_look(loses, whole, beside):
    """Of the job `whole`, only the question that must be lost, up to the first check that fails,
    and, with `beside`, the one after it."""
    names = whole.questions
    after = names[(names.index(loses) + 1) % len(names)]
    first = replace(whole, questions=(loses,), brief=True)
    alone = after == loses or not beside
    return [first] if alone else [first, replace(whole, questions=(after,))]


def lost_questions(report):
    """The questions in which points are missing."""
    return [q for q in report.questions() if report.earned_points(q) < report.possible(q)]


def map_beside(function, tasks, jobs):
    """function(*task, grade) for each of `tasks`, in their order, `jobs` of them at a time."""
    with Graders() as graders, ThreadPoolExecutor(max(1, jobs)) as pool:
        yield from pool.map(lambda task: function(*task, graders.run), tasks)


# faults made by machine ---------------------------------------------------------------------------


class Trial(NamedTuple):
    """One fault in one answer cell of the key; `name` tells it from all others."""

    name: str
    cell: str
    source: str


def trials(chosen, sample=None, seed="minigrad"):
    """All trials of an assignment's key in order, or `sample` of them, the same for one seed."""
    found = {}
    for cell in notebook.cells(notebook.read_notebook(chosen.solution)):
        if cell.kind == "code" and cell.role == "answer":
            for mutant in mutating.mutants(markup.key_text(cell)):
                name = f"{cell.name} {mutant.place}: {mutant.change}"
                name = add_number(name, found, "{} (#{})")
                found[name] = Trial(name, cell.name, mutant.source)
    everything = list(found.values())
    if sample is None or sample >= len(everything):
        return everything
    chosen_ones = random.Random(seed).sample(range(len(everything)), sample)
    return [everything[number] for number in sorted(chosen_ones)]


def read_explanations(chosen):
    """{fault: why it is none} of the assignment's `equivalent.txt`."""
    path, reasons, name = chosen.instructor / "equivalent.txt", {}, None
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for line in [line for line in text.splitlines() if line.strip() and line[0] != "#"]:
        if line[0] != " ":
            name = line.strip()
            reasons[name] = ""
        elif name is None:
            raise ArgumentError(f"{path.name} explains before it names a fault: {line.strip()}")
        else:
            reasons[name] = f"{reasons[name]} {line.strip()}".strip()
    for name in [name for name, reason in reasons.items() if not reason]:
        raise ArgumentError(f"{path.name} gives no reason for: {name}")
    return reasons


def outcomes(chosen, setting, tried, jobs, checks=None):
    """(trial, the check that noticed it or None), in their order, by the hidden checks or by the
    file `checks`. Raises GraderFault when they cannot be run."""
    master = assignment.key_master(chosen)
    tasks = [(trial, chosen, checks or chosen.hidden, master, setting) for trial in tried]
    yield from zip(tried, map_beside(noticing_check, tasks, jobs), strict=True)


def noticing_check(trial, chosen, checks, master, setting, grade):
    """`question: title` of the first of the checks that a trial fails, or None."""
    raw, _ = with_answers(chosen, {trial.cell: trial.source})
    questions = tuple(question for question, names in master.runs.items() if trial.cell in names)
    report = grade(Job(checks, master, setting, raw=raw, questions=questions, brief=True))
    if not report.checks:
        raise GraderFault(f"{trial.name}: {report.reason}")
    failed = [check for check in report.checks if not check.passed]
    return f"{failed[0].question}: {failed[0].title}" if failed else None
