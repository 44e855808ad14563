"""The banks of the lessons: every wrong answer is refused with its hint, every right one passes.

A bank is `banks/NN.toml`: under the id of an exercise's cell `wrong` answers, each with words of
the hint that it must meet, and `right` ones in another style. An answer is the text between
`# begin answer` and `# end answer`, or the line that ends in `# fill in` (several in their order).
All run one after another in one notebook, as a student tries them; then comes the key.
"""

import os
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from minigrad.course import project
from minigrad.course.commands.lint import FIRST_EDITION
from minigrad.course.lessons import handout, lesson
from minigrad.course.lessons.answer import LessonError

BANKS = Path(__file__).parent / "banks"
LESSONS = [path for path in project.lessons(start=__file__) if path.name[:2] not in FIRST_EDITION]
WRONG, RIGHT = 3, 2  # answers at least, for each exercise


class Exercise(NamedTuple):
    """A cell with gaps, and the cells after it up to the one that checks."""

    gap: object
    rest: list


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_tells_wrong_answers_from_right_ones(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    bank = tomllib.loads((BANKS / f"{path.name[:2]}.toml").read_text(encoding="utf-8"))
    shell, cells = new_shell(monkeypatch), code_cells(path)
    found, unmet = [], set(bank)
    for number, cell in enumerate(cells):
        if is_exercise(cell):
            exercise = Exercise(cell, up_to_check(cells[number:]))
            unmet.discard(cell.id)
            found += judge(shell, exercise, bank.get(cell.id, {}))
        if raised := error_of(shell, cell.source):
            assert "raises-exception" in cell.metadata.get("tags", ()), (cell.id, raised)
    found += [f"{name}: there is no such exercise" for name in unmet]
    assert not found, "\n" + "\n".join(found)


def judge(shell, exercise, bank):
    """What is wrong with a bank, or with the check that meets it, in words."""
    name, wrong, right = exercise.gap.id, bank.get("wrong", []), bank.get("right", [])
    if len(wrong) < WRONG or len(right) < RIGHT:
        yield f"{name}: {len(wrong)} wrong and {len(right)} right answers, of {WRONG} and {RIGHT}"
    for entry in wrong:
        said = outcome(shell, exercise, entry["answer"])
        if not isinstance(said, LessonError):
            yield f"{name}: a wrong answer {said or 'passes'}: {entry['answer']}"
        elif not said.mend or entry["hint"] not in said.mend:
            yield f"{name}: the hint is {said.mend!r}, not {entry['hint']!r}: {entry['answer']}"
    for entry in right:
        if said := outcome(shell, exercise, entry["answer"]):
            yield f"{name}: a right answer gets {said!r}: {entry['answer']}"
    missed = distractors(shell, exercise.gap) - {
        letter for entry in wrong for letter in entry["answer"].upper() if letter.isalpha()
    }
    if missed:
        yield f"{name}: no wrong answer takes the misleading lines {sorted(missed)}"


def outcome(shell, exercise, answer):
    """The first error that an answer meets on the way to the check, or None."""
    for source in (answered(exercise.gap.source, answer), *(each.source for each in exercise.rest)):
        if raised := error_of(shell, source):
            return raised
    return None


def answered(source, answer):
    """A cell's source with another answer in its gap."""
    lines, inside, given = [], False, answer.strip("\n").split("\n")
    fills = iter(given)
    for line in source.split("\n"):
        if line.strip() == handout.BEGIN:
            inside = True
            lines += given
        elif line.strip() == handout.END:
            inside = False
        elif not inside:
            lines.append(next(fills, line) if handout.blank_answers(line)[1] else line)
    return "\n".join(lines)


def distractors(shell, gap):
    """The letters of lines that the key leaves out, where lines are shuffled."""
    known = shell.user_ns.get("lines")
    if not isinstance(known, str) or "order = " not in gap.source:
        return set()
    key = "".join(handout.blank_answers(gap.source)[1]).partition("=")[2].upper()
    return {line[0] for line in known.strip("\n").split("\n")} - set(key)


def up_to_check(cells):
    """The cells below the first, up to the check of what it asks for."""
    if handout.CHECKS.search(cells[0].source):
        return []
    ends = [at for at, cell in enumerate(cells) if handout.CHECKS.search(cell.source)]
    assert ends, f"{cells[0].id}: nothing checks this exercise"
    return cells[1 : ends[0] + 1]


def is_exercise(cell):
    """Whether a cell has a gap that is no guess."""
    return bool(handout.blank_answers(cell.source)[1])


def code_cells(path):
    """The lesson's code, in order."""
    return [cell for cell in lesson.read_lesson(path).cells if cell.cell_type == "code"]


def new_shell(monkeypatch):
    """A notebook's Python, without a kernel."""
    from IPython.core.interactiveshell import InteractiveShell

    monkeypatch.setitem(os.environ, "MPLBACKEND", "agg")
    shell = InteractiveShell()
    shell.showtraceback = lambda *given, **options: None
    return shell


def error_of(shell, source):
    """What a cell raises, or None."""
    done = shell.run_cell(source, silent=True)
    return done.error_before_exec or done.error_in_exec
