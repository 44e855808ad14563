"""Wrong answers to q2 of ps9."""


# %% all_axes_turned | loses q2: .T turns all axes round, which a stack does not allow.
# | says: The shapes do not fit. For example, `.T` reverses all axes of a stack.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ k.T / np.sqrt(q.shape[-1]), -np.inf)
    largest = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% divided_by_d | loses q2: the scores are divided by d, not by its root.
# | says: The scores are divided by d instead of √d.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / q.shape[-1], -np.inf)
    largest = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% divided_by_the_number_of_letters | loses q2: d is taken from the axis of the letters.
# | says: It takes d from the axis of the letters.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-2]), -np.inf)
    largest = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% equal_weights_for_nothing | loses q2: hides by -1e9, so a row that may read nothing reads
# all.
# | says: A letter that may read nothing reads all letters with equal weights.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1e9)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = powers / powers.sum(axis=-1, keepdims=True)
    return p @ v, p


# %% hidden_after_the_softmax | loses q2: the mask writes 0 into the weights, which no longer sum
# to 1.
# | says: The mask comes after the softmax, so the weights of a row do not sum to 1.
def attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = np.where(mask, powers / powers.sum(axis=-1, keepdims=True), 0.0)
    return p @ v, p


# %% hidden_scores_are_the_largest | loses q2: the largest score is taken before the mask, and all
# that may be read underflows to 0.
# | says: Scores overflow, or all become 0: subtract the largest score that may be read.
def attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    powers = np.where(mask, np.exp(scores - scores.max(axis=-1, keepdims=True)), 0.0)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% inverted_mask | loses q2: True hides, as in PyTorch's MultiheadAttention.
# | says: The mask is inverted: True means that it may be read.
def attention(q, k, v, mask):
    scores = np.where(mask, -np.inf, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    largest = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% nan_for_nothing | loses q2: -inf minus -inf is nan where nothing may be read.
# | says: Where nothing may be read, the weights are nan.
def attention(q, k, v, mask):
    with np.errstate(all="ignore"):
        scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        p = powers / powers.sum(axis=-1, keepdims=True)
        return p @ v, p


# %% no_largest_score | loses q2: e to the power of a large score is inf.
# | says: Scores overflow, or all become 0: subtract the largest score that may be read.
def attention(q, k, v, mask):
    with np.errstate(all="ignore"):
        powers = np.where(mask, np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])), 0.0)
        total = powers.sum(axis=-1, keepdims=True)
        p = powers / np.where(total > 0, total, 1.0)
        return p @ v, p


# %% no_root | loses q2: the scores are not divided.
# | says: The scores are not divided by √d.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2), -np.inf)
    largest = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% softmax_of_columns | loses q2: the weights of each letter that is read sum to 1.
# | says: The softmax runs over the queries instead of the keys.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    largest = np.maximum(scores.max(axis=-2, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-2, keepdims=True), 1e-300)
    return p @ v, p


# %% zero_scores | loses q2: hidden scores are 0, and e to the power 0 is 1.
# | says: Hidden scores are 0 instead of -inf: e to the power 0 is 1.
def attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) * mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = powers / powers.sum(axis=-1, keepdims=True)
    return p @ v, p


# %% changes_the_queries | loses q2: divides q by the root in place, so the caller's q has changed.
# | says: It changes an argument in place (rule 2).
def attention(q, k, v, mask):
    q /= np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2), -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% clips_the_scores | loses q2: clips large scores, so two of them become equal.
# | says: Clipped scores become equal: subtract the largest one instead.
def attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    powers = np.exp(np.clip(scores, -500, 500)) * mask
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% each_has_its_own_keys | loses q2: takes the axes in front from q, and does not broadcast.
# | says: The axes in front do not broadcast.
def attention(q, k, v, mask):
    front = q.shape[:-2]
    mask = np.broadcast_to(mask, (*front, q.shape[-2], k.shape[-2]))
    o, p = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(mask.shape)
    for at in np.ndindex(front):
        scores = np.where(mask[at], q[at] @ k[at].T / np.sqrt(q.shape[-1]), -np.inf)
        powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
        p[at] = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
        o[at] = p[at] @ v[at]
    return o, p


# %% hidden_are_minus_ten_thousand | loses q2: hides by -1e4, as in half precision, and scores that
# may be read can be as low.
# | says: Hidden scores are some number instead of -inf, and scores that may be read can be as low.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1e4)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = powers / powers.sum(axis=-1, keepdims=True) * mask
    return p @ v, p


# %% largest_of_all_rows | loses q2: subtracts the largest score of the whole array, and other rows
# underflow to 0.
# | says: It subtracts the largest score of the whole array. Each row has its own.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    powers = np.exp(scores - max(scores.max(), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% largest_is_at_least_zero | loses q2: subtracts 0 from negative scores, to avoid -inf, and very
# negative ones underflow.
# | says: It subtracts 0 where all scores are negative, and their powers become 0.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=0.0))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% root_of_the_length_of_v | loses q2: takes d from the values.
# | says: It takes d from v, but d is the length of q and of k.
def attention(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(v.shape[-1]), -np.inf)
    largest = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p


# %% mask_is_transposed | loses q2: reads the mask as if its rows belonged to the keys.
# | says: The mask is transposed. Its row i says what letter i may read.
def attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(np.swapaxes(mask, -1, -2), scores, -np.inf)
    largest = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    powers = np.exp(scores - largest)
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return p @ v, p
