"""What a sandbox keeps in, and which one is chosen: no lesser one without a word for it."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from saying import raises_saying

from minigrad.core.errors import ArgumentError
from minigrad.course import cli
from minigrad.course.grading import (
    assignment,
    bubblewrap,
    docker,
    orphans,
    process,
    run,
    sandbox,
    scratch,
    session,
)
from minigrad.course.grading.worker import Limits, Lost, Setting

from .conftest import LIMITS, RIGHT, UNSAFE, lay_out, needs_bwrap, notebook
from .paths import ROOT
from .test_worker import Bench, alive, comes, linux

root_only = pytest.mark.skipif(not process.running_as_root(), reason="only root changes the user")


@pytest.fixture
def sandboxed():
    """A worker inside bubblewrap."""
    made = Bench("bwrap")
    yield made
    made.worker.close()


@pytest.fixture
def missing(monkeypatch):
    """A machine without any sandbox."""
    monkeypatch.setattr(bubblewrap, "works", lambda: "bubblewrap is not installed")
    monkeypatch.setattr(docker, "works", lambda: "docker is not installed")


def test_without_a_sandbox_the_code_of_others_does_not_run(missing):
    with pytest.raises(ArgumentError) as refused:
        sandbox.choose_for_others("auto")
    assert (
        refused.value.message == "no sandbox: bubblewrap is not installed; docker is not installed"
    )
    for word in ("apt install bubblewrap", "--sandbox none", "every point", "hidden checks"):
        assert word in refused.value.hint
    assert sandbox.choose("auto") == "none"  # one's own code runs as it would in a notebook


def test_docker_is_used_where_bubblewrap_does_not_work(missing, monkeypatch):
    monkeypatch.setattr(docker, "works", lambda: None)
    assert sandbox.choose_for_others("auto") == "docker"
    assert sandbox.choose("auto") == "none"


def test_a_batch_is_refused_before_anything_is_written(missing, tiny, course, monkeypatch):
    from minigrad.course import cli

    (course / "subs").mkdir()
    (course / "subs/ann.ipynb").write_text("{}")
    assert cli.main(["grade", "tiny", "subs"]) == 2
    assert not (course / "grades").exists()


def test_root_without_a_sandbox_must_be_asked_for(monkeypatch):
    monkeypatch.setattr(process, "running_as_root", lambda: True)
    with pytest.raises(ArgumentError, match="has root's rights"):
        sandbox.choose_for_others("none")
    assert sandbox.choose_for_others("none", as_root=True) == "none"
    monkeypatch.setattr(sandbox, "readable_by_all", lambda: False)
    with pytest.raises(ArgumentError, match="no other user can read Python"):
        sandbox.choose_for_others("user")
    monkeypatch.setattr(sandbox, "readable_by_all", lambda: True)
    assert sandbox.choose_for_others("user") == "user"
    monkeypatch.setattr(process, "running_as_root", lambda: False)
    with pytest.raises(ArgumentError, match="only root can change"):
        sandbox.choose_for_others("user")
    assert sandbox.choose_for_others("none") == "none"


@root_only
def test_the_kind_user_has_no_rights(monkeypatch):
    if not Path("/usr/bin/python3").exists():
        pytest.skip("needs an interpreter that every user can run")
    monkeypatch.setattr(process, "real_interpreter", lambda: "/usr/bin/python3")
    bench = Bench("user")
    bench.runs("import os")
    assert bench.value("os.getuid()") == bench.value("os.stat('.').st_uid") == process.spare_user()
    assert bench.value("os.getgroups()") == []
    bench.worker.close()


@needs_bwrap
def test_the_worker_has_users_of_its_own_and_no_rights(sandboxed):
    sandboxed.runs("import os\nstatus = dict(l.split(':', 1) for l in open('/proc/self/status'))")
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(sandboxed.value(f"status['{name}']"), 16) == 0
    assert sandboxed.value("status['NoNewPrivs'].strip()") == "1"
    assert sandboxed.value("os.getuid()") > 1_000
    assert sandboxed.value("os.readlink('/proc/self/ns/user')") != os.readlink("/proc/self/ns/user")
    assert sandboxed.runs("os.setuid(0)")["error"]["type"] in ("PermissionError", "OSError")


CALL = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
CALL += "def call(*words): return libc.syscall(*words), ctypes.get_errno()\n"


@needs_bwrap
def test_calls_that_escape_every_limit_are_refused(sandboxed):
    machine = list(bubblewrap.MACHINES).index(os.uname().machine)
    sandboxed.runs(CALL)
    for name, numbers in bubblewrap.REFUSED.items():
        assert sandboxed.value(f"list(call({numbers[machine]}, 0, 0, 0, 0, 0))") == [-1, 38], name
    for numbers, argument in ((bubblewrap.CLONE, 0x10000011), (bubblewrap.PRCTL, 1)):
        words = f"{numbers[machine]}, {argument}, 0, 0, 0, 0"
        assert sandboxed.value(f"list(call({words}))") == [-1, 38], numbers
    for family in (*range(41), 2**31):
        words = f"{bubblewrap.SOCKET[machine]}, {family}, 1, 0, 0, 0, 0"
        answer = sandboxed.value(f"list(call({words}))")
        assert (answer == [-1, 38]) == (family not in bubblewrap.FAMILIES), family
    assert sandboxed.runs("import asyncio\nasyncio.run(asyncio.sleep(0))") == {"value": None}
    assert sandboxed.value(f"call({bubblewrap.PRCTL[machine]}, 3, 0, 0, 0, 0)[0]") == 1
    threads = "import threading, subprocess, sys\nt = threading.Thread(target=print)\nt.start()"
    assert sandboxed.runs(threads) == {"value": None}
    assert sandboxed.value("subprocess.run([sys.executable, '-c', 'pass']).returncode") == 0
    child = "asyncio.create_subprocess_exec(sys.executable, '-c', 'pass')"  # perhaps by pidfd_open
    wait = f"async def wait():\n    return await (await {child}).wait()"
    assert sandboxed.runs(wait) == {"value": None}
    assert sandboxed.value("asyncio.run(wait())") == 0


@needs_bwrap
def test_nothing_of_one_question_is_there_for_the_next():
    numbers = {"x86_64": 248, "aarch64": 217}
    leave = "import os\nopen('x', 'w').close()\n" + CALL
    leave += f"call({numbers[os.uname().machine]}, b'user', b'note', b'input', 5, -4)"
    for _ in range(2):
        bench = Bench("bwrap")
        assert bench.runs("import os") == {"value": None}
        assert bench.value("os.listdir('.')") == []
        assert bench.value("open('/proc/keys').read()") == ""
        bench.runs(leave)
        bench.worker.close()


@needs_bwrap
def test_the_folder_of_the_course_is_not_named_inside(sandboxed):
    seen = ("1/cmdline", "self/cmdline", "1/mountinfo", "1/environ", "1/mounts")
    assert sandboxed.runs("import os") == {"value": None}
    assert sandboxed.value("os.getpid()") == 1  # no process of bubblewrap to look into
    for name in seen:
        text = sandboxed.value(f"open('/proc/{name}').read()")
        assert str(sandbox.INSIDE.parents[3]) not in text, name


@needs_bwrap
def test_what_covers_other_packages_cannot_be_written(sandboxed):
    sandboxed.runs("import os")
    covered = bubblewrap.package_folders()
    assert covered
    for folder in covered:
        assert sandboxed.value(f"os.listdir({folder!r})") in ([], ["numpy", "numpy.libs"])
        reply = sandboxed.runs(f"open({folder!r} + '/x', 'w')")
        assert reply["error"]["type"] in ("OSError", "PermissionError")


@needs_bwrap
def test_open_files_are_limited(sandboxed):
    cell = "import os\nkept = []\nwhile True: kept.append(os.dup(1))"
    assert sandboxed.runs(cell)["error"]["type"] == "OSError"
    assert sandboxed.value("len(kept)") < 64


@needs_bwrap
def test_processes_are_limited_to_as_many_as_are_promised(sandboxed):
    bomb = "import os, time\nn = 0\nwhile True:\n    if os.fork() == 0: time.sleep(60)\n    n += 1"
    assert sandboxed.runs(bomb)["error"]["type"] == "BlockingIOError"
    assert sandboxed.value("n") == 7  # and the worker


SHARE = """
import mmap, os, time
for _ in range(6):
    if os.fork() == 0:
        held = mmap.mmap(-1, {size})
        time.sleep(60)
