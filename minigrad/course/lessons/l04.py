"""Lesson 04: cases, references, typical wrong answers and pictures. The words are in 04.toml."""

import gc
import sys
import textwrap
import weakref
from contextlib import contextmanager

import numpy as np

import minigrad as mg
from minigrad.core.errors import MinigradError
from minigrad.course.lab import WIDTH, Lesson
from minigrad.course.lessons import elsewhere
from minigrad.course.teach import table

NONE, SOME = "none", "some"  # tensors that a function leaves alive
ONE, SEVERAL = "one", "several"  # graphs of losses alive at the same time
SAME, CHANGED = "unchanged", "changed in place"  # the gradient that a hook was given
RATE = 0.1  # the learning rate of the small loops
BATCHES = 8  # micro-batches of the digits

# what PyTorch says --------------------------------------------------------------------------------


def beside_pytorch(question, call):
    """Print what call() gives, or its error, and below it what PyTorch answered."""
    answers = elsewhere.read_answers("04")["torch"]
    version = ".".join(answers["version"].split(".")[:2])
    print_words("minigrad", answer_or_error(call))
    print_words(f"PyTorch {version}", answers[question])


def pytorch_says(question):
    """What PyTorch answered to a question of the lesson, as text."""
    return elsewhere.read_answers("04")["torch"][question]


def answer_or_error(call):
    """What a call gives, as a text; of a refusal the fact and the hint."""
    try:
        found = call()
    except MinigradError as error:
        return f"{error.message}. Try: {error.hint}"
    return f"{found:g}" if isinstance(found, float) else str(found)


def print_words(speaker, text):
    """Print what a speaker says, in lines that begin below one another."""
    head = f"  {speaker:14}"
    wrapped = textwrap.fill(" ".join(text.split()), WIDTH - len(head))
    print(head + wrapped.replace("\n", "\n" + " " * len(head)))


# the pendulum -------------------------------------------------------------------------------------


def show_paths(**paths):
    """Draw w against the step, one line for each path."""
    with paper_of(2.2) as axes:
        draw_pair(axes, paths)
        axes.axhline(-1.5, color="#5A6673", linewidth=0.8)
        axes.set(xlabel="step", ylabel="w", title="The minimum is at w = −1.5")


def show_running_sum(path):
    """Draw the gradient at each w of a path, and the sum of all gradients up to there."""
    gradients = [2 * w + 3 for w in path]
    sums = np.cumsum(gradients).tolist()
    with paper_of(2.2) as axes:
        draw_pair(axes, {"w.grad": sums, "gradient at w": gradients})
        axes.axhline(0, color="#5A6673", linewidth=0.8)
        axes.set(xlabel="step", title="Without line A")
    numbers = [f"{value:.2f}".replace("-", "−") for value in sums[:4]]
    print(f"w.grad in the first four steps: {', '.join(numbers)}")


@contextmanager
def paper_of(height):
    """One pair of axes of so many inches, in the style of the course."""
    from minigrad.draw.plot.axes import paper

    with paper([height]) as (_, (axes,)):
        yield axes


def draw_pair(axes, curves):
    """Draw two named curves, the first dashed."""
    looks = (("tensorflow", {"linestyle": "--"}), ("dynamic", {"linestyle": "-"}))
    for (name, curve), (look, more) in zip(curves.items(), looks):
        style = mg.plot.style_of(look, marker="", **more)
        axes.plot(curve, **style, label=name.replace("_", " "))
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), edgecolor="none")


# tensors that stay alive --------------------------------------------------------------------------


def f(x, w):
    """The function of the lesson."""
    a = x + w
    b = w + 1
    return a * b


def show_values(**values):
    """A table of what each value is: leaf or not, its grad_fn here and in PyTorch, its gradient."""
    theirs = pytorch_says("grad_fn").split()
    rows = [
        (name, v.is_leaf, str(v.grad_fn), gradient_of(v), told)
        for (name, v), told in zip(values.items(), theirs)
    ]
    return table(["value", "is_leaf", "grad_fn", "grad", "grad_fn in PyTorch"], rows)


