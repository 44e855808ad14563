"""Plots, read from their artists: lines, words, colours; never from pixels."""

import sys
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.draw import plot
from minigrad.draw.look import BUFFERS, ENGINES, LIGHT, ROLES
from minigrad.draw.plot.axes import dark_colours, paler
from minigrad.measure import Timeline
from minigrad.measure.comparison import Comparison

matplotlib.use("agg")
from matplotlib import colors
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def close():
    """No figure outlives its test."""
    yield
    plt.close("all")


def words(ax):
    """All texts on an axis, the axis' own included."""
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    return [text.get_text() for text in [*ax.texts, *labels] if text.get_text()]


def stairs(ax):
    """(values, edges) of every line of steps that is no filling."""
    patches = [p for p in ax.patches if hasattr(p, "get_data") and not p.get_fill()]
    return [(list(p.get_data().values), list(p.get_data().edges)) for p in patches]


def colour(artist):
    """The colour of an artist as #RRGGBB."""
    return colors.to_hex(artist).upper()


def four_arrays():
    """The Executable of the four arrays of ten numbers: 320 bytes, planned in 160."""
    with mg.Graph() as graph:
        z = mg.placeholder("z", shape=(10,))
        a, b = mg.exp(z), z * 2
        total = mg.sum(b * a + 1)
    return mg.Session(graph, optimize=False).compile(total, [z])


# memory ------------------------------------------------------------------------------------------


def test_a_plan_rises_to_its_peak_in_its_arena():
    executable = four_arrays()
    fig, ax = plot.memory(executable, title="four arrays")
    ((levels, edges),) = stairs(ax)
    assert max(levels) == executable.plan.peak_bytes == 160
    assert levels == [0, 0, 0, 80, 160, 160, 80, 80] and edges == list(range(9))
    assert {"peak 160 B", "arena 160 B", "live memory, B", "step"} <= set(words(ax))
    assert ax.get_title(loc="left") == "four arrays" and ax.figure is fig


def test_a_plan_and_its_executable_are_the_same_to_a_plot():
    executable = four_arrays()
    assert stairs(plot.memory(executable)[1]) == stairs(plot.memory(executable.plan)[1])


def test_phases_are_tinted_and_named():
    levels = Timeline([0, 2048, 4096, 2048], [("forward", 0, 2), ("backward", 3, 3)])
    _, ax = plot.memory(levels)
    assert stairs(ax) == [([0, 2, 4, 2], [0, 1, 2, 3, 4])]  # KiB
    assert {"forward", "backward", "peak 4 KiB", "live memory, KiB"} <= set(words(ax))
    spans = [p for p in ax.patches if isinstance(p, matplotlib.patches.Rectangle)]
    assert [(p.get_x(), p.get_width()) for p in spans] == [(0, 3), (3, 1)]
    tints = [colour(p.get_facecolor()) for p in spans]
    assert tints == [ROLES["input"].fill, ROLES["adjoint"].fill]


def test_a_turn_divides_a_plan():
    _, ax = plot.memory(four_arrays(), turn=5)
    spans = [p for p in ax.patches if isinstance(p, matplotlib.patches.Rectangle)]
    assert [(p.get_x(), p.get_width()) for p in spans] == [(0, 5), (5, 3)]


def test_a_trace_is_read_event_by_event():
    events = [
        SimpleNamespace(live=live, phase=phase)
        for live, phase in [(8, "forward"), (None, "forward"), (16, "forward"), (8, "backward")]
    ]
    _, ax = plot.memory(SimpleNamespace(events=events))
    assert stairs(ax)[0][0] == [8, 16, 8]
    assert {"forward", "backward"} <= set(words(ax))


def test_several_runs_share_an_axis_and_are_named_on_it():
    runs = {
        "dynamic": Timeline([0, 4096, 1024], [("forward", 0, 0), ("backward", 1, 2)]),
        "planned": [1024, 2048],
    }
    _, ax = plot.memory(runs)
    assert stairs(ax) == [
        ([0, 4, 1], [0, pytest.approx(100 / 3), pytest.approx(200 / 3), 100]),
        ([1, 2], [0, 50, 100]),
    ]
    said = words(ax)
    assert {"dynamic\npeak 4 KiB", "planned\npeak 2 KiB", "share of the run, %"} <= set(said)
    assert said.count("backward") == 1 and ax.get_legend() is None
    (ring,) = [line for line in ax.lines if len(line.get_xdata()) == 1]
    leaders = [line.get_xydata().tolist() for line in ax.lines if line is not ring]
    assert leaders == [[[50, 4], [100, 4]], [[75, 2], [100, 2]]]
    assert ring.get_xydata().tolist() == [[pytest.approx(100 / 3), 4]]


