"""Loses q2: x / 0 is inf, where slow_run raises ZeroDivisionError."""
# %% q2 after the key
def divide(a, b):
    return a / b if b else math.copysign(math.inf, a)


exactly = run


def run(fetches, feeds):
    kept, COMPUTE["div"] = COMPUTE["div"], divide
    try:
        return exactly(fetches, feeds)
    finally:
        COMPUTE["div"] = kept
