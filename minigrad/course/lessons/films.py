"""A film: a plot drawn again and again, as one animated picture that plays without a script."""

import base64
import io
from html import escape

import numpy as np

from minigrad.course.lessons.plots import plot_text

REST = 6  # times that the last picture stands, of one of the others
DPI, COLOURS, MOST_OWN = 70, 32, 20  # colours: of all, and those that a plot names itself


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
    pictures, own = [], {}
    for frame in frames:
        axes.clear()
        draw(axes, frame)
        pictures.append(pixels_of(figure))
        own |= dict.fromkeys(colours_of(figure))
    words = plot_text(figure)
    plt.close(figure)
    pictures = list(in_few_colours(pictures, list(own)[:MOST_OWN]))
    return Film(gif_bytes([pictures[-1], *pictures], 1000 * seconds), words)


def pixels_of(figure):
    """The figure as drawn, (rows, columns, 3) bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3]


def colours_of(figure):
    """The colours, on white, of the figure's lines, areas and words, as triples of bytes.

    What has many, by a colour map, is left to the picture.
    """
    from matplotlib.colors import to_rgba_array

    for artist in figure.findobj(lambda each: each.get_visible()):
        for part in ("color", "markerfacecolor", "markeredgecolor", "facecolor", "edgecolor"):
            if get := getattr(artist, f"get_{part}", None):
                rgba = np.unique(to_rgba_array(get()), axis=0)
                if len(rgba) < COLOURS - MOST_OWN:
                    seen = 255 * (rgba[:, 3:] * rgba[:, :3] + 1 - rgba[:, 3:])
                    yield from map(tuple, seen.round().astype(int).tolist())


def in_few_colours(pictures, own):
    """Pictures as GIF keeps them, all with one palette: `own`, and the most used of the others.

    A palette for each picture alone would merge the colours of thin lines with each other.
    """
    from PIL import Image

    others = Image.fromarray(np.concatenate(pictures)).quantize(COLOURS - len(own)).getpalette()
    palette = np.array([*own, *np.reshape(others, (-1, 3))])
    numbers, where = np.unique(np.stack(pictures) @ [1 << 16, 1 << 8, 1], return_inverse=True)
    colours = np.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], axis=-1)
    nearest = ((colours[:, None] - palette) ** 2).sum(-1).argmin(-1).astype(np.uint8)
    for picture in nearest[where].reshape(len(pictures), *pictures[0].shape[:2]):
        few = Image.fromarray(picture, "P")
        few.putpalette(palette.astype(np.uint8).tobytes())
        yield few


def gif_bytes(pictures, milliseconds):
    """Pictures one after another, for ever; the first and the last stand longer."""
    file, long = io.BytesIO(), REST * milliseconds
    times = [long, *[milliseconds] * (len(pictures) - 2), long]
    pictures[0].save(
        file, "gif", save_all=True, append_images=pictures[1:], duration=times, loop=0, disposal=1
    )
    return file.getvalue()
