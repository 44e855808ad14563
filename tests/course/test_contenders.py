"""What lessons time: one slope, the same in each framework."""

import os

import numpy as np
import pytest

import minigrad as mg
from minigrad.course import contenders


@pytest.fixture
def alone(monkeypatch):
    """A machine without other frameworks."""
    monkeypatch.setattr(contenders, "find_spec", lambda name: name == "minigrad")


@pytest.mark.parametrize("size, formula", [(5, contenders.y), ((3, 3), contenders.square_product)])
@pytest.mark.parametrize("framework", ["minigrad", "torch", "tensorflow", "jax"])
def test_each_installed_framework_finds_the_same_slope(framework, size, formula):
    pytest.importorskip(framework)
    posed, numbers = contenders.pose_slope(size)
    assert posed is formula and numbers.shape == np.empty(size).shape
    expected = mg.grad(formula)(numbers).numpy()
    if framework == "minigrad":
        made = [contenders.walk_back(posed, numbers), contenders.compile_slope(posed, numbers)]
    else:  # torch.compile takes a quarter of a minute
        made = [getattr(contenders, f"with_{framework}")(size)]
    for slope in made:
        np.testing.assert_allclose(np.reshape(slope(), numbers.shape), expected)


def test_a_compiler_is_found_by_its_usual_names(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(contenders.shutil, "which", lambda name: name if name == "g++" else None)
    assert contenders.find_compiler() == "g++"
    monkeypatch.setattr(contenders.shutil, "which", lambda name: None)
    assert contenders.find_compiler() is None


def test_what_c_code_writes_is_muted_in_a_block_alone(capfd):
    with contenders.mute_messages():
        os.write(2, b"about the machine")
    os.write(2, b"a warning")
    assert capfd.readouterr().err == "a warning"


def test_the_formula_of_the_comparison_has_eleven_operations():
    with mg.Graph() as graph:
        contenders.y(mg.placeholder("x", shape=(3,)))
    assert sum(node.op is not None and bool(node.inputs) for node in graph.nodes) == 11
