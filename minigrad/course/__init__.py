"""The course around the package: its command line, its lessons and its assignments."""

from minigrad.course.commands import doctor  # lesson 00 asks it

__all__ = ["doctor"]
