"""The letters of PNG and PDF: the same on every machine, all of them there, each in its room."""

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from draw.toy import leaf

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.look import CODE, SERIF
from minigrad.draw.paint import fonts, png
from minigrad.draw.paint.bare import spell_out

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
pytest.importorskip("resvg_py", reason="resvg-py is not installed")
from matplotlib.image import imread  # noqa: E402

ROOT = Path(__file__).parents[2]
FIGURES = sorted((ROOT / "figures").glob("*.svg"))
TITLE = "bars, dots and ∂𝜕: α → β"


def picture():
    """A drawing with bars, dots, a subscript, and a letter that DejaVu Sans does not have."""
    x = mg.tensor(2.0, requires_grad=True, name="x₁")
    return draw(x * 3.0, mode="mirror", title=TITLE)


# the same everywhere -----------------------------------------------------------------------------


def hide_fonts(command, tmp_path):
    """Runs a command where the folders of the system's fonts are empty, and the home is new."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed: the fonts of the system cannot be hidden")
    known = ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/X11R6/lib/X11/fonts")
    mounts = "".join(f"mount -t tmpfs none {path} && " for path in known if Path(path).is_dir())
    own = ["unshare", "-m" if os.geteuid() == 0 else "-rm", "sh", "-c"]
    if subprocess.run([*own, f"{mounts}true"], capture_output=True, check=False).returncode:
        pytest.skip("no mount namespace here: the fonts of the system cannot be hidden")
    shell = [*own, f'{mounts}exec "$@"', "sh", *command]
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
    home = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR"), tmp_path)
    env = os.environ | home | {"PYTHONPATH": paths}
    subprocess.run(shell, env=env, cwd=tmp_path, check=True)


SCRIPT = (
    "from draw.test_fonts import picture; [picture().save(f'there.{s}') for s in ('png', 'pdf')]"
)


def test_a_picture_has_the_same_bytes_where_there_are_no_fonts(tmp_path):
    hide_fonts([sys.executable, "-c", SCRIPT], tmp_path)
    for suffix in ("png", "pdf"):
        here = picture().save(tmp_path / f"here.{suffix}").read_bytes()
        assert (tmp_path / f"there.{suffix}").read_bytes() == here


def test_only_one_file_renders():
    files = (ROOT / "minigrad").rglob("*.py")
    assert [path.name for path in files if "resvg_py" in path.read_text("utf-8")] == ["png.py"]


# all letters -------------------------------------------------------------------------------------


def test_every_text_of_a_drawing_is_seen_in_its_png():
    text = picture().svg
    whole = png.png_bytes(text, 1)
    words = [match[0] for match in png.TEXT.finditer(text) if "halo" not in match[1]]
    assert len(words) > 8
    for word in words:
        assert png.png_bytes(text.replace(word, ""), 1) != whole, word


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: path.stem)
def test_all_texts_of_the_figures_have_glyphs(path):
    text = path.read_text("utf-8")
    assert len(png.TEXT.sub(png.name_fonts, spell_out(text))) >= len(text)


@pytest.mark.parametrize("suffix", [".png", ".pdf"])
def test_a_letter_that_no_font_has_is_named(suffix, tmp_path):
    drawing = draw(leaf(2.0, "名"), title="x")
    with pytest.raises(
        ArgumentError, match=r"no glyph for '名' \(U\+540D\) in the text '名"
    ) as caught:
        drawing.save(tmp_path / f"graph{suffix}")
    assert "save as .svg" in caught.value.hint and not list(tmp_path.iterdir())
    assert "名" in drawing.save(tmp_path / "graph.svg").read_text("utf-8")


def ink(words, look="", size=40):
    """Where columns of a PNG are dark: one text, from x = 10 on."""
    text = (
        f'<text x="10" y="60" font-size="{size}" text-anchor="start"{look} fill="black" '
        f'xml:space="preserve">{words}</text>'
    )
    named = png.TEXT.sub(png.name_fonts, text)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="90">{named}</svg>'
    return imread(io.BytesIO(png.render(svg)))[..., 3].sum(axis=0)


LOOKS = {
    "sans": "",
    "bold": ' font-weight="bold"',
    "code": f' font-family="{CODE}"',
    "roman": f' font-family="{SERIF}"',
    "math": f' font-family="{SERIF}" font-style="italic"',
}


@pytest.mark.parametrize("face", ["sans", "bold", "code"])
def test_a_letter_from_another_font_leaves_the_others_alone(face):
    look = LOOKS[face]
    plain, more = ink("TT", look), ink("TT𝜕", look)
    end = max(plain.nonzero()[0]) + 1
    assert (plain[:end] == more[:end]).all() and more[end:].any()
    assert (more[end:] != ink("TT∂", look)[end:]).any()


@pytest.mark.parametrize("face", LOOKS)
@pytest.mark.parametrize("words", ["minimum(w, mm) = 1", "illicit", "@MW@ 0000", "x₁ · ∂f/∂x̄"])
def test_a_text_is_no_wider_than_its_room(words, face):
    room = fonts.room_for(words, face) * 40
    dark = ink(words, LOOKS[face]).nonzero()[0]
    assert 0.7 * room < max(dark) - min(dark) < room + 2 and min(dark) > 8


def test_room_is_what_boxes_are_made_by():
    for face in ("sans", "bold", "math", "roman"):
        assert fonts.room_for("wide", face) * 12 == pytest.approx(text_width("wide", 12, face))


# what is missing ---------------------------------------------------------------------------------


def test_without_matplotlib_a_png_names_the_cure(tmp_path, monkeypatch):
    drawing = picture()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ArgumentError, match="matplotlib, which is not installed") as caught:
        drawing.save(tmp_path / "graph.png")
    assert "pip install matplotlib" in caught.value.hint and not list(tmp_path.iterdir())


def test_a_font_that_matplotlib_does_not_bring_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(matplotlib, "get_data_path", lambda: str(tmp_path))
    with pytest.raises(ArgumentError, match=re.escape(f"DejaVuSans.ttf is not in {tmp_path}")):
        fonts.font_path(fonts.SANS)
