"""Wrong answers to q3 of ps3."""


# %% a_call_for_the_shape | loses q3: one more call of f, to learn how many entries it has. |
# says: more often than once for each group
# %% q3 after the key
def sparse_jacobian(f, x, pattern, sparse_jacobian=sparse_jacobian):
    rows = len(along(f, x, np.zeros(len(x)))[0])
    return sparse_jacobian(f, x, pattern[:rows])


# %% a_pass_for_each_column | loses q3: a pass for each column, as without a pattern. | says: calls
# f once for each column
# %% q3 after the key
def grouped_columns(pattern):
    return [[j] for j in range(pattern.shape[1])]


# %% a_small_step | loses q3: difference quotients along the groups: a call too many. | says: more
# often than once for each group
# %% q3 after the key
def sparse_jacobian(f, x, pattern, step=1e-7):
    at = along(f, x, np.zeros(len(x)))[0]
    found = np.zeros(pattern.shape)
    for group in grouped_columns(pattern):
        v = np.zeros(len(x))
        v[group] = 1.0
        tangent = (along(f, x + step * v, v)[0] - at) / step
        for j in group:
            found[:, j] = np.where(pattern[:, j], tangent, 0.0)
    return found


# %% a_weight_for_each_column | loses q3: the direction has other numbers than 1, by which nothing
# is divided afterwards. | says: columns with a conflict share a pass
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    found = np.zeros(pattern.shape)
    for group in grouped_columns(pattern):
        v = np.zeros(len(x))
        v[group] = np.arange(1.0, len(group) + 1)
        tangent = along(f, x, v)[1]
        for j in group:
            found[:, j] = np.where(pattern[:, j], tangent, 0.0)
    return found


# %% compared_with_the_last_column | loses q3: a column is compared with the last one of a group
# only. | says: one column of a group
# %% q3 after the key
def grouped_columns(pattern):
    groups = []
    for j in range(pattern.shape[1]):
        for group in groups:
            if not (pattern[:, group[-1]] & pattern[:, j]).any():
                group.append(j)
                break
        else:
            groups.append([j])
    return groups


# %% direction_of_x | loses q3: the direction has the entries of x at the columns of the group. |
# says: directions contain x
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    found = np.zeros(pattern.shape)
    for group in grouped_columns(pattern):
        v = np.zeros(len(x))
        v[group] = x[group]
        tangent = along(f, x, v)[1]
        for j in group:
            found[:, j] = np.where(pattern[:, j], tangent, 0.0)
    return found


# %% earlier_columns_stay | loses q3: each pass moves its group and, still, the groups before. |
# says: still moves the columns of earlier groups
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    found, v = np.zeros(pattern.shape), np.zeros(len(x))
    for group in grouped_columns(pattern):
        v = v.copy()
        v[group] = 1.0
        tangent = along(f, x, v)[1]
        for j in group:
            found[:, j] = np.where(pattern[:, j], tangent, 0.0)
    return found


# %% first_column_compared | loses q3: a group is known by its first column. | says: one column of
# a group
# %% q3 after the key
def grouped_columns(pattern):
    groups = {}
    for j in range(pattern.shape[1]):
        for first in groups:
            if not np.any(pattern[:, first] & pattern[:, j]):
                groups[first].append(j)
                break
        else:
            groups[j] = [j]
    return list(groups.values())


# %% first_column_of_the_row | loses q3: a row's number goes to the first True of its row,
# whatever the group is. | says: in the wrong column or missing
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    found = np.zeros(pattern.shape)
    for group in grouped_columns(pattern):
        v = np.zeros(len(x))
        v[group] = 1.0
        tangent = along(f, x, v)[1]
        for i, row in enumerate(pattern):
            if row.any():
                found[i, row.argmax()] += tangent[i]
    return found


# %% group_copied | loses q3: the tangent of a pass goes into every column of the group, without
# the pattern. | says: copies the tangent of a pass into every column
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    found = np.zeros(pattern.shape)
    for group in grouped_columns(pattern):
        v = np.zeros(len(x))
        v[group] = 1.0
        found[:, group] = along(f, x, v)[1][:, None]
    return found


# %% groups_by_rows | loses q3: the groups are found among the rows of the pattern. | says:
# columns with a conflict share a pass
# %% q3 after the key
def grouped_columns(pattern, grouped_columns=grouped_columns):
    n = pattern.shape[1]
    groups = [[j for j in group if j < n] for group in grouped_columns(pattern.T)]
    known = {j for group in groups for j in group}
    return [*filter(None, groups), *([j] for j in range(n) if j not in known)]


