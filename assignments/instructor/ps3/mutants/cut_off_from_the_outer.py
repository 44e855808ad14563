"""Loses q4: an inner result is a bare number: the outer derivative finds nothing that moves."""
# %% q4 after the key
def cut_off(derivative):
    return lambda f, x: bare(derivative(f, x))


def bare(number):
    return bare(number.value) if isinstance(number, Moving) else number


derivative = cut_off(derivative)
