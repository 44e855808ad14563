"""`minigrad compare`: both engines on this machine, by size, by operations, by runs, in memory;
at last a map that says who is first."""

from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec
from math import ceil
from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad.course.contenders import (
    compile_on_jax,
    compile_slope,
    find_compiler,
    measure_peak,
    pose_slope,
    walk_back,
    with_jax,
    with_tensorflow,
    with_torch,
    with_torch_compiled,
)
from minigrad.draw.plot.axes import seconds_text
from minigrad.measure.comparison import align_rows

HELP = "compare the speed and memory of both engines on this machine"
NEEDS = ("matplotlib",)
SIZES, OPERATIONS = (10, 100, 1_000, 10_000, 100_000, 1_000_000), (10, 100, 1_000)
PEAK_SIZE = 4_000_000
LAYERS, BATCH, WIDTH = 24, 256, 64
BUSY = 0.7  # running programs per core from which times are to be doubted


def arguments(parser):
    """The command's options."""
    figure = (
        "file for the figure, .png, .svg or .pdf (default: compare.png); a map is saved beside it"
    )
    parser.add_argument("--out", default="compare.png", metavar="FILE", help=figure)
    turns = "timed runs of each engine (default: 9); more runs give steadier medians"
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help=turns)


def run(args):
    """Measures, prints the tables, saves the figure."""
    if args.rounds < 3:
        raise mg.ArgumentError(f"--rounds {args.rounds}", "quartiles need 3 rounds")
    if not Path(args.out).resolve().parent.is_dir():
        raise mg.ArgumentError(f"--out {args.out}: there is no such folder", "make it first")
    with one_thread():
        tell_load()
        found = contenders()
        sizes = compare_slopes(found, SIZES, args.rounds)
        print_section("Gradient of eleven operations, by size of the array", sizes.table)
        print_section("Its first result, with all that comes before", first_table(sizes, found))
        engines = {name: of_operations(slope) for name, slope in ENGINES.items()}
        chains = mg.measure.compare(engines, sizes=OPERATIONS, rounds=args.rounds)
        print_section("Gradient of a chain on 8 numbers, by operations", chains.table)
        print_section("Compiling the chain, and when it has paid", break_even_table(chains))
        print_section(f"Peak of one training step of {LAYERS} layers, MiB", peak_table())
    winners = sizes.winners()
    print_section(
        "Gradient of eleven operations: the fastest library", "\n".join(winners.sentences)
    )
    out = Path(args.out)
    the_map = out.with_stem(f"{out.stem}-map")
    save_figure(sizes.figure("Gradient of eleven operations"), out)
    title = "Gradient of eleven operations: the fastest library, with compile time"
    save_figure(winners.figure(title), the_map)
    print(f"\ndrawn: {out}, {the_map}")
    print("\nnext: lesson 13 explains each of these numbers: minigrad lab")
    print("      what makes the static ones small: lessons 08 and 09")
    return 0


def one_thread():
    """One thread for matrix products, where the package threadpoolctl is there to say so."""
    if not find_spec("threadpoolctl"):
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


def tell_load():
    """Says how busy the machine is, and what that means for the numbers below."""
    load = mg.measure.machine_load()
    if load is not None and load > BUSY:
        print(f"The machine is busy ({load:.2f} running programs per core): ", end="")
        print("trust ratios more than times,\nand quartiles more than medians.")


def print_section(title, text):
    """A table below its title."""
    print(f"\n{title}\n\n{text}", flush=True)


def save_figure(figure, path):
    """Writes a (fig, axes)."""
    try:
        figure[0].savefig(path, dpi=150)
    except ValueError as error:
        raise mg.ArgumentError(f"--out {path}: {error}", "end it in .png, .svg or .pdf") from None


# eleven operations on arrays ---------------------------------------------------------------------


def contenders():
    """Both engines, and what can run of PyTorch, TensorFlow, JAX, and our graph on JAX."""
    found = {name: of_size(slope) for name, slope in ENGINES.items()}
    for name, more in (
        ("torch", {"torch": with_torch, "torch, compiled": with_torch_compiled}),
        ("tensorflow", {"tensorflow, compiled": with_tensorflow}),
        ("jax", {"jax, compiled": with_jax, "static, on jax": of_size(compile_on_jax)}),
    ):
        if find_spec(name):
            found |= more
        else:
            print(f"{name} is not installed: skipped")
    if "torch, compiled" in found and not find_compiler():
        del found["torch, compiled"]
        print("torch.compile needs a C++ compiler: skipped")
    return found


