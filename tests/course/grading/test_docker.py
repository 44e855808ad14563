"""The Docker sandbox: its command line everywhere, its worker where Docker and the image are."""

import json
import subprocess
import sys

import pytest

from minigrad.core.errors import ArgumentError
from minigrad.course.grading import docker, process, sandbox
from minigrad.course.grading.inside import wire
from minigrad.course.grading.student import Student
from minigrad.course.grading.worker import Lost, Setting, Worker

from .conftest import LIMITS
from .test_worker import Bench

needs_docker = pytest.mark.skipif(docker.works() is not None, reason=str(docker.works()))
FAKE = """#!{python}
import json, os, subprocess, sys
log = open({log!r}, "a")
log.write(json.dumps(sys.argv[1:]) + "\\n")
log.close()
if sys.argv[1] == "run":
    start = sys.argv[sys.argv.index("python") + 1:]
    os.execv({python!r}, [{python!r}, "-S", *start])
"""
CLIENT = """#!{python}
import os, sys, time
if sys.argv[1] == "run":
    start = sys.argv[sys.argv.index("python") + 1:]
    reading, writing = os.pipe()
    if os.fork():  # the client sleeps until the process below has ended
        os.close(writing)
        os.read(reading, 1)
        time.sleep(0.7)
        sys.exit(3)
    if os.fork():
        os._exit(0)
    os.dup2(writing, 99)  # the worker closes those below 64
    os.close(writing)
    os.execv({python!r}, [{python!r}, "-S", *start])
"""
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the clock counts there")


def option(words, name):
    """The word after `name`."""
    return words[words.index(name) + 1]


def test_the_container_has_no_network_no_rights_and_nothing_to_write():
    launch = sandbox.launch_worker("docker", ("numpy",))
    words = launch.command
    assert option(words, "--network") == "none"
    assert option(words, "--cap-drop") == "ALL"
    assert option(words, "--security-opt") == "no-new-privileges"
    assert option(words, "--user") == "65534:65534"
    assert option(words, "--memory") == option(words, "--memory-swap") == "1g"
    assert option(words, "--pids-limit") == "16"
    assert option(words, "--ipc") == "none"
    assert option(words, "--tmpfs").startswith("/box:rw,")
    assert {"--read-only", "--rm"} <= set(words)
    assert "nr_inodes=" in option(words, "--tmpfs")
    assert not {"--privileged", "--volume", "--mount", "-v"} & set(words)
    assert launch.end[-2:] == ["kill", option(words, "--name")]
    assert launch.libraries == []  # the image has them, no folder of this machine is shown
    assert launch.command != sandbox.launch_worker("docker", ()).command  # a name of its own


@pytest.fixture
def docker_is(tmp_path, monkeypatch):
    """Put a script in the place of the program `docker`; returns the file that it may write."""

    def install(script):
        log, fake = tmp_path / "log", tmp_path / "docker"
        fake.write_text(script.format(python=process.real_interpreter(), log=str(log)))
        fake.chmod(0o755)
        monkeypatch.setattr("shutil.which", lambda name, path: str(fake))
        return log

    return install


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for docker is a script")
def test_a_worker_talks_through_the_client_and_is_ended_by_name(docker_is):
    log = docker_is(FAKE)
    made = Worker(Setting("docker", (), LIMITS))
    assert made.ask({"do": "cell", "with": {"name": "q1", "source": "x = 2"}}) == {"value": None}
    assert wire.decode(made.ask({"do": "name", "with": {"name": "x"}})["value"], None, None) == 2
    made.close()
    run, end = map(json.loads, log.read_text().splitlines())
    assert (run[0], end) == ("run", ["kill", option(run, "--name")])


@linux
def test_a_call_that_computes_behind_a_sleeping_client_has_the_time_of_one_that_waits(docker_is):
    docker_is(CLIENT)
    bench = Bench("docker", limits=LIMITS._replace(call_seconds=0.5))
    bench.runs(
        "import time\ndef f(seconds):\n    begun = time.monotonic()\n"
        "    while time.monotonic() < begun + seconds: pass\n    return seconds"
    )
    assert Student(bench).f(1.5) == 1.5  # and not stopped at the second look
    with pytest.raises(Lost, match="did not come back") as lost:
        Student(bench).f(1e9)
    assert lost.value.kind == "slow"


@linux
def test_the_exit_status_comes_from_a_client_that_sleeps(docker_is):
    docker_is(CLIENT)
    bench = Bench("docker", limits=LIMITS)
    with pytest.raises(Lost, match="it ended its own process with exit status 3"):
        bench.runs("import os\nos._exit(1)")


def test_asking_for_docker_without_it_is_refused(monkeypatch):
    monkeypatch.setattr(docker, "works", lambda: "docker is not installed")
    with pytest.raises(ArgumentError, match="docker is not installed"):
        sandbox.choose("docker")
    monkeypatch.setattr(docker, "works", lambda: None)
    assert sandbox.choose("docker") == "docker"
    assert sandbox.notice("docker") == "Sandbox: Docker."


def test_a_missing_image_is_told_with_the_way_to_make_it(monkeypatch):
    done = subprocess.CompletedProcess([], 1, "", "No such image")
    monkeypatch.setattr("shutil.which", lambda name, path: f"/bin/{name}")
    monkeypatch.setattr(docker.subprocess, "run", lambda *_, **__: done)
    assert "docker build -t minigrad-worker" in docker.works.__wrapped__()
    assert docker.RECIPE.is_file()


@needs_docker
def test_in_a_real_container():
    bench = Bench("docker", ("numpy",))
    bench.runs("import numpy, os, socket")
    assert bench.value("os.getuid()") == 65534
    assert bench.runs("open('/x', 'w')")["error"]["type"] == "OSError"
    bench.runs("def f():\n    while True: pass")
    with pytest.raises(Lost, match="did not come back"):
        Student(bench).f()
