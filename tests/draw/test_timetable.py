"""A memory plan as a timetable: blocks at their bytes and steps, cards above in one time."""

import importlib
import re
from itertools import combinations
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from draw import training_steps
from draw.picture_reading import Picture
from draw.seeds import printed_under_two_seeds
from draw.svg_geometry import Extent
from draw.svg_reading import Reader

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.modes import timetable
from minigrad.draw.paint import timetable_svg
from minigrad.draw.read import bytes_text


def compiled(make, update=None, optimize=True):
    """A training step, or where `update` is None its gradients, compiled."""
    with mg.Graph() as graph:
        loss, variables = make()
        results = [] if update else mg.gradients(loss, variables)
        if update:
            update(loss, variables)
        assigns = [node for node in graph.nodes if str(node.op) == "Assign"]
    feeds = [node for node in graph.nodes if str(node.op) == "Placeholder"]
    return mg.Session(graph, optimize=optimize).compile([loss, *results, *assigns], feeds)


def four():
    """a = exp(z), b = 2 z, c = b a, d = c + 1, and its sum, with their names."""
    with mg.Graph() as graph:
        z = mg.placeholder("z", shape=(10,))
        a, b = mg.exp(z), z * 2.0
        total = mg.sum(b * a + 1.0)
    executable = mg.Session(graph, optimize=False).compile(total, [z])
    values = [node for node in executable.program.nodes() if node.inputs]
    return executable, dict(zip("abcd", values, strict=False))


def looped():
    """A loop among operations on arrays."""
    with mg.Graph() as graph:
        x, h = mg.placeholder("x", shape=(3, 8)), mg.placeholder("h", shape=(8,))
        last, _ = mg.scan(lambda h, x: (mg.tanh(h * x) + x, None), h * 2.0 + h, x)
    return mg.Session(graph).compile(mg.sum(mg.exp(last)), [x, h])


def fused():
    """A chain of operations entry by entry that becomes one kernel with two results."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(512, 512))
        h = mg.tanh(x * 2.0)
        results = [mg.max(h), mg.max(h * h - 1.0)]
    return mg.Session(graph).compile(results, [x])


STEPS = training_steps
PROGRAMS = {
    "four arrays": lambda: four()[0],
    "mlp": lambda: compiled(STEPS.net, STEPS.descend),
    "mlp as written": lambda: compiled(STEPS.net, STEPS.descend, optimize=False),
    "gradients": lambda: compiled(STEPS.net),
    "shared weight": lambda: compiled(STEPS.shared_weight, STEPS.descend),
    "conv": lambda: compiled(STEPS.conv, STEPS.descend),
    "momentum": lambda: compiled(STEPS.net, STEPS.momentum),
    "attention": lambda: compiled(STEPS.attention, STEPS.descend),
    "loop": looped,
    "kernel": fused,
}
NAMED = ("four arrays", "mlp", "mlp as written", "gradients", "shared weight", "loop", "kernel")


@pytest.fixture(scope="module", params=PROGRAMS)
def drawn(request):
    """A program's plan, and its picture."""
    executable = PROGRAMS[request.param]()
    drawing = draw(executable, mode="plan", title="A plan")
    elements = Reader(drawing.svg).elements
    return SimpleNamespace(
        name=request.param,
        executable=executable,
        plan=executable.plan,
        drawing=drawing,
        picture=Picture(drawing.svg),
        of_class=lambda word: [one for one in elements if word in one.classes],
    )


def steps_of_columns(plan):
    """The steps at which something is computed."""
    pairs = [(step, node, plan.values[node.order]) for step, node in enumerate(plan.order)]
    return [s for s, n, v in pairs if n.inputs and (v.base == n.order or v.in_place)]


def address_scale(drawn):
    """(y of address 0, pixels of a byte), from the peak's line and the axis."""
    (peak,) = drawn.of_class("peak-line")
    bottom = max(one.extent().bottom for one in drawn.of_class("ruler"))
    return bottom, (bottom - peak.extent().top) / drawn.plan.peak_bytes


def test_every_stay_is_a_block_at_its_own_bytes_and_steps(drawn):
    """The places and sizes are those that the plan lists of its buffers."""
    steps = steps_of_columns(drawn.plan)
    zero, scale = address_scale(drawn)
    guides = sorted(one.extent().left for one in drawn.of_class("guide"))
    assert len(guides) == len(steps)
    width = np.diff(guides).mean()
    expected = [
        Extent(
            guides[sum(s < life.first for s in steps)] - width / 2,
            zero - scale * (buffer.offset + buffer.bytes),
            guides[0] + width * (sum(s <= life.last for s in steps) - 0.5),
            zero - scale * buffer.offset,
        )
        for buffer in drawn.plan.buffers
        for life in buffer.lives
    ]
    found = [one.extent() for one in drawn.of_class("block")]
    assert np.allclose(sorted(found), sorted(expected), atol=0.16)


