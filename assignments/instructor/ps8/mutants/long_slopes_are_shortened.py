"""Loses q4: all slopes together are no longer than 5."""
# %% q4
class Waits:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.rate, self.momentum = engine, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.speeds = [np.zeros(w.shape) for w in arrays]
        self.weights = [engine.placeholder("w") for w in arrays]
        self.batch = engine.placeholder("x"), engine.placeholder("t")
        found = loss_of(self.weights, *self.batch)
        self.fetches = [found, *engine.gradients(found, self.weights)]

    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        length = np.sqrt(sum(np.sum(slope**2) for slope in slopes))
        share = min(1.0, 10.0 / length) if length else 1.0
        for at, slope in enumerate(slopes):
            self.speeds[at] = self.momentum * self.speeds[at] + share * slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(before)

    def arrays(self):
        return [np.array(w) for w in self.held]
