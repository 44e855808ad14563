"""Wrong answers to q4 of ps3."""


# %% a_step_in_a_step | loses q4: finite differences: a step inside a step leaves few digits, or
# none.
def derivative(f, x, step=1e-4):
    return (f(x + step) - f(x - step)) / (2 * step)


# %% a_tangent_of_zero_is_dropped | loses q4: a number whose tangent is 0 just now is made a
# constant, even where that 0 moves for an outer call: ∂/∂x (∂/∂y (x y)) at x = 0, y = 2 is 1, and
# comes as 0.
import itertools

CALLS = itertools.count()


class Moving:
    """A number that moves for one call of derivative; value and tangent may move for others."""

    def __init__(self, mark, value, tangent):
        self.mark, self.value, self.tangent = mark, value, tangent

    def __add__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x + y, v + w)

    def __mul__(self, other):
        mark, x, v, y, w = apart(self, other)
        return tidy(Moving(mark, x * y, v * y + x * w))

    def __sub__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x - y, v - w)

    def __rsub__(self, other):
        return -1.0 * self + other

    __radd__, __rmul__ = __add__, __mul__


def number(x):
    """The plain number inside."""
    while isinstance(x, Moving):
        x = x.value
    return x


def tidy(z):
    """z, or its value alone when it stands still."""
    return z.value if number(z.tangent) == 0 else z


def apart(x, y):
    """The later mark, and value and tangent of both for it."""
    mark = max(z.mark for z in (x, y) if isinstance(z, Moving))
    found = [mark]
    for z in (x, y):
        mine = isinstance(z, Moving) and z.mark == mark
        found += [z.value, z.tangent] if mine else [z, 0.0]
    return found


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    mark = next(CALLS)
    z = f(Moving(mark, x, 1.0))
    return z.tangent if isinstance(z, Moving) and z.mark == mark else 0.0


# %% a_tuple_that_moves | loses q4: the moving number is a named tuple, and a number of NumPy's on
# its left multiplies each of its entries.
# %% q4 after the key
import collections


class Moving(collections.namedtuple("Moving", "value tangent owner")):
    def __add__(self, other):
        owner = max(owner_of(self), owner_of(other))
        (a, a_dot), (b, b_dot) = parts(self, owner), parts(other, owner)
        return Moving(a + b, a_dot + b_dot, owner)

    def __mul__(self, other):
        owner = max(owner_of(self), owner_of(other))
        (a, a_dot), (b, b_dot) = parts(self, owner), parts(other, owner)
        return Moving(a * b, a_dot * b + a * b_dot, owner)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return self * -1.0 + other


# %% all_subsets | loses q4: every number has a coefficient for each set of open derivatives, needed
# or not: 18 deep takes minutes, and more memory at each level.
DEPTH = [0]


class Jet:
    """A coefficient for each set of the derivatives that are open: 2 ** depth of them."""

    __array_ufunc__ = None

    def __init__(self, numbers):
        self.numbers = numbers

    def __add__(self, other):
        return Jet([a + b for a, b in zip(self.numbers, widen(other))])

    def __sub__(self, other):
        return Jet([a - b for a, b in zip(self.numbers, widen(other))])

    def __rsub__(self, other):
        return Jet(widen(other)) - self

    def __mul__(self, other):
        return Jet(product(self.numbers, widen(other)))

    __radd__, __rmul__ = __add__, __mul__


def product(a, b):
    if len(a) == 1:
        return [a[0] * b[0]]
    half = len(a) // 2
    low = product(a[:half], b[:half])
    high = [s + t for s, t in zip(product(a[:half], b[half:]), product(a[half:], b[:half]))]
    return low + high


def widen(x):
    numbers = list(x.numbers) if isinstance(x, Jet) else [x]
    return numbers + [0.0] * (2 ** DEPTH[0] - len(numbers))


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    half = 2 ** DEPTH[0]
    below = widen(x)
    DEPTH[0] += 1
    try:
        result = widen(f(Open(below + [1.0] + [0.0] * (half - 1))))
    finally:
        DEPTH[0] -= 1
    slope = result[half:]
    return Open(slope) if half > 1 else slope[0]