time.sleep(60)
"""
FILES = "for n in range(10**6): open(f'{n}', 'w').close()"
TIMELESS = Limits(call_seconds=30, question_seconds=60)


@pytest.mark.parametrize(
    ("cell", "limits", "words"),
    [
        (SHARE.format(size=50 * 2**20), {"together": 200 * 2**20}, "200 MB of memory together"),
        pytest.param(FILES, {"files": 1_000}, "more than 1,000 files", marks=needs_bwrap),
    ],
    ids=["memory", "files"],
)
@linux
def test_what_all_processes_use_together_is_limited(cell, limits, words):
    bench = Bench("none" if "mmap" in cell else "bwrap", limits=TIMELESS._replace(**limits))
    with raises_saying(Lost, words) as lost:
        bench.runs(cell)
    assert lost.value.kind == "slow"  # which is a failed check, and no question for the instructor


@linux
def test_processes_are_counted_whatever_started_them():
    code = "import os, sys\nos.fork()\nos.fork()\nprint(flush=True)\nsys.stdin.read()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:
        for _ in range(4):
            process.stdout.readline()
        assert orphans.excess(process.pid, Limits(processes=3)) == ""  # one may be bubblewrap's
        assert "more than 2 processes" in orphans.excess(process.pid, Limits(processes=2))
        process.stdin.close()


STRANGER = "import os\nos.write(2, b'imported from the folder of submissions')\nos._exit(7)\n"


@pytest.mark.parametrize("path", ["", ".", os.pathsep])
def test_nothing_is_imported_from_where_the_command_was_given(tmp_path, monkeypatch, path):
    chosen = lay_out(tmp_path / "course")
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    for name in ("tempfile", "numpy", "json", "pytest", "random"):
        (submissions / f"{name}.py").write_text(STRANGER)
    monkeypatch.chdir(submissions)
    monkeypatch.setenv("PYTHONPATH", path)
    found = run.run_job(job(chosen, RIGHT))
    assert (found.status, found.earned_points()) == ("GRADED", 4), found.reason


def test_the_command_itself_imports_nothing_more_from_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for entry in ("", ".", str(tmp_path)):
        monkeypatch.setattr(sys, "path", [entry, "/elsewhere"])
        run.leave_folder()
        assert sys.path == ["/elsewhere"]


@linux
def test_no_program_is_started_from_where_the_command_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("docker", "bwrap"):
        Path(name).write_text("#!/bin/sh")
        Path(name).chmod(0o755)
        monkeypatch.setenv("PATH", os.pathsep + ".")
        assert process.program(name) is None
        monkeypatch.setenv("PATH", str(tmp_path))
        assert process.program(name) == str(tmp_path / name)


def job(chosen, answers, kind="none", **options):
    """The job of a submission with these answers, without a sandbox."""
    setting = Setting(kind, ("numpy",), LIMITS)
    master = assignment.key_master(chosen)
    return run.Job(chosen.hidden, master, setting, raw=notebook(answers), **options)


@linux
def test_the_process_that_holds_the_checks_has_limits(tmp_path):
    chosen = lay_out(tmp_path)
    chosen.hidden.write_text(
        "import pytest, resource\n@pytest.mark.question('q1', points=1)\ndef test_it():\n"
        "    limits = [resource.getrlimit(n) for n in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]\n"
        f"    memory, time = ({session.MEMORY},) * 2, ({session.SECONDS}, {2 * session.SECONDS})\n"
        "    assert limits == [memory, time]\n"
        "    with pytest.raises(MemoryError): bytearray(3 * 2**30)\n"
    )
    found = run.run_job(job(chosen, RIGHT))
    assert [check.outcome for check in found.checks] == ["passed"], found


def test_a_grading_process_loads_the_engines_only_for_a_check_that_asks(tmp_path):
    chosen = lay_out(tmp_path)
    chosen.hidden.write_text(
        "import sys, pytest\n@pytest.mark.question('q1', points=1)\ndef test_it():\n"
        "    assert 'minigrad.dynamic.tensor' not in sys.modules\n"
        "    import minigrad as mg\n    from minigrad import tensor\n"
        "    assert tensor is mg.tensor and callable(tensor)\n"
        "    with pytest.raises(AttributeError): mg.nothing\n"
    )
    found = run.run_job(job(chosen, RIGHT))
    assert [check.outcome for check in found.checks] == ["passed"], found


HIDE = """
import subprocess, sys, time
def double(x):
    subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(300) # {0}'],
                     start_new_session=True)
    time.sleep(300)
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder in which workers' folders are made, for this test alone."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@linux
def test_the_time_limit_ends_all_and_removes_its_folder(tmp_path, temporary, monkeypatch):
    token = f"timed {time.monotonic_ns()}"
    chosen = lay_out(tmp_path)
    waiting = Limits(call_seconds=600, question_seconds=600)
    made = job(chosen, RIGHT | {"q1": HIDE.format(token)})
    made = run.Job(chosen.hidden, made.master, Setting("none", (), waiting), raw=made.raw)

    def end(grader):
        seen.append(seen or comes(lambda: alive(token)) and list(temporary.iterdir()))
        close(grader)

    seen, close = [], run.Grader.close
    monkeypatch.setattr(run.Grader, "close", end)
    monkeypatch.setattr(run.Job, "seconds", lambda job: 0.1)
    found = run.run_job(made)
    assert found.status == "CRASHED" and "grading took longer than" in found.reason
    assert seen[0]
    assert comes(lambda: not alive(token))
    assert list(temporary.iterdir()) == []


