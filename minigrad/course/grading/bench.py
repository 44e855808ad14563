"""A submission on the bench: a fresh worker for each question, loaded cell by cell."""

import ast
import time
from typing import NamedTuple

from minigrad.course.grading import markup
from minigrad.course.grading.inside.wire import WireError
from minigrad.course.grading.report import UNANSWERED
from minigrad.course.grading.student import (
    check_error,
    forged_answer_error,
    public_error,
    whole_error,
)
from minigrad.course.grading.worker import Lost, Worker

BRIEF_SECONDS = 1
MOST_FORGIVEN = 60  # seconds of waiting in short calls that are not counted, per submission
MOST_IDLE = 120  # seconds that the processes of one submission may be idle in calls, all together
MOST_LINES = 100  # of a cell whose lines are told by their numbers
KILLED = (-9, 137)  # by the system, as when memory runs out; told by the process or by bwrap


class GraderFault(Exception):
    """Something that is not the student's doing: grading cannot go on."""


class UsedUp(Lost):
    """The question, or all running of cells, has no time left: no fault of the cell or call that
    was asked for last."""

    def __init__(self, what="this question"):
        super().__init__("slow", f"the time for {what} was used up")


class Bench:
    """Runs one submission. `broken` keeps the answers that ended or stopped a process, which are
    left out from then on; `faults` says of the cells in this worker why they stopped.
    `doubtful` says whether a busy machine may be why something was lost. Its workers belong to the
    run with this `token`."""

    def __init__(self, parts, runs, own, setting, token=""):
        self.parts, self.runs, self.own, self.setting = parts, runs, own, setting
        self.token = token
        self.faults, self.broken, self.lacking = {}, {}, set()
        self.places = {part.name: list_places(part) for part in parts}
        self.question = self.worker = self.begun = self.idle_since = None
        self.seconds_spent, self.loading_spent, self.forgiven = 0, 0, 0
        self.idle_spent, self.doubtful, self.came = 0, False, ()

    def turn_to(self, question):
        """Make the next `ask` go to a worker of `question`, with the question's own time."""
        if question != self.question:
            self.close()
            self.question, self.begun, self.seconds_spent = question, None, 0
            self.faults = {}

    def ask(self, request):
        """The reply of the question's worker, which is started when there is none. Raises UsedUp
        if the submission has been idle too long in all, as when it sleeps a little less than each
        limit allows."""
        if self.idle_seconds() >= MOST_IDLE:
            self.close()
            raise UsedUp("waiting, of all questions together,")
        if self.worker is None:
            self.load()
        return self.send(request)

    def send(self, request):
        """Pass one request on, within what is left of the question's time."""
        left, longest = self.seconds_left(), self.setting.limits.call_seconds
        if left <= 0:
            self.close()
            raise UsedUp
        meter, asked = self.worker.meter, time.monotonic()
        meter.uncounted_seconds += asked - (self.idle_since or meter.begun)
        try:
            reply = self.worker.ask(request, min(left, longest))
            self.idle_since = time.monotonic()
            self.forgive(self.idle_since - asked)
            return reply
        except Lost as lost:
            self.seconds_spent += self.worker.meter.look()
            self.idle_spent = self.idle_seconds()
            killed = self.worker.process.returncode in KILLED
            untold = {"slow": not self.worker.meter.tells, "died": killed}
            self.doubtful |= untold.get(lost.kind, False)
            self.worker = None
            if lost.kind == "slow" and left < longest:
                raise UsedUp from lost
            raise

    def forgive(self, seconds):
        """Do not count a short call: this process may have been kept waiting. The total that is
        forgiven is limited, so that many short waits do not add up."""
        if seconds < BRIEF_SECONDS and self.forgiven < MOST_FORGIVEN:
            self.worker.meter.uncounted_seconds += seconds
            self.forgiven += seconds
        elif seconds >= BRIEF_SECONDS:
            self.worker.meter.look()

    def idle_seconds(self):
        """How long the processes of this submission have been idle in calls, all together; 0 with
        Docker, since the processes of a container cannot be seen from outside."""
        if self.setting.sandbox == "docker":
            return 0
        return self.idle_spent + (self.worker.meter.idle_seconds if self.worker else 0)

    def seconds_left(self):
        """The seconds that are left of the question's time, or more while no call could lack it."""
        limits = self.setting.limits
        begun = time.monotonic() if self.begun is None else self.begun
        if time.monotonic() - begun < limits.question_seconds - limits.call_seconds:
            return limits.question_seconds
        return limits.question_seconds - self.seconds_spent - self.worker.meter.look()

    def load(self):
        """Start a worker with the cells up to the question's last one. The first load is not
        charged to the question, because most of the cells belong to other questions."""
        first = self.begun is None
        try:
            while not self.run_cells():
                pass
        finally:
            self.begun = time.monotonic() if first else self.begun
        if first:
            self.seconds_spent = -self.worker.meter.look()

    def run_cells(self):
        """Execute the cells in a new worker; False when an answer ended it, which is left out
        from then on. Raises Lost when that was a given cell, or for want of time."""
        self.worker, self.faults, self.idle_since = self.start_worker(), {}, None
        begun, meter = time.monotonic(), self.worker.meter
        try:
            return all(self.run_cell(part, begun) for part in self.parts_before())
        finally:
            self.loading_spent += seconds_since(begun, meter)

    def run_cell(self, part, begun):
        """Execute one of the cells; False when the answer in it ended the worker."""
        spent = self.loading_spent + seconds_since(begun, self.worker.meter)
        if spent >= self.setting.limits.loading_seconds:
            self.close()
            raise UsedUp("running the cells")
        try:
            reply = self.send({"do": "cell", "with": {"name": part.name, "source": part.source}})
        except Lost as lost:
            if part.given or isinstance(lost, UsedUp):
                raise
            said = f"{part.name}: {lost}"
            self.broken[part.name] = Fault(said, said, lost.kind)
            return False
        if "error" in reply:
            self.faults[part.name] = describe_fault(part, self.error(reply), self.places)
        return True

    def start_worker(self):
        """A new worker. Raises GraderFault when none can be had."""
        try:
            worker = Worker(self.setting, self.token)
        except (OSError, RuntimeError) as error:
            raise GraderFault(f"no worker can be started: {error}") from error
        self.lacking |= set(worker.lacking)
        return worker

    def parts_before(self):
        """The parts to execute: those before the question's checks, so that a later cell
        cannot harm it."""
        names = set(self.runs[self.question]) - set(self.broken)
        return [part for part in self.parts if part.name in names]

    def error(self, reply):
        """The error in a reply to a cell."""
        try:
            return check_error(reply["error"])
        except WireError as problem:
            raise forged_answer_error(self) from problem

    def fault(self, beside=False):
        """The first `Fault` of the question's own cells, or None; with `beside` of all that run for
        it: one may lack what another stopped before it defined it."""
        names = (self.runs if beside else self.own).get(self.question, ())
        known = self.faults | self.broken
        return next((known[name] for name in names if name in known), None)

    def close(self):
        """End the worker, if there is one."""
        if self.worker is not None:
            self.idle_spent = self.idle_seconds()
            self.worker.close()
        self.worker = None


