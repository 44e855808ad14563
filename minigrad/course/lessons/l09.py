"""Lesson 09: cases, references, typical wrong answers, pictures. The words are in 09.toml."""

import copy
import sys
from time import perf_counter

import numpy as np

import minigrad as mg
from minigrad.compiler import schedule
from minigrad.compiler.memory import plan_memory
from minigrad.course.lab import Lesson
from minigrad.course.teach import table

SIDE = 24  # pixels of a frame
LONG = 1000  # steps of a life that ends late
ORDERS = {"as it was built": schedule.program_order, "memory-aware": schedule.eager_order}
ROUNDS = 25  # of what is timed
FORWARD, BACKWARD, ARENA = "#2F7F64", "#D9824B", "#CFE5DA"

# the ink -----------------------------------------------------------------------------------------


def ink():
    """(a drop, a heart) as images of 24 × 24 pixels; 1 is full of ink."""
    at = np.linspace(-1.3, 1.3, SIDE)
    x, y = np.meshgrid(at, -at)
    drop = np.exp(-30 * (x**2 + y**2))
    heart = ((x**2 + y**2 - 0.6) ** 3 < 1.2 * x**2 * y**3).astype(float)
    return drop, heart


def show_frames(images, names, title=""):
    """Show images side by side, each over its name; white is 0 and black is 1."""
    from minigrad.draw.plot.axes import paper

    with paper([1.25]) as (_, (axes,)):
        axes.imshow(np.hstack(images), cmap="gray_r", vmin=0, vmax=1)
        axes.set_xticks(SIDE * np.arange(len(images)) + SIDE / 2, names)
        axes.set(title=title, yticks=[])
        axes.spines[:].set_visible(True)


def show_fall(drop, flow, in_place):
    """Let ink fall for 16 frames, each a new array and each written over h, and show both."""
    new, over = [drop], [drop]
    for _ in range(16):
        new.append(flow @ new[-1])
        over.append(in_place(over[-1].copy()))
    first, ours, other = (int(each.sum(axis=1).argmax()) for each in (drop, new[-1], over[-1]))
    print(f"row with most ink: {first} at first, {ours} in our last frame, {other} in the other")
    for title, images in (("a new array for each frame", new), ("written over h", over)):
        show_frames(images[::2], range(0, 17, 2), title)


# what all checks need ----------------------------------------------------------------------------


class InputChanged(Exception):
    """A function has changed the list that it was given."""


def call_reading(function, given):
    """What a function returns for a list. Raises InputChanged where the list is another then."""
    before = copy.deepcopy(given)
    found = function(given)
    if given != before:
        raise InputChanged("the list that it was given is not the same afterwards")
    return found


# live_ranges -------------------------------------------------------------------------------------

FOUR = [("exp",), ("double",), ("mul", 1, 0), ("add", 2), ("sum", 3)]  # of the lesson


def chain(layers, backward=False):
    """The program of a net: a line for each layer, for the loss, and for each step backward."""
    lines = [("layer", *([at - 1] if at else [])) for at in range(layers)]
    lines.append(("loss", layers - 1))
    for at in range(layers if backward else 0):
        lines.append(("back", layers + at, layers - 1 - at))
    return lines


def cases_live_ranges():
    """Programs: lists of lines, each with an operation and the places of its operands."""
    return [
        (FOUR,),
        ([("exp",), ("sin", 0), ("mul", 1, 0), ("add", 2, 0)],),
        ([("exp",), ("sin",), ("cos", 0)],),
        ([("exp",), ("mul", 0, 0)],),
        (chain(3, backward=True),),
        ([("low",), ("high", 0), ("test", 1), ("where", 2, 1, 0), ("add", 3, 2, 3, 1)],),
    ]


def show_live_ranges(program):
    """A case in words."""
    lines = ", ".join(f"({', '.join(map(str, line))})" for line in program)
    return f"the program [{lines}]"


def run_live_ranges(function, program):
    """The pairs that a function returns, as a text. Raises TypeError for a dictionary."""
    found = call_reading(function, program)
    if found is None:
        return None
    if isinstance(found, dict):
        raise TypeError("the result is a dictionary")
    return ", ".join(f"({int(first)}, {int(last)})" for first, last in found)


def reference_live_ranges(program):
    """Return (first, last) for each line: its own step, and the step of its last reader."""
    last = list(range(len(program)))
    for step, (_, *inputs) in enumerate(program):
        for place in inputs:
            last[place] = step
    return list(enumerate(last))


def ranges_by(program, change):
    """The right pairs after a change of each."""
    return [change(first, last, program) for first, last in reference_live_ranges(program)]


def never_longer(program):
    """Each value lives in its own step."""
    return ranges_by(program, lambda first, last, _: (first, first))


