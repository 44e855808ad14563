"""New numbers for a Tensor: x.data = …, writing into x.data, x += 1; no derivative gets lost."""

import copy
import operator
import pickle

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg

LIST = {  # what people write into the array that x.data is
    "fill": lambda d: d.fill(0.5),
    "[:] =": lambda d: operator.setitem(d, slice(None), 0.5),
    "[0] =": lambda d: operator.setitem(d, 0, 0.5),
    "-=": lambda d: operator.isub(d, 0.5),
    "out=": lambda d: np.multiply(d, 0.5, out=d),
    "copyto": lambda d: np.copyto(d, [0.5, 1.5]),
    "sort": lambda d: d.sort(),
    "of a view": lambda d: operator.setitem(d[:1], ..., 0.5),
    "NaN": lambda d: d.fill(np.nan),
}
IN_PLACE = {
    name: getattr(operator, f"i{name}")
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
}
MODES = [mg.enable_grad, mg.plain]


def leaf(numbers=(3.0, 1.0)):
    return mg.tensor(np.array(numbers), requires_grad=True, name="w")


# x.data ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("write", LIST.values(), ids=LIST)
def test_what_is_written_into_data_is_what_the_tensor_holds(write, mode):
    with mode():
        w, numbers = leaf(), np.array([3.0, 1.0])
        mg.sum(w * w).backward()
        write(w.data)
        write(numbers)
        np.testing.assert_array_equal(w.numpy(), numbers)
        w.grad = None
        mg.sum(w * w).backward()
        np.testing.assert_array_equal(w.grad, 2 * numbers)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("write", LIST.values(), ids=LIST)
@pytest.mark.parametrize("held", [False, True])
def test_a_write_between_forward_and_backward_is_found(write, held, mode):
    with mode():
        w = leaf()
        array = w.data if held else None
        y = mg.sum(w * w)
        write(w.data if array is None else array)
        with pytest.raises(mg.GradientError, match="w was changed in place at test_in_place.py"):
            y.backward()
    assert w.grad is None


def test_a_write_that_no_rule_reads_and_a_look_change_no_derivative():
    w = leaf()
    y = mg.sum(w + w)
    w.data[0] = 7
    y.backward()
    assert w.grad.tolist() == [2, 2]
    y = mg.sum(w * w)
    assert w.data.sum() == 8 and w.data is w.data
    y.backward()
    assert w.grad.tolist() == [16, 4]


def test_a_result_is_found_as_well_as_an_operand():
    w = leaf()
    y = mg.exp(w)
    y.data *= 2
    with pytest.raises(mg.GradientError, match="the result of exp was changed in place"):
        mg.sum(y).backward()


def test_what_shares_memory_with_the_array_keeps_the_old_numbers():
    x = leaf()
    row, before = x.reshape(1, 2), x.detach()
    x.data[0] = 9
    assert row.tolist() == [[3, 1]] and before.tolist() == [3, 1] and x.tolist() == [9, 1]
    mg.sum(row * row).backward()
    assert x.grad.tolist() == [6, 2]
    copies = copy.deepcopy(x), copy.copy(x), pickle.loads(pickle.dumps(x))
    x.data[:] = 0
    assert [each.tolist() for each in copies] == [[9, 1]] * 3


@pytest.mark.parametrize("numbers", [3.0, [3.0, 1.0]])
@pytest.mark.parametrize(
    "update",
    [
        "w.data -= 0.1 * w.grad",
        "w.data -= 0.1 * w.grad.data",
        "w.data = w.data - 0.1 * w.grad",
        "w.data = w - 0.1 * w.grad",
        "w.data += -0.1 * w.grad.numpy()",
    ],
)
def test_the_update_of_micrograd_and_pytorch(numbers, update):
    w = leaf(numbers)
    for _ in range(3):
        w.grad = None
        mg.sum(w * w).backward()
        exec(update)
    assert type(w.data) in (np.float64, np.ndarray)
    np.testing.assert_allclose(w.numpy(), np.array(numbers) * 0.8**3, rtol=1e-15)
    assert w.is_leaf and w.requires_grad and w.name == "w"


