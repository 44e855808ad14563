"""The checks that grade ps2: what the visible ones ask, for all shapes and for random numbers."""

from itertools import combinations, cycle, permutations, product
from math import prod
from typing import NamedTuple

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same
from minigrad.course.grading.student import StudentError, during

MANY = """
def call_each(function, cases):
    return [function(*arguments) for arguments in cases]
"""
KEEPING = """
def arguments_after(function, *arguments):
    function(*arguments)
    function(*arguments)
    return arguments
"""
NOTING = """
import numpy as np

def drawn(is_right, shapes, seed):
    noted = []

    def rule(x, y, z_bar):
        noted.extend(np.array(one) for one in (x, y, z_bar))
        return [z_bar * y, z_bar * x]

    return [is_right(lambda x, y: x * y, rule, shapes, seed), *noted]

def states_before_and_after(is_right, shapes, seed):
    before = np.random.get_state()[1:3]
    drawn(is_right, shapes, seed)
    return before, np.random.get_state()[1:3]
"""
RULES = """
import numpy as np

def of_columns(x):
    return x.sum(axis=0)

F = {
    "x * y": lambda x, y: x * y,
    "x / y": lambda x, y: x / y,
    "x * y - z": lambda x, y, z: x * y - z,
    "x + y + z": lambda x, y, z: x + y + z,
    "x + y / 50": lambda x, y: x + y / 50,
    "x * x": lambda x: x * x,
    "np.log(x - 0.4)": lambda x: np.log(x - 0.4),
    "np.tanh(x)": np.tanh,
    "x @ y": lambda x, y: x @ y,
    "x.sum(axis=0)": of_columns,
    "x.sum()": lambda x: x.sum(),
    "float(x.sum())": lambda x: float(x.sum()),
    "x": lambda x: x,
    "x.T": lambda x: x.T,
    "x[:, 0]": lambda x: x[:, 0],
}

def first_column(x, z_bar):
    x_bar = np.zeros(x.shape)
    x_bar[:, 0] = z_bar
    return [x_bar]

VJP = {
    "x * y": lambda x, y, z_bar: (z_bar * y, z_bar * x),
    "x / y": lambda x, y, z_bar: [z_bar / y, -z_bar * x / y**2],
    "x * y - z": lambda x, y, z, z_bar: [z_bar * y, z_bar * x, -z_bar],
    "x + y + z": lambda x, y, z, z_bar: [z_bar, z_bar, z_bar],
    "x + y / 50": lambda x, y, z_bar: [z_bar, z_bar / 50],
    "x * x": lambda x, z_bar: [2 * z_bar * x],
    "np.log(x - 0.4)": lambda x, z_bar: (z_bar / (x - 0.4),),
    "np.tanh(x)": lambda x, z_bar: [z_bar * (1 - np.tanh(x) ** 2)],
    "x @ y": lambda x, y, z_bar: [z_bar @ y.T, x.T @ z_bar],
    "x.sum(axis=0)": lambda x, z_bar: [np.broadcast_to(z_bar, x.shape)],
    "x.sum()": lambda x, z_bar: [z_bar * np.ones(x.shape)],
    "float(x.sum())": lambda x, z_bar: [z_bar * np.ones(x.shape)],
    "x": lambda x, z_bar: [z_bar],
    "x.T": lambda x, z_bar: [z_bar.T],
    "x[:, 0]": first_column,
}

def changed(rule, which, change):
    def vjp(*arguments):
        x_bars = [np.array(x_bar) for x_bar in rule(*arguments)]
        x_bars[which] = change(x_bars[which])
        return x_bars
    return vjp

def factor(number):
    return lambda rule, which: changed(rule, which, lambda x_bar: number * x_bar)

def entry(place, number):
    def change(x_bar):
        x_bar[place] *= number
        return x_bar
    return lambda rule, which: changed(rule, which, change)

def z_bar_by(change):
    return lambda rule, which: lambda *arguments: rule(*arguments[:-1], change(arguments[-1]))

def z_bar_for_the_inputs(rule, which):
    return lambda *arguments: rule(*[arguments[-1]] * len(arguments))

def one_missing(rule, which):
    return lambda *arguments: [*rule(*arguments)][:-1]

def one_too_many(rule, which):
    return lambda *arguments: [*rule(*arguments), arguments[-1]]

FAULTS = {
    "nothing": lambda rule, which: rule,
    "the sign": factor(-1),
    "a factor of 2": factor(2),
    "0 in all entries": factor(0),
    "0.25 percent": factor(1.0025),
    "-0.25 percent": factor(0.9975),
    "the order of the inputs": lambda rule, which: lambda *xs: [*rule(*xs)][::-1],
    "the places of the entries": lambda rule, which: changed(rule, which, np.flip),
    "z_bar, taken as ones": z_bar_by(np.ones_like),
    "z_bar, taken as its mean": z_bar_by(lambda z_bar: np.full_like(z_bar, np.mean(z_bar))),
    "the inputs, taken as z_bar": z_bar_for_the_inputs,
    "rows for columns": lambda rule, which: changed(rule, which, np.rot90),
    "a missing axis": lambda rule, which: changed(rule, which, lambda x_bar: x_bar[0]),
    "a cotangent too few": one_missing,
    "a cotangent too many": one_too_many,
}

def judge(is_right, f, fault, which, shapes, seed):
    return is_right(F[f], FAULTS[fault](VJP[f], which), shapes, seed)

def judge_entry(is_right, f, which, place, number, shapes, seed):
    return is_right(F[f], entry(place, number)(VJP[f], which), shapes, seed)
"""


def random(rng, *shape):
    """An array of normal numbers, the same in every run."""
    return np.random.default_rng(rng.getrandbits(32)).standard_normal(shape)


def expect_unchanged(student, function, *arguments):
    """Fail unless two calls of a student's function leave the arguments as they were."""
    with during(f"{function}, called twice", because="It raises an error when it is called again."):
        after = student.define(KEEPING).arguments_after(student[function], *arguments)
    expect(after, arguments, because="It changes one of its arguments in place (rule 3).",
           of=f"the arguments of {function}, after two calls")


def expect_result(function, arguments, wanted, of, because, mistakes=(), error=""):
    """Fail unless a student's function gives an array. An exception has the same cause as a wrong
    result, or that of `error`."""
    with during(of, because=error or because):
        came = function(*arguments)
    expect(came, wanted, because=because, of=of, mistakes=mistakes)


class Case(NamedTuple):
    """A call of a student's function, and what `expect_result` says of it."""

    arguments: tuple
    wanted: object
    of: str
    because: str
    mistakes: object = ()
    error: str = ""


def expect_each(student, name, cases):
    """Fail unless a student's function is right in all cases. One request asks for all results;
    where one of them is an error, they are asked for one after another."""
    cases, function = list(cases), student[name]
    try:
        came = student.define(MANY).call_each(function, [case.arguments for case in cases])
    except StudentError:
        for case in cases:
            expect_result(function, *case)
        raise
    for one, case in zip(came, cases, strict=True):
        expect(one, case.wanted, because=case.because, of=case.of, mistakes=case.mistakes)


