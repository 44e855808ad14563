"""What is said below a drawing: what was left out, and the calls that show it."""

from minigrad.draw.read import peek
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.fold import STEPS
from minigrad.draw.scene import Scene, handle_of

WHOLE = 150  # up to so many nodes can be laid out at once, whatever their edges
DERIVED = ("split", "mirror", "backward", "tangent")  # modes that show derivatives
DOUBLED = ("mirror", "backward")  # modes that have room for a second node for a value


def empty_scene(mode, title, graph, folding, limit, options=None):
    """The scene of a graph before anything is drawn. Without `options` it is a step of passes."""
    ids = tuple(graph.ids[at] for at in graph.results)
    notes = tuple(notes_on(graph, folding, limit, options))
    return Scene(mode, (), (), title, notes, len(graph.values), ids)


def draw_call(options, **more):
    """The call that draws the same with other options: 'draw(y, mode="mirror", expand="n2")'."""
    known = {"mode": options.mode} if options and options.mode != "forward" else {}
    for name in ("expand", "collapse"):
        given = tuple(getattr(options, name, ()) or ())
        known |= {name: given[0] if len(given) == 1 else list(given)} if given else {}
    told = known | more
    words = (f"{name}={quote_option(value)}" for name, value in told.items() if value != [])
    return f"draw(y, {', '.join(words)})"


def quote_option(value):
    """An option as it is written in a call."""
    if isinstance(value, Words):
        return value
    if isinstance(value, list):
        return f"[{', '.join(map(quote_option, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def notes_on(graph, folding, limit, options):
    """What was left out, and the calls that show more."""
    closed = [at for at in folding.alone() if loop_of(graph.values[at])]
    if closed and options and options.mode == "forward":
        id = graph.ids[closed[0]]
        yield f'{id} holds a body: draw(y, mode="loop"), {draw_call(options, expand=id)}'
    if freed := freed_places(graph):
        name = graph.names[freed[0]] or graph.ids[freed[0]]
        yield (
            f"backward() freed the inputs of {name}: draw before it, or call "
            "backward(retain_graph=True)."
        )
    if len(graph.values) != folding.size() + len(folding.hidden) or folding.size() > limit:
        yield from notes_on_folding(graph, folding, limit, options)


def notes_on_adjoints(adjoints, options):
    """Why only leaves have a number after backward(), and the call that shows all."""
    if adjoints.missing():
        call = draw_call(options, adjoints=Words("mg.stepwise.adjoint_trace(y)"))
        yield f"backward() keeps the adjoints of leaves alone; all of them: {call}"


def freed_places(graph):
    """The positions of operations whose inputs `backward` freed."""
    bare = [at for at, inputs in enumerate(graph.inputs) if graph.roles[at] == "op" and not inputs]
    return [at for at in bare if peek(graph.values[at], "is_leaf") is False]


def notes_on_folding(graph, folding, limit, options):
    """How many nodes are drawn of how many, and the calls that show more."""
    total, shown = len(graph.values), folding.size()
    if options is None:
        yield f"{total:,} nodes; drawing {shown}. More: draw.passes(executable, budget={total})"
        return
    if options.around is not None:
        yield f"{total:,} nodes; drawing {shown} around what was asked for."
        depth = (STEPS if options.depth is None else options.depth) + 1
        yield f"More: {draw_call(options, around=Words('…'), depth=depth)}"
        return
    said = [group.label for group in folding.groups if group.kind == "rest"]
    said += [f"{len(folding.hidden)} constants in labels"] * bool(folding.hidden)
    yield f"{total:,} nodes; drawing {shown} ({', '.join(said + folding.said)})."
    if calls := list(more(graph, folding, total, options)):
        yield f"More: {', '.join(calls)}"


class Words(str):
    """Words that stand in a call for what its reader has."""


def more(graph, folding, total, options):
    """Calls that show more, at most four."""
    first = {group.kind: group for group in reversed(folding.groups)}
    if "scope" in first and (handle := handle_of(first["scope"].path)):
        yield opening_call(options, handle)
    if "repeat" in first:
        yield opening_call(options, graph.ids[first["repeat"].members[0]])
    if "rest" in first:
        yield draw_call(options, around=graph.ids[first["rest"].members[-1]])
    if total <= WHOLE:
        yield draw_call(options, budget=total * (2 if options.mode in DOUBLED else 1))


def opening_call(options, handle):
    """The call that opens one thing more."""
    return draw_call(options, expand=[*options.expand, handle] if options.expand else handle)
