"""A worker: what it answers, what it cannot do, and how it ends."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from saying import raises_saying

from minigrad.course.grading import meter, worker
from minigrad.course.grading.meter import Meter
from minigrad.course.grading.student import Student, StudentError
from minigrad.course.grading.worker import Limits, Lost, Setting, Worker

from .conftest import KINDS, needs_bwrap

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's limits")
SHORT = Limits(call_seconds=2, question_seconds=6)


class Bench:
    """The least that a `Student` needs around a worker."""

    def __init__(self, kind, libraries=(), limits=SHORT):
        self.worker = Worker(Setting(kind, libraries, limits))

    def ask(self, request):
        return self.worker.ask(request)

    def close(self):
        self.worker.close()

    def runs(self, source):
        """Execute a cell; the reply."""
        return self.ask({"do": "cell", "with": {"name": "q1", "source": source}})

    def value(self, expression):
        """The value of an expression on the student's side."""
        assert self.runs(f"result = {expression}") == {"value": None}
        return Student(self).result


@pytest.fixture(params=KINDS)
def bench(request):
    """A worker in each kind of sandbox."""
    made = Bench(request.param)
    yield made
    made.worker.close()


@pytest.fixture
def sandboxed():
    """A worker inside bubblewrap."""
    made = Bench("bwrap")
    yield made
    made.worker.close()


def test_calls_operators_and_attributes(bench):
    bench.runs(
        "class Pair:\n"
        "    def __init__(self, a, b=0): self.a, self.b = a, b\n"
        "    def __add__(self, other): return Pair(self.a + other)\n"
        "    def __rsub__(self, other): return other - self.a\n"
        "    def __getitem__(self, key): return (self.a, self.b)[key]\n"
        "    def __len__(self): return 2\n"
        "    def me(self): return self\n"
    )
    pair = Student(bench).Pair(3, b=4.5)
    assert (pair.a, pair.b, pair[1], len(pair), 10 - pair) == (3, 4.5, 4.5, 2, 7)
    assert (pair + 4).a == 7
    pair.a = [1, (2, None)]
    assert pair.a == [1, (2, None)]
    assert pair.me() == pair
    assert pair.me() != Student(bench).Pair(3)
    assert repr(pair) == "an object of class Pair"


def test_a_handle_is_never_taken_for_an_answer(bench):
    bench.runs(
        "class Liar(float):\n"
        "    def __eq__(self, other): return True\n"
        "    def __bool__(self): return True\n"
        "    def __float__(self): return 4.0\n"
        "    __array__ = __float__\n"
        "    __hash__ = None\n"
        "liar = Liar(1)\n"
    )
    liar = Student(bench).liar
    assert (liar == 4.0) is False
    assert (liar != 4.0) is True
    for use in (bool, float, int, list):
        with pytest.raises(AssertionError, match="class Liar came where plain data"):
            use(liar)
    with pytest.raises(AttributeError):
        liar.__array_interface__


def test_arrays_and_handles_mix_where_the_students_code_lives():
    with_numpy = Bench("none", ("numpy",))
    with_numpy.runs(
        "import numpy as np\n"
        "class Dual:\n"
        "    __array_ufunc__ = None\n"
        "    def __init__(self, x): self.x = x\n"
        "    def __mul__(self, other): return self.x * other\n"
        "    __rmul__ = __mul__\n"
        "    def __len__(self): return 10**9\n"
        "    def __getitem__(self, key): return 1.0\n"
        "box = np.array([print, 1])\n"
    )
    student = Student(with_numpy)
    dual = student.Dual(np.array([1.0, 2.0]))
    for came in (dual * np.array([3.0, 4.0]), np.array([3.0, 4.0]) * dual):
        assert came.tolist() == [3.0, 8.0]
    for use in (np.asarray, np.array, np.bool_, float):
        with pytest.raises(AssertionError, match="class Dual came where plain data"):
            use(dual)
    assert repr(student.box) == "an object of class ndarray of dtype object"
    with_numpy.worker.close()


