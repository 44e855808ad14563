"""The instructor's bank: known wrong and right answers, each a few cells that replace the key's.

A file opens with `Loses q3: why` or `Full points: why`; `# %% q3` begins the cell that takes the
place of the key's cell q3, `# %% q3 after the key` what is added to it; all other cells are the
key's.

Beside them stand faults made by machine in the key: which does no check notice? `equivalent.txt` of
the instructor's folder explains those that nobody can notice: a line with the fault as it is
reported, then indented lines that say why the answer stays right.
"""

import ast
import random
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.grading import assignment, markup, notebook
from minigrad.course.grading.bench import GraderFault
from minigrad.course.grading.names import add_number
from minigrad.course.grading.run import Graders, Job, run_job
from minigrad.course.proving import mutating

CELL = re.compile(r"^# %% (\S+)( after the key)?[ \t]*$", re.MULTILINE)
PROMISE = re.compile(r"(?:Loses (q\w+)|(Full points)): ")
TURNS = 3  # brief looks until each question was asked


@dataclass(frozen=True)
class Member:
    """One answer of the bank: the question that it must lose (None: none), its cells, and which
    of them are added to the key's."""

    path: Path
    loses: str | None
    about: str
    cells: dict
    added: frozenset


def members(chosen):
    """All members of an assignment's bank, wrong ones first."""
    paths = [*sorted((chosen.instructor / "mutants").glob("*.py"))]
    paths += sorted((chosen.instructor / "alternatives").glob("*.py"))
    return [read_member(path) for path in paths]


def read_member(path):
    """The `Member` in a file. Raises an ArgumentError when it does not say what it is."""
    text = path.read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(text)) or ""
    promise = PROMISE.match(about)
    pieces = CELL.split(text)[1:]
    if promise is None or not pieces:
        cure = "begin with 'Loses qN: …' or 'Full points: …', and each cell with '# %% qN'"
        raise ArgumentError(f"{path.name} does not say what it is", mend=cure)
    names, after, texts = pieces[::3], pieces[1::3], pieces[2::3]
    added = frozenset(name for name, word in zip(names, after, strict=True) if word)
    return Member(path, promise[1], about, dict(zip(names, texts, strict=True)), added)


def submission(member, chosen):
    """The notebook that a student with this answer would hand in."""
    raw, lacking = with_answers(chosen, member.cells, member.added)
    if lacking:
        raise ArgumentError(f"{member.path.name}: the key has no answer cell '{min(lacking)}'")
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
    return lost == wanted and all(report.checks for report in reports), lost, reports[0]


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
    return [q for q in report.questions() if report.earned(q) < report.possible(q)]


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
