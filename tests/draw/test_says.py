"""What a step says: a sentence, a formula with names and the same with numbers, for every op."""

import re

import numpy as np
import pytest
from draw.test_inside import newton, power, recurrent
from draw.test_nested import NESTS
from draw.test_nested import played as played_nest
from ops_table import ROWS, inputs_of

import minigrad as mg
from minigrad.core.custom import Custom
from minigrad.core.op import Discrete, Elementwise, Linear, Op
from minigrad.core.ops import FAMILIES
from minigrad.draw.trace import make_trace
from minigrad.draw.trace.tokens import Token, raise_text, tokens_text, typeset_number
from minigrad.static.control.choice import Cond
from minigrad.static.control.loop import Scan, While
from minigrad.static.graph import ConstantOp, Group, PlaceholderOp, RunIndex, VariableOp
from minigrad.static.statements import Assign, Print

NEVER = re.compile(r"\b(share|shares|turn|turns|kept|slope)\b|\{|\}| @ | \* |\+=")


def told(trace):
    """{(phase, text of the left side): event} of a trace, the last of each."""
    return {(e.phase, tokens_text(e.formula[:1])): e for e in trace.events if e.formula}


def lines(event):
    """The sentence, the formula with names and the one with numbers."""
    return event.sentence, tokens_text(event.formula), tokens_text(event.substitution)


def check_sentences(trace):
    """Every step has a sentence that is complete, short, and in the words of the course."""
    for event in trace.events:
        said = event.sentence
        assert said[-1] == "." and len(said) <= 110, said
        assert not NEVER.search(said), said
        assert "  " not in said, said


def function(x, w):
    a = x + w
    b = w + 1
    y = a * b
    return y  # noqa: RET504 - a name for the result


def played(mode="reverse", wrt=None):
    """The trace of y = (x + w)(w + 1) at x = 2, w = 1."""
    return told(make_trace(function, {"x": 2.0, "w": 1.0}, wrt, mode))


def assigned():
    """The same in a Session, with an update of w."""
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.Variable(1.0, name="w")
        y = (x + w) * (w + 1.0)
        step = mg.assign(w, w - 0.1 * mg.gradients(y, [w])[0])
        return told(make_trace([y, step], {x: 2.0}, names={"y": y}))


def layer(x, W, b, U, labels):
    v = x @ W
    v2 = v + b
    r = mg.relu(v2)
    s = r @ U
    loss = mg.cross_entropy(s, labels)
    return loss  # noqa: RET504 - a name for the result


def layers(rows=32):
    """The trace of a layer and a loss."""
    rng = np.random.default_rng(0)
    feed = {
        "x": rng.normal(size=(rows, 64)),
        "W": rng.normal(size=(64, 32)),
        "b": rng.normal(size=32),
        "U": rng.normal(size=(32, 2)),
        "labels": np.arange(rows) % 2,
    }
    return told(make_trace(layer, feed, wrt=["W", "b"]))


# the steps of the design -------------------------------------------------------------------------


def test_a_placeholder_and_a_variable():
    steps = assigned()
    assert lines(steps["forward", "x"]) == ("You fed x with 2.", "x = 2", "")
    sentence = "w is a variable. Its value in this Session is 1."
    assert sentence in make_text_of_variables()


def make_text_of_variables():
    """The sentences of a run that reads a variable."""
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.Variable(1.0, name="w")
        return [e.sentence for e in make_trace(x + w, {x: 2.0}).events]


def test_a_sum_and_a_product():
    steps = played()
    assert lines(steps["forward", "a"]) == (
        "a is the sum of x and w.",
        "a = x + w",
        " = 2 + 1 = 3",
    )
    assert lines(steps["forward", "y"]) == (
        "y is the product of a and b. Both are saved, because the backward rule of × needs them.",
        "y = a · b",
        " = 3 · 2 = 6",
    )


def test_a_matrix_product_and_a_bias():
    steps = layers()
    assert lines(steps["forward", "v"]) == (
        "Each of the 32 rows of x is multiplied by W: 32×64 times 64×32 gives 32×32.",
        "v = x W",
        "32×64 · 64×32 = 32×32",
    )
    assert lines(steps["forward", "v2"]) == (
        "b has 32 numbers and v has 32 rows, so b is added to every row.",
        "v2 = v + b",
        "32×32 + 32 → 32×32",
    )


