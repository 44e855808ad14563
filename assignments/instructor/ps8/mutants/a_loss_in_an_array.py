"""Loses q4: the loss comes back as run returned it, copied: an array without axes."""
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
        for at, slope in enumerate(slopes):
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return before.copy()

    def arrays(self):
        return [np.array(w) for w in self.held]
