"""What is drawn: nodes, edges and texts of the scene."""

import pytest
from draw.toy import Add, Exp, Mul, Sub, Value, apply, edges, labels, leaf, worked

from minigrad.core.errors import ArgumentError
from minigrad.draw import draw


def test_forward_nodes_and_edges():
    scene = draw(worked()[-1]).scene
    assert [(node.id, node.role, node.texts()) for node in scene.nodes] == [
        ("n0", "input", ["x = 2"]),
        ("n1", "variable", ["w = 1"]),
        ("n2", "op", ["+", "a = 3"]),
        ("n4", "op", ["+1", "b = 2"]),
        ("n5", "op", ["×", "y = 6"]),
    ]
    assert edges(scene) == [
        ("n0", "n2"),
        ("n1", "n2"),
        ("n1", "n4"),
        ("n2", "n5"),
        ("n4", "n5"),
    ]
    assert scene.owners["n3"] == "n4"
    assert [node.id for node in scene.nodes if node.result] == ["n5"]


def test_ids_follow_the_order_of_creation():
    first, second = leaf(1.0, "late", order=7), leaf(2.0, "early", order=3)
    total = apply(Add, first, second, order=9)
    assert [node.name for node in draw(total).scene.nodes] == ["early", "late", ""]


def test_mirror_has_one_adjoint_per_differentiable_primal():
    scene = draw(worked()[-1], mode="mirror").scene
    adjoints = {node.of: node.texts()[0] for node in scene.nodes if node.of}
    assert adjoints == {"n1": "w̄ = ·", "n2": "ā = ·", "n4": "b̄ = ·", "n5": "ȳ = ·"}
    assert edges(scene, "adjoint") == [
        ("n2_bar", "n1_bar"),
        ("n4_bar", "n1_bar"),
        ("n5_bar", "n2_bar"),
        ("n5_bar", "n4_bar"),
    ]


def test_saved_edges_follow_what_the_rule_reads():
    x = leaf(1.0, requires_grad=True)
    y = apply(Exp, apply(Mul, x, leaf(3.0)))
    scene = draw(y, mode="mirror", saved=True).scene
    assert edges(scene, "saved") == [("n0", "n2_bar"), ("n1", "n2_bar"), ("n3", "n3_bar")]


def test_an_op_that_does_not_say_what_it_reads_has_no_saved_edges():
    x = leaf(1.0, requires_grad=True)
    assert not edges(draw(apply(Sub, x, x), mode="mirror").scene, "saved")


def test_adjoints_and_shares_from_a_trace():
    x, w, a, b, y = worked()
    trace = [
        (y, 1.0, []),
        (b, 3.0, [(y, 3.0)]),
        (a, 2.0, [(y, 2.0)]),
        (w, 5.0, [(b, 3.0), (a, 2.0)]),
    ]
    scene = draw(y, mode="mirror", adjoints=trace).scene
    assert scene.node("n1_bar").value == "5"
    shares = {edge.source: edge.label for edge in scene.edges if edge.target == "n1_bar"}
    assert shares == {"n2_bar": "2", "n4_bar": "3"}


def test_adjoints_from_a_mapping_or_from_grad():
    x, w, a, b, y = worked()
    w.grad, a.grad = 5.0, None
    assert draw(y, mode="mirror").scene.node("n1_bar").value == "5"
    assert draw(y, mode="mirror").scene.node("n2_bar").value == "·"
    assert draw(y, mode="mirror", adjoints={w: 7.0}).scene.node("n1_bar").value == "7"


def test_wrt_says_what_is_differentiated():
    x, w, a, b, y = worked()
    scene = draw(y, mode="mirror", wrt=[x]).scene
    assert [node.of for node in scene.nodes if node.of] == ["n0", "n2", "n5"]


def test_an_integer_has_no_adjoint():
    class Whole:
        kind, name = "i", "int64"

    index, x = Value(1, dtype=Whole()), Value(2.0)
    scene = draw(Value(3.0, "take", (x, index)), mode="mirror").scene
    assert [node.of for node in scene.nodes if node.of] == ["n0", "n2"]


def test_unnamed_values_get_numbers_where_adjoints_need_names():
    y = apply(Add, leaf(1.0, requires_grad=True), leaf(2.0), data=3.0)
    assert labels(y)["n2"] == ["+", "3"]
    assert labels(y, mode="mirror")["n2"] == ["+", "v2 = 3"]
    assert labels(y, mode="mirror")["n2_bar"] == ["v̄2 = ·"]


