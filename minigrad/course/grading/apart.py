"""A grading process, started: it leaves the engines out.

    python -P apart.py

`-P`, and no import from the folder in which the command was given: submissions may lie there.
`minigrad` itself costs most of a start, and is loaded when a check asks for it.
"""

import importlib.util
import sys


def main():
    """Grade the jobs that come on standard input."""
    leave_engines_out()
    from minigrad.course.grading import session

    session.main()


def leave_engines_out():
    """Put `minigrad` among the loaded modules empty: asked for a name, it fills itself."""
    spec = importlib.util.find_spec("minigrad")
    package = sys.modules["minigrad"] = importlib.util.module_from_spec(spec)

    def fill(name):
        if name.startswith("__"):
            raise AttributeError(name)
        del package.__getattr__
        spec.loader.exec_module(package)
        return getattr(package, name)

    package.__getattr__ = fill


if __name__ == "__main__":
    main()
