"""The paper that plots are drawn on, in a notebook."""

import os
import subprocess
import sys

import pytest


def test_a_notebook_shows_the_plots_after_the_first_too():
    pytest.importorskip("IPython", reason="IPython is not installed")
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.instance()\n"
        "from minigrad.draw import plot; plot.memory([1, 2])\n"
        "import matplotlib; print(matplotlib.is_interactive())"
    )
    inline = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=inline, capture_output=True, text=True, check=False
    )
    assert run.stdout == "True\n", run.stderr
