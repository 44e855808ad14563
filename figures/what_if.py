"""What if w were another number? In the player you drag w, and every value and adjoint follows. At
w = −1.5 the derivative is 0 and y has its minimum. This works in a saved page, without Python."""

import re
from itertools import groupby

import numpy as np

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace
from minigrad.draw.drawing import Drawing
from minigrad.draw.layout.boxes import box_size
from minigrad.draw.look import DARK, LIGHT, ROLES
from minigrad.draw.paint.marks import num

ALT = (
    "Animation of minigrad's interactive player for y = (x + w)(w + 1) at x = 2. A slider moves w "
    "from 1 to 2.5, then down to -1.5 and back to 1. The values change with w, and so do the "
    "derivatives (adjoints) below them: the adjoint of w is 0 when w is -1.5."
)
WAY = ((1.0, 2.5, 8), (2.5, -1.5, 20), (-1.5, -1.5, 8), (-1.5, 1.0, 13))  # from, to, frames
LOW, HIGH = -3.0, 3.0  # the ends of the slider
FRAME, REST = 0.16, 3.0  # seconds: of each frame; of rest before the first, and behind the last
BAR = 84  # pixels for the controls above the picture
LEFT, ROW, FIELD = 42, 60, 58  # the slider begins at x, is at y; its number's field is so wide
KNOBS = (  # first, previous, play, next, last
    ("M4 4v8M12 4 7 8l5 4", "M10 4 5 8l5 4", "M5 3v10l8-5z", "M6 4l5 4-5 4", "M4 4l5 4-5 4M12 4v8")
)
NODE = r"(?m)(?<=</title>).*(?=</g>$)"  # the card of a node, which stands in a line of its own
VALUE = r'<text class="value[^>]*>[^<]*</text>'  # its number


def picture(number):
    """The graph with its adjoints at x = 2 and another w."""
    x = mg.tensor(2.0, name="x")
    w = mg.tensor(number, name="w", requires_grad=True)
    a, b = x + w, w + 1.0
    y = a * b
    adjoints = [(value, adjoint) for value, adjoint, *_ in adjoint_trace(y)]
    names = {"a": a, "b": b, "y": y}
    return mg.draw(y, mode="split", names=names, adjoints=adjoints, title="y = (x + w)(w + 1)")


def make():
    """The film."""
    parts = [np.linspace(*part, endpoint=False) for part in WAY]
    numbers = [round(float(n), 2) for n in [*np.concatenate(parts), WAY[0][0]]]
    return film(list(map(picture, numbers)), numbers)


def film(drawings, numbers):
    """The SVG text of a film: `drawings` of one graph, one for each number of w."""
    room = widest_scene([drawing.scene for drawing in drawings])
    texts = [Drawing(drawing.scene, room).svg for drawing in drawings]
    reel, whole = Reel(len(texts)), texts[0]
    for versions in zip(*(re.findall(NODE, text) for text in texts)):
        if len(set(versions)) > 1:
            whole = whole.replace(versions[0], with_versions(versions, reel), 1)
    return with_controls(whole, numbers, reel)


def widest_scene(scenes):
    """The scene in which every node has the widest label of all."""
    nodes = zip(*(scene.nodes for scene in scenes))
    widest = (max(versions, key=lambda n: (box_size(n), n.texts())) for versions in nodes)
    return scenes[0]._replace(nodes=tuple(widest))


def with_versions(versions, reel):
    """A node's card with all its numbers, each to be seen in its own frames."""
    numbers = [re.search(VALUE, version)[0] for version in versions]
    return versions[0].replace(numbers[0], reel.show(numbers), 1)


