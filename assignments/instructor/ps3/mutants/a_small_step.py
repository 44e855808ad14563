"""Loses q3: f moved by a small step: two calls, and half of the digits."""
# %% q3 after the key
def along(f, x, v):
    ahead, back = (f(Dual(x + step * v, v)) for step in (1e-6, -1e-6))
    if not isinstance(ahead, Dual):
        return ahead, 0.0 * ahead
    return (ahead.value + back.value) / 2, (ahead.value - back.value) / 2e-6
