"""Films of plots."""

import base64
import io
from itertools import pairwise

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from minigrad.course.lessons.films import REST, film


@pytest.fixture
def shown():
    """A film of a dot that goes up, of four pictures."""
    return film(lambda axes, y: axes.plot([0, 1], [0, y], label="dot"), [1, 2, 3, 4])


def pictures(shown):
    """(picture as an array, milliseconds) of every frame, as a reader of GIF finds them."""
    gif = Image.open(io.BytesIO(shown.gif))
    for at in range(gif.n_frames):
        gif.seek(at)
        yield np.asarray(gif.convert("RGB")), gif.info["duration"]


def test_a_film_begins_with_its_last_picture_and_goes_through_all(shown):
    first, *rest = [picture for picture, _ in pictures(shown)]
    assert len(rest) == 4
    assert np.array_equal(first, rest[-1])
    assert not any(np.array_equal(a, b) for a, b in pairwise(rest))


def test_its_first_and_last_picture_stand_longer(shown):
    assert [time for _, time in pictures(shown)] == [300 * REST, 300, 300, 300, 300 * REST]


def test_its_words_are_those_of_the_last_picture_alone(shown):
    words = "dot: 2 points from (0, 0) to (1, 4), lowest 0, highest 4"
    assert repr(shown) == f"film, at its end:\nplot\n  {words}"
    assert words in shown._repr_html_().split('src="')[0]


def test_what_a_notebook_shows_is_the_picture_itself(shown):
    code = shown._repr_html_().split("base64,")[1].rstrip('">')
    assert base64.b64decode(code) == shown.gif


def test_no_figure_stays_open():
    before = plt.get_fignums()
    film(lambda axes, y: axes.plot([0, y]), [1, 2])
    assert plt.get_fignums() == before


BLUE, RED, GREY, BLACK = (27, 95, 168), (176, 67, 10), (230, 230, 230), (0, 0, 0)


@pytest.mark.parametrize("under", [None, "viridis"])
def test_colours_of_thin_lines_and_words_stay_apart_in_every_picture(under):
    def draw(axes, y):
        if under:  # many other colours, which fill most of the picture
            many = np.linspace(0, 1, 2500).reshape(50, 50)
            axes.pcolormesh(np.linspace(-3, 0, 50), np.linspace(-3, 9, 50), many, cmap=under)
        axes.plot([0, 1], [1, 1], color="#1B5FA8", lw=2)
        axes.plot([0, 1], [y, y], color="#B0430A", lw=2)
        axes.axvline(0.5, color="#00000019", lw=3)
        axes.text(0.1, 7, "words")
        axes.set(ylim=(-3, 9))

    for picture, _ in pictures(film(draw, [2, 4, 6])):
        seen = {tuple(map(int, each)) for each in picture.reshape(-1, 3)}
        assert {BLUE, RED, GREY, BLACK} <= seen


def test_a_film_of_a_plot_stays_small(shown):
    assert len(shown.gif) < 5000 * 5  # bytes, of a picture