def seconds_since(begun, meter):
    """The seconds of a meter since `begun`; of a brief time, those of the clock."""
    seconds = time.monotonic() - begun
    return seconds if seconds < BRIEF_SECONDS else meter.look()


class Fault(NamedTuple):
    """Why a cell did not run to its end: all that is known, what may be told of a hidden check,
    and how the process was lost, if it was."""

    text: str
    brief: str
    kind: str = ""


NOT_ANSWERED = Fault(UNANSWERED, UNANSWERED)


def list_places(part):
    """What a student may be told of each line of a cell: its number or, in a cell so long that its
    numbers could tell much of a hidden input, which of the asked functions it belongs to."""
    count = part.source.count("\n") + 1
    if count <= MOST_LINES:
        return [f"{part.name}, line {number}" for number in range(1, count + 1)]
    found = [part.name] * count
    tree = markup.parse_quietly(lambda: ast.parse(part.source))
    for statement in tree.body if tree else ():
        for name in markup.names_of(statement) & part.defines:
            span = slice(statement.lineno - 1, statement.end_lineno)
            found[span] = [f"{part.name}, in {name}"] * len(found[span])
    return found


def describe_fault(part, error, places):
    """The `Fault` of a cell that raised."""
    if error["type"] == "NotImplementedError":
        return NOT_ANSWERED
    said = f"{part.name}: the cell stopped with "
    return Fault(said + whole_error(error), said + public_error(error, places))
