"""Drawing computation graphs: of either engine, or of any object with `.op` and `.inputs`.

The modules that draw are imported by the first picture, not by `import minigrad`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minigrad.draw.drawing import Drawing
    from minigrad.draw.paint.slider import Slider

__all__ = ["draw", "passes"]


def draw(
    *results: Any,
    mode: str | None = None,
    show: str | Iterable[str] | None = None,
    names: Mapping | None = None,
    title: str = "",
    values: Any = None,
    adjoints: Any = None,
    tangents: Any = None,
    wrt: Any = None,
    saved: bool | None = None,
    expand: str | Iterable[str] = (),
    collapse: str | Iterable[str] = (),
    depth: int | None = None,
    budget: int = 60,
    feed: Any = None,
    around: Any = None,
    placed: Any = None,
    profile: Any = None,
) -> Drawing:
    """Draw the computation graph of the results: a card for each value, an edge for each operand.

    Results are Tensors, Nodes, or values of any engine with `.op` and `.inputs`; or a Graph, all of
    it; or an Executable; or a Session, alone or with fetches, which it compiles; or a function and
    examples of its arguments. A net of mg.nn alone is drawn with an input of any number of rows.

    mode       "forward"; "split": each card holds a value above and its adjoint below, and each
               edge back the contribution along it; "tangent": tangents below; "mirror": the
               adjoints as a second graph below; "backward": that graph alone; "plan": a compiled
               program's operations in the order of a run, and below them its buffers in time
               and addresses (a graph in their colours above 400 operations, or where `show`,
               `expand`, `collapse`, `depth` or `around` ask for one); "loop": bodies of loops and
               choices opened; "workers": a lane for each worker, and the bytes of what travels
               between them; "profile": darker, the longer it takes; "step": a training step in
               lanes: forward pass, backward pass and updates. By default "step" where the graph
               computes gradients or updates, "split" after backward() and where adjoints are
               given, "tangent" where tangents are given or the graph computes them, else "forward"
    show       what labels say: any of op, name, params, shape, dtype, value, grad, bytes, line;
               also as shapes, values, …; by default op, name, params, shape and value
    names      locals(): nodes get the learner's variable names
    values     value → number, where a node has none itself (a static graph after a run): a loop
               whose operands all have numbers lists what it carried after each iteration, and in
               lanes, edges say what they contribute to an adjoint that is a sum of numbers
    adjoints   value → number, or what mg.stepwise.adjoint_trace returns; else each value's .grad;
               with that of its result, a loop lists the adjoints of what it carried, too
    tangents   value → number, or what mg.stepwise.tangent_trace returns
    wrt        what is differentiated: values, or arguments of a function by name; else the leaves
               that require a gradient
    saved      whether dashed lines lead from what the backward rules read, which bears a bookmark,
               to the adjoints that they are read for
    expand     name scopes, or ids such as "n12", that stay open in a large graph; the id of a
               loop opens its body
    collapse   name scopes, or ids of opened loops, that are closed in a small graph, too
    around     a value, or an id such as "n12": only what lies within `depth` steps (2) of it
    depth      only the values so many steps from a result
    budget     at most so many nodes; above it constants, scopes and repeats are folded
    placed     in mode "workers": value → the number of its worker
    profile    of an Executable, what its profile(feeds) found: then the mode is "profile"; in mode
               "workers", the times of a partition's last run
    feed       for a Session: what is fed, or {placeholder: number}, from which it knows what loops
               carry; else all placeholders that are needed

    Returns a Drawing, which a notebook shows and `save(path)` writes. It keeps the numbers of this
    moment. Where no layout engine is installed, it lists the graph, unless lanes can show it.
    Raises ArgumentError for what has no graph, and for an option that is not among those above.

    >>> x = mg.tensor(2.0, requires_grad=True, name="x")
    >>> drawing = mg.draw(x * 3)  # drawing.save("graph.svg") writes it
    """
    given = locals()  # the arguments, by their names
    from minigrad.draw.make import DrawOptions, draw_options

    return draw_options(DrawOptions(**given))


def passes(
    executable: Any,
    title: str = "",
    budget: int = 60,
    expand: str | Iterable[str] = (),
    collapse: str | Iterable[str] = (),
    runs: bool = True,
    rows: bool = True,
) -> Slider:
    """Draw what the passes that made an Executable's program did, in a row for each.

    What a pass made or changed is ringed, and what it removed is struck out, with the reason
    below; a fused group has a frame. Passes that found nothing are left out. Passes over the
    bodies of loops and choices have rows, too. At the end stands what `runs`, if that is wanted.

    A program too large for that, or where `rows` is False, is shown as a slider: one picture for
    each pass, with whole cards. In it loops and choices are open where there is room, else those
    that `expand` opens, by their handles, "loop1"; as it opens, and `collapse` closes, name
    scopes. Its last picture is of what runs, with its buffers and code.
    """
    from minigrad.draw.make import draw_passes

    return draw_passes(executable, title, budget, expand, collapse, runs, rows)


draw.passes = passes  # type: ignore[attr-defined]  # a function beside the function
