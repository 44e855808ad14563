"""Lesson 05b: cases, references, typical wrong answers and pictures. The words are in 05b.toml."""

import sys

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson, known_answer
from minigrad.course.lessons.answer import numeric

SEED = 5  # the cases of an exercise are the same each time

# matmul_vjp --------------------------------------------------------------------------------------


def cases_matmul_vjp():
    """Matrices x, y and a cotangent of x @ y, of three shapes; a square alone decides nothing."""
    rng = np.random.default_rng(SEED)
    shapes = [((3, 4), (4, 2)), ((3, 3), (3, 3)), ((1, 4), (4, 5))]
    return [tuple(map(rng.normal, (0, 0, 0), (1, 1, 1), (a, b, (a[0], b[1])))) for a, b in shapes]


def reference_matmul_vjp(x, y, z_bar):
    """Take the cotangent of z = x @ y to those of x and y."""
    return z_bar @ y.T, x.T @ z_bar


def show_matmul_vjp(x, y, z_bar):
    """A case in words."""
    return f"x {x.shape}, y {y.shape}, z_bar {z_bar.shape}"


def swapped_pair(x, y, z_bar):
    """Both cotangents, y's first."""
    return x.T @ z_bar, z_bar @ y.T


def only_x(x, y, z_bar):
    """The cotangent of x alone."""
    return z_bar @ y.T


def forward_product(x, y, z_bar):
    """The result of the forward pass."""
    return x @ y


def first_that_fits(x, y, z_bar):
    """For each factor the first product with z_bar, as it is or transposed, that has its shape."""
    by_x = next(p for p in products_of(z_bar, y) if p.shape == x.shape)
    return by_x, next(p for p in products_of(x, z_bar) if p.shape == y.shape)


def products_of(a, b):
    """The products of two matrices, as they are or transposed, that exist."""
    for left, right in ((a, b), (a, b.T), (a.T, b), (a.T, b.T)):
        if left.shape[1] == right.shape[0]:
            yield left @ right


def cotangent_ignored(x, y, z_bar):
    """Both cotangents as they would be for a z_bar of ones."""
    return reference_matmul_vjp(x, y, np.ones_like(z_bar))


def after_matmul_vjp(function):
    """Show which of five products of square matrices, all of x's shape, is the cotangent of x."""
    x, y, z_bar = np.random.default_rng(SEED).normal(size=(3, 3, 3))
    products = {
        "z_bar @ y": z_bar @ y,
        "z_bar @ y.T": z_bar @ y.T,
        "y @ z_bar": y @ z_bar,
        "y.T @ z_bar": y.T @ z_bar,
        "x.T @ z_bar": x.T @ z_bar,
    }
    print("  For square matrices all of these products have the shape of x, but only one is x_bar:")
    for name, product in products.items():
        same = np.allclose(product, function(x, y, z_bar)[0])
        print(f"    {name:12} {'equals your x_bar' if same else 'is wrong'}")


# unbroadcast -------------------------------------------------------------------------------------


def cases_unbroadcast():
    """Cotangents and the shapes to sum them to: axes added, stretched, both, neither."""
    rng = np.random.default_rng(SEED)
    two = [((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 3), (2, 3)), ((3, 3), (3,)), ((3, 3), (3, 1))]
    more = [((4, 2, 3), (2, 1)), ((4, 2, 3), (1, 1, 3)), ((1, 3), (1, 3)), ((2, 3), ())]
    return [(rng.normal(size=large), small) for large, small in two + more]


def reference_unbroadcast(z_bar, shape):
    """Sum a cotangent over the axes that broadcasting added or stretched."""
    z_bar = added_only(z_bar, shape)
    return z_bar.sum(axis=ones_of(shape), keepdims=True)


def show_unbroadcast(z_bar, shape):
    """A case in words."""
    return f"z_bar of shape {z_bar.shape}, wanted shape {shape}"


