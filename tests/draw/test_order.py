"""What runs first, though nothing reads it: control dependencies, and the order of state."""

import minigrad as mg
from minigrad.draw import draw


def order_edges(drawing):
    """(before, after) of the drawing's edges of order."""
    return [(e.source, e.target) for e in drawing.scene.edges if e.kind == "control"]


def test_a_control_dependency_is_drawn_with_all_that_it_needs():
    with mg.Graph():
        x, w = mg.placeholder("x", ()), mg.Variable(1.0, name="w")
        step = mg.assign_add(w, 1.0)
        with mg.control_dependencies([step]):
            y = x * 3.0
    drawing = draw(y)
    assert order_edges(drawing) == [(f"n{step.order}", f"n{y.order}")]
    assert f"n{step.order} -> n{y.order} (runs after it)" in str(drawing)
    assert f"n{w.order}" in {node.id for node in drawing.scene.nodes}
    assert "runs first" in drawing.svg


def test_a_variable_that_is_read_after_an_assignment_has_an_edge_of_order():
    with mg.Graph():
        w = mg.Variable(1.0, name="w")
        before = w * 2.0
        first = mg.assign_add(w, 1.0)
        second = mg.assign_add(w, 1.0)
        after = w * 3.0
    ends = {(first.order, second.inputs[1].order), (second.order, after.order)}
    drawn = order_edges(draw(before, first, second, after))
    assert set(drawn) == {(f"n{a}", f"n{b}") for a, b in ends}


def test_what_reads_the_assignment_itself_needs_no_edge_of_order():
    with mg.Graph():
        w = mg.Variable(1.0, name="w")
        step = mg.assign_add(w, 1.0)
        y = step * w
    assert order_edges(draw(y)) == []


def test_an_assignment_that_is_not_drawn_orders_nothing():
    with mg.Graph():
        w = mg.Variable(1.0, name="w")
        mg.assign_add(w, 1.0)
        y = w * 3.0
    assert order_edges(draw(y)) == []


def test_lines_of_one_value_do_not_cut_each_other():
    """The ground that parts two lines lies only where they belong to different values."""
    s = mg.tensor(2.0, requires_grad=True)
    guess = s
    for _ in range(2):
        guess = (guess + s / guess) / 2
    drawing = draw(guess)
    grounds = drawing.svg.count('class="under"')
    assert 1 <= grounds <= 2, grounds
