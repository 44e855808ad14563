"""Files: replaced whole, whatever stops it."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import minigrad as mg
from minigrad import files
from minigrad.files import atomic

OLD, NEW = b"old" * 1000, b"new" * 2000


class Stopped(BaseException):
    """What stops a call at some point."""


def stopping(monkeypatch, place, names=("open", "fsync", "replace", "unlink", "close")):
    """Makes the call number `place` of these functions of the system raise; counts them."""
    calls = []

    def wrap(name, real):
        def call(*arguments, **options):
            calls.append(name)
            if len(calls) - 1 == place:
                raise Stopped(name)
            return real(*arguments, **options)

        return call

    for name in names:
        monkeypatch.setattr(os, name, wrap(name, getattr(os, name)))
    return calls


def test_wherever_it_is_stopped_the_old_or_the_new_content_is_there(tmp_path, monkeypatch):
    path, seen = tmp_path / "a.txt", set()
    for place in range(20):
        path.write_bytes(OLD)
        with monkeypatch.context() as patch:
            calls = stopping(patch, place)
            with contextlib.suppress(Stopped):
                files.replace_file(path, NEW)
        if len(calls) <= place:
            break
        assert path.read_bytes() in (OLD, NEW)
        seen.add(path.read_bytes())
    assert seen == {OLD, NEW} and path.read_bytes() == NEW
    assert {"fsync", "replace"} <= set(calls)


def test_the_content_is_on_the_disk_before_its_name_points_to_it(tmp_path, monkeypatch):
    calls = stopping(monkeypatch, None)
    files.replace_file(tmp_path / "a.txt", NEW)
    assert calls.index("fsync") < calls.index("replace")
    if os.name != "nt":  # and then the name
        assert "fsync" in calls[calls.index("replace") :]


def test_a_failure_leaves_no_parts_behind(tmp_path, monkeypatch):
    def full(_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        files.replace_file(tmp_path / "a.txt", NEW)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_held_for_a_while_is_tried_again(tmp_path, monkeypatch):
    attempts, real = [], os.replace

    def held(old, new):
        attempts.append(new)
        if len(attempts) < 3:
            raise PermissionError("another process has it open")
        real(old, new)

    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(atomic, "WAITS", (0, 0))
    files.replace_file(tmp_path / "a.txt", NEW)
    assert len(attempts) == 3 and (tmp_path / "a.txt").read_bytes() == NEW
    attempts.clear()
    monkeypatch.setattr(atomic, "WAITS", (0,))
    with pytest.raises(PermissionError):
        files.replace_file(tmp_path / "a.txt", OLD)
    assert (tmp_path / "a.txt").read_bytes() == NEW


def test_readers_beside_writers_find_one_whole_content(tmp_path):
    path, contents = tmp_path / "a.txt", [bytes([n]) * 50_000 for n in range(4)]
    path.write_bytes(contents[0])
    failed = []

    def write(content):
        try:
            for _ in range(30):
                files.replace_file(path, content)
        except Exception as error:
            failed.append(error)

    writers = [threading.Thread(target=write, args=[c]) for c in contents]
    for writer in writers:
        writer.start()
    found = [path.read_bytes() for _ in range(300)]
    for writer in writers:
        writer.join()
    assert failed == [] and set(found) <= set(contents)
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_a_process_that_is_killed_leaves_one_whole_content(tmp_path):
    path = tmp_path / "a.txt"
    code = (
        "import itertools, sys\nfrom minigrad import files\n"
        "for n in itertools.count():\n"
        "    files.replace_file(sys.argv[1], bytes([n % 256]) * 100_000)\n"
        "    print(n, flush=True)\n"
    )
    root = Path(mg.__file__).parents[1]
    for lines in (1, 3, 7):
        writer = subprocess.Popen(
            [sys.executable, "-c", code, path],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        for _ in range(lines):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        content = path.read_bytes()
        assert len(content) == 100_000 and len(set(content)) == 1
