"""Full points: a movement is an imaginary part that no rounding can reach."""
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    tiny = 1e-100

    def move(values, dots):
        pairs = zip(values, dots)  # counts stay whole
        return [x if d is None or x.dtype.kind != "f" else x + 1j * tiny * d for x, d in pairs]

    def zeros(found, values):
        return [np.zeros(np.shape(x)) if f is None else f for f, x in zip(found, values)]

    carry, inside, behind = move(start, start_dots), move(captured, captured_dots), []
    real = [np.real(x) if np.iscomplexobj(x) else x for x in inside]
    while loop.condition([np.real(x) if np.iscomplexobj(x) else x for x in carry], real):
        behind.append(carry)
        carry = loop.body(carry, inside)
    now, totals = zeros(bars, start), zeros([None] * len(captured), captured)
    while behind:
        now, shares = loop.back(behind.pop(), inside, now)
        now = zeros(now, start)
        totals = [a + b for a, b in zip(totals, zeros(shares, captured))]
    return tuple([np.imag(x) / tiny for x in found] for found in (now, totals))
