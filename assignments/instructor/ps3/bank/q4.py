"""Wrong answers to q4 of ps3."""


# %% a_constant_raises | loses q4: the result of f is taken for a tagged number, always. | says:
# cannot compute with a number of an outer derivative, or with a constant
# %% q4 after the key
def derivative(f, x):
    tag = next(TAGS)
    result = f(Tagged(x, 1.0, tag))
    return result.tangent if result.tag == tag else 0.0


# %% a_step_in_a_step | loses q4: finite differences, a step inside a step. | says: It calls f
# more than once
def derivative(f, x, step=1e-4):
    return (f(x + step) - f(x - step)) / (2 * step)


# %% a_tangent_of_zero_is_dropped | loses q4: a number whose tangent is 0 just now becomes a
# constant, even where that 0 moves for an outer derivative: ∂/∂x (∂/∂y (x y)) at x = 0. | says:
# whose tangent is 0 just now is taken for a constant
import itertools

CALLS = itertools.count()


class Tagged:
    """A number that moves for one call of derivative; value and tangent may move for others."""

    def __init__(self, mark, value, tangent):
        self.mark, self.value, self.tangent = mark, value, tangent

    def __add__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Tagged(mark, x + y, v + w)

    def __mul__(self, other):
        mark, x, v, y, w = apart(self, other)
        return tidy(Tagged(mark, x * y, v * y + x * w))

    def __sub__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Tagged(mark, x - y, v - w)

    def __rsub__(self, other):
        return -1.0 * self + other

    __radd__, __rmul__ = __add__, __mul__


def number(x):
    """The plain number inside."""
    while isinstance(x, Tagged):
        x = x.value
    return x


def tidy(z):
    """z, or its value alone when it stands still."""
    return z.value if number(z.tangent) == 0 else z


def apart(x, y):
    """The later mark, and value and tangent of both for it."""
    mark = max(z.mark for z in (x, y) if isinstance(z, Tagged))
    found = [mark]
    for z in (x, y):
        mine = isinstance(z, Tagged) and z.mark == mark
        found += [z.value, z.tangent] if mine else [z, 0.0]
    return found


def derivative(f, x):
    """Return the derivative of f at x, also inside another derivative."""
    mark = next(CALLS)
    z = f(Tagged(mark, x, 1.0))
    return z.tangent if isinstance(z, Tagged) and z.mark == mark else 0.0


# %% added_outer_lost | loses q4: a + b drops the outer number's tangent? a sum keeps only own
# part. | says: is lost how an inner derivative depends
# %% q4 after the key
def plus(x, y):
    if isinstance(y, Tagged) and y.tag != x.tag:
        low, high = sorted((x, y), key=tag_of)
        return Tagged(high.value + low.value, high.tangent, high.tag)
    tag = x.tag
    (a, da), (b, db) = parts(x, tag), parts(y, tag)
    return Tagged(a + b, da + db, tag)


Tagged.__add__ = Tagged.__radd__ = plus


# %% all_subsets | loses q4: every number has a coefficient for each set of open derivatives: 30
# deep takes 2³⁰ of them. | says: The work doubles
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
    """Return the derivative of f at x, also inside another derivative."""
    half = 2 ** DEPTH[0]
    below = widen(x)
    DEPTH[0] += 1
    try:
        result = widen(f(Open(below + [1.0] + [0.0] * (half - 1))))
    finally:
        DEPTH[0] -= 1
    partial = result[half:]
    return Open(partial) if half > 1 else partial[0]


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


# %% an_error_is_a_derivative_of_zero | loses q4: an f that fails with an ArithmeticError has the
# derivative 0, and the error is lost. | says: does not come out
# %% q4 after the key
def derivative(f, x, derivative=derivative):
    try:
        return derivative(f, x)
    except ArithmeticError:
        return 0.0


# %% asked_again_with_a_number | loses q4: when f raises TypeError, it is called a second time,
# with the plain x. | says: does not come out
# %% q4 after the key
def derivative(f, x, derivative=derivative):
    try:
        return derivative(f, x)
    except TypeError:
        f(x)
        return 0.0


