"""The instant check inside a notebook: the visible checks, on what the notebook has defined."""

import contextlib
import json
import sys
from dataclasses import replace
from pathlib import Path

from minigrad.core.errors import ArgumentError, MinigradError
from minigrad.course import project
from minigrad.course.grading import answers, assignment, markup, plugin, report, session
from minigrad.course.grading.inside.objects import Objects


class ChecksFailed(Exception):
    """Some checks failed; the text is the report, and a notebook shows nothing else."""

    def _render_traceback_(self):
        """What a notebook shows instead of a traceback."""
        return str(self).split("\n")


class LiveBench:
    """Asks this very process: what a cell has defined is what is checked."""

    lacking, came = (), ()

    def __init__(self, namespace):
        self.objects = Objects(namespace)

    def turn_to(self, question):
        """All questions share the notebook's one process."""

    def ask(self, request):
        """The reply, after the same passage through JSON as between processes."""
        reply = json.loads(json.dumps(self.objects.answer(json.loads(json.dumps(request)))))
        if "error" in reply and reply["error"]["type"] == "KeyboardInterrupt":
            raise KeyboardInterrupt
        return reply

    def fault(self, beside=False):
        """None: a notebook has shown its cells' errors already."""

    def close(self):
        """Nothing to end."""


def check_cells(question, checks="checks.py", depth=1):
    """Run the visible checks of one question on what the calling notebook (`depth` calls up) has
    defined; raise `ChecksFailed` with the report when one fails. `minigrad check` does the same
    with the saved file, from a clean start, with limits of time and memory."""
    path = checks_file(checks)
    namespace = sys._getframe(depth).f_globals
    bench = LiveBench(namespace)
    run = plugin.Plugin(bench, [question])
    fault = plugin.run_checks(path, run)
    if question not in run.questions:
        hint = f"name one of: {', '.join(run.questions)}" if run.questions else fault
        raise ArgumentError(f"{path.name} has no checks for '{question}'", hint=hint)
    tell(session.report_of_run(run, fault, notes=remarks(question, namespace.get("In", ()))))


def remarks(question, cells):
    """What the answer to a question, the last of the notebook's executed `cells` that defines
    what is asked for, will not have when it is graded; nothing where no assignment is known."""
    try:
        master = assignment.released_master(assignment.find(Path.cwd().name))
    except (MinigradError, OSError):
        return []
    parts = [part for part in master.parts if part.given]
    for part in master.parts:
        own = [text for text in cells if part.defines & markup.defined_names(text)]
        if own and not part.given:
            parts.append(replace(part, source=answers.without_magics(part.name, own[-1])[0]))
    graded = {part.source for part in parts}
    left = [text for text in cells if text not in graded]
    lacking = answers.lacking_names(parts, left, master.libraries)
    names = master.own.get(question, ())
    return [f"{name}: {words}" for name, words in lacking if name in names]


def tell(found):
    """Print a report that is well, raise any other."""
    text = report.terminal_text(found) or found.reason
    if found.status != report.GRADED or found.earned_points() < found.possible():
        raise ChecksFailed(text)
    print(text)


def checks_file(name):
    """The checks beside the notebook, or else those of the assignment that its folder is named
    after."""
    here = Path.cwd()
    places = [here / name]
    with contextlib.suppress(MinigradError):
        places.append(project.assignments() / here.name / name)
    for path in places:
        if path.is_file():
            return path.resolve()
    message = f"{name} is not beside this notebook, in {here.name}/"
    raise ArgumentError(message, hint="work on the copy that `minigrad start` makes")
