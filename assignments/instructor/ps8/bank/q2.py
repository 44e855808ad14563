"""Wrong answers to q2 of ps8."""


# %% a_little_in_the_logarithm | loses q2: a small number saves the logarithm, and cuts the loss
# off.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    shares = (shifted - shifted.exp().rowsum().log()).exp()
    return -(targets * (shares + 1e-300).log()).rowsum().mean()


# %% a_share_before_its_logarithm | loses q2: a share that became 0 has no logarithm.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    shares = (shifted - shifted.exp().rowsum().log()).exp()
    return -(targets * shares.log()).rowsum().mean()


# %% cut_off_at_minus_30 | loses q2: scores far below the largest count as 30 below.
# %% q2 after the key
def loss(scores, targets):
    shifted = (scores - scores.rowmax() + 30.0).relu() - 30.0
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()


# %% never_below_the_largest | loses q2: the largest score in place of the sum, once it is far
# ahead.
# %% q2 after the key
def loss(scores, targets):
    largest = scores.rowmax()
    total = (scores - largest).exp().rowsum()
    return (largest + total.log() - (targets * scores).rowmax()).mean()


# %% one_shift_for_all_rows | loses q2: the mean of the rows' largest scores is taken from all.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax().mean()
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()


# %% only_sure_targets | loses q2: what is less than a half does not count.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return -((targets - 0.5).relu() * 2.0 * logs).rowsum().mean()


# %% shifts_in_place | loses q2: Tensors are shifted in their own array, which the caller has, too.
def loss(scores, targets):
    if hasattr(scores, "backward"):
        scores.value -= scores.value.max(axis=1, keepdims=True)
    else:
        scores = scores - scores.rowmax()
    logs = scores - scores.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()


# %% ten_classes | loses q2: a mean of entries, times ten.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return (targets * logs).mean() * -10.0