class Open(Jet):
    """A Jet that may be shorter than the depth asks for."""

    def __add__(self, other):
        return Open([a + b for a, b in zip(widen(self), widen(other))])

    def __sub__(self, other):
        return Open([a - b for a, b in zip(widen(self), widen(other))])

    def __rsub__(self, other):
        return Open([a - b for a, b in zip(widen(other), widen(self))])

    def __mul__(self, other):
        return Open(product(widen(self), widen(other)))

    __radd__, __rmul__ = __add__, __mul__


# %% an_error_is_a_slope_of_zero | loses q4: an f that fails with numbers has the slope 0: its
# ArithmeticError is lost.
# %% q4 after the key
def derivative(f, x, derivative=derivative):
    try:
        return derivative(f, x)
    except ArithmeticError:
        return 0.0


# %% asked_again_with_a_number | loses q4: when f raises TypeError, it is called a second time, with
# the plain x.
# %% q4 after the key
def derivative(f, x, derivative=derivative):
    try:
        return derivative(f, x)
    except TypeError:
        f(x)
        return 0.0


# %% at_a_still_point | loses q4: the point of an inner derivative stands still when it is computed
# from x.
# %% q4 after the key
at_any_point = derivative


def derivative(f, x):
    while isinstance(x, Moving) and not isinstance(x.tangent, Moving) and x.tangent != 1.0:
        x = x.value
    return at_any_point(f, x)


# %% constants_of_the_running_call | loses q4: a plain number is lifted to the call that runs, which
# an inner f that raised has never handed back: in an outer f that goes on, 2 - x belongs to a call
# that is over.
# %% q4 after the key
RUNNING = [0]


def lifted(operation):
    def method(self, other):
        if not isinstance(other, Moving) and RUNNING[0] > self.owner:
            return Moving(operation(self, other), 0.0, RUNNING[0])
        return operation(self, other)

    return method


Moving.__sub__, Moving.__rsub__ = lifted(Moving.__sub__), lifted(Moving.__rsub__)


def derivative(f, x):
    before, RUNNING[0] = RUNNING[0], next(OWNERS)
    owner = RUNNING[0]
    slope = parts(f(Moving(x, 1.0, owner)), owner)[1]
    RUNNING[0] = before
    return slope


# %% cut_off_from_the_outer | loses q4: an inner result is a bare number: the outer derivative finds
# nothing that moves.
# %% q4 after the key
def cut_off(derivative):
    return lambda f, x: bare(derivative(f, x))


def bare(number):
    return bare(number.value) if isinstance(number, Moving) else number


derivative = cut_off(derivative)


# %% grows_in_the_derivative | loses q4: `z = x; z *= x` changes the variable x itself.
# %% q4 after the key
def grown(operation):
    def method(self, other):
        new = operation(self, other)
        self.value, self.tangent, self.owner = new.value, new.tangent, new.owner
        return self

    return method


Moving.__iadd__, Moving.__imul__ = grown(Moving.__add__), grown(Moving.__mul__)


# %% kept_from_an_earlier_call | loses q4: derivative remembers its answers by f and x; the same f
# at the same x gives the old slope although what f uses has changed since (a weight in a list), and
# f is not called.
import itertools

CALLS = itertools.count()
KNOWN = {}


class Moving:
    """A number that moves for one call of derivative; value and tangent may move for others."""

    def __init__(self, mark, value, tangent):
        self.mark, self.value, self.tangent = mark, value, tangent

    def __add__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x + y, v + w)

    def __mul__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x * y, v * y + x * w)

    def __sub__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x - y, v - w)

    def __rsub__(self, other):
        return -1.0 * self + other

    __radd__, __rmul__ = __add__, __mul__


