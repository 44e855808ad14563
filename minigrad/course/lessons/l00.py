"""Lesson 00: cases, references, typical wrong answers and pictures. The words are in 00.toml."""

import sys
from functools import cache

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson, call_copied, known_answer, say
from minigrad.course.lessons.answer import LessonError, literal_in
from minigrad.draw.plot.axes import paper

PIXELS, DIGITS = 64, 10
W0, b0 = np.zeros((PIXELS, DIGITS)), np.zeros(DIGITS)  # where the training begins
STEP = 1e-5  # of a difference quotient
SAME = 1e-13  # nearer to the engine's derivatives than any quotient
SHOWN = 2  # of the test images of each digit the third is shown
RATE, STEPS = 0.1, 10  # of the gradient descent on a formula
RED, BLACK = "#B0430A", "#1B2430"

# numerical_derivative ----------------------------------------------------------------------------


@cache
def digits_once():
    """Read the images and labels once."""
    return mg.data.digits()


def loss_of(W, b):
    """Compute the loss of the linear model on the training images."""
    digits = digits_once()
    return mg.cross_entropy(digits.train_images @ W + b, digits.train_labels)


@cache
def exact_gradient():
    """Compute the gradient of the loss with respect to W at the start, as an array."""
    W = mg.tensor(W0, requires_grad=True)
    return mg.gradients(loss_of(W, b0), [W])[0].numpy()


def cases_numerical_derivative():
    """Weights as (pixel, digit): two negative derivatives, a positive one, and one that is 0."""
    digits_once()  # here, because the lines that a learner's call executes are counted
    return [(20, 3), (60, 7), (10, 2), (0, 0)]


def reference_numerical_derivative(i, j):
    """Read the derivative with respect to W[i, j] from the engine's gradient."""
    return exact_gradient()[i, j]


def show_numerical_derivative(i, j):
    """A case in words."""
    return f"W[{i}, {j}]"


def change_of_loss(where, W=W0, step=STEP):
    """Compute how much the loss grows if the entries of W at `where` grow by a small step."""
    nudged = W.copy()
    nudged[where] += step
    return loss_of(nudged, b0).item() - loss_of(W, b0).item()


@cache
def trained_weights():
    """Run the lesson's 60 steps of gradient descent, and return W as an array."""
    W, b = mg.tensor(W0, requires_grad=True), mg.tensor(b0, requires_grad=True)
    for _ in range(60):
        dW, db = mg.gradients(loss_of(W, b), [W, b])
        with mg.no_grad():
            W -= 2.0 * dW
            b -= 2.0 * db
    return W.numpy()


def loss_change(i, j):
    """The change of the loss itself."""
    return change_of_loss((i, j))


def old_minus_new(i, j):
    """The quotient with the old loss minus the new one."""
    return -change_of_loss((i, j)) / STEP


def two_steps(i, j):
    """The change of the loss from one step below the weight to one above, divided by one step."""
    return (change_of_loss((i, j)) - change_of_loss((i, j), step=-STEP)) / STEP


def trained(i, j):
    """The quotient at the weights after training, with biases of 0."""
    return change_of_loss((i, j), trained_weights()) / STEP


def losses_equal(i, j):
    """The quotient of two losses of one array."""
    return 0.0


def whole_column(i, j):
    """The quotient where all weights of the digit grow."""
    return change_of_loss((slice(None), j)) / STEP


def nudged_bias(i, j):
    """The quotient where the bias of the digit grows."""
    nudged = b0.copy()
    nudged[j] += STEP
    return (loss_of(W0, nudged).item() - loss_of(W0, b0).item()) / STEP


def refuse_changed_weights(function):
    """Raise LessonError if a call changes the learner's W0, and set W0 to 0 again."""
    weights, words = function.__globals__.get("W0"), lesson.words["check"]["numerical_derivative"]
    if not isinstance(weights, np.ndarray):
        return
    weights[...] = 0
    try:
        for case in cases_numerical_derivative():
            call_copied(function, words, case)
    except LessonError:  # the check tells of it
        weights[...] = 0
    if weights.any():
        weights[...] = 0
        raise LessonError(f"✗ {words['title']}: your function changed W0", words["changed"])


