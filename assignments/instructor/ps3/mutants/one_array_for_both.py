"""Loses q1: value and tangent lie in one array, which makes a float of a large whole value when its
speed is one: 2**60 + 1 loses its last digits."""
# %% q1 after the key
class Dual(Dual):
    def __init__(self, value, tangent):
        self.both = np.array([value, tangent])

    value = property(lambda self: self.both[0])
    tangent = property(lambda self: self.both[1])
