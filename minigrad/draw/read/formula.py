"""The formula of a fused kernel, from its steps: tanh(x·w + b)."""

INFIX = {"Add": ("+", 1), "Sub": ("−", 1), "Mul": ("·", 2), "Div": ("/", 2)}
LONGEST = 120  # characters, of one part: a step that is used twice stands there twice


def formula(steps, result, names):
    """The text of one result; a step is (op's name, operands): i ≥ 0 is names[i], -i-1 step i."""
    texts = []
    for op, places in steps:
        parts = [(names[at], 9) if at >= 0 else texts[-at - 1] for at in places]
        texts.append(term(op, parts))
    return texts[result][0]


def term(op, parts):
    """(text, how firmly it holds together) of an op on such parts."""
    if op == "Mul" and len(parts) == 2 and parts[0] == parts[1]:
        return short(f"{bracket(parts[0], 9)}²"), 8
    if op in INFIX and len(parts) == 2:
        sign, firm = INFIX[op]
        left, right = parts
        space = " " if firm == 1 else ""
        one = bracket(left, firm)
        other = bracket(right, firm + (op in ("Sub", "Div")))
        return short(f"{one}{space}{sign}{space}{other}"), firm
    if op == "Neg" and len(parts) == 1:
        return short(f"−{bracket(parts[0], 2)}"), 1
    return short(f"{op.lower()}({', '.join(text for text, _ in parts)})"), 9


def bracket(part, firm):
    """The text, in brackets where it would fall apart beside a firmer sign."""
    text, holds = part
    return text if holds >= firm else f"({text})"


def short(text):
    """The text, cut where it is too long to be read."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