def test_labels_at_the_same_height_are_pushed_apart():
    fig, ax = plot.memory({name: [1024] for name in "abc"})
    fig.draw_without_rendering()
    boxes = [t.get_window_extent() for t in ax.texts if "peak" in t.get_text()]
    boxes.sort(key=lambda box: box.y0)
    assert len(boxes) == 3 and all(a.y1 <= b.y0 for a, b in pairwise(boxes))


# lifetimes ---------------------------------------------------------------------------------------


def test_every_life_is_a_bar_in_its_buffers_colours():
    plan = four_arrays().plan
    _, (above, below) = plot.lifetimes(plan)
    bars = [
        [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in row.get_paths()]
        for row in below.collections
    ]
    assert bars == [[(life.first, life.last + 1) for life in b.lives] for b in plan.buffers]
    fills = [colour(row.get_facecolor()[0]) for row in below.collections]
    edges = [colour(row.get_edgecolor()[0]) for row in below.collections]
    assert list(zip(edges, fills, strict=True)) == list(BUFFERS[:2])
    said = words(below)
    assert {"B0 · 80 B", "B1 · 80 B", "Exp", "Mul → Mul → Add"} <= set(said)
    assert above.get_shared_x_axes().joined(above, below) and above.get_xlim() == (0, 8)


def test_names_that_do_not_fit_are_shortened_or_left_out():
    with mg.Graph() as graph:
        x = h = mg.placeholder("x", shape=(100,))
        for at in range(40):
            h = mg.tanh(h[::-1]) + mg.exp(x[::-1] * at)
        total = mg.sum(h)
    fig, (_, below) = plot.lifetimes(mg.Session(graph, optimize=False).compile(total, [x]))
    fig.draw_without_rendering()
    for text, (first, last) in [(t, span(below, t)) for t in below.texts if t.get_text()]:
        box = text.get_window_extent()
        assert first <= box.x0 and box.x1 <= last
    assert any(text.get_text() == "" for text in below.texts)


def span(ax, text):
    """Where the bar around a text begins and ends, in pixels."""
    x, row = text.get_position()
    paths = ax.collections[int(row)].get_paths()
    ends = [(p.vertices[:, 0].min(), p.vertices[:, 0].max()) for p in paths]
    first, last = next((a, b) for a, b in ends if a <= x <= b)
    return ax.transData.transform((first, 0))[0], ax.transData.transform((last, 0))[0]


def test_many_buffers_get_thin_rows_without_names():
    lives = [SimpleNamespace(first=0, last=at, values=["v"]) for at in range(60)]
    buffers = [
        SimpleNamespace(number=at, bytes=8, offset=8 * at, lives=[life])
        for at, life in enumerate(lives)
    ]
    plan = SimpleNamespace(buffers=buffers, lifetimes={}, arena_bytes=480)
    fig, (_, below) = plot.lifetimes(plan)
    assert len(below.collections) == 60 and "60 rows" in words(below)
    assert not below.texts and fig.get_figheight() < 9


# speed -------------------------------------------------------------------------------------------


def compared(shift=0.0):
    """numpy always takes 4 ms; minigrad 1, 2, 8 and 32 ms, give or take a half."""

    def around(middle):
        return [(middle + shift) * part / 1000 for part in (0.5, 1, 1, 1, 1.5)]

    return Comparison(
        "numpy",
        (10, 100, 1000, 10_000),
        {"numpy": [around(4)] * 4, "minigrad": [around(m) for m in (1, 2, 8, 32)]},
        0.1,
    )


