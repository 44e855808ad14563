"""`minigrad grade ps1 submissions/`: a whole batch, each submission apart from all others."""

import os
from collections.abc import Callable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from minigrad.core.errors import ArgumentError
from minigrad.course import files
from minigrad.course.gradebook import batches, by_hand, comparison, exports
from minigrad.course.gradebook.feedback import Guide
from minigrad.course.gradebook.platforms import open_submissions
from minigrad.course.gradebook.roster import read_roster
from minigrad.course.gradebook.similar import find_similar
from minigrad.course.gradebook.submissions import fault, find_entries, read_entry
from minigrad.course.gradebook.tables import late_policy, near_names, read_late
from minigrad.course.grading import answers, assignment, names, sandbox, scratch
from minigrad.course.grading.report import BY_HAND, CRASHED, GRADED, Report, from_data
from minigrad.course.grading.run import Graders, Job, leave_folder, run_job
from minigrad.course.grading.worker import Setting
from minigrad.course.lessons import syllabus
from minigrad.workers import WorkersError, connect, local

LONGEST_REASON = 200

HELP = "grade a folder of submissions"
NEEDS = ("jinja2", "pytest", "tqdm")


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("name", help="assignment name, for example ps1")
    said = (
        "folder with STUDENT.ipynb files or one folder per student, or a zip from Canvas or Moodle"
    )
    parser.add_argument("submissions", help=said)
    parser.add_argument("--out", default="grades", help="output folder (default: grades/)")
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--replace", action="store_true", help="grade every submission again")
    again.add_argument(
        "--keep", action="store_true", help="grade only submissions that have changed"
    )
    one = "grade only this student again, changed or not (repeatable)"
    again.add_argument("--only", action="append", metavar="STUDENT", default=[], help=one)
    people = "students: CSV with columns name, id, email, pattern, or text with a name per line"
    parser.add_argument("--roster", metavar="CSV", help=people)
    parser.add_argument(
        "--late", metavar="CSV", help="late days: CSV with columns student, and days or received"
    )
    parser.add_argument(
        "--due",
        metavar="TIME",
        help="deadline for the column received, for example 2026-11-20T23:59",
    )
    percents = "percent of the points kept after 1, 2, ... days late"
    parser.add_argument("--late-keeps", metavar="90,75", default="", help=percents)
    parser.add_argument(
        "--by-hand", metavar="CSV", help="manual grades: CSV with columns student, question, points"
    )
    table = "also write a table of points that Canvas imports (canvas.csv)"
    parser.add_argument("--export", choices=exports.KINDS, help=table)
    title = "column name in Canvas, for example 'ps1 (4711)' (default: a new column)"
    parser.add_argument("--column", metavar="TITLE", help=title)
    sandbox.add_option(parser)
    parser.add_argument("--as-root", action="store_true", help="allow root to use --sandbox none")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of parallel jobs (default: all cores)",
    )
    far = "grade on N workers of this machine, or on the workers of a Dask scheduler"
    parser.add_argument("--workers", metavar="N|ADDRESS", help=far)
    open_wire = "allow a scheduler on another machine without TLS: hidden checks travel to it"
    parser.add_argument("--insecure", action="store_true", help=open_wire)
    best = "print the measured results, best first, under anonymous names"
    parser.add_argument("--table", action="store_true", help=best)
    parser.add_argument(
        "--seed", help="seed of the checks' random inputs (default: a stored secret)"
    )


def run(args):
    """Grade, then write all files at once; the exit status is 1 when a score is not known,
    and not only because texts wait for a reader."""
    leave_folder()
    chosen = assignment.for_instructor(args.name)
    master = assignment.key_master(chosen)
    out = batches.prepare_folder(args.out, args.replace or args.keep or args.only)
    people = read_roster(table_to_use(args.roster, out / "roster.csv")[0])
    exports.refuse_export(args.export, people)
    with open_submissions(args.submissions) as (folder, damaged):
        how = {"has_work": partial(answers.has_work, master), "damage": damaged}
        handed_in = find_entries(folder, args.name, people, out, **how)
        return grade_batch(args, out, chosen, master, handed_in, people)


