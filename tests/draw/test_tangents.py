"""A graph that computes tangents: each stands below its value, and says how it is computed."""

import operator

import numpy as np
import pytest
from draw import exact_formulas
from draw.picture_reading import Picture
from draw.seeds import printed_under_two_seeds
from draw.test_chips import check_sums, covered, recurrent
from draw.test_formulas import Names, feeds_for
from draw.training_steps import STEPS, random_net

import minigrad as mg
from minigrad.draw.read.outline import outline
from minigrad.draw.read.source import list_results
from minigrad.draw.read.tangents import read_tangents

NETS = ("toy", "baydin", "mlp", "conv", "residual", "shared", "attention", "towers", "loop")


def forward_mode(make):
    """The graph of what `make` builds, (loss, variables), with its tangent: each variable moves by
    a placeholder of its shape."""
    with mg.Graph() as graph:
        loss, variables = make()
        moves = [mg.placeholder(f"d{v.name}", v.shape) for v in variables]
        mg.forward_gradients(loss, variables, moves)
    return graph


def slope_of(build):
    """The graph of a value y of x and w, and its tangent where w moves by 1."""
    with mg.Graph() as graph:
        x, w = mg.placeholder("x"), mg.Variable(1.0, "w")
        y = build(x, w)
        (y_dot,) = mg.forward_gradients(y, [w], [1.0])
    return graph, y, y_dot


def product(x, w):
    """y = (x + w) (w + 1)."""
    return (x + w) * (w + 1)


def numbers_of(graph):
    """{node: number} of all nodes, for some inputs."""
    nodes = [node for node in graph.nodes if isinstance(node.dtype, np.dtype)]
    return dict(zip(nodes, mg.Session(graph, optimize=False).run(nodes, feeds_for(graph))))


def told(scene):
    """What the lower halves say."""
    return ["".join(node.texts()) for node in scene.nodes if node.of]


def test_tangents_are_the_lower_halves_by_default():
    graph, y, y_dot = slope_of(product)
    scene = mg.draw(graph).scene
    assert scene.mode == "tangent" and scene.halves
    assert told(scene) == ["ẇ = 1", "v̇2 = ẇ", "v̇4 = ẇ", "v̇5 = v4 + v2"]
    assert {edge.kind for edge in scene.edges} == {"data", "tangent"}
    assert scene.notes == ("10 nodes on 5 cards, each value with its tangent.",)
    assert scene.total == 10
    assert mg.draw(y, y_dot, names={"y": y}).scene.node("n5_dot").texts()[0] == "ẏ = v4 + v2"
    assert mg.draw(graph, mode="forward").scene.mode == "forward"
    assert mg.draw(graph, mode="tangent").scene == scene


def test_with_values_known_the_halves_show_numbers():
    graph, *_ = slope_of(product)
    (x,) = (node for node in graph.nodes if node.role == "input")
    known = dict(zip(graph.nodes, mg.Session(graph).run(graph.nodes, {x: 2.0})))
    scene = mg.draw(graph, values=known).scene
    numbers = {node.id: node.number for node in scene.nodes}
    assert numbers == {"n0": "2", "n1": "1", "n2": "3", "n4": "2", "n5": "6",
                       "n1_dot": "1", "n2_dot": "1", "n4_dot": "1", "n5_dot": "5"}  # fmt: skip
    assert "v4 + v2" in scene.node("n5_dot").more, "the listing says how"


@pytest.mark.parametrize("name", NETS)
def test_what_a_half_says_is_what_the_session_computes(name):
    graph = forward_mode(STEPS[name][0])
    whole = outline(list_results(graph))
    with exact_formulas.exact_texts():
        found = read_tangents(whole)
    arrays = {f"n{node.order}": array for node, array in numbers_of(graph).items()}
    spelled = 0
    for formula in found.formulas.values():
        for id, text in exact_formulas.texts_of(formula):
            value = eval(text, {}, Names(arrays))
            np.testing.assert_allclose(value, arrays[id], rtol=1e-9, atol=1e-12)
            spelled += 1
    assert spelled >= 1 and found.formulas.keys() == found.tangents.keys()


@pytest.mark.parametrize("name", NETS)
def test_nothing_is_lost_and_the_picture_can_be_read(name):
    drawing = mg.draw(forward_mode(STEPS[name][0]))
    check_owners(drawing.scene)
    for svg in filter(None, (drawing.svg, drawing.portrait)):
        assert Picture(svg).faults() == {}
    assert Picture(drawing.svg).width <= 940


def check_owners(scene):
    """Asserts that each value of a graph is on exactly one card."""
    assert scene.mode == "tangent"
    assert scene.owners.keys() == {f"n{at}" for at in range(scene.total)}
    assert {*scene.owners.values()} <= {node.id for node in scene.nodes}


@pytest.mark.parametrize("seed", range(12))
def test_random_graphs_lose_nothing_and_can_be_read(seed):
    drawing = mg.draw(forward_mode(lambda: random_net(np.random.default_rng(seed))))
    check_owners(drawing.scene)
    assert Picture(drawing.svg).faults() == {}


