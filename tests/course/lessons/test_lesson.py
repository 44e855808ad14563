"""Reading and writing a lesson's file."""

import json
import os

import pytest

from minigrad.core.errors import MinigradError
from minigrad.course import files
from minigrad.course.lessons import lesson

NOT_NOTEBOOKS = {
    "no JSON": (b"{", "is not a notebook: no JSON, line 1"),
    "a list": (b"[]", "is not a notebook: it is not in nbformat 4"),
    "nbformat 3": (b'{"nbformat": 3, "cells": []}', "it is not in nbformat 4"),
    "cells of text": (b'{"nbformat": 4, "cells": ["x"]}', "cell 1 is of no known type"),
    "a picture": (b"\x89PNG\xff", "is not a notebook: no JSON"),
    "a strange cell": (
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells":'
        b' [{"cell_type": "raw", "source": "", "metadata": {}, "poem": 1}]}',
        "is not a valid notebook",
    ),
}


@pytest.mark.parametrize("kind", NOT_NOTEBOOKS)
def test_what_is_no_notebook_is_said_in_one_message(kind, tmp_path):
    content, message = NOT_NOTEBOOKS[kind]
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    with pytest.raises(MinigradError) as caught:
        lesson.read_lesson(path)
    assert caught.value.message.startswith("x.ipynb is not a") and message in caught.value.message
    assert caught.value.hint == lesson.NOT_A_NOTEBOOK


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(MinigradError, match=r"gone\.ipynb cannot be read: No such file"):
        lesson.read_lesson(tmp_path / "gone.ipynb")


def test_cells_without_ids_get_the_same_ones_each_time(add_lesson):
    path = add_lesson("x = 1", "x = 1", "# text")
    raw = json.loads(path.read_text())
    for cell in raw["cells"]:
        del cell["id"]
    path.write_text(json.dumps(raw))
    ids = [cell.id for cell in lesson.read_lesson(path).cells]
    assert len(set(ids)) == 3
    assert ids == [cell.id for cell in lesson.read_lesson(path).cells]


def test_a_copied_cell_gets_an_id_of_its_own(add_lesson):
    path = add_lesson("x = 1", "x = 2")
    raw = json.loads(path.read_text())
    raw["cells"][1]["id"] = first = raw["cells"][0]["id"]
    path.write_text(json.dumps(raw))
    assert [cell.id == first for cell in lesson.read_lesson(path).cells] == [True, False]


def test_normalised_keeps_tags_and_drops_what_differs(add_lesson):
    notebook = lesson.read_lesson(add_lesson(("1", ["raises-exception"])))
    notebook.metadata["language_info"] = {"name": "python", "version": "3.12.7"}
    notebook.cells[0].metadata["execution"] = {"iopub.execute_input": "2026-01-01"}
    notebook.cells[0].outputs = [
        {"output_type": "display_data", "data": {}, "metadata": {"image/png": {"width": 400}}}
    ]
    normal = lesson.normalise_lesson(notebook)
    assert normal.metadata == lesson.METADATA
    assert normal.cells[0].metadata == {"tags": ["raises-exception"]}
    assert normal.cells[0].outputs[0]["metadata"] == {}


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path, monkeypatch):
    path = tmp_path / "x.ipynb"
    path.write_text("old")

    def refuse(made, wanted):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="full"):
        files.write_atomically(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == ["x.ipynb"]
    assert path.read_text() == "old"
