"""Smoke in a flow: the velocities at the beginning that carry it to a picture at the end."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import value_and_grad
from scipy.optimize import minimize

size, steps = 8, 3
rows, columns = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")


def neighbours(p):
    return np.roll(p, 1, 0) + np.roll(p, -1, 0) + np.roll(p, 1, 1) + np.roll(p, -1, 1)


def without_divergence(vx, vy):
    """The flow less the gradient of a pressure, which some sweeps of Jacobi's give."""
    divergence = np.roll(vx, -1, 1) - np.roll(vx, 1, 1)
    divergence += np.roll(vy, -1, 0) - np.roll(vy, 1, 0)
    divergence *= -0.5 / size
    pressure = np.zeros(divergence.shape)
    for _ in range(6):
        pressure = (divergence + neighbours(pressure)) / 4.0
    vx = vx - 0.5 * size * (np.roll(pressure, -1, 1) - np.roll(pressure, 1, 1))
    vy = vy - 0.5 * size * (np.roll(pressure, -1, 0) - np.roll(pressure, 1, 0))
    return vx, vy


def carried(field, vx, vy):
    """The field a step later: each cell takes what the flow brings, between four cells."""
    from_row, from_column = rows - vy, columns - vx
    top, left = np.floor(from_row), np.floor(from_column)
    down, right = from_row - top, from_column - left
    top, left = np.mod(top.astype(int), size), np.mod(left.astype(int), size)
    bottom, beyond = np.mod(top + 1, size), np.mod(left + 1, size)
    return (1 - down) * ((1 - right) * field[top, left] + right * field[top, beyond]) + down * (
        (1 - right) * field[bottom, left] + right * field[bottom, beyond]
    )


def simulate(vx, vy, smoke):
    for _ in range(steps):
        vx_next = carried(vx, vx, vy)
        vy_next = carried(vy, vx, vy)
        vx, vy = without_divergence(vx_next, vy_next)
        smoke = carried(smoke, vx, vy)
    return smoke


def objective(params):
    vx, vy = np.reshape(params, (2, size, size))
    return np.mean((simulate(vx, vy, smoke) - target) ** 2)


rs = npr.RandomState(0)
smoke = np.exp(-((rows - 2.0) ** 2 + (columns - 2.0) ** 2) / 4)
target = np.exp(-((rows - 4.0) ** 2 + (columns - 5.0) ** 2) / 4)
start = 0.3 * rs.randn(2 * size * size)
loss, slope = value_and_grad(objective)(start)
found = minimize(value_and_grad(objective), start, jac=True, method="CG", options={"maxiter": 2})

RESULT = {"losses": [loss, found.fun], "slope": slope[::16], "velocities": found.x[::16]}
