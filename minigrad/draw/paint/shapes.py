"""The outlines of nodes: ellipse, cylinder, square, rounded box, stack."""


def num(value):
    """A coordinate to 0.1, without a trailing .0 and without -0."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def outline_of(shape, box, role, double=False):
    """The outline; a double one for a result."""
    draw = SHAPES[shape]
    inner = box._replace(w=box.w - 6, h=box.h - 6)
    return draw(box, role) + (draw(inner, role) if double else "")


def rectangle(box, role, radius):
    """A box with corners of this radius."""
    return (
        f'<rect class="{role}" x="{num(box.left)}" y="{num(box.top)}" width="{num(box.w)}" '
        f'height="{num(box.h)}" rx="{num(radius)}"/>'
    )


def ellipse(box, role):
    """Placeholders and inputs."""
    return (
        f'<ellipse class="{role}" cx="{num(box.x)}" cy="{num(box.y)}" rx="{num(box.w / 2)}" '
        f'ry="{num(box.h / 2)}"/>'
    )


def cylinder(box, role):
    """Variables: they store."""
    left, right, lid = num(box.left), num(box.right), 4.5
    half, top, low = num(box.w / 2), num(box.top + lid), num(box.bottom - lid)
    body = f"M{left} {top} V{low} A{half} {lid} 0 0 0 {right} {low} V{top}"
    rim = f"A{half} {lid} 0 0 0 {left} {top} A{half} {lid} 0 0 0 {right} {top}"
    return f'<path class="{role}" d="{body} {rim}"/>'


def stack(box, role):
    """Several nodes folded into one: two sheets behind the first."""
    sheets = [box._replace(x=box.x + d, y=box.y - d) for d in (3, 0)]
    return "".join(rectangle(sheet, role, 7) for sheet in sheets)


SHAPES = {
    "ellipse": ellipse,
    "cylinder": cylinder,
    "stack": stack,
    "box": lambda box, role: rectangle(box, role, 0),
    "round": lambda box, role: rectangle(box, role, 7),
}
