"""The pytest plugin: the fixture `student`, the marker `question`, and the record of each check."""

import inspect
import os
import random
import sys
from pathlib import Path

import pytest

from minigrad.course.grading.bench import GraderFault
from minigrad.course.grading.report import UNANSWERED, Check
from minigrad.course.grading.student import Student, StudentError, printable
from minigrad.course.grading.worker import Lost

HERE = Path(__file__).parent
OPTIONS = ["-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:faulthandler"]
OPTIONS += ["-p", "no:unraisableexception", "-p", "no:threadexception"]
OPTIONS += ["--noconftest", "--strict-markers", "--import-mode=importlib"]


class Plugin:
    """One pytest run over a checks file; afterwards `checks` and `fault` say what it found."""

    def __init__(self, bench, questions=None, seed="minigrad"):
        self.bench, self.only, self.seed = bench, questions, seed
        self.checks, self.questions, self.fault = [], [], None

    @pytest.fixture
    def student(self, request):
        """The student's code, behind a proxy; fresh for each question."""
        self.bench.turn_to(marked(request.node)["name"])
        return Student(self.bench)

    @pytest.fixture
    def rng(self, request):
        """Random numbers that are the same in every run of one check with one seed; a hidden
        check has others than a visible one of its name."""
        return random.Random(f"{self.seed} {request.path.name} {request.node.name}")

    def pytest_configure(self, config):
        """Make tracebacks plain: others take the time to parse each file, and none is shown."""
        config.option.tbstyle = "native"

    def pytest_collection_modifyitems(self, items):
        """Every check belongs to a question; keep those that were asked for."""
        try:
            self.questions = list(dict.fromkeys(marked(item)["name"] for item in items))
        except pytest.UsageError as error:
            self.fault = str(error)
            raise
        if self.only is not None:
            items[:] = [item for item in items if marked(item)["name"] in self.only]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        """Record the check once its body has run, or could not."""
        if call.when == "call" or call.excinfo is not None:
            self.record(item, call.excinfo)
        return (yield)

    def pytest_collectreport(self, report):
        """A checks file that cannot be loaded is the grader's fault."""
        if report.failed:
            self.fault = f"the checks cannot be loaded: {str(report.longrepr)[-500:]}"

    def pytest_internalerror(self, excrepr):
        """So is an error of pytest itself."""
        self.fault = f"pytest failed: {str(excrepr)[-500:]}"

    def record(self, item, excinfo):
        """Append the `Check` of one item."""
        outcome, message, brief = self.verdict(excinfo and excinfo.value)
        fields = marked(item)
        title = (inspect.getdoc(item.function) or item.name).splitlines()[0]
        if hasattr(item, "callspec"):
            title += f" [{item.callspec.id}]"
        said = {"message": printable(message), "brief": printable(brief)}
        question = fields.pop("name")
        self.checks.append(Check(item.name, title, question, outcome=outcome, **said, **fields))

    def verdict(self, error):
        """(outcome, message, brief) of the exception that ended a check, None for none."""
        if error is None:
            return "passed", "", ""
        if isinstance(error, GraderFault):
            self.fault = str(error)
            return "fault", str(error), ""
        fault, lost = self.bench.own_fault()
        if lost or isinstance(error, Lost):
            text = f"your code was stopped: {fault if lost else error}"
            return lost or error.kind, text, text
        if getattr(error, "kind", "") == "NameError" and fault is None:
            fault, _ = self.bench.any_fault()
        if unanswered(error, fault):
            return "failed", UNANSWERED, UNANSWERED
        text = str(error)
        if not isinstance(error, AssertionError):  # the check could not work with what came
            text = f"{type(error).__name__}: {error}"
        place = [] if fault is None else [f"in        {fault}"]
        brief = [getattr(error, "brief", "")] if isinstance(error, StudentError) else []
        return "failed", "\n".join([text, *place]), "\n".join([*brief, *place])


def unanswered(error, fault):
    """Whether a check failed because its question has not been answered."""
    kind = getattr(error, "kind", "")
    missing = kind == "NameError" and (fault or "").endswith(UNANSWERED)
    return missing or kind == "NotImplementedError"


def marked(item):
    """The marker's fields: name, points, hint, show. Raises UsageError without a marker."""
    marker = item.get_closest_marker("question")
    if marker is None or not marker.args or "points" not in marker.kwargs:
        raise pytest.UsageError(f'{item.name} needs @pytest.mark.question("q1", points=1)')
    fields = {"name": marker.args[0], "points": 0, "hint": "", "show": False}
    return fields | marker.kwargs


def forget(checks, names):
    """Remove the checks file from the loaded modules: edited, or in another folder, it is read."""
    for name in names:
        if getattr(sys.modules[name], "__file__", None) == str(checks):
            del sys.modules[name]


def run(checks, plugin, options=()):
    """Run the checks file under `plugin`; returns a fault of the grader, or None."""
    arguments = [str(checks), f"--rootdir={Path(checks).parent}", "-c", str(HERE / "checks.ini")]
    before, modules = dict(os.environ), set(sys.modules)
    # other plugins and options of this machine must not change what is graded
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    try:
        status = pytest.main([*OPTIONS, *options, *arguments], plugins=[plugin])
    finally:
        os.environ.clear()
        os.environ |= before
        forget(checks, set(sys.modules) - modules)
        plugin.bench.close()
    if status == pytest.ExitCode.INTERRUPTED and plugin.fault is None:
        raise KeyboardInterrupt
    if plugin.fault is None and status == pytest.ExitCode.NO_TESTS_COLLECTED:
        return "it holds no check" + (" for these questions" if plugin.questions else "")
    if plugin.fault is None and status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return f"pytest ended with status {int(status)}"
    return plugin.fault