def ones_of(shape):
    """The axes of length 1."""
    return tuple(axis for axis, length in enumerate(shape) if length == 1)


def added_only(z_bar, shape):
    """The sum over the axes that were added, and over no stretched one."""
    return z_bar.sum(axis=tuple(range(z_bar.ndim - len(shape))))


def stretched_only(z_bar, shape):
    """The sum over the axes that were stretched, where none was added."""
    return reference_unbroadcast(z_bar, shape) if z_bar.ndim == len(shape) else z_bar


def loses_axes(z_bar, shape):
    """The right sums, without the axes of length 1."""
    return added_only(z_bar, shape).sum(axis=ones_of(shape))


def loses_axes_in_a_loop(z_bar, shape):
    """Sums over one axis after another, while each sum moves the axes behind it."""
    z_bar = added_only(z_bar, shape)
    for axis in ones_of(shape):
        z_bar = z_bar.sum(axis=axis)
    return z_bar


def mean_of_uses(z_bar, shape):
    """The mean over all uses instead of their sum."""
    small = reference_unbroadcast(z_bar, shape)
    return small * (small.size / z_bar.size)


def first_use(z_bar, shape):
    """The cotangent of one copy alone."""
    z_bar = z_bar[(0,) * (z_bar.ndim - len(shape))]
    return z_bar[tuple(slice(0, 1) if length == 1 else slice(None) for length in shape)]


def same_cotangent(z_bar, shape):
    """The cotangent as it came."""
    return z_bar


# the tests of exercise 3 -------------------------------------------------------------------------


def sum0_vjp(x, z_bar):
    """The homework's rule for np.sum(x, axis=0), which is wrong on a square."""
    axis = x.shape.index(z_bar.shape[0])
    return np.broadcast_to(np.expand_dims(z_bar, 1 - axis), x.shape)


def mean0_vjp(x, z_bar):
    """A rule for np.mean(x, axis=0) that is right on a square alone."""
    return np.broadcast_to(z_bar / x.shape[1], x.shape)


def is_caught(wrong, right, tests):
    """Whether a test tells a wrong rule from the right one, which gives one row for all."""
    return any(
        not np.allclose(wrong(np.ones(shape), z_bar), right(shape, z_bar), equal_nan=True)
        for shape, z_bar in tests
    )


def read_tests(tests):
    """[(shape, array)] of what a learner wrote; None where that is not a list of pairs."""
    try:
        pairs = [(tuple(map(int, shape)), np.asarray(z_bar, float)) for shape, z_bar in tests]
    except (OverflowError, TypeError, ValueError):
        return None
    return pairs if all(len(shape) == 2 and min(shape) > 0 for shape, _ in pairs) else None


def judge_my_tests(tests, words):
    """The hint for a list of tests, below what they catch; None where they catch both rules."""
    pairs = read_tests(tests)
    if not pairs:
        return words["form"]
    for shape, z_bar in pairs:
        if z_bar.shape != (shape[1],):
            return words["shape"].format(shape=shape, columns=shape[1], z_bar=z_bar.shape)
    found = {
        "sum": is_caught(sum0_vjp, lambda shape, z_bar: z_bar, pairs),
        "mean": is_caught(mean0_vjp, lambda shape, z_bar: z_bar / shape[0], pairs),
    }
    for name, seen in found.items():
        print(f"  {name}0_vjp: {'caught' if seen else 'passes all your tests'}")
    missed = [name for name, seen in found.items() if not seen]
    if missed:
        return words["neither" if len(missed) == 2 else missed[0]]
    return words["many"] if len(pairs) > 2 else None