def expect_cotangents(rule, arguments, wanted, of, because, mistakes):
    """Fail unless a rule gives the cotangents {name of the input: array}, in this order.
    `because` and `mistakes` are {name: …}, too; `because` has the cause of an "error"."""
    with during(of, because=because["error"]):
        came = rule(*arguments)
    came = tuple(came)
    expect(len(came), len(wanted), of=f"how many cotangents there are in {of}",
           because="It does not return one cotangent for each input (rule 4).")
    for one, (name, right) in zip(came, wanted.items(), strict=True):
        expect(one, right, because=because[name], of=f"the cotangent of {name} in {of}",
               mistakes=mistakes[name])


def sets_of(axes):
    """All non-empty tuples of some of these axes, in order."""
    axes = tuple(axes)
    return [chosen for size in range(len(axes)) for chosen in combinations(axes, size + 1)]


def as_axes(axis, x):
    """The axes of x that NumPy means by `axis`, in order."""
    if axis is None:
        return tuple(range(x.ndim))
    return tuple(sorted(one % x.ndim for one in np.atleast_1d(axis)))


def spread(z_bar, x, axis):
    """Each entry of z_bar, at all the entries of x that were reduced to it."""
    kept = [1 if place in as_axes(axis, x) else length for place, length in enumerate(x.shape)]
    return np.reshape(z_bar, kept) + np.zeros(x.shape)


def reductions(shape):
    """Each single axis of a shape, each tuple of several, and None, as `axis`."""
    yield from (axes[0] if len(axes) == 1 else axes for axes in sets_of(range(len(shape))))
    yield None


# q1 ----------------------------------------------------------------------------------------------


def summed(z_bar, shape):
    """The sums of z_bar over all that was repeated of an array of this shape."""
    total = np.zeros(shape)
    places = np.broadcast_to(np.arange(total.size).reshape(shape), z_bar.shape)
    np.add.at(total.reshape(-1), places.reshape(-1), z_bar.reshape(-1))
    return total


def shapes_broadcast_to(shape):
    """All shapes, of one axis or more, that NumPy broadcasts to a shape."""
    for added in range(len(shape)):
        yield from product(*[(length, 1) for length in shape[added:]])


def unbroadcast_mistakes(z_bar, shape):
    """What known mistakes give for unbroadcast, and their causes."""
    right, added = summed(z_bar, shape), z_bar.ndim - len(shape)
    at_the_end = z_bar.sum(axis=tuple(range(len(shape), z_bar.ndim)))
    ones = tuple(axis for axis, length in enumerate(shape) if length == 1)
    yield right * right.size / z_bar.size, "It takes the mean over the uses, and not their sum."
    yield (z_bar.sum(axis=tuple(range(added))),
           "It does not sum over the axes of length 1 that NumPy stretched.")
    if added > 1:
        yield (z_bar.sum(axis=0).sum(axis=ones, keepdims=True),
               "It sums over one of the axes that NumPy added. There are several here.")
    yield (z_bar.sum(axis=ones, keepdims=True).sum(axis=tuple(range(added))),
           "It counts the axes of length 1 from the front of z_bar, but NumPy has added axes in "
           "front of them.")
    yield right.squeeze(), "It removes the axes of length 1; they must stay, with length 1."
    yield (at_the_end.sum(axis=ones, keepdims=True),
           "It looks for the added axes at the end of the shape, but NumPy adds them in front.")


@pytest.mark.question("q1", points=1.5, core=True, hint=(
    "Compare with numerical_vjp for x + 0 * y, where y has the larger shape."
))
def test_added_and_stretched_axes(student, rng):
    """axes that were added in front, axes that were stretched, and both"""
    cases = []
    for large in ((2, 3, 4), (3, 3)):
        for shape in shapes_broadcast_to(large):
            z_bar = random(rng, *large)
            cases.append(Case(
                (z_bar, shape), summed(z_bar, shape),
                of=f"unbroadcast to shape {shape}, with z_bar of shape {large}",
                because="The result is not the sum of z_bar over the axes that NumPy added in "
                        "front and the axes of length 1 that it stretched.",
                mistakes=unbroadcast_mistakes(z_bar, shape),
                error="It raises an error here. The result is the sum of z_bar over the axes that "
                      "NumPy added in front and over those that it stretched, which "
                      "keepdims=True keeps.",
            ))
    expect_each(student, "unbroadcast", cases)


@pytest.mark.question("q1", points=0.5, corner=True, hint=(
    "Try the shape (), the shape of z_bar itself, and look at z_bar after the call."
))
def test_a_single_number_and_nothing_at_all(student, rng):
    """a single number; no broadcasting; the arguments afterwards"""
    for large in ((3, 2), (4,), ()):
        z_bar = random(rng, *large)
        expect_result(student.unbroadcast, (z_bar, ()), np.array(z_bar.sum()),
                      of=f"unbroadcast to shape (), with z_bar of shape {large}",
                      because="A single number that is used everywhere gets the sum of all of "
                              "z_bar, in an array of shape ().")
    z_bar = random(rng, 1, 4)
    expect_result(student.unbroadcast, (z_bar, (1, 4)), z_bar,
                  of="unbroadcast to shape (1, 4), with z_bar of shape (1, 4)",
                  because="If nothing was broadcast, the result is equal to z_bar.")
    for shape in ((3,), (3, 3)):
        expect_unchanged(student, "unbroadcast", random(rng, 3, 3), shape)


# q2 ----------------------------------------------------------------------------------------------


def sum_mistakes(z_bar, x, axis):
    """What known mistakes give for the rule of a sum without keepdims, and their causes."""
    yield (spread(z_bar, x, axis) * z_bar.size / x.size,
           "It divides by the number of entries, as only the rule of the mean does.")
    yield from laid_elsewhere(z_bar, x, axis)


def laid_elsewhere(z_bar, x, axis):
    """What comes when z_bar lies along other axes of x than those that were kept; the causes."""
    if x.shape[x.ndim - z_bar.ndim:] == z_bar.shape:
        yield (z_bar + np.zeros(x.shape), "It leaves z_bar to NumPy, which lays it along the last "
                                          "axes of x, also where others were kept.")
    if len({*x.shape}) == 1:
        turned = tuple(x.ndim - 1 - one for one in as_axes(axis, x))
        yield (spread(z_bar, x, turned), "It lays z_bar along rows where columns were summed, or "
                                         "along columns where rows were.")


