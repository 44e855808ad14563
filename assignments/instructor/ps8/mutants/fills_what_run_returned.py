"""Loses q4: what run returned is written into, as if it were one's own."""
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        for at, slope in enumerate(slopes):
            slope += self.momentum * self.speeds[at]
            self.speeds[at] = np.array(slope)
            self.held[at] = self.held[at] - self.rate * slope
        return float(before)