def gradient_of(v):
    """v.grad, without the warning that a computed value keeps none."""
    return v.grad if v.is_leaf or v.keeps_grad else None


def show_alive(f):
    """A table of how much memory ten results of f stay in use, by what of them is kept."""
    w = mg.tensor(np.linspace(-3, 1, 1000), requires_grad=True)

    def make():
        return f(2.0, w)

    def after_backward():
        y = make()
        mg.sum(y).backward()
        return y

    def without_recording():
        with mg.no_grad():
            return make()

    ways = {
        "y": make,
        "y, after backward": after_backward,
        "y, computed under no_grad": without_recording,
        "y.detach()": lambda: make().detach(),
        "y.sum().item()": lambda: make().sum().item(),
    }
    rows = [(name, *kept_by(keep)) for name, keep in ways.items()]
    return table(["ten of these in a list", "tensors alive", "bytes"], rows)


def kept_by(make):
    """(tensors, bytes) that stay alive because ten results are kept in a list."""
    before = mg.measure.live()
    kept = [make() for _ in range(10)]
    after = mg.measure.live()
    del kept
    return after.tensors - before.tensors, after.bytes - before.bytes


def train_with(function, w, steps):
    """Train w, and smooth the loss by function(smooth, y) after each step."""
    smooth = 6.0
    for _ in range(steps):
        w.grad = None
        y = f(2.0, w)
        y.backward()
        with mg.no_grad():
            w -= RATE * w.grad
        smooth = function(smooth, y)
        if smooth is None:
            return None
    return smooth


def tensors_left(function, steps):
    """How many tensors live because the smoothed loss is kept; w and its gradient do not count."""
    w = mg.tensor(1.0, requires_grad=True)
    return count_new(w, lambda: train_with(function, w, steps))[1]


def count_new(w, run):
    """What run() returns, and how many tensors of its own it leaves alive, besides w.grad.

    It looks at the objects made since then alone, which takes less time than `mg.measure.live`.
    """
    gc.freeze()
    try:
        kept = run()
        gc.collect()
        made = gc.get_objects()
        return kept, sum(type(x) is mg.Tensor and x is not w.grad for x in made)
    finally:
        gc.unfreeze()


def show_leak():
    """Print the tensors that the colleague's loop leaves alive, and draw its mean of two steps."""
    for steps in (10, 20, 40):
        count = tensors_left(still_leaks, steps)
        print(f"after {steps} steps {count} more tensors are alive")
    losses = []

    def note_loss(smooth, y):
        losses.append(y)
        return still_leaks(smooth, y)

    smooth = train_with(note_loss, mg.tensor(1.0, requires_grad=True), 2)
    return mg.draw(smooth, names={"smooth": smooth, "y₁": losses[0], "y₂": losses[1]})


# exercise 1: the leak -----------------------------------------------------------------------------


def cases_smoothed():
    """Initial weights and numbers of steps."""
    return [(1.0, 1), (1.0, 5), (-4.0, 8)]


def show_smoothed(start, steps):
    """A case in words."""
    return f"{steps} step{'s' * (steps > 1)} from w = {start:g}"


def run_smoothed(function, start, steps):
    """The smoothed loss, and whether it leaves more tensors alive if the loop runs longer."""
    found = train_with(function, mg.tensor(start, requires_grad=True), steps)
    if found is None:
        return None
    few, more = (tensors_left(function, count) for count in (4, 8))
    return number_of(found), NONE if few == more else SOME


def number_of(found):
    """A tensor of one entry as a number, anything else as it is."""
    return found.item() if isinstance(found, mg.Tensor) and found.size == 1 else found


def reference_smoothed(smooth, y):
    """Move the mean a tenth of the way to y, by plain numbers."""
    return 0.9 * smooth + 0.1 * y.item()


def still_leaks(smooth, y):
    """The colleague's line: the mean holds the graph of every step."""
    return 0.9 * smooth + 0.1 * y


def only_the_last(smooth, y):
    """The last loss, without a mean."""
    return y.item()


