"""A film: a plot drawn again and again, as one animated picture that plays without a script."""

import base64
import io
from html import escape

import numpy as np

from minigrad.course.lessons.plots import plot_text

REST = 6  # times that the last picture stands, of one of the others
DPI, COLOURS = 70, 32


class Film:
    """An animated picture, and the words of the plot that it ends with."""

    def __init__(self, gif, words):
        self.gif, self.words = gif, words

    def __repr__(self):
        return f"film, at its end:\n{self.words}"

    def _repr_html_(self):
        code = base64.b64encode(self.gif).decode("ascii")
        return f'<img alt="{escape(repr(self))}" src="data:image/gif;base64,{code}">'


def film(draw, frames, size=(6, 2.4), seconds=0.3):
    """A Film of draw(axes, frame) for each of `frames`, on axes that are empty each time.

    It begins with the finished picture, which is all that paper shows; each other one stands for
    `seconds`.
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=size, dpi=DPI, layout="constrained")
    pictures = []
    for frame in frames:
        axes.clear()
        draw(axes, frame)
        pictures.append(picture_of(figure))
    words = plot_text(figure)
    plt.close(figure)
    return Film(gif_bytes([pictures[-1], *pictures], 1000 * seconds), words)


def picture_of(figure):
    """The figure as a picture of few colours, as GIF keeps it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3]).quantize(COLOURS)


def gif_bytes(pictures, milliseconds):
    """Pictures one after another, for ever; the first and the last stand longer."""
    file, long = io.BytesIO(), REST * milliseconds
    times = [long, *[milliseconds] * (len(pictures) - 2), long]
    pictures[0].save(
        file, "gif", save_all=True, append_images=pictures[1:], duration=times, loop=0, disposal=1
    )
    return file.getvalue()
