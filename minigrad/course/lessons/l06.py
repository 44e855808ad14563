"""Lesson 06: cases, references, typical wrong answers and pictures. The words are in 06.toml."""

import sys
from functools import partial, update_wrapper

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson, known_answer
from minigrad.course.lessons.answer import agree, numeric

SEED = 6  # the cases of an exercise are the same each time
START = np.array([-1.0, 1.0])  # on the floor of the valley
ROUNDING = 1e-12  # how far two exact ways differ
QUOTIENT = 1e-3  # how near to the right product a difference quotient comes
TANGENTS = {"jvp", "forward_gradients", "hvp"}  # what computes one in forward mode
REVERSE = {"grad", "gradients", "vjp", "backward"}  # what runs reverse mode
MATRICES = {"hessian", "jacobian"}  # what computes all entries
EVERYWHERE = np.linspace(-1, 1, 61)  # where the penalty looks at the derivative
SIZES = 1_000, 10_000, 1_000_000  # coordinates of the function whose products are timed
ALONG, ACROSS = np.array([1.0, -2.0]), np.array([2.0, 1.0])  # the directions of the derivation

# functions of the lesson -------------------------------------------------------------------------


def net(parameters, x):
    """Compute a sum of steps, each a tanh: one output for each input."""
    w, b, v = parameters
    return mg.tanh(mg.reshape(x, (-1, 1)) * w + b) @ v


