"""tanh from its formula, and five derivatives of it, each of the one before, entry by entry."""

import autograd.numpy as np
from autograd import elementwise_grad as egrad


def tanh(x):
    decay = np.exp(-2 * x)
    return (1 - decay) / (1 + decay)


x = np.linspace(-3, 3, 25)
curves, f = {}, tanh
for order in range(6):
    curves[f"derivative {order}"] = f(x)[::6]
    f = egrad(f)

RESULT = {**curves, "of two": egrad(lambda x, y: tanh(x) * y**2, 1)(x, 2 * x)[::6]}
