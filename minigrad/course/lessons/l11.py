"""Lesson 11: cases, references, typical wrong answers, pictures. The words are in 11.toml."""

import json
import sys
from html import escape
from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.lessons import elsewhere
from minigrad.course.lessons.films import film

DAYS = np.arange(-8.0, 9.0, 2.0)
HEIGHTS = np.array([-27.2, -23.6, -21.3, -17.4, -15.5, -11.8, -9.4, -5.6, -3.2])
BEST = np.array([1.495, -15.0])  # the line with the smallest loss
CURVATURES = np.array([2 * np.mean(DAYS**2), 2.0])  # of the loss, along a and along b
NEAR = 1e-3  # a loss so little above its minimum counts as there
RATES = np.arange(0.001, 0.08, 0.0005)  # learning rates that are tried
WIDE = [0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5]  # those of Adam
MOST = 400  # steps that a run takes at most
INK, MUTED, BLUE, RED, VIOLET = "#20262C", "#5A6673", "#1B5FA8", "#B0430A", "#7B3A9A"
LOOKS = [(RED, "o"), (BLUE, "s"), (VIOLET, "^")]


def sunflower():
    """(days, cm): when a sunflower was measured, and its height above the top of a fence."""
    return DAYS.copy(), HEIGHTS.copy()


def random_depth():
    """(data, target, initial weights, depths) of a network whose depth is chosen in each step."""
    draw = np.random.default_rng(0).normal
    data, target = draw(size=(64, 1000)), draw(size=(64, 10))
    shapes = [(1000, 100), (100, 100), (100, 10)]
    starts = [draw(size=shape) * np.sqrt(2 / shape[0]) for shape in shapes]
    depths = np.random.default_rng(6).integers(0, 4, size=15).tolist()
    return mg.tensor(data), target, starts, depths


# sweep -------------------------------------------------------------------------------------------


def bowl(w):
    """A loss of two numbers, with the curvatures 1 and 4."""
    return w[0] ** 2 / 2 + 2 * (w[1] - 1) ** 2


def quartic(w):
    """A loss of two numbers, which is flat at its minimum."""
    return mg.sum((w - 2) ** 4)


def cases_sweep():
    """(loss, start, rates, steps); of the rates some converge and some diverge."""
    return [
        (bowl, np.array([2.0, 3.0]), [0.1, 0.4, 0.55], 6),
        (quartic, np.array([0.5, 3.0]), [0.05, 0.02], 3),
        (bowl, np.array([-1.0, 0.5]), [0.25], 1),
    ]


def show_sweep(loss_of, start, rates, steps):
    """A case in words."""
    shown = start.tolist()
    return f"{loss_of.__name__}, start = {shown}, rates = {rates}, steps = {steps}"


def descend(loss_of, start, rate, steps, keep=0.0):
    """The point that gradient descent reaches, with gradients that keep a part of the last one."""
    w, gradient = np.array(start, float), np.zeros(np.shape(start))
    for _ in range(steps):
        gradient = keep * gradient + mg.grad(loss_of)(w).numpy()
        w = w - rate * gradient
    return w


def reference_sweep(loss_of, start, rates, steps):
    """Return the loss after some steps of gradient descent, for each learning rate."""
    return [loss_of(descend(loss_of, start, rate, steps)).item() for rate in rates]


def one_walk(loss_of, start, rates, steps):
    """Each rate goes on where the last one ended."""
    losses = []
    for rate in rates:
        start = descend(loss_of, start, rate, steps)
        losses.append(loss_of(start).item())
    return losses


def gradients_added(loss_of, start, rates, steps):
    """The gradients accumulate from step to step."""
    return [loss_of(descend(loss_of, start, rate, steps, 1.0)).item() for rate in rates]


def a_step_early(loss_of, start, rates, steps):
    """The loss before the last update."""
    return reference_sweep(loss_of, start, rates, steps - 1)


def a_step_more(loss_of, start, rates, steps):
    """The loss after one update too many."""
    return reference_sweep(loss_of, start, rates, steps + 1)


def from_zeros(loss_of, start, rates, steps):
    """The steps begin at zeros, as those of the line do."""
    return reference_sweep(loss_of, np.zeros(2), rates, steps)


def uphill(loss_of, start, rates, steps):
    """The loss after steps along the gradient."""
    return reference_sweep(loss_of, start, [-rate for rate in rates], steps)


