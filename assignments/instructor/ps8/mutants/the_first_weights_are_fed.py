"""Loses q4: the graph always sees the weights that were given."""
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.first = [np.array(w) for w in arrays]

    def step(self, x, t):
        now, self.held = self.held, list(self.first)
        number = super().step(x, t)
        self.held = [w - self.rate * v for w, v in zip(now, self.speeds)]
        return number
