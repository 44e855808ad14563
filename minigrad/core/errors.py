"""What an error says: a message, the learner's own line, and a hint."""

import functools
import linecache
import os
import sys
import warnings
from types import FrameType
from typing import Any, NamedTuple, Self

PACKAGE = os.path.dirname(os.path.dirname(__file__))


class Line(NamedTuple):
    """A place in the learner's source."""

    filename: str
    number: int

    def __str__(self) -> str:
        text = linecache.getline(self.filename, self.number).strip()
        return f"{short_name(self.filename)}:{self.number}   {text}".rstrip()


def short_name(filename: str) -> str:
    """A file's last part; a notebook cell, whose file name is a random path, is `cell`."""
    in_cell = "ipykernel_" in filename or filename.startswith("<")
    return "cell" if in_cell else os.path.basename(filename)


def name_of(function: Any) -> str:
    """What a message calls a function: its name, or the class of what has none."""
    while isinstance(function, functools.partial):
        function = function.func
    return str(getattr(function, "__name__", type(function).__name__))


def user_line() -> Line | None:
    """The innermost line on the stack that is not minigrad's own, or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and OWN_FILES[frame.f_code.co_filename]:
        frame = frame.f_back
    return frame and Line(frame.f_code.co_filename, frame.f_lineno)


class OwnFiles(dict[str, bool]):
    """Name of a file → whether it is one of this package; asked for each node, so it is kept."""

    def __missing__(self, filename: str) -> bool:
        self[filename] = filename.startswith(PACKAGE)
        return self[filename]


OWN_FILES = OwnFiles()


class MinigradError(Exception):
    """Every error of this package: its `message`, the learner's `line`, a `hint` what to do.

    `code` names the fault for programs, which never read the words; "" where none asks for it.
    """

    def __init__(
        self, message: str, hint: str | None = None, line: Line | None = None, code: str = ""
    ) -> None:
        self.message, self.hint, self.line, self.code = message, hint, line or user_line(), code
        super().__init__(message)

    def __str__(self) -> str:
        place = f"\n  at   {self.line}" if self.line else ""
        hint = f"\n  try  {self.hint}" if self.hint else ""
        return f"{self.message}{place}{hint}"

    @property
    def fact(self) -> str:
        """The message, under its old name."""
        deprecate("error.fact", "error.message")
        return self.message

    @property
    def mend(self) -> str | None:
        """The hint, under its old name."""
        deprecate("error.mend", "error.hint")
        return self.hint

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the message alone, no frame of the package."""
        return f"{type(self).__name__}: {self}".split("\n")


def deprecate(old: str, new: str) -> None:
    """Warns that a name will go with the next release."""
    text = f"{old} is now called {new}; the old name goes with the next release"
    warnings.warn(text, DeprecationWarning, stacklevel=3)


class ShapeError(MinigradError, ValueError):
    """Shapes that do not fit together."""


class DtypeError(MinigradError, TypeError):
    """A number type that an operation cannot take, or that would lose information."""


class ArgumentError(MinigradError, ValueError):
    """An argument outside its domain."""


class UsageError(MinigradError, TypeError):
    """A call that a value or a function does not answer: len of a number, an unknown option."""


class MissingError(MinigradError, AttributeError):
    """A name that minigrad does not have; the thing has another name here, or is not needed."""


class GradientError(MinigradError, RuntimeError):
    """A derivative that cannot be computed, or no longer."""


class GraphError(MinigradError, RuntimeError):
    """A graph used in a way that its structure does not allow."""


class FeedError(MinigradError, ValueError):
    """A feed that is missing, unknown, or of the wrong shape or type."""

    missing_feed: Any = None  # the placeholder that is missing: the entry says how to feed it


class FileError(ArgumentError, OSError):
    """A file that cannot be written or read, is damaged, or holds what its kind may not hold."""

    def __new__(cls, message: str = "", *_: Any, **__: Any) -> Self:
        return OSError.__new__(cls, message)  # ValueError's would come first, and is refused


class MissingFileError(FileError, FileNotFoundError):
    """A file or folder that is not there."""


class ForbiddenFileError(FileError, PermissionError):
    """A file or folder that may not be read or written."""
