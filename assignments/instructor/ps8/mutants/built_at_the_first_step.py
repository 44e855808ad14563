"""Loses q4: nothing is built before the first batch."""
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.speeds, self.fetches = [np.zeros(w.shape) for w in arrays], None

    def step(self, x, t):
        if self.fetches is None:
            super().__init__(self.engine, self.loss_of, self.held, self.rate, self.momentum)
        return super().step(x, t)
