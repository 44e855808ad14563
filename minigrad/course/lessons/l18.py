"""Lesson 18: cases, references, typical wrong answers, pictures. The words are in 18.toml."""

import sys
from pathlib import Path

import numpy as np

from minigrad.course.lab import Lesson

LETTERS = "\n ,.?abcdefghijklmnopqrstuvwxyz"  # those of the sentences
BLUE, ORANGE = "#1B5FA8", "#B0430A"
UPDATES = 40  # of the bar of a long training

# text --------------------------------------------------------------------------------------------


def read_text():
    """Read sentences of lessons 00 to 07b that need no formula, in small letters, a line each."""
    return Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8")


def batch(rng, numbers, rows=16, context=32):
    """Draw windows of a text in numbers: (the letters, and for each of them the next one)."""
    starts = rng.integers(0, len(numbers) - context, rows)
    windows = numbers[starts[:, None] + np.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


# attention ---------------------------------------------------------------------------------------


def cases_attention():
    """(q, k, v): of three letters with two entries each, and of others."""
    small = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
    rng = np.random.default_rng(18)
    return [
        (small, small[::-1].copy(), np.array([[3.0], [6.0], [12.0]])),
        (2 * small, small, np.eye(3)),
        *[tuple(rng.normal(size=(t, d)) for d in (size, size, columns))
          for t, size, columns in ((1, 3, 2), (4, 4, 4), (5, 3, 2))],
    ]  # fmt: skip


def show_attention(q, k, v):
    """A case in words."""
    return f"q and k of shape {q.shape} and v of shape {v.shape}"


def softmax(scores, axis=1):
    """Compute e^s / Σ e^s along an axis."""
    with np.errstate(all="ignore"):
        powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)


def attend(q, k, v, divide=None, hide=-np.inf, mask=None, axis=1):
    """Compute the means of v and their weights; each argument below v can be wrong."""
    scores = q @ k.T / (np.sqrt(q.shape[1]) if divide is None else divide)
    later = np.triu(np.ones(scores.shape, bool), 1) if mask is None else mask
    weights = softmax(np.where(later, hide, scores), axis)
    return weights @ v, weights


def reference_attention(q, k, v):
    """Compute causal attention: the mean of v for each letter, and its weights."""
    return attend(q, k, v)


def without_scale(q, k, v):
    """The scores are not divided."""
    return attend(q, k, v, divide=1)


def without_mask(q, k, v):
    """Later letters are seen."""
    return attend(q, k, v, mask=np.zeros((len(q), len(q)), bool))


def diagonal_masked(q, k, v):
    """The mask hides the diagonal, too, so the first row has no letter left."""
    return attend(q, k, v, mask=np.triu(np.ones((len(q), len(q)), bool)))


def zero_scores(q, k, v):
    """The mask writes 0 into the scores."""
    return attend(q, k, v, hide=0.0)


def mask_after_softmax(q, k, v):
    """The mask writes 0 into the weights, whose sum is then below 1."""
    weights = np.tril(without_mask(q, k, v)[1])
    return weights @ v, weights


def softmax_of_columns(q, k, v):
    """The softmax runs down the columns."""
    return attend(q, k, v, axis=0)


def sums_without_axis(q, k, v):
    """The sum of each row divides a column, since it has lost its axis."""
    scores = np.where(np.tri(len(q)), q @ k.T / np.sqrt(q.shape[1]), -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1)
    return weights @ v, weights


def scaled_by_letters(q, k, v):
    """The scores are divided by the root of the number of letters."""
    return attend(q, k, v, divide=np.sqrt(len(q)))


# attention_vjp -----------------------------------------------------------------------------------


def cases_attention_vjp():
    """(q, k, v, o_bar): wide, tall and square."""
    rng = np.random.default_rng(19)
    shapes = [(2, 3, 2), (4, 4, 4), (5, 2, 3), (3, 1, 1)]
    return [
        tuple(np.round(rng.normal(size=(t, n)), 2) for n in (d, d, columns, columns))
        for t, d, columns in shapes
    ]


def show_attention_vjp(q, k, v, o_bar):
    """A case in words."""
    return f"q and k of shape {q.shape}, v and o_bar of shape {v.shape}"


