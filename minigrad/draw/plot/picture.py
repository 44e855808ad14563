"""A matplotlib figure as SVG text: the same bytes every time, and in both themes."""

import io
import re

from minigrad.draw.look import BUFFERS, DARK, DARK_BUFFERS, LIGHT, ROLES
from minigrad.draw.plot.axes import GRID, pyplot


def svg(fig):
    """The SVG text of a figure, without dates and random names; closes the figure.

    Letters are drawn as outlines, so that no font of the reader's machine matters.
    """
    import matplotlib

    buffer = io.StringIO()
    settings = {"svg.hashsalt": "minigrad", "svg.fonttype": "path"}
    with matplotlib.rc_context(settings):
        fig.savefig(buffer, format="svg", metadata={"Date": None})
    pyplot().close(fig)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL)
    text = text[text.index("<svg") :]
    text = text.replace('version="1.1"', f'data-made-with="matplotlib {matplotlib.__version__}"')
    return text.replace("</style>", f"\n{dark_rules(text)}  </style>", 1)


def dark_rules(text):
    """The CSS that exchanges the colours of a plot where the reader's system is dark."""
    rules = [
        f'    [style*="{what}: {light}"] {{ {what}: {dark} !important }}\n'
        for light, dark in dark_colours().items()
        for what in ("fill", "stroke")
        if f"{what}: {light}" in text
    ]
    return f"   @media (prefers-color-scheme: dark) {{\n{''.join(rules)}   }}\n"


def dark_colours():
    """Light colour → dark colour, as matplotlib writes them."""
    pairs = [(GRID, DARK["rim"])]
    for role in ROLES.values():
        pairs += [(role.stroke, role.dark_stroke), (role.fill, role.dark_fill)]
    for light, dark in zip(BUFFERS, DARK_BUFFERS, strict=True):
        pairs += zip(light, dark, strict=True)
    pairs += [(LIGHT[name], DARK[name]) for name in LIGHT]
    return {light.lower(): dark.lower() for light, dark in pairs}
