"""Wrong answers to q5 of ps2."""


# %% a_little_in_the_logarithm | loses q5: log(p + 1e-12), which is 27 where the loss is 3000.
# %% q5 after the key
def cross_entropy(scores, labels):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = powers / powers.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(labels)), labels] + 1e-12).mean()


# %% changes_the_scores | loses q5: right numbers, but the caller's scores are lowered in place.
def logs(scores):
    scores -= scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    return -logs(scores)[np.arange(len(labels)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (np.exp(logs(scores)) - np.eye(scores.shape[1])[labels]) / len(labels)


# %% exp_of_a_thousand | loses q5: softmax as the formula stands: exp(1000) is infinite.
def softmax(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=1, keepdims=True)


def cross_entropy(scores, labels):
    return -np.log(softmax(scores)[np.arange(len(labels)), labels]).mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (softmax(scores) - np.eye(scores.shape[1])[labels]) / len(labels)


# %% labels_used_up | loses q5: Takes the labels from the caller's list, one after another: after
# the loss the list is empty, and the rule called with the same list fails.
def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    total, rows = 0.0, logs(scores)
    labels = labels if isinstance(labels, list) else list(labels)
    for row in rows:
        total -= row[labels.pop(0)]
    return total / len(rows)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(logs(scores))
    p[np.arange(len(scores)), labels] -= 1
    return p * g / len(scores)


# %% less_the_score_of_the_label | loses q5: Subtracts the label's score, for then the loss is
# log(sum(exp)): where the label's score is far below the largest, [0, 1000] with label 0, this is
# inf, and the loss is 1000.
def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    own = scores[np.arange(len(scores)), labels]
    return np.log(np.exp(scores - own[:, None]).sum(axis=1)).mean()


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(logs(scores))
    p[np.arange(len(scores)), labels] -= 1
    return p * g / len(scores)


# %% mean_forgotten_in_the_rule | loses q5: the rule is that of the sum over the rows.
def logs(scores):
    low = scores - scores.max(axis=1, keepdims=True)
    return low - np.log(np.exp(low).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    return -logs(scores)[np.arange(len(labels)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (np.exp(logs(scores)) - np.eye(scores.shape[1])[labels])


# %% one_less_each_time | loses q5: the loss keeps its softmax with a copy of the scores, and the
# rule takes 1 from it in place: a second call of the rule takes 1 once more.
# %% q5 after the key
reckoned, KEPT = cross_entropy, [np.zeros((0, 0)), None]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    KEPT[:] = np.array(scores), np.exp(log_softmax(scores))
    return reckoned(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if np.array_equal(KEPT[0], scores):
        p = KEPT[1]
    else:
        p = np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)


# %% one_maximum_for_all | loses q5: subtracts the largest score of all rows, so low rows become
# log(0).
def softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=1, keepdims=True)


def cross_entropy(scores, labels):
    return -np.log(softmax(scores)[np.arange(len(labels)), labels]).mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (softmax(scores) - np.eye(scores.shape[1])[labels]) / len(labels)


# %% room_of_the_scores_kind | loses q5: Puts the cotangent into np.empty_like(scores): for scores
# of whole numbers all is cut to 0 and -1, and what is left is no gradient.
def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    return -logs(scores)[np.arange(len(scores)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(logs(scores))
    p[np.arange(len(scores)), labels] -= 1
    s_bar = np.empty_like(scores)
    s_bar[...] = p * g / len(scores)
    return s_bar


# %% scores_cut_at_ten_thousand | loses q5: scores are cut at 10,000 below the largest, so the loss
# of a hopeless row is too.
# %% q5 after the key
def log_softmax(scores):
    lowered = np.maximum(scores - scores.max(axis=1, keepdims=True), -1e4)
    return lowered - np.log(np.exp(lowered).sum(axis=1, keepdims=True))


# %% scores_in_the_order_of_memory | loses q5: reads the scores row by row as they lie in memory,
# where turned ones lie by columns.
# %% q5 after the key
rule = vjp_cross_entropy


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    return rule(scores.ravel(order="K").reshape(scores.shape), labels, g)


# %% slopes_in_the_same_room | loses q5: the cotangent is formed in an array kept by shape: the next
# call writes over it.
# %% q5 after the key
ROOMS = {}


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    room = ROOMS.setdefault(scores.shape, np.empty(scores.shape))
    np.exp(log_softmax(scores), out=room)
    room[np.arange(len(labels)), labels] -= 1
    room *= g / len(labels)
    return room


# %% softmax_down_the_columns | loses q5: each column, not each row, is made to sum to 1.
def logs(scores):
    low = scores - scores.max(axis=0)
    return low - np.log(np.exp(low).sum(axis=0))


def cross_entropy(scores, labels):
    return -logs(scores)[np.arange(len(labels)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (np.exp(logs(scores)) - np.eye(scores.shape[1])[labels]) / len(labels)


# %% softmax_kept_by_id | loses q5: the softmax is kept by id(scores) and shape, without keeping
# scores: the next batch gets the id of a dead one, and its softmax.
# %% q5 after the key
KEPT = {}


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    name = id(scores), scores.shape, float(scores[0, 0])
    if name not in KEPT:
        KEPT[name] = np.exp(log_softmax(scores))
    p = KEPT[name].copy()
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)


# %% softmax_kept_by_its_bytes | loses q5: the softmax is kept by the bytes of the scores: zeros of
# shape (2, 4) and (4, 2) have the same ones.
# %% q5 after the key
KEPT = {}


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    name = scores.tobytes()
    if name not in KEPT:
        KEPT[name] = np.exp(log_softmax(scores))
    p = KEPT[name].copy()
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)


# %% softmax_left_by_the_loss | loses q5: the rule takes the softmax that the loss has left for this
# array, told by `is`: after a step in place the array is the same and its numbers are others.
# %% q5 after the key
reckoned, LEFT = cross_entropy, [None, None]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    LEFT[:] = scores, np.exp(log_softmax(scores))
    return reckoned(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = LEFT[1].copy() if LEFT[0] is scores else np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)


# %% softmax_of_nearly_the_same | loses q5: the softmax of the last call is taken again where the
# scores are nearly the same: a small step is no step.
# %% q5 after the key
KEPT = [np.zeros((0, 0)), None]


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if KEPT[0].shape != scores.shape or not np.allclose(KEPT[0], scores):
        KEPT[:] = np.array(scores, float), np.exp(log_softmax(scores))
    p = KEPT[1].copy()
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)


# %% softmax_of_the_last_array | loses q5: Keeps the softmax for the array that it last saw, told by
# `is`: after `scores -= 0.1 * s_bar` the same array holds other numbers, and the rule returns the
# old cotangent.
LAST = [None, None]


def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    return -logs(scores)[np.arange(len(scores)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if LAST[0] is not scores:
        LAST[:] = scores, np.exp(logs(scores))
    p = LAST[1].copy()
    p[np.arange(len(scores)), labels] -= 1
    return p * g / len(scores)


# %% softmax_with_its_labels | loses q5: what the loss has kept, softmax less 1 where the label is,
# is used again where the scores are equal: with other labels it is the wrong one.
# %% q5 after the key
reckoned, KEPT = cross_entropy, [np.zeros((0, 0)), None]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    p = np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    KEPT[:] = np.array(scores), p
    return reckoned(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if not np.array_equal(KEPT[0], scores):
        cross_entropy(scores, labels)
    return g * KEPT[1] / len(labels)


# %% uses_the_last_loss | loses q5: the rule takes the probabilities that the last loss has left.
# %% q5 after the key
loss, LEFT = cross_entropy, {}


def cross_entropy(scores, labels):
    LEFT[scores.shape] = np.exp(log_softmax(scores))
    return loss(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    p = LEFT.get(scores.shape)
    p = np.exp(log_softmax(scores)) if p is None else p
    return g * (p - np.eye(scores.shape[1])[labels]) / len(labels)
