"""Loses q4: its nodes hold a word and a huge number, whose product would fill the memory."""
# %% q4
def gradients(y, xs):
    return [constant("word") * constant(9 * 10**8) for _ in xs]
