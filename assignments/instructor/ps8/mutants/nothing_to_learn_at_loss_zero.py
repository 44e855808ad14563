"""Loses q4: a loss of 0 ends the step early, though v still moves the weights."""
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        if before == 0:
            return 0.0
        self.speeds = [self.momentum * v + g for v, g in zip(self.speeds, slopes)]
        self.held = [w - self.rate * v for w, v in zip(self.held, self.speeds)]
        return float(before)
