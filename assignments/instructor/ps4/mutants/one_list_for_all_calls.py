"""Loses q5: every call returns the same list, with new numbers in it."""
# %% q5 after the key
of_one = compiled


def compiled(fetches, inputs):
    f, found = of_one(fetches, inputs), []

    def g(*numbers):
        found[:] = f(*numbers)
        return found
    return g
