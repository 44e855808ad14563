"""Lesson 12: cases, references, typical wrong answers and pictures. The words are in 12.toml."""

import sys

import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad.course.lab import Lesson, known_answer
from minigrad.course.lessons import l05b
from minigrad.course.lessons.answer import numeric, unquote
from minigrad.course.teach import table

SEED = 12  # the cases of an exercise are the same each time
SHOWN = (0, 2, 4, 8, 12, 16, 22, 32, 44, 88, 220, 439)  # steps of the film
HARD = 22  # the film shows images that are still misclassified after so many steps
MEASURED = ("parameters", "correct of 360", "after the move", "change", "lowest", "highest")
EDGE = np.array([[1.0, 1, 1], [0, 0, 0], [-1, -1, -1]])  # a kernel: ink above, none below

# what the cells compute --------------------------------------------------------------------------


def accuracy(x, y, *parameters):
    """Compute the fraction of images that two layers with these parameters classify correctly."""
    return np.mean(l05b.network_forward(x, *parameters)[-1].argmax(axis=1) == y)


def count_correct(net, images, labels):
    """Count the images that a trained network classifies correctly."""
    return int(np.sum(net(images).numpy().argmax(axis=1) == labels))


def move_images(images):
    """Move images [n, 1, 8, 8] one pixel to the right; what enters on the left is 0."""
    return np.pad(images, [(0, 0), (0, 0), (0, 0), (1, 0)])[..., :-1]


def measure_move(train, layers, images, moved, labels):
    """Train a network of these layers from six seeds; return {what is measured: its mean}.

    `train(make)` returns a trained network, and `layers()` a list of layers. The change is that of
    what the first Linear layer reads; the lowest and highest are counts after the move.
    """
    found = []
    for seed in range(1, 7):

        def make(seed=seed):
            nn.manual_seed(seed)
            return nn.Sequential(*layers())

        net = train(make)
        size = sum(p.size for p in net.parameters())
        counts = [count_correct(net, x, labels) for x in (images, moved)]
        found.append([size, *counts, change_of_input(net, images, moved)])
    after = [row[2] for row in found]
    return dict(zip(MEASURED, (*np.mean(found, axis=0), min(after), max(after))))


def tabulate(seen, *columns):
    """A table of {network: what `measure_move` returns}, with these columns."""
    forms = dict(zip(MEASURED, (",.0f", ".0f", ".0f", ".0%", "d", "d")))
    rows = [
        [name, *(format(row[each], forms[each]) for each in columns)] for name, row in seen.items()
    ]
    return table(["network", *columns], rows)


def change_of_input(net, images, moved):
    """How far the input of a network's first Linear layer is from that for the moved images, by
    the lengths of all of them together: 0 where nothing changes."""
    first = next(at for at, layer in enumerate(net) if isinstance(layer, nn.Linear))
    before, after = (net[:first](mg.tensor(x)).numpy() for x in (images, moved))
    return float(np.linalg.norm(after - before) / np.linalg.norm(before))


def first_gradient(net, x, y):
    """Compute the length of the gradient of a network's first weights, before it has learned."""
    (gradient,) = mg.gradients(mg.cross_entropy(net(x), y), net.parameters()[:1])
    return float(np.linalg.norm(gradient.numpy()))


# train -------------------------------------------------------------------------------------------


def loss_of(x, y, W1, b1, W2, b2):
    """Compute the mean cross-entropy of two layers."""
    s = l05b.network_forward(x, W1, b1, W2, b2)[-1]
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(y)), y]).mean()


backward = l05b.reference_backward


def cases_train():
    """(parameters, images, labels, epochs, rate) of small networks; the last minibatch is full,
    or less than that and left out."""
    rng, found = np.random.default_rng(SEED), []
    for count, epochs, rate in ((32, 1, 0.5), (64, 1, 0.5), (75, 2, 0.2), (64, 3, 0.5)):
        images, labels = rng.normal(size=(count, 5)), rng.integers(3, size=count)
        sizes = ((5, 4), 4, (4, 3), 3)
        parameters = [rng.normal(scale=0.5, size=size) for size in sizes]
        found.append((parameters, images, labels, epochs, rate))
    return found


def show_train(parameters, images, labels, epochs, rate):
    """A case in words."""
    return f"{len(images)} images, {epochs} epoch{'s' * (epochs > 1)}, rate {rate}"