def test_relu_shows_an_entry_that_becomes_0():
    x = np.arange(24.0).reshape(4, 6) - 10.5
    steps = told(make_trace(lambda v: mg.sum(mg.relu(v)), {"v": x}))
    assert lines(steps["forward", "v1"]) == (
        "relu keeps the positive numbers and sets the rest to 0: 11 of 24 become 0.",
        "v1 = max(0, v)",
        " = max(0, −10.5) = 0",
    )
    assert steps["forward", "v1"].element == "[0, 0]"
    assert lines(steps["backward", "v̄"]) == (
        "Where v is positive, relu passes the adjoint on. Where v is negative, the contribution is "
        "0.",
        "v̄ = v̄1 where v > 0",
        " = 1 where −10.5 > 0 = 0",
    )


def test_a_loss_of_four_rows_adds_up_its_rows():
    steps = layers(rows=4)
    loss = steps["forward", "loss"]
    assert loss.sentence == (
        "The loss is the mean of −log p over the 4 rows, where p is the probability of the right "
        "label."
    )
    assert tokens_text(loss.formula) == "loss = mean(−log p)"
    terms = re.fullmatch(r" = \((.+) \+ (.+) \+ (.+) \+ (.+)\) / 4 = (.+)", lines(loss)[2])
    numbers = [float(text.replace("−", "-")) for text in terms.groups()]
    assert sum(numbers[:4]) / 4 == pytest.approx(numbers[4], rel=1e-3)
    assert numbers[4] == pytest.approx(loss.value.numbers, rel=1e-3)
    back = steps["backward", "s̄"]
    assert back.sentence == (
        "The adjoint of the scores is probability minus one-hot label, divided by the 4 rows."
    )
    assert tokens_text(back.formula).startswith("s̄ = (softmax(s) − onehot(labels)) / 4 · ")
    probability, result = re.fullmatch(
        r" = \((.+) − [01]\) / 4 · 1 = (.+)", lines(back)[2]
    ).groups()
    probability, result = (float(text.replace("−", "-")) for text in (probability, result))
    assert 0 < probability < 1 and abs(result) <= 0.25


def test_the_seed_and_a_product_backwards():
    steps = played()
    assert lines(steps["backward", "ȳ"]) == (
        "The backward pass starts here: the derivative of y with respect to itself is 1.",
        "ȳ = 1",
        "",
    )
    assert lines(steps["backward", "ā"]) == (
        "× passes on ȳ times the other factor, so a receives 1 · 2.",
        "ā = ȳ · b",
        " = 1 · 2 = 2",
    )


def test_contributions_are_told_as_one_sum():
    events = make_trace(function, {"x": 2.0, "w": 1.0}).events
    first, last = (e for e in events if e.phase == "backward" and e.node == "n1")
    assert lines(first) == (
        "+ passes b̄ on as it is, so w receives 3. It is the first of two contributions.",
        "w̄ = b̄ · 1 + …",
        " = 3 + …",
    )
    assert lines(last) == (
        "w is used twice, so its adjoint is the sum of two contributions: 3 from b and 2 from a.",
        "w̄ = b̄ · 1 + ā · 1",
        " = 3 + 2 = 5",
    )


def test_many_contributions_are_counted():
    def often(x):
        return x * x * x * x * x * x

    events = make_trace(often, {"x": 2.0}).events
    last = [e for e in events if e.node == "n0"][-1]
    assert last.sentence.startswith("x is used six times, so its adjoint is the sum of six contrib")
    assert len(last.sentence) <= 110 and last.result == "192"
    told_once = make_trace(lambda x: x * x, {"x": 3.0}).events[-1]
    assert told_once.sentence.endswith("two contributions: 3 and 3 from v1.")


