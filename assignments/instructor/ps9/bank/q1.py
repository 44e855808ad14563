"""Wrong answers to q1 of ps9."""


# %% along_the_second_axis | loses q1: sums along axis 1, which is the last one of a matrix alone.
# | says: The sum runs along axis 1.
def softmax_vjp(p, p_bar):
    if p.ndim == 1:
        return p * (p_bar - (p * p_bar).sum())
    return p * (p_bar - (p * p_bar).sum(axis=1, keepdims=True))


# %% diagonal_alone | loses q1: only the weight of the score itself counts: p (1 - p).
# | says: Only the diagonal of the Jacobian counts: p (1 - p).
def softmax_vjp(p, p_bar):
    return p_bar * p * (1 - p)


# %% divides_by_the_weights | loses q1: goes through the logarithm, and a weight of 0 gives nan.
# | says: A weight of 0 gives nan: the rule divides by p, or takes its logarithm.
def softmax_vjp(p, p_bar):
    with np.errstate(all="ignore"):
        return (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / (1 / p) + 0 * np.log(p)


# %% everything_is_summed | loses q1: one sum for all rows.
# | says: One sum is taken for all rows.
def softmax_vjp(p, p_bar):
    return p * (p_bar - (p * p_bar).sum())


# %% lost_axis | loses q1: the sums lose their axis, and square arrays broadcast along the wrong
# one.
# | says: The sums lose their axis, and then broadcast along the wrong one.
def softmax_vjp(p, p_bar):
    sums = (p * p_bar).sum(axis=-1)
    if p.shape[-1] != sums.shape[-1:] or p.ndim == 1:
        sums = sums[..., None] if p.ndim != 2 or p.shape[0] != p.shape[1] else sums
    return p * (p_bar - sums)


# %% mean_of_the_cotangents | loses q1: the mean of the cotangents, without the weights.
# | says: It subtracts the plain mean of p_bar, not its weighted sum.
def softmax_vjp(p, p_bar):
    return p * (p_bar - p_bar.mean(axis=-1, keepdims=True))


# %% no_row_sum | loses q1: the sum below the line is taken for a constant.
# | says: The sum over the row is missing: each score occurs in every weight of its row.
def softmax_vjp(p, p_bar):
    return p * p_bar


# %% of_the_loss | loses q1: the rule of softmax and cross-entropy together.
# | says: This is the rule of the softmax and the cross-entropy together.
def softmax_vjp(p, p_bar):
    return p - p_bar


# %% weights_missing | loses q1: the factor p is missing.
# | says: The factor p is missing.
def softmax_vjp(p, p_bar):
    return p_bar - (p * p_bar).sum(axis=-1, keepdims=True)


# %% changes_the_cotangents | loses q1: subtracts in place, so the caller's p_bar has changed.
# | says: It changes an argument in place (rule 2).
def softmax_vjp(p, p_bar):
    p_bar -= (p * p_bar).sum(axis=-1, keepdims=True)
    return p * p_bar


# %% loops_for_three_axes | loses q1: has a loop for each number of axes up to three, and multiplies
# matrices where there are four.
# | says: It fits up to three axes. Texts and heads together make four.
def softmax_vjp(p, p_bar):
    def of_row(w, w_bar):
        return w * (w_bar - np.dot(w, w_bar))

    if p.ndim == 1:
        return of_row(p, p_bar)
    s_bar = np.zeros(p.shape)
    for i in range(len(p)):
        if p.ndim == 2:
            s_bar[i] = of_row(p[i], p_bar[i])
        else:
            for j in range(p.shape[1]):
                s_bar[i, j] = of_row(p[i, j], p_bar[i, j])
    return s_bar


# %% rows_stay_flat | loses q1: joins the axes in front, and does not separate them again.
# | says: The result does not have p's shape.
def softmax_vjp(p, p_bar):
    if p.ndim == 1:
        return (np.diag(p) - np.outer(p, p)) @ p_bar
    rows, bars = p.reshape(-1, p.shape[-1]), p_bar.reshape(-1, p.shape[-1])
    jacobian = rows[:, :, None] * (np.eye(rows.shape[1]) - rows[:, None, :])
    return np.einsum("rij,rj->ri", jacobian, bars)


# %% plain_sum_of_the_cotangents | loses q1: the sum of the cotangents, without the weights.
# | says: It subtracts the plain sum of p_bar, not its weighted sum.
def softmax_vjp(p, p_bar):
    return p * (p_bar - p_bar.sum(axis=-1, keepdims=True))


# %% along_the_first_axis | loses q1: sums over the rows, as if the weights were columns.
# | says: The sum runs along axis 0 instead of the last axis.
def softmax_vjp(p, p_bar):
    if p.ndim == 1:
        return p * (p_bar - (p * p_bar).sum())
    return p * (p_bar - (p * p_bar).sum(axis=0, keepdims=True))