@pytest.mark.question("q2", points=3, core=True, hint=(
    "Compare vjp_sum with numerical_vjp, for one axis and for several, on square arrays, too."
))
def test_sums_over_several_axes(student, rng):
    """None, one axis, and tuples of axes, of square arrays and others"""
    cases = []
    lost = "Each entry of x gets the entry of z_bar that it was added to. Here some get another."
    for shape in ((4,), (3, 3), (3, 3, 3), (2, 3, 4)):
        for axis in reductions(shape):
            x = random(rng, *shape)
            z_bar = random(rng, *x.sum(axis=axis).shape)
            cause = "It cannot insert several axes again. " if isinstance(axis, tuple) else ""
            cases.append(Case(
                (x, z_bar, axis, False), spread(z_bar, x, axis), because=lost,
                of=f"vjp_sum, x of shape {shape}, axis {axis}",
                mistakes=sum_mistakes(z_bar, x, axis),
                error=cause or "It fails where the summed axis is inserted again."))
    expect_each(student, "vjp_sum", cases)


def arguments_of_kinds(rng, shape):
    """(axis, keepdims, cause) where the axes were kept, or are named in another way."""
    sets = sets_of(range(len(shape)))
    for axis in reductions(shape):
        yield axis, True, ("With keepdims, z_bar still has the axes, with length 1: they must not "
                           "be inserted again.")
    for axis in range(-len(shape), 0):
        yield axis, False, "A negative axis counts from the end: -1 is the last axis of x."
    for axes in sets:
        if len(axes) > 1:
            mixed = tuple(axis - len(shape) * rng.randrange(2) for axis in axes[:-1])
            mixed = (*mixed, axes[-1] - len(shape))
            yield mixed, False, ("A tuple may contain negative axes, which count from the end of "
                                 "the shape of x, and not of z_bar.")
            yield axes[::-1], False, "The axes of a tuple may stand in any order."
            yield mixed, True, "It fails for negative axes in a tuple, with keepdims."


@pytest.mark.question("q2", points=1, hint=(
    "Try keepdims=True, negative axes, and tuples whose axes are not in order."
))
def test_kept_and_negative_axes(student, rng):
    """keepdims, axes that count from the end, tuples in any order"""
    cases = []
    for shape, every in (((2, 3, 4), 1), ((2, 1, 3, 2), 5)):
        for axis, keepdims, cause in list(arguments_of_kinds(rng, shape))[::every]:
            x = random(rng, *shape)
            z_bar = random(rng, *x.sum(axis=axis, keepdims=keepdims).shape)
            cases.append(Case(
                (x, z_bar, axis, keepdims), spread(z_bar, x, axis), because=cause,
                of=f"vjp_sum, x of shape {shape}, axis {axis}, keepdims {keepdims}",
                mistakes=() if keepdims else sum_mistakes(z_bar, x, axis)))
    expect_each(student, "vjp_sum", cases)


@pytest.mark.question("q2", points=1, hint="Compare vjp_mean with numerical_vjp.")
def test_means(student, rng):
    """means over all entries, one axis, and several; the arguments afterwards"""
    cases = []
    for axis, keepdims in product(reductions((2, 3, 4)), (False, True)):
        x = random(rng, 2, 3, 4)
        z_bar = random(rng, *x.sum(axis=axis, keepdims=keepdims).shape)
        whole, count = spread(z_bar, x, axis), x.size // z_bar.size
        lengths = [x.shape[one] for one in as_axes(axis, x)]
        cases.append(Case(
            (x, z_bar, axis, keepdims), whole / count,
            of=f"vjp_mean, x of shape {x.shape}, axis {axis}, keepdims {keepdims}",
            because="Each entry gets its entry of z_bar, divided by the number of entries that "
                    "this mean was taken over.",
            mistakes=[
                (whole, "It does not divide by the number of entries of a mean."),
                (whole / x.size, "It divides by the number of all entries of x, and not by the "
                                 "number of entries of one mean."),
                (whole / lengths[0], "It divides by the length of one of the axes alone."),
                (whole / sum(lengths), "It adds the lengths of the axes. The number of entries is "
                                       "their product."),
                (whole / z_bar.size, "It divides by the number of means, and not by the number "
                                     "of entries of one mean."),
                *((wrong / count, cause) for wrong, cause in laid_elsewhere(z_bar, x, axis)),
            ],
        ))
    expect_each(student, "vjp_mean", cases)
    for name, axis, keepdims in product(("vjp_sum", "vjp_mean"), (1, None), (False, True)):
        x = random(rng, 3, 4)
        expect_unchanged(student, name, x, np.array(x.sum(axis=axis, keepdims=keepdims)), axis,
                         keepdims)


# q3 ----------------------------------------------------------------------------------------------


def ties(x, axis):
    """1 where an entry of x is the largest, or one of the largest, along the axes; else 0."""
    return (x == x.max(axis=axis, keepdims=True)).astype(float)


def max_mistakes(x, z_bar, axis):
    """What known mistakes give for the rule of the maximum, and their causes."""
    largest, whole = ties(x, axis), spread(z_bar, x, axis)
    yield largest * whole, "Each of the tied entries gets all of z_bar. They have to split it."
    yield (largest * whole / largest.sum(), "It divides by all ties of the whole array, and not by "
                                            "those along the given axis.")
    yield (largest * whole * z_bar.size / x.size,
           "It divides by the number of compared entries, and not by the number of tied ones.")
    yield ((x == x.max()) * whole, "It looks for the largest entry of the whole array, and not for "
                                   "the largest along the given axis.")
    if axis is None or isinstance(axis, tuple):
        parts, stage = whole, x
        for one in axis or range(x.ndim):
            parts = parts * ties(stage, one) / ties(stage, one).sum(axis=one, keepdims=True)
            stage = stage.max(axis=one, keepdims=True)
        yield (parts, "It takes the maximum along one axis after another, and splits at each step. "
                      "Ties have to be counted over all the axes at once.")
    for which, one in first_and_last(largest, as_axes(axis, x)):
        yield (one * whole, f"Only the {which} of the tied entries gets z_bar. They have to split "
                            "it.")


def first_and_last(largest, axes):
    """("first", 1 where the first of the tied entries stands) and the same for the last."""
    places = tuple(range(-len(axes), 0))
    moved = np.moveaxis(largest, axes, places)
    lines = moved.reshape(*moved.shape[:-len(axes)], -1)
    length = lines.shape[-1]
    for which, chosen in (("first", lines.argmax(-1)),
                          ("last", length - 1 - np.flip(lines, -1).argmax(-1))):
        yield which, np.moveaxis(np.eye(length)[chosen].reshape(moved.shape), places, axes)


NEARLY = "Entries that nearly agree with the largest one count as tied, but only equal ones tie."


def case_of_max(x, z_bar, axis, keepdims, because):
    """A call of vjp_max, and what it should give."""
    largest = ties(x, axis)
    wanted = spread(z_bar, x, axis) * largest / largest.sum(axis=axis, keepdims=True)
    kind = "with ties" if largest.sum() > z_bar.size else "without ties"
    return Case((x, z_bar, axis, keepdims), wanted, because=because,
                of=f"vjp_max, x of shape {x.shape} {kind}, axis {axis}, keepdims {keepdims}",
                mistakes=max_mistakes(x, z_bar, axis))


