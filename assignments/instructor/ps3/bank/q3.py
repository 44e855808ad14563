"""Wrong answers to q3 of ps3."""


# %% a_call_for_the_shape | loses q3: one more call of f, to learn how many entries it has.
# %% q3 after the key
def jacobian(f, x):
    found = np.zeros((len(along(f, x, np.zeros(len(x)))[0]), len(x)))
    for j, seed in enumerate(np.eye(len(x))):
        found[:, j] = along(f, x, seed)[1]
    return found


# %% a_small_step | loses q3: f moved by a small step: two calls, and half of the digits.
# %% q3 after the key
def along(f, x, v):
    ahead, back = (f(Dual(x + step * v, v)) for step in (1e-6, -1e-6))
    if not isinstance(ahead, Dual):
        return ahead, 0.0 * ahead
    return (ahead.value + back.value) / 2, (ahead.value - back.value) / 2e-6


# %% along_swallows_errors | loses q3: an f that raises has the value and the slope nan: the error
# is lost.
# %% q3 after the key
def along(f, x, v, along=along):
    try:
        return along(f, x, v)
    except Exception:
        return np.nan, np.nan


# %% asked_again_when_it_stands_still | loses q3: when f's result has no tangent, f is called a
# second time, with plain x: along(lambda x: 5.0, 3.0, 1.0) calls f twice (and so does each pass of
# jacobian).
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    try:
        z = f(Dual(x, v))
        return z.value, z.tangent
    except AttributeError:  # no Dual: it stands still
        value = f(x)
        return value, np.zeros(np.shape(value))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    return np.stack([along(f, x, v)[1] for v in np.eye(len(x))], axis=1)


# %% asked_whether_it_is_constant | loses q3: when the first pass gives a plain array, f is asked
# once more, all inputs moving, whether it is a constant.
# %% q3 after the key
def jacobian(f, x):
    results = [f(Dual(x, seed)) for seed in np.eye(len(x))]
    if not isinstance(results[0], Dual) and not isinstance(f(Dual(x, np.ones(len(x)))), Dual):
        return np.zeros((len(results[0]), len(x)))
    columns = [along(lambda x: result, x, x)[1] for result in results]
    return np.stack(columns, axis=1)


# %% changes_the_speeds | loses q3: the result is written into the caller's v.
# %% q3 after the key
def along(f, x, v):
    result = f(Dual(x, v))
    if not isinstance(result, Dual):
        return result, np.zeros(np.shape(result))
    if np.ndim(v) and np.shape(v) == np.shape(result.tangent) and not np.all(np.isin(v, (0, 1))):
        v[...] = result.tangent
    return result.value, result.tangent


# %% earlier_seeds_stay | loses q3: each pass moves its input and, still, all earlier ones.
# %% q3 after the key
def jacobian(f, x):
    seed, columns = np.zeros(len(x)), []
    for j in range(len(x)):
        seed[j] = 1.0
        columns.append(along(f, x, seed)[1])
    return np.column_stack(columns)


# %% no_jacobian_of_a_constant | loses q3: jacobian takes what f returns for a Dual, always.
# %% q3 after the key
def jacobian(f, x):
    return np.stack([f(Dual(x, seed)).tangent for seed in np.eye(len(x))], axis=1)


# %% no_speed_no_dual | loses q3: when v is 0 everywhere, f gets the plain x, since nothing moves;
# an f that calls exp or total cannot take it: along(exp, 1.0, 0.0) raises instead of giving (e, 0).
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    z = f(Dual(x, v)) if np.any(v) else f(x)
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, np.zeros(np.shape(z))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    return np.stack([along(f, x, v)[1] for v in np.eye(len(x))], axis=1)


# %% normalised_and_back | loses q3: the direction is made 1 long and the slope multiplied by its
# length, which is inf for speeds of 1e200.
# %% q3 after the key
def along(f, x, v, along=along):
    length = np.linalg.norm(v)
    if length == 0:
        return along(f, x, v)
    value, slope = along(f, x, v / length)
    return value, slope * length


