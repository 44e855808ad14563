"""Wrong answers to q4 of ps9."""


# %% layer_as_one_head | loses q4: all columns are one head.
# | says: All columns are treated as one head.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    heads, width = 1, size

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_first_text_alone | loses q4: W gets the contribution of the first text only.
# | says: Only the first text counts.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar)[0]
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_heads_joined_without_a_transpose | loses q4: the heads are joined by a reshape alone.
# | says: The heads are joined by a reshape without its transpose.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_looks_ahead | loses q4: the mask is forgotten.
# | says: The mask is forgotten.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = q @ np.swapaxes(k, 2, 3) / width**0.5
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_means_of_the_texts | loses q4: W and U get the mean over the texts.
# | says: It takes the mean over the texts, not the sum.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).mean(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).mean(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_mixed_order | loses q4: the columns of q, k and v come back as those of v, k and q.
# | says: The columns of z_bar stand in another order than those of q, k and v.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars[::-1]], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_no_root | loses q4: the cotangent of the scores is not divided.
# | says: The cotangent of the scores is not divided by the root.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True))
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_no_row_sum | loses q4: the rule of the softmax without its sum.
# | says: The rule of the softmax lacks its sum over the row.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * p_bar / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_root_of_size | loses q4: the scores are divided by √size, whatever the number of heads.
# | says: The scores are divided by √size instead of the root of size / heads.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / size**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / size**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_through_the_queries_alone | loses q4: x is used three times, and only its use in q
# counts.
# | says: x is used for q, k and v, and only its use in q counts.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar[..., :size] @ W[:, :size].T, W_bar, U_bar


# %% layer_U_gets_the_result | loses q4: U's cotangent is made from the values, not from their
# means.
# | says: U_bar is made from the values instead of their means.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_U_not_turned | loses q4: y_bar passes through U instead of its transpose.
# | says: y_bar passes through U instead of its transpose.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_weights_of_each_text | loses q4: W gets a matrix for each text.
# | says: The contributions of the texts are not summed.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = np.swapaxes(x, 1, 2) @ z_bar
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_bare_scores | loses q4: e to the power of a large score is inf.
# | says: Large scores overflow: subtract the largest score of each row.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    with np.errstate(all="ignore"):
        p = np.exp(q @ np.swapaxes(k, 2, 3) / width**0.5) * np.tri(n)
        p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_columns_by_head | loses q4: takes the columns of x @ W head by head, each with its q, k
# and v, as some checkpoints store them.
# | says: The columns of x @ W are taken head by head. First come those of q for all heads.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (x @ W).reshape(texts, n, heads, 3, width).transpose(3, 0, 2, 1, 4)
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.stack(bars).transpose(1, 3, 2, 0, 4).reshape(texts, n, 3 * size)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_product_into_y_bar | loses q4: saves memory, and writes the product into y_bar.
# | says: It changes an argument in place (rule 2).
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    o_bar = split(np.matmul(y_bar, U.T, out=y_bar))
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_keys_first | loses q4: the columns of q, k and v come back as those of k, q and v.
# | says: The columns of z_bar stand in another order than those of q, k and v.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in (bars[1], bars[0], bars[2])], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar


# %% layer_through_the_values_alone | loses q4: x is used three times, and only its use in v counts.
# | says: x is used for q, k and v, and only its use in v counts.
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / width**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar[..., -size:] @ W[:, -size:].T, W_bar, U_bar


# %% layer_root_of_size_in_the_backward_pass | loses q4: the scores have the root of size / heads,
# and their cotangents have that of size.
# | says: The cotangents of the scores are divided by √size
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    width = size // heads

    def split(a):
        return a.reshape(texts, n, heads, width).transpose(0, 2, 1, 3)

    def join(a):
        return a.transpose(0, 2, 1, 3).reshape(texts, n, size)

    q, k, v = (split(part) for part in np.split(x @ W, 3, axis=2))
    s = np.where(np.tri(n) > 0, q @ np.swapaxes(k, 2, 3) / width**0.5, -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p /= p.sum(axis=3, keepdims=True)
    o_bar = split(y_bar @ U.T)
    p_bar = o_bar @ np.swapaxes(v, 2, 3)
    s_bar = p * (p_bar - (p * p_bar).sum(axis=3, keepdims=True)) / size**0.5
    bars = s_bar @ k, np.swapaxes(s_bar, 2, 3) @ q, np.swapaxes(p, 2, 3) @ o_bar
    z_bar = np.concatenate([join(bar) for bar in bars], axis=2)
    W_bar = (np.swapaxes(x, 1, 2) @ z_bar).sum(axis=0)
    U_bar = (np.swapaxes(join(p @ v), 1, 2) @ y_bar).sum(axis=0)
    return z_bar @ W.T, W_bar, U_bar
