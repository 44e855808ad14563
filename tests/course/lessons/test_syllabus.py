"""The syllabus: complete, and never asking for what has not been taught."""

import pytest

from minigrad.course import project
from minigrad.course.lessons import form, syllabus

LESSONS = syllabus.read_lessons()
ASSIGNMENTS = syllabus.read_assignments()
NAMES = [unit.name for unit in (*LESSONS, *ASSIGNMENTS)]


def test_each_unit_says_what_it_is_and_how_long_it_takes():
    for unit in (*LESSONS, *ASSIGNMENTS):
        assert unit.title and "·" not in unit.title and unit.time, unit.name
    assert all(20 <= unit.minutes <= 65 for unit in LESSONS)
    assert all(unit.goal or form.has_words(unit.path) for unit in LESSONS)
    assert [unit.time.split()[-1] for unit in ASSIGNMENTS] == ["hours"] * len(ASSIGNMENTS)


def test_the_table_names_each_lesson_once_and_each_assignment():
    table = syllabus.read_table()
    assert [name for part in table["part"] for name in part["lessons"]] == NAMES[: len(LESSONS)]
    files = [f"{number}_{entry['slug']}" for number, entry in table["lessons"].items()]
    assert files == [unit.path.stem for unit in LESSONS], "in syllabus.toml, write the new slug"
    led_to = [entry["assignment"] for entry in table["lessons"].values() if "assignment" in entry]
    assert sorted({*led_to}) == NAMES[len(LESSONS) :]  # ps3 continues two lessons
    grouped = [unit for part in syllabus.group_lessons(LESSONS) for unit in part.units]
    assert grouped == LESSONS


def test_what_a_lesson_needs_comes_before_it():
    for unit in LESSONS:
        assert all(name < unit.name for name in unit.needs), unit.name
        assert unit.needs or unit.name == "00"
    assert all(set(unit.needs) <= set(NAMES) for unit in ASSIGNMENTS)


@pytest.mark.parametrize("length", syllabus.read_plans())
def test_a_plan_has_its_days_or_weeks_and_none_needs_a_later_one(length):
    plan = syllabus.read_plans()[length]
    count, unit = length.split()
    count = int(count)
    assert len(plan) == count and unit in ("days", "weeks")
    done = set()
    for name in (name for week in plan for name in week):
        assert set(syllabus.needs_of(name)) <= done, f"{name} comes too early"
        done.add(name)
    assert count < 7 or done >= set(NAMES[:15])
    assert count < 14 or done == set(NAMES)


@pytest.mark.parametrize("length, longest", [("days", 6), ("weeks", 3.5)])
def test_no_day_or_week_has_more_lessons_than_it_has_hours(length, longest):
    plans = [plan for name, plan in syllabus.read_plans().items() if name.endswith(length)]
    for part in (part for plan in plans for part in plan):
        lessons, assignments = syllabus.count_hours(part, [*LESSONS, *ASSIGNMENTS])
        assert 0.5 < lessons <= longest
        assert length == "weeks" or lessons + assignments <= longest


def test_hours_are_counted_in_halves():
    first = syllabus.count_hours(["00", "01", "ps1"], [*LESSONS, *ASSIGNMENTS])
    assert first == (2, 3.5) and list(map(syllabus.hours_text, first)) == ["2", "3½"]
    assert [unit.hours for unit in (*LESSONS[:1], *ASSIGNMENTS[-2:])] == [0, 5, 3]
    *_, lessons, assignments = syllabus.weeks_table(project.root(__file__))
    assert lessons.startswith("| hours of lessons | 10½ | ")
    assert assignments.endswith(
        f" | {syllabus.hours_text(sum(one.hours for one in ASSIGNMENTS))} |"
    )


def test_a_lesson_that_the_table_does_not_know_stands_at_the_end(add_lesson):
    path = add_lesson("# 99 · A claim\n\n**Goal.** Say\nso.\n\nAbout 30 minutes.", name="99_more")
    (unit,) = syllabus.read_lessons(path.parents[1])
    assert unit == ("99", "A claim", "Say so.", "30 minutes", (), path)
    assert syllabus.group_lessons([unit]) == [("More lessons", (unit,))]
    assert (unit.minutes, syllabus.total_hours([unit, unit])) == (30, 1)


def test_minutes_may_begin_a_line_in_italics(add_lesson):
    path = add_lesson("# 99 · A term: a claim\n\nWe see.\n\n*65 minutes. You need lesson 03.*")
    (unit,) = syllabus.read_lessons(path.parents[1])
    assert (unit.title, unit.time, unit.minutes) == ("A term: a claim", "65 minutes", 65)


def test_a_notebook_that_says_nothing_is_still_a_unit(add_lesson):
    (unit,) = syllabus.read_lessons(add_lesson("1 + 1").parents[1])
    assert (unit.name, unit.title, unit.time, unit.minutes) == ("01", "", "", 0)


def test_a_lesson_says_what_the_table_says():
    for unit in LESSONS:
        assert [hint for _, hint in syllabus.find_differences(unit.path)] == []


def test_what_a_lesson_says_otherwise_is_told_as_the_line_to_write(add_lesson, monkeypatch):
    entry = {"slug": "small", "title": "A claim", "minutes": 50, "needs": [], "rows": []}
    monkeypatch.setattr(syllabus, "read_table", lambda: {"lessons": {"01": entry}})
    path = add_lesson('# 01 · A "new" claim\n\nAbout 55 minutes.')
    (title, line), (minutes, other) = syllabus.find_differences(path)
    assert (title, minutes) == (
        "its title in syllabus.toml: A claim",
        "its minutes in syllabus.toml: 50",
    )
    assert line == r'write there, below [lessons.01]: title = "A \"new\" claim"'
    assert other == "write there, below [lessons.01]: minutes = 55"
    (unit,) = syllabus.read_lessons(path.parents[1])
    assert (unit.title, unit.minutes) == ("A claim", 50)
    assert list(syllabus.find_differences(path.with_name("01_other.ipynb"))) == []


def test_the_tables_of_readme_and_guide_are_made(tmp_path):
    assert syllabus.renew_tables(tmp_path) == []
    (tmp_path / "notebooks").mkdir()
    head, *rows = syllabus.weeks_table(tmp_path)
    (tmp_path / "assignments").mkdir()
    guide = tmp_path / "assignments" / "GUIDE.md"
    guide.write_text(f"# Guide\n\n{head}\n|---|\n| old |\n\nEnd.\n", encoding="utf-8")
    assert syllabus.renew_tables(tmp_path) == ["assignments/GUIDE.md"]
    made = "\n".join([head, *rows])
    assert guide.read_text(encoding="utf-8") == f"# Guide\n\n{made}\n\nEnd.\n"
    assert "| 2 | 04 07, ps1 | 03 04, ps1 | " in made and "| 14 | | | | | 17 18" in made


@pytest.mark.parametrize(
    "page, make",
    [("README.md", syllabus.readme_table), ("assignments/GUIDE.md", syllabus.weeks_table)],
)
def test_readme_and_guide_hold_the_tables(page, make):
    course = project.root(__file__)
    assert "\n".join(make(course)) in (course / page).read_text("utf-8"), "minigrad figures"
