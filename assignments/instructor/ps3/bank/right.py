"""Right answers to ps3, each of another kind than the key's."""


# %% a_level_put_back | right: levels that a finally puts back.
# %% q4
level = [0]


class Var:
    def __init__(self, n, a, da):
        self.n, self.a, self.da = n, a, da

    @staticmethod
    def top(x, y):
        n = max(getattr(x, "n", 0), getattr(y, "n", 0))
        return n, *(part for z in (x, y)
                    for part in ((z.a, z.da) if getattr(z, "n", 0) == n else (z, 0)))

    def __add__(x, y):
        n, a, da, b, db = Var.top(x, y)
        return Var(n, a + b, da + db)

    def __sub__(x, y):
        n, a, da, b, db = Var.top(x, y)
        return Var(n, a - b, da - db)

    def __rsub__(y, x):
        return Var(y.n, x - y.a, 0 - y.da)

    def __mul__(x, y):
        n, a, da, b, db = Var.top(x, y)
        return Var(n, a * b, a * db + da * b)

    __radd__, __rmul__ = __add__, __mul__


def derivative(f, x):
    level[0] += 1
    mine = level[0]
    try:
        r = f(Var(mine, x, 1))
    finally:
        level[0] = mine - 1
    return r.da if getattr(r, "n", 0) == mine else 0


# %% a_pair_of_its_own | right: hvp with a named tuple instead of Dual, whose sum and product are
# its own.
# %% q5
import collections


class Pair(collections.namedtuple("Pair", "at tangent")):
    """A number and its tangent."""

    def __add__(self, other):
        at, tangent = other if isinstance(other, Pair) else (other, 0.0)
        return Pair(self.at + at, self.tangent + tangent)

    def __mul__(self, other):
        at, tangent = other if isinstance(other, Pair) else (other, 0.0)
        return Pair(self.at * at, self.at * tangent + self.tangent * at)

    def __rsub__(self, other):
        return self * -1.0 + other

    def __sub__(self, other):
        return self + other * -1.0

    __radd__, __rmul__ = __add__, __mul__


def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    rows = gradient(f, list(map(Pair, xs, vs)))
    return [float(getattr(row, "tangent", 0.0)) for row in rows]


# %% a_stack_of_derivatives | right: numbers know the depth of their derivative.
# %% q1
class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = np.asarray(value), np.asarray(tangent)

    def moved_by(self, value, *pairs):
        still = np.zeros_like(value, dtype=float)
        return Dual(value, sum((partial * part.tangent for partial, part in pairs), still))

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
    return result.partial if isinstance(result, Deep) and result.depth == mine.depth else 0


class Deep:
    def __init__(self, depth, number, partial):
        self.depth, self.number, self.partial = depth, number, partial

    def of(self, depth):
        return (self.number, self.partial) if self.depth == depth else (self, 0)

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


# %% a_table_of_derivatives | right: operators from a table of partial derivatives; a class made
# for each derivative; solve by the rule of the inverse.
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


PARTIALS = {
    "add": lambda x, y: (1.0, 1.0),
    "sub": lambda x, y: (1.0, -1.0),
    "mul": lambda x, y: (y, x),
    "truediv": lambda x, y: (1 / y, -x / y / y),
}


def install(name, partials):
    def compute(x, y):
        values = [getattr(part, "value", part) for part in (x, y)]
        value = getattr(operator, name)(*values)
        tangent = np.zeros(np.shape(value))
        for part, partial in zip((x, y), partials(*values)):
            if isinstance(part, Dual):
                tangent = tangent + partial * part.tangent
        return Dual(value, tangent)

    setattr(Dual, f"__{name}__", compute)
    setattr(Dual, f"__r{name}__", lambda x, y: compute(y, x))


for _name, _partials in PARTIALS.items():
    install(_name, _partials)

# %% q2
def entrywise(function, partial):
    return lambda x: Dual(function(x.value), partial(x.value) * x.tangent)


exp, tanh = entrywise(np.exp, np.exp), entrywise(np.tanh, lambda x: 1 - np.tanh(x) ** 2)


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


def solve(a, b):
    """Return the Dual of the solution, as inverse(a) times b."""
    if isinstance(a, Dual):
        inverse = np.linalg.inv(a.value)
        return matmul(Dual(inverse, -inverse @ a.tangent @ inverse), b)
    return Dual(np.linalg.solve(a, b.value), np.linalg.solve(a, b.tangent))

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


