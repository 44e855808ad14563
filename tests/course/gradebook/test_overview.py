"""The first page of a batch: what it counts, whom it names, what it takes to be alike."""

import json
import re
from html import unescape

import numpy as np
import pytest

from minigrad.course.gradebook import overview, similar
from minigrad.course.gradebook.submissions import find_entries
from minigrad.course.grading import assignment
from minigrad.course.grading.report import BY_HAND, CRASHED, GRADED, MISSING, Check, Report, Written

from ..grading.conftest import RIGHT, SOLUTIONS, notebook
from .test_gradebook import with_essay


def checks(*outcomes):
    """Checks of q1 (2 points each) and q2 (1 point) with these outcomes; "?" is no answer."""
    found = []
    for at, outcome in enumerate(outcomes):
        question, points = ("q1", 2) if at < 2 else ("q2", 1)
        plain, blank = ("failed", True) if outcome == "?" else (outcome, False)
        title = f"check <{at}>"
        found.append(Check(f"c{at}", title, question, points, plain, is_unanswered=blank))
    return tuple(found)


RESULTS = [
    ("ann", Report(GRADED, checks("passed", "passed", "passed"))),
    ("bob", Report(GRADED, checks("passed", "failed", "?"))),
    ("eve #1", Report(GRADED, checks("failed", "failed", "passed"))),
    ("ned", Report(CRASHED, checks("died", "passed", "passed"), "it ended")),
    (
        "sue",
        Report(BY_HAND, checks("passed", "passed", "failed"), written=(Written("q3", 4, "T"),)),
    ),
    ("zoe", Report(MISSING, reason="nothing was handed in")),
]


def test_points_are_counted_by_question():
    reports = [report for _, report in RESULTS if report.checks]
    one, two, three = overview.question_lines(reports)
    assert one == overview.QuestionLine("q1", 4, 2.5, full=2, some=1, none=1, waiting=1)
    assert two == overview.QuestionLine("q2", 1, 0.6, full=3, some=0, none=2, waiting=0)
    assert three == overview.QuestionLine("q3", 4, None, full=0, some=0, none=0, waiting=1)


def test_failed_checks_are_those_of_who_answered():
    found = overview.failed_checks(RESULTS)
    assert [(one.title, one.attempts, one.students) for one in found] == [
        ("check <0>", 5, ["eve #1", "ned"]),
        ("check <1>", 5, ["bob", "eve #1"]),
        ("check <2>", 4, ["sue"]),
    ]


def page(results=RESULTS, alike=similar.Compared()):  # noqa: B008  immutable
    """The page as text, and the addresses in it."""
    pages = {student: f"feedback/{student}.html" for student, _ in results}
    text = overview.overview_page("ps1", results, pages, alike, overview.texts_to_read(results))
    plain = " ".join(unescape(re.sub("<[^>]+>", " ", text.split("</style>")[1])).split())
    return plain, re.findall(r'href="([^"]+)"', text), text


def test_the_page_says_what_to_look_at():
    pairs = [similar.Likeness("ann", "bob", 0.934), similar.Likeness("bob", "sue", 0.8, "q3")]
    plain, links, text = page(alike=similar.Compared(pairs, {"code": 5, "q3": 2}))
    assert "ps1 · 6 students" in plain and "3 GRADED" in plain
    assert "Texts to read : 1 for q3" in plain and "by-hand.html" in links
    assert "2 of 5 q1 check <0> eve #1 , ned" in plain and "check &lt;0&gt;" in text
    assert "Compared: the code of 5 students, the texts of q3 of 2 students." in plain
    assert (
        "ann and bob : 93 % of the code" in plain
        and "bob and sue : 80 % of the text of q3" in plain
    )
    assert "Whole scores: 3 known, from 1 to 5, mean 2.67." in plain
    assert "feedback/eve%20%231.html" in links
    assert "MISSING : zoe" in plain


