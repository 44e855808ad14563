"""A scene in the DOT language, for Graphviz itself and for other tools."""

from itertools import count

from minigrad.draw.layout.nesting import frame_tree
from minigrad.draw.look import BUFFERS, EDGES, FONT, FRAMES, HEAT, LIGHT, ROLES
from minigrad.draw.paint.marks import is_inverted
from minigrad.draw.read.bodies import NEXT

DASHED = ("saved", "tangent", "gone", "same", "control")
ASIDE = ("saved", "same")  # edges that do not say where nodes stand


def dot_text(scene):
    """The DOT text of a scene: forward edges run on, adjoints stay in their primal's rank."""
    font, there = quote(FONT.split(",")[0]), {node.id: node for node in scene.nodes}
    primals = [node for node in scene.nodes if not node.of]
    shadows = [node for node in scene.nodes if node.of]
    tree = frame_tree(scene, primals, scene.flows())
    lines = [
        "digraph minigrad {",
        f"  rankdir=LR; label={quote(scene.title)}; fontname={font}",
        f"  node [fontname={font}, fontsize=12]; edge [arrowsize=0.7]",
        *nest_dot(tree, there, "  ", count(1)),
        *(f"  {node_dot(node)}" for node in shadows),
        *(f"  {{ rank=same; {node.of}; {node.id} }}" for node in shadows if node.of in there),
        *(f"  {edge_dot(edge)}" for edge in scene.edges),
        *arcs_dot(scene.frames, there),
        *(f"  // {quote(line)}" for line in scene.remarks()),
        "}\n",
    ]
    return "\n".join(lines)


def nest_dot(nest, nodes, indent, numbers):
    """The node statements of a frame and of those in it, each frame as a cluster."""
    yield from (f"{indent}{node_dot(nodes[id])}" for id in nest.nodes)
    for inner in nest.inner:
        fence, look = FRAMES[inner.frame.kind], ROLES[FRAMES[inner.frame.kind].role]
        style = "dashed,filled" if fence.dash != "none" else "filled"
        label = quote("\n".join(inner.frame.texts()))
        yield (
            f"{indent}subgraph cluster_{next(numbers)} {{ label={label}; "
            f'style="{style}"; color="{look.rim}"; fillcolor="{look.fill}"; '
            f"penwidth={fence.width:g}"
        )
        yield from nest_dot(inner, nodes, indent + "  ", numbers)
        yield f"{indent}}}"


def node_dot(node):
    """One node statement: a round box, as each card is; a result's text is white."""
    stroke, fill = colours(node)
    style = {"gone": ",dashed", "tangent": ",dotted"}.get(node.mark or node.role, "")
    ring = f'penwidth=3, color="{LIGHT["ink"]}"' if node.mark == "ring" else f'color="{stroke}"'
    ink = f', fontcolor="{LIGHT["card"]}"' if is_inverted(node) else ""
    return (
        f"{node.id} [label={quote(chr(10).join(node.texts()))}, shape=box, "
        f'style="rounded,filled{style}", {ring}, fillcolor="{fill}"{ink}]'
    )


def colours(node):
    """(stroke, fill) of a node: of its buffer or its share of time, else of its role."""
    if node.fill[:1] == "b":
        return BUFFERS[int(node.fill[1:])]
    if node.fill[:1] == "h":
        return ROLES["op"].rim, HEAT[int(node.fill[1:])].fill
    look = ROLES[
        "gone" if node.mark == "gone" else "result" if is_inverted(node) else node.fill or node.role
    ]
    return look.rim, look.fill


def edge_dot(edge):
    """One edge statement; an adjoint edge is written forwards and drawn backwards."""
    stroke = EDGES[edge.kind]
    label = edge.label or (str(edge.slot) if edge.slot else "")
    colour = stroke.colours[0]
    twice = f"{colour}:{LIGHT['card']}:{colour}" if edge.kind == "inplace" else colour
    attributes = [f'color="{twice}"']
    attributes += [f"label={quote(label)}"] if label else []
    attributes += ["style=dashed"] if edge.kind in DASHED else []
    attributes += ["constraint=false"] if edge.kind in ASIDE else []
    ends = f"{edge.source} -> {edge.target}"
    if edge.kind == "adjoint":
        ends = f"{edge.target} -> {edge.source}"
        attributes.append("dir=back")
    return f"{ends} [{', '.join(attributes)}]"


def arcs_dot(frames, there):
    """The arc of each loop, from what is carried first to where it enters the next iteration."""
    style = f'color="{ROLES["body"].stroke}", penwidth=1.6, constraint=false'
    for frame in frames:
        if frame.carry_count and there.keys() >= {frame.ends[0], frame.starts[0]}:
            ends = f"{frame.ends[0]} -> {frame.starts[0]}"
            yield f"  {ends} [label={quote(NEXT)}, {style}]"


def quote(text):
    """A DOT string: quotes, backslashes and ampersands escaped, so that nothing is markup."""
    for sign, escaped in (("\\", "\\\\"), ('"', '\\"'), ("&", "&amp;"), ("\n", "\\n")):
        text = text.replace(sign, escaped)
    return f'"{text}"'