@pytest.mark.question("q3", points=2.5, core=True, hint=(
    "Try it without ties first, then let the rows have different numbers of ties."
))
def test_ties(student, rng):
    """the largest along one axis, and of all entries, with ties and without"""
    cases = []
    tied = [np.array([rng.choices((-2.0, -1.0, 0.5), k=4) for _ in range(3)]) for _ in range(2)]
    tied += [np.array([rng.choices((-3.0, 2.0), k=3) for _ in range(3)])]
    tied += [np.full((3, 4), -1.5), np.array([[1.0, 1.0, 1.0], [1.0, 0.0, -1.0], [2.0, 0.0, 2.0]])]
    for x in (random(rng, 3, 4), random(rng, 2, 3, 2), *tied):
        for axis in (None, *range(x.ndim)):
            z_bar = random(rng, *x.max(axis=axis).shape)
            cases.append(case_of_max(
                x, z_bar, axis, False, "The largest entry along the axis gets z_bar, tied ones get "
                                       "equal parts of it, and all other entries get 0."))
    expect_each(student, "vjp_max", cases)


@pytest.mark.question("q3", points=1, hint="Try a tuple of axes, negative axes, and keepdims=True.")
def test_several_axes_at_once(student, rng):
    """tuples of axes, negative axes, keepdims"""
    cases, shape = [], (2, 3, 4)
    for axes in sets_of(range(len(shape)))[len(shape):]:  # of more than one
        x = np.array(rng.choices((-2.0, 1.0), k=prod(shape))).reshape(shape)
        x.flat[:2], x.flat[-1] = (1.0, -2.0), 1.0
        z_bar = random(rng, *x.max(axis=axes).shape)
        cases.append(case_of_max(
            x, z_bar, axes, False, because="Ties have to be counted over all the axes of the "
                                           "tuple at once."))
    for axis, keepdims, cause in arguments_of_kinds(rng, shape):
        x = np.array(rng.choices((-2.0, 0.0, 1.0, 3.0), k=prod(shape))).reshape(shape)
        z_bar = random(rng, *x.max(axis=axis, keepdims=keepdims).shape)
        cases.append(case_of_max(x, z_bar, axis, keepdims, cause))
    expect_each(student, "vjp_max", cases)


@pytest.mark.question("q3", points=0.5, corner=True, hint="Print x and z_bar after the call.")
def test_one_entry_and_the_arguments_afterwards(student, rng):
    """an axis of length 1; entries that nearly tie; the arguments afterwards"""
    x, z_bar = random(rng, 3, 1), random(rng, 3)
    cases = [case_of_max(x, z_bar, 1, False, "Along an axis of length 1, every entry is the "
                                             "largest.")]
    for size in (1.0, 3.0, 0.01):  # larger than the entries beside it, by the last bit
        x = np.array([[np.nextafter(size, 0), size, np.nextafter(size, 0)]])
        cases.append(case_of_max(x, random(rng, 1), 1, False, NEARLY))
    expect_each(student, "vjp_max", cases)
    x = random(rng, 3, 3)
    x[:2, :2] = 5.0  # ties in rows and in columns
    expect_unchanged(student, "vjp_max", x, random(rng, 3), 1, False)
    expect_unchanged(student, "vjp_max", x, random(rng, 1, 3), 0, True)


# q4 ----------------------------------------------------------------------------------------------


def cotangents_of_product(x, y, z_bar):
    """The cotangents of x and y in x @ y, one for each use of a matrix, and their sums."""
    stack = z_bar.shape[:-2]
    x_all, y_all = (np.broadcast_to(one, stack + one.shape[-2:]) for one in (x, y))
    x_uses = np.einsum("...np,...mp->...nm", z_bar, y_all)
    y_uses = np.einsum("...nm,...np->...mp", x_all, z_bar)
    return {"x": x_uses, "y": y_uses}


def expect_product(vjp_matmul, rng, x_shape, y_shape, because):
    """Fail unless vjp_matmul is right for x and y of these shapes."""
    x, y = random(rng, *x_shape), random(rng, *y_shape)
    z_bar = random(rng, *(x @ y).shape)
    uses = cotangents_of_product(x, y, z_bar)
    wanted = {"x": summed(uses["x"], x_shape), "y": summed(uses["y"], y_shape)}
    expect_cotangents(vjp_matmul, (x, y, z_bar), wanted, because=because,
                      of=f"vjp_matmul, x of shape {x_shape}, y of shape {y_shape}",
                      mistakes={name: product_mistakes(uses[name], wanted[name], name, z_bar,
                                                       y if name == "x" else x) for name in uses})


def product_mistakes(uses, right, name, z_bar, other):
    """What known mistakes give for one factor of a product, and their causes."""
    added = tuple(range(uses.ndim - right.ndim))
    yield uses, f"It does not add up the contributions where {name} was broadcast."
    yield (right * right.size / uses.size,
           f"It takes the mean over the uses of {name}, and not their sum.")
    yield uses.sum(axis=added), f"It does not add up along the axes of length 1 of {name}."
    yield uses[(0,) * len(added)], f"It keeps only one of the contributions to {name}."
    if len({*right.shape[-2:], *z_bar.shape[-2:]}) == 1:
        turned = other.swapaxes(-1, -2)
        factors = (z_bar, other) if name == "x" else (other, z_bar)
        yield (factors[0] @ factors[1],
               f"A transpose is missing for {name}. Square matrices hide this.")
        factors = (turned, z_bar) if name == "x" else (z_bar, turned)
        yield (factors[0] @ factors[1],
               f"The factors for {name} are in the wrong order. Square matrices hide this.")


@pytest.mark.question("q4", points=0.5, hint="Compare vjp_matmul with numerical_vjp.")
def test_matrices(student, rng):
    """two matrices, square and not; the arguments afterwards"""
    vjp_matmul = student.vjp_matmul
    for n, m, p in ((2, 3, 4), (4, 1, 3), (1, 5, 1), (3, 3, 3)):
        expect_product(vjp_matmul, rng, (n, m), (m, p), because={
            "x": "x_bar is the product of z_bar and the transpose of y.",
            "y": "y_bar is the product of the transpose of x and z_bar.",
            "error": "The shapes do not fit: a transpose is missing, or on the wrong factor.",
        })
    expect_unchanged(student, "vjp_matmul", *[random(rng, 3, 3) for _ in range(3)])


@pytest.mark.question("q4", points=1, hint="In a stack, transpose the last two axes and no others.")
def test_stacks(student, rng):
    """stacks of the same length, of square matrices, too"""
    vjp_matmul = student.vjp_matmul
    causes = {(3,): "In a stack, only the last two axes are transposed; .T reverses all of them.",
              (2, 3): "It is right for stacks with three axes, but not for those with four. Count "
                      "the axes from the end: -2 and -1 are transposed."}
    for stack, cause in causes.items():
        for n, m, p in ((2, 4, 5), (3, 3, 3), (3, 2, 3)):
            expect_product(vjp_matmul, rng, (*stack, n, m), (*stack, m, p),
                           because=dict.fromkeys(("x", "y", "error"), cause))


