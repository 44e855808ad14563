"""Loses q1: shapes are fitted by `tangent + 0 * value`: x + inf, or a product beyond 1e308, has
the tangent nan."""
# %% q1 after the key
def fitted(operation):
    def method(self, other):
        new = operation(self, other)
        return Dual(new.value, new.tangent + 0 * new.value)

    return method


for name in ("add", "sub", "mul", "truediv", "radd", "rsub", "rmul", "rtruediv"):
    setattr(Dual, f"__{name}__", fitted(getattr(Dual, f"__{name}__")))
