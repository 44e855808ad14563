"""Wrong answers to q3 of ps9."""


# %% backward_all_axes_turned | loses q3: .T turns all axes of a stack round.
# | says: The shapes do not fit. For example, `.T` reverses all axes of a stack.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, p.T @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_changes_the_queries | loses q3: divides q by the root in place, so the caller's q has
# changed.
# | says: It changes an argument in place (rule 2).
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    q /= root
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2), -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True))
    bars = s_bar @ k / root, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_exchanged | loses q3: the cotangents of q and k are exchanged.
# | says: The cotangents of q and k are exchanged.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = np.swapaxes(s_bar, -1, -2) @ q, s_bar @ k, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_first_head_alone | loses q3: of what is shared, only the first head counts.
# | says: Of what is shared, only the first contribution counts.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar[0]
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = np.take(x_bar, [0], axis=axis)
    return x_bar


# %% backward_heads_keep_theirs | loses q3: the contributions of the heads are not summed, so a
# shared key gets a row for each.
# | says: The contributions to what is shared are not summed.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return bars


# %% backward_keys_not_turned | loses q3: the cotangent of k is made without a transpose, which
# fits square arrays.
# | says: k_bar is made without the transpose.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    square = s_bar.shape[-1] == s_bar.shape[-2]
    turned = s_bar if square else np.swapaxes(s_bar, -1, -2)
    bars = s_bar @ k, turned @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_mask_forgotten | loses q3: the weights are those without a mask.
# | says: The weights are those without the mask.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = q @ np.swapaxes(k, -1, -2) / root
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_mean_of_the_heads | loses q3: what is shared gets the mean of the contributions, not
# the sum.
# | says: What is shared gets the mean of the contributions, not their sum.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.mean(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.mean(axis=axis, keepdims=True)
    return x_bar


# %% backward_nan_for_nothing | loses q3: a row that may read nothing has nan as its weights.
# | says: Where nothing may be read, the weights are nan.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = powers / powers.sum(axis=-1, keepdims=True)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_equal_weights_for_nothing | loses q3: a row that may read nothing has equal weights,
# and moves the values.
# | says: A letter that may read nothing reads all letters with equal weights.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -1e9)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_no_root | loses q3: the cotangents are not divided by √d.
# | says: The scores are divided by √d, and the cotangents are not.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True))
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_no_row_sum | loses q3: the rule of the softmax without its sum.
# | says: The rule of the softmax lacks its sum over the row.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * p_bar / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_only_front_axes | loses q3: sums axes that are missing, and not those of length 1.
# | says: The contributions to what is shared are not summed.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    return x_bar


# %% backward_only_stretched_axes | loses q3: sums axes of length 1, and not those that are
# missing.
# | says: The contributions to what is shared are not summed.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    if x_bar.ndim > len(shape):
        return x_bar
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_q_is_never_shared | loses q3: sums for keys and values, and returns q_bar as it is.
# | says: The contributions to what is shared are not summed.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return (bars[0], summed_to(bars[1], k.shape), summed_to(bars[2], v.shape))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_root_in_the_scores_alone | loses q3: the root belongs to the cotangent of q, and is
# forgotten for that of k.
# | says: The scores are divided by √d, and the cotangents are not.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q * root, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_values_not_turned | loses q3: the cotangent of v is made without a transpose where
# the weights are square.
# | says: v_bar is made without the transpose.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    turned = p if p.shape[-1] == p.shape[-2] else np.swapaxes(p, -1, -2)
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, turned @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_values_of_each_other | loses q3: the values are shared wherever the keys are.
# | says: The cotangent v_bar does not have the shape of its array: sum over the axes that
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, k)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_all_front_axes | loses q3: sums all axes in front as soon as one is shared.
# | says: It fails where some axes in front are shared or missing, and others are not.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    if x_bar.shape == shape:
        return x_bar
    return x_bar.reshape(-1, *x_bar.shape[-2:]).sum(axis=0).reshape(shape)


# %% backward_axes_from_the_left | loses q3: compares the axes from the left, before it sums those
# that are missing, of which it expects one at most.
# | says: Axes that were missing are summed, and axes of length 1 are not.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    for axis, length in enumerate(shape):
        if length == 1 < x_bar.shape[axis]:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar if x_bar.ndim == len(shape) else x_bar.sum(axis=0)


# %% backward_clips_the_scores | loses q3: clips large scores, so two of them become equal.
# | says: Large scores overflow, or become equal.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.clip(q @ np.swapaxes(k, -1, -2) / root, -500, 500)
    powers = np.exp(scores) * mask
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_one_mask_for_all | loses q3: the loop over texts and heads hands the whole mask to
# each.
# | says: It fails where each text has a mask of its own.
def attention_vjp(q, k, v, mask, o_bar):
    front = o_bar.shape[:-2]
    Q, K, V = (np.broadcast_to(x, (*front, *x.shape[-2:])) for x in (q, k, v))
    bars = [np.zeros(x.shape) for x in (Q, K, V)]
    for at in np.ndindex(front):
        for bar, one in zip(bars, of_one(Q[at], K[at], V[at], mask, o_bar[at])):
            bar[at] = one
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def of_one(q, k, v, mask, o_bar):
    scores = np.where(mask, q @ k.T / len(q[0]) ** 0.5, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ v.T
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / len(q[0]) ** 0.5
    return s_bar @ k, s_bar.T @ q, p.T @ o_bar


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_front_of_the_scores | loses q3: the loop runs over the axes in front of the scores,
# and the values may have more.
# | says: It fails where some axes in front are shared or missing, and others are not.
def attention_vjp(q, k, v, mask, o_bar):
    front = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], mask.shape[:-2])
    Q, K, V, M = (np.broadcast_to(x, (*front, *x.shape[-2:])) for x in (q, k, v, mask))
    bars = [np.zeros(x.shape) for x in (Q, K, V)]
    for at in np.ndindex(front):
        scores = np.where(M[at], Q[at] @ K[at].T / q.shape[-1] ** 0.5, -np.inf)
        powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
        p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
        p_bar = o_bar[at] @ V[at].T
        s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / q.shape[-1] ** 0.5
        bars[0][at], bars[1][at], bars[2][at] = s_bar @ K[at], s_bar.T @ Q[at], p.T @ o_bar[at]
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


# %% backward_first_of_missing_axes | loses q3: axes that are missing are cut, not summed.
# | says: Of what is shared, only the first contribution counts.
def attention_vjp(q, k, v, mask, o_bar):
    root = np.sqrt(q.shape[-1])
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / root, -np.inf)
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    p = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    p_bar = o_bar @ np.swapaxes(v, -1, -2)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=-1, keepdims=True)) / root
    bars = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    return tuple(summed_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def summed_to(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar[0]
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar
