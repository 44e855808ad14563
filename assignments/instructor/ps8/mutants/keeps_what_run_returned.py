"""Loses q4: the first speed is the engine's own array."""
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        if any(v.any() for v in self.speeds):
            slopes = [self.momentum * v + g for v, g in zip(self.speeds, slopes)]
        self.speeds = slopes
        self.held = [w - self.rate * v for w, v in zip(self.held, slopes)]
        return float(before)