# %% at_a_constant_point | loses q4: the point of an inner derivative is a constant when it is
# computed from x. | says: point of an inner derivative
# %% q4 after the key
at_any_point = derivative


def derivative(f, x):
    while isinstance(x, Tagged):
        x = x.value
    return at_any_point(f, x)


# %% constants_of_the_running_call | loses q4: a constant gets the tag of the call that runs,
# which an inner f that raised has never reset. | says: leaves something behind
# %% q4 after the key
RUNNING = [0]


def lifted(operation):
    def method(self, other):
        if not isinstance(other, Tagged) and RUNNING[0] > self.tag:
            return Tagged(operation(self, other), 0.0, RUNNING[0])
        return operation(self, other)

    return method


Tagged.__sub__, Tagged.__rsub__ = lifted(Tagged.__sub__), lifted(Tagged.__rsub__)


def derivative(f, x):
    before, RUNNING[0] = RUNNING[0], next(TAGS)
    tag = RUNNING[0]
    partial = parts(f(Tagged(x, 1.0, tag)), tag)[1]
    RUNNING[0] = before
    return partial


# %% cut_off_from_the_outer | loses q4: an inner derivative returns a bare number. | says: bare
# number
# %% q4 after the key
def cut_off(derivative):
    return lambda f, x: bare(derivative(f, x))


def bare(number):
    return bare(number.value) if isinstance(number, Tagged) else number


derivative = cut_off(derivative)


# %% grows_in_the_derivative | loses q4: `z = x; z *= x` changes the variable x itself. | says:
# changes the variable x itself
# %% q4 after the key
def grown(operation):
    def method(self, other):
        new = operation(self, other)
        self.value, self.tangent, self.tag = new.value, new.tangent, new.tag
        return self

    return method


Tagged.__iadd__, Tagged.__imul__ = grown(Tagged.__add__), grown(Tagged.__mul__)


# %% kept_from_an_earlier_call | loses q4: derivative remembers its results by f and x, although
# what f uses has changed. | says: result of an earlier call
import itertools

CALLS = itertools.count()
KNOWN = {}


class Tagged:
    """A number that moves for one call of derivative; value and tangent may move for others."""

    def __init__(self, mark, value, tangent):
        self.mark, self.value, self.tangent = mark, value, tangent

    def __add__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Tagged(mark, x + y, v + w)

    def __mul__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Tagged(mark, x * y, v * y + x * w)

    def __sub__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Tagged(mark, x - y, v - w)

    def __rsub__(self, other):
        return -1.0 * self + other

    __radd__, __rmul__ = __add__, __mul__


def apart(x, y):
    """The later mark, and value and tangent of both for it."""
    mark = max(z.mark for z in (x, y) if isinstance(z, Tagged))
    found = [mark]
    for z in (x, y):
        mine = isinstance(z, Tagged) and z.mark == mark
        found += [z.value, z.tangent] if mine else [z, 0.0]
    return found


def derivative(f, x):
    """Return the derivative of f at x, also inside another derivative."""
    if (f, x) not in KNOWN:
        mark = next(CALLS)
        z = f(Tagged(mark, x, 1.0))
        own = isinstance(z, Tagged) and z.mark == mark
        KNOWN[f, x] = z.tangent if own else 0.0
    return KNOWN[f, x]


# %% left_by_an_error | loses q4: an f that raises leaves its level open. | says: leaves something
# behind
# %% q4 after the key
OPEN = []


def derivative(f, x):
    OPEN.append(f)
    tag = len(OPEN)
    partial = parts(f(Tagged(x, 1.0, tag)), tag)[1]
    OPEN.pop()
    return Tagged(partial, 0.0, len(OPEN)) if OPEN and tag_of(partial) == 0 else partial


