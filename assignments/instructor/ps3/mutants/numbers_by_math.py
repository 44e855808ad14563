"""Loses q2: plain numbers go through math, which raises OverflowError for exp(1000) and ValueError
for log(0), where NumPy has inf."""
# %% q2 after the key
import math


def exp(x):
    power = np.exp(x.value) if np.ndim(x.value) else math.exp(x.value)
    return Dual(power, power * x.tangent)
