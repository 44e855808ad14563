"""Many runs of trusted answers: a few lasting processes, since starting pytest costs the most.

For the course's own answers alone: what a submission does to a process must end with it.
"""

import contextlib
import io
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from minigrad.course.grading import orphans, session


def run(job):
    """The `Report` of a `Job`, made in this process."""
    with contextlib.redirect_stderr(io.StringIO()):
        return session.run(job)


def results(function, tasks, jobs):
    """function(*task) for each of `tasks`, in their order, in `jobs` processes."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, jobs), context, initializer=orphans.adopt) as pool:
        futures = [pool.submit(function, *task) for task in tasks]
        try:
            for future in futures:
                yield future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
