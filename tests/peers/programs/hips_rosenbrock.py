"""The banana-shaped valley, by SciPy's minimisers with gradients and Hessian-vector products."""

import autograd.numpy as np
from autograd import grad, hessian_vector_product, value_and_grad
from scipy.optimize import minimize


def valley(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


start = np.array([-1.2, 1.0, 0.8])
by_gradient = minimize(valley, start, method="BFGS", jac=grad(valley), options={"gtol": 1e-9})
by_both = minimize(value_and_grad(valley), start, method="L-BFGS-B", jac=True, tol=1e-14)
by_product = minimize(
    valley,
    start,
    method="Newton-CG",
    jac=grad(valley),
    hessp=hessian_vector_product(valley),
    options={"xtol": 1e-10},
)

RESULT = {
    "first gradient": grad(valley)(start),
    "BFGS": np.round(by_gradient.x, 6),
    "L-BFGS-B": np.round(by_both.x, 4),
    "Newton-CG": np.round(by_product.x, 6),
}