def list_operations():
    """The operations whose rules an engine needs, as (name, function of x and others, others…)."""
    sizes = ((4,), (4, 4), (8, 4, 5))
    row, square, stack = map(np.random.default_rng(SEED).uniform, (1, 1, 1), (2, 2, 2), sizes)
    return [
        ("x + y", lambda x, y: x + y, row),
        ("x * y", lambda x, y: x * y, row),
        ("x / y", lambda x, y: x / y, row),
        ("x ** 3", lambda x: x**3),
        ("1 - 3 * x", lambda x: 1 - 3 * x),
        ("-x", lambda x: -x),
        ("x @ y", lambda x, y: x @ y, square),
        ("x @ y, for a stack of eight matrices y", lambda x, y: x @ y, stack),
        ("transpose", mg.transpose),
        ("reshape", lambda x: mg.reshape(x, (2, -1))),
        ("sum over the rows", lambda x: mg.sum(x, axis=0)),
        ("broadcast to five copies", lambda x: mg.broadcast_to(x, (5, *x.shape))),
        ("exp", mg.exp),
        ("log", mg.log),
        ("relu", lambda x: mg.relu(x - 1.5)),
    ]


# backward ----------------------------------------------------------------------------------------


def network_forward(X, W1, b1, W2, b2):
    """What two layers compute: before ReLU, after it, and the scores."""
    h = X @ W1 + b1
    r = np.maximum(h, 0)
    return h, r, r @ W2 + b2


def scores_bar(scores, labels):
    """The cotangent of the scores under the mean cross-entropy: (softmax − onehot) / n."""
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return (p - np.eye(scores.shape[1])[labels]) / len(labels)


def cases_backward():
    """Images, labels and parameters of two small networks; in one all matrices but X are square."""
    rng, found = np.random.default_rng(SEED), []
    for n, inputs, hidden, classes in ((5, 4, 3, 2), (4, 3, 3, 3)):
        images, labels = rng.normal(size=(n, inputs)), rng.integers(classes, size=n)
        sizes = ((inputs, hidden), hidden, (hidden, classes), classes)
        found.append((images, labels, *(rng.normal(size=size) for size in sizes)))
    return found


def reference_backward(X, labels, W1, b1, W2, b2):
    """Find the gradients of all four parameters, without an engine."""
    return gradients_through(lambda h, r_bar: r_bar * (h > 0), X, labels, W1, b1, W2, b2)


def show_backward(X, labels, W1, b1, W2, b2):
    """A case in words."""
    return f"X {X.shape}, W1 {W1.shape}, W2 {W2.shape}"


def gradients_through(relu_vjp, X, labels, W1, b1, W2, b2):
    """The four gradients with relu_vjp(h, r_bar) as the backward rule of ReLU."""
    h, r, scores = network_forward(X, W1, b1, W2, b2)
    s_bar = scores_bar(scores, labels)
    h_bar = relu_vjp(h, s_bar @ W2.T)
    return X.T @ h_bar, h_bar.sum(axis=0), r.T @ s_bar, s_bar.sum(axis=0)


def relu_forgotten(*case):
    """The gradients with a ReLU that passes every cotangent on."""
    return gradients_through(lambda h, r_bar: r_bar, *case)


def relu_by_value(*case):
    """The gradients with max(h, 0) taken for the derivative of ReLU."""
    return gradients_through(lambda h, r_bar: r_bar * np.maximum(h, 0), *case)


def relu_by_cotangent(*case):
    """The gradients with a ReLU that passes positive cotangents."""
    return gradients_through(lambda h, r_bar: r_bar * (r_bar > 0), *case)


def weights_first(*case):
    """The right gradients, those of the weights first."""
    W1_bar, b1_bar, W2_bar, b2_bar = reference_backward(*case)
    return W1_bar, W2_bar, b1_bar, b2_bar


def last_bias_per_image(X, labels, W1, b1, W2, b2):
    """The gradients with a row for each image in that of b2."""
    *found, _ = reference_backward(X, labels, W1, b1, W2, b2)
    return *found, scores_bar(network_forward(X, W1, b1, W2, b2)[-1], labels)


