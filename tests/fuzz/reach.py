"""Which random programs reach a line of the package: those are tried first on a fault in it."""

import sys
from collections import defaultdict
from itertools import islice
from multiprocessing import get_context

MOST = 1000  # programs noted for each line
OTHERS = 100  # that do not reach it: the line may run in a thread, too


def reached(folder, seeds, jobs):
    """{(file, line): seeds of programs that execute it}, by the package in a folder."""
    found = defaultdict(list)
    with get_context("fork").Pool(jobs, started, (str(folder),)) as pool:
        for seed, lines in pool.imap(lines_of, seeds, chunksize=20):
            for line in lines:
                if len(found[line]) < MOST:
                    found[line].append(seed)
    return found


def started(folder):
    """A process of the pool imports the package of this folder."""
    sys.path.insert(0, folder)


def lines_of(seed):
    """(seed, the lines of the package that its program executes when it is judged)."""
    import minigrad
    from fuzz.search import failure_of

    start, met = len(minigrad.__path__[0]) + 1, set()

    def follow(frame, event, argument):
        if not frame.f_code.co_filename.startswith(minigrad.__path__[0]):
            return None
        file = frame.f_code.co_filename[start:]

        def note(frame, event, argument):
            met.add((file, frame.f_lineno))
            return note

        return note

    sys.settrace(follow)
    try:
        failure_of(seed)
    finally:
        sys.settrace(None)
    return seed, met


def order(found, places, seeds):
    """(seeds in the order in which to try them, how many reach one of the places): those come
    first, from the rarest place on, then some others; all, where the line runs at import."""
    lists = sorted((found.get(place, ()) for place in places), key=len)
    first = dict.fromkeys(seed for seeds_of in lists for seed in islice(seeds_of, MOST))
    others = (seed for seed in seeds if seed not in first)
    return [*first, *islice(others, OTHERS if first else None)], len(first)
