"""Loses q7: `.grad` is zeros before any way back."""
# %% q7 after the key
class Now(Now):
    def __init__(self, op, inputs=(), value=None):
        super().__init__(op, inputs, value)
        self.grad = np.zeros(np.shape(self.value))