def after_numerical_derivative(function):
    """Show quotients beside the engine's derivatives, and how far apart all 640 of them are."""
    exact = exact_gradient()
    found = np.array([[float_of(function(i, j)) for j in range(DIGITS)] for i in range(PIXELS)])
    print("  weight      quotient    W.grad")
    for i, j in ((20, 3), (60, 7), (10, 2)):
        print(f"  W[{i}, {j}] {found[i, j]:11.6f} {exact[i, j]:11.6f}")
    worst = float(np.abs(found - exact).max())
    if worst < SAME:
        say(lesson.words["check"]["numerical_derivative"]["engine"], indent=2)
    else:
        print("  All 640 entries agree to five decimal places:", worst < 5e-6)


def float_of(number):
    """A number of NumPy or of an engine as Python's."""
    return number.item() if hasattr(number, "item") else float(number)


# gradient_by_hand --------------------------------------------------------------------------------


def cases_gradient_by_hand():
    """Values of x and w, the lesson's own first."""
    return [(2.0, 1.0), (0.5, -2.0), (-1.5, 2.0)]


def reference_gradient_by_hand(x, w):
    """Compute the derivatives of (x + w) * w * x with respect to x and to w."""
    return 2 * x * w + w * w, x * x + 2 * x * w


def show_gradient_by_hand(x, w):
    """A case in words."""
    return f"x = {x}, w = {w}"


def as_in_the_player(x, w):
    """The derivatives by the player's lines, with this b."""
    return w * x, (w * x) + (x + w)


def players_formula(x, w):
    """The derivatives of the player's formula."""
    return w + 1, (w + 1) + (x + w)


def factor_alone(x, w):
    """The derivatives where b passes on its factors and not its adjoint times them."""
    return w * x + w, w * x + x


def added_to_both(x, w):
    """The derivatives where b passes its adjoint on as a sum does."""
    return (w * x) + (x + w), (w * x) + (x + w)


def through_a_only(x, w):
    """The derivatives without the contributions through b."""
    return w * x, w * x


def through_b_only(x, w):
    """The derivatives without the contributions through a."""
    return (x + w) * w, (x + w) * x


def w_bar_first(x, w):
    """Both derivatives, w's first."""
    return reference_gradient_by_hand(x, w)[::-1]


def own_factor(x, w):
    """The derivatives with a factor of y itself as its adjoint."""
    a, b = x + w, w * x
    return a + b * w, a + b * x


def times_y(x, w):
    """The derivatives where the backward pass begins with y."""
    y = (x + w) * w * x
    return tuple(y * derivative for derivative in reference_gradient_by_hand(x, w))


def quotients(x, w):
    """Difference quotients with the step of exercise 1."""
    x_more, w_more = x + STEP, w + STEP
    y = (x + w) * (w * x)
    return ((x_more + w) * (w * x_more) - y) / STEP, ((x + w_more) * (w_more * x) - y) / STEP


def after_gradient_by_hand(function):
    """Run gradient descent on y for x = 2 with the learner's derivative, and draw the steps."""
    w, passed = 1.0, [1.0]
    for _ in range(STEPS):
        w = w - RATE * float_of(function(2.0, w)[1])
        passed.append(w)
    show_descent(np.array(passed))


def show_descent(w):
    """Draw y = (2 + w) * w * 2 as a curve, and the steps of gradient descent on it."""
    y = (2 + w) * w * 2
    print(f"  Gradient descent by your w_bar, with x = 2 and the learning rate {RATE}:")
    print("  w =", ", ".join(f"{number:.2f}" for number in w[:5]), f"… {w[-1]:.2f}")
    print(f"  y falls from {y[0]:.2f} to {y[-1]:.2f}. Its minimum lies at w = -1.")
    line = np.linspace(-3.2, 1.2, 90)
    with paper([2.3]) as (_, axes):
        axes[0].plot(line, (2 + line) * line * 2, **mg.plot.style_of("dynamic", marker=""))
        axes[0].plot(w, y, "o:", color=RED, markersize=5, linewidth=1)
        axes[0].annotate("start", (w[0], y[0]), (-34, -3), textcoords="offset points", color=RED)
        axes[0].set(xlabel="w", ylabel="y = (2 + w) · w · 2")