# %% a_tangent_for_each_tag | right: a number with a tangent for each tag, which is such a number
# again.
# %% q4
class Number:
    def __init__(self, value, by=None):
        self.value, self.by = value, by or {}

    def __add__(self, other):
        other = lift(other)
        tags = {*self.by, *other.by}
        return Number(self.value + other.value,
                      {t: self.by.get(t, 0.0) + other.by.get(t, 0.0) for t in tags})

    def __mul__(self, other):
        other = lift(other)
        tags = {*self.by, *other.by}
        return Number(self.value * other.value,
                      {t: (self.by[t] * other if t in self.by else 0.0)
                       + (other.by[t] * self if t in other.by else 0.0) for t in tags})

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + -1.0 * lift(other)

    def __rsub__(self, other):
        return -1.0 * self + other


def lift(x):
    return x if isinstance(x, Number) else Number(x)


def without(x, tag):
    if not isinstance(x, Number):
        return x
    return plain(Number(x.value, {t: without(d, tag) for t, d in x.by.items() if t is not tag}))


def plain(x):
    return x if x.by else x.value


def derivative(f, x):
    tag = object()
    x = lift(x)
    return without(lift(f(Number(x.value, {**x.by, tag: 1.0}))).by.get(tag, 0.0), tag)


# %% by_table | right: every operation comes out of one table of values and partial derivatives.
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
        contributions = (partial(a, b) * z.tangent for z, partial in pairs if isinstance(z, Dual))
        return Dual(value, sum(contributions, np.zeros(np.shape(value))[()]))

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
def lifted(value_of, derivative_of, doc):
    def function(x):
        value = value_of(x.value)
        return Dual(value, derivative_of(x.value, value) * x.tangent)

    function.__doc__ = doc
    return function


exp = lifted(np.exp, lambda x, z: z, "The Dual of e to the power x.")
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


def solve(a, b):
    """Return the Dual of the inverse of a, times b."""
    inverse = np.linalg.inv(a.value if isinstance(a, Dual) else a)
    b_value, b_dot = (b.value, b.tangent) if isinstance(b, Dual) else (b, 0 * b)
    z = inverse @ b_value
    if isinstance(a, Dual):
        b_dot = b_dot - a.tangent @ z
    return Dual(z, inverse @ b_dot)


# %% complex_steps | right: tangents by a step of 1e-30 in the imaginary direction.
# %% q2
STEP = 1e-30


def by_complex_step(f, *operands):
    """Return the Dual of f by a step in the imaginary direction."""
    moved = [x.value + STEP * 1j * x.tangent if isinstance(x, Dual) else x for x in operands]
    plain = [x.value if isinstance(x, Dual) else x for x in operands]
    return Dual(f(*plain), np.imag(f(*moved)) / STEP)


def exp(x):
    return by_complex_step(np.exp, x)


def tanh(x):
    return Dual(np.tanh(x.value), x.tangent / np.cosh(np.clip(x.value, -300, 300)) ** 2)


def total(x):
    return by_complex_step(np.sum, x)


def matmul(a, b):
    return by_complex_step(np.matmul, a, b)


def solve(a, b):
    return by_complex_step(np.linalg.solve, a, b)

# %% q5
def hvp(f, xs, vs):
    step = 1e-30
    partials = gradient(f, [complex(x, step * v) for x, v in zip(xs, vs)])
    return [complex(partial).imag / step for partial in partials]


# %% composed_operators | right: division by a power, subtraction by a negative.
# %% q1
class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    @classmethod
    def of(cls, x):
        return x if isinstance(x, cls) else cls(np.asarray(x, float)[()], np.zeros(np.shape(x))[()])

    def __add__(self, o):
        o = Dual.of(o)
        return Dual(self.value + o.value, self.tangent + o.tangent)

    def __mul__(self, o):
        o = Dual.of(o)
        return Dual(self.value * o.value, self.value * o.tangent + o.value * self.tangent)

    def __pow__(self, n):
        return Dual(self.value ** float(n), n * self.value ** float(n - 1) * self.tangent)

    __radd__, __rmul__ = __add__, __mul__
    __neg__ = lambda self: self * -1
    __sub__ = lambda self, o: self + -Dual.of(o)
    __rsub__ = lambda self, o: -self + o
    __truediv__ = lambda self, o: self * Dual.of(o) ** -1
    __rtruediv__ = lambda self, o: self**-1 * o


