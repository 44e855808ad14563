"""Lesson 05: cases, references, typical wrong answers and pictures. The words are in 05.toml."""

import re
import sys
from functools import partial

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson, known_answer, say
from minigrad.course.lessons.answer import LessonError, agree, numeric, unquote

SEED = 5  # the cases of an exercise are the same each time
JOINTS = ("shoulder", "elbow", "wrist")
STRETCHED, BENT = np.zeros(3), np.array([0.5, 0.9, -0.6])  # two poses of the arm
SOMETIMES = "sometimes True, sometimes False"  # the verdicts of a test that is right by chance
SLIGHT = "x_bar 0.2 % too large"  # a pair, of small numbers, that only a tight comparison catches
ARROW = 0.35  # of its length: how long a column of J is drawn
FIELD, GAP = 0.42, 0.3  # inches: of an entry of a matrix, and of a sign beside it
COLOURS = ("#1B5FA8", "#B0430A", "#1A7F5A")  # of the joints
ORANGE = COLOURS[1]

# maps --------------------------------------------------------------------------------------------


def arm(angles):
    """Find the hand, x and y, of an arm with three bones of length 1."""
    directions = mg.cumsum(angles)
    return mg.stack([mg.sum(mg.cos(directions)), mg.sum(mg.sin(directions))])


def polar(point):
    """Take a length and an angle to x and y: a square Jacobian that is not symmetric."""
    return mg.stack([point[0] * mg.cos(point[1]), point[0] * mg.sin(point[1])])


def rise_and_products(x):
    """Take two numbers to four: a tall Jacobian."""
    return mg.stack([x[0] * x[1], x[0] + 2 * x[1], mg.exp(x[0]), x[1] ** 2])


def linear_map(matrix):
    """Multiply by a matrix, as a function that mg can differentiate."""
    return lambda x: matrix @ x


# jacobian_forward, jacobian_reverse --------------------------------------------------------------


def cases_jacobian():
    """Maps with a wide, a tall and a square Jacobian, each with a place."""
    return [
        (arm, BENT.copy()),
        (rise_and_products, np.array([0.5, 2.0])),
        (polar, np.array([2.0, 0.7])),
    ]


def reference_jacobian(f, x):
    """Find the Jacobian of f at x as the engine does."""
    return mg.jacobian(f)(x).numpy()


def reference_jacobian_forward(f, x):
    """Find the Jacobian of f at x by one forward pass for each column."""
    columns = [mg.jvp(f, (x,), (x_dot,))[1].numpy() for x_dot in np.eye(len(x))]
    return np.stack(columns, axis=1)


def reference_jacobian_reverse(f, x):
    """Find the Jacobian of f at x by one backward pass for each row."""
    y, pullback = mg.vjp(f, x)
    return np.stack([pullback(y_bar)[0].numpy() for y_bar in np.eye(len(y))])


def show_jacobian_case(f, x):
    """A case in words."""
    return f"f = {f.__name__} at {np.array2string(x, separator=', ')}"


def rows_for_columns(f, x):
    """The Jacobian with rows and columns exchanged."""
    return reference_jacobian(f, x).T


def rows_in_tuples(f, x):
    """The rows, each in the tuple that a pullback returns."""
    return reference_jacobian(f, x)[:, None]


def sum_of_columns(f, x):
    """One forward pass with a tangent of ones, which adds the columns."""
    return reference_jacobian(f, x).sum(axis=1)


def sum_of_rows(f, x):
    """One backward pass with a cotangent of ones, which adds the rows."""
    return reference_jacobian(f, x).sum(axis=0)


def rows_before_added(f, x):
    """Each row with those before it, as a grad accumulates them."""
    return reference_jacobian(f, x).cumsum(axis=0)


def first_column(f, x):
    """The first column alone."""
    return reference_jacobian(f, x)[:, 0]


def first_row(f, x):
    """The first row alone."""
    return reference_jacobian(f, x)[0]


def last_column(f, x):
    """The last column alone."""
    return reference_jacobian(f, x)[:, -1]


def last_row(f, x):
    """The last row alone."""
    return reference_jacobian(f, x)[-1]


