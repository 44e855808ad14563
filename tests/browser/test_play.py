"""Playing with a player in a real browser: its order, what if, predictions, the first NaN."""

import itertools
import re

import numpy as np
import pytest
from browser.test_open import power
from draw.test_chips import recurrent
from draw.test_lanes import feed
from draw.test_lanes import player as lanes_player
from draw.test_player import two_paths

import minigrad as mg

ROOT = "document.querySelector('[spec]').shadowRoot"


def net():
    """A player that is wider than a page: a net of two layers."""

    def function(x, w1, b1, w2, b2):
        hidden = mg.tanh(x @ w1 + b1)
        out = hidden @ w2 + b2
        return mg.mean(out * out)

    sizes = {"x": (5, 4), "w1": (4, 3), "b1": (3,), "w2": (3, 2), "b2": (2,)}
    feed = {
        name: np.linspace(-1, 1, int(np.prod(size))).reshape(size) for name, size in sizes.items()
    }
    return mg.player(function, feed, wrt=["w1", "b1", "w2", "b2"], title="a net")


def broken():
    """A player in which log(0) makes an infinity, and 0 times it a NaN."""

    def function(x, w):
        a = mg.log(x)
        b = a * w
        return b + w

    with np.errstate(all="ignore"):
        return mg.player(function, {"x": 0.0, "w": 0.0}, title="broken")


def press(page, name):
    """Press the button of that name."""
    page.get_by_role("button", name=name, exact=True).click()


def ask_what_if(page, name, number):
    """Press What if, and type a number for an input."""
    press(page, "What if")
    type_number(page, name, number)


def type_number(page, name, number):
    """Type a number into the field of an input."""
    field = page.get_by_role("textbox", name=f"{name} as a number")
    field.fill(number)
    field.press("Enter")


def choose(page, name):
    """Press the button of that name in the menu behind ⋯."""
    press(page, "more")
    press(page, name)


def label(page, id):
    """What a node of the picture says."""
    return page.locator(f"g.node[data-id={id}]").get_attribute("aria-label")


def top(page, selector):
    """Where an element begins on the screen."""
    return page.locator(selector).first.bounding_box()["y"]


# the order of things -----------------------------------------------------------------------------


