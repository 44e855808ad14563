"""What every drawing looks like: colour and outline by role, sizes, the two themes as CSS."""

import re
from itertools import cycle
from typing import NamedTuple

# The first three are of one width; those behind them have the letters of Chinese and Japanese.
FONT = (
    "Helvetica, Arial, 'Liberation Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', "
    "sans-serif"
)
CODE = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"
SIZE, SMALL = 12, 11  # text, in pixels
LINE = 16  # from one line of a label to the next


class Look(NamedTuple):
    """How one role is drawn, in the light and in the dark theme; text is always ink."""

    shape: str
    word: str
    stroke: str
    fill: str
    dark_stroke: str
    dark_fill: str

    def colours(self, dark=False):
        """(stroke, fill) in one of the themes."""
        return (self.dark_stroke, self.dark_fill) if dark else (self.stroke, self.fill)


ROLES = {
    "input": Look("ellipse", "input", "#0072B2", "#DCEBF7", "#6FB7EA", "#12324A"),
    "variable": Look("cylinder", "variable", "#00795A", "#D8F0E6", "#4FC79C", "#0F3B2E"),
    "constant": Look("box", "constant", "#6B7785", "#EEF0F2", "#97A3B0", "#2A313A"),
    "op": Look("round", "operation", "#3E4C59", "#FFFFFF", "#AEBAC6", "#1F262E"),
    "folded": Look("stack", "folded", "#6B7785", "#F7F9FB", "#97A3B0", "#232A32"),
    "adjoint": Look("round", "adjoint", "#B84A00", "#FCE5D8", "#FF9A57", "#43230F"),
    "tangent": Look("round", "tangent", "#8A3A74", "#F3E2F0", "#E08FD0", "#3D1F38"),
    "port": Look("round", "carried, or a slice", "#0072B2", "#FFFFFF", "#6FB7EA", "#171C22"),
    "scope": Look("round", "name scope", "#CBD2D9", "#F7F9FB", "#4A5561", "#1C2229"),
    "body": Look("round", "body", "#0072B2", "#F1F8FD", "#6FB7EA", "#14212C"),
    "fused": Look("round", "one kernel", "#3E4C59", "#FFF6D6", "#AEBAC6", "#2E2A17"),
    "gone": Look("round", "removed", "#6B7785", "#F7F9FB", "#97A3B0", "#232A32"),
}


# what happens in a phase of a trace is in the colours of a role
PHASES = {"forward": "input", "run": "input", "backward": "adjoint", "tangent": "tangent"}


class Fence(NamedTuple):
    """How one kind of frame is drawn: in the colours of a role."""

    role: str
    dash: str
    width: float


FRAMES = {
    "scope": Fence("scope", "none", 1.0),
    "body": Fence("body", "5 3", 1.2),
    "fused": Fence("fused", "none", 2.0),
}


class Stroke(NamedTuple):
    """How one kind of edge is drawn."""

    word: str
    role: str
    dash: str
    width: float


EDGES = {
    "data": Stroke("value", "op", "none", 1.3),
    "adjoint": Stroke("adjoint", "adjoint", "none", 1.3),
    "tangent": Stroke("tangent", "tangent", "6 3", 1.3),
    "inplace": Stroke("overwritten in place", "op", "none", 4.2),
    "gone": Stroke("removed", "gone", "2 3", 1.1),
    "same": Stroke("the same as", "gone", "1 3", 1.6),
    "turn": Stroke("next turn", "body", "none", 1.6),
    "saved": Stroke("saved for backward", "constant", "4 3", 1.1),
}

BUFFERS = (  # stroke and fill by number, taken again from the first when there are more
    ("#0072B2", "#CFE4F5"),
    ("#B84A00", "#FBDDCB"),
    ("#004D37", "#CDEBDF"),
    ("#4A1A7A", "#E4DBF4"),
    ("#D0408F", "#FBDCEB"),
    ("#5F6B76", "#E9ECEF"),
)
DARK_BUFFERS = (
    ("#6FB7EA", "#12324A"),
    ("#FF9A57", "#43230F"),
    ("#4FC79C", "#0F3B2E"),
    ("#B79CF0", "#2C2047"),
    ("#F28AC6", "#451A32"),
    ("#AEB8C2", "#2A313A"),
)


class LineLook(NamedTuple):
    """How a line of a plot is drawn: a dash and a marker of its own survive print in grey."""

    colour: str
    dash: str
    marker: str  # as matplotlib calls it


ENGINES = {  # in every plot, figure and lesson
    "dynamic": LineLook("#0072B2", "none", "o"),
    "static": LineLook("#004D37", "7 2", "s"),
    "by hand": LineLook("#5F6B76", "1.5 1.5", "^"),
    "torch": LineLook("#4A1A7A", "7 2 1.5 2", "D"),
    "tensorflow": LineLook("#B84A00", "4 1.5 1.5 1.5 1.5 1.5", "v"),
    "jax": LineLook("#D0408F", "3.5 1.5", "P"),
    "reverse": LineLook("#B84A00", "none", "<"),
    "forward": LineLook("#8A3A74", "5 2.5", ">"),
}
ALSO = {  # other words for them; the word that comes first in a name decides
    "dynamic": "eager tensors",
    "static": "planned counted checkpointed compiled traced graph session minigrad",
    "by hand": "hand numpy",
    "torch": "pytorch",
    "tensorflow": "tf",
}
OTHERS = ("#4A1A7A", "#D0408F", "#B84A00", "#5F6B76")  # for what is none of them
SPARE = (  # (dash, marker): of a second line of one engine, and of what is none of them
    ("2.5 1.5", "X"),
    ("9 2 2.5 2", "d"),
    ("5 1.5 1 1.5", "p"),
    ("1 1", "*"),
    ("12 3", "h"),
    ("none", "H"),
)


