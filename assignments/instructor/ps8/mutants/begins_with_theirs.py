"""Loses q3: the net begins with the very arrays that it was given, which their owner may fill."""
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.held = list(arrays)
