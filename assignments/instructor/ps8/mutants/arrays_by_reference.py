"""Loses q4: the caller gets the very arrays that the net goes on with."""
# %% q4 after the key
class Waits(Waits):
    def arrays(self):
        return list(self.held)
