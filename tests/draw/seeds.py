"""What a program prints, whatever order the hashes of a process give to its sets."""

import os
import subprocess
import sys


def printed_under_two_seeds(program):
    """The bytes that a program prints in two processes, whose strings have other hashes."""
    paths = os.pathsep.join(filter(None, sys.path))
    return [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths},
        ).stdout
        for seed in ("1", "2")
    ]
