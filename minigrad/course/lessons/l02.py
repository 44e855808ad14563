"""Lesson 02: cases, references, typical wrong answers and pictures. The words are in 02.toml."""

import math
import sys

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson, call_copied, known_answer
from minigrad.course.lessons.answer import LessonError, agree, numeric

START = (9.0, 9.0)  # the velocity of the throw: sideways, upward
STEPS = range(21)  # places of the ball that are drawn, 20 a second
ROUGH, EXACT = 1e-3, 1e-11  # a difference quotient comes nearer than one, and not than the other
THREE_DIGITS, ROUNDED = 5.1e-3, 0.05  # how far off 1.72 may be, and a number with one digit less

# forward rules -----------------------------------------------------------------------------------


def cases_multiply_jvp():
    """Two values and their tangents; in one case one operand is a constant."""
    return [(6.0, 4.0, 7.0, 3.0), (-5.0, 2.0, 3.0, -7.0), (0.5, 8.0, 1.0, 0.0)]


def reference_multiply_jvp(a, b, a_dot, b_dot):
    """Find value and tangent of a · b."""
    return a * b, a_dot * b + a * b_dot


def show_multiply_jvp(a, b, a_dot, b_dot):
    """A case in words."""
    return f"a = {a:g}, b = {b:g}, a_dot = {a_dot:g}, b_dot = {b_dot:g}"


def tangents_multiplied(a, b, a_dot, b_dot):
    """The product with the product of the tangents."""
    return a * b, a_dot * b_dot


def second_order_kept(a, b, a_dot, b_dot):
    """The product with its tangent and the term of second order."""
    return a * b, a_dot * b + a * b_dot + a_dot * b_dot


def tangents_added(a, b, a_dot, b_dot):
    """The product with the tangent of a sum."""
    return a * b, a_dot + b_dot


def factors_kept(a, b, a_dot, b_dot):
    """The product with each tangent times its own value."""
    return a * b, a_dot * a + b * b_dot


def first_factor_moves(a, b, a_dot, b_dot):
    """The product as if b were a constant."""
    return a * b, a_dot * b


def second_factor_moves(a, b, a_dot, b_dot):
    """The product as if a were a constant."""
    return a * b, a * b_dot


def multiply_tangent_first(a, b, a_dot, b_dot):
    """Tangent and value of the product."""
    return reference_multiply_jvp(a, b, a_dot, b_dot)[::-1]


cases_divide_jvp, show_divide_jvp = cases_multiply_jvp, show_multiply_jvp


def reference_divide_jvp(a, b, a_dot, b_dot):
    """Find value and tangent of a / b."""
    q = a / b
    return q, (a_dot - q * b_dot) / b


def dividend_moves(a, b, a_dot, b_dot):
    """The quotient as if b were a constant."""
    return a / b, a_dot / b


def wrong_sign(a, b, a_dot, b_dot):
    """The quotient with a sum where the difference belongs."""
    q = a / b
    return q, (a_dot + q * b_dot) / b


def terms_exchanged(a, b, a_dot, b_dot):
    """The quotient whose tangent has the opposite sign."""
    q = a / b
    return q, (q * b_dot - a_dot) / b


def not_divided(a, b, a_dot, b_dot):
    """The quotient with its tangent times b."""
    return a / b, a_dot - a / b * b_dot


def half_divided(a, b, a_dot, b_dot):
    """The quotient with one of the two terms divided by b."""
    return a / b, a_dot / b - a / b * b_dot


def numerator_alone(a, b, a_dot, b_dot):
    """The quotient with the school formula's numerator."""
    return a / b, a_dot * b - a * b_dot


def divide_tangent_first(a, b, a_dot, b_dot):
    """Tangent and value of the quotient."""
    return reference_divide_jvp(a, b, a_dot, b_dot)[::-1]


def cases_sin_jvp():
    """A value and its tangent; in one case the cosine is negative."""
    return [(5.0, 1.0), (0.5, -3.0), (2.0, 3.0), (1.0, 0.0)]


def reference_sin_jvp(a, a_dot):
    """Find value and tangent of sin a."""
    return math.sin(a), math.cos(a) * a_dot


def show_sin_jvp(a, a_dot):
    """A case in words."""
    return f"a = {a:g}, a_dot = {a_dot:g}"


def tangent_ignored(a, a_dot):
    """The sine with its derivative, whatever moves."""
    return math.sin(a), math.cos(a)


def cosine_of_tangent(a, a_dot):
    """The sine with the cosine of the tangent."""
    return math.sin(a), math.cos(a_dot)


def unsigned_cosine(a, a_dot):
    """The sine with the absolute value of the cosine, as from a root of 1 - sin²."""
    return math.sin(a), abs(math.cos(a)) * a_dot


def minus_cosine(a, a_dot):
    """The sine with the sign of the cosine's derivative."""
    return math.sin(a), -math.cos(a) * a_dot