def run_train(function, parameters, *rest):
    """The losses, the new parameters one by one, and the given ones after the call."""
    found = function(parameters, *rest)
    if found is None:
        return None
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise ValueError("the function returns two things: the parameters, and the losses")
    made, losses = found
    if np.ndim(made[0]) == 0:
        raise ValueError("return the parameters first, and then the losses")
    return np.array(losses, float), *made, *parameters


def reference_train(parameters, images, labels, epochs, rate):
    """Train two layers by SGD; return the parameters and the loss before each step."""
    losses = []
    for epoch in range(epochs):
        for x, y in mg.data.batches(images, labels, size=32, seed=epoch):
            losses.append(loss_of(x, y, *parameters))
            bars = backward(x, y, *parameters)
            parameters = [p - rate * bar for p, bar in zip(parameters, bars)]
    return parameters, losses


def trained_by(parameters, images, labels, epochs, rate, **changed):
    """`train` with other parts: the `seed` of an epoch, the `gradient`, the `loss` of a step, and
    what it does `after` the epochs to the losses."""
    seed = changed.get("seed", lambda epoch: epoch)
    gradient = changed.get("gradient", lambda now, x, y: backward(x, y, *now))
    loss = changed.get("loss", lambda now, moved, x, y: loss_of(x, y, *now))
    losses, now = [], parameters
    for epoch in range(epochs):
        for x, y in mg.data.batches(images, labels, size=32, seed=seed(epoch)):
            moved = [p - rate * bar for p, bar in zip(now, gradient(now, x, y))]
            losses.append(loss(now, moved, x, y))
            now = moved
    return now, losses


def loss_after_step(*case):
    """Each loss is that of the moved parameters."""
    return trained_by(*case, loss=lambda now, moved, x, y: loss_of(x, y, *moved))


def same_order(*case):
    """Each epoch has the minibatches of the first."""
    return trained_by(*case, seed=lambda epoch: 0)


def gradient_of_all(parameters, images, labels, epochs, rate):
    """Each gradient is that of all images."""

    def every(now, x, y):
        return backward(images, labels, *now)

    return trained_by(parameters, images, labels, epochs, rate, gradient=every)


def uphill(parameters, images, labels, epochs, rate):
    """Each step goes along the gradient."""
    return trained_by(parameters, images, labels, epochs, -rate)


def divided_again(parameters, images, labels, epochs, rate):
    """The gradients, which are means, are divided by the 32 images again."""
    return trained_by(parameters, images, labels, epochs, rate / 32)


def never_moves(*case):
    """The given parameters, and their losses in every step."""
    return trained_by(*case[:-1], 0.0)


def starts_again(parameters, *rest):
    """Each step starts from the parameters that were given, and moves them once."""
    made, losses = parameters, []
    images, labels, epochs, rate = rest
    for epoch in range(epochs):
        for x, y in mg.data.batches(images, labels, size=32, seed=epoch):
            losses.append(loss_of(x, y, *parameters))
            made = [p - rate * bar for p, bar in zip(parameters, backward(x, y, *parameters))]
    return made, losses


def moves_given(parameters, images, labels, epochs, rate):
    """The right training, which writes into the arrays that were given."""
    made, losses = reference_train(parameters, images, labels, epochs, rate)
    for p, new in zip(parameters, made):
        p[...] = new
    return made, losses


# conv2d and its backward rule --------------------------------------------------------------------


def cases_conv2d():
    """Images and kernels, square or not; one kernel as large as its image, and one of one entry."""
    rng = np.random.default_rng(SEED)
    shapes = [
        ((5, 6), (3, 3)),
        ((5, 4), (2, 3)),
        ((4, 4), (3, 2)),
        ((3, 3), (3, 3)),
        ((4, 3), (1, 1)),
    ]
    return [(rng.normal(size=image), rng.normal(size=kernel)) for image, kernel in shapes]


def show_conv2d(x, k):
    """A case in words."""
    return f"x {x.shape} and k {k.shape}"


def reference_conv2d(x, k):
    """Add up, at each place of an image, the products of a kernel and the pixels below it."""
    rows, columns = x.shape[0] - k.shape[0] + 1, x.shape[1] - k.shape[1] + 1
    z = np.zeros((rows, columns))
    for i in range(k.shape[0]):
        for j in range(k.shape[1]):
            z += k[i, j] * x[i : i + rows, j : j + columns]
    return z


def flipped_kernel(x, k):
    """The convolution of mathematics, whose kernel is turned by 180°."""
    return reference_conv2d(x, k[::-1, ::-1])


def one_place_short(x, k):
    """One place too few in each direction."""
    return reference_conv2d(x, k)[:-1, :-1]


