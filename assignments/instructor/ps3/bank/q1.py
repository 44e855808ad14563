"""Wrong answers to q1 of ps3."""


# %% a_mask_for_the_value_alone | loses q1: x * mask, an array of bools, picks entries of the value;
# all of them go on moving.
# %% q1 after the key
def picked(self, other):
    if getattr(other, "dtype", None) == bool:
        return Dual(np.where(other, self.value, 0.0), self.tangent)
    return multiplied(self, other)


multiplied = Dual.__mul__
Dual.__mul__ = Dual.__rmul__ = picked


# %% adds_in_place | loses q1: + writes its result into the first operand's arrays.
# %% q1 after the key
def plus(x, y):
    y = dual(y)
    value, tangent = x.value + y.value, x.tangent + y.tangent
    if np.shape(x.value) and np.shape(value) == np.shape(x.value) and len(x.value) < 4:
        x.value[...], x.tangent[...] = value, tangent
    return Dual(value, tangent)


Dual.__add__ = plus


# %% division_sign | loses q1: the speed of the divisor is added, not taken away.
# %% q1 after the key
def quotient(x, y):
    y = dual(y)
    speeds = x.tangent * y.value + x.value * y.tangent
    return Dual(x.value / y.value, speeds / y.value**2)


Dual.__truediv__ = quotient


# %% float_powers_by_logarithm | loses q1: only an int n is whole, all else goes by the logarithm:
# (-2) ** 3.0 is nan.
# %% q1 after the key
def power(self, n):
    if isinstance(n, int) or not n:
        return by_rule(self, n)
    value, slope = (np.exp(m * np.log(self.value)) for m in (n, n - 1))
    return Dual(value, n * slope * self.tangent)


by_rule, Dual.__pow__ = Dual.__pow__, power


# %% floats_of_everything | loses q1: both parts become floats by np.asarray(…, float): 2**60 + 1
# loses its last digits.
# %% q1 after the key
def as_floats(self, value, tangent):
    self.value, self.tangent = np.asarray(value, float)[()], np.asarray(tangent, float)[()]


Dual.__init__ = as_floats


# %% grows_by_arrays | loses q1: `z = x; z *= array` writes into x's own arrays.
# %% q1 after the key
def grown(operation):
    def method(self, other):
        new = operation(self, other)
        if not isinstance(other, np.ndarray) or np.shape(new.value) != np.shape(self.value):
            return new
        self.value[...], self.tangent[...] = new.value, new.tangent
        return self

    return method


Dual.__imul__, Dual.__iadd__ = grown(Dual.__mul__), grown(Dual.__add__)


# %% grows_in_place | loses q1: `z = x; z *= x` changes x itself, since *= and += write into the
# operand.
# %% q1 after the key
def in_place(operation):
    def method(self, other):
        new = operation(self, other)
        self.value, self.tangent = new.value, new.tangent
        return self

    return method


Dual.__iadd__, Dual.__imul__ = in_place(Dual.__add__), in_place(Dual.__mul__)


