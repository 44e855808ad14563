"""Which tests run when: the tier of each part of the tests, and the sample of the day.

`pytest --tier fast` is what `make test` runs, `--tier rest` all that it leaves out; together, or
without the option, they are everything. A number stands for so many tests of a file in the fast
tier: which ones, the day decides, so that all of them have their turn; the rest is the others. A
test marked `sampled` has taken its parameters by `sample` itself, and so belongs to both tiers.
"""

import datetime
import os
import random
from pathlib import Path

TESTS = Path(__file__).parent
FAST, REST, EVERYTHING = "fast", "rest", "all"
BANK = 4  # answers of each assignment's bank that are graded in the fast tier
TIERS = {  # of a folder, a file or one function of tests; the longest that holds a test decides
    "": FAST,
    "browser": REST,
    "course/commands/test_compare.py": REST,
    "course/commands/test_demo.py": REST,
    "course/commands/test_kit.py": REST,
    "course/commands/test_new.py": REST,
    "course/commands/test_package.py": REST,
    "course/commands/test_refresh.py": 3,
    "course/commands/test_site.py": REST,
    "course/grading/test_assignments.py::test_answers_that_do_no_work": REST,
    "course/grading/test_assignments.py::test_every_explained_fault": REST,
    "course/grading/test_assignments.py::test_some_faults_of_the_key": REST,
    "course/grading/test_assignments.py::test_the_key_has_full_points": 4,
    "course/grading/test_assignments.py::test_who_knows_only_the_visible_answers": REST,
    "course/grading/test_commands.py::test_mutants_says": REST,
    "course/grading/test_commands.py": 20,
    "course/grading/test_hostile.py": REST,  # one batch of all attacks
    "course/grading/test_hostile.py::test_without_a_sandbox": FAST,
    "course/grading/test_live.py": 4,
    "course/grading/test_nbgrader.py": REST,
    "course/gradebook/test_batch.py::test_workers_write": REST,
    "course/lessons/test_again.py": REST,  # a lesson runs three times, and once for each blank
    "course/lessons/test_elsewhere.py": REST,
    "course/lessons/test_lab_banks.py": 400,
    "course/grading/test_trust.py::test_the_process_that_holds_the_checks_is_limited": REST,
    "course/proving/test_bank.py": 2,
    "course/test_contenders.py": REST,
    "course/test_gate.py": REST,
    "course/test_guide.py": REST,
    "course/test_quoted.py::test_what_a_lesson_quotes_is_what_ran[16": REST,  # it starts workers
    "test_docstrings.py::test_the_examples_run_without_the_shortcuts": REST,
    "test_fuzz.py": 4,
    "on_jax/test_jax.py": 6,
    "core/test_ops.py::test_every_slip_in_a_rule_is_found": REST,
    "fast/test_plain.py::test_the_suites_of_the_engines": REST,
    "draw/test_movie.py": 10,
    "fast/test_whole.py": 2,
    "files/test_machine_made.py::test_an_odd_value_in_any_place": REST,
    "test_wheel.py::test_an_empty_folder_and_the_wheel": REST,
    "test_without.py": REST,
    "workers/test_workers.py": 6,
}
# Files that take minutes begin first: a file stays in one process, and the last one to begin would
# leave the other processes idle.
LONG = ("course/lessons/test_again.py", "course/grading/test_assignments.py")


class Run:
    """What this run of pytest was asked for; one that a test starts is asked for itself."""

    tier = EVERYTHING


def choose_tier(asked):
    """Remember the tier; and the day, which all processes of the run must agree on."""
    Run.tier = asked or EVERYTHING
    os.environ.setdefault("MINIGRAD_TEST_DAY", datetime.date.today().isoformat())


def tier_of(path, function=""):
    """The entry of TIERS for a test file, or for a function in it; everything outside this folder
    is fast."""
    path = Path(path)
    if not path.is_relative_to(TESTS):
        return FAST
    name = path.relative_to(TESTS).as_posix()
    fitting = [
        part
        for part in TIERS
        if not part or f"{name}/".startswith(f"{part}/") or is_function(part, name, function)
    ]
    return TIERS[max(fitting, key=len)]


def is_function(part, name, function):
    """Whether an entry of TIERS stands for this function of the file `name`."""
    file, _, begins = part.partition("::")
    return bool(begins) and file == name and function.startswith(begins)


def sample(things, count, name):
    """Those of the things that the chosen tier runs, in their order: `count` of them by the day
    and the `name` in the fast tier, the others in the rest, or all."""
    tier, things = Run.tier, list(things)
    if tier == EVERYTHING:
        return things
    rng = random.Random(f"{os.environ['MINIGRAD_TEST_DAY']} {name}")
    drawn = set(rng.sample(range(len(things)), min(count, len(things))))
    return [thing for at, thing in enumerate(things) if (at in drawn) == (tier == FAST)]


def divide(items):
    """(those of the collected tests that the chosen tier runs, the others), in their order."""
    files = {}
    for item in items:
        tier = tier_of(item.path, item.name)
        files.setdefault((item.path, tier), []).append(item)
    kept = set()
    for (path, tier), inside in files.items():
        if isinstance(tier, int):
            kept.update(sample(inside, tier, path.name))
        elif Run.tier in (tier, EVERYTHING):
            kept.update(inside)
        else:
            kept.update(item for item in inside if item.get_closest_marker("sampled"))
    return [item for item in items if item in kept], [item for item in items if item not in kept]


def long_first(items):
    """The collected tests, those of LONG files before the others."""
    long = {TESTS / name for name in LONG}
    return sorted(items, key=lambda item: item.path not in long)
