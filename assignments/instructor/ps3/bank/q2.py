"""Wrong answers to q2 of ps3."""


# %% a_vector_of_one_entry | loses q2: tanh takes a vector of one entry for a number, and its axis
# is lost.
# %% q2 after the key
def tanh(x):
    value, tangent = x.value, x.tangent
    if np.size(value) == 1:
        value, tangent = float(np.sum(value)), float(np.sum(tangent))
    t = np.tanh(value)
    return Dual(t, (1 - t**2) * tangent)


# %% chain_rule_in_place | loses q2: the slopes are multiplied in place into a copy of the speeds,
# which has their type: with whole speeds, sin raises.
# %% q2 after the key
def sin(x):
    tangent = np.array(x.tangent)
    if tangent.ndim == 0:
        return Dual(np.sin(x.value), np.cos(x.value) * x.tangent)
    tangent *= np.cos(x.value)
    return Dual(np.sin(x.value), tangent)


# %% column_becomes_a_vector | loses q2: a vector is made a column and the product squeezed, so
# [2,3] @ [3,1] gives [2], not [2,1].
# %% q2 after the key
def matmul(x, y):
    x, y = (z if isinstance(z, Dual) else Dual(z, np.zeros(np.shape(z))) for z in (x, y))
    tangent = times(x.tangent, y.value) + times(x.value, y.tangent)
    return Dual(times(x.value, y.value), tangent)


def times(a, b):
    product = a @ np.reshape(b, (a.shape[1], -1))
    return product[:, 0] if product.shape[1] == 1 else product


# %% cosine_is_a_shifted_sine | loses q2: cos(x) is taken as sin(x + π/2), which is far off where x
# is so large that the shift is rounded away: 1e17.
# %% q2 after the key
def sin(x):
    return Dual(np.sin(x.value), np.sin(x.value + np.pi / 2) * x.tangent)


# %% exp_in_place | loses q2: e to the power x is written into the array of x.
# %% q2 after the key
def exp(x):
    power = np.exp(x.value, out=x.value if np.ndim(x.value) else None)
    return Dual(power, power * x.tangent)


# %% factors_swapped | loses q2: the second factor's speed comes first; matrices that commute cannot
# tell.
# %% q2 after the key
def matmul(x, y):
    (a, v), (b, w) = parts_of(x), parts_of(y)
    return Dual(a @ b, v @ b + (w @ a if a.shape == b.shape else a @ w))


def parts_of(x):
    return (x.value, x.tangent) if isinstance(x, Dual) else (x, np.zeros(x.shape))


# %% guarded_logarithm | loses q2: log adds 1e-12 so that 0 does no harm: log(0) is -27.6, not -inf,
# and log(1e-10) is one percent of a percent off.
# %% q2 after the key
def log(x):
    safe = x.value + 1e-12
    return Dual(np.log(safe), x.tangent / safe)


# %% log_of_the_size | loses q2: log takes |x|, whose slope is 1 / x as well: log(-2) is a number,
# NumPy's is nan.
# %% q2 after the key
def log(x):
    return Dual(np.log(np.abs(x.value)), x.tangent / x.value)


# %% matmul_adds_in_place | loses q2: the second product is added in place, in the type of the
# first: a whole matrix with whole speeds, times one whose speeds are broken, raises.
# %% q2 after the key
def matmul(x, y):
    a, b = (z.value if isinstance(z, Dual) else z for z in (x, y))
    tangents = [x.tangent @ b] if isinstance(x, Dual) else []
    tangents += [a @ y.tangent] if isinstance(y, Dual) else []
    for more in tangents[1:]:
        tangents[0] += more
    return Dual(a @ b, tangents[0])


# %% mean_times_size | loses q2: total is the mean times the number of entries: nan, not 0, where
# there are none.
# %% q2 after the key
def total(x):
    return Dual(*(np.mean(part) * np.size(part) for part in (x.value, x.tangent)))


# %% numbers_by_math | loses q2: plain numbers go through math, which raises OverflowError for
# exp(1000) and ValueError for log(0), where NumPy has inf.
# %% q2 after the key
import math


def exp(x):
    power = np.exp(x.value) if np.ndim(x.value) else math.exp(x.value)
    return Dual(power, power * x.tangent)


# %% one_column_times_one_row | loses q2: a matrix of one column is multiplied by `*`, which
# stretches: [2,1] @ [1] has one axis, and comes with two.
# %% q2 after the key
def matmul(x, y, matmul=matmul):
    a, b = (z if isinstance(z, Dual) else Dual(z, np.zeros(np.shape(z))) for z in (x, y))
    return a * b if a.value.shape[1] == 1 else matmul(x, y)


# %% product_into_the_plain_matrix | loses q2: matmul(array, x) puts the product into the plain
# matrix, by `out=`.
# %% q2 after the key
def matmul(x, y, matmul=matmul):
    if isinstance(x, Dual) or x.shape != y.value.shape or x.dtype != y.value.dtype:
        return matmul(x, y)
    tangent = x @ y.tangent
    return Dual(np.matmul(x, y.value, out=x), tangent)


