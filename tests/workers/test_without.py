"""Without Dask the package works, and each entry to workers says in a line what to install."""

import subprocess
import sys
from pathlib import Path

import minigrad as mg

SCRIPT = """
import sys
sys.modules.update(dask=None, distributed=None, cloudpickle=None)
import minigrad as mg
from minigrad import workers
with mg.Graph():
    x = mg.placeholder("x", (None, 3))
    with mg.name_scope("a"):
        y = mg.sum(x * mg.Variable(1.0))
print(len(workers.partition(y, {"a": 0}).pieces))
for call in (workers.local, lambda: workers.connect("tcp://127.0.0.1:1")):
    try:
        call()
    except workers.WorkersError as error:
        print(error.message, "|", error.hint)
"""


def test_what_is_missing_is_said_with_its_cure():
    root = str(Path(mg.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": root},
    )  # fmt: skip
    line = 'minigrad.workers needs Dask | pip install "minigrad-course[workers]"'
    assert done.stdout.splitlines() == ["1", line, line]
