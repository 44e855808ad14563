"""Lesson 16: cases, references, typical wrong answers, pictures. The words are in 16.toml."""

import queue
import statistics
import sys
import threading
import time

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson

RECORDED = [  # seconds of a step (one process, two workers) of deeper and deeper networks whose
    # layers share one weight of 32 × 32: the medians of figures/workers_pay.json
    (0.000708, 0.00286),
    (0.002, 0.00536),
    (0.00695, 0.0119),
    (0.0212, 0.0266),
    (0.0566, 0.0382),
    (0.125, 0.0692),
    (0.252, 0.134),
    (0.999, 0.519),
    (2.05, 1.11),
]
WIDE = (0.177, 0.169)  # the same of two hidden layers of 512 units and 8,192 rows of 64 numbers,
# on two cores that did nothing else: medians of 69 and 71 steps
ROUNDS = 3  # of steps in one process and on the workers, in turn
BLUE, PALE, ORANGE, INK = "#1B5FA8", "#D3E5F8", "#B0430A", "#1F2933"

# combine -----------------------------------------------------------------------------------------


def cases_combine():
    """(gradients of the shards in one array, rows of the shards)."""
    rng = np.random.default_rng(16)
    return [
        (np.array([[1.0, 2.0], [4.0, 8.0]]), [3, 1]),
        (rng.normal(size=(3, 2, 3)), [16, 5, 17]),
        (np.array([[6.0], [2.0], [1.0]]), [4, 4, 4]),
    ]


def run_combine(function, gradients, rows):
    """Give a function the gradients as a list; the check sees whether it changes one."""
    return function(list(gradients), rows)


def show_combine(gradients, rows):
    """A case in words."""
    shape = gradients[0].shape
    told = f"gradients {', '.join(str(g.tolist()) for g in gradients)}"
    return f"{told if len(shape) == 1 else f'gradients of shape {shape}'} and rows {rows}"


def reference_combine(gradients, rows):
    """Return the gradient of a batch, Σ (rᵢ/r)·gᵢ, from those of its shards."""
    return sum(count / sum(rows) * gradient for gradient, count in zip(gradients, rows))


def plain_mean(gradients, rows):
    """The mean without weights."""
    return sum(gradients) / len(gradients)


def plain_sum(gradients, rows):
    """The sum without weights."""
    return sum(gradients)


def sum_of_rows(gradients, rows):
    """Each gradient times its rows."""
    return sum(count * gradient for gradient, count in zip(gradients, rows))


def per_shard(gradients, rows):
    """Each gradient times its rows, over the number of shards."""
    return sum_of_rows(gradients, rows) / len(rows)


def inverse_rows(gradients, rows):
    """Each gradient over its rows."""
    return sum(gradient / count for gradient, count in zip(gradients, rows))


def over_all_rows(gradients, rows):
    """The plain sum over all rows."""
    return sum(gradients) / sum(rows)


# the ring ----------------------------------------------------------------------------------------


class RingError(RuntimeError):
    """A worker of the ring that waits for a message which never comes."""


def run_ring(function, arrays):
    """Run function(x, rank, n, exchange) on n workers in a ring, one thread for each.

    Return the list of what the workers return, and the list of the bytes that each one sent.
    """
    results, sent = run_workers(function, [np.array(x) for x in arrays])
    return results, [sum(sizes) for sizes in sent]


