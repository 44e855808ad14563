"""Layers: a Module holds parameters, Tensors or, inside `with Graph():`, Variables."""

import math
import os
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeAlias, TypeVar, overload

import numpy as np

import minigrad as mg

if TYPE_CHECKING:
    from pathlib import Path

MARK = mg.zeros(())  # to detach it makes the next Tensor at the least cost
CALLS = 1_000  # of each module that drawings know; a training loop forgets older ones
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Size = int | tuple[int, int]  # of both sides, or of each
# Inside `with Graph():` it is a Variable; types know Tensor's side.
Parameter: TypeAlias = mg.Tensor | Any

generators: list[Any] = []  # of initial weights, and of the seeds of layers that draw


def manual_seed(seed: int) -> None:
    """Make the initial weights and the samples of later layers repeatable.

    >>> mg.nn.manual_seed(1)
    """
    generators[:] = np.random.default_rng(seed), np.random.default_rng([seed, 1])


def seeded_generators() -> list[Any]:
    """The two generators; as by manual_seed(0) where nobody gave a seed. Made on first use, since
    NumPy imports its random numbers only then."""
    if not generators:
        manual_seed(0)
    return generators


def parameter(initial: Any, name: str, trainable: bool = True) -> Parameter:
    """Make a stored value of the engine in use: a Variable inside `with Graph():`, else a Tensor.

    >>> mg.nn.parameter(np.zeros(2), "w")
    tensor([0., 0.], name='w', requires_grad=True)
    """
    if mg.open_graph() is not None:
        return mg.Variable(initial, name=name, trainable=trainable)
    return mg.tensor(initial, requires_grad=trainable, name=name)