def added_up(smooth, y):
    """The sum of all losses."""
    return smooth + y.item()


def after_smoothed(function):
    """Draw the tensors alive against the steps, for the colleague's line and the learner's."""
    steps = range(0, 41, 8)
    with paper_of(2.0) as axes:
        for name, look, smooth in (
            ("colleague", "tensorflow", still_leaks),
            ("yours", "dynamic", function),
        ):
            counts = [tensors_left(smooth, count) for count in steps]
            axes.plot(steps, counts, **mg.plot.style_of(look), label=name)
        axes.set(xlabel="steps", title="Tensors left alive", ylim=(-8, None))
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), edgecolor="none")


# exercise 2: descend ------------------------------------------------------------------------------


def cases_descend():
    """(initial w, old gradient, (curvature, place) of each loss, steps, learning rate)."""
    return [
        (1.0, None, ((1.0, -1.5),), 1, 0.1),
        (1.0, None, ((1.0, -1.5), (0.5, 3.0)), 3, 0.1),
        (-4.0, 7.0, ((0.5, 1.0), (0.25, -2.0), (1.0, 2.0)), 4, 0.2),
    ]


def show_descend(start, old, pieces, steps, rate):
    """A case in words."""
    count = len(pieces)
    held = f" (and w.grad = {old:g} from before)" if old else ""
    many = f"{count} loss{'es' * (count > 1)}, {steps} step{'s' * (steps > 1)}"
    return f"w = {start:g}{held}, {many}, rate = {rate:g}"


class Parabola:
    """A loss with its minimum at a place; it counts the graphs that are alive when it is called."""

    def __init__(self, curvature, place, distances, counts):
        self.curvature, self.place = curvature, place
        self.distances, self.counts = distances, counts  # of all losses: parts of graphs, numbers

    def __call__(self, w):
        """Compute the loss at w, and note how many earlier graphs still exist."""
        self.counts.append(sum(part() is not None for part in self.distances))
        distance = w - self.place
        self.distances.append(weakref.ref(distance))
        return self.curvature * distance**2


def run_descend(function, start, old, pieces, steps, rate):
    """The losses that it returns, w after it, whether it builds more than one graph at a time, and
    whether it leaves tensors alive."""
    w = mg.tensor(start, requires_grad=True, name="w")
    w.grad = old
    distances, counts = [], []
    losses = [Parabola(*piece, distances, counts) for piece in pieces]
    found, left = count_new(w, lambda: function(w, losses, steps, rate))
    if found is None:
        return None
    numbers = (
        [number_of(x) for x in found] if isinstance(found, (list, tuple)) else number_of(found)
    )
    graphs = SEVERAL if max(counts, default=0) > 0 else ONE
    return numbers, w.item(), graphs, SOME if left > 0 else NONE


def descend_with(w, losses, steps, rate, clear="step", inside=False):
    """The loop that clears before each `step` or `loss`, or never; `inside`, it updates w after
    each loss."""
    history = []
    for _ in range(steps):
        total = 0.0
        w.grad = None if clear == "step" else w.grad
        for loss in losses:
            w.grad = None if clear == "loss" else w.grad
            y = loss(w)
            y.backward()
            total += y.item()
            move(w, rate * inside)
        move(w, rate * (not inside))
        history.append(total)
    return history


def move(w, rate):
    """One update of w."""
    with mg.no_grad():
        w -= rate * w.grad


def reference_descend(w, losses, steps, rate):
    """Lower the sum of the losses by gradient descent, one graph at a time."""
    return descend_with(w, losses, steps, rate)


def keeps_tensors(w, losses, steps, rate):
    """The right numbers, as tensors that stay alive."""
    return [mg.tensor(total) for total in descend_with(w, losses, steps, rate)]


def one_large_graph(w, losses, steps, rate):
    """The right numbers, from one graph that holds all losses."""
    history = []
    for _ in range(steps):
        w.grad = None
        total = sum(loss(w) for loss in losses)
        total.backward()
        move(w, rate)
        history.append(total.item())
    return history


