"""Random numbers as functions of a key: the same seed and key give the same numbers."""

import numpy as np

from minigrad.core.op import Discrete
from minigrad.core.spec import Spec


def drawn_spec(key, *like, seed, shape, dtype):
    """The Spec of a draw: of the given shape, or of that of the operand `like`."""
    return Spec(like[0].shape if like else shape, dtype)


def generator(seed, key):
    """NumPy's counter-based generator Philox; every pair (seed, key) is a stream of its own."""
    return np.random.Generator(np.random.Philox(key=[seed, int(key)]))


class Normal(Discrete):
    """z = draws from the normal distribution with mean 0 and variance 1."""

    says = "{z} is a sample of the normal distribution with mean 0 and variance 1."
    pure = False
    infer = drawn_spec

    def compute(key, *like, seed, shape, dtype):
        lengths = np.shape(like[0]) if like else shape
        return np.asarray(generator(seed, key).standard_normal(lengths), dtype)


class Uniform(Discrete):
    """z = draws from the uniform distribution on [0, 1), each rounded to the nearest below 1."""

    says = "{z} is a sample of the uniform distribution between 0 and 1."
    pure = False
    infer = drawn_spec

    def compute(key, *like, seed, shape, dtype):
        lengths = np.shape(like[0]) if like else shape
        z = np.asarray(generator(seed, key).random(lengths), dtype)
        below = np.nextafter(z.dtype.type(1), z.dtype.type(0))  # float16 and float32 round to 1
        return np.minimum(z, below, out=z)