def test_a_matrix_product_and_a_bias_backwards():
    steps = layers()
    assert lines(steps["backward", "W̄"]) == (
        "The gradient of W is xᵀ times the adjoint of v. It has the shape of W.",
        "W̄ = xᵀ v̄",
        "64×32 · 32×32 = 64×32",
    )
    assert lines(steps["backward", "b̄"]) == (
        "b was added to all 32 rows, so its gradient is the sum of v̄2 over the rows.",
        "b̄ = Σ rows v̄2",
        "Σ of 32 rows → 32",
    )


def test_an_iteration_backwards():
    with mg.Graph():
        w = mg.placeholder("w")
        _, x = mg.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, w * x), (0, 1.0))
        events = make_trace(x, {w: 2.0}, w).events
    (second,) = [
        e for e in events if e.turn == 2 and tokens_text(e.formula).startswith("w̄ = x̄′ · ")
    ]
    assert lines(second) == (
        "Iteration 2 of 3: x′ = w · x, so w receives x̄′ · x.",
        "w̄ = x̄′ · x + w̄",
        " = 2 · 2 + 4 = 8",
    )
    assert [e.result for e in events][-1] == "12"


def test_backward_adds_to_what_grad_was():
    w = mg.tensor(1.0, requires_grad=True, name="w")
    for _ in range(2):
        y = (2.0 + w) * (w + 1.0)
        y.backward()
        y = (2.0 + w) * (w + 1.0)
        trace = make_trace(y)
    assert lines(trace.events[-1]) == (
        "backward() adds to w.grad, which was 10 from an earlier call. Call zero_grad() to start "
        "from 0.",
        "w.grad += w̄",
        "10 + 5 = 15",
    )
    assert trace.events[-1].result == "5", "the adjoint stays what it is"
    y.backward()
    assert w.grad.item() == 15
    assert not any("adds to" in e.sentence for e in make_trace(y).events), "it has been added"
    y = (2.0 + w) * w
    assert not any("adds to" in e.sentence for e in make_trace(y, wrt=[w]).events)


def test_a_tangent():
    steps = played("forward", {"x": 1.0, "w": 0.0})
    assert lines(steps["tangent", "ẏ"])[1:] == ("ẏ = ȧ · b + ḃ · a", " = 1 · 2 + 0 · 3 = 2")
    sentence = "The tangent of y is the sum of what its two operands contribute."
    assert steps["tangent", "ẏ"].sentence == sentence
    assert steps["tangent", "ẋ"].sentence == "By the seed, the tangent of x is 1."


def test_an_adjoint_in_a_run_is_named():
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.Variable(1.0, name="w")
        (w_bar,) = mg.gradients((x + w) * (w + 1.0), [w])
        events = make_trace(w_bar * 2.0, {x: 2.0}).events
    assert any(", the adjoint of w, is the sum of " in e.sentence for e in events)


def test_an_assignment():
    assert lines(assigned()["update", "w"]) == (
        "The update replaces w. The old value was read before, so this run still used 1.",
        "w ← w − 0.1 · w̄",
        " = 1 − 0.1 · 5 = 0.5",
    )


def test_a_kernel_and_a_buffer_that_is_written_over():
    with mg.Graph():
        z = mg.placeholder("z", shape=(200_000,))
        y = mg.sum(mg.tanh(z) * z + 1.0)
        events = make_trace(y, {z: np.linspace(-1, 1, 200_000)}).events
    (kernel,) = [e for e in events if "kernel" in e.sentence]
    words = "One kernel computes 4 operations, so the 3 arrays between them are never written."
    assert kernel.sentence == words
    assert "Σ (tanh(z) · z + 1)" in tokens_text(kernel.formula)
    with mg.Graph():
        z = mg.placeholder("z", shape=(10,))
        events = make_trace(mg.sum(mg.exp(z) * 2.0 + 1.0), {z: np.ones(10)}).events
    reused = [e.reuse for e in events if e.in_place]
    assert reused[0] == "v1 is not read again, so × writes its result over it, in buffer B0"


# what tokens stand for ---------------------------------------------------------------------------


