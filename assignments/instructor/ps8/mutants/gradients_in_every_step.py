"""Loses q4: the graph is built once, its gradients each time."""
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        found = self.fetches[0]
        self.fetches = [found, *self.engine.gradients(found, self.weights)]
        return super().step(x, t)