# %% minus_turned_round | loses q4: a - x is computed as x - a. | says: x - c instead of c - x
# %% q4 after the key
Tagged.__rsub__ = Tagged.__sub__


# %% no_number_on_the_left | loses q4: 2 * x raises TypeError. | says: cannot compute with a
# number of an outer derivative, or with a constant
# %% q4 after the key
del Tagged.__rmul__


# %% numbers_join_the_last_call | loses q4: what meets a constant gets the tag of the call that
# began last, though it has ended. | says: tangents of two derivatives are mixed up
# %% q4 after the key
LAST = [0]


def lifted(operation):
    def method(self, other):
        if not isinstance(other, Tagged) and LAST[0] > self.tag:
            return Tagged(operation(self, other), 0.0, LAST[0])
        return operation(self, other)

    return method


Tagged.__sub__, Tagged.__rsub__ = lifted(Tagged.__sub__), lifted(Tagged.__rsub__)


def derivative(f, x):
    LAST[0] = tag = next(TAGS)
    return parts(f(Tagged(x, 1.0, tag)), tag)[1]


# %% one_slot_for_all | loses q4: perturbation confusion: one slot holds the tangents of all
# derivatives. | says: share one tag or one slot
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


# %% only_three_levels | loses q4: right for three derivatives in one another, not for four. |
# says: tangents of two derivatives are mixed up
# %% q4 after the key
at_any_level, OPEN = derivative, []


def derivative(f, x):
    OPEN.append(f)
    try:
        return at_any_level(f, x) if len(OPEN) < 4 else 0.0
    finally:
        OPEN.pop()


# %% only_two_levels | loses q4: two tags by turns: right for two derivatives, confused by three.
# | says: tangents of two derivatives are mixed up
# %% q4 after the key
TAGS = itertools.cycle((1, 2))


# %% outer_tangent_dropped | loses q4: where tags differ, the outer number's value alone is taken.
# | says: is lost how an inner derivative depends
# %% q4 after the key
def product(x, y):
    tag = max(tag_of(x), tag_of(y))
    x, y = (z.value if isinstance(z, Tagged) and z.tag != tag else z for z in (x, y))
    (a, da), (b, db) = parts(x, tag), parts(y, tag)
    return Tagged(a * b, da * b + a * db, tag)


Tagged.__mul__ = Tagged.__rmul__ = product


# %% owner_by_depth_of_point | loses q4: the tag of a derivative is that of its point, plus 1. |
# says: by their points
# %% q4 after the key
def derivative(f, x):
    tag = tag_of(x) + 1
    return parts(f(Tagged(x, 1.0, tag)), tag)[1]


# %% plain_point_plain_result | loses q4: at a plain point the derivative is made a plain number.
# | says: bare number
# %% q4 after the key
def derivative(f, x, derivative=derivative):
    found = derivative(f, x)
    if not isinstance(x, Tagged):
        while isinstance(found, Tagged):
            found = found.value
    return found


# %% quotients_of_fractions | loses q4: small steps in fractions, exact to fifty digits, and two
# calls of f. | says: It calls f more than once
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
    partial = Exact((ahead.number - back.number) / (2 * step))
    return partial if STEPS else float(partial.number)


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


# %% reset_by_an_error | loses q4: an error sets the level to 0, also for the outer derivative
# that goes on. | says: leaves something behind
# %% q4 after the key
LEVEL = [0]


def derivative(f, x):
    LEVEL[0] += 1
    level = LEVEL[0]
    try:
        result = f(Tagged(x, 1.0, level))
    except BaseException:
        LEVEL[0] = 0
        raise
    LEVEL[0] = level - 1
    return parts(result, level)[1]


# %% second_order_dropped | loses q4: the product rule takes the other factor's bare number, which
# no longer moves. | says: bare number
# %% q4 after the key
def product(x, y):
    tag = max(tag_of(x), tag_of(y))
    (a, a_dot), (b, b_dot) = parts(x, tag), parts(y, tag)
    return Tagged(a * b, a_dot * bare(b) + bare(a) * b_dot, tag)