def results_as_columns(f, x):
    """The result of f for each input, where its tangent should be."""
    return np.stack([plain_numbers(f(x))] * len(x), axis=1)


def after_jacobian_forward(function):
    """Say so where the learner's function does not take one forward pass for each column."""
    tell_count("jacobian_forward", count_work(function, inputs=4, outputs=3), "forward", 4)


def after_jacobian_reverse(function):
    """Say so where it does not run the program once, and one backward pass for each row."""
    counted = count_work(function, inputs=4, outputs=3)
    tell_count("jacobian_reverse", counted, "backward", 3 if counted["runs"] == 1 else None)


def tell_count(name, counted, direction, due):
    """Print the sentence on the work that a function does, unless it is as it should be."""
    if counted[direction] != due:
        sentence = lesson.words["check"][name]["count"]
        say("○ " + sentence.format(**counted, inputs=4, outputs=3), indent=2)


cases_jacobian_forward = cases_jacobian_reverse = cases_jacobian
show_jacobian_forward = show_jacobian_reverse = show_jacobian_case

# dot_product_test --------------------------------------------------------------------------------


def pairs_to_test():
    """{what it is: (forward, backward, n, m)}, right ones and wrong ones."""
    rng = np.random.default_rng(SEED)
    square, wide = rng.normal(size=(30, 30)), rng.normal(size=(20, 30))
    forward, wide_forward = linear_map(square), linear_map(wide)

    def half_lost(y_bar):
        return (wide.T @ y_bar) * (np.arange(30) < 15)

    return {
        "a matrix of 20 × 30": (wide_forward, linear_map(wide.T), 30, 20),
        "a square matrix": (forward, linear_map(square.T), 30, 30),
        "a square matrix, transposed": (forward, forward, 30, 30),
        "x_bar in reverse order": (forward, lambda y_bar: (square.T @ y_bar)[::-1], 30, 30),
        "x_bar with the wrong sign": (wide_forward, lambda y_bar: -wide.T @ y_bar, 30, 20),
        "x_bar twice too large": (wide_forward, lambda y_bar: 2 * wide.T @ y_bar, 30, 20),
        SLIGHT: (linear_map(0.01 * wide), lambda y_bar: 0.01002 * wide.T @ y_bar, 30, 20),
        "x_bar without its second half": (wide_forward, half_lost, 30, 20),
    }


def cases_dot_product_test():
    """Pairs of a forward and a backward function, right and wrong, with their lengths."""
    return list(pairs_to_test().values())


def run_dot_product_test(function, forward, backward, n, m):
    """What the test says of a pair in eight calls, four of them with both functions negated."""

    def negated(called):
        return lambda vector: -called(vector)

    pairs = [(forward, backward), (negated(forward), negated(backward))] * 4
    verdicts = [function(*pair, n, m) for pair in pairs]
    if any(verdict is None for verdict in verdicts):
        return None
    if all(np.array_equal(verdict, verdicts[0]) for verdict in verdicts):
        return verdicts[0]
    if show_dot_product_test(forward, backward, n, m) == SLIGHT:
        return sum(map(bool, verdicts)) > 1  # once happens to a tolerance of 1e-6, too
    return SOMETIMES


def reference_dot_product_test(forward, backward, n, m):
    """Compare ȳ·(Jẋ) with (Jᵀȳ)·ẋ for two random vectors."""
    rng = np.random.default_rng(SEED)
    x_dot, y_bar = rng.normal(size=n), rng.normal(size=m)
    return bool(np.isclose(y_bar @ forward(x_dot), backward(y_bar) @ x_dot))


def show_dot_product_test(forward, backward, n, m):
    """A case in words."""
    pairs = pairs_to_test().items()
    return next(name for name, pair in pairs if pair[2:] == (n, m) and acts_alike(pair, backward))


def acts_alike(pair, backward):
    """Whether a backward function is that of a pair, by what it does."""
    y_bar = np.arange(1.0, pair[3] + 1)
    return np.allclose(pair[1](y_bar), backward(y_bar))


def only_ones(forward, backward, n, m):
    """The test with vectors of ones, which just adds entries."""
    return bool(np.isclose(np.ones(m) @ forward(np.ones(n)), backward(np.ones(m)) @ np.ones(n)))