def test_errors_say_what_and_where(bench):
    assert bench.runs("x = = 1")["error"]["line"] == "q1, line 1"
    bench.runs("\n\ndef f(x):\n    return 1 / x")
    with pytest.raises(StudentError, match=r"ZeroDivisionError: division by zero \(q1, line 4\)"):
        Student(bench).f(0)
    with pytest.raises(StudentError, match="`g` is not defined"):
        Student(bench).g
    bench.runs("class E(Exception):\n    def __str__(self): raise self\ndef h(): raise E")
    with pytest.raises(StudentError, match=r"E: \(its message cannot be shown\)"):
        Student(bench).h()


def test_helpers_of_a_check_do_not_touch_the_students_names(bench):
    bench.runs("def f(x): return x + 1")
    helpers = Student(bench).define("def f(g, x): return g(g(x))")
    assert helpers.f(Student(bench).f, 1) == 3
    assert Student(bench).f(1) == 2


def test_lines_are_counted_and_bounded(bench):
    bench.runs("def f(n):\n    for _ in range(n):\n        pass\n")
    short, long = (Student(bench).count_lines(Student(bench).f, n, limit=1000) for n in (10, 40))
    assert long - short == 60
    with pytest.raises(StudentError, match="more than 1,000 lines"):
        Student(bench).count_lines(Student(bench).f, 10_000, limit=1000)
    bench.runs("def g(n):\n    try:\n        f(n)\n    except BaseException:\n        pass\n")
    with pytest.raises(StudentError, match="more than 1,000 lines"):
        Student(bench).count_lines(Student(bench).g, 10_000, limit=1000)


DOWN = "import sys, threading\ndef down(n): return 0 if n == 0 else 1 + down(n - 1)\n"
NESTED = {
    "recursion": "f = down",
    "a limit raised before": "sys.setrecursionlimit(10**6)\nf = down",
    "a limit raised and put back": (
        "def f(n):\n    old = sys.getrecursionlimit()\n    sys.setrecursionlimit(10**6)\n"
        "    try:\n        return down(n)\n    finally:\n        sys.setrecursionlimit(old)"
    ),
    "an exception that is swallowed": (
        "def f(n):\n    try:\n        return down(n)\n    except RecursionError:\n        return n"
    ),
    "generators": (
        "sys.setrecursionlimit(10**6)\ndef steps(n):\n    yield n\n"
        "    if n:\n        yield from steps(n - 1)\ndef f(n): return max(steps(n))"
    ),
}
SLEEP = "import _thread, queue\nasked, told = queue.Queue(), queue.Queue()\n"
HIDDEN = {
    "no profile": "def f(n): sys.setprofile(None); return n",
    "a profile that is put back": (
        "sys.setrecursionlimit(10**6)\ndef f(n):\n    seen = sys.getprofile()\n"
        "    sys.setprofile(None)\n    try:\n        return down(n)\n    finally:\n"
        "        sys.setprofile(seen)"
    ),
    "a thread with a large stack": (
        "sys.setrecursionlimit(10**6)\nthreading.stack_size(2**26)\ndef f(n):\n    found = []\n"
        "    work = threading.Thread(target=lambda: found.append(down(n)))\n"
        "    work.start()\n    work.join()\n    return found[0]"
    ),
    "a profile that C turns off": (
        "sys.setrecursionlimit(10**6)\ndef f(n):\n    seen = sys.getprofile()\n"
        "    list(map(sys.setprofile, [None]))\n    found = down(n)\n"
        "    list(map(sys.setprofile, [seen]))\n    return found"
    ),
    "a process": (
        "import subprocess\ndef f(n): return int(subprocess.run([sys.executable, '-c', "
        "f'print({n})'], capture_output=True).stdout)"
    ),
    "a thread without hooks": (
        f"{SLEEP}sys.setrecursionlimit(10**6)\ndef f(n):\n"
        "    _thread.start_new_thread(lambda: told.put(down(n)), ())\n    return told.get()"
    ),
    "a thread that C starts": pytest.param(
        f"{SLEEP}sys.setrecursionlimit(10**6)\ndef f(n):\n    work = lambda: told.put(down(n))\n"
        "    list(map(_thread.start_new_thread, [work], [()]))\n    return told.get()",
        marks=pytest.mark.skipif(
            not sys.platform.startswith("linux") and sys.version_info < (3, 12),
            reason="nothing tells of it there",
        ),
    ),
    "a thread that was there before": (
        f"{SLEEP}sys.setrecursionlimit(10**6)\ndef serve():\n"
        "    while True: told.put(down(asked.get()))\n"
        "threading.Thread(target=serve, daemon=True).start()\n"
        "def f(n): asked.put(n); return told.get()"
    ),
    "a hook that refuses others": (
        "def refuse(event, _):\n    if event == 'sys.addaudithook': raise RuntimeError\n"
        "sys.addaudithook(refuse)\nsys.setrecursionlimit(10**6)\ndef f(n):\n"
        "    seen = sys.getprofile()\n    sys.setprofile(None)\n    found = down(n)\n"
        "    sys.setprofile(seen)\n    return found"
    ),
}


