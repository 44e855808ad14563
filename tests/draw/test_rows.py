"""Passes as rows of one picture: places, counts, reasons, kernels, and what is no row's."""

import random
import re
import sys
import xml.etree.ElementTree as xml
from collections import defaultdict

import numpy as np
import pytest
from draw.picture_reading import Picture, is_over
from draw.seeds import printed_under_two_seeds
from draw.test_passes import newton

import minigrad as mg
from minigrad.compiler import pipeline
from minigrad.compiler.pipeline import ONCE, PRUNE, REPEATED, Pass
from minigrad.compiler.rewrite import Note, rebuild_program
from minigrad.core.ops.elementwise import Abs, Relu
from minigrad.draw import draw
from minigrad.draw.layout import engine
from minigrad.draw.layout.boxes import wrap_text
from minigrad.draw.layout.grid import find_bypasses, middle_of, place_grid
from minigrad.draw.modes.rows import PassRow, SmallMark, pass_rows
from minigrad.draw.paint.slider import PassPicture, Slider
from minigrad.static.program import copy_node


def course_example():
    """Σ tanh(v) v with v = exp(x w 1) + exp(x w) + 2 · 3: four passes find something."""
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", shape=(200_000,)), mg.Variable(2.0, name="w")
        v = mg.exp(x * w * 1.0) + mg.exp(x * w) + mg.constant(2.0) * 3.0
        return mg.Session(graph).compile(mg.sum(mg.tanh(v) * v), [x])


def transposes_and_squares():
    """The passes remove a chain of two, a product with 1 and one of two equal nodes."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(512, 512))
        a, b = mg.exp(x) * 1.0, mg.exp(x) + mg.constant(2.0) * 3.0
        y = mg.max((a - b) ** 2 + mg.transpose(mg.transpose(x)))
        return mg.Session(graph).compile(y, [x])


def rings_of_light():
    """25 nodes in which a sum of squares is written twice."""
    with mg.Graph() as graph:
        x, y = (mg.placeholder(name, shape=(100, 100)) for name in "xy")
        fog = mg.exp(40.0 * (x + y))
        light = mg.sin((x * x + y * y) * (mg.constant(2.0) * 1.5)) / 1.0
        return mg.Session(graph).compile(light + (y * y + x * x) * 0.1 + fog * 0.0, [x, y])


def choice():
    """A choice whose branches are both improved."""
    with mg.Graph() as graph:
        z = mg.placeholder("z")
        y = mg.cond(z > 3.0, lambda: mg.exp(z) * 1.0 + mg.exp(z), lambda: z**2)
        return mg.Session(graph).compile(y, [z])


def kernel_in_a_loop():
    """A scan whose body becomes one kernel."""
    with mg.Graph() as graph:
        x, h = mg.placeholder("x", shape=(3, 512, 512)), mg.placeholder("h", shape=(512, 512))
        last, _ = mg.scan(lambda h, x: ((h - x) * (h - x) + h * 0.5, None), h, x)
        return mg.Session(graph).compile(last, [x, h])


def random_program(seed):
    """A program of up to sixteen operations by chance."""
    dice = random.Random(seed)
    shape = dice.choice([(3,), (300, 300)])
    ways = [
        lambda a, b: a + b,
        lambda a, b: a * b,
        lambda a, b: a - b,
        lambda a, b: mg.exp(a),
        lambda a, b: mg.tanh(b),
        lambda a, b: a * 1.0,
        lambda a, b: a + 3.0,
        lambda a, b: b**2,
        lambda a, b: a * (mg.constant(2.0) * 3.0),
    ]
    with mg.Graph() as graph:
        feeds = [mg.placeholder(name, shape=shape) for name in "xy"]
        values = [*feeds, mg.Variable(np.ones(shape), name="w")]
        for _ in range(dice.randint(3, 14)):
            values.append(dice.choice(ways)(dice.choice(values[-4:]), dice.choice(values)))
        return mg.Session(graph).compile(values[-1] + values[-2], feeds)


PROGRAMS = (
    course_example, transposes_and_squares, rings_of_light, newton, choice, kernel_in_a_loop,
)  # fmt: skip
EVERY = {one.__name__: one for one in PROGRAMS} | {
    f"random {seed}": lambda seed=seed: random_program(seed) for seed in (0, 1, 3, 4, 9, 12)
}


@pytest.fixture(scope="module", params=EVERY)
def shown(request):
    """The picture of one program."""
    return draw.passes(EVERY[request.param]())


@pytest.fixture(scope="module")
def example():
    """The picture of the course's example."""
    return draw.passes(course_example())


