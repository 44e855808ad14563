"""A mixture of Gaussians by maximum likelihood: SciPy's Newton steps with products by Hessians."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad, hessian_vector_product, value_and_grad
from autograd.scipy.special import logsumexp
from scipy.optimize import minimize

D, components = 2, 3


def unpack(params):
    logits = params[:components]
    means, log_stds = np.reshape(params[components:], (2, components, D))
    return logits - logsumexp(logits), means, log_stds


def log_likelihood(params, data):
    log_weights, means, log_stds = unpack(params)
    z = (data[:, None, :] - means) * np.exp(-log_stds)
    log_densities = -0.5 * np.sum(z**2, axis=2) - np.sum(log_stds, axis=1) - np.log(2 * np.pi)
    return np.sum(logsumexp(log_weights + log_densities, axis=1))


rs = npr.RandomState(0)
centres = np.array([[0.0, 2.0], [-2.0, -1.0], [2.0, -1.0]])
data = np.concatenate([centre + 0.6 * rs.randn(15, D) for centre in centres])


def objective(params):
    return -log_likelihood(params, data) / len(data) + 0.001 * np.sum(params**2)


start = np.concatenate([np.zeros(components), 0.5 * centres.ravel(), np.zeros(components * D)])
found = minimize(
    value_and_grad(objective),
    start,
    jac=True,
    hessp=hessian_vector_product(objective),
    method="trust-ncg",
    options={"gtol": 1e-10},
)

RESULT = {
    "loss": [objective(start), found.fun],
    "first gradient": grad(objective)(start)[::4],
    "params": found.x,
}
