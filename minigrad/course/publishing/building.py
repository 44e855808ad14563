"""The programs that a build asks, and the packages that hatchling makes."""

import os
import subprocess
import sys

from minigrad.core.errors import MinigradError


def run_quietly(what, words, cwd, variables=None):
    """Runs a program, with some environment variables; raises MinigradError with the end of what it
    said where it fails."""
    environment = os.environ | (variables or {})
    text = {"encoding": "utf-8", "errors": "replace", "capture_output": True}
    try:
        done = subprocess.run(words, cwd=cwd, env=environment, check=False, **text)
    except FileNotFoundError:
        raise MinigradError(f"{words[0]} is not installed", hint=f"install {words[0]}") from None
    if done.returncode:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
        raise MinigradError(f"{what} failed\n{said}", hint="fix what is named above")


def build_packages(source, folder, *kinds, **variables):
    """Builds what is asked for, "wheel" or "sdist", of the package in `source` into a folder;
    returns the new paths. Raises MinigradError where hatchling fails."""
    folder.mkdir(exist_ok=True)
    before = {*folder.iterdir()}
    targets = [word for kind in kinds for word in ("-t", kind)]
    command = [sys.executable, "-m", "hatchling", "build", *targets, "-d", str(folder)]
    run_quietly("hatchling", command, source, variables)
    return sorted({*folder.iterdir()} - before)