@pytest.mark.parametrize(
    "value, error, text",
    [
        (np.ones(7), mg.ShapeError, r"float64\[7\] is assigned to the data of a Tensor float64\[2"),
        (2, mg.ShapeError, r"int64\[\]|float64\[\] is assigned"),
        (np.ones(2, "f"), mg.DtypeError, r"float32\[2\] is assigned to the data"),
        ("ab", mg.DtypeError, "not made of numbers"),
        (None, mg.DtypeError, "not made of numbers"),
        (np.ones(2) * 1j, mg.DtypeError, "complex128 is not made of numbers"),
    ],
)
def test_what_cannot_be_the_data_is_refused_before_anything_changes(value, error, text):
    w = leaf()
    with raises_saying(error, text):
        w.data = value
    assert w.tolist() == [3, 1] and w.dtype == np.float64


def test_numbers_lists_and_whole_numbers_become_the_data():
    w = leaf()
    for value in ([1, 2], np.array([1, 2]), (1.0, 2.0), mg.tensor([1.0, 2.0])):
        w.data = [0.0, 0.0]
        w.data = value
        assert w.tolist() == [1, 2] and w.dtype == np.float64
    value = np.zeros(2)
    w.data = value
    value[0] = 5
    assert w.tolist() == [0, 0]
    single = leaf(3.0)
    single.data = 2
    assert single.item() == 2.0


def test_another_shape_of_the_array_is_refused():
    w = leaf()
    array = w.data
    array.shape = (2, 1)
    with pytest.raises(mg.ShapeError, match=r"the data of w became float64\[2, 1\]"):
        mg.sum(w)


def test_a_lazy_value_and_a_traced_function():
    with mg.lazy():
        y = leaf() * 2
        y.data[0] = 8
        assert y.tolist() == [8, 2]
    w = leaf()
    double = mg.function(lambda x: x * w)
    assert double(np.ones(2)).tolist() == [3, 1]
    w.data[0] = 5
    assert double(np.ones(2)).tolist() == [5, 1]

    @mg.function
    def step(x):
        w.data = x
        return x * w

    with pytest.raises(mg.GraphError, match="w is changed in place in step"):
        step(np.ones(2))
    assert w.tolist() == [5, 1]


def test_a_program_that_never_reads_data_pays_nothing():
    w = leaf()
    mg.sum(w * w).backward()
    assert "export" not in w.extra
    w.data -= 1.0
    mg.sum(w)
    assert "export" not in w.extra  # nobody has the array any more


# x += 1 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("change", IN_PLACE.values(), ids=IN_PLACE)
def test_a_leaf_that_requires_grad_is_refused_or_changed_under_no_grad(change, mode):
    w = leaf()
    with mode(), pytest.raises(mg.GradientError, match="w takes part in derivatives"):
        change(w, 2.0)
    with mg.no_grad():
        assert change(w, 2.0) is w
    assert w.tolist() == change(np.array([3.0, 1.0]), 2.0).tolist() and w.is_leaf


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("change", [operator.iadd, operator.isub, operator.imul, operator.itruediv])
def test_a_computed_value_gets_a_new_value_of_the_same_derivative(change, mode):
    with mode():
        w, v = leaf(), leaf()
        h = old = w * w
        h = change(h, 3.0)
        h = change(h, w)
        mg.sum(h).backward()
        mg.sum(change(change(v * v, 3.0), v)).backward()
    assert h is not old and old.tolist() == [9, 1]
    np.testing.assert_array_equal(w.grad, v.grad)


@pytest.mark.parametrize("start", [0, 0.0, np.float64(0), "tensor"])
def test_losses_are_summed_in_a_loop(start):
    w = leaf(2.0)
    total = mg.tensor(0.0) if start == "tensor" else start
    for i in range(4):
        total += w * i
    total.backward()
    assert total.item() == 12 and w.grad.item() == 6


def test_an_average_that_decays_has_the_derivative_of_its_formula():
    w = leaf(2.0)
    h = w * 1
    h *= 0.5
    h += w
    h.backward()
    assert w.grad.item() == 1.5


def test_what_takes_part_in_no_derivative_changes_in_place():
    buffers = [mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0])]
    for buffer in buffers:
        buffer *= 0.5
        buffer += leaf().detach()
    assert [each.tolist() for each in buffers] == [[3.5, 2], [4.5, 3]]
    count = mg.tensor([1, 2])
    with pytest.raises(mg.DtypeError, match="float64 numbers do not fit into int64"):
        count += 1.5
    count += np.array([1, 1])
    assert count.tolist() == [2, 3]