def test_tokens_know_their_nodes_and_edges():
    steps = played()
    sum_of_two = steps["backward", "w̄"].formula
    assert sum_of_two[0] == Token("w", "adjoint", "n1", "bar")
    b, times, one = [t for t in sum_of_two if t.edge == ("n4", "n1")]
    assert b == Token("b", "adjoint", "n4", "bar", ("n4", "n1"))
    assert (times.text, one.kind) == (" · ", "number")
    numbers = steps["backward", "w̄"].substitution
    assert [(t.text, t.edge) for t in numbers if t.kind == "amount"] == [
        ("3", ("n4", "n1")),
        ("2", ("n2", "n1")),
    ]
    assert numbers[-1] == Token("5", "result", "n1", "bar")
    product = steps["forward", "y"]
    assert [(t.node, t.edge) for t in product.formula if t.edge] == [
        ("n2", ("n5", "n2")),
        ("n4", ("n5", "n4")),
    ]
    assert [t.node for t in product.substitution if t.kind == "number"] == ["n2", "n4"]


def test_names_have_marks_and_no_combining_characters():
    for trace in (make_trace(function, {"x": 2.0, "w": 1.0}), make_trace(worked, WORKED)):
        for event in trace.events:
            for token in (*event.formula, *event.substitution):
                assert not set(token.text) & {"\u0304", "\u0305", "\u0307"}
                assert (token.kind == "adjoint") <= (token.mark == "bar")


def worked(x1, x2):
    return mg.log(x1) + x1 * x2 - mg.sin(x2)


WORKED = {"x1": 2.0, "x2": 5.0}


def test_numbers_have_typographic_signs():
    assert typeset_number("-1e-05") == "−1e−05" and typeset_number("-inf") == "−inf"
    assert typeset_number("a-b") == "a-b" and typeset_number("[1, 2]") == "[1, 2]"
    assert raise_text("2") == "²" and raise_text("-1") == "⁻¹" and raise_text("0.5") == "^0.5"


def value_of(tokens):
    """What Python computes from a formula of numbers."""
    text = tokens_text(tokens).replace("·", "*").replace("−", "-").replace("²", "**2")
    text = text.replace("¹", "**1")
    text = re.sub(r"\|(.*?)\|", r"abs(\1)", text)
    words = {"log": np.log, "cos": np.cos, "sin": np.sin, "tanh": np.tanh, "exp": np.exp}
    return eval(text, words)


def test_a_formula_of_numbers_gives_its_result():
    """Of single numbers, to the digits that are shown."""

    def f(x, w):
        return mg.exp(mg.sin(x * w) - w**2 / x) * mg.tanh(x) - x

    compared = 0
    for x, w in ((2.0, 1.5), (-1.5, 0.5), (0.3, -2.0)):
        for mode in ("reverse", "forward"):
            wrt = None if mode == "reverse" else {"x": 1.0, "w": -2.0}
            for event in make_trace(f, {"x": x, "w": w}, wrt, mode).events:
                tokens = event.substitution
                if tokens and tokens[-1].kind == "result":
                    compared += 1
                    result = float(tokens[-1].text.replace("−", "-"))
                    assert value_of(tokens[1:-2]) == pytest.approx(result, rel=5e-3, abs=1e-3)
                    assert tokens[-1].text == typeset_number(event.result)
    assert compared > 40


def test_more_numbers_than_four_are_not_written():
    def f(x):
        return mg.logaddexp(x * x, x)

    for event in make_trace(f, {"x": 0.5}).events:
        assert sum(t.kind == "number" and bool(t.node) for t in event.substitution) <= 4


def test_formulas_of_numbers_inside_loops_give_their_results():
    compared = 0
    for build in (power, newton, recurrent):
        with mg.Graph():
            y, feed, wrt = build()
            trace = make_trace(y, feed, wrt)
        check_sentences(trace)
        for event in trace.events:
            tokens = event.substitution
            if event.turn and tokens and event.result not in ("True", "False"):
                compared += 1
                numbers = [t.text.strip("()") for t in tokens if t.kind == "number"]
                largest = max(abs(float(text.replace("−", "-"))) for text in numbers)
                found = value_of(tokens[1:-2])
                assert found == pytest.approx(float(event.result), rel=2e-3, abs=1e-3 * largest)
    assert compared > 80


