"""Which library finishes all runs first, by array size and number of runs, with compile time
included. Each run computes the gradient of eleven operations; each library runs on one thread of
one machine."""

import json
import subprocess
import sys
from pathlib import Path

from minigrad.course.commands.compare import compare_slopes, contenders, one_thread
from minigrad.draw.figures import read_measurement
from minigrad.measure import Comparison

ALT = (
    "A map of array sizes from 10 to 1,000,000 numbers and of 1 to 100,000 runs. Each field has "
    "the colour and the hatching of the library that finishes all runs first. A field is white "
    "where no difference was measured."
)
SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000]


def measure():
    """A comparison in a process of its own, of all libraries that are installed."""
    command = [sys.executable, __file__]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def make():
    """The map."""
    winners = Comparison(**read_measurement(Path(__file__))).winners()
    return winners.figure("Gradient of eleven operations: the fastest library, with compile time")


if __name__ == "__main__":
    told, sys.stdout = sys.stdout, sys.stderr
    with one_thread():
        found = compare_slopes(contenders(), SIZES, rounds=9)
    print(json.dumps(found._asdict()), file=told)
