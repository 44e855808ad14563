"""Right answers to ps3, each of another kind than the key's."""


# %% a_pair_of_its_own | right: hvp with a named tuple in place of Dual, whose sum and product are
# its own.
# %% q5
import collections


class Pair(collections.namedtuple("Pair", "at speed")):
    """A number and its speed."""

    def __add__(self, other):
        at, speed = other if isinstance(other, Pair) else (other, 0.0)
        return Pair(self.at + at, self.speed + speed)

    def __mul__(self, other):
        at, speed = other if isinstance(other, Pair) else (other, 0.0)
        return Pair(self.at * at, self.at * speed + self.speed * at)

    def __rsub__(self, other):
        return self * -1.0 + other

    def __sub__(self, other):
        return self + other * -1.0

    __radd__, __rmul__ = __add__, __mul__


def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    rows = gradient(f, list(map(Pair, xs, vs)))
    return [float(getattr(row, "speed", 0.0)) for row in rows]


# %% a_stack_of_derivatives | right: numbers know the depth of their derivative; rules with np.add
# and friends.
# %% q1
class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = np.asarray(value), np.asarray(tangent)

    def moved_by(self, value, *pairs):
        still = np.zeros_like(value, dtype=float)
        return Dual(value, sum((slope * part.tangent for slope, part in pairs), still))

    def __add__(self, other):
        other = still(other)
        return self.moved_by(self.value + other.value, (1, self), (1, other))

    def __sub__(self, other):
        other = still(other)
        return self.moved_by(self.value - other.value, (1, self), (-1, other))

    def __mul__(self, other):
        other = still(other)
        return self.moved_by(self.value * other.value, (other.value, self), (self.value, other))

    def __truediv__(self, other):
        return self * still(other) ** -1

    def __neg__(self):
        return self.moved_by(-self.value, (-1, self))

    def __pow__(self, n):
        x = self.value.astype(float)
        return self.moved_by(x**n, (n * x ** (n - 1) if n else 0 * x, self))

    def __radd__(self, other):
        return still(other) + self

    def __rsub__(self, other):
        return still(other) - self

    def __rmul__(self, other):
        return still(other) * self

    def __rtruediv__(self, other):
        return still(other) / self


def still(x):
    return x if isinstance(x, Dual) else Dual(x, np.zeros_like(x, dtype=float))

# %% q4
DEPTH = [0]


def derivative(f, x):
    DEPTH[0] += 1
    try:
        mine = Deep(DEPTH[0], x, 1)
        result = f(mine)
    finally:
        DEPTH[0] -= 1
    return result.slope if isinstance(result, Deep) and result.depth == mine.depth else 0


class Deep:
    def __init__(self, depth, number, slope):
        self.depth, self.number, self.slope = depth, number, slope

    def of(self, depth):
        return (self.number, self.slope) if self.depth == depth else (self, 0)

    def __add__(self, other):
        depth, (a, p), (b, q) = together(self, other)
        return Deep(depth, a + b, p + q)

    def __mul__(self, other):
        depth, (a, p), (b, q) = together(self, other)
        return Deep(depth, a * b, p * b + q * a)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + -1 * (other if isinstance(other, Deep) else Deep(self.depth, other, 0))

    def __rsub__(self, other):
        return -1 * self + other


def together(x, y):
    depth = max(n.depth for n in (x, y) if isinstance(n, Deep))
    return depth, *(n.of(depth) if isinstance(n, Deep) else (n, 0) for n in (x, y))


# %% a_table_of_slopes | right: operators made from a table of partial slopes; a class made for each
# derivative.
# %% q1
import operator


class Dual:
    __array_priority__ = 1000
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __neg__(self):
        return -1 * self

    def __pow__(self, n):
        if n == 0:
            return Dual(self.value**0, self.tangent * 0.0)
        return Dual(self.value**n, self.tangent * n * self.value ** (n - 1))


