"""Loses q4: the loss, then one slope after another."""
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.engine = self

    def run(self, fetches, feeds):
        return [np.array(self.real.run([fetch], feeds)[0]) for fetch in fetches]

    @property
    def engine(self):
        return self

    @engine.setter
    def engine(self, engine):
        self.real = getattr(self, "real", engine)