def test_speed_has_medians_quartiles_and_the_crossover():
    _, (ax, below) = plot.speed(compared(), title="adding")
    assert ax.get_xscale() == ax.get_yscale() == below.get_yscale() == "log"
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    np.testing.assert_allclose(lines["minigrad"], [0.001, 0.002, 0.008, 0.032])
    np.testing.assert_allclose(lines["numpy"], [0.004] * 4)
    ratios = next(line for line in below.lines if line.get_label() == "minigrad")
    np.testing.assert_allclose(ratios.get_ydata(), [0.25, 0.5, 2, 8])
    (band,) = below.collections
    assert band.get_paths()[0].vertices[:, 1].min() == pytest.approx(0.25)
    ring = below.lines[-1]
    assert ring.get_xydata().tolist() == [[pytest.approx(10**2.5), 1]]
    assert {"equal at 320", "time / numpy"} <= set(words(below))
    assert {"numpy", "minigrad", "time per call"} <= set(words(ax))
    assert ax.get_legend() is None and ax.get_title(loc="left") == "adding"


def test_crossovers_that_lie_close_are_told_in_rows_of_their_own():
    flat, sizes = [0.004] * 3, (10, 100, 1000, 100_000)
    rising = {f"way {k}": [[m * k / 1000] * 3 for m in (1, 2, 8, 32)] for k in (0.9, 1, 1.1)}
    falling = {"back": [[m / 1000] * 3 for m in (32, 8, 2, 1)]}
    found = Comparison("numpy", sizes, {"numpy": [flat] * 4} | rising | falling, 0.1)
    fig, (_, below) = plot.speed(found)
    fig.draw_without_rendering()
    told = [text for text in below.texts if text.get_text().startswith("equal at")]
    boxes = [text.get_window_extent() for text in told]
    assert len(boxes) == 4
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    heights = sorted({text.get_position()[1] for text in told})
    assert heights == [-34, -23, -12, 5]


def test_crossovers_that_lie_apart_are_told_in_one_row():
    waves = {"wave": [[m / 1000] * 3 for m in (1, 8, 8, 1)]}
    found = Comparison("numpy", (10, 100, 10**5, 10**7), {"numpy": [[0.004] * 3] * 4} | waves, 0.1)
    _, (_, below) = plot.speed(found)
    assert [text.get_position() for text in below.texts] == [(6, 5), (6, 5)]


def test_bands_reach_from_quartile_to_quartile():
    spread = [[1.0, 2.0, 3.0, 4.0, 5.0]]
    found = Comparison("a", (10,), {"a": spread}, None)
    _, (ax, _) = plot.speed(found)
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (2, 4)


def test_several_processes_are_pooled_and_their_medians_spanned():
    _, (ax, below) = plot.speed(compared(), compared(shift=1.0))
    spans = [line.get_ydata() for line in ax.lines if len(set(line.get_xdata())) == 1]
    assert [pytest.approx(s) for s in ([0.004, 0.005], [0.001, 0.002])] == [spans[0], spans[4]]
    assert (
        "size · line: median, band: quartiles; whiskers: 2 processes; load 0.1 per core"
        in words(below)
    )


def test_without_sizes_each_contender_has_a_row():
    found = Comparison("numpy", (), {"numpy": [[4e-6] * 3], "minigrad": [[1e-6, 1e-6, 2e-6]]}, 0)
    _, ax = found.figure("a title")
    assert {"numpy", "minigrad", "4 µs · reference", "1 µs · 0.25 ×"} <= set(words(ax))
    assert [line.get_xdata().tolist() for line in ax.lines if line.get_label() == "minigrad"] == [
        [1e-6]
    ]


# compiling ---------------------------------------------------------------------------------------


def test_passes_have_a_bar_each_and_the_number_of_runs_that_pays():
    _, (bars, totals) = plot.passes({"prune": 0.003, "merge_loops": 0.001}, 0.003, 0.001)
    assert [bar.get_width() for bar in bars.patches] == [3, 1]
    assert {"prune", "merge loops", "3 ms · 75%", "1 ms · 25%", "ms of 4 ms in all"} <= set(
        words(bars)
    )
    without, compiled, ring = totals.lines
    assert without.get_ydata().tolist() == [0, 12] and compiled.get_ydata().tolist() == [4, 8]
    assert ring.get_xydata().tolist() == [[2, 6]]
    assert {"paid after 2 runs", "without", "compiled"} <= set(words(totals))