SLOPES = {
    "add": lambda x, y: (1.0, 1.0),
    "sub": lambda x, y: (1.0, -1.0),
    "mul": lambda x, y: (y, x),
    "truediv": lambda x, y: (1 / y, -x / y / y),
}


def install(name, slopes):
    def compute(x, y):
        values = [getattr(part, "value", part) for part in (x, y)]
        value = getattr(operator, name)(*values)
        tangent = np.zeros(np.shape(value))
        for part, slope in zip((x, y), slopes(*values)):
            if isinstance(part, Dual):
                tangent = tangent + slope * part.tangent
        return Dual(value, tangent)

    setattr(Dual, f"__{name}__", compute)
    setattr(Dual, f"__r{name}__", lambda x, y: compute(y, x))


for _name, _slopes in SLOPES.items():
    install(_name, _slopes)

# %% q2
def entrywise(function, slope):
    return lambda x: Dual(function(x.value), slope(x.value) * x.tangent)


exp, log = entrywise(np.exp, np.exp), entrywise(np.log, lambda x: 1 / x)
sin, tanh = entrywise(np.sin, np.cos), entrywise(np.tanh, lambda x: np.cosh(x) ** -2.0)


def linear(function):
    return lambda x: Dual(function(x.value), function(x.tangent))


total = linear(lambda x: np.einsum("i->", np.ravel(x)))


def matmul(x, y):
    moved = []
    if isinstance(x, Dual):
        moved.append(linear(lambda part: part @ getattr(y, "value", y))(x))
    if isinstance(y, Dual):
        moved.append(linear(lambda part: getattr(x, "value", x) @ part)(y))
    return Dual(moved[0].value, sum(part.tangent for part in moved))

# %% q4
LEVEL = []


def derivative(f, x):
    class Here(Level):
        depth = len(LEVEL) + 1

    LEVEL.append(Here)
    try:
        result = f(Here(x, 1.0))
    finally:
        LEVEL.pop()
    return result.tangent if isinstance(result, Here) else 0.0


class Level:
    depth = 0

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        top, (x, x_dot), (y, y_dot) = lifted(self, other)
        return top(x + y, x_dot + y_dot)

    def __sub__(self, other):
        top, (x, x_dot), (y, y_dot) = lifted(self, other)
        return top(x - y, x_dot - y_dot)

    def __rsub__(self, other):
        return type(self)(other, 0.0) - self

    def __mul__(self, other):
        top, (x, x_dot), (y, y_dot) = lifted(self, other)
        return top(x * y, x * y_dot + x_dot * y)

    __radd__, __rmul__ = __add__, __mul__


def lifted(x, y):
    top = max(type(x), type(y), key=lambda kind: getattr(kind, "depth", 0))
    return top, *((n.value, n.tangent) if type(n) is top else (n, 0.0) for n in (x, y))


# %% by_table | right: every operation comes out of one table of values and partial slopes.
# %% q1
import operator


class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __neg__(self):
        return self * -1

    def __pow__(self, n):
        steep = n * self.value ** (n - 1) if n != 0 else 0 * self.value
        return Dual(self.value**n, steep * self.tangent)


def installed(name, act, by_left, by_right):
    def method(left, right):
        a, b = (z.value if isinstance(z, Dual) else z for z in (left, right))
        value, pairs = act(a, b), zip((left, right), (by_left, by_right))
        shares = (slope(a, b) * z.tangent for z, slope in pairs if isinstance(z, Dual))
        return Dual(value, sum(shares, np.zeros(np.shape(value))[()]))

    setattr(Dual, f"__{name}__", method)
    setattr(Dual, f"__r{name}__", lambda self, other: method(other, self))


for row in (
    ("add", operator.add, lambda a, b: 1, lambda a, b: 1),
    ("sub", operator.sub, lambda a, b: 1, lambda a, b: -1),
    ("mul", operator.mul, lambda a, b: b, lambda a, b: a),
    ("truediv", operator.truediv, lambda a, b: 1 / b, lambda a, b: -(a / b) / b),
):
    installed(*row)

