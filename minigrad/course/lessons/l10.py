"""Lesson 10: cases, references, typical wrong answers, pictures. The words are in 10.toml."""

import sys
from math import hypot

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.teach import table

LAMP = -0.5, 0.6, -0.62  # where the light comes from: left, above, in front
NEAR, FAR = 0.01, 5.0  # a ray has hit, or has missed
SIZE = 24  # pixels of a side, as far as the lesson paints with a graph for each ray
UNITS = 4  # of h, where read is checked
ROWS = 5, 2, 0, 7  # of the sequences that read is checked on


def gap(u, v, t):
    """Return how far the nearest part of a tilted ring is from the point (u, v, t)."""
    y, z = 0.6 * v + 0.8 * (t - 3), 0.8 * v - 0.6 * (t - 3)  # in the plane of the ring, above it
    from_circle = (mg.sqrt(u * u + y * y) - 1) ** 2 + z * z  # squared, of a circle of radius 1
    return mg.sqrt(from_circle) - 0.45  # the tube around the circle has this radius


# while_vjp ---------------------------------------------------------------------------------------


def square_loop(limit):
    """The three functions of h ← w · h · h while h < limit."""
    return (
        lambda h, w: h < limit,
        lambda h, w: w * h * h,
        lambda h, w, h_bar: (2 * w * h * h_bar, h * h * h_bar),
    )


def newton_loop():
    """The three functions of x ← (x + a / x) / 2 while x · x is not near a."""
    return (
        lambda x, a: abs(x * x - a) > 1e-6,
        lambda x, a: (x + a / x) / 2,
        lambda x, a, x_bar: ((1 - a / x**2) / 2 * x_bar, x_bar / (2 * x)),
    )


LOOPS = {
    "h ← w · h · h while h < 50": lambda: square_loop(50),
    "h ← w · h · h while h < 3": lambda: square_loop(3),
    "x ← (x + w / x) / 2 while |x · x − w| > 1e-6": newton_loop,
}


def cases_while_vjp():
    """(the loop in words, x, w)."""
    square, short, newton = LOOPS
    return [(square, 1.0, 2.0), (square, 60.0, 2.0), (short, 1.0, 4.0), (newton, 9.0, 5.0)]


def show_while_vjp(loop, x, w):
    """A case in words."""
    return f"the loop {loop}, with {loop[0]} = {x:g} and w = {w:g}"


def run_while_vjp(function, loop, x, w):
    """What a function computes of a loop."""
    return function(*LOOPS[loop](), x, w)


def carries_of(condition, body, x, w):
    """What came into each iteration, and the last value."""
    carries = [x]
    while condition(x, w):
        x = body(x, w)
        carries.append(x)
    return carries


def reference_while_vjp(condition, body, body_vjp, x, w):
    """Run a loop and its backward pass: the last x, the adjoints of the first x and of w."""
    *carries, x = carries_of(condition, body, x, w)
    x_bar, w_bar = 1.0, 0.0
    for came_in in reversed(carries):
        x_bar, contribution = body_vjp(came_in, w, x_bar)
        w_bar = w_bar + contribution
    return x, x_bar, w_bar


def first_iteration_first(condition, body, body_vjp, x, w):
    """The backward pass in the order of the iterations."""
    *carries, x = carries_of(condition, body, x, w)
    x_bar, w_bar = 1.0, 0.0
    for came_in in carries:
        x_bar, contribution = body_vjp(came_in, w, x_bar)
        w_bar = w_bar + contribution
    return x, x_bar, w_bar


def what_left(condition, body, body_vjp, x, w):
    """Each rule reads what left the iteration."""
    carries = carries_of(condition, body, x, w)
    x_bar, w_bar = 1.0, 0.0
    for left in reversed(carries[1:]):
        x_bar, contribution = body_vjp(left, w, x_bar)
        w_bar = w_bar + contribution
    return carries[-1], x_bar, w_bar


