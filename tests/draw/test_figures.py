"""The committed figures are what their scripts make, with caption, alternative text and key."""

import re
import runpy
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from draw.plots import check_engines, check_letters

from minigrad.core.errors import ArgumentError
from minigrad.draw import figures
from minigrad.measure.comparison import Comparison

FOLDER = Path(__file__).parents[2] / "figures"
SCRIPTS = figures.scripts(FOLDER)
SCRIPT = '''"""A caption."""

ALT = "One <square> & more."


def make():
    return '<svg role="img" aria-label="its own" width="9"><rect/></svg>'
'''


def committed(name):
    """The text of a committed figure."""
    return (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_committed_figure_equals_what_its_script_makes(script):
    thing, alt = made(script)
    there, here = committed(script.stem), figures.label_picture(figures.svg_of(thing), alt)
    if maker(there) != maker(here):  # another matplotlib draws the same data a little apart
        pytest.skip(f"drawn with {maker(there)}; here is {maker(here)}")
    assert there == here


@cache
def made(script):
    """(what a script makes, its words): made once for all tests."""
    names = runpy.run_path(str(script))
    return names["make"](), names["ALT"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_lines_look_like_their_engines_and_letters_are_large(script):
    thing, _ = made(script)
    axes = np.ravel(thing[1]) if isinstance(thing, tuple) else ()
    for ax in axes:
        check_engines(ax)
        check_letters(ax)
    small = re.findall(r"font(?:-size)?: (\d+)px", committed(script.stem))
    assert len(axes) or small and min(map(int, small)) >= 11


def maker(text):
    """What drew a plot, as "matplotlib 3.11.2"; None for a drawing, which we write ourselves."""
    found = re.search(r'data-made-with="([^"]*)"', text)
    return found and found[1]


def test_every_picture_and_every_measured_file_has_a_script():
    stems = {path.stem for path in SCRIPTS}
    assert {path.stem for path in FOLDER.glob("*.svg")} == stems
    assert {path.stem for path in FOLDER.glob("*.json")} <= stems


def test_the_gallery_is_up_to_date():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert text == figures.gallery(map(figures.describe_figure, SCRIPTS))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_figure_is_one_clean_picture_with_words_for_who_does_not_see_it(script):
    figure, text = figures.describe_figure(script), committed(script.stem)
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img" and root.get("aria-label") == figure.alt
    assert 40 <= len(figure.alt) <= 400 and 20 <= len(figure.caption) <= 300
    assert "prefers-color-scheme: dark" in text
    outside = re.findall(r'(?:href|src)="(?!#)[^"]*"|url\((?!#)|@import|<script', text)
    assert outside == [] and "<metadata" not in text
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert len(text) < 150_000


def test_both_modes_show_the_derivatives_of_the_worked_example():
    mirror, tangent = committed("mirror"), committed("tangent")
    for derivative in ("adjoint of x₁ float64[] 5.5", "adjoint of x₂ float64[] 1.716"):
        assert f"<title>{derivative}</title>" in mirror
    assert "<title>tangent of y float64[] 5.5</title>" in tangent
    assert "y float64[] 11.65</title>" in mirror and "y float64[] 11.65</title>" in tangent


def test_the_passes_are_rows_of_one_picture_that_fits_a_page():
    root = ElementTree.fromstring(committed("passes"))
    assert float(root.get("width")) <= 940 and float(root.get("height")) <= 760
    titles = re.findall(r'<text class="middling start"[^>]*>([^<]+)', committed("passes"))
    assert titles == [
        "as it was built",
        "fold constants",
        "simplify by equations",
        "merge equal nodes (cse)",
        "fuse",
    ]


def test_the_backward_pass_ends_at_5():
    assert "<title>adjoint of w float64[] 5</title>" in committed("backward_pass")


def test_memory_over_time_shows_what_its_words_say():
    names = runpy.run_path(str(FOLDER / "memory_over_time.py"))
    dynamic = max(figures.read_measurement(FOLDER / "memory_over_time.py")["bytes"])
    static, checkpoints = (names["planned"](kept).peak_bytes for kept in (None, "sqrt"))
    assert 2 * checkpoints < static < dynamic < 1.2 * static


def test_speed_by_size_shows_what_its_words_say():
    runs = [Comparison(**run) for run in figures.read_measurement(FOLDER / "speed_by_size.py")]
    for run in runs:
        assert run.reference == "NumPy by hand"
        assert run.ratio("static", -1).median < 1 < run.ratio("dynamic", -1).median


def test_a_figure_is_described_and_labelled(tmp_path):
    script = tmp_path / "small.py"
    script.write_text(SCRIPT)
    assert figures.make_figure(script) == (
        "small",
        "A caption.",
        "One <square> & more.",
        ('<svg width="9" role="img" aria-label="One &lt;square&gt; &amp; more."><rect/></svg>'),
    )
    (tmp_path / "_helper.py").write_text("raise SystemExit")
    assert figures.scripts(tmp_path) == [script]
    assert "![One <square> & more.](small.svg)\n\nA caption. ([small.py](small.py))" in (
        figures.gallery([figures.make_figure(script)])
    )


@pytest.mark.parametrize(
    "part, missing",
    [
        ("def make", "make()"),
        ("ALT", "ALT"),
        ('"""A caption."""', "caption"),
    ],
)
def test_a_figure_without_one_of_its_parts_is_named(tmp_path, part, missing):
    other = {"def make": "def other", "ALT": "OTHER"}.get(part, "")
    (tmp_path / "empty.py").write_text(SCRIPT.replace(part, other))
    with pytest.raises(ArgumentError, match=re.escape(f"empty.py has no {missing}")):
        figures.make_figure(tmp_path / "empty.py")


def test_what_is_measured_is_stored_and_drawn_from_there(tmp_path):
    script = tmp_path / "times.py"
    script.write_text(
        SCRIPT.replace("def make():", "def measure():\n    return {'a': [1, 2.5]}\n\n\ndef make():")
    )
    with pytest.raises(ArgumentError, match=r"times.json is missing.*\n.*\n.*--measure times"):
        figures.read_measurement(script)
    assert figures.store_measurement(script) and figures.read_measurement(script) == {"a": [1, 2.5]}
    assert not figures.store_measurement(FOLDER / "mirror.py")


def test_checkpoints_show_what_their_words_say():
    found = figures.read_measurement(FOLDER / "checkpoints.py")
    kept, again = (found[name] for name in ("static, all kept", "static, checkpoints"))
    assert 0.5 < max(again["bytes"]) / max(kept["bytes"]) < 0.6
    assert 1.35 < sum(again["seconds"]) / sum(kept["seconds"]) < 1.45
