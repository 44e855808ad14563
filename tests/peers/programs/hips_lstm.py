"""A net with gates and a memory (LSTM) that learns whether a row had more ones than zeros."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad

GATES = ("change", "forget", "ingate", "outgate")


def sigmoid(x):
    return 0.5 * (np.tanh(x / 2.0) + 1.0)


def affine(weights, *args):
    return np.dot(np.hstack((*args, np.ones((len(args[0]), 1)))), weights)


def update(params, x, hiddens, cells):
    change = np.tanh(affine(params["change"], x, hiddens))
    forget = sigmoid(affine(params["forget"], x, hiddens))
    ingate = sigmoid(affine(params["ingate"], x, hiddens))
    outgate = sigmoid(affine(params["outgate"], x, hiddens))
    cells *= forget
    cells += ingate * change
    return outgate * np.tanh(cells), cells


def loss(params, rows, targets):
    hiddens = np.repeat(params["hiddens"], rows.shape[1], axis=0)
    cells = np.repeat(params["cells"], rows.shape[1], axis=0)
    for x in rows:
        hiddens, cells = update(params, x, hiddens, cells)
    scores = affine(params["predict"], hiddens)[:, 0]
    total = 0.0
    total += np.mean(np.logaddexp(0, -scores * targets))
    for name in GATES:
        total += 1e-4 * np.sum(params[name] ** 2)
    return total


rs, hidden = npr.RandomState(0), 5
rows = rs.randint(0, 2, (7, 16, 1)).astype(float)  # step, row, 1
targets = np.where(rows[:, :, 0].sum(axis=0) > 3.5, 1.0, -1.0)
params = {
    "hiddens": 0.1 * rs.randn(1, hidden),
    "cells": 0.1 * rs.randn(1, hidden),
    "predict": 0.5 * rs.randn(hidden + 1, 1),
    **{name: 0.5 * rs.randn(1 + hidden + 1, hidden) for name in GATES},
}
losses = []
for _ in range(20):
    losses.append(loss(params, rows, targets))
    g = grad(loss)(params, rows, targets)
    params = {name: params[name] - 1.0 * g[name] for name in params}

RESULT = {
    "losses": losses[::4],
    "predict": params["predict"],
    "cells": params["cells"],
    "sums": [np.sum(params[name]) for name in GATES],
}