@linux
def test_a_killed_grader_leaves_no_process_and_no_folder(tmp_path, temporary):
    token = f"killed {time.monotonic_ns()}"
    lay_out(tmp_path)
    (tmp_path / "submissions").mkdir()
    raw = run.json.dumps(notebook(RIGHT | {"q1": HIDE.format(token)}))
    (tmp_path / "submissions/ann.ipynb").write_text(raw)
    words = [sys.executable, "-m", "minigrad.course.cli", "grade", "tiny", "submissions", *UNSAFE]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "TMPDIR": str(temporary)}
    with subprocess.Popen(words, cwd=tmp_path, env=environment, stderr=subprocess.PIPE) as process:
        assert comes(lambda: alive(token)) and list(temporary.iterdir())
        process.send_signal(signal.SIGKILL)
    assert comes(lambda: not alive(token))
    assert comes(lambda: not list(temporary.iterdir()))


SHARED = """
import os, pytest
seen, names = [], set(globals())

@pytest.mark.question("q1", points=1)
def test_it(student):
    seen.append(1)
    os.environ["SEEN"] = os.environ.get("SEEN", "") + "1"
    pytest.seen = getattr(pytest, "seen", 0) + 1
    assert (len(seen), os.environ["SEEN"], pytest.seen) == (1, "1", 1)
    if student.double(1) == 7:
        os._exit(7)
"""