def bands(shown):
    """The rows with marks of a picture."""
    return [band for band in shown.sheet.bands if band.grid]


# what the rows say -------------------------------------------------------------------------------


def test_there_is_a_row_for_each_pass_that_found_something(example):
    rows = [(band.row.title, band.row.counts) for band in example.sheet.bands]
    assert rows == [
        ("as it was built", "16 nodes"),
        ("fold constants", "16 → 14 nodes"),
        ("simplify by equations", "14 → 12 nodes"),
        ("merge equal nodes (cse)", "12 → 10 nodes"),
        ("fuse", "10 → 4 nodes"),
        ("what runs", "1 kernel"),
    ]
    assert len(draw.passes(course_example(), runs=False).sheet.bands) == 5


def test_the_counts_are_those_of_the_reports():
    executable = rings_of_light()
    (rows,) = pass_rows(executable)
    told = [f"{one.before} → {one.after} nodes" for one in executable.report if one.notes]
    assert [row.counts for row in rows] == ["25 nodes", *told]


def test_every_pass_has_a_name_and_a_short_reason():
    for step in (PRUNE, *REPEATED, *ONCE):
        assert step.title and len(step.purpose) <= 80 and step.purpose[-1] == "."
    assert all(report.name in report.title for report in course_example().report)


def drop_relu(program, options=None):
    """(program, notes): relu |x| becomes |x|."""
    notes = []

    def visit(graph, node, inputs):
        if node.op is not Relu or inputs[0].op is not Abs:
            return copy_node(graph, node, inputs)
        notes.append(Note(node, "its operand is never negative"))
        return inputs[0]

    rebuilt = rebuild_program(program, visit)
    return (rebuilt, notes) if notes else (program, notes)


def test_a_new_pass_is_drawn_with_its_words_and_with_the_reason_of_its_note(monkeypatch):
    words = "leave out relu", "A value that is never negative stays as it is."
    monkeypatch.setattr(pipeline, "ONCE", [Pass(drop_relu, *words), *ONCE])
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        executable = mg.Session(graph, debug=True).compile(mg.relu(mg.abs(x)) * x, [x])
    assert executable(np.array([-2.0, 0.0, 3.0])).tolist() == [-4.0, 0.0, 9.0]
    lines = draw.passes(executable).text.splitlines()
    assert "leave out relu (drop_relu): 4 → 3 nodes. " + words[1] in lines
    assert "  Relu(Abs) float64[3] removed: its operand is never negative" in lines


def test_a_pass_cannot_be_made_without_words():
    with pytest.raises(TypeError, match="'title' and 'purpose'"):
        Pass(drop_relu)


def test_marks_say_signs_names_and_numbers(example):
    first, second, *_ = bands(example)
    texts = [mark.text for mark in first.row.marks]
    assert texts == "x w × ×1 exp × exp + 2×3 + tanh × Σ".split()
    assert [mark.text for mark in second.row.marks if mark.state == "ring"] == ["6"]


def test_each_removed_mark_has_its_reason_below(example):
    _, _, simplify, merge, fuse = bands(example)
    reasons = {(m.text, m.reason) for band in (simplify, merge) for m in band.row.marks if m.reason}
    assert reasons == {("×1", "= its input"), ("×", "same as ×"), ("exp", "same as exp")}
    said = re.findall(r'<text class="small muted"[^>]*>([^<]*)</text>', example.svg)
    assert said == ["= its input", "same as above", "same as exp"]
    assert not any(mark.state for mark in fuse.row.marks)