@pytest.mark.question("q4", points=2.5, core=True, hint=(
    "Try a stack times a single matrix: the matrix is used once for each matrix of the stack."
))
def test_stacks_that_broadcast(student, rng):
    """a stack and a matrix, and stacks whose axes broadcast"""
    because = {name: f"The cotangent of {name} is the sum over all uses of each of its matrices, "
                     f"in the shape of {name}." for name in "xy"}
    error = ("It raises an error for {}. Only the last two axes are transposed (.T reverses all), "
             "and all others broadcast.")
    vjp_matmul, sizes = student.vjp_matmul, cycle([(2, 4, 3), (3, 3, 3)])
    pairs = permutations([(), (3,), (2, 3), (2, 1), (1, 3)], 2)
    for x_stack, y_stack in (*pairs, ((3,), (1,)), ((1,), (3,)), ((3,), (2, 2, 1))):
        n, m, p = next(sizes)
        long = max(len(x_stack), len(y_stack)) > 1
        because["error"] = error.format("stacks with four axes or more" if long else "stacks")
        expect_product(vjp_matmul, rng, (*x_stack, n, m), (*y_stack, m, p), because)


# q5 ----------------------------------------------------------------------------------------------


def softmax(scores, axis=1):
    """Each row's probabilities."""
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def losses(scores, labels, axis=1):
    """The loss of each row."""
    return -np.log(softmax(scores, axis)[np.arange(len(labels)), labels])


def errors(scores, labels, axis=1):
    """Each row's probabilities, less 1 for its label."""
    return softmax(scores, axis) - np.eye(scores.shape[1])[labels]


@pytest.mark.question("q5", points=1.5, core=True, hint=(
    "Compare cross_entropy with the formula, and vjp_cross_entropy with numerical_vjp."
))
def test_the_loss_and_its_rule(student, rng):
    """the loss and its rule; as many rows as classes, or not"""
    cross_entropy, vjp_cross_entropy = student.cross_entropy, student.vjp_cross_entropy
    for n, c in ((4, 3), (3, 3), (1, 5), (5, 2)):
        scores, labels = random(rng, n, c), [rng.randrange(c) for _ in range(n)]
        one = losses(scores, labels)
        expect_result(
            cross_entropy, (scores, labels), one.mean(),
            of=f"cross_entropy, scores of shape {(n, c)}",
            because="It is not the mean of -log p[label] over the rows.",
            mistakes=[(one.sum(), "It adds up the losses of the rows, and does not divide."),
                      (one.sum() / c, "It divides by the number of classes, not of rows."),
                      (-one.mean(), "The sign is wrong: a loss is -log p, which is positive."),
                      (losses(scores, labels, 0).mean(),
                       "The softmax runs down the columns, and not along the rows.")],
        )
        z_bar = np.array(rng.uniform(2, 3))
        expect_result(
            vjp_cross_entropy, (scores, labels, z_bar), z_bar * errors(scores, labels) / n,
            of=f"vjp_cross_entropy, scores of shape {(n, c)}",
            because="The rule is softmax less 1 at the label, times z_bar, divided by the rows.",
            mistakes=rule_mistakes(scores, labels, z_bar),
        )


def rule_mistakes(scores, labels, z_bar):
    """What known mistakes give for the rule of cross-entropy, and their causes."""
    (n, c), right = scores.shape, errors(scores, labels)
    yield z_bar * right, "It does not divide by the number of rows."
    yield z_bar * right / c, "It divides by the number of classes, not of rows."
    yield z_bar * right / (n * c), "It divides by the number of all scores."
    yield right / n, "It does not multiply by z_bar."
    yield z_bar * softmax(scores) / n, "It does not subtract 1 at the label."
    yield -z_bar * right / n, "The sign of the whole cotangent is wrong."
    yield (z_bar * errors(scores, labels, 0) / n,
           "The softmax runs down the columns, and not along the rows.")


@pytest.mark.question("q5", points=0.5, hint="Try rows of scores near 1000 and near -1000.")
def test_large_scores(student, rng):
    """large scores of either sign, rows at different heights; the arguments afterwards"""
    cross_entropy = student.cross_entropy
    scores, labels = random(rng, 3, 4), [rng.randrange(4) for _ in range(3)]
    raised = scores + np.array([[1000.0], [-1000.0], [0.0]])
    overflow = "exp of a large score is infinite. Subtract the largest score of each row first."
    underflow = "A probability that is rounded to 0 has no logarithm: use s - log(total) instead."
    for high, low in ((800.0, 0.0), (0.0, -1000.0)):
        expect(cross_entropy(np.array([[low, high]]), [1]), 0.0, because=overflow,
               of=f"cross_entropy([[{low}, {high}]], [1])")
    expect(cross_entropy(raised, labels), losses(scores, labels).mean(), tolerance=1e-7,
           because="Each row needs its own largest score, and not that of all rows.",
           of="cross_entropy, rows near 1000, -1000 and 0")
    z_bar = np.array(rng.uniform(2, 3))
    came = student.vjp_cross_entropy(raised, labels, z_bar)
    expect(came, z_bar * errors(scores, labels) / 3, mistakes=rule_mistakes(scores, labels, z_bar),
           because="The softmax in the rule overflows, or loses rows with low scores.",
           of="vjp_cross_entropy, rows near 1000, -1000 and 0", tolerance=1e-7)
    for high in (1000.0, 3000.0):
        expect(cross_entropy(np.array([[0.0, high]]), [0]), high, because=underflow,
               of=f"cross_entropy([[0, {high}]], [0])")
    expect_unchanged(student, "cross_entropy", scores, labels)
    expect_unchanged(student, "vjp_cross_entropy", scores, labels, z_bar)


# q6 ----------------------------------------------------------------------------------------------

PAIR, THREE = [(2, 3), (2, 3)], [(2, 2)] * 3
RIGHT = [  # (f, shapes, what an answer does that calls the right rule wrong)
    ("x * y", PAIR, "It calls a right rule wrong. A central difference is inexact, so the test "
                    "must allow small differences."),
    ("np.log(x - 0.4)", [(4, 3)],
     "It calls a right rule wrong, because it draws inputs below 0.5."),
    ("x / y", PAIR, "It calls a right rule wrong, for inputs that are not near 0."),
    ("x + y / 50", PAIR, "It calls a right rule wrong whose cotangents have different sizes."),
    ("x * y - z", THREE, "It calls a right rule for three inputs wrong."),
    ("x @ y", [(2, 3), (3, 4)], "It calls a right rule wrong whose inputs have different shapes."),
    ("x.sum(axis=0)", [(5, 4)], "It calls a right rule wrong whose z_bar is smaller than x."),
    ("np.tanh(x)", [(4,)], "It calls a right rule for one input wrong."),
    ("x * x", [(2, 3, 2)], "It calls a right rule wrong whose input has three axes."),
]
IGNORED = "It does not notice a rule that ignores z_bar. Draw z_bar at random."
AVERAGED = ("It does not notice a rule that uses the mean of z_bar. The entries of z_bar must not "
            "be alike.")
