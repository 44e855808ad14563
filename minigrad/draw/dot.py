"""A scene in the DOT language, for Graphviz itself and for other tools."""

from minigrad.draw.look import EDGES, FONT, ROLES

SHAPES = {
    "ellipse": 'shape=ellipse, style=filled',
    "cylinder": 'shape=cylinder, style=filled',
    "box": 'shape=square, style=filled',
    "round": 'shape=box, style="rounded,filled"',
    "stack": 'shape=box3d, style=filled',
}


def dot(scene):
    """The DOT text of a scene: forward edges run on, adjoints stay in their primal's rank."""
    lines = [
        "digraph minigrad {",
        f"  rankdir=LR; label={quote(scene.title)}; fontname={quote(first_font())}",
        f"  node [fontname={quote(first_font())}, fontsize=12]; edge [arrowsize=0.7]",
        *(f"  {node_dot(node)}" for node in scene.nodes),
        *(f"  {{ rank=same; {node.of}; {node.id} }}" for node in scene.nodes if node.of),
        *(f"  {edge_dot(edge)}" for edge in scene.edges),
        *(f"  // {quote(note)}" for note in scene.notes),
        "}",
    ]
    return "\n".join(lines) + "\n"


def node_dot(node):
    """One node statement."""
    look = ROLES[node.role]
    double = ", peripheries=2" if node.result else ""
    return (
        f"{node.id} [label={quote(chr(10).join(node.texts()))}, "
        f"{SHAPES[ROLES[node.shape or node.role].shape]}{double}, "
        f'color="{look.stroke}", fillcolor="{look.fill}"]'
    )


def edge_dot(edge):
    """One edge statement; an adjoint edge is written forwards and drawn backwards."""
    stroke = EDGES[edge.kind]
    label = edge.label or (str(edge.slot) if edge.slot else "")
    attributes = [f'color="{ROLES[stroke.role].stroke}"']
    attributes += [f"label={quote(label)}"] if label else []
    attributes += ["style=dashed, constraint=false"] if edge.kind == "saved" else []
    ends = f"{edge.source} -> {edge.target}"
    if edge.kind == "adjoint":
        ends = f"{edge.target} -> {edge.source}"
        attributes.append("dir=back")
    return f"{ends} [{', '.join(attributes)}]"


def quote(text):
    """A DOT string: quotes, backslashes and ampersands escaped, so that nothing is markup."""
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    inner = inner.replace("\n", "\\n")
    return f'"{inner}"'


def first_font():
    """The first of the font names."""
    return FONT.split(",")[0]
