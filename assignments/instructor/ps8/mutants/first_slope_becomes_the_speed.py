"""Loses q3: the first slopes are kept as v, uncopied: the next way back may write into them."""
# %% q3
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held, self.speeds = [np.array(w) for w in arrays], None

    def step(self, x, t):
        tensor = self.engine.tensor
        weights = [tensor(w) for w in self.held]
        y = self.loss_of(list(weights), tensor(x), tensor(t))
        y.backward()
        slopes = [np.zeros(np.shape(w.value)) if w.grad is None else w.grad for w in weights]
        if self.speeds is None:
            self.speeds = slopes
        else:
            self.speeds = [self.momentum * v + g for v, g in zip(self.speeds, slopes)]
        self.held = [w - self.rate * v for w, v in zip(self.held, self.speeds)]
        return float(y.value)

    def arrays(self):
        return [np.array(w) for w in self.held]
