"""How large a stored picture is on a slide, and its letters."""

import io

import pytest

pytest.importorskip("sphinx", reason="the extra 'slides' is not installed")

from minigrad.course import project
from minigrad.course.lessons import lesson
from minigrad.course.slides.pictures import (
    MARGIN,
    Room,
    StoredPicture,
    choose_fitting,
    find_pictures,
    raise_letters,
)

SVG = (
    '<svg width="200" height="100" viewBox="0 0 200 100"><style>text { font: 12px Arial }\n'
    ".number { font: bold 15px Arial }\n.name { font-size: 30px }</style>"
    '<text textLength="40.1">word</text></svg>'
)


def png(width, height):
    """The beginning of a PNG of this size, which is all that is read."""
    data = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + width.to_bytes(4, "big")
    return StoredPicture("png", data + height.to_bytes(4, "big"), "", "cell")


def test_small_letters_are_raised_and_large_ones_stay():
    made = raise_letters(SVG, 16)
    assert "font: 16px Arial" in made and "bold 16px" in made and "font-size: 30px" in made
    assert '<text lengthAdjust="spacingAndGlyphs" textLength="40.1">' in made


def test_a_drawing_in_a_box_has_letters_of_18_points():
    import base64
    import re

    drawing = StoredPicture("svg", SVG.encode(), "a graph", "cell")
    made = drawing.html(Room(348, 300))
    assert 'width="300" height="150"' in made  # between the paddings
    inside = base64.b64decode(re.search('base64,([^"]+)', made)[1]).decode()
    assert "font: 16px Arial" in inside  # 16 · 1.5 = 24 CSS pixels


def test_letters_of_a_plot_grow_with_it():
    plot = png(654, 334)._replace(margin=7)
    assert plot.size == (640, 320)
    assert plot.letter_points(Room(1280, 640)) == pytest.approx(20)  # 2 · 9.6 · 100 / 72 pixels
    assert plot.letter_points(Room(1280, 576)) == pytest.approx(18)
    assert png(640, 320).letter_points(Room(1280, 640)) < 15  # a film
    assert png(570, 570).is_upright and not png(651, 281).is_upright


def test_as_many_pictures_are_shown_as_fit():
    low, high = png(729, 131), png(651, 281)
    assert choose_fitting([low, low], Room(1280, 506)) == [low, low]
    assert choose_fitting([high, low], Room(1280, 506)) == [high]
    assert choose_fitting([png(300, 300)], Room(1280, 506)) == [png(300, 300)]


def test_nothing_of_a_stored_plot_stands_in_its_margin():
    from PIL import Image, ImageChops

    cells = [cell for path in project.lessons() for cell in lesson.read_lesson(path).cells]
    plots = [one for cell in cells for one in find_pictures(cell) if one.kind == "png"]
    for plot in plots:
        image = Image.open(io.BytesIO(plot.data)).convert("RGB")
        left, top, right, low = ImageChops.difference(
            image, Image.new("RGB", image.size, "white")
        ).getbbox()
        assert min(left, top, image.width - right, image.height - low) >= MARGIN, plot.cell
    assert len(plots) > 50
