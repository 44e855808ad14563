"""Full points: columns by a generator; a number is a sum of terms, one for each set of derivatives
that it moves in."""

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
