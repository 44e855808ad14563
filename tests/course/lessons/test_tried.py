"""Every lesson as students try it: blank, with wrong answers, with right ones, with the key.

All of a lesson runs in one notebook, in an empty folder, for it needs no file of the course. What
is left blank must be noticed, in words for a learner, before anything else fails; then the key's
answers are given, and lead on.

A bank is `banks/NN.toml`: under the id of an exercise's cell `wrong` answers, each with words of
the hint that it must meet, and `right` ones in another style. An answer is the text between
`# begin answer` and `# end answer`, or the line that ends in `# fill in` (several in their order).
They are tried when the exercise was solved; after them comes the key again.

A lesson whose sentences lie in a file (NN.toml) has its bank in test_lab_banks.py; here its blank
copy is run, and its key.

Beside them stand small faults of the key's answer, made by machine: each is noticed, or `same`
says why the answer stays right.
"""

import gc
import os
import re
import signal
import textwrap
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from minigrad.course import project
from minigrad.course.lessons import form, handout, lesson
from minigrad.course.lessons.answer import LessonError
from minigrad.course.proving import mutating

BANKS = Path(__file__).parent / "banks"
LESSONS = project.lessons(start=__file__)
WRONG, RIGHT = 3, 2  # answers at least, for each exercise
SECONDS = 3  # of the processor: what a fault keeps running for ever is noticed


class Exercise(NamedTuple):
    """A cell with gaps, and the cells after it up to the one that checks."""

    gap: object
    rest: list


@pytest.mark.no_cover
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_tells_what_is_blank_or_wrong_and_takes_what_is_right(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    shell, bank = new_shell(monkeypatch), bank_of(path)
    try:
        found = list(try_lesson(shell, path, bank))
    finally:
        gc.unfreeze()
    exercises = {cell.id for cell in code_cells(lesson.read_lesson(path)) if is_exercise(cell)}
    found += [f"{name}: there is no such exercise" for name in bank or () if name not in exercises]
    assert not found, "\n" + "\n".join(found)


def bank_of(path):
    """{id of an exercise: its answers} of a lesson; None where they are kept elsewhere."""
    if form.has_words(path):
        return None
    return tomllib.loads(
        (BANKS / f"{project.lesson_number(path)}.toml").read_text(encoding="utf-8")
    )


def try_lesson(shell, path, bank):
    """What is wrong with a lesson's checks, in words, while all of it runs in the shell."""
    key, gaps = code_cells(lesson.read_lesson(path)), []
    parts = [
        part for cell in code_cells(lesson.read_lesson(path)) for part in handout.split_check(cell)
    ]
    given = code_cells(handout.hand_out(lesson.read_lesson(path)))
    for blank, part in zip(given, parts, strict=True):
        if "raises-exception" in part.metadata.get("tags", ()):
            error_of(shell, part.source)
            continue
        gap = handout.blank_answers(part.source)[0] != part.source
        gaps += [part] * gap
        raised = error_of(shell, blank.source)
        if raised is None:
            continue
        assert gaps, (part.id, raised)
        assert asks_for_an_answer(raised), (part.id, raised)
        for each in gaps if gap else [*gaps, part]:
            assert (said := error_of(shell, each.source)) is None, (each.id, said)
        yield from try_bank(shell, key, {each.id for each in gaps}, bank)
        gaps = []
    assert gaps == []


def asks_for_an_answer(raised):
    """Whether the words are the course's, for a learner: no trace of Python's own."""
    words = str(raised)
    asks = r"✗|.*predict before you look|.*: no guess yet"
    return re.match(asks, words) or "try  replace the ..." in words


def try_bank(shell, key, names, bank):
    """What is wrong with the banks of the named cells; at last the key stands again."""
    gc.freeze()  # what counts the living collects often: not all that was made before, too
    for number, cell in enumerate(key):
        if cell.id in names and is_exercise(cell):
            exercise = Exercise(cell, up_to_check(key[number:]))
            if bank is not None:
                yield from judge(shell, exercise, bank.get(cell.id, {}))
                yield from judge_faults(shell, exercise, bank.get(cell.id, {}).get("same", {}))
            if said := first_error(shell, cell.source, exercise.rest):
                yield f"{cell.id}: the key gets {said!r}"


def judge(shell, exercise, bank):
    """What is wrong with a bank, or with the check that meets it, in words."""
    name, wrong, right = exercise.gap.id, bank.get("wrong", []), bank.get("right", [])
    if len(wrong) < WRONG or len(right) < RIGHT:
        yield f"{name}: {len(wrong)} wrong and {len(right)} right answers, of {WRONG} and {RIGHT}"
    for entry in wrong:
        said = outcome(shell, exercise, entry["answer"])
        if not isinstance(said, LessonError):
            yield f"{name}: a wrong answer {said or 'passes'}: {entry['answer']}"
        elif not said.hint or entry["hint"] not in said.hint:
            yield f"{name}: the hint is {said.hint!r}, not {entry['hint']!r}: {entry['answer']}"
    for entry in right:
        if said := outcome(shell, exercise, entry["answer"]):
            yield f"{name}: a right answer gets {said!r}: {entry['answer']}"
    missed = distractors(shell, exercise.gap) - {
        letter for entry in wrong for letter in entry["answer"].upper() if letter.isalpha()
    }
    if missed:
        yield f"{name}: no wrong answer takes the misleading lines {sorted(missed)}"


def judge_faults(shell, exercise, explained):
    """The faults of the key's answer that pass unexplained, and explanations of none, in words."""
    name = exercise.gap.id
    passed = [
        change
        for change, answer in faults(handout.blank_answers(exercise.gap.source)[1])
        if (outcome if change in explained else ended_outcome)(shell, exercise, answer) is None
    ]
    for change in sorted({*passed} - {*explained}):
        yield f"{name}: a fault passes: {change}"
    for change in sorted({*explained} - {*passed}):
        yield f"{name}: no fault that passes: {change}"


def faults(lines):
    """(`old → new`, the answer with it) of an answer's lines; none where letters are chosen, and
    not `pass` alone: that is a blank."""
    text = textwrap.dedent("\n".join(lines))
    if re.fullmatch(r"""(\w+ = (["'])[^"']*\2)?\s*""", text):
        return
    margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    opens = "\n    pass" if text.rstrip().endswith(":") else ""
    for fault in mutating.mutants(text + opens):
        if fault.source != "pass":
            yield fault.change, textwrap.indent(fault.source.removesuffix(opens), margin)


def ended_outcome(shell, exercise, answer):
    """The first error that an answer meets; one that runs for ever meets a TimeoutError."""

    def end(number, frame):
        raise TimeoutError("it still runs")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return outcome(shell, exercise, answer)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def outcome(shell, exercise, answer):
    """The first error that an answer meets on the way to the check, or None."""
    return first_error(shell, answered(exercise.gap.source, answer), exercise.rest)


def first_error(shell, source, rest):
    """The first error of a cell's source and of the cells below it, or None."""
    errors = (error_of(shell, each) for each in (source, *(cell.source for cell in rest)))
    return next(filter(None, errors), None)


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


def code_cells(notebook):
    """The notebook's code, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


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
