"""Loses q4: one run for the loss, one for the slopes."""
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        number = float(self.engine.run(self.fetches[:1], feeds)[0])
        super().step(x, t)
        return number
