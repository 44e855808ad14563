"""The command `minigrad`: a table of commands and the way to one of them.

A command has `HELP` (one line), `arguments(parser)` and `run(args) -> exit status`.
It imports what is slow inside `run`, so that `minigrad --help` is quick.
"""

import argparse
import difflib
import importlib
import sys

from minigrad.errors import MinigradError

STUDENT = ("start", "check", "reset", "submit")  # in one module
AUTHOR = ("refresh", "lint", "figures", "site")
INSTRUCTOR = ("new", "release", "kit", "grade", "package", "mutants")
COMMANDS = ("doctor", "demo", "compare", "lab", *STUDENT, *INSTRUCTOR, *AUTHOR)


def main(argv=None):
    """Run one command; the exit status is 0 (well), 1 (findings), 2 (an error), 130 (stopped)."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if not argv or argv[0] in ("-h", "--help"):
        print(overview())
        return 0
    try:
        return dispatch(argv[0], argv[1:])
    except MinigradError as error:
        print(message(argv[0], error), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"minigrad {argv[0]}: stopped", file=sys.stderr)
        return 130


def dispatch(name, rest):
    """Parse the arguments of the command `name` and run it."""
    if name not in COMMANDS:
        raise MinigradError(f"there is no command '{name}'", mend=suggestion(name))
    command = load_command(name)
    parser = argparse.ArgumentParser(prog=f"minigrad {name}", description=command.HELP)
    command.arguments(parser)
    # options may stand between names, but not where "--" gives all that follows to another command
    parse = parser.parse_args if "--" in rest else parser.parse_intermixed_args
    return command.run(parse(rest))


def load_command(name):
    """The command `name`: a module, or one of those in the table of the student's module."""
    if name in STUDENT:
        return importlib.import_module("minigrad.course.commands.student").COMMANDS[name]
    return importlib.import_module(f"minigrad.course.commands.{name}")


def overview():
    """What `minigrad --help` prints."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {load_command(name).HELP}" for name in COMMANDS]
    head = "usage: minigrad COMMAND ...\n\nA course on computation graphs; its commands:\n"
    return "\n".join([head, *lines, "\n`minigrad COMMAND --help` says more."])


def suggestion(name):
    """The commands that `name` may have meant, or all of them."""
    near = difflib.get_close_matches(name, COMMANDS, n=3)
    return " or ".join(f"minigrad {command}" for command in near) or "minigrad --help"


def message(name, error):
    """The fact and the cure; the place only where the raiser named one, since the line of
    code that called a command says nothing to the person who typed it."""
    place = f"\n  at   {error.line}" if isinstance(error.line, str) else ""
    cure = f"\n  try  {error.mend}" if error.mend else ""
    prefix = f"minigrad {name}" if name in COMMANDS else "minigrad"
    return f"{prefix}: {error.fact}{place}{cure}"


if __name__ == "__main__":
    sys.exit(main())