@pytest.mark.parametrize("answer", NESTED.values(), ids=NESTED)
def test_recursion_is_found_whatever_the_limit(bench, answer):
    bench.runs(DOWN + answer)
    with pytest.raises(StudentError, match="more than 900 calls were nested") as error:
        Student(bench).without_recursion(Student(bench).f, 1500)
    assert error.value.kind == "RecursionError"


@pytest.mark.parametrize("answer", HIDDEN.values(), ids=HIDDEN)
def test_an_answer_that_hides_its_calls_has_no_result(bench, answer):
    bench.runs(DOWN + answer)
    with pytest.raises(StudentError, match="it hides its calls") as error:
        Student(bench).without_recursion(Student(bench).f, 1500)
    assert error.value.kind == "RecursionError"


FLAT = """
def f(n): return sum(1 for _ in map(id, range(n)))
def halves(n): return n if n < 2 else halves(n // 2) + halves(n - n // 2)
def steps(n):
    for k in range(n):
        yield k
def g(n): return halves(n) + len(list(steps(n)))
"""


def test_loops_generators_and_halving_are_not_taken_for_recursion(bench):
    bench.runs(FLAT)
    student = Student(bench)
    assert student.without_recursion(student.f, 20_000) == 20_000
    assert student.without_recursion(student.g, 20_000) == 40_000
    helpers = student.define("def twice(f, n): return [f(n), f(n)]")
    assert student.without_recursion(helpers.twice, student.f, 3) == [3, 3]


def test_an_endless_loop_is_stopped(bench):
    bench.runs("def f():\n    while True: pass")
    with pytest.raises(Lost, match="did not come back in time") as lost:
        Student(bench).f()
    assert lost.value.kind == "slow"
    assert bench.worker.process.poll() is not None


LATE = "import time\ndef f():\n    time.sleep(2)\n    return 'late'"


@linux
def test_looks_that_a_busy_machine_delays_do_not_delay_the_end_of_a_loop(monkeypatch):
    monkeypatch.setattr(worker.orphans, "excess", lambda *_: time.sleep(0.3) or "")
    bench = Bench(KINDS[-1], limits=Limits(call_seconds=1, question_seconds=3))
    with pytest.raises(Lost, match="did not come back in time") as lost:
        bench.runs("while True: pass")
    assert lost.value.kind == "slow"


@linux
def test_a_worker_that_has_ended_ends_no_process_of_the_next(monkeypatch):
    happened, first = [], Bench("none")

    def end_slowly():
        if threading.current_thread() is not threading.main_thread():
            os.killpg(first.worker.process.pid, signal.SIGKILL)  # the channel is closed
            time.sleep(0.5)
            happened.append("its children are ended")

    monkeypatch.setattr(worker.orphans, "end_children", end_slowly)
    with pytest.raises(Lost):  # its end is seen by the watch: a child holds the channel open
        first.runs("import os, time\nif os.fork() == 0: time.sleep(30)\nos._exit(0)")
    happened.append("the next begins")
    assert happened == ["its children are ended", "the next begins"]


