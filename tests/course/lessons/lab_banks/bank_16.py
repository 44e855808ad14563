"""What students answer in lesson 16, wrong and right; test_lab_banks.py tells the form."""

COMBINE = """
total = sum(count * gradient for count, gradient in zip(rows, gradients))
return total / sum(rows)
"""
RING = """
chunks = np.array_split(x.copy(), n)
for t in range(n - 1):
    arrived = exchange(chunks[(rank - t) % n])
    chunks[(rank - t - 1) % n] += arrived
for t in range(n - 1):
    chunks[(rank - t) % n] = exchange(chunks[(rank + 1 - t) % n])
return np.concatenate(chunks)
"""
GATHER = """for t in range(n - 1):
    chunks[(rank - t) % n] = exchange(chunks[(rank + 1 - t) % n])
"""
CROSSING = """
travels = {(x, home[v]) for v, inputs in reads.items() for x in inputs if home[x] != home[v]}
return sum(sizes[x] for x, _ in travels)
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


SIGNATURES = {
    "combine": "gradients, rows",
    "ring_all_reduce": "x, rank, n, exchange",
    "bytes_crossing": "reads, sizes, home",
}
WRONG_FUNCTIONS = {
    "combine": [
        ("    ...", "Multiply each gradient"),
        ("return sum(gradients) / len(gradients)", "plain_mean"),
        ("return np.mean(gradients, axis=0)", "plain_mean"),
        ("return sum(gradients)", "plain_sum"),
        (changed(COMBINE, " / sum(rows)", ""), "sum_of_rows"),
        (changed(COMBINE, "sum(rows)", "len(rows)"), "per_shard"),
        (changed(COMBINE, "count * gradient", "gradient"), "over_all_rows"),
        ("return sum(g / r for g, r in zip(gradients, rows))", "inverse_rows"),
        ("return gradients * rows / sum(rows)", "`gradients` and `rows`"),
        ("return np.dot(rows, gradients) / sum(rows)", "All gradients have the same"),
        (changed(COMBINE, "return total", "total"), "Does it end with return"),
        (
            """
            for g, r in zip(gradients, rows):
                g *= r
            return sum(gradients) / sum(rows)
            """,
            "Work on a copy",
        ),
        (f"rows = sorted(rows, reverse=True)\n{COMBINE}", "Step 4 of the derivation"),
        ("return gradients[0]", "Step 4 of the derivation"),
    ],
    "ring_all_reduce": [
        ("    ...", "Cut a copy of x"),
        (
            """
            total, message = x.copy(), x
            for t in range(n - 1):
                message = exchange(message)
                total += message
            return total
            """,
            "whole_arrays",
        ),
        (
            """
            total = x.copy()
            for t in range(n - 1):
                total = x + exchange(total)
            return total
            """,
            "whole_arrays",
        ),
        (changed(RING, GATHER, ""), "scatter_alone"),
        (
            changed(
                RING, "chunks[(rank - t) % n] = exchange", "chunks[(rank - t) % n] += exchange"
            ),
            "adds_twice",
        ),
        (changed(RING, "+= arrived", "= arrived"), "gathers_stale"),
        (changed(RING, "[(rank - t - 1) % n] +=", "[(rank - t) % n] +="), "adds_to_sent"),
        (
            changed(
                RING,
                "    chunks[(rank - t) % n] = exchange(chunks[(rank + 1 - t) % n])",
                "    chunks[(rank - t - 1) % n] = exchange(chunks[(rank - t) % n])",
            ),
            "gathers_stale",
        ),
        (changed(RING, "x.copy()", "x"), "Work on a copy"),
        (
            changed(
                RING, "return np.concatenate(chunks)", "x[:] = np.concatenate(chunks)\nreturn x"
            ),
            "Work on a copy",
        ),
        (changed(RING, "(chunks)\n", "(chunks) / n\n"), "divides_by_workers"),
        (changed(RING, "return np.concatenate(chunks)", "return chunks"), "keeps_chunks"),
        (changed(RING, "- 1):\n    arr", "):\n    arr"), "Follow one chunk"),
        (changed(RING, "[(rank - t - 1) % n] +=", "[(rank - t + 1) % n] +="), "Follow one chunk"),
        (RING.replace("range(n - 1)", "range(n - 2)"), "Follow one chunk"),
        (RING.replace("rank - t", "rank + t"), "Follow one chunk"),
        (
            RING.replace("- t - 1", "+ t + 1")
            .replace("rank - t", "rank + t")
            .replace("1 - t", "t - 1"),
            "numbers_rise",
        ),
        (RING.replace(" % n", ""), "Chunks are numbered"),
        (
            changed(RING, "chunks[(rank - t) % n])\n    chunks", "t)\n    chunks"),
            "Follow one chunk",
        ),
        (f"if rank == 0:\n    return x\n{RING}", "All workers must call exchange"),
        ("return x", "Follow one chunk"),
        ("return x + exchange(x)", "Follow one chunk"),
        (changed(RING, "return np", "np"), "Does it end with return"),
        ("while True:\n    pass", "Does it end?"),
        (changed(RING, "exchange(chunks[(rank - t) % n])\n", "exchange()\n"), "exchange(message)"),
    ],
    "bytes_crossing": [
        ("    ...", "For each value"),
        (
            "return sum(sizes[x] for v in reads for x in reads[v] if home[x] != home[v])",
            "each_edge",
        ),
        (
            "return sum(sizes[x] for v in reads for x in set(reads[v]) if home[x] != home[v])",
            "each_reader",
        ),
        (
            """
            crossing = {x for v in reads for x in reads[v] if home[x] != home[v]}
            return sum(sizes[x] for x in crossing)
            """,
            "once_alone",
        ),
        (changed(CROSSING, " if home[x] != home[v]", ""), "at_home_too"),
        (
            "return sum(sizes[v] for v in reads for x in reads[v] if home[x] != home[v])",
            "bytes_of_readers",
        ),
        (changed(CROSSING, "sum(sizes[x] for x, _ in travels)", "len(travels)"), "count_values"),
        (
            """
            return sum(s for s, _ in {
                (sizes[x], home[v]) for v, i in reads.items() for x in i if home[x] != home[v]})
            """,
            "set_of_sizes",
        ),
        (changed(CROSSING, "home[x] != home[v]", "home[x] < home[v]"), "Collect the pairs"),
        (changed(CROSSING, "for x in inputs", "for x in inputs[:1]"), "Collect the pairs"),
        (changed(CROSSING, "sum(sizes[x] for x, _ in travels)", "travels"), "Collect the pairs"),
        (changed(CROSSING, "home[x] !=", "home[x] =="), "Collect the pairs"),
        ("return sum(sizes.values())", "Collect the pairs"),
        (
            changed(CROSSING, "home[x] != home[v]", "home[reads[v]] != home[v]"),
            "reads[v] is a list",
        ),
        (changed(CROSSING, "sum(sizes[x] for", "sum(sizes[home[x]] for"), "The keys of all"),
        (changed(CROSSING, "return sum", "sum"), "Does it end with return"),
    ],
}
RIGHT_FUNCTIONS = {
    "combine": [
        COMBINE,
        "return np.average(gradients, axis=0, weights=rows)",
        """
        result = np.zeros_like(gradients[0])
        for i in range(len(rows)):
            result += rows[i] / sum(rows) * gradients[i]
        return result
        """,
    ],
    "ring_all_reduce": [
        RING,
        """
        parts = list(np.array_split(x, n))
        k = rank
        for _ in range(n - 1):
            incoming = exchange(parts[k])
            k = (k - 1) % n
            parts[k] = parts[k] + incoming
        for _ in range(n - 1):
            incoming = exchange(parts[k])
            k = (k - 1) % n
            parts[k] = incoming
        return np.hstack(parts)
        """,
        """
        chunks = [c.copy() for c in np.array_split(x, n)]
        for step in range(2 * (n - 1)):
            send, receive = (rank - step) % n, (rank - step - 1) % n
            if step < n - 1:
                chunks[receive] += exchange(chunks[send])
            else:
                chunks[receive] = exchange(chunks[send])
        return np.concatenate(chunks)
        """,
        """
        chunks = np.array_split(x.copy(), n)
        for t in range(n - 1):
            arrived = exchange(chunks[(rank + 2 - t) % n])
            chunks[(rank + 1 - t) % n] += arrived
        for t in range(n - 1):
            chunks[(rank + 2 - t) % n] = exchange(chunks[(rank + 3 - t) % n])
        return np.concatenate(chunks)
        """,
    ],
    "bytes_crossing": [
        CROSSING,
        """
        total = 0
        for x in sizes:
            receivers = set()
            for v in reads:
                if x in reads[v]:
                    receivers.add(home[v])
            total += sizes[x] * len(receivers - {home[x]})
        return total
        """,
        """
        seen, total = [], 0
        for v in reads:
            for x in reads[v]:
                if home[x] != home[v] and (x, home[v]) not in seen:
                    seen.append((x, home[v]))
                    total = total + sizes[x]
        return total
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (15, "This is the computation alone"),
        (70, "This is the communication alone"),
        (55, "You let each worker send"),
        (95, "You counted 2B"),
        (50, "You counted one half"),
        (655, "That is the time with one server"),
        (0.085, "This is in seconds"),
        (335, "Add two times"),
        ("85 ms", "Add two times"),
    ],
}
RIGHT_VALUES = {"exit": [85, 85.0, "85"]}
PREDICTIONS = {
    "speed": ([..., "twice", 3], "at least 3 times as long"),
    "killed": ([..., 10, "none"], 0),
    "crossing": ([..., 1, "many"], 160),
}
