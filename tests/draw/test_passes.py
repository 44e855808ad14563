"""What passes changed: rings, struck out values, reasons; the slider around the pictures."""

import re
import xml.etree.ElementTree as xml
from itertools import pairwise

import numpy as np
import pytest
from draw.toy import Add, Exp, Mul, apply, edges, leaf

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw, drawing
from minigrad.draw.layout import layout
from minigrad.draw.modes.compare import union
from minigrad.draw.modes.passes import code_lines
from minigrad.draw.modes.stages import sort_nodes
from minigrad.draw.paint import slider as element
from minigrad.draw.read.outline import outline


@pytest.fixture(scope="module")
def slider():
    """A program on which fold, simplify, cse and fuse find something."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(512, 512))
        k = mg.constant(2.0) * mg.constant(3.0)
        a = mg.exp(x) * 1.0
        b = mg.exp(x) + k
        y = mg.max((a - b) ** 2 + mg.transpose(mg.transpose(x)))
        return draw.passes(mg.Session(graph).compile(y, [x]), title="better", rows=False)


def step(slider, name):
    """The scene of one pass."""
    return next(d.scene for d in slider.drawings if d.scene.title.startswith(name))


def draw_text(slider, name):
    """The listing of one pass."""
    return next(d.text for d in slider.drawings if d.scene.title.startswith(name))


def marked(scene, mark):
    """Id → what is said of the nodes with a mark."""
    return {node.id: node.more for node in scene.nodes if node.mark == mark}


def test_there_is_a_picture_for_each_pass_that_found_something(slider):
    assert [shown.scene.title for shown in slider.drawings] == [
        "as it was built: 15 nodes",
        "fold: 15 → 13 nodes",
        "simplify: 13 → 9 nodes",
        "cse: 9 → 8 nodes",
        "fuse: 8 → 4 nodes",
        "what runs: 1 kernel and 1 call",
    ]
    assert not marked(slider[0].scene, "ring") and not marked(slider[0].scene, "gone")


def test_what_runs_can_be_left_out():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(4, 4))
        program = mg.Session(graph).compile(mg.exp(x * 1.0), [x])
    titles = [shown.scene.title for shown in draw.passes(program, runs=False).drawings]
    assert titles == ["as it was built: 4 nodes", "simplify: 4 → 2 nodes"]
    assert draw.passes(program)[-1].scene.title == "what runs: 1 call"


def test_fold(slider):
    scene = step(slider, "fold")
    assert marked(scene, "ring") == {
        "n3": "changed: 2 · 3 has no inputs, so the compiler computes it once. "
        "The node becomes the constant 6."
    }
    assert set(marked(scene, "gone")) == {"n1", "n2"}
    assert scene.node("n3").texts()[0] == "6"
    assert edges(scene, "gone") == [("n1", "n3"), ("n2", "n3")]


def test_simplify(slider):
    scene = step(slider, "simplify")
    assert marked(scene, "gone") == {
        "n5": "removed: nothing needs it",
        "n6": "removed: x · 1 = x",
        "n11": "removed: two transposes are one",
        "n12": "removed: a transpose that moves no axis",
    }
    assert marked(scene, "ring") == {
        "n9": "changed: reads Exp, not Mul",
        "n10": "changed: x ** 2 = x · x",
        "n13": "changed: reads x, not Transpose",
    }
    assert ("n4", "n9") in edges(scene)
    assert ("n6", "n9") in edges(scene, "gone")


def test_cse(slider):
    scene = step(slider, "cse")
    assert marked(scene, "gone") == {
        "n7": "removed: v7 computes exp(x), and so does v4. The compiler keeps v4 and removes v7."
    }
    assert marked(scene, "ring") == {"n8": "changed: reads the other Exp"}
    assert edges(scene, "same") == [("n7", "n4")]
    assert "n7 -> n4 (the same)" in draw_text(slider, "cse")


def test_fuse(slider):
    scene = step(slider, "fuse")
    assert not marked(scene, "gone") and not marked(scene, "ring")
    assert scene.frames[0].lines == ("fused into 1 kernel:", "(exp(x) − (exp(x) + 6))² + x")


def test_the_last_picture_is_what_runs(slider):
    scene = step(slider, "what runs")
    assert scene.frames[0].kind == "fused" and scene.node("n13").more == "B0 · 2 MiB"
    assert scene.code[0] == "def run(feeds, variables, back_buffers, index):"
    assert all(len(line) <= 96 and "#" not in line for line in scene.code)
    assert (
        "return [array(t3)]" in slider[-1].text
        and ">    return [array(t3)]</text>" in slider[-1].svg
    )


def test_a_node_stays_at_its_place_and_the_card_keeps_its_size(slider):
    placed = [layout(shown.scene) for shown in slider.drawings]
    centres = [{id: one.body(id)[:2] for id in one.boxes} for one in placed]
    for one, next_one in pairwise(centres):
        shared = one.keys() & next_one.keys()
        assert len(shared) >= 4 and all(one[id] == next_one[id] for id in shared)
    assert len({one.whole for one in placed}) == 1
    sizes = [re.search(r'width="(\d+)" height="(\d+)"', d.svg).groups() for d in slider.drawings]
    assert len({width for width, _ in sizes}) == 1
    assert len({height for _, height in sizes[:-1]}) == 1  # below the last stands a program
    assert [len(one.frames) for one in placed] == [0, 0, 0, 0, 1, 1]


def test_a_kernel_is_one_frame_though_what_is_gone_stood_in_it(slider):
    (frame,) = {frame.path for frame in step(slider, "fuse").frames}
    room = slider[0].scene.room
    inside = {node.id for node in room.nodes if node.scope == frame}
    assert {"n5", "n6"} < inside and not {"n0", "n7", "n11", "n14"} & inside
    assert len(layout(room).frames) == 1


def test_names_say_which_of_two_equal_values_stays():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        a, b = mg.exp(x), mg.exp(x)
        a.name = "a"
        slider = draw.passes(mg.Session(graph).compile([a * 3.0, b], [x]))
    assert set(marked(step(slider, "cse"), "gone").values()) == {
        "removed: v2 computes exp(x), and so does a. The compiler keeps a and removes v2."
    }


def test_a_chain_that_is_there_twice_is_merged_node_by_node():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        y = mg.tanh(mg.exp(x)) + mg.tanh(mg.exp(x)) * 3.0
        slider = draw.passes(mg.Session(graph).compile(y, [x]))
    scene = step(slider, "cse")
    why = set(marked(scene, "gone").values())
    assert why == {
        "removed: v3 computes exp(x), and so does v1. The compiler keeps v1 and removes v3.",
        "removed: v4 computes tanh(v1), and so does v2. The compiler keeps v2 and removes v4.",
    }
    assert len(edges(scene, "same")) == 2


def test_a_long_program_is_cut():
    lines = list(code_lines("\n".join(f"    t{at} = exp(t)  # a remark" for at in range(40))))
    assert lines[:2] == ["    t0 = exp(t)", "    t1 = exp(t)"]
    assert len(lines) == 25 and lines[-1] == "… 16 more lines: print(executable.source)"


def test_a_circle_between_stages_is_cut():
    pairs = {("n0", "n1"): 1, ("n1", "n2"): 1, ("n2", "n1"): 1, ("n2", "n10"): 1}
    nodes = dict.fromkeys(("n10", "n2", "n1", "n0"))
    assert sort_nodes(nodes, pairs) == ["n0", "n1", "n2", "n10"]


def test_ids_stay_from_picture_to_picture(slider):
    for name in ("fold", "simplify", "cse", "fuse", "what runs"):
        assert step(slider, name).node("n14").call.startswith("Max")
        assert step(slider, name).results == ("n14",)


def test_what_is_gone_is_struck_out_with_its_reason_below(slider):
    root = xml.fromstring(next(d.svg for d in slider.drawings if "simplify" in d.scene.title))
    (node,) = [g for g in root.iter() if g.get("id") == "n6"]
    lines = [text for text in node if text.tag.endswith("text")]
    assert [part.get("class") for part in node if part.tag.endswith("rect")] == ["rim gone"]
    assert lines[0].get("class") == "name start strike"
    assert "strike" not in lines[-1].get("class") and lines[-1].text == "x · 1 = x"
    rings = [e for e in root.iter() if e.get("class") == "ring"]
    assert len(rings) == 3 + 1  # and one in the key


def test_a_large_program_shows_what_changed():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        y = x
        for k in range(100):
            y = mg.sin(y + float(k))
        y = mg.exp(y * 1.0)
        slider = draw.passes(mg.Session(graph).compile(y, [x]))
    scene = step(slider, "simplify")
    assert len(scene.nodes) < 20
    assert "removed: x · 1 = x" in marked(scene, "gone").values()
    assert "More: draw.passes(executable, budget=" in scene.notes[0]


def test_what_has_no_passes():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        plain = mg.Session(graph, optimize=False).compile(x + 1.0, [x])
    with pytest.raises(ArgumentError, match="not optimised"):
        draw.passes(plain)
    with pytest.raises(ArgumentError, match="holds no report"):
        draw.passes(x)


def test_the_later_graph_is_the_union_without_what_is_gone():
    x, w = leaf(1.0, "x"), leaf(2.0, "w")
    before = outline([apply(Add, apply(Exp, x), apply(Mul, x, w))])
    after = outline([apply(Add, apply(Exp, x), apply(Exp, w))])
    found = union(before, after, iter(["n99"]))
    stays = [at for at in range(len(found.graph.values)) if found.marks.get(at) != "gone"]
    assert [found.graph.ops[at] for at in stays] == after.ops
    assert {found.graph.ops[at] for at, mark in found.marks.items() if mark == "gone"} == {"Mul"}
    assert found.graph.ids.count("n99") == 1
    for at, sources in enumerate(found.graph.inputs):
        assert all(source < at for source in sources)


# the slider --------------------------------------------------------------------------------------


def test_without_scripts_all_pictures_unfold(slider):
    page = re.sub(r"<script>.*?</script>", "", slider._repr_html_(), flags=re.DOTALL)
    assert page.count('<img src="data:image/svg+xml;base64,') == 6
    assert page.count("<details open>") == 1
    assert re.findall("<summary>(.*?)</summary>", page)[::2] == [
        shown.scene.title for shown in slider.drawings
    ]


def test_the_element_needs_nothing_from_elsewhere(slider):
    html = slider.html
    tag = re.match(r"<(minigrad-slider-[0-9a-f]{10}) ", html)[1]
    assert f'defineSlider("{tag}"' in html
    for script in slider.scripts:
        assert "http" not in script.code.replace("http://www.w3.org/2000/svg", "")


def test_the_text_of_a_slider(slider):
    assert repr(slider) == slider.text
    assert slider.text.startswith("better\n\nas it was built: 15 nodes")
    assert "n6   Mul(n4, n5)" in slider.text
    assert " at 0x" not in slider.text


def test_a_slider_is_a_row_of_drawings(slider):
    assert len(slider) == 6
    assert slider[-2].scene.title.startswith("fuse")
    with pytest.raises(ArgumentError, match="no picture 9"):
        slider[9]
    assert list(slider) == slider.drawings


@pytest.mark.parametrize(
    "suffix, start", [(".html", "<!doctype html>"), (".svg", "<svg"), (".dot", "digraph")]
)
def test_save_a_slider(slider, tmp_path, suffix, start):
    text = slider.save(tmp_path / f"passes{suffix}").read_text(encoding="utf-8")
    assert text.startswith(start)


def test_a_sliders_repr_never_raises(slider, monkeypatch):
    monkeypatch.setattr(element, "slider_script", lambda: 1 / 0)
    assert "ZeroDivisionError" in slider._repr_html_()
    monkeypatch.setattr(drawing, "listing", lambda scene: 1 / 0)
    assert "ZeroDivisionError" in repr(slider)


@pytest.mark.parametrize(
    "name",
    ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "]]>", "a\\b", "a\nb"],
)
def test_names_are_text_in_a_slider(name):
    with mg.Graph() as graph:
        x = mg.placeholder(name, shape=(3,))
        program = mg.Session(graph).compile(mg.exp(x * 1.0), [x])
    slider = draw.passes(program, title=name, rows=False)
    page = slider.html
    assert page.count("</script>") == 2
    assert "<img src=x" not in page
    for shown in slider.drawings:
        xml.fromstring(shown.svg.encode())


def test_of_two_sums_in_another_order_each_product_is_told_from_the_other():
    with mg.Graph() as graph:
        x, y = mg.placeholder("x", shape=(3,)), mg.placeholder("y", shape=(3,))
        slider = draw.passes(
            mg.Session(graph).compile(mg.sin(x * x + y * y) / (y * y + x * x), [x, y])
        )
    scene, gone = step(slider, "cse"), {"x": "x · x", "y": "y · y"}
    names = {node.id: node.texts()[0] for node in scene.nodes}
    for id, why in marked(scene, "gone").items():
        if names[id] == "×":
            (source,) = {names[one] for one, end in edges(scene, "gone") if end == id}
            assert f"computes {gone.pop(source)}, and so does" in why
    assert not gone and len(edges(scene, "same")) == 3


def test_constants_are_told_apart_by_their_numbers():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        y = (x + np.array([1.0, 2.0, 3.0])) * (mg.constant(2.0) + 3.0)
        slider = draw.passes(mg.Session(graph).compile(y, [x]))
    scene = step(slider, "fold")
    assert [scene.node(id).texts()[0] for id in marked(scene, "ring")] == ["5"]


# inside loops and choices ------------------------------------------------------------------------


def newton():
    """The compiled root of a: in the body and in the condition there is something to be found."""
    with mg.Graph() as graph:
        a = mg.placeholder("a")
        root = mg.while_loop(
            lambda x: mg.abs(x * x - a) * 1.0 > 1e-9, lambda x: (x * 1.0 + a / x) / 2.0, a
        )
        return mg.Session(graph).compile(root * 2.0, [a])


@pytest.fixture(scope="module")
def loop_slider():
    """The pictures of the passes over the root."""
    return draw.passes(newton())


def test_passes_are_shown_in_the_body_and_in_the_condition_of_a_loop(loop_slider):
    assert [shown.scene.title for shown in loop_slider] == [
        "as it was built: 5 nodes",
        "the body of loop1, simplify: 8 → 6 nodes",
        "the condition of loop1, simplify: 9 → 7 nodes",
        "what runs: 1 loop and 1 call",
    ]
    scene = loop_slider[1].scene
    texts = {node.id: node.texts()[0] for node in scene.nodes}
    why = {texts[id]: words for id, words in marked(scene, "gone").items()}
    assert why["×"] == "removed: x · 1 = x"
    assert why["1"] == why["2"] == "removed: nothing needs it"
    assert "changed: x / 2ᵏ = x · 2⁻ᵏ" in marked(scene, "ring").values()
    inside = {node.id for node in scene.nodes if node.scope}
    assert marked(scene, "gone").keys() | marked(scene, "ring").keys() <= inside
    (condition,) = [f.path for f in loop_slider[2].scene.frames if "condition" in f.lines[0]]
    scopes = {node.id: node.scope for node in loop_slider[2].scene.nodes}
    assert {scopes[id] for id in marked(loop_slider[2].scene, "gone")} == {condition}


def test_what_the_last_picture_has_inside_a_loop_is_what_was_generated(loop_slider):
    inner = [n.texts()[0] for n in loop_slider[-1].scene.nodes if n.scope and n.role == "op"]
    assert sorted(inner) == ["+", ">", "abs", "×", "×", "÷", "−"]
    code = "\n".join(loop_slider[-1].scene.code)
    assert code.count("*") == 3 and code.count("/") == 1  # with the one outside


def test_a_constant_outside_a_loop_is_not_taken_for_one_inside(loop_slider):
    (two,) = [n for n in loop_slider[1].scene.nodes if not n.scope and n.role == "constant"]
    assert two.texts() == ["2"] and not two.mark


def test_a_node_in_a_loop_stays_at_its_place(loop_slider):
    placed = [layout(shown.scene) for shown in loop_slider]
    centres = [{id: one.body(id)[:2] for id in one.boxes} for one in placed]
    for one, next_one in pairwise(centres):
        shared = one.keys() & next_one.keys()
        assert len(shared) >= 12 and all(one[id] == next_one[id] for id in shared)
    assert len({tuple(one.frames) for one in placed}) == 1


def test_an_opened_loop_closes_in_every_picture(loop_slider):
    for shown in loop_slider:
        first, *others = shown.views
        assert first.moves == {"loop1": 1} and others[0].moves == {"loop1": 0}
        closed = others[0].drawing.scene
        assert closed.title == shown.scene.title and not closed.frames
        assert [node.opens for node in closed.nodes if node.opens] == ["loop1"]


def test_each_branch_of_a_choice_has_its_passes():
    with mg.Graph() as graph:
        z = mg.placeholder("z")
        y = mg.cond(z > 3.0, lambda: mg.exp(z) * 1.0 + mg.exp(z), lambda: z**2)
        slider = draw.passes(mg.Session(graph).compile(y, [z]))
    assert [shown.scene.title.partition(":")[0] for shown in slider] == [
        "as it was built",
        "then of choice1, simplify",
        "then of choice1, cse",
        "otherwise of choice1, simplify",
        "what runs",
    ]
    assert "computes exp(z), and so does" in marked(slider[2].scene, "gone").popitem()[1]
    assert slider[-1].scene.title == "what runs: 1 choice and 1 call"


def test_a_kernel_in_a_loop_has_its_frame():
    with mg.Graph() as graph:
        x, h = mg.placeholder("x", shape=(3, 512, 512)), mg.placeholder("h", shape=(512, 512))
        last, _ = mg.scan(lambda h, x: ((h - x) * (h - x) + h * 0.5, None), h, x)
        slider = draw.passes(mg.Session(graph).compile(last, [x, h]))
    title = "the body of loop1, fuse"
    kernels = [f for f in step(slider, title).frames if f.kind == "fused"]
    loop = next(f for f in step(slider, title).frames if f.lines[0] == "loop1: one iteration of 3")
    assert [frame.path.startswith(f"{loop.path}/") for frame in kernels] == [True]
    buffers = [node.more for node in slider[-1].scene.nodes if node.scope]
    assert not any(buffers), "what lies in a body's memory is in no buffer of the program"


def test_of_a_large_program_a_loop_opens_when_it_is_asked_for():
    executable = newton()
    closed = draw.passes(executable, budget=8)
    titles = [shown.scene.title for shown in closed]
    assert titles == ["as it was built: 5 nodes", "what runs: 1 loop and 1 call"]
    (note,) = closed[0].scene.notes
    assert note == 'loop1 holds a body: draw.passes(executable, expand="loop1")'
    opened = draw.passes(executable, budget=8, expand="loop1")
    assert len(opened) == 4 and marked(opened[1].scene, "gone")
    assert len(draw.passes(executable, collapse="loop1")) == 2


def test_two_loops_are_told_apart():
    with mg.Graph() as graph:
        a = mg.placeholder("a")
        once = mg.while_loop(lambda x: x < 9.0, lambda x: x * 1.0 + a, a)
        twice = mg.while_loop(lambda x: x < 99.0, lambda x: x + x + a * 1.0, once)
        slider = draw.passes(mg.Session(graph).compile(twice, [a]))
    words = [shown.scene.title.partition(",")[0] for shown in slider][1:-1]
    assert words == ["the body of loop1", "the body of loop2"]
    assert [f.lines[0] for f in slider[0].scene.frames if f.carry_count] == [
        "loop1: one iteration",
        "loop2: one iteration",
    ]


def test_an_opened_loop_that_another_one_serves_is_struck_out_with_the_reason():
    with mg.Graph() as graph:
        a = mg.placeholder("a")
        root = mg.while_loop(lambda x: x * x > a, lambda x: (x + a / x) / 2.0, a)
        (slope,) = mg.gradients(root * root, [a])
        slider = draw.passes(mg.Session(graph).compile([root, slope], [a]), budget=200)
    scene = step(slider, "merge_loops")
    gone = marked(scene, "gone")
    assert len(gone) >= 8 and set(gone.values()) == {"removed: the same loop runs already"}
    assert {node.scope.split("/")[0] for node in scene.nodes if node.mark == "gone"} == {
        "\x01loop2"
    }
