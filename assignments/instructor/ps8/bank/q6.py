"""Wrong answers to q6 of ps8."""


# %% divided_by_the_mean | loses q6: the difference is divided by the mean of both losses.
# | says: It divides by the mean of two losses.
# %% q6 after the key
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    largest = 0.0
    for a, b in zip(ours, theirs):
        if a != b:
            if not (np.isfinite(a) and np.isfinite(b)):
                return np.inf
            largest = max(largest, 2 * abs(a - b) / (abs(a) + abs(b)))
    return largest


# %% small_number_below_the_line | loses q6: a small number avoids the division by 0, and hides
# small losses.
# | says: It is not the largest |a − b| / max(|a|, |b|).
# %% q6 after the key
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    far = [0.0]
    for a, b in zip(ours, theirs):
        if a != b:
            finite = np.isfinite(a) and np.isfinite(b)
            far.append(abs(a - b) / (max(abs(a), abs(b)) + 1e-12) if finite else np.inf)
    return max(far)


# %% divided_by_ours | loses q6: differences are divided by the first list alone.
# | says: It divides by the first loss, not by the larger.
# %% q6 after the key
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    far = [0.0]
    for a, b in zip(ours, theirs):
        if a != b:
            finite = a and np.isfinite(a) and np.isfinite(b)
            far.append(abs(a - b) / abs(a) if finite else max(1.0, np.inf * abs(b)))
    return max(far)


# %% absolute_difference | loses q6: differences are not divided at all.
# | says: It does not divide by the larger loss.
# %% q6 after the key
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    far = [abs(a - b) if np.isfinite(a) and np.isfinite(b) else np.inf
           for a, b in zip(ours, theirs) if a != b]
    return max(far, default=0.0)


# %% mean_difference | loses q6: the mean takes the place of the largest.
# | says: It is the mean of the differences, not the largest.
# %% q6 after the key
one_by_one = largest_difference


def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    far = [one_by_one([a], [b]) for a, b in zip(ours, theirs)]
    return sum(far) / len(far) if far else 0.0


# %% zip_ends_early | loses q6: the longer list is cut.
# | says: It passes over the losses that the longer list has more.
# %% q6 after the key
one_by_one = largest_difference


def largest_difference(ours, theirs):
    return max(one_by_one([a], [b]) for a, b in zip(ours, theirs))


# %% nan_is_passed_over | loses q6: a comparison with NaN is never true.
# | says: NaN is not noticed, since no comparison with it is true.
# %% q6 after the key
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    largest = 0.0
    for a, b in zip(ours, theirs):
        if a != b:
            far = abs(a - b) / max(abs(a), abs(b))
            if abs(a) == np.inf or abs(b) == np.inf:
                far = np.inf
            if far > largest:
                largest = far
    return largest


# %% error_of_python_alone | loses q6: 0 / 0 is found by an error that NumPy's floats do not raise.
# | says: Where Python's floats raise, as in 0 / 0, NumPy's give NaN.
# %% q6 after the key
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    largest, infinite = 0.0, float("inf")
    for a, b in zip(ours, theirs):
        if abs(a) == infinite and a == b:
            continue
        try:
            one = abs(a - b) / max(abs(a), abs(b))
        except ZeroDivisionError:
            one = 0.0
        largest = max(largest, one if one == one else infinite)
    return largest


# %% in_an_array | loses q6: np.where chooses, and returns an array without axes.
# | says: a plain number is due (rule 5).
# %% q6 after the key
whole = largest_difference


def largest_difference(ours, theirs):
    found = whole(ours, theirs)
    return np.where(np.isfinite(found), found, np.inf)


# %% empties_the_losses | loses q6: the caller's lists are empty afterwards.
# | says: It changes an array, a list or a dict that it was given (rule 3).
# %% q6 after the key
whole = largest_difference


def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    largest = 0.0
    while ours:
        largest = max(largest, whole([ours.pop()], [theirs.pop()]))
    return largest


# %% one_sided | loses q6: only ways that are better for the first engine count.
# | says: The sign is kept
# %% q6 after the key
from itertools import product


