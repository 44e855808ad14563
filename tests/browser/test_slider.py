"""The slider over passes in a real browser: keys, words, themes, and no script at all."""

from pathlib import Path
from urllib.parse import urlparse

import pytest

import minigrad as mg
from minigrad.draw import draw


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The address of a page with a slider of five pictures."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        y = mg.exp(x * 1.0) + mg.exp(x) * (mg.constant(2.0) + 3.0)
        slider = draw.passes(mg.Session(graph).compile(y, [x]), rows=False)
    assert len(slider) == 5
    return slider.save(tmp_path_factory.mktemp("slider") / "passes.html").as_uri()


def test_keys_move_along_and_do_not_leak(page, saved):
    page.goto(saved)
    page.evaluate("document.body.addEventListener('keydown', () => { window.leaked = true })")
    said = page.locator("[role=status]")
    assert said.inner_text().startswith("1 of 5 · as it was built")
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert said.inner_text().startswith("2 of 5 · fold")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert said.inner_text().startswith("5 of 5 · what runs")
    page.keyboard.press("d")
    assert page.evaluate("window.leaked") is None
    page.get_by_role("button", name="previous picture").click()
    assert said.inner_text().startswith("4 of 5 · cse")
    shown = page.locator(".pane > svg")
    assert shown.count() == 1
    assert "Exp" in shown.get_attribute("aria-label")
    assert shown.bounding_box()["width"] > 200


@pytest.mark.parametrize("ground, seen", [("#fff", "@media not all"), ("#111", "@media all")])
def test_the_picture_follows_the_ground_it_stands_on(page, saved, ground, seen):
    page.goto(saved)
    page.evaluate(f"document.body.style.background = '{ground}'")
    page.wait_for_function(
        f"""() => document.querySelector('main').firstElementChild.shadowRoot
        .querySelector('.pane > svg style').textContent.includes('{seen}')"""
    )


def test_without_scripts_the_first_picture_is_open(page, saved):
    with page.context.browser.new_context(java_script_enabled=False) as context:
        other = context.new_page()
        other.goto(saved)
        assert other.locator("img:visible").count() == 1
        assert other.locator("summary:visible").count() >= 5


def test_two_sliders_on_one_page_both_work(page, saved, tmp_path):
    text = Path(urlparse(saved).path).read_text(encoding="utf-8")
    inside = text[text.index("<main>") + 6 : text.index("</main>")]
    both = tmp_path / "both.html"
    both.write_text(text.replace(inside, inside * 2), encoding="utf-8")
    page.goto(both.as_uri())
    for said in page.locator("[role=status]").all():
        assert said.inner_text().startswith("1 of 5")
    assert page.locator("[role=status]").count() == 2


def test_what_is_closed_stays_closed_from_picture_to_picture(opened):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        with mg.name_scope("first"):
            h = mg.tanh(x * 1.0) + x
        with mg.name_scope("second"):
            y = mg.exp(h) + mg.exp(h) * (mg.constant(2.0) + 3.0)
        page = opened(draw.passes(mg.Session(graph).compile(mg.sum(y), [x]), rows=False))
    title, box = page.locator("g.title[data-frame=first]"), page.locator("g.node[data-box=first]")
    assert title.count() == 1 and box.count() == 0
    title.click()
    assert title.count() == 0 and box.get_attribute("aria-expanded") == "false"
    assert "values" in box.text_content()
    said = page.locator("[role=status]")
    for _ in range(3):
        page.get_by_role("button", name="next picture").click()
        assert box.count() == 1 and page.locator("g.title[data-frame=second]").count() == 1
    box.focus()
    page.keyboard.press("Enter")
    assert title.count() == 1 and said.inner_text().startswith("4 of ")
    page.get_by_role("button", name="previous picture").click()
    assert title.count() == 1 and box.count() == 0
