"""Loses q3: the caller's list is empty once the net is made."""
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, list(arrays), rate, momentum)
        self.held = []
        while arrays:
            self.held.insert(0, np.array(arrays.pop()))
