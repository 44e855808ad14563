"""The command line: its table, its help and its errors."""

import subprocess
import sys

import pytest

from minigrad.course import cli
from minigrad.errors import MinigradError


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
        "minigrad: there is no command 'doctr'\n  try  minigrad doctor\n"
    )


def test_a_command_like_no_other_is_sent_to_the_help(capsys):
    assert cli.main(["zzz"]) == 2
    assert "try  minigrad --help" in capsys.readouterr().err


def test_an_error_is_one_message_without_the_caller(monkeypatch, capsys):
    def fail(args):
        raise MinigradError("the fact", mend="the cure", line="lesson 1, cell 2")

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
