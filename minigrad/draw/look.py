"""What every drawing looks like: colour and outline by role, sizes, the two themes as CSS."""

import re
from itertools import cycle
from typing import NamedTuple

# The first three are of one width; those behind them have the letters of Chinese and Japanese.
FONT = (
    "Arial, Helvetica, 'Liberation Sans', Arimo, 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', sans-serif"
)
SERIF = "'Times New Roman', Times, 'Liberation Serif', Tinos, 'STIX Two Text', serif"  # for names
CODE = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"
SIZE, SMALL = 12, 11  # text, in pixels
TITLE, NAME, SUB, SIGN = 14, 16, 11.5, 12  # a title, a name and its index, a sign of some letters
TERM, WORDS = 14, 13  # in a formula: names, and all else
LINE = 14  # from one line on a card to the next


class Look(NamedTuple):
    """How one role is drawn, in the light and in the dark theme: the colour of its text and of
    lines, of the rim of its cards, and of their ground."""

    word: str
    stroke: str
    rim: str
    fill: str
    dark_stroke: str
    dark_rim: str
    dark_fill: str

    def colours(self, dark=False):
        """(stroke, fill) in one of the themes."""
        return (self.dark_stroke, self.dark_fill) if dark else (self.stroke, self.fill)

    def edge_of_card(self, dark=False):
        """The colour of the rim in one of the themes."""
        return self.dark_rim if dark else self.rim


ROLES = {
    "input": Look("input", "#1B5FA8", "#9CC1E8", "#E7F0FA", "#82BBF2", "#3C6A97", "#15304B"),
    "variable": Look("variable", "#0B6B57", "#8CCBB7", "#E2F3ED", "#5FCBAA", "#2F7861", "#10372C"),
    "constant": Look("constant", "#5A6673", "#C3CBD3", "#EEF1F4", "#A5B0BC", "#4A5763", "#27313B"),
    "op": Look("operation", "#17202A", "#CFD6DE", "#FFFFFF", "#E8EDF2", "#3B4753", "#1B222A"),
    "result": Look("result", "#FFFFFF", "#17202A", "#17202A", "#11161C", "#E8EDF2", "#E8EDF2"),
    "folded": Look("folded", "#17202A", "#C3CBD3", "#F6F8FA", "#E8EDF2", "#4A5763", "#161C23"),
    "adjoint": Look("adjoint", "#B0430A", "#EFAE82", "#FDEDE1", "#FF9F66", "#8A5129", "#40240F"),
    "tangent": Look("tangent", "#7B3A9A", "#CDA6DE", "#F4EAF9", "#D6A8EE", "#6F4A8C", "#36224A"),
    "port": Look("carried, or a slice", "#1B5FA8", "#9CC1E8", "#FFFFFF", "#82BBF2", "#3C6A97",
                 "#1B222A"),
    "scope": Look("name scope", "#5A6673", "#CFD6DE", "#F6F8FA", "#A5B0BC", "#3B4753", "#161C23"),
    "body": Look("body", "#1B5FA8", "#9CC1E8", "#F3F7FC", "#82BBF2", "#3C6A97", "#151D27"),
    "fused": Look("one kernel", "#8A6100", "#E3C16B", "#FFF5D9", "#E6C25F", "#7A6528", "#332A12"),
    "gone": Look("removed", "#5A6673", "#8A95A1", "#FFFFFF", "#A5B0BC", "#7D8995", "#11161C"),
}  # fmt: skip


# what happens in a phase of a trace is in the colours of a role
PHASES = {"forward": "input", "run": "input", "backward": "adjoint", "tangent": "tangent"}
PHASES |= {"update": "variable"}


class Fence(NamedTuple):
    """How one kind of frame is drawn: in the colours of a role."""

    role: str
    dash: str
    width: float


FRAMES = {
    "scope": Fence("scope", "none", 1.0),
    "loop": Fence("body", "none", 1.2),
    "body": Fence("body", "none", 1.2),
    "fused": Fence("fused", "none", 1.6),
}