# %% one_direction_for_all | loses q3: one array of directions is written again in each pass, and
# f(x) = x keeps it.
# %% q3 after the key
def jacobian(f, x):
    seed, columns = np.zeros(len(x)), []
    for j in range(len(x)):
        seed[:] = 0.0
        seed[j] = 1.0
        columns.append(along(f, x, seed)[1])
    return np.stack(columns, axis=1)


# %% remembers_jacobians | loses q3: a jacobian is remembered by f and x; an f that reads a weight
# gives the old matrix after the weight has changed.
# %% q3 after the key
KNOWN = {}
new_jacobian = jacobian


def jacobian(f, x):
    key = f, np.asarray(x, dtype=float).tobytes()
    if key not in KNOWN:
        KNOWN[key] = new_jacobian(f, x)
    return KNOWN[key].copy()


# %% rounded_slopes | loses q3: slopes are rounded to twelve places, so that 1e-20 is 0.
# %% q3 after the key
def jacobian(f, x, jacobian=jacobian):
    return np.round(jacobian(f, x), 12)


# %% rows_for_columns | loses q3: each pass gives a row: the Jacobian's transpose, which a symmetric
# one hides.
# %% q3 after the key
def jacobian(f, x):
    return np.array([along(f, x, seed)[1] for seed in np.eye(len(x))])


# %% second_try | loses q3: when f raises TypeError it is called again with the plain x: two calls,
# and f = np.sin gets the slope 0.
# %% q3 after the key
def along(f, x, v):
    try:
        result = f(Dual(x, v))
    except TypeError:  # f does not know what a Dual is, so it cannot depend on it
        result = f(x)
    if isinstance(result, Dual):
        return result.value, result.tangent
    return result, np.zeros(np.shape(result))


# %% slopes_as_whole_as_x | loses q3: the matrix takes x's type: at x = np.array([1, 2]), whole
# numbers, the slopes of 0.5 x are 0 instead of 0.5.
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    z = f(Dual(x, v))
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, np.zeros(np.shape(z))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    columns = []
    for v in np.eye(len(x)):
        columns.append(np.asarray(along(f, x, v)[1]).astype(np.asarray(x).dtype))
    return np.stack(columns, axis=1)


# %% speeds_as_whole_as_x | loses q3: v is given x's type: at whole numbers x, the speed 0.5 is 0.
# %% q3 after the key
def along(f, x, v, along=along):
    return along(f, x, np.asarray(v).astype(np.asarray(x).dtype)[()])


def jacobian(f, x):
    x = np.asarray(x, float)
    return np.stack([along(f, x, seed)[1] for seed in np.eye(len(x))], axis=1)


# %% still_in_the_first_pass | loses q3: where x[0] alone does not move f's result, a plain one
# comes, and is taken for a constant f: the other columns are 0.
# %% q3 after the key
def jacobian(f, x):
    results = [f(Dual(x, seed)) for seed in np.eye(len(x))]
    if not isinstance(results[0], Dual):
        return np.zeros((len(results[0]), len(x)))
    columns = [along(lambda x: result, x, x)[1] for result in results]
    return np.stack(columns, axis=1)


# %% still_slope_by_zero | loses q3: the slope of what stands still is 0 times its value, which is
# nan for inf.
def along(f, x, v):
    z = f(Dual(np.array(x)[()], np.array(v)[()]))
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, 0.0 * z


def jacobian(f, x):
    columns = [np.array(along(f, x, row.copy())[1]) for row in np.eye(len(x))]
    return np.stack(columns, axis=1)


# %% unit_direction | loses q3: the direction is divided by its length: a slope, but not the speed.
# %% q3 after the key
def unit(along):
    return lambda f, x, v: along(f, x, v / np.linalg.norm(v))


along = unit(along)


# %% zeros_like_the_input | loses q3: the slope of a constant in the shape of x, not of the result.
# %% q3 after the key
def along(f, x, v):
    result = f(Dual(x, v))
    if not isinstance(result, Dual):
        result = Dual(result, np.zeros(np.shape(x)))
    return result.value, result.tangent