def bare(number):
    return bare(number.value) if isinstance(number, Tagged) else number


Tagged.__mul__ = Tagged.__rmul__ = product


# %% tag_by_value | loses q4: two numbers with equal values count as the same variable. | says:
# tangents of two derivatives are mixed up
# %% q4 after the key
SEEN = {}


def derivative(f, x):
    key = x if not isinstance(x, Tagged) else id(x)
    tag = SEEN.setdefault(key, next(TAGS))
    return parts(f(Tagged(x, 1.0, tag)), tag)[1]


# %% tagged_by_the_point | loses q4: the tag is the point, so two derivatives at one point share
# it. | says: tangents of two derivatives are mixed up
# %% q4 after the key
def derivative(f, x):
    tag = x.tag + 0.5 if isinstance(x, Tagged) else x
    return parts(f(Tagged(x, 1.0, tag)), tag)[1]


# %% tags_by_function | loses q4: a function keeps the tag of its first derivative, also where it
# is an outer function later, or both. | says: share one tag or one slot
# %% q4 after the key
MARKS = {}


def derivative(f, x):
    tag = MARKS.setdefault(f, len(MARKS) + 1)
    return parts(f(Tagged(x, 1.0, tag)), tag)[1]


# %% takes_an_outer_tangent | loses q4: a result that belongs to the outer derivative gives its
# tangent to the inner one. | says: belongs to an outer derivative only
# %% q4 after the key
def derivative(f, x):
    result = f(Tagged(x, 1.0, next(TAGS)))
    return result.tangent if isinstance(result, Tagged) else 0.0


# %% the_left_one_leads | loses q4: where two tags meet, the left number's leads. | says: the left
# one decides
class Own:
    def __init__(self, value, tangent, tag):
        self.value, self.tangent, self.tag = value, tangent, tag

    def parts(self, other):
        mine = isinstance(other, Own) and other.tag is self.tag
        return (other.value, other.tangent) if mine else (other, 0.0)

    def __add__(self, other):
        value, tangent = self.parts(other)
        return Own(self.value + value, self.tangent + tangent, self.tag)

    def __mul__(self, other):
        value, tangent = self.parts(other)
        return Own(self.value * value, self.tangent * value + self.value * tangent, self.tag)

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
    return result.tangent if isinstance(result, Own) and result.tag is me else 0.0


# %% the_outer_one_leads | loses q4: where two tags meet, the earlier call's leads. | says: gets
# the tag of the outer derivative
# %% q4 after the key
def outer_first(operation):
    def method(self, other):
        if isinstance(other, Tagged) and other.tag != self.tag:
            tag = min(self.tag, other.tag)
            (a, v), (b, w) = parts(self, tag), parts(other, tag)
            return Tagged(*operation(a, v, b, w), tag)
        return plain[operation](self, other)

    return method


def added(a, v, b, w):
    return a + b, v + w


def multiplied(a, v, b, w):
    return a * b, v * b + a * w


plain = {added: Tagged.__add__, multiplied: Tagged.__mul__}
Tagged.__add__ = Tagged.__radd__ = outer_first(added)
Tagged.__mul__ = Tagged.__rmul__ = outer_first(multiplied)


# %% the_running_level | loses q4: a result is asked for the level that runs at its end, which an
# inner f that raised has changed. | says: leaves something behind
# %% q4 after the key
LEVEL = [0]


def derivative(f, x):
    LEVEL[0] += 1
    partial = parts(f(Tagged(x, 1.0, LEVEL[0])), LEVEL[0])[1]
    LEVEL[0] -= 1
    return partial


# %% zero_for_what_is_not_mine_moves | loses q4: a result that belongs to an outer derivative is
# returned as the derivative. | says: tangents of two derivatives are mixed up
# %% q4 after the key
def derivative(f, x):
    tag = next(TAGS)
    result = f(Tagged(x, 1.0, tag))
    return result.tangent if tag_of(result) == tag else result
