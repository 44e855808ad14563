"""Loses q4: f is expanded to a polynomial and that is derived: (x - 10.5)**20 at 10.5 gives
millions, not 0, since large terms do not cancel."""

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
    """The slope of f at x, also inside another derivative."""
    mark = next(MARKS)
    result = f(Poly(mark, [0.0, 1.0]))
    slope = 0.0
    if isinstance(result, Poly) and result.mark == mark:
        for power in range(len(result.terms) - 1, 0, -1):
            slope = slope * x + result.terms[power] * power
    return slope