def to_the_end(program):
    """Each value lives until the end of the program."""
    return ranges_by(program, lambda first, last, lines: (first, len(lines) - 1))


def unread_to_the_end(program):
    """A value that is never read lives until the end."""
    read = {place for _, *inputs in program for place in inputs}
    return ranges_by(
        program, lambda first, last, lines: (first, last if first in read else len(lines) - 1)
    )


def from_the_start(program):
    """Each value lives from step 0."""
    return ranges_by(program, lambda first, last, _: (0, last))


def before_the_reader(program):
    """The last reader's step is left out."""
    return ranges_by(program, lambda first, last, _: (first, max(first, last - 1)))


def one_more(program):
    """The end is the step after the last one, as in a slice."""
    return ranges_by(program, lambda first, last, _: (first, last + 1))


def first_reader(program):
    """Each value lives until it is read for the first time."""
    last = list(range(len(program)))
    for step, (_, *inputs) in enumerate(program):
        for place in inputs:
            last[place] = step if last[place] == place else last[place]
    return list(enumerate(last))


def after_live_ranges(function):
    """Draw the live ranges of a net with eight layers: forward alone, and with a gradient."""
    from minigrad.draw.plot.axes import paper

    programs = {"forward pass alone": chain(8), "with the backward pass": chain(8, backward=True)}
    with paper([2.6], share=False, columns=2) as (_, panels):
        for axes, (title, program) in zip(
            panels[0] if len(panels) == 1 else panels, programs.items()
        ):
            for (op, *_), (first, last) in zip(program, function(program)):
                colour = BACKWARD if op == "back" else FORWARD
                axes.broken_barh([(first, last + 1 - first)], (first + 0.15, 0.7), fc=colour)
            axes.set(title=title, xlabel="step", ylim=(len(program), -0.5))
            axes.set_ylabel("line")


# lower_bound -------------------------------------------------------------------------------------


def cases_lower_bound():
    """Lists of blocks (bytes, first step, last step)."""
    return [
        ([(300, 0, 0), (100, 0, 1), (400, 1, 1)],),
        ([(80, 0, 2), (80, 1, 2), (80, 2, 3), (80, 3, 4)],),
        ([(200, 2, 2), (300, 0, 2)],),
        ([(300, 0, 4), (200, 1, 3), (100, 2, 2)],),
        ([(300, 0, 1), (200, 1, 2), (250, 2, 3)],),
        ([(100, 0, 0), (200, 0, LONG), (350, LONG, LONG)],),
        ([(500, 3, 3), (120, 5, 6)],),
        ([(350, LONG, LONG), (200, 0, LONG), (100, 0, 0)],),
    ]


def show_lower_bound(blocks):
    """A case in words."""
    return f"the blocks {blocks}"


def run_lower_bound(function, blocks):
    """The bytes that a function returns. Raises TypeError for what is no number."""
    found = call_reading(function, blocks)
    if found is None or isinstance(found, (int, float, np.number)):
        return found
    raise TypeError(f"the result is {type(found).__name__}, not a number")


def reference_lower_bound(blocks):
    """Return the most bytes that live at the same step."""
    return bound_by(blocks, lambda step, first, last: first <= step <= last)


def bound_by(blocks, lives):
    """The largest sum over the steps, with a rule of what lives at a step."""
    steps = range(1 + max(last for *_, last in blocks))
    return max(sum(n for n, a, b in blocks if lives(step, a, b)) for step in steps)


def sum_of_all(blocks):
    """All blocks together."""
    return sum(n for n, *_ in blocks)


def largest_block(blocks):
    """The largest of the blocks."""
    return max(n for n, *_ in blocks)


def end_left_out(blocks):
    """The last step of a block is left out."""
    return bound_by(blocks, lambda step, first, last: first <= step < last)


def ends_alone(blocks):
    """A block counts at its first and its last step alone."""
    return bound_by(blocks, lambda step, first, last: step in (first, last))


def number_of_blocks(blocks):
    """Blocks are counted, not bytes."""
    return reference_lower_bound([(1, first, last) for _, first, last in blocks])


def as_many_steps_as_blocks(blocks):
    """The steps end with the number of blocks."""
    return max(sum(n for n, a, b in blocks if a <= step <= b) for step in range(len(blocks)))


def meets_the_block(blocks):
    """For each block all that meet it, which need not meet each other."""
    return max(
        sum(n for n, a, b in blocks if a <= last and first <= b) for _, first, last in blocks
    )


def after_lower_bound(function):
    """Tell the bound of the four arrays, with a block for each, and with one that three share."""
    apart = [(80, *pair) for pair in reference_live_ranges(FOUR)[:4]]
    shared = [(80, 0, 2), (80, 1, 4)]
    print(f"  The four arrays, with a block for each: {function(apart)} bytes.")
    print(f"  With one block for b, c and d, as in steps 4 and 5: {function(shared)} bytes.")


