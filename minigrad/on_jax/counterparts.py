"""What ops without a formula of arrays are on JAX: choices, loops, draws; and what may be wrong."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from minigrad.core.errors import ArgumentError
from minigrad.core.ops.arrange import AddAlongAxis, TakeAlongAxis
from minigrad.core.ops.elementwise import Keep, Power
from minigrad.core.ops.index import ARRAY, GetItem, Scatter
from minigrad.core.ops.nn import CrossEntropy
from minigrad.core.ops.random import Normal, Uniform
from minigrad.core.ops.reduce import KeepTied
from minigrad.core.spec import Spec, spec_of
from minigrad.on_jax.arrays import JaxArray, unknown_length
from minigrad.static.control.choice import Cond
from minigrad.static.control.loop import Scan, While, common_length, split_operands
from minigrad.static.statements import Print

# choices and loops --------------------------------------------------------------------------------


def choose_branch(notes, pred, *xs, then, otherwise):
    """Cond, by lax.cond."""

    def branch(fn):
        def run(marks):
            with notes.inside(marks):
                return known_values(notes.run(fn, xs)), notes.marks

        return run

    ys, notes.marks = lax.cond(pred.value, branch(then), branch(otherwise), notes.marks)
    return tuple(map(JaxArray, ys))


def known_values(ys):
    """The bare arrays. Raises GraphError where only a run tells a length."""
    if any(y.count is not None for y in ys):
        raise unknown_length()
    return [y.value for y in ys]


def loop_while(notes, *xs, condition, body, carries, limit, record):
    """While, by lax.while_loop; stacks have as much room as the notes say."""
    state, _, fixed = split_operands(xs, carries)

    def is_going(state, made):
        """True for another iteration; at the limit the condition is not asked."""

        def ask(marks):
            with notes.inside(marks):
                (more,) = notes.run(condition, [*map(JaxArray, state), *fixed])
                return more.value & (notes.marks[1] == 0), notes.marks

        if limit is None:
            more, notes.marks = ask(notes.marks)
        else:
            stop = lambda marks: (jnp.zeros((), bool), marks)  # noqa: E731
            more, notes.marks = lax.cond(made < limit, ask, stop, notes.marks)
        return more

    def step(carried):
        made, _, state, stacks, marks = carried
        with notes.inside(marks):
            stacks = put_rows(stacks, state, made) if record else stacks
            state = known_values(notes.run(body, [*map(JaxArray, state), *fixed]))
            more = is_going(state, made + 1)
            return made + 1, more, state, stacks, notes.marks

    state = [x.value for x in state]
    stacks = [jnp.zeros((notes.room, *x.shape), x.dtype) for x in state] if record else []
    start = jnp.zeros((), np.int64)
    carried = start, is_going(state, start), state, stacks, notes.marks
    made, _, state, stacks, notes.marks = lax.while_loop(lambda c: c[1], step, carried)
    if record:
        notes.note_count(made)
    return (*map(JaxArray, state), *(JaxArray(stack, made) for stack in stacks))


def put_rows(stacks, rows, place):
    """The stacks with a row written into each."""
    return [
        lax.dynamic_update_index_in_dim(stack, row, place, 0) for stack, row in zip(stacks, rows)
    ]


def loop_over(notes, *xs, body, carries, slices, reverse, length, record):
    """Scan, by lax.fori_loop."""
    state, sliced, fixed = split_operands(xs, carries, slices)
    counts = [x.count for x in sliced if x.count is not None]
    many = counts[0] if counts else common_length(sliced, length)
    room = sliced[0].shape[0] if counts else many
    specs = stacked_specs(body, state, sliced, fixed, record)
    if None in [n for spec in specs for n in spec.shape]:
        raise unknown_length()
    stacks = [jnp.zeros((room, *spec.shape), spec.dtype) for spec in specs]
    if not room:
        return (*state, *map(JaxArray, stacks))

    def step(i, carried):
        state, stacks, marks = carried
        t = many - 1 - i if reverse else i
        rows = [lax.dynamic_index_in_dim(x.value, t, 0, keepdims=False) for x in sliced]
        with notes.inside(marks):
            results = notes.run(body, [*map(JaxArray, state), *map(JaxArray, rows), *fixed])
            results = known_values(results)
            row = [*results[carries:], *(state if record else ())]
            return results[:carries], put_rows(stacks, row, t), notes.marks

    carried = [x.value for x in state], stacks, notes.marks
    state, stacks, notes.marks = lax.fori_loop(0, many, step, carried)
    count = counts[0] if counts else None
    return (*map(JaxArray, state), *(JaxArray(stack, count) for stack in stacks))


def stacked_specs(body, state, sliced, fixed, record):
    """The Specs of what an iteration adds to the stacks."""
    one = [Spec(x.shape[1:], x.dtype) for x in sliced]
    results = body.infer([*map(spec_of, state), *one, *map(spec_of, fixed)])
    return [*results[len(state) :], *(map(spec_of, state) if record else ())]


# draws and prints ---------------------------------------------------------------------------------


def draw_by_numpy(op):
    """Normal or Uniform: NumPy's generator is called back, so the numbers are the same.

    What goes to and fro is cut into numbers of 32 bits: a thread of XLA's knows no others.
    """

    def run(notes, key, *like, seed, shape, dtype):
        if like and like[0].count is not None:
            raise unknown_length()
        shape = like[0].shape if like else shape

        def draw(low, high):
            number = np.asarray((int(high) << 32) + int(low))
            drawn = op.compute(number, seed=seed, shape=shape, dtype=dtype)
            return np.ascontiguousarray(drawn).reshape((*shape, 1)).view(part)

        whole = key.value if key.dtype == np.uint64 else key.value.astype(np.int64)
        low, high = (whole & (2**32 - 1)).astype(np.uint32), whole >> 32
        high = high.astype(np.uint32 if key.dtype == np.uint64 else np.int32)
        part = np.dtype(f"u{min(np.dtype(dtype).itemsize, 4)}")
        cut = (*shape, np.dtype(dtype).itemsize // part.itemsize)
        bits = jax.pure_callback(draw, jax.ShapeDtypeStruct(cut, part), low, high)
        if cut[-1] == 1:
            bits = bits.reshape(shape)
        return JaxArray(lax.bitcast_convert_type(bits, dtype))

    return run


def print_later(notes, x, message):
    """Print: x itself; it is printed when the run is made."""
    return x


# what NumPy finds wrong when it sees the numbers --------------------------------------------------


def find_wrong_place(places, axis, n):
    """(whether places along an axis of length n are not there, the error)."""
    error = IndexError(f"an index is out of bounds for axis {axis} with size {n}")
    return jnp.any((places < -n) | (places >= n)), error


def find_wrong_places(shape, indices, template):
    """For each array in an index: whether it names a place that is not there."""
    taken, axis = sum(part not in (None, Ellipsis) for part in template), 0
    indices = iter(indices)
    for part in template:
        if part is Ellipsis:
            axis += len(shape) - taken
        elif part is not None:
            if part == ARRAY:
                yield find_wrong_place(next(indices).value.astype(np.intp), axis, shape[axis])
            axis += 1


def find_wrong_labels(x, labels):
    """Whether a label is no number of a class."""
    CrossEntropy.infer(spec_of(x), spec_of(labels))
    CrossEntropy.check(x, np.zeros(labels.shape, labels.dtype))  # there are examples
    count, places = x.shape[1], labels.value
    yield (
        jnp.any((places < 0) | (places.astype(np.uint64) >= count)),
        ArgumentError(
            f"{{labels}} reach outside the classes: {{x}} has {count}",
            f"number the classes from 0 to {count - 1}",
        ),
    )


def find_no_root(x, y):
    """Whether whole numbers have a negative power, which is none."""
    if x.dtype.kind in "iu" and y.dtype.kind == "i":
        error = ValueError("Integers to negative integer powers are not allowed.")
        yield jnp.any(y.value < 0), error


# the tables that the walk reads -------------------------------------------------------------------

# op → function (notes, operands…, parameters), where compute is no formula
COUNTERPARTS = {
    Cond: choose_branch,
    While: loop_while,
    Scan: loop_over,
    Normal: draw_by_numpy(Normal),
    Uniform: draw_by_numpy(Uniform),
    Print: print_later,
}
# op → function (operands…, parameters), where compute asks for numbers or memory
FORMULAS = {
    CrossEntropy: CrossEntropy.value,
    Keep: lambda x, y, *, when: np.where(x if when else ~x, y, np.zeros_like(y)),
    KeepTied: lambda x, y, w, *, axis: np.where(x, y, np.zeros_like(y)),
}
# op → function (operands…, parameters) that gives pairs (it is wrong, the error)
FAULTS = {
    GetItem: lambda x, *indices, template: find_wrong_places(x.shape, indices, template),
    Scatter: lambda x, like, *indices, template: find_wrong_places(like.shape, indices, template),
    TakeAlongAxis: lambda x, y, *, axis: [
        find_wrong_place(y.value.astype(np.intp), axis, x.shape[axis])
    ],
    AddAlongAxis: lambda x, like, w, *, axis: [
        find_wrong_place(w.value.astype(np.intp), axis, like.shape[axis])
    ],
    CrossEntropy: find_wrong_labels,
    Power: find_no_root,
}