def test_values_of_a_traced_call_and_tensors_of_outside():
    outside = mg.tensor(0.0, name="total")

    @mg.function
    def inside(x):
        total = mg.tensor(0.0)
        for i in range(3):
            total += x * i
        total *= 2
        return total

    @mg.function
    def leaking(x):
        total = outside
        total += x
        return total

    assert [inside(x).item() for x in (1.0, 2.0)] == [6, 12]
    with pytest.raises(mg.GraphError, match="total is changed in place in leaking"):
        leaking(1.0)
    assert outside.item() == 0


def test_nodes_get_new_nodes():
    with mg.Graph() as graph:
        x, v = mg.placeholder("x"), mg.Variable(1.0, name="v")
        total = mg.tensor(0.0)
        total += x
        y = x
        y *= 3
        later = v
        later += 1.0
    assert mg.Session(graph).run([total, y, later, v], {x: 2.0}) == [2, 6, 2, 1]


def test_numpy_writes_tensors_into_arrays_where_no_derivative_is_lost():
    array, w = np.zeros(2), leaf()
    array += w.detach()
    np.subtract(array, mg.tensor(1.0), out=array)
    with mg.no_grad():
        array += w
    assert array.tolist() == [5, 1]
    with pytest.raises(mg.ArgumentError, match="np.add would write into an array"):
        array += w
    with pytest.raises(mg.ArgumentError, match="np.add would change a Tensor"):
        np.add(array, 1, out=w.detach())
    assert array.tolist() == [5, 1] and w.tolist() == [3, 1]


# random programs ---------------------------------------------------------------------------------

SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def draw_statements(rng):
    """Augmented assignments to two values, and writes into two leaves between them."""
    names = ["a", "b", "h", "k"]
    return [
        ("write", rng.choice(names[:2]), None, rng.uniform(1, 2))
        if rng.random() < 0.25
        else ("change", rng.choice(names[2:]), rng.choice([*SIGNS]), rng.choice([*names, "number"]))
        for _ in range(rng.integers(2, 7))
    ]


def run_in_place(statements):
    """The gradients of a and b by a program that changes in place; None where it is refused."""
    values = {name: mg.tensor([2.0, 3.0], requires_grad=True) for name in "ab"}
    leaves = [*values.values()]
    values |= {"h": leaves[0] * 1, "k": mg.tensor([1.0, 2.0])}
    for kind, name, sign, other in statements:
        if kind == "write":
            values[name].data[:] = other
        else:
            operand = 1.5 if other == "number" else values[other]
            values[name] = getattr(operator, f"i{SIGNS[sign].__name__}")(values[name], operand)
    try:
        mg.sum(values["h"] * values["k"] + values["h"]).backward()
    except mg.GradientError as error:
        assert "was changed in place at test_in_place.py" in str(error)
        return None
    return [np.zeros(2) if leaf.grad is None else leaf.grad.numpy() for leaf in leaves]


def run_anew(statements):
    """The same by new values alone: a write begins another leaf, whose gradient counts as well."""
    values = {name: mg.tensor([2.0, 3.0], requires_grad=True) for name in "ab"}
    versions = {name: [values[name]] for name in "ab"}
    values |= {"h": values["a"] * 1, "k": mg.tensor([1.0, 2.0])}
    for kind, name, sign, other in statements:
        if kind == "write":
            values[name] = mg.tensor(np.full(2, other), requires_grad=True)
            versions[name].append(values[name])
        else:
            operand = 1.5 if other == "number" else values[other]
            values[name] = SIGNS[sign](values[name], operand)
    mg.sum(values["h"] * values["k"] + values["h"]).backward()
    return [
        sum(leaf.grad.numpy() for leaf in versions[name] if leaf.grad is not None) + np.zeros(2)
        for name in "ab"
    ]


@pytest.mark.parametrize("mode", MODES)
def test_random_programs_in_place_are_right_or_refused(mode):
    refused = 0
    with mode(), np.errstate(all="ignore"):
        for seed in range(300):
            statements = draw_statements(np.random.default_rng(seed))
            found = run_in_place(statements)
            if found is None:
                assert any(kind == "write" for kind, *_ in statements), statements
                refused += 1
            else:
                np.testing.assert_allclose(
                    found, run_anew(statements), rtol=1e-12, err_msg=str(statements)
                )
    assert 20 < refused < 150
