"""Copying lessons to my/ and the server's arguments; tests/browser runs the server."""

import argparse

import pytest

from minigrad.course import cli
from minigrad.course.commands import lab, refresh
from minigrad.course.lessons import lesson


def parsed(*words):
    """The command's arguments from the words typed."""
    parser = argparse.ArgumentParser()
    lab.arguments(parser)
    return parser.parse_args(words)


def test_copies_have_no_outputs_and_are_never_overwritten(course, add_lesson, capsys):
    path = add_lesson("print('seen')")
    refresh.refresh(path)
    assert cli.main(["lab", "--copy-only"]) == 0
    assert capsys.readouterr().out == "new in my/: 01_small.ipynb\n"
    copy = course / "my" / "01_small.ipynb"
    (cell,) = lesson.read_lesson(copy).cells
    assert (cell.source, cell.outputs, cell.execution_count) == ("print('seen')", [], None)

    copy.write_text("the student's work")
    add_lesson("2", name="02_next")
    assert cli.main(["lab", "--copy-only"]) == 0
    assert capsys.readouterr().out == "new in my/: 02_next.ipynb\n"
    assert copy.read_text() == "the student's work"

    assert cli.main(["lab", "--copy-only"]) == 0
    assert capsys.readouterr().out.startswith("nothing new: ")


def test_the_environment_can_forbid_the_browser(course, monkeypatch):
    monkeypatch.setenv("MINIGRAD_NO_BROWSER", "1")
    assert "--no-browser" in lab.options(course, parsed())
    monkeypatch.setenv("MINIGRAD_NO_BROWSER", "0")
    assert "--no-browser" not in lab.options(course, parsed())
    assert "--no-browser" in lab.options(course, parsed("--no-browser"))


def test_the_lab_opens_on_the_start_page_and_the_key_on_its_folder(course, add_lesson):
    page = "--LabApp.default_url=/lab/tree/start.md"
    assert page in lab.options(course, parsed())
    assert page not in lab.options(course, parsed("--key"))
    add_lesson("1")
    assert cli.main(["lab", "--copy-only"]) == 0 == cli.main(["lab", "--key", "--copy-only"])
    assert (course / "my" / "start.md").exists()
    assert not (course / "my" / "key" / "start.md").exists()


def test_root_is_allowed_only_when_root_asks(course, monkeypatch):
    monkeypatch.setattr(lab.os, "geteuid", lambda: 0, raising=False)
    assert "--allow-root" in lab.options(course, parsed())
    monkeypatch.setattr(lab.os, "geteuid", lambda: 1000, raising=False)
    assert "--allow-root" not in lab.options(course, parsed())


def test_arguments_after_two_dashes_reach_jupyter(course):
    options = lab.options(course, parsed("--port", "9000", "--", "--ServerApp.ip=localhost"))
    assert "--ServerApp.port=9000" in options
    assert options[-1] == "--ServerApp.ip=localhost"


def test_the_server_takes_the_name_of_what_it_calls_after_a_save(course):
    manager = pytest.importorskip("jupyter_server.services.contents.filemanager")
    (word,) = [word for word in lab.options(course, parsed()) if word.startswith(lab.HOOK)]
    made = manager.FileContentsManager(post_save_hook=word.partition("=")[2])
    assert made.post_save_hook is lab.renew_start_page