def same_vector(forward, backward, n, m):
    """The test with two vectors that are equal where n = m, as from one seed."""
    x_dot, y_bar = (np.random.default_rng(SEED).normal(size=size) for size in (n, m))
    return bool(np.isclose(y_bar @ forward(x_dot), backward(y_bar) @ x_dot))


def always_false(forward, backward, n, m):
    """A test that passes none, as one without room for rounding."""
    return False


def without_sign(forward, backward, n, m):
    """The test by absolute values."""
    right = partial(reference_dot_product_test, forward)
    return right(backward, n, m) or right(lambda y_bar: -backward(y_bar), n, m)


def without_abs(forward, backward, n, m):
    """The test that a difference below zero always passes."""
    rng = np.random.default_rng(SEED)
    x_dot, y_bar = rng.normal(size=n), rng.normal(size=m)
    return bool(y_bar @ forward(x_dot) - backward(y_bar) @ x_dot < 1e-9)


def too_loose(forward, backward, n, m):
    """The test with a tolerance far above rounding."""
    rng = np.random.default_rng(SEED)
    x_dot, y_bar = rng.normal(size=n), rng.normal(size=m)
    return bool(np.isclose(y_bar @ forward(x_dot), backward(y_bar) @ x_dot, rtol=0.01))


def always_true(forward, backward, n, m):
    """A test that passes all."""
    return True


def verdict_reversed(forward, backward, n, m):
    """True where the two sides differ."""
    return not reference_dot_product_test(forward, backward, n, m)


def after_dot_product_test(function):
    """Tell what the learner's test says of the arm and of the other pairs, and what it calls."""

    def arm_forward(x_dot):
        return mg.jvp(arm, (BENT,), (x_dot,))[1].numpy()

    def arm_backward(y_bar):
        return mg.vjp(arm, BENT)[1](y_bar)[0].numpy()

    pairs = {"the arm, by mg.jvp and mg.vjp": (arm_forward, arm_backward, 3, 2)}
    for name, pair in (pairs | pairs_to_test()).items():
        print(f"  {name:32} {'passes' if function(*pair) else 'is caught'}")
    if (calls := count_calls(function)) != {"forward": 1, "backward": 1}:
        say("○ " + lesson.words["check"]["dot_product_test"]["count"].format(**calls), indent=2)


def count_calls(function):
    """Count how often a test calls the two functions of a pair."""
    forward, backward, n, m = pairs_to_test()["a matrix of 20 × 30"]
    calls = {"forward": 0, "backward": 0}

    def counting(name, called):
        def count_and_call(vector):
            calls[name] += 1
            return called(vector)

        return count_and_call

    function(counting("forward", forward), counting("backward", backward), n, m)
    return calls


# reach -------------------------------------------------------------------------------------------


def cases_reach():
    """Goals within the arm's reach, each with a pose to start from."""
    bent = np.array([0.9, 0.7, -1.3])
    return [(np.array([1.0, 1.5]), BENT.copy()), (np.array([2.1, -0.4]), bent)]


def repeat_step(step, goal, angles, count=100):
    """What `count` iterations of angles = step(angles) reach."""
    for _ in range(count):
        angles = step(goal, angles)
    return angles


def cotangent_step(y_bar, rate=0.1):
    """A step against Jᵀȳ, with ȳ = y_bar(hand, goal)."""

    def step(goal, angles):
        hand, pullback = mg.vjp(arm, angles)
        return angles - rate * pullback(y_bar(hand, goal))[0].numpy()

    return step


def miss(hand, goal):
    """The cotangent of the hand under half the squared distance."""
    return hand - goal


def reference_reach(goal, angles):
    """Move the hand to the goal by 100 steps against Jᵀ(hand − goal)."""
    return repeat_step(cotangent_step(miss), goal, angles)


def show_reach(goal, angles):
    """A case in words."""
    return f"goal {np.array2string(goal)} from angles {np.array2string(angles)}"


def away_from_goal(goal, angles):
    """The angles after steps with the wrong sign."""
    return repeat_step(cotangent_step(miss, rate=-0.1), goal, angles)