def run_workers(function, arrays):
    """Return ([the result of each worker], [the sizes of the messages that it sent])."""
    n, trace = len(arrays), sys.gettrace()
    inboxes = [queue.SimpleQueue() for _ in arrays]
    results, errors, sent = [None] * n, [None] * n, [[] for _ in arrays]

    def work(rank):
        def exchange(message):
            parcel = np.array(message)  # a copy: a message does not change when its array does
            sent[rank].append(parcel.nbytes)
            inboxes[(rank + 1) % n].put(parcel)
            arrived = inboxes[rank].get()
            if arrived is None:
                raise RingError(
                    f"worker {rank} waits for message {len(sent[rank])} of worker "
                    f"{(rank - 1) % n}, which has ended"
                )
            return arrived

        sys.settrace(trace)  # what counts the lines of a check counts them here, too
        try:
            results[rank] = function(arrays[rank], rank, n, exchange)
        except BaseException as error:
            errors[rank] = error
        finally:
            sys.settrace(None)
            inboxes[(rank + 1) % n].put(None)

    threads = [threading.Thread(target=work, args=(rank,), daemon=True) for rank in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    raised = sorted(filter(None, errors), key=lambda error: isinstance(error, RingError))
    if raised:
        raise raised[0]
    return results, sent


def cases_ring_all_reduce():
    """(the arrays of the workers, a line for each,)."""
    rng = np.random.default_rng(0)
    shapes = ((2, 6), (3, 12), (4, 1000), (5, 10))
    return [(rng.integers(-9, 10, shape).astype(float),) for shape in shapes]


def show_ring_all_reduce(arrays):
    """A case in words."""
    return f"{len(arrays)} workers with {len(arrays[0])} numbers each"


def run_ring_all_reduce(function, arrays):
    """What the workers return, and the most bytes and messages that one of them sends."""
    results, sent = run_workers(function, arrays)
    if any(result is None for result in results):
        return None
    flat = all(np.shape(x) == arrays[0].shape for x in results)
    return np.stack(results) if flat else results[0], max(map(sum, sent)), max(map(len, sent))


def reference_ring_all_reduce(x, rank, n, exchange):
    """Return the sum of the arrays x of all n workers: reduce-scatter, then all-gather."""
    chunks = [chunk.copy() for chunk in np.array_split(x, n)]
    for t in range(n - 1):
        received = exchange(chunks[(rank - t) % n])
        chunks[(rank - t - 1) % n] += received
    for t in range(n - 1):
        chunks[(rank - t) % n] = exchange(chunks[(rank - t + 1) % n])
    return np.concatenate(chunks)


def whole_arrays(x, rank, n, exchange):
    """Each array goes round the whole ring."""
    total, message = x.copy(), x
    for _ in range(n - 1):
        message = exchange(message)
        total += message
    return total


def scatter_alone(x, rank, n, exchange):
    """Without the second half."""
    chunks = [chunk.copy() for chunk in np.array_split(x, n)]
    for t in range(n - 1):
        received = exchange(chunks[(rank - t) % n])
        chunks[(rank - t - 1) % n] += received
    return np.concatenate(chunks)


def adds_twice(x, rank, n, exchange):
    """The second half adds what it receives."""
    chunks = np.array_split(scatter_alone(x, rank, n, exchange), n)
    for t in range(n - 1):
        received = exchange(chunks[(rank - t + 1) % n])
        chunks[(rank - t) % n] += received
    return np.concatenate(chunks)


def adds_to_sent(x, rank, n, exchange):
    """It adds to the chunk that it has sent, not to the one that it received."""
    chunks = [chunk.copy() for chunk in np.array_split(x, n)]
    for t in range(n - 1):
        chunks[(rank - t) % n] = chunks[(rank - t) % n] + exchange(chunks[(rank - t) % n])
    for t in range(n - 1):
        chunks[(rank - t) % n] = exchange(chunks[(rank - t + 1) % n])
    return np.concatenate(chunks)


def numbers_rise(x, rank, n, exchange):
    """As if worker i + 1 sent to worker i."""
    chunks = [chunk.copy() for chunk in np.array_split(x, n)]
    for t in range(n - 1):
        received = exchange(chunks[(rank + t) % n])
        chunks[(rank + t + 1) % n] += received
    for t in range(n - 1):
        chunks[(rank + t) % n] = exchange(chunks[(rank + t - 1) % n])
    return np.concatenate(chunks)


def gathers_stale(x, rank, n, exchange):
    """The second half begins with chunk `rank`, which holds the numbers of this worker alone."""
    chunks = np.array_split(scatter_alone(x, rank, n, exchange), n)
    for t in range(n - 1):
        chunks[(rank - t - 1) % n] = exchange(chunks[(rank - t) % n])
    return np.concatenate(chunks)


def keeps_chunks(x, rank, n, exchange):
    """The right chunks, in a list."""
    return np.array_split(reference_ring_all_reduce(x, rank, n, exchange), n)


def divides_by_workers(x, rank, n, exchange):
    """The mean of the arrays."""
    return reference_ring_all_reduce(x, rank, n, exchange) / n


def after_ring_all_reduce(function):
    """Show the bytes that the learner's workers send, beside those of a server's connection."""
    from minigrad.course.teach import table

    rows = []
    for n in (2, 4, 8, 16):
        _, sent = run_ring(function, [np.ones(1200)] * n)
        rows.append((n, max(sent), n * 1200 * 8))
    heads = ["workers", "ring: bytes that a worker sends", "bytes that a server sends"]
    print("  For 1,200 numbers, B = 9,600 bytes:")
    return table(heads, rows, form=",.0f")


def count_contributions(n):
    """[for each round of a ring: how many workers' numbers are in chunk k of worker i], and
    [which chunk each worker receives in it]."""
    held, states, received = np.ones((n, n), int), [], []
    states.append(held.copy())
    for t in range(2 * (n - 1)):
        before, arrived = held.copy(), []
        for rank in range(n):
            at = (rank - t - 1) % n if t < n - 1 else (rank - t + n - 1) % n
            sender = before[(rank - 1) % n, at]
            held[rank, at] = sender + before[rank, at] if t < n - 1 else sender
            arrived.append(at)
        states.append(held.copy())
        received.append(arrived)
    return states, received


def show_ring(n=4):
    """Draw a ring all-reduce: after each round, how many contributions each chunk has."""
    from minigrad.draw.plot.axes import paper

    states, received = count_contributions(n)
    with paper([1.55], columns=len(states), share=True) as (_, axes):
        for t, (ax, state) in enumerate(zip(axes, states)):
            ax.grid(visible=False)
            draw_state(ax, state, received[t - 1] if t else [])
            phase = "start" if not t else f"round {t}\n{'add' if t < n else 'replace'}"
            ax.set_title(phase)
            ax.set(xlim=(0, n), ylim=(n, 0), xticks=[], yticks=[])
        axes[0].set_yticks(np.arange(n) + 0.5, [f"worker {i}" for i in range(n)])
        for ax in axes:
            ax.tick_params(length=0)
            ax.set_xlabel("chunk 0 … 3" if ax is axes[0] else "")


def draw_state(ax, state, received):
    """Draw the chunks of all workers; what a worker has just received has a thick frame."""
    n = len(state)
    ax.text_rows = ["contributions in each chunk, a line for each worker:"]
    ax.text_rows += [" ".join(map(str, row)) for row in state.tolist()]
    for rank in range(n):
        for chunk in range(n):
            full = state[rank, chunk] == n
            field = {"facecolor": PALE if full else "#FFFFFF", "edgecolor": "#CFD6DE"}
            ax.add_patch(rectangle((chunk, rank), lw=0.6, zorder=1, **field))
            put = {"ha": "center", "va": "center", "color": INK, "zorder": 3}
            ax.text(chunk + 0.5, rank + 0.5, str(state[rank, chunk]), **put)
    for rank, chunk in enumerate(received):
        frame = {"facecolor": "none", "edgecolor": ORANGE}
        ax.add_patch(rectangle((chunk, rank), lw=1.6, zorder=4, **frame))


def rectangle(corner, **style):
    """A square of a state."""
    from matplotlib.patches import Rectangle

    return Rectangle(corner, 1, 1, clip_on=False, **style)


# bytes_crossing ----------------------------------------------------------------------------------

READS = {"p": [], "q": ["p"], "r": ["p", "q"], "s": ["p", "q", "q"]}
SIZES = {"p": 1, "q": 10, "r": 100, "s": 1000}


def cases_bytes_crossing():
    """(reads, sizes, home)."""
    homes = ((0, 1, 1, 2), (0, 0, 1, 1), (0, 0, 0, 0), (2, 0, 1, 0), (1, 0, 1, 1), (0, 1, 2, 3))
    chain = {"a": [], "b": ["a"], "c": ["b"], "d": ["c", "a", "b"]}
    return [(READS, SIZES, dict(zip("pqrs", each))) for each in homes] + [
        (chain, dict(zip("abcd", (8, 64, 512, 4096))), dict(zip("abcd", (0, 1, 0, 1)))),
        (READS, dict.fromkeys("pqrs", 80), dict(zip("pqrs", (0, 0, 1, 1)))),
    ]


def show_bytes_crossing(reads, sizes, home):
    """A case in words."""
    return f"home = {home}, reads = {reads}, sizes = {sizes}"


def reference_bytes_crossing(reads, sizes, home):
    """Return the bytes that cross between workers; a value travels once to each reader's worker."""
    travels = {(x, home[v]) for v in reads for x in reads[v] if home[x] != home[v]}
    return sum(sizes[x] for x, _ in travels)


def each_reader(reads, sizes, home):
    """Once for each value that reads it."""
    return sum(sizes[x] for v in reads for x in set(reads[v]) if home[x] != home[v])


def each_edge(reads, sizes, home):
    """Once for each time that it is read."""
    return sum(sizes[x] for v in reads for x in reads[v] if home[x] != home[v])


def once_alone(reads, sizes, home):
    """Once for each value that crosses, whatever the number of workers."""
    return sum(sizes[x] for x in {x for v in reads for x in reads[v] if home[x] != home[v]})


def at_home_too(reads, sizes, home):
    """Also what is read where it is."""
    return sum(sizes[x] for x, _ in {(x, home[v]) for v in reads for x in reads[v]})


def bytes_of_readers(reads, sizes, home):
    """The sizes of the readers, not of what they read."""
    return sum(sizes[v] for v in reads for x in reads[v] if home[x] != home[v])


def set_of_sizes(reads, sizes, home):
    """Values of one size that travel to one worker count as one."""
    return sum(
        size
        for size, _ in {(sizes[x], home[v]) for v in reads for x in reads[v] if home[x] != home[v]}
    )


def count_values(reads, sizes, home):
    """Values, not bytes."""
    return reference_bytes_crossing(reads, dict.fromkeys(sizes, 1), home)


def tables_of(parts):
    """Return (reads, sizes for one row, home) of all nodes of a partition, for bytes_crossing."""
    reads, sizes, home = {}, {}, {}
    for piece in parts.pieces:
        for node in piece.nodes:
            home[node.order] = piece.worker
            reads[node.order] = [x.order for x in node.inputs]
            known = [length for length in node.shape if length is not None]
            sizes[node.order] = node.dtype.itemsize * int(np.prod(known))
    fed = {node.order for piece in parts.pieces for node in piece.fed}
    reads = {v: [x for x in inputs if x in home and x not in fed] for v, inputs in reads.items()}
    return reads, sizes, home


# when it pays ------------------------------------------------------------------------------------


def deep_net(layers):
    """(x, loss) of a network whose layers share one weight of 32 × 32: much work, few bytes."""
    with mg.Graph():
        x = mg.placeholder("x", (None, 32))
        w = mg.Variable(np.eye(32) * 0.9, name="w")
        h = x
        for _ in range(layers):
            h = mg.tanh(h @ w)
        loss = mg.mean(h * h)
    return x, loss


def compare_steps(pool, layers, rows):
    """Return the seconds of a training step in one process and on a pool, measured in turn."""
    from minigrad import workers

    x, loss = deep_net(layers)
    batch = {x: np.random.default_rng(0).normal(size=(rows, 32))}
    update, session = mg.optim.SGD(lr=0.1).minimize(loss), mg.Session(loss.graph)
    found = [], []
    with workers.data_parallel(pool, loss, mg.optim.SGD(lr=0.1), copy_every=1000) as train:
        ways = (lambda: session.run([loss, update], batch)), (lambda: train.step(batch))
        for attempt in range(ROUNDS + 1):
            for seconds, step in zip(found, ways):
                begun = time.perf_counter()
                step()
                if attempt:  # the first one compiles
                    seconds.append(time.perf_counter() - begun)
    return tuple(map(statistics.median, found))


def show_gain():
    """Draw how many times as fast two workers are for more and more work, as recorded."""
    from minigrad.draw.plot.axes import paper

    one, two = np.transpose(RECORDED)
    with paper([2.6]) as (_, (axes,)):
        axes.plot(1000 * one, one / two, **mg.plot.style_of("static"))
        axes.lines[-1].set_label("B = 8 kB")
        axes.plot(
            1000 * WIDE[0], WIDE[0] / WIDE[1], "X", markersize=8, color=ORANGE, label="B = 2.4 MB"
        )
        axes.axhline(1, color="#5A6673", linewidth=0.8)
        axes.legend(edgecolor="none", framealpha=1)
        axes.set_xscale("log")
        axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
        axes.set(xlabel="work of a step: ms in one process", ylabel="times as fast", ylim=(0, 2.1))
    pays, not_yet = 1000 * one[one > two].min(), 1000 * one[one < two].max()
    print(f"Two workers begin to pay off between {not_yet:.0f} and {pays:.0f} ms of work.")
    print(f"The most that they gain is a factor of {max(one / two):.1f}.")
    one, two = WIDE
    print("The cross, two hidden layers of 512 units and batches of 8,192 rows:")
    print(f"{one} s in one process, {two} s on two workers.")


def show_losses(alone, shared):
    """Draw the losses of one process and of two workers, one line upon the other."""
    from minigrad.draw.plot.axes import paper

    wide = {"linestyle": "-", "linewidth": 5, "alpha": 0.4, "marker": ""}
    with paper([2.2]) as (_, (axes,)):
        axes.plot(alone, **mg.plot.style_of("by hand", **wide), label="one process")
        axes.plot(shared, **mg.plot.style_of("static", marker=""), label="two workers")
        axes.set(xlabel="step", ylabel="loss of the batch", ylim=(0, None))
        axes.legend(edgecolor="none", framealpha=1)


lesson = Lesson("16", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
