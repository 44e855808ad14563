"""Chains of a thousand small operations: what one operation costs beyond its arithmetic."""

import functools

import numpy as np
from alone import first_result
from gradients import Problem, gradients
from registry import Target, Workload
from values import values


def mixed(count, xp, x, a, b):
    """x ← x·a; x + b; sin x; exp x; and again, `count` operations."""
    for _ in range(count // 4):
        x = xp.exp(xp.sin(x * a + b))
    return x.sum() if x.ndim else x


def mixed_by_hand(count, x, a, b):
    """The chain and its gradients in NumPy."""
    kept, a_bar, b_bar = [], 0.0, 0.0
    for _ in range(count // 4):
        v = x * a + b
        z = np.exp(np.sin(v))
        kept.append((x, v, z))
        x = z
    y, x_bar = x.sum() if x.ndim else x, np.ones(x.shape)
    for x, v, z in reversed(kept):
        v_bar = x_bar * z * np.cos(v)
        a_bar, b_bar, x_bar = a_bar + v_bar * x, b_bar + v_bar, v_bar * a
    return y, x_bar, a_bar, b_bar


def plain(count, xp, x, a, b):
    """x ← x·a; x + b; and again, `count` operations."""
    for _ in range(count // 2):
        x = x * a + b
    return x.sum() if getattr(x, "ndim", 0) else x


def plain_by_hand(count, x, a, b):
    """The chain and its gradients in NumPy."""
    kept, a_bar, b_bar = [], 0.0, 0.0
    for _ in range(count // 2):
        kept.append(x)
        x = x * a + b
    y, x_bar = x.sum() if x.ndim else x, np.ones(x.shape)
    for x in reversed(kept):
        a_bar, b_bar, x_bar = a_bar + x_bar * x, b_bar + x_bar, x_bar * a
    return y, x_bar, a_bar, b_bar


def problem(formula, by_hand, count, shape):
    """x, a and b of one shape, all three differentiated."""
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(low, high, shape) for low, high in ((0, 1), (0.9, 0.99), (0, 0.1))]
    arrays = [np.asarray(a) for a in arrays]
    return Problem(functools.partial(formula, count), arrays, 3, functools.partial(by_hand, count))


# the workloads -----------------------------------------------------------------------------------

D, S, N, T, H, J = (
    "minigrad dynamic",
    "minigrad static",
    "minigrad numba",
    "PyTorch eager",
    "NumPy by hand",
    "jax.jit",
)
SLOW = ("torch.compile", "PyTensor")  # minutes each
BOTH = {
    (8,): (Target(D, T, 0.30), Target(S, H, 0.85), Target(S, T, 0.14)),
    (): (Target(D, T, 0.30), Target(S, H, 1.0)),
}


def workloads():
    """Both kinds of chain on both shapes, with gradients and without; and a short one."""
    for kind, formula, hand in (("", mixed, mixed_by_hand), (" of + and ·", plain, plain_by_hand)):
        for shape, targets in BOTH.items():
            of = functools.partial(problem, formula, hand)
            where = f"{kind} on {shape}"
            yield (
                f"chain{where}",
                Workload(gradients, functools.partial(of, 1000, shape), targets, SLOW),
            )
            yield (
                f"no_grad chain{where}",
                Workload(values, functools.partial(of, 1000, shape), (Target(D, T, 0.45),), SLOW),
            )
            if shape:
                yield (
                    f"short chain{where}",
                    Workload(gradients, functools.partial(of, 100, shape), (Target(N, J, 0.2),)),
                )
    first = functools.partial(problem, mixed, mixed_by_hand)
    yield (
        "first result of 10,000 ops",
        Workload(
            gradients,
            functools.partial(first, 10_000, (8,)),
            (Target(S, None, 1.2),),
            alone=first_result,
            small=functools.partial(first, 8, (8,)),
        ),
    )