def whole_gradient(goal, angles):
    """The angles with steps of the whole Jᵀȳ instead of a tenth."""
    return repeat_step(cotangent_step(miss, rate=1.0), goal, angles)


def one_step(goal, angles):
    """The angles after a single step."""
    return repeat_step(cotangent_step(miss), goal, angles, count=1)


def never_moves(goal, angles):
    """The angles as they came."""
    return angles


def old_cotangent(goal, angles):
    """The angles after 100 steps by the first step's Jᵀȳ."""
    return angles + 100 * (one_step(goal, angles) - angles)


def old_pullback(goal, angles):
    """The angles after steps with new hands and the pullback of the first pose."""
    _, pullback = mg.vjp(arm, angles)

    def step(goal, angles):
        return angles - 0.1 * pullback(arm(angles) - goal)[0].numpy()

    return repeat_step(step, goal, angles)


def hand_returned(goal, angles):
    """The hand of the last step instead of the angles."""
    return plain_numbers(arm(repeat_step(cotangent_step(miss), goal, angles, count=99)))


def after_reach(function):
    """Draw the heart that the hand follows by the learner's function."""
    points, poses, angles = heart(), [], np.array([0.2, 0.4, 0.4])
    for goal in points.T:
        angles = np.asarray(plain_numbers(function(goal, angles)))
        poses.append(angles)
    hands = np.stack([bones(pose)[:, -1] for pose in poses], axis=1)
    worst = np.linalg.norm(hands - points, axis=0).max()
    print(f"  The hand followed 40 points of a heart, and missed none by more than {worst:.4f}.")
    draw_heart(points, hands, poses)


def plain_numbers(found):
    """An array of what a learner returns, a Tensor or an array."""
    return found.numpy() if hasattr(found, "numpy") else found


# exit --------------------------------------------------------------------------------------------


def judge_exit(value, words):
    """The hint for three numbers, or None for the right ones; x̄ may stand in its own brackets."""
    value = numeric(flatten_pair(value))
    if value is None or value.shape != (3,):
        return words["start"]
    hint = known_answer(value, words)
    return words["passes"] if hint and agree(value[:2], words["answer"][:2]) else hint


def flatten_pair(value):
    """The pair (x̄, passes), or a text, as three numbers; anything else as it is."""
    if isinstance(value, str):
        return [unquote(part, 0) for part in re.findall(r"[-−.\d]+", value)]
    if isinstance(value, (tuple, list)) and len(value) == 2 and np.size(value[0]) == 2:
        return (*value[0], value[1])
    return value


# passes ------------------------------------------------------------------------------------------


def count_work(function, inputs, outputs):
    """Count the runs, forward and backward passes of a function on a map of this size."""
    matrix, counted = np.random.default_rng(SEED).normal(size=(outputs, inputs)), {}

    def run(x):
        counted["runs"] += 1
        return matrix @ x

    def jvp(x, y, x_dot):
        counted["forward"] += 1
        return matrix @ x_dot

    def vjp(x, y, y_bar):
        counted["backward"] += 1
        return (matrix.T @ y_bar,)

    op = mg.custom_op(run, vjp=vjp, jvp=jvp)
    counted.update(runs=0, forward=0, backward=0)
    function(lambda x: mg.reshape(op(x), (outputs,)), np.ones(inputs))
    return counted


def count_passes(jacobian_forward, jacobian_reverse, inputs, outputs):
    """Count forward passes of the one and backward passes of the other, on a map of this size.

    Raises LessonError where a function does not take one pass for each column, or for each row.
    """
    found = []
    for function, direction, passes, calls in (
        (jacobian_forward, "forward", inputs, "mg.jvp once for each input"),
        (jacobian_reverse, "backward", outputs, "the pullback once for each result"),
    ):
        found.append(count_work(function, inputs, outputs)[direction])
        if found[-1] != passes:
            name = function.__name__
            message = f"{name} took {found[-1]} {direction} passes, and this cell compares {passes}"
            raise LessonError(message, f"Call {calls}, or write {name} = skip({name!r}).")
    return tuple(found)


# pictures ----------------------------------------------------------------------------------------


