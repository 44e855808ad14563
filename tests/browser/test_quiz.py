"""The page of the quiz: answered with keys alone, it saves the file that `minigrad items` reads."""

import json

import pytest

from minigrad.course import cli
from minigrad.course.inventory import analysis, answers, forms, questions, report

from ..course.inventory.synthetic import PLANTED, make_class, make_sheets

FORM = questions.make_form()


@pytest.fixture
def quiz(page, tmp_path):
    """The page of the quiz, opened; no script of it may fail, and it asks for nothing."""
    path, errors, asked = tmp_path / "quiz.html", [], []
    path.write_text(forms.quiz_page(FORM), encoding="utf-8")

    def note_error(error):
        errors.append(error)

    def note_request(request):
        asked.append(request.url)

    page.on("pageerror", note_error)
    page.on("request", note_request)
    page.goto(path.as_uri())
    yield page
    page.remove_listener("pageerror", note_error)
    page.remove_listener("request", note_request)
    assert errors == []
    assert {url.partition(":")[0] for url in asked} <= {"file", "blob"}


def test_the_round_trip_with_keys_alone(quiz, tmp_path, capsys):
    folder = tmp_path / "answers"
    folder.mkdir()
    quiz.focus("#code")
    quiz.keyboard.type("Pepper 38")
    quiz.keyboard.press("Tab")
    quiz.keyboard.press("Space")
    quiz.keyboard.press("ArrowDown")  # the last week
    for at in range(20):
        quiz.keyboard.press("Tab")
        quiz.keyboard.press("Space")
        for _ in range("ABCD".index(FORM.key_letter(at)) if at else 3):
            quiz.keyboard.press("ArrowDown")
    assert quiz.inner_text("#state") == "Not saved yet."
    quiz.keyboard.press("Tab")
    with quiz.expect_download() as saved:
        quiz.keyboard.press("Enter")
    assert saved.value.suggested_filename == "answers-last.json"
    saved.value.save_as(folder / saved.value.suggested_filename)
    assert quiz.inner_text("#state") == "Saved."
    record = json.loads((folder / "answers-last.json").read_text(encoding="utf-8"))
    assert {*record} == {*answers.empty_record(FORM), "code", "week", "saved", "answers"}
    (sheet,), left_out = answers.read_folder(folder)
    assert (sheet.code, sheet.week, left_out) == ("pepper38", "last", [])
    assert sheet.options[1:] == (0,) * 19 and sheet.options[0] == FORM.orders[0][3]
    assert cli.main(["items", str(folder), "--out", str(tmp_path / "items.html")]) == 0
    assert "epper" not in capsys.readouterr().out


def test_what_is_missing_is_said_and_nothing_is_saved(quiz):
    quiz.click("text=Save my answers")
    assert "Type your code" in quiz.inner_text("#state")
    assert quiz.evaluate("document.activeElement.id") == "code"
    quiz.fill("#code", "pepper 38")
    quiz.click("text=Save my answers")
    assert "first or the last week" in quiz.inner_text("#state")
    quiz.check("input[value=first]")
    quiz.check("input[name=q3][value=B]")
    assert quiz.inner_text("#state") == "Questions without an answer: 19. Not saved yet."
    with quiz.expect_download() as saved:
        quiz.click("text=Save my answers")
    assert saved.value.suggested_filename == "answers-first.json"
    assert quiz.inner_text("#state") == "Saved. Questions without an answer: 19."


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_phone_and_can_be_read_in_both_schemes(quiz, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    quiz.emulate_media(color_scheme=scheme)
    quiz.set_viewport_size({"width": width, "height": 900})
    assert quiz.evaluate("document.documentElement.scrollWidth") <= width
    small = "[...document.querySelectorAll('label.option')].filter((e) => e.offsetHeight < 24)"
    assert quiz.evaluate(f"{small}.length") == 0
    found = axe.run(quiz)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_report_fits_and_can_be_read(page, tmp_path, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    options, ability, rng = make_class(0)
    for at, (plant, _) in PLANTED.items():
        plant(options, at, ability, rng)
    sheets = make_sheets(options) + make_sheets(make_class(1)[0], "first")
    found = analysis.analyse(sheets, FORM.questions)
    path = tmp_path / "items.html"
    text = report.report_page(found, FORM.questions, ["file 3 of 9: it is not a JSON file"])
    path.write_text(text, encoding="utf-8")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    result = axe.run(page)
    assert result.violations_count == 0, result.generate_report()