TAKEN = "It does not notice a rule that takes z_bar for an input: they must be different numbers."
PLACES = ("It does not notice right numbers in the wrong places. Compare entry by entry, or in "
          "random directions.")
ONE_INPUT = "It does not notice {} in the cotangent of one of the inputs. Compare all of them."
WRONG = [  # (f, the input whose cotangent is wrong, the fault, shapes, what passes it)
    *[(f, 0, "the sign", shapes, "It does not notice a wrong sign. Compare the numbers.")
      for f, shapes in (("x / y", PAIR), ("x @ y", [(3, 3), (3, 3)]))],
    *[(f, 0, "the places of the entries", shapes, PLACES)
      for f, shapes in (("x @ y", [(2, 3), (3, 4)]), ("x * x", [(5,)]), ("x * x", [(2, 3, 2)]))],
    *[(f, 0, "z_bar, taken as ones", shapes, IGNORED)
      for f, shapes in (("x * y", PAIR), ("x.sum()", [(2, 2)]))],
    *[(f, 0, "z_bar, taken as its mean", shapes, AVERAGED)
      for f, shapes in (("x * y", PAIR), ("x.sum(axis=0)", [(2, 3)]))],
    *[(f, 0, "the inputs, taken as z_bar", shapes, TAKEN)
      for f, shapes in (("x * x", [(3, 2)]), ("x * y", PAIR))],
    ("x * y", 0, "the order of the inputs", PAIR,
     "It does not notice that two cotangents are swapped. The inputs must not be alike."),
    *[("x / y", which, fault, PAIR, ONE_INPUT.format(name)) for which in (0, 1)
      for fault, name in (("the sign", "a wrong sign"), ("a factor of 2", "a factor of 2"),
                          ("0 in all entries", "zeros"))],
    ("x * y - z", 1, "a factor of 2", THREE, "It does not look at the middle one of three inputs."),
    ("x.T", 0, "the places of the entries", [(3, 3)], PLACES),
    ("x.sum(axis=0)", 0, "rows for columns", [(3, 3)],
     "It does not notice rows in the place of columns. The entries of z_bar must not be alike."),
]


def expect_verdict(is_right, rng, judge, case, shapes, wanted, because, of):
    """Fail unless is_right says `wanted` of a case, whatever the seed."""
    seed = rng.randrange(1000)
    with during(of, because=because if wanted else "is_right raises an error here, instead of "
                                                   "returning False."):
        came = judge(is_right, *case, shapes, seed)
    expect(came, wanted, because=because, of=of)


def expect_verdicts(student, rng, rights, wrongs):
    """Fail unless is_right tells these right rules from the wrong ones."""
    cases = [(f, 0, "nothing", shapes, cause, True) for f, shapes, cause in rights]
    cases += [(*case, False) for case in wrongs]
    is_right, judge = student.is_right, student.define(RULES).judge
    for f, which, fault, shapes, cause, wanted in cases:
        kind = "a right rule" if wanted else f"wrong in the rule: {fault}"
        expect_verdict(is_right, rng, judge, (f, fault, which), shapes, wanted, cause,
                       of=f"is_right, f = {f}, shapes {shapes}, {kind}")


@pytest.mark.question("q6", points=3, core=True, hint=(
    "Compare every entry of every cotangent with numerical_vjp, for random inputs and z_bar."
))
def test_right_and_wrong_rules(student, rng):
    """right rules pass, wrong numbers are found"""
    expect_verdicts(student, rng, RIGHT, WRONG)


@pytest.mark.question("q6", points=1, hint=(
    "Look at every entry, and let no error be hidden by the size of the other entries."
))
def test_one_wrong_entry_and_small_errors(student, rng):
    """one wrong entry among 48; errors of 0.25 % in one of several inputs"""
    is_right, rules = student.is_right, student.define(RULES)
    judge, judge_entry = rules.judge, rules.judge_entry
    small = "It does not notice an error of 0.25 % in one cotangent: the tolerance is too large."
    hidden = ("It does not notice an error of 0.25 % in one of three inputs: the tolerance is too "
              "large beside the sum of all terms.")
    for f, shapes, cause in (("x / y", PAIR, small), ("x + y / 50", PAIR, small),
                             ("x + y + z", [(2, 3)] * 3, hidden),
                             ("x + y + z", [(8, 6)] * 3, hidden)):
        for fault in ("0.25 percent", "-0.25 percent"):
            which = rng.randrange(len(shapes))
            expect_verdict(is_right, rng, judge, (f, fault, which), shapes, False, cause,
                           of=f"is_right, f = {f}, shapes {shapes}, input {which} wrong by {fault}")
        expect_verdict(is_right, rng, judge, (f, "nothing", 0), shapes, True,
                       of=f"is_right, f = {f}, shapes {shapes}, a right rule",
                       because="It calls a right rule wrong: the tolerance is too small.")
    for f, count, shape in (("x * y", 2, (6, 8)), ("x * x", 1, (50,)), ("x + y + z", 3, (4, 3, 4)),
                            ("x * x", 1, (2, 5, 5))):
        for number in (2, 1.0025, 0.9975):
            which, place = rng.randrange(count), tuple(rng.randrange(length) for length in shape)
            expect_verdict(
                is_right, rng, judge_entry, (f, which, place, number), [shape] * count, False,
                of=f"is_right, f = {f}, shape {shape}, one entry of one cotangent "
                   f"wrong by {100 * (number - 1):.3g} %",
                because="It does not notice one wrong entry among many.",
            )


@pytest.mark.question("q6", points=0.5, hint=(
    "Compare the shape of each cotangent with that of its input, and count the cotangents."
))
def test_shapes_and_number_of_cotangents(student, rng):
    """cotangents of the wrong shape, too few or too many"""
    broadcast = "It does not notice a wrong shape, because NumPy broadcasts it. Compare the shapes."
    few = "It does not notice that a cotangent is missing."
    many = "It does not notice that there are too many cotangents."
    expect_verdicts(student, rng, RIGHT[:2], [
        *[("x.sum(axis=0)", 0, "a missing axis", [shape], broadcast) for shape in ((3, 3), (5, 4))],
        ("x + y + z", 2, "a missing axis", [(1, 3)] * 3, broadcast),
        ("x * y", 0, "a cotangent too few", PAIR, few),
        ("x.sum()", 0, "a cotangent too few", [(2, 3)], few),
        ("x * y", 0, "a cotangent too many", PAIR, many),
        ("x.sum()", 0, "a cotangent too many", [(2, 3)], many),
    ])


