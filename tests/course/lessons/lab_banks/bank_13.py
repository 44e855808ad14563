"""What students answer in lesson 13, wrong and right; test_lab_banks.py tells the form."""

COMPARE = """
a()
b()
ratios = []
for _ in range(rounds):
    start = clock()
    a()
    middle = clock()
    b()
    ratios.append((clock() - middle) / (middle - start))
return np.median(ratios)
"""
TIMES = """
a(), b()
first, second = [], []
for _ in range(rounds):
    t0 = clock(); a(); t1 = clock()
    first.append(t1 - t0)
    t0 = clock(); b(); t1 = clock()
    second.append(t1 - t0)
return np.median(np.array(second) / np.array(first))
"""
IN_A_ROW = """
a(), b()
first, second = [], []
for _ in range(rounds):
    t0 = clock(); a(); t1 = clock()
    first.append(t1 - t0)
for _ in range(rounds):
    t0 = clock(); b(); t1 = clock()
    second.append(t1 - t0)
return np.median(second) / np.median(first)
"""
LOSSES = """
session = mg.Session(graph)
losses = []
for _ in range(count):
    losses.append(session.run([loss, step], feeds)[0].item())
return losses
"""
WARM_UPS = """
ratios = []
for _ in range(rounds):
    a(), b()
    t0 = clock(); a(); t1 = clock(); b(); t2 = clock()
    ratios.append((t2 - t1) / (t1 - t0))
return np.median(ratios)
"""
FAIR = """
a(); b()
ratios = []
for k in range(rounds):
    t0 = clock()
    if k % 2:
        b(); t1 = clock(); a(); t2 = clock()
        ratios.append((t1 - t0) / (t2 - t1))
    else:
        a(); t1 = clock(); b(); t2 = clock()
        ratios.append((t2 - t1) / (t1 - t0))
return float(np.median(ratios))
"""
COMPILE_EACH = """
session = mg.Session(graph)
losses = []
for _ in range(count):
    program = session.compile([loss, step], list(feeds))
    losses.append(program(*feeds.values())[0].item())
return losses
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


SIGNATURES = {"compare": "a, b, rounds, clock", "losses_of": "graph, loss, step, feeds, count"}
WRONG_FUNCTIONS = {
    "compare": [
        ("    ...", "Call a() and b() once"),
        (changed(COMPARE, "a()\nb()\nratios", "ratios"), "no_warm_up"),
        (changed(COMPARE, "a()\nb()\nratios", "a()\nratios"), "Call a and b once before"),
        (changed(COMPARE, "range(rounds)", "range(rounds - 1)"), "Read the time by the `clock`"),
        (changed(COMPARE, "np.median", "np.mean"), "mean_of_ratios"),
        (changed(COMPARE, "np.median", "np.min"), "Call a and b once before"),
        (
            changed(COMPARE, "np.median(ratios)", "sorted(ratios)[rounds // 2]"),
            "Call a and b once before",
        ),
        (IN_A_ROW, "in_a_row"),
        (
            changed(
                IN_A_ROW,
                "np.median(second) / np.median(first)",
                "np.median(np.array(second) / np.array(first))",
            ),
            "in_a_row",
        ),
        (
            """
            a()
            b()
            start = clock()
            for _ in range(rounds):
                a()
            middle = clock()
            for _ in range(rounds):
                b()
            return (clock() - middle) / (middle - start)
            """,
            "in_a_row",
        ),
        (WARM_UPS, "Call a and b once before"),
        (
            "import time\nclock = time.perf_counter\n" + COMPARE,
            "Read the time by the `clock`",
        ),
        (
            changed(
                TIMES,
                "np.median(np.array(second) / np.array(first))",
                "np.median(second) / np.median(first)",
            ),
            "ratio_of_medians",
        ),
        (
            changed(
                TIMES, "np.median(np.array(second) / np.array(first))", "sum(second) / sum(first)"
            ),
            "ratio_of_totals",
        ),
        (
            changed(
                COMPARE,
                "(clock() - middle) / (middle - start)",
                "(middle - start) / (clock() - middle)",
            ),
            "upside_down",
        ),
        (changed(COMPARE, "clock() - middle", "clock() - start"), "with_first_call"),
        (
            changed(COMPARE, "(clock() - middle) / (middle - start)", "clock() - middle"),
            "Call a and b once before",
        ),
        (COMPARE.replace("clock()", "clock"), "`a`, `b` and `clock`"),
        (
            changed(COMPARE, "    a()\n    middle = clock()\n", "    middle = clock()\n    a()\n"),
            "The time of",
        ),
        (
            changed(COMPARE, "return np.median(ratios)", "np.median(ratios)"),
            "Does it end with return",
        ),
    ],
    "losses_of": [
        ("    ...", "Make one session"),
        (
            "return [mg.Session(graph).run([loss, step], feeds)[0].item() for _ in range(count)]",
            "session_each",
        ),
        (COMPILE_EACH, "compile_each"),
        (
            changed(
                LOSSES,
                "session.run([loss, step], feeds)[0].item())",
                "session.run([loss], feeds)[0].item())\n    session.run([step], feeds)",
            ),
            "loss_then_step",
        ),
        (
            """
            session = mg.Session(graph)
            session.run([loss, step], feeds)
            return [session.run([loss, step], feeds)[0].item() for _ in range(count)]
            """,
            "warm_up_step",
        ),
        (
            changed(LOSSES, "losses = []", "losses = []\nsession.compile([loss, step], feeds)"),
            "loss_then_step",
        ),
        (
            changed(LOSSES, "run([loss, step], feeds)[0].item()", "run(loss, feeds).item()"),
            "loss_alone",
        ),
        (
            changed(
                LOSSES, "    losses.append(session", "    losses = []\n    losses.append(session"
            ),
            "last_loss",
        ),
        (
            changed(
                LOSSES,
                "    losses.append(session.run([loss, step], feeds)[0].item())",
                "    session.run(step, feeds)\n    losses.append(session.run(loss, feeds).item())",
            ),
            "loss_after",
        ),
        (changed(LOSSES, "return losses", "return losses[-1]"), "Return a list"),
        (changed(LOSSES, "feeds)[0].item()", "feeds).item()"), "A run of [loss, step]"),
        (
            changed(
                LOSSES, "    losses.append", "    session = mg.Session(graph)\n    losses.append"
            ),
            "Make one session before",
        ),
        (changed(LOSSES, "return losses", "losses"), "Does it end with return"),
    ],
}
RIGHT_FUNCTIONS = {
    "compare": [
        COMPARE,
        TIMES,
        FAIR,
        changed(FAIR, "if k % 2", "if k % 2 == 0"),
        """
        def seconds(call):
            start = clock()
            call()
            return clock() - start
        seconds(a), seconds(b)
        found = sorted(1 / (seconds(a) / seconds(b)) for _ in range(rounds))
        middle = rounds // 2
        return found[middle] if rounds % 2 else (found[middle - 1] + found[middle]) / 2
        """,
    ],
    "losses_of": [
        LOSSES,
        """
        program = mg.Session(graph).compile([loss, step], list(feeds))
        return [float(program(*feeds.values())[0]) for _ in range(count)]
        """,
        """
        s = mg.Session(graph)
        return np.array([s.run({"loss": loss, "step": step}, feeds)["loss"] for _ in range(count)])
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (80, "Building has"),
        (40, "A step saves 0.5"),
        (60, "60 ms have to be"),
        (30, "Divide by"),
        (24, "A step saves the difference"),
        (121, "After 120 steps"),
        (7, "20 ms and 40 ms"),
        ("many", "20 ms and 40 ms"),
    ],
}
RIGHT_VALUES = {"exit": [120, 120.0, "120"]}
PREDICTIONS = {
    "arrays": ([..., 100, "few"], 3),
    "dtype": ([..., "float16", 3], "float64"),
    "half": ([..., 5, "tiny"], 0.0),
}