def first_rate(loss_of, start, rates, steps):
    """The loss of the first rate alone, in a list."""
    return reference_sweep(loss_of, start, rates, steps)[:1]


# sgd_step ----------------------------------------------------------------------------------------


def cases_sgd_step():
    """(w, v, g, lr, momentum), of which the first three are arrays of one shape."""
    return [
        (np.array([1.0, -2.0]), np.array([0.5, 3.0]), np.array([4.0, -1.0]), 0.1, 0.9),
        (np.array([2.0]), np.array([0.0]), np.array([-3.0]), 0.5, 0.4),
        (np.array([[1.0], [2.0]]), np.array([[3.0], [-1.0]]), np.array([[0.5], [2.0]]), 0.2, 0.0),
    ]


def show_sgd_step(w, v, g, lr, momentum):
    """A case in words."""
    w, v, g = (np.asarray(x).tolist() for x in (w, v, g))
    return f"w = {w}, v = {v}, g = {g}, lr = {lr:g}, momentum = {momentum:g}"


def reference_sgd_step(w, v, g, lr, momentum):
    """Return the new w and v: v ← momentum·v + g, then w ← w − lr·v."""
    v = momentum * v + g
    return w - lr * v, v


def old_velocity(w, v, g, lr, momentum):
    """w moves by the old v."""
    return w - lr * v, momentum * v + g


def mean_velocity(w, v, g, lr, momentum):
    """v is a mean of the gradients: the new one counts 1 − momentum."""
    v = momentum * v + (1 - momentum) * g
    return w - lr * v, v


def rate_in_velocity(w, v, g, lr, momentum):
    """The learning rate is a factor of the gradient in v."""
    v = momentum * v + lr * g
    return w - v, v


def signed_velocity(w, v, g, lr, momentum):
    """v points downhill and contains the learning rate."""
    v = momentum * v - lr * g
    return w + v, v


def plain_step(w, v, g, lr, momentum):
    """w moves by the gradient alone, while v is right."""
    return w - lr * g, momentum * v + g


def climbing(w, v, g, lr, momentum):
    """w moves along v."""
    v = momentum * v + g
    return w + lr * v, v


def nesterov(w, v, g, lr, momentum):
    """Nesterov's step, which looks ahead along v."""
    v = momentum * v + g
    return w - lr * (g + momentum * v), v


def after_sgd_step(function):
    """Compare the learner's function with PyTorch's optimiser."""
    tell_torch("SGD", errors_of(function, 0.05, 0.5)[60] + BEST)


# adam_step ---------------------------------------------------------------------------------------


def cases_adam_step():
    """(w, m, s, g, t, lr, beta1, beta2, eps); one gradient is 0, and one eps is large."""
    zero, plain, large_eps = np.zeros(2), (0.1, 0.9, 0.999, 1e-8), (0.5, 0.8, 0.95, 0.1)
    column = [np.array([[x], [y]]) for x, y in ((2.0, 1.0), (0.5, -0.1), (0.4, 0.2), (-1.0, 3.0))]
    w, m, s, g = map(np.array, ([3.0, 1.0], [0.2, 0.0], [0.3, 0.0], [-2.0, 0.0]))
    return [
        (np.array([1.0, -2.0]), zero, zero.copy(), np.array([4.0, -0.5]), 1, *plain),
        (w, m, s, g, 5, *large_eps),
        (*column, 3, 0.01, 0.9, 0.99, 0.01),
    ]


def show_adam_step(w, m, s, g, t, *settings):
    """A case in words."""
    w, m, s, g = (np.asarray(x).tolist() for x in (w, m, s, g))
    names = zip(("lr", "beta1", "beta2", "eps"), settings)
    given = ", ".join(f"{name} = {value:g}" for name, value in names)
    return f"w = {w}, m = {m}, s = {s}, g = {g}, t = {t}, {given}"


def moments(m, s, g, beta1, beta2):
    """The new means of the gradient and of its square."""
    return beta1 * m + (1 - beta1) * g, beta2 * s + (1 - beta2) * g * g


def reference_adam_step(w, m, s, g, t, lr, beta1=0.9, beta2=0.999, eps=1e-8):
    """Return the new w, m and s after step number t of Adam."""
    m, s = moments(m, s, g, beta1, beta2)
    m_hat, s_hat = m / (1 - beta1**t), s / (1 - beta2**t)
    return w - lr * m_hat / (s_hat**0.5 + eps), m, s


