"""What is attached to a value (an assignment, a line of text, a control dependency) runs as often
as Python's meaning of the place says, or is refused there: it is never dropped in silence."""

import pickle

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg

RAN = "ran: "  # before each line of text, which is counted
WAYS = {"default": {"debug": True}, "plain": {"optimize": False, "backend": "numpy"}}


# constructs: functions of a value x and a variable v, whose statement runs when x's user runs -----


def dependent(*statements):
    """x * 2, which depends on statements alone."""

    def f(x, v):
        with mg.control_dependencies([make(x, v) for make in statements]):
            return x * 2

    return f


def printed(x, v):
    return mg.print_(x, RAN)


def added(x, v):
    return mg.assign_add(v, 1.0)


def noted(x, v):
    return NOTE(x)


NOTE = mg.custom_op(
    lambda x: (print(RAN), x * 2)[1],
    vjp=lambda x, z, z_bar: (z_bar * 2,),
    jvp=lambda x, z, x_dot: x_dot * 2,
    infer=lambda x: (x.shape, x.dtype),
    name="note",
)
PRINTS = {
    "print": lambda x, v: printed(x, v) ** 2,
    "print that no derivative reads": lambda x, v: printed(x, v) * 2,
    "dependency on a print": dependent(printed),
    "dependency on a custom op": dependent(noted),
}
ASSIGNS = {
    "assign": lambda x, v: x + added(x, v) * 0,
    "dependency on a group": dependent(lambda x, v: mg.group(mg.assign_sub(v, -1.0), x)),
}


# places in a graph: functions of (construct, x, v) that give what is fetched ---------------------


def in_loop(f, x, v):
    return mg.while_loop(lambda i, c: i < 3, lambda i, c: (i + 1, f(c, v)), (0, x))[1]


def in_scan(f, x, v):
    return mg.scan(lambda c, t: (c + t, f(c, v)), x, np.arange(3.0))[1]


def in_choice(f, x, v):
    return mg.cond(x > 0, lambda: f(x, v), lambda: x)


def in_nested_choice(f, x, v):
    return mg.scan(lambda c, t: (mg.cond(c > 0, lambda: f(c, v), lambda: c), None), x, np.ones(2))[
        0
    ]


def around(place):
    """The place, whose bodies use a value from outside to which the statement is attached."""

    def build(f, x, v):
        outside = f(x, v)
        return place(lambda y, _: y * outside, x, v)

    return build


def depending(place):
    """The place, built where all depends on the statement."""

    def build(f, x, v):
        with mg.control_dependencies([f(x, v)]):
            return place(lambda y, _: y * 2, x, v)

    return build


def inner_dependency(place):
    """The place, whose bodies name a statement of outside as a dependency."""

    def build(f, x, v):
        outside = f(x, v)
        return place(lambda y, _: dependent(lambda *_: outside)(y, v), x, v)

    return build


BODIES = [in_loop, in_scan, in_choice, in_nested_choice]
REFUSED = None
PLACES = {"graph": (lambda f, x, v: f(x, v), 1)}
for body in BODIES:
    name = body.__name__
    PLACES[name] = body, REFUSED
    PLACES[f"around {name}"] = around(body), 1
    PLACES[f"around {name}, gradient"] = (
        lambda f, x, v, body=body: mg.gradients(mg.sum(around(body)(f, x, v)), [x]),
        1,
    )
    PLACES[f"dependency of {name}"] = depending(body), 1
    PLACES[f"dependency in {name}"] = inner_dependency(body), REFUSED
for name, derive in {
    "grad": lambda g, x: mg.grad(g)(x),
    "value_and_grad": lambda g, x: mg.value_and_grad(g)(x),
    "vjp": lambda g, x: mg.vjp(g, x)[1](1.0),
    "jvp": lambda g, x: mg.jvp(g, (x,), (1.0,))[1],
    "hvp": lambda g, x: mg.hvp(g, x, 1.0),
    "hessian": lambda g, x: mg.hessian(g)(x),
    "jacobian": lambda g, x: mg.jacobian(g, mode="forward")(x),
    "function": lambda g, x: mg.function(g)(x),
}.items():
    PLACES[name] = (lambda f, x, v, derive=derive: derive(lambda y: f(y, v), x), 1)
PLACES["grad in a choice"] = (
    lambda f, x, v: in_choice(lambda y, v: mg.grad(lambda z: f(z, v))(y), x, v),
    REFUSED,
)


def ran(capsys, session, v):
    """How often a statement ran: lines of text, and ones added to v."""
    return capsys.readouterr().out.count(RAN) + float(session.run(v))


def assert_told(caught):
    """The error names a line of this file, and what to write."""
    assert "\n  at   test_effects.py" in str(caught) and "\n  try  " in str(caught)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("construct", PRINTS | ASSIGNS)
