"""The noise of a tracker, learnt through its Kalman filter."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import value_and_grad

dynamics = np.array([[1.0, 1.0], [0.0, 1.0]])  # a place and its velocity
seen = np.array([1.0, 0.0])  # of which the place is measured


def log_likelihood(params, measured):
    driven, noise = np.exp(params)
    mean, covariance = np.zeros(2), 4.0 * np.eye(2)
    total = 0.0
    for y in measured:
        residual = y - np.dot(seen, mean)
        spread = np.dot(seen, np.dot(covariance, seen)) + noise
        gain = np.dot(covariance, seen) / spread
        total += -0.5 * (np.log(2 * np.pi * spread) + residual**2 / spread)
        mean = np.dot(dynamics, mean + gain * residual)
        covariance = covariance - spread * np.outer(gain, gain)
        covariance = np.dot(dynamics, np.dot(covariance, dynamics.T))
        covariance += driven * np.diag(np.array([0.25, 1.0]))
    return total / len(measured)


rs = npr.RandomState(0)
velocity = np.cumsum(0.3 * rs.randn(15))
measured = np.cumsum(velocity) + 0.8 * rs.randn(15)
params = np.zeros(2)
values = []
for _ in range(15):
    value, slope = value_and_grad(log_likelihood)(params, measured)
    params = params + 0.8 * slope
    values.append(value)

RESULT = {"values": values[::7], "variances": np.exp(params), "slope": slope}
