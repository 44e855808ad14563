"""`make bench`: times minigrad beside what else is installed, on the same work.

With one thread each, but for the rows that are named after threads.
"""

import argparse
import os
from pathlib import Path

ONE = (
    "MINIGRAD_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NPROC",
)  # the last one is XLA's
threads = os.environ.setdefault("BENCH_THREADS", "1")  # a row named after threads says more
os.environ.update(dict.fromkeys(ONE, threads))
if threads == "1":
    single = " --xla_cpu_multi_thread_eigen=false"
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + single

# These read the variables when they are loaded, so they come after them.
import alone
import figure
import report
from timing import CLOCKS, compare
from workloads import WORKLOADS


def options():
    """What the caller asked for."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "workloads",
        nargs="*",
        metavar="WORKLOAD",
        help=f"parts of names; all by default: {', '.join(WORKLOADS)}",
    )
    parser.add_argument(
        "--contenders",
        default="",
        metavar="A,B",
        help="parts of names, such as 'minigrad,eager'; all by default",
    )
    parser.add_argument("--rounds", type=int, default=25, help="at most so many rounds (25)")
    parser.add_argument(
        "--seconds",
        type=float,
        default=30,
        help="no new round of a workload after so many seconds (30)",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=60,
        help="a contender in a process of its own is stopped then (60)",
    )
    parser.add_argument(
        "--clock",
        choices=CLOCKS,
        default="wall",
        help="wall, or cpu: processor time, for a machine that others use too",
    )
    parser.add_argument(
        "--slow",
        action="store_true",
        help="also contenders that need minutes to compile a workload",
    )
    parser.add_argument("--output", type=Path, default=Path("bench"), help="folder (bench)")
    parser.add_argument("--json", action="store_true", help="write every sample to samples.json")
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def chosen(names, parts):
    """The names that contain one of the parts; all when there are no parts."""
    return [n for n in names if not parts or any(p.lower() in n.lower() for p in parts)]


def main():
    """Runs the chosen workloads and writes the report after each."""
    asked = options()
    if asked.alone:
        return alone.answer(WORKLOADS[asked.alone[0]], asked.alone[1], CLOCKS[asked.clock])
    outcomes = []
    for name in chosen(WORKLOADS, asked.workloads):
        workload = WORKLOADS[name]
        contenders = chosen(
            workload.contenders(asked.slow), [part for part in asked.contenders.split(",") if part]
        )
        run = alone.compare if workload.alone else compare
        outcomes.append(run(workload, contenders, asked))
        print(report.section(outcomes[-1]), flush=True)
        report.write(outcomes, asked)
        figure.write(outcomes, asked.output / "figure.png")
    print(f"written to {asked.output}/")
    return None


if __name__ == "__main__":
    main()
