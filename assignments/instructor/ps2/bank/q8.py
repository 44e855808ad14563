"""Wrong answers to q8 of ps2."""


# %% statistics_are_constants | loses q8: treats mean and variance as constants.
# | says: mean and the variance as constants
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return z_bar * gamma / s, *right(x, gamma, beta, z_bar, eps)[1:]


# %% variance_is_a_constant | loses q8: forgets the contribution through the variance.
# | says: through the variance is missing
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s, u_bar = np.sqrt(x.var(axis=-1, keepdims=True) + eps), z_bar * gamma
    x_bar = (u_bar - u_bar.mean(axis=-1, keepdims=True)) / s
    return x_bar, *right(x, gamma, beta, z_bar, eps)[1:]


# %% mean_is_a_constant | loses q8: forgets the contribution through the mean.
# | says: through the mean is missing
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s, u_bar = np.sqrt(x.var(axis=-1, keepdims=True) + eps), z_bar * gamma
    u = (x - x.mean(axis=-1, keepdims=True)) / s
    x_bar = (u_bar - u * (u * u_bar).mean(axis=-1, keepdims=True)) / s
    return x_bar, *right(x, gamma, beta, z_bar, eps)[1:]


# %% without_gamma | loses q8: forgets gamma on the way to x.
# | says: does not multiply z_bar by gamma
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    x_bar = right(x, np.ones_like(gamma), beta, z_bar, eps)[0]
    return x_bar, *right(x, gamma, beta, z_bar, eps)[1:]


# %% without_the_deviation | loses q8: forgets to divide by s.
# | says: divide by the standard deviation
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    x_bar, *others = right(x, gamma, beta, z_bar, eps)
    return x_bar * np.sqrt(x.var(axis=-1, keepdims=True) + eps), *others


# %% sums_for_means | loses q8: takes sums over the row. | says: sums over the row
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s, u_bar = np.sqrt(x.var(axis=-1, keepdims=True) + eps), z_bar * gamma
    u = (x - x.mean(axis=-1, keepdims=True)) / s
    sums = u_bar.sum(axis=-1, keepdims=True) + u * (u * u_bar).sum(axis=-1, keepdims=True)
    return (u_bar - sums) / s, *right(x, gamma, beta, z_bar, eps)[1:]


# %% mean_of_the_batch | loses q8: takes the means over the rows, as batch normalisation does.
# | says: through mean and variance of the same row
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s, u_bar = np.sqrt(x.var(axis=-1, keepdims=True) + eps), z_bar * gamma
    u = (x - x.mean(axis=-1, keepdims=True)) / s
    means = u_bar.mean(axis=0) + u * (u * u_bar).mean(axis=0)
    return (u_bar - means) / s, *right(x, gamma, beta, z_bar, eps)[1:]


# %% parameters_of_each_row | loses q8: does not add up the rows for gamma and beta.
# | says: contributions of all rows
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    u = (x - x.mean(axis=-1, keepdims=True)) / s
    return right(x, gamma, beta, z_bar, eps)[0], z_bar * u, z_bar


# %% first_axis_alone | loses q8: sums over axis 0, though there may be more axes in front.
# | says: over the first axis alone
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    u = (x - x.mean(axis=-1, keepdims=True)) / s
    if x.ndim == 1:
        return right(x, gamma, beta, z_bar, eps)
    return right(x, gamma, beta, z_bar, eps)[0], (z_bar * u).sum(axis=0), z_bar.sum(axis=0)


# %% gamma_times_x | loses q8: multiplies by x for gamma. | says: For gamma it multiplies by x
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    leading = tuple(range(x.ndim - 1))
    x_bar, _, beta_bar = right(x, gamma, beta, z_bar, eps)
    return x_bar, (z_bar * x).sum(axis=leading), beta_bar


# %% eps_forgotten | loses q8: the rule has no eps. | says: It ignores eps
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    return right(x, gamma, beta, z_bar, 0)


# %% eps_outside_the_root | loses q8: adds eps to the standard deviation.
# | says: before the square root
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s = x.std(axis=-1, keepdims=True) + eps
    return right(x, gamma, beta, z_bar, s**2 - x.var(axis=-1, keepdims=True))


# %% centred_in_place | loses q8: subtracts the mean from the caller's x. | says: in place (rule 3)
# %% q8 after the key
right = vjp_layer_norm


def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    x -= x.mean(axis=-1, keepdims=True)
    return right(x, gamma, beta, z_bar, eps)


# %% variance_without_gamma | loses q8: leaves gamma out of the contribution through the variance.
# | says: gamma is missing in the contribution
def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    u = (x - x.mean(axis=-1, keepdims=True)) / s
    g = z_bar * gamma
    x_bar = (g - g.mean(-1, keepdims=True) - u * (z_bar * u).mean(-1, keepdims=True)) / s
    lead = tuple(range(x.ndim - 1))
    return x_bar, (z_bar * u).sum(lead), z_bar.sum(lead)


# %% parameters_swapped | loses q8: returns the cotangent of beta before that of gamma.
# | says: in the wrong order (rule 4)
def vjp_layer_norm(x, gamma, beta, z_bar, eps=1e-5):
    s = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    u = (x - x.mean(axis=-1, keepdims=True)) / s
    g = z_bar * gamma
    x_bar = (g - g.mean(-1, keepdims=True) - u * (g * u).mean(-1, keepdims=True)) / s
    lead = tuple(range(x.ndim - 1))
    return x_bar, z_bar.sum(lead), (z_bar * u).sum(lead)