def test_an_engine_with_names_for_ops_and_numbers_for_operands():
    x = Value(2.0)
    y = Value(7.0, "+", {Value(4.0, "*", [x, 2]): None, 3: None})
    scene = draw(y).scene
    assert [node.texts() for node in scene.nodes] == [["2"], ["×2", "4"], ["+3", "7"]]
    assert [node.role for node in scene.nodes] == ["input", "op", "op"]


@pytest.mark.parametrize("op, name", [("mul", "×"), (Mul, "×"), (Mul(), "×"), (abs, "abs")])
def test_an_op_may_be_a_name_a_class_an_instance_or_a_function(op, name):
    assert labels(Value(1.0, op, (Value(1.0),)))["n1"][0] == name


def test_each_use_is_an_edge():
    x = leaf(3.0)
    assert edges(draw(apply(Mul, x, x)).scene) == [("n0", "n1"), ("n0", "n1")]


def test_operands_are_numbered_where_their_order_matters():
    x, y = leaf(1.0), leaf(2.0)
    assert [edge.slot for edge in draw(apply(Sub, y, x)).scene.edges] == [1, 2]
    assert [edge.slot for edge in draw(apply(Add, y, x)).scene.edges] == [0, 0]


def test_names_from_the_learners_variables():
    weights = [leaf(1.0), leaf(2.0)]
    total = apply(Add, *weights)
    _ = total
    assert [node.name for node in draw(total, names=locals()).scene.nodes] == [
        "weights[0]",
        "weights[1]",
        "total",
    ]


def test_a_value_not_computed_yet_is_a_dot():
    assert labels(leaf(None, "h"))["n0"] == ["h = ·"]


def test_saved_edges_can_be_left_out():
    scene = draw(worked()[-1], mode="mirror", saved=False).scene
    assert not edges(scene, "saved")
    assert len(edges(scene, "adjoint")) == 4


def test_values_can_be_handed_in():
    node = Value(None, role="input", name="x")
    del node.data
    assert labels(node)["n0"] == ["x"]
    assert labels(node, values={node: 4.0})["n0"] == ["x = 4"]


@pytest.mark.parametrize(
    "data, text",
    [
        (0.1 + 0.2, "0.3"),
        (1e-20, "1e-20"),
        (-0.0, "-0"),
        (float("nan"), "nan"),
        (7, "7"),
        (True, "True"),
        (1 + 2j, "1+2j"),
        ([1, 2.5], "[1, 2.5]"),
        ([1, 2, 3, 4, 5], ""),
    ],
)
def test_numbers(data, text):
    assert draw(leaf(data)).scene.nodes[0].value == text


def test_show_chooses_what_labels_say():
    x = leaf(None, "x", shape=(3, None), dtype="float64")
    y = apply(Add, x, x, name="y", params={"axis": 0, "keepdims": False}, shape=(3,))
    assert labels(y)["n1"] == ["+", "y = ·", "3", "axis=0"]
    assert labels(y, show="op")["n1"] == ["+"]
    assert labels(y, show=["name", "shape"])["n1"] == ["y", "3"]
    assert labels(y, show="dtype")["n0"] == ["float64"]


def test_several_results_in_lists():
    x, w, a, b, y = worked()
    scene = draw([a, [b]], a).scene
    assert [node.id for node in scene.nodes if node.result] == ["n2", "n4"]


@pytest.mark.parametrize(
    "call, message, hint",
    [
        (lambda y: draw(y, mode="sideways"), "'sideways' is not a mode", "forward, split, mirror"),
        (lambda y: draw(y, show="colour"), "show='colour' is unknown", "shape"),
        (lambda y: draw(), "nothing to draw", "draw(y)"),
        (lambda y: draw(3), "int is not a graph value", "Tensor"),
        (lambda y: draw(y, budget=0), "budget", "draw(y, budget=60)"),
        (lambda y: draw(y, depth=-1), "depth", "draw(y, depth=4)"),
        (lambda y: draw(y, names="y"), "names is a str", "names=locals()"),
        (lambda y: draw(y, values=[4.0]), "list does not assign numbers", "{value: number}"),
        (
            lambda y: draw(y, mode="mirror", adjoints=4.0),
            "float does not assign",
            "{value: number}",
        ),
    ],
)
def test_wrong_calls_say_what_is_right(call, message, hint):
    with pytest.raises(ArgumentError) as caught:
        call(leaf(1.0))
    assert message in caught.value.message
    assert hint in caught.value.hint
