"""Lesson 11b: cases, references, typical wrong answers, pictures. The words are in 11b.toml."""

import sys

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.lessons import elsewhere
from minigrad.course.lessons.films import film

SIDE = 21  # points along an edge of the heart's square
DEEP, WIDE, ROWS = 50, 64, 32  # layers, numbers in each, and inputs of the deep network
GAINS = {"1": 1.0, "√2": 2**0.5, "2": 2.0}
RED, BLUE, VIOLET, MUTED = "#B0430A", "#1B5FA8", "#7B3A9A", "#5A6673"
LOOKS = [(VIOLET, "s"), (BLUE, "o"), (RED, "^")]


def heart_data():
    """(places, heart): 441 rows x, y, 1, and for each a 1 inside of a heart or a 0 outside."""
    x, y = np.meshgrid(np.linspace(-1.5, 1.5, SIDE), np.linspace(1.5, -1.5, SIDE))
    inside = (x**2 + y**2 - 1) ** 3 < x**2 * y**3
    places = np.stack([x, y, np.ones_like(x)], axis=-1).reshape(-1, 3)
    return places, inside.astype(float).reshape(-1, 1)


def rms(values):
    """Return the root of the mean square of an array or a Tensor, as a float."""
    numbers = values.numpy() if isinstance(values, mg.Tensor) else np.asarray(values)
    return float(np.sqrt(np.mean(numbers**2)))


# layer_stats -------------------------------------------------------------------------------------


def deep_network(gain, depth=DEEP, width=WIDE, seed=0):
    """(x, weights, out_bar) of a network of equal layers, at random with this gain."""
    draw = np.random.default_rng(seed).normal
    x, out_bar = draw(size=(ROWS, width)), draw(size=(ROWS, width))
    shape = (width, width)
    weights = [draw(size=shape) * gain / np.sqrt(width) for _ in range(depth)]
    return x, [mg.tensor(W, requires_grad=True) for W in weights], out_bar


def cases_layer_stats():
    """(gain, layers, numbers in a layer, seed) of small networks."""
    return [(1.5, 1, 3, 0), (1.0, 3, 5, 1), (2.0, 4, 4, 2)]


def show_layer_stats(gain, depth, width, seed):
    """A case in words."""
    return f"a network of {depth} layer{'s' * (depth > 1)} with {width} numbers each, gain {gain:g}"


def run_layer_stats(function, *case):
    """What a function measures of a network, as two lists of floats."""
    found = function(*deep_network(*case))
    if found is None:
        return None
    try:
        signals, gradients = found
        signals, gradients = ([*map(plain_number, part)] for part in (signals, gradients))
    except TypeError:
        return found
    return signals, gradients


def plain_number(entry):
    """The number in a Tensor that holds one, 0 for an empty place; anything else as it is."""
    if entry is None:
        return 0.0
    return entry.item() if isinstance(entry, mg.Tensor) and not entry.shape else entry


def values_and_bars(x, weights, out_bar):
    """The output of each layer, and the adjoint of each."""
    outputs = []
    for W in weights:
        x = np.maximum(x @ W.numpy(), 0)
        outputs.append(x)
    bars = [out_bar]
    for x, W in zip(outputs[:0:-1], weights[:0:-1]):
        bars.append((bars[-1] * (x > 0)) @ W.numpy().T)
    return outputs, bars[::-1]


def reference_layer_stats(x, weights, out_bar):
    """Return the RMS of each layer's output, and of the gradient that arrives there."""
    outputs, bars = values_and_bars(x, weights, out_bar)
    return [*map(rms, outputs)], [*map(rms, bars)]


def reversed_gradients(x, weights, out_bar):
    """The gradients in the order in which the backward pass meets them."""
    signals, gradients = reference_layer_stats(x, weights, out_bar)
    return signals, gradients[::-1]


