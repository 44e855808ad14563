"""Opening and closing scopes, repeats and loops in a real browser: by clicks and by keys."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw import draw
from minigrad.workers import partition

FOCUSED = (
    "document.querySelector('main').querySelector(':scope > [album]').shadowRoot.activeElement"
)


def layers():
    """A drawing of twelve equal layers, each with a part inside."""
    with mg.Graph():
        h = mg.placeholder("x", shape=(3,))
        for k in range(12):
            with mg.name_scope(f"layer{k}"):
                with mg.name_scope("inner"):
                    h = mg.tanh(h * 2.0)
                h = mg.exp(-h) + 1.0
    return draw(mg.sum(h), title="twelve layers")


def recurrent():
    """The player of a scan in a name scope."""
    with mg.Graph():
        x, h = mg.placeholder("x", shape=(3, 2)), mg.placeholder("h", shape=(2,))
        with mg.name_scope("net"):
            last, _ = mg.scan(lambda h, x: (mg.tanh(h * x), None), h, x)
        return mg.player(mg.sum(last), {x: np.ones((3, 2)), h: np.ones(2)}, title="a loop")


def texts(page):
    """The first line of every node."""
    nodes = page.locator("g.node")
    first = """node => { const [text, next] = node.querySelectorAll('text');
        return text.textContent + (next?.matches('.sub') ? next.textContent : '') }"""
    return nodes.evaluate_all(f"all => all.map({first})")


def box(page, words):
    """The closed box, or the title of the frame, that says these words."""
    return page.locator(".box").filter(has_text=words).first


def middle(locator):
    """Where its left upper corner is on the screen."""
    place = locator.bounding_box()
    return place["x"], place["y"]


def test_boxes_open_by_click_and_key_and_close_at_their_title(opened):
    page = opened(layers())
    assert texts(page) == ["x", "12 × layer", "Σ"]
    box(page, "12 × layer").click()
    assert texts(page) == ["x", "layer0", "11 × layer", "Σ"]
    closed = box(page, "layer0")
    assert closed.get_attribute("aria-expanded") == "false"
    closed.focus()
    page.keyboard.press("Enter")
    assert "inner" in texts(page)[1] and page.locator("g.title.box").count() >= 1
    title = page.locator("g.title[data-frame=layer0]")
    assert page.evaluate(f"{FOCUSED}.dataset.frame") == "layer0", "the focus stays with it"
    assert title.get_attribute("aria-expanded") == "true"
    assert title.get_attribute("aria-label") == "close layer0"
    page.keyboard.press("Enter")
    assert texts(page) == ["x", "layer0", "11 × layer", "Σ"]
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    for _ in range(9):  # until there is no room for more: then a call is offered
        page.locator("g.node.box").last.click()
        if page.locator(".call").is_visible():
            break
    call = page.locator(".call code").inner_text()
    assert call.startswith("draw(y, expand=[") and page.evaluate("window.copied") == call
    page.get_by_role("button", name="copy as SVG").click()
    assert page.evaluate("window.copied").startswith("<svg ")


def test_a_click_leaves_what_was_clicked_where_it_was(opened):
    page = opened(draw(layers_in_a_row(), title="long"))
    title = page.locator("g.title.box").last
    title.scroll_into_view_if_needed()
    before = middle(title)
    title.click()
    after = middle(page.locator("g.node.box").last)
    assert abs(before[0] - after[0]) < 60 and abs(before[1] - after[1]) < 60


def layers_in_a_row():
    """Four scopes, wider than the page."""
    with mg.Graph():
        h = mg.placeholder("x", shape=(3,))
        for k in range(4):
            with mg.name_scope(f"part{k}"):
                h = mg.exp(mg.sigmoid(mg.tanh(h)))
        return h


def sentence(page):
    """What a player says of its step, without the result."""
    return page.locator(".say").inner_text().partition("→")[0].strip()


def test_a_player_goes_into_a_loop_iteration_by_iteration(opened):
    page = opened(recurrent())
    for _ in range(4):
        page.get_by_role("button", name="next step").click()
    assert "Iteration 2 of 3: " in sentence(page)
    label = page.locator("g.node.now").text_content()
    assert "×" in label and "iteration" not in label, "the loop is open"
    ports = page.locator("g.node[data-id=n2_0]")  # h, as it comes into a turn
    first = ports.first.text_content()
    for _ in range(2):
        page.get_by_role("button", name="next step").click()
    assert ports.first.text_content() != first, "the next turn carries another value"
    said = sentence(page).split(": ")[1].split(" is ")[0]
    assert page.locator(".inspector").inner_text().startswith(said)
    page.locator("g.title[data-frame=n2]").click()
    assert page.locator("g.node.now").get_attribute("data-box") == "n2", "now it is closed"
    assert "iteration 3" in page.locator("g.node.now").text_content()
    page.locator("[data-box=n2]").focus()
    page.keyboard.press("Enter")
    assert page.locator("g.title[data-frame=n2]").count() == 1


def power():
    """The player of x³ by a loop, with its derivative."""
    with mg.Graph():
        x = mg.placeholder("x")
        _, p = mg.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, p * x), (0, 1.0))
        return mg.player(p * 2, {x: 3.0}, wrt=x)


def test_the_strip_of_iterations_is_a_second_slider(opened):
    page = opened(power())
    columns = page.locator(".strip button")

    def words():
        return [text.split() for text in columns.all_inner_texts()]

    assert [column[0] for column in words()] == ["start", "1", "2", "3"]
    assert {number for column in words() for number in column[1:]} == {"·"}, "nothing is known"
    columns.nth(2).click()
    assert sentence(page).startswith(("Before iteration 2", "Iteration 2 of 3"))
    assert page.locator(".strip [aria-current]").inner_text().split()[0] == "2"
    page.get_by_role("button", name="last step").click()
    heads = page.locator(".heads").inner_text().split()
    row = 1 + heads[1:].index("p")
    assert [column[row] for column in words()] == ["1", "3", "9", "27"]
    assert [column[row + 1] for column in words()] == ["54", "18", "6", "2"], "their adjoints"
    columns.nth(3).click()
    assert "Iteration 3 of 3" in sentence(page) and page.locator(".player.backward").count() == 1


def nested():
    """The player of a scan in a scan."""
    with mg.Graph():
        x, k = mg.placeholder("x", shape=(3, 2)), mg.placeholder("k")

        def row(s, row):
            return mg.scan(lambda s, a: (mg.sin(s * k + a), None), s, row)[0] * k, None

        return mg.player(mg.scan(row, k, x)[0], {x: np.ones((3, 2)), k: 0.5}, k)


def test_a_loop_in_a_loop_opens_and_shows_its_own_turn(opened):
    page = opened(nested())
    page.locator("[data-box=n2_2]").first.focus()
    page.keyboard.press("Enter")
    known = {}
    for _ in range(200):
        said = sentence(page)
        if ", in t" in said and ": t5 is the sine" in said:
            known[said.partition(":")[0]] = page.locator("[data-id=n2_2_4]").text_content()
        if page.locator(".count").inner_text().startswith("30 "):
            break
        page.get_by_role("button", name="next step").click()
    words = "Iteration {} of 3, in t3 iteration {} of 2"
    assert list(known) == [words.format(t, u) for t in (1, 2, 3) for u in (1, 2)]
    s, expected = 0.5, []
    for _ in range(3):
        for _ in range(2):
            s = np.sin(s * 0.5 + 1)
            expected.append(f"sint5{s:.4g}")
        s = s * 0.5
    assert list(known.values()) == expected


def test_on_the_way_back_a_loop_shows_the_adjoints_of_the_turn_in_view(page, opened):
    with mg.Graph():
        x = mg.placeholder("x")
        _, p = mg.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, p * x), (0, 1.0))
        player = mg.player(p * 2, {x: 3.0}, wrt=x, expand="n3")
    page, seen = opened(player), []
    steps = {e.turn: e.step for e in player.trace.events if e.phase == "backward" and e.inner}
    for turn in (3, 2, 1):
        page.evaluate("step => { location.hash = `#step-${step + 1}` }", steps[turn])
        node = page.locator("g.node[data-id=n3_1_bar]")
        node.click()
        facts = page.locator(".inspector").inner_text().split("\n")
        seen.append((node.text_content(), page.locator("[data-id=n3_6]").text_content(), facts))
    assert [adjoint for adjoint, *_ in seen] == ["p6", "p18", "p54"]
    assert [value.removeprefix("×t5") for _, value, _ in seen] == ["27", "9", "3"]
    assert [facts[0] for *_, facts in seen] == ["p"] * 3
    numbers = [facts[facts.index("adjoint") + 1] for *_, facts in seen]
    assert numbers == ["6", "18", "54"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out_of_what_is_open(page, opened, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for shown, closed in ((layers(), "12 × layer"), (recurrent(), "")):  # its loop is open
        page = opened(shown)
        if closed:
            box(page, closed).click()
        found = axe.run(page)
        broken = {one["id"] for one in found.response["violations"]} - {"page-has-heading-one"}
        assert broken == set(), found.generate_report()


def test_ctrl_s_reaches_the_page_and_single_letters_do_not(opened):
    page = opened(recurrent())
    page.evaluate(
        "window.heard = []; addEventListener('keydown', (event) => { window.heard.push(event.key);"
        " event.preventDefault(); })"
    )
    page.get_by_role("button", name="next step").focus()
    page.keyboard.press("d")
    page.keyboard.press("Control+s")
    assert page.evaluate("window.heard") == ["Control", "s"]


def test_a_matrix_is_a_heat_map_in_whole_rows(opened):
    w = mg.tensor(np.arange(-12.0, 20.0).reshape(4, 8), requires_grad=True, name="w")
    page = opened(mg.player(mg.sum(w)), 900)
    rows = page.locator(".heat tr")
    assert rows.count() == 4
    for row in rows.all():
        cells = row.locator("td")
        tops = {cell.bounding_box()["y"] for cell in cells.all()}
        assert cells.count() == 8 and len(tops) == 1


def net():
    """The loss of a net in two scopes, and what it is fed."""
    with mg.Graph():
        x = mg.placeholder("x", shape=(5, 4))
        w, u = mg.Variable(np.ones((4, 3)), name="w"), mg.Variable(np.ones((3, 2)), name="u")
        with mg.name_scope("hidden"):
            h = mg.tanh(x @ w)
        with mg.name_scope("out"):
            return mg.mean(mg.square(h @ u)), x


def kinds():
    """A picture of every kind that the other tests do not look at."""
    loss, x = net()
    program = mg.Session(x.graph).compile(loss, [x])
    yield "plan", draw(program, mode="plan")
    yield "profile", draw(program, profile=program.profile({x: np.ones((5, 4))}))
    yield "passes", draw.passes(program, rows=False)
    yield "rows of passes", draw.passes(program)
    yield "partition", partition(loss, {"hidden": 0, "out": 1}).draw()
    yield "stages", partition(loss, {"hidden": 0, "out": 1}).draw_stages()
    with mg.Graph():
        a = mg.placeholder("a")
        root = mg.while_loop(lambda x: x * x > a, lambda x: (x + a / x) / 2.0, a)
    yield "loop", draw(root, mode="loop")
    yield "turns", mg.player(root, {a: 2.0}, expand="n1")
    yield "tangent", draw(loss, mode="tangent")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out_of_any_kind(page, opened, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for kind, shown in kinds():
        found = axe.run(opened(shown, 390 if kind == "stages" else 1200))
        broken = {one["id"] for one in found.response["violations"]} - {"page-has-heading-one"}
        assert broken == set(), f"{kind}: {found.generate_report()}"
