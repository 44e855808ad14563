"""Large graphs: folded within the budget, told how to see more, never a recursion."""

import numpy as np
from draw.toy import Add, Exp, Mul, Value, apply, chain, edges, leaf

import minigrad as mg
from minigrad.draw import draw


def layers(count, **more):
    """A network of `count` layers, each in a name scope of its own."""
    h = leaf(1.0, "x")
    for k in range(count):
        scope = f"layer{k}"
        w = leaf(1.0, f"w{k}", requires_grad=True, scope=scope)
        h = apply(Exp, apply(Mul, h, w, scope=scope), scope=scope)
    return apply(Add, h, h, name="y")


def tangle(count):
    """A graph without any pattern: the operands jump as the squares modulo a prime do."""
    values = [leaf(1.0) for _ in range(30)]
    for k in range(count):
        op = (Add, Mul, Exp)[k * k % 7 % 3]
        operands = (values[-1], values[-2 - k * k * k % 29])[: 1 if op is Exp else 2]
        values.append(apply(op, *operands))
    return values[-1]


def test_a_small_graph_is_not_folded():
    scene = draw(layers(10)).scene
    assert len(scene.nodes) == 32
    assert not scene.notes


def test_a_thousand_nodes_fold_under_the_budget():
    scene = draw(chain(1000)).scene
    assert len(scene.nodes) <= 60
    assert scene.total == 1001
    assert scene.notes == (
        "1,001 nodes; drawing 3 (999 × “Add” folded).",
        'More: draw(y, expand="n1")',
    )


def test_a_period_of_several_ops_is_found():
    value = leaf(1.0, "x")
    for _ in range(100):
        value = apply(Exp, apply(Mul, value, leaf(2.0, requires_grad=True)))
    folded = [node for node in draw(value).scene.nodes if node.role == "folded"]
    # the first Mul begins it, though it takes x; the last Exp is the result
    assert [node.texts()[0] for node in folded] == ["99 × Mul → Exp"]


def test_a_net_folds_into_its_layers_and_not_into_a_pattern_between_them():
    mg.nn.manual_seed(0)
    parts = [part for _ in range(20) for part in (mg.nn.Linear(2, 2), mg.tanh)]
    h = x = mg.tensor(np.ones((1, 2)), name="x")
    for part in parts:
        h = part(h)
    scene = draw(mg.sum(h), names={"x": x}).scene
    drawn = {node.texts()[0] for node in scene.nodes}
    assert drawn == {"20 × linear → Tanh", "x", "Σ"}, "what the first is given stays outside"


def test_scopes_close_and_then_repeat():
    for count in (40, 400):
        scene = draw(layers(count)).scene
        assert [node.texts()[0] for node in scene.nodes] == ["x = 1", f"{count} × layer", "+"]
        assert f"{count} name scopes closed, {count} × “layer” folded" in scene.notes[0]


def test_closed_scopes_that_differ_stay_apart():
    h = leaf(1.0, "x")
    for k in range(30):
        for op in (Exp, Exp, Exp)[: 1 + k % 2 * 2]:
            h = apply(op, h, scope=f"{'odd' if k % 2 else 'even'}{k}")
    folded = [node.texts()[0] for node in draw(h, budget=40).scene.nodes if node.role == "folded"]
    assert "× odd" not in " ".join(folded) and "odd1" in folded


def test_expand_opens_a_scope_and_keeps_the_rest_closed():
    scene = draw(layers(400), expand="layer0").scene
    assert [node.scope for node in scene.nodes].count("layer0") == 3
    assert "399 × “layer” folded" in scene.notes[0]


def test_expand_opens_the_first_turn_of_a_repeat():
    closed = draw(chain(1000)).scene
    opened = draw(chain(1000), expand="n1").scene
    assert len(opened.nodes) == len(closed.nodes) + 1
    assert opened.node("n1").role == "op"
    assert "998 × “Add”" in opened.notes[0]
    assert opened.frame(opened.node("n1").scope).lines == ("1 of 999 × Add",)
    twice = draw(chain(1000), expand=["n1", "n2"]).scene
    assert twice.frame(twice.node("n2").scope).lines == ("2 of 999 × Add",)


def test_collapse_closes_a_scope_of_a_small_graph():
    scene = draw(layers(3), collapse=["layer1"]).scene
    assert [node.texts()[0] for node in scene.nodes if node.role == "folded"] == ["layer1"]
    assert [node.opens for node in scene.nodes if node.opens] == ["layer1"]


def test_constants_go_into_signs():
    value = leaf(1.0, "x")
    for k in range(40):
        value = apply(Add, value, leaf(float(k), role="constant"))
    scene = draw(value).scene
    assert len(scene.nodes) == 41 and not scene.notes
    assert scene.nodes[-1].sign == "+39"
    assert scene.nodes[-1].call == "Add(n78, 39)"
    assert len(scene.owners) == scene.total == 81


def test_of_a_graph_without_pattern_what_is_near_to_the_result_is_drawn():
    drawing = draw(tangle(1000))
    first, *near = drawing.scene.nodes
    assert len(near) == 59 and near[-1].result and drawing.scene.total == 1009
    rest = [id for id, node in drawing.scene.owners.items() if node == first.id]
    assert first.call == f"{len(rest):,} earlier values"
    assert not [edge for edge in edges(drawing.scene) if edge[1] == first.id]


def test_depth_cuts_far_values_and_makes_no_cycle():
    scene = draw(tangle(1000), depth=4).scene
    assert 1 < len(scene.nodes) <= 60
    assert "earlier values" in scene.nodes[0].texts()[0]
    assert not [edge for edge in edges(scene) if edge[1] == scene.nodes[0].id]


def test_budget_shows_more():
    assert len(draw(chain(100), budget=200).scene.nodes) == 101


def test_mirror_halves_the_budget():
    assert len(draw(chain(50)).scene.nodes) == 51
    assert len(draw(chain(50), mode="mirror").scene.nodes) <= 60


def test_a_chain_of_20_000_does_not_recurse():
    drawing = draw(chain(20_000), mode="mirror")
    assert len(drawing.scene.nodes) == 6
    assert "19,999 × “Add” folded" in drawing.text
    assert drawing.svg.startswith("<svg")


def test_a_graph_of_many_paths_is_visited_once_per_node():
    value = leaf(1.0)
    for _ in range(200):  # 2 to the power of 200 paths
        value = apply(Add, value, value)
    assert draw(value).scene.total == 201


def test_a_cycle_is_drawn_and_ends():
    a, b = Value(1.0, "f"), Value(2.0, "g")
    a.inputs, b.inputs = (b,), (a,)
    drawing = draw(a)
    assert sorted(edges(drawing.scene)) == [("n0", "n1"), ("n1", "n0")]
    assert drawing.svg.count('<path class="edge data"') == 2


def test_results_stay_visible_in_a_fold():
    values = [leaf(1.0)]
    for _ in range(300):
        values.append(apply(Exp, values[-1]))
    scene = draw(values[-1], values[150]).scene
    assert [node.id for node in scene.nodes if node.result] == ["n150", "n300"]
