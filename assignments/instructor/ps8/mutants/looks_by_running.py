"""Loses q4: arrays() asks the graph for what it feeds."""
# %% q4 after the key
class Waits(Waits):
    def arrays(self):
        found = self.engine.run(self.weights, dict(zip(self.weights, self.held)))
        return [np.array(w) for w in found]
