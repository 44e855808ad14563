"""What holds bodies: loops, choices and fused kernels, by their parameters; a kernel's formula."""

from typing import NamedTuple

from minigrad.draw.read import is_graph_function, own_name, peek
from minigrad.draw.read.precedence import ATOM, MORE, PLUS, POWER, TIMES

NEXT = "next iteration"  # stands on the arc of a loop
FEW = 6  # operations of a condition that is written in a line


class LoopFacts(NamedTuple):
    """What is known of a value whose op runs bodies."""

    kind: str  # "while", "scan" or "choice"
    bodies: dict  # name → function with .inputs, .nodes and .outputs
    carries: int
    slices: int
    params: dict


class OpenLoop(NamedTuple):
    """A loop that is open: its value, and the values that stand for the formals of its bodies."""

    value: object
    loop: LoopFacts
    formals: tuple
    has_line: bool = False  # whether its condition is written, not drawn


def loop_of(value):
    """The Loop that a value is, or None. Never raises."""
    try:
        params = dict(getattr(value, "params", None) or {})
        bodies = {name: part for name, part in params.items() if is_graph_function(part)}
        counts = [int(params.get(name) or 0) for name in ("carries", "slices")]
        return LoopFacts(loop_kind(params, bodies), bodies, *counts, params) if bodies else None
    except Exception:
        return None


def loop_kind(params, bodies):
    """What kind of loop has these parameters, and bodies among them."""
    if "body" not in bodies:
        return "choice"
    return "while" if "condition" in bodies else "scan" if "slices" in params else "choice"


def fits_line(loop):
    """Whether a loop's condition fits into a line: a few operations on single numbers. What it
    reads from outside, the body must read as well: else there would be no arrow from it."""
    condition, body = loop.bodies["condition"], loop.bodies["body"]
    computed = [node for node in condition.nodes if node.inputs]
    single = all(peek(node, "shape", default=()) == () for node in computed)
    read, needed = (read_formals(fn, loop.carries) for fn in (condition, body))
    return single and len(computed) <= FEW and not any(map(loop_of, computed)) and read <= needed


def read_formals(fn, carries):
    """The places of what a body reads from outside."""
    read = {id(x) for node in fn.nodes for x in node.inputs} | {*map(id, fn.outputs)}
    return {at for at, x in enumerate(fn.inputs) if at >= carries and id(x) in read}


def kernel_of(value):
    """The steps of a fused value, as an object with .steps and .results; or None."""
    params = peek(value, "params")
    body = params.get("body") if isinstance(params, dict) else None
    fused = all(isinstance(peek(body, name), list) for name in ("steps", "results"))
    return body if fused and not is_graph_function(body) else None


def carry_names(loop):
    """The names of what a loop carries."""
    carried = loop.bodies["body"].inputs[: loop.carries]
    return [own_name(x) or f"carry {i}" for i, x in enumerate(carried)]


def formal_names(loop):
    """The names of what comes into an iteration: what is carried, then slices."""
    sliced = loop.bodies["body"].inputs[loop.carries :][: loop.slices]
    return [*carry_names(loop), *(f"{own_name(x) or 'x'}[t]" for x in sliced)]


def result_words(loop):
    """What each of a loop's results is: "last", "stack" or "history"."""
    stacked = len(loop.bodies["body"].outputs) - loop.carries
    return ["last"] * loop.carries + ["stack"] * stacked + ["history"] * loop.carries


def count_of(loop, xs):
    """How many iterations a scan has, as far as its operands tell; None where they do not."""
    shapes = [peek(x, "shape") or (None,) for x in xs[loop.carries :][: loop.slices]]
    return next((shape[0] for shape in shapes), loop.params.get("length"))


def loop_words(loop, xs):
    """The head of an open loop: how much of it is shown."""
    if loop.kind == "while":
        limit = loop.params.get("limit")
        return "one iteration" if limit is None else f"one iteration of at most {limit}"
    count = count_of(loop, xs)
    most = "one iteration" if count is None else f"one iteration of {count}"
    return f"{most}, from last to first" if loop.params.get("reverse") else most


def closed_words(loop, xs):
    """What a loop is called, and how many iterations it has: "scan, 3 iterations"."""
    count = count_of(loop, xs) if loop.kind == "scan" else None
    told = [loop.kind if loop.kind == "scan" else "while loop"]
    return ", ".join(told + [f"{count} iterations"] * (count is not None))


INFIX = {"Add": ("+", PLUS), "Sub": ("−", PLUS), "Mul": ("·", TIMES), "Div": ("/", TIMES)}
LONGEST = 120  # characters, of one part: a step that is used twice stands there twice


def kernel_formula(steps, result, names):
    """The text of one result; a step is (op's name, operands): first the names, then the steps."""
    texts = [(name, ATOM) for name in names]
    for op, places in steps:
        texts.append(term_of(op, [texts[at] for at in places]))
    return texts[result][0]


def term_of(op, parts):
    """(text, its precedence) of an op on such parts."""
    if op == "Mul" and len(parts) == 2 and parts[0] == parts[1]:
        return shorten(f"{bracket(parts[0], ATOM)}²"), POWER
    if op in INFIX and len(parts) == 2:
        sign, precedence = INFIX[op]
        left, right = parts
        space = " " if precedence == PLUS else ""
        one = bracket(left, precedence)
        other = bracket(right, precedence + MORE * (op in ("Sub", "Div")))
        return shorten(f"{one}{space}{sign}{space}{other}"), precedence
    if op == "Neg" and len(parts) == 1:
        return shorten(f"−{bracket(parts[0], TIMES)}"), PLUS
    return shorten(f"{op.lower()}({', '.join(text for text, _ in parts)})"), ATOM


def bracket(part, least):
    """The text, in brackets where its precedence is below the least that its place asks for."""
    text, precedence = part
    return text if precedence >= least else f"({text})"


def shorten(text):
    """The text, cut where it is too long to be read."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
