"""What every drawing looks like: colour and outline by role, sizes, the two themes as CSS."""

from typing import NamedTuple

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
SIZE, SMALL = 12, 10  # text, in pixels
LINE = 16  # from one line of a label to the next


class Look(NamedTuple):
    """How one role is drawn, in the light and in the dark theme; text is always ink."""

    shape: str
    word: str
    stroke: str
    fill: str
    dark_stroke: str
    dark_fill: str


ROLES = {
    "input": Look("ellipse", "input", "#0072B2", "#DCEBF7", "#6FB7EA", "#12324A"),
    "variable": Look("cylinder", "variable", "#00795A", "#D8F0E6", "#4FC79C", "#0F3B2E"),
    "constant": Look("box", "constant", "#6B7785", "#EEF0F2", "#97A3B0", "#2A313A"),
    "op": Look("round", "operation", "#3E4C59", "#FFFFFF", "#AEBAC6", "#1F262E"),
    "folded": Look("stack", "folded", "#6B7785", "#F7F9FB", "#97A3B0", "#232A32"),
    "adjoint": Look("round", "adjoint", "#B84A00", "#FCE5D8", "#FF9A57", "#43230F"),
    "tangent": Look("round", "tangent", "#8A3A74", "#F3E2F0", "#E08FD0", "#3D1F38"),
    "scope": Look("round", "name scope", "#CBD2D9", "#F7F9FB", "#4A5561", "#1C2229"),
}


class Stroke(NamedTuple):
    """How one kind of edge is drawn."""

    word: str
    role: str
    dash: str
    width: float


EDGES = {
    "data": Stroke("value", "op", "", 1.3),
    "adjoint": Stroke("adjoint", "adjoint", "", 1.3),
    "saved": Stroke("saved for backward", "constant", "4 3", 1.1),
}

BUFFERS = (  # stroke and fill by number, taken again from the first when there are more
    ("#0072B2", "#CFE4F5"), ("#B84A00", "#FBDDCB"), ("#004D37", "#CDEBDF"),
    ("#4A1A7A", "#E4DBF4"), ("#D0408F", "#FBDCEB"), ("#5F6B76", "#E9ECEF"),
)

LIGHT = {"ink": "#17212B", "card": "#FFFFFF", "rim": "#CBD2D9"}
DARK = {"ink": "#E8EDF2", "card": "#171C22", "rim": "#3A444F"}


def style_sheet():
    """The CSS of a drawing: light, and dark where the reader's system asks for it."""
    dark = "".join(f"  {line}\n" for line in theme_rules(DARK, dark=True))
    return (
        "".join(f"{line}\n" for line in [*fixed_rules(), *theme_rules(LIGHT, dark=False)])
        + f"@media (prefers-color-scheme: dark) {{\n{dark}}}\n"
    )


def fixed_rules():
    """The rules that both themes share."""
    yield f"text {{ font: {SIZE}px {FONT}; text-anchor: middle }}"
    yield ".bold { font-weight: bold } .over { text-decoration: overline }"
    yield f".small {{ font-size: {SMALL}px }} .start {{ text-anchor: start }}"
    yield ".edge { fill: none; stroke-linecap: round }"
    for kind, stroke in EDGES.items():
        dash = f"; stroke-dasharray: {stroke.dash}" if stroke.dash else ""
        yield f".edge.{kind} {{ stroke-width: {stroke.width}{dash} }}"


def theme_rules(theme, dark):
    """The colours of one theme."""
    yield f"text {{ fill: {theme['ink']} }}"
    yield f".card {{ fill: {theme['card']}; stroke: {theme['rim']} }}"
    yield f".halo {{ stroke: {theme['card']}; stroke-width: 4; stroke-linejoin: round }}"
    for role, look in ROLES.items():
        stroke, fill = (look.dark_stroke, look.dark_fill) if dark else (look.stroke, look.fill)
        yield f".{role} {{ stroke: {stroke}; fill: {fill} }}"
    for kind, edge in EDGES.items():
        colour = ROLES[edge.role].dark_stroke if dark else ROLES[edge.role].stroke
        yield f".edge.{kind} {{ stroke: {colour}; fill: none }} .tip.{kind} {{ fill: {colour} }}"