def uncorrected(w, m, s, g, t, lr, beta1, beta2, eps):
    """Both means are taken as they are."""
    m, s = moments(m, s, g, beta1, beta2)
    return w - lr * m / (s**0.5 + eps), m, s


def stored_corrected(w, m, s, g, t, lr, beta1, beta2, eps):
    """The right w, but the corrected means are kept."""
    w, m, s = reference_adam_step(w, m, s, g, t, lr, beta1, beta2, eps)
    return w, m / (1 - beta1**t), s / (1 - beta2**t)


def without_root(w, m, s, g, t, lr, beta1, beta2, eps):
    """The mean of the square instead of its root."""
    m, s = moments(m, s, g, beta1, beta2)
    return w - lr * m / (1 - beta1**t) / (s / (1 - beta2**t) + eps), m, s


def eps_inside(w, m, s, g, t, lr, beta1, beta2, eps):
    """eps below the root."""
    m, s = moments(m, s, g, beta1, beta2)
    return w - lr * m / (1 - beta1**t) / (s / (1 - beta2**t) + eps) ** 0.5, m, s


def away(w, m, s, g, t, lr, beta1, beta2, eps):
    """w moves along the gradient."""
    return reference_adam_step(w, m, s, g, t, -lr, beta1, beta2, eps)


def swapped_betas(w, m, s, g, t, lr, beta1, beta2, eps):
    """beta2 stands in the formulas of m, and beta1 in those of s."""
    return reference_adam_step(w, m, s, g, t, lr, beta2, beta1, eps)


def a_power_late(w, m, s, g, t, lr, beta1, beta2, eps):
    """The corrections of the next step."""
    m, s = moments(m, s, g, beta1, beta2)
    m_hat, s_hat = m / (1 - beta1 ** (t + 1)), s / (1 - beta2 ** (t + 1))
    return w - lr * m_hat / (s_hat**0.5 + eps), m, s


def after_adam_step(function):
    """Compare the learner's Adam with PyTorch's, and run it against SGD."""

    def step(rate):
        return lambda t, w, m, s, g: function(w, m, s, g, t, rate)

    zero = np.zeros(2)
    tell_torch("Adam", follow(step(0.5), zero, zero)[60])
    counts = [(steps_to(heights_of(follow(step(rate), zero, zero) - BEST)), rate) for rate in WIDE]
    steps, rate = min(pair for pair in counts if pair[0] is not None)
    paths = {f"Adam, η = {rate:g}: {steps} steps": follow(step(rate), zero, zero)}
    for name, beta in (("momentum 0.5", 0.5), ("SGD", 0.0)):
        steps, rate = fewest_steps(reference_sgd_step, beta)
        path = errors_of(reference_sgd_step, rate, beta) + BEST
        paths[f"{name}, η = {rate:g}: {steps} steps"] = path
    show_paths({name: path[:121] for name, path in paths.items()})


def follow(step, *state, steps=MOST):
    """The line (a, b) before each of some steps of a function of t, line, state and gradient."""
    line, path = np.zeros(2), []
    for t in range(1, steps + 1):
        path.append(line)
        line, *state = map(as_array, step(t, line, *state, CURVATURES * (line - BEST)))
    return np.array(path)


def numbers_of(values):
    """Return values, of which some may be Tensors, as a list of floats."""
    return [float(as_array(value)) for value in values]


def as_array(value):
    """The numbers of a Tensor, or of anything else, as an array."""
    return value.numpy() if isinstance(value, mg.Tensor) else np.asarray(value)


def tell_torch(kind, line):
    """Print where the learner's function has led, and where PyTorch's optimiser of a kind does."""
    answers = elsewhere.read_answers("11")["torch"]
    version = answers["version"].partition("+")[0]
    print(f"  a and b after 60 steps of yours:        {line[0]:.6f} {line[1]:.6f}")
    print(f"  and of torch.optim.{kind}, PyTorch {version}: {answers[kind]}")


# momentum, measured ------------------------------------------------------------------------------


def errors_of(step, rate, beta, steps=MOST):
    """The errors of (a, b), from a = b = 0, before each of some steps of a step function."""
    error, v, found = -BEST, np.zeros(2), []
    for _ in range(steps):
        found.append(error)
        error, v = map(as_array, step(error, v, CURVATURES * error, rate, beta))
    return np.array(found)


