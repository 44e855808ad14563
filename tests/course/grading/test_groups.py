"""Control groups: on a folder of plain files, and on what the system gives."""

import os

import pytest
from saying import raises_saying

from minigrad.course.grading import groups, orphans
from minigrad.course.grading.meter import Meter
from minigrad.course.grading.worker import Limits, Lost

from .conftest import needs_bwrap
from .test_worker import Bench

TOKEN = "run-7"
LIMITS = Limits(call_seconds=30, question_seconds=60, together=300 * 2**20)


@pytest.fixture
def mount(tmp_path, monkeypatch):
    """A folder that looks as the system's, with this process in the group `scope`."""
    home = tmp_path / "scope"
    home.mkdir()
    (home / "cgroup.controllers").write_text("cpu memory pids\n")
    (home / "cgroup.subtree_control").write_text("")
    (tmp_path / "own").write_text("4:memory:/old\n0::/scope\n")
    monkeypatch.setattr(groups, "MOUNT", tmp_path)
    monkeypatch.setattr(groups, "OWN", tmp_path / "own")
    return home


def now_in(mount, name):
    """Have the system say that this process is in the group `name`."""
    (mount.parent / "own").write_text(f"0::/scope/{name}\n")


def content(path):
    """What stands in a file."""
    return path.read_text()


def test_a_group_has_the_limits_of_its_submission(mount):
    own = str(os.getpid())
    with groups.groups_wanted(TOKEN):
        assert content(mount / "minigrad/cgroup.procs") == own
        assert content(mount / "cgroup.subtree_control") == "+memory +pids"
        now_in(mount, "minigrad")
        with groups.groups_wanted(TOKEN):  # a second time nothing is done
            pass
        with groups.new_group(LIMITS, TOKEN) as group:
            assert content(group / "cgroup.procs") == own
        found = {file.name: content(file) for file in group.iterdir()}
        assert found["memory.max"] == str(LIMITS.together) and found["pids.max"] == "10"
        assert (found["memory.oom.group"], found["memory.swap.max"]) == ("1", "0")
        with groups.new_group(LIMITS, TOKEN) as other:
            assert other != group and other.parent == group.parent == mount
        assert content(mount / "minigrad/cgroup.procs") == own
    assert content(group / "cgroup.kill") == "1"
    assert content(mount / "cgroup.subtree_control") == "-memory -pids"
    assert content(mount / "cgroup.procs") == own


def test_a_group_tells_what_it_has_used_and_why_it_was_ended(mount):
    (mount / "memory.events").write_text("low 0\nmax 7\noom_kill 0\n")
    (mount / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 1\n")
    assert groups.excess_in(mount, LIMITS) == ""
    assert groups.seconds_used(mount) == 2.5 <= Meter(os.getpid(), mount).look()
    (mount / "memory.events").write_text("low 0\nmax 7\noom_kill 1\n")
    assert "more than 300 MB of memory together" in groups.excess_in(mount, LIMITS)
    assert groups.read_number(mount, "nothing", "usage_usec") == 0


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("cgroup.controllers", "cpu pids\n"),
        ("cgroup.subtree_control", "memory\n"),  # somebody else sees to it
        ("../own", "4:memory:/old\n"),
    ],
)
def test_where_none_can_be_made_nothing_is_changed(mount, file, text):
    (mount / file).write_text(text)
    with groups.groups_wanted(TOKEN), groups.new_group(LIMITS, TOKEN) as group:
        assert group is None
    assert not (mount / "minigrad").exists()


def test_a_group_that_others_are_in_is_left_again(mount, monkeypatch):
    def refuse(*_):
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(groups, "switch_counting", refuse)
    with groups.groups_wanted(TOKEN):
        pass
    assert content(mount / "cgroup.procs") == str(os.getpid())


def test_a_group_that_is_not_made_whole_is_none(mount, monkeypatch):
    now_in(mount, "minigrad")
    (mount / "minigrad").mkdir()
    (mount / f"minigrad-{TOKEN}-{os.getpid()}-7").write_text("in the way")
    monkeypatch.setattr(groups, "NUMBERS", iter([7]))
    with groups.new_group(LIMITS, TOKEN) as group:
        assert group is None


def test_only_the_groups_of_the_run_are_ended(mount):
    other, own = mount / "minigrad-run-8-1-1", mount / f"minigrad-{TOKEN}-1-1"
    for group in (other, own):
        group.mkdir()
    with groups.groups_wanted(TOKEN):
        pass
    assert not (other / "cgroup.kill").exists() and content(own / "cgroup.kill") == "1"


# what the system gives ---------------------------------------------------------------------------


@pytest.fixture
def wanted(monkeypatch):
    """Groups of this system, and nothing else that watches."""
    monkeypatch.setattr(orphans, "excess", lambda *_: "")
    with groups.groups_wanted(TOKEN):
        home = groups.own_group()
        if home is None or home.name != groups.WAITING:
            pytest.skip("no control groups of version 2 can be made here")
        yield home.parent


HOG = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        held = bytearray(b'x') * (100 * 2**20)
        time.sleep(60)
time.sleep(60)
"""
BOMB = """
import os, resource, time
n = 0
try:
    while True:
        if os.fork() == 0: time.sleep(60)
        n += 1
except OSError: pass
"""


@pytest.mark.parametrize("kind", ["none", pytest.param("bwrap", marks=needs_bwrap)])
def test_the_kernel_limits_what_a_submission_uses_together(wanted, kind):
    for cell, words in ((HOG, "more than 300 MB of memory together"), (BOMB, "")):
        bench = Bench(kind, limits=LIMITS)
        group = bench.worker.group
        assert group.parent == wanted and bench.worker.meter.look() < 30
        if words:
            with raises_saying(Lost, words) as lost:
                bench.runs(cell)
            assert lost.value.kind == "slow"
        else:
            assert bench.runs(cell) == {"value": None} and bench.value("n") < 10
        bench.worker.close()
        assert not group.exists()


def test_nothing_is_left_of_groups(wanted):
    bench = Bench("none", limits=LIMITS)
    assert len([*wanted.glob("minigrad-*")]) == 1
    bench.worker.close()
    assert [*wanted.glob("minigrad-*")] == []
