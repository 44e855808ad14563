"""Checkpoints trade time for memory. Here the gradient of 24 layers with respect to their input
needs a little more than half the memory and takes 1.4 times as long, because most layers are
computed twice."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import minigrad as mg
from minigrad.draw.figures import read_measurement

ALT = (
    "Live memory against time for two ways to compute the same gradient. If all results are kept, "
    "the curve rises to a high peak and ends early. With checkpoints, the curve stays lower, goes "
    "up and down once for each segment that is computed again, and ends later."
)
LAYERS, BATCH, WIDTH, ROUNDS = 24, 512, 256, 25
WAYS = {"static, all kept": None, "static, checkpoints": "sqrt"}


def gradient_program(checkpoints):
    """(x, the program of the slopes of 24 layers for x)."""
    with mg.Graph() as graph:
        x = h = mg.placeholder("x", shape=(BATCH, WIDTH))
        for _ in range(LAYERS):
            h = mg.tanh(h @ mg.Variable(np.eye(WIDTH)))
        slope = mg.gradients(mg.mean(h * h), [x], checkpoints=checkpoints)[0]
    return x, mg.Session(graph).compile(slope, [x])


def levels(checkpoints):
    """Live bytes by step, and the least time that each step took in all rounds."""
    x, program = gradient_program(checkpoints)
    found = [program.profile({x: np.ones((BATCH, WIDTH))}, rounds=1) for _ in range(ROUNDS)]
    took = [{row.order: row.seconds for row in one.rows} for one in found]
    steps = [node.order for node in program.plan.order]
    seconds = [min(one.get(order, 0.0) for one in took) for order in steps]
    edges = np.zeros(len(steps) + 1, int)
    for buffer in program.plan.buffers:
        for life in buffer.lives:
            edges[life.first] += buffer.bytes
            edges[life.last + 1] -= buffer.bytes
    return {"bytes": np.cumsum(edges)[:-1].tolist(), "phases": [], "seconds": seconds}


def measure():
    """{way: its levels}, on one thread."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(names, "1")}
    command = [sys.executable, __file__]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)


def make():
    """Both on one axis of time."""
    found = {name: SimpleNamespace(**run) for name, run in read_measurement(Path(__file__)).items()}
    return mg.plot.memory(found, title="The gradient of 24 layers, in two ways", by="time")


if __name__ == "__main__":
    print(json.dumps({name: levels(way) for name, way in WAYS.items()}))
