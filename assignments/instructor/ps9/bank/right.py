"""Right answers to ps9, each of another kind than the key's."""

# %% by_loops | right: one row after the other, with the Jacobian of its softmax.
# %% q1
def softmax_vjp(p, p_bar):
    s_bar = np.zeros(p.shape)
    for row in np.ndindex(p.shape[:-1]):
        jacobian = np.diag(p[row]) - np.outer(p[row], p[row])
        s_bar[row] = jacobian @ p_bar[row]
    return s_bar

# %% q2
def attention(q, k, v, mask):
    front = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2], mask.shape[:-2])
    n, m, d = q.shape[-2], k.shape[-2], q.shape[-1]
    o, p = np.zeros((*front, n, v.shape[-1])), np.zeros((*front, n, m))
    q, k, v, mask = (np.broadcast_to(x, front + x.shape[-2:]) for x in (q, k, v, mask))
    for at in np.ndindex(front):
        for i in range(n):
            seen = [j for j in range(m) if mask[at][i, j]]
            if not seen:
                continue
            scores = [float(q[at][i] @ k[at][j]) / d**0.5 for j in seen]
            powers = [np.exp(score - max(scores)) for score in scores]
            for j, power in zip(seen, powers):
                p[at][i, j] = power / sum(powers)
                o[at][i] += p[at][i, j] * v[at][j]
    return o, p

# %% q3
def attention_vjp(q, k, v, mask, o_bar):
    front = o_bar.shape[:-2]
    wide = [np.broadcast_to(x, front + x.shape[-2:]) for x in (q, k, v, mask)]
    bars = [np.zeros(x.shape) for x in (q, k, v)]
    for at in np.ndindex(front):
        found = of_one(*(x[at] for x in wide), o_bar[at])
        for bar, one in zip(bars, found):
            place = at[len(front) - (bar.ndim - 2):]
            place = tuple(0 if bar.shape[i] == 1 else j for i, j in enumerate(place))
            bar[place] += one
    return bars


def of_one(q, k, v, mask, o_bar):
    scores = np.where(mask, q @ k.T / len(q[0]) ** 0.5, -np.inf)
    p = np.zeros(scores.shape)
    for i in range(len(q)):
        if mask[i].any():
            powers = np.exp(scores[i] - scores[i].max())
            p[i] = powers / powers.sum()
    s_bar = np.zeros(p.shape)
    for i in range(len(q)):
        s_bar[i] = (np.diag(p[i]) - np.outer(p[i], p[i])) @ (v @ o_bar[i])
    s_bar /= len(q[0]) ** 0.5
    return s_bar @ k, s_bar.T @ q, p.T @ o_bar

# %% q4
def layer_vjp(x, W, U, heads, y_bar):
    n, size = x.shape[1:]
    d = size // heads
    x_bar, W_bar, U_bar = np.zeros(x.shape), np.zeros(W.shape), np.zeros(U.shape)
    for text, z_bar in enumerate(y_bar):
        joined = x[text] @ W
        for head in range(heads):
            columns = slice(head * d, (head + 1) * d)
            starts = [part * size + head * d for part in range(3)]
            places = [slice(start, start + d) for start in starts]
            q, k, v = (joined[:, place] for place in places)
            s = np.where(np.tri(n), q @ k.T / d**0.5, -np.inf)
            p = np.exp(s - s.max(axis=1)[:, None])
            p /= p.sum(axis=1, keepdims=True)
            U_bar[columns] += (p @ v).T @ z_bar
            o_bar = z_bar @ U[columns].T
            p_bar = o_bar @ v.T
            s_bar = p * (p_bar - (o_bar * (p @ v)).sum(axis=1)[:, None]) / d**0.5
            for place, bar in zip(places, (s_bar @ k, s_bar.T @ q, p.T @ o_bar)):
                W_bar[:, place] += x[text].T @ bar
                x_bar[text] += bar @ W[:, place].T
    return [x_bar, W_bar, U_bar]


# %% by_einsum | right: einsum for the products, the logarithm of the sum for the softmax, and the
# sum of o_bar o for that of a row, as FlashAttention does.
# %% q1
def softmax_vjp(p, p_bar):
    shared = np.einsum("...j,...j->...", p, p_bar)
    return p * p_bar - p * shared[..., np.newaxis]

# %% q2
def attention(q, k, v, mask):
    s = np.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    s = np.where(mask, s, -np.inf)
    reads = np.any(np.broadcast_to(mask, s.shape), axis=-1, keepdims=True)
    log_sum = np.logaddexp.reduce(s, axis=-1, keepdims=True)
    p = np.exp(s - np.where(reads, log_sum, 0.0))
    return np.einsum("...ij,...jc->...ic", p, v), p

# %% q3
def attention_vjp(q, k, v, mask, o_bar):
    scale = q.shape[-1] ** -0.5
    s = np.where(mask, np.einsum("...id,...jd->...ij", q, k) * scale, -np.inf)
    log_sum = np.logaddexp.reduce(s, axis=-1, keepdims=True)
    p = np.exp(s - np.where(log_sum == -np.inf, 0.0, log_sum))
    delta = np.sum((p @ v) * o_bar, axis=-1, keepdims=True)
    s_bar = p * (np.einsum("...ic,...jc->...ij", o_bar, v) - delta) * scale
    return (
        back_to(q, np.einsum("...ij,...jd->...id", s_bar, k)),
        back_to(k, np.einsum("...ij,...id->...jd", s_bar, q)),
        back_to(v, np.einsum("...ij,...ic->...jc", p, o_bar)),
    )