def same_size(x, k):
    """A result as large as the image, with zeros where the kernel does not fit."""
    z = reference_conv2d(x, k)
    return np.pad(z, [(0, full - part) for full, part in zip(x.shape, z.shape)])


def last_offset(x, k):
    """The product with the last entry of the kernel alone."""
    last = np.zeros_like(k)
    last[-1, -1] = k[-1, -1]
    return reference_conv2d(x, last)


def after_conv2d(function):
    """Draw a digit, and the result of the learner's function for the kernel of a lower edge."""
    digit = mg.data.digits().test_images[0].reshape(8, 8)
    print("  Below, your function looks for lower edges: its kernel has 1 in the upper row and −1")
    print("  in the lower one. Blue is positive, and red is negative.")
    draw_images({"a digit": digit, "kernel": EDGE, "your result": function(digit, EDGE)})


def cases_conv2d_vjp():
    """Images, kernels and cotangents of the result."""
    rng = np.random.default_rng(SEED + 1)
    return [(x, k, rng.normal(size=reference_conv2d(x, k).shape)) for x, k in cases_conv2d()]


def show_conv2d_vjp(x, k, z_bar):
    """A case in words."""
    return f"x {x.shape}, k {k.shape}, z_bar {z_bar.shape}"


def reference_conv2d_vjp(x, k, z_bar):
    """Take the cotangent of z = conv2d(x, k) to those of x and k."""
    x_bar, k_bar = np.zeros_like(x), np.zeros_like(k)
    rows, columns = z_bar.shape
    for i in range(k.shape[0]):
        for j in range(k.shape[1]):
            k_bar[i, j] = np.sum(z_bar * x[i : i + rows, j : j + columns])
            x_bar[i : i + rows, j : j + columns] += k[i, j] * z_bar
    return x_bar, k_bar


def kernel_first(*case):
    """Both cotangents, the kernel's first."""
    return reference_conv2d_vjp(*case)[::-1]


def last_use_alone(x, k, z_bar):
    """x_bar with = instead of +=, so that only the last use of a pixel counts."""
    x_bar = np.zeros_like(x)
    rows, columns = z_bar.shape
    for i in range(k.shape[0]):
        for j in range(k.shape[1]):
            x_bar[i : i + rows, j : j + columns] = k[i, j] * z_bar
    return x_bar, reference_conv2d_vjp(x, k, z_bar)[1]


def last_place_alone(x, k, z_bar):
    """x_bar with = instead of +=, place by place of the result."""
    x_bar = np.zeros_like(x)
    for r, c in np.ndindex(z_bar.shape):
        x_bar[r : r + k.shape[0], c : c + k.shape[1]] = k * z_bar[r, c]
    return x_bar, reference_conv2d_vjp(x, k, z_bar)[1]


def pixel_of_place(x, k, z_bar):
    """x_bar with the contributions of each place at that place itself."""
    x_bar = np.zeros_like(x)
    x_bar[: z_bar.shape[0], : z_bar.shape[1]] = z_bar * k.sum()
    return x_bar, reference_conv2d_vjp(x, k, z_bar)[1]


def kernel_turned(x, k, z_bar):
    """x_bar with the kernel turned by 180°."""
    turned, _ = reference_conv2d_vjp(x, k[::-1, ::-1], z_bar)
    return turned, reference_conv2d_vjp(x, k, z_bar)[1]


def kernel_of_last_place(x, k, z_bar):
    """k_bar from the last place alone."""
    rows, columns = k.shape
    k_bar = z_bar[-1, -1] * x[-rows:, -columns:]
    return reference_conv2d_vjp(x, k, z_bar)[0], k_bar


def cotangent_missing(x, k, z_bar):
    """k_bar from the pixels alone, as if z_bar were 1 everywhere."""
    x_bar, _ = reference_conv2d_vjp(x, k, z_bar)
    return x_bar, reference_conv2d_vjp(x, k, np.ones_like(z_bar))[1]


def stacked(convolve, convolve_vjp):
    """An operation for images [n, 1, rows, columns] and kernels [m, 1, rows, columns], made of two
    functions for one image and one kernel."""

    def forward(images, kernels):
        return np.array([[convolve(x[0], k[0]) for k in kernels] for x in images])

    def vjp(images, kernels, z, z_bar):
        x_bar, k_bar = np.zeros_like(images), np.zeros_like(kernels)
        for n, m in np.ndindex(z_bar.shape[:2]):
            bars = convolve_vjp(images[n, 0], kernels[m, 0], z_bar[n, m])
            x_bar[n, 0] += bars[0]
            k_bar[m, 0] += bars[1]
        return x_bar, k_bar

    return mg.custom_op(forward, vjp=vjp, name="MyConv")


