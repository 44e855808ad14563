"""Loses q1: the tangent of a sum has the shape of the operand with more axes, or more entries; but
(2, 1) and (1, 3) stretch each other to (2, 3)."""
# %% q1 after the key
def in_one_shape(operation):
    def method(self, other):
        value, tangent = operation(self, other).value, self.tangent
        if isinstance(other, Dual):
            return operation(self, other)
        wider = max(self.value, other, key=lambda part: (np.ndim(part), np.size(part)))
        return Dual(value, tangent + np.zeros(np.shape(wider)))

    return method


Dual.__add__, Dual.__sub__ = in_one_shape(Dual.__add__), in_one_shape(Dual.__sub__)
Dual.__radd__ = Dual.__add__
