"""Loses q2: copies arrays that it has met before; views of what is kept are new each time."""
# %% q2
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    answers, known = [], []
    now = [np.zeros(np.shape(x)) if b is None else np.array(b, dtype=float)
           for b, x in zip(bars, carries[-1])]
    found = [now]
    for carry in reversed(carries[:-1]):
        given = [np.array(bar) for bar in found[0]]
        into, _ = loop.back([np.array(x) for x in carry], captured, given)
        mine = []
        for bar, x in zip(into, carry):
            if bar is None:
                mine.append(np.zeros(np.shape(x)))
            elif type(bar) is not np.ndarray or bar.dtype != float:
                mine.append(np.array(bar, dtype=float))
            else:
                met = any(bar is one for one in known)
                mine.append(np.array(bar) if met else bar)
                known.append(bar)
        found.insert(0, mine)
        answers.append(mine)
        if len(answers) == 1:  # the first answer cannot be told from one that is kept
            found[0] = [np.array(bar) for bar in mine]
    return found
