"""What holds bodies: loops, choices and fused kernels, by their parameters; a kernel's formula."""

from typing import NamedTuple

from minigrad.draw.read import is_graph_function, peek

TURN_NAMES = 3  # carries named on the arc to the next turn


class LoopFacts(NamedTuple):
    """What is known of a value whose op runs bodies."""

    kind: str  # "while", "scan" or "choice"
    bodies: dict  # name → function with .inputs, .nodes and .outputs
    carries: int
    slices: int
    params: dict


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


def kernel_of(value):
    """The steps of a fused value, as an object with .steps and .results; or None."""
    params = peek(value, "params")
    body = params.get("body") if isinstance(params, dict) else None
    fused = all(isinstance(peek(body, name), list) for name in ("steps", "results"))
    return body if fused and not is_graph_function(body) else None


def turn_words(labels):
    """What stands on the arc back: the names of a few carries."""
    more = ["…"] * (len(labels) > TURN_NAMES)
    return f"next turn: {', '.join(labels[:TURN_NAMES] + more)}" if labels else "next turn"


def loop_words(loop, xs):
    """What kind of loop it is, and how many turns it takes."""
    if loop.kind == "while":
        limit = loop.params.get("limit")
        return ("while_loop", f"at most {limit} turns") if limit is not None else ("while_loop",)
    lengths = [peek(x, "shape", default=(None,))[:1] for x in xs[loop.carries :][: loop.slices]]
    length = next((n for shape in lengths for n in shape), loop.params.get("length"))
    way = "last to first" if loop.params.get("reverse") else "first to last"
    return ("scan", f"{length if length is not None else '?'} turns, {way}")


INFIX = {"Add": ("+", 1), "Sub": ("−", 1), "Mul": ("·", 2), "Div": ("/", 2)}
LONGEST = 120  # characters, of one part: a step that is used twice stands there twice


def kernel_formula(steps, result, names):
    """The text of one result; a step is (op's name, operands): first the names, then the steps."""
    texts = [(name, 9) for name in names]
    for op, places in steps:
        texts.append(term_of(op, [texts[at] for at in places]))
    return texts[result][0]


def term_of(op, parts):
    """(text, how firmly it holds together) of an op on such parts."""
    if op == "Mul" and len(parts) == 2 and parts[0] == parts[1]:
        return shorten(f"{bracket(parts[0], 9)}²"), 8
    if op in INFIX and len(parts) == 2:
        sign, firm = INFIX[op]
        left, right = parts
        space = " " if firm == 1 else ""
        one = bracket(left, firm)
        other = bracket(right, firm + (op in ("Sub", "Div")))
        return shorten(f"{one}{space}{sign}{space}{other}"), firm
    if op == "Neg" and len(parts) == 1:
        return shorten(f"−{bracket(parts[0], 2)}"), 1
    return shorten(f"{op.lower()}({', '.join(text for text, _ in parts)})"), 9


def bracket(part, firm):
    """The text, in brackets where it would fall apart beside a firmer sign."""
    text, holds = part
    return text if holds >= firm else f"({text})"


def shorten(text):
    """The text, cut where it is too long to be read."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