def heights_of(errors):
    """How far the loss lies above its minimum at some errors."""
    return errors**2 @ CURVATURES / 2


def steps_to(heights):
    """The number of the step from which the loss stays near its minimum; None if it does not."""
    far = np.flatnonzero(~(heights < NEAR))
    return int(far[-1]) + 1 if far[-1] + 1 < len(heights) else None


def fewest_steps(step, beta):
    """(steps, rate): the fewest steps with this momentum that bring the loss near its minimum."""
    with np.errstate(all="ignore"):
        counts = [(steps_to(heights_of(errors_of(step, rate, beta))), rate) for rate in RATES]
    steps, rate = min(pair for pair in counts if pair[0] is not None)
    return steps, float(rate)


def convergence_factor(rate, beta, curvature):
    """By how much a step multiplies an error along one curvature in the long run."""
    return float(max(abs(np.roots([1.0, -(1 + beta - rate * curvature), beta]))))


# the exit question -------------------------------------------------------------------------------


def judge_exit(answer, words):
    """The hint for a wrong answer; None for the right number, or a fraction."""
    try:
        found = float(eval_fraction(answer))
    except (TypeError, ValueError, ZeroDivisionError):
        return words["start"]
    if abs(found - words["answer"]) < 0.005:
        return None
    known = (hint["say"] for hint in words["hint"] if abs(found - hint["when"]) < 0.004)
    return next(known, words["otherwise"])


def eval_fraction(answer):
    """The number in an answer, which may be a text such as "4/9"."""
    if isinstance(answer, str):
        above, _, below = answer.partition("/")
        return float(above) / float(below or 1)
    return answer


# pictures ----------------------------------------------------------------------------------------


def show_fit(path):
    """Show the line after some of its steps, as a film; `path` has (a, b, loss) after each."""

    def frame(axes, step):
        a, b, loss = path[step]
        axes.plot(DAYS, HEIGHTS, "o", color=MUTED)
        axes.plot([-9, 12], [b - 9 * a, b + 12 * a], color=BLUE)
        axes.axhline(0, color=MUTED, linestyle=":")
        axes.annotate("top of the fence", (-9, 1))
        axes.set(ylim=(-32, 7), xlabel="day", ylabel="cm")
        axes.set_title(f"step {step}: loss {loss:.2f}")

    return film(frame, [0, 1, 2, 3, 4, 6, 10, 15, 25, 40, 60, 100], (6, 2.8))


def show_rates(runs):
    """Draw the loss of each learning rate, and where the last one leads along a.

    `runs` is {rate: [(a, b, loss)] of each step}.
    """
    from minigrad.draw.plot.axes import paper

    across = np.linspace(-2.3, 5.3, 60)
    with paper([2.6], share=False, columns=2) as (_, (left, right)):
        for (rate, path), (colour, mark) in zip(runs.items(), LOOKS[::-1]):
            a, _, loss = np.transpose(path)
            left.semilogy(loss, color=colour, marker=mark, ms=3, markevery=5, label=f"{rate:g}")
        left.set(xlabel="step", ylabel="loss")
        left.legend(title="learning rate", edgecolor="none", loc="upper left")
        right.plot(across, heights_of(np.stack([across - BEST[0], 0 * across], 1)), color=MUTED)
        first = np.array(a[:5])
        heights = heights_of(np.stack([first - BEST[0], 0 * first], 1))
        right.plot(first, heights, "o-", color=colour, lw=1, ms=5)
        for step, place in enumerate(zip(first, heights)):
            right.annotate(step, place, (6 if step % 2 else -12, -3), textcoords="offset points")
        right.set(xlabel="a", ylabel="loss along a")


def show_losses(rates, losses, limit):
    """Draw the loss of each learning rate, and the rate at which gradient descent diverges."""
    from minigrad.draw.plot.axes import paper

    with paper([2.5]) as (_, (axes,)):
        axes.loglog(rates, losses, "o-", color=BLUE, ms=4)
        axes.axvline(limit, color=RED, linestyle="--")
        axes.annotate(f"2/λ = {limit:.4f} ", (limit, max(losses) / 3), ha="right", color=RED)
        axes.set(xlabel="learning rate η", ylabel="loss after 50 steps")


