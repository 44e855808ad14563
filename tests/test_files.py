"""Files: replaced whole, whatever stops it; arrays are read when they are what they say."""

import io
import os
import signal
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad import files
from minigrad.spec import Spec

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
            try:
                files.replace_file(path, NEW)
            except Stopped:
                pass
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
    monkeypatch.setattr(files, "WAITS", (0, 0))
    files.replace_file(tmp_path / "a.txt", NEW)
    assert len(attempts) == 3 and (tmp_path / "a.txt").read_bytes() == NEW
    attempts.clear()
    monkeypatch.setattr(files, "WAITS", (0,))
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


# arrays ------------------------------------------------------------------------------------------


def unpacked(content, check=lambda specs: None):
    return files.unpack_arrays(io.BytesIO(content), check)


def test_arrays_come_back_bit_for_bit_and_pack_to_the_same_bytes():
    arrays = {
        "W": np.array([[np.nan, -0.0], [5e-324, np.inf]]),
        "file": np.arange(3, dtype=">i2"),
        "allow_pickle": np.asfortranarray(np.ones((2, 3), np.float16)),
        "": np.array(True),
        "none": np.zeros((0, 4)),
    }
    packed, seen = files.pack_arrays(arrays), {}
    found = unpacked(packed, seen.update)
    assert packed == files.pack_arrays(arrays) and list(found) == list(arrays) == list(seen)
    for name, array in arrays.items():
        assert found[name].tobytes() == array.tobytes() and seen[name] == Spec(
            array.shape, array.dtype
        ) == Spec(found[name].shape, found[name].dtype)
    with np.load(io.BytesIO(packed)) as file:  # it is what NumPy calls an .npz file
        np.testing.assert_array_equal(file["W"], arrays["W"])


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def archive(*members, packing=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as made:
        for name, content in members:
            made.writestr(name, content)
    return file.getvalue()


def headed(text):
    """An array with a header of another text."""
    text = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


GOOD = npy(np.arange(3.0))
HOSTILE = {
    "no archive": b"PK",
    "an array alone": GOOD,
    "nothing": b"",
    "a text": archive(("a.npy", b"x" * 100)),
    "another file": archive(("a.txt", GOOD)),
    "an object": archive(("a.npy", npy(np.array([print], object)))),
    "letters": archive(("a.npy", npy(np.array(["a"])))),
    "cut off": archive(("a.npy", GOOD[:-1])),
    "too long": archive(("a.npy", GOOD + b"x")),
    "a bomb": archive(
        ("a.npy", headed("{'descr': '<f8', 'fortran_order': False, 'shape': (10**12,)}"))
    ),
    "huge": archive(
        ("a.npy", headed("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}"))
    ),
    "negative": archive(
        (
            "a.npy",
            headed("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -3)}") + GOOD[-24:],
        )
    ),
    "a bool": archive(
        ("a.npy", headed("{'descr': '|b1', 'fortran_order': False, 'shape': (True,)}") + b"x")
    ),
    "a record": archive(
        (
            "a.npy",
            headed("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}") + b"x" * 8,
        )
    ),
    "no version": archive(("a.npy", b"\x93NUMPY\x09\x00" + GOOD[8:])),
    "lzma": archive(("a.npy", GOOD), packing=zipfile.ZIP_LZMA),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_an_archive_that_is_not_of_arrays_of_numbers_is_refused(content):
    with pytest.raises(mg.FileError):
        unpacked(content)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_arrays_of_one_name_are_refused():
    with pytest.raises(mg.FileError, match="two arrays of one name"):
        unpacked(archive(("a.npy", GOOD), ("a.npy", GOOD)))


def test_bits_that_were_changed_are_found():
    packed = bytearray(archive(("a.npy", GOOD)))
    packed[packed.index(np.arange(3.0).tobytes()) + 8] ^= 1
    with pytest.raises(mg.FileError, match="it is damaged: Bad CRC"):
        unpacked(bytes(packed))


def test_nothing_is_read_before_the_check_allows_it():
    content = archive(("a.npy", npy(np.zeros(10**7))), packing=zipfile.ZIP_DEFLATED)

    def refuse(specs):
        assert specs == {"a": Spec((10**7,), np.dtype(float))}
        raise mg.ShapeError("too large")

    with pytest.raises(mg.ShapeError, match="too large"):
        unpacked(content, refuse)
