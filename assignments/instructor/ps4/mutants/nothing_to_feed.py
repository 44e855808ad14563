"""Loses q5: without inputs there is nothing to wait for: a list comes, not a function."""
# %% q5 after the key
def compiled(fetches, inputs, compiled=compiled):
    f = compiled(fetches, inputs)
    return f if inputs else f()
