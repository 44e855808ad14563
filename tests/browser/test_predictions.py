"""The page of a class's predictions: a question, then its answer, by keys and by buttons."""

import pytest

from minigrad.course.gradebook import predictions

from ..course.gradebook.predicting import text_of


@pytest.fixture
def shown(page, tmp_path):
    """The open page of two students' predictions in lesson 03; no script of it may fail."""
    for name, code in (("a", "2"), ("b", "4")):
        (tmp_path / f"{name}.ipynb").write_text(text_of("03", grad=code))
    text = predictions.predictions_page(predictions.read_class(tmp_path))
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    errors = []

    def note(error):
        errors.append(error)

    page.on("pageerror", note)
    page.goto((tmp_path / "page.html").as_uri())
    yield page
    page.remove_listener("pageerror", note)
    assert errors == []


def visible(page):
    """(the questions that are seen, the sentences about predictions that are)."""
    texts = [one.inner_text() for one in page.locator("h2:visible").all()]
    return texts, [one.inner_text() for one in page.locator("p.told:visible").all() if one]


def colour(page):
    """The colour of the bar of the right answer."""
    bar = page.locator(".current .right .bar")
    return bar.evaluate("(bar) => getComputedStyle(bar).backgroundColor")


def test_keys_lead_from_a_question_to_its_answer_and_on(shown):
    questions, told = visible(shown)
    assert questions == ["speed.grad after the first attempt"] and told == []
    plain = colour(shown)
    shown.keyboard.press("PageDown")
    questions, told = visible(shown)
    assert questions == ["speed.grad after the first attempt"]
    assert any("p passes on 1. When" in one for one in told) and colour(shown) != plain
    shown.keyboard.press("ArrowRight")
    assert visible(shown) == (["Visits for eight seconds"], [])
    shown.keyboard.press("ArrowLeft")
    assert visible(shown)[1] == told
    shown.keyboard.press("End")
    assert shown.inner_text(".state") == "4 of 4"
    for _ in range(5):
        shown.keyboard.press(" ")
    assert shown.inner_text(".state") == "4 of 4" and shown.locator("#on").is_disabled()


def test_a_button_that_has_the_focus_is_pressed_once(shown):
    shown.focus("#on")
    shown.keyboard.press(" ")
    assert shown.inner_text("#on") == "Next question" and shown.inner_text(".state") == "1 of 4"
    shown.click("#all")
    questions, told = visible(shown)
    assert len(questions) == 4 and len(told) >= 4
    shown.click("#all")
    assert len(visible(shown)[0]) == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_runs_over_the_edge(shown, width):
    shown.set_viewport_size({"width": width, "height": 800})
    shown.click("#all")
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shown.set_viewport_size({"width": 1200, "height": 900})


def test_all_of_it_is_printed(shown):
    shown.emulate_media(media="print")
    assert len(visible(shown)[0]) == 4 and not shown.locator("nav").is_visible()
    shown.emulate_media(media="screen")
