"""What a shell offers at the TAB key: commands, options, and the names of lessons and assignments.

It needs the package argcomplete, and one line where the shell begins:
eval "$(register-python-argcomplete minigrad)".
"""

import argparse
import os

from minigrad.core.errors import MinigradError
from minigrad.course import cli, project

OFFERED = {  # what the names of a command mean, where they are no assignments
    "refresh": "notebooks/*.ipynb",
    "lint": "notebooks/*.ipynb",
    "figures": "figures/*.py",
}


def complete_line():
    """Answers the shell, and ends the process; returns only where argcomplete is not installed."""
    try:
        import argcomplete
    except ImportError:
        return
    words = os.environ.get("COMP_LINE", "").split()
    argcomplete.autocomplete(parser_of_line(words[1] if len(words) > 1 else ""))


def parser_of_line(name):
    """A parser that knows every command, and the arguments of the command `name`: reading those
    of all others would load what they need."""
    parser = argparse.ArgumentParser(prog="minigrad")
    parser.add_argument("--version", action="store_true")
    commands = parser.add_subparsers(dest="command")
    for command in cli.COMMANDS:
        own = commands.add_parser(command)
        if command == name:
            complete_names(cli.load_command(command), own, OFFERED.get(name, "assignments/ps*"))
    return parser


def complete_names(command, parser, pattern):
    """Define a command's arguments; what matches the pattern can stand for its names."""
    command.arguments(parser)
    for action in parser._actions:
        if action.dest in ("name", "names") and not action.option_strings:
            action.completer = lambda **_: names_like(pattern)


def names_like(pattern):
    """The names of what matches a pattern in the course folder; nothing outside one."""
    try:
        return sorted(path.stem for path in project.root().glob(pattern))
    except MinigradError:
        return []
