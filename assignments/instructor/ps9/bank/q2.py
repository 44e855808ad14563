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
