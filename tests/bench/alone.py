"""Measures that need a process of their own: the peak of memory, and the time to a first result."""

import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from registry import Unable, built, disagreement
from timing import Outcome, load

RUNS = 3
# Freed arrays go back to the system at once, so that pages in use are arrays in use. It takes time.
TIDY = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
STATUS = Path("/proc/self/status")


# what is measured, in the process ----------------------------------------------------------------


def first_result(workload, contender, clock):
    """Seconds to the first results, building and compiling included; loading is not."""
    built(workload, contender, workload.small())
    entry = built(workload, contender, workload.problem(), clock)
    return entry.seconds, entry.results


def peak_memory(workload, contender, clock):
    """Arrays of x's size that a run needs at its peak, beside its input and what it returns.

    The system counts the pages of the process, so every library's memory is in it. The
    run is the second one; what the program keeps between runs is counted with it.
    """
    if not STATUS.exists():
        raise Unable("measured on Linux only")
    built(workload, contender, workload.small())
    problem = workload.problem()
    before = pages("VmRSS")
    run, results, _ = built(workload, contender, problem)
    size = problem.arrays[0].nbytes
    returned = sum(r.nbytes for r in results)
    summary = summed(results)
    del results
    settle()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
    run()
    return (pages("VmHWM") - before - returned) / size, summary


def pages(entry):
    """Bytes of memory in use, or at the peak."""
    settle()
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(entry))
    return int(line.split()[1]) * 1024


def settle():
    """Gives back to the system what is free."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def summed(results):
    """Σ and Σ² of each result: enough to tell that two programs computed the same."""
    return [np.array([r.sum(), (r * r).sum()]) for r in results]


def answer(workload, contender, clock):
    """Prints the measure of one contender as JSON, for the process that asked."""
    try:
        value, results = workload.alone(workload, contender, clock)
    except (ImportError, Unable, RecursionError) as error:
        said = f"not installed ({error.name})" if isinstance(error, ImportError) else str(error)
        print(json.dumps({"absent": said}))
    else:
        print(json.dumps({"value": value, "results": [r.tolist() for r in results]}))


# the process that asks ---------------------------------------------------------------------------


def compare(workload, contenders, asked):
    """The Outcome of a workload in which each contender runs three times, in turns."""
    samples, absent, expected, before = {}, {}, None, load()
    for name in contenders * RUNS:
        if name in absent:
            continue
        told = ask(workload, name, asked)
        if "absent" in told:
            absent[name] = told["absent"]
            continue
        results = [np.asarray(r) for r in told["results"]]
        expected = results if expected is None else expected
        wrong = disagreement(expected, results, workload.tolerance)
        if wrong:
            raise SystemExit(f"{workload.name}: {name} computes something else: {wrong}")
        samples.setdefault(name, []).append(told["value"])
    return Outcome(workload, samples, {}, absent, (before, load()))


def ask(workload, contender, asked):
    """What a new process says of a contender."""
    command = [
        sys.executable,
        str(Path(__file__).parent),
        "--clock",
        asked.clock,
        "--alone",
        workload.name,
        contender,
    ]
    own = os.environ | (TIDY if workload.alone is peak_memory else {})
    own |= workload.environment(contender) if workload.environment else {}
    child = subprocess.Popen(
        command,
        env=own,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    begin = time.perf_counter()
    try:
        out, err = child.communicate(timeout=asked.timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # compilers started helpers of their own
        child.communicate()
        return {"absent": f"stopped after {time.perf_counter() - begin:.0f} s"}
    if child.returncode:
        return {"absent": f"fails: {(err.strip().splitlines() or ['no message'])[-1][:80]}"}
    return json.loads(out.splitlines()[-1])
