"""The command line: its table, its help and its errors."""

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.core.errors import MinigradError
from minigrad.course import cli, completion, project

ROOT = Path(__file__).parents[2]
MINIGRAD = [sys.executable, "-m", "minigrad.course.cli"]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_keeps_the_contract(name, capsys):
    command = cli.load_command(name)
    assert command.HELP and "\n" not in command.HELP
    with pytest.raises(SystemExit) as stopped:
        cli.main([name, "--help"])
    assert stopped.value.code == 0
    assert f"usage: minigrad {name}" in capsys.readouterr().out


def test_help_lists_every_command(capsys):
    assert cli.main(["--help"]) == 0
    printed = capsys.readouterr().out
    for name in cli.COMMANDS:
        assert f"{name} " in printed
        assert cli.load_command(name).HELP in printed


def test_help_groups_the_commands_by_whom_they_are_for(capsys):
    cli.main(["--help"])
    groups = re.findall(r"^(\w+)\n((?:  .+\n)+)", capsys.readouterr().out, re.MULTILINE)
    found = {name: tuple(line.split()[0] for line in text.splitlines()) for name, text in groups}
    assert found == cli.GROUPS
    assert max(map(len, cli.overview().splitlines())) <= 100


def test_the_version_is_that_of_the_project(capsys):
    assert cli.main(["--version"]) == 0
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"', text, re.MULTILINE)[1]
    assert capsys.readouterr().out == f"minigrad {version}\n"


def test_an_unknown_option_is_sent_to_the_help(capsys):
    assert cli.main(["--verison"]) == 2
    assert capsys.readouterr().err == (
        "minigrad: --verison is not an option\n  try  minigrad --help\n"
    )


def test_help_loads_nothing_slow():
    code = (
        "import sys; from minigrad.course.cli import main; main(['--help'])\n"
        "slow = {'nbformat', 'nbclient', 'jupyterlab', 'matplotlib', 'sklearn', 'pytest'}\n"
        "print('SLOW', sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("SLOW []\n")


def test_an_unknown_command_gets_a_suggestion(capsys):
    assert cli.main(["doctr"]) == 2
    assert capsys.readouterr().err == (
        "minigrad: 'doctr' is not a command\n  try  minigrad doctor\n"
    )


def test_a_command_like_no_other_is_sent_to_the_help(capsys):
    assert cli.main(["zzz"]) == 2
    assert "try  minigrad --help" in capsys.readouterr().err


def test_an_error_is_one_message_without_the_caller(monkeypatch, capsys):
    def fail(args):
        raise MinigradError("the fact", hint="the cure", line="lesson 1, cell 2")

    monkeypatch.setattr("minigrad.course.commands.lint.run", fail)
    assert cli.main(["lint"]) == 2
    assert capsys.readouterr().err == (
        "minigrad lint: the fact\n  at   lesson 1, cell 2\n  try  the cure\n"
    )


def test_a_line_of_code_is_no_place_for_a_command(monkeypatch, capsys):
    def fail(args):
        raise MinigradError("the fact")

    monkeypatch.setattr("minigrad.course.commands.lint.run", fail)
    assert cli.main(["lint"]) == 2
    assert capsys.readouterr().err == "minigrad lint: the fact\n"


def test_stopping_is_no_traceback(monkeypatch, capsys):
    def stop(args):
        raise KeyboardInterrupt

    monkeypatch.setattr("minigrad.course.commands.lint.run", stop)
    assert cli.main(["lint"]) == 130
    assert capsys.readouterr().err == "minigrad lint: stopped\n"


# what the system refuses --------------------------------------------------------------------------


def refuse(monkeypatch, error):
    """Lets `minigrad lint` meet an error."""

    def fail(args):
        raise error

    monkeypatch.setattr("minigrad.course.commands.lint.run", fail)


def test_a_place_that_is_locked_is_named(monkeypatch, capsys, tmp_path):
    lacking = str(tmp_path / ".made-for-a-moment")
    refuse(monkeypatch, OSError(errno.EROFS, "Read-only file system", lacking))
    assert cli.main(["lint"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == f"minigrad lint: {tmp_path}: read-only file system"
    assert said[1].startswith("  try  ") and len(said) == 2


def test_an_error_that_no_user_can_mend_is_not_dressed_up(monkeypatch):
    refuse(monkeypatch, OSError(errno.EBADF, "Bad file descriptor"))
    with pytest.raises(OSError, match="Bad file descriptor"):
        cli.main(["lint"])


def in_bubblewrap(*words, **more):
    """A command that sees the machine read-only, and at /mnt a disk of 8 kB."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("bubblewrap is not installed")
    around = [bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--size", "8192", "--tmpfs", "/mnt"]
    if subprocess.run([*around, "true"], capture_output=True, check=False).returncode:
        pytest.skip("bubblewrap does not work here")
    env = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [*around, *words], capture_output=True, text=True, check=False, env=env, cwd=ROOT, **more
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["start", "ps1", "--to", "/opt/new"], "minigrad start: /opt: read-only file system\n"),
        (["demo", "--epochs", "1", "--out", "/opt/new"], "minigrad demo: /opt: read-only"),
        (["start", "ps1", "--to", "/mnt/new"], "minigrad start: the disk is full"),
        (["demo", "--epochs", "1", "--out", "/mnt/new"], "cannot be written: the disk is full\n"),
    ],
)
def test_a_read_only_or_a_full_disk_is_no_traceback(words, said):
    done = in_bubblewrap(*MINIGRAD, *words)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert said in done.stderr and "\n  try  " in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_output_that_finds_no_room_is_no_traceback():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MINIGRAD, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("minigrad: the disk is full\n  try  ")
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a closed pipe is another error")
def test_a_reader_that_goes_is_no_traceback():
    told, heard = os.pipe()
    os.close(told)
    done = subprocess.run(
        [*MINIGRAD, "--help"], stdout=heard, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(heard)
    assert (done.returncode, done.stderr) == (cli.PIPE_CLOSED, "")


# completion ---------------------------------------------------------------------------------------


def offered(line, folder, cwd=ROOT):
    """What a shell is told that can follow a line."""
    pytest.importorskip("argcomplete", reason="argcomplete is not installed")
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    told = folder / "told"
    env = os.environ | asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(told)}
    subprocess.run(MINIGRAD, env=env, cwd=cwd, check=True, capture_output=True)
    return [word.strip() for word in told.read_text().split("\x0b")]


def test_the_shell_is_told_commands_options_and_names(tmp_path):
    assert offered("minigrad su", tmp_path) == ["submit"]
    assert offered("minigrad lab --k", tmp_path) == ["--key"]
    known = sorted(path.name for path in (ROOT / "assignments").glob("ps*"))
    assert offered("minigrad check ps", tmp_path) == known
    assert offered("minigrad lint 03", tmp_path) == ["03_reverse"]
    assert offered("minigrad figures mi", tmp_path) == ["mirror"]
    assert set(cli.COMMANDS) < {*offered("minigrad ", tmp_path)}


def test_names_outside_a_course_are_none(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(project, "beside_package", lambda: tmp_path)
    assert completion.names_like("notebooks/*.ipynb") == []


def test_without_argcomplete_the_shell_is_told_nothing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("minigrad ")
