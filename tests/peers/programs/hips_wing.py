"""Air around an obstacle: the shape that lifts most for its drag."""

import autograd.numpy as np
from autograd import value_and_grad

rows, columns, steps = 6, 10, 5


def occluded(flow, shape):
    return flow * (1 - shape)


def without_divergence(vx, vy, shape):
    pressure = np.zeros(vx.shape)
    divergence = -0.5 * (
        np.roll(vx, -1, axis=1) - np.roll(vx, 1, axis=1)
        + np.roll(vy, -1, axis=0) - np.roll(vy, 1, axis=0)
    )  # fmt: skip
    for _ in range(5):
        around = np.roll(pressure, 1, axis=1) + np.roll(pressure, -1, axis=1)
        around += np.roll(pressure, 1, axis=0) + np.roll(pressure, -1, axis=0)
        pressure = (divergence + around) / 4.0
    vx = vx - 0.5 * (np.roll(pressure, -1, axis=1) - np.roll(pressure, 1, axis=1))
    vy = vy - 0.5 * (np.roll(pressure, -1, axis=0) - np.roll(pressure, 1, axis=0))
    return occluded(vx, shape), occluded(vy, shape)


def upwind(field, vx, vy):
    """The field a tenth of a step later; what enters on the left is the wind."""
    before = np.hstack([np.ones((rows, 1)), field[:, :-1]])
    after = np.hstack([field[:, 1:], field[:, -1:]])
    above, below = np.roll(field, 1, axis=0), np.roll(field, -1, axis=0)
    change = np.where(vx > 0, vx * (field - before), vx * (after - field))
    change += np.where(vy > 0, vy * (field - above), vy * (below - field))
    return field - 0.1 * change


def simulate(shape):
    vx, vy = occluded(np.ones((rows, columns)), shape), np.zeros((rows, columns))
    for _ in range(steps):
        vx, vy = without_divergence(upwind(vx, vx, vy), upwind(vy, vx, vy), shape)
    return vx, vy


def lift_for_drag(params):
    """Air that leaves downwards lifts; air that leaves slower drags."""
    inner = 1.0 / (1.0 + np.exp(-np.reshape(params, (rows - 2, columns - 4))))
    sides = np.zeros((rows - 2, 2))
    shape = np.vstack([
        np.zeros((1, columns)),
        np.hstack([sides, inner, sides]),
        np.zeros((1, columns)),
    ])  # fmt: skip
    vx, vy = simulate(shape)
    return np.mean(vy) / (np.mean(1.0 - vx) + 0.1)


slant = np.arange(rows - 2)[:, None] - 0.5 * np.arange(columns - 4)[None, :]
params = np.ravel(1.0 - np.abs(slant))
ratios = []
for _ in range(10):
    ratio, slope = value_and_grad(lift_for_drag)(params)
    params = params + 20.0 * slope
    ratios.append(ratio)

RESULT = {"ratios": ratios[::3], "shape": params[::4], "slope": slope[::4]}
