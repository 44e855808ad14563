"""Loses q4: .T, which turns all axes of a stack round."""
# %% q4
def vjp_matmul(x, y, g):
    return g @ y.T, x.T @ g
