"""Paths: `~` is the home folder, and one error names the path as it was given, and the cure."""

import errno
import os
import pickle
from pathlib import Path

import pytest
from draw.toy import leaf

import minigrad as mg
from minigrad.draw import draw
from minigrad.files import atomic


def net():
    """A layer with weights."""
    return mg.nn.Linear(2, 3)


def node():
    """What a graph computes."""
    with mg.Graph():
        return mg.placeholder("x", (2,)) * mg.Variable(3.0)


WRITERS = {  # what is saved, by the ending of the name
    ".npz": lambda path: net().save(path),
    "": lambda path: net().save(path),
    ".json": lambda path: mg.save(path, node()),
    ".svg": lambda path: draw(leaf(1.0)).save(path),
    ".html": lambda path: mg.player(mg.tensor(2.0, requires_grad=True) * 3).save(path),
    ".bin": lambda path: mg.files.replace_file(path, b"bytes"),
}
READERS = {
    ".npz": lambda path: net().load(path),
    "": lambda path: net().load(path),
    ".json": mg.load,
    ".yaml": mg.from_config,
}
BOTH = [(suffix, "written", call) for suffix, call in WRITERS.items()]
BOTH += [(suffix, "read", call) for suffix, call in READERS.items()]
writers = pytest.mark.parametrize("suffix", WRITERS)
both = pytest.mark.parametrize("suffix, done, call", BOTH)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """An empty folder that is the home folder, and the one in use."""
    for name in ("HOME", "USERPROFILE"):  # the latter on Windows
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(call, path, kind=mg.FileError):
    """The error of a call; it names the path as it was given, and the line of the caller."""
    with pytest.raises(kind) as caught:
        call(path)
    text = str(caught.value)
    assert text.startswith(os.fspath(path)) and "at   test_paths.py" in text
    assert ".part" not in text and "Errno" not in text and caught.value.hint
    return caught.value


@writers
def test_the_home_folder_is_meant_by_a_tilde(suffix, home):
    WRITERS[suffix](f"~/w{suffix}")
    WRITERS[suffix](Path("~") / f"v{suffix}")
    assert (home / f"w{suffix or '.npz'}").is_file() and (home / f"v{suffix or '.npz'}").is_file()
    if suffix in READERS:
        READERS[suffix](f"~/w{suffix}")


@both
def test_a_folder_that_is_not_there(suffix, done, call, home):
    for path in (f"sub/w{suffix}", Path(f"sub/w{suffix}")):
        error = refusal(call, path, FileNotFoundError)
        assert error.message == f"{path} cannot be {done}: there is no folder sub"
        if done == "written":
            assert error.hint == "make it first: os.makedirs('sub', exist_ok=True)"
    error = refusal(call, f"~/a/b/w{suffix}")
    if done == "read":
        assert error.hint == f"list the folder: os.listdir({str(home)!r})"
        return
    exec(error.hint.removeprefix("make it first: "), {"os": os})
    call(f"~/a/b/w{suffix}")
    assert [*(home / "a" / "b").glob("w*")]


@both
def test_a_file_in_the_place_of_a_folder(suffix, done, call, home):
    (home / "f").write_text("mine")
    for path in (f"f/w{suffix}", f"f/a/w{suffix}"):
        assert refusal(call, path).message == f"{path} cannot be {done}: f is not a folder"
    assert [path.name for path in home.iterdir()] == ["f"]


@both
def test_a_folder_in_the_place_of_a_file(suffix, done, call, home):
    (home / f"d{suffix}").mkdir()
    error = refusal(call, f"d{suffix}", OSError)
    if (suffix, done) != ("", "read"):
        assert error.message == f"d{suffix} cannot be {done}: it is a folder"
    assert [path.name for path in home.rglob("*")] == [f"d{suffix}"]


@pytest.mark.parametrize("suffix", READERS)
def test_a_file_that_is_not_there(suffix):
    error = refusal(READERS[suffix], f"w{suffix}", FileNotFoundError)
    assert error.message == f"w{suffix} cannot be read: there is no such file"
    assert error.hint == "list the folder: os.listdir('.')" and error.errno == errno.ENOENT
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@writers
@pytest.mark.parametrize(
    "code, kind, reason, hint",
    [
        (errno.ENOSPC, OSError, "the disk is full", "free some space"),
        (errno.EACCES, PermissionError, "you may not write to the folder .", "save to a folder"),
        (errno.EROFS, OSError, "you may not write to the folder .", "'~/w"),
        (errno.EIO, OSError, os.strerror(errno.EIO), "choose another path"),
    ],
)
def test_what_the_system_refuses_keeps_the_old_file(
    code, kind, reason, hint, suffix, home, monkeypatch
):
    WRITERS[suffix](f"w{suffix}")
    before = {path.name: path.read_bytes() for path in home.iterdir()}

    def refuse(handle):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    error = refusal(WRITERS[suffix], f"w{suffix}", kind)
    assert error.message.startswith(f"w{suffix} cannot be written: {reason}") and hint in error.hint
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


@pytest.mark.parametrize("suffix", READERS)
def test_a_file_that_may_not_be_read(suffix, home, monkeypatch):
    def refuse(path, mode):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(atomic, "open", refuse, raising=False)
    error = refusal(READERS[suffix], f"w{suffix}", PermissionError)
    assert error.message.startswith(f"w{suffix} cannot be read: you may not read it")
    assert error.hint == f"permit it: os.chmod('w{suffix or '.npz'}', 0o600)"


@both
def test_a_name_that_is_too_long(suffix, done, call, home):
    error = refusal(call, "x" * 300 + suffix)
    assert error.hint == "choose a shorter name" and not [*home.iterdir()]


@both
@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_a_text_that_can_name_no_file(name, suffix, done, call):
    with pytest.raises(mg.FileError, match="can name no file"):
        call(name and name + suffix)


@both
def test_the_home_folder_of_nobody(suffix, done, call):
    assert "there is no home folder ~nobody_" in refusal(call, f"~nobody_/w{suffix}").message


@both
@pytest.mark.parametrize("thing", [3, None, b"w.json", [Path("w.json")]], ids=repr)
def test_what_is_no_path(thing, suffix, done, call):
    with pytest.raises(mg.UsageError, match="a path is a string or a pathlib.Path, not"):
        call(thing)


def test_a_model_for_other_programs(home):
    pytest.importorskip("onnx", reason="the extra onnx is not installed")
    error = refusal(lambda path: mg.save(path, node()), "sub/w.onnx")
    assert error.message == "sub/w.onnx cannot be written: there is no folder sub"
    mg.save("~/w.onnx", node())
    assert (home / "w.onnx").is_file()
