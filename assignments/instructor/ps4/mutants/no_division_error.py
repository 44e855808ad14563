"""Loses q5: f gives nan where run raises an error, as for a division by 0."""
# %% q5 after the key
def compiled(fetches, inputs, compiled=compiled):
    f = compiled(fetches, inputs)

    def g(*numbers):
        try:
            return f(*numbers)
        except (ArithmeticError, ValueError):
            return [math.nan for _ in fetches]

    return g
