"""A hidden Markov model by EM, whose expectations are the gradient of a log partition function."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import value_and_grad as vgrad
from autograd.scipy.special import logsumexp


def normalized(table):
    return table - logsumexp(table, axis=1, keepdims=True)


def log_partition(natural_params, observations):
    """Σ over all paths of exp(path's score), its logarithm, by the forward recursion."""
    log_first, log_change, log_emit = natural_params
    alpha = log_first
    for letter in observations:
        alpha = logsumexp(alpha[:, None] + log_change, axis=0) + log_emit[:, letter]
    return logsumexp(alpha)


def expectation_step(params, texts):
    total, counts = 0.0, None
    for text in texts:
        value, found = vgrad(log_partition)(params, text)
        total += value
        counts = found if counts is None else [a + b for a, b in zip(counts, found)]
    return total, counts


def maximization_step(counts):
    first, change, emit = (np.log(count + 1e-8) for count in counts)
    return first - logsumexp(first), normalized(change), normalized(emit)


rs = npr.RandomState(0)
texts = []
for _ in range(4):
    state, text = rs.randint(2), []
    for _ in range(12):
        state = state if rs.rand() < 0.8 else 1 - state
        text.append(rs.randint(2) if state else 2 + rs.randint(2))
    texts.append(np.array(text))
params = (
    np.log(np.ones(2) / 2),
    normalized(rs.randn(2, 2)),
    normalized(rs.randn(2, 4)),
)
likelihoods = []
for _ in range(10):
    value, counts = expectation_step(params, texts)
    likelihoods.append(value)
    params = maximization_step(counts)

RESULT = {
    "likelihoods": likelihoods[::3],
    "change": np.exp(params[1]),
    "emit": np.exp(params[2]),
}
