"""Plants faults in a copy of the package, one by one, for the random programs to find.

`python tests/fuzz/faults.py --count 200 --seed 0` draws machine-made faults (see mutations.py for
what is changed, and what is left alone and why); with --known, old faults are planted again (see
old_faults.py); with `--names FILE`, those that an earlier run printed as not found. A fault is
drawn by its own name, so that a change elsewhere draws no others. Each is judged in a process of
its own by the same programs, those first that reach the line of the fault, and of these the ways
that reach it (see reach.py). It counts as found when a program fails, when the package cannot be
imported, or, counted apart, when a program never ends.
"""

import argparse
import compileall
import contextlib
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
TESTS = Path(__file__).parents[1]
sys.path[0] = str(TESTS)  # in place of this folder: its files are those of a package
sys.dont_write_bytecode = True

import numpy  # noqa: F401  here, so that every process has it

with contextlib.suppress(ImportError):
    import numba  # noqa: F401
from fuzz.mutations import faults_of, with_fault
from fuzz.old_faults import known
from fuzz.reach import order, reached, with_probes

PACKAGE = TESTS.parent / "minigrad"
FILES = """core/ops/elementwise core/ops/index core/ops/linalg core/ops/logic core/ops/nn
core/ops/product core/ops/random core/ops/reduce core/ops/shape compiler/pipeline compiler/cse
compiler/fold compiler/fuse compiler/kernel compiler/loops compiler/prune compiler/softmax
compiler/simplify compiler/rewrite static/program compiler/memory compiler/schedule
compiler/updates compiler/source compiler/codegen compiler/bodies compiler/carries
compiler/iterations compiler/lowering core/autodiff fast/sweeps dynamic/tensor dynamic/transform
compiler/checkpoint static/control/body static/control/bundle static/control/loop_calls
static/control/choice static/control/fn static/control/loop_bodies static/control/loop
static/control/pytrees dynamic/batch static/session files/writing files/reading
static/function/call static/function/function fast/dispatch compiler/layout static/interpret
static/feeds dynamic/jacobians""".split()
FIRST = 7_000_000
SECONDS, MEMORY = 25, 6 << 30  # of a process's own time
HANGS, WAITS = 3, 40  # times the seconds: of its own time, and by the clock where it only waits
EQUIVALENT = TESTS / "fuzz" / "equivalent.txt"


