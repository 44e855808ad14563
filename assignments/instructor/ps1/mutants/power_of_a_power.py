"""Loses q1: (x ** 2) ** 0.5 is made x ** 1.0: for x = -2 that is -2, and its input is x."""

# %% q1 after the key
power = Value.__pow__


def power_of_power(self, n):
    if self.op == "pow":
        return power(self.inputs[0], self.exponent * n)
    return power(self, n)


Value.__pow__ = power_of_power
