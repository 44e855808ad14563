"""Loses q2: tanh by powers of e, whose slope is lost far from 0."""
# %% q2 after the key
def tanh(x):
    up, down = exp(x), exp(Dual(-x.value, -x.tangent))
    above, below = up.value - down.value, up.value + down.value
    slope = ((up.tangent - down.tangent) * below - above * (up.tangent + down.tangent)) / below**2
    return Dual(above / below, slope)
