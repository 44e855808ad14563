"""A student's first minutes, in a real browser: open a lesson, see its pictures, run it all."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from minigrad.course import project
from minigrad.course.commands import refresh
from minigrad.course.lessons import lesson

SECONDS = 120


@pytest.fixture(scope="module")
def published():
    """The first lesson of the course."""
    return project.lessons(start=Path(__file__).parent)[0]


def opened(page, lab, name):
    """The cells of the notebook `name`, once the page shows them and the kernel waits."""
    page.goto(lab.page(name))
    notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    notebook.locator(".jp-Cell").first.wait_for()
    page.get_by_text("| Idle").wait_for()
    return notebook.locator(".jp-Cell")


def run_all(page):
    """Run every cell; the code cells, once the last one has its execution count."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    code = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell")
    ran = code.last.locator(".jp-InputPrompt", has_text=re.compile(r"\[\d+\]"))
    ran.wait_for(timeout=SECONDS * 1000)
    return code


def words(text):
    """The text without its spaces, which a browser lays out in its own way."""
    return "".join(text.split())


def comes(page, area, text):
    """Whether a text comes to stand in an area: outputs may come after the execution count."""
    for _ in range(10 * SECONDS):
        if text in words(area.inner_text()):
            return True
        page.wait_for_timeout(100)
    return False


def printed(cell):
    """The texts that a published cell prints or shows, and how many red outputs it has.

    What it measures is another text each time.
    """
    texts = [o.text for o in cell.outputs if o.output_type == "stream"]
    for output in cell.outputs:
        data = output.get("data", {})
        if set(data) == {"text/plain"}:
            texts.append(data["text/plain"])
    red = [o for o in cell.outputs if o.output_type == "error" or o.get("name") == "stderr"]
    return [] if refresh.UNCOMPARED in cell.metadata.get("tags", ()) else texts, len(red)


def test_the_first_lesson_runs_to_its_end(page, lab, published):
    shutil.copy(published, lab.course / "notebooks")
    copy = [sys.executable, "-m", "minigrad.course.cli", "lab", "--key", "--copy-only"]
    subprocess.run(copy, cwd=lab.course, check=True)
    opened(page, lab, f"key/{published.name}")
    assert page.get_by_text("Jupyter news").count() == 0
    code = run_all(page)
    expected = [cell for cell in lesson.read_lesson(published).cells if cell.cell_type == "code"]
    assert code.count() == len(expected)
    for shown, cell in zip(code.all(), expected, strict=True):
        texts, red = printed(cell)
        for text in texts:
            assert comes(page, shown.locator(".jp-OutputArea"), words(text)), text
        assert shown.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == red


def test_an_untrusted_notebook_shows_the_drawing(page, lab):
    sources = [
        "import minigrad as mg",
        'w = mg.tensor(1.0, requires_grad=True, name="w")\nmg.draw((w + 2.0) * w)',
        "from IPython.display import HTML\nHTML(\"<svg width='9'></svg><b>inline</b>\")",
    ]
    path = lab.course / "my" / "untrusted.ipynb"
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    refresh.refresh(path)

    shown = opened(page, lab, path.name)
    picture = shown.nth(1).locator("img")
    picture.wait_for()
    assert picture.evaluate("async image => (await image.decode(), image.naturalWidth > 100)")
    assert picture.get_attribute("alt")
    assert shown.nth(2).locator("b").inner_text() == "inline"
    stripped = shown.nth(2).locator(".jp-OutputArea-output svg")
    assert stripped.count() == 0, "the notebook is trusted, so the picture proves nothing"


def test_the_lab_opens_on_a_page_that_leads_to_the_lessons(page, lab, published):
    shutil.copy(published, lab.course / "notebooks")
    copy = [sys.executable, "-m", "minigrad.course.cli", "lab", "--copy-only"]
    subprocess.run(copy, cwd=lab.course, check=True)
    page.goto(f"{lab.address}?token={lab.token}")
    shown = page.locator(".jp-MarkdownViewer:visible")
    shown.get_by_role("heading", name="Where you are").wait_for()
    assert page.url.endswith("/lab/tree/start.md")
    assert "0 of " in shown.inner_text() and "minigrad doctor" in shown.inner_text()
    shown.get_by_role("link", name=re.compile("^00 · ")).click()
    page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").first.wait_for()