@pytest.mark.question("q6", points=0.5, corner=True, hint=(
    "All numbers come from np.random.default_rng(seed); f may return a number or a view."
))
def test_seeds_views_and_numbers(student, rng):
    """the seed, NumPy's own generator, and an f that returns a number or a view"""
    view = ("It calls a right rule wrong whose f returns a view of its input: if it is changed in "
            "place, both results of f are the same array.")
    number = "It calls a right rule wrong whose f returns a plain number, or fails there."
    expect_verdicts(student, rng, [
        ("x", [(4,)], view), ("x.T", [(2, 3)], view), ("x[:, 0]", [(3, 2)], view),
        ("x.sum()", [(2, 3)], number), ("float(x.sum())", [(2, 3)], number),
    ], WRONG[:1])
    noting, shapes, seed = student.define(NOTING), [(8, 8), (8, 8)], rng.randrange(1000)
    first, again, other = (noting.drawn(student.is_right, shapes, one)
                           for one in (seed, seed, seed + 1))
    expect(again, first, of="what the rule is called with, twice with the same seed",
           because="The same seed gives other numbers: they are not all drawn from "
                   "np.random.default_rng(seed).")
    expect(same(other, first), False, of="whether another seed gives the same numbers",
           because="Every seed gives the same numbers.")
    for name, drawn in zip(("x", "y", "z_bar"), first[1:], strict=True):
        low, high = np.min(drawn), np.max(drawn)
        expect(bool(0.5 <= low < 1 and 1.5 < high <= 2), True,
               of=f"whether {name} is spread from 0.5 to 2, for the shapes {shapes}",
               because=f"{name} is not drawn from the uniform distribution between 0.5 and 2.")
    before, after = noting.states_before_and_after(student.is_right, shapes, seed)
    expect(after, before, of="np.random.get_state() after is_right",
           because="It uses or seeds NumPy's global generator, which other code depends on.")


# q7 ----------------------------------------------------------------------------------------------


def gathered(x, indices, z_bar, axis, combine=np.add):
    """The contributions of z_bar to x, one after another, by `combine`."""
    x_bar = np.zeros(x.shape)
    front, parts = np.moveaxis(x_bar, axis, 0), z_bar
    for _ in range(indices.ndim):  # the axes of the indices come to the front
        parts = np.moveaxis(parts, axis % x.ndim + indices.ndim - 1, 0)
    for place in np.ndindex(indices.shape):
        index = indices[place]
        front[index] = combine(front[index], parts[place])
    return x_bar


def take_mistakes(x, indices, z_bar, axis):
    """What known mistakes give for the rule of np.take, and their causes."""
    yield (gathered(x, indices, z_bar, axis, lambda before, part: part),
           "Of repeated indices only the last contribution counts: x_bar[indices] += z_bar does "
           "not add them up.")
    yield (gathered(x, indices, z_bar, axis, lambda before, part: np.where(before, before, part)),
           "Of repeated indices only the first contribution counts. They have to add up.")
    uses = np.maximum(1, gathered(x, indices, np.ones(z_bar.shape), axis))
    yield (gathered(x, indices, z_bar, axis) / uses,
           "It takes the mean of the contributions to a slice, and not their sum.")


def case_of_take(rng, shape, indices, axis, because):
    """A call of vjp_take for x of this shape and these indices, and what it should give."""
    x, indices = random(rng, *shape), np.array(indices)
    z_bar = random(rng, *np.take(x, indices, axis=axis).shape)
    return Case(
        (x, indices, z_bar, axis), gathered(x, indices, z_bar, axis),
        of=f"vjp_take, x of shape {shape}, indices {indices.tolist()}, axis {axis}",
        because=because, mistakes=take_mistakes(x, indices, z_bar, axis),
    )


def repeated(rng, length, *shape):
    """Random indices of this shape, of which some are equal."""
    indices = np.array([rng.randrange(length) for _ in range(prod(shape))])
    indices[-1] = indices[0]
    return indices.reshape(shape)


@pytest.mark.question("q7", points=2.5, core=True, hint=(
    "Try indices [2, 0, 2]: the contributions of both uses of row 2 add up."
))
def test_repeated_indices(student, rng):
    """rows, some of them several times and some never"""
    cases = []
    for shape in ((5,), (4, 3), (3, 3, 3)):
        for of_indices in ((4,), (2, 3), (3, 3), (2, 1, 3)):
            cases.append(case_of_take(
                rng, shape, repeated(rng, shape[0], *of_indices), 0,
                because="A row gets the sum of the contributions of all its uses, and 0 if it was "
                        "never collected."))
    expect_each(student, "vjp_take", cases)


@pytest.mark.question("q7", points=1, hint=(
    "Where are the axes of the indices in z_bar, if the axis is not the first?"
))
def test_other_axes(student, rng):
    """slices along other axes, also counted from the end"""
    cases = []
    for shape in ((3, 4), (2, 3, 4), (3, 3, 3)):
        for axis in [*range(1, len(shape)), *range(-len(shape), 0)]:
            negative = axis < 0
            for of_indices in ((3,), (2, 3)):
                cases.append(case_of_take(
                    rng, shape, repeated(rng, shape[axis], *of_indices), axis,
                    because="A negative axis counts from the end of the shape of x." if negative
                    else "It takes the wrong axes of z_bar for those of the indices: in z_bar they "
                         "are where the axis was in x."))
    expect_each(student, "vjp_take", cases)


@pytest.mark.question("q7", points=0.5, corner=True, hint=(
    "Try negative indices, and look at the arguments after the call."
))
def test_negative_indices_and_the_arguments_afterwards(student, rng):
    """negative indices; the arguments afterwards"""
    expect_each(student, "vjp_take", [case_of_take(
        rng, (4, 4), [-1, 2, 3, -1], axis,
        because="A negative index counts from the end, so -1 and 3 are the same slice of four.")
        for axis in (0, 1)])
    x, indices = random(rng, 4, 3), np.array([2, 0, -1])
    expect_unchanged(student, "vjp_take", x, indices, random(rng, 3, 3), 0)
    expect_unchanged(student, "vjp_take", x, indices, random(rng, 4, 3), 1)


# q8 ----------------------------------------------------------------------------------------------

TINY = 1e-12  # an eps that nobody has to think of


