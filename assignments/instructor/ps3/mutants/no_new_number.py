"""Loses q1: x + 0, x - 0, x * 1, x / 1 and x ** 1 are x itself, not a new Dual."""
# %% q1 after the key
def short_cut(operation, still):
    def method(self, other):
        same = not isinstance(other, Dual) and np.ndim(other) == 0 and other == still
        return self if same else operation(self, other)

    return method


STILL = {"add": 0, "radd": 0, "sub": 0, "mul": 1, "rmul": 1, "truediv": 1, "pow": 1}
for name, still in STILL.items():
    setattr(Dual, f"__{name}__", short_cut(getattr(Dual, f"__{name}__"), still))