def test_compiling_that_never_pays_is_said():
    _, (_, totals) = plot.passes({"prune": 0.003}, 0.001, 0.001)
    assert "never paid: a run is not faster" in words(totals) and len(totals.lines) == 2


# all ---------------------------------------------------------------------------------------------

EVERY = {
    "memory": lambda: plot.memory(four_arrays()),
    "several": lambda: plot.memory({"a": [1, 2], "b": [2, 3]}),
    "lifetimes": lambda: plot.lifetimes(four_arrays()),
    "speed": lambda: plot.speed(compared()),
    "passes": lambda: plot.passes({"cut": 1.0}, 2.0, 1.0),
}


@cache
def plotted(name):
    """One of them, made once for all tests."""
    return EVERY[name]()


@pytest.mark.parametrize("name", EVERY)
def test_words_are_ink_on_an_opaque_card(name):
    fig, axes = plotted(name)
    assert colour(fig.get_facecolor()) == LIGHT["card"] and fig.get_facecolor()[3] == 1
    for ax in np.ravel(axes):
        said = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label]
        assert {colour(text.get_color()) for text in said} == {LIGHT["ink"]}
        ticks = [*ax.get_xticklabels(), *ax.get_yticklabels()]
        assert {colour(text.get_color()) for text in ticks} <= {LIGHT["muted"]}


@pytest.mark.parametrize("name", EVERY)
def test_lines_have_colours_of_the_palette(name):
    palette = {c for pair in BUFFERS for c in pair} | set(LIGHT.values())
    palette |= {role.stroke for role in ROLES.values()}
    for ax in np.ravel(plotted(name)[1]):
        assert {colour(line.get_color()) for line in ax.lines} <= palette


def test_matplotlibs_own_settings_stay():
    before = dict(matplotlib.rcParams)
    plot.memory([1, 2])
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: plot.memory(3), "int does not record its live memory"),
        (lambda: plot.memory("many"), "str does not record its live memory"),
        (lambda: plot.memory([]), "list does not record its live memory"),
        (lambda: plot.memory({}), "the dict of runs is empty"),
        (lambda: plot.memory({"a": None}), "NoneType does not record"),
        (lambda: plot.memory([1, 2], turn=2), "turn=2 is not a step.*\n.*step from 1 to 1"),
        (lambda: plot.lifetimes([1]), "list has no buffers"),
        (lambda: plot.speed(), "list of comparisons is empty"),
        (lambda: plot.speed([1]), "list of comparisons is empty"),
        (
            lambda: plot.speed(compared(), compared()._replace(reference="minigrad")),
            "differ in names",
        ),
        (lambda: plot.passes({}, 1, 1), "no steps"),
        (lambda: plot.passes({"cut": 1.0}, 0, 1), "not positive"),
        (lambda: plot.passes({"cut": -1.0}, 1, 1), "not positive"),
    ],
)
def test_wrong_input_is_one_clear_message_and_no_figure(call, text):
    with raises_saying(mg.ArgumentError, text):
        call()
    assert plt.get_fignums() == []


def test_a_plan_without_buffers_is_said():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = mg.exp(x)
    with pytest.raises(mg.ArgumentError, match="no buffers"):
        plot.lifetimes(mg.Session(graph).compile(y, [x]))


def test_without_matplotlib_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(mg.ArgumentError, match="matplotlib is not installed"):
        plot.memory([1, 2])


# the arena ---------------------------------------------------------------------------------------


def rectangles(ax):
    """(first, last, low, high) of every box."""
    corners = [path.vertices for row in ax.collections for path in row.get_paths()]
    return [(*(f(v[:, 0]) for f in (min, max)), *(f(v[:, 1]) for f in (min, max))) for v in corners]


def test_an_arena_has_a_box_for_every_life_at_its_address():
    plan = four_arrays().plan
    _, ax = plot.arena(plan, title="four")
    assert sorted(rectangles(ax)) == sorted(
        (life.first, life.last + 1, b.offset, b.offset + b.bytes)
        for b in plan.buffers
        for life in b.lives
    )
    fills = [colour(row.get_facecolor()[0]) for row in ax.collections]
    assert fills == [BUFFERS[b.number][1] for b in plan.buffers for _ in b.lives]
    said = words(ax)
    assert {"arena 160 B = most at once", "B0 · 80 B: Exp", "address, B", "step"} <= set(said)
    assert ax.get_title(loc="left") == "four"