# %% remembered_by_its_place | loses q2: exp remembers results by id(x); a later Dual at the place
# of a dead one gets the old result.
# %% q2 after the key
DONE = {}
new_exp = exp


def exp(x):
    if id(x) not in DONE:
        DONE[id(x)] = new_exp(x)
    return DONE[id(x)]


# %% results_as_whole_as_x | loses q2: the results are filled into arrays like x, which are whole
# where x is: sin(1) is 0.
# %% q2 after the key
def sin(x):
    if np.ndim(x.value) == 0:
        return Dual(np.sin(x.value), np.cos(x.value) * x.tangent)
    value, tangent = np.zeros_like(x.value), np.zeros_like(x.tangent)
    for place in np.ndindex(value.shape):
        value[place] = np.sin(x.value[place])
        tangent[place] = np.cos(x.value[place]) * x.tangent[place]
    return Dual(value, tangent)


# %% sine_without_speed | loses q2: the slope of the sine, without the tangent that comes in.
# %% q2 after the key
def sin(x):
    return Dual(np.sin(x.value), np.cos(x.value))


# %% tanh_not_squared | loses q2: 1 - tanh(x) for the slope of tanh.
# %% q2 after the key
def tanh(x):
    return Dual(np.tanh(x.value), (1 - np.tanh(x.value)) * x.tangent)


# %% tanh_of_infinite_powers | loses q2: tanh by powers of e, infinite over infinite at 1000.
# %% q2 after the key
def tanh(x):
    up, down = np.exp(x.value), np.exp(-np.asarray(x.value))
    t = (up - down) / (up + down)
    return Dual(t, (1 - t * t) * x.tangent)


# %% tanh_of_two_powers | loses q2: tanh by powers of e, whose slope is lost far from 0.
# %% q2 after the key
def tanh(x):
    up, down = exp(x), exp(Dual(-x.value, -x.tangent))
    above, below = up.value - down.value, up.value + down.value
    slope = ((up.tangent - down.tangent) * below - above * (up.tangent + down.tangent)) / below**2
    return Dual(above / below, slope)


# %% total_flattens_in_place | loses q2: total makes one row of the caller's own arrays.
# %% q2 after the key
def total(x):
    if np.ndim(x.value) > 1:
        x.value.shape = x.tangent.shape = (-1,)
    return Dual(np.sum(x.value), np.sum(x.tangent))


# %% total_of_arrays_alone | loses q2: total uses the methods of arrays: total(Dual(2.0, 1.0)), a
# single plain number, raises AttributeError; a Dual may hold numbers, and the sum of its one entry
# is (2, 1).
def exp(x):
    """The Dual of e to the power x."""
    z = np.exp(x.value)
    return type(x)(z, z * x.tangent)


def log(x):
    """The Dual of the natural logarithm of x."""
    return type(x)(np.log(x.value), x.tangent / x.value)


def sin(x):
    """The Dual of the sine of x."""
    return type(x)(np.sin(x.value), np.cos(x.value) * x.tangent)


def tanh(x):
    """The Dual of the hyperbolic tangent of x."""
    z = np.tanh(x.value)
    return type(x)(z, (1 - z * z) * x.tangent)


def total(x):
    """The Dual of the sum of all entries of x."""
    return type(x)(x.value.sum(), x.tangent.sum())


def matmul(x, y):
    """The Dual of x @ y; one of the two may be a plain array."""
    if not isinstance(y, Dual):
        return Dual(x.value @ y, x.tangent @ y)
    if not isinstance(x, Dual):
        return Dual(x @ y.value, x @ y.tangent)
    return Dual(x.value @ y.value, x.tangent @ y.value + x.value @ y.tangent)


# %% total_of_one_is_x | loses q2: total of a single number is that very Dual, not a new one.
# %% q2 after the key
def total(x, total=total):
    return total(x) if np.ndim(x.value) else x


# %% total_of_rows_and_columns | loses q2: total sums up rows, then their sums: of three axes a
# vector is left.
# %% q2 after the key
def total(x):
    return Dual(summed(x.value), summed(x.tangent))


def summed(array):
    return sum(map(sum, array)) if np.ndim(array) > 1 else np.sum(array)


# %% total_of_speeds_forgotten | loses q2: the entries' speeds are not summed up.
# %% q2 after the key
def total(x):
    return Dual(np.sum(x.value), x.tangent)


# %% transposed_factor | loses q2: the second factor's transpose, as in reverse mode; right when it
# is symmetric.
# %% q2 after the key
def matmul(x, y):
    (a, v), (b, w) = parts_of(x), parts_of(y)
    return Dual(a @ b, v @ (b.T if b.shape == b.T.shape else b) + a @ w)


def parts_of(x):
    return (x.value, x.tangent) if isinstance(x, Dual) else (x, np.zeros(x.shape))