def test_blocks_do_not_overlap(drawn):
    blocks = [one.extent() for one in drawn.of_class("block")]
    assert all(min(a.overlap(b)) < 0.16 for a, b in combinations(blocks, 2))


def test_the_peak_is_the_plans_own(drawn):
    words = [run.words for run in drawn.picture.runs]
    at = words.index("peak")
    assert words[at + 1] == bytes_text(drawn.plan.peak_bytes)
    zero, scale = address_scale(drawn)
    tops = [zero - one.extent().top for one in drawn.of_class("block")]
    assert max(tops) == pytest.approx(scale * drawn.plan.arena_bytes, abs=0.2)
    assert ("arena" in words) == (drawn.plan.arena_bytes > drawn.plan.peak_bytes)


def test_a_seam_stands_wherever_the_plan_writes_in_place(drawn):
    steps, plan = steps_of_columns(drawn.plan), drawn.plan
    written = [at for at, s in enumerate(steps) if plan.values[plan.order[s].order].in_place]
    guides = sorted(one.extent().left for one in drawn.of_class("guide"))
    half = (guides[1] - guides[0]) / 2
    found = sorted(
        one.extent().left for one in drawn.of_class("seam") if one.group("stay") is not None
    )
    assert len(plan.in_place) == len(written) == len(found)
    assert found == pytest.approx([guides[at] - half for at in written], abs=0.2)


def test_the_sentence_has_the_figures_of_the_executable(drawn):
    plan, executable = drawn.plan, drawn.executable
    lines = " ".join(run.words for run in drawn.picture.runs)
    share = f", {100 * plan.arena_bytes / plan.naive_bytes:.0f} % of it,"
    assert bytes_text(executable.plan.arena_bytes) in lines
    saves = plan.arena_bytes < plan.naive_bytes
    assert (share in lines) == (bytes_text(plan.naive_bytes) in lines and saves) == saves
    assert f"in {len(plan.buffers)} buffer" in lines
    assert drawn.drawing.scene.notes[-1] in drawn.drawing.text


def test_the_picture_can_be_read(drawn):
    picture = drawn.picture
    assert picture.smallest >= 11
    assert picture.width <= 940
    assert picture.faults() == {}
    whole = Extent(0, 0, picture.width, picture.height)
    assert all(
        whole.encloses(one.extent())
        for one in Reader(drawn.drawing.svg).elements
        if one.tag != "text"
    )


@pytest.mark.parametrize("drawn", NAMED, indirect=True)
def test_the_names_of_all_values_are_there(drawn):
    """On the cards, and a second time in the blocks that hold them."""
    root = ElementTree.fromstring(drawn.drawing.svg)
    said = {
        group.get("id"): ["".join(part.itertext()) for part in group if part.tag.endswith("}text")]
        for group in root.iter()
        if group.get("class") == "node"
    }
    held = {at for block in drawn.drawing.scene.timetable.blocks for at in block.holds}
    for at, column in enumerate(drawn.drawing.scene.timetable.columns):
        texts = "".join(said[column.id])
        assert texts.count(column.name) == 1 + (at in held), column.name


@pytest.mark.parametrize("drawn", NAMED, indirect=True)
def test_every_block_has_the_number_and_the_colour_of_its_buffer(drawn):
    words = [run.words for run in drawn.picture.runs]
    expected = [f"B{b.number}" for b in drawn.plan.buffers for _ in b.lives]
    assert sorted(word for word in words if re.fullmatch(r"B\d+", word)) == sorted(expected)
    for number in range(6):
        stays = [b for b in drawn.plan.buffers for _ in b.lives if b.number % 6 == number]
        rims = drawn.of_class(f"b{number}-rim")
        assert len([one for one in rims if "block" in one.classes]) == len(stays)


# what the cards say ------------------------------------------------------------------------------


def columns_by_name(executable):
    """The columns of a program's timetable by name, with the bars of adjoints."""
    columns = draw(executable, mode="plan").scene.timetable.columns
    return {column.full_name: column for column in columns}


def test_lanes_and_names_are_read_off_the_ledger():
    columns = columns_by_name(compiled(STEPS.net, STEPS.descend))
    assert (columns["W̄1"].lane, columns["W̄1"].look) == ("backward", "adjoint")
    assert (columns["W1"].lane, columns["W1"].look) == ("update", "variable")
    assert columns["v4"].lane == "forward"
    lanes = re.findall(
        r'adjoint-ink" x="[\d.]+" y="16"', draw(compiled(STEPS.net, STEPS.descend), mode="plan").svg
    )
    assert lanes, "the word of the backward lane"


def test_without_derivatives_there_are_no_lanes():
    drawing = draw(four()[0], mode="plan")
    assert {column.lane for column in drawing.scene.timetable.columns} == {""}
    assert "-lane" not in drawing.svg