@linux
def test_who_waits_for_a_processor_keeps_the_time_and_who_sleeps_does_not(monkeypatch):
    for busy, told in ((lambda pid: True, "late"), (lambda pid: False, "did not come back")):
        monkeypatch.setattr(meter, "busy", busy)  # as on a machine that gives it no processor
        bench = Bench("none", limits=SHORT._replace(call_seconds=1))
        bench.runs(LATE)
        try:
            assert Student(bench).f() == told
        except Lost as lost:
            assert told in str(lost)
        finally:
            bench.worker.close()


@linux
def test_processor_time_of_children_counts_and_sleep_does_not():
    bench = Bench("none")
    spin = "import time\nwhile time.process_time() < 0.3: pass"
    meter = Meter(bench.worker.process.pid)  # one of our own: the worker's is looked at meanwhile
    meter.look()
    bench.runs(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {spin!r}])")
    assert meter.look() >= 0.3 and not meter.sleeps
    used = meter.cpu_seconds
    assert comes(lambda: meter.look() and meter.sleeps)
    assert meter.cpu_seconds - used < 0.3
    bench.worker.close()


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("import os; os._exit(7)", "ended its own process with exit status 7"),
        ("import ctypes; ctypes.string_at(0)", "signal SIGSEGV|exit status"),
        ("import os; os.close(4); os.close(3); os.close(5)", "closed its channel|ended"),
    ],
)
@linux
def test_a_process_that_ends_itself_is_told(bench, cell, words):
    with raises_saying(Lost, words) as lost:
        bench.runs(cell)
    assert lost.value.kind == "died"


def test_exit_is_only_an_error(bench):
    assert bench.runs("import sys; sys.exit(0)")["error"]["type"] == "SystemExit"
    assert bench.value("1 + 1") == 2


@linux
def test_memory_is_limited(bench):
    assert bench.runs("b = bytearray(2 ** 30)")["error"]["type"] == "MemoryError"
    assert bench.value("1 + 1") == 2


@linux
def test_files_are_limited(bench):
    cell = "with open('big', 'wb') as f:\n    for _ in range(40): f.write(bytes(2 ** 20))"
    assert bench.runs(cell)["error"]["type"] == "OSError"


def test_output_is_read_and_thrown_away(bench):
    bench.runs("for _ in range(20): print('x' * 10 ** 6)")
    assert bench.value("1 + 1") == 2
    assert len(bench.worker.output) <= worker.OUTPUT_BYTES


def test_the_surroundings_are_clean(bench):
    bench.runs("import os, sys")
    assert bench.value("os.listdir('.')") == []
    assert set(bench.value("dict(os.environ)")) <= {
        *("HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "SYSTEMROOT"),
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MINIGRAD_THREADS"),
    }
    bench.runs("try:\n    import inside\nexcept ImportError:\n    gone = True")
    assert bench.value("gone") is True
    assert bench.runs("input()")["error"]["type"] == "EOFError"


FORGE = """
import os, struct
def frame(text): return struct.pack('>I', len(text)) + text
def f():
    for number in range(3, 12):
        try: os.write(number, frame(b'%s'))
        except OSError: pass
    return 0
"""


@pytest.mark.parametrize("text", ['{"nonce": "x", "value": 4}', "[]", "4", "not json"])
def test_an_answer_on_the_channel_that_no_question_asked_for(bench, text):
    bench.runs(FORGE % text)
    with pytest.raises(Lost) as lost:
        Student(bench).f()
    assert lost.value.kind == "forged"


def test_an_answer_with_the_right_number_is_only_the_students_own_answer(bench):
    bench.runs(
        (FORGE % "x")
        + "\nimport sys\n"
        + "def f():\n"
        + "    frames = sys._getframe()\n"
        + "    while 'request' not in frames.f_locals: frames = frames.f_back\n"
        + "    while 'nonce' not in frames.f_locals['request']: frames = frames.f_back\n"
        + "    nonce = frames.f_locals['request']['nonce']\n"
        + '    text = \'{"nonce": "%s", "value": {"handle": [0, 1]}}\' % nonce\n'
        + "    for number in range(3, 12):\n"
        + "        try: os.write(number, frame(text.encode()))\n"
        + "        except OSError: pass\n"
    )
    with pytest.raises(Lost, match="is not plain data"):
        Student(bench).f()


def alive(token):
    """The processes whose command line holds `token`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if token.encode() in text and folder.name != str(os.getpid()):
            found.append(int(folder.name))
    return found


DAEMON = """
import subprocess, sys
child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(300) # {0}'],
                         start_new_session=True)
