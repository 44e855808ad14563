"""Full points: places and shares as one list of pairs, summed by value."""
# %% q4
def value_bars(reverse, values, start_at, captured_at, bars):
    outside, inside = reverse([values[i] for i in start_at], [values[i] for i in captured_at], bars)
    shares = [*zip(start_at, outside), *zip(captured_at, inside)]

    def total(at):
        begin = np.zeros(np.shape(values[at]))
        return sum((bar for i, bar in shares if i == at and bar is not None), begin)

    return [total(at) for at in range(len(values))]
# %% q1
def run_loop(loop, start, captured, most=1000):
    carries = []
    carry = start
    for _ in range(most + 1):
        carries.append([np.array(x) for x in carry])
        if not loop.condition(carries[-1], captured):
            return carries
        if len(carries) <= most:
            carry = loop.body([np.array(x) for x in carry], captured)
    raise RuntimeError("more iterations than allowed")
