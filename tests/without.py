"""Runs pytest as where packages are not installed: without.py NAME[,NAME] ARGUMENTS."""

import importlib.machinery
import sys

import pytest


def hide(names, finder=importlib.machinery.PathFinder):
    """Make the packages of these names unknown to this process: they must not be loaded yet."""
    found = finder.find_spec

    def find_spec(name, path=None, target=None):
        """No place for a hidden package, else where it is."""
        return None if name.partition(".")[0] in names else found(name, path, target)

    finder.find_spec = find_spec


if __name__ == "__main__":
    hide(set(sys.argv[1].split(",")))
    sys.exit(pytest.main(sys.argv[2:]))