def options():
    """What the caller asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="machine-made faults (200)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    parser.add_argument("--known", action="store_true", help="the old faults instead")
    parser.add_argument(
        "--only",
        default="",
        help="faults whose name has this in it, or one of several, separated by |",
    )
    parser.add_argument(
        "--names",
        type=Path,
        help="a file of names of faults, each on a line of its own: those, and no draw",
    )
    parser.add_argument("--seconds", type=int, default=SECONDS, help="for each fault (25)")
    parser.add_argument("--programs", type=int, default=2000, help="for all faults (2000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    return parser.parse_args()


# planting ----------------------------------------------------------------------------------------


class Copy:
    """A copy of the package, in which one fault at a time is planted."""

    def __init__(self, folder):
        self.folder = Path(folder) / "minigrad"
        shutil.copytree(PACKAGE, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(self.folder, quiet=2)

    def write(self, file, source):
        """Changes a file; what was compiled of it is thrown away."""
        path = self.folder / file
        path.write_text(source)
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            compiled.unlink()

    def plant(self, sources):
        """Writes {file: source}."""
        for file, source in sources.items():
            self.write(file, source)

    def restore(self, sources):
        """The files as they were."""
        self.plant({file: (PACKAGE / file).read_text() for file in sources})


def drawn(count, seed, wanted=None):
    """(name, {file: source}, its line as (file, line)) of machine-made faults.

    With `wanted`, a set of names, all of that name that count as faults.
    """
    sources = {f"{f}.py": (PACKAGE / f"{f}.py").read_text() for f in FILES}
    same, times, ranked = equivalent(), Counter(), []
    for file, source in sources.items():
        for fault in faults_of(file, source):
            name = str(fault)
            times[name] += 1
            alike = {name, f"{name} #{times[name]}"} & same
            if not alike and (wanted is None or name in wanted):
                text = f"{seed} {name} {times[name]}"
                ranked.append((sha256(text.encode()).digest(), fault))
    return [
        (str(f), {f.file: with_fault(sources[f.file], f)}, [(f.file, f.line)])
        for _, f in sorted(ranked)[: None if wanted else count]
    ]


def names_in(path):
    """The names of faults in a file: lines of names, or what a run printed."""
    printed = path.read_text().split("not found:\n")[-1]
    lines = [re.sub(r" \(reached by \d+\)$", "", line.strip()) for line in printed.splitlines()]
    return {line for line in lines if line}


def equivalent():
    """The names of faults that change no result: each line's second line says why.

    Of several of one name, all, or the one whose number in the file follows: `name #2`.
    """
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    return {line for line in lines if line and not line.startswith((" ", "#"))}


# judging -----------------------------------------------------------------------------------------


def judged(folder, tried, seconds):
    """(how it was found or None, programs that were run) for the package in a folder."""
    context = get_context("fork")
    here, there = context.Pipe(False)
    process = context.Process(target=search, args=(folder, tried, seconds, there))
    process.start()
    there.close()
    try:
        result = here.recv() if here.poll(WAITS * seconds) else ("by hanging", 0)
    except EOFError:
        result = None
    process.kill()
    process.join()
    hung = process.exitcode == -signal.SIGXCPU
    return result or ("by hanging" if hung else "by a broken process", 0)


def search(folder, tried, seconds, pipe):
    """What a process does: runs programs until one fails, and sends how it went.

    `tried` holds pairs (seed, the stage that is judged, or None for all).
    """
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (HANGS * seconds, HANGS * seconds + 5))
    sys.path.insert(0, str(folder))
    number = 0
    try:
        from fuzz.search import failure_of

        for number, (seed, stage) in enumerate(tried, 1):  # noqa: B007  it is sent after the loop
            failure = failure_of(seed, stage)
            if failure or time.process_time() > seconds:
                break
        pipe.send((failure and f"{failure.way}, {failure.kind[1]}", number))
    except BaseException as error:
        pipe.send((f"{type(error).__name__}: {error}"[:80], number))


@cache
def own_copy(folder):
    """The Copy of this process."""
    return Copy(Path(folder) / str(os.getpid()))


def plant_and_judge(folder, sources, tried, seconds):
    """(how a fault was found or None, programs that were run), for changed files of a copy."""
    copy = own_copy(folder)
    copy.plant(sources)
    try:
        return judged(copy.folder.parent, tried, seconds)
    finally:
        copy.restore(sources)


def probe_copy(copy, places, seeds, jobs):
    """{place: what of the programs is known that reach it}, by probes in a copy of the package."""
    lines = {file: {n for f, n in places if f == file} for file, _ in places}
    sources = {f: with_probes(f, (PACKAGE / f).read_text(), lines[f]) for f in lines}
    copy.plant(sources)
    try:
        return reached(copy.folder.parent, seeds, jobs)
    finally:
        copy.restore(sources)


def chosen(asked):
    """The faults that the caller asked for."""
    wanted = names_in(asked.names) if asked.names else None
    if asked.known:
        faults = [f for f in known(PACKAGE) if wanted is None or f[0] in wanted]
    else:
        faults = drawn(asked.count, asked.seed, wanted)
    return [f for f in faults if any(part in f[0] for part in asked.only.split("|"))]


def outcomes(folder, faults, orders, asked):
    """(how it was found or None, programs that were run) of each fault, in order."""
    own_copy.cache_clear()  # each process makes its own
    with ProcessPoolExecutor(asked.jobs, get_context("fork")) as pool:
        tasks = [
            pool.submit(plant_and_judge, folder, sources, tried, asked.seconds)
            for (_, sources, _), (tried, _) in zip(faults, orders)
        ]
        for task in tasks:
            yield task.result()


def main():
    """Plants, judges and prints; returns the exit status: 0 when every fault was found."""
    asked, counts, missed = options(), Counter(), []
    faults, seeds = chosen(asked), range(FIRST, FIRST + asked.programs)
    with tempfile.TemporaryDirectory() as folder:
        every = [(seed, None) for seed in seeds]
        found, programs = plant_and_judge(folder, {}, every, asked.seconds)
        if found:
            print(f"without any fault, program {FIRST + programs - 1} fails: {found}")
            return 1
        places = {place for _, _, places in faults for place in places}
        lines = probe_copy(own_copy(folder), places, seeds, asked.jobs)
        missed_lines = len(places - lines.keys())
        print(f"{len(seeds)} programs leave out {missed_lines} of {len(places)} lines", flush=True)
        orders = [order(lines, places, seeds) for _, _, places in faults]
        results = outcomes(folder, faults, orders, asked)
        for (name, sources, _), (_, near), (found, programs) in zip(faults, orders, results):
            group = "old" if asked.known else group_of(*sources)
            counts[group, "planted"] += 1
            counts[group, "found"] += found is not None
            counts[group, "by hanging"] += found == "by hanging"
            missed += [f"{name} (reached by {near})"] * (found is None)
            print(f"{programs:5} of {near:3} {found or 'NOT FOUND'}  |  {name}", flush=True)
    report(counts, missed)
    return 1 if missed else 0


def group_of(file):
    """The kind of a file."""
    return f"{file.split('/')[0]}/" if "/" in file else file


def report(counts, missed):
    """Prints the counts by kind of file, and the names of the faults that were not found."""
    for group in [*sorted({group for group, _ in counts}), "all"]:
        planted, found, hanging = (
            sum(n for (g, w), n in counts.items() if w == what and group in (g, "all"))
            for what in ("planted", "found", "by hanging")
        )
        print(
            f"{group:<16}{planted:5} planted {found:5} found"
            + f", {hanging} by hanging" * bool(hanging)
        )
    print("not found:" if missed else "all were found", *missed, sep="\n  ")


if __name__ == "__main__":
    sys.exit(main())