def test_results_are_told_apart_and_named():
    columns = columns_by_name(compiled(STEPS.net))
    assert columns["W̄1"].look == "result"
    drawing = draw(compiled(STEPS.net), mode="plan")
    assert "Handed out, in memory of their own: v15 (8 B), b̄2 (80 B)" in drawing.svg
    assert "handed out · 80 B" in columns["b̄2"].tip
    assert (
        "Stored in variables: b2, W2, b1, W1."
        in draw(compiled(STEPS.net, STEPS.descend), mode="plan").svg
    )


def test_lines_lead_from_each_value_to_what_reads_it():
    executable, names = four()
    drawing = draw(executable, mode="plan", names=names)
    lines = [line.name for line in drawing_lines(drawing)]
    assert sorted(lines) == ["n1 -> n4", "n3 -> n4", "n4 -> n6", "n6 -> n7"]
    linked = re.findall(
        r'data-from="(\w+)" data-to="(\w+)"',
        draw(compiled(STEPS.net, STEPS.descend), mode="plan").svg,
    )
    assert ("n26", "n28") in linked
    assert ("n6", "n25") in linked, "also through a view"


def drawing_lines(drawing):
    """The drawn lines between its cards."""
    return Picture(drawing.svg).lines


def test_a_card_and_its_part_of_a_block_are_one_node_of_the_page():
    """So one lights the other: both are rims of the node that one points at."""
    drawing = draw(four()[0], mode="plan")
    group = next(g for g in ElementTree.fromstring(drawing.svg).iter() if g.get("id") == "n4")
    rims = [part.get("class") for part in group if "rim" in part.get("class", "").split()]
    assert rims == ["rim op", "rim part b1"]


def test_a_loop_can_still_be_opened():
    drawing = draw(looped(), mode="plan")
    (loop,) = [column.opens for column in drawing.scene.timetable.columns if column.opens]
    assert f'data-box="{loop}"' in drawing.svg
    opened = draw(looped(), mode="plan", expand=loop)
    assert opened.scene.timetable is None
    assert any(node.scope for node in opened.scene.nodes)


# what is drawn when ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more", [{"show": "op"}, {"expand": "n5"}, {"depth": 3}, {"collapse": "n5"}]
)
def test_what_only_a_graph_can_show_is_drawn_as_a_graph(more):
    assert draw(four()[0], mode="plan", **more).scene.timetable is None


def test_a_plan_without_a_buffer_is_drawn_as_a_graph():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        executable = mg.Session(graph).compile(mg.exp(x), [x])
    assert draw(executable, mode="plan").scene.timetable is None


def test_too_many_operations_are_drawn_as_a_graph_that_says_so(monkeypatch):
    monkeypatch.setattr(timetable, "MOST", 4)
    drawing = draw(four()[0], mode="plan")
    assert drawing.scene.timetable is None
    assert "5 operations do not stand side by side: drawn as a graph." in drawing.text


def test_it_needs_no_layout_engine(monkeypatch):
    monkeypatch.setattr(importlib.import_module("minigrad.draw.drawing"), "layout", None)
    assert draw(four()[0], mode="plan").svg.startswith("<svg")


def test_a_phone_gets_a_short_plan_with_closer_columns():
    drawing = draw(four()[0], mode="plan")
    picture = Picture(drawing.portrait)
    assert picture.width <= 390
    assert picture.faults() == {}
    assert 'srcset="data:image/svg+xml' in drawing.plain
    assert draw(compiled(STEPS.net), mode="plan").portrait == ""


def test_the_listing_and_the_dot_text_are_those_of_the_graph():
    executable, names = four()
    plan = draw(executable, mode="plan", names=names)
    graph = draw(executable, mode="plan", names=names, depth=1_000)
    assert (plan.text, plan.dot) == (graph.text, graph.dot)
    assert "B1 · 80 B, in place" in plan.text


def test_readers_who_do_not_see_it_hear_the_figures():
    executable, names = four()
    alt = draw(executable, mode="plan", names=names, title="Four arrays").alt
    assert alt.startswith("Four arrays: the operations in the order in which they run")
    assert "this plan takes 160 B, 50 % of it, in 2 buffers. B0 · 80 B: a; B1 · 80 B: b" in alt


def test_the_bytes_are_the_same_whatever_the_hashes():
    program = (
        "from draw.test_timetable import *\n"
        "print(draw(compiled(STEPS.net, STEPS.descend), mode='plan').svg)"
    )
    one, other = printed_under_two_seeds(program)
    assert one == other and len(one) > 10_000


def test_an_arena_with_gaps_has_a_line_above_the_peak():
    scene = draw(four()[0], mode="plan").scene
    table = scene.timetable._replace(arena=200)
    picture = Picture(timetable_svg(scene._replace(timetable=table), ""))
    words = [run.words for run in picture.runs]
    assert words[words.index("peak") + 1] == "160 B"
    assert words[words.index("arena") + 1] == "200 B"
    assert picture.faults() == {}