# %% coroutine_and_sets | right: groups of columns with sets of rows; a number is a sum of terms,
# one for each set of derivatives that it moves in.
# %% q3
def sparse_jacobian(f, x, pattern):
    """Return the Jacobian; groups are dictionaries from a row to its column."""
    groups = []
    for j in range(pattern.shape[1]):
        rows = set(np.flatnonzero(pattern[:, j]).tolist())
        fitting = [group for group in groups if rows.isdisjoint(group["rows"])]
        if not fitting:
            fitting = [{"rows": set(), "columns": []}]
            groups += fitting
        fitting[0]["rows"] |= rows
        fitting[0]["columns"].append(j)
    found = np.zeros(pattern.shape)
    for group in groups:
        z = f(Dual(x, np.isin(np.arange(len(x)), group["columns"]).astype(float)))
        if not isinstance(z, Dual):
            continue
        for j in group["columns"]:
            for i in np.flatnonzero(pattern[:, j]):
                found[i, j] = z.tangent[i]
    return found

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
    """Return the derivative of f at x, also inside another derivative."""
    mine = frozenset([object()])
    result = terms(f(terms(x) + Terms({mine: 1.0})))
    partial = Terms({key - mine: number for key, number in result.items() if key & mine})
    return partial if any(partial) else partial.get(frozenset(), 0.0)


# %% directions_in_a_loop | right: a group number for each column, entry by entry; hvp by a loop.
# %% q3
def sparse_jacobian(f, x, pattern):
    rows, columns = pattern.shape
    group_of = []
    for j in range(columns):
        group = 0
        while any(group_of[k] == group and np.any(pattern[:, j] & pattern[:, k]) for k in range(j)):
            group += 1
        group_of.append(group)
    result = np.zeros((rows, columns))
    for group in sorted(set(group_of)):
        direction = np.array([float(one == group) for one in group_of])
        tangent = along(f, x, direction)[1]
        for j in range(columns):
            for i in range(rows):
                if group_of[j] == group and pattern[i, j]:
                    result[i, j] = tangent[i]
    return result

# %% q5
def hvp(f, xs, vs):
    moving = []
    for i in range(len(xs)):
        moving.append(Dual(float(xs[i]), float(vs[i])))
    product = []
    for partial in gradient(f, moving):
        product.append(float(partial.tangent) if type(partial) is Dual else 0.0)
    return tuple(product)


# %% entry_by_entry | right: plain loops; value and tangent of a system by one of twice the size;
# colours from a matrix of conflicts.
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
        partial = self.value ** (n - 1) * n if n != 0 else np.zeros(np.shape(self.value))
        return Dual(self.value**n, partial * self.tangent)

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


def solve(a, b):
    """Return the Dual of the solution; one system of twice the size gives value and tangent."""
    a, a_dot = (a.value, a.tangent) if isinstance(a, Dual) else (a, np.zeros_like(a))
    b, b_dot = (b.value, b.tangent) if isinstance(b, Dual) else (b, np.zeros_like(b))
    n = len(a)
    whole = np.block([[a, np.zeros((n, n))], [a_dot, a]])
    both = np.linalg.solve(whole, np.concatenate([b, b_dot]))
    return Dual(both[:n], both[n:])

# %% q3
def sparse_jacobian(f, x, pattern):
    conflict = pattern.T.astype(int) @ pattern.astype(int) > 0
    colours = np.full(len(x), -1)
    for j in range(len(x)):
        used = set(colours[:j][conflict[j, :j]])
        colours[j] = next(c for c in range(j + 1) if c not in used)
    found = np.zeros(pattern.shape)
    for colour in np.unique(colours):
        mine = colours == colour
        _, tangent = along(f, x, mine.astype(float))
        found += np.where(pattern & mine, tangent[:, np.newaxis], 0.0)
    return found

# %% q5
def hvp(f, xs, vs):
    found = []
    for partial in gradient(f, list(map(Dual, xs, vs))):
        found.append(getattr(partial, "tangent", 0.0))
    return found