@pytest.mark.parametrize("place", PLACES)
def test_a_statement_runs_once_or_is_refused(place, construct, way, capsys):
    build, times = PLACES[place]
    with mg.Graph() as graph:
        v, x = mg.Variable(0.0), mg.placeholder("x")
        try:
            fetched = build((PRINTS | ASSIGNS)[construct], x, v)
        except mg.GraphError as error:
            assert times is REFUSED
            assert_told(error)
            return
    assert times is not REFUSED
    capsys.readouterr()
    session = mg.Session(graph, **WAYS[way])
    for _ in (1, 2):
        session.run(fetched, {x: 2.0})
    assert ran(capsys, session, v) == 2 * times


@pytest.mark.parametrize("construct", [name for name in PRINTS | ASSIGNS if "custom" not in name])
def test_saved_and_sent_statements_still_run(construct, capsys):
    with mg.Graph() as graph:
        v, x = mg.Variable(0.0, name="v"), mg.placeholder("x")
        y = in_choice(lambda y, _: y * 2, (PRINTS | ASSIGNS)[construct](x, v), v)
    session, *sent = pickle.loads(pickle.dumps((mg.Session(graph), y, v)))
    loaded = mg.from_bytes(mg.to_bytes([y, v])).outputs
    for run, (y, v) in ((session, sent), (mg.Session(loaded[0].graph), loaded)):
        mg.compile([y], run)(x=2.0)
        assert ran(capsys, run, v) == 1


# numbers and Tensors ------------------------------------------------------------------------------


def gradient_of(f):
    """f, then its gradient: as often as f alone."""
    return lambda x: mg.grad(f)(x)


def backward_of(f):
    """f, its backward pass, and that of its gradient."""

    def call(x):
        (slope,) = mg.gradients(f(x := mg.tensor(x, requires_grad=True)), [x])
        return mg.gradients(slope * x, [x])

    return call


CALLS = {
    "call": lambda f: f,
    "gradient": gradient_of,
    "backward": backward_of,
    "hessian": mg.hessian,
    "jvp": lambda f: lambda x: mg.jvp(f, (x,), (1.0,)),
    "plain": mg.plain,
}
LINES = PRINTS | {
    "print of a number": lambda x, v: x * mg.print_(3.0, RAN),
    "print that nothing needs": lambda x, v: (printed(x, v), x * 2)[1],
    "print under no_grad": lambda x, v: mg.no_grad(printed)(x, v) * x,
    "custom op that nothing needs": lambda x, v: (NOTE(x), x * 2)[1],
}


@pytest.mark.parametrize("construct", LINES)
@pytest.mark.parametrize("call", CALLS)
def test_a_traced_function_prints_once_in_each_call(call, construct, capsys):
    traced = mg.function(lambda x: LINES[construct](x, None))
    for times in (1, 2, 3):
        CALLS[call](traced)(mg.tensor(float(times)))
        assert capsys.readouterr().out.count(RAN) == 1


@pytest.mark.parametrize("construct", [n for n in LINES if n.startswith("print")])
@pytest.mark.parametrize("call", CALLS)
def test_a_function_prints_once_in_each_call(call, construct, capsys):
    CALLS[call](lambda x: LINES[construct](x, None))(2.0)
    assert capsys.readouterr().out.count(RAN) == 1


def test_a_lazy_print_does_not_wait(capsys):
    with mg.lazy():
        x = mg.tensor(2.0) * 3
        mg.print_(x, RAN)
    assert capsys.readouterr().out == "ran: 6.0\n"


@pytest.mark.parametrize("place", BODIES)
@pytest.mark.parametrize("make", [float, np.asarray, mg.tensor, mg.Variable])
def test_a_body_prints_no_numbers_while_it_is_built(make, place, capsys):
    with mg.Graph():
        x = mg.placeholder("x")
        number = make(3.0)
        with pytest.raises(
            mg.GraphError, match="holds Print, which a body cannot contain"
        ) as caught:
            place(lambda y, v: (mg.print_(number, RAN), y)[1], x, None)
    assert_told(caught.value)
    assert not capsys.readouterr().out


def test_python_runs_the_loops_of_numbers(capsys):
    mg.while_loop(lambda x: x < 3, lambda x: mg.print_(x, RAN) + 1, mg.tensor(0))
    mg.cond(True, lambda: mg.print_(1.0, RAN), lambda: 0.0)
    assert capsys.readouterr().out.count(RAN) == 4


# what is refused ----------------------------------------------------------------------------------


with mg.Graph() as elsewhere:
    w = mg.Variable(0.0, name="w")
    other = mg.print_(w)


def traced(f, *arguments):
    return lambda: mg.function(f)(*(arguments or [mg.tensor([1.0, 2.0])]))


def in_graph(f):
    def call():
        with mg.Graph():
            return f(mg.placeholder("x"))

    return call


