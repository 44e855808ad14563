"""A function with a derivative of its own, for where the usual one overflows."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad
from autograd.extend import defvjp, primitive


def stable(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


# here: logsumexp = custom_op(stable, vjp=lambda x, z, z_bar: z_bar * np.exp(x - z))
logsumexp = primitive(stable)
# here: pass
defvjp(logsumexp, lambda z, x: lambda z_bar: z_bar * np.exp(x - z))


def example(y):
    z = y**2
    return np.sum(logsumexp(z) * z[:2])


x = npr.RandomState(0).randn(6)
slope = grad(example)

RESULT = {
    "value": example(x),
    "slope": slope(x),
    "second": grad(lambda y: np.sum(slope(y) ** 2))(x),
    "far out": slope(np.array([30.0, -40.0, 1.0])),
}
