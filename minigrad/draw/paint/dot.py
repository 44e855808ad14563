"""A scene in the DOT language, for Graphviz itself and for other tools."""

from minigrad.draw.layout.nesting import frame_tree
from minigrad.draw.look import BUFFERS, EDGES, FLOWS, FONT, FRAMES, LIGHT, ROLES

SHAPES = {
    "ellipse": ("shape=ellipse", "filled"),
    "cylinder": ("shape=cylinder", "filled"),
    "box": ("shape=square", "filled"),
    "round": ("shape=box", "rounded,filled"),
    "stack": ("shape=box3d", "filled"),
}
DASHED = ("saved", "tangent", "gone")


def dot_text(scene):
    """The DOT text of a scene: forward edges run on, adjoints stay in their primal's rank."""
    there = {node.id for node in scene.nodes}
    edges = [edge for edge in scene.edges if edge.kind in FLOWS]
    primals = [node for node in scene.nodes if not node.of]
    tree = frame_tree(scene, primals, edges)
    lines = [
        "digraph minigrad {",
        f"  rankdir=LR; label={quote(scene.title)}; fontname={quote(first_font())}",
        f"  node [fontname={quote(first_font())}, fontsize=12]; edge [arrowsize=0.7]",
        *nest_dot(tree, {node.id: node for node in primals}, "  ", [0]),
        *(f"  {node_dot(node)}" for node in scene.nodes if node.of),
        *(f"  {{ rank=same; {node.of}; {node.id} }}" for node in scene.nodes if node.of in there),
        *(f"  {edge_dot(edge)}" for edge in scene.edges),
        *(
            f"  {turn_dot(frame)}"
            for frame in scene.frames
            if frame.carried and {frame.ends[0], frame.starts[0]} <= there
        ),
        *(f"  // {quote(note)}" for note in (*(text for _, text in scene.legend), *scene.notes)),
        "}",
    ]
    return "\n".join(lines) + "\n"


def nest_dot(nest, nodes, indent, count):
    """The node statements of a frame and of those in it, each frame as a cluster."""
    yield from (f"{indent}{node_dot(nodes[id])}" for id in nest.nodes)
    for inner in nest.inner:
        count[0] += 1
        fence, look = FRAMES[inner.frame.kind], ROLES[FRAMES[inner.frame.kind].role]
        style = "dashed,filled" if fence.dash != "none" else "filled"
        label = quote("\n".join(inner.frame.lines))
        yield (
            f"{indent}subgraph cluster_{count[0]} {{ label={label}; "
            f'style="{style}"; color="{look.stroke}"; fillcolor="{look.fill}"; '
            f"penwidth={fence.width:g}"
        )
        yield from nest_dot(inner, nodes, indent + "  ", count)
        yield f"{indent}}}"


def node_dot(node):
    """One node statement."""
    stroke, fill = colours(node)
    shape, style = SHAPES[ROLES[node.shape or node.role].shape]
    style += {"gone": ",dashed", "tangent": ",dotted"}.get(
        node.role if node.role == "tangent" else node.mark, ""
    )
    more = ", peripheries=2" if node.result else ""
    ring = node.mark == "ring"
    more += f', penwidth=3, color="{LIGHT["ring"]}"' if ring else f', color="{stroke}"'
    style = f'"{style}"' if "," in style else style
    return (
        f"{node.id} [label={quote(chr(10).join(node.texts()))}, {shape}, style={style}{more}, "
        f'fillcolor="{fill}"]'
    )


def colours(node):
    """(stroke, fill) of a node: of its buffer, else of its role."""
    if node.fill[:1] == "b":
        return BUFFERS[int(node.fill[1:])]
    return ROLES[node.fill or node.role].colours()


def edge_dot(edge):
    """One edge statement; an adjoint edge is written forwards and drawn backwards."""
    stroke = EDGES[edge.kind]
    label = edge.label or (str(edge.slot) if edge.slot else "")
    colour = ROLES[stroke.role].stroke
    twice = f"{colour}:{LIGHT['card']}:{colour}" if edge.kind == "inplace" else colour
    attributes = [f'color="{twice}"']
    attributes += [f"label={quote(label)}"] if label else []
    attributes += ["style=dashed"] if edge.kind in DASHED else []
    attributes += ["constraint=false"] if edge.kind == "saved" else []
    ends = f"{edge.source} -> {edge.target}"
    if edge.kind == "adjoint":
        ends = f"{edge.target} -> {edge.source}"
        attributes.append("dir=back")
    return f"{ends} [{', '.join(attributes)}]"


def turn_dot(frame):
    """The arc of a loop, from what is carried first to where it enters the next turn."""
    colour = ROLES["body"].stroke
    return (
        f"{frame.ends[0]} -> {frame.starts[0]} [label={quote(frame.turn)}, "
        f'color="{colour}", penwidth=1.6, constraint=false]'
    )


def quote(text):
    """A DOT string: quotes, backslashes and ampersands escaped, so that nothing is markup."""
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    inner = inner.replace("\n", "\\n")
    return f'"{inner}"'


def first_font():
    """The first of the font names."""
    return FONT.split(",")[0]