def last_contribution(condition, body, body_vjp, x, w):
    """w̄ is the contribution that was computed last."""
    *carries, x = carries_of(condition, body, x, w)
    x_bar, w_bar = 1.0, 0.0
    for came_in in reversed(carries):
        x_bar, w_bar = body_vjp(came_in, w, x_bar)
    return x, x_bar, w_bar


def condition_again(condition, body, body_vjp, x, w):
    """The backward pass asks the condition how long it has to run."""
    *_, x = carries_of(condition, body, x, w)
    return x, 1.0, 0.0


def cotangent_of_one(condition, body, body_vjp, x, w):
    """Each rule gets the adjoint 1, and what it returns for x is dropped."""
    *carries, x = carries_of(condition, body, x, w)
    return x, 1.0, sum(body_vjp(came_in, w, 1.0)[1] for came_in in carries)


def body_first(condition, body, body_vjp, x, w):
    """The body runs once before the condition is asked."""
    last, x_bar, w_bar = reference_while_vjp(condition, body, body_vjp, body(x, w), w)
    x_bar, contribution = body_vjp(x, w, x_bar)
    return last, x_bar, w_bar + contribution


def last_x_only(condition, body, body_vjp, x, w):
    """Each rule reads the last x."""
    *carries, x = carries_of(condition, body, x, w)
    x_bar, w_bar = 1.0, 0.0
    for _ in carries:
        x_bar, contribution = body_vjp(x, w, x_bar)
        w_bar = w_bar + contribution
    return x, x_bar, w_bar


def after_while_vjp(function):
    """Paint the ring with the derivatives that the learner's function computes."""

    def derivative(place, u, v):
        """The function's results for a ray that captures u (place 0), or v (place 1)."""

        def at(w):
            return (w, v) if place == 0 else (u, w)

        def body_vjp(t, w, t_bar):
            *partials, by_t = partials_of_gap(*at(w), t)
            return t_bar * (1 + by_t), t_bar * partials[place]

        return function(
            lambda t, w: gap_of(*at(w), t) > NEAR and t < FAR,
            lambda t, w: t + gap_of(*at(w), t),
            body_vjp,
            0.0,
            (u, v)[place],
        )

    def ray(u, v):
        (t, _, u_bar), (_, _, v_bar) = derivative(0, u, v), derivative(1, u, v)
        return t, 0, u_bar, v_bar

    show_ring(paint(ray, 40))


def gap_of(u, v, t):
    """What `gap` computes, for numbers."""
    y, z = 0.6 * v + 0.8 * (t - 3), 0.8 * v - 0.6 * (t - 3)
    return hypot(hypot(u, y) - 1, z) - 0.45


def partials_of_gap(u, v, t):
    """The derivatives of `gap` with respect to u, v and t."""
    y, z = 0.6 * v + 0.8 * (t - 3), 0.8 * v - 0.6 * (t - 3)
    from_axis = hypot(u, y)
    whole = hypot(from_axis - 1, z)
    by_axis, by_z = (from_axis - 1) / whole, z / whole
    by_u, by_y = by_axis * u / from_axis, by_axis * y / from_axis
    return by_u, 0.6 * by_y + 0.8 * by_z, 0.8 * by_y - 0.6 * by_z


# light -------------------------------------------------------------------------------------------


def cases_light():
    """Arrays of r."""
    return [
        (np.array([4.0, -0.59, 0.25]),),
        (np.array([[0.0, 2.0], [-3.0, 1.0]]),),
        (np.array(9.0),),
    ]


def show_light(r):
    """A case in words."""
    return f"r = {r.tolist()}"


def run_light(function, r):
    """The values of a function, and the derivative of each by its own entry."""
    with np.errstate(all="ignore"):
        x = mg.tensor(r, requires_grad=True)
        y = function(x)
        if y is None:
            return None
        if not isinstance(y, mg.Tensor):
            raise TypeError(f"the function returned {type(y).__name__}, and not a Tensor")
        mg.sum(y).backward()
    bar = np.zeros(np.shape(r)) if x.grad is None else x.grad.numpy()
    return y.numpy(), bar


