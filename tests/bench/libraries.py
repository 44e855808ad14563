"""Each library as the bench uses it: loaded when first asked for, 64-bit floats, one thread (or
as many as BENCH_THREADS says)."""

import functools
import os
import sys
import warnings

from registry import Unable

import minigrad as mg

sys.setrecursionlimit(50_000)  # PyTensor and micrograd walk their graphs by recursion


@functools.cache
def torch():
    """PyTorch."""
    import torch

    torch.set_num_threads(int(os.environ["BENCH_THREADS"]))
    torch.set_num_interop_threads(1)
    return torch


@functools.cache
def compiled():
    """torch.compile, which must not give up on a workload after those before it."""
    import torch._dynamo

    torch._dynamo.config.recompile_limit = 64
    return lambda f: torch.compile(f, dynamic=False)


@functools.cache
def jax():
    """JAX."""
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    return jax


@functools.cache
def autograd():
    """HIPS autograd."""
    import autograd
    import autograd.numpy

    return autograd


@functools.cache
def mygrad():
    """MyGrad, without the checks of its inputs that its manual says to turn off for speed."""
    import mygrad

    mygrad.turn_memory_guarding_off()
    return mygrad


@functools.cache
def pytensor():
    """PyTensor."""
    flags = os.environ.get("PYTENSOR_FLAGS", "")
    os.environ["PYTENSOR_FLAGS"] = f"{flags},openmp=False".strip(",")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pytensor
        import pytensor.tensor
    return pytensor


@functools.cache
def micrograd():
    """micrograd's Value."""
    from micrograd.engine import Value

    return Value


def program(graph, backend, fetches, feeds):
    """minigrad's compiled program and its Session. Raises Unable without the backend.

    Machine code for a whole small program has other last bits than NumPy: it needs fast rules.
    """
    session = mg.Session(graph, backend=backend, rules="fast" if backend == "numba" else "safe")
    try:
        return session.compile(fetches, feeds), session
    except mg.ArgumentError as error:
        raise Unable(str(error).splitlines()[0]) from None


def relu(xp, x):
    """max(x, 0) as a library writes it."""
    return xp.relu(x) if hasattr(xp, "relu") else xp.maximum(x, 0.0)
