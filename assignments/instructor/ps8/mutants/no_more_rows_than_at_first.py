"""Loses q4: later batches are cut to the length of the first."""
# %% q4 after the key
class Waits(Waits):
    rows = None

    def step(self, x, t):
        self.rows = self.rows or len(x)
        return super().step(x[: self.rows], t[: self.rows])