# %% q2
def lifted(value_of, slope_of, doc):
    def function(x):
        value = value_of(x.value)
        return Dual(value, slope_of(x.value, value) * x.tangent)

    function.__doc__ = doc
    return function


exp = lifted(np.exp, lambda x, z: z, "The Dual of e to the power x.")
log = lifted(np.log, lambda x, z: 1 / x, "The Dual of the natural logarithm of x.")
sin = lifted(np.sin, lambda x, z: np.cos(x), "The Dual of the sine of x.")
tanh = lifted(np.tanh, lambda x, z: (1 - z) * (1 + z), "The Dual of the hyperbolic tangent.")


def total(x):
    """The Dual of the sum of all entries of x."""
    return Dual(*(np.add.reduce(part, axis=None) for part in map(np.asarray, (x.value, x.tangent))))


def matmul(x, y):
    """The Dual of x @ y; one of the two may be a plain array."""
    a, b = (getattr(z, "value", z) for z in (x, y))
    terms = [x.tangent @ b] if isinstance(x, Dual) else []
    terms += [a @ y.tangent] if isinstance(y, Dual) else []
    return Dual(a @ b, sum(terms[1:], terms[0]))


# %% coroutine_and_sets | right: columns by a generator; a number is a sum of terms, one for each
# set of derivatives that it moves in.
# %% q3
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    match f(Dual(x, v)):
        case Dual(value=value, tangent=tangent):
            return value, tangent
        case still:
            return still, np.zeros_like(still, dtype=float)[()]


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""

    def columns():
        for j in range(x.size):
            yield along(f, x, np.where(np.arange(x.size) == j, 1.0, 0.0))[1]

    return np.transpose(np.vstack([column[np.newaxis] for column in columns()]))