class Normalised:
    """The parts of a layer normalisation, for its rule and for known mistakes in it."""

    def __init__(self, x, gamma, z_bar, eps):
        self.centred = x - x.mean(-1, keepdims=True)
        self.s = np.sqrt((self.centred**2).mean(-1, keepdims=True) + eps)
        self.u, self.u_bar, self.z_bar = self.centred / self.s, z_bar * gamma, z_bar
        self.leading = tuple(range(x.ndim - 1))

    def x_bar(self, mean=1.0, variance=1.0, u_bar=None):
        """The cotangent of x, with parts of the contributions through mean and variance."""
        u_bar = self.u_bar if u_bar is None else u_bar
        through_mean = mean * u_bar.mean(-1, keepdims=True)
        through_variance = variance * self.u * (u_bar * self.u).mean(-1, keepdims=True)
        return (u_bar - through_mean - through_variance) / self.s

    def x_mistakes(self):
        """What known mistakes give for x, and their causes."""
        d = self.u.shape[-1]
        yield (self.x_bar(0, 0), "It treats the mean and the variance as constants, but both "
                                 "depend on x.")
        yield self.x_bar(1, 0), "The contribution through the variance is missing."
        yield self.x_bar(0, 1), "The contribution through the mean is missing."
        yield self.x_bar(u_bar=self.z_bar), "It does not multiply z_bar by gamma."
        projected = self.u * (self.z_bar * self.u).mean(-1, keepdims=True)
        yield (self.x_bar(1, 0) - projected / self.s,
               "gamma is missing in the contribution through the variance.")
        yield self.x_bar() * self.s, "It does not divide by the standard deviation."
        yield self.x_bar(d, d), "It takes sums over the row where the rule has means."
        yield self.x_bar(d / (d - 1), d / (d - 1)), "It divides by d - 1, and not by d."
        yield self.x_bar(1, -1), "The contribution through the variance has the wrong sign."

    def parameter_mistakes(self, name):
        """What known mistakes give for gamma or beta, and their causes."""
        uses, wanted = self.z_bar * (self.u if name == "gamma" else 1), self.parameters()
        yield (wanted["beta" if name == "gamma" else "gamma"],
               "The cotangents of gamma and beta are in the wrong order (rule 4).")
        yield uses, f"It does not add up the contributions of all rows to {name}."
        yield uses.sum(0), (f"It adds up over the first axis alone; {name} is used along all axes "
                            "but the last.")
        yield (wanted[name] / prod(uses.shape[:-1]),
               f"It takes the mean over the rows for {name}, and not the sum.")
        yield uses.sum(-1), f"It adds up along the rows for {name}, and not over the rows."

    def parameters(self):
        """The cotangents of gamma and beta."""
        return {"gamma": (self.z_bar * self.u).sum(self.leading),
                "beta": self.z_bar.sum(self.leading)}


def layer(rng, shape):
    """Random x, gamma, beta and z_bar for a layer normalisation."""
    x = random(rng, *shape) * (1 + np.abs(random(rng, *shape[:-1], 1))) + 2
    return x, 1.5 + random(rng, shape[-1]), random(rng, shape[-1]), random(rng, *shape)


def results(vjp_layer_norm, arguments, of):
    """The three cotangents that vjp_layer_norm returns."""
    with during(of, because="The rule raises an error here."):
        came = vjp_layer_norm(*arguments)
    came = tuple(came)
    expect(len(came), 3, because="It does not return three cotangents (rule 4).", of=of)
    return came


@pytest.mark.question("q8", points=2.5, core=True, hint=(
    "Compare with numerical_vjp: is_right(layer_norm, vjp_layer_norm, [(3, 4), (4,), (4,)], 0)."
))
def test_the_cotangent_of_x(student, rng):
    """the cotangent of x, directly, through the mean and through the variance"""
    vjp_layer_norm = student.vjp_layer_norm
    for shape in ((3, 4), (4, 4), (5, 2), (1, 6), (2, 3, 4)):
        x, gamma, beta, z_bar = layer(rng, shape)
        parts = Normalised(x, gamma, z_bar, TINY)
        of = f"vjp_layer_norm, x of shape {shape}"
        came = results(vjp_layer_norm, (x, gamma, beta, z_bar, TINY), of)
        expect(came[0], parts.x_bar(), of=f"the cotangent of x in {of}",
               mistakes=parts.x_mistakes(),
               because="It is not the sum of the direct contribution and those through mean and "
                       "variance of the same row.")


@pytest.mark.question("q8", points=1, hint=(
    "gamma and beta are used once for each row: their cotangents have shape (d,)."
))
def test_the_parameters(student, rng):
    """the cotangents of gamma and beta, with one leading axis, several, or none"""
    vjp_layer_norm = student.vjp_layer_norm
    for shape in ((3, 4), (3, 3), (2, 3, 4), (3, 3, 3), (5,)):
        x, gamma, beta, z_bar = layer(rng, shape)
        parts = Normalised(x, gamma, z_bar, TINY)
        of = f"vjp_layer_norm, x of shape {shape}"
        came = results(vjp_layer_norm, (x, gamma, beta, z_bar, TINY), of)
        wanted = parts.parameters()
        for one, name, used, factor in ((came[1], "gamma", parts.u, "the normalised x"),
                                        (came[2], "beta", 1.0, "1")):
            uses = z_bar * used
            expect(one, wanted[name], of=f"the cotangent of {name} in {of}",
                   because=f"{name} is multiplied by {factor}, and used once for each row: its "
                           "cotangent is a sum over all axes but the last.",
                   mistakes=[
                       *parts.parameter_mistakes(name),
                       ((z_bar * x).sum(parts.leading), "For gamma it multiplies by x, and not by "
                                                        "the normalised x."),
                       ((z_bar * parts.centred).sum(parts.leading),
                        "For gamma it multiplies by x less its mean, without the division by s."),
                       ((uses * gamma).sum(parts.leading), f"The cotangent of {name} does not "
                                                           "depend on gamma."),
                   ])


@pytest.mark.question("q8", points=0.5, corner=True, hint=(
    "Try a large eps, a single row, and look at the arguments after the call."
))
def test_eps_a_vector_and_the_arguments_afterwards(student, rng):
    """a large eps; a vector; the arguments afterwards"""
    vjp_layer_norm = student.vjp_layer_norm
    for shape in ((3, 4), (5,)):
        x, gamma, beta, z_bar = layer(rng, shape)
        parts, default, none = (Normalised(x, gamma, z_bar, eps) for eps in (0.7, 1e-5, 0))
        of = f"vjp_layer_norm, x of shape {shape}, eps 0.7"
        came = results(vjp_layer_norm, (x, gamma, beta, z_bar, 0.7), of)
        ignored = "It ignores eps, or the eps that it was given."
        expect(came[0], parts.x_bar(), of=f"the cotangent of x in {of}",
               because="eps is added to the variance, before the square root, also in the rule.",
               mistakes=[(default.x_bar(), ignored), (none.x_bar(), ignored),
                         *parts.x_mistakes()])
        expect(came[1], parts.parameters()["gamma"], of=f"the cotangent of gamma in {of}",
               because="For gamma, too, eps is added to the variance.",
               mistakes=[*((one.parameters()["gamma"], ignored) for one in (default, none)),
                         *parts.parameter_mistakes("gamma")])
    x, gamma, beta, z_bar = layer(rng, (3, 4))
    came = results(vjp_layer_norm, (x / 100, gamma, beta, z_bar), "vjp_layer_norm without eps")
    expect(came[0], Normalised(x / 100, gamma, z_bar, 1e-5).x_bar(),
           of="vjp_layer_norm without eps, variances near 0.0001",
           because="If eps is not given, it is 1e-5, as in layer_norm.")
    expect_unchanged(student, "vjp_layer_norm", x, gamma, beta, z_bar, 1e-5)