def grade_batch(args, out, chosen, master, handed_in, roster):
    """The same once it is known who handed in what."""
    title, possible = args.column or args.name, sum(master.possible.values())
    gradebooks = (args.roster, out / "canvas.csv") if args.export else ()
    possible, told = exports.points_in_canvas(title, possible, *gradebooks)
    print(told, end="\n" * bool(told))
    digests = {entry.student: entry.digest for entry in handed_in}
    days, marks = read_tables(args, out, master, digests)
    seed = args.seed or batches.batch_seed(out, bool(args.keep or args.only))
    kind = sandbox.choose_for_others(args.sandbox, args.as_root)
    setting = Setting(kind, master.libraries)
    keys = batches.report_keys(handed_in, chosen, master, setting, seed)
    older = [out / "reports"] if args.keep or args.only else []
    store = batches.Record(batches.unfinished_folder(out) / "reports", keys, older)
    known = reports_to_keep(store, keys, args.only)
    batches.begin(out, seed)
    print(sandbox.notice(kind), flush=True)
    with open_grader(args.workers, args.insecure) as (count, grade):
        grading = GradingRun(chosen, setting, seed, grade)
        found = grading.grade_all(handed_in, count or args.jobs, known, store.put)
    results = []
    for entry, (name, one) in zip(handed_in, found, strict=True):
        given = marks.get(name, ()), days.get(name)
        results.append((name, one.complete(*given, entry.notes, master.possible)))
    reports = {keys[name]: one for name, one in found}
    beside = (reports, digests, days, assignment.rubric(chosen), seed)
    people = {entry.student: entry.person for entry in handed_in if entry.person}
    batch = batches.GradedBatch(args.name, master.possible, results, *beside, people, roster)
    guide = Guide(master.titles, syllabus.lesson_before(args.name), master.texts)
    batch = batch._replace(similar=find_similar(handed_in, master), guide=guide)
    if args.export:
        table = exports.canvas_table(title, results, roster, people, possible)
        batch = batch._replace(exports={f"{args.export}.csv": table})
    status = print_summary(batches.write_batch(out, batch), out, people)
    if args.table:
        comparison.print_table(out)
    return status


def read_tables(args, out, master, digests):
    """(lateness by student, marks by student) from the tables that are given, else from those
    of the grades that are there."""
    days, marks, said = {}, {}, []
    path, again = table_to_use(args.late, out / "late.csv")
    if path:
        gone = said if again else None
        days = read_late(path, digests, late_policy(args.late_keeps), args.due, gone)
    path, again = table_to_use(args.by_hand, out / "by-hand.csv")
    if path:
        gone = said if again else None
        marks, anew = by_hand.read_marks(path, master, digests, gone)
        said += anew
    print("".join(f"{line}\n" for line in said), end="")
    return days, marks


def table_to_use(given, known):
    """(a table or None, whether it is that of the grades that are there). That one may list
    students who have left; a table that is given must not."""
    if given is None and known.is_file():
        print(f"{files.path_text(known)} is used again")
        return known, True
    return given, False


def reports_to_keep(store, keys, only):
    """{student: report} of those that need not be graded again. Raises when `only` some are to
    be graded, and others would have to be too."""
    only = [names.clean_line(name) for name in only]
    for name in only:
        if name not in keys:
            hint = f"write it as in grades.csv{near_names(name, keys)}"
            raise ArgumentError(f"'{name}' is not a student of this batch", hint=hint)
    known = {name: store.get(name) for name in keys if name not in only}
    new = sorted(name for name, report in known.items() if report is None)
    if only and new:
        message = f"the submission or the checks have changed for others too: {', '.join(new[:5])}"
        raise ArgumentError(message, hint="--keep, which grades all that has changed, or --replace")
    return {name: report for name, report in known.items() if report is not None}


def grade_bytes(name, data, checks, master, setting, seed, questions=(), run=run_job):
    """The `Report` of the notebook `data`, which was handed in under `name`, by all questions or
    only some."""
    return run(Job(checks, master, setting, Path(name), data, None, questions, seed, by_hand=True))


@dataclass(frozen=True)
class GradingRun:
    """How the entries of a batch are graded: by the checks of an `assignment`, under one
    `setting` of the sandbox, with one `seed`; `grade` does otherwise what grade_bytes does."""

    assignment: assignment.Assignment
    setting: Setting
    seed: str
    grade: Callable = grade_bytes

    @cached_property
    def master(self):
        """The instructor's notebook."""
        return assignment.key_master(self.assignment)

    def grade_all(self, handed_in, jobs, known=(), keep=lambda *_: None):
        """(student, report) of each entry, in their order; a terminal shows how far.

        Reports in `known` are not made again; `keep(student, report)` is told of each new one at
        once. What was lost beside others is graded once more, alone, and that counts.
        """
        from concurrent.futures import ThreadPoolExecutor

        reports = dict(known)
        new = [entry for entry in handed_in if entry.student not in reports]
        total, grade = len(handed_in), partial(self.grade_beside_others, keep=keep)
        # after an error no other begins: closed, the map cancels what it has not come to
        with ThreadPoolExecutor(max(1, jobs)) as pool, closing(pool.map(grade, new)) as found:
            bar = self.show_progress(found, "", total=total, initial=total - len(new))
            reports |= {entry.student: report for entry, report in zip(new, bar, strict=True)}
        again = [entry for entry in new if reports[entry.student].again]
        self.grade_again(again, reports, keep)
        return [(entry.student, reports[entry.student]) for entry in handed_in]

    def grade_again(self, entries, reports, keep):
        """Grades entries once more, each alone, and puts what counts into `reports`."""
        for entry in self.show_progress(entries, ", once more alone") if entries else ():
            first = reports[entry.student]
            reports[entry.student] = once_more(first, partial(self.grade_one, entry))
            keep(entry.student, reports[entry.student])

    def show_progress(self, found, words, **counts):
        """What is iterated over, with a bar on a terminal."""
        from tqdm import tqdm

        return tqdm(found, f"{self.assignment.name}{words}", unit="student", disable=None, **counts)

    def grade_beside_others(self, entry, keep):
        """The `Report` of one entry, which is kept unless it is to be graded once more."""
        report = self.grade_one(entry)
        if entry.path and report.status == CRASHED and not report.checks:
            refuse_broken_checks(self.assignment, self.master, self.setting)
        if not report.again:
            keep(entry.student, report)
        return report

    def grade_one(self, entry, *questions):
        """The `Report` of one entry, by all questions or by a tuple of them."""
        how = self.assignment, self.master, self.setting, self.seed, self.grade
        return grade_entry(entry, *how, *questions)


