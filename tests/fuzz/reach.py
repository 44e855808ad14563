"""Which random programs reach a line of the package: those are tried first on a fault in it."""

import sys
from collections import defaultdict
from functools import cache
from itertools import islice
from multiprocessing import get_context

MOST = 1000  # programs noted for each line
OTHERS = 100  # that do not reach it: the line may run in a thread, too
WANTED = set()  # the lines that a process of the pool looks for


def reached(folder, seeds, jobs, places):
    """{(file, line): seeds of programs that execute it}, by the package in a folder.

    Of lines in functions in which none of `places` lies, nothing is known.
    """
    found = defaultdict(list)
    with get_context("fork").Pool(jobs, started, (str(folder), places)) as pool:
        for seed, lines in pool.imap(lines_of, seeds, chunksize=20):
            for line in lines:
                if len(found[line]) < MOST:
                    found[line].append(seed)
    return found


def started(folder, places):
    """A process of the pool imports the package of this folder, and looks for these lines."""
    sys.path.insert(0, folder)
    WANTED.update(places)


@cache
def file_of(code):
    """The package's file of a function in which a wanted line lies, else None."""
    import minigrad

    here = minigrad.__path__[0]
    if not code.co_filename.startswith(here):
        return None
    file = code.co_filename[len(here) + 1 :]
    return file if any((file, line) in WANTED for _, _, line in code.co_lines()) else None


def lines_of(seed):
    """(seed, the lines of the package that its program executes when it is judged)."""
    from fuzz.search import failure_of

    met = set()

    def note(frame, event, argument):
        met.add((file_of(frame.f_code), frame.f_lineno))
        return note

    def follow(frame, event, argument):
        return file_of(frame.f_code) and note

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