def never_cleared(w, losses, steps, rate):
    """The loop without line A."""
    return descend_with(w, losses, steps, rate, clear=None)


def cleared_once(w, losses, steps, rate):
    """The loop with line A above it."""
    w.grad = None
    return never_cleared(w, losses, steps, rate)


def cleared_for_each_loss(w, losses, steps, rate):
    """The loop in which the gradient of the last loss alone is left."""
    return descend_with(w, losses, steps, rate, clear="loss")


def updated_for_each_loss(w, losses, steps, rate):
    """The loop that clears and updates w for each loss."""
    return descend_with(w, losses, steps, rate, clear="loss", inside=True)


def updated_after_each_loss(w, losses, steps, rate):
    """The loop that clears once a step, and updates w for each loss."""
    return descend_with(w, losses, steps, rate, inside=True)


def uphill(w, losses, steps, rate):
    """The loop that adds the gradient."""
    return descend_with(w, losses, steps, -rate)


def standing_still(w, losses, steps, rate):
    """The loop that leaves w where it was."""
    return descend_with(w, losses, steps, 0.0)


def another_leaf(w, losses, steps, rate):
    """The loop that goes on with a new leaf, so that the argument w keeps its value."""
    history = []
    for _ in range(steps):
        w.grad = None
        history.append(0.0)
        for loss in losses:
            y = loss(w)
            y.backward()
            history[-1] += y.item()
        w = mg.tensor(w.numpy() - rate * w.grad.numpy(), requires_grad=True)
    return history


def after_descend(function):
    """Train the classifier of lesson 00 with one batch and with micro-batches, and compare."""
    print("  The digits of lesson 00, 60 steps with your function:")
    one = train_digits(function, "one batch", digit_losses(1))
    many = train_digits(function, f"{BATCHES} micro-batches", digit_losses(BATCHES))
    print(f"    The losses are equal to 12 digits: {np.allclose(one, many, rtol=1e-12, atol=0)}")
    with paper_of(2.2) as axes:
        wide = mg.plot.style_of("dynamic", linewidth=5, alpha=0.4, marker="")
        axes.plot(one, **wide, label="one batch")
        dashes = mg.plot.style_of("tensorflow", linestyle="--", marker="")
        axes.plot(many, **dashes, label=f"{BATCHES} micro-batches")
        axes.set(xlabel="step", ylabel="loss", ylim=(0, None))
        axes.legend(edgecolor="none")


def train_digits(function, name, losses):
    """Train on the digits by the learner's function, print how it went, and return the losses."""
    W = mg.tensor(np.zeros((65, 10)), requires_grad=True)
    history = function(W, [*losses], 60, 2.0)
    correct = f"{digits_accuracy(W.numpy()):.0%} of the test images correct"
    peak = mg.measure.memory(lambda: function(W, [*losses], 1, 2.0)) / 1e6
    print(f"    {name:15} {peak:.1f} MB at the peak, {correct}")
    return history


def with_bias(images):
    """The images with a column of ones, whose weights are the biases."""
    return np.hstack([images, np.ones((len(images), 1))])


def digit_losses(count):
    """The loss of lesson 00 as a sum of so many losses, each of a part of the images."""
    digits = mg.data.digits()
    images = np.array_split(with_bias(digits.train_images), count)
    labels = np.array_split(digits.train_labels, count)
    total = len(digits.train_labels)
    return [digit_loss(*part, len(part[1]) / total) for part in zip(images, labels)]


def digit_loss(images, labels, weight):
    """The loss of one part, times its weight in the mean."""
    return lambda W: mg.cross_entropy(images @ W, labels) * weight


def digits_accuracy(W):
    """The part of the test images that these weights classify correctly."""
    digits = mg.data.digits()
    found = (with_bias(digits.test_images) @ W).argmax(axis=1)
    return np.mean(found == digits.test_labels)


# exercise 3: the clipping hook --------------------------------------------------------------------


