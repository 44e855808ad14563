"""Loses q5: what two fetches need is computed for each of them."""
# %% q5 after the key
of_one = compiled


def compiled(fetches, inputs):
    parts = [of_one([node], inputs) for node in fetches]
    return lambda *numbers: [f(*numbers)[0] for f in parts]
