"""Wrong answers to q1 of ps3."""


# %% adds_in_place | loses q1: + writes its result into the first operand's arrays. | says: writes
# into one of its operands
# %% q1 after the key
def plus(x, y):
    y = dual(y)
    value, tangent = x.value + y.value, x.tangent + y.tangent
    if np.shape(x.value) and np.shape(value) == np.shape(x.value):
        x.value[...], x.tangent[...] = value, tangent
        return Dual(value.copy(), tangent.copy())
    return Dual(value, tangent)


Dual.__add__ = plus


# %% array_written_into | loses q1: array * x writes the product into the plain array. | says:
# writes into the plain array
# %% q1 after the key
def left_factor(self, other):
    if not isinstance(other, np.ndarray) or other.shape != np.shape(self.value):
        return self * other
    tangent = other * self.tangent
    other *= self.value
    return Dual(other.copy(), tangent)


Dual.__rmul__ = left_factor


# %% difference_keeps_the_sign | loses q1: the tangent of 1 - x is that of x. | says: wrong sign
# %% q1 after the key
Dual.__rsub__ = lambda x, c: Dual(c - x.value, x.tangent + np.zeros(np.shape(c)))


# %% divides_the_tangents | loses q1: the tangent of x / y is the quotient of both tangents. |
# says: applies the operation to the tangents
# %% q1 after the key
def divided(x, y):
    if isinstance(y, Dual):
        return Dual(x.value / y.value, x.tangent / y.tangent)
    return by_rule(x, y)


by_rule = Dual.__truediv__
Dual.__truediv__ = divided


# %% division_sign | loses q1: the contribution of the divisor is added. | says: contributes with
# the wrong sign
# %% q1 after the key
def quotient(x, y):
    y = dual(y)
    both = x.tangent * y.value + x.value * y.tangent
    return Dual(x.value / y.value, both / y.value**2)


Dual.__truediv__ = quotient


# %% grows_in_place | loses q1: `z = x; z *= y` changes x itself, since *= and += write into the
# operand. | says: They must make a new Dual
# %% q1 after the key
def in_place(operation):
    def method(self, other):
        new = operation(self, other)
        self.value, self.tangent = new.value, new.tangent
        return self

    return method


Dual.__iadd__, Dual.__imul__ = in_place(Dual.__add__), in_place(Dual.__mul__)


# %% minus_in_place | loses q1: -x changes the sign of x itself. | says: writes into one of its
# operands
# %% q1 after the key
def negated(x):
    x.value, x.tangent = -x.value, -x.tangent
    return Dual(x.value, x.tangent)


Dual.__neg__ = negated


# %% minus_keeps_its_speed | loses q1: -x changes the sign of the value, and not that of the
# tangent. | says: keeps the sign of that of x
# %% q1 after the key
Dual.__neg__ = lambda x: Dual(-x.value, x.tangent)


# %% more_axes_win | loses q1: the tangent of a sum has the shape of the operand with more axes,
# or more entries; but (2, 1) and (1, 3) give (2, 3). | says: does not have the shape of the value
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


# %% moves_on_the_left | loses q1: a plain number on the left gets the tangent 1. | says: gives a
# constant the tangent 1
# %% q1 after the key
Dual.__rmul__ = lambda x, number: Dual(number, 1.0) * x
Dual.__rsub__ = lambda x, number: Dual(number, 1.0) - x
Dual.__rtruediv__ = lambda x, number: Dual(number, 1.0) / x


# %% no_division_from_the_left | loses q1: there is no __rtruediv__, so 2 / x raises TypeError. |
# says: plain operand on the left
# %% q1 after the key
del Dual.__rtruediv__


# %% numpy_takes_the_left_array | loses q1: array * x is left to NumPy, which makes an array of
# Duals. | says: not a Dual
# %% q1 after the key
del Dual.__array_ufunc__


# %% one_zero_for_an_array | loses q1: the tangent of a constant array is one 0, without the shape
# of the array. | says: does not have the shape of the value
# %% q1 after the key
def dual(x):
    return x if isinstance(x, Dual) else Dual(x, 0.0)


# %% only_floats_are_constants | loses q1: a whole number beside a Dual is refused. | says: plain
# operand
# %% q1 after the key
def dual(x):
    if isinstance(x, int):
        raise TypeError("make a float of it first")
    return x if isinstance(x, Dual) else Dual(x, np.zeros(np.shape(x)))


# %% operand_is_stretched | loses q1: a number that meets an array gets its shape in the operand
# itself. | says: rule 3
# %% q1 after the key
def fitted(operation):
    def method(self, other):
        result = operation(self, other)
        if np.shape(self.value) != np.shape(result.value):
            ones = np.ones(np.shape(result.value))
            self.value, self.tangent = self.value * ones, self.tangent * ones
        return result

    return method


for name in ("add", "sub", "mul", "truediv"):
    setattr(Dual, f"__{name}__", fitted(getattr(Dual, f"__{name}__")))


# %% plain_keeps_tangent | loses q1: x + c keeps the tangent, whatever the shape of c. | says:
# does not have the shape of the value
# %% q1 after the key
def plus(self, other):
    if isinstance(other, Dual):
        return Dual(self.value + other.value, self.tangent + other.tangent)
    return Dual(self.value + other, self.tangent)


Dual.__add__ = Dual.__radd__ = plus


# %% power_as_exponential | loses q1: exponential rule for a power. | says: derivative of x ** n
# is n times
# %% q1 after the key
Dual.__pow__ = lambda x, n: Dual(x.value**n, x.value**n * np.log(np.abs(x.value)) * x.tangent)


# %% power_keeps_its_degree | loses q1: the derivative of x ** n as n · x ** n. | says: derivative
# of x ** n is n times
# %% q1 after the key
Dual.__pow__ = lambda x, n: Dual(x.value**n, n * x.value**n * x.tangent)


# %% power_without_tangent | loses q1: the derivative of x ** n, without the tangent of x. | says:
# without the tangent of x
# %% q1 after the key
Dual.__pow__ = lambda x, n: Dual(x.value**n, n * x.value ** (n - 1))


# %% quotient_of_a_constant_divisor | loses q1: the divisor counts as a constant. | says: leaves
# out the tangent of the second operand
# %% q1 after the key
def over(x, y):
    below = y.value if isinstance(y, Dual) else y
    return Dual(x.value / below, x.tangent / below)


Dual.__truediv__ = over


# %% reversed_minus | loses q1: 1 - x is computed as x - 1. | says: instead of c - x
# %% q1 after the key
Dual.__rsub__ = Dual.__sub__


# %% reversed_quotient | loses q1: 2 / x is computed as x / 2. | says: instead of c / x
# %% q1 after the key
Dual.__rtruediv__ = Dual.__truediv__


# %% square_forgotten | loses q1: quotient rule over y, not y squared. | says: needs y squared
# %% q1 after the key
def over(x, y):
    y = dual(y)
    return Dual(x.value / y.value, (x.tangent * y.value - x.value * y.tangent) / y.value)


Dual.__truediv__ = over
