"""What is said of names of other libraries: it can be typed, and computes what they compute."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.core import hints
from minigrad.core.hints import ROOMS, TABLE, advice

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))
V, W = RNG.normal(size=3), RNG.normal(size=3)
GIVEN = {  # the names in hints, where they are no matrices x and y
    **dict.fromkeys("logit xlogy arctanh arcsin arccos log2 log10".split(), (abs(X) / 4, abs(Y))),
    "arccosh": (abs(X) + 1, Y),
    **dict.fromkeys("cross inner".split(), (V, W)),
    **dict.fromkeys("trapezoid diff ediff1d median".split(), (V, W)),
    "heaviside": (np.array([-1.0, 0.0, 2.0]), W),
    "sinc": (np.array([-1.5, 0.0, 0.25]), W),
    **dict.fromkeys("fmod floor_mod arctan2".split(), (X, Y + 3 * np.sign(Y))),
}


def scipys(name):
    """A function of scipy.special."""
    return lambda x: getattr(pytest.importorskip("scipy.special"), name)(x)


REFERENCES = {  # what the expression in a hint computes
    **{
        name: getattr(np, name)
        for name in """negative positive reciprocal fmod copysign heaviside ceil rint trunc
        fix hypot exp2 log2 log10 logaddexp2 tan sinh cosh arcsinh arctanh arctan arcsin arccos
        arctan2 sinc radians degrees isposinf isneginf signbit fabs fmax fmin diff trapezoid median
        kron cross inner vdot cov count_nonzero trace tril triu fliplr flipud rot90
        """.split()
        if hasattr(np, name)
    },
    "arccosh": np.arccosh,
    "cbrt": np.cbrt,
    "ediff1d": np.ediff1d,
    "corrcoef": np.corrcoef,
    "vecdot": lambda x, y: np.sum(x * y, -1),
    "arctan2": lambda x, y: np.arctan2(y, x),
    "cumprod": lambda x: np.cumprod(x, 0),
    "norm": np.linalg.norm,
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "logdet": lambda x: np.linalg.slogdet(x)[1],
    "solve": np.linalg.solve,
    "erf": scipys("erf"),
    "erfc": scipys("erfc"),
    "gammaln": lambda x: scipys("gammaln")(abs(x)),
    "logit": scipys("logit"),
    "xlogy": lambda x, y: pytest.importorskip("scipy.special").xlogy(x, y),
    "logsigmoid": scipys("log_expit"),
    "rsqrt": lambda x: abs(x) ** -0.5,
    "squared_difference": lambda x, y: (x - y) ** 2,
    "frac": lambda x: x - np.trunc(x),
    "cummax": np.maximum.accumulate,
    "cummin": np.minimum.accumulate,
    "logcumsumexp": np.logaddexp.accumulate,
    "relu6": lambda x: np.clip(x, 0, 6),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.01 * x),
    "elu": lambda x: np.where(x > 0, x, np.exp(x) - 1),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "softmin": lambda x: np.exp(-x) / np.exp(-x).sum(-1, keepdims=True),
    "hardsigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "tanhshrink": lambda x: x - np.tanh(x),
    "l2_loss": lambda x: np.sum(x**2) / 2,
    "normalize": lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True),
    "pairwise_distance": lambda x, y: np.linalg.norm(x - y, axis=-1),
    "cdist": lambda x, y: np.linalg.norm(x[:, None] - y[None], axis=-1),
    "avg_pool2d": lambda x: x[:2, :2].mean()[None, None],
    "msort": lambda x: np.sort(x, 0),
    "mm": np.matmul,
    "t": np.transpose,
    "unbind": list,
}
DISCRETE = set(
    """rint ceil trunc fix heaviside isposinf isneginf signbit count_nonzero