# exit --------------------------------------------------------------------------------------------


def judge_exit(value, words):
    """The hint for a wrong pair, or for what is not a pair; None where both numbers are right."""
    pair = pair_in(value)
    hint = known_answer(pair, words)
    return words["start"] if hint and not isinstance(pair, (tuple, list, np.ndarray)) else hint


def pair_in(answer):
    """What a text holds as Python reads it, and of a dict the value for x, then that for w."""
    answer = literal_in(answer) if isinstance(answer, str) else answer
    if isinstance(answer, dict):
        return [answer[name] for name in sorted(answer, key=str, reverse=True)]
    return answer


# checks ------------------------------------------------------------------------------------------


def check(what, value=...):
    """Check an answer; a numerical_derivative must leave W0 as it is."""
    if getattr(what, "__name__", "") == "numerical_derivative":
        refuse_changed_weights(what)
    return lesson.check(what, value)


# pictures ----------------------------------------------------------------------------------------


def show_digits(losses, W, b):
    """Draw the loss over the steps and, below, ten test images over the digits predicted."""
    digits = digits_once()
    predicted = (digits.test_images @ W.numpy() + b.numpy()).argmax(axis=1)
    shown = [np.flatnonzero(digits.test_labels == kind)[SHOWN] for kind in range(DIGITS)]
    images = np.pad(digits.test_images[shown].reshape(DIGITS, 8, 8), ((0, 0), (0, 0), (0, 2)))
    with paper([1.8, 0.9], share=False) as (_, axes):
        axes[0].plot(losses, **mg.plot.style_of("dynamic", marker=""))
        axes[0].set(xlabel="step", ylabel="loss", ylim=(0, None))
        draw_image(axes[1], np.hstack(images), cmap="gray_r")
        axes[1].set(xticks=range(4, 10 * DIGITS, 10), xlabel="digit predicted")
        axes[1].tick_params(length=0, labelsize=11)
        for label, at in zip(axes[1].set_xticklabels(predicted[shown]), shown):
            right = predicted[at] == digits.test_labels[at]
            label.set(color=BLACK if right else RED, weight="normal" if right else "bold")


def show_first_step(step, mark):
    """Draw the first step of all weights as ten images, with a ring around one weight."""
    tiles = np.pad(step.numpy().T.reshape(2, 5, 8, 8), ((0, 0), (0, 0), (1, 1), (3, 1)))
    most, (pixel, kind) = abs(tiles).max(), mark
    with paper([3.2]) as (fig, axes):
        image = tiles.transpose(0, 2, 1, 3).reshape(20, 60)
        drawn = draw_image(axes[0], image, cmap="RdBu", vmin=-most, vmax=most)
        for digit in range(DIGITS):
            place = 12 * (digit % 5) + 0.6, 10 * (digit // 5) + 4.5
            axes[0].text(*place, str(digit), va="center", weight="bold", size=12)
        ring = 12 * (kind % 5) + 3 + pixel % 8, 10 * (kind // 5) + 1 + pixel // 8
        axes[0].plot(*ring, "o", markersize=17, mfc="none", mec="black", mew=2)
        below = {"orientation": "horizontal", "aspect": 50, "pad": 0.02}
        fig.colorbar(drawn, ax=axes[0], label="first step of the weight", **below)


def draw_image(ax, image, **look):
    """Draw an array as an image without a frame."""
    ax.grid(visible=False)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set(visible=False)
    return ax.imshow(image, **look)


lesson = Lesson("00", sys.modules[__name__])
observe, predict = lesson.observe, lesson.predict
