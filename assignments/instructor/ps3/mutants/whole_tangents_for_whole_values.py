"""Loses q1: the tangent of a sum is laid out by np.full_like(value, …), which cuts it to whole
numbers where the value is whole: Dual(3, 0.5) + np.array([1, 2]) stands still."""
# %% q1 after the key
def laid_out(operation):
    def method(self, other):
        new = operation(self, other)
        return Dual(new.value, np.full_like(new.value, new.tangent))

    return method


for name in ("add", "sub", "radd", "rsub"):
    setattr(Dual, f"__{name}__", laid_out(getattr(Dual, f"__{name}__")))
