"""The viewer of drawings in a real browser: zoom, fit, search, what depends on what, themes."""

import json
import subprocess
import xml.etree.ElementTree as xml
from html import escape

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.paint.element import view_script
from minigrad.draw.paint.slider import slider_script
from minigrad.draw.player import player_script

PANE = "document.querySelector('main').firstElementChild.shadowRoot.querySelector('.pane')"
WIDTHS = (1280, 900, 390)


def long_chain():
    """A drawing that is wider than a page."""
    names = {"x": mg.tensor(0.5, requires_grad=True)}
    for turn in range(8):
        names[f"a rather long name {turn}"] = mg.tanh([*names.values()][-1])
    return draw(*[*names.values()][-1:], mode="mirror", names=names, title="a long chain")


def two_paths():
    """A drawing of y = (x + w)(w + 1)."""
    x = mg.tensor(2.0, requires_grad=True, name="x")
    w = mg.tensor(1.0, requires_grad=True, name="w")
    a, b = x + w, w + 1
    return draw(a * b, names={"a": a, "b": b}, title="two paths")


def width_of(page):
    """The width of the picture on the screen."""
    return page.locator(".pane > svg").bounding_box()["width"]


def letters(page):
    """The height of the smallest letters of the picture on the screen, in pixels."""
    return page.evaluate(
        f"""() => Math.min(...[...{PANE}.querySelectorAll('text')].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_letters_start_at_eleven_pixels_and_what_does_not_fit_scrolls(opened, width):
    page = opened(long_chain(), width)
    assert letters(page) >= 10.99
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(f"{PANE}.scrollWidth > {PANE}.clientWidth")


def legend_words(page):
    """The words of the legend on the screen, in the picture or below it; all of them in sight."""
    return page.evaluate(
        f"""() => {{
        const pane = {PANE}, room = pane.getBoundingClientRect();
        const below = [...pane.parentNode.querySelectorAll('.legend > *')];
        const own = pane.querySelectorAll('text.small.start');
        const parts = [...own].filter((part) => !part.closest('g:has(.node)')).concat(below);
        const end = pane.querySelector('svg').getBoundingClientRect().bottom;
        return parts.filter((part) => {{
          const {{ left, right, width, bottom }} = part.getBoundingClientRect();
          const cut = pane.contains(part) && bottom > end;
          return width && left >= room.left - 1 && right <= room.right + 1 && !cut;
        }}).map((part) => (part.lastChild || part).textContent);
        }}"""
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_a_legend_is_as_wide_as_the_page(opened, width):
    page = opened(long_chain(), width)
    adjoint = "adjoint (derivative)"
    words = ["value", adjoint, "saved for backward", "variable", "not computed yet"]
    assert legend_words(page) == words
    page.evaluate("window.copied = null")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.get_by_role("button", name="copy as SVG").click()
    assert "not computed yet" in page.evaluate("window.copied"), "the file has it too"


def test_a_legend_goes_back_into_a_picture_that_fits_again(opened):
    page = opened(two_paths(), 300)
    height = page.locator(".pane > svg").bounding_box()["height"]
    words = legend_words(page)
    assert page.locator(".legend").is_visible() and words
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator(".legend").wait_for(state="hidden")
    assert legend_words(page) == words
    assert page.locator(".pane > svg").bounding_box()["height"] > height
    page.get_by_role("button", name="fit").click()
    assert not page.locator(".legend").is_visible()


def test_notes_buffers_and_code_of_a_legend_wrap_too(opened):
    with mg.Graph() as graph:
        h = x = mg.placeholder("x", shape=(300,))
        for _ in range(4):
            h = mg.tanh(mg.matmul(h, mg.constant(np.ones((300, 300)))) + x)
        run = mg.Session(graph).compile(mg.sum(h), [x])
    for shown in (draw(run, mode="plan"), draw.passes(run, rows=False)):
        page = opened(shown, 200)
        if page.get_by_role("slider").count():
            page.get_by_role("slider").press("End")
        assert page.locator(".legend > *").count() == len(legend_words(page)) > 3


def test_the_legend_of_pictures_in_a_row_stands_below_them_too(opened):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=())
        y = mg.exp(x * 2.0) + mg.exp(x * 2.0) * 1.0
    page = opened(draw.passes(mg.Session(graph).compile(y, [x]), runs=False), 390)
    assert page.locator(".legend > *").count() > 0
    assert legend_words(page)


def test_buttons_and_keys_zoom(opened):
    page = opened(two_paths())
    start = width_of(page)
    page.get_by_role("button", name="zoom in").click()
    assert width_of(page) == pytest.approx(1.25 * start, rel=0.01)
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert width_of(page) == pytest.approx(start / 1.25, rel=0.01)
    page.keyboard.press("+")
    assert width_of(page) == pytest.approx(start, rel=0.01)


def test_fit_shows_the_whole_picture_and_comes_back(opened):
    page = opened(long_chain())
    start = width_of(page)
    page.get_by_role("button", name="fit").click()
    assert width_of(page) < start
    assert page.evaluate(f"{PANE}.scrollWidth <= {PANE}.clientWidth + 1")
    assert page.evaluate(f"{PANE}.scrollHeight <= {PANE}.clientHeight + 1")
    page.keyboard.press("0")
    assert width_of(page) == pytest.approx(start, rel=0.01)


def test_what_is_hardly_wider_than_the_page_is_not_made_smaller(opened):
    page = opened(two_paths())
    start, room = width_of(page), page.evaluate(f"{PANE}.clientWidth")
    page = opened(two_paths(), round(1200 - room + 0.9 * start))
    assert letters(page) >= 10.99
    assert page.evaluate(f"{PANE}.scrollWidth > {PANE}.clientWidth")
    page.get_by_role("button", name="zoom in").click()
    page.set_viewport_size({"width": 1200, "height": 900})
    assert width_of(page) > start, "the reader's own zoom stays"


def test_a_drawing_has_large_targets_on_a_phone(opened):
    page = opened(two_paths(), 390)
    for tool in page.locator(".tools > :is(button, input)").all():
        box = tool.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    assert page.locator(".tools").bounding_box()["height"] == 44, "in one row"


def test_the_wheel_zooms_at_the_pointer_with_ctrl_alone(opened):
    page = opened(long_chain())
    node = page.locator("g.node").nth(2)
    before = node.bounding_box()
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    start = width_of(page)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -100)
    assert width_of(page) == start
    page.keyboard.down("Control")
    for _ in range(3):
        page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function(f"{PANE}.querySelector('svg').clientWidth > {2.5 * start}")
    after = node.bounding_box()
    assert abs(after["x"] + after["width"] / 2 - x) < 3


def test_two_fingers_zoom(opened):
    page = opened(two_paths())
    start = width_of(page)
    page.evaluate(
        f"""() => {{
        const pane = {PANE};
        const at = (clientX, identifier) =>
            new Touch({{ identifier, target: pane, clientX, clientY: 200 }});
        for (const [type, x] of [["touchstart", 400], ["touchmove", 500]]) pane.dispatchEvent(
            new TouchEvent(type, {{ touches: [at(300, 1), at(x, 2)], cancelable: true }}));
        }}"""
    )
    assert width_of(page) == pytest.approx(2 * start, rel=0.01)


def test_the_mouse_drags_the_picture(opened):
    page = opened(long_chain())
    box = page.locator(".pane").bounding_box()
    page.mouse.move(box["x"] + 600, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 20, steps=4)
    page.mouse.up()
    assert page.evaluate(f"{PANE}.scrollLeft") == 300


def test_a_node_is_found_by_its_name(opened):
    page = opened(long_chain())
    page.locator("g.node").first.focus()
    page.keyboard.press("/")
    page.keyboard.type("tanh")
    assert page.locator(".hint").inner_text() == "1 of 8"
    assert page.locator("g.node.found").count() == 8
    for _ in range(7):
        page.keyboard.press("Enter")
    assert page.locator(".hint").inner_text() == "8 of 8"
    page.wait_for_function(f"{PANE}.scrollLeft > 300")
    page.keyboard.press("Escape")
    assert page.locator("g.node.found").count() == 0


def test_the_whole_screen_and_back(opened):
    page = opened(two_paths())
    page.get_by_role("button", name="full screen").click()
    page.wait_for_function("document.fullscreenElement !== null")
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement === null")


def test_a_frame_that_may_not_fill_the_screen_fills_itself(opened):
    page = opened(two_paths())
    page.evaluate("Object.defineProperty(document, 'fullscreenEnabled', { value: false })")
    page.get_by_role("button", name="full screen").click()
    card = page.locator("main > *").first
    assert card.bounding_box()["width"] == 1200
    page.keyboard.press("F")
    assert card.bounding_box()["width"] < 1200


def lit(page):
    """The ids of the nodes that are lit."""
    nodes = page.locator("g.node.lit")
    return sorted(nodes.evaluate_all("nodes => nodes.map(node => node.dataset.id)"))


def test_what_a_node_depends_on_and_what_needs_it_is_lit(page, opened):
    page = opened(two_paths())  # n0 x, n1 w, n2 a = x + w, n3 1, n4 b = w + 1, n5 the result
    page.locator("[data-id=n2]").hover()
    assert lit(page) == ["n0", "n1", "n2", "n5"]
    assert page.locator(".hint").inner_text() == "+, a = 3; from x, w; to ×"
    assert page.locator("g[data-from].up").count() == 2
    assert page.locator("g[data-from].down").count() == 1
    page.mouse.move(1, 1)
    assert lit(page) == []
    page.locator("[data-id=n0]").focus()
    assert lit(page) == ["n0", "n2", "n5"]


def test_the_picture_is_one_tab_stop_and_arrows_go_from_node_to_node(opened):
    page = opened(two_paths())
    assert page.locator("g.node[tabindex='0']").count() == 1
    page.get_by_role("button", name="help").focus()
    page.keyboard.press("Tab")
    focused = "document.querySelector('main').firstElementChild.shadowRoot.activeElement"
    assert page.evaluate(f"{focused}.dataset.id") == "n0"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(f"{focused}.dataset.id") == "n5"
    page.keyboard.press("Tab")
    assert page.evaluate(f"{focused} === null"), "the rest of the nodes is skipped"


def test_copied_is_the_picture_itself(opened):
    drawing = two_paths()
    page = opened(drawing)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.locator("[data-id=n2]").hover()
    page.get_by_role("button", name="copy as SVG").click()
    page.wait_for_function("window.copied")
    copied = page.evaluate("window.copied")
    assert xml.canonicalize(copied) == xml.canonicalize(drawing.svg)


@pytest.mark.parametrize("scheme, ground", [("light", 255), ("dark", 17)])
def test_nobody_is_shut_out_of_a_drawing(page, opened, scheme, ground):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page = opened(long_chain())
    fill = page.locator("rect.card").evaluate("card => getComputedStyle(card).fill")
    assert fill.startswith(f"rgb({ground}, ")
    page.get_by_role("button", name="help").click()
    found = axe.run(page)
    wanted = {"page-has-heading-one"}  # a drawing stands in somebody's page
    broken = {one["id"] for one in found.response["violations"]} - wanted
    assert broken == set(), found.generate_report()


def test_without_scripts_the_picture_and_its_text_are_there(page, tmp_path):
    path = two_paths().save(tmp_path / "page.html")
    with page.context.browser.new_context(java_script_enabled=False) as context:
        other = context.new_page()
        other.goto(path.as_uri())
        assert other.locator("img:visible").count() == 1
        other.locator("summary").click()
        assert "two paths" in other.locator("img").get_attribute("alt")
        assert other.locator("pre:visible").count() == 1


def test_a_page_that_forbids_scripts_shows_the_picture(page, tmp_path):
    text = two_paths().save(tmp_path / "page.html").read_text(encoding="utf-8")
    rule = '<meta http-equiv="Content-Security-Policy" content="script-src \'none\'">'
    path = tmp_path / "strict.html"
    path.write_text(text.replace("<head>", f"<head>{rule}"), encoding="utf-8")
    page.goto(path.as_uri())
    assert page.locator("img:visible").count() == 1 and page.locator(".pane").count() == 0


def test_one_script_serves_all_pictures_of_a_page(page, tmp_path):
    path = tmp_path / "many.html"
    drawing = two_paths()
    path.write_text(drawing.html + drawing.body + drawing.body, encoding="utf-8")
    page.goto(path.as_uri())
    page.locator(".pane").nth(2).wait_for()
    assert path.read_text(encoding="utf-8").count("<script>") == 1


def test_the_scripts_are_small_and_whole(tmp_path):
    scripts = [view_script(), slider_script(), player_script()]
    assert sum(len(script.code.encode()) for script in scripts) <= 60_000
    for script in scripts:
        path = tmp_path / f"{script.tag}.js"
        path.write_text(script.code, encoding="utf-8")
        assert "http" not in script.code.replace("http://www.w3.org/2000/svg", "")
        assert json.loads(json.dumps(script.code)) == script.code and "</" not in script.code
        node = subprocess.run(["node", "--check", path], capture_output=True, check=False)
        assert node.returncode == 0, node.stderr.decode()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("said", ["light", "light dark"])
def test_a_page_says_in_its_head_too_that_it_can_be_dark(page, tmp_path, scheme, said):
    page.emulate_media(color_scheme=scheme)
    path, meta = tmp_path / "page.html", f"<meta name=color-scheme content='{said}'>"
    path.write_text(f"<!doctype html>{meta}{two_paths()._repr_html_()}", encoding="utf-8")
    page.goto(path.as_uri())
    ground = page.locator(".view").evaluate("view => getComputedStyle(view).backgroundColor")
    assert (ground == "rgb(17, 22, 28)") is (scheme == "dark" and said == "light dark")


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("ground, seen", [("0.1 0.1 0.1", "dark"), ("1 1 1", "light")])
def test_in_a_frame_of_a_notebook_the_theme_is_that_of_the_page_around(
    page, tmp_path, ground, seen, system
):
    page.emulate_media(color_scheme=system)
    inner = escape(two_paths().html)
    style = f"html {{ color-scheme: {seen} }} body {{ background: color(srgb {ground}) }}"
    text = f"<style>{style}</style><iframe srcdoc='{inner}' width=700 height=400></iframe>"
    path = tmp_path / "frame.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{text}", encoding="utf-8")
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe")
    view = frame.locator(".view")
    view.wait_for()
    colour = "frame => getComputedStyle(frame).backgroundColor"
    dark = "rgb(17, 22, 28)"
    assert (view.evaluate(colour) == dark) is (seen == "dark")
    scheme = "root => getComputedStyle(root).colorScheme"
    assert frame.locator("html").evaluate(scheme) == seen
    other = {"dark": "color(srgb 1 1 1)", "light": "color(srgb 0.1 0.1 0.1)"}[seen]
    page.evaluate(f"document.body.style.background = '{other}'")
    page.wait_for_timeout(100)
    assert (view.evaluate(colour) == dark) is (seen == "light")


def test_a_step_in_lanes_is_seen_once_and_says_what_its_cards_hold(opened):
    with mg.Graph():
        x, labels = mg.placeholder("X", (8, 4)), mg.placeholder("t", (8,), dtype=int)
        w = mg.Variable(np.ones((4, 3)), "W")
        loss = mg.cross_entropy(x @ w, labels)
        update = mg.assign_sub(w, mg.gradients(loss, [w])[0])
    page = opened(draw(loss, update))
    assert page.locator("img:visible").count() == 0, "the picture with scripts is in its place"
    assert page.locator(".pane > svg").count() == 1
    adjoint = page.locator("g.node[data-id=n3_bar]")
    adjoint.hover()
    said = adjoint.get_attribute("aria-label")
    assert "holds Softmax, OneHot, Sub, Div, Mul" in said and "(softmax(v3)" in said
    assert page.get_by_text("holds Softmax, OneHot, Sub, Div, Mul; from v4; to W").count() == 1