def reference_light(r):
    """Compute √r where r > 0, else 0, with the derivative 0 there."""
    safe = mg.where(r > 0, r, 1.0)
    return mg.where(r > 0, mg.sqrt(safe), 0.0)


def one_where(r):
    """The root of all entries, of which some are selected."""
    return mg.where(r > 0, mg.sqrt(r), 0.0)


def root_of_one(r):
    """The root of the safe input, and no second choice."""
    return mg.sqrt(mg.where(r > 0, r, 1.0))


def root_of_more(r):
    """The root of a little more than r."""
    return mg.where(r > 0, mg.sqrt(r + 1e-6), 0.0)


def root_of_little(r):
    """The root of a small number where r is not positive."""
    return mg.sqrt(mg.maximum(r, 1e-12))


def after_light(function):
    """Print the derivatives of the colleague's function and of the learner's."""
    r = np.array([-0.59, 0.25, 4.0])
    rows = [
        (name, *run_light(light, r)[1])
        for name, light in (("the colleague's", one_where), ("yours", function))
    ]
    return table(["derivative at r =", *r], rows)


# read --------------------------------------------------------------------------------------------


def cases_read():
    """The number of rows of a sequence."""
    return [(rows,) for rows in ROWS]


def show_read(rows):
    """A case in words."""
    return f"a sequence of {rows} rows"


def run_read(function, rows):
    """The last h for a sequence of so many rows, and the gradients of its sum of squares."""
    rng = np.random.default_rng(rows)
    sequence, first = rng.normal(size=(rows, 3)), rng.normal(size=UNITS)
    with mg.Graph() as graph:
        xs, h = mg.placeholder("xs", shape=(None, 3)), mg.placeholder("h", shape=(UNITS,))
        weights = [mg.Variable(rng.normal(size=(size, UNITS)) / 2) for size in (3, UNITS)]
        last = function(xs, h, *weights)
        if last is None:
            return None
        if not isinstance(last, mg.Node):
            raise TypeError(f"the function returned {type(last).__name__}, and not one node")
        bars = mg.gradients(mg.sum(last * last), weights, unconnected="zero")
    return mg.Session(graph).run([last, *bars], {xs: sequence, h: first})


def reference_read(xs, h, U, W):
    """Read a sequence: h ← tanh(x U + h W) for each row x; return the last h."""
    return scan_rows(lambda h, x: mg.tanh(x @ U + h @ W), h, xs)


def scan_rows(step, h, xs):
    """The last carried value of a loop over rows."""
    return mg.scan(lambda h, x: (step(h, x), None), h, xs)[0]


def all_states(xs, h, U, W):
    """h after each row."""
    return mg.scan(lambda h, x: (mg.tanh(x @ U + h @ W),) * 2, h, xs)[1]


def from_zeros(xs, h, U, W):
    """It begins with zeros instead of h."""
    return reference_read(xs, np.zeros(UNITS), U, W)


def tanh_outside(xs, h, U, W):
    """One tanh after the loop."""
    return mg.tanh(scan_rows(lambda h, x: x @ U + h @ W, h, xs))


def given_h(xs, h, U, W):
    """Each row reads the h that was given."""
    return scan_rows(lambda _, x: mg.tanh(x @ U + h @ W), h, xs)


def detached(xs, h, U, W):
    """The backward pass ends in the last row."""
    return scan_rows(lambda h, x: mg.tanh(x @ U + h.detach() @ W), h, xs)


def no_memory(xs, h, U, W):
    """h does not depend on the h before."""
    return scan_rows(lambda h, x: mg.tanh(x @ U), h, xs)


def no_tanh(xs, h, U, W):
    """Without tanh."""
    return scan_rows(lambda h, x: x @ U + h @ W, h, xs)


def after_read(function):
    """Say what one program has done."""
    print(f"  Sequences of {', '.join(map(str, ROWS))} rows were read by the same graph.")