# %% int_float_or_array | loses q1: only int, float and ndarray count as plain; NumPy's own whole
# numbers do not: Dual(2.0, 1.0) * np.int64(3), or with an entry of np.arange(3), raises
# AttributeError instead of giving (6, 3).
class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        other = still(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = still(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __mul__(self, other):
        other = still(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    def __truediv__(self, other):
        other = still(other)
        z = self.value / other.value
        return Dual(z, (self.tangent - z * other.tangent) / other.value)

    def __radd__(self, other):
        return still(other) + self

    def __rsub__(self, other):
        return still(other) - self

    def __rmul__(self, other):
        return still(other) * self

    def __rtruediv__(self, other):
        return still(other) / self

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __pow__(self, n):
        slope = n * self.value ** (n - 1) if n else 0.0
        return Dual(self.value**n, slope * self.tangent)


def still(x):
    """x as a Dual: a plain number or array does not move."""
    if isinstance(x, (int, float, np.ndarray)):
        return Dual(x, np.zeros(np.shape(x)))
    return x


# %% minus_in_place | loses q1: -x turns the number itself round.
# %% q1 after the key
def negated(x):
    x.value, x.tangent = -x.value, -x.tangent
    return Dual(x.value, x.tangent)


Dual.__neg__ = negated


# %% minus_keeps_its_speed | loses q1: -x turns the value round, and not the tangent.
# %% q1 after the key
Dual.__neg__ = lambda x: Dual(-x.value, x.tangent)


# %% more_axes_win | loses q1: the tangent of a sum has the shape of the operand with more axes, or
# more entries; but (2, 1) and (1, 3) stretch each other to (2, 3).
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


# %% moves_on_the_left | loses q1: a plain number on the left comes with the tangent 1.
# %% q1 after the key
Dual.__rmul__ = lambda x, number: Dual(number, 1.0) * x
Dual.__rsub__ = lambda x, number: Dual(number, 1.0) - x
Dual.__rtruediv__ = lambda x, number: Dual(number, 1.0) / x


# %% no_new_number | loses q1: x + 0, x - 0, x * 1, x / 1 and x ** 1 are x itself, not a new Dual.
# %% q1 after the key
def short_cut(operation, still):
    def method(self, other):
        same = not isinstance(other, Dual) and np.ndim(other) == 0 and other == still
        return self if same else operation(self, other)

    return method


STILL = {"add": 0, "radd": 0, "sub": 0, "mul": 1, "rmul": 1, "truediv": 1, "pow": 1}
for name, still in STILL.items():
    setattr(Dual, f"__{name}__", short_cut(getattr(Dual, f"__{name}__"), still))


# %% no_short_floats | loses q1: of NumPy's numbers float64 and the whole ones are plain,
# np.float32(3) is not.
# %% q1 after the key
def dual(x):
    if isinstance(x, Dual):
        return x
    if not isinstance(x, (int, float, np.integer, np.ndarray)):
        raise TypeError(f"a {type(x).__name__} is no number")
    return Dual(x, np.zeros(np.shape(x)))


# %% no_slope_is_infinite | loses q1: at x = 0 the slope of x ** n is 1 for n = 1, else 0; of x **
# 0.5 and x ** -1 it is infinite.
# %% q1 after the key
def power(self, n):
    at_zero = np.asarray(self.value) == 0
    base = np.where(at_zero, 1.0, self.value)
    slope = np.where(at_zero, 1.0 if n == 1 else 0.0, n * base ** (n - 1))
    return Dual(self.value**n, (slope * self.tangent)[()])


Dual.__pow__ = power


# %% numpy_takes_the_left_array | loses q1: array * x is left to NumPy, which makes an array of
# Duals.
# %% q1 after the key
del Dual.__array_ufunc__


# %% one_array_for_both | loses q1: value and tangent lie in one array, which makes a float of a
# large whole value when its speed is one: 2**60 + 1 loses its last digits.
# %% q1 after the key
class Dual(Dual):
    def __init__(self, value, tangent):
        self.both = np.array([value, tangent])

    value = property(lambda self: self.both[0])
    tangent = property(lambda self: self.both[1])


# %% one_entry_is_a_number | loses q1: a plain array of one entry is taken for a number: Dual(2, 1)
# + [5] has no axis any more.
# %% q1 after the key
def dual(x):
    if isinstance(x, Dual):
        return x
    return Dual(np.asarray(x).item(), 0.0) if np.size(x) == 1 else Dual(x, np.zeros(np.shape(x)))


# %% one_zero_for_an_array | loses q1: the tangent of a constant array is one 0, without the array's
# shape.
# %% q1 after the key
def dual(x):
    return x if isinstance(x, Dual) else Dual(x, 0.0)


# %% only_floats_stand_still | loses q1: a whole number beside a Dual is not taken.
# %% q1 after the key
def dual(x):
    if isinstance(x, int):
        raise TypeError("make a float of it first")
    return x if isinstance(x, Dual) else Dual(x, np.zeros(np.shape(x)))


# %% operand_is_stretched | loses q1: a number that meets an array is stretched to it in the operand
# itself.
class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def fit(self, other):
        """other as a Dual; both get one shape, so that the rules need not think of it."""
        if not isinstance(other, Dual):
            other = Dual(other, np.zeros(np.shape(other)))
        shape = np.broadcast_shapes(np.shape(self.value), np.shape(other.value))
        for dual in (self, other):
            if np.shape(dual.value) != shape:
                dual.value = np.array(np.broadcast_to(dual.value, shape))
                dual.tangent = np.array(np.broadcast_to(dual.tangent, shape))
        return other

    def __add__(self, other):
        other = self.fit(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = self.fit(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __rsub__(self, other):
        return self.fit(other) - self

    def __mul__(self, other):
        other = self.fit(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    def __truediv__(self, other):
        other = self.fit(other)
        value = self.value / other.value
        return Dual(value, (self.tangent - value * other.tangent) / other.value)

    def __rtruediv__(self, other):
        return self.fit(other) / self

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __pow__(self, n):
        if n == 0:
            return Dual(self.value**0, np.zeros(np.shape(self.value)))
        return Dual(self.value**n, n * self.value ** (n - 1) * self.tangent)

    __radd__, __rmul__ = __add__, __mul__


# %% power_divides_by_x | loses q1: the slope of x ** n as n xⁿ / x, which is 0 / 0 at 0.
# %% q1 after the key
Dual.__pow__ = lambda x, n: Dual(x.value**n, n * x.value**n / x.value * x.tangent)


# %% power_over_x | loses q1: the slope of x**n is n * x**n / x, which is infinite at 1e200 for n =
# 2 (2e200 is right).
# %% q1 after the key
exactly = Dual.__pow__


def power(self, n):
    if not np.all(self.value):
        return exactly(self, n)
    value = self.value**n
    return Dual(value, n * value / self.value * self.tangent)


Dual.__pow__ = power


# %% power_zero_at_zero | loses q1: x ** 0 is no special case: at x = 0 its tangent is 0 · 0 ** -1,
# an error for a number and nan in an array, where 0 is right.
# %% q1 after the key
def power(self, n):
    return Dual(self.value**n, n * self.value ** (n - 1) * self.tangent)


Dual.__pow__ = power


# %% reversed_minus | loses q1: 1 - x is computed as x - 1.
# %% q1 after the key
Dual.__rsub__ = Dual.__sub__


# %% square_of_whole_divisor_wraps | loses q1: the quotient rule divides by y · y, which of large
# whole numbers leaves 64 bits.
class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    @staticmethod
    def lift(other):
        """other itself, or a Dual that stands still."""
        return other if isinstance(other, Dual) else Dual(other, 0 * np.asarray(other))

    def __add__(self, other):
        other = Dual.lift(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = Dual.lift(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __mul__(self, other):
        other = Dual.lift(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    def __truediv__(self, other):
        if not isinstance(other, Dual):
            other = Dual.lift(other)
        above = self.tangent * other.value - self.value * other.tangent
        return Dual(self.value / other.value, above / (other.value * other.value))

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Dual.lift(other) - self

    def __rtruediv__(self, other):
        return Dual.lift(other) / self

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __pow__(self, n):
        value = np.asarray(self.value, dtype=float)
        if n == 0:
            return Dual(value**n, np.zeros(value.shape))
        return Dual(value**n, n * value ** (n - 1) * self.tangent)


# %% sum_in_the_first_dtype | loses q1: the two parts of a product are added in place, which fails
# for whole x and broken speeds of y.
# %% q1 after the key
def times(self, other):
    other = dual(other)
    tangent = np.array(self.tangent * other.value)
    second = self.value * other.tangent
    if tangent.shape != np.shape(second) or not tangent.shape:
        return Dual(self.value * other.value, tangent + second)
    tangent += second
    return Dual(self.value * other.value, tangent)


Dual.__mul__ = Dual.__rmul__ = times


# %% tangent_shared_by_a_shift | loses q1: x + 2.0 keeps x's own array of speeds, and z *= 2.0
# multiplies in place: after z = x, z += 2.0 and z *= 2.0, x moves twice as fast.
# %% q1 after the key
def plus(self, other):
    if isinstance(other, Dual) or np.ndim(other):
        return moved_sum(self, other)
    return Dual(self.value + other, self.tangent)


def times_in_place(self, other):
    if isinstance(other, Dual) or np.ndim(other) or np.ndim(self.value) == 0:
        return self * other
    tangent = self.tangent
    tangent *= other
    return Dual(self.value * other, tangent)


moved_sum = Dual.__add__
Dual.__add__ = Dual.__radd__ = plus
Dual.__imul__ = times_in_place


# %% the_array_is_written_into | loses q1: array * x writes the product into the plain array.
# %% q1 after the key
def left_factor(self, other):
    if not isinstance(other, np.ndarray) or other.shape != np.shape(self.value):
        return self * other
    tangent = other * self.tangent
    if other.dtype != np.result_type(other, self.value):
        return Dual(other * self.value, tangent)
    other *= self.value
    return Dual(other, tangent)


Dual.__rmul__ = left_factor


# %% turned_over_by_a_power | loses q1: x / y is x * y ** -1, and NumPy has no power -1 of whole
# numbers: 1 / Dual([1, 2], …) raises.
# %% q1 after the key
def quotient(self, other):
    return self * (other**-1 if isinstance(other, Dual) else 1 / other)


Dual.__truediv__ = quotient
Dual.__rtruediv__ = lambda self, other: other * self**-1


# %% value_minus_value | loses q1: a tangent gets its shape by `+ (value - value)`, which is nan
# where the value is inf, as that of x ** 2 at 1e200.
# %% q1 after the key
def fitted(operation):
    def method(self, other):
        new = operation(self, other)
        return Dual(new.value, new.tangent + (new.value - new.value))

    return method


for name in ("add", "sub", "radd", "rsub", "pow"):
    setattr(Dual, f"__{name}__", fitted(getattr(Dual, f"__{name}__")))


# %% whole_tangents_for_whole_values | loses q1: the tangent of a sum is laid out by
# np.full_like(value, …), which cuts it to whole numbers where the value is whole: Dual(3, 0.5) +
# np.array([1, 2]) stands still.
# %% q1 after the key
def laid_out(operation):
    def method(self, other):
        new = operation(self, other)
        return Dual(new.value, np.full_like(new.value, new.tangent))

    return method


for name in ("add", "sub", "radd", "rsub"):
    setattr(Dual, f"__{name}__", laid_out(getattr(Dual, f"__{name}__")))


# %% x_over_x_is_one | loses q1: x / x is the number 1, which stands still, whatever shape x has.
# %% q1 after the key
def quotient(self, other):
    return Dual(1.0, 0.0) if other is self else divided(self, other)


divided, Dual.__truediv__ = Dual.__truediv__, quotient


# %% zero_times_the_value | loses q1: shapes are fitted by `tangent + 0 * value`: x + inf, or a
# product beyond 1e308, has the tangent nan.
# %% q1 after the key
def fitted(operation):
    def method(self, other):
        new = operation(self, other)
        return Dual(new.value, new.tangent + 0 * new.value)

    return method


for name in ("add", "sub", "mul", "truediv", "radd", "rsub", "rmul", "rtruediv"):
    setattr(Dual, f"__{name}__", fitted(getattr(Dual, f"__{name}__")))