# discrimination, and checks that tell nobody apart -----------------------------------------------

POINTS = {  # of twelve students: "a" goes with the others, "b" against them, "c" is all the same
    "a": (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
    "b": (4, 3, 4, 3, 3, 2, 3, 1, 2, 1, 0, 1),
    "c": (2,) * 12,
    "d": (0, 1, 0, 2, 2, 3, 1, 4, 3, 4, 5, 4),
}


def class_of(points, count=12):
    """A graded batch with these points by question; each point is a check of its own."""
    results = []
    for student in range(count):
        found = []
        for question, earned in points.items():
            for at in range(5):
                outcome = "passed" if at < earned[student] else "failed"
                found.append(Check(f"{question}{at}", f"{question}{at}", question, 1, outcome))
        results.append((f"Secret Student {student}", Report(GRADED, tuple(found))))
    return results


def discriminations(results):
    """{question: its discrimination}."""
    reports = [report for _, report in results if report.checks]
    return {one.name: one.discrimination for one in overview.question_lines(reports)}


def test_discrimination_is_the_correlation_with_the_rest_of_the_assignment():
    found, table = discriminations(class_of(POINTS)), {k: np.array(v) for k, v in POINTS.items()}
    for name in ("a", "b", "d"):
        rest = sum(points for other, points in table.items() if other != name)
        assert found[name] == pytest.approx(np.corrcoef(table[name], rest)[0, 1], abs=1e-12)
    assert found["c"] is None
    assert found["a"] < 0 < found["d"] or found["b"] < 0  # each sign is seen


def test_discrimination_of_a_few_by_hand():
    points = {"a": (1,) * 5 + (0,) * 5, "b": (1,) * 4 + (0,) * 6}
    # 4 have both, 1 has a alone: r = (10·4 − 5·4) / √(5·5·4·6) = 20/√600
    by_hand = dict.fromkeys("ab", 20 / 600**0.5)
    assert discriminations(class_of(points, 10)) == pytest.approx(by_hand)


@pytest.mark.parametrize("count", [0, 1, 9])
def test_few_students_say_nothing_of_a_question(count):
    assert {*discriminations(class_of(POINTS, count)).values()} <= {None}


def test_only_who_is_graded_counts_for_discrimination():
    results = class_of(POINTS, 10)
    waits = Report(BY_HAND, results[0][1].checks, written=(Written("q3", 4, "T"),))
    assert discriminations(results)["a"] is not None
    few = [("w", waits), ("m", Report(MISSING)), *results[1:]]
    assert discriminations(few)["a"] is None


def test_one_question_has_no_rest():
    assert discriminations(class_of({"a": POINTS["a"]})) == {"a": None}


def test_the_page_tells_discrimination_and_its_meaning():
    plain, _, _ = page(class_of(POINTS))
    found = discriminations(class_of(POINTS))
    for name in ("a", "b", "d"):
        assert re.search(rf" {name} 5 [^a-z]* {found[name]:.2f} ".replace("-", "−"), plain), plain
    assert re.search(r" c 5 [^a-z]* – ", plain)
    assert "from −1 to 1" in plain and "fewer than 10 graded students" in plain


def test_checks_that_all_or_none_pass_are_named_without_a_student():
    results = class_of(POINTS)
    found = overview.unanimous_checks(results)
    assert found["everybody"] == [("c", "c0"), ("c", "c1")]
    assert found["nobody"] == [("b", "b4"), ("c", "c2"), ("c", "c3"), ("c", "c4")]
    plain, _, _ = page(results)
    part = plain.split("Checks on which all agree")[1].split("Checks that failed")[0]
    assert "Nobody passes 4 checks" in part and "Everybody passes 2 checks c: c0 c: c1" in part
    assert "Secret" not in part and "Student" not in part
    before = plain.split("Points by question")[1].split("Checks on which")[0]
    assert "Secret" not in before


def test_who_answers_nothing_agrees_with_nobody():
    assert overview.unanimous_checks(RESULTS) == {"everybody": [], "nobody": []}
    assert "all agree" not in page()[0]
    two = [RESULTS[0], RESULTS[1]]  # of whom one has not answered q2
    assert overview.unanimous_checks(two)["everybody"] == [("q1", "check <0>"), ("q2", "check <2>")]


def test_what_is_to_be_known_of_a_submission_is_on_the_page():
    who = ("eve #1", Report(GRADED, checks("passed"), notes=("not on the <roster>", "late")))
    plain, _, text = page([who, RESULTS[0]])
    assert "Notes on 1 eve #1 : not on the <roster>; late" in plain and "&lt;roster&gt;" in text
    assert "Notes on" not in page()[0]


def test_a_batch_without_any_result_has_a_page():
    plain, _, _ = page([("zoe", Report(MISSING))])
    assert "No two stand out." in plain and "Points by question" not in plain


# alike -------------------------------------------------------------------------------------------

LONG = """def double(x):
    found = []
    for part in range(3):
        if part % 2 == 0 and x > {n}:
            found.append(x * part + 1)
        else:
            found = [one - part for one in found] or [x]
    while len(found) > 1 and found[-1] != 0:
        found.pop()
    return x + x
"""


@pytest.fixture
def alike(tiny, tmp_path):
    """The pairs among submissions with these answers to q1."""
    tiny.solution.write_text(json.dumps(notebook(SOLUTIONS)))

    def find(**answers):
        folder = tmp_path / "handed_in"
        folder.mkdir()
        for name, q1 in answers.items():
            text = q1 if q1 == "broken" else json.dumps(notebook(RIGHT | {"q1": q1}))
            (folder / f"{name}.ipynb").write_text(text)
        found = similar.find_similar(find_entries(folder, "tiny"), assignment.key_master(tiny))
        return [(one.first, one.second) for one in found.found]

    return find


def test_renamed_variables_and_comments_do_not_hide_a_copy(alike):
    renamed = LONG.replace("found", "result").replace("part", "k").replace("{n}", "7")
    copy = renamed.replace("while", "# so\n    while")
    other = "def double(x):\n    import math\n    return math.ldexp(x, 1) if x else x + x"
    assert alike(ann=LONG, bob=copy, eve=other, ned="broken") == [("ann", "bob")]


def test_short_answers_are_never_alike(alike):
    assert alike(ann=RIGHT["q1"], bob=RIGHT["q1"], eve=RIGHT["q1"]) == []


def test_what_many_write_is_how_one_solves_it(alike):
    assert alike(**{f"s{number}": LONG for number in range(8)}) == []


TEXT = """The engine was wrong because a value that has two users passed its gradient on twice, once
for each, and the second time it passed on the first contribution again, so the gradient was 4."""


def test_texts_that_share_their_words_are_alike(tiny, tmp_path):
    raw = with_essay(SOLUTIONS, "The model answer.")
    tiny.solution.write_text(json.dumps(raw))
    other = "A value with several users must wait until each has sent its contribution. " * 2
    texts = {"ann": TEXT, "bob": f"I think: {TEXT.upper()} So!", "eve": "It was wrong.", "ned": ""}
    folder = tmp_path / "handed_in"
    folder.mkdir()
    for name, text in {**texts, "sue": other}.items():
        (folder / f"{name}.ipynb").write_text(json.dumps(with_essay(RIGHT, text)))
    found = similar.find_similar(find_entries(folder, "tiny"), assignment.key_master(tiny))
    assert [(one.first, one.second, one.what) for one in found.found] == [("ann", "bob", "q4")]
    assert found.counts == {"code": 5, "q4": 3}


def test_what_is_no_python_has_tokens_as_far_as_it_goes():
    assert similar.plain_tokens("x = (1 + 'a'") == ["n", "=", "(", "0", "+", "s"]
    assert similar.plain_tokens("") == []