def kernel_losses(convolve):
    """(the losses of one epoch, the accuracy after it) of eight kernels below a linear layer."""
    digits = mg.data.digits()
    images, tests = (x.reshape(-1, 1, 8, 8) for x in (digits.train_images, digits.test_images))
    nn.manual_seed(1)
    kernels = nn.Conv2d(1, 8, 3, bias=False).parameters()[0]
    head = nn.Sequential(nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(72, 10))
    optimizer, losses = mg.optim.SGD([kernels, *head.parameters()], lr=0.1, momentum=0.9), []
    for x, y in mg.data.batches(images, digits.train_labels, size=32):
        optimizer.zero_grad()
        loss = mg.cross_entropy(head(convolve(mg.tensor(x), kernels)), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    found = head(mg.conv2d(tests, kernels)).numpy().argmax(axis=1)
    return losses, np.mean(found == digits.test_labels)


def after_conv2d_vjp(function):
    """Train a network whose first layer is the learner's convolution, and one with the engine's."""
    convolve = lesson.passes.get("conv2d", reference_conv2d)
    yours, accuracy = kernel_losses(stacked(convolve, function))
    engine, _ = kernel_losses(mg.conv2d)
    same = bool(np.allclose(yours, engine, rtol=0, atol=1e-9))
    print("  A network whose first layer calls your functions, with eight kernels, was trained for")
    print(f"  one epoch. It classifies {accuracy:.0%} of the test images correctly.")
    print(f"  Its losses are those of a network with nn.Conv2d, within 1e-9: {same}")


# the exit question -------------------------------------------------------------------------------


def judge_exit(answer, words):
    """The hint for a wrong answer; None for the number, to two decimals or more."""
    found = numeric(unquote(answer, 1.0) if isinstance(answer, str) else answer)
    if found is None or found.shape:
        return words["otherwise"]
    if abs(found - np.log(1 + 25 / np.e)) < 0.006:
        return None
    return known_answer(round(float(found), 2), words)


# the layers --------------------------------------------------------------------------------------


def list_layers():
    """The layers of a network for digits, as (name, layer, the shape of its input)."""
    nn.manual_seed(SEED)
    return [
        ("Linear", nn.Linear(6, 4), (3, 6)),
        ("Conv2d", nn.Conv2d(2, 3, 3, padding=1), (2, 2, 4, 4)),
        ("MaxPool2d", nn.MaxPool2d(2), (2, 2, 4, 4)),
        ("ReLU", nn.ReLU(), (3, 6)),
        ("Sigmoid", nn.Sigmoid(), (3, 6)),
        ("Flatten", nn.Flatten(), (2, 2, 4, 4)),
    ]


def layer_is_right(layer, shape, static):
    """Whether the gradients of a layer, with respect to its input and its parameters, agree with
    difference quotients, in the static or the dynamic engine. Raises GradientError if not."""
    names = [name for name in ("W", "b") if hasattr(layer, name)]
    given = [getattr(layer, name) for name in names]

    def result(x, *values):
        for name, value in zip(names, values):
            setattr(layer, name, value)
        return layer(x)

    x = np.random.default_rng(SEED).normal(size=shape)
    try:
        return mg.gradcheck(mg.function(result) if static else result, x, *given, modes=["reverse"])
    finally:
        for name, value in zip(names, given):
            setattr(layer, name, value)


# pictures ----------------------------------------------------------------------------------------


def show_learning(answers, digits):
    """A film of ten images that are misclassified after 22 steps, with the answers of some steps,
    which are (wrong) in brackets; prints how many of all are correct then."""
    from minigrad.course.lessons.films import film

    labels = digits.test_labels
    hard = np.flatnonzero(answers[HARD] != labels)[:10]
    image = np.hstack(digits.test_images[hard].reshape(-1, 8, 8))
    correct = {step: int(np.sum(answers[step] == labels)) for step in SHOWN}

    def frame(axes, step):
        axes.imshow(image, cmap="gray_r")
        said = [f"{a}" if a == y else f"({a})" for a, y in zip(answers[step][hard], labels[hard])]
        axes.set_xticks(range(4, 80, 8), said)
        axes.set_yticks([])
        axes.set_title(
            f"{step} steps: {correct[step]} of {len(labels)} correct; wrong answers in ( )"
        )

    told = ", ".join(f"{correct[step]} after {step}" for step in (0, 8, 16, 22, 44, 439))
    print(f"Test images classified correctly, of {len(labels)}: {told} steps")
    return film(frame, SHOWN, size=(6.4, 1.5), seconds=0.6)


def show_losses(lines):
    """Draw the loss of each step for {name: losses}; the lines lie on one another, so that each
    is narrower than the one below it."""
    from minigrad.draw.plot.axes import paper

    looks = {"by hand": (7, 0.35), "dynamic": (3.5, 0.6), "static": (1, 1)}
    with paper([2.4]) as (_, (axes,)):
        for name, losses in lines.items():
            kind = next(each for each in looks if name.startswith(each))
            wide = dict(zip(("linewidth", "alpha"), looks[kind])) | {"linestyle": "-", "marker": ""}
            axes.plot(losses, **mg.plot.style_of(kind, **wide), label=name)
        axes.set(xlabel="step", ylabel="loss of the minibatch", ylim=(0, None))
        axes.legend(edgecolor="none", framealpha=1)


def show_few(curves):
    """Draw {epochs: (loss of the training images, loss of the test images)}."""
    from minigrad.draw.plot.axes import paper

    few, last = min(curves, key=lambda epochs: curves[epochs][1]), max(curves)
    with paper([2.4]) as (_, (axes,)):
        for name, losses, style in zip(
            ("training", "test"), zip(*curves.values()), ("by hand", "dynamic")
        ):
            axes.plot([*curves], losses, **mg.plot.style_of(style), label=f"{name} images")
        for epochs in (few, last):
            at = epochs, curves[epochs][1]
            axes.annotate(f"{at[1]:.3f}", at, (0, 6), textcoords="offset points", ha="center")
        axes.set(xlabel="epochs", ylabel="loss", ylim=(0, None))
        axes.legend(edgecolor="none", framealpha=1)
    told = ", ".join(f"{curves[epochs][1]:.3f} after {epochs} epochs" for epochs in (few, last))
    print(f"Loss of the test images: {told}")


def show_move(digit, moved):
    """Draw an image, its result for the kernel of a right edge, and what max pooling keeps of it;
    below them the same for the moved image, and how far it is from what stands above it."""
    from minigrad.draw.plot.axes import paper

    rows = []
    for image in (digit, moved):
        z = mg.conv2d(np.reshape(image, (1, 1, 8, 8)), EDGE.T[None, None], padding=1)
        z = np.maximum(np.asarray(z), 0)
        rows.append([np.reshape(image, (8, 8)), z[0, 0], np.asarray(mg.max_pool2d(z, 2))[0, 0]])
    changes = [np.linalg.norm(b - a) / np.linalg.norm(a) for a, b in zip(*rows)]
    with paper([1.8, 1.8], share=False, columns=3) as (_, axes):
        titles = ["a digit", "right edges found", "then max pooling"]
        titles += [f"moved: changed by {change:.0%}" for change in changes]
        for ax, title, image in zip(axes, titles, [*rows[0], *rows[1]]):
            draw_image(ax, title, image)


def show_softmax(losses):
    """Draw the losses of trainings, {name: losses}, above the floor of one softmax too many."""
    from minigrad.draw.plot.axes import paper

    with paper([2.4]) as (_, (axes,)):
        for (name, each), colour in zip(losses.items(), ("#B0430A", "#1B5FA8")):
            axes.plot(each, color=colour, linewidth=1, label=name)
        axes.axhline(np.log(1 + 9 / np.e), color="#1E252D", linestyle=":", label="ln(1 + 9/e)")
        axes.set(xlabel="step", ylabel="loss of the minibatch", ylim=(0, None))
        axes.legend(edgecolor="none", framealpha=1, loc="upper right")


def draw_images(images):
    """Draw {title: image} side by side."""
    from minigrad.draw.plot.axes import paper

    with paper([1.9], share=False, columns=len(images)) as (_, axes):
        for ax, (title, image) in zip(axes, images.items()):
            draw_image(ax, title, image)


def draw_image(ax, title, image):
    """Draw an image without ticks: grey from 0 up, or blue and red where entries are negative."""
    from minigrad.draw.plot.axes import SMALL

    signed, most = np.min(image) < 0, np.abs(image).max() or 1
    ax.imshow(image, cmap="RdBu" if signed else "gray_r", vmin=-most * signed, vmax=most)
    ax.set_title(title, fontsize=SMALL)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    ax.grid(False)


lesson = Lesson("12", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