def test_a_removed_mark_is_a_struck_out_ghost_in_one_row_alone(example):
    root = xml.fromstring(example.svg)
    nodes = {one.get("id"): one for one in root.iter() if one.get("class") == "node"}
    ghosts = {id for id, one in nodes.items() if one[1].get("class") == "rim gone ghost"}
    assert ghosts == {"r2_n4", "r3_n6", "r3_n7"}
    assert all("strike" in nodes[id][2].get("class") for id in ghosts)
    assert not {"r3_n4", "r4_n6", "r4_n7"} & nodes.keys()
    edges = [(one.get("data-from"), one.get("data-to")) for one in root.iter()]
    assert not ghosts & {end for pair in edges for end in pair}
    assert ("r2_n2", "r2_n5") in edges, "what read the removed node reads its input"


def test_what_every_removal_says(shown):
    for band in bands(shown):
        for mark in band.row.marks:
            assert bool(mark.reason) >= (mark.state == "gone")
            assert mark.state in ("", "ring", "gone")


def test_a_pass_leaves_something_dark_in_its_row(shown):
    for band in bands(shown):
        row = band.row
        changed = row.news() or row.bright or any(mark.state == "gone" for mark in row.marks)
        assert bool(changed) == ("→" in row.counts)


def test_rings_are_around_what_changed_and_what_is_used_instead(example):
    ringed = [[m.id for m in band.row.marks if m.state == "ring"] for band in bands(example)]
    assert ringed == [[], ["n11"], [], ["n2", "n5"], []]
    assert example.svg.count('class="ring"') == 3 + 1  # and one in the key


def test_an_operation_that_became_another_says_by_which_equation():
    simplify = bands(draw.passes(transposes_and_squares()))[2].row
    told = {(mark.text, mark.state): mark.reason for mark in simplify.marks if mark.reason}
    assert told == {
        ("ᵀ", "gone"): "a transpose that moves no axis",
        ("×1", "gone"): "= its input",
        ("×", "ring"): "x ** 2 = x · x",
    }


def test_like_ops_of_one_line_are_told_apart_by_what_they_read():
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", shape=(3,)), mg.placeholder("w", shape=(3,))
        executable = mg.Session(graph).compile(mg.exp(x) * w**2, [x, w])
    (rows,) = pass_rows(executable)
    texts = {mark.id: mark.text for mark in rows[0].marks}
    (ring,) = [mark for mark in rows[1].marks if mark.state == "ring"]
    assert texts[ring.id] == "x²" and ring.text == "×" and len({*ring.inputs}) == 1


# where things stand ------------------------------------------------------------------------------


def test_a_mark_keeps_its_place_in_all_rows(shown):
    picture = Picture(shown.svg)
    places = defaultdict(set)
    for band in bands(shown):
        for mark in band.row.marks:
            x, y = picture.cards[f"r{band.number}_{mark.id}"].extent.centre
            places[id(band.grid), mark.id].add((round(x), round(y - band.top)))
    assert all(len(spots) == 1 for spots in places.values())


def test_nothing_overlaps_and_all_can_be_read(shown):
    picture = Picture(shown.svg)
    assert picture.faults() == {}
    assert picture.smallest >= 11 and picture.width <= 940
    reasons = [run for run in picture.runs if run.element.group("node") is not None]
    for run in reasons:
        own = run.element.group("node").get("id")
        assert not [
            c for c in picture.cards.values() if c.id != own and is_over(run.extent, c.extent)
        ]
    below = [run for run in reasons if "small" in run.element.classes]
    for run in below:
        inside = run.extent.shrink(2)
        for line in picture.lines:
            x, y = line.closely().T
            within = (x > inside.left) & (x < inside.right) & (y > inside.top) & (y < inside.bottom)
            assert not within.any(), (run.words, line.name)


def test_rows_of_a_small_graph_are_low(example):
    heights = [band.height for band in example.sheet.bands]
    assert max(heights) <= 130 and Picture(example.svg).height <= 760


def test_few_lines_cross(example):
    crossings = Picture(example.svg).crossings
    assert len(crossings) <= 3  # x and w are read by two products, in three rows