def refuse_quotient(function):
    """Raises LessonError for a function that is right but for the error of a small step."""
    name = function.__name__
    words, reference = lesson.words["check"][name], lesson.reference(name)
    try:
        cases = getattr(lesson.logic, f"cases_{name}")()
        pairs = [(call_copied(function, words, case), reference(*case)) for case in cases]
    except LessonError:  # the check tells of it
        return
    if all(agree(mine, due, ROUGH) for mine, due in pairs):
        for mine, due in pairs:
            if not agree(mine, due, EXACT):
                off = f"a result is off by {np.max(np.abs(np.subtract(mine, due))):.1g}"
                raise LessonError(f"✗ {name}: {off}", lesson.words["quotient"])


# the tangents of exercise 2 ----------------------------------------------------------------------


def judge_column(column, words):
    """The hint for three tangents, chosen by the first that is wrong; None where all are right."""
    found = numeric(column)
    if found is None or found.shape != (3,):
        return words["form"]
    due = [2.0, math.cos(5.0), 2.0 - math.cos(5.0)]
    off = np.abs(found - due)
    if np.all(off <= THREE_DIGITS):
        return None
    if np.all(off < ROUNDED):
        return words["coarse"]
    known = (hint["say"] for hint in words["hint"] if agree(found, hint["when"], 2e-3))
    first = next(words[name] for name, x in zip(words["names"], off) if not x <= THREE_DIGITS)
    return next(known, first)


# gradient ----------------------------------------------------------------------------------------


def cubic(a, b, c):
    """A polynomial of three numbers."""
    return a * a * b * c


def ratio(a, b):
    """A quotient of two numbers."""
    return a / (a + b * 3.0)


def cases_gradient():
    """Functions of three, of two and of one number, and where; once two inputs are equal."""
    places = [[2.0, 3.0, 7.0], [3.0, 3.0, 2.0]]
    return [(cubic, xs) for xs in places] + [(ratio, [-1.0, 4.0]), (np.log, [4.0])]


def show_gradient(f, xs):
    """A case in words."""
    words = {cubic: "a · a · b · c", ratio: "a / (a + 3 b)", np.log: "log(a)"}
    return f"f = {words[f]} and xs = {xs}"


def reference_gradient(f, xs):
    """Find all partial derivatives of f at xs."""
    return [mg.jvp(f, tuple(xs), tuple(seed))[1].item() for seed in np.eye(len(xs))]


def all_move(f, xs):
    """The derivative along (1, 1, …), once for each input."""
    return [sum(reference_gradient(f, xs))] * len(xs)


def one_pass(f, xs):
    """The derivative along (1, 1, …) alone."""
    return sum(reference_gradient(f, xs))


def seeds_kept(f, xs):
    """The derivatives of passes in which the earlier inputs still move."""
    return list(np.cumsum(reference_gradient(f, xs)))


def first_pass(f, xs):
    """The first partial derivative alone, in a list."""
    return reference_gradient(f, xs)[:1]


def equal_values_move(f, xs):
    """The derivatives of passes in which all inputs with the value of one move."""
    found = reference_gradient(f, xs)
    return [sum(one for one, x in zip(found, xs) if x == moved) for moved in xs]


def first_of_equals(f, xs):
    """The derivatives of passes in which an input moves with the first of its value."""
    found = reference_gradient(f, xs)
    return [sum(one for one, x in zip(found, xs) if xs.index(x) == i) for i in range(len(xs))]


def values_kept(f, xs):
    """The value of f once for each input."""
    return [float(f(*xs))] * len(xs)


# checks ------------------------------------------------------------------------------------------


def check(what, value=...):
    """lesson.check, which also refuses a function that contains a step h."""
    if callable(what):
        refuse_quotient(what)
    return lesson.check(what, value)


def judge_exit(answer, words):
    """The hint for wrong numbers of passes, chosen by the first that is wrong; else None."""
    found = numeric(answer)
    if found is None or found.shape != (3,):
        return words["form"]
    if hint := known_answer(tuple(found), words):
        wrong = (say for say, a, b in zip(words["each"], found, words["answer"]) if a != b)
        return next(wrong) if hint == words["otherwise"] else hint
    return None


# pictures ----------------------------------------------------------------------------------------


def path_of(throw, vx, vy):
    """The places of a ball, as (all x, all y)."""
    return tuple(zip(*(throw(vx, vy, steps) for steps in STEPS)))


def show_throw(throw):
    """Draw a throw and a faster one, and print where both end."""
    from minigrad.draw.plot.axes import paper

    vx, vy = START
    near, far = throw(vx, vy)[0], throw(vx + 1, vy)[0]
    print(f"After one second the ball is at x = {near:.3f} m.")
    print(f"Thrown 1 m/s faster sideways, it is at x = {far:.3f} m, {far - near:.3f} m farther.")
    with paper([2.3]) as (_, (axes,)):
        for speed, look in ((vx, "-"), (vx + 1, "--")):
            x, y = throw(speed, vy)
            label = f"{speed:g} m/s sideways"
            axes.plot(*path_of(throw, speed, vy), look, color=BLUE, label=label)
            axes.plot(x, y, "o", color=BLUE, markersize=7)
        axes.set(xlabel="x in m", ylabel="y in m", ylim=(0, 3.1))
        axes.legend(frameon=False, loc="lower right")