def valley(x):
    """Compute Rosenbrock's function with a factor of 10, for two or more numbers."""
    return mg.sum(10 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def wave(x):
    """Compute a function of three numbers whose Hessian has no zeros."""
    return mg.sin(x[0] * x[1]) + mg.exp(x[1] * x[2]) + x[0] * x[2] ** 2


def bowl(x):
    """Compute the sum of log(1 + x²), whose only minimum is at 0."""
    return mg.sum(mg.log(1 + x * x))


# gradient_penalty --------------------------------------------------------------------------------


class Penalty:
    """A learner's gradient_penalty as it is compared: its value and its gradients."""

    def __init__(self, function):
        update_wrapper(self, function)
        self.function, self.__code__ = function, function.__code__

    def __call__(self, parameters, x):
        """Return the penalty and its gradients with respect to the three parameters."""
        parameters = [mg.tensor(value, requires_grad=True) for value in parameters]
        penalty = self.function(parameters, x)
        if penalty is None:
            return None
        if not isinstance(penalty, mg.Tensor):  # a plain number, which has no graph at all
            penalty = mg.tensor(penalty)
        return penalty, *mg.gradients(penalty, parameters, unconnected="zero")


class PenaltyLesson(Lesson):
    """The lesson, whose gradient_penalty is compared together with its gradients."""

    def check_calls(self, name, function, words):
        """Compare a function with the reference on every case. Raises LessonError."""
        checked = Penalty(function) if name == "gradient_penalty" else function
        super().check_calls(name, checked, words)

    def is_answer_of(self, wrong, cases, found, run):
        """Whether a known wrong answer computes the same; a difference quotient only comes near."""
        if wrong == "difference_quotient":
            return is_near_product(cases, found)
        return super().is_answer_of(wrong, cases, found, run)

    def skip(self, name):
        """Lend the course's own function: of gradient_penalty without the gradients."""
        lent = super().skip(name)
        if name == "gradient_penalty":
            lent = self.passes[name] = gradient_penalty
        return lent


def gradient_penalty(parameters, x):
    """Compute the mean square of the derivatives of the outputs with respect to their inputs."""
    return mg.mean(derivatives_of(parameters, x) ** 2)


def derivatives_of(parameters, x):
    """Differentiate each output of the network with respect to its own input, as nodes."""
    x = mg.tensor(x, requires_grad=True)
    return mg.gradients(mg.sum(net(parameters, x)), [x])[0]


def cases_gradient_penalty():
    """Parameters and inputs of two small networks, whose derivatives have both signs."""
    rng, found = np.random.default_rng(SEED), []
    for units, inputs in ((3, 6), (2, 4)):
        w, b, v = 1 + rng.uniform(size=(3, units))
        found.append(([w, b, v * (-1) ** np.arange(units)], np.linspace(-2, 1, inputs)))
    return found


def reference_gradient_penalty(parameters, x):
    """Compute the penalty and its gradients."""
    return Penalty(gradient_penalty)(parameters, x)


def show_gradient_penalty(parameters, x):
    """A case in words."""
    return f"a network of {len(parameters[0])} units and {len(x)} inputs"


def stored_numbers(parameters, x):
    """The right penalty, of which no gradient reaches the parameters."""
    penalty, *gradients = reference_gradient_penalty(parameters, x)
    return penalty, *(0 * gradient for gradient in gradients)


def sum_of_squares(parameters, x):
    """The sum of the squares instead of their mean, with its gradients."""
    return tuple(len(x) * part for part in reference_gradient_penalty(parameters, x))


def without_square(parameters, x):
    """The mean derivative, without squares, with its gradients."""
    return Penalty(lambda p, x: mg.mean(derivatives_of(p, x)))(parameters, x)


def square_of_mean(parameters, x):
    """The square of the mean derivative, with its gradients."""
    return Penalty(lambda p, x: mg.mean(derivatives_of(p, x)) ** 2)(parameters, x)


def outputs_squared(parameters, x):
    """The mean square of the outputs, with its gradients."""
    return Penalty(lambda p, x: mg.mean(net(p, x) ** 2))(parameters, x)


def after_gradient_penalty(function):
    """Say what else a backward pass filled, where the learner calls backward."""
    parameters = [mg.tensor(value, requires_grad=True) for value in cases_gradient_penalty()[0][0]]
    function(parameters, np.ones(2))
    if any(parameter.grad is not None for parameter in parameters):
        print(f"  {lesson.words['ready']['backward']}")
    case = cases_gradient_penalty()[0]
    exact = reference_gradient_penalty(*case)
    if not agree(Penalty(function)(*case), exact, ROUNDING):
        print(f"  {lesson.words['ready']['quotient']}")


# Hessian–vector products -------------------------------------------------------------------------


def cases_forward_over_reverse():
    """Functions, points and directions; the last is too long for a difference quotient."""
    rng = np.random.default_rng(SEED)
    return [
        (valley, START.copy(), ALONG.copy()),
        (valley, rng.normal(size=5), rng.normal(size=5)),
        (wave, rng.normal(size=3), 1e5 * rng.normal(size=3)),
    ]


def reference_forward_over_reverse(f, x, v):
    """Compute the Hessian of f at x times v."""
    return mg.hvp(f, x, v)


def show_forward_over_reverse(f, x, v):
    """A case in words."""
    return f"f = {f.__name__}, {len(x)} numbers in x"


cases_reverse_over_reverse = cases_forward_over_reverse
reference_reverse_over_reverse = reference_forward_over_reverse
show_reverse_over_reverse = show_forward_over_reverse


def gradient_and_product(f, x, v):
    """Both results of the forward mode: the gradient, and the product."""
    return mg.jvp(mg.grad(f), (x,), (v,))


def gradient_alone(f, x, v):
    """The gradient, of which no tangent was taken."""
    return mg.grad(f)(x)


def derivative_of_f(f, x, v):
    """The directional derivative of f itself."""
    return mg.jvp(f, (x,), (v,))[1]


def entry_by_entry(f, x, v):
    """The gradient times v, entry by entry."""
    return mg.grad(f)(x) * v


def swapped(f, x, v):
    """The Hessian at v, times x."""
    return mg.hvp(f, v, x)


def of_the_valley(f, x, v):
    """The product for the valley, whatever f is."""
    return mg.hvp(valley, x, v)


def stored_gradient(f, x, v):
    """The zeros that one finds where the gradient was stored as a number."""
    return np.zeros(len(x))


def added_to_gradient(f, x, v):
    """The gradient and the product, added up in one .grad."""
    return mg.grad(f)(x) + mg.hvp(f, x, v)


def is_near_product(cases, found):
    """Whether all results with a short direction are near the product, and none is exact."""
    short = [k for k, (_, _, v) in enumerate(cases) if np.abs(v).max() < 10]
    exact, mine = [mg.hvp(*cases[k]).numpy() for k in short], [numeric(found[k]) for k in short]
    if any(a is None or a.shape != b.shape for a, b in zip(mine, exact)):
        return False
    errors = [np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip(mine, exact)]
    return min(errors) > ROUNDING and max(errors) < QUOTIENT


def product_in_a_list(f, x, v):
    """The product, as the only entry of a list."""
    return [mg.hvp(f, x, v)]


def without_direction(f, x, v):
    """The gradient of the sum of g: the Hessian times a vector of ones."""
    return mg.hvp(f, x, np.ones(len(x)))


def product_times_direction(f, x, v):
    """The number v · Hv."""
    return mg.hvp(f, x, v) @ v


def after_forward_over_reverse(function):
    """Say what a right answer took from the library ready-made, or that it is another way."""
    outside, inside = names_in(function)
    if is_over_forward(function):
        print(f"  {lesson.words['ready']['over_forward']}")
    elif outside & REVERSE and not (outside | inside) & (TANGENTS | MATRICES):
        print(f"  {lesson.words['ready']['reverse']}")
    else:
        tell_ready_made(function, "hvp", "hessian")


def is_over_forward(function):
    """Whether a function differentiates the tangent that a function inside it computes."""
    outside, inside = names_in(function)
    return "jvp" in inside - outside and "grad" in outside


def names_in(function):
    """The names that a function uses, and those that the functions inside it use."""
    code = getattr(function, "__code__", None)
    inner = [part for part in getattr(code, "co_consts", ()) if hasattr(part, "co_names")]
    return set(getattr(code, "co_names", ())), {name for part in inner for name in part.co_names}


def after_reverse_over_reverse(function):
    """Say what a right answer took from the library, or from forward mode."""
    if is_over_forward(function):
        print(f"  {lesson.words['ready']['over_forward']}")
        return
    tell_ready_made(function, "hvp", "hessian", "jvp", "forward_over_reverse")


def time_products(f, *ways):
    """Measure the products and the whole Hessian of f, in multiples of one gradient.

    Returns a row for each number of coordinates: n, the time of each way, and that of the Hessian,
    which only the smallest n has.
    """
    rows, g = [], mg.grad(f)
    for n in SIZES:
        x, v = np.random.default_rng(SEED).normal(size=(2, n))
        calls = [partial(g, x), *[partial(way, f, x, v) for way in ways]]
        one, *others = least_seconds(calls)
        rows.append([f"{n:,}", *[f"{seconds / one:.1f}" for seconds in others], "–"])
        if n == SIZES[0]:
            (whole,) = least_seconds([partial(mg.hessian(f), x)], rounds=3)
            rows[-1][-1] = f"{whole / one:,.0f}"
    return rows


def least_seconds(calls, rounds=5):
    """Measure the seconds that each call takes at least, in rounds: load falls on all of them."""
    taken = [[mg.measure.time(call, repeat=1) for call in calls] for _ in range(rounds)]
    return np.min(taken, axis=0)


def tell_ready_made(function, *names):
    """Print a sentence for the first of these names that a function calls."""
    used = getattr(getattr(function, "__code__", None), "co_names", ())
    for name in names:
        if name in used:
            print(f"  {lesson.words['ready'][name]}")
            return


# newton_step -------------------------------------------------------------------------------------


def cases_newton_step():
    """Functions and points with an invertible Hessian."""
    near = 1 + 0.3 * np.random.default_rng(SEED).normal(size=4)
    return [(valley, START.copy()), (valley, near), (bowl, np.array([0.5]))]


def reference_newton_step(f, x):
    """Return the point to which one Newton step leads from x."""
    return x + newton_direction(f, x)


def show_newton_step(f, x):
    """A case in words."""
    return f"f = {f.__name__}, x = {np.round(x, 2).tolist()}"


def newton_direction(f, x):
    """The d that solves H d = −g at x."""
    return np.linalg.solve(mg.hessian(f)(x).numpy(), -mg.grad(f)(x).numpy())


def opposite_step(f, x):
    """The point x − d."""
    return x - newton_direction(f, x)


def gradient_step(f, x):
    """The point x − g."""
    return x - mg.grad(f)(x).numpy()


def multiplied_step(f, x):
    """The point x − H g."""
    return x - mg.hvp(f, x, mg.grad(f)(x).numpy()).numpy()


def gradient_of_the_valley(f, x):
    """The point to which the gradient of the valley leads, with the Hessian of f."""
    return x + np.linalg.solve(mg.hessian(f)(x).numpy(), -mg.grad(valley)(x).numpy())


def diagonal_step(f, x):
    """The point that the diagonal of H alone leads to."""
    return x - mg.grad(f)(x).numpy() / np.diag(mg.hessian(f)(x).numpy())


# the starts of exercise 4 ------------------------------------------------------------------------


def judge_converges(starts, words):
    """The hint for a list of starts; None where the list is right, after its picture."""
    try:
        starts = sorted(map(float, np.atleast_1d(starts)))
    except (TypeError, ValueError):
        return words["start"]
    if not set(starts) <= set(words["starts"]):
        return words["start"]
    hint = known_answer(starts, words)
    if hint is None:
        show_bowl(words["starts"])
    return hint


# the exit question -------------------------------------------------------------------------------


def judge_exit(answer, words):
    """The hint for a wrong answer; None for the right number, alone or in a list."""
    found = numeric(answer)
    return known_answer(answer if found is None or found.size != 1 else found.item(), words)


# pictures ----------------------------------------------------------------------------------------


def show_fits(points, targets, fits):
    """Draw the points and, for each name, the curve of a network with these parameters."""
    from minigrad.draw.plot.axes import paper

    across = np.linspace(-1, 1, 161)
    looks = [("#B0430A", "-", 5, 0.35), ("#1B5FA8", "-", 1.8, 1)]
    with paper([2.8]) as (_, (axes,)):
        for (name, parameters), (color, line, width, alpha) in zip(fits.items(), looks):
            curve = net(parameters, mg.tensor(across)).numpy()
            label = f"{name}: penalty {gradient_penalty(parameters, EVERYWHERE).item():.2f}"
            axes.plot(across, curve, line, color=color, linewidth=width, alpha=alpha, label=label)
        axes.plot(points, targets, "o", color="#20262C", ms=5, label="points")
        axes.set(xlabel="x", ylabel="output")
        axes.legend(edgecolor="none", framealpha=1, loc="upper left")


def show_gradients():
    """Draw the gradient at the start, a little along the valley, and a little across it."""
    from minigrad.draw.plot.axes import paper

    gradient, h = mg.grad(valley), 0.02
    named = {"at x": 0 * ALONG, "at x + 0.02·(1, −2)": ALONG, "at x + 0.02·(2, 1)": ACROSS}
    with paper([3.6]) as (_, (axes,)):
        draw_heights(axes, (-1.19, -0.86), (0.92, 1.09), np.linspace(2.6, 7, 12))
        for (name, v), color in zip(named.items(), ("#20262C", "#1B5FA8", "#B0430A")):
            place = START + h * v
            tip = place + 0.03 * gradient(place).numpy()
            axes.plot(*place, "o", color=color, ms=5)
            axes.plot(*np.transpose([place, tip]), color=color, linewidth=2.2, label=name)
            axes.annotate("", tip, place, arrowprops={"arrowstyle": "-|>", "color": color})
        axes.set(xlabel="x", ylabel="y", title="the gradient of the valley at three points")
        axes.set(aspect="equal")
        axes.legend(edgecolor="none", framealpha=1, loc="upper left")


def draw_heights(axes, across, up, levels):
    """Draw contour lines of the valley."""
    grid = np.meshgrid(np.linspace(*across, 120), np.linspace(*up, 120))
    heights = 10 * (grid[1] - grid[0] ** 2) ** 2 + (1 - grid[0]) ** 2
    axes.contour(*grid, heights, levels=levels, colors="#C5CCD3", linewidths=0.8)


def show_valley(descent, newton):
    """Draw the valley from above with the points of gradient descent and of Newton's method."""
    from minigrad.draw.plot.axes import paper

    with paper([2.8]) as (_, (axes,)):
        draw_heights(axes, (-2.6, 1.8), (-3.4, 2.2), [0.5, 3, 8, 20, 50, 100, 160])
        floor = np.linspace(-1.48, 1.48, 60)
        axes.plot(floor, floor**2, ":", color="#5A6673", label="floor of the valley")
        label = f"gradient descent: f = {valley(descent[-1]):.4f} after {len(descent) - 1} steps"
        axes.plot(*np.transpose(descent), ".", color="#B0430A", ms=4, label=label)
        axes.plot(*np.transpose(newton), "o-", color="#1B5FA8", ms=5, label="Newton's method")
        for place, shift in zip(newton, [(-44, -14), (8, -3), (10, -4)]):
            height = round(float(valley(place)), 9)
            axes.annotate(f"f = {height:g}", place, xytext=shift, textcoords="offset points")
        axes.set(xlabel="x", ylabel="y", title="the valley from above")
        axes.legend(edgecolor="none", framealpha=1, loc="lower left")


def show_bowl(starts):
    """Draw the bowl, and for each start the parabola there and where its Newton step lands."""
    from minigrad.draw.plot.axes import paper

    first, across = mg.grad(mg.grad(height_of)), np.linspace(-9, 14, 400)
    with paper([3.2]) as (_, (axes,)):
        axes.plot(across, np.log1p(across**2), color="#20262C", label="log(1 + x²)")
        for start, color in zip(starts, ("#2E7D4F", "#1B5FA8", "#B0430A")):
            f, g, c = height_of(start), mg.grad(height_of)(start), first(start)
            f, g, c = (float(number) for number in (f, g, c))
            lands = start - g / c
            d = np.linspace(min(0, -g / c) - 0.4, max(0, -g / c) + 0.4, 100)
            axes.plot(start + d, f + g * d + c * d * d / 2, "--", color=color, linewidth=1.2)
            axes.plot(start, f, "o", color=color, ms=5)
            label = f"from {start:g} to {lands:.2f}".replace("-", "−")
            axes.plot(lands, np.log1p(lands**2), "x", color=color, ms=8, mew=2, label=label)
        axes.set(xlabel="x", ylim=(-4, 8), title="one Newton step from each start")
        axes.legend(edgecolor="none", framealpha=1, loc="lower right")


def height_of(x):
    """The bowl of one number."""
    return mg.log(1 + x * x)


lesson = PenaltyLesson("06", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