def test_boxes_of_an_arena_never_overlap():
    with mg.Graph() as graph:
        x = h = mg.placeholder("x", shape=(6, 8))
        weights = [mg.Variable(np.ones((8, 8))) for _ in range(5)]
        for w in weights:
            h = mg.tanh(h @ w)
        slopes = mg.gradients(mg.sum(h), weights)
    _, ax = plot.arena(mg.Session(graph).compile([mg_sum(graph, g) for g in slopes], [x]))
    found = rectangles(ax)
    for at, (first, last, low, high) in enumerate(found):
        for other, end, bottom, top in found[at + 1 :]:
            assert last <= other or end <= first or high <= bottom or top <= low
    assert len(found) > 8


def mg_sum(graph, value):
    """Its sum, as a node of the graph."""
    with graph:
        return mg.sum(value)


def test_two_plans_stand_side_by_side_on_one_axis_of_addresses():
    plan = four_arrays().plan
    fig, (left, right) = plot.arena({"one": plan, "other": replace(plan, arena_bytes=200)})
    assert left.get_shared_y_axes().joined(left, right)
    assert left.get_position().x1 < right.get_position().x0
    assert [ax.get_title(loc="left") for ax in (left, right)] == ["one", "other"]
    assert "arena 200 B; most at once 160 B" in words(right) and len(fig.axes) == 2


def test_words_that_do_not_fit_a_box_are_left_out():
    lives = [SimpleNamespace(first=at, last=at, values=["a_long_name"]) for at in range(60)]
    buffers = [SimpleNamespace(number=0, bytes=8, offset=0, lives=lives)]
    plan = SimpleNamespace(buffers=buffers, arena_bytes=8, peak_bytes=8)
    fig, ax = plot.arena(plan)
    fig.draw_without_rendering()
    per_step = (ax.transData.transform((1, 0)) - ax.transData.transform((0, 0)))[0]
    inside = [text for text in ax.texts if "arena" not in text.get_text()]
    assert len(inside) == 60
    assert all(t.get_window_extent().width <= per_step for t in inside if t.get_text())


# along the axis ----------------------------------------------------------------------------------


def test_a_run_that_takes_more_steps_is_longer():
    _, ax = plot.memory({"kept": [8, 16], "again": [8, 8, 8]}, by="step")
    assert [edges[-1] for _, edges in stairs(ax)] == [2, 3] and ax.get_xlim() == (0, 3)
    assert {"kept\npeak 16 B\nin 2 steps", "again\npeak 8 B\nin 3 steps"} <= set(words(ax))


def test_two_runs_of_one_engine_are_told_apart_by_more_than_their_dash():
    """Stairs hide a dash: the second line is solid, too, paler and thinner."""
    _, ax = plot.memory({"static": [8, 16], "static, checkpoints": [8, 8], "dynamic": [4, 4]})
    first, second, other = (p for p in ax.patches if hasattr(p, "get_data"))
    assert [p.get_linestyle() for p in (first, second, other)] == ["-"] * 3
    assert colour(first.get_edgecolor()) == ENGINES["static"].colour
    assert colour(second.get_edgecolor()) == paler(ENGINES["static"].colour) == "#549789"
    assert colour(other.get_edgecolor()) == ENGINES["dynamic"].colour
    assert second.get_linewidth() < first.get_linewidth() == other.get_linewidth()
    assert paler(ENGINES["static"].colour).lower() in dark_colours()
    markers = [line.get_marker() for line in ax.lines]
    assert len({*markers}) == 3


