"""A training step in lanes in a real browser: it plays, nothing moves, and cards open."""

import pytest
from draw.test_chips import recurrent
from draw.test_lanes import build, feed, player

import minigrad as mg

PLACES = """svg => [...svg.querySelectorAll("g.node")].map(node => {
  const own = node.querySelector(".rim").getBBox();
  return [node.dataset.id, own.x, own.y, own.width, own.height].join(" ");
})"""


def step_to(page, number):
    """Shows a step, counted from 1."""
    page.get_by_role("slider", name="step").fill(str(number - 1))


@pytest.mark.parametrize("width", [900, 390])
def test_a_training_step_is_played_in_its_lanes(opened, width):
    page = opened(player("mlp", title="a step"), width, 844)
    words = page.locator(".pane g.lane text").all_text_contents()
    assert "backward" in words[2] and words[0].startswith("parameters")
    picture = page.locator(".pane > svg")
    at_first = picture.evaluate(PLACES)
    lit = []
    for number in (7, 17, 18, 23):
        step_to(page, number)
        assert picture.evaluate(PLACES) == at_first, "nothing moves"
        lit.append(page.locator("g.node.now").get_attribute("data-id"))
    assert lit == ["n4", "n6_bar", "n7_bar", "n2_update"]
    assert page.locator("div.names span").all_inner_texts() == ["forward", "backward", "update"]


@pytest.mark.parametrize("width", [900, 390])
def test_the_picture_fits_its_pane_and_its_letters_can_be_read(opened, width):
    page = opened(player("mlp"), width, 844)
    pane = page.locator(".pane")
    assert pane.evaluate("pane => pane.scrollWidth <= pane.clientWidth + 1")
    scale = page.locator(".pane > svg").evaluate(
        "svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    )
    assert 11 * scale >= 10.99


def test_lines_and_stubs_of_a_step_are_lit_and_what_is_to_come_waits(opened):
    page = opened(player("mlp"), 900)
    step_to(page, 17)
    lit = "lines => lines.map(line => line.dataset.from + ' ' + line.dataset.to)"
    assert page.locator("g[data-from].now").evaluate_all(lit) == []
    stubs = page.locator("g.stub.now").evaluate_all("all => all.map(one => one.dataset.card)")
    assert sorted(stubs) == ["n6_bar", "n9_bar"], "the adjoint goes on in the other system"
    step_to(page, 18)
    assert page.locator("g[data-from].now").evaluate_all(lit) == ["n9_bar n7_bar"]
    waits = page.locator("g.node.waiting").evaluate_all("all => all.map(one => one.dataset.id)")
    assert "n2_update" in waits and "n4" not in waits and "n7_bar" not in waits


@pytest.mark.parametrize("width", [900, 390])
def test_the_iterations_of_a_loop_are_a_second_slider(opened, width):
    graph = build("loop")
    fed = {node: 1.0 for node in graph.nodes if node.role == "input"}
    page = opened(mg.player(graph, fed), width, 844)
    strip = page.get_by_role("group", name="iterations of n2")
    columns = strip.get_by_role("button")
    assert columns.all_inner_texts()[-1].split() == ["3", "·", "·"]
    columns.nth(3).click()
    assert page.locator(".say").inner_text().startswith("Before iteration 3")
    assert page.locator("g.node.now").get_attribute("data-id") == "n3", "its card"
    assert columns.nth(3).get_attribute("aria-current") is not None
    step_to(page, len(page.locator("div.ticks span").all()))
    assert columns.all_inner_texts()[-1].split() == ["3", "8", "16"]
    assert strip.bounding_box()["y"] > page.locator("div.now").bounding_box()["y"]


@pytest.mark.parametrize("width", [1280, 390])
def test_long_numbers_of_iterations_stand_in_whole_and_the_page_stays_as_wide(opened, width):
    graph = recurrent()
    page = opened(mg.player(graph, feed(graph), at=70), width, 844)
    columns = page.get_by_role("group", name="iterations of n4").get_by_role("button")
    assert "0.9457" in columns.all_inner_texts()[3]
    fits = "all => all.every(one => one.scrollWidth <= one.clientWidth)"
    assert columns.evaluate_all(fits)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_if_moves_the_update_of_a_single_number(opened):
    page = opened(player("toy", at="what if"), 900)
    page.get_by_label("w as a number").fill("3")
    page.keyboard.press("Enter")
    card = page.locator("g.node[data-id=n1_update] > text.value")
    x = float(page.get_by_label("x as a number").input_value())
    assert float(card.text_content().replace("−", "-")) == pytest.approx(3 - 0.1 * (2 * 3 + 1 + x))


def test_a_narrow_page_joins_equal_updates_and_lights_them(opened):
    page = opened(player("mlp"), 390, 844)
    for number in (23, 24, 26):
        step_to(page, number)
        assert page.locator("g.node.now").get_attribute("data-id") == "n2_update"


# what a card holds -------------------------------------------------------------------------------


def shown_of(kind):
    """A player, or a drawing, of a training step."""
    return player("mlp") if kind == "player" else mg.draw(build("mlp"))


@pytest.mark.parametrize("kind", ["player", "drawing"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_click_opens_a_card_and_escape_closes_it(opened, kind, width):
    page = opened(shown_of(kind), width, 844)
    picture, inside = page.locator(".pane > svg"), page.locator(".within")
    before = picture.evaluate(PLACES)
    assert not inside.is_visible()
    page.locator(".pane g.node[data-id=n5_bar]").click()
    inside.wait_for()
    signs = inside.locator("g.badge text").all_text_contents()
    assert sorted(signs) == ["1−", "×", "×"] and "adjoint of v5" in inside.text_content()
    box = inside.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert picture.evaluate(PLACES) == before, "the rest keeps its place"
    page.keyboard.press("Escape")
    inside.wait_for(state="hidden")
    focus = "document.querySelector('[album]').shadowRoot.activeElement?.dataset.id"
    page.wait_for_function(f"() => {focus} === 'n5_bar'")


def test_enter_opens_a_card(opened):
    page = opened(shown_of("drawing"), 1280)
    card = page.locator(".pane g.node[data-id=n10_bar]")
    assert card.get_attribute("role") == "button"
    card.focus()
    page.keyboard.press("Enter")
    page.locator(".within").wait_for()
    assert "softmax" in page.locator(".within").text_content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [900, 390])
def test_axe_finds_nothing(opened, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(player("mlp", title="a step"), width, 844)
    page.emulate_media(color_scheme=scheme)
    step_to(page, 17)
    page.locator(".pane g.node[data-id=n6_bar]").click()
    page.locator(".within").wait_for()
    found = axe.run(page)
    assert [(v["id"], v["nodes"][0]["html"]) for v in found.response["violations"]] == []
