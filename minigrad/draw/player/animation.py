"""A drawing with adjoints as an SVG that plays a trace: values appear, then adjoints add up."""

import re
from html import escape

from minigrad.core.errors import ArgumentError
from minigrad.draw.drawing import Drawing
from minigrad.draw.player.motion import MotionStep, next_sum, sheet
from minigrad.draw.trace.tokens import tokens_text

PLAYED = ("split", "mirror")  # the modes of drawings that have values and adjoints
VALUE = r'(<text class="(value[^"]*)"([^>]*)>[^<]*</text>)'
BEADS = {"adjoint": "adjoint-ink"}  # the colours of what runs along edges; of values, quiet


def animate_drawing(drawing, trace):
    """The SVG text of a drawing with adjoints that plays what `trace`, of the same values, tells.

    It rests after each round and repeats. Raises ArgumentError for a drawing without adjoints.
    """
    scene = drawing.scene
    if scene.mode not in PLAYED or not scene.nodes or trace.mode != "reverse":
        raise ArgumentError(
            f"animated: a drawing of mode {scene.mode!r} with {len(scene.nodes)} nodes, and a "
            f"trace of mode {trace.mode!r}",
            'draw(y, mode="split") of a graph that can be drawn, and the trace of its backward()',
        )
    steps = [*forward_steps(scene, trace), *backward_steps(scene, trace)]
    longest = max((step.words for step in steps), key=len)
    text = Drawing(scene._replace(notes=(" ", "·" * len(longest)))).svg  # room for the words
    text = with_beads(with_sums(with_words(text, steps), steps))
    return text.replace("</style>", f"{sheet(steps)}</style>", 1)


# what happens ------------------------------------------------------------------------------------


def edges_into(scene, kind):
    """{target: ((source, target), …)} of one kind of edge."""
    found = {}
    for edge in scene.edges:
        if edge.kind == kind:
            found[edge.target] = (*found.get(edge.target, ()), (edge.source, edge.target))
    return found


def forward_steps(scene, trace):
    """All leaves together, then a step per operation."""
    into = edges_into(scene, "data")
    leaves = [node for node in scene.nodes if not node.of and node.id not in into]
    given = ", ".join(f"{node.name} = {node.value}" for node in leaves if node.name)
    yield MotionStep(tuple(node.id for node in leaves), (), f"Forward. Given: {given}")
    for event in trace.events:
        if event.phase == "forward" and event.node in into:
            words = f"Forward. {tokens_text(event.formula)} = {event.result}"
            yield MotionStep((event.node,), into[event.node], words)


def backward_steps(scene, trace):
    """The seed, then a step for each contribution of one adjoint to another."""
    saved = edges_into(scene, "saved")
    numbers = {node.id for node in scene.nodes if node.of and node.value}
    for event in trace.events:
        if event.phase == "backward":
            own = f"{event.node}_bar"
            way = (tuple(f"{end}_bar" for end in event.edge),) if event.edge else ()
            sums = ((own, event.result),) if own in numbers and way else ()
            yield MotionStep((own,), (*way, *saved.get(own, ())), backward_words(event), sums)


def backward_words(event):
    """The words of a backward step: "w̄ = b̄ · 1 + ā · 1 = 5"."""
    formula = tokens_text(event.formula if event.edge else event.formula[:1])
    return f"Backward. {formula} = {event.result}"


# additions to the picture ------------------------------------------------------------------------


def with_words(text, steps):
    """The words of every step, one on top of the other below the key; at rest, the last ones."""
    spot = re.search(
        r'<text class="small start muted" x="([\d.]+)" y="([\d.]+)"[^>]*>·+</text>', text
    )
    place = f'x="{spot[1]}" y="{spot[2]}"'
    lines = [
        f'<text class="start words w{at}" visibility="hidden" {place}>{escape(step.words)}</text>'
        for at, step in enumerate(steps)
    ]
    rest = f'<text class="start rest" {place}>{escape(steps[-1].words)}</text>'
    return text.replace(spot[0], "\n".join([rest, *lines]))


def with_sums(text, steps):
    """Before an adjoint's label, what it says while contributions are missing."""
    for at, step in enumerate(steps):
        for id, amount in step.sums:
            if next_sum(steps, at, id) is not None:
                label = rf'(<g id="{id}" class="node">.*?){VALUE}'
                early = rf'<text class="\3 sum s{at}" visibility="hidden"\4>'
                early = rf"\1{early}{escape(amount)}</text>\2"
                text = re.sub(label, early, text, count=1)
    return text


def with_beads(text):
    """On every edge of values and adjoints a bead, which runs along it."""
    under = r'(?:<path class="[\w-]*under" d="[^"]*"/>)?'
    line = r'<path class="edge (data|parameter|adjoint)" d="([^"]*)"/>'
    return re.sub(rf'<g data-from="[^"]*" data-to="[^"]*">{under}{line}', with_bead, text)


def with_bead(match):
    """An edge's line, and the bead on it."""
    kind, way = match.groups()
    look, path = BEADS.get(kind, "muted"), f"offset-path: path('{way}')"
    return f'{match[0]}<circle class="bead {look}" r="4" visibility="hidden" style="{path}"/>'