# %% q4
class Terms(dict):
    """A sum: for each set of derivatives that it moves in, a plain number."""

    __array_ufunc__ = None

    def __add__(self, other):
        other = terms(other)
        return Terms({key: self.get(key, 0) + other.get(key, 0) for key in {**self, **other}})

    def __mul__(self, other):
        new = Terms()
        for a, p in self.items():
            for b, q in terms(other).items():
                if not a & b:
                    new[a | b] = new.get(a | b, 0) + p * q
        return new

    def __sub__(self, other):
        return self + terms(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    __radd__, __rmul__ = __add__, __mul__


def terms(x):
    return x if isinstance(x, Terms) else Terms({frozenset(): x})


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    mine = frozenset([object()])
    result = terms(f(terms(x) + Terms({mine: 1.0})))
    slope = Terms({key - mine: number for key, number in result.items() if key & mine})
    return slope if any(slope) else slope.get(frozenset(), 0.0)


# %% directions_in_a_loop | right: a copy of one direction for each pass; zeros by np.zeros_like;
# hvp by a loop.
# %% q3
def along(f, x, v):
    z = f(Dual(np.asarray(x), np.asarray(v)))
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, np.zeros_like(z, dtype=float)


def jacobian(f, x):
    columns = None
    for j in range(len(x)):
        seed = np.zeros(len(x))
        seed[j] = 1
        _, column = along(f, x, seed)
        if columns is None:
            columns = np.empty((len(column), len(x)))
        columns[:, j] = column
    return columns

# %% q5
def hvp(f, xs, vs):
    moving = []
    for i in range(len(xs)):
        moving.append(Dual(float(xs[i]), float(vs[i])))
    product = []
    for slope in gradient(f, moving):
        product.append(float(slope.tangent) if type(slope) is Dual else 0.0)
    return tuple(product)


# %% entry_by_entry | right: plain loops, tuples for the parts, tangents at two levels of a linked
# list.
# %% q1
class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value = value
        self.tangent = tangent

    def pair(self, other):
        if isinstance(other, Dual):
            return other.value, other.tangent
        return other, other * 0.0

    def __add__(self, other):
        value, tangent = self.pair(other)
        return Dual(self.value + value, self.tangent + tangent)

    def __radd__(self, other):
        return self.__add__(other)

    def __neg__(self):
        return Dual(0.0 - self.value, 0.0 - self.tangent)

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return (-self) + other

    def __mul__(self, other):
        value, tangent = self.pair(other)
        return Dual(self.value * value, value * self.tangent + tangent * self.value)

    def __rmul__(self, other):
        return self.__mul__(other)

    def __pow__(self, n):
        slope = self.value ** (n - 1) * n if n != 0 else np.zeros(np.shape(self.value))
        return Dual(self.value**n, slope * self.tangent)

    def inverse(self):
        below = 1.0 / self.value
        return Dual(below, -below * below * self.tangent)

    def __truediv__(self, other):
        return self * (other.inverse() if isinstance(other, Dual) else 1 / other)

    def __rtruediv__(self, other):
        return self.inverse() * other

# %% q2
def exp(x):
    return Dual(np.exp(x.value), np.exp(x.value) * x.tangent)


def log(x):
    return Dual(np.log(x.value), x.tangent * x.value**-1.0)


def sin(x):
    return Dual(np.sin(x.value), np.cos(x.value) * x.tangent)


def tanh(x):
    t = np.tanh(x.value)
    return Dual(t, (1 - t) * (1 + t) * x.tangent)


def total(x):
    value = tangent = 0.0
    values, tangents = np.asarray(x.value), np.asarray(x.tangent)
    for place in np.ndindex(values.shape):
        value += values[place]
        tangent += tangents[place]
    return Dual(value, tangent)


def matmul(x, y):
    a, v = (x.value, x.tangent) if isinstance(x, Dual) else (x, 0 * x)
    b, w = (y.value, y.tangent) if isinstance(y, Dual) else (y, 0 * y)
    value, tangent = np.zeros((2, *a.shape[:-1], *b.shape[1:]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            value[i] += a[i, j] * b[j]
            tangent[i] += v[i, j] * b[j] + a[i, j] * w[j]
    return Dual(value, tangent)

# %% q3
def along(f, x, v):
    result = f(Dual(x, v))
    if type(result) is Dual:
        return [result.value, result.tangent]
    return [result, np.zeros(np.shape(result))]


def jacobian(f, x):
    rows = []
    for seed in np.eye(len(x)):
        rows.append(along(f, x, seed)[1])
    return np.array([[row[i] for row in rows] for i in range(len(rows[0]))])

# %% q5
def hvp(f, xs, vs):
    found = []
    for slope in gradient(f, list(map(Dual, xs, vs))):
        found.append(getattr(slope, "tangent", 0.0))
    return found


# %% epsilons_in_a_dictionary | right: numbers as sums over sets of epsilons, and the Hessian by
# reverse over reverse.
# %% q3
def along(f, x, v):
    result = f(Dual(x, v))
    still = np.zeros(np.shape(getattr(result, "value", result)))
    return (getattr(result, "value", result), getattr(result, "tangent", still))


def jacobian(f, x):
    columns = []
    for j in range(x.size):
        seed = np.zeros_like(x)
        seed[j] = 1
        columns.append(along(f, x, seed)[1])
    return np.column_stack(columns)

# %% q4
class Epsilons:
    """A sum of number times a product of epsilons, each of which has the square 0."""

    def __init__(self, terms):
        self.terms = terms

    def __add__(self, other):
        terms = dict(self.terms)
        for key, number in terms_of(other).items():
            terms[key] = terms.get(key, 0.0) + number
        return Epsilons(terms)

    def __mul__(self, other):
        terms = {}
        for a, x in self.terms.items():
            for b, y in terms_of(other).items():
                if not a & b:
                    terms[a | b] = terms.get(a | b, 0.0) + x * y
        return Epsilons(terms)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + -1 * Epsilons(terms_of(other))

    def __rsub__(self, other):
        return -1 * self + other


def terms_of(x):
    return x.terms if isinstance(x, Epsilons) else {frozenset(): x}


def derivative(f, x):
    mine = object()
    result = terms_of(f(x + Epsilons({frozenset([mine]): 1.0})))
    found = {key - {mine}: number for key, number in result.items() if mine in key}
    return Epsilons(found) if set(found) - {frozenset()} else sum(found.values(), 0.0)

# %% q5
def hvp(f, xs, vs):
    """The gradient of the gradient's product with vs."""
    def slope_along_vs(nodes):
        slopes = gradient(f, nodes)
        return as_node(sum(slope * v for slope, v in zip(slopes, vs)))

    return gradient(slope_along_vs, xs)


# %% expressions_first | right: derives a formula and then computes it; the Hessian by reverse over
# forward.
# %% q4
class Formula:
    def __init__(self, op=None, *parts):
        self.op, self.parts = op, parts

    def __add__(self, other):
        return Formula("+", self, other)

    def __mul__(self, other):
        return Formula("*", self, other)

    def __sub__(self, other):
        return Formula("+", self, Formula("*", -1.0, other))

    def __radd__(self, other):
        return Formula("+", other, self)

    def __rmul__(self, other):
        return Formula("*", other, self)

    def __rsub__(self, other):
        return Formula("+", other, Formula("*", -1.0, self))


def slope(formula, variable):
    if formula is variable:
        return 1.0
    if not isinstance(formula, Formula) or formula.op is None:
        return 0.0
    x, y = formula.parts
    if formula.op == "+":
        return slope(x, variable) + slope(y, variable)
    return slope(x, variable) * y + x * slope(y, variable)


def with_number(formula, variable, number):
    if formula is variable:
        return number
    if not isinstance(formula, Formula) or formula.op is None:
        return formula
    x, y = (with_number(part, variable, number) for part in formula.parts)
    return x + y if formula.op == "+" else x * y


def derivative(f, x):
    variable = Formula()
    return with_number(slope(f(variable), variable), variable, x)

# %% q5
class Pair:
    """A Node, and the Node of its speed."""

    def __init__(self, at, speed):
        self.at, self.speed = at, speed

    def __add__(self, other):
        other = pair(other)
        return Pair(self.at + other.at, self.speed + other.speed)

    def __sub__(self, other):
        return self + pair(other) * -1

    def __rsub__(self, other):
        return pair(other) - self

    def __mul__(self, other):
        other = pair(other)
        return Pair(self.at * other.at, self.speed * other.at + self.at * other.speed)

    __radd__, __rmul__ = __add__, __mul__


def pair(x):
    return x if isinstance(x, Pair) else Pair(Node(x), Node(0))


def hvp(f, xs, vs):
    return gradient(lambda nodes: f([Pair(x, Node(v)) for x, v in zip(nodes, vs)]).speed, xs)


# %% one_chain_for_all | right: functions made by one maker, total as a product with ones, jacobian
# filled by np.column_stack, hvp with a class of its own instead of Dual.
# %% q2
def _made(f, slope):
    def function(x):
        value = f(x.value)
        return Dual(value, slope(x.value, value) * x.tangent)
    return function


exp = _made(np.exp, lambda x, z: z)
log = _made(np.log, lambda x, z: np.divide(1.0, x))
sin = _made(np.sin, lambda x, z: np.cos(x))
tanh = _made(np.tanh, lambda x, z: (1 - z) * (1 + z))


def total(x):
    """The Dual of the sum of all entries of x."""
    value, tangent = np.ravel(x.value), np.ravel(x.tangent)
    return Dual(np.ones(value.size) @ value, np.ones(value.size) @ tangent)


def matmul(x, y):
    """The Dual of x @ y; one of the two may be a plain array."""
    x, y = (z if isinstance(z, Dual) else Dual(z, np.zeros_like(z)) for z in (x, y))
    tangent = np.matmul(x.tangent, y.value) + np.matmul(x.value, y.tangent)
    return Dual(np.matmul(x.value, y.value), tangent)

# %% q3
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    z = f(Dual(np.array(x, float)[()], np.array(v, float)[()]))
    return (z.value, z.tangent) if isinstance(z, Dual) else (z, np.zeros_like(z, float))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    def column(j):
        v = np.zeros(len(x))
        v[j] = 1.0
        return along(f, x, v)[1]
    return np.column_stack([column(j) for j in range(len(x))])

# %% q5
class _Pair(tuple):
    """(number, speed), with + - * alone."""

    def __add__(self, other):
        a, v, b, w = (*self, *_pair(other))
        return _Pair((a + b, v + w))

    def __sub__(self, other):
        a, v, b, w = (*self, *_pair(other))
        return _Pair((a - b, v - w))

    def __rsub__(self, other):
        return _pair(other) - self

    def __mul__(self, other):
        a, v, b, w = (*self, *_pair(other))
        return _Pair((a * b, v * b + a * w))

    __radd__, __rmul__ = __add__, __mul__


def _pair(x):
    return x if isinstance(x, _Pair) else _Pair((x, 0.0))


def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    return [_pair(g)[1] for g in gradient(f, list(map(_Pair, zip(xs, vs))))]


# %% sets_of_marks | right: derivative with numbers that have a part for each set of marks (no order
# of calls is needed); Dual's operators from a table of partial slopes.
# %% q1
import operator


class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __neg__(self):
        return self * -1

    def __pow__(self, n):
        slope = 0 if n == 0 else n * self.value ** (n - 1)
        return Dual(self.value**n, slope * self.tangent)


SLOPES = {
    "add": lambda x, y: (1, 1),
    "sub": lambda x, y: (1, -1),
    "mul": lambda x, y: (y, x),
    "truediv": lambda x, y: (1 / y, -x / y / y),
}


def _combine(name, x, y):
    a, v = (x.value, x.tangent) if isinstance(x, Dual) else (x, 0)
    b, w = (y.value, y.tangent) if isinstance(y, Dual) else (y, 0)
    value = getattr(operator, name)(a, b)
    by_x, by_y = SLOPES[name](a, b)
    return Dual(value, np.zeros(np.shape(value)) + by_x * v + by_y * w)


for _name in SLOPES:
    setattr(Dual, f"__{_name}__", lambda x, y, name=_name: _combine(name, x, y))
    setattr(Dual, f"__r{_name}__", lambda y, x, name=_name: _combine(name, x, y))

# %% q4
class Parts:
    """A number that moves for several derivatives: a set of marks -> what it is multiplied with."""

    def __init__(self, parts):
        self.parts = parts

    def __add__(self, other):
        parts = dict(self.parts)
        for marks, part in as_parts(other).items():
            parts[marks] = parts.get(marks, 0.0) + part
        return Parts(parts)

    def __mul__(self, other):
        parts = {}
        for a, x in self.parts.items():
            for b, y in as_parts(other).items():
                if not a & b:
                    parts[a | b] = parts.get(a | b, 0.0) + x * y
        return Parts(parts)

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + Parts(as_parts(other)) * -1.0

    def __rsub__(self, other):
        return -self + other

    __radd__, __rmul__ = __add__, __mul__


def as_parts(x):
    """The parts of x; a plain number has one, without any mark."""
    return x.parts if isinstance(x, Parts) else {frozenset(): x}


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    mark = object()
    came = as_parts(f(Parts(as_parts(x)) + Parts({frozenset([mark]): 1.0})))
    parts = {marks - {mark}: part for marks, part in came.items() if mark in marks}
    if set(parts) <= {frozenset()}:
        return parts.get(frozenset(), 0.0)
    return Parts(parts)


# %% trees_and_walks | right: derivative by trees that are walked and cut; sums of products by
# einsum.
# %% q2
def exp(x):
    """The Dual of e to the power x."""
    return Dual(np.exp(x.value), np.einsum("...,...->...", np.exp(x.value), x.tangent)[()])


def log(x):
    """The Dual of the natural logarithm of x."""
    return Dual(np.log(x.value), 1.0 / x.value * x.tangent)


def sin(x):
    """The Dual of the sine of x."""
    turned = np.exp(1j * np.asarray(x.value))
    return Dual(turned.imag, turned.real * x.tangent)


def tanh(x):
    """The Dual of the hyperbolic tangent of x."""
    return Dual(np.tanh(x.value), x.tangent - x.tangent * np.tanh(x.value) ** 2)


def total(x):
    """The Dual of the sum of all entries of x."""
    return Dual(*(np.add.reduce(part, axis=None) for part in (x.value, x.tangent)))


def matmul(x, y):
    """The Dual of x @ y; one of the two may be a plain array."""
    if not isinstance(x, Dual):
        return matmul(Dual(np.asarray(x), np.zeros(np.shape(x))), y)
    if not isinstance(y, Dual):
        return matmul(x, Dual(np.asarray(y), np.zeros(np.shape(y))))
    pattern = "ij,jk->ik" if np.ndim(y.value) == 2 else "ij,j->i"
    times = lambda a, b: np.einsum(pattern, a, b)
    return Dual(times(x.value, y.value), times(x.tangent, y.value) + times(x.value, y.tangent))

# %% q3
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    z = f(Dual(x, v))
    return tuple(getattr(z, name, other) for name, other in
                 [("value", z), ("tangent", np.zeros(np.shape(getattr(z, "value", z))))])


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""

    def passes():
        for j in range(x.size):
            direction = np.zeros(x.shape)
            direction[j] = 1
            yield along(f, x.copy(), direction)[1]

    return np.column_stack([*passes()])

# %% q4
def derivative(f, x):
    """The slope of f at x, also inside another derivative."""

    class Tree(tuple):
        """(op, a, b), or () for a leaf; a and b are trees or plain numbers."""

        __array_ufunc__ = None  # NumPy's numbers would multiply each entry of a tuple
        __add__ = lambda a, b: Tree(("+", a, b))
        __radd__ = lambda a, b: Tree(("+", b, a))
        __sub__ = lambda a, b: Tree(("-", a, b))
        __rsub__ = lambda a, b: Tree(("-", b, a))
        __mul__ = lambda a, b: Tree(("*", a, b))
        __rmul__ = lambda a, b: Tree(("*", b, a))

    Known = derivative.__dict__.setdefault("Tree", Tree)
    leaf, seen = Known(), {}

    def known(branch):
        """(the branch at x, its slope by the leaf), when it is no tree, or has been seen."""
        return seen[id(branch)] if isinstance(branch, Known) else (branch, 0.0)

    top = f(leaf)
    seen[id(leaf)], todo = (x, 1.0), [top]
    while todo:
        tree = todo.pop()
        if not isinstance(tree, Known) or id(tree) in seen:
            continue
        later = [one for one in tree[1:] if isinstance(one, Known) and id(one) not in seen]
        if later:
            todo += [tree, *later]
            continue
        (a, da), (b, db) = map(known, tree[1:]) if tree else [(None, 0.0)] * 2
        if not tree or (a is tree[1] and b is tree[2]):  # our leaf is not in it
            seen[id(tree)] = tree, 0.0
        elif tree[0] == "*":
            seen[id(tree)] = a * b, da * b + a * db
        elif tree[0] == "+":
            seen[id(tree)] = a + b, da + db
        else:
            seen[id(tree)] = a - b, da - db
    return known(top)[1]

# %% q5
def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    from collections import namedtuple

    class Pair(namedtuple("Pair", "at by")):
        def __add__(self, other):
            other = pair(other)
            return Pair(self.at + other.at, self.by + other.by)

        def __sub__(self, other):
            other = pair(other)
            return Pair(self.at - other.at, self.by - other.by)

        def __rsub__(self, other):
            return pair(other) - self

        def __mul__(self, other):
            other = pair(other)
            return Pair(self.at * other.at, self.by * other.at + self.at * other.by)

        __radd__, __rmul__ = __add__, __mul__

    def pair(x):
        return x if isinstance(x, Pair) else Pair(x, 0.0)

    return [pair(g).by for g in gradient(f, [Pair(x, v) for x, v in zip(xs, vs)])]
