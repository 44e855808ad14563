"""`make fuzz N=100000 SEED=7`: random programs until one fails, in several processes."""

import argparse
import json
import os
import sys
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
TESTS = Path(__file__).parents[1]
sys.path[0] = str(TESTS)  # in place of this folder: its files are those of a package

BLOCK = 100  # programs between two notes of the progress
SPOKEN = 20.0  # seconds between two lines


def options():
    """What the caller asked for."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="programs (10000)")
    parser.add_argument("--seed", type=int, help="of the first program; a new one by default")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a failure")
    parser.add_argument("--folder", type=Path, default=Path(".fuzz"), help="of progress (.fuzz)")
    return parser.parse_args()


class Progress:
    """What was done of a run, noted in a file, so that a broken run goes on."""

    def __init__(self, folder, seed, count):
        folder.mkdir(exist_ok=True)
        self.path, self.count = folder / f"{seed}-{count}.json", count
        self.done, self.failing = set(), []
        self.counts, self.pairs = Counter(), Counter()
        if self.path.exists():
            noted = json.loads(self.path.read_text())
            self.done, self.failing = set(noted["done"]), noted["failing"]
            self.counts, self.pairs = Counter(noted["counts"]), Counter(noted["pairs"])
            print(f"going on after {BLOCK * len(self.done)} programs", flush=True)

    def note(self, first, counts, pairs, failing):
        """Adds a block, and writes all to the file."""
        self.done.add(first)
        self.counts.update(counts)
        self.pairs.update(pairs)
        self.failing += failing
        text = json.dumps(
            {
                "done": sorted(self.done),
                "failing": self.failing,
                "counts": self.counts,
                "pairs": self.pairs,
            }
        )
        new = self.path.with_suffix(".new")
        new.write_text(text)
        new.replace(self.path)


def main():
    """Runs the blocks that are not done yet; returns the exit status."""
    asked = options()
    seed = int(time.time()) % 1_000_000 * 1000 if asked.seed is None else asked.seed
    count = -(-asked.count // BLOCK) * BLOCK
    print(f"{count} programs: make fuzz N={count} SEED={seed}", flush=True)
    progress = Progress(asked.folder, seed, count)
    blocks = [b for b in range(seed, seed + count, BLOCK) if b not in progress.done]
    if asked.keep_going or not progress.failing:
        run(blocks, progress, asked)
    for failing in sorted(progress.failing)[:3]:
        show(failing)
    from fuzz import features, settings

    print(features.table(progress.pairs))
    print(settings.table(progress.pairs))
    for what, times in progress.counts.most_common():
        print(f"{times:>9} {what}")
    print(
        f"{BLOCK * len(progress.done)} programs, {len(progress.failing)} failed"
        + f": seeds {sorted(progress.failing)[:20]}" * bool(progress.failing)
    )
    return 1 if progress.failing else 0


def run(blocks, progress, asked):
    """Computes blocks in processes, and says now and then how it goes."""
    from fuzz.search import judged_block

    start, spoken, here = time.time(), time.time(), 0
    with get_context("spawn").Pool(asked.jobs) as pool:
        for result in pool.imap_unordered(judged_block, [(first, BLOCK) for first in blocks]):
            progress.note(*result)
            here += BLOCK
            if time.time() - spoken > SPOKEN:
                spoken = time.time()
                print(
                    f"{BLOCK * len(progress.done)} of {progress.count}, "
                    f"{here / (spoken - start):.0f} per second, "
                    f"{len(progress.failing)} failed",
                    flush=True,
                )
            if progress.failing and not asked.keep_going:
                pool.terminate()
                return


def show(seed):
    """Prints the failure of a seed in its smallest form."""
    from fuzz.report import report
    from fuzz.search import failure_of
    from fuzz.shrink import shrunk

    failure = failure_of(seed)
    print(report(shrunk(failure)) if failure else f"seed {seed} does not fail when run alone")


if __name__ == "__main__":
    sys.exit(main())