# pictures ----------------------------------------------------------------------------------------


def paint(ray, size):
    """What `ray` finds for size × size pixels, row by row from above."""
    at = np.linspace(-1.5, 1.5, size)
    rows = [[list(map(number, ray(u, v))) for u in at] for v in at[::-1]]
    return np.array(rows)


def number(x):
    """A Tensor, or a number, as a number."""
    return x.item() if isinstance(x, mg.Tensor) else float(x)


def light_of(found):
    """How bright each pixel is: how well the surface faces the lamp; nan where a ray missed."""
    t, _, du, dv = np.moveaxis(found, -1, 0)
    bright = du * LAMP[0] + dv * LAMP[1] - LAMP[2]
    bright = bright / np.sqrt(1 + du**2 + dv**2)
    return np.where(t < FAR, bright, np.nan)


def show_ring(found):
    """Draw the ring in the light of the lamp."""
    from minigrad.draw.plot.axes import paper

    with paper([2.4]) as (_, (axes,)):
        draw_light(axes, found)


def draw_light(axes, found):
    """Draw the light of all pixels into axes."""
    from matplotlib import colormaps

    gray = colormaps["gray"].with_extremes(bad="#C9DDEF")
    axes.imshow(light_of(found), cmap=gray)
    axes.set(title="light (blue: missed)", xticks=[], yticks=[])


def paint_ring(ray, size=SIZE):
    """Draw what `ray(u, v)` finds: t, the trip count, ∂t/∂u and ∂t/∂v; return these."""
    from minigrad.draw.plot.axes import paper

    found = paint(ray, size)
    with paper([2.6], share=False, columns=2) as (_, (left, right)):
        draw_light(left, found)
        image = right.imshow(found[..., 1], cmap="gray")
        right.set(title="trip count", xticks=[], yticks=[])
        bar = right.figure.colorbar(image, ax=right)
        bar.outline.set_visible(False)
    print(f"{size * size:,} rays; trip counts from {found[..., 1].min():.0f}", end=" ")
    print(f"to {found[..., 1].max():.0f}")
    return found


def show_rays(march):
    """Draw three rays from the side, where u = 0: what is free around each of their points."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle

    from minigrad.draw.plot.axes import SMALL, paper

    marks = (  # (what it means, how it looks)
        ("ring, cut through", {"marker": "o", "color": "#C6CDD5", "lw": 0, "markersize": 9}),
        ("point of the ray", {"marker": ".", "color": "#1B5FA8", "markersize": 6}),
        (
            "free around a point",
            {"marker": "o", "color": "#B0430A", "mfc": "none", "lw": 0, "markersize": 9},
        ),
    )
    with paper([2.2], columns=3) as (_, frames):
        for axes, (name, v) in zip(frames, (("hit", 0.5), ("near miss", -1.1), ("far", 1.5))):
            for t, height in ((2.2, -0.6), (3.8, 0.6)):  # the ring, cut
                axes.add_patch(Circle((t, height), 0.45, color="#C6CDD5"))
            trips, ts = march(0.0, v)[1], [0.0]
            for _ in range(trips):
                step = float(gap(0.0, v, ts[-1]))
                axes.add_patch(Circle((ts[-1], v), step, fill=False, color="#B0430A", lw=0.7))
                ts.append(ts[-1] + step)
            axes.plot(ts, [v] * len(ts), ".-", color="#1B5FA8", markersize=4, linewidth=1)
            axes.set(aspect="equal", xlim=(-0.3, 5.9), ylim=(-2.1, 2.1), xlabel="t")
            axes.set_title(f"{name}: {trips} iterations", fontsize=SMALL)
        frames[0].set(ylabel="v")
        keys = [Line2D([], [], label=name, **look) for name, look in marks]
        frames[0].figure.legend(handles=keys, loc="outside lower center", ncols=3, frameon=False)


lesson = Lesson("10", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