class Reel:
    """When what is seen: frames one after the other, with a rest before and behind."""

    def __init__(self, count):
        self.count, self.whole, self.runs = count, count * FRAME + 2 * REST, {}

    def at(self, frame):
        """When a frame begins, as a share of the film."""
        return f"{100 * (REST + frame * FRAME) / self.whole:.2f}%"

    def show(self, versions):
        """The first version at rest, and every version in its frames; equal ones stay."""
        found, start = [f'<g class="rest">{versions[0]}</g>'], 0
        for text, same in groupby(versions):
            end = start + len(list(same))
            name = self.runs.setdefault((start, end), f"k{len(self.runs)}")
            found.append(f'<g class="shot {name}" visibility="hidden">{text}</g>')
            start = end
        return "".join(found)

    def sheet(self, way):
        """The style sheet: nothing moves for readers who asked for less motion."""
        moves = "\n".join(self.moves(way))
        return f"@media (prefers-reduced-motion: no-preference) {{\n{moves}\n}}\n"

    def moves(self, way):
        """All movements; the slider's grip goes its way, in pixels."""
        first, last = self.at(0), self.at(self.count)
        yield (
            f".rest, .shot, .thumb {{ animation: {self.whole:.2f}s infinite step-end }}\n"
            ".shot { visibility: visible; opacity: 0 } .rest { animation-name: rest }\n"
            f"@keyframes rest {{ 0%, {last} {{ opacity: 1 }} {first} {{ opacity: 0 }} }}"
        )
        for (start, end), name in self.runs.items():
            yield f".{name} {{ animation-name: {name} }}"
            yield (
                f"@keyframes {name} {{ 0%, {self.at(end)} {{ opacity: 0 }} "
                f"{self.at(start)} {{ opacity: 1 }} }}"
            )
        shifts = (
            f"{self.at(at)} {{ transform: translateX({num(x)}px) }}" for at, x in enumerate(way)
        )
        ends = f"0%, 100% {{ transform: translateX({num(way[0])}px) }}"
        yield ".thumb { animation-name: drag; animation-timing-function: linear }"
        yield f"@keyframes drag {{ {ends} {' '.join(shifts)} }}"


# the controls ------------------------------------------------------------------------------------


def with_controls(text, numbers, reel):
    """The picture with a player's controls above it, and its style sheet."""
    width, height = (
        float(re.search(rf'{name}="([\d.]+)"', text)[1]) for name in ("width", "height")
    )
    head, rest = text.split("<style>", 1)
    head = head.replace(f'height="{num(height)}"', f'height="{num(height + BAR)}"')
    head = head.replace(f"0 0 {num(width)} {num(height)}", f"0 0 {num(width)} {num(height + BAR)}")
    sheet, body = rest.split("</style>\n", 1)
    card, _, body = body.partition("\n")
    card = card.replace(f'height="{num(height)}"', f'height="{num(height + BAR)}"')
    body, long = body.rpartition("</svg>")[0], width - LEFT - FIELD - 40
    way = [long * (number - LOW) / (HIGH - LOW) for number in numbers]
    rules = "".join([sheet, *control_rules(), reel.sheet(way)])
    above = "".join([*buttons(width), *slider(numbers, reel, long, way[0])])
    moved = f'<g transform="translate(0 {BAR})">{body}</g>'
    return f"{head}<style>{rules}</style>\n{card}\n{above}{moved}</svg>\n"


def control_rules():
    """The colours of the controls, in both themes."""
    for theme, dark in ((LIGHT, False), (DARK, True)):
        blue, tint = ROLES["input"].colours(dark)
        rules = (
            f".knob {{ fill: {theme['card']}; stroke: {theme['rim']} }} "
            f".icon {{ fill: none; stroke: {theme['ink']}; stroke-width: 1.8 }} "
            f".on {{ fill: {tint}; stroke: {blue} }} "
            f".rail {{ stroke: {theme['rim']}; stroke-width: 5; stroke-linecap: round }} "
            f".grip {{ fill: {blue}; stroke: {theme['card']}; stroke-width: 1.5 }}\n"
        )
        yield f"@media (prefers-color-scheme: dark) {{ {rules}}}\n" if dark else rules


def buttons(width):
    """Those of a player."""
    for at, icon in enumerate(KNOBS):
        x = 16 + 34 * at
        yield f'<rect class="knob" x="{x}" y="12" width="28" height="24" rx="5"/>'
        yield f'<path class="icon" transform="translate({x + 6} 16)" d="{icon}"/>'
    left = num(width - 84)
    yield f'<rect class="on" x="{left}" y="12" width="68" height="24" rx="5"/>'
    yield f'<text x="{num(width - 50)}" y="28.5">What if</text>'


def slider(numbers, reel, long, start):
    """The name of w, its rail with the grip, and its number."""
    yield f'<text class="bold start" x="18" y="{ROW + 4}">w</text>'
    yield f'<path class="rail" d="M{LEFT} {ROW}h{num(long)}"/>'
    field = LEFT + long + 24
    yield f'<g transform="translate({LEFT} {ROW})"><circle class="grip thumb" r="8" '
    yield f'transform="translate({num(start)} 0)"/></g>'
    yield f'<rect class="knob" x="{num(field)}" y="{ROW - 12}" width="{FIELD}" height="24" rx="5"/>'
    spot = f'x="{num(field + FIELD / 2)}" y="{ROW + 4.5}"'
    yield reel.show([f"<text {spot}>{number:.4g}</text>" for number in numbers])
