"""A recurrent net that learns to continue a text; its parameters are a dict."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import value_and_grad
from autograd.scipy.special import logsumexp


def affine(weights, *args):
    joined = np.hstack((*args, np.ones((args[0].shape[0], 1))))
    return np.dot(joined, weights)


def step(params, letters, hiddens):
    return np.tanh(affine(params["change"], letters, hiddens))


def log_probabilities(params, hiddens):
    scores = affine(params["predict"], hiddens)
    return scores - logsumexp(scores, axis=1, keepdims=True)


def outputs_of(params, texts):
    hiddens = np.repeat(params["first"], texts.shape[1], axis=0)
    outputs = [log_probabilities(params, hiddens)]
    for letters in texts:
        hiddens = step(params, letters, hiddens)
        outputs.append(log_probabilities(params, hiddens))
    return outputs


def log_likelihood(params, texts):
    outputs = outputs_of(params, texts)
    total = 0.0
    for t in range(len(texts)):
        total += np.sum(texts[t] * outputs[t])
    return total / (texts.shape[0] * texts.shape[1])


text = "to be or not to be that is the question "
alphabet = sorted(set(text))
codes = np.array([alphabet.index(letter) for letter in text])
one_hot = np.eye(len(alphabet))[codes]  # letter by letter
texts = np.stack([one_hot[start : start + 10] for start in range(0, 30, 5)], axis=1)

rs, letters, hidden = npr.RandomState(0), len(alphabet), 8
params = {
    "first": 0.1 * rs.randn(1, hidden),
    "change": 0.3 * rs.randn(letters + hidden + 1, hidden),
    "predict": 0.3 * rs.randn(hidden + 1, letters),
}
losses = []
both = value_and_grad(lambda params: -log_likelihood(params, texts))
for _ in range(25):
    loss, g = both(params)
    params = {name: params[name] - 0.5 * g[name] for name in params}
    losses.append(loss)

RESULT = {
    "losses": losses[::6],
    "first": params["first"],
    "sums": [np.sum(params[name] ** 2) for name in ("change", "predict")],
}
