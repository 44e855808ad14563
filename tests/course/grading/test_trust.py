"""What the checks do with an answer, and what they tell of it: bounded, and in clear words."""

import gc
import subprocess
import sys
import weakref

import pytest

from minigrad.course.grading import plugin, report, session
from minigrad.course.grading.assignment import Part
from minigrad.course.grading.bench import Bench
from minigrad.course.grading.student import StudentError
from minigrad.course.grading.worker import Limits, Setting

PARTS = (Part("setup", "", True, "zero = 0"), Part("q1", "q1", False, ""))
CHECK = """
import pytest
from minigrad.course.grading import expect

@pytest.mark.question("q1", points=1, hint="The hint.")
def test_it(student):
    {0}

@pytest.mark.question("q1", points=1, hint="The hint.")
def test_again(student):
    {0}
"""


@pytest.fixture
def graded(tmp_path):
    """A function that gives the `Report` of an answer by two checks with the same body."""

    def made(answer, body):
        parts = (PARTS[0], PARTS[1].__class__("q1", "q1", False, answer))
        bench = Bench(parts, {"q1": ["setup", "q1"]}, {"q1": ["q1"]}, Setting("none", (), Limits()))
        run = plugin.Plugin(bench)
        (tmp_path / "checks.py").write_text(CHECK.format(body))
        return session.report_of_run(run, plugin.run_checks(tmp_path / "checks.py", run))

    return made


SEVERAL = "of f(…) expected several values, in a tuple or a list came 2"
FLAGS = [  # an answer, what a check does with it; has it a cause, is it unanswered
    ("f = lambda: 2", "expect(student.f(), 1, 'It doubles.')", True, False),
    ("f = lambda: 2", "expect(student.f(), 1)", False, False),
    ("f = lambda: 2", "tuple(student.f())", False, False),
    ("def f(): raise ValueError('cause     ')", "student.f()", False, False),
    ("def f(): raise ValueError('not answered yet')", "student.f()", False, False),
    ("raise NotImplementedError", "student.f()", False, True),
    ("def f(): raise NotImplementedError", "student.f()", False, True),
]


@pytest.mark.parametrize(("answer", "body", "cause", "blank"), FLAGS)
def test_what_a_failure_tells_is_said_by_flags(graded, answer, body, cause, blank):
    for check in graded(answer, body).checks:
        assert (check.outcome, check.has_cause, check.is_unanswered) == ("failed", cause, blank)
        assert check.advice == ("" if cause else "The hint.")


ODD = [  # an answer, what a check does with it, what it says
    ("f = lambda: 2", "tuple(student.f())", SEVERAL),
    ("f = lambda: 2", "a, b = student.f()", SEVERAL),
    ("f = lambda: 2", "student.f()[0]", SEVERAL),
    ("f = lambda: (2,)", "a, b = student.f()", "of f(…) expected 2 values came (2,)"),
    ("f = lambda: []", "student.f()[0]", "of f(…) expected more values came []"),
    ("f = lambda: {}", "student.f()['a']", "of f(…) expected an entry for 'a' came {}"),
    ("f = lambda: 2.5", "student.f().op",
     "of f(…) expected an object with the attribute `op` came 2.5"),
    ("f = lambda: None", "student.f() + 1", "of f(…) expected a number came None"),
    ("f = 'text'", "student.f(1)", "of f expected a function came 'text'"),
    ("f = lambda: 2.5\ng = lambda: [1]", "a = student.f(); student.g(); a.op",
     "of f(…) expected an object with the attribute `op` came 2.5"),
    ("class N: x = 2", "(student.N().x + 0.5).op",
     "AttributeError: 'float' object has no attribute 'op'"),
    ("def f(): pass", "expect(student.f(), (2,))", "expected (2,) came None"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "body", "words"), ODD, ids=[body for _, body, _ in ODD])
def test_an_answer_of_another_kind_is_told_in_words(graded, answer, body, words):
    check = graded(answer, body).checks[0]
    assert " ".join(check.message.split()).startswith(words)
    assert (check.outcome, check.brief) == ("failed", "")


@pytest.mark.parametrize("answer", ["x = = 1", "  def f(): pass", "if 1:\n\tf = 1\n        f = 2"])
def test_what_is_not_python_is_told_once_with_its_line_and_without_hints(graded, answer):
    text = report.terminal_text(graded(answer, "student.f()"))
    assert len(text.splitlines()) == 1
    assert text.startswith("✗ q1   0 of 2 points: q1: the cell stopped with ")
    assert text.count("line") == 1


LEAKS = [  # an answer that would write into what is told of a hidden check
    "def f(): raise type('Hidden42', (Exception,), {})",
    "def f(): raise type('print', (Exception,), {})",
    "exec(compile('def f(): 1 / 0', 'secret-42', 'exec'))",
    "exec(compile('\\n' * 4320 + 'def f(): 1 / 0', 'q1', 'exec'))",
    "exec(compile('\\n' * 4320 + 'def f(): 1 / 0', 'setup', 'exec'))",
    "class E(SyntaxError): pass\ndef f(): raise SyntaxError('', ('q1', 42, 1, ''))",
    "def f(): raise ValueError\nraise ValueError('secret')",
    "def f(): raise ValueError\nraise type('Hidden42', (Exception,), {})('secret')",
]


