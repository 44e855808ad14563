"""The player in a real browser: in JupyterLab, in an exported page, with and without scripts."""

import re
import sys

import nbformat
import pytest
from draw.test_player import two_paths

import minigrad as mg

EVIL = "</script><img src=x onerror='window.hit=1'>"
START = "import minigrad as mg\ndef f(x, w):\n    a = x + w\n    b = w + 1\n    return a * b"
CALLS = [
    'mg.player(f, {"x": 2.0, "w": 1.0}, title="two paths")',
    'mg.player(f, {"x": 2.0, "w": 1.0}, wrt="w", mode="forward", title="tangents")',
    f'mg.player(mg.tensor(2.0, requires_grad=True, name="{EVIL}") ** 2)',
]


@pytest.fixture(scope="module")
def notebook(lab):
    """A notebook with three players and their outputs, which the server does not trust."""
    space, cells = {}, [nbformat.v4.new_code_cell(START)]
    exec(START, space)
    for count, call in enumerate(CALLS, 2):
        player = eval(call, space)
        data = {"text/plain": repr(player), "text/html": player._repr_html_()}
        output = nbformat.v4.new_output("execute_result", data, execution_count=count)
        cells.append(nbformat.v4.new_code_cell(call, outputs=[output]))
    path = lab.course / "my" / "players.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)
    return path


def opened(page, lab, path):
    """The panel of a notebook in JupyterLab, once the kernel waits."""
    page.goto(lab.page(path.name))
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    panel.locator(".jp-Cell").first.wait_for()
    page.get_by_text("| Idle").wait_for()
    return panel


@pytest.fixture
def trusted(page, lab, notebook):
    """Its panel with every cell run: what a learner's own kernel sends is trusted."""
    if f"/{notebook.name}" in page.url:
        return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    panel = opened(page, lab, notebook)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    panel.locator(".player").nth(2).wait_for()
    return panel


@pytest.fixture
def untrusted(page, lab, notebook):
    """The panel of a notebook with the same outputs, which nobody has run."""
    copy = nbformat.read(notebook, as_version=4)
    copy.cells.insert(0, nbformat.v4.new_markdown_cell("# Not run here"))
    path = notebook.with_name("untrusted.ipynb")
    nbformat.write(copy, path)
    return opened(page, lab, path)


def layers():
    """The second reference player: a net in a Graph, with arrays, histograms and scopes."""
    with mg.Graph():
        x = mg.placeholder("x", shape=(20, 4))
        with mg.name_scope("layer"):
            w = mg.Variable([[0.1 * i + j for i in range(5)] for j in range(4)], name="w")
            hidden = mg.tanh(x @ w)
        loss = mg.mean(hidden * hidden)
    feed = {x: [[0.01 * i * j for i in range(4)] for j in range(20)]}
    return mg.player(loss, feed, wrt=w, names={"hidden": hidden, "loss": loss})


def said(player):
    """The sentence of the step that a player shows."""
    return player.locator(".say").inner_text()


def colour(player):
    """The ground of a player, as the page paints it."""
    return player.locator(".player").evaluate("frame => getComputedStyle(frame).backgroundColor")


# JupyterLab --------------------------------------------------------------------------------------


def test_an_untrusted_notebook_shows_pictures_and_tables(untrusted):
    pictures = untrusted.locator(".jp-OutputArea-output img")
    pictures.nth(2).wait_for()
    assert pictures.count() == 3
    for picture in pictures.all():
        assert picture.evaluate("async image => (await image.decode(), image.naturalWidth > 200)")
        assert picture.get_attribute("alt")
    table = untrusted.locator("details").first
    assert not table.locator("td").first.is_visible()
    table.locator("summary").click()
    assert table.locator("tr").last.inner_text().split("\t")[-3:-1] == ["w̄ = b̄ · 1 + ā · 1", "5"]
    assert untrusted.locator("[spec], .player, script").count() == 0, "the notebook is trusted"