# %% epsilons_in_a_dictionary | right: a matrix of seeds; numbers as sums over sets of epsilons;
# the Hessian by reverse over reverse.
# %% q3
def sparse_jacobian(f, x, pattern):
    """Return the Jacobian by a matrix of seeds."""
    taken, seeds = [], []
    for j, column in enumerate(np.asarray(pattern, bool).T):
        for rows, seed in zip(taken, seeds):
            if not np.logical_and(rows, column).any():
                rows |= column
                seed[j] = 1
                break
        else:
            taken.append(column.copy())
            seeds.append(np.eye(len(x))[j])
    tangents = np.column_stack([along(f, x, seed.astype(float))[1] for seed in seeds])
    return (tangents @ np.array(seeds)) * pattern

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
    def product_with_vs(nodes):
        partials = gradient(f, nodes)
        return as_node(sum(partial * v for partial, v in zip(partials, vs)))

    return gradient(product_with_vs, xs)


# %% expressions_first | right: derives a formula and then computes it; the Hessian by reverse
# over forward.
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


def partial(formula, variable):
    if formula is variable:
        return 1.0
    if not isinstance(formula, Formula) or formula.op is None:
        return 0.0
    x, y = formula.parts
    if formula.op == "+":
        return partial(x, variable) + partial(y, variable)
    return partial(x, variable) * y + x * partial(y, variable)


def with_number(formula, variable, number):
    if formula is variable:
        return number
    if not isinstance(formula, Formula) or formula.op is None:
        return formula
    x, y = (with_number(part, variable, number) for part in formula.parts)
    return x + y if formula.op == "+" else x * y


def derivative(f, x):
    variable = Formula()
    return with_number(partial(f(variable), variable), variable, x)

# %% q5
class Pair:
    """A Node, and the Node of its tangent."""

    def __init__(self, at, tangent):
        self.at, self.tangent = at, tangent

    def __add__(self, other):
        other = pair(other)
        return Pair(self.at + other.at, self.tangent + other.tangent)

    def __sub__(self, other):
        return self + pair(other) * -1

    def __rsub__(self, other):
        return pair(other) - self

    def __mul__(self, other):
        other = pair(other)
        return Pair(self.at * other.at, self.tangent * other.at + self.at * other.tangent)

    __radd__, __rmul__ = __add__, __mul__


def pair(x):
    return x if isinstance(x, Pair) else Pair(Node(x), Node(0))


def hvp(f, xs, vs):
    return gradient(lambda nodes: f([Pair(x, Node(v)) for x, v in zip(nodes, vs)]).tangent, xs)


