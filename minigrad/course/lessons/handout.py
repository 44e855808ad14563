"""A lesson as a student opens it: guesses and exercises blank, worked answers and checks folded.

The committed lesson holds the answers, marked so: `name = 5  # your guess`, `t = s * w  # fill in`
(also `t.grad += …` and `return …`), and, for several lines, `# begin answer` … `# end answer`.
"""

import re
from itertools import chain

from minigrad.course.lessons import lesson

MARKED = re.compile(
    r"^(?P<start>\s*(return |[\w.\[\], ]+ [-+*/]?= ))(?P<answer>.*?)"
    r"(?P<mark>\s+# (your guess|fill in))$"
)
CHECKS = re.compile(r"^check(_\w+)?\(", re.MULTILINE)
OBSERVES = re.compile(r"observe\(")  # from its first line on: what answers a guess
CHECK, OBSERVE = "# check", "# your guess, answered"  # first lines of folded cells
BEGIN, END = "# begin answer", "# end answer"


def hand_out(notebook):
    """The notebook without outputs and answers; an exercise is followed by its worked answer.

    The check of an exercise is folded, since its hints tell what to write; so is a cell that
    begins with `observe`, whose sentences tell what comes.
    """
    cells, asked = [], False
    whole = lesson.without_outputs(notebook).cells
    for cell in chain.from_iterable(map(split_check, whole)):
        cells.append(cell)
        if cell.cell_type != "code":
            continue
        source, answer = blank_answers(cell.source)
        if OBSERVES.match(source):
            source = fold_cell(cell, OBSERVE)
        elif asked and source == cell.source and CHECKS.search(source):
            source, asked = fold_cell(cell, CHECK), False
        elif source != cell.source and "predict(" not in source:
            asked = True
        cell.source = source
        if answer:
            cells.append(fold_answer(answer, cell.id))
    notebook.cells = cells
    return notebook


def split_check(cell):
    """The cell; where it asks for an answer and then checks it, the cell and its check."""
    from nbformat.v4 import new_code_cell

    check = CHECKS.search(cell.source)
    above = cell.source[: check.start()].rstrip("\n") if check else ""
    if cell.cell_type != "code" or blank_answers(above)[0] == above:
        return [cell]
    below = new_code_cell(cell.source[check.start() :], id=f"{cell.id}-check")
    cell.source = above
    return [cell, below]


def fold_cell(cell, label):
    """The source of a cell, folded, under a label: of it JupyterLab shows the first line."""
    cell.metadata["jupyter"] = {"source_hidden": True}
    return cell.source if cell.source.startswith(label) else f"{label}\n{cell.source}"


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
