"""How long a whole batch takes, and whether a batch that is killed ends with the same bytes.

`python tests/course/grading/many.py 300` in the course's folder grades 300 right answers of ps1,
then kills a second run half-way, lets it go on, and compares every file of the two. With
`--busy 8 --times 3` it grades three times beside busy processes instead: no point may be lost.
With `--workers 2` the second run is one on two workers instead of one that is killed.
"""

import argparse
import contextlib
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from minigrad.course.grading import assignment, notebook
from minigrad.course.proving import bank


def hand_in(chosen, folder, count):
    """Write `count` notebooks with full points into `folder`: the key and the bank's right answers,
    no two with the same bytes."""
    members = [one for one in bank.members(chosen) if one.loses is None]
    raws = [notebook.read_notebook(chosen.solution)] + [
        bank.submission(one, chosen) for one in members
    ]
    for number in range(count):
        raw = raws[number % len(raws)]
        raw["metadata"]["number"] = number
        (folder / f"student {number:03}.ipynb").write_text(json.dumps(raw), encoding="utf-8")


def contents(folder):
    """Every file below a folder."""
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def killed(command, done, half):
    """Start a command, and end it once the folder `done` holds `half` reports."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and len(list(done.glob("*.json"))) < half:
            time.sleep(0.05)
        process.kill()
    return len(list(done.glob("*.json")))


def processor_seconds():
    """What all processes have used that were started here and have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


@contextlib.contextmanager
def busy(count):
    """So many processes that compute for nothing meanwhile."""
    words = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(words) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def lost(grades, chosen):
    """The questions of students in grades.csv that do not have all their points."""
    points = assignment.key_master(chosen).points
    with open(grades / "grades.csv", newline="", encoding="utf-8") as file:
        return [
            (row["student"], question)
            for row in csv.DictReader(file)
            for question in points
            if row[question] != f"{points[question]:g}"
        ]


def beside_others(command, place, chosen, args):
    """Grade several times beside busy processes; the exit status is 1 when a point is lost."""
    found = []
    for turn in range(args.times):
        begun = time.monotonic()
        with busy(args.busy):
            subprocess.run([*command, place / f"grades {turn}"], check=False)
        found += lost(place / f"grades {turn}", chosen)
        seconds = time.monotonic() - begun
        print(f"turn {turn}: {seconds:.0f} s beside {args.busy} busy processes", flush=True)
    print(f"{args.times * args.count} honest submissions: {len(found)} questions lost {found}")
    return bool(found)


def main():
    """Grade, kill, go on, compare; the exit status is 1 when a byte differs or a point is lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--assignment", default="ps1")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--busy", type=int, default=0, help="processes that compute meanwhile")
    parser.add_argument("--workers", help="grade by workers, too, and compare")
    parser.add_argument("--times", type=int, default=1, help="how often, beside busy ones")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "handed-in").mkdir()
        chosen = assignment.for_instructor(args.assignment)
        hand_in(chosen, place / "handed-in", args.count)
        command = [sys.executable, "-m", "minigrad.course.cli", "grade", args.assignment]
        command += [place / "handed-in", "--jobs", args.jobs, "--sandbox", args.sandbox]
        command += ["--seed", "many", "--out"]
        if args.busy:
            return beside_others(command, place, chosen, args)
        begun, before = time.monotonic(), processor_seconds()
        status = subprocess.run([*command, place / "whole"], check=False).returncode
        seconds, spent = time.monotonic() - begun, processor_seconds() - before
        print(
            f"{args.count} submissions: {seconds:.0f} s, {seconds / args.count:.2f} s for each; ",
            end="",
        )
        print(f"of a processor {spent:.0f} s, {spent / args.count:.2f} s for each", flush=True)
        again, said = [*command, place / "parts"], f"on {args.workers} workers"
        if args.workers:
            again += ["--workers", args.workers]
        else:
            done = place / ".parts-unfinished" / "reports"
            said = f"killed after {killed(again, done, args.count // 2)} of {args.count}"
        begun = time.monotonic()
        status |= subprocess.run(again, check=False).returncode
        same = contents(place / "whole") == contents(place / "parts")
        words = "the same bytes" if same else "OTHER BYTES"
        print(f"{said}: {words}, {time.monotonic() - begun:.0f} s")
    return 0 if same and not status else 1


if __name__ == "__main__":
    sys.exit(main())