def apart(x, y):
    """The later mark, and value and tangent of both for it."""
    mark = max(z.mark for z in (x, y) if isinstance(z, Moving))
    found = [mark]
    for z in (x, y):
        mine = isinstance(z, Moving) and z.mark == mark
        found += [z.value, z.tangent] if mine else [z, 0.0]
    return found


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    if (f, x) not in KNOWN:
        mark = next(CALLS)
        z = f(Moving(mark, x, 1.0))
        own = isinstance(z, Moving) and z.mark == mark
        KNOWN[f, x] = z.tangent if own else 0.0
    return KNOWN[f, x]


# %% left_by_an_error | loses q4: an f that raises leaves its level open, and later slopes are no
# plain numbers.
# %% q4 after the key
OPEN = []


def derivative(f, x):
    OPEN.append(f)
    owner = len(OPEN)
    slope = parts(f(Moving(x, 1.0, owner)), owner)[1]
    OPEN.pop()
    return Moving(slope, 0.0, len(OPEN)) if OPEN and owner_of(slope) == 0 else slope


# %% marked_by_the_point | loses q4: the mark is the point: two derivatives at the same point are
# taken for one.
# %% q4 after the key
def derivative(f, x):
    owner = x.owner + 0.5 if isinstance(x, Moving) else x
    return parts(f(Moving(x, 1.0, owner)), owner)[1]


# %% marks_by_function | loses q4: a function keeps the mark of its first derivative: one that was
# an outer function before, or is both, mixes speeds.
# %% q4 after the key
MARKS = {}


def derivative(f, x):
    owner = MARKS.setdefault(f, len(MARKS) + 1)
    return parts(f(Moving(x, 1.0, owner)), owner)[1]


# %% numbers_join_the_last_call | loses q4: what meets a plain number is lifted to the call that
# began last, though it has ended: after an inner derivative, 2 - x stands still.
# %% q4 after the key
LAST = [0]


def lifted(operation):
    def method(self, other):
        if not isinstance(other, Moving) and LAST[0] > self.owner:
            return Moving(operation(self, other), 0.0, LAST[0])
        return operation(self, other)

    return method


Moving.__sub__, Moving.__rsub__ = lifted(Moving.__sub__), lifted(Moving.__rsub__)


def derivative(f, x):
    LAST[0] = owner = next(OWNERS)
    return parts(f(Moving(x, 1.0, owner)), owner)[1]


