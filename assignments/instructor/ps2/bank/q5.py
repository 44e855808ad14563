"""Wrong answers to q5 of ps2."""


# %% mean_over_classes | loses q5: divides by the number of classes.
# | says: number of classes, not of rows
# %% q5 after the key
def vjp_cross_entropy(scores, labels, z_bar):
    p = np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    return z_bar * p / scores.shape[1]


# %% mean_forgotten_in_the_rule | loses q5: the rule is that of the sum over the rows.
# | says: does not divide by the number of rows
# %% q5 after the key
def vjp_cross_entropy(scores, labels, z_bar):
    return z_bar * (np.exp(log_softmax(scores)) - np.eye(scores.shape[1])[labels])


# %% as_in_the_lesson | loses q5: the rule of lesson 05b, which has no cotangent of the loss.
# | says: does not multiply by z_bar
# %% q5 after the key
def vjp_cross_entropy(scores, labels, z_bar):
    p = np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    return p / len(labels)


# %% softmax_alone | loses q5: does not subtract 1 at the label. | says: subtract 1 at the label
# %% q5 after the key
def vjp_cross_entropy(scores, labels, z_bar):
    return z_bar * np.exp(log_softmax(scores)) / len(labels)


# %% target_minus_prediction | loses q5: label minus softmax.
# | says: The sign of the whole cotangent
# %% q5 after the key
def vjp_cross_entropy(scores, labels, z_bar):
    return z_bar * (np.eye(scores.shape[1])[labels] - np.exp(log_softmax(scores))) / len(labels)


# %% sum_of_losses | loses q5: the loss is the sum over the rows. | says: adds up the losses
# %% q5 after the key
def cross_entropy(scores, labels):
    return -log_softmax(scores)[np.arange(len(labels)), labels].sum()


# %% softmax_down_the_columns | loses q5: each column, not each row, is made to sum to 1.
# | says: down the columns
# %% q5 after the key
def log_softmax(scores):
    low = scores - scores.max(axis=0)
    return low - np.log(np.exp(low).sum(axis=0))


# %% exp_of_a_thousand | loses q5: softmax as the formula stands. | says: exp of a large score
def softmax(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=1, keepdims=True)


def cross_entropy(scores, labels):
    return -np.log(softmax(scores)[np.arange(len(labels)), labels]).mean()


def vjp_cross_entropy(scores, labels, z_bar):
    return z_bar * (softmax(scores) - np.eye(scores.shape[1])[labels]) / len(labels)


# %% one_maximum_for_all | loses q5: subtracts the largest score of all rows, so that low rows
# become log(0).
# | says: Each row needs its own largest score
def softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=1, keepdims=True)


def cross_entropy(scores, labels):
    return -np.log(softmax(scores)[np.arange(len(labels)), labels]).mean()


def vjp_cross_entropy(scores, labels, z_bar):
    return z_bar * (softmax(scores) - np.eye(scores.shape[1])[labels]) / len(labels)


# %% a_little_in_the_logarithm | loses q5: log(p + 1e-12), which is 27 where the loss is 3000.
# | says: rounded to 0 has no logarithm
# %% q5 after the key
def cross_entropy(scores, labels):
    p = np.exp(log_softmax(scores))[np.arange(len(labels)), labels]
    return -np.log(np.maximum(p, 1e-12)).mean()


# %% rule_overflows | loses q5: the loss is stable, but the rule is not.
# | says: The softmax in the rule
# %% q5 after the key
def vjp_cross_entropy(scores, labels, z_bar):
    powers = np.exp(scores)
    p = powers / powers.sum(axis=1, keepdims=True)
    return z_bar * (p - np.eye(scores.shape[1])[labels]) / len(labels)


# %% scores_lowered_in_place | loses q5: subtracts the largest of each row from the caller's scores.
# | says: in place (rule 3)
def cross_entropy(scores, labels):
    scores -= scores.max(axis=1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return -logs[np.arange(len(labels)), labels].mean()


def vjp_cross_entropy(scores, labels, z_bar):
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    return z_bar * p / len(labels)


# %% rule_lowered_in_place | loses q5: the loss leaves the scores as they are, but the rule lowers
# them. | says: in place (rule 3)
# %% q5 after the key
def vjp_cross_entropy(scores, labels, z_bar):
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    return z_bar * p / len(labels)
