"""A script stands once in a notebook, and again where its cell runs again."""

import sys
from types import SimpleNamespace

import nbformat
import pytest

import minigrad as mg
from minigrad.draw.paint import once
from minigrad.draw.paint.element import Script, view_script
from minigrad.draw.player import player_script

VIEW, PLAYER = Script("view", ""), Script("player", "")


def test_the_first_output_brings_a_script():
    outputs = once.Outputs()
    assert outputs.choose([VIEW], "a", 1) == [VIEW]
    assert outputs.choose([VIEW], "a", 1) == []  # two pictures of one cell
    assert outputs.choose([VIEW, PLAYER], "b", 2) == [PLAYER]
    assert outputs.choose([VIEW, PLAYER], "c", 3) == []


def test_a_cell_that_runs_again_brings_its_scripts_again():
    outputs = once.Outputs()
    outputs.choose([VIEW], "a", 1)
    outputs.choose([VIEW], "b", 2)
    assert outputs.choose([VIEW], "a", 3) == [VIEW]  # its old output is gone
    assert outputs.choose([VIEW], "a", 3) == []
    assert outputs.choose([VIEW], "b", 4) == [VIEW]


def test_outside_of_notebooks_every_output_stands_alone(monkeypatch):
    assert once.running_cell() is None
    assert once.pick_missing_scripts([VIEW]) == once.pick_missing_scripts([VIEW]) == [VIEW]
    monkeypatch.setitem(sys.modules, "marimo", object())
    assert once.running_cell() is None


def test_in_marimo_an_output_with_scripts_is_a_page_with_a_doctype(monkeypatch):
    drawing = mg.draw(mg.tensor(2.0, requires_grad=True) * 3)
    assert not drawing._repr_html_().startswith("<!doctype")
    monkeypatch.setitem(sys.modules, "marimo", object())
    page = drawing._repr_html_()
    assert page.startswith("<!doctype html>\n<style>:root { --tall: 640px }</style>\n")
    assert page.removeprefix(once.FRAME) == drawing.html
    assert once.head_of_frame([]) == ""


def test_cells_are_told_apart_by_their_ids_else_by_their_code(monkeypatch):
    parent = {"metadata": {}, "content": {"code": "draw(y)"}, "header": {"msg_id": "7"}}
    shell = SimpleNamespace(get_parent=lambda: parent)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert once.running_cell() == ("draw(y)", "7")
    parent["metadata"]["cellId"] = "ab12"
    assert once.running_cell() == ("ab12", "7")
    del parent["header"]
    assert once.running_cell() is None


def test_a_notebook_holds_each_script_once():
    client = pytest.importorskip("nbclient").NotebookClient
    sources = [
        "import minigrad as mg\nx = mg.tensor(1.0, requires_grad=True, name='x')\nmg.draw(x * x)",
        "display(mg.draw(x * 2), mg.draw(x * 3))",
        "mg.player(x * x)",
        "mg.player(x * 2)",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client(notebook, kernel_name="python3", timeout=60).execute()
    pages = [out.data["text/html"] for cell in notebook.cells for out in cell.outputs]
    assert [page.count("<script>") for page in pages] == [1, 0, 0, 1, 0]
    assert view_script().code in pages[0] and player_script().code in pages[3]
    assert all("<img" in page for page in pages)