@pytest.mark.parametrize("nest", NESTS, ids=lambda nest: nest.__name__)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_loops_in_loops_are_told_in_short_sentences(nest, mode):
    check_sentences(played_nest(nest, mode))


@pytest.mark.parametrize(
    "value, words", [(3.0, "true, so the then"), (-3.0, "false, so the otherwise")]
)
def test_a_choice_says_which_branch_computes_it(value, words):
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.cond(x > 0, lambda a: a * a, lambda a: -a, x)
        sentences = [e.sentence for e in make_trace(y, {x: value}).events]
    assert sentences[-2:] == [f"v2 is {words} branch computes v3.", "v4 is result [0] of v3."]


def test_a_loop_that_never_runs_says_so():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda v: v < 0.0, lambda v: v + 1.0, x)
        events = make_trace(y, {x: 2.0}).events
    assert "is what the loop carries after no iterations." in events[-2].sentence


# received and passed on --------------------------------------------------------------------------


def test_what_a_value_received_and_passes_on_is_known_at_each_step():
    trace = make_trace(function, {"x": 2.0, "w": 1.0})
    made = [(e.step, e.contribution) for e in trace.events if e.contribution]
    received = [(step, one.number, one.user) for step, one in made if one.operand == "n1"]
    step = next(e.step for e in trace.events if e.node == "n1" and e.phase == "backward")
    assert received == [(step, "3", "n4"), (len(trace.events) - 1, "2", "n2")]
    passed = [(one.number, one.operand) for _, one in made if one.user == "n5"]
    assert passed == [("2", "n2"), ("3", "n4")] and "n1" not in {one.user for _, one in made}


def test_a_spec_has_each_token_once_and_stays_small():
    v = mg.tensor(1.0, requires_grad=True, name="w")
    for _ in range(300):
        v = mg.sin(v)
    data = mg.player(v).data
    tokens = [tuple(token) for token in data["tokens"]]
    assert len(set(tokens)) == len(tokens) <= 3 * len(data["steps"]) + 10
    used = {at for s in data["steps"] for at in places((*s["formula"], *s["numbers"]))}
    assert used == set(range(len(tokens)))
    assert len(str(data)) < 700 * len(data["steps"])


def places(told):
    """The places in the table of tokens that a formula has, also those of its terms."""
    return [at for one in told for at in (one[2:] if isinstance(one, list) else [one])]


def test_a_spec_tells_formulas_and_contributions():
    data = mg.player(function, {"x": 2.0, "w": 1.0}).data
    last, kinds = data["steps"][-1], data["kinds"]
    texts = [data["tokens"][at] for at in places(last["formula"])]
    assert "".join(token[0] for token in texts) == "w = b · 1 + a · 1"
    assert [kinds[token[1]] for token in texts[:3]] == ["adjoint", "sign", "adjoint"]
    assert texts[2] == ["b", kinds.index("adjoint"), "n4_bar"]
    assert last["formula"][2][:2] == ["n4_bar", "n1_bar"] and len(last["formula"]) == 5
    numbers = [data["tokens"][at] for at in places(last["numbers"])]
    assert [token[0] for token in numbers] == [" = ", "3", " + ", "2", " = ", "5"]
    assert [token[2] for token in numbers[1::2]] == [-3, -5, 10], "two amounts, and a step"
    assert (
        data["contributions"]
        == [
            [7, "n5", "n2", "2"],
            [8, "n5", "n4", "3"],
            [9, "n4", "n1", "3"],
            [10, "n2", "n0", "2"],
            [10, "n2", "n1", "2"],
        ]
        or len(data["contributions"]) == 5
    )
    assert data["nodes"]["n5"]["op"] == "Mul: y = a · b"


# every op ----------------------------------------------------------------------------------------


def classes(base=Op):
    """All op classes of the package that compute something."""
    for op in base.__subclasses__():
        yield from classes(op)
        if "compute" in vars(op) and op.__module__.startswith("minigrad."):
            yield op


KINDS = (Op, Elementwise, Linear, Discrete)
OTHERS = (While, Scan, Cond, Custom, PlaceholderOp, ConstantOp, VariableOp, RunIndex)
OTHERS += (Assign, Print, Group)


