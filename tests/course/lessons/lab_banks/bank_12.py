"""What students answer in lesson 12, wrong and right; test_lab_banks.py tells the form."""

import numpy as np

from minigrad.course.lessons import l12

TRAIN = """
losses = []
for epoch in range(epochs):
    for x, y in mg.data.batches(images, labels, size=32, seed=epoch):
        losses.append(loss_of(x, y, *parameters))
        bars = backward(x, y, *parameters)
        parameters = [p - rate * bar for p, bar in zip(parameters, bars)]
return parameters, losses
"""
IN_PLACE = """
losses = []
for epoch in range(epochs):
    for x, y in mg.data.batches(images, labels, size=32, seed=epoch):
        losses.append(loss_of(x, y, *parameters))
        for p, bar in zip(parameters, backward(x, y, *parameters)):
            p -= rate * bar
return parameters, losses
"""
BY_INDEX = """
losses = []
for epoch in range(epochs):
    for x, y in mg.data.batches(images, labels, size=32, seed=epoch):
        losses.append(loss_of(x, y, *parameters))
        bars = backward(x, y, *parameters)
        for i in range(len(parameters)):
            parameters[i] = parameters[i] - rate * bars[i]
return parameters, losses
"""
CONV = """
rows, columns = x.shape[0] - k.shape[0] + 1, x.shape[1] - k.shape[1] + 1
z = np.zeros((rows, columns))
for i in range(k.shape[0]):
    for j in range(k.shape[1]):
        z += k[i, j] * x[i:i + rows, j:j + columns]
return z
"""
PLACES = """
m, n = k.shape
z = np.zeros((x.shape[0] - m + 1, x.shape[1] - n + 1))
for r in range(z.shape[0]):
    for c in range(z.shape[1]):
        z[r, c] = np.sum(k * x[r:r + m, c:c + n])
return z
"""
CONV_VJP = """
x_bar, k_bar = np.zeros_like(x), np.zeros_like(k)
rows, columns = z_bar.shape
for i in range(k.shape[0]):
    for j in range(k.shape[1]):
        k_bar[i, j] = np.sum(z_bar * x[i:i + rows, j:j + columns])
        x_bar[i:i + rows, j:j + columns] += k[i, j] * z_bar
return x_bar, k_bar
"""
PLACES_VJP = """
x_bar, k_bar = np.zeros(x.shape), np.zeros(k.shape)
m, n = k.shape
for r in range(z_bar.shape[0]):
    for c in range(z_bar.shape[1]):
        k_bar += z_bar[r, c] * x[r:r + m, c:c + n]
        x_bar[r:r + m, c:c + n] += z_bar[r, c] * k
return x_bar, k_bar
"""
SLIDES_VJP = """
def slide(x, k):
    windows = np.lib.stride_tricks.sliding_window_view(x, k.shape)
    return np.einsum("rcij,ij->rc", windows, k)
m, n = k.shape
padded = np.pad(z_bar, [(m - 1, m - 1), (n - 1, n - 1)])
return slide(padded, k[::-1, ::-1]), slide(x, z_bar)
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


APPEND = "        losses.append(loss_of(x, y, *parameters))\n"
STEP = "        parameters = [p - rate * bar for p, bar in zip(parameters, bars)]\n"

SIGNATURES = {
    "train": "parameters, images, labels, epochs, rate",
    "conv2d": "x, k",
    "conv2d_vjp": "x, k, z_bar",
}
NAMES = {"loss_of": l12.loss_of, "backward": l12.backward}
WRONG_FUNCTIONS = {
    "train": [
        ("    ...", "Write two loops"),
        (changed(TRAIN, APPEND, "").replace(STEP, STEP + APPEND), "loss_after_step"),
        (changed(TRAIN, "seed=epoch", "seed=0"), "same_order"),
        (changed(TRAIN, ", seed=epoch", ""), "same_order"),
        (changed(TRAIN, "backward(x, y", "backward(images, labels"), "gradient_of_all"),
        (changed(TRAIN, "loss_of(x, y", "loss_of(images, labels"), "There is one loss"),
        (changed(IN_PLACE, "p -= rate * bar", "p = p - rate * bar"), "never_moves"),
        (changed(TRAIN, "p - rate", "p + rate"), "uphill"),
        (
            changed(TRAIN, "        parameters = [", "        moved = [").replace(
                "return parameters", "return moved"
            ),
            "starts_again",
        ),
        (IN_PLACE, "moves_given"),
        (BY_INDEX, "moves_given"),
        (changed(BY_INDEX, "] - rate", "] + rate"), "There is one loss"),
        (changed(TRAIN, "rate * bar", "rate * bar / 32"), "divided_again"),
        (changed(TRAIN, "rate * bar", "rate * bar / len(x)"), "divided_again"),
        (
            "given = parameters"
            + changed(TRAIN, "backward(x, y, *p", "backward(x, y, *given_p").replace(
                "given_parameters", "given"
            ),
            "There is one loss",
        ),
        (changed(TRAIN, "return parameters, losses", "return losses, parameters"), "Return two"),
        (changed(TRAIN, "return parameters, losses", "return parameters"), "Return two"),
        (changed(TRAIN, "return parameters, losses", "return losses"), "Return two"),
        (changed(TRAIN, STEP, ""), "never_moves"),
        (
            changed(TRAIN, STEP, "        parameters -= rate * bars\n"),
            "backward(x, y, *parameters)",
        ),
        (
            changed(TRAIN, APPEND, "        losses = [loss_of(x, y, *parameters)]\n"),
            "There is one loss",
        ),
        (changed(TRAIN, "size=32", "size=16"), "There is one loss"),
        (changed(TRAIN, "rate * bar", "bar"), "There is one loss"),
        (
            changed(TRAIN, "backward(x, y, *parameters)", "backward(x, y, parameters)"),
            "backward(x, y, *parameters)",
        ),
        (
            changed(TRAIN, "loss_of(x, y, *parameters)", "loss_of(x, y)"),
            "backward(x, y, *parameters)",
        ),
        (changed(TRAIN, "mg.data.batches", "batches"), "The minibatches come from"),
        (changed(TRAIN, "return parameters, losses", "print(losses)"), "Does it end with return"),
    ],
    "conv2d": [
        ("    ...", "Compute the shape"),
        (changed(CONV, "k[i, j]", "k[-1 - i, -1 - j]"), "flipped_kernel"),
        (CONV.replace(" + 1", ""), "one_place_short"),
        (
            changed(
                CONV, "return z", "return np.pad(z, [(0, x.shape[i] - z.shape[i]) for i in (0, 1)])"
            ),
            "same_size",
        ),
        (changed(CONV, "z += ", "z = "), "last_offset"),
        (changed(CONV, "k[i, j]", "k[j, i]"), "A place lies outside"),
        (changed(CONV, "z += k[i, j] * ", "z += "), "Compute one entry"),
        (changed(PLACES, "np.sum(k * ", "np.mean(k * "), "Compute one entry"),
        (changed(PLACES, "np.sum(k * ", "np.sum(k @ "), "Two shapes do not fit"),
        (
            changed(PLACES, "np.sum(k * x[r:r + m, c:c + n])", "k * x[r:r + m, c:c + n]"),
            "Two shapes",
        ),
        (
            changed(CONV, "np.zeros((rows, columns))", "np.zeros(rows, columns)"),
            "The shape of z is",
        ),
        (changed(CONV, "return z", "z"), "Does it end with return"),
        ("return mg.conv2d(x, k)", "Compute one entry"),
    ],
    "conv2d_vjp": [
        ("    ...", "Ask where k[i, j]"),
        (changed(CONV_VJP, "] += k", "] = k"), "last_use_alone"),
        (changed(PLACES_VJP, "c + n] += ", "c + n] = "), "last_place_alone"),
        (changed(CONV_VJP, "return x_bar, k_bar", "return k_bar, x_bar"), "kernel_first"),
        (changed(CONV_VJP, "+= k[i, j]", "+= k[-1 - i, -1 - j]"), "kernel_turned"),
        (changed(PLACES_VJP, "k_bar += ", "k_bar = "), "kernel_of_last_place"),
        (
            changed(
                PLACES_VJP,
                "x_bar[r:r + m, c:c + n] += z_bar[r, c] * k",
                "x_bar[r, c] += np.sum(z_bar[r, c] * k)",
            ),
            "pixel_of_place",
        ),
        (changed(CONV_VJP, "np.sum(z_bar * x", "np.sum(x"), "cotangent_missing"),
        (changed(CONV_VJP, "np.sum(z_bar", "np.mean(z_bar"), "k[i, j] connects"),
        (changed(CONV_VJP, "k_bar[i, j] =", "k_bar[-1 - i, -1 - j] ="), "k[i, j] connects"),
        (changed(SLIDES_VJP, "k[::-1, ::-1]", "k"), "kernel_turned"),
        (changed(CONV_VJP, "k[i, j] * z_bar", "k[i, j]"), "k[i, j] connects"),
        (changed(CONV_VJP, "return x_bar, k_bar", "return k_bar"), "k[i, j] connects"),
        (changed(CONV_VJP, "np.sum(z_bar * ", "(z_bar * "), "Two shapes do not fit"),
        ("return z_bar * k, z_bar * x", "Two shapes do not fit"),
        (changed(CONV_VJP, "return x_bar, k_bar", "x_bar, k_bar"), "Does it end with return"),
    ],
}
RIGHT_FUNCTIONS = {
    "train": [
        TRAIN,
        """
        parameters, losses = [p.copy() for p in parameters], []
        for epoch in range(epochs):
            for x, y in mg.data.batches(images, labels, size=32, seed=epoch):
                losses += [float(loss_of(x, y, *parameters))]
                gradients = backward(x, y, *parameters)
                for i in range(4):
                    parameters[i] -= rate * gradients[i]
        return tuple(parameters), np.array(losses)
        """,
        """
        W1, b1, W2, b2 = parameters
        losses = []
        for e in range(epochs):
            for x, y in mg.data.batches(images, labels, size=32, seed=e):
                losses.append(loss_of(x, y, W1, b1, W2, b2))
                dW1, db1, dW2, db2 = backward(x, y, W1, b1, W2, b2)
                W1, b1 = W1 - rate * dW1, b1 - rate * db1
                W2, b2 = W2 - rate * dW2, b2 - rate * db2
        return [W1, b1, W2, b2], losses
        """,
    ],
    "conv2d": [
        CONV,
        PLACES,
        """
        windows = np.lib.stride_tricks.sliding_window_view(x, k.shape)
        return np.einsum("rcij,ij->rc", windows, k)
        """,
        """
        rows, columns = np.array(x.shape) - k.shape + 1
        return [[sum(k[i, j] * x[r + i, c + j] for i, j in np.ndindex(*k.shape))
                 for c in range(columns)] for r in range(rows)]
        """,
        """
        return mg.conv2d(x[None, None], k[None, None])[0, 0]
        """,
    ],
    "conv2d_vjp": [
        CONV_VJP,
        PLACES_VJP,
        SLIDES_VJP,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (1.46, "1.46 is the bound"),
        (np.log(1 + 9 / np.e), "1.46 is the bound"),
        (3.26, "3.26 is the loss"),
        (2.36, "26 letters are"),
        (np.e / (np.e + 25), "This is the probability"),
        (0, "The second softmax"),
        (2.3, "At best, the first softmax"),
        (-2.32, "At best, the first softmax"),
        ("low", "At best, the first softmax"),
        ([2.32], "At best, the first softmax"),
    ],
}
RIGHT_VALUES = {"exit": [2.32, 2.3221, "2.32", np.log(1 + 25 / np.e)]}
PREDICTIONS = {
    "differ": ([..., 440, "half"], "less than 1e-9"),
    "cause": ([..., "both", 3], "neither"),
    "softmax": ([..., 100, "many"], 350),
}