# %% into_the_newest_group | loses q3: a column is tried with the newest group alone. | says: the
# newest group
# %% q3 after the key
def grouped_columns(pattern):
    groups = []
    for j in range(pattern.shape[1]):
        if groups and not (pattern[:, groups[-1]] & pattern[:, [j]]).any():
            groups[-1].append(j)
        else:
            groups.append([j])
    return groups


# %% last_group_wins | loses q3: no break, a column joins each group that fits. | says: more often
# than once for each group
# %% q3 after the key
def grouped_columns(pattern):
    groups = []
    for j in range(pattern.shape[1]):
        placed = False
        for group in groups:
            if not any((pattern[:, j] & pattern[:, k]).any() for k in group):
                group.append(j)
                placed = True
        if not placed:
            groups.append([j])
    return groups


# %% neighbours_never_conflict_twice | loses q3: three groups by turns, as a band of three needs.
# | says: calls f more often than once for each group
# %% q3 after the key
def grouped_columns(pattern):
    n = pattern.shape[1]
    return [list(range(start, n, 3)) for start in range(min(3, n))]


# %% no_jacobian_of_a_constant | loses q3: what f returns is taken for a Dual, always. | says:
# `along` knows that
# %% q3 after the key
def along(f, x, v):
    z = f(Dual(x, v))
    return z.value, z.tangent


def sparse_jacobian(f, x, pattern):
    found = np.zeros(pattern.shape)
    for group in grouped_columns(pattern):
        v = np.zeros(len(x))
        v[group] = 1.0
        tangent = f(Dual(x, v)).tangent
        for j in group:
            found[:, j] = np.where(pattern[:, j], tangent, 0.0)
    return found


# %% one_direction_for_all | loses q3: one array holds the direction of every pass, and all
# tangents are kept until the end. | says: a later pass has written into
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    v, passes = np.zeros(len(x)), []
    for group in grouped_columns(pattern):
        v[:] = 0.0
        v[group] = 1.0
        passes.append((group, along(f, x, v)[1]))
    found = np.zeros(pattern.shape)
    for group, tangent in passes:
        for j in group:
            found[:, j] = np.where(pattern[:, j], tangent, 0.0)
    return found


# %% pattern_is_used_up | loses q3: rows that are done are struck out of the caller's pattern. |
# says: changes x or pattern
# %% q3 after the key
def sparse_jacobian(f, x, pattern, sparse_jacobian=sparse_jacobian):
    found = sparse_jacobian(f, x, pattern.copy())
    pattern[:] = False
    return found


# %% plain_x_for_f | loses q3: f gets x, not a Dual. | says: f gets a plain array
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    return np.where(pattern, f(x)[:, None], 0.0)


# %% rows_for_columns | loses q3: each pass fills rows: the transpose. | says: transpose
# %% q3 after the key
def sparse_jacobian(f, x, pattern, sparse_jacobian=sparse_jacobian):
    return sparse_jacobian(f, x, pattern).T


# %% rows_of_pattern_conflict | loses q3: two columns are said to conflict when two rows have a True
# in common. | says: take a row for a column
# %% q3 after the key
def grouped_columns(pattern):
    groups = []
    for j in range(pattern.shape[1]):
        for group in groups:
            if not any((pattern[j] & pattern[k]).any() for k in group):
                group.append(j)
                break
        else:
            groups.append([j])
    return groups


# %% square_result | loses q3: the result is made square. | says: does not have the shape of
# `pattern`
# %% q3 after the key
def sparse_jacobian(f, x, pattern):
    found = np.zeros((len(x), len(x)))
    for group in grouped_columns(pattern):
        v = np.zeros(len(x))
        v[group] = 1.0
        t = along(f, x, v)[1]
        for j in group:
            for i in range(len(t)):
                if pattern[i, j]:
                    found[i, j] = t[i]
    return found


# %% the_newest_that_fits | loses q3: the groups are tried from the newest to the oldest. | says:
# It begins with the newest group
# %% q3 after the key
def grouped_columns(pattern):
    groups = []
    for j in range(pattern.shape[1]):
        free = [g for g in reversed(groups) if not (pattern[:, g] & pattern[:, [j]]).any()]
        if free:
            free[0].append(j)
        else:
            groups.append([j])
    return groups
