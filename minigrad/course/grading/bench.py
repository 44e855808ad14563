"""A submission on the bench: a fresh worker for each question, loaded cell by cell."""

import time

from minigrad.course.grading.report import UNANSWERED
from minigrad.course.grading.worker import Lost, Worker


class GraderFault(Exception):
    """Something that is not the student's doing: grading cannot go on."""


class Bench:
    """Runs one submission. `broken` keeps the cells that ended or stopped a process, which are
    left out from then on; `faults` says for each cell that did not run to its end why."""

    def __init__(self, parts, runs, own, setting):
        self.parts, self.runs, self.own, self.setting = parts, runs, own, setting
        self.faults, self.broken, self.lacking = {}, {}, set()
        self.question = self.worker = None
        self.begun = self.spent = 0

    def turn_to(self, question):
        """Make the next `ask` go to a worker of `question`, with the question's own time."""
        if question != self.question:
            self.close()
            self.question = question
            self.begun, self.spent = time.monotonic(), 0

    def ask(self, request):
        """The reply of the question's worker, which is started when there is none."""
        if self.worker is None:
            self.load()
        return self.send(request)

    def send(self, request):
        """Pass one request on, within what is left of the question's time."""
        left = self.left()
        if left <= 0:
            self.close()
            raise Lost("slow", "the time for this question was used up")
        try:
            return self.worker.ask(request, min(left, self.setting.limits.call_seconds))
        except Lost:
            self.spent += self.worker.meter.look()
            self.worker = None
            raise

    def left(self):
        """The seconds that are left of the question's time, or more while no call could lack it."""
        limits = self.setting.limits
        if time.monotonic() - self.begun < limits.question_seconds - limits.call_seconds:
            return limits.question_seconds
        return limits.question_seconds - self.spent - self.worker.meter.look()

    def load(self):
        """Start a worker and execute the cells up to the question's last one; begin again
        without a cell that ends the process."""
        while True:
            self.worker = self.started()
            for part in self.wanted():
                try:
                    reply = self.send(cell(part))
                except Lost as lost:
                    self.broken[part.name] = lost
                    self.faults[part.name] = str(lost)
                    break
                if "error" in reply:
                    self.faults[part.name] = described(reply["error"])
            else:
                return

    def started(self):
        """A new worker. Raises GraderFault when none can be had."""
        try:
            worker = Worker(self.setting)
        except (OSError, RuntimeError) as error:
            raise GraderFault(f"no worker can be started: {error}") from error
        self.lacking |= set(worker.lacking)
        return worker

    def wanted(self):
        """The parts to execute: those before the question's checks, so that a later cell
        cannot harm it."""
        names = set(self.runs[self.question]) - set(self.broken)
        return [part for part in self.parts if part.name in names]

    def forged(self):
        """The exception for an answer that is no answer; the worker is not used again."""
        self.close()
        return Lost("forged", "an answer came that is not plain data")

    def own_fault(self):
        """What is known against the question's own cells, (text, how it was lost), or Nones."""
        return self.fault_among(self.own.get(self.question, ()))

    def any_fault(self):
        """The same for all cells that run for the question: one may lack what another stopped
        before it defined it."""
        return self.fault_among(self.runs.get(self.question, ()))

    def fault_among(self, names):
        """The first fault of the cells `names`."""
        for name in names:
            if name in self.faults:
                lost = self.broken.get(name)
                return f"{name}: {self.faults[name]}", lost and lost.kind
        return None, None

    def close(self):
        """End the worker, if there is one."""
        if self.worker is not None:
            self.worker.close()
        self.worker = None


def cell(part):
    """The request that executes a part."""
    return {"do": "cell", "with": {"name": part.name, "source": part.source}}


def described(error):
    """Why a cell stopped, in words."""
    if type(error) is not dict or error.get("type") == "NotImplementedError":
        return UNANSWERED
    return f"the cell stopped with {error.get('type')}: {error.get('text')} ({error.get('line')})"