# %% good_student | right: every answer written from the idea, with plain loops.
# %% q1
class Dual:
    """A value and its tangent."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to our class

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def lift(self, other):
        if isinstance(other, Dual):
            return other
        return Dual(other, np.zeros_like(other, dtype=float))

    def __add__(self, other):
        other = self.lift(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __radd__(self, other):
        return self + other

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __sub__(self, other):
        other = self.lift(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __rsub__(self, other):
        return self.lift(other) - self

    def __mul__(self, other):
        other = self.lift(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        other = self.lift(other)
        q = self.value / other.value
        return Dual(q, (self.tangent - q * other.tangent) / other.value)

    def __rtruediv__(self, other):
        return self.lift(other) / self

    def __pow__(self, n):
        return Dual(self.value**n, n * self.value ** (n - 1) * self.tangent)

# %% q2
def value(x):
    return x.value if isinstance(x, Dual) else x


def tangent(x):
    return x.tangent if isinstance(x, Dual) else np.zeros_like(x)


def exp(x):
    return Dual(np.exp(x.value), np.exp(x.value) * x.tangent)


def tanh(x):
    t = np.tanh(x.value)
    return Dual(t, (1 - t * t) * x.tangent)


def total(x):
    return Dual(x.value.sum(), x.tangent.sum())


def matmul(a, b):
    return Dual(value(a) @ value(b), tangent(a) @ value(b) + value(a) @ tangent(b))


def solve(a, b):
    z = np.linalg.solve(value(a), value(b))
    return Dual(z, np.linalg.solve(value(a), tangent(b) - tangent(a) @ z))

# %% q3
def sparse_jacobian(f, x, pattern):
    groups = []
    for j in range(pattern.shape[1]):
        placed = False
        for group in groups:
            if not any((pattern[:, j] & pattern[:, k]).any() for k in group):
                group.append(j)
                placed = True
                break
        if not placed:
            groups.append([j])

    J = np.zeros(pattern.shape)
    for group in groups:
        v = np.zeros(len(x))
        for j in group:
            v[j] = 1.0
        _, tangent = along(f, x, v)
        for j in group:
            rows = pattern[:, j]
            J[rows, j] = tangent[rows]
    return J

# %% q4
counter = 0


class Variable:
    def __init__(self, value, tangent, level):
        self.value, self.tangent, self.level = value, tangent, level

    def __add__(self, other):
        return combine(self, other, lambda a, b: a + b, lambda a, da, b, db: da + db)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return combine(self, other, lambda a, b: a - b, lambda a, da, b, db: da - db)

    def __rsub__(self, other):
        return combine(other, self, lambda a, b: a - b, lambda a, da, b, db: da - db)

    def __mul__(self, other):
        return combine(self, other, lambda a, b: a * b, lambda a, da, b, db: da * b + a * db)

    def __rmul__(self, other):
        return self * other


def combine(x, y, value, tangent):
    level = max(z.level for z in (x, y) if isinstance(z, Variable))
    (a, da), (b, db) = split(x, level), split(y, level)
    return Variable(value(a, b), tangent(a, da, b, db), level)


def split(x, level):
    if isinstance(x, Variable) and x.level == level:
        return x.value, x.tangent
    return x, 0.0


def derivative(f, x):
    global counter
    counter += 1
    level = counter
    return split(f(Variable(x, 1.0, level)), level)[1]

# %% q5
def hvp(f, xs, vs):
    duals = [Dual(xs[i], vs[i]) for i in range(len(xs))]
    result = []
    for g in gradient(f, duals):
        if isinstance(g, Dual):
            result.append(g.tangent)
        else:
            result.append(0.0)
    return result


# %% one_chain_for_all | right: functions made by one maker, a system by its inverse, hvp with a
# class of its own.
# %% q2
def _made(f, partial):
    def function(x):
        value = f(x.value)
        return Dual(value, partial(x.value, value) * x.tangent)
    return function


exp = _made(np.exp, lambda x, z: z)
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


def solve(a, b):
    """Return the Dual of the inverse of a, times b."""
    inverse = np.linalg.inv(a.value if isinstance(a, Dual) else a)
    b_value, b_dot = (b.value, b.tangent) if isinstance(b, Dual) else (b, 0 * b)
    z = inverse @ b_value
    if isinstance(a, Dual):
        b_dot = b_dot - a.tangent @ z
    return Dual(z, inverse @ b_dot)

# %% q3
def sparse_jacobian(f, x, pattern):
    """Return the Jacobian; groups are dictionaries from a row to its column."""
    groups = []
    for j in range(pattern.shape[1]):
        rows = set(np.flatnonzero(pattern[:, j]).tolist())
        fitting = [group for group in groups if rows.isdisjoint(group["rows"])]
        if not fitting:
            fitting = [{"rows": set(), "columns": []}]
            groups += fitting
        fitting[0]["rows"] |= rows
        fitting[0]["columns"].append(j)
    found = np.zeros(pattern.shape)
    for group in groups:
        z = f(Dual(x, np.isin(np.arange(len(x)), group["columns"]).astype(float)))
        if not isinstance(z, Dual):
            continue
        for j in group["columns"]:
            for i in np.flatnonzero(pattern[:, j]):
                found[i, j] = z.tangent[i]
    return found

# %% q5
class _Pair(tuple):
    """(number, tangent), with + - * alone."""

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


# %% one_group_after_another | right: groups one after another, each with a mask of its rows.
# %% q3
def sparse_jacobian(f, x, pattern):
    left, found = list(range(pattern.shape[1])), np.zeros(pattern.shape)
    while left:
        taken, group = np.zeros(len(pattern), bool), []
        for j in left:
            if not (taken & pattern[:, j]).any():
                taken = taken | pattern[:, j]
                group.append(j)
        left = [j for j in left if j not in group]
        v = np.zeros_like(x)
        v[group] = 1
        t = along(f, x, v)[1]
        found[:, group] = t[:, None] * pattern[:, group]
    return found


# %% polynomials | right: a derivative expands f to a polynomial in its own variable, whose
# coefficients are numbers of outer derivatives.
# %% q4
class Poly:
    """A polynomial in the variable of one call; its coefficients may be those of outer calls."""

    __array_ufunc__ = None

    def __init__(self, mark, terms):
        self.mark, self.terms = mark, terms

    def __add__(self, other):
        mark, a, b = both(self, other)
        return Poly(mark, [p + q for p, q in itertools.zip_longest(a, b, fillvalue=0.0)])

    def __mul__(self, other):
        mark, a, b = both(self, other)
        new = [0.0] * (len(a) + len(b) - 1)
        for i, p in enumerate(a):
            for j, q in enumerate(b):
                new[i + j] = new[i + j] + p * q
        return Poly(mark, new)

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return self * -1.0 + other

    __radd__, __rmul__ = __add__, __mul__


def both(x, y):
    mark = max(z.mark for z in (x, y) if isinstance(z, Poly))
    own = [isinstance(z, Poly) and z.mark == mark for z in (x, y)]
    return mark, *(z.terms if is_own else [z] for z, is_own in zip((x, y), own))


MARKS = itertools.count()


def derivative(f, x):
    """Return the derivative of f at x, also inside another derivative."""
    mark = next(MARKS)
    result = f(Poly(mark, [0.0, 1.0]))
    partial = 0.0
    if isinstance(result, Poly) and result.mark == mark:
        for power in range(len(result.terms) - 1, 0, -1):
            partial = partial * x + result.terms[power] * power
    return partial


# %% sets_of_marks | right: derivative with numbers that have a part for each set of tags; Dual's
# operators from a table of partial derivatives.
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
        partial = 0 if n == 0 else n * self.value ** (n - 1)
        return Dual(self.value**n, partial * self.tangent)


PARTIALS = {
    "add": lambda x, y: (1, 1),
    "sub": lambda x, y: (1, -1),
    "mul": lambda x, y: (y, x),
    "truediv": lambda x, y: (1 / y, -x / y / y),
}


def _combine(name, x, y):
    a, v = (x.value, x.tangent) if isinstance(x, Dual) else (x, 0)
    b, w = (y.value, y.tangent) if isinstance(y, Dual) else (y, 0)
    value = getattr(operator, name)(a, b)
    by_x, by_y = PARTIALS[name](a, b)
    return Dual(value, np.zeros(np.shape(value)) + by_x * v + by_y * w)


for _name in PARTIALS:
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
    """Return the derivative of f at x, also inside another derivative."""
    mark = object()
    came = as_parts(f(Parts(as_parts(x)) + Parts({frozenset([mark]): 1.0})))
    parts = {marks - {mark}: part for marks, part in came.items() if mark in marks}
    if set(parts) <= {frozenset()}:
        return parts.get(frozenset(), 0.0)
    return Parts(parts)


# %% trees_and_walks | right: derivative by expression trees; sums of products by einsum; a system
# of twice the size.
# %% q2
def exp(x):
    """The Dual of e to the power x."""
    return Dual(np.exp(x.value), np.einsum("...,...->...", np.exp(x.value), x.tangent)[()])


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


def solve(a, b):
    """Return the Dual of the solution; one system of twice the size gives value and tangent."""
    a, a_dot = (a.value, a.tangent) if isinstance(a, Dual) else (a, np.zeros_like(a))
    b, b_dot = (b.value, b.tangent) if isinstance(b, Dual) else (b, np.zeros_like(b))
    n = len(a)
    whole = np.block([[a, np.zeros((n, n))], [a_dot, a]])
    both = np.linalg.solve(whole, np.concatenate([b, b_dot]))
    return Dual(both[:n], both[n:])

# %% q3
def sparse_jacobian(f, x, pattern):
    conflict = pattern.T.astype(int) @ pattern.astype(int) > 0
    colours = np.full(len(x), -1)
    for j in range(len(x)):
        used = set(colours[:j][conflict[j, :j]])
        colours[j] = next(c for c in range(j + 1) if c not in used)
    found = np.zeros(pattern.shape)
    for colour in np.unique(colours):
        mine = colours == colour
        _, tangent = along(f, x, mine.astype(float))
        found += np.where(pattern & mine, tangent[:, np.newaxis], 0.0)
    return found

# %% q4
def derivative(f, x):
    """Return the derivative of f at x, also inside another derivative."""

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
        """(the branch at x, its derivative), when it is no tree, or has been seen."""
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
