"""Loses q3: f moved by a small step: two calls, and half of the digits."""
# %% q3
def along(f, x, v):
    step = 1e-6
    ahead, back = f(Dual(x + step * v, v)), f(Dual(x - step * v, v))
    if not isinstance(ahead, Dual):
        return ahead, 0.0 * ahead
    return (ahead.value + back.value) / 2, (ahead.value - back.value) / (2 * step)


def jacobian(f, x):
    return np.array([along(f, x, seed)[1] for seed in np.eye(len(x))]).T
