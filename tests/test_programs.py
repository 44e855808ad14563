"""Programs written for other libraries compute here what they compute there."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from peers import programs

import minigrad as mg

STORED = json.loads(programs.FILE.read_text(encoding="utf-8"))
FREE = {  # there is nothing to compare with: TensorFlow 1 is not installed any more
    "tensorflow_digits": lambda found: (
        found["accuracy"][0] > 0.9 and found["costs"][-1] < found["costs"][0] < np.log(10)
    ),
}


@pytest.mark.parametrize("mode", [mg.enable_grad, mg.plain], ids=["fast", "plain"])
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_a_program_from_elsewhere(name, mode):
    with mode(), warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        found = programs.run(name, programs.renamed(name))
    if name in FREE:
        assert FREE[name](found)
        return
    assert found.keys() == STORED[name].keys()
    for what, expected in STORED[name].items():
        np.testing.assert_allclose(found[what], expected, 1e-9, 1e-10, err_msg=what)


def test_the_forward_passes_of_micrograd_have_its_bits():
    """Its backward passes have none: it keeps operands in a set, and adds in an order of chance."""
    demo = programs.run("micrograd_demo", programs.renamed("micrograd_demo"))
    engine = programs.run("micrograd_engine", programs.renamed("micrograd_engine"))
    stored = STORED["micrograd_demo"]
    assert demo["losses"][0] == stored["losses"][0]
    assert demo["accuracies"].tolist() == stored["accuracies"]
    for what in ("first", "g", "total", "a.grad"):
        assert engine[what].tolist() == STORED["micrograd_engine"][what]


def test_no_program_differs_in_more_than_a_few_lines():
    changed = {
        name: len(programs.CHANGED.findall(text)) for name, text in programs.PROGRAMS.items()
    }
    unchanged = [name for name, lines in changed.items() if not lines]
    assert max(changed.values()) <= 10 and len(unchanged) >= 27


def test_the_readme_says_which_run_unchanged():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert "\n".join(programs.table()) in readme