@needs_bwrap
def test_jobs_that_one_process_has_forked_share_nothing(tmp_path):
    chosen = lay_out(tmp_path)
    chosen.hidden.write_text(SHARED)
    honest = job(chosen, RIGHT, "bwrap")
    fatal = job(chosen, RIGHT | {"q1": "def double(x): return 7"}, "bwrap")
    with run.Graders() as graders:
        reports = [graders.run(one) for one in (honest, honest, fatal, honest)]
        ((process,),) = graders.idle.values()
    assert [one.earned_points() for one in reports] == [1, 1, 0, 1]
    assert (reports[2].status, reports[2].again) == ("CRASHED", True)
    assert reports[2].reason == "the grading process failed (status 7)"
    assert process.process.returncode == 0


def test_a_process_that_has_worked_without_a_sandbox_gets_no_other_job(tmp_path):
    with run.Graders() as graders:
        assert graders.run(job(lay_out(tmp_path), RIGHT)).earned_points() == 4
        assert list(graders.idle.values()) == [[]]


@linux
def test_a_grading_process_that_is_killed_is_replaced(tmp_path):
    chosen = lay_out(tmp_path)
    kill = "import os\ndef double(x):\n    stat = open(f'/proc/{os.getppid()}/stat').read()\n"
    kill += "    os.kill(int(stat.split()[3]), 9)"
    with run.Graders() as graders:
        first, second = (graders.run(job(chosen, RIGHT | {"q1": q})) for q in (kill, RIGHT["q1"]))
    assert first.status == "CRASHED" and "(status -9)" in first.reason
    assert second.earned_points() == 4


NOT_OURS = ("minigrad-course-main", "minigrad-ps1-submissions", "minigrad-2026-grades")
NOT_OURS += ("minigrad-999999999-x", "minigrad-abcdefgh", "worker-abcdefgh")


def test_folders_that_the_run_has_not_made_are_left_alone(tmp_path, temporary, monkeypatch):
    for name in NOT_OURS:
        (temporary / name).mkdir()
        (temporary / name / "work.txt").write_text("a year of it")
    chosen = lay_out(tmp_path)
    (tmp_path / "submissions").mkdir()
    (tmp_path / "submissions/ann.ipynb").write_text(run.json.dumps(notebook(RIGHT)))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["grade", "tiny", "submissions", *UNSAFE]) == 0
    assert run.run_job(job(chosen, RIGHT)).earned_points() == 4
    assert sorted(path.name for path in temporary.iterdir()) == sorted(NOT_OURS)
    assert all((temporary / name / "work.txt").read_text() for name in NOT_OURS)


def test_a_run_removes_no_folder_that_stands_in_the_place_of_its_own(temporary):
    with scratch.run_folder() as folder:
        own = Path(folder.path)
        assert own.parent == temporary.resolve()
        own.rename(temporary / "moved")
        own.mkdir()
        (own / "work.txt").write_text("another's")
    assert (own / "work.txt").read_text() == "another's"
