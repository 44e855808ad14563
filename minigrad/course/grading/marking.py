"""From a notebook to its report: find the answers, run the checks, say what went wrong."""

from minigrad.course.grading import answers, assignment, notebook, run
from minigrad.course.grading.report import CRASHED, MISSING, UNREADABLE, Report


def mark(path, checks, master, setting, questions=None, seed="minigrad"):
    """The `Report` of the notebook at `path`. Raises nothing: one submission stops no other."""
    try:
        return mark_raw(notebook.read(path), checks, master, setting, questions, seed)
    except notebook.Unreadable as error:
        return Report(UNREADABLE, reason=f"{error.fact}; {error.mend}")
    except Exception as error:
        return Report(CRASHED, reason=f"the grader failed: {type(error).__name__}: {error}")


def mark_raw(raw, checks, master, setting, questions=None, seed="minigrad"):
    """The same for a notebook that has been read. Raises `Unreadable` when it holds no answer."""
    found = answers.extract(master, raw)
    questions = tuple(questions or master.questions)
    return run.run(run.Job(checks, found.parts, master, questions, setting, found.notes, seed))


def mark_entry(entry, chosen, master, setting, seed):
    """The `Report` of one student's entry, by the hidden checks."""
    if entry.path is None:
        return Report(MISSING, reason=entry.reason)
    return mark(entry.path, chosen.hidden, master, setting, seed=seed)


def mark_key(chosen, checks, setting):
    """The `Report` of the instructor's own answers."""
    master = assignment.key_master(chosen)
    return run.run(run.Job(checks, master.parts, master, tuple(master.questions), setting))
