"""Loses q3: the caller gets the very arrays that the net goes on with."""
# %% q3 after the key
class AtOnce(AtOnce):
    def arrays(self):
        return list(self.held)