def compare_slopes(found, sizes, rounds):
    """The comparison of contenders, without what a process loads at its first use."""
    for make in found.values():
        make((2, 2))()
    return mg.measure.compare(found, sizes=sizes, rounds=rounds)


def of_size(slope):
    """An engine's slope of y by the length of the array, or of a product by its shape."""
    return partial(slope_of_size, slope)


def slope_of_size(slope, size):
    """An engine's slope of what is posed for a size."""
    return slope(*pose_slope(size))


def first_table(sizes, found):
    """The table of first results, at the least and the largest size, and of peaks."""
    least, most = (f"{size:,}" for size in (sizes.sizes[0], sizes.sizes[-1]))
    rows = [["", f"first of {least}", f"first of {most}", f"peak, arrays of {PEAK_SIZE:,}"]]
    for name, make in found.items():
        peak, first = measure_peak(make, PEAK_SIZE), sizes.first[name]
        arrays = "not told here" if peak is None else f"{peak / (8 * PEAK_SIZE):.1f}"
        rows.append([name, seconds_text(first[0]), seconds_text(first[-1]), arrays])
    return "\n".join(align_rows(rows))


ENGINES = {"dynamic": walk_back, "static": compile_slope}


# chains of operations ----------------------------------------------------------------------------


def chain(count):
    """The sum after `count` operations, x·0.9 and tanh in turn."""

    def formula(x):
        for _ in range(count // 2):
            x = mg.tanh(x * 0.9)
        return mg.sum(x)

    return formula


def of_operations(slope):
    """An engine's slope of a chain on 8 numbers, by the count of operations."""
    return lambda count: slope(chain(count), np.ones(8))


def break_even_table(chains):
    """The table of compiling: seconds once, and the number of runs that pay them back."""
    rows = [["operations", "once", "a run saves", "paid after"]]
    for at, count in enumerate(chains.sizes):
        once = mg.measure.time(partial(compile_slope, chain(count), np.ones(8)), repeat=3)
        saved = chains.time("dynamic", at).median - chains.time("static", at).median
        gain, runs = "nothing", "never, here"
        if chains.ratio("static", at).holds(1):
            gain, runs = "no difference", "not told"
        elif saved > 0:
            gain, runs = seconds_text(saved), f"{ceil(once / saved):,} runs"
        rows.append([f"{count:,}", seconds_text(once), gain, runs])
    return "\n".join(align_rows(rows))


# memory ------------------------------------------------------------------------------------------


def peak_table():
    """The table of peaks: measured where arrays are counted, else planned."""
    x = np.ones((BATCH, WIDTH))
    weights = [mg.tensor(np.eye(WIDTH), requires_grad=True) for _ in range(LAYERS)]
    optimizer, counted = mg.optim.SGD(weights, lr=0.1), step_program(backend="numpy")

    def step():
        loss(x, weights).backward()
        optimizer.step()
        optimizer.zero_grad()

    freed = "static, each array freed after its last reader, measured"
    found = {"dynamic, measured": mg.measure.memory(step)}
    found[freed] = mg.measure.memory(lambda: counted(x))
    found["static, planned"] = step_program().plan.peak_bytes
    found["static, planned, checkpoints"] = step_program("sqrt").plan.peak_bytes
    return "\n".join(align_rows([[name, f"{size / 2**20:.2f}"] for name, size in found.items()]))


def loss(h, weights):
    """The mean square of what the layers give."""
    for w in weights:
        h = mg.tanh(h @ w)
    return mg.mean(h * h)


def step_program(checkpoints=None, backend="codegen"):
    """The same training step as a program."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(BATCH, WIDTH))
        weights = [mg.Variable(np.eye(WIDTH)) for _ in range(LAYERS)]
        slopes = mg.gradients(loss(x, weights), weights, checkpoints=checkpoints)
        step = mg.group(*[mg.assign_sub(w, 0.1 * g) for w, g in zip(weights, slopes, strict=True)])
    return mg.Session(graph, backend=backend).compile(step, [x])
