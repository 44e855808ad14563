"""The time of a question, and whose fault is whose: nothing of one question touches another."""

import contextlib
import dataclasses
import os
from types import SimpleNamespace

import pytest

from minigrad.course.commands import grade
from minigrad.course.gradebook import submissions
from minigrad.course.grading import bench as benches
from minigrad.course.grading import meter, session
from minigrad.course.grading.assignment import Part
from minigrad.course.grading.report import CRASHED, GRADED, Check, Code, Report
from minigrad.course.grading.worker import Limits, Lost, Setting

PARTS = (
    Part("setup", "", True, "given"),
    Part("q1", "q1", False, "one"),
    Part("q2", "q2", False, "two"),
)
RUNS = {"q1": ["setup", "q1"], "q2": ["setup", "q1", "q2"]}
OWN = {"q1": ["q1"], "q2": ["q2"]}
LIMITS = Limits(call_seconds=4, question_seconds=12)
SETTING = Setting("none", (), LIMITS)
PASSED = Check("a", "a", "q1", 1, "passed")
CALL = {"do": "call", "with": {}}


class Clock:
    """A machine on which only what the test says takes time."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class Played:
    """A worker that takes the seconds that `plays` has for a cell's name, or for "call"; a text
    in place of seconds is how it is lost."""

    lacking, tells, returncode = (), True, None

    def __init__(self, plays, clock, heard):
        self.plays, self.clock, self.heard, self.cpu_seconds = plays, clock, heard, 0
        self.meter = self.process = self
        self.begun, self.uncounted_seconds, self.idle_seconds = clock.now, 0, 0

    def look(self):
        return self.cpu_seconds

    def ask(self, request, seconds):
        name = request["with"].get("name", request["do"])
        self.heard.append(name)
        play = self.plays.get(name, 0)
        if type(play) is str:
            raise Lost(play, f"it was {play}")
        if type(play) is dict:
            return {"error": play}
        self.clock.now += min(play, seconds)
        self.cpu_seconds += min(play, seconds)
        self.idle_seconds += min(play, seconds) * self.plays.get("asleep", 0)
        if play > seconds:
            raise Lost("slow", "it did not come back in time")
        return {"value": None}

    def close(self):
        """Nothing to end."""


@pytest.fixture
def play(monkeypatch):
    """A function that makes a bench whose workers do what it is given."""

    def made(**plays):
        clock = Clock()
        monkeypatch.setattr(benches, "time", clock)
        monkeypatch.setattr(meter, "time", clock)
        found = benches.Bench(PARTS, RUNS, OWN, SETTING)
        found.plays, found.heard, found.clock = plays, [], clock
        found.start_worker = lambda: Played(found.plays, clock, found.heard)
        return found

    return made


def test_the_workers_of_a_submission_belong_to_its_run(monkeypatch):
    made = []
    worker = SimpleNamespace(lacking=())
    monkeypatch.setattr(benches, "Worker", lambda *given: made.append(given) or worker)
    monkeypatch.setattr(session.answers, "extract", lambda *_: SimpleNamespace(parts=PARTS))
    master = SimpleNamespace(runs=RUNS, own=OWN)
    job = SimpleNamespace(raw={}, master=master, setting=SETTING, asked=(), seed="", brief=False)
    job.load_only, run = True, SimpleNamespace()
    session.Grading(lambda: job, "run-7").prepare(run)
    run.bench.start_worker()
    assert made == [(SETTING, "run-7")]


def lost(bench, times=1):
    """How often the next calls are lost, and what was said last."""
    said = []
    for _ in range(times):
        try:
            bench.ask(CALL)
        except Lost as error:
            said.append(f"{error.kind}: {error}")
    return len(said), said[-1] if said else ""


def test_a_question_that_uses_up_its_time_leaves_the_next_one_whole(play):
    bench = play(call=99)
    bench.turn_to("q1")
    assert lost(bench, 6) == (6, "slow: the time for this question was used up")
    assert bench.broken == {}
    bench.plays.clear()
    bench.turn_to("q2")
    assert lost(bench) == (0, "")
    assert bench.heard[-4:] == ["setup", "q1", "q2", "call"]
    assert bench.fault() is None


def test_cells_that_are_slow_to_load_take_no_time_of_the_question(play):
    bench = play(setup=3.9, q1=3.9, q2=3.9, call=3.9)
    bench.turn_to("q2")
    assert lost(bench, 3) == (0, "")
    assert lost(bench)[0] == 1


def test_loading_again_takes_time_of_the_question_and_breaks_no_cell(play):
    bench = play(q1=3, q2=3, call=99)
    bench.turn_to("q2")
    assert lost(bench, 9) == (9, "slow: the time for this question was used up")
    assert bench.broken == {}
    assert bench.heard.count("q2") == 2


def test_a_cell_that_never_ends_is_left_out_and_a_given_one_never_is(play):
    bench = play(q1=99)
    bench.turn_to("q2")
    assert lost(bench) == (0, "")
    assert list(bench.broken) == ["q1"]
    assert bench.fault(beside=True)[::2] == ("q1: it did not come back in time", "slow")
    bench = play(setup=99)
    bench.turn_to("q1")
    assert lost(bench, 5)[0] == 5
    bench.plays.clear()
    bench.turn_to("q2")
    assert (lost(bench), bench.broken) == ((0, ""), {})


@pytest.mark.parametrize("kind", ["died", "forged"])
def test_a_given_cell_that_ends_the_process_costs_this_question_alone(play, kind):
    bench = play(setup=kind)
    bench.turn_to("q1")
    assert lost(bench, 2) == (2, f"{kind}: it was {kind}")
    bench.plays.clear()
    bench.turn_to("q2")
    assert (lost(bench), bench.broken) == ((0, ""), {})


def test_a_fault_of_one_worker_is_not_shown_for_the_next(play):
    error = {"type": "ValueError", "text": "once", "line": "q1, line 1"}
    bench = play(q1=error)
    bench.turn_to("q1")
    bench.ask(CALL)
    assert bench.fault()[0] == "q1: the cell stopped with ValueError: once (q1, line 1)"
    bench.plays.clear()
    bench.turn_to("q2")
    bench.ask(CALL)
    assert bench.fault(beside=True) is None


def test_what_a_busy_machine_may_have_taken_is_in_doubt(play, monkeypatch):
    for plays, tells, status, doubtful in (
        ({"call": 99}, True, -9, False),
        ({"call": 99}, False, -9, True),  # by the clock, where nothing else is known
        ({"call": "died"}, True, 7, False),
        ({"call": "died"}, True, 137, True),
        ({"call": "forged"}, True, -9, False),
        ({}, False, None, False),
    ):
        monkeypatch.setattr(Played, "tells", tells)
        monkeypatch.setattr(Played, "returncode", status)
        bench = play(**plays)
        bench.turn_to("q1")
        lost(bench)
        assert bench.doubtful is doubtful, plays


@pytest.fixture
def queue(monkeypatch):
    """A meter of a process that has waited in vain for `queue.seconds` of 100 on the clock."""
    clock = Clock()
    monkeypatch.setattr(meter, "time", clock)
    monkeypatch.setattr(meter, "descendants", lambda pid: {7: ["R", *["0"] * 20]})
    monkeypatch.setattr(meter, "busy", lambda pid: True)
    found = meter.Meter(7)
    monkeypatch.setattr(meter, "seconds_waited", lambda pid: found.seconds)
    clock.now = 100.0
    return found


@pytest.mark.parametrize(("waited", "counted"), [(0, 20), (50, 10), (99.5, 0.1), (150, 0)])
def test_who_waits_for_a_processor_is_not_charged_for_it(queue, waited, counted):
    queue.tells, queue.seconds = True, waited
    assert queue.look() == pytest.approx(counted)


def test_time_in_which_nobody_waits_for_the_worker_is_not_its_time(play):
    bench = play(call=0.1)
    bench.turn_to("q1")
    for _ in range(5):
        bench.ask(CALL)
        bench.clock.now += 100  # the process that holds the checks gets no processor
    bench.plays["call"] = 3
    bench.ask(CALL)
    assert bench.worker.uncounted_seconds == pytest.approx(500.5)
    bench.worker.tells = False  # then the clock is all there is
    assert meter.Meter.look(bench.worker) == pytest.approx(3)


def test_the_system_tells_how_long_a_process_has_waited():
    assert meter.seconds_waited(os.getpid()) >= 0
    assert meter.seconds_waited("none") == 0


def test_what_is_in_doubt_is_graded_again_alone_before_it_counts(tiny, monkeypatch):
    crashed, sure = Report(CRASHED, reason="no worker"), Report(GRADED, (PASSED,))
    first = {"ann": sure, "bob": crashed, "eve": dataclasses.replace(sure, doubtful=True)}
    order, kept = [], {}

    def mark(entry, *arguments):
        order.append(entry.student)
        return first.pop(entry.student, sure)

    monkeypatch.setattr(grade, "grade_entry", mark)
    entries = [submissions.Entry(name, None) for name in first]
    found = grade.GradingRun(tiny, SETTING, "seed").grade_all(entries, 2, keep=kept.__setitem__)
    assert sorted(order[:3]) == ["ann", "bob", "eve"]
    assert order[3:] == ["bob", "eve"]
    assert dict(found) == kept == dict.fromkeys(("ann", "bob", "eve"), sure)


def test_only_the_lost_questions_are_asked_once_more(tiny, monkeypatch):
    lost, other = Check("b", "b", "q2", 1, "died", "it died"), Check("c", "c", "q3", 1, "failed")
    codes = (Code("q2", "os._exit(0)"),)
    first = Report(CRASHED, (PASSED, lost, other), "q2: it died", doubtful=True, codes=codes)
    asked, second = [], Report(GRADED, (dataclasses.replace(lost, outcome="passed", message=""),))

    def mark(entry, chosen, master, setting, seed, grade, questions=()):
        asked.append(questions)
        return second if questions else first

    monkeypatch.setattr(grade, "grade_entry", mark)
    entries = [submissions.Entry("ann", None)]
    ((_, found),) = grade.GradingRun(tiny, SETTING, "seed").grade_all(entries, 1)
    assert asked == [(), ("q2",)]
    assert found == Report(GRADED, (PASSED, *second.checks, other))
    gone = Report(CRASHED, reason="no worker", doubtful=True)
    assert grade.once_more(first, lambda _: gone) is first


def test_cells_have_one_budget_however_often_they_are_run(play):
    limits = Limits(call_seconds=4, question_seconds=12, loading_seconds=10)
    bench = play(q1=3.9, q2=3.9)
    bench.setting = Setting("none", (), limits)
    for _ in range(20):
        for question in ("q1", "q2"):
            bench.turn_to(question)
            with contextlib.suppress(Lost):
                bench.ask(CALL)
    assert bench.clock.now < limits.loading_seconds + 2 * limits.call_seconds
    bench.turn_to("q2")
    with pytest.raises(benches.UsedUp, match="running the cells was used up"):
        bench.ask(CALL)


def test_of_a_long_cell_the_function_is_told_and_not_the_line():
    body = "\n".join(f"    x += {number}" for number in range(benches.MOST_LINES))
    source = f"def helper(x):\n{body}\n\n\ndef asked(x):\n    return x\n"
    part = Part("q1", "q1", False, source, frozenset({"asked"}))
    places = benches.list_places(part)
    assert set(places) == {"q1", "q1, in asked"} and places[5] == "q1"
    assert places[source.splitlines().index("def asked(x):")] == "q1, in asked"
    short = dataclasses.replace(part, source="def asked(x):\n    return x")
    assert benches.list_places(short) == ["q1, line 1", "q1, line 2"]


def test_what_is_lost_again_stays_lost(tiny, monkeypatch):
    crashed = Report(CRASHED, reason="no worker")
    monkeypatch.setattr(grade, "grade_entry", lambda *arguments: crashed)
    entries = [submissions.Entry("ann", None)]
    run = grade.GradingRun(tiny, SETTING, "seed")
    assert run.grade_all(entries, 1) == [("ann", crashed)]


def test_who_waits_a_little_in_each_call_is_forgiven_only_so_much(play):
    bench = play(call=0.9)
    for question in ("q1", "q2") * 4:
        bench.turn_to(question)
        lost(bench, 40)
    assert benches.MOST_FORGIVEN <= bench.forgiven < benches.MOST_FORGIVEN + 1
    assert bench.clock.now > benches.MOST_FORGIVEN


def test_who_sleeps_in_each_question_is_stopped_in_all_that_follow(play):
    bench = play(call=3, asleep=1)
    for question in ("q1", "q2") * 20:
        bench.turn_to(question)
        said = lost(bench, 4)
    assert said == (4, "slow: the time for waiting, of all questions together, was used up")
    assert benches.MOST_IDLE <= bench.clock.now <= benches.MOST_IDLE + 3
    assert not bench.doubtful and bench.heard[-1] == "call"


def test_who_works_as_long_as_others_sleep_is_not_stopped(play):
    bench = play(call=3)
    for question in ("q1", "q2") * 20:
        bench.turn_to(question)
        assert lost(bench, 3)[0] == 0
    assert bench.clock.now > 2 * benches.MOST_IDLE