def test_a_kernel_has_a_frame_around_all_that_is_in_it_and_nothing_else(shown):
    for band in bands(shown):
        for number, frame in band.grid.frames(band.row).items():
            for mark in band.row.marks:
                box = band.grid.box(mark)
                inside = abs(box.x - frame.x) < frame.w / 2 and abs(box.y - frame.y) < frame.h / 2
                if mark.role == "op":
                    assert inside == (mark.kernel == number)
                assert mark.kernel == number or not inside


def test_a_kernel_has_its_name_at_the_lower_right(example):
    assert example.svg.count(">kernel 1</text>") == 1
    (fuse,) = [band for band in bands(example) if band.row.kernels]
    assert fuse.row.title == "fuse"
    assert "kernel" not in draw.passes(rings_of_light()).svg.partition("</style>")[2]


def test_a_line_past_a_removed_mark_runs_through_its_place_afterwards(example):
    grid = bands(example)[0].grid
    assert grid.stops["n2", "n5"] == ["n4"]
    after = re.search(
        r'data-from="r4_n2" data-to="r4_n5"><path class="[^"]*" d="([^"]*)"', example.svg
    )
    assert "C" not in after[1], "where nothing stands any more, the line is straight"


def test_marks_without_graphviz(monkeypatch):
    def refuse(*_):
        raise engine.NoLayout("no Graphviz")

    monkeypatch.setattr(sys.modules["minigrad.draw.layout"], "centres", refuse)
    shown = draw.passes(course_example())
    assert "<svg" in shown.svg and not shown[0].picture[0]
    assert '<img src="data:image/svg+xml;base64,' in shown._repr_html_()


def small_row(*marks, gone=()):
    """A PassRow of marks, given as (id, ids of its inputs)."""
    states = dict.fromkeys(gone, "gone")
    found = [SmallMark(id, "op", "+", ids, state=states.get(id, "")) for id, ids in marks]
    return PassRow("one", "1 node", "", tuple(found))


def test_a_bypass_leads_through_all_that_is_gone():
    chain = [("a", ()), ("b", ("a",)), ("c", ("b",)), ("d", ("c",))]
    rows = [small_row(*chain), small_row(*chain[:3], ("d", ("a",)), gone="bc")]
    assert find_bypasses(rows) == {("a", "d"): ("b", "c")}
    assert place_grid(rows).stops["a", "d"] == ["b", "c"]


def test_rows_that_turn_each_other_round_have_no_place():
    rows = [small_row(("a", ()), ("b", ("a",))), small_row(("b", ()), ("a", ("b",)))]
    assert place_grid(rows) is None


def test_the_median_of_weights_and_lines_of_words():
    assert middle_of([(0.0, 1.0), (5.0, 0.3), (9.0, 0.3)]) == 0.0
    assert middle_of([(0.0, 1.0), (4.0, 1.0)]) == 4.0
    assert wrap_text("a transpose that moves no axis", 84) == ["a transpose that", "moves no axis"]
    assert wrap_text("", 84) == []


# loops and choices -------------------------------------------------------------------------------


def test_the_bodies_of_loops_have_rows_of_their_own():
    shown = draw.passes(newton())
    assert [(band.row.title, band.row.part) for band in shown.sheet.bands] == [
        ("as it was built", ""),
        ("the body of loop1", ""),
        ("simplify by equations", "the body of loop1"),
        ("the condition of loop1", ""),
        ("simplify by equations", "the condition of loop1"),
        ("what runs", ""),
    ]
    assert [mark.text for mark in bands(shown)[0].row.marks] == ["a", "↻ loop1", "last", "×2"]
    body = bands(shown)[2].row
    assert [m.role for m in body.marks if m.text == "x"] == ["port"]
    assert {m.reason for m in body.marks if m.state} == {"= its input", "x / 2ᵏ = x · 2⁻ᵏ"}
    assert "carried to the next iteration" in shown.svg


def test_a_body_that_no_pass_changed_has_no_row():
    titles = [band.row.title for band in draw.passes(kernel_in_a_loop()).sheet.bands]
    assert titles == [
        "as it was built",
        "the body of loop1",
        "merge equal nodes (cse)",
        "fuse",
        "what runs",
    ]