def score_cotangent(q, k, v, o_bar):
    """Compute the weights, their cotangent, and that of the scores before the division."""
    weights = reference_attention(q, k, v)[1]
    p_bar = o_bar @ v.T
    return weights, p_bar, weights * (p_bar - (weights * p_bar).sum(axis=1, keepdims=True))


def back(q, k, v, o_bar, s_bar=None, root=None):
    """Compute the cotangents of q, k and v from that of the scores, which can be a wrong one."""
    weights, _, right = score_cotangent(q, k, v, o_bar)
    s_bar = (right if s_bar is None else s_bar) / (np.sqrt(q.shape[1]) if root is None else root)
    return s_bar @ k, s_bar.T @ q, weights.T @ o_bar


def reference_attention_vjp(q, k, v, o_bar):
    """Compute the vector–Jacobian product of causal attention."""
    return back(q, k, v, o_bar)


def without_row_sum(q, k, v, o_bar):
    """The rule of the softmax without the sum of the row."""
    weights, p_bar, _ = score_cotangent(q, k, v, o_bar)
    return back(q, k, v, o_bar, weights * p_bar)


def without_softmax(q, k, v, o_bar):
    """The cotangent of the weights is taken for that of the scores."""
    return back(q, k, v, o_bar, score_cotangent(q, k, v, o_bar)[1])


def diagonal_alone(q, k, v, o_bar):
    """Only the diagonal of the softmax's Jacobian is used."""
    weights, p_bar, _ = score_cotangent(q, k, v, o_bar)
    return back(q, k, v, o_bar, weights * (1 - weights) * p_bar)


def lost_axis(q, k, v, o_bar):
    """The sum of each row is subtracted from a column, since it has lost its axis."""
    weights, p_bar, _ = score_cotangent(q, k, v, o_bar)
    return back(q, k, v, o_bar, weights * (p_bar - (weights * p_bar).sum(axis=1)))


def without_root(q, k, v, o_bar):
    """Without the division by √d."""
    return back(q, k, v, o_bar, root=1.0)


def k_not_transposed(q, k, v, o_bar):
    """The cotangent of k is made without a transpose."""
    q_bar, _, v_bar = back(q, k, v, o_bar)
    s_bar = score_cotangent(q, k, v, o_bar)[2] / np.sqrt(q.shape[1])
    return q_bar, s_bar @ q, v_bar


def v_not_transposed(q, k, v, o_bar):
    """The cotangent of v is made without a transpose."""
    q_bar, k_bar, _ = back(q, k, v, o_bar)
    return q_bar, k_bar, reference_attention(q, k, v)[1] @ o_bar


def after_attention_vjp(function):
    """Draw the weights of a small example, their cotangent and that of the scores."""
    q, k, v, o_bar = cases_attention_vjp()[1]
    weights, p_bar, s_bar = score_cotangent(q, k, v, o_bar)
    show_matrices({"weights P": weights, "cotangent of P": p_bar, "cotangent of S": s_bar})
    print("The sums of these rows:", *np.abs(s_bar.sum(axis=1)).round(12))


# block -------------------------------------------------------------------------------------------

HALF = np.array([[0.5, -1.0], [0.25, 0.5]])


def centre(x):
    """Subtract the mean of each row."""
    return x - x.mean(axis=1, keepdims=True)


def double_centre(x):
    """Subtract the mean of each row, and double."""
    return 2 * centre(x)


def mean_of_earlier(x):
    """Compute for each row the mean of the rows up to it."""
    return np.cumsum(x, axis=0) / np.arange(1, len(x) + 1)[:, None]


def squares(x):
    """Compute x² of each row, and mix its entries."""
    return x**2 @ HALF


def cases_block():
    """(x, norm_1, attend, norm_2, mlp) with simple functions."""
    rng = np.random.default_rng(20)
    x = np.array([[1.0, 3.0], [2.0, -4.0], [0.0, 5.0]])
    functions = (centre, mean_of_earlier, double_centre, squares)
    return [(x, *functions), (np.round(rng.normal(size=(4, 2)), 2), *functions)]


def show_block(x, *functions):
    """A case in words."""
    return f"x of shape {x.shape} and four simple functions"


