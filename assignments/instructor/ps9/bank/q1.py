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
