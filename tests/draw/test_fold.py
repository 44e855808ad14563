"""Large graphs: folded within the budget, told how to see more, never a recursion."""

from draw.toy import Add, Exp, Mul, Value, apply, chain, edges, leaf

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
        "1,001 nodes; drawing 4 (998 × “Add” folded).",
        'More: draw(y, expand="n2"), draw(y, budget=1001)',
    )


def test_a_period_of_several_ops_is_found():
    value = leaf(1.0, "x")
    for _ in range(100):
        value = apply(Exp, apply(Mul, value, leaf(2.0, requires_grad=True)))
    folded = [node for node in draw(value).scene.nodes if node.role == "folded"]
    # the first Mul differs, for it takes x; the last Exp is the result
    assert [node.texts()[0] for node in folded] == ["99 × Exp → Mul"]


def test_scopes_close_and_then_repeat():
    scene = draw(layers(40)).scene
    assert next(node.texts() for node in scene.nodes if node.role == "folded") == [
        "layer0",
        "3 values",
    ]
    scene = draw(layers(400)).scene
    assert "400 name scopes closed, 399 × “layer” folded" in scene.notes[0]
    assert len(scene.nodes) == 4


def test_expand_opens_a_scope_and_keeps_the_rest_closed():
    scene = draw(layers(400), expand="layer0").scene
    assert [node.scope for node in scene.nodes].count("layer0") == 3
    assert "399 × “layer” folded" in scene.notes[0]


def test_expand_opens_the_first_turn_of_a_repeat():
    closed = draw(chain(1000)).scene
    opened = draw(chain(1000), expand="n2").scene
    assert len(opened.nodes) == len(closed.nodes) + 1
    assert opened.node("n2").role == "op"
    assert "997 × “Add”" in opened.notes[0]


def test_constants_go_into_labels_first():
    value = leaf(1.0, "x")
    for k in range(40):
        value = apply(Add, value, leaf(float(k), role="constant"))
    scene = draw(value).scene
    assert len(scene.nodes) == 41
    assert scene.nodes[-1].texts()[0] == "Add(·, 39)"
    assert scene.nodes[-1].call == "Add(n78, 39)"
    assert "40 constants in labels" in scene.notes[0]


def test_a_graph_without_pattern_becomes_a_table():
    drawing = draw(tangle(1000))
    assert not drawing.scene.nodes
    assert sum(count for _, count in drawing.scene.table) == drawing.scene.total
    assert "too many to draw" in drawing.text
    assert "draw(y, depth=4)" in drawing.text


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
    assert len(drawing.scene.nodes) == 8
    assert "19,998 × “Add” folded" in drawing.text
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
