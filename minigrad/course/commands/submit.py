"""`minigrad submit ps1`: the file to hand in, after a look at whether it can be graded."""

from minigrad.course.grading import answers, assignment, desk, markup, notebook
from minigrad.course.lessons import lesson

HELP = "write the notebook to hand in, and say what it answers"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="the assignment, as ps1")
    parser.add_argument("--file", metavar="NOTEBOOK", help="default: my/NAME/NAME.ipynb")


def run(args):
    """Write the notebook without its outputs; the exit status is 1 when an answer is missing."""
    chosen = assignment.find(args.name)
    path = desk.started(args.name, args.file)
    raw = notebook.read(path)
    master = assignment.released_master(chosen)
    found = answers.extract(master, raw)
    target = desk.desk(args.name, path.parent).submission
    lesson.write(target, notebook.as_text(notebook.without_outputs(raw)))
    states = [state(part) + others(part, master) for part in found.parts if not part.given]
    states += [f"✗ {name}   its answer cell is missing" for name in found.missing]
    states += [
        f"✓ {name}   written" if text.strip() else f"✗ {name}   nothing is written"
        for name, _, text in found.written
    ]
    print("\n".join([*states, *(f"note: {note}" for note in found.notes)]))
    print(f"hand in: {desk.shown(target)}")
    return 1 if any(line.startswith("✗") for line in states) else 0


def state(part):
    """One line about an answer."""
    if not answers.parses(part.source):
        return f"✗ {part.name}   is not Python; it will get no points"
    if markup.STUB[0] in part.source and markup.STUB[1] in part.source:
        return f"✗ {part.name}   still says {markup.STUB[0][2:]}"
    if missing := sorted(part.defines - answers.defined_names(part.source)):
        return f"· {part.name}   answered; it does not define {', '.join(missing)}"
    return f"✓ {part.name}   answered"


def others(part, master):
    """Which other questions are asked about the same cell, in words; nothing when none is."""
    found = [q for q, names in master.own.items() if part.name in names and q != part.question]
    return f"   (for {' and '.join(found)}, too)" if found else ""