# first_fit ---------------------------------------------------------------------------------------

LATE = [(300, 0, 0), (100, 0, 1), (400, 1, 1)]  # 800 bytes in this order
NET = [  # a layer each step, and two connections that skip some layers
    *[(512, 0, 1), (96, 1, 5), (128, 2, 3), (448, 3, 4), (448, 4, 5), (512, 5, 6), (384, 6, 7)],
    *[(64, 2, 5), (64, 0, 2)],
]


def cases_first_fit():
    """Lists of blocks (bytes, first step, last step), in the order in which they are placed."""
    return [
        (LATE,),
        (sorted(LATE, reverse=True),),
        ([(80, 0, 1), (80, 1, 2), (80, 2, 3)],),
        ([(100, 0, 0), (100, 0, 2), (50, 0, 2), (60, 1, 1), (40, 1, 2)],),
        ([(300, 0, 0), (100, 1, 1), (50, 0, 1)],),
        ([(300, 0, 0), (50, 1, 1), (100, 1, 1), (80, 0, 1)],),
        ([(200, 0, 0), (100, 0, 3), (150, 0, 0), (100, 0, 3), (90, 2, 2), (70, 2, 2)],),
        ([(30, 0, 0), (50, 0, 1), (40, 0, 0), (10, 0, 1), (40, 1, 1), (30, 1, 1)],),
        (NET,),
    ]


def show_first_fit(blocks):
    """A case in words."""
    return f"the blocks {blocks}"


def run_first_fit(function, blocks):
    """The offsets that a function returns, as a text. Raises TypeError for what is no list."""
    found = call_reading(function, blocks)
    if found is None:
        return None
    if isinstance(found, dict):
        raise TypeError("the result is a dictionary")
    return ", ".join(str(int(offset)) for offset in found)


def place_by(blocks, place):
    """The offsets of blocks, each placed among the (start, end, first, last) of those before it."""
    taken = []
    for size, first, last in blocks:
        start = place(size, first, last, taken)
        taken.append((start, start + size, first, last))
    return [start for start, *_ in taken]


def in_the_way(first, last, taken):
    """The sorted (start, end) of what is placed and lives at a step of these."""
    return sorted((start, end) for start, end, a, b in taken if a <= last and first <= b)


def lowest_gap(size, spans):
    """The lowest start that is free; spans are sorted."""
    place = 0
    for start, end in spans:
        if start - place >= size:
            break
        place = max(place, end)
    return place


def reference_first_fit(blocks):
    """Give each block the lowest offset at which it meets none of those before it."""
    return place_by(
        blocks,
        lambda size, first, last, taken: lowest_gap(size, in_the_way(first, last, taken)),
    )


def one_on_another(blocks):
    """Each block above all before it."""
    return place_by(blocks, lambda size, first, last, taken: max([0, *(e for _, e, *_ in taken)]))


def above_all_in_the_way(blocks):
    """Each block above all that live at its steps: gaps stay empty."""
    return place_by(
        blocks,
        lambda size, first, last, taken: max([0, *(e for _, e in in_the_way(first, last, taken))]),
    )


def not_at_one_step(blocks):
    """Blocks that meet at one step alone are not in the way."""
    return place_by(
        blocks,
        lambda size, first, last, taken: lowest_gap(
            size, sorted((s, e) for s, e, a, b in taken if a < last and first < b)
        ),
    )


def climbs_down(blocks):
    """The place is the end of the span before, even where an earlier one ends above it."""

    def place_below(size, first, last, taken):
        place = 0
        for start, end in in_the_way(first, last, taken):
            if start - place >= size:
                break
            place = end
        return place

    return place_by(blocks, place_below)


def not_sorted(blocks):
    """The blocks in the way are met in the order in which they were placed."""
    return place_by(
        blocks,
        lambda size, first, last, taken: lowest_gap(
            size, [(s, e) for s, e, a, b in taken if a <= last and first <= b]
        ),
    )


def smallest_gap(blocks):
    """The smallest gap that is large enough."""

    def best(size, first, last, taken):
        gaps, place = [], 0
        for start, end in in_the_way(first, last, taken):
            if start - place >= size:
                gaps.append((start - place, place))
            place = max(place, end)
        return min(gaps)[1] if gaps else place

    return place_by(blocks, best)


def no_exact_gap(blocks):
    """A gap has to be larger than the block."""
    return place_by(
        blocks,
        lambda size, first, last, taken: lowest_gap(size + 1, in_the_way(first, last, taken)),
    )


def arena_of(blocks, offsets):
    """The bytes of an arena: the highest end of a block."""
    return max(offset + size for offset, (size, *_) in zip(offsets, blocks))