def before_relu(x, weights, out_bar):
    """The RMS of x @ W instead of the output, with the right gradients."""
    outputs, bars = values_and_bars(x, weights, out_bar)
    products = [v @ W.numpy() for v, W in zip([x, *outputs], weights)]
    return [*map(rms, products)], [*map(rms, bars)]


def hooks_before_relu(x, weights, out_bar):
    """The values and the gradients of x @ W."""
    outputs, bars = values_and_bars(x, weights, out_bar)
    return before_relu(x, weights, out_bar)[0], [rms(b * (v > 0)) for v, b in zip(outputs, bars)]


def squares(x, weights, out_bar):
    """The mean squares without the root."""
    return tuple(
        [value**2 for value in part] for part in reference_layer_stats(x, weights, out_bar)
    )


def deviations(x, weights, out_bar):
    """The standard deviations, which leave out the mean."""
    outputs, bars = values_and_bars(x, weights, out_bar)
    return [*map(np.std, outputs)], [*map(np.std, bars)]


def late_binding(x, weights, out_bar):
    """Hooks that all store in the last place: there is what the first layer gets."""
    signals, gradients = reference_layer_stats(x, weights, out_bar)
    return signals, [0.0] * (len(gradients) - 1) + gradients[:1]


def of_weights(x, weights, out_bar):
    """The gradients of the weights instead of those of the outputs."""
    outputs, bars = values_and_bars(x, weights, out_bar)
    inputs = [x, *outputs]
    return [*map(rms, outputs)], [
        rms(v.T @ (b * (u > 0))) for v, u, b in zip(inputs, outputs, bars)
    ]


def after_layer_stats(function):
    """Draw what the learner's function measures of fifty layers, for three gains."""
    from minigrad.draw.plot.axes import paper

    with paper([2.7], columns=2) as (_, (left, right)):
        for (name, gain), (colour, mark) in zip(GAINS.items(), LOOKS):
            signals, gradients = run_layer_stats(function, gain)
            look = {"color": colour, "marker": mark, "ms": 3, "markevery": 7}
            left.semilogy(range(1, DEEP + 1), signals, label=f"gain {name}", **look)
            right.semilogy(range(1, DEEP + 1), gradients, **look)
        left.set(xlabel="layer", ylabel="RMS", title="output of a layer", ylim=(1e-10, 1e10))
        right.set(xlabel="layer", title="gradient that arrives there")
        left.legend(edgecolor="none", framealpha=1, loc="upper left")


# kaiming_std -------------------------------------------------------------------------------------


def cases_kaiming_std():
    """(fan_in, a)."""
    return [(64, 0.0), (300, 0.5), (7, 1.0), (50, 0.1)]


def show_kaiming_std(fan_in, a):
    """A case in words."""
    return f"fan_in = {fan_in}, a = {a:g}"


def reference_kaiming_std(fan_in, a=0.0):
    """Return the standard deviation of initial weights that keeps the RMS of a signal."""
    return float(np.sqrt(2 / ((1 + a**2) * fan_in)))


def relu_std(fan_in, a=0.0):
    """That of ReLU, whatever a is."""
    return np.sqrt(2 / fan_in)


def variance(fan_in, a=0.0):
    """The variance instead of its root."""
    return 2 / ((1 + a**2) * fan_in)


def a_unsquared(fan_in, a=0.0):
    """Values below 0 keep the part a of their square."""
    return np.sqrt(2 / ((1 + a) * fan_in))


def roots_added(fan_in, a=0.0):
    """The two parts are added before they are squared."""
    return 2 / ((1 + a) * np.sqrt(fan_in))


def half_forgotten(fan_in, a=0.0):
    """Without the half of the values."""
    return 1 / np.sqrt((1 + a**2) * fan_in)


def upside_down(fan_in, a=0.0):
    """Larger weights where more comes through."""
    return np.sqrt((1 + a**2) / 2 / fan_in)


def without_root(fan_in, a=0.0):
    """The gain over the fan-in instead of its root."""
    return np.sqrt(2 / (1 + a**2)) / fan_in


