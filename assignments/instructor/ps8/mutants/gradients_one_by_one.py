"""Loses q4: the way back is built once for each weight."""
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        found = self.fetches[0]
        self.fetches = [found, *[engine.gradients(found, [w])[0] for w in self.weights]]
