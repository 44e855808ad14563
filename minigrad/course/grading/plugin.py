"""The pytest plugin: the fixture `student`, the marker `question`, and the record of each check."""

import inspect
import os
import random
import sys
import traceback
from pathlib import Path

from minigrad.course import project

try:
    import pytest
except ImportError:
    raise project.lacking("pytest") from None

from minigrad.course.grading.bench import NOT_ANSWERED, GraderFault
from minigrad.course.grading.comparing import Mismatch, unusable
from minigrad.course.grading.faults import is_own_error
from minigrad.course.grading.report import UNANSWERED, Check
from minigrad.course.grading.student import Student, StudentError, printable
from minigrad.course.grading.worker import Lost

HERE = Path(__file__).parent
OPTIONS = ["-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:faulthandler"]
OPTIONS += ["-p", "no:unraisableexception", "-p", "no:threadexception"]
OPTIONS += ["--noconftest", "--strict-markers", "--import-mode=importlib"]


class Plugin:
    """One pytest run over a checks file; afterwards `checks` and `fault` say what it found.
    `prepare(plugin)` is called once the checks are loaded, or could not be: it may set the fields
    that are arguments here, and says whether to run them."""

    def __init__(self, bench=None, questions=None, prepare=None):
        self.bench, self.only, self.prepare = bench, questions, prepare
        self.seed, self.brief = "minigrad", False
        self.checks, self.questions, self.fault = [], [], None

    @pytest.fixture
    def student(self, request):
        """The student's code, behind a proxy; fresh for each question."""
        self.bench.turn_to(marker_fields(request.node)["name"])
        return Student(self.bench)

    @pytest.fixture
    def rng(self, request):
        """Random numbers that are the same in every run of one check with one seed; a hidden
        check has others than a visible one of its name."""
        return random.Random(f"{self.seed} {request.path.name} {request.node.name}")

    @pytest.fixture
    def measure(self, request):
        """measure(number, unit) tells what the class's table compares, the least first; the
        check's title says of what."""

        def keep(number, unit):
            request.node.measured = {"measured": float(number), "unit": unit}

        return keep

    def pytest_collection_modifyitems(self, items):
        """Every check belongs to a question."""
        try:
            self.questions = list(dict.fromkeys(marker_fields(item)["name"] for item in items))
        except pytest.UsageError as error:
            self.fault = str(error)
            raise

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        """Choose what to run of the checks that have been loaded; True for nothing."""
        if session.testsfailed:
            return None
        wanted = self.is_wanted()
        session.config.option.maxfail = int(self.brief)
        if self.only is not None:
            items = session.items
            items[:] = [item for item in items if marker_fields(item)["name"] in self.only]
        if not session.items:
            self.fault = "it holds no check" + (" for these questions" if self.questions else "")
        return None if wanted else True

    def is_wanted(self):
        """Whether to run anything; asked once."""
        prepare, self.prepare = self.prepare, None
        return prepare is None or prepare(self)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        """Record the check once its body has run, or could not. pytest's own report of a failure
        would keep the exception, whose frames keep all that the check has worked with."""
        if call.when == "call" or call.excinfo is not None:
            self.record(item, call.excinfo)
        if call.excinfo is None:
            return None
        release(call.excinfo.value)
        return pytest.TestReport(item.nodeid, item.location, {}, "failed", None, call.when)

    def pytest_collectreport(self, report):
        """A checks file that cannot be loaded is the grader's fault."""
        if report.failed:
            self.fault = f"the checks cannot be loaded: {str(report.longrepr)[-500:]}"

    def pytest_internalerror(self, excrepr):
        """So is an error of pytest itself."""
        self.fault = f"pytest failed: {str(excrepr)[-500:]}"

    def record(self, item, excinfo):
        """Append the `Check` of one item."""
        error = excinfo and excinfo.value
        if is_mistake(error) and is_own_error(error, item.path):
            said = f"the check {item.name} failed by itself: {type(error).__name__}: {error}"
            error = GraderFault(printable(said))
        fields = marker_fields(item) | self.verdict(error)
        fields |= getattr(item, "measured", {})
        title = (inspect.getdoc(item.function) or item.name).splitlines()[0]
        if hasattr(item, "callspec"):
            title += f" [{item.callspec.id}]"
        said = {name: printable(fields.pop(name, "")) for name in ("message", "brief")}
        question = fields.pop("name")
        self.checks.append(Check(item.name, title, question, **said, **fields))

    def verdict(self, error):
        """The fields of a check that ended by an exception, None for none: its outcome, message
        and brief, and no hint where the cells say all."""
        if error is None:
            return {"outcome": "passed"}
        if isinstance(error, GraderFault):
            self.fault = str(error)
            return {"outcome": "fault", "message": str(error)}
        if isinstance(error, MemoryError):
            return lost_fields("forged", "an answer came that is too large to work with")
        fault = self.bench.fault()
        if fault and fault.kind:
            return lost_fields(fault.kind, fault.text)
        if isinstance(error, Lost):
            return lost_fields(error.kind, error)
        undefined = getattr(error, "kind", "") == "NameError"
        fault = fault or (self.bench.fault(beside=True) if undefined else None)
        if has_no_answer(error, fault):
            said = dict.fromkeys(("message", "brief"), UNANSWERED)
            return {"outcome": "failed", "is_unanswered": True, **said}
        if undefined and fault:  # it lacks what the cell did not come to define
            return {"outcome": "failed", "message": fault.text, "brief": fault.brief, "hint": ""}
        text = str(error) if isinstance(error, AssertionError) else unusable(error, self.bench.came)
        tells = isinstance(error, (StudentError, Mismatch))
        brief, has_cause = (error.brief, error.has_cause) if tells else ("", False)
        if fault:
            text, brief = f"{text}\nin        {fault.text}", f"{brief}\nin        {fault.brief}"
        said = {"message": text, "brief": brief.strip(), "has_cause": has_cause}
        return {"outcome": "failed", **said}


