"""Loses q4: the product rule takes the other factor's bare number, which no longer moves."""
# %% q4 after the key
def product(x, y):
    owner = max(owner_of(x), owner_of(y))
    (a, a_dot), (b, b_dot) = parts(x, owner), parts(y, owner)
    return Moving(a * b, a_dot * bare(b) + bare(a) * b_dot, owner)


def bare(number):
    return bare(number.value) if isinstance(number, Moving) else number


Moving.__mul__ = Moving.__rmul__ = product
