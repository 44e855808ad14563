"""The time of a training step against the work in each task, for one process and for two, with one
thread each. Two workers pay off only if their tasks are long, because every task costs some
milliseconds, whatever it computes."""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad import workers
from minigrad.draw.figures import read_measurement
from minigrad.draw.plot.axes import QUIET, line_labels, log_ticks, note, paper, ring, styles_of

ALT = (
    "Above, the time of a step against the work per task, on logarithmic axes. The time of one "
    "process rises in proportion. The time of two workers starts at some milliseconds and stays "
    "below that of one process once tasks are long. Below, the speed-up of two workers, which is "
    "under 1 for short tasks and close to 2 for long ones. A ring marks where two workers begin "
    "to pay off."
)
SHAPES = [(500, 8), (1000, 12), (2000, 20), (2000, 60), (4000, 80), (8000, 80), (8000, 160)]
SHAPES += [(8000, 640), (16000, 640)]  # (rows, layers)
WIDTH, WARM, STEPS, ROUNDS = 32, 3, 3, 3


def deep_net(depth):
    """(x, loss): `depth` layers that share one small weight: much work for few bytes."""
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, WIDTH))
        w = mg.Variable(np.eye(WIDTH) * 0.9, name="w")
        h = x
        for _ in range(depth):
            h = mg.tanh(h @ w)
        loss = mg.mean(h * h)
    return x, loss


def seconds_of(step, feeds):
    """The median time of a step, after one that compiles and some that touch new memory."""
    for _ in range(WARM):
        step(feeds)
    found = []
    for _ in range(STEPS):
        begun = time.perf_counter()
        step(feeds)
        found.append(time.perf_counter() - begun)
    return statistics.median(found)


def one_process(depth, rows):
    """The median time of a step in this process."""
    x, loss = deep_net(depth)
    update = mg.optim.SGD(lr=0.01).minimize(loss)
    session = mg.Session(loss.graph)
    fed = np.random.default_rng(0).normal(size=(rows, WIDTH))
    return seconds_of(lambda feeds: session.run([loss, update], feeds), {x: fed})


def two_workers(pool, depth, rows):
    """The median time of a step on the workers."""
    x, loss = deep_net(depth)
    fed = np.random.default_rng(0).normal(size=(rows, WIDTH))
    with workers.data_parallel(pool, loss, mg.optim.SGD(lr=0.01), copy_every=1000) as train:
        return seconds_of(train.step, {x: fed})


def with_threads(count):
    """The times of one process whose products may use so many threads."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(names, str(count))}
    command = [sys.executable, __file__]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)


def measure():
    """{who: seconds of a step for each shape} in several rounds, in turns."""
    rounds = []
    for _ in range(ROUNDS):
        found = {"one process": with_threads(1), "one process, two threads": with_threads(2)}
        with workers.local(2) as pool:
            found["two workers"] = [two_workers(pool, depth, rows) for rows, depth in SHAPES]
        rounds.append(found)
    with workers.local(2) as pool:
        costs = workers.measure_costs(pool)._asdict()
    return {"rounds": rounds, "costs": costs, "cores": os.cpu_count()}


def medians(rounds, name):
    """The median over rounds, for each shape."""
    return [statistics.median(at) for at in zip(*[found[name] for found in rounds])]


def make():
    """Time above, times as fast below, against the work of a task: half a step of one process."""
    rounds = read_measurement(Path(__file__))["rounds"]
    times = {name: np.array(medians(rounds, name)) * 1e3 for name in rounds[0]}
    work = times["one process"] / 2
    with paper([2.8, 1.7]) as (fig, (ax, below)):
        ax.set(xscale="log", yscale="log", ylabel="ms for a step", title="When two workers pay")
        below.set(xscale="log", ylim=(-0.15, 2.2), ylabel="times as fast")
        below.set_xlabel("ms of work in each of two tasks · medians of 3 rounds")
        below.axhline(1, color=QUIET, linewidth=1.1, linestyle=(0, (4, 3)))
        below.axhline(2, color=QUIET, linewidth=1.1, linestyle=(0, (1, 3)))
        ends, styles = [], styles_of(times)
        for name, ms in times.items():
            ax.plot(work, ms, label=name, **styles[name])
            ends.append((work[-1], ms[-1], name, styles[name]))
        gain = times["one process"] / times["two workers"]
        below.plot(work, gain, **styles["two workers"])
        pays = [at for at in range(1, len(gain)) if gain[at - 1] < 1 <= gain[at]]
        for at in pays[:1]:
            part = (1 - gain[at - 1]) / (gain[at] - gain[at - 1])
            place = float(np.exp(np.interp(part, [0, 1], np.log(work[at - 1 : at + 1]))))
            ring(below, (place, 1), styles["two workers"]["color"])
            note(below, f"pays from about {place:.0f} ms", (place, 1), xytext=(12, -14))
        for place, times_as_fast in zip(work, gain):
            note(below, f"{times_as_fast:.2f}", (place, times_as_fast), xytext=(-8, -13))
        fig.draw_without_rendering()
        line_labels(ax, ends)
        log_ticks(ax.yaxis, "{:,.0f}".format, 4)
        log_ticks(below.xaxis, "{:,.0f}".format, 4)
    return fig, [ax, below]


if __name__ == "__main__":
    print(json.dumps([one_process(depth, rows) for rows, depth in SHAPES]))