# %% one_slot_for_all | loses q4: perturbation confusion: one slot holds the speeds of all
# derivatives.
class Slot:
    def __init__(self, value, tangent=0.0):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        other = slot(other)
        return Slot(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        other = slot(other)
        return Slot(self.value * other.value,
                    self.tangent * other.value + self.value * other.tangent)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return other + self * -1.0


def slot(x):
    return x if isinstance(x, Slot) else Slot(x)


def derivative(f, x):
    return slot(f(Slot(x, 1.0))).tangent


# %% only_three_levels | loses q4: right for three derivatives in one another, not for four.
# %% q4 after the key
at_any_level, OPEN = derivative, []


def derivative(f, x):
    OPEN.append(f)
    try:
        return at_any_level(f, x) if len(OPEN) < 4 else 0.0
    finally:
        OPEN.pop()


# %% only_two_levels | loses q4: two marks by turns: right for two derivatives, confused by three.
# %% q4 after the key
OWNERS = itertools.cycle((1, 2))


# %% polynomials | loses q4: f is expanded to a polynomial and that is derived: (x - 10.5)**20 at
# 10.5 gives millions, not 0, since large terms do not cancel.
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


# %% pythons_numbers_alone | loses q4: int and float are plain numbers, NumPy's whole ones are not:
# x * np.int64(2) raises.
# %% q4 after the key
def checked(operation):
    def method(self, other):
        if not isinstance(other, (int, float, Moving)):
            raise TypeError(f"a {type(other).__name__} is no number")
        return operation(self, other)

    return method


for name in ("add", "radd", "mul", "rmul", "sub", "rsub"):
    setattr(Moving, f"__{name}__", checked(getattr(Moving, f"__{name}__")))


# %% quotients_of_fractions | loses q4: small steps in fractions, exact to fifty digits, and two
# calls of f.
from fractions import Fraction

STEPS = []


def derivative(f, x):
    step = Fraction(1, 10 ** (60 - 15 * len(STEPS)))
    x = x if isinstance(x, Exact) else Exact(Fraction(x))
    STEPS.append(step)
    try:
        ahead, back = (exact(f(x + Exact(move))) for move in (step, -step))
    finally:
        STEPS.pop()
    slope = Exact((ahead.number - back.number) / (2 * step))
    return slope if STEPS else float(slope.number)


def exact(x):
    return x if isinstance(x, Exact) else Exact(Fraction(x))


class Exact:
    def __init__(self, number):
        self.number = number

    def __add__(self, other):
        return Exact(self.number + exact(other).number)

    def __mul__(self, other):
        return Exact(self.number * exact(other).number)

    def __sub__(self, other):
        return Exact(self.number - exact(other).number)

    def __rsub__(self, other):
        return exact(other) - self

    __radd__, __rmul__ = __add__, __mul__


# %% reset_by_an_error | loses q4: an error sets the level back to 0, also for the outer derivative
# whose f catches it: its next inner derivative has its own level again.
# %% q4 after the key
LEVEL = [0]


def derivative(f, x):
    LEVEL[0] += 1
    level = LEVEL[0]
    try:
        result = f(Moving(x, 1.0, level))
    except BaseException:
        LEVEL[0] = 0
        raise
    LEVEL[0] = level - 1
    return parts(result, level)[1]


# %% second_order_dropped | loses q4: the product rule takes the other factor's bare number, which
# no longer moves.
# %% q4 after the key
def product(x, y):
    owner = max(owner_of(x), owner_of(y))
    (a, a_dot), (b, b_dot) = parts(x, owner), parts(y, owner)
    return Moving(a * b, a_dot * bare(b) + bare(a) * b_dot, owner)


def bare(number):
    return bare(number.value) if isinstance(number, Moving) else number


Moving.__mul__ = Moving.__rmul__ = product


# %% takes_a_strangers_speed | loses q4: a result that belongs to the outer derivative gives its
# tangent to the inner one.
# %% q4 after the key
def derivative(f, x):
    result = f(Moving(x, 1.0, next(OWNERS)))
    return result.tangent if isinstance(result, Moving) else 0.0


# %% the_left_one_leads | loses q4: where two owners meet, the left one leads: right for w · c, not
# for c · w.
class Own:
    def __init__(self, value, tangent, owner):
        self.value, self.tangent, self.owner = value, tangent, owner

    def parts(self, other):
        mine = isinstance(other, Own) and other.owner is self.owner
        return (other.value, other.tangent) if mine else (other, 0.0)

    def __add__(self, other):
        value, tangent = self.parts(other)
        return Own(self.value + value, self.tangent + tangent, self.owner)

    def __mul__(self, other):
        value, tangent = self.parts(other)
        return Own(self.value * value, self.tangent * value + self.value * tangent, self.owner)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return other + self * -1.0


def derivative(f, x):
    me = object()
    result = f(Own(x, 1.0, me))
    return result.tangent if isinstance(result, Own) and result.owner is me else 0.0


# %% the_running_level | loses q4: a result is asked for the level that runs at its end: an inner
# derivative that raised, inside an outer f that goes on, has left its own behind, and the outer
# slope is 0.
# %% q4 after the key
LEVEL = [0]


def derivative(f, x):
    LEVEL[0] += 1
    slope = parts(f(Moving(x, 1.0, LEVEL[0])), LEVEL[0])[1]
    LEVEL[0] -= 1
    return slope