def reference_block(x, norm_1, attend, norm_2, mlp):
    """Add what attention finds, then what the MLP makes of it."""
    x = x + attend(norm_1(x))
    return x + mlp(norm_2(x))


def without_residuals(x, norm_1, attend, norm_2, mlp):
    """Nothing is added to x."""
    return mlp(norm_2(attend(norm_1(x))))


def without_norms(x, norm_1, attend, norm_2, mlp):
    """No norm is used."""
    x = x + attend(x)
    return x + mlp(x)


def norms_on_the_path(x, norm_1, attend, norm_2, mlp):
    """x is replaced by its norm before the sum."""
    x = norm_1(x)
    x = norm_2(x + attend(x))
    return x + mlp(x)


def norms_after(x, norm_1, attend, norm_2, mlp):
    """The norms stand behind the sums."""
    x = norm_1(x + attend(x))
    return norm_2(x + mlp(x))


def norms_of_results(x, norm_1, attend, norm_2, mlp):
    """The norms stand behind attention and the MLP, before the sums."""
    x = x + norm_1(attend(x))
    return x + norm_2(mlp(x))


def sum_from_the_first(x, norm_1, attend, norm_2, mlp):
    """The second sum begins with the first x."""
    return x + mlp(norm_2(x + attend(norm_1(x))))


def parallel_block(x, norm_1, attend, norm_2, mlp):
    """Both parts read the same x."""
    return x + attend(norm_1(x)) + mlp(norm_2(x))


# looks_ahead -------------------------------------------------------------------------------------

TABLE = np.random.default_rng(21).normal(size=(len(LETTERS), 3))
SIGHTS = {  # name: which letters each of n letters reads
    "that reads the letters up to each place": lambda n: np.tri(n),
    "that reads all letters": lambda n: np.ones((n, n)),
    "whose mask is off by one": lambda n: np.tri(n, k=1),
    "that reads only the letter at each place": lambda n: np.eye(n),
    "whose first place alone reads the second letter": lambda n: np.tri(n) + np.outer(
        np.arange(n) == 0, np.arange(n) == 1
    ),
    "that reads nothing": lambda n: np.zeros((n, n)),
    "that reads the letters before each place": lambda n: np.tri(n, k=-1),
    "whose second place alone reads the third letter": lambda n: np.tri(n) + np.outer(
        np.arange(n) == 1, np.arange(n) == 2
    ),
    "whose first place alone reads the last letter": lambda n: np.tri(n) + np.outer(
        np.arange(n) == 0, np.arange(n) == n - 1
    ),
}  # fmt: skip
PLACES = np.array([7, 2, 30, 1, 19])


class Net:
    """A network from numbers of letters to scores, which reads what its `sight` says.

    With a `leak`, the first two places read the last letter, too: the scores of a place, and those
    of both, then change by numbers whose sum is 0. The scores are rounded differently for another
    number of letters, as in a network of matrix products.
    """

    def __init__(self, name, leak=0.0):
        self.name, self.leak = name, leak

    def __call__(self, x):
        """Compute the scores of the letters x, a row for each place."""
        x = np.asarray(x)
        scores = np.tanh(0.5 + SIGHTS[self.name](len(x)) @ TABLE[x])
        last = TABLE[x[-1]] - TABLE[x[-1]].mean()
        scores[:2] += self.leak * np.array([[1.0], [-1.0]])[: len(x)] * last
        return scores * (1 + len(x) * np.finfo(float).eps)


def cases_looks_ahead():
    """(net, x): each kind of sight, small and balanced leaks, and each letter to be changed."""
    causal, every = list(SIGHTS)[:2]
    return [
        *[(Net(name), PLACES) for name in SIGHTS],
        (Net(causal, leak=0.001), PLACES),
        (Net(causal, leak=1.0), PLACES),
        *[(Net(every), np.array([letter, letter])) for letter in range(len(LETTERS))],
    ]


def show_looks_ahead(net, x):
    """A case in words."""
    leak = f" and at {net.leak:g} times the last one" * bool(net.leak)
    return f"a network {net.name}{leak}, and x = {x.tolist()}"


def run_looks_ahead(function, net, x):
    """What a function says of a network: True or False."""
    found = function(net, x)
    return bool(found) if isinstance(found, (bool, np.bool_)) else found