def after_kaiming_std(function):
    """Compare with PyTorch, and send a signal through fifty layers of leaky ReLU."""
    answers = elsewhere.read_answers("11b")["torch"]
    version = answers["version"].partition("+")[0]
    print(f"  for fan_in = 64, a = 0.5: yours {function(64, 0.5):.6f}, PyTorch {version} "
          f"{answers['kaiming']}")  # fmt: skip
    draw = np.random.default_rng(0).normal
    x = draw(size=(ROWS, WIDE))
    for _ in range(DEEP):
        z = x @ (draw(size=(WIDE, WIDE)) * function(WIDE, 0.5))
        x = np.where(z > 0, z, 0.5 * z)
    print(
        f"  RMS of a signal of 1 after {DEEP} layers of leaky ReLU with your weights: {rms(x):.1f}"
    )
    print("  (Chance decides how near it is to 1. The derivation averages over random weights.)")


# the exit question -------------------------------------------------------------------------------


def judge_exit(answer, words):
    """The hint for a wrong answer; None for a number near 1."""
    try:
        found = float(answer)
    except (TypeError, ValueError):
        return words["start"]
    if 0.6 <= found <= 1.7:
        return None
    known = (
        hint["say"]
        for hint in words["hint"]
        if found > 0 and abs(np.log10(found) - hint["when"]) < 0.6
    )
    return next(known, words["otherwise"])


# pictures ----------------------------------------------------------------------------------------


def show_hearts(runs):
    """Show what networks answer after some of their steps; `runs` is {name: [answers]}."""
    names = [*runs, "the heart"]

    def frame(axes, step):
        found = [answers[step].reshape(SIDE, SIDE) for answers in runs.values()]
        draw_strip(axes, [*found, heart_data()[1].reshape(SIDE, SIDE)], names)
        axes.set_title(f"step {step}")

    last = len(next(iter(runs.values()))) - 1
    steps = [0, 5, 10, 20, 30, 50, 75, 100, 150, 200, 250, 299]
    return film(frame, [step for step in steps if step <= last], (6, 2.4))


def draw_strip(axes, images, names):
    """Draw images beside one another, with a white line between."""
    line = np.ones((SIDE, 1))
    parts = [part for image in images for part in (image, line)][:-1]
    axes.imshow(np.hstack(parts), cmap="magma", vmin=0, vmax=1)
    middles = [SIDE // 2 + (SIDE + 1) * k for k in range(len(images))]
    axes.set(xticks=middles, xticklabels=names, yticks=[])


def show_two_curves():
    """Draw the RMS of signal and gradient in fifty layers, called A and B, for an unknown gain."""
    from minigrad.draw.plot.axes import paper

    signals, gradients = reference_layer_stats(*deep_network(3**0.5))
    with paper([2.4]) as (_, (axes,)):
        for name, curve, (colour, mark) in zip("AB", (gradients, signals), LOOKS):
            axes.semilogy(range(1, DEEP + 1), curve, color=colour, marker=mark, ms=3, label=name)
        axes.set(xlabel="layer", ylabel="RMS")
        axes.legend(edgecolor="none", framealpha=1, loc="upper center")


def show_units(runs):
    """Draw what shallow networks have learned; `runs` is {name: (answers, losses)}."""
    from minigrad.draw.plot.axes import paper

    with paper([2.0], share=False, columns=2) as (_, (left, right)):
        for (name, (_, losses)), (colour, _) in zip(runs.items(), LOOKS[1:]):
            left.plot(losses, color=colour, label=name)
        left.set(xlabel="step", ylabel="loss (cut at 0.5)", ylim=(0, 0.5))
        left.legend(title="initial weights", edgecolor="none", framealpha=1)
        images = [answers[-1].reshape(SIDE, SIDE) for answers, _ in runs.values()]
        draw_strip(right, images, list(runs))


lesson = Lesson("11b", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