copysign fmod floor_mod fmax fmin logcumsumexp""".split()
)
ABSOLUTE = {"rsqrt", "gammaln"}  # of positive numbers


def typed(name):
    """The first expression of a hint, and [what stands after `with`]."""
    text = TABLE[name].removeprefix("write ")
    first, _, given = text.partition(", or ")[0].partition(", with ")
    for end in range(len(first), 0, -1):  # words may follow the expression
        try:
            compile(first[:end].strip(), name, "eval")
        except SyntaxError:
            continue
        return first[:end].strip(), given.split(" and ")[::-1] if given else []
    raise AssertionError(text)


def evaluate(name, x, y):
    """What the expression of a hint gives."""
    code, given = typed(name)
    scope = {"np": np, "mg": mg, "x": x, "y": y, "A": x, "b": y}
    if "scipy" in code:
        scope["scipy"] = pytest.importorskip("scipy")
        pytest.importorskip("scipy.special")
    for definition in given:
        exec(definition, scope)
    return eval(code, scope)


@pytest.mark.parametrize("name", REFERENCES)
def test_a_formula_of_a_hint_computes_what_the_name_stands_for(name):
    x, y = GIVEN.get(name, (X, Y))
    x = abs(x) if name in ABSOLUTE else x
    two = re.search(r"\b[by]\b", typed(name)[0])
    expected = REFERENCES[name](x, y) if two else REFERENCES[name](x)
    found = evaluate(name, mg.tensor(x), mg.tensor(y))
    found = np.array([v.numpy() for v in found]) if isinstance(found, list) else found.numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    with mg.Graph() as graph:
        nodes = [mg.placeholder(n, a.shape) for n, a in (("x", x), ("y", y))]
        if name == "median":  # a node knows no size
            return
        node = evaluate(name, *nodes)
        run = mg.Session(graph).run(node, dict(zip(nodes, (x, y))))
    np.testing.assert_allclose(np.array(run), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(REFERENCES) - DISCRETE))
def test_derivatives_go_through_the_formula_of_a_hint(name):
    x, y = GIVEN.get(name, (X, Y))
    x = abs(x) if name in ABSOLUTE else x
    if name == "unbind":
        return
    assert mg.gradcheck(lambda v: evaluate(name, v, mg.tensor(y)), x, modes=("reverse",), order=1)


# names -------------------------------------------------------------------------------------------

REVIEWED = """reduce_mean reduce_sum reduce_max global_variables_initializer
train initialize_all_variables get_variable reset_default_graph gather convert_to_tensor no_op
Print identity stop_gradient add_n unstack variable_scope get_default_graph Operation
InteractiveSession randn rand empty from_numpy autograd cat utils manual_seed topk norm bmm chunk
split trace inverse det svd eig cholesky solve triu tril meshgrid cumprod median unique nonzero
flatnonzero nan_to_num isclose allclose atan arctan arctan2 arcsin arccos sinh cosh tan log2 log10
exp2 sinc erf gamma swapaxes moveaxis ravel diff average ceil trunc hypot numpy lax random jit vmap
pmap custom_vjp custom_jvp remat tree_map jacfwd jacrev linearize egrad make_vjp
linalg reduce_logsumexp nanmean relu_ exp_ tensordot einsum_path fori_loop layers keras
GradientTape set_grad_enabled is_tensor LSTM Embedding RMSprop Adagrad softmin relu6 dstack conv1d
custom_gradient log_sigmoid int8 pi inf vdot floor_div""".split()
OF_LAYERS = """NLLLoss LSTM GRU LeakyReLU Softmax LogSoftmax GELU ELU SiLU Parameter ModuleList
functional init BatchNorm1d BatchNorm2d AvgPool2d MaxPool1d Transformer Identity utils
softmax_cross_entropy_with_logits relu conv2d dropout Conv1d Softplus Dense MultiheadAttention
BCELoss BCEWithLogitsLoss L1Loss GroupNorm embedding_lookup SGD""".split()
OF_OPTIMISERS = "Adagrad Adadelta LBFGS lr_scheduler GradientDescentOptimizer Linear".split()
OF_VALUES = """t eq ne gt lt ge le ceil tan neg new_zeros share_memory_ is_contiguous element_size
stride storage scatter_add scatter unbind assign value assign_sub get_shape set_shape itemset
diagonal trace tobytes mean_ sqrt_ add_ clamp_ unsqueeze_ masked_fill view permute repeat sort
gather to double float long half bool cuda expand norm topk chunk matmul mm numel dim eval numpy_
one_hot maximum cross_entropy where nanmean std_ requires_grad_ detach_ lt_ erf""".split()
NODE = mg.placeholder("x", (3,))


@pytest.mark.parametrize(
    "place, name",
    [(mg, n) for n in REVIEWED]
    + [(mg.nn, n) for n in OF_LAYERS]
    + [(mg.optim, n) for n in OF_OPTIMISERS]
    + [(v, n) for n in OF_VALUES for v in (mg.tensor(V), NODE)],
    ids=lambda part: part if isinstance(part, str) else None,
)
def test_a_name_from_elsewhere_is_told_and_not_guessed(place, name):
    with pytest.raises(mg.MissingError) as caught:
        getattr(place, name)
    assert "did you mean" not in caught.value.hint and "see dir" not in caught.value.hint
    assert "at   test_hints.py" in str(caught.value) and not hasattr(place, name)


GUESSES = {
    "matmull": (mg, "mg.matmul"),
    "sigmiod": (mg, "mg.sigmoid"),
    "cross_entopy": (mg, "mg.cross_entropy"),
    "session": (mg, "mg.Session"),
    "Linaer": (mg.nn, "mg.nn.Linear"),
    "sequential": (mg.nn, "mg.nn.Sequential"),
    "rmsprop": (mg.optim, "mg.optim.RMSprop"),
    "reshpe": (mg.tensor(V), "x.reshape"),
    "bakward": (mg.tensor(V), "x.backward"),
    "softmx": (NODE, "x.softmax"),
}


@pytest.mark.parametrize("name", GUESSES)
def test_a_public_name_that_is_misspelt_is_guessed(name):
    place, meant = GUESSES[name]
    with pytest.raises(mg.MissingError) as caught:
        getattr(place, name)
    assert caught.value.hint == f"did you mean {meant}?"


@pytest.mark.parametrize("name", ["q", "flibber", "bxz", "__wrapped__"])
def test_what_is_near_no_name_is_not_guessed(name):
    with pytest.raises(mg.MissingError, match=f"minigrad has no {name}") as caught:
        getattr(mg, name)
    assert caught.value.hint == "see dir(mg)"


def test_a_private_attribute_is_a_plain_error():
    for value in (mg.tensor(V), NODE):
        with pytest.raises(AttributeError, match="object has no attribute '_repr_html_'") as caught:
            value._repr_html_
        assert type(caught.value) is AttributeError


def test_no_name_of_ours_is_said_to_be_missing():
    values = {"x": mg.tensor(V), "node": NODE}
    modules = {"mg": mg, "nn": mg.nn, "optim": mg.optim, "data": mg.data}
    for name in TABLE:
        room, dot, rest = name.partition(".")
        place = (values | modules)[room] if dot else mg
        assert not hasattr(place, rest or name), name


NAMED = re.compile(r"\bmg((?:\.\w+)+)")


def test_hints_name_what_is_there():
    for name, hint in TABLE.items():
        for dotted in NAMED.findall(hint):
            value = mg
            for part in dotted[1:].split("."):
                value = getattr(value, part)
        for method in re.findall(r"\bx\.(\w+)\(", hint.partition("np.")[0]):
            assert hasattr(mg.Tensor, method), (name, method)
    assert set(ROOMS) == {"mg", "nn", "optim", "data"}


def test_advice_for_what_is_elsewhere_in_the_package_is_its_call():
    assert advice("Embedding", "mg", mg.__all__) == "write mg.nn.Embedding(count, size)"
    assert advice("cross_entropy", "nn", ()) == "write mg.cross_entropy(scores, labels)"
    assert advice("one_hot", "x", ()) == "write mg.one_hot(labels, classes)"


def test_a_hint_is_looked_for_once_for_each_class_and_name(monkeypatch):
    asked, guess = [], hints.guess
    monkeypatch.setattr(
        hints, "guess", lambda name, *more: asked.append(name) or guess(name, *more)
    )
    x = mg.tensor(1.0)
    for _ in range(3):
        assert not hasattr(x, "reqires_grad")
    with pytest.raises(AttributeError) as caught:
        _ = x.reqires_grad
    assert asked == ["reqires_grad"] and caught.value.hint == "did you mean x.requires_grad?"
