"""A lesson as a student opens it: predictions and exercises blank, worked answers, checks folded.

The committed lesson holds the answers, marked so: `name = 5  # your prediction`, `t = s  # fill in`
(also `t.grad += …` and `return …`), and, for several lines, `# begin answer` … `# end answer`.
Where its sentences lie in a file (form.py), a check is one line that tells nothing: it stays open.
"""

import re
from itertools import chain

from minigrad.course.lessons import badges, lesson

MARKED = re.compile(
    r"^(?P<start>\s*(return |[\w.\[\], ]+ [-+*/]?= ))(?P<answer>.*?)"
    r"(?P<mark>\s+# (your prediction|fill in))$"
)
CHECKS = re.compile(r"^check(_\w+)?\(", re.MULTILINE)
PLAIN = re.compile(r"check\([^,\n]+(, [^,\n]+)?\)$", re.MULTILINE)  # one that tells nothing
OBSERVES = re.compile(r"observe\((?s:.*)\b(hints|why)=")  # what tells the answer to a prediction
LABELS = {"check": "# check", "observe": "# your prediction, answered"}  # of folded cells
BEGIN, END = "# begin answer", "# end answer"


def hand_out(notebook):
    """The notebook without outputs and answers; an exercise is followed by its worked answer.

    The check of an exercise is folded, since its hints tell what to write; so is a cell that
    begins with `observe`, whose sentences tell what comes.
    """
    cells = []
    whole = lesson.without_outputs(notebook).cells
    for cell in whole[:1]:
        cell.source = badges.without_row(cell.source)
    for cell, part in student_parts(chain.from_iterable(map(split_check, whole))):
        cells.append(cell)
        if part in LABELS:
            fold_cell(cell, LABELS[part])
        elif part != "text":
            cell.source, answer = blank_answers(cell.source)
            if answer:
                cells.append(fold_answer(answer, cell.id))
    notebook.cells = cells
    return notebook


def above_check(source):
    """What stands above the check in a cell; nothing where there is none."""
    return source[: start_of_check(source)].rstrip("\n")


def start_of_check(source):
    """Where the check in a cell begins, with what it needs below the last worked answer; else 0."""
    check = telling_check(source)
    if not check:
        return 0
    needed = re.match(f"(?s:.*){END}\n(    .*\n|\n)*", source[: check.start()])
    return needed.end() if needed else check.start()


def telling_check(source):
    """The check in a cell, as a match, where its own lines tell what to write; else None."""
    check = CHECKS.search(source)
    return None if check and PLAIN.match(source, check.start()) else check


def student_parts(cells):
    """(cell, its part to a student): "text", "code", "prediction", "exercise", "check", "observe".

    A check is one only below an exercise; elsewhere it just says that something holds.
    """
    asked = False
    for cell in cells:
        part = "text" if cell.cell_type != "code" else part_of_code(cell.source, asked)
        if part == "exercise":
            asked = not CHECKS.search(cell.source)
        asked = asked and part != "check"
        yield cell, part


def part_of_code(source, asked):
    """What a code cell is to a student; `asked` says whether an exercise above has no check yet."""
    if OBSERVES.match(source):
        return "observe"
    blank, answer = blank_answers(source)
    if blank != source:
        return "prediction" if "predict(" in source and not answer else "exercise"
    return "check" if asked and telling_check(source) else "code"


def split_check(cell):
    """The cell; where it asks for an answer and then checks it, the cell and its check."""
    from nbformat.v4 import new_code_cell

    above = above_check(cell.source)
    if cell.cell_type != "code" or blank_answers(above)[0] == above:
        return [cell]
    below = new_code_cell(cell.source[start_of_check(cell.source) :], id=f"{cell.id}-check")
    cell.source = above
    return [cell, below]


def fold_cell(cell, label):
    """Folds a cell under a label: of it JupyterLab shows the first line."""
    cell.metadata["jupyter"] = {"source_hidden": True}
    if not cell.source.startswith(label):
        cell.source = f"{label}\n{cell.source}"


def blank_answers(source):
    """(the source with ... for each answer, the lines of the worked answer)."""
    lines, answer, inside = [], [], False
    for line in source.split("\n"):
        marked = MARKED.match(line)
        if line.strip() == BEGIN:
            inside = True
            lines.append(line.replace(BEGIN, "..."))
        elif line.strip() == END:
            inside = False
        elif inside:
            answer.append(line)
        elif marked:
            lines.append(f"{marked['start']}...{marked['mark']}")
            if marked["mark"].endswith("fill in"):
                answer.append(marked["start"] + marked["answer"])
        else:
            lines.append(line)
    return "\n".join(lines), answer


def fold_answer(answer, beside):
    """A text cell that unfolds to a worked answer."""
    from nbformat.v4 import new_markdown_cell

    code = "\n".join(answer)
    text = f"<details><summary>A worked answer</summary>\n\n```python\n{code}\n```\n\n</details>"
    return new_markdown_cell(text, id=f"{beside}-answer")