def uniform(fan_in: int, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Initial weights, uniform in ±√(6/fan_in). Source: He et al., 2015, for ReLU nets."""
    bound = math.sqrt(6 / fan_in)
    return mg.cast(seeded_generators()[0].uniform(-bound, bound, shape), dtype)


def count_values(graph: mg.Graph | None) -> int:
    """A number between those of the values so far, of a graph or Tensors, and of those to come."""
    return MARK.detach().order if graph is None else len(graph.nodes)


class ModuleCalls(NamedTuple):
    """Which values a module computed, so that drawings frame them: (the graph, or None for Tensors;
    a number before the first value, and one after the last) of each of its latest calls."""

    module: weakref.ref[Any]
    spans: deque[tuple[weakref.ref[mg.Graph] | None, int, int]]


# By the id() of a module that lives, for what compares its parts has no hash. It is no attribute of
# the module: that could be one of the learner's, and would be copied and pickled.
module_calls: dict[int, ModuleCalls] = {}


def note_call(module: Any, graph: mg.Graph | None, first: int, last: int) -> None:
    """Note that a module computed the values between two numbers."""
    known = module_calls.get(identity := id(module))
    if known is None:
        module_ref = weakref.ref(module, lambda _: module_calls.pop(identity, None))
        known = module_calls[identity] = ModuleCalls(module_ref, deque(maxlen=CALLS))
    known.spans.append((None if graph is None else weakref.ref(graph), first, last))


Result = TypeVar("Result", covariant=True)
V = TypeVar("V", mg.Tensor, mg.Node)


class HasForward(Protocol[Result]):
    """A Module, as types see it: to call it gives what its `forward` gives."""

    def forward(self, *args: Any, **kwargs: Any) -> Result:
        """The module's result."""


class Module:
    """A function with parameters.

    These and its parts are found by attribute, also in lists, tuples and dicts there.
    `training` tells layers that behave differently then (Dropout, BatchNorm); see train, eval.
    """

    training = True

    def __call__(self: HasForward[Result], *inputs: Any, **options: Any) -> Result:
        graph = mg.open_graph()
        first = count_values(graph)
        result = self.forward(*inputs, **options)
        note_call(self, graph, first, count_values(graph))
        return result

    def forward(self, *inputs: Any, **options: Any) -> Any:
        """The module's result; each module brings its own."""
        raise mg.ArgumentError(f"{type(self).__name__} has no forward", "define forward(self, x)")

    def named_values(
        self, prefix: str = "", around: frozenset[int] = frozenset()
    ) -> Iterator[tuple[str, Any]]:
        """(dotted name, value) for everything stored here and in the parts, in definition order.

        What has two names comes twice. A Tensor that was computed from others is not stored.
        `around` is the id() of each module that this one is a part of: they are not its parts.
        """
        around |= {id(self)}
        for attribute, held in vars(self).items():
            for name, found in find_in(prefix + attribute, held):
                if isinstance(found, Module):
                    if id(found) not in around:
                        yield from found.named_values(f"{name}.", around)
                elif isinstance(found, mg.Variable) or found.is_leaf:
                    yield name, found

    def values_by_name(self) -> dict[str, Any]:
        """{dotted name: value} of everything stored. Raises where a name stands for two values."""
        found: dict[str, Any] = {}
        for name, value in self.named_values():
            if found.setdefault(name, value) is not value:
                hint = "choose other keys: without dots, and not both 1 and '1'"
                raise mg.ArgumentError(f"two values in the module are called {name}", hint)
        return found

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        """(dotted name, value) for what is trained, each once, by its first name."""
        seen = set()
        for name, value in self.named_values():
            if is_trained(value) and id(value) not in seen:
                seen.add(id(value))
                yield name, value

    def parameters(self) -> list[Parameter]:
        """The values that are trained, each once."""
        return [p for _, p in self.named_parameters()]

    def zero_grad(self) -> None:
        """Forgets the gradients of all parameters, which are Tensors."""
        for p in self.parameters():
            p.zero_grad()

    def modules(self) -> list["Module"]:
        """This module and its parts, at any depth, each once."""
        seen, waiting = {}, [self]
        while waiting:
            module = waiting.pop()
            if id(module) not in seen:
                seen[id(module)] = module
                inner = [found for held in vars(module).values() for _, found in find_in("", held)]
                waiting += [found for found in reversed(inner) if isinstance(found, Module)]
        return list(seen.values())

    def train(self, training: bool = True) -> Self:
        """Sets this module and its parts to training; returns it."""
        for module in self.modules():
            module.training = training
        return self

    def eval(self) -> Self:
        """Sets this module and its parts to evaluation; returns it."""
        return self.train(False)

    def __repr__(self) -> str:
        """The number of parameters; then each part: where, its kind, what it stores, how many."""
        rows = list(summary_rows(self, "", {id(self)}))
        total = sum(count for *_, count in rows)
        shown = [
            (name, kind if name else "", stored, f"{count:,}" if count else "")
            for name, kind, stored, count in rows
            if name or stored
        ]
        widths = [max(map(len, column)) for column in zip(*shown)]
        lines = [
            "  ".join(f"{cell:{side}{w}}" for cell, side, w in zip(row, "<<<>", widths) if w)
            for row in shown
        ]
        title = f"{type(self).__name__}, {total:,} parameter{'s' * (total != 1)}"
        return "\n  ".join([title, *map(str.rstrip, lines)])

    def updates(self) -> list[mg.Node]:
        """The nodes that keep running statistics, to be run beside a training step."""
        return [node for module in self.modules() for node in getattr(module, "pending", [])]

    def state_dict(self, session: mg.Session | None = None) -> dict[str, Array]:
        """{dotted name: array} of everything stored; Variables are read from `session`."""
        own = self.values_by_name()
        stored = held_values(session, {n: v for n, v in own.items() if isinstance(v, mg.Variable)})
        return {n: stored[n] if n in stored else value.numpy() for n, value in own.items()}

    def load_state_dict(self, state: Mapping[str, Any], session: mg.Session | None = None) -> None:
        """Takes over arrays from state_dict. Raises, before any changes, when they do not fit."""
        own = self.values_by_name()
        state = check_mapping(state)
        self.check_fit(state)
        check_twins(own, state)
        for name, value in own.items():
            if isinstance(value, mg.Tensor):
                with mg.no_grad():
                    value[...] = state[name]
            else:
                find_session(session, name).set(value, state[name])

    def check_fit(self, state: Mapping[str, Any]) -> None:
        """Raises unless {name: what has a shape and a dtype} is that of everything stored here."""
        own = self.values_by_name()
        if set(own) != set(state):
            odd = ", ".join(sorted(set(own) ^ set(state)))
            message = f"the state and the module differ in {odd}"
            raise mg.ArgumentError(message, BUILT_ALIKE)
        for name, value in own.items():
            check_alike(name, value, state[name], BUILT_ALIKE)

    def save(self, path: str | PathLike[str], session: mg.Session | None = None) -> None:
        """Writes state_dict to a .npz file, which takes the place of an old one as a whole.

        Raises FileError where the path cannot be written. `~` is the home folder.
        """
        packed = mg.files.pack_arrays(self.state_dict(session))
        mg.files.replace_file(weights_path(path), packed, path)

    def load(self, path: str | PathLike[str], session: mg.Session | None = None) -> None:
        """Takes over the arrays of a .npz file; nothing in it is executed.

        Raises FileError for a file that is missing, damaged, or holds anything but weights.
        """
        with mg.files.open_file(weights_path(path), path) as file:
            try:
                state = mg.files.unpack_arrays(file, self.check_fit)
            except mg.FileError as error:
                message = f"{path} is not a file of weights: {error.message}"
                raise mg.FileError(message, "load a file that Module.save wrote") from None
        self.load_state_dict(state, session)


BUILT_ALIKE = "load into a module built like the one that was saved"


def check_mapping(state: Any) -> dict[str, Array]:
    """{name: array} of a state that was passed. Raises ArgumentError for what is not a dict."""
    if not isinstance(state, Mapping):
        message = f"the state has the type {type(state).__name__}, and is not a dict"
        raise mg.ArgumentError(message, "pass what state_dict() returned")
    return {name: np.asarray(array) for name, array in state.items()}


def check_alike(name: str, value: Any, given: Any, hint: str) -> None:
    """Raises ShapeError unless what a state has under a name is of the value's shape and dtype."""
    own, new = (f"{x.dtype}{list(x.shape)}" for x in (value, given))
    if own != new:
        raise mg.ShapeError(f"{name} is {own}, but the state has {new}", hint)


def check_twins(own: Mapping[str, Any], state: Mapping[str, Any]) -> None:
    """Raises ArgumentError where a value that is stored under two names is to become two."""
    first: dict[int, str] = {}
    for name, value in own.items():
        twin = first.setdefault(id(value), name)
        if not np.array_equal(state[twin], state[name], equal_nan=True):
            message = f"{twin} and {name} share one value here, but the state has two"
            raise mg.ArgumentError(message, "load into a module built like the one that was saved")


def weights_path(path: str | PathLike[str]) -> "Path":
    """The path with .npz at its end, as numpy.savez completes it; a folder as it is."""
    path = mg.files.user_path(path)
    completed = path.parent / f"{path.name}.npz"
    folder = os.path.isdir(path) and not os.path.exists(completed)
    return path if path.suffix == ".npz" or folder else completed


def held_values(
    session: mg.Session | None, variables: Mapping[str, mg.Variable]
) -> dict[str, Array]:
    """{name: value} of {name: Variable} in the session, all at one moment."""
    if not variables:
        return {}
    values, _ = find_session(session, next(iter(variables))).state(variables.values())
    return {name: values[v.order] for name, v in variables.items()}


def find_session(session: mg.Session | None, name: str) -> mg.Session:
    """The Session that holds a Variable."""
    if session is None:
        message = f"{name} is a Variable, so its value is stored in a Session"
        raise mg.ArgumentError(message, "pass that session")
    return require_session(session)


def require_session(session: Any) -> mg.Session:
    """A Session that was passed. Raises ArgumentError for anything else."""
    if not isinstance(session, mg.Session):
        message = f"session={session!r} is not a Session"
        raise mg.ArgumentError(message, "pass the one that ran the graph: mg.Session(graph)")
    return session


STORED = (mg.Tensor, mg.Variable)


def find_in(
    name: str, held: Any, kinds: tuple[type, ...] = (*STORED, Module)
) -> Iterator[tuple[str, Any]]:
    """(name, Tensor, Variable or Module) for each in an attribute, by its place in lists, dicts."""
    if isinstance(held, kinds):
        yield name, held
    elif isinstance(held, (list, tuple, dict)):
        for key, inner in held.items() if isinstance(held, dict) else enumerate(held):
            yield from find_in(f"{name}.{key}", inner, kinds)


def summary_rows(
    module: Module, prefix: str, seen: set[int]
) -> Iterator[tuple[str, str, str, int]]:
    """(name, kind, what it stores, its parameters) of a module and its parts, each counted once."""
    own: list[tuple[str, Any]] = []
    parts: list[tuple[str, Any]] = []
    count = 0
    for attribute, held in vars(module).items():
        for name, found in find_in(attribute, held, (*STORED, Module, FunctionType)):
            (own if isinstance(found, STORED) else parts).append((name, found))
    for _, value in own:
        count += math.prod(value.shape) if is_trained(value) and id(value) not in seen else 0
        seen.add(id(value))
    stored = ", ".join(f"{name} {list(value.shape)}" for name, value in own)
    yield prefix, type(module).__name__, stored, count
    for name, part in parts:
        place = f"{prefix}.{name}" if prefix else name
        if isinstance(part, Module) and id(part) not in seen:
            seen.add(id(part))
            yield from summary_rows(part, place, seen)
        else:
            yield place, getattr(part, "__name__", type(part).__name__), "", 0


def is_trained(value: Parameter) -> bool:
    """True for a parameter; False for what is only stored, such as running statistics."""
    return bool(value.requires_grad if isinstance(value, mg.Tensor) else value.trainable)


class Layer(Module):
    """A Module of one input: it gives a Tensor for a Tensor, a Node for a Node."""

    if TYPE_CHECKING:

        @overload
        def __call__(self, x: V) -> V: ...
        @overload  # an array meets the weights
        def __call__(self, x: Any) -> Parameter: ...
        def __call__(self, x: Any) -> Any: ...


class Sequential(Layer):
    """Apply modules in sequence; a function of one value, such as mg.softmax, is also accepted.

    len(net) counts them, net[0] is the first, net[:2] a Sequential of the first two.

    >>> mg.nn.Sequential(mg.nn.Linear(3, 2), mg.nn.ReLU())(mg.ones((5, 3))).shape
    (5, 2)
    """

    def __init__(self, *layers: Callable[[Any], Any]) -> None:
        for layer in layers:
            if not callable(layer):
                message = f"a layer has the type {type(layer).__name__}, which cannot be called"
                hint = "pass layers one by one, or a list of them with a star: Sequential(*layers)"
                raise mg.UsageError(message, hint)
        self.layers = list(layers)

    def __len__(self) -> int:
        return len(self.layers)

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> "Sequential": ...
    def __getitem__(self, place: int | slice) -> Any:
        found = self.layers[place]
        return Sequential(*found) if isinstance(found, list) else found

    def __iter__(self) -> Iterator[Any]:
        return iter(self.layers)

    def forward(self, x: Any) -> Any:
        """The last module's result."""
        for layer in self.layers:
            x = layer(x)
        return x


# layers with weights -----------------------------------------------------------------------------


def check_sizes(**sizes: Any) -> None:
    """Raises ArgumentError for a size of a layer that is no whole number above 0."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise mg.ArgumentError(f"{name}={size!r}", "pass a whole number of 1 or more")


def both_sides(name: str, size: Any) -> tuple[Any, Any]:
    """(height, width) of a size that is one number for both, or two."""
    sides = tuple(size) if isinstance(size, (tuple, list)) else (size, size)
    if len(sides) != 2:
        raise mg.ArgumentError(f"{name}={size!r}", "pass one whole number, or (height, width)")
    return sides


class Linear(Layer):
    """Compute y = x W + b.   x [n,inputs] → y [n,outputs].

    >>> mg.nn.Linear(3, 2)(mg.ones((5, 3))).shape
    (5, 2)
    """

    def __init__(self, inputs: int, outputs: int, bias: bool = True, dtype: Any = float) -> None:
        check_sizes(inputs=inputs, outputs=outputs)
        self.W = parameter(uniform(inputs, (inputs, outputs), dtype), "W")
        self.b = parameter(np.zeros(outputs, dtype), "b") if bias else None

    def forward(self, x: Any) -> Any:
        """y = x W + b."""
        return linear(x, self.W, self.b)


@mg.composite
def linear(x: Any, W: Any, b: Any) -> Any:
    """y = x W + b, or x W where b is None."""
    y = x @ W
    return y if b is None else y + b


class Conv2d(Layer):
    """Compute y = conv2d(x, W) + b.   x [n,inputs,h,w] → y [n,outputs,h',w'].

    >>> mg.nn.Conv2d(1, 2, 3)(mg.ones((1, 1, 5, 5))).shape
    (1, 2, 3, 3)
    """

    def __init__(
        self,
        inputs: int,
        outputs: int,
        size: Size,
        stride: Size = 1,
        padding: Size = 0,
        bias: bool = True,
        dtype: Any = float,
    ) -> None:
        height, width = both_sides("size", size)
        check_sizes(inputs=inputs, outputs=outputs, height=height, width=width)
        shape = (outputs, inputs, height, width)
        self.W = parameter(uniform(inputs * height * width, shape, dtype), "W")
        self.b = parameter(np.zeros((outputs, 1, 1), dtype), "b") if bias else None
        self.stride, self.padding = stride, padding

    def forward(self, x: Any) -> Any:
        """y = conv2d(x, W) + b."""
        y = mg.conv2d(x, self.W, self.stride, self.padding)
        return y if self.b is None else y + self.b


class Embedding(Layer):
    """Compute y = W[x], a row of W for each number in x.   x […] whole numbers → y […,size].

    W [count,size] starts from the normal distribution. A negative number counts from the end.

    >>> mg.nn.Embedding(10, 4)(np.array([1, 2, 3])).shape
    (3, 4)
    """

    def __init__(self, count: int, size: int, dtype: Any = float) -> None:
        check_sizes(count=count, size=size)
        weights = seeded_generators()[0].standard_normal((count, size))
        self.W = parameter(mg.cast(weights, dtype), "W")

    def forward(self, x: Any) -> Any:
        """y = W[x]."""
        return mg.take(self.W, x, axis=0)


class SelfAttention(Layer):
    """Compute y = mean W + b, where row i of `mean` is a mean of the rows of v, with the weights
    softmax(q[i] · k / √d), and x W + b gives q, k and v.   x […,t,size] → y […,t,size].

    Each of the `heads` computes a mean of its own, of d = size/heads columns. With `causal`, row i
    has no weight for a later one. Half precision is averaged in float32.
    Source: Vaswani et al., 2017, section 3.2.

    >>> mg.nn.SelfAttention(4)(mg.ones((2, 3, 4))).shape
    (2, 3, 4)
    """

    def __init__(self, size: int, heads: int = 1, causal: bool = False, dtype: Any = float) -> None:
        check_sizes(size=size, heads=heads)
        if size % heads:
            message = f"size={size} is not a multiple of heads={heads}"
            raise mg.ArgumentError(message, "choose a size that is a multiple of heads")
        self.inputs = Linear(size, 3 * size, dtype=dtype)
        self.outputs = Linear(size, size, dtype=dtype)
        self.heads, self.causal = heads, causal

    def forward(self, x: Any) -> Any:
        """The weighted means, seen through W and b."""
        size = self.outputs.W.shape[0]
        x = check_axes(x, -1, (size,), 2, self)
        steps = x.shape[-2]
        if steps is None:
            message = f"SelfAttention needs a known number of rows, but x is {list(x.shape)}"
            raise mg.ShapeError(message, "declare it in the placeholder: shape=(None, 32, size)")
        joined = self.inputs(x)
        parts = [joined[..., at : at + size] for at in range(0, 3 * size, size)]
        if steps == 0:
            return self.outputs(parts[2])  # no rows have no means
        lengths = (joined_length(x.shape[:-2]), steps, self.heads, size // self.heads)
        q, k, v = (mg.transpose(reshape_open(part, lengths, self), HEADS) for part in parts)
        mean = mg.transpose(attention(q, k, v, self.causal), HEADS)
        return self.outputs(reshape_open(mean, x.shape, self))


HEADS = (0, 2, 1, 3)  # the axes [n,t,heads,d] as [n,heads,t,d], and back


@mg.composite
def attention(q: Any, k: Any, v: Any, causal: bool) -> Any:
    """mean = softmax(q kᵀ / √d) v, in `causal` without later rows.   all […,t,d]."""
    keys = mg.transpose(in_single(k), (*range(k.ndim - 2), -1, -2))
    scores = in_single(q) @ keys / math.sqrt(q.shape[-1])
    if causal:
        scores = mg.where(np.tri(*scores.shape[-2:]) > 0, scores, -np.inf)
    return as_half(mg.softmax(scores) @ in_single(v), v)


class RNNCell(Module):
    """Compute h' = tanh(x Wx + h Wh + b).   x [n,inputs], h [n,hidden] → h' [n,hidden].

    >>> mg.nn.RNNCell(3, 4)(mg.ones((2, 3)), mg.zeros((2, 4))).shape
    (2, 4)
    """

    def __init__(self, inputs: int, hidden: int, dtype: Any = float) -> None:
        check_sizes(inputs=inputs, hidden=hidden)
        self.Wx = parameter(uniform(inputs, (inputs, hidden), dtype), "Wx")
        self.Wh = parameter(uniform(hidden, (hidden, hidden), dtype) / 2, "Wh")
        self.b = parameter(np.zeros(hidden, dtype), "b")

    if TYPE_CHECKING:

        def __call__(self, x: V | np.ndarray, h: V) -> V: ...

    def forward(self, x: Any, h: Any) -> Any:
        """h' = tanh(x Wx + h Wh + b)."""
        return mg.tanh(x @ self.Wx + h @ self.Wh + self.b)


# layers that normalise ---------------------------------------------------------------------------


def check_axes(x: Any, first: int, lengths: tuple[int, ...], least: int, layer: Module) -> Any:
    """x, of which a run checks what is not known yet.
    Raises ShapeError unless x's axes from `first` on have these lengths: none is stretched."""
    own = tuple(x.shape[first:][: len(lengths)])
    if len(x.shape) < least or any(n not in (None, m) for n, m in zip(own, lengths)):
        kind = type(layer).__name__
        message = f"{kind} for entries of {list(lengths)} cannot take an x of {list(x.shape)}"
        raise mg.ShapeError(message, "create the layer with the lengths that x has")
    start = first % len(x.shape)
    return mg.ensure_shape(x, (*x.shape[:start], *lengths, *x.shape[start + len(lengths) :]))


def joined_length(lengths: tuple[int | None, ...]) -> int | None:
    """The length of axes that become one; None where one of theirs is unknown."""
    return None if None in lengths else math.prod(n for n in lengths if n is not None)


def reshape_open(x: Any, lengths: tuple[int | None, ...], layer: Module) -> Any:
    """x in a shape of which a run finds one length, given as None. Raises ShapeError for more."""
    if lengths.count(None) > (0 not in lengths):
        message = f"{type(layer).__name__} cannot compute the unknown lengths of {list(lengths)}"
        hint = "declare them in the placeholder of x: all but one, or all where one is 0"
        raise mg.ShapeError(message, hint)
    return mg.reshape(x, tuple(-1 if n is None else n for n in lengths))


HALF = np.dtype(np.float16)


def in_single(x: Any) -> Any:
    """x; float16, in which 256 has no square, as float32."""
    return mg.cast(x, np.float32) if x.dtype == HALF else x


def as_half(z: Any, x: Any) -> Any:
    """z, computed from x in single precision, in float16 where x is."""
    return mg.cast(z, HALF) if x.dtype == HALF else z


class LayerNorm(Layer):
    """Compute y = (x - mean) / √(var + ε) · gain + bias over the last axes, of the lengths `size`.

    x […,*size] → y […,*size]; size is a number or a tuple. var is divided by the number of entries.
    Source: Ba, Kiros and Hinton, 2016, section 3.

    >>> mg.nn.LayerNorm(4)(mg.ones((2, 4))).shape
    (2, 4)
    """

    def __init__(self, size: Any, eps: float = 1e-5, dtype: Any = float) -> None:
        size = tuple(size) if isinstance(size, (tuple, list)) else (size,)
        check_sizes(**{f"size[{i}]": length for i, length in enumerate(size)})
        self.gain = parameter(mg.cast(np.ones(size), dtype), "gain")
        self.bias, self.eps = parameter(np.zeros(size, dtype), "bias"), eps

    def forward(self, x: Any) -> Any:
        """The normalised x."""
        size = self.gain.shape
        x = check_axes(x, -len(size), size, len(size), self)
        return layer_norm(x, self.gain, self.bias, self.eps)


@mg.composite
def layer_norm(x: Any, gain: Any, bias: Any, eps: float) -> Any:
    """y = (x - mean) / √(var + ε) · gain + bias over the axes of gain."""
    axes, wide = tuple(range(-gain.ndim, 0)), in_single(x)
    spread = mg.sqrt(mg.var(wide, axes, keepdims=True) + eps)
    z = (wide - mg.mean(wide, axes, keepdims=True)) / spread
    return as_half(z, x) * gain + bias


class BatchNorm(Layer):
    """Compute y = (x - mean) / √(var + ε) · gain + bias over the examples (and pixels) of a batch.

    x [n,size,…]. In training the statistics are the batch's, var divided by its n entries, and
    running averages are kept (in a graph, by the nodes of updates()), where var is the unbiased
    one, divided by n - 1; in evaluation these averages are used. Half precision is averaged in
    float32, and so are the running averages.
    Source: Ioffe and Szegedy, 2015, algorithm 2.

    >>> mg.nn.BatchNorm(4)(mg.ones((2, 4))).shape
    (2, 4)
    """

    def __init__(
        self, size: int, momentum: float = 0.1, eps: float = 1e-5, dtype: Any = float
    ) -> None:
        check_sizes(size=size)
        self.gain = parameter(mg.cast(np.ones(size), dtype), "gain")
        self.bias = parameter(np.zeros(size, dtype), "bias")
        exact = np.promote_types(dtype, np.float32)
        self.mean = parameter(np.zeros(size, exact), "mean", trainable=False)
        self.var = parameter(np.ones(size, exact), "var", trainable=False)
        self.momentum, self.eps = momentum, eps
        self.pending: list[mg.Node] = []

    def forward(self, x: Any) -> Any:
        """The normalised x."""
        x = check_axes(x, 1, self.gain.shape, 2, self)
        kept = None if self.training else (self.mean, self.var)
        y, mean = batch_norm(x, self.gain, self.bias, kept, self.eps)
        if self.training:
            unbiased = mg.var(in_single(x), axes_beside(x, 1), ddof=1)
            self.keep(self.mean, mean)
            self.keep(self.var, unbiased)
        return y

    def keep(self, running: Any, now: Any) -> None:
        """running ← running + momentum (now - running)."""
        if isinstance(running, mg.Variable):
            self.pending.append(mg.assign_add(running, self.momentum * (now - running)))
        elif isinstance(now, mg.Node):
            raise mg.GraphError(
                "BatchNorm keeps running averages in training, but those of "
                "Tensors cannot change inside a graph or a traced function",
                "call eval() first, or build the layer inside the Graph",
            )
        else:
            with mg.no_grad():
                running += self.momentum * (now - running)


@mg.composite
def batch_norm(x: Any, gain: Any, bias: Any, kept: Any, eps: float) -> Any:
    """(y, mean): y = (x - mean) / √(var + ε) · gain + bias, by the (mean, var) that were kept, or
    those of the batch."""
    axes, wide = axes_beside(x, 1), in_single(x)
    mean, var = kept or (mg.mean(wide, axes), mg.var(wide, axes))
    across = [gain, bias, mean, mg.sqrt(var + eps)]
    gain, bias, middle, spread = [mg.reshape(v, (-1,) + (1,) * (x.ndim - 2)) for v in across]
    return as_half((wide - middle) / spread, x) * gain + bias, mean


def axes_beside(x: Any, axis: int) -> tuple[int, ...]:
    """All axes of a value but one."""
    return tuple(a for a in range(x.ndim) if a != axis)


# losses ------------------------------------------------------------------------------------------


class CrossEntropyLoss(Module):
    """Compute z = cross_entropy(scores, labels); labels are whole numbers [n] or probabilities.

    >>> mg.nn.CrossEntropyLoss()(mg.tensor([[0.0, 0.0]]), [1])
    tensor(0.69314718)
    """

    def forward(self, scores: Any, labels: Any) -> Any:
        """The mean over the examples of -ln softmax(scores) of their label."""
        return mg.cross_entropy(scores, labels)


class MSELoss(Module):
    """Compute z = mse(x, y).

    >>> mg.nn.MSELoss()(mg.tensor([1.0, 2.0]), [1.0, 4.0])
    tensor(2.)
    """

    def forward(self, x: Any, y: Any) -> Any:
        """The mean of (x - y)²."""
        return mg.mse(x, y)


# layers without weights --------------------------------------------------------------------------


class Dropout(Layer):
    """Set entries to 0 with probability `rate` in training, and scale the others up.

    Without a `seed` each layer gets its own, so that no two thin out the same entries.
    Source: Srivastava et al., 2014, scaled in training instead of in evaluation (section 10).

    >>> mg.nn.Dropout(0.5).eval()(mg.ones(3))
    tensor([1., 1., 1.])
    """

    def __init__(self, rate: float, seed: int | None = None) -> None:
        self.rate, self.calls = rate, 0
        self.seed = int(seeded_generators()[1].integers(2**32)) if seed is None else seed
        mg.dropout(np.ones(()), rate, self.seed)  # raises for what it cannot take

    def forward(self, x: Any) -> Any:
        """x, thinned out in training; another draw at each call, and of Nodes in each run."""
        if not self.training:
            return x
        before, self.calls = self.calls, self.calls + 1
        if isinstance(x, mg.Node):  # its key is the number of the run: calls differ by the seed
            return mg.dropout(x, self.rate, self.seed + (before << 32) if before else self.seed)
        return mg.dropout(x, self.rate, self.seed, self.calls)


class MaxPool2d(Layer):
    """Compute the largest entry of each window of `size`.

    >>> mg.nn.MaxPool2d(2)(mg.ones((1, 1, 4, 4))).shape
    (1, 1, 2, 2)
    """

    def __init__(self, size: Size, stride: Size | None = None) -> None:
        self.size, self.stride = size, stride

    def forward(self, x: Any) -> Any:
        """max_pool2d(x)."""
        return mg.max_pool2d(x, self.size, self.stride)


class Flatten(Layer):
    """Reshape x [n, …] to rows y [n, rest].

    >>> mg.nn.Flatten()(mg.ones((2, 3, 4))).shape
    (2, 12)
    """

    def forward(self, x: Any) -> Any:
        """x with all axes but the first in one."""
        return reshape_open(x, (*(x.shape[:1] or (1,)), joined_length(x.shape[1:])), self)


class ReLU(Layer):
    """Compute y = max(x, 0).

    >>> mg.nn.ReLU()(mg.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def forward(self, x: Any) -> Any:
        """y = max(x, 0)."""
        return mg.relu(x)


class Tanh(Layer):
    """Compute y = tanh(x).

    >>> mg.nn.Tanh()(mg.tensor([0.0]))
    tensor([0.])
    """

    def forward(self, x: Any) -> Any:
        """y = tanh(x)."""
        return mg.tanh(x)


class Sigmoid(Layer):
    """Compute y = 1 / (1 + exp(-x)).

    >>> mg.nn.Sigmoid()(mg.tensor([0.0]))
    tensor([0.5])
    """

    def forward(self, x: Any) -> Any:
        """y = 1 / (1 + exp(-x))."""
        return mg.sigmoid(x)