def owner(op, name):
    """The class in which an attribute of an op is defined."""
    return next(cls for cls in op.__mro__ if name in vars(cls))


@pytest.mark.parametrize("op", sorted({*classes(), *OTHERS}, key=str), ids=str)
def test_every_op_says_what_it_computes(op):
    assert owner(op, "says") not in KINDS, "it has a line of its own, or of its family"
    assert op.says[-1] == "." and len(op.says.split()) > 3


@pytest.mark.parametrize("op", sorted(classes(), key=str), ids=str)
def test_every_op_with_a_derivative_says_what_it_passes_on(op):
    says = op.says_back if isinstance(op.says_back, tuple) else (op.says_back,)
    assert any(says) and all(line[-1] == "." for line in says if line)
    rules = op.partials or getattr(op, "masks", ()) or op.vjp
    if op.differentiable and rules:
        assert owner(op, "says_back") is not Op
    if isinstance(op.says_back, tuple):
        assert [bool(line) for line in says] == [bool(rule) for rule in rules]


def test_no_two_ops_of_a_family_say_the_same():
    lines = {}
    for family in FAMILIES:
        for op in vars(family).values():
            if isinstance(op, type) and issubclass(op, Op) and "says" in vars(op):
                assert lines.setdefault(op.says, op) is op, op
    assert len(lines) > 80


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name.replace(" ", "_"))
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_every_row_of_the_table_is_told(row, mode):
    """As learners call it: sentences are complete, and quote no formal name."""
    for shapes in row.shapes[:2]:
        xs = [mg.tensor(x, True, name=f"in{at}") for at, x in enumerate(inputs_of(row, shapes))]
        z = row.f(*xs)
        wrt = None if mode == "reverse" else {x: np.ones(x.shape) for x in xs}
        if not getattr(z, "tracked", False) or z.dtype.kind != "f" or not z.op:
            continue
        with np.errstate(all="ignore"):
            trace = make_trace(mg.sum(z), wrt=wrt, mode=mode)
        check_sentences(trace)
        known = {*trace.names, "x"} - {""}
        for event in trace.events:
            for token in event.formula:
                if token.kind in ("value", "adjoint", "tangent"):
                    assert token.text in known | {"p"}, (event.sentence, token)


@pytest.mark.parametrize("optimize", [True, False])
def test_programs_are_told(optimize):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        w = mg.Variable(2.0, name="w")
        noise = mg.random_normal((3,), seed=1) + mg.random_uniform((3,), seed=2)
        y = mg.print_(mg.sum(x * w + noise), "y")
        chosen = mg.cond(y > 0, lambda a: a * w, lambda a: -a, y)
        total = mg.scan(lambda s, a: (mg.tanh(s + a * w), None), chosen, x)[0]
        step = mg.assign(w, w - 0.1 * total)
    session = mg.Session(graph, optimize=optimize)
    feed = {x: np.array([0.1, 0.2, -0.3])}
    run = make_trace([total, mg.group(step)], feed, session=session)
    check_sentences(run)
    for mode in ("reverse", "forward"):
        check_sentences(make_trace(total, feed, [w], mode))


def test_a_custom_op_is_told():
    cube = mg.custom_op(
        lambda x: x**3,
        name="cube",
        vjp=lambda x, z, z_bar: (z_bar * 3 * x * x,),
        jvp=lambda x, z, x_dot: 3 * x * x * x_dot,
    )
    steps = told(make_trace(lambda u: cube(u), {"u": 2.0}))
    assert steps["forward", "v1"].sentence == "v1 is what your op cube computes from u."
    assert lines(steps["backward", "ū"]) == (
        "The rule that you gave for cube says that u receives 1 · 3 · 2 · 2.",
        "ū = v̄1 · 3 · u · u",
        " = 1 · 3 · 2 · 2 = 12",
    )


def test_long_names_give_short_sentences():
    names = [f"a_very_long_name_{at}" * 2 for at in range(3)]
    xs = [mg.tensor(2.0, True, name=name) for name in names]
    check_sentences(make_trace(mg.where(xs[0] > 0, xs[1], xs[2]) * xs[1] / xs[2]))
