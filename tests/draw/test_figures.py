"""The committed figures are what their scripts make."""

from pathlib import Path

import pytest

from minigrad.draw import figures
from minigrad.errors import ArgumentError

FOLDER = Path(__file__).parents[2] / "figures"
SCRIPT = "def make():\n    return '<svg>%s</svg>'\n"


def test_there_are_figures():
    assert "two_paths" in [path.stem for path in figures.scripts(FOLDER)]


@pytest.mark.parametrize("script", figures.scripts(FOLDER), ids=lambda path: path.stem)
def test_a_committed_figure_equals_what_its_script_makes(script):
    assert script.with_suffix(".svg").read_text(encoding="utf-8") == figures.made(script)


def test_every_picture_has_a_script():
    stems = {path.stem for path in figures.scripts(FOLDER)}
    assert {path.stem for path in FOLDER.glob("*.svg")} == stems


def test_two_paths_shows_5():
    svg = (FOLDER / "two_paths.svg").read_text(encoding="utf-8")
    assert "<title>adjoint of w float64[] 5</title>" in svg
    assert "<title>Mul(n2, n4) y float64[] 6</title>" in svg


def test_remake_says_what_changed(tmp_path):
    script = tmp_path / "small.py"
    script.write_text(SCRIPT % "one")
    (tmp_path / "_helper.py").write_text("raise SystemExit")
    assert figures.remake(tmp_path) == [("small", True)]
    assert figures.remake(tmp_path) == [("small", False)]
    script.write_text(SCRIPT % "two")
    assert figures.remake(tmp_path) == [("small", True)]
    assert (tmp_path / "small.svg").read_text() == "<svg>two</svg>"


def test_a_figure_without_make_is_named(tmp_path):
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(ArgumentError, match=r"empty.py defines no make\(\)"):
        figures.remake(tmp_path)