def test_steps_too_thin_to_see_are_joined():
    """The line is the most of a few steps, the shade reaches down to their least."""
    levels = [8 * (at % 2) + at for at in range(200)]
    _, ax = plot.memory({"static": levels})
    line, shade = (p for p in ax.patches if hasattr(p, "get_data"))
    assert list(line.get_data().values) == [max(levels[at : at + 2]) for at in range(0, 200, 2)]
    assert list(shade.get_data().baseline) == [min(levels[at : at + 2]) for at in range(0, 200, 2)]
    assert list(line.get_data().edges) == pytest.approx(range(101))
    assert "shade: down to their least" in ax.get_xlabel()
    _, exact = plot.memory({"static": levels}, by="step")
    assert stairs(exact)[0][0] == levels, "by step, each is drawn"
    assert exact.get_xlabel() == "step"


def test_a_long_name_of_a_row_is_cut_and_says_so():
    executable = four_arrays()
    _, ax = plot.profile(executable.profile({executable.feeds[0]: np.ones(10)}, rounds=1))
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert "feeds, results, new values of var…" in rows and max(map(len, rows)) <= 34


def test_profiles_stand_on_an_axis_of_time():
    executable = four_arrays()
    z = executable.feeds[0]
    profile = executable.profile({z: np.ones(10)}, rounds=1)
    levels, edges = stairs(plot.memory({"static": profile}, by="time")[1])[0]
    assert max(levels) == 160 and len(levels) == len(executable.plan.order)
    rows = [row for row in profile.rows if row.order >= 0]
    assert edges[-1] == pytest.approx(1e3 * sum(row.seconds for row in rows))


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: plot.memory({"a": [1]}, by="weight"), "by='weight'"),
        (lambda: plot.memory({"a": [1]}, by="time"), "was not measured"),
        (lambda: plot.arena({}), "dict of plans is empty"),
        (lambda: plot.arena([1]), "list has no buffers"),
        (lambda: plot.arena(replace(four_arrays().plan, order=[])), "no buffers"),
    ],
)
def test_an_axis_without_numbers_is_one_clear_message(call, text):
    with raises_saying(mg.ArgumentError, text):
        call()
    assert plt.get_fignums() == []


# grids -------------------------------------------------------------------------------------------


def test_grids_show_every_matrix_on_one_scale_with_zeros_as_pale_as_the_card():
    low, high = np.array([[0.0, -1.0]]), mg.tensor([[4.0], [0.004]])
    fig, axes = plot.grids({"low": low, "high": high}, title="Slopes")
    assert [ax.get_title("left") for ax in axes] == ["low", "high"]
    assert fig.get_suptitle() == "Slopes"
    assert [[text.get_text() for text in ax.texts] for ax in axes] == [["·", "-1"], ["4", "4e-03"]]
    images = [ax.images[0] for ax in axes]
    assert [image.get_clim() for image in images] == [(-4, 4), (-4, 4)]
    colours = [[colour(image.to_rgba(at)) for at in (0, -4, 4)] for image in images]
    assert colours == 2 * [[LIGHT["card"], "#B0430A", "#1B5FA8"]]
    heights = [ax.get_ylim() for ax in axes]
    assert heights == [(0.5, -0.5), (1.5, -0.5)]  # not shared


def test_a_large_grid_has_no_numbers_and_a_vector_is_a_row():
    fig, (wide, row) = plot.grids({"wide": np.eye(50), "row": np.array([True, False])})
    assert not wide.texts and [text.get_text() for text in row.texts] == ["1", "·"]
    assert row.images[0].get_array().shape == (1, 2) and max(fig.get_size_inches()) < 9.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.eye(2), "ndarray names no matrices"),
        ({}, "dict names no matrices"),
        ({"J": np.zeros((2, 3, 4))}, "J is ndarray[2, 3, 4], no matrix of numbers"),
        ({"s": "text"}, "s is str[], no matrix of numbers"),
    ],
)
def test_grids_refuse_what_is_no_matrix(given, message):
    with pytest.raises(mg.ArgumentError, match=message.replace("[", r"\[")):
        plot.grids(given)
    assert not plt.get_fignums()


def test_several_runs_are_counted_in_a_unit_of_ones_own():
    _, ax = plot.memory({"play": [8, 16], "learn": [8, 64]}, by="step", unit=("frames", 8))
    assert ax.get_ylabel() == "live memory, frames"
    assert {"play\npeak 2 frames\nin 2 steps", "learn\npeak 8 frames\nin 2 steps"} <= set(words(ax))
    assert max(stairs(ax)[0][0]) == 2