def is_mistake(error):
    """Whether a check ended by an exception that neither it nor the bench raises on purpose."""
    wanted = AssertionError, GraderFault, Lost, MemoryError, pytest.UsageError
    return isinstance(error, Exception) and not isinstance(error, wanted)


def lost_fields(kind, text):
    """The fields of a check whose question lost its process. A student who must not learn a hidden
    input is not told the exit status either."""
    brief = "its process ended by itself" if kind == "died" else text
    stopped = "your code was stopped: "
    return {"outcome": kind, "message": f"{stopped}{text}", "brief": f"{stopped}{brief}"}


def has_no_answer(error, fault):
    """Whether a check failed because its question has not been answered."""
    kind = getattr(error, "kind", "")
    return kind == "NotImplementedError" or (kind == "NameError" and fault is NOT_ANSWERED)


def release(error):
    """Empty the frames that an exception, and those behind it, have passed."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def marker_fields(item):
    """The marker's fields: name, points, hint, show, core, corner. Raises UsageError without a
    marker."""
    marker = item.get_closest_marker("question")
    if marker is None or not marker.args or "points" not in marker.kwargs:
        raise pytest.UsageError(f'{item.name} needs @pytest.mark.question("q1", points=1)')
    fields = {"name": marker.args[0], "points": 0, "hint": "", "show": False}
    fields |= {"core": False, "corner": False}
    return fields | marker.kwargs


def forget(checks, names):
    """Remove the checks file from the loaded modules: edited, or in another folder, it is read."""
    for name in names:
        if getattr(sys.modules[name], "__file__", None) == str(checks):
            del sys.modules[name]


def run_checks(checks, plugin, options=()):
    """Run the checks file under `plugin`; returns a fault of the grader, or None."""
    arguments = [str(checks), f"--rootdir={Path(checks).parent}", "-c", str(HERE / "checks.ini")]
    before, modules = dict(os.environ), set(sys.modules)
    # other plugins and options of this machine must not change what is graded
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    try:
        status = pytest.main([*OPTIONS, *options, *arguments], plugins=[plugin])
        plugin.is_wanted()
    finally:
        os.environ.clear()
        os.environ |= before
        forget(checks, set(sys.modules) - modules)
        if plugin.bench is not None:
            plugin.bench.close()
    if status == pytest.ExitCode.INTERRUPTED and plugin.fault is None:
        raise KeyboardInterrupt
    if plugin.fault is None and status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return f"pytest ended with status {int(status)}"
    return plugin.fault