def show_momentum(step, betas):
    """Draw the loss by a step function for each momentum, at the learning rate that suits it."""
    from minigrad.draw.plot.axes import paper

    with paper([2.6]) as (_, (axes,)):
        for beta, (colour, mark) in zip(betas, LOOKS):
            steps, rate = fewest_steps(step, beta)
            heights = heights_of(errors_of(step, rate, beta, 121)).clip(1e-9)
            name = f"β = {beta:g}, η = {rate:g}: {steps} steps"
            axes.semilogy(heights, color=colour, marker=mark, ms=3, markevery=8, label=name)
        axes.axhline(NEAR, color=MUTED, linestyle=":")
        axes.set(xlabel="step", ylabel="loss above its minimum", ylim=(1e-6, 1e3))
        axes.legend(edgecolor="none", framealpha=1)


def show_paths(paths):
    """Draw the path of each optimiser over the levels of the loss, and the loss of each step."""
    from minigrad.draw.plot.axes import paper

    at_a, at_b = np.meshgrid(np.linspace(-1.3, 4.5, 80), np.linspace(-24, 3, 80))
    levels = heights_of(np.stack([at_a - BEST[0], at_b - BEST[1]], -1))
    with paper([3.4], share=False, columns=2) as (figure, (left, right)):
        left.contour(at_a, at_b, levels, [2, 10, 30, 70, 130, 200], colors="#C3CAD1", linewidths=1)
        for (name, path), (colour, mark) in zip(paths.items(), LOOKS):
            path = np.array(path)
            left.plot(*path.T, color=colour, marker=mark, ms=3, lw=1, label=name)
            heights = heights_of(path - BEST).clip(1e-9)
            right.semilogy(heights, color=colour, marker=mark, ms=3, markevery=8)
        left.set(xlabel="a", ylabel="b", xlim=(-1.3, 4.5), ylim=(-24, 3))
        figure.legend(loc="outside upper left", edgecolor="none")
        right.set(xlabel="step", ylabel="loss above its minimum", ylim=(1e-5, 1e3))


def show_difference(difference, depths):
    """Draw how far two runs differ in each step, and the depth of the network there."""
    from minigrad.draw.plot.axes import paper

    steps = range(1, len(depths) + 1)
    with paper([1.5, 1.1]) as (_, (above, below)):
        above.plot(steps, difference, "o-", color=RED, ms=4)
        above.set(ylabel="difference\nof the losses")
        below.bar(steps, depths, color=BLUE)
        below.set(ylabel="depth", xlabel="step", xticks=steps, yticks=range(4))


# two sliders -------------------------------------------------------------------------------------

STEPS, TALL = 100, 270  # that the curve shows; pixels
LEFT, RIGHT = (50, 330), (430, 740)  # between which pixels the two panels lie
SPAN_A, SPAN_B, DECADES = (-2.0, 5.0), (-32.0, 2.0), (-6, 4)  # what they show


