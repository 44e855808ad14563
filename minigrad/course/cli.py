"""The command `minigrad`: a table of commands and the way to one of them.

A command has `HELP` (one line), `arguments(parser)` and `run(args) -> exit status`; `NEEDS` names
the modules that must be installed before it begins.
It imports what is slow inside `run`, so that `minigrad --help` is quick.
"""

import argparse
import difflib
import errno
import importlib
import os
import sys
from pathlib import Path

from minigrad.core.errors import MinigradError

CLASS = ("predictions", "quiz", "items")  # what a class thinks
GROUPS = {  # for whom, and the commands; `--help` and the documents keep this order
    "learn": ("lab", "demo", "compare", "doctor"),
    "students": ("start", "check", "reset", "submit"),
    "instructors": ("new", "release", "kit", "grade", "package", "mutants", "slides", *CLASS),
    "authors": ("refresh", "lint", "figures", "site", "lite", "publish"),
}
STUDENT = GROUPS["students"]  # in one module
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
FULL, LOCKED = (errno.ENOSPC, errno.EDQUOT), (errno.EACCES, errno.EPERM, errno.EROFS)
PIPE_CLOSED = 141  # the exit status in a shell of a program that wrote to a closed pipe


def main(argv=None):
    """Run one command; the exit status is 0 (well), 1 (findings), 2 (an error), 130 (stopped)."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if "_ARGCOMPLETE" in os.environ:
        from minigrad.course.completion import complete_line

        complete_line()
    name = argv[0] if argv else "--help"
    try:
        status = answer_itself(name) if name.startswith("-") else dispatch(name, argv[1:])
        sys.stdout.flush()
        return status
    except MinigradError as error:
        print(message(name, error), file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(message(name, missing_extra(error)), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"minigrad {name}: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        give_up_output()
        return PIPE_CLOSED
    except OSError as error:
        if error.errno not in (*FULL, *LOCKED):
            raise
        print(message(name, refused_by_system(error)), file=sys.stderr)
        give_up_output()
        return 2


def answer_itself(option):
    """What `minigrad` answers without a command."""
    from minigrad.course import project

    answers = {"-h": overview, "--help": overview, "--version": project.version_text}
    if option not in answers:
        raise MinigradError(f"{option} is not an option", hint="minigrad --help")
    print(answers[option]())
    return 0


def dispatch(name, rest):
    """Parse the arguments of the command `name` and run it."""
    from minigrad.course import project

    if name not in COMMANDS:
        raise MinigradError(f"'{name}' is not a command", hint=suggestion(name))
    command = load_command(name)
    parser = parser_of(name, command)
    # options may stand between names, but not where "--" gives all that follows to another command
    parse = parser.parse_args if "--" in rest else parser.parse_intermixed_args
    args = parse(rest)
    project.require(*getattr(command, "NEEDS", ()))
    return command.run(args)


def parser_of(name, command):
    """What reads the arguments of a command."""
    parser = argparse.ArgumentParser(prog=f"minigrad {name}", description=command.HELP)
    command.arguments(parser)
    return parser


def load_command(name):
    """The command `name`: a module, or one of those in the table of the student's module."""
    if name in STUDENT:
        return importlib.import_module("minigrad.course.commands.student").COMMANDS[name]
    return importlib.import_module(f"minigrad.course.commands.{name}")


def overview():
    """What `minigrad --help` prints."""
    width = max(map(len, COMMANDS))
    lines = ["usage: minigrad COMMAND ...\n\nA course on computation graphs; with these commands:"]
    for group, names in GROUPS.items():
        lines.append(f"\n{group}")
        lines += [f"  {name:<{width}}  {load_command(name).HELP}" for name in names]
    lines.append(
        "\n`minigrad COMMAND --help` describes a command; `minigrad --version` prints the version."
    )
    return "\n".join(lines)


def suggestion(name):
    """The commands that `name` may have meant, or all of them."""
    near = difflib.get_close_matches(name, COMMANDS, n=3)
    return " or ".join(f"minigrad {command}" for command in near) or "minigrad --help"


def message(name, error):
    """The message and the hint; the place only where the raiser named one, since the line of
    code that called a command says nothing to the person who typed it."""
    place = f"\n  at   {error.line}" if isinstance(error.line, str) else ""
    hint = f"\n  try  {error.hint}" if error.hint else ""
    prefix = f"minigrad {name}" if name in COMMANDS else "minigrad"
    return f"{prefix}: {error.message}{place}{hint}"


def missing_extra(error):
    """The MinigradError for a package of an extra that is not installed; raises any other error."""
    from minigrad.course import project

    module = (error.name or "").partition(".")[0]
    if project.extra_with(module) is None:
        raise error
    return project.lacking(module)


def refused_by_system(error):
    """The MinigradError for a disk that is full, or a place that may not be written or read."""
    if error.errno in FULL:
        where = f", at {error.filename}" if error.filename else ""
        return MinigradError(
            f"the disk is full{where}", "free some space, and run the command again"
        )
    path = Path(error.filename or ".")
    place = path if path.exists() else path.parent
    hint = "work in a folder that you own, or ask its owner for access"
    return MinigradError(f"{place}: {error.strerror.lower()}", hint=hint)


def give_up_output():
    """Let what is still to be printed go nowhere: Python would try once more as it ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
