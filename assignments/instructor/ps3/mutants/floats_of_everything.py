"""Loses q1: both parts become floats by np.asarray(…, float): 2**60 + 1 loses its last digits."""
# %% q1 after the key
def as_floats(self, value, tangent):
    self.value, self.tangent = np.asarray(value, float)[()], np.asarray(tangent, float)[()]


Dual.__init__ = as_floats
