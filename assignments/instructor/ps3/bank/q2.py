"""Wrong answers to q2 of ps3."""


# %% entrywise_solution | loses q2: the rule of the quotient, (ȧ b - a ḃ) / a², in matrices. |
# says: does not satisfy what
# %% q2 after the key
def solve(a, b):
    (a, a_dot), (b, b_dot) = pair(a), pair(b)
    above = a @ b_dot - a_dot @ b
    return Dual(np.linalg.solve(a, b), np.linalg.solve(a * a, above))


# %% exp_without_tangent | loses q2: the derivative of exp, without the tangent of x. | says:
# without the tangent of x
# %% q2 after the key
def exp(x):
    return Dual(np.exp(x.value), np.exp(x.value))


# %% factors_swapped | loses q2: the tangent of the second factor comes first. | says: swaps the
# factors
# %% q2 after the key
def matmul(x, y):
    (a, v), (b, w) = pair(x), pair(y)
    return Dual(a @ b, v @ b + (w @ a if a.shape == b.shape else a @ w))


# %% factors_swapped_both | loses q2: in the tangent, both products have their factors swapped. |
# says: swaps the factors
# %% q2 after the key
def matmul(x, y):
    (a, v), (b, w) = pair(x), pair(y)
    square = a.shape == b.shape
    return Dual(a @ b, b @ v + w @ a if square else v @ b + a @ w)


# %% inverse_times_tangent | loses q2: only b moves; a counts as constant. | says: leaves out the
# tangent of a
# %% q2 after the key
def solve(a, b):
    (a, a_dot), (b, b_dot) = pair(a), pair(b)
    return Dual(np.linalg.solve(a, b), np.linalg.solve(a, b_dot))


# %% matmul_entrywise | loses q2: the rule of *, in the tangent, where shapes allow it. | says:
# multiplies entry by entry
# %% q2 after the key
def matmul(a, b):
    (a, a_dot), (b, b_dot) = pair(a), pair(b)
    if a.shape == b.shape:
        return Dual(a @ b, a_dot * b + a * b_dot)
    return Dual(a @ b, a_dot @ b + a @ b_dot)


# %% matmul_of_duals_alone | loses q2: a plain array has no value. | says: cannot multiply a Dual
# by a plain array
# %% q2 after the key
def matmul(a, b):
    return Dual(a.value @ b.value, a.tangent @ b.value + a.value @ b.tangent)


# %% one_factor_moves | loses q2: the second factor's tangent is left out. | says: leaves out the
# tangent of the second operand
# %% q2 after the key
def matmul(a, b):
    (a, a_dot), (b, b_dot) = pair(a), pair(b)
    return Dual(a @ b, a_dot @ b + 0 * (a @ b_dot))


# %% product_into_the_plain_matrix | loses q2: matmul(array, x) puts the product into the plain
# matrix. | says: writes into one of its operands
# %% q2 after the key
def matmul(x, y, matmul=matmul):
    if isinstance(x, Dual) or x.shape != y.value.shape:
        return matmul(x, y)
    tangent = x @ y.tangent
    return Dual(np.matmul(x, y.value, out=x).copy(), tangent)


# %% solve_adds | loses q2: the tangent of a contributes with a plus. | says: contributes with the
# wrong sign
# %% q2 after the key
def solve(a, b):
    (a, a_dot), (b, b_dot) = pair(a), pair(b)
    z = np.linalg.solve(a, b)
    return Dual(z, np.linalg.solve(a, b_dot + a_dot @ z))


# %% solve_of_duals_alone | loses q2: a plain matrix has no value. | says: cannot solve with a
# plain array
# %% q2 after the key
def solve(a, b):
    z = np.linalg.solve(a.value, b.value)
    return Dual(z, np.linalg.solve(a.value, b.tangent - a.tangent @ z))


# %% solve_of_tangents | loses q2: the tangent solves the system of the tangents. | says: system
# of the tangents alone
# %% q2 after the key
def solve(a, b, solve=solve):
    if isinstance(a, Dual) and isinstance(b, Dual):
        return Dual(np.linalg.solve(a.value, b.value), np.linalg.solve(a.tangent, b.tangent))
    return solve(a, b)


# %% solve_stops_half_way | loses q2: the right-hand side of the second system is returned,
# unsolved. | says: does not solve for that tangent
# %% q2 after the key
def solve(a, b):
    (a, a_dot), (b, b_dot) = pair(a), pair(b)
    z = np.linalg.solve(a, b)
    return Dual(z, b_dot - a_dot @ z)


# %% solve_with_b_for_z | loses q2: the tangent of a is multiplied by b. | says: multiplied by b
# %% q2 after the key
def solve(a, b):
    (a, a_dot), (b, b_dot) = pair(a), pair(b)
    return Dual(np.linalg.solve(a, b), np.linalg.solve(a, b_dot - a_dot @ b))


# %% tanh_not_squared | loses q2: 1 - tanh(x) for the derivative of tanh. | says: 1 minus the
# square
# %% q2 after the key
def tanh(x):
    return Dual(np.tanh(x.value), (1 - np.tanh(x.value)) * x.tangent)


# %% tanh_of_infinite_powers | loses q2: tanh by powers of e, infinite over infinite at 1000. |
# says: powers of e
# %% q2 after the key
def tanh(x):
    up, down = np.exp(x.value), np.exp(-np.asarray(x.value))
    t = (up - down) / (up + down)
    return Dual(t, (1 - t * t) * x.tangent)


# %% tanh_writes_into_x | loses q2: the value is computed in place. | says: writes into one of its
# operands
# %% q2 after the key
def tanh(x):
    t = np.tanh(x.value)
    if np.ndim(t):
        x.value[...] = t
    return Dual(t, (1 - t * t) * x.tangent)


# %% total_is_plain | loses q2: total returns the sum of the values, a float. | says: The result
# is not a Dual
# %% q2 after the key
def total(x):
    return float(np.sum(x.value))


# %% total_of_rows | loses q2: the sum along the first axis only. | says: does not add up all
# entries
# %% q2 after the key
def total(x):
    return Dual(np.sum(x.value, axis=0), np.sum(x.tangent, axis=0))


# %% total_of_tangents_forgotten | loses q2: the entries of the tangent are not added. | says:
# does not have the shape of the value
# %% q2 after the key
def total(x):
    return Dual(np.sum(x.value), x.tangent)


# %% transposed_factor | loses q2: the second factor's transpose, as in a backward rule. | says:
# transposes a factor
# %% q2 after the key
def matmul(x, y):
    (a, v), (b, w) = pair(x), pair(y)
    return Dual(a @ b, v @ (b.T if b.shape == b.T.shape and b.ndim == 2 else b) + a @ w)


# %% python_sum | loses q2: Python's sum adds the rows of a matrix. | says: It does not add up all
# entries of the array
def exp(x):
    v = np.exp(x.value)
    return Dual(v, v * x.tangent)


def tanh(x):
    v = np.tanh(x.value)
    return Dual(v, (1 - v * v) * x.tangent)


def total(x):
    return Dual(sum(x.value), sum(x.tangent))


def parts(x):
    return (x.value, x.tangent) if isinstance(x, Dual) else (np.asarray(x), np.zeros(np.shape(x)))


def matmul(a, b):
    (a, da), (b, db) = parts(a), parts(b)
    return Dual(a @ b, da @ b + a @ db)


def solve(a, b):
    (a, da), (b, db) = parts(a), parts(b)
    z = np.linalg.solve(a, b)
    return Dual(z, np.linalg.solve(a, db - da @ z))