def back_to(x, bar):
    shape = (1,) * (bar.ndim - x.ndim) + x.shape
    axes = tuple(i for i in range(bar.ndim) if shape[i] == 1)
    return bar.sum(axis=axes, keepdims=True).reshape(x.shape)

# %% q4
def layer_vjp(x, W, U, heads, y_bar):
    size, n = x.shape[-1], x.shape[1]
    W3 = W.reshape(size, 3, heads, size // heads)
    U3 = U.reshape(heads, size // heads, size)
    q, k, v = np.einsum("tni,ipha->pthna", x, W3)
    s = np.einsum("thna,thma->thnm", q, k) / np.sqrt(size / heads)
    s = s + np.triu(np.full((n, n), -1e30), 1)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    o = p @ v
    o_bar = np.einsum("tnj,haj->thna", y_bar, U3)
    s_bar = p * (o_bar @ v.swapaxes(-1, -2) - (o * o_bar).sum(-1)[..., None])
    s_bar = s_bar / np.sqrt(size / heads)
    z_bar = np.stack([s_bar @ k, s_bar.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ o_bar])
    return (
        np.einsum("pthna,ipha->tni", z_bar, W3),
        np.einsum("tni,pthna->ipha", x, z_bar).reshape(W.shape),
        np.einsum("thna,tnj->haj", o, y_bar).reshape(U.shape),
    )


# %% one_product_for_the_row | right: the sum of a row as a product of a row and a column.
# %% q1
def softmax_vjp(p, p_bar):
    together = p[..., np.newaxis, :] @ p_bar[..., :, np.newaxis]
    return p * p_bar - p * together[..., 0]


# %% where_of_numpy | right: NumPy's own `where` leaves out what may not be read.
# %% q2
def attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    mask = np.broadcast_to(mask, scores.shape)
    largest = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-1e308)
    p = np.zeros(scores.shape)
    np.exp(scores - largest, out=p, where=mask)
    np.divide(p, p.sum(axis=-1, keepdims=True), out=p, where=mask)
    return p @ v, p


# %% by_the_earlier_answers | right: q3 calls the answers to q1 and q2, and q4 that to q3.
# %% q3
def attention_vjp(q, k, v, mask, o_bar):
    _, p = attention(q, k, v, mask)
    s_bar = softmax_vjp(p, o_bar @ np.swapaxes(v, -1, -2)) / np.sqrt(q.shape[-1])
    found = s_bar @ k, np.swapaxes(s_bar, -1, -2) @ q, np.swapaxes(p, -1, -2) @ o_bar
    bars = []
    for x, bar in zip((q, k, v), found):
        front = bar.ndim - x.ndim
        axes = [*range(front), *(i + front for i, length in enumerate(x.shape) if length == 1)]
        bars.append(bar.sum(axis=tuple(axes), keepdims=True).reshape(x.shape))
    return tuple(bars)

# %% q4
def layer_vjp(x, W, U, heads, y_bar):
    texts, n, size = x.shape
    shape = texts, n, heads, size // heads
    mask = np.tri(n, dtype=bool)
    q, k, v = ((x @ part).reshape(shape).swapaxes(1, 2) for part in np.split(W, 3, axis=1))
    o, _ = attention(q, k, v, mask)
    bars = attention_vjp(q, k, v, mask, (y_bar @ U.T).reshape(shape).swapaxes(1, 2))
    z_bar = np.concatenate([bar.swapaxes(1, 2).reshape(x.shape) for bar in bars], axis=2)
    means = o.swapaxes(1, 2).reshape(x.shape)
    rows = [a.reshape(-1, a.shape[-1]) for a in (x, z_bar, means, y_bar)]
    return z_bar @ W.T, rows[0].T @ rows[1], rows[2].T @ rows[3]


# %% every_axis_by_hand | right: q3 makes all arrays equally wide first, and sums at the end.
# %% q3
def attention_vjp(q, k, v, mask, o_bar):
    front = o_bar.shape[:-2]
    Q, K, V = (np.broadcast_to(x, (*front, *x.shape[-2:])) for x in (q, k, v))
    s = np.einsum("...nd,...md->...nm", Q, K) / Q.shape[-1] ** 0.5
    s = np.where(mask, s, -np.inf)
    with np.errstate(invalid="ignore"):
        p = np.nan_to_num(np.exp(s - s.max(axis=-1, keepdims=True)))
        p = np.nan_to_num(p / p.sum(axis=-1, keepdims=True))
    inner = np.einsum("...nc,...mc->...nm", o_bar, V)
    s_bar = p * inner - p * np.einsum("...nm,...nm->...n", p, inner)[..., None]
    s_bar *= Q.shape[-1] ** -0.5
    bars = [np.einsum("...nm,...md->...nd", s_bar, K), np.einsum("...nm,...nd->...md", s_bar, Q),
            np.einsum("...nm,...nc->...mc", p, o_bar)]
    for at, x in enumerate((q, k, v)):
        bars[at] = bars[at].sum(axis=tuple(range(bars[at].ndim - x.ndim)))
        for axis in range(x.ndim):
            if x.shape[axis] == 1:
                bars[at] = bars[at].sum(axis=axis, keepdims=True)
    return bars
