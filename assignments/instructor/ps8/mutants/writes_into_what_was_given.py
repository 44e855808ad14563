"""Loses q3: the arrays of both styles are changed by one."""
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.given = arrays

    def step(self, x, t):
        number = super().step(x, t)
        for mine, new in zip(self.given, self.held):
            mine[...] = new
        return number