"""


@needs_bwrap
def test_a_daemon_does_not_outlive_the_sandbox(sandboxed):
    token = f"daemon {time.monotonic_ns()}"
    assert sandboxed.runs(DAEMON.format(token)) == {"value": None}
    assert comes(lambda: len(alive(token)) == 1)
    sandboxed.worker.close()
    assert comes(lambda: not alive(token))


def comes(condition):
    """Whether a condition holds soon: a process takes a moment to begin, a sandbox to end."""
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


@needs_bwrap
def test_a_fork_bomb_is_bounded(sandboxed):
    bomb = "import os, time\nfor _ in range(1000):\n    if os.fork() == 0:\n        time.sleep(60)"
    assert sandboxed.runs(bomb)["error"]["type"] == "BlockingIOError"


@needs_bwrap
def test_nothing_outside_the_sandbox_can_be_read(sandboxed, tmp_path):
    paths = ["/etc/passwd", "/run", "/var", os.path.expanduser("~/.bashrc")]
    sandboxed.runs("import os")
    for path in (*paths, os.getcwd(), __file__, str(tmp_path)):
        assert sandboxed.value(f"os.path.lexists({path!r})") is False, path


@needs_bwrap
def test_nothing_outside_the_sandbox_can_be_written(sandboxed, tmp_path):
    for path in (tmp_path / "x", "/x", "/usr/lib/x", "/dev/x", "/dev/shm/x", "/tmp/x"):
        reply = sandboxed.runs(f"open({str(path)!r}, 'w')")
        assert reply["error"]["type"] in ("OSError", "FileNotFoundError", "PermissionError"), path
    assert sandboxed.runs("open('/box/x', 'w').close()") == {"value": None}
    assert list(tmp_path.iterdir()) == []


@needs_bwrap
def test_no_network_and_no_process_outside(sandboxed):
    cell = "import socket; socket.create_connection(('127.0.0.1', {}), 1)"
    with __import__("socket").create_server(("127.0.0.1", 0)) as server:
        reply = sandboxed.runs(cell.format(server.getsockname()[1]))
    assert reply["error"]["type"] in ("OSError", "ConnectionRefusedError")
    assert sandboxed.runs(f"import os\nos.kill({os.getpid()}, 9)")["error"]["type"] in (
        "ProcessLookupError",
        "PermissionError",
    )
    assert sandboxed.value("len([p for p in os.listdir('/proc') if p.isdigit()])") <= 3


@needs_bwrap
def test_only_the_libraries_of_the_assignment_can_be_imported():
    bench = Bench("bwrap", ("numpy",))
    bench.runs("import os, sys, numpy")
    folder = os.path.dirname(os.path.dirname(np.__file__))
    assert {name.split(".")[0] for name in bench.value(f"os.listdir({folder!r})")} == {"numpy"}
    find = "[name for p in glob.glob(top + '/lib/python3*/*-packages') for name in os.listdir(p)]"
    for top in ("/usr", "", "/usr/local", sys.base_prefix):
        assert bench.runs(f"import glob; top = {top!r}") == {"value": None}
        assert set(bench.value(find)) <= {"numpy", "numpy.libs"}
    assert bench.value("float(numpy.linalg.det(numpy.eye(2)))") == 1.0
    bench.worker.close()