def engine_of(name):
    """The key of ENGINES that a name speaks of; None where it names no engine."""
    known = {word: engine for engine, words in ALSO.items() for word in words.split()}
    known |= {word: word for word in ENGINES}
    said = re.findall(r"[a-z]+", name.lower())
    found = next((known[word] for word in said if word in known), None)
    sweep = found in ("reverse", "forward")  # "forward only" is none
    return None if sweep and said not in ([found], [found, "mode"]) else found


def line_looks(names):
    """{name: its LineLook} for the lines of one plot, no two with the same dash and marker."""
    own = [ENGINES.get(engine_of(name)) for name in names]
    used = {look.colour for look in own if look}
    plain = SPARE[-1:] * (not used)  # a solid line, where none is an engine's
    others, spare = cycle(sorted(OTHERS, key=used.__contains__)), cycle(plain + SPARE)
    found = {}
    for name, look in zip(names, own):
        if look is None or look in found.values():
            look = LineLook(look.colour if look else next(others), *next(spare))
        found[name] = look
    return found


class Heat(NamedTuple):
    """How dark something is that takes a share of the time: fills, from light to dark."""

    name: str
    fill: str
    dark_fill: str


HEAT = (
    Heat("h0", "#FFFFFF", "#1F262E"),
    Heat("h1", "#FDF1E6", "#30291F"),
    Heat("h2", "#F9DDC3", "#43311D"),
    Heat("h3", "#F2C193", "#583A16"),
    Heat("h4", "#E8A062", "#6B420C"),
)


def numbered_fill(number):
    """The colour of a buffer, or of a worker, as nodes name it."""
    return f"b{number % len(BUFFERS)}"


LIGHT = {"ink": "#17212B", "card": "#FFFFFF", "rim": "#CBD2D9", "ring": "#D0408F"}
DARK = {"ink": "#E8EDF2", "card": "#171C22", "rim": "#3A444F", "ring": "#F28AC6"}


def style_sheet(used=None):
    """The CSS of a drawing: light, and dark where the reader's system asks for it.

    With the class names that are `used`, no rules for others: a picture then stays the same,
    byte for byte, when a role is added here.
    """
    fixed, light, dark = (
        "".join(f"{line}\n" for line in rules if is_used(line, used))
        for rules in (fixed_rules(), theme_rules(LIGHT, dark=False), theme_rules(DARK, dark=True))
    )
    return f"{fixed}{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def is_used(rule, used):
    """Whether all class names of a rule are used."""
    return used is None or used.issuperset(re.findall(r"\.([a-z][\w-]*)", rule.partition("{")[0]))


def fixed_rules():
    """The rules that both themes share."""
    yield f"text {{ font: {SIZE}px {FONT}; text-anchor: middle }}"
    yield ".bold { font-weight: bold }"
    yield ".over { text-decoration: overline }"
    yield ".strike { text-decoration: line-through }"
    yield f".small {{ font-size: {SMALL}px }}"
    yield f".code {{ font: {SMALL}px {CODE}; white-space: pre }}"
    yield ".start { text-anchor: start }"
    yield ".end { text-anchor: end }"
    yield ".tangent { stroke-dasharray: 1.5 2.5 }"
    yield ".gone { stroke-dasharray: 4 3 }"
    yield ".edge { fill: none; stroke-linecap: round }"
    for kind in ("", *(f"{kind}-" for kind in FRAMES)):
        yield f".{kind}halo {{ stroke-width: 4; stroke-linejoin: round }}"
    for kind, stroke in EDGES.items():
        yield f".edge.{kind} {{ stroke-width: {stroke.width}; stroke-dasharray: {stroke.dash} }}"
    for kind, fence in FRAMES.items():
        yield f".{kind}-frame {{ stroke-width: {fence.width}; stroke-dasharray: {fence.dash} }}"


def theme_rules(theme, dark):
    """The colours of one theme."""
    yield f"text {{ fill: {theme['ink']} }}"
    yield f".card {{ fill: {theme['card']}; stroke: {theme['rim']} }}"
    yield f".halo {{ stroke: {theme['card']} }}"
    for kind, fence in FRAMES.items():
        yield f".{kind}-halo {{ stroke: {ROLES[fence.role].colours(dark)[1]} }}"
    for role, look in ROLES.items():
        stroke, fill = look.colours(dark)
        yield f".{role} {{ stroke: {stroke}; fill: {fill} }}"
    for number, (stroke, fill) in enumerate(DARK_BUFFERS if dark else BUFFERS):
        yield f".b{number} {{ stroke: {stroke}; fill: {fill} }}"
    for heat in HEAT:
        stroke, _ = ROLES["op"].colours(dark)
        yield f".{heat.name} {{ stroke: {stroke}; fill: {heat.dark_fill if dark else heat.fill} }}"
    for kind, edge in EDGES.items():
        colour, _ = ROLES[edge.role].colours(dark)
        yield f".edge.{kind} {{ stroke: {colour}; fill: none }}"
        yield f".tip.{kind} {{ stroke: none; fill: {colour} }}"
    yield f".core {{ stroke: {theme['card']}; stroke-width: 1.8; fill: none }}"
    yield f".ring {{ stroke: {theme['ring']}; stroke-width: 3; fill: none }}"
