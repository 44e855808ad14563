"""Wrong answers to q2 of ps8."""


# %% exp_of_the_scores | loses q2: exp(1000) is infinite.
# | says: an exp overflows
# %% q2 after the key
def loss(scores, targets):
    return -(targets * (scores - scores.exp().rowsum().log())).rowsum().mean()


# %% log_of_a_probability | loses q2: a probability that became 0 has no logarithm.
# | says: the logarithm of 0 is taken
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    p = (shifted - shifted.exp().rowsum().log()).exp()
    return -(targets * p.log()).rowsum().mean()


# %% small_number_in_the_logarithm | loses q2: a small number saves the logarithm, and cuts off.
# | says: A probability near 0 is cut off
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    p = (shifted - shifted.exp().rowsum().log()).exp()
    return -(targets * (p + 1e-300).log()).rowsum().mean()


# %% cut_off_at_minus_30 | loses q2: scores far below the largest count as 30 below.
# | says: A probability near 0 is cut off, or a score is.
# %% q2 after the key
def loss(scores, targets):
    shifted = (scores - scores.rowmax() + 30.0).relu() - 30.0
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()


# %% target_by_rowmax | loses q2: the target's score is found by rowmax, which is 0 if it is
# below 0, and passes nothing back.
# | says: A row does not cost the sum of − t ln p.
# %% q2 after the key
def loss(scores, targets):
    largest = scores.rowmax()
    total = (scores - largest).exp().rowsum()
    return (largest + total.log() - (targets * scores).rowmax()).mean()


# %% target_by_rowmax_of_probabilities | loses q2: for one-hot targets the largest t p is right, but
# rowmax passes nothing back.
# | says: The loss is right, but not its gradient
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs - (1.0 - targets) * 1e9).rowmax().mean()


# %% one_shift_for_all_rows | loses q2: the mean of the rows' largest scores is subtracted from all.
# | says: an exp overflows
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax().mean()
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()


# %% only_sure_targets | loses q2: targets below a half do not count.
# | says: The targets of a row are not all used as they are.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return -((targets - 0.5).relu() * 2.0 * logs).rowsum().mean()


# %% shifts_in_place | loses q2: Tensors are shifted in their own array, which the caller has, too.
# | says: It changes an array, a list or a dict that it was given (rule 3).
def loss(scores, targets):
    if hasattr(scores, "backward"):
        scores.value -= scores.value.max(axis=1, keepdims=True)
    else:
        scores = scores - scores.rowmax()
    logs = scores - scores.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()


# %% mean_of_all_entries | loses q2: the mean is over rows and classes.
# | says: It is the mean over all entries, not over the rows.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs).mean()


# %% ten_classes | loses q2: a mean of all entries, times ten.
# | says: The number of classes is taken to be 10.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return (targets * logs).mean() * -10.0


# %% without_the_minus | loses q2: the likelihood, which one would maximise.
# | says: The sign is wrong.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    return (targets * (shifted - shifted.exp().rowsum().log())).rowsum().mean()


# %% rows_by_shape | loses q2: the sum is divided by a number of rows, which a Node does not know.
# | says: It uses what a Node does not have
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    rows, classes = scores.value.shape
    return -(targets * logs).mean() * classes


# %% without_the_logarithm | loses q2: minus the probability of the correct class.
# | says: The logarithm is missing.
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    p = (shifted - shifted.exp().rowsum().log()).exp()
    return -(targets * p).rowsum().mean()