def bones(angles):
    """The places of shoulder, elbow, wrist and hand, x above y."""
    directions = np.cumsum(angles)
    steps = np.stack([np.cos(directions), np.sin(directions)])
    return np.concatenate([np.zeros((2, 1)), np.cumsum(steps, axis=1)], axis=1)


def heart(count=40):
    """Points on a heart within the reach of the arm, x above y."""
    t = np.linspace(0, 2 * np.pi, count)
    up = (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 18
    return np.stack([1.6 + 0.9 * np.sin(t) ** 3, up])


def arm_axes(heights):
    """A figure for arms, whose axes have equal units."""
    from minigrad.draw.plot.axes import paper

    return paper(heights, share=False)


def plot_arm(axes, angles, **style):
    """One arm: its bones and its joints."""
    axes.plot(*bones(angles), **{"marker": "o", "markersize": 4, "linewidth": 2.5} | style)


def show_arm(poses, goal):
    """Draw the poses of an arm, from pale to dark, and the goal of its hand."""
    from minigrad.draw.plot.axes import INK

    with arm_axes([3.0]) as (figure, (axes,)):
        figure.set_size_inches(4.8, 3.0)
        for number, pose in enumerate(poses, 1):
            plot_arm(axes, pose, color=INK, alpha=number / len(poses), zorder=number)
        path = np.stack([bones(pose)[:, -1] for pose in poses], axis=1)
        axes.plot(*path, color=ORANGE, linestyle=":", label="path of the hand")
        axes.plot(*goal, "*", color=ORANGE, markersize=14, zorder=99, label="goal")
        axes.set(aspect="equal", xlabel="x", ylabel="y", xlim=(-0.2, 3.2), ylim=(-0.7, 2.4))
        axes.legend(edgecolor="none", loc="lower right")


def show_columns(**poses):
    """Draw arms with the columns of their Jacobians as arrows at the hand, beside the matrices."""
    from minigrad.draw.plot.axes import INK
    from minigrad.draw.plot.grids import plot_grid

    with arm_axes([2.6]) as (figure, _):
        figure.clear()
        figure.set_size_inches(7.1, 2.6)
        grid = [*figure.add_gridspec(1, 2 * len(poses), width_ratios=[3, 2] * len(poses))]
        arms, matrices = ([*map(figure.add_subplot, grid[at::2])] for at in (0, 1))
        for (name, angles), drawn, matrix in zip(poses.items(), arms, matrices, strict=True):
            J, places = reference_jacobian(arm, angles), bones(angles)
            hand = places[:, -1]
            plot_arm(drawn, angles, color=INK)
            for number, colour in enumerate(COLOURS):
                drawn.plot(*zip(places[:, number], hand), color=colour, linewidth=1, linestyle=":")
                shaft = {"width": 0.01 + 0.003 * number, "zorder": 5 + number}
                units = {"angles": "xy", "scale_units": "xy", "scale": 1}
                arrow = ARROW * J[:, number]
                drawn.quiver(*hand, *arrow, color=colour, label=JOINTS[number], **units, **shaft)
            drawn.set(title=name, aspect="equal", xlim=(-0.2, 3.5), ylim=(-0.3, 3.0))
            drawn.grid(visible=False)
            plot_grid(matrix, (np.round(J, 12) + 0.0).tolist(), 3)
            matrix.set_xticks(range(3), JOINTS, rotation=45, ha="right")
            matrix.set_yticks([0, 1], "xy")
        arms[0].legend(edgecolor="none", loc="upper left", title="if this joint rotates")


def show_both_products(angles, x_dot, y_bar):
    """Draw J times a tangent, and a cotangent as a row times J."""
    J = reference_jacobian(arm, angles)
    tangent, moved = np.reshape(x_dot, (3, 1)), np.reshape(J @ x_dot, (2, 1))
    row, found = np.reshape(y_bar, (1, 2)), np.reshape(y_bar @ J, (1, 3))
    forward = [("J", J), "·", ("ẋ", tangent), "=", ("ẏ", moved)]
    backward = [("ȳᵀ", row), "·", ("J", J), "=", ("x̄ᵀ", found)]
    draw_equation([*forward, " ", *backward])


def show_factors(angles):
    """Draw J as the product of the Jacobians of the arm's three steps, the last one on the left."""
    directions = np.cumsum(angles)
    add = np.kron(np.eye(2), np.ones(3))
    wave = np.concatenate([np.diag(-np.sin(directions)), np.diag(np.cos(directions))])
    running = np.tril(np.ones((3, 3)))
    names = {"J": add @ wave @ running, "sum": add, "cos, sin": wave, "cumsum": running}
    (whole, *factors) = names.items()
    parts = [part for factor in factors for part in ("·", factor)]
    draw_equation([whole, "=", *parts[1:]])


def draw_equation(parts):
    """Draw matrices, as (name, matrix), and the signs between them, with fields of one size."""
    from minigrad.draw.plot.axes import paper
    from minigrad.draw.plot.grids import plot_grid

    matrices = [part for part in parts if not isinstance(part, str)]
    most = max(np.abs(matrix).max() for _, matrix in matrices)
    height = max(len(matrix) for _, matrix in matrices) * FIELD + 0.4
    widths = [GAP if isinstance(part, str) else part[1].shape[1] * FIELD for part in parts]
    with paper([height]) as (figure, _):
        figure.clear()
        figure.set_layout_engine("none")
        figure.set_size_inches(sum(widths) + 0.2, height)
        wide, at = sum(widths) + 0.2, 0.1
        for part, width in zip(parts, widths):
            middle = (height - 0.3) / 2 / height
            if isinstance(part, str):
                figure.text((at + width / 2) / wide, middle, part, ha="center", va="center")
            else:
                tall = len(part[1]) * FIELD / height
                axes = figure.add_axes([at / wide, middle - tall / 2, width / wide, tall])
                plot_grid(axes, (np.round(part[1], 12) + 0.0).tolist(), most)
                axes.set_title(part[0], loc="center")
            at += width


def show_cost(passes, jacobian_forward, jacobian_reverse, outputs=8):
    """Draw passes and time against the number of inputs, by {inputs: (forward, backward)}."""
    from minigrad.draw.plot.axes import paper

    sizes, rng = list(passes), np.random.default_rng(SEED)
    maps = [linear_map(rng.normal(size=(outputs, size))) for size in sizes]
    functions = {"forward": jacobian_forward, "reverse": jacobian_reverse}
    with paper([2.8], share=False, columns=2) as (figure, (left, right)):
        figure.set_size_inches(7.2, 2.8)
        for number, (name, function) in enumerate(functions.items()):
            style, calls = mg.plot.style_of(name), [partial(function, f) for f in maps]
            times = [shortest_time(partial(f, np.ones(n))) for f, n in zip(calls, sizes)]
            left.plot(sizes, [counts[number] for counts in passes.values()], **style, label=name)
            right.plot(sizes, [1000 * time for time in times], **style, label=name)
        for axes, title in ((left, "passes"), (right, "milliseconds on this machine")):
            axes.set(xscale="log", yscale="log", title=title)
            axes.set_xlabel(f"inputs, for {outputs} results")
            axes.set_xticks(sizes, map(str, sizes))
            axes.minorticks_off()
        left.set_yticks(sizes, map(str, sizes))
        left.legend(edgecolor="none")


def shortest_time(call):
    """Measure a call three times, and keep the least disturbed result, in seconds."""
    return min(mg.measure.time(call) for _ in range(3))


def draw_heart(points, hands, poses):
    """Draw a heart, what the hand drew of it, and some poses of the arm."""
    from minigrad.draw.plot.axes import INK

    with arm_axes([3.0]) as (figure, (axes,)):
        figure.set_size_inches(4.8, 3.0)
        for pose in poses[::5]:
            plot_arm(axes, pose, color=INK, alpha=0.3)
        axes.plot(*points, "o", color=INK, markersize=3, label="40 goals", zorder=9)
        axes.plot(*hands, color=ORANGE, linewidth=3, label="path of the hand", zorder=8)
        axes.set(aspect="equal", xlabel="x", ylabel="y", xlim=(-0.2, 3.2))
        axes.legend(edgecolor="none", loc="lower right")


lesson = Lesson("05", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