def first_bias_behind_relu(X, labels, W1, b1, W2, b2):
    """The gradients with that of b1 from the output of ReLU."""
    W1_bar, _, W2_bar, b2_bar = reference_backward(X, labels, W1, b1, W2, b2)
    r_bar = scores_bar(network_forward(X, W1, b1, W2, b2)[-1], labels) @ W2.T
    return W1_bar, r_bar.sum(axis=0), W2_bar, b2_bar


def weights_before_relu(X, labels, W1, b1, W2, b2):
    """The gradients with h instead of r as the factor of W2."""
    h, _, scores = network_forward(X, W1, b1, W2, b2)
    W1_bar, b1_bar, _, b2_bar = reference_backward(X, labels, W1, b1, W2, b2)
    return W1_bar, b1_bar, h.T @ scores_bar(scores, labels), b2_bar


def biases_per_image(X, labels, W1, b1, W2, b2):
    """The gradients with a row for each image in those of the biases."""
    h, _, scores = network_forward(X, W1, b1, W2, b2)
    W1_bar, _, W2_bar, _ = reference_backward(X, labels, W1, b1, W2, b2)
    s_bar = scores_bar(scores, labels)
    return W1_bar, s_bar @ W2.T * (h > 0), W2_bar, s_bar


def last_layer_first(*case):
    """The right gradients, those of the last layer first."""
    W1_bar, b1_bar, W2_bar, b2_bar = reference_backward(*case)
    return W2_bar, b2_bar, W1_bar, b1_bar


def averaged_biases(X, labels, W1, b1, W2, b2):
    """The gradients with the mean over the images in those of the biases."""
    W1_bar, b1_bar, W2_bar, b2_bar = reference_backward(X, labels, W1, b1, W2, b2)
    return W1_bar, b1_bar / len(X), W2_bar, b2_bar / len(X)


def divided_again(X, *others):
    """All four gradients, divided by the number of images once more."""
    return tuple(bar / len(X) for bar in reference_backward(X, *others))


# the exit question -------------------------------------------------------------------------------


def judge_exit(answer, words):
    """The hint for a wrong answer; None for the right number, or for an array of it."""
    found = numeric(answer)
    if found is not None and found.size in (1, 4) and np.all(found == words["answer"]):
        return None
    return known_answer(answer, words)


# pictures ----------------------------------------------------------------------------------------


def show_jacobian():
    """Draw the Jacobian of a layer with respect to W, for 3 images of 4 pixels and 2 scores."""
    X = np.round(np.random.default_rng(1).uniform(0.1, 0.9, size=(3, 4)), 1)
    J = mg.jacobian(lambda W: X @ W)(np.zeros((4, 2))).numpy().reshape(6, 8)
    mg.plot.grids({"X, the images": X, "J: six scores (rows), eight weights (columns)": J})


def show_broadcast():
    """Draw the Jacobian of repeating a bias of three numbers for two rows, and its transpose."""
    J = mg.jacobian(lambda b: mg.broadcast_to(b, (2, 3)))(np.ones(3)).numpy().reshape(6, 3)
    mg.plot.grids({"J: repeats b in two rows": J, "Jᵀ: adds the two copies up": J.T})


def show_training(yours, engine, accuracy):
    """Draw the losses of both trainings, and say how far they are apart and how good it is."""
    from minigrad.draw.plot.axes import paper

    wide = {"linestyle": "-", "linewidth": 5, "alpha": 0.5, "marker": ""}
    with paper([2.4]) as (_, (axes,)):
        axes.plot(yours, **mg.plot.style_of("by hand", **wide), label="your backward")
        dashes = mg.plot.style_of("dynamic", linestyle="--", marker="")
        axes.plot(engine, **dashes, label="the engine")
        axes.set(xlabel="step", ylabel="loss", ylim=(0, None))
        axes.legend(edgecolor="none", framealpha=1)
    apart = bool(np.abs(np.subtract(yours, engine)).max() < 1e-12)
    print(f"The two curves differ by less than 1e-12: {apart}")
    print(f"Test images classified correctly by your network: {accuracy:.1%}")


lesson = Lesson("05b", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