class Stroke(NamedTuple):
    """How one kind of edge is drawn."""

    word: str
    colours: tuple  # light and dark
    dash: str
    width: float


LINES = ("#5F6E7D", "#97A5B3")


def role_lines(role):
    """The colours of lines of a role, light and dark."""
    return ROLES[role].stroke, ROLES[role].dark_stroke


EDGES = {
    "data": Stroke("value", LINES, "none", 1.6),
    "parameter": Stroke("parameter", role_lines("variable"), "none", 1.6),
    "adjoint": Stroke("adjoint", role_lines("adjoint"), "none", 1.6),
    "tangent": Stroke("tangent", role_lines("tangent"), "5 4", 1.6),
    "update": Stroke("update", role_lines("variable"), "none", 1.6),
    "inplace": Stroke("overwritten in place", LINES, "none", 4.6),
    "gone": Stroke("removed", role_lines("gone"), "2 3", 1.2),
    "same": Stroke("the same as", role_lines("gone"), "1 3", 1.6),
    "next": Stroke("next iteration", role_lines("body"), "none", 1.8),
    "control": Stroke("runs first", role_lines("gone"), "1 4", 1.6),
    "saved": Stroke("saved for the backward pass", LINES, "4 3", 1.2),
}

WIDTHS = (2, 3, 4, 5, 6)  # of the lines of messages, in pixels
WIDEST = WIDTHS[-1]

LANES = {  # the grounds of the lanes of a training step, light and dark
    "input": ("#F3F7FC", "#151D27"),
    "variable": ("#F1F9F6", "#131E1E"),
    "adjoint": ("#FEF6F0", "#1F1A17"),
    "neutral": ("#F6F8FA", "#161C23"),
}

BUFFERS = (  # stroke and fill by number, taken again from the first when there are more
    ("#1B5FA8", "#D3E5F8"),
    ("#B0430A", "#FBDCC6"),
    ("#0B6B57", "#CBE9DF"),
    ("#7B3A9A", "#EAD8F3"),
    ("#B0176B", "#F9D5E7"),
    ("#5A6673", "#E1E6EB"),
)
DARK_BUFFERS = (
    ("#82BBF2", "#1B3D5F"),
    ("#FF9F66", "#553013"),
    ("#5FCBAA", "#15493A"),
    ("#D6A8EE", "#482D62"),
    ("#F48CC4", "#5A2A4B"),
    ("#A5B0BC", "#323D48"),
)


class LineLook(NamedTuple):
    """How a line of a plot is drawn: a dash and a marker of its own survive print in grey."""

    colour: str
    dash: str
    marker: str  # as matplotlib calls it


ENGINES = {  # in every plot, figure and lesson
    "dynamic": LineLook("#1B5FA8", "none", "o"),
    "static": LineLook("#0B6B57", "7 2", "s"),
    "by hand": LineLook("#5A6673", "1.5 1.5", "^"),
    "torch": LineLook("#7B3A9A", "7 2 1.5 2", "D"),
    "tensorflow": LineLook("#B0430A", "4 1.5 1.5 1.5 1.5 1.5", "v"),
    "jax": LineLook("#B0176B", "3.5 1.5", "P"),
    "reverse": LineLook("#B0430A", "none", "<"),
    "forward": LineLook("#7B3A9A", "5 2.5", ">"),
}
ALSO = {  # other words for them; the word that comes first in a name decides
    "dynamic": "eager tensors",
    "static": "planned counted checkpointed compiled traced graph session minigrad",
    "by hand": "hand numpy",
    "torch": "pytorch",
    "tensorflow": "tf",
}
OTHERS = ("#7B3A9A", "#B0176B", "#B0430A", "#5A6673")  # for what is none of them
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