class Sliders:
    """Momentum on the loss of the line: what a page shows for each η and β, drawn in the page."""

    def __init__(self, rate, beta):
        self.rate, self.beta = rate, beta
        self.errors = errors_of(reference_sgd_step, rate, beta)

    def describe(self):
        """What the values lead to, as a sentence."""
        a, b = (convergence_factor(self.rate, self.beta, each) for each in CURVATURES)
        steps = steps_to(heights_of(self.errors))
        ends = (
            f"after {steps} steps it stays below 0.001" if steps else "it does not stay below 0.001"
        )
        return (
            f"In the long run a step multiplies the error of a by {a:.3f} and the error of b by "
            f"{b:.3f}. The loss above its minimum: {ends}."
        )

    def __repr__(self):
        return f"two sliders, η = {self.rate:g} and β = {self.beta:g}\n{self.describe()}"

    def _repr_html_(self):
        code = Path(__file__).with_name("descent.js").read_text(encoding="utf-8")
        return f"{self.body()}\n<script>\n{code}</script>"

    def body(self):
        """The picture of the first values and the sliders, which the script brings to life."""
        facts = {
            "best": BEST.tolist(), "curvatures": CURVATURES.tolist(), "most": MOST, "near": NEAR,
            "steps": STEPS, "tall": TALL, "left": LEFT, "right": RIGHT, "a": SPAN_A, "b": SPAN_B,
            "decades": DECADES,
        }  # fmt: skip
        path = corners(place_path, self.errors[:STEPS])
        loss = corners(place_loss, enumerate(heights_of(self.errors[:STEPS])))
        return f"""\
<descent-sliders data-facts="{escape(json.dumps(facts))}"
  style="display: block; max-width: 760px; background: #fff; color: {INK}; font: 14px sans-serif">
{self.picture(path, loss)}
{knob("eta", "learning rate η", 0.002, 0.08, 0.0005, self.rate)}
{knob("beta", "momentum β", 0, 0.95, 0.01, self.beta)}
<p class="told" style="margin: 4px 50px 8px">{self.describe()}</p>
</descent-sliders>"""

    def picture(self, path, loss):
        """The two panels as SVG."""
        ovals = "".join(map(oval, (2, 10, 30, 70, 130, 200)))
        marks = "".join(
            f'<text x="{RIGHT[0] - 6}" y="{place_loss((0, 10.0**power))[1] + 4}" '
            f'text-anchor="end">10{raised(power)}</text>'
            for power in range(DECADES[0], DECADES[1] + 1, 2)
        )
        clips = "".join(
            f'<clipPath id="descent-{name}"><rect x="{x0}" y="10" width="{x1 - x0}" '
            f'height="{TALL - 20}"/></clipPath><rect x="{x0}" y="10" width="{x1 - x0}" '
            f'height="{TALL - 20}" fill="none" stroke="#C3CAD1"/>'
            for name, (x0, x1) in (("left", LEFT), ("right", RIGHT))
        )
        return f"""\
<svg viewBox="0 0 760 {TALL + 24}" width="760" style="max-width: 100%; height: auto"
  font-size="12" font-family="sans-serif" fill="{INK}" role="img"
  aria-label="the path of the line over the levels of its loss, and the loss of each step">
{clips}<g clip-path="url(#descent-left)" fill="none">{ovals}
<polyline class="path" points="{path}" stroke="{BLUE}" stroke-width="1.5"/></g>
<g clip-path="url(#descent-right)" fill="none">
<polyline class="loss" points="{loss}" stroke="{BLUE}" stroke-width="1.8"/></g>{marks}
<text x="{sum(LEFT) / 2}" y="{TALL + 10}" text-anchor="middle">a, from −2 to 5</text>
<text transform="translate(38 {TALL / 2}) rotate(-90)" text-anchor="middle">b, from −32 to 2</text>
<text x="{sum(RIGHT) / 2}" y="{TALL + 10}" text-anchor="middle">step, from 0 to {STEPS}</text>
<text transform="translate(384 {TALL / 2}) rotate(-90)" text-anchor="middle">loss above its \
minimum</text>
</svg>"""


def knob(name, label, least, most, step, value):
    """One slider with its name and its value."""
    return (
        f'<label style="display: flex; gap: 10px; margin: 2px 50px">'
        f'<span style="width: 130px">{label}</span>'
        f'<input class="{name}" type="range" min="{least}" max="{most}" step="{step}" '
        f'value="{value:g}" style="flex: 1"><output style="width: 60px">{value:g}</output></label>'
    )


def raised(power):
    """A power of ten as small digits."""
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def between(value, span, pixels):
    """Where in a panel a value lies, which may be far outside."""
    share = (value - span[0]) / (span[1] - span[0])
    return round(float(np.clip(pixels[0] + share * (pixels[1] - pixels[0]), -9e3, 9e3)), 1)


def place_path(error):
    """Where an error of the line lies in the left panel."""
    a, b = error + BEST
    return between(a, SPAN_A, LEFT), between(b, SPAN_B, (TALL - 10, 10))


def place_loss(point):
    """Where (step, loss) lies in the right panel."""
    step, loss = point
    return between(step, (0, STEPS), RIGHT), between(
        np.log10(loss + 1e-300), DECADES, (TALL - 10, 10)
    )


def corners(place, points):
    """The points of a line in SVG."""
    return " ".join(f"{x:g},{y:g}" for x, y in map(place, points))


def oval(height):
    """The points where the loss lies so far above its minimum, as an ellipse."""
    x, y = place_path(np.zeros(2))
    rx, ry = np.sqrt(2 * height / CURVATURES)
    rx *= (LEFT[1] - LEFT[0]) / (SPAN_A[1] - SPAN_A[0])
    ry *= (TALL - 20) / (SPAN_B[1] - SPAN_B[0])
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:.1f}" ry="{ry:.1f}" stroke="#C3CAD1"/>'


def show_sliders(rate=0.01, beta=0.0):
    """Show two sliders, of learning rate and momentum, with what they make of the line."""
    return Sliders(rate, beta)


lesson = Lesson("11", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
