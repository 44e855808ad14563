"""Loses q3: what is new counts 1 - momentum."""
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate * (1 - momentum), momentum)
