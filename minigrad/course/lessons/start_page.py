"""The page on which `minigrad lab` opens: all lessons, what is done, and where to go from there.

It is read from the copies on this machine, and told to nobody.
"""

import base64
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course import files
from minigrad.course.grading import assignment
from minigrad.course.lessons import progress, syllabus

NAME = "start.md"
HEAD = """# Where you are

This page is written anew whenever a notebook here is saved: open it again to see. What is done is
read from the outputs in your notebooks, on this machine; nobody else is told.
"""
STUCK = """
## When you are stuck

- A check gives a hint; below each exercise a **worked answer** unfolds.
- Nothing answers, or names are missing: *Run*, then *Restart Kernel and Run All Cells*.
- A lesson as it was: rename your copy, and give `minigrad lab` again. An
  assignment: `minigrad reset`.
- All lessons with their answers: `minigrad lab --key`.
- Something does not run on this machine: `minigrad doctor` says what is missing, and what to do.
- Still stuck: ask your teacher, or open an issue where you found the course, with what `minigrad
  doctor` printed. A question that stopped you stops others, too.
"""


def write_start_page(course, workspace):
    """Write the page into the learner's folder; say whether its text is new."""
    return files.renew(Path(workspace) / NAME, start_page(course, Path(workspace)))


def start_page(course, workspace):
    """The page, in Markdown."""
    lessons = syllabus.read_lessons(course)
    done = {unit.name: progress.lesson_done(workspace / unit.path.name) for unit in lessons}
    parts = [HEAD, next_step(lessons, done)]
    for chapter in syllabus.group_lessons(lessons):
        parts += ["", f"## {chapter.title}", "", "| done | lesson | minutes | builds on | checks |"]
        parts.append("|---|---|---|---|---|")
        parts += [lesson_row(unit, done[unit.name]) for unit in chapter.units]
    parts += assignment_rows(course, workspace)
    return "\n".join([*parts, STUCK, *course_map(course)])


def next_step(lessons, done):
    """The lesson to do next: the first that is not finished, whose needs are."""
    for unit in lessons:
        needs = [done[name] for name in unit.needs if name in done]
        if not done[unit.name].whole and all(need.whole for need in needs):
            begun = "go on with" if done[unit.name].earned else "begin"
            time = f", {unit.time}" if unit.time else ""
            return f"**Next:** {begun} [lesson {unit.name}]({unit.path.name}){time}."
    return "**You have done every lesson.** The assignments are below."


def lesson_row(unit, done):
    """A lesson in its table."""
    link = f"[{unit.name} · {unit.title}]({unit.path.name})"
    checks = f"{done.earned} of {done.possible}" if done.possible else ""
    return f"| {mark(done)} | {link} | {unit.minutes} | {' '.join(unit.needs)} | {checks} |"


def mark(done):
    """✓ for what is finished, … for what is begun."""
    return "✓" if done.whole else "…" if done.earned else ""


def assignment_rows(course, workspace):
    """The lines about assignments: their points by the visible checks, as they show them."""
    units = syllabus.read_assignments(course)
    if not units:
        return
    yield from ("", "## Assignments", "")
    yield from ("| done | assignment | time | builds on | points so far |", "|---|---|---|---|---|")
    for unit in units:
        place = f"{unit.name}/{unit.path.name}"
        begun = (workspace / place).is_file()
        done = progress.assignment_done(workspace / place, points_of(unit))
        title = f"{unit.name} · {unit.title}"
        said = f"{done.earned:g} of {done.possible:g}" if begun else f"`minigrad start {unit.name}`"
        cells = (mark(done), f"[{title}]({place})" if begun else title, unit.time)
        yield f"| {' | '.join(cells)} | {' '.join(unit.needs)} | {said} |"
    yield "\nPoints are what `check` showed in your notebook; the grade comes from other checks."


def points_of(unit):
    """{question: points} of an assignment's visible checks; nothing where they cannot be read."""
    try:
        return assignment.read_master(unit.path, lambda cell: cell.source, unit.name).points
    except MinigradError:
        return {}


def course_map(course):
    """The lines that show the map of lessons, whole in the page, where its figure is there."""
    path = course / "figures" / "course_map.svg"
    if path.is_file():
        code = base64.b64encode(path.read_bytes()).decode("ascii")
        words = "The lessons, and what each builds on, as the tables say."
        yield "## The map\n"
        yield f'<img alt="{words}" src="data:image/svg+xml;base64,{code}">\n'
