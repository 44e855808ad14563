"""A lesson as a student opens it: guesses and exercises blank, worked answers and checks folded.

The committed lesson holds the answers, marked so: `name = 5  # your guess`, `t = s * w  # fill in`
(also `t.grad += …` and `return …`), and, for several lines, `# begin answer` … `# end answer`.
"""

import re

from minigrad.course import lesson

MARKED = re.compile(
    r"^(?P<start>\s*(return |[\w.\[\], ]+ [-+*/]?= ))(?P<answer>.*?)"
    r"(?P<mark>\s+# (your guess|fill in))$")
CHECKS = re.compile(r"\bcheck(_\w+)?\(")
BEGIN, END = "# begin answer", "# end answer"


def handed_out(notebook):
    """The notebook without outputs and answers; an exercise is followed by its worked answer.

    A cell that only checks shows its first line, since its hints tell what to write.
    """
    cells = []
    for cell in lesson.without_outputs(notebook).cells:
        cells.append(cell)
        if cell.cell_type == "code":
            source, answer = blank(cell.source)
            if source == cell.source and CHECKS.search(source):
                cell.metadata["jupyter"] = {"source_hidden": True}
            cell.source = source
            if answer:
                cells.append(folded(answer, cell.id))
    notebook.cells = cells
    return notebook


def blank(source):
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


def folded(answer, beside):
    """A text cell that unfolds to a worked answer."""
    from nbformat.v4 import new_markdown_cell

    code = "\n".join(answer)
    text = f"<details><summary>A worked answer</summary>\n\n```python\n{code}\n```\n\n</details>"
    return new_markdown_cell(text, id=f"{beside}-answer")