def p_value(ours, theirs):
    far = [a - b for a, b in zip(ours, theirs)]
    totals = [sum(s * d for s, d in zip(signs, far)) for signs in product((1, -1), repeat=len(far))]
    return float(np.mean([total >= sum(far) for total in totals]))


# %% strictly_larger | loses q6: ways that differ exactly as much do not count.
# | says: A way that differs exactly as much as the measured one is not counted.
# %% q6 after the key
from itertools import product


def p_value(ours, theirs):
    far = [a - b for a, b in zip(ours, theirs)]
    totals = [sum(s * d for s, d in zip(signs, far)) for signs in product((1, -1), repeat=len(far))]
    return float(np.mean([abs(total) > abs(sum(far)) for total in totals]))


# %% forgets_the_pairs | loses q6: all results are divided into two groups.
# | says: It mixes all results, and forgets which two are a pair.
# %% q6 after the key
from itertools import combinations


def p_value(ours, theirs):
    pool, n = [*ours, *theirs], len(ours)
    if n > 8:
        pool, n = pool[:8] + pool[n : n + 8], 8
    size = abs(sum(ours) - sum(theirs))
    groups = [abs(2 * sum(one) - sum(pool)) for one in combinations(pool, n)]
    return sum(one >= size for one in groups) / len(groups)


# %% a_thousand_samples | loses q6: ways are drawn at random.
# | says: It is not the fraction of all 2ⁿ ways, each counted once.
# %% q6 after the key
def p_value(ours, theirs):
    far = np.subtract(ours, theirs)
    signs = np.random.default_rng(0).choice([1, -1], (1000, len(far)))
    return float(np.mean(abs(signs @ far) >= abs(far.sum())))


# %% equal_totals_count_once | loses q6: a set of totals forgets how many ways reach each.
# | says: It is not the fraction of all 2ⁿ ways, each counted once.
# %% q6 after the key
def p_value(ours, theirs):
    totals = {0}
    for a, b in zip(ours, theirs):
        totals = {total + sign * (a - b) for total in totals for sign in (1, -1)}
    size = abs(sum(ours) - sum(theirs))
    return sum(abs(total) >= size for total in totals) / len(totals)


# %% one_minus_p | loses q6: the fraction of the ways that differ less.
# | says: It is the fraction of the ways that differ less.
# %% q6 after the key
other_side = p_value


def p_value(ours, theirs):
    return 1.0 - other_side(ours, theirs)


# %% without_the_measured_way | loses q6: the way without an exchange is not counted.
# | says: The way in which no pair is exchanged is not counted.
# %% q6 after the key
with_all = p_value


def p_value(ours, theirs):
    return with_all(ours, theirs) - 2.0 ** -len(ours)


# %% shifts_not_exchanges | loses q6: only neighbouring pairs are exchanged.
# | says: It is not the fraction of all 2ⁿ ways, each counted once.
# %% q6 after the key
def p_value(ours, theirs):
    far = [a - b for a, b in zip(ours, theirs)]
    totals = [sum(far[at:]) - sum(far[:at]) for at in range(len(far) + 1)]
    return sum(abs(total) >= abs(sum(far)) for total in totals) / len(totals)


# %% any_infinity_differs | loses q6: equal infinite losses differ by infinity. | says: Two equal
# infinities are not equal
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of different lengths")
    largest = 0.0
    for a, b in zip(ours, theirs):
        if not (np.isfinite(a) and np.isfinite(b)):
            return np.inf
        if a != b:
            largest = max(largest, abs(a - b) / max(abs(a), abs(b)))
    return float(largest)


def p_value(ours, theirs):
    differences = [a - b for a, b in zip(ours, theirs)]
    measured, count = abs(sum(differences)), 0
    for way in range(2 ** len(differences)):
        signs = [1 if way >> k & 1 else -1 for k in range(len(differences))]
        count += abs(sum(s * d for s, d in zip(signs, differences))) >= measured
    return count / 2 ** len(differences)
