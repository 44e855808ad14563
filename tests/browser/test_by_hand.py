"""The page for grading by hand: what is typed into its fields is the table that `grade` reads."""

from minigrad.course.gradebook import by_hand, tables
from minigrad.course.grading.report import (
    BY_HAND,
    CRASHED,
    MISSING,
    Check,
    Code,
    Mark,
    Report,
    Written,
)

ODD = '=1+1; "two", three'
RUBRIC = "# Points\n\n## q2\n\nOne point for each reason.\n"
CHECKS = (Check("a", "a", "q1", 4, "passed"),)
RESULTS = [
    ("Ann", Report(BY_HAND, CHECKS, written=(Written("q2", 3, "Because."),))),
    (ODD, Report(BY_HAND, CHECKS, written=(Written("q2", 3, "No <b>idea</b>."),))),
    (
        "Eve",
        Report(BY_HAND, CHECKS, written=(Written("q2", 3, "Old."),), marks=(Mark("q2", 1, "Hm."),)),
    ),
    ("Ned", Report(MISSING)),
]
DIGESTS = {"Ann": "aa", ODD: "bb", "Eve": "cc", "Ned": "dd"}


LOST = (Check("a", "a", "q1", 4, "died", "it ended"),)
CODE = 'def f(x):\n    """<b>Bold</b>."""\n    os._exit(0)'
ASKED = {"q1": "## q1 Double\n\nReturn **twice** x.", "q2": "## q2 Reasons\n\nGive three."}


class Points:
    """What `read_marks` asks of an assignment."""

    possible = {"q1": 4, "q2": 3}


def test_what_is_typed_is_saved_as_the_table_that_is_read_again(page, tmp_path):
    lines = [*by_hand.marks_table(RESULTS, DIGESTS, 7)]
    path = tmp_path / "by-hand.html"
    path.write_text(by_hand.answers_page("ps1", RUBRIC, RESULTS, lines[1:]), encoding="utf-8")
    page.goto(path.as_uri())
    points, comments = page.locator(".points"), page.locator(".comment")
    assert [field.input_value() for field in points.all()] == ["", "", "1", ""]
    points.nth(0).fill("2.5")
    comments.nth(0).fill('Good, "but" short; =SUM(1)')
    points.nth(1).fill("9")  # more than there are
    page.click("#save")
    assert page.inner_text("#state").endswith("not saved")
    points.nth(1).fill("0")
    with page.expect_download() as saved:
        page.click("#save")
    assert saved.value.suggested_filename == "by-hand.csv"
    saved.value.save_as(tmp_path / "by-hand.csv")
    assert page.inner_text("#state") == "saved"
    marks, said = by_hand.read_marks(tmp_path / "by-hand.csv", Points, DIGESTS)
    assert said == []
    assert marks == {
        "Ann": [Mark("q2", 2.5, 'Good, "but" short; =SUM(1)')],
        ODD: [Mark("q2", 0, "")],
        "Eve": [Mark("q2", 1, "Hm.")],
    }
    lines[1][2], lines[1][4], lines[2][2] = "2.5", 'Good, "but" short; =SUM(1)', "0"
    assert (tmp_path / "by-hand.csv").read_text(encoding="utf-8") == tables.csv_text(lines)


def test_a_question_that_was_lost_shows_what_was_asked_and_the_students_code(page, tmp_path):
    written = Written("q2", 3, "Because.")
    lost = Report(CRASHED, LOST, "q1: it ended", written=(written,), codes=(Code("q1", CODE),))
    results = [("Ann", lost)]
    lines = [*by_hand.marks_table(results, DIGESTS, 7)][1:]
    path = tmp_path / "by-hand.html"
    text = by_hand.answers_page("ps1", RUBRIC, results, lines, ASKED)
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    row = page.locator('.row[data-question="q1"]')
    assert row.locator("pre").inner_text() == CODE
    assert page.locator(".asked").count() == 2
    asked = page.locator(".asked[open]")
    assert "Return twice x." in asked.inner_text() and asked.locator("strong").count() == 1
    assert page.get_by_text("One point for each reason.").first.is_visible()  # of q2, named there
    rubrics = page.get_by_text("The whole rubric")
    assert rubrics.count() == 1  # of q1, which the rubric does not name