def show_errors(distance, error):
    """Draw the error of a difference quotient against its step, and the estimate of it."""
    from minigrad.draw.plot.axes import paper

    f, second = distance(START[0]), mg.hessian(distance)(START[0]).item()
    epsilon = np.finfo(float).eps
    best = math.sqrt(2 * epsilon * abs(f / second))
    print(f"f = {f:.2f} m, f'' = {second:.4f}, machine epsilon = {epsilon:.1e}")
    print(f"estimate: best step {best:.0e}, error there {estimate(f, second, best):.0e}")
    measured = [float(f"1e-{digits}") for digits in range(1, 17)]
    steps = np.logspace(-16, -1, 61)
    with paper([2.7]) as (_, (axes,)):
        axes.loglog(steps, estimate(f, second, steps), "--", color=GREY, label="estimate, line 3")
        axes.loglog(measured, [error(h) for h in measured], "o", color=BLUE, label="measured")
        axes.axvline(best, color=GREY, linewidth=0.8)
        axes.text(best * 1.5, 1e-4, "best step", va="top")
        axes.text(2e-14, 1e-8, "rounding error,\ngrows as h shrinks", va="top", color=GREY)
        axes.text(6e-5, 3e-10, "truncation error,\ngrows with h", va="bottom", color=GREY)
        axes.set(xlabel="h", ylabel="error of the quotient", ylim=(1e-10, 3))
        axes.legend(frameon=False, loc="upper right")


def estimate(f, second, h):
    """½ |f''| h + ε |f| / h, the truncation error and the rounding error of a quotient."""
    return abs(second) * h / 2 + np.finfo(float).eps * abs(f) / h


def show_arrows(throw, Dual):
    """Draw the tangent of each place as an arrow, and where a faster ball really is."""
    from minigrad.draw.plot.axes import paper

    vx, vy = START
    places = [throw(Dual(vx, 1.0), Dual(vy, 0.0), steps) for steps in STEPS[4::2]]
    faster = [throw(vx + 1, vy, steps) for steps in STEPS[4::2]]
    with paper([2.5]) as (_, (axes,)):
        axes.plot(*path_of(throw, vx, vy), color=BLUE, label="vx = 9 m/s")
        for x, y in places:
            tip = (x.value + x.tangent, y.value + y.tangent)
            look = {"arrowstyle": "->", "color": PURPLE, "linewidth": 1.6, "shrinkA": 0}
            axes.annotate("", tip, (x.value, y.value), arrowprops=look | {"shrinkB": 0})
        axes.plot([], [], color=PURPLE, label="tangent for 1 m/s more")
        axes.plot(*zip(*faster), "o", color=GREY, markersize=4, label="really vx = 10 m/s")
        axes.set(xlabel="x in m", ylabel="y in m", ylim=(0, 3.1))
        axes.legend(frameon=False, loc="lower right")


def show_passes(passes):
    """Draw how many passes each mode needs, for {inputs: (forward passes, reverse passes)}."""
    from minigrad.draw.plot.axes import paper

    first = min(n for n, (forward, reverse) in passes.items() if reverse < forward)
    print(f"Reverse mode needs fewer passes from n = {first} on.")
    with paper([2.4]) as (_, (axes,)):
        for name, counts in zip(("forward", "reverse"), zip(*passes.values())):
            axes.plot(list(passes), counts, label=f"{name} mode", **mg.plot.style_of(name))
        axes.set(xlabel="inputs n, with 8 results", ylabel="passes", ylim=0)
        axes.set(xticks=list(passes), yticks=range(0, 17, 4))
        axes.legend(frameon=False)


def show_memory(steps, carried, recorded):
    """Draw the peak memory of a throw on dual numbers and of a recorded one, in kilobytes."""
    from minigrad.draw.plot.axes import paper

    with paper([2.5]) as (_, (axes,)):
        for name, label, peaks in (
            ("reverse", "recorded for a backward pass", recorded),
            ("forward", "dual numbers", carried),
        ):
            look = mg.plot.style_of(name)
            axes.loglog(steps, [peak / 1000 for peak in peaks], label=label, **look)
        axes.set(xlabel="time steps", ylabel="peak memory in kB", ylim=(3, 3e5))
        axes.set_xticks(steps, map(str, steps), minor=False)
        axes.minorticks_off()
        axes.legend(frameon=False, loc="upper left")


BLUE, PURPLE, GREY = "#1B5FA8", "#7B3A9A", "#5A6673"
lesson = Lesson("02", sys.modules[__name__])
observe, predict = lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