@pytest.mark.parametrize("width, height", [(1366, 768), (900, 700), (390, 800), (700, 390)])
def test_controls_and_sentence_are_always_in_view(opened, width, height):
    page = opened(net(), width, height)
    assert top(page, ".say") < top(page, ".pane") < height
    assert (top(page, ".steps") < top(page, ".say")) is (width > 600), "else they are at the thumb"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    smallest = page.evaluate(
        f"""() => Math.min(...[...{ROOT}.querySelectorAll('.pane text')].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
    )
    assert smallest >= 10.99
    page.mouse.wheel(0, 300)
    page.wait_for_function("scrollY > 0 || document.documentElement.scrollHeight <= innerHeight")
    assert 0 <= top(page, ".steps") <= height - 40, "they are sticky"


def step():
    """A player of a training step, in lanes."""
    return lanes_player("mlp", title="a step")


def iterations():
    """A player of a training step with a loop, in lanes."""
    graph = recurrent()
    return mg.player(graph, feed(graph))


PARTS = ("div.now", ".ask", ".levers", ".strip", ".tools", ".pane", ".tabs", ".side", ".track",
         ".steps")  # fmt: skip
SMALLEST = f"""() => Math.min(...[...{ROOT}.querySelectorAll('*')].filter((part) =>
  part.getBoundingClientRect().width &&
  [...part.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())
).map((part) => parseFloat(getComputedStyle(part).fontSize) * (part.getScreenCTM?.().a ?? 1)))"""


@pytest.mark.parametrize("make", [two_paths, net, step, power])
@pytest.mark.parametrize("width, height", [(900, 592), (390, 844)])
def test_it_is_no_higher_than_its_page_and_its_letters_can_be_read(opened, make, width, height):
    page = opened(make(), width, 768)
    asked = page.locator(".modes > .word:not([aria-label])").all_inner_texts()
    for name in ("first step", "last step", *asked):
        press(page, name)
        assert page.locator(".player").bounding_box()["height"] <= height
        assert page.evaluate(SMALLEST) >= 10.99


@pytest.mark.parametrize("make", [two_paths, net, step, iterations])
def test_on_a_phone_all_parts_stand_one_below_the_other(opened, make):
    page = opened(make(), 390, 900)
    asked = page.locator(".modes > .word:not([aria-label])").all_inner_texts()
    for name in ("first step", *asked):
        press(page, name)
        boxes = [page.locator(part).bounding_box() for part in PARTS
                 if page.locator(part).is_visible()]  # fmt: skip
        for above, below in itertools.pairwise(boxes):
            assert above["y"] + above["height"] <= below["y"] + 0.5
        whole, last = page.locator(".player").bounding_box(), boxes[-1]
        assert last["y"] + last["height"] <= whole["y"] + whole["height"]
        assert page.locator(".pane").bounding_box()["height"] >= 120
        assert page.locator(".panel:visible").bounding_box()["height"] >= 90
    controls = page.locator(".steps button").all()
    assert all(one.bounding_box()["width"] >= 70 for one in controls)
    assert all(one.bounding_box()["height"] == 48 for one in controls)


@pytest.mark.parametrize("width", [900, 390])
def test_the_thumb_of_the_slider_is_on_its_ticks_and_covers_no_name(opened, width):
    page = opened(two_paths(), width, 844)
    track, ticks, names = (
        page.locator(part).first.bounding_box()
        for part in (".track input", ".ticks span", ".names span")
    )
    middle = track["y"] + track["height"] / 2
    assert abs(middle - ticks["y"] - ticks["height"] / 2) <= 1
    assert middle + 11 <= names["y"] + 4, "letters begin below their line"


@pytest.mark.parametrize("width, beside", [(1366, True), (900, True), (390, False)])
def test_the_source_stands_beside_the_picture_where_there_is_room(opened, width, beside):
    page = opened(net(), width, 768)
    source, pane = page.locator("pre").bounding_box(), page.locator(".pane").bounding_box()
    assert (source["x"] >= pane["x"] + pane["width"]) is beside
    if width == 1366:
        assert source["y"] + source["height"] < 768


def test_tab_goes_through_the_controls_then_once_to_the_picture(opened):
    page = opened(net())
    active = f"{ROOT}.activeElement"
    page.get_by_role("button", name="first step").focus()
    seen = []
    for _ in range(20):
        name = f"{active}.getAttribute('aria-label') || {active}.title || {active}.textContent"
        seen.append(page.evaluate(f"{active} && ({active}.closest('g.node') ? 'node' : {name})"))
        page.keyboard.press("Tab")
    assert seen[:5] == ["first step", "previous step", "play", "next step", "last step"]
    assert seen.index("step") < seen.index("more") < seen.index("zoom in") < seen.index("node")
    assert seen.count("node") == 1


def test_the_picture_follows_the_step_both_ways(opened):
    page = opened(net(), 600, 500)
    page.emulate_media(reduced_motion="reduce")
    inside = f"""() => {{
        const frame = {ROOT}.querySelector('.pane').getBoundingClientRect();
        const node = {ROOT}.querySelector('g.node.now').getBoundingClientRect();
        return node.left >= frame.left - 1 && node.right <= frame.right + 1
            && node.top >= frame.top - 1 && node.bottom <= frame.bottom + 1; }}"""
    places = set()  # it is wide, and not high
    for _ in range(24):
        page.wait_for_function(inside)
        pane = f"{ROOT}.querySelector('.pane')"
        places.add(tuple(page.evaluate(f"[{pane}.scrollLeft, {pane}.scrollTop]")))
        press(page, "next step")
    assert len({x for x, _ in places}) > 2


def test_nothing_tells_a_number_before_its_step(page, opened):
    page = opened(two_paths())
    assert page.locator("g.node title").count() == 0
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    choose(page, "copy as SVG")
    page.wait_for_function("window.copied")
    copied = page.evaluate("window.copied")
    numbers = re.findall(r'class="value[^>]*>([^<]*)<', copied)
    assert "2" in numbers and "5" not in numbers and 'class="chip' not in copied
    for _ in range(6):
        press(page, "next step")
    page.evaluate("window.copied = ''")
    choose(page, "copy as SVG")
    page.wait_for_function("window.copied")
    assert page.evaluate("window.copied").count('<g class="chip') == 1, "the one that is known"


def test_a_folded_graph_plays_to_its_end(opened):
    ws = [mg.tensor(0.5, requires_grad=True, name=f"w{at}") for at in range(29)]
    y = ws[0]
    for w in ws[1:]:
        y = mg.tanh(y * w + w)
    page = opened(mg.player(y))
    assert page.locator("g.node", has_text="27 ×").count() == 2
    press(page, "last step")
    assert label(page, "n0_bar").startswith("adjoint of w0 = ")
    assert "·" not in label(page, "n0_bar")


def test_the_speed_goes_round(opened):
    page = opened(two_paths())
    press(page, "more")
    speed = page.locator(".menu button", has_text="speed")
    said = []
    for _ in range(4):
        said.append(speed.inner_text())
        speed.click()
    assert said == ["speed 1×", "speed 2×", "speed 4×", "speed 0.5×"]
    assert speed.inner_text() == "speed 1×"


def test_a_question_mark_shows_the_keys(opened):
    page = opened(two_paths())
    assert not page.locator(".help").is_visible()
    press(page, "next step")
    before = page.locator(".pane").bounding_box()
    page.keyboard.press("?")
    words = page.locator(".help").inner_text()
    assert "full screen" in words and "play, pause" in words and "Predict" in words
    assert page.locator(".pane").bounding_box() == before, "it moves nothing"
    page.keyboard.press("Escape")
    assert not page.locator(".help").is_visible()
    assert page.evaluate(f"{ROOT}.activeElement.className") == "next", "the focus is back"
    choose(page, "help")
    assert page.locator(".help").is_visible() and not page.locator(".menu").is_visible()
    page.keyboard.press("?")
    assert not page.locator(".help").is_visible()


def test_a_slash_opens_the_menu_and_escape_closes_it(opened):
    page = opened(two_paths())
    press(page, "next step")
    page.keyboard.press("/")
    page.keyboard.type("b")
    assert page.locator("g.node.found").count() >= 1
    page.keyboard.press("Escape")
    assert not page.locator(".menu").is_visible()
    page.wait_for_function(f"{ROOT}.activeElement")  # what opened it, or its button


def test_a_link_leads_to_a_step(page, opened):
    page = opened(two_paths(), hash="#step-7")
    assert page.locator(".count").inner_text() == "7 of 11"
    press(page, "next step")
    choose(page, "link to this step")
    assert page.url.endswith("#step-8")
    page.evaluate("location.hash = '#step-3'")
    page.wait_for_function(f"{ROOT}.querySelector('.count').textContent === '3 of 11'")
    page.evaluate("location.hash = '#player-2-step-5'")
    page.wait_for_timeout(50)
    assert page.locator(".count").inner_text() == "3 of 11", "there is no second player"


def test_a_link_keeps_inputs_that_were_moved(opened):
    page = opened(two_paths())
    ask_what_if(page, "w", "1.5")
    press(page, "previous step")
    choose(page, "link to this step")
    assert page.url.endswith("#step-10;w=1.5")
    page = opened(two_paths(), hash="#step-9;w=-1.5")
    assert page.locator(".count").inner_text() == "9 of 11"
    assert page.get_by_role("textbox", name="w as a number").input_value() == "-1.5"
    assert label(page, "n5") == "×, v5 = −0.25" and label(page, "n1_bar") == "adjoint of w = 0.5"
    page.evaluate("location.hash = '#step-11'")
    page.wait_for_function(f"{ROOT}.querySelector('.count').textContent === '11 of 11'")
    assert label(page, "n1_bar") == "adjoint of w = 5", "a link without inputs is of the recording"


def test_a_line_of_the_source_and_its_nodes(opened):
    page = opened(two_paths())
    line = page.locator(".line", has_text="a = x + w")
    line.hover()
    lit = page.locator("g.node.lit")
    ids = lit.evaluate_all("nodes => nodes.map(node => node.dataset.id)")
    assert sorted(ids) == ["n2", "n2_bar"]
    page.mouse.move(1, 1)
    assert lit.count() == 0
    page.locator("g.node[data-id=n4_bar]").hover()
    assert page.locator(".line.linked").inner_text().strip() == "b = w + 1"
    page.mouse.move(1, 1)
    page.locator("pre").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.locator(".line.linked").inner_text().strip() == "b = w + 1"
    assert lit.count() == 2


# what if -----------------------------------------------------------------------------------------


def test_an_input_that_is_dragged_moves_values_and_adjoints(opened):
    page = opened(two_paths())
    press(page, "What if")
    assert label(page, "n1_bar") == "adjoint of w = 5"
    lever = page.get_by_role("slider", name="x", exact=True)
    box = lever.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    moving = []
    for part in (0.5, 0.6, 0.7, 0.8):
        page.mouse.move(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
        x = float(lever.input_value())
        moving.append(x)
        assert label(page, "n2") == f"+, a = {x + 1:.4g}"
        assert label(page, "n5") == f"×, v5 = {(x + 1) * 2:.4g}"
        assert label(page, "n1_bar") == f"adjoint of w = {2 + x + 1:.4g}"
    page.mouse.up()
    assert len(set(moving)) == 4
    press(page, "reset")
    assert label(page, "n5") == "×, v5 = 6" and lever.input_value() == "2"


def test_it_opens_ready_to_be_dragged_and_tells_no_bytes(opened):
    def function(x, w):
        return (x + w) * (w + 1)

    given = {"x": 2.0, "w": 1.0}
    page = opened(mg.player(function, given, at="what if", memory=False))
    assert page.locator(".count").inner_text() == "11 of 11"
    field = page.get_by_role("textbox", name="w as a number")
    field.fill("-1.5")
    field.press("Enter")
    assert page.locator(".say").inner_text().endswith("= 0")
    told = page.locator(".levers output").all_inner_texts()
    assert told == ["x̄ = −0.5", "w̄ = 0", "v5 = −0.25"]
    assert page.locator(".live").count() == page.locator(".memory").count() == 0


def chips(page):
    """The contributions that are shown, by their edges."""
    shown = page.locator("g.chip:not(.waiting)")
    pairs = shown.evaluate_all(
        "all => all.map((g) => [g.dataset.from, g.dataset.to, g.textContent])"
    )
    return {(user.removesuffix("_bar"), of.removesuffix("_bar")): text for user, of, text in pairs}


def test_chips_tell_each_contribution_once_it_is_known_and_of_moved_inputs(opened):
    page = opened(two_paths())
    known = {}
    for edge in [None] * 6 + [("n5", "n2"), ("n5", "n4"), ("n4", "n1"), ("n2", "n0"), ("n2", "n1")]:
        if edge:
            known[edge] = "+3" if "n4" in edge else "+2"
        assert chips(page) == known
        press(page, "next step")
    assert page.locator("g.chip.now").all_text_contents() == ["+2", "+3"], "both terms of the sum"
    ask_what_if(page, "w", "-1.5")
    moved = {("n5", "n2"): "−0.5", ("n5", "n4"): "+0.5", ("n4", "n1"): "+0.5"}
    assert chips(page) == moved | {("n2", "n0"): "−0.5", ("n2", "n1"): "−0.5"}
    assert page.locator(".formula").inner_text() == "w = b · 1 + a · 1 = 0.5 + (−0.5) = 0"
    assert "0.5 from b and −0.5 from a." in page.locator(".say").inner_text()
    outside = f"""() => [...{ROOT}.querySelectorAll('g.node')].filter((node) => {{
        const [text, rim] = ['.value', '.rim'].map((part) => node.querySelector(part).getBBox());
        return text.x < rim.x + 2 || text.x + text.width > rim.x + rim.width - 2; }}).length"""
    for number in ("-1.5", "-0.12345", "12345678", "-3e-9"):
        type_number(page, "w", number)
        assert page.evaluate(outside) == 0, "no number touches its frame"


def test_a_term_and_its_edge_light_each_other(opened):
    page = opened(two_paths(), hash="#step-11")
    term = page.locator(".term").first
    term.hover()
    lit = page.locator("g[data-from].lit").evaluate_all(
        "all => all.map((edge) => [edge.dataset.from, edge.dataset.to])"
    )
    assert lit == [["n4_bar", "n1_bar"]] * 2, "the line and its chip"
    assert page.locator("g.node.self").get_attribute("data-id") == "n4_bar"
    page.mouse.move(1, 1)
    assert page.locator(".lit").count() == 0
    term.focus()
    assert page.locator("g.node.self").get_attribute("data-id") == "n4_bar"
    page.locator("g.node[data-id=n2_bar]").hover()
    assert page.locator(".term.lit").inner_text() == "a · 1"


def test_a_curve_moves_with_its_input(opened):
    page = opened(two_paths(), hash="#step-9")
    curve = page.locator(".panel.curve")
    assert curve.inner_text() == "v5 against w", "its slope is not complete"
    assert page.locator(".tangent-line").count() == 0
    press(page, "last step")
    assert curve.inner_text() == "v5 against w; the tangent has slope 5"
    before = page.locator(".curve circle").get_attribute("cx")
    page.get_by_role("button", name="What if").click()
    field = page.get_by_role("textbox", name="w as a number")
    field.fill("-1.5")
    field.press("Enter")
    assert curve.inner_text() == "v5 against w; the tangent has slope 0"
    start, end = page.locator(".tangent-line").get_attribute("d")[1:].split("L")
    assert start.split()[1] == end.split()[1], "it is level"
    assert page.locator(".curve circle").get_attribute("cx") != before
    page.locator("g.node[data-id=n2]").click()
    assert not curve.is_visible(), "a is no input"


@pytest.mark.parametrize("width", [1280, 900, 700, 390])
def test_nothing_jumps_from_step_to_step(opened, width):
    page = opened(two_paths(), width, 900)
    places = set()
    for _ in range(11):
        boxes = [
            page.locator(f"{part}").first.bounding_box() for part in (".now", ".viewer", ".side")
        ]
        places.add(str(boxes))
        press(page, "next step")
    assert len(places) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_shows_one_panel_and_has_large_targets(opened):
    page = opened(two_paths(), 390, 844)
    assert page.locator(".panel:visible").count() == 1 and page.locator("pre").is_visible()
    press(page, "memory")
    assert page.locator(".panel:visible").count() == 1 and page.locator(".live").is_visible()
    page.locator("g.node[data-id=n1]").click()
    assert page.locator(".inspector").is_visible()
    for button in page.locator(".player button:visible").all():
        box = button.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44, button.inner_text()
    assert page.locator(".track input").bounding_box()["height"] >= 44
    press(page, "last step")
    term = page.locator(".term").first
    x, y, width, height = term.bounding_box().values()
    for dx, dy in ((-22, 0), (21, 0), (0, -22), (0, 21)):
        spot = x + width / 2 + dx * (width < 44), y + height / 2 + dy
        hit = f"([x, y]) => {ROOT}.elementFromPoint(x, y).closest('.term') === {ROOT}.querySelector"
        assert page.evaluate(f"{hit}('.term')", spot), "around a term"
    play = page.get_by_role("button", name="play", exact=True).bounding_box()
    assert play["height"] == 48 and 844 - 80 <= play["y"] <= 844 - 48, "at the thumb"
    picture = page.locator(".pane > svg").bounding_box()
    assert picture["width"] <= 390 and picture["height"] > 180, "it runs down"


def test_who_is_done_asking_sees_the_program_again(opened):
    page = opened(two_paths())
    ask_what_if(page, "x", "7")
    assert label(page, "n5") == "×, v5 = 16"
    press(page, "What if")
    assert label(page, "n5") == "×, v5 = 6"


def test_a_number_can_be_typed(opened):
    page = opened(two_paths())
    ask_what_if(page, "w", "-3.25")
    assert label(page, "n5") == "×, v5 = 2.812"
    assert page.locator(".say").inner_text().endswith("w̄ = −3.5")
    page.locator("g.node[data-id=n2]").click()
    assert "−1.25" in page.locator(".inspector").inner_text()
    press(page, "first step")
    assert label(page, "n5") == "×, v5 = ·"


def test_tangents_move_too(opened):
    def function(x):
        return mg.sin(x) * x

    page = opened(mg.player(function, {"x": 0.0}, wrt="x", mode="forward"))
    ask_what_if(page, "x", "2")
    assert page.locator(".say").inner_text().endswith(f"{np.sin(2) + 2 * np.cos(2):.4g}")


def test_arrays_are_not_asked_what_if(opened):
    page = opened(net())
    assert page.get_by_role("button", name="What if").count() == 0


def test_an_input_can_make_a_nan_and_mend_it(opened):
    page = opened(broken())
    assert page.locator(".born").count() == 0
    press(page, "last step")
    press(page, "not finite since step 3")
    assert re.fullmatch(r"born here: log\(0\), line \d+", page.locator(".born").inner_text())
    assert page.locator("g.node.bad").get_attribute("data-id") == "n2"
    ask_what_if(page, "x", "1")
    assert page.locator(".born").count() == page.locator("g.node.bad").count() == 0
    type_number(page, "x", "-2")
    press(page, "not finite since step 3")
    assert re.fullmatch(r"born here: log\(-2\), line \d+", page.locator(".born").inner_text())


# predictions -------------------------------------------------------------------------------------


def test_each_adjoint_is_asked_for_before_it_is_shown(opened):
    page = opened(two_paths())
    press(page, "Predict")
    said, verdict = page.locator(".ask label"), page.locator(".verdict")
    field = page.locator(".ask input")
    assert page.locator(".count").inner_text() == "5 of 11"
    assert said.inner_text().startswith("Next: v̄5 = ?")
    press(page, "last step")
    assert page.locator(".count").inner_text() == "5 of 11", "what is asked stays hidden"
    for right in ("1", "2", "3"):
        field.fill(right)
        field.press("Enter")
        assert verdict.inner_text() == f"right: {right}"
    assert "w = b · 1 + …" in said.inner_text()
    field.fill("4")
    press(page, "check")
    assert verdict.inner_text().startswith("not 4") and label(page, "n1_bar") == "adjoint of w = ·"
    press(page, "show it")
    assert verdict.inner_text() == "it was 3" and label(page, "n1_bar") == "adjoint of w = 3"
    for right in ("2,0", "5.0"):
        field.fill(right)
        field.press("Enter")
    assert verdict.inner_text() == "right: 5; 5 of 6 right at once"
    assert page.locator(".count").inner_text() == "11 of 11"
    press(page, "Predict")
    assert not page.locator(".ask").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out_of_playing(page, opened, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page = opened(broken(), 390, 800)
    choose(page, "help")
    page.keyboard.press("Escape")
    press(page, "What if")
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()
    press(page, "first step")
    press(page, "Predict")
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()