def next_letter(x, t):
    """A copy of x with another letter at t."""
    changed = x.copy()
    changed[t] = (changed[t] + 1) % len(LETTERS)
    return changed


def changes_at(net, x, seen, places=None, put=next_letter, same=np.array_equal):
    """Whether a change of a letter t changes what `seen(scores, t)` keeps of the scores."""
    return any(
        not same(seen(net(x), t), seen(net(put(x, t)), t))
        for t in (range(len(x)) if places is None else places)
    )


def before(scores, t):
    """The scores at the places before t."""
    return scores[:t]


def reference_looks_ahead(net, x):
    """Say whether the scores at some place depend on a later letter."""
    return changes_at(net, x, before)


def last_letter_alone(net, x):
    """Only the last letter is changed."""
    return changes_at(net, x, before, [len(x) - 1])


def with_its_own(net, x):
    """The scores at the place of the change are compared, too."""
    return changes_at(net, x, lambda scores, t: scores[: t + 1])


def with_all(net, x):
    """All scores are compared."""
    return changes_at(net, x, lambda scores, t: scores)


def replaced_by_zero(net, x):
    """Each letter is replaced by 0, which it may already be."""
    return changes_at(net, x, before, put=lambda x, t: np.where(np.arange(len(x)) == t, 0, x))


def finds_everywhere(net, x):
    """The scores of a shorter text, rounded differently, are compared to the last digit."""
    return True


def finds_nothing(net, x):
    """The loop ends at its first place."""
    return False


def only_roughly(net, x):
    """Small differences count as none."""
    return changes_at(net, x, before, same=lambda a, b: np.allclose(a, b, atol=0.01))


def sums_alone(net, x):
    """Only the sums of the scores are compared."""
    return changes_at(net, x, lambda scores, t: scores[:t].sum(), same=np.isclose)


def negated(net, x):
    """True and False are exchanged."""
    return not reference_looks_ahead(net, x)


# training ----------------------------------------------------------------------------------------


def progress(count):
    """Give the numbers below `count`, and show a bar of how far they are."""
    from IPython.display import display

    def bar(done):
        full = "█" * (UPDATES * done // count)
        return {"text/plain": f"{full:░<{UPDATES}} {done:,} of {count:,} steps"}

    shown = display(bar(0), raw=True, display_id=True)
    for step in range(count):
        yield step
        if shown and (step + 1) * UPDATES // count > step * UPDATES // count:
            shown.update(bar(step + 1), raw=True)


# pictures ----------------------------------------------------------------------------------------


def show_matrices(matrices):
    """Draw {title: matrix} side by side, blue above 0 and orange below, with the numbers."""
    from matplotlib.colors import LinearSegmentedColormap

    from minigrad.draw.plot.axes import paper

    colours = LinearSegmentedColormap.from_list("signed", [ORANGE, "white", BLUE])
    with paper([2.2], share=False, columns=len(matrices)) as (_, frames):
        for axes, (title, matrix) in zip(frames, matrices.items()):
            axes.grid(False)
            most = np.abs(matrix).max()
            axes.imshow(matrix, cmap=colours, vmin=-1.6 * most, vmax=1.6 * most)
            for (i, j), number in np.ndenumerate(matrix):
                if number:
                    axes.text(j, i, f"{number:.2f}", ha="center", va="center")
            axes.set_title(title)
            axes.set(xticks=[], yticks=[])


def show_weights(weights, letters):
    """Draw the weights of attention: a row for each letter, a column for each one that it reads."""
    from matplotlib.colors import LinearSegmentedColormap

    from minigrad.draw.plot.axes import paper

    marks = [{" ": "␣", "\n": "⏎"}.get(letter, letter) for letter in letters]
    colours = LinearSegmentedColormap.from_list("weights", ["white", BLUE])
    with paper([4.2], share=False) as (_, (axes,)):
        axes.grid(False)
        picture = axes.imshow(weights, cmap=colours, vmin=0, vmax=1)
        axes.figure.colorbar(picture, ax=axes, label="weight")
        axes.set_xticks(range(len(marks)), marks)
        axes.set_yticks(range(len(marks)), marks)
        axes.set(xlabel="the letter that is read", ylabel="the letter that reads")


lesson = Lesson("18", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
