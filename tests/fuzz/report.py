"""Prints a failing program as Python that can be run."""

from fuzz.program import literal, source
from fuzz.settings import PREFIX, options_of, settings_of

OPTIONS = {
    "session": "",
    "session debug": ", debug=True",
    "session unoptimized": ", optimize=False",
    "session unoptimized debug": ", optimize=False, debug=True",
    "session numpy optimized": ', backend="numpy"',
    "session fast": ', rules="fast"',
    "session numba": ', backend="numba"',
}


def report(failure):
    """The failure as text: both values, a script without this package, and one with it."""
    program = failure.program
    lines = [
        f"# seed {program.seed}: {failure.way}, {failure.key}",
        f"# got      {shown(failure.got)}",
        f"# expected {shown(failure.expected)}",
    ]
    lines += ["import numpy as np", "import minigrad as mg", ""]
    lines += script(failure)
    lines += [
        "",
        "# the same, judged again:",
        "# from fuzz.check import judged",
        "# from fuzz.program import *",
        f"# print(judged({program!r}))",
    ]
    return "\n".join(lines)


def shown(value):
    """A value in a comment."""
    return repr(value).replace("\n", "\n#          ")


def script(failure):
    """Lines that build the program as a graph or run it on Tensors, and print its numbers."""
    program = failure.program
    dynamic = (
        failure.way not in OPTIONS
        and failure.way not in ("oracle", "plain", "differences")
        and not any(program.runs)
        and failure.way
        in (
            "dynamic",
            "lazy",
            "copied",
            "changed operands",
            "backward",
            "function",
            "transforms",
            "jacobian",
        )
    )
    lines = [f"a{x.id} = {literal(x.data)}" for x in program.inputs]
    lines += (
        ["with mg.lazy():" if failure.way == "lazy" else "if True:"]
        if dynamic
        else ["with mg.Graph() as graph:"]
    )
    for x in program.inputs:
        lines.append("    " + given(x, program, dynamic))
    cut = program.cut if program.cut is not None else len(program.steps)
    lines += source(program.steps[:cut], "    ")
    lines += derived(program)
    lines += source(program.steps[cut:], "    ")
    outputs = ", ".join(f"v{i}" for i in program.outputs)
    if dynamic:
        return [*lines, f"print({outputs})" if not program.orders else "print(d)"]
    feeds = ", ".join(f"v{x.id}: a{x.id}" for x in program.inputs if x.role == "fed")
    for options in (', optimize=False, backend="numpy"', options_text(failure.way)):
        if options is not None:
            lines.append(f"session = mg.Session(graph{options})")
            for run in program.runs:
                fetched = [*(f"v{i}" for i in program.outputs), *(f"v{a}" for a in run)]
                fetched += ["d"] * bool(program.orders)
                lines.append(f"print(session.run([{', '.join(fetched)}], {{{feeds}}}))")
            if any(program.runs):
                stored = [f"v{x.id}" for x in program.inputs if x.role == "variable"]
                lines.append(f"print(session.run([{', '.join(stored)}]))")
    return lines


def options_text(way):
    """What a way gives to its Session, as text; None where that is not all there is to it."""
    if not way.startswith(PREFIX):
        return OPTIONS.get(way)
    chosen = options_of(settings_of(way))
    return "".join(f", {name}={value!r}" for name, value in chosen.items())


def given(x, program, dynamic):
    """The line that makes an input."""
    if x.role == "array":
        return f"v{x.id} = a{x.id}"
    if dynamic:
        return f"v{x.id} = mg.tensor(a{x.id}, requires_grad={x.id in program.wrt})"
    if x.role == "fed":
        return f"v{x.id} = mg.placeholder('x{x.id}', {x.data.shape}, '{x.data.dtype}')"
    return f"v{x.id} = mg.{'Variable' if x.role == 'variable' else 'constant'}(a{x.id})"


def derived(program):
    """The line that makes the derivatives."""
    if not program.orders:
        return []
    there = {x.id for x in program.inputs} | {s.id for s in program.steps[: program.cut]}
    ys = [i for i in program.outputs if i in there]
    return [
        f"    ys, xs = [{', '.join(f'v{i}' for i in ys)}], "
        f"[{', '.join(f'v{i}' for i in program.wrt)}]",
        "    ws = [np.ones(y.shape) for y in ys]",
        "    vs = [np.ones(x.shape) for x in xs]",
        *(CALLS[o] for o in program.orders[:1]),
    ]


CALLS = {
    "reverse": "    d = mg.gradients(ys, xs, ws, unconnected='zero')",
    "checkpoints": "    d = mg.gradients(ys, xs, ws, unconnected='zero', checkpoints='sqrt')",
    "forward": "    d = mg.forward_gradients(ys, xs, vs, unconnected='zero')",
    "forward over reverse": "    d = mg.forward_gradients(mg.gradients(ys, xs, ws, "
    "unconnected='zero'), xs, vs, unconnected='zero')",
    "reverse over reverse": "    d = mg.gradients(mg.gradients(ys, xs, ws, unconnected='zero'), "
    "xs, vs, unconnected='zero')",
    "forward over forward": "    d = mg.forward_gradients(mg.forward_gradients(ys, xs, vs, "
    "unconnected='zero'), xs, vs, unconnected='zero')",
    "reverse over forward": "    d = mg.gradients(mg.forward_gradients(ys, xs, vs, "
    "unconnected='zero'), xs, ws, unconnected='zero')",
}