def cases_clip_gradient():
    """(gradient, limit): above, below and at the limit, one number, and zero."""
    vectors = [([3.0, 4.0], 1.0), ([0.3, -0.4], 1.0), ([-6.0, 8.0, 0.0], 2.0), ([0.0, 0.0], 1.0)]
    return [(np.array(gradient), limit) for gradient, limit in [*vectors, (-5.0, 5.0)]]


def show_clip_gradient(gradient, limit):
    """A case in words."""
    return f"the gradient {gradient}, limit {limit:g}"


def run_clip_gradient(function, gradient, limit):
    """The gradient that a leaf gets with the hook, and after handle.remove(), and whether the hook
    writes into the gradient that it is given."""
    w = mg.tensor(np.zeros(gradient.shape), requires_grad=True, name="w")
    handle = function(w, limit)
    if handle is None:
        return None
    found, given = [], [SAME]
    for own, hook in (w.hooks or {}).items():
        w.hooks[own] = watched(hook, given)
    with np.errstate(all="ignore"):  # a limit divided by a norm of 0
        for _ in range(2):
            w.grad = None
            mg.sum(w * gradient).backward()
            found.append(w.grad.numpy())
            handle.remove()
    return (*found, given[-1])


def watched(hook, given):
    """The hook, which also notes that it has written into the gradient."""

    def call_and_compare(gradient):
        before = gradient.numpy().copy()
        new = hook(gradient)
        if not np.array_equal(before, gradient.numpy()):
            given.append(CHANGED)
        return new

    return call_and_compare


def hang(w, factor):
    """Register a hook on w that multiplies a gradient by factor(its norm); return its handle."""
    return w.register_hook(lambda grad: grad * factor(np.linalg.norm(grad.numpy())))


def reference_clip_gradient(w, limit):
    """Hang a hook on w that scales a gradient down to the norm `limit`; return its handle."""
    return hang(w, lambda norm: limit / norm if norm > limit else 1.0)


def not_clipped(w, limit):
    """The gradient as it is."""
    return hang(w, lambda norm: 1.0)


def clipped_by_value(w, limit):
    """Each entry between −limit and limit."""
    return w.register_hook(lambda grad: mg.clip(grad, -limit, limit))


def always_scaled(w, limit):
    """A gradient of the norm `limit`, however short it was, and NaN for zeros."""
    return hang(w, lambda norm: limit / norm)


def unit_length(w, limit):
    """Where it is too long, a gradient of norm 1."""
    return hang(w, lambda norm: 1 / norm if norm > limit else 1.0)


def squared_norm(w, limit):
    """The norm without its root."""
    return hang(w, lambda norm: limit / norm**2 if norm**2 > limit else 1.0)


def largest_entry(w, limit):
    """The largest entry instead of the norm."""

    def clip(grad):
        largest = np.max(np.abs(grad.numpy()))
        return grad * (limit / largest) if largest > limit else grad

    return w.register_hook(clip)


def changed_in_place(w, limit):
    """The right numbers, written into the gradient that the hook is given."""

    def clip(grad):
        norm = np.linalg.norm(grad.numpy())
        if norm > limit:
            grad *= limit / norm
        return grad

    return w.register_hook(clip)


def changed_and_not_returned(w, limit):
    """A hook that writes into the gradient that it is given, and returns nothing."""

    def clip(grad):
        norm = np.linalg.norm(grad.numpy())
        if norm > limit:
            grad *= limit / norm

    return w.register_hook(clip)


def after_clip_gradient(function):
    """Draw descent on w⁴ from w = 6, with and without the learner's hook."""
    paths = {}
    for name, hooked in (("without a hook", False), ("clipped to 10", True)):
        w, path = mg.tensor(6.0, requires_grad=True), []
        if hooked:
            function(w, 10.0)
        for _ in range(40):
            path.append(w.item())
            if abs(w.item()) > 50:
                break
            w.grad = None
            (w**4).backward()
            with mg.no_grad():
                w -= 0.02 * w.grad
        paths[name] = path
    with paper_of(2.2) as axes:
        draw_pair(axes, paths)
        axes.set(xlabel="step", ylabel="w", ylim=(-12, 12), title="Gradient descent on w⁴ from 6")


lesson = Lesson("04", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
