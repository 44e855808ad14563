"""A file that version 1.0 saved is loaded, and computes what it computed then.

It holds a scan inside a choice, draws, assignments by gradients of both, and a length that only a
feed tells; three steps of training had been made when it was saved.
"""

from pathlib import Path

import numpy as np
import pytest

import minigrad as mg

SAVED = Path(__file__).parent / "version_1_0" / "graph.json"
X = np.linspace(-1, 1, 12).reshape(4, 3)


def test_a_file_of_version_1_0_gives_the_same_numbers():
    net = mg.load(SAVED)
    loss, other = (net.outputs[name] for name in ("loss", "loss2"))
    found = net.session.run([loss, other], {net.inputs["x"]: X})
    assert [float(z) for z in found] == pytest.approx([13.21678022, -0.22922497], abs=1e-8)


def test_training_goes_on_from_a_file_of_version_1_0():
    net = mg.load(SAVED)
    fetches = [net.outputs["loss"], *net.outputs["up"]]
    losses = [float(net.session.run(fetches, {net.inputs["x"]: X})[0]) for _ in range(4)]
    assert losses[0] == pytest.approx(13.21678022, abs=1e-8)
    assert losses == sorted(losses, reverse=True)
