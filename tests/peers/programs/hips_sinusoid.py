"""sin by its Taylor series: a loop whose length depends on the numbers, differentiated twice."""

import autograd.numpy as np
from autograd import grad


def taylor_sine(x):
    term = total = x
    k = 1
    while np.abs(term) > 1e-12:
        term = -term * x * x / ((k + 1) * (k + 2))
        total = total + term
        k += 2
    return total


slope = grad(taylor_sine)
curvature = grad(slope)
points = np.array([-3.0, -2.0, -0.5, 0.1, 1.0, 2.5])

RESULT = {
    "sine": [taylor_sine(x) for x in points],
    "slope": [slope(x) for x in points],
    "curvature": [curvature(x) for x in points],
}