def after_first_fit(function):
    """Draw the arena of a net, placed by the learner's function in two orders."""
    from minigrad.draw.plot.axes import paper

    orders = {"order of steps": sorted(NET, key=lambda block: block[1])}
    orders["largest first"] = sorted(NET, reverse=True)
    bound = reference_lower_bound(NET)
    with paper([2.8], columns=2) as (_, panels):
        for axes, (name, blocks) in zip(panels, orders.items()):
            offsets = function(blocks)
            for offset, (size, first, last) in zip(offsets, blocks):
                span = [(first + 0.04, last + 0.92 - first)]
                axes.broken_barh(span, (offset, size), fc=ARENA, ec="#0B6B57")
            axes.axhline(bound, color="#B0430A", linestyle="--")
            arena = arena_of(blocks, offsets)
            axes.set(title=f"{name}: {arena:,} bytes", xlabel="step", ylim=(0, 2200))
        panels[0].set_ylabel("bytes")
    print(f"  A net with nine blocks. Its lower bound, {bound:,} bytes, is the dashed line.")


# films -------------------------------------------------------------------------------------------


def plan_of(film, frames, training):
    """The plan of a film: of the forward pass to its last frame, or of a training step."""
    session, drop, shown, loss, step = film(frames)
    return session.compile([loss, step] if training else shown[-1], [drop]).plan


def peak_frames(film, frames, training):
    """The peak memory of a film of so many frames, in frames, in the plan of a session."""
    return plan_of(film, frames, training).peak_bytes // (8 * SIDE**2)


def show_memory(film, frames):
    """Draw the frames at once, step by step, of a forward pass and of a training step."""
    names = {"static, forward pass": False, "static, training step": True}
    plans = {name: plan_of(film, frames, training) for name, training in names.items()}
    unit = ("frames", 8 * SIDE**2)
    mg.plot.memory(plans, by="step", unit=unit)[1].set(ylabel="frames at once")


def layout_of(film, order, *sizes):
    """The Layout of a film's training step, by the name of an order."""
    session, drop, _, loss, step = film(*sizes)
    return schedule.lay_out_program(session.compile([loss, step], [drop]).program, ORDERS[order])


def frames_at_once(film, order, *sizes):
    """The peak memory of a film's training step, in frames, by the name of an order."""
    return layout_of(film, order, *sizes).peak_bytes // (8 * SIDE**2)


def show_levels(film, *runs):
    """Draw the frames at once, step by step, of training steps (label, order, sizes of film)."""
    from minigrad.draw.plot.axes import paper

    with paper([2.8]) as (_, (axes,)):
        for (label, order, *sizes), style in zip(runs, ("by hand", "dynamic", "static")):
            plan = plan_memory(layout_of(film, order, *sizes))
            levels = np.zeros(len(plan.order) + 1)
            for buffer in plan.buffers:
                for life in buffer.lives:
                    levels[life.first : life.last + 1] += buffer.bytes / (8 * SIDE**2)
            levels = levels[np.flatnonzero(levels)[0] :]
            look = mg.plot.style_of(style, marker="")
            axes.plot(levels, **look)
            at = 30 + int(np.argmax(levels))
            high = levels.max() > 30
            place = (at, levels.max() + 3) if high else (len(levels), 8)
            told = label if high else label.replace(", ", ",\n")
            axes.text(*place, told, color=look["color"])
        axes.set(xlabel="step", ylabel="frames at once", ylim=(0, 78), xlim=(0, 1220))


def compare_memory(ways, unit):
    """A table: the peak memory of each way, in units of so many bytes, and its median time as a
    multiple of that of the first way; other programs disturb it less than a minimum."""
    peaks = {name: mg.measure.memory(way) / unit for name, way in ways.items()}
    spent = {name: [] for name in ways}
    for name in [*ways] * ROUNDS:  # by turns
        begun = perf_counter()
        ways[name]()
        spent[name].append(perf_counter() - begun)
    middle = {name: np.median(seconds) for name, seconds in spent.items()}
    first = middle[next(iter(ways))]
    rows = [(name, peak, middle[name] / first) for name, peak in peaks.items()]
    return table(["training step", "peak memory, in layers", "median time"], rows, ".3g")


# exit --------------------------------------------------------------------------------------------


def judge_exit(value, words):
    """The hint for a wrong pair (frames at once with a skip, results at once with checkpoints)."""
    try:
        skip, held = value
        skip, held = float(skip), float(held)
    except (TypeError, ValueError):
        return words["form"]
    if 57 <= skip <= 63 and held == 3:
        return words["swapped"]
    if skip != 3:
        return words["skip_2"] if skip == 2 else words["skip"]
    if not 57 <= held <= 63:
        return words.get(f"held_{held:.0f}", words["otherwise"])
    return None


lesson = Lesson("09", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