@pytest.mark.parametrize("answer", LEAKS)
def test_what_is_told_of_a_hidden_check_comes_from_fixed_lists(graded, answer):
    for check in graded(answer, "student.f()").checks:
        assert not {"42", "43", "secret", "Hidden", "print"} & set(words(check.brief)), check.brief
        assert check.brief.startswith("your code raised ")


def words(text):
    """The text's words and pieces of words."""
    return [text[a:b] for a in range(len(text)) for b in range(a, a + 7)]


def test_a_place_that_is_there_is_told(graded):
    check = graded("\ndef f():\n    1 / 0", "student.f()").checks[0]
    assert check.brief == "your code raised ZeroDivisionError (q1, line 3)"


@pytest.mark.parametrize(
    "error",
    [
        None,
        {},
        {"type": "ValueError"},
        {"type": 1, "text": "", "line": None},
        {"type": "E", "text": "", "line": [1]},
        {"type": "E", "text": "", "line": None, "more": 1},
    ],
)
def test_an_error_that_is_none_is_forged(monkeypatch, graded, error):
    monkeypatch.setattr(Bench, "send", lambda self, request: {"error": error})
    assert [check.outcome for check in graded("", "student.f()").checks] == ["forged"] * 2


PATCHED = """
import builtins, sys
seen = [range(3), len('ab')]
builtins.range = lambda *a: [1]
builtins.len = builtins.abs = lambda *a: 7
builtins.isinstance = builtins.all = builtins.any = lambda *a: True
builtins.type = builtins.getattr = builtins.dict = builtins.list = builtins.id = None
builtins.__import__ = builtins.__build_class__ = None
f = lambda n: n
"""
HELPERS = """
import math
class Chain: pass
def chain(n): return [x for x in range(n)], len('abc'), isinstance(1, str), math.floor(2.5)
"""


def test_patched_builtins_change_nothing_of_what_the_checks_send_or_get(graded):
    body = f"expect(student.define({HELPERS!r}).chain(3), ([0, 1, 2], 3, False, 2))"
    found = graded(PATCHED, f"{body}; expect(student.f([3]), [3]); expect(student.seen[1], 2)")
    assert found.earned_points() == 2, report.terminal_text(found)


@pytest.mark.parametrize("answer", ["sys.settrace(None)", "sys.settrace(print)"])
def test_who_turns_the_count_of_lines_off_fails(graded, answer):
    body = "student.count_lines(student.f, limit=1000)"
    check = graded(f"import sys\ndef f(): {answer}", body).checks[0]
    assert "has turned the count of its lines off" in check.message


def test_a_failed_check_holds_nothing_of_what_it_worked_with(graded, monkeypatch):
    class Large:
        pass

    held = []

    def large():
        held.append(weakref.ref(found := Large()))
        return found

    gc.disable()
    monkeypatch.setattr(plugin, "large", large, raising=False)
    monkeypatch.setattr(Bench, "ask", lambda self, request: {"value": 1})
    try:
        graded("", "from minigrad.course.grading import plugin; here = plugin.large(); assert 0")
        assert [one() for one in held] == [None, None]
    finally:
        gc.enable()


def test_an_answer_too_large_to_work_with_is_not_called_wrong(graded):
    found = graded("def f(): return 1", "raise MemoryError")
    assert (found.status, found.checks[0].outcome) == ("CRASHED", "forged")
    assert "too large to work with" in found.reason


BOUNDED = """
import sys, time
from minigrad.course.grading import session, worker
session.SECONDS = int(time.process_time()) + 2
for name in ("RLIMIT_CPU", "RLIMIT_AS"):  # whoever has started it may have set a limit too
    session.limits.cap(name, {"RLIMIT_CPU": 2 * session.SECONDS, "RLIMIT_AS": 2**31}[name])
session.limit_this_process()
try:
    bytearray(3 * 2**30)
except MemoryError:
    print("memory")
try:
    for n in iter(int, 1): n = 1
except worker.Lost as lost:
    print(lost)
sys.stdout.flush()
while True: pass
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's limits")
def test_the_process_that_holds_the_checks_is_limited_too():
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stdout.split("\n")[:2] == [
        "memory",
        "an answer came that takes too long to work with",
    ]
    assert done.returncode == -9


def test_an_error_of_a_worker_names_its_class():
    error = {"type": "E\x1b", "text": "t", "line": None}
    assert str(StudentError(error, {})) == "your code raised E�: t"


def test_how_a_hidden_check_fails_tells_one_of_a_few_things(graded):
    kinds = ("ValueError", "BlockingIOError", "UnicodeError", "StopAsyncIteration", "MyOwn")
    said = set()
    for kind in kinds:
        source = f"class MyOwn(Exception): pass\ndef f(): raise {kind}"
        found = graded(source if kind != "MyOwn" else source + "('secret')", "student.f()")
        said.add(found.checks[0].brief)
    assert said == {
        f"your code raised {kind} (q1, line 2)" for kind in ("ValueError", "an exception")
    }
    briefs = {
        graded(f"import os\ndef f(): os._exit({n})", "student.f()").checks[0].brief for n in (3, 7)
    }
    assert briefs == {"your code was stopped: its process ended by itself"}