def test_a_player_steps_to_its_end(trusted):
    player = trusted.locator("[spec]").first
    assert "x is a leaf. Its value is 2." in said(player) and "→ x = 2" in said(player)
    for _ in range(10):
        player.get_by_role("button", name="next step").click()
    assert "3 from b and 2 from a." in said(player) and "→ w̄ = 5" in said(player)
    label = player.locator("g.node.now").get_attribute("aria-label")
    assert label == "adjoint of w = 5" and player.locator(".count").inner_text() == "11 of 11"
    assert player.locator("[aria-current]").inner_text().strip() == "a = x + w"
    player.get_by_role("button", name="first step").click()
    labels = [node.get_attribute("aria-label") for node in player.locator("g.node").all()]
    assert {"w = ·", "adjoint of w = ·"} <= set(labels) and not any(
        re.search(r"\b0\b", text) for text in labels
    )


def test_two_players_of_one_page_step_alone(trusted):
    first, second = trusted.locator("[spec]").nth(0), trusted.locator("[spec]").nth(1)
    first.get_by_role("button", name="first step").click()
    second.get_by_role("button", name="last step").click()
    assert "x is a leaf" in said(first) and "v̇" in said(second)
    assert second.locator(".player.tangent").count() == 1


def test_keys_move_the_player_and_never_reach_the_notebook(page, trusted):
    player = trusted.locator("[spec]").first
    player.locator(".say").click()
    for key, count in (("End", 11), ("ArrowLeft", 10), ("Home", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        assert player.locator(".count").inner_text() == f"{count} of 11"
    for key in "ddxabm":
        page.keyboard.press(key)
    page.keyboard.press("Shift+Enter")
    assert trusted.locator(".jp-CodeCell").count() == len(CALLS) + 1
    assert trusted.locator(".jp-Cell").count() == len(CALLS) + 1
    assert player.locator(".count").inner_text() == "2 of 11", "the cell was run again"
    page.keyboard.press("Space")
    assert player.get_by_role("button", name="pause").count() == 1
    page.wait_for_function(
        "count => parseInt(count.textContent) > 2", arg=player.locator(".count").element_handle()
    )
    page.keyboard.press("Space")
    assert player.get_by_role("button", name="play").count() == 1


def test_shortcuts_reach_jupyterlab(page, trusted):
    player, tab = trusted.locator("[spec]").first, page.locator(".jp-mod-dirty")
    player.locator(".say").click()
    tab.first.wait_for()  # the cells were run
    page.evaluate(
        "window.unheard = []; window.addEventListener('keydown', (event) =>"
        " { if (!event.defaultPrevented) window.unheard.push(event.key); })"
    )
    page.keyboard.press("Control+s")
    tab.first.wait_for(state="detached")
    assert page.evaluate("window.unheard") == ["Control"], "the browser is not asked to save"
    bar = page.locator("#jp-left-stack")
    before = bar.is_visible()
    page.keyboard.press("Control+b")
    bar.wait_for(state="hidden" if before else "visible")
    page.keyboard.press("Control+b")
    assert player.locator(".count").inner_text().endswith("of 11")
    assert trusted.locator(".jp-Cell").count() == len(CALLS) + 1


def test_names_stay_text(page, trusted):
    player = trusted.locator("[spec]").nth(2)
    player.get_by_role("button", name="last step").click()
    player.locator("g.node").first.focus()
    assert "</script><img" in player.locator(".inspector").inner_text()
    assert page.evaluate("window.hit") is None
    assert trusted.locator("img[onerror]").count() == 0


def test_the_theme_follows_the_page_and_that_the_system(page, trusted):
    player = trusted.locator("[spec]").first
    for scheme, light, ground in (
        ("light", "true", "rgb(255, 255, 255)"),
        ("dark", "false", "rgb(17, 22, 28)"),
    ):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"document.body.dataset.jpThemeLight === '{light}'")
        page.wait_for_function(
            f"frame => getComputedStyle(frame).backgroundColor === '{ground}'",
            arg=player.locator(".player").element_handle(),
        )


# pages of their own ------------------------------------------------------------------------------


@pytest.fixture
def exported(page, notebook, tmp_path):
    """The notebook as an HTML page; the browser is offline."""
    exporter = pytest.importorskip("nbconvert").HTMLExporter()
    path = tmp_path / "players.html"
    path.write_text(exporter.from_filename(str(notebook))[0], encoding="utf-8")
    page.context.set_offline(True)
    yield path
    page.context.set_offline(False)


def test_an_exported_page_plays_offline(page, exported):
    page.goto(exported.as_uri())
    player = page.locator("[spec]").first
    player.get_by_role("button", name="last step").click()
    assert "3 from b and 2 from a." in said(player)
    assert page.locator("[spec]").count() == page.locator(".pane g.node.now").count() == 3


def test_an_exported_page_without_scripts_shows_pictures(page, exported):
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.goto(exported.as_uri())
        assert page.locator(".player").count() == 0
        pictures = page.locator("[spec] img")
        assert pictures.count() == 3 and pictures.first.bounding_box()["width"] > 200
        page.locator("summary").first.click()
        row = page.locator("table tr").nth(11).inner_text()
        assert row.startswith("11\tbackward\tw is used twice") and "\t5\t" in row
    finally:
        session.send("Emulation.setScriptExecutionDisabled", {"value": False})


def test_two_versions_live_on_one_page(page, tmp_path):
    html = two_paths().html
    tag = re.match(r"<(minigrad-player-\w+)", html)[1]
    older = html.replace(tag, "minigrad-player-0000000000")
    path = tmp_path / "versions.html"
    path.write_text(f'<meta charset="utf-8">{html}{older}{html}', encoding="utf-8")
    page.goto(path.as_uri())
    for player in page.locator("[spec]").all():
        player.get_by_role("button", name="last step").click()
        assert "w̄ = 5" in said(player)
    assert page.locator("[spec]").count() == page.locator(".pane g.node.now").count() == 3


# What marimo does with the frame of an output, at first and whenever the output grows.
FIT = """frame => {
  const root = frame.contentDocument.documentElement, fit = () => {
    if (root.scrollHeight !== root.clientHeight) frame.style.height = `${root.scrollHeight}px`; };
  new ResizeObserver(fit).observe(frame.contentDocument.body); }"""


def test_in_marimo_a_frame_is_as_tall_as_the_player_in_it(page, monkeypatch):
    monkeypatch.setitem(sys.modules, "marimo", object())
    output = two_paths()._repr_html_()
    around = '<!doctype html><iframe src="output.html" width="700" height="400"></iframe>'
    pages = {"around.html": around, "output.html": output}

    def answer(route):
        text = pages[route.request.url.rpartition("/")[2]]
        route.fulfill(body=text, content_type="text/html; charset=utf-8")

    page.route("http://course.test/**", answer)
    page.goto("http://course.test/around.html")
    inside = page.frame_locator("iframe")
    inside.locator(".player").wait_for()
    page.locator("iframe").evaluate(FIT)
    inside.locator(".side").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    bottom = inside.locator(".player").evaluate("player => player.getBoundingClientRect().bottom")
    assert 600 < bottom <= page.locator("iframe").bounding_box()["height"]
    page.unroute("http://course.test/**")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", [two_paths, layers])
def test_nobody_is_shut_out(page, tmp_path, make, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(make().save(tmp_path / "player.html").as_uri())
    player = page.locator("[spec]")
    assert (colour(player) == "rgb(17, 22, 28)") is (scheme == "dark")
    for _ in range(2):
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        assert len(found.response["passes"]) > 10
        player.get_by_role("button", name="last step").click()
    node = player.locator("g.node.now")
    node.focus()
    assert player.locator(".inspector dt").count() >= 4
    assert (
        node.locator(".rim").first.evaluate("shape => getComputedStyle(shape).transitionDuration")
        == "0s"
    )


def test_the_inspector_tells_what_was_received_and_what_is_passed_on(trusted):
    player = trusted.locator("[spec]").first
    player.get_by_role("button", name="last step").click()
    facts = player.locator(".inspector")
    assert "received\n3 from b, 2 from a" in facts.inner_text()
    player.locator("g.node[data-id=n2]").click()
    assert "passes on\n2 to x, 2 to w" in facts.inner_text()


def test_the_formula_of_a_step_stands_below_its_sentence(trusted):
    player = trusted.locator("[spec]").first
    player.get_by_role("button", name="last step").click()
    assert player.locator(".formula").inner_text() == "w = b · 1 + a · 1 = 3 + 2 = 5"
    assert player.locator(".formula .adjoint").count() == 3
    player.locator(".formula .term").first.hover()
    assert player.locator("g.node.self").get_attribute("data-id") == "n4_bar"