LIGHT = {
    "ink": "#17202A",
    "card": "#FFFFFF",
    "rim": "#CFD6DE",
    "muted": "#5A6673",
    "badge": "#27323D",
    "sign": "#FFFFFF",
    "shade": "#EAEBEC",
    "ring": "#B0176B",  # what one has found, or what went wrong
}
DARK = {
    "ink": "#E8EDF2",
    "card": "#11161C",
    "rim": "#3B4753",
    "muted": "#A5B0BC",
    "badge": "#D7DFE7",
    "sign": "#11161C",
    "shade": "#0A0D11",
    "ring": "#F48CC4",
}
INKS = ("input", "variable", "constant", "result", "adjoint", "tangent", "port", "fused", "gone")


def style_sheet(used=None, known=frozenset()):
    """The CSS of a drawing: light, and dark where the reader's system asks for it.

    With the class names that are `used`, no rules for others: a picture then stays the same,
    byte for byte, when a role is added here. Rules of the `known` names alone are left out.
    """
    fixed, light, dark = (
        "".join(
            f"{line}\n"
            for line in rules
            if is_used(line, used) and not (known and is_used(line, known))
        )
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
    yield ".strike { text-decoration: line-through }"
    yield f".small {{ font-size: {SMALL}px }}"
    yield f".title {{ font-size: {TITLE}px }}"
    yield f".name {{ font: {NAME}px {SERIF}; font-style: italic }}"
    yield f".term {{ font: {TERM}px {SERIF}; font-style: italic }}"
    yield f".sub {{ font: {SUB}px {SERIF} }}"
    yield f".formula {{ font-size: {WORDS}px }}"
    yield ".same-adjoint { stroke-dasharray: 3 3 }"
    yield ".number { font-size: 15px; font-weight: bold }"
    yield ".middling { font-size: 13px; font-weight: bold }"
    yield ".dot-sign { font-size: 15px; font-weight: bold }"
    yield f".code {{ font: {SMALL}px {CODE}; white-space: pre }}"
    yield ".start { text-anchor: start }"
    yield ".end { text-anchor: end }"
    yield ".edge { fill: none; stroke-linecap: round; stroke-linejoin: round }"
    yield ".tangent-rim { stroke-dasharray: 2 3 }"
    yield ".axis { fill: none; stroke-width: 1.4; stroke-dasharray: 1 4; stroke-linecap: round }"
    yield ".badge-dot { stroke-width: 2 }"
    yield ".store { stroke-width: 3; stroke-linecap: round }"
    yield ".over { stroke-width: 1.3 }"
    yield ".thick { stroke-width: 4; stroke-linecap: round }"
    yield ".thin { stroke-width: 1.4 }"
    yield ".turning { fill: none; stroke-width: 1.8; stroke-linecap: round }"
    yield ".ghost { stroke-dasharray: 4 4 }"
    yield ".open-block { stroke-width: 1.3; stroke-dasharray: 5 4 }"
    yield ".ruler { fill: none; stroke-width: 1 }"
    yield ".guide { fill: none; stroke-width: 1; stroke-dasharray: 1 5 }"
    yield ".block { stroke-width: 1.2 }"
    yield ".part { stroke-width: 0 }"  # until one points at its card
    yield ".seam { stroke-width: 1.3; stroke-dasharray: 2 3 }"
    yield ".peak-line { fill: none; stroke-width: 1.2; stroke-dasharray: 4 3 }"
    yield ".arena-line { fill: none; stroke-width: 1.2 }"
    for kind in ("", *(f"{kind}-" for kind in FRAMES)):
        yield f".{kind}halo {{ stroke-width: 4; stroke-linejoin: round }}"
        yield f".{kind}under {{ fill: none; stroke-width: 5.6 }}"
    for kind, stroke in EDGES.items():
        yield f".edge.{kind} {{ stroke-width: {stroke.width}; stroke-dasharray: {stroke.dash} }}"
    yield ".edge.quiet { stroke-width: 1.2 }"
    yield from (f".edge.wide{width} {{ stroke-width: {width} }}" for width in WIDTHS)
    yield ".edge.tip { stroke-width: 1.6; stroke-dasharray: none }"
    for kind, fence in FRAMES.items():
        yield f".{kind}-frame {{ stroke-width: {fence.width}; stroke-dasharray: {fence.dash} }}"


def theme_rules(theme, dark):
    """The colours of one theme."""
    yield f"text {{ fill: {theme['ink']} }}"
    yield f".card {{ fill: {theme['card']}; stroke: {theme['rim']} }}"
    yield f".shade {{ fill: {theme['shade']}; stroke: none }}"
    yield f".track {{ fill: {LANES['neutral'][dark]}; stroke: {theme['rim']} }}"
    yield f".muted {{ fill: {theme['muted']} }}"
    yield f".badge-dot {{ fill: {theme['badge']}; stroke: {theme['card']} }}"
    yield f".sign {{ fill: {theme['sign']} }}"
    yield f".turning {{ stroke: {theme['sign']} }}"
    yield f".strip {{ stroke: none; fill: {ROLES['constant'].colours(dark)[1]} }}"
    yield f".adjoint-strip {{ stroke: none; fill: {ROLES['adjoint'].colours(dark)[1]} }}"
    for kind in ("", *(f"{kind}-" for kind in FRAMES)):
        ground = ROLES[FRAMES[kind[:-1]].role].colours(dark)[1] if kind else theme["card"]
        yield f".{kind}halo {{ stroke: {ground} }}"
        yield f".{kind}under {{ stroke: {ground} }}"
    for role, look in ROLES.items():
        yield f".{role} {{ stroke: {look.edge_of_card(dark)}; fill: {look.colours(dark)[1]} }}"
    for role in INKS:
        ink = ROLES[role].colours(dark)[0]
        yield f".{role}-ink {{ fill: {ink} }}"
        yield f".{role}-bar {{ fill: none; stroke: {ink} }}"
    for kind in ("input", "variable", "adjoint", "tangent", "gone"):
        ink, rim = ROLES[kind].colours(dark)[0], ROLES[kind].edge_of_card(dark)
        yield f".{kind}-chip {{ fill: {theme['card']}; stroke: {rim} }}"
        yield f".{kind}-chip-ink {{ fill: {ink} }}"
    yield f".data-chip {{ fill: {theme['card']}; stroke: {EDGES['data'].colours[dark]} }}"
    yield f".data-chip-ink {{ fill: {theme['ink']} }}"
    yield f".open-block {{ fill: none; stroke: {theme['muted']} }}"
    yield f".bookmark {{ fill: {theme['muted']}; stroke: none }}"
    rim = ROLES["adjoint"].edge_of_card(dark)
    yield f".same-adjoint {{ stroke: {rim}; fill: {theme['card']} }}"
    for role, tints in LANES.items():
        yield f".{role}-lane {{ stroke: none; fill: {tints[dark]} }}"
    for number, (stroke, fill) in enumerate(DARK_BUFFERS if dark else BUFFERS):
        yield f".b{number} {{ stroke: {stroke}; fill: {fill} }}"
        yield f".b{number}-rim {{ stroke: {stroke}; fill: none }}"
    for heat in HEAT:
        rim = ROLES["op"].edge_of_card(dark)
        yield f".{heat.name} {{ stroke: {rim}; fill: {heat.dark_fill if dark else heat.fill} }}"
    for kind, edge in EDGES.items():
        colour = edge.colours[dark]
        yield f".edge.{kind} {{ fill: none; stroke: {colour} }}"
    yield f".edge.quiet {{ fill: none; stroke: {theme['rim']} }}"
    yield f".edge.message {{ fill: none; stroke: {role_lines('input')[dark]} }}"
    yield f".axis {{ stroke: {EDGES['data'].colours[dark]} }}"
    yield f".ruler {{ stroke: {theme['muted']} }}"
    yield f".guide {{ stroke: {theme['rim']} }}"
    yield f".peak-line {{ stroke: {theme['ink']} }}"
    yield f".arena-line {{ stroke: {theme['muted']} }}"
    yield f".core {{ stroke: {theme['card']}; stroke-width: 1.8; fill: none }}"
    yield f".ring {{ stroke: {theme['ink']}; stroke-width: 2; fill: none }}"
