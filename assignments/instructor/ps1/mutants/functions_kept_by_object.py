"""Loses q1: exp, log and tanh are kept by lru_cache: exp(x) twice is one Value, and still
has the old number when x.data has moved."""

# %% q1 after the key
import functools

exp, log, tanh = (functools.lru_cache(None)(one) for one in (exp, log, tanh))
