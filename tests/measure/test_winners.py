"""The map of who is first: totals, fields where nothing differs, sentences, the picture."""

import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.course.lessons.plots import plot_text
from minigrad.measure import Comparison
from minigrad.measure.winners import NOBODY, Winners


def comparison(first, later):
    """A Comparison of {name: seconds per size} to the first result, and of later calls."""
    seconds = {name: [[s] * 3 for s in found] for name, found in later.items()}
    sizes = (10, 1000)[: len(next(iter(first.values())))]
    return Comparison("dynamic", sizes, seconds, None, first)


@pytest.fixture
def found():
    """Static takes 50 s to its first result, and saves 1 s a run at size 10 alone."""
    return comparison(
        {"dynamic": [2.0, 100.0], "static": [50.0, 150.0]},
        {"dynamic": [2.0, 100.0], "static": [1.0, 100.0]},
    )


def test_the_first_result_counts_once_and_later_ones_as_often_as_they_run(found):
    rows = found.winners((1, 40, 48, 54, 55, 60, 1000)).rows
    assert [row[0] for row in rows] == ["dynamic"] * 2 + [NOBODY] * 3 + ["static"] * 2
    # 40 runs: 80 and 89 s; 48: 96 and 97; 54: 108 and 103; 55: 110 and 104; 60: 120 and 109
    assert [row[1] for row in rows] == ["dynamic"] + [NOBODY] * 6


def test_only_those_take_part_among_whom_one_asks():
    first = {"dynamic": [2.0], "static": [9.0], "other": [1.0]}
    found = comparison(first, {"dynamic": [2.0], "static": [1.0], "other": [0.5]})
    assert found.winners((1, 100)).names == ["other"]
    assert found.winners((1, 100), among=["static", "dynamic"]).rows == (("dynamic",), ("static",))


def test_quartiles_that_meet_are_no_difference():
    for spread, who in ((0.1, "static"), (0.9, NOBODY)):
        seconds = {
            "dynamic": [[2.0 - spread, 2.0 - spread, 2.0, 2.0, 2.0]],
            "static": [[1.0, 1.0, 1.0, 1.0 + spread, 1.0 + spread]],
        }
        first = {"dynamic": [0.0], "static": [0.0]}
        found = Comparison("dynamic", (10,), seconds, None, first).winners((100,))
        assert found.at(10, 100) == who


def test_three_sentences_say_what_the_map_shows(found):
    winners = found.winners((1, 3, 30, 100, 1000))
    assert repr(winners).splitlines() == [
        "One run: dynamic is first at 10 to 1,000.",
        "1,000 runs: static is first at 10, no difference at 1,000, "
        "and so from this number of runs on: 100 at 10.",
        "No difference in 3 of 10 fields: two are within 10 %, or their quartiles meet.",
    ]
    assert found.winners((48, 50)).sentences[:2] == [
        "48 runs: no difference at 10 to 1,000.",
        "50 runs: no difference at 10 to 1,000.",
    ]


def test_comparing_by_size_notes_the_first_result(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(mg.measure.clock, "perf_counter", lambda: now[0])

    def prepare(n):
        now[0] += n

        def work():
            now[0] += 1

        return work

    found = mg.measure.compare({"a": prepare, "b": prepare}, sizes=[2, 8], rounds=3)
    assert found.first == {"a": [3.0, 9.0], "b": [3.0, 9.0]}
    assert found.winners((1,)).rows == ((NOBODY, NOBODY),)
    assert mg.measure.compare({"a": lambda: 1, "b": lambda: 2}, rounds=3, least=0).first == {}


def test_the_first_result_is_the_median_of_three_by_turns(monkeypatch):
    now, calls = [0.0], []
    monkeypatch.setattr(mg.measure.clock, "perf_counter", lambda: now[0])

    def contender(name, *seconds):
        times = iter(seconds)

        def prepare(n):
            calls.append(name)
            now[0] += next(times)
            return int

        return prepare

    contenders = {"a": contender("a", 90, 5, 4), "b": contender("b", 1, 2, 70)}
    found = mg.measure.compare(contenders, sizes=[1], rounds=3, least=0)
    assert calls == ["a", "b", "b", "a", "a", "b"]
    assert found.first == {"a": [5.0], "b": [2.0]}


def test_the_picture_has_a_field_for_each_size_and_count(found):
    fig, ax = found.winners((1, 30, 100)).figure("Here")
    coloured = [patch for patch in ax.patches if patch.get_facecolor()[3] and not patch.get_hatch()]
    assert len(coloured) == 4 and ax.get_title(loc="left") == "Here"
    assert {text.get_text() for text in ax.texts} == {"dynamic", "static", "no\ndifference"}
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["1", "30", "100"]
    assert [patch.get_hatch() for patch in ax.patches if patch.get_hatch()]  # print in grey
    heads, *rows = plot_text(fig).split("\n")[1:]
    assert heads == "  sizes: " + "; ".join(f"{size:,}" for size in found.sizes)
    assert rows == [
        f"  runs {runs}: {', '.join(row)}"
        for runs, row in zip((1, 30, 100), found.winners((1, 30, 100)).rows, strict=True)
    ]


def test_every_area_has_its_name_in_one_line_where_it_is_one_row_high():
    rows = ((NOBODY, "a", NOBODY), ("a", "a", NOBODY))
    fig, ax = Winners((1, 10, 100), (1, 2), rows).figure()
    words = {text.get_position(): text.get_text() for text in ax.texts}
    assert words == {(0, 0): NOBODY, (1, 1): "a", (2, 0): "no\ndifference"}


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda c: c._replace(sizes=()).winners(), "two contenders, and sizes"),
        (lambda c: c._replace(seconds={"a": [[1.0]]}).winners(), "two contenders, and sizes"),
        (lambda c: c._replace(first={}).winners(), "two contenders, and sizes"),
        (lambda c: c.winners(among=["static"]), "two contenders, and sizes"),
        (lambda c: c.winners(()), r"runs=\(\)"),
        (lambda c: c.winners([3, 1]), "rising numbers"),
        (lambda c: c.winners([0, 1]), "rising numbers"),
        (lambda c: mg.plot.winners(3), "int is not a map of winners"),
    ],
)
def test_what_has_no_map_is_told(found, call, said):
    with raises_saying(mg.ArgumentError, said):
        call(found)