def left_over(build):
    """What a body or a traced function leaves in the learner's hands."""
    box = []
    build(lambda x: (box.append(x * 2), x)[1])
    return box[0]


def left_by_function():
    return left_over(lambda f: mg.function(f)(mg.tensor(1.0)))


def left_by_body(x):
    return left_over(lambda f: mg.while_loop(lambda c: c < 1, f, x))


def change(sign):
    """A function that changes its argument in place."""
    names = {}
    exec(f"def change(x):\n    x {sign}= 2\n    return x", names)
    return names["change"]


def change_entry(nest):
    nest["w"] = nest["w"] * 2
    return nest["w"]


def grow(values):
    values.append(1)
    return values[0]


PRINTING_RULE = mg.custom_op(
    lambda x: x * 1,
    vjp=lambda x, z, z_bar: (mg.print_(z_bar),),
    infer=lambda x: (x.shape, x.dtype),
    name="printing",
)


@pytest.mark.parametrize(
    "call, text",
    [
        (traced(change("+")), r"x \+= … would change the caller's x in Python, but not in change"),
        (traced(change("-")), "x -= …"),
        (traced(change("*")), r"x \*= …"),
        (traced(change("/")), "x /= …"),
        (traced(change("**"), np.ones(2)), r"x \*\*= …"),
        (traced(change("+"), np.ones(2)), r"x \+= …"),
        (traced(change_entry, {"w": mg.tensor(1.0)}), "changes a list or dict among its arguments"),
        (traced(grow, [mg.tensor(1.0)]), "changes a list or dict among its arguments"),
        (traced(lambda x: (mg.assign_add(w, 1.0), x)[1]), "belongs to <graph"),
        (traced(lambda x: dependent(lambda *_: other)(x, None)), "belongs to <graph"),
        (in_graph(lambda x: dependent(lambda *_: other)(x, None)), "belongs to <graph"),
        (
            in_graph(lambda x: mg.cond(x > 0, lambda: (mg.assign(w, 1.0), x)[1], lambda: x)),
            "belongs to <graph",
        ),
        (in_graph(lambda x: mg.control_dependencies([x, other])), "belongs to <graph"),
        (lambda: mg.control_dependencies([mg.tensor(1.0)]), "is not a Node"),
        (in_graph(lambda x: mg.group(x) + 1), "add of a group.*has no value"),
        (in_graph(lambda x: mg.stack([mg.group(x)])), "of a group.*has no value"),
        (in_graph(lambda x: mg.assign(mg.Variable(1.0), mg.group(x))), "assign of a group"),
        (in_graph(lambda x: mg.cond(mg.group(x), lambda: x, lambda: -x)), "cond of a group"),
        (lambda: mg.group(mg.tensor(1.0)), "is not a Node, so it has already been computed"),
        (lambda: left_by_function() + 1, "was made inside <lambda>, and has no value outside"),
        (lambda: float(left_by_function()), "was made inside <lambda>"),
        (lambda: bool(left_by_function()), "was made inside <lambda>"),
        (lambda: mg.print_(left_by_function()), "was made inside <lambda>"),
        (lambda: traced(left_by_function().__add__)(), "was made inside <lambda>"),
        (in_graph(lambda x: left_by_body(x) * 2), "was made inside body of while_loop"),
        (in_graph(lambda x: left_by_body(x) * x), "was made inside body of while_loop"),
        (
            in_graph(lambda x: mg.Session(x.graph).run(left_by_body(x), {x: 1.0})),
            "was made inside body of while_loop",
        ),
        (
            in_graph(
                lambda x: mg.gradients(
                    mg.while_loop(lambda c: c < 3, lambda c: PRINTING_RULE(c) + 1, x), [x]
                )
            ),
            "the pullback of body of while_loop holds Print",
        ),
    ],
)
def test_what_would_be_dropped_is_refused(call, text):
    with raises_saying(mg.GraphError, text) as caught:
        call()
    assert "\n  try  " in str(caught.value)


def test_a_block_in_which_nothing_depends_on_its_nodes_is_refused():
    with mg.Graph():
        x = mg.placeholder("x")
        with (
            pytest.raises(mg.GraphError, match="no op is built in this block") as caught,
            mg.control_dependencies([mg.print_(x)]),
        ):
            mg.placeholder("y")
        with pytest.raises(ZeroDivisionError), mg.control_dependencies([x]):
            1 / 0
        with mg.control_dependencies([]):
            pass
    assert_told(caught.value)


def test_a_value_that_is_made_in_a_trace_may_be_changed():
    @mg.function
    def f(x):
        y = x * 1
        y += 1
        y **= 2
        return y

    assert f(mg.tensor(2.0)).item() == 9
    assert mg.function(change("**"))(mg.tensor(3.0)).item() == 9  # as of a Tensor: x is bound anew
