"""Loses q1: defines __iadd__, which changes the operand: after y = x; x += 1.0 the Value y holds
the new number, too, and x is no new Value with inputs. Operands stay as they are."""

# %% q1 after the key
def added_in_place(x, other):
    x.data += other.data if isinstance(other, Value) else other
    return x


Value.__iadd__ = added_in_place
