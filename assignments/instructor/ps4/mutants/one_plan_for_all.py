"""Loses q5: the function is kept by fetches and inputs: a constant that was changed before the next
compiled does not show."""
# %% q5 after the key
PLANS = {}


def compiled(fetches, inputs, compiled=compiled):
    key = tuple(fetches), tuple(inputs)
    if key not in PLANS:
        PLANS[key] = compiled(fetches, inputs)
    return PLANS[key]