def random_scalars(rng):
    """(loss, variables) of single numbers, of which most are used several times."""
    variables = [mg.Variable(1.5 - k, f"w{k}") for k in range(rng.integers(1, 4))]
    values = [*variables, mg.placeholder("x")]
    for _ in range(rng.integers(3, 12)):
        one, other = (values[-rng.integers(1, 1 + min(5, len(values)))] for _ in range(2))
        pair = [operator.add, operator.mul, operator.sub][rng.integers(3)]
        values.append(pair(one, other) if rng.random() < 0.7 else mg.sin(one))
    return values[-1] + sum(v * v for v in variables), variables


def draw_known(make):
    """The Drawing of a graph with tangents, all of whose values are known."""
    graph = forward_mode(make)
    return mg.draw(graph, values=numbers_of(graph))


def test_what_a_tangent_is_the_sum_of_stands_on_the_lines():
    drawing = draw_known(STEPS["toy"][0])
    found = check_sums(drawing, role="tangent")
    assert [ends for *ends, _ in found] == [["n2_dot", "n5_dot"], ["n4_dot", "n5_dot"]]
    assert ">contribution<" in drawing.svg and "n2_dot -> n5_dot (4.643)" in drawing.text
    assert check_sums(drawing, drawing.portrait, "tangent") == found
    assert "chip" not in mg.draw(forward_mode(STEPS["toy"][0])).svg, "nothing is known"
    assert "chip" not in draw_known(STEPS["residual"][0]).svg, "of arrays nothing is said"


def test_what_one_value_contributes_twice_is_said_of_both_edges():
    def make():
        w = mg.Variable(3.0, "w")
        return w * w, [w]

    scene = draw_known(make).scene
    one, other = (float(edge.label) for edge in scene.edges if edge.kind == "tangent")
    assert one == other == pytest.approx(float(scene.node("n1_dot").number) / 2, rel=1e-3)


def test_all_contributions_of_a_sum_or_none_have_room():
    found = []
    for seed in range(30):
        drawing = draw_known(lambda: random_scalars(np.random.default_rng(seed)))
        for svg in filter(None, (drawing.svg, drawing.portrait)):
            found += check_sums(drawing, svg, "tangent")
            assert Picture(svg).faults() == {} and not [*covered(svg)], seed
    assert len(found) >= 100


def test_the_tangent_of_a_loop_is_below_its_card():
    graph = forward_mode(STEPS["loop"][0])
    scene = mg.draw(graph).scene
    (loop,) = [node for node in scene.nodes if node.sign == "↻"]
    assert "ẇ, through the loop" in told(scene)[1] and not loop.opens
    known = {node.name: told for node, told in numbers_of(graph).items() if node.name}
    assert {*known} == {"w", "x", "dw"}
    strip = mg.draw(graph, values=numbers_of(graph)).scene.node(loop.id).strip
    assert strip.rows[0].cells[-1] and len(strip.rows) == 1


def test_a_loop_of_several_results_has_the_tangents_of_these():
    graph = recurrent()
    with graph:
        w, (y,) = graph.nodes[2], [n for n in graph.nodes if n.op.__name__ == "Add"][-1:]
        assert w.name == "w" and mg.forward_gradients(y, [w], [1.0])
    assert mg.draw(graph).scene.mode == "forward", "two sweeps: adjoints, and tangents"


REFUSED = {
    "a tangent without its value": lambda y, y_dot: [y_dot],
    "a tangent that is computed with": lambda y, y_dot: [y, y_dot * 2.0],
    "an adjoint of a tangent": lambda y, y_dot: [y, y_dot, *mg.gradients(y_dot, y.graph.nodes[1])],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_lower_halves_cannot_show_is_drawn_as_a_graph(case):
    graph, y, y_dot = slope_of(lambda x, w: product(x, w) * w)
    with graph:
        results = REFUSED[case](y, y_dot)
    assert mg.draw(*results).scene.mode == "forward"


def test_two_sweeps_are_drawn_as_a_graph():
    graph, y, y_dot = slope_of(product)
    with graph:
        (other,) = mg.forward_gradients(y, [graph.nodes[0]], [1.0])
    assert mg.draw(y, y_dot, other).scene.mode == "forward"
    assert mg.draw(y, other).scene.mode == "tangent", "the other sweep is not in the picture"


def test_a_value_that_is_a_tangent_too_has_a_card_of_its_own():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        u = mg.sin(x)
        y = u * x
        mg.forward_gradients(y, [x], [u])
    scene = mg.draw(graph).scene
    check_owners(scene)
    assert told(scene)[0] == "ẋ = v1" and scene.owners["n1"] == "n1"


def test_a_large_graph_is_folded_with_its_tangents():
    def make():
        w = mg.Variable(np.eye(4), "w")
        x = mg.placeholder("X", (4, 4))
        for k in range(40):
            with mg.name_scope(f"layer{k}"):
                x = mg.tanh(x @ w) + x
        return mg.sum(x), [w]

    scene = mg.draw(forward_mode(make)).scene
    check_owners(scene)
    assert len([node for node in scene.nodes if not node.of]) <= 60


PRINT = """
import minigrad as mg
from draw.test_tangents import NETS, STEPS, forward_mode
print([mg.draw(forward_mode(STEPS[name][0])).svg for name in NETS])
"""


def test_two_processes_draw_the_same_bytes():
    first, second = printed_under_two_seeds(PRINT)
    assert first == second