def once_more(first, grade_one):
    """The `Report` that counts after a second look at what the first one lost: at those questions
    alone, where it tells them, so that the second look costs no more than they do."""
    lost = first.stopped_questions()
    second = grade_one(lost) if lost else grade_one()
    if not second.checks:
        return first if first.checks else second
    return first.with_questions_of(second) if lost else second


def refuse_broken_checks(chosen, master, setting):
    """Raises an ArgumentError where the hidden checks cannot even be loaded, whoever handed in."""
    found = run_job(Job(chosen.hidden, master, setting, chosen.solution, load_only=True))
    if found.status != GRADED and not found.doubtful:
        hint = f"fix it; minigrad release {chosen.name} runs the checks on the key"
        place = files.path_text(chosen.hidden)
        raise ArgumentError(f"nobody can be graded: {found.reason}", hint, place)


def grade_entry(entry, chosen, master, setting, seed, grade=grade_bytes, questions=()):
    """The `Report` of one student's entry by the hidden checks, of all questions or some; no entry
    stops another."""
    if entry.path is None:
        return Report(entry.status, reason=entry.reason)
    try:
        # what one attempt finds out of its inputs is of no use to the next
        own = f"{seed} {entry.digest}"
        return grade(*read_entry(entry), chosen.hidden, master, setting, own, questions)
    except WorkersError:
        raise
    except Exception as error:
        return Report(CRASHED, reason=fault(error))


@contextmanager
def open_grader(where, insecure):
    """(how many workers there are, what grades by one of them); without, 0 and what grades here."""
    if where is None:
        with Graders() as graders:
            yield 0, partial(grade_bytes, run=graders.run)
        return
    if where.isdigit():
        pool = local(int(where), dashboard=False)  # which every user of the machine could read
    elif where.startswith("tcp:") and not insecure:
        message = (
            f"the scheduler at {where} does not ask who speaks to it, and hidden checks go there"
        )
        hint = "use its tls:// address; where nobody else can reach it, add --insecure"
        raise ArgumentError(message, hint=hint)
    else:
        pool = connect(where, insecure)
    with pool:
        executor = pool.executor()
        print(f"{pool.count} workers", flush=True)

        def send(name, data, hidden, *how):
            with pool.speaking():
                sent = executor.submit(grade_sent, name, data, hidden.read_bytes(), *how)
                return from_data(sent.result())

        yield pool.count, send


def grade_sent(name, data, hidden, *how):
    """What grade_bytes finds, as data; the hidden checks were sent as well, and do not stay."""
    with Graders() as graders:
        checks = scratch.private_folder(graders.folder, "checks") / "hidden.py"
        checks.write_bytes(hidden)
        return grade_bytes(name, data, checks, *how, run=graders.run).as_data()


def print_summary(results, out, people=()):
    """Print how many have which status, and who needs a look."""
    statuses = [report.status for _, report in results]
    counts = [f"{statuses.count(status)} {status}" for status in sorted(set(statuses))]
    print(f"{files.path_text(out)}/grades.csv: {', '.join(counts)}")
    print(f"{files.path_text(out)}/index.html: points by question, failed checks, what is alike")
    for student, report in results:
        if report.status not in (GRADED, BY_HAND):
            reason = names.clean_line(report.reason)[:LONGEST_REASON]
            print(f"  {student}: {report.status}: {reason}")
    unknown = [student for student, _ in results if people and student not in people]
    reports = [report for _, report in results]
    for line in summary_remarks(reports, unknown, f"{files.path_text(out)}/by-hand.csv"):
        print(line)
    done = (one.status == GRADED or one.only_texts_wait() for _, one in results)
    return 0 if all(done) else 1


def summary_remarks(reports, unknown, table):
    """What the instructor should know of the reports, or do about them, a line for each."""
    if noted := sum(bool(report.notes) for report in reports):
        yield f"Notes on {noted} of them are in the column notes."
    if unknown:
        yield f"Not on the roster, graded all the same: {', '.join(unknown)}"
    if any(report.open_questions() for report in reports):
        yield f"Fill the points in {table}, then run this again with --keep."
    if any(not report.checks for report in reports):
        yield f"Nothing is graded of some: {table} takes points for them, too (question all)."
    if lacking := sorted({name for report in reports for name in report.lacking}):
        yield f"This system could not limit: {', '.join(lacking)}."
