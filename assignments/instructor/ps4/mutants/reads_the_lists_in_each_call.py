"""Loses q5: the two lists are read again in each call, when the caller has changed them."""
# %% q5 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)

    def g(*numbers):
        return f(*numbers)[:len(fetches)]
    return g
