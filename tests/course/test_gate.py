"""The gate in front of the lessons bites: nbval fails when one stored number is changed."""

import os
import subprocess
import sys
from pathlib import Path

from minigrad.course import refresh

SANITIZE = Path(__file__).parents[1] / "nbval_sanitize.cfg"


def nbval(path):
    """pytest's exit status and output with the flags of `make test`."""
    flags = ["--nbval", "--nbval-current-env", f"--nbval-sanitize-with={SANITIZE}"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *flags]
    done = subprocess.run(
        [*command, "--nbval-cell-timeout=60", "--rootdir", str(path.parent), str(path)],
        capture_output=True, text=True, check=False, cwd=path.parent,
        env={**os.environ, "PYTHONHASHSEED": "random"},
    )  # fmt: skip
    return done.returncode, done.stdout


def test_nbval_passes_a_lesson_and_fails_one_changed_number(add_lesson):
    path = add_lesson("# A claim", "x = 2 * 3\nprint('x is', x)", "x + 0.125", name="01_gate")
    refresh.refresh(path)
    assert nbval(path)[0] == 0

    stored = path.read_text()
    for old, new in (("x is 6", "x is 7"), ("6.125", "6.126")):
        assert stored.count(old) == 1
        path.write_text(stored.replace(old, new))
        status, printed = nbval(path)
        assert status == 1
        assert "Cell outputs differ" in printed and "1 failed, 1 passed" in printed
