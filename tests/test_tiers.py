"""The table of tiers: it names what is there, covers every room, and leaves no test out."""

from pathlib import Path

import pytest
import tiers

ROOT = Path(__file__).parents[1]
FILES = sorted(tiers.TESTS.rglob("test_*.py"))
DAYS = [f"2026-11-{day:02}" for day in range(1, 29)]


class Item:
    """A collected test of a file."""

    def __init__(self, path, number):
        self.path, self.name = path, f"test_number_{number}"

    def get_closest_marker(self, name):
        """It has none."""


@pytest.fixture
def chosen(monkeypatch):
    """Choose a tier and a day."""

    def choose(tier, day=DAYS[0]):
        monkeypatch.setattr(tiers.Run, "tier", tier)
        monkeypatch.setenv("MINIGRAD_TEST_DAY", day)

    return choose


def test_every_entry_of_the_tables_is_there():
    for name in (*tiers.TIERS, *tiers.LONG):
        file, _, function = name.partition("::")
        path = tiers.TESTS / file
        assert path.exists() and (
            not function or f"\ndef {function.partition('[')[0]}" in path.read_text("utf-8")
        )


def test_the_longest_path_decides():
    assert tiers.tier_of(tiers.TESTS / "core/test_ops.py") == tiers.FAST
    assert tiers.tier_of(tiers.TESTS / "browser/test_site.py") == tiers.REST
    assert tiers.tier_of(tiers.TESTS / "course/commands/test_doctor.py") == tiers.FAST
    assignments = tiers.TESTS / "course/grading/test_assignments.py"
    assert tiers.tier_of(assignments, "test_some_faults_of_the_key[ps1]") == tiers.REST
    assert tiers.tier_of(assignments, "test_cells_are_short[ps1]") == tiers.FAST
    assert tiers.tier_of(ROOT / "notebooks/03_reverse.ipynb") == tiers.FAST


def test_long_files_begin_first():
    items = [Item(path, number) for path in FILES for number in range(2)]
    ordered = tiers.long_first(items)
    assert [item.path for item in ordered[:4:2]] == sorted(
        tiers.TESTS / name for name in tiers.LONG
    )
    rest = [item for item in items if item not in ordered[:4]]
    assert ordered[4:] == rest


def test_fast_and_rest_are_all_and_share_nothing(chosen):
    items = [Item(path, number) for path in FILES for number in range(30)]
    found = {}
    for tier in (tiers.FAST, tiers.REST, tiers.EVERYTHING):
        chosen(tier)
        found[tier], _ = tiers.divide(items)
    assert found[tiers.EVERYTHING] == items
    assert sorted(map(id, found[tiers.FAST] + found[tiers.REST])) == sorted(map(id, items))


def test_every_room_of_the_package_has_tests_in_the_fast_tier():
    fast = [path for path in FILES if tiers.tier_of(path) != tiers.REST]
    texts = {path: path.read_text(encoding="utf-8") for path in fast}
    rooms = {path.parent.name for path in (ROOT / "minigrad").glob("*/__init__.py")}
    rooms |= {f"course.{path.parent.name}" for path in (ROOT / "minigrad/course").glob("*/*.py")}
    by_public_names = {"trace": "test_function"}  # the rooms that no test imports from
    stems = {path.stem for path in fast}
    missing = [
        room
        for room in sorted(rooms)
        if by_public_names.get(room) not in stems
        and not any(f"minigrad.{room}" in text for text in texts.values())
    ]
    assert missing == []


def test_samples_change_with_the_day_and_come_round(chosen):
    things, seen = range(40), []
    for day in DAYS:
        chosen(tiers.FAST, day)
        seen.append(tiers.sample(things, 8, "bank"))
        assert seen[-1] == tiers.sample(things, 8, "bank") and len(seen[-1]) == 8
        chosen(tiers.REST, day)
        assert sorted(seen[-1] + tiers.sample(things, 8, "bank")) == list(things)
    assert len({tuple(one) for one in seen}) > 20
    assert len(set().union(*seen)) >= 38


def test_each_tier_is_what_the_commands_run():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--tier fast notebooks tests\n" in makefile and "--tier rest tests\n" in makefile
    run = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert [word for word in ("make test\n", "make test-rest", ".ci/bare") if word not in run] == []
