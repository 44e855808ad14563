"""The built site in a real browser: nobody is shut out, nothing is asked of elsewhere."""

import re
import shutil

import pytest

import minigrad as mg
from minigrad.course import project
from minigrad.course.commands import site as command

LESSONS = ("00_gradient_descent", "03_reverse")  # a site of two is built sooner
PAGES = (
    "index", "syllabus", "assignments", "why", "glossary", "changelog", "cite", "404", "search",
    "lessons/03_reverse", "assignments/ps1", "figures/index", "get", "players", "reference",
    "reference/derivatives",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of the course's own pages, with one lesson, one assignment and all figures."""
    if any(command.util.find_spec(name) is None for name in command.NEEDED):
        pytest.skip("the extra 'site' is not installed")
    course, root = tmp_path_factory.mktemp("course"), project.beside_package()
    shutil.copytree(root / "figures", course / "figures")
    for name in ("notebooks", "assignments/ps1"):
        (course / name).mkdir(parents=True)
    for name in LESSONS:
        shutil.copy(root / "notebooks" / f"{name}.ipynb", course / "notebooks")
    shutil.copy(root / "assignments" / "ps1" / "ps1.ipynb", course / "assignments" / "ps1")
    shutil.copy(root / "CHANGELOG.md", course)
    command.build(course, course / "site")
    return course / "site"


@pytest.fixture
def visited(page, site):
    """A function that opens a page of the site; nothing it asks for lies elsewhere."""
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))

    def visit(name, width=1280, height=900):
        page.set_viewport_size({"width": width, "height": height})
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield visit
    assert errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("light", 390), ("dark", 1280)])
def test_nobody_is_shut_out_of_any_page(page, visited, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    broken = {}
    for name in PAGES:
        found = axe.run(visited(name, width)).response["violations"]
        broken |= {
            (name, one["id"]): [node["html"][:200] for node in one["nodes"]] for one in found
        }
    assert broken == {}


def test_no_page_is_wider_than_the_screen(visited):
    for name in PAGES:
        wide = visited(name, 390).evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, name


def test_the_player_is_seen_and_plays_without_scrolling(visited):
    page = visited("index")
    play = page.get_by_role("button", name="next step").first
    place = play.bounding_box()
    assert place["y"] + place["height"] < 900, "it stands above the fold"
    said = page.locator(".say[role=status]").first
    before = said.inner_text()
    play.click()
    assert said.inner_text() != before


FORMULAS = {
    "(x + w)(w + 1)": lambda x, w: (x + w) * (w + 1),
    "log(1 + exp(-x * w)) + 0.1 w^2": lambda x, w: mg.log(1 + mg.exp(-x * w)) + 0.1 * w**2,
    "maximum(x, w) / sqrt(x^2 + w^2) - tanh(x w)^2": lambda x, w: (
        mg.maximum(x, w) / mg.sqrt(x**2 + w**2) - mg.tanh(x * w) ** 2
    ),
    "2^x - x^-w + relu(w - x) + abs(-x)": lambda x, w: 2.0**x - x**-w + mg.relu(w - x) + mg.abs(-x),
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_typed_formula_has_the_engines_value_and_derivatives(visited, formula):
    page = visited("index")
    page.get_by_label("Formula:").fill(formula)
    page.get_by_role("button", name="Draw it").click()
    x, w = (mg.tensor(number, requires_grad=True) for number in (2.0, 1.0))
    y = FORMULAS[formula](x, w)
    y.backward()
    form = page.locator("form.playground")
    told = {"x": x.grad, "w": w.grad}
    said = form.locator(".result").inner_text().replace("−", "-")
    assert dict(re.findall(r"∂y/∂(\w) = ([^,]+)", said)) == {
        name: f"{float(told[name]):.4g}" for name in told
    }
    numbers = form.locator("g.operation .number:not(.adjoint)").all_text_contents()
    assert numbers[-1].replace("−", "-") == f"{y.item():.4g}"
    assert form.locator(".count").inner_text().startswith("step ")


@pytest.mark.parametrize(
    ("formula", "position"),
    [("x + @", 5), ("x * (w + 1", 11), ("x + foo(x)", 5), ("sin(x, w)", 1), ("2 + 3", 1), ("", 1)],
)
def test_a_formula_that_cannot_be_read_is_refused_at_its_position(visited, formula, position):
    page = visited("index")
    page.get_by_label("Formula:").fill(formula)
    page.get_by_role("button", name="Draw it").click()
    refused = page.locator(".playground .refused")
    assert refused.locator("p").inner_text().startswith(f"Position {position}: ")
    assert refused.locator("pre").text_content() == f"{formula}\n{' ' * (position - 1)}^"
    assert not page.locator(".playground .stage").is_visible()


def test_a_player_of_the_gallery_plays_in_its_place(visited):
    page = visited("players")
    page.locator("a.play").first.click()
    frame = page.frame_locator("ul.players iframe").first
    frame.get_by_role("button", name="next step").click()
    assert frame.locator(".count").inner_text().startswith("2 of")


def test_code_is_copied_by_its_button(visited):
    page = visited("assignments")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    block = page.locator("div.highlight", has_text="minigrad start ps1").first
    block.hover()
    block.get_by_role("button", name="copy").click()
    assert page.evaluate("window.copied").startswith("minigrad start ps1")
    assert block.get_by_role("button", name="copied").count() == 1
