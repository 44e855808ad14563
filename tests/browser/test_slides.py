"""Decks in a real browser: legible from the last row, within their slides, quiet, and on paper."""

import base64
import re

import pytest

pytest.importorskip("sphinx_revealjs", reason="the extra 'slides' is not installed")

from minigrad.course import project
from minigrad.course.slides import page as pages
from minigrad.course.slides import pdf
from minigrad.course.slides.deck import make_deck

LESSONS = [project.lesson_number(path) for path in project.lessons()]
LEAST = 24  # CSS pixels of a slide of 1280 × 720: 18 points on a page 13.33 inches wide
WIDTH, HEIGHT = 1280, 720
TEXTS = """() => {
    const slide = Reveal.getCurrentSlide(), found = []
    const walk = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
        const text = walk.currentNode, around = text.parentElement, range = document.createRange()
        if (!text.data.trim() || around.closest(".notes")) continue
        range.selectNodeContents(text)
        for (const box of range.getClientRects())
            found.push([text.data, parseFloat(getComputedStyle(around).fontSize),
                        box.left, box.top, box.right, box.bottom])
    }
    return found }"""
PICTURES = """() => [...Reveal.getCurrentSlide().querySelectorAll("img")].map(image => {
    const box = image.getBoundingClientRect()
    return [image.src, image.alt, image.naturalWidth, Number(image.getAttribute("width")),
            box.left, box.top, box.right, box.bottom] })"""
FONT = re.compile(r"font(?:-size)?: (?:bold )?([\d.]+)px")


@pytest.fixture
def opened(page, tmp_path):
    """A function that opens the deck of a lesson; it asks for nothing elsewhere, and no script of
    it fails."""
    asked, errors = [], []
    listeners = {
        "request": lambda request: asked.append(request.url),
        "pageerror": lambda error: errors.append(str(error)),
    }
    for event, listener in listeners.items():
        page.on(event, listener)

    def open_deck(number):
        (path,) = project.lessons([number])
        deck = tmp_path / "deck.html"
        deck.write_text(pages.screen_page(path.stem, make_deck(path)), encoding="utf-8")
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.goto("about:blank")
        page.goto(deck.as_uri())
        page.wait_for_function("Reveal.isReady()")
        return page

    yield open_deck
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    assert errors == [] and [url for url in asked if not url.startswith(("file:", "data:"))] == []


def slides_of(page):
    """Go through a deck with the space bar, as far as the last step of each slide; its keys."""
    for at in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate(f"Reveal.slide({at})")
        while page.evaluate("Reveal.availableFragments().next"):
            page.evaluate("Reveal.nextFragment()")
        yield page.evaluate("Reveal.getCurrentSlide().dataset.key")


def lies_within(left, top, right, bottom):
    """Whether a box lies on its slide."""
    return left >= -0.5 and top >= -0.5 and right <= WIDTH + 0.5 and bottom <= HEIGHT + 0.5


def smallest_letter(address):
    """The pixels of the smallest letters that a drawing declares, before it is enlarged."""
    return min(map(float, FONT.findall(base64.b64decode(address.partition(",")[2]).decode())))


@pytest.mark.parametrize("number", LESSONS)
def test_every_letter_is_of_18_points_and_lies_on_its_slide(opened, number):
    """Those of plots are as large as tests of the decks compute, where nothing shrinks a plot."""
    page, texts, pictures = opened(number), [], []
    for key in slides_of(page):
        texts += [(key, *text) for text in page.evaluate(TEXTS)]
        pictures += [(key, *picture) for picture in page.evaluate(PICTURES)]
    assert len(texts) > 50 and pictures
    outside = [(key, text) for key, text, _, *box in texts if not lies_within(*box)]
    outside += [key for key, *_, left, top, right, low in pictures
                if not lies_within(left, top, right, low)]  # fmt: skip
    small = [(key, text) for key, text, size, *_ in texts if size < LEAST]
    for key, address, alt, natural, width, left, _, right, _ in pictures:
        assert alt.strip() and abs(right - left - width) < 0.5, key
        if "svg+xml" in address[:30] and smallest_letter(address) * width / natural < LEAST - 0.3:
            small.append((key, alt))
    assert (outside, small) == ([], [])


def test_keys_move_on_change_the_theme_and_open_the_notes(opened):
    page = opened("03")
    ground = "getComputedStyle(document.body).backgroundColor"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getIndices().h") == 1
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    assert page.evaluate("Reveal.getIndices()") == {"h": 2, "v": 0, "f": 0}  # its second line
    light = page.evaluate(ground)
    page.keyboard.press("d")
    assert page.evaluate(ground) != light
    page.keyboard.press("d")
    assert page.evaluate(ground) == light
    with page.expect_popup() as notes:
        page.keyboard.press("n")
    notes.value.close()


def test_a_dark_screen_has_a_dark_deck(opened, page):
    page.emulate_media(color_scheme="dark")
    opened("00")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 22, 28)"


def test_steps_replace_one_another(opened):
    page = opened("03")
    seen = """() => [...Reveal.getCurrentSlide().querySelectorAll(".frame")]
        .map(one => getComputedStyle(one).visibility === "visible"
                    && getComputedStyle(one).opacity > 0)"""
    for key in slides_of(page):
        if key == "steps":
            shown = page.evaluate(seen)
            assert shown.count(True) == 1 and shown[-1] and len(shown) == 10
            page.evaluate("Reveal.prevFragment()")
            assert page.evaluate(seen) == [*shown[1:], False]
            return
    pytest.fail("the deck has no steps")


def test_paper_has_a_page_for_each_slide():
    (path,) = project.lessons(["03"])
    slides = make_deck(path)
    browser = pdf.doctor.browser() or pytest.skip("no browser is installed")
    made = pdf.print_pdf(browser, pages.paper_page(path.stem, slides))
    assert made.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", made)) == len(slides)
    assert {*re.findall(rb"/MediaBox\s*\[([\d. ]+)\]", made)} == {b"0 0 960 540"}
