"""The built site in a real browser: nobody is shut out, nothing is asked of elsewhere."""

import shutil

import pytest

from minigrad.course import project
from minigrad.course.commands import site as command

LESSONS = ("00_gradient_descent", "03_reverse")  # a site of two is built sooner
PAGES = (
    "index", "syllabus", "assignments", "why", "glossary", "changelog", "cite", "404", "search",
    "lessons/03_reverse", "assignments/ps1", "figures/index",
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
    before = page.locator(".say").first.inner_text()
    play.click()
    assert page.locator(".say").first.inner_text() != before


def test_code_is_copied_by_its_button(visited):
    page = visited("assignments")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    block = page.locator("div.highlight", has_text="minigrad start ps1").first
    block.hover()
    block.get_by_role("button", name="copy").click()
    assert page.evaluate("window.copied").startswith("minigrad start ps1")
    assert block.get_by_role("button", name="copied").count() == 1