def test_both_branches_of_a_choice_have_rows():
    parts = [band.row.part for band in draw.passes(choice()).sheet.bands]
    assert parts.count("then of choice1") == 2 and parts.count("otherwise of choice1") == 1


def test_an_equal_loop_says_that_the_same_runs_already():
    with mg.Graph() as graph:
        a = mg.placeholder("a")
        root = mg.while_loop(lambda x: x * x > a, lambda x: (x + a / x) / 2.0, a)
        (slope,) = mg.gradients(root * root, [a])
        program = mg.Session(graph).compile([root, slope], [a])
    merge = next(row for row in next(pass_rows(program)) if "merge_loops" in row.title)
    gone = [mark for mark in merge.marks if mark.state == "gone"]
    assert [mark.text[0] for mark in gone] == ["↻"]
    assert gone[0].reason == "the same loop runs already"


# when there are rows -----------------------------------------------------------------------------


def test_the_slider_is_there_when_asked_for_or_when_there_is_no_room():
    example = course_example()
    assert isinstance(draw.passes(example), PassPicture)
    for other in (
        draw.passes(example, rows=False),
        draw.passes(newton(), expand="loop1"),
        draw.passes(newton(), collapse="loop1"),
        draw.passes(example, budget=12),
    ):
        assert type(other) is Slider
    with mg.Graph() as graph:
        y = x = mg.placeholder("x", shape=(3,))
        for k in range(30):
            y = mg.sin(y + float(k))
        deep = mg.Session(graph).compile(mg.exp(y * 1.0), [x])
    assert type(draw.passes(deep)) is Slider, "61 columns are wider than a page"


def test_the_text_tells_the_rows_and_all_that_the_slider_told(example):
    slider = draw.passes(course_example(), rows=False)
    assert slider.text in example.text
    first = example.text.partition("\n\n")[0].splitlines()
    assert first[0] == "What each pass changed"
    assert "  Mul(Mul, 1) float64[200000] removed: equal to its input" in first
    assert "  Exp(Mul) float64[200000] removed: same as exp" in first
    assert "  Exp(Mul) float64[200000] used instead" in first
    assert first[-1].startswith("what runs: 1 kernel. no buffer")


def test_the_program_that_runs_is_a_listing_below_the_picture(example):
    page = example.body
    assert page.count("<img ") == 1 and page.count("<details>") == 2
    assert "<summary>the program</summary><pre>def run(feeds" in page
    assert "the program</summary>" not in draw.passes(course_example(), runs=False).body


def test_a_picture_of_rows_is_still_a_row_of_drawings(example, tmp_path):
    assert len(example) == 6 and example[-2].scene.title.startswith("fuse")
    assert example.save(tmp_path / "one.svg").read_text("utf-8").startswith("<svg")
    assert example.save(tmp_path / "one.html").read_text("utf-8").startswith("<!doctype html>")
    assert example.save(tmp_path / "one.dot").read_text("utf-8").startswith("digraph")
    assert len(example.slides(tmp_path / "slides")) == 6


def test_the_words_of_a_picture_for_who_does_not_see_it(example):
    alt = xml.fromstring(example.svg).get("aria-label")
    assert alt.startswith("What each pass changed. as it was built: 16 nodes; fold constants: 16")


@pytest.mark.parametrize("name", ["</script>", '"><img src=x onerror=alert(1)>', "]]>", "a\nb"])
def test_names_are_text_in_rows(name):
    with mg.Graph() as graph:
        x = mg.placeholder(name, shape=(3,))
        shown = draw.passes(mg.Session(graph).compile(mg.exp(x * 1.0), [x]), title=name)
    root = xml.fromstring(shown.svg)
    assert not [key for one in root.iter() for key in one.attrib if key.startswith("on")]
    assert shown.html.count("</script>") == 1 and "<img src=x" not in shown.html


def test_the_same_bytes_whatever_the_order_of_sets():
    program = (
        "from draw.test_rows import course_example, rings_of_light, draw\n"
        "print(draw.passes(course_example()).svg, draw.passes(rings_of_light()).text)"
    )
    one, other = printed_under_two_seeds(program)
    assert one == other and b"merge equal nodes" in one
