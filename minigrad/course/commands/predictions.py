"""`minigrad predictions FOLDER`: what a class predicted in a lesson, for the next lecture."""

import textwrap

from minigrad.course import files

HELP = "count what a class predicted in the lessons that it handed in"
NEEDS = ("jinja2",)
WIDTH, BAR = 92, 20  # characters of a line, and of the longest bar


def arguments(parser):
    """Define the command's arguments."""
    said = "folder with a lesson notebook or a folder per student, or a zip from Canvas or Moodle"
    parser.add_argument("folder", help=said)
    page = "page to write (default: predictions.html); it replaces only a page of this command"
    parser.add_argument("--out", metavar="FILE.html", default="predictions.html", help=page)


def run(args):
    """Count the predictions, write the page, and print a table."""
    from minigrad.course.gradebook import predictions

    out = files.page_path(args.out, predictions.GENERATOR)
    known = predictions.read_class(args.folder, out.absolute())
    files.write_atomically(out, predictions.predictions_page(known))
    for lesson in known.lessons:
        print("\n".join(lesson_lines(lesson)))
    print(f"{known.remark}\n" * bool(known.remark), end="")
    print(f"{files.path_text(out)}: a question at a time, then its answer. No name is in it.")
    return 0


def lesson_lines(lesson):
    """The lines about a lesson."""
    count = f"{lesson.students} student{'s' * (lesson.students != 1)}"
    yield f"Lesson {lesson.number} · {lesson.title} · {count}"
    for tally in lesson.tallies:
        yield f"\n  {tally.question.ask}"
        for row in (*tally.rows, *tally.others):
            yield from row_lines(row, lesson.students)
        yield f"  {tally.blank:>4}  {'':<{BAR}}  (no prediction)"
        yield f"        {tally.share}"
    yield ""


def row_lines(row, students):
    """The line of a prediction, with what the lesson says of it below."""
    bar = "█" * round(BAR * row.count / students)
    yield f"  {row.count:>4}  {bar:<{BAR}}  {row.label}{' ✓' * row.right}"
    if row.comment:
        indent = " " * (BAR + 12)
        room = {"initial_indent": indent, "subsequent_indent": indent}
        yield textwrap.fill(row.comment, WIDTH, **room)
