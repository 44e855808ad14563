"""The key with one small fault after another: which of them no hidden check notices.

`equivalent.txt` of the instructor's folder explains those that nobody can notice: a line with the
fault as it is reported, then indented lines that say why the answer stays right.
"""

import random
from typing import NamedTuple

from minigrad.course.grading import assignment, bank, markup, mutating, notebook
from minigrad.course.grading.bench import GraderFault
from minigrad.course.grading.names import numbered
from minigrad.course.grading.run import Job
from minigrad.errors import ArgumentError


class Trial(NamedTuple):
    """One fault in one answer cell of the key; `name` tells it from all others."""

    name: str
    cell: str
    source: str


def trials(chosen, sample=None, seed="minigrad"):
    """All trials of an assignment's key in order, or `sample` of them, the same for one seed."""
    found = {}
    for cell in notebook.cells(notebook.read(chosen.solution)):
        if cell.kind == "code" and cell.role == "answer":
            for mutant in mutating.mutants(markup.key(cell)):
                name = f"{cell.name} {mutant.place}: {mutant.change}"
                name = numbered(name, found, "{} (#{})")
                found[name] = Trial(name, cell.name, mutant.source)
    everything = list(found.values())
    if sample is None or sample >= len(everything):
        return everything
    chosen_ones = random.Random(seed).sample(range(len(everything)), sample)
    return [everything[number] for number in sorted(chosen_ones)]


def explained(chosen):
    """{fault: why it is none} of the assignment's `equivalent.txt`."""
    path, reasons, name = chosen.instructor / "equivalent.txt", {}, None
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            name = line.strip()
            reasons[name] = ""
        elif name is None:
            raise ArgumentError(f"{path.name} explains before it names a fault: {line.strip()}")
        else:
            reasons[name] = f"{reasons[name]} {line.strip()}".strip()
    for name, reason in reasons.items():
        if not reason:
            raise ArgumentError(f"{path.name} gives no reason for: {name}")
    return reasons


def outcomes(chosen, setting, tried, jobs, checks=None):
    """(trial, the check that noticed it or None), in their order, by the hidden checks or by the
    file `checks`. Raises GraderFault when they cannot be run."""
    master = assignment.key_master(chosen)
    tasks = [(trial, chosen, checks or chosen.hidden, master, setting) for trial in tried]
    yield from zip(tried, bank.results(noticed, tasks, jobs), strict=True)


def noticed(trial, chosen, checks, master, setting):
    """`question: title` of the first of the checks that a trial fails, or None."""
    raw, _ = bank.with_answers(chosen, {trial.cell: trial.source})
    questions = tuple(question for question, names in master.runs.items() if trial.cell in names)
    report = bank.run_here(Job(checks, master, setting, raw=raw, questions=questions, brief=True))
    if not report.checks:
        raise GraderFault(f"{trial.name}: {report.reason}")
    failed = [check for check in report.checks if not check.passed]
    return f"{failed[0].question}: {failed[0].title}" if failed else None
