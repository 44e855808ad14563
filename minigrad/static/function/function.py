"""@function: a Python function traced into a graph, which then runs in its place."""

import functools
import inspect
import types
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from minigrad.core.autodiff import differentiable_path, label
from minigrad.core.custom import Custom
from minigrad.core.errors import ArgumentError, name_of
from minigrad.core.modes import mode
from minigrad.core.op import ARRAYS, Value
from minigrad.core.pytree import flatten, unflatten
from minigrad.core.spec import Spec, as_array, spec_of
from minigrad.dynamic.tensor import Tensor, new_tensor
from minigrad.static.function.call import (
    call_op,
    pack_values,
    unpack_vector,
    without_statements,
)
from minigrad.static.function.key import Array, Fixed, Nest, describe, differences, inside
from minigrad.static.function.tracing import Tracer, compare_traces
from minigrad.static.graph import Graph, Node, RunIndex
from minigrad.static.session import Session

TRACES_KEPT = 256  # traces of one function that are kept; the least recently used one is dropped
P = ParamSpec("P")  # the parameters of a traced function
R = TypeVar("R")  # its result
MANY_TRACES = 10  # traces of one function, from which on a warning says what varies


class TracedCall:
    """A traced call: its `key`, what `cause`d it, the `graph`, and how often it has run."""

    last: int  # the call that ran it last

    def __init__(
        self,
        function: Callable[..., Any],
        tracer: Tracer,
        leaves: list[Any],
        structure: Any,
        key: tuple[Any, ...],
        changes: list[tuple[str, str]],
    ) -> None:
        self.name, self.graph, self.key, self.changes = tracer.name, tracer.graph, key, changes
        self.leaves, self.structure, self.calls = leaves, structure, 0
        self.captured = [tensor for tensor, _ in tracer.captured.values()]
        self.pattern = [tensor.requires_grad for tensor in self.captured]
        around = [(name, tensors_in(x)) for name, x in surroundings(function).items()]
        used = tracer.captured.keys()
        self.bound = [(n, found) for n, found in around if any(id(t) in used for _, t in found)]
        self.draws = [n for n in self.graph.nodes if n.op is RunIndex]
        formals = [*tracer.formals, *(n for _, n in tracer.captured.values()), *self.draws]
        self.session, self.formals = Session(self.graph), formals
        self.arrange([e.requires_grad for e in key if isinstance(e, Array)] + self.pattern)

    def __repr__(self) -> str:
        return f"<trace of {self.name}: {len(self.graph.nodes)} nodes, {self.calls} calls>"

    def arrange(self, grads: list[bool]) -> None:
        """Splits the results: those with derivatives come from one op, the others run beside it."""
        nodes = [x for x in self.leaves if isinstance(x, Node)]
        moved = [x for x, grad in zip(self.formals, grads) if grad and mode().recording]
        reached = differentiable_path(moved, nodes) if moved else ()
        self.packed_nodes = list({n.order: n for n in nodes if n.order in reached}.values())
        self.beside = [n for n in nodes if n.order not in reached]
        self.effects = find_effects(self.graph)
        self.op, packs = None, []
        if self.packed_nodes:
            with self.graph:
                packs = [pack_values(self.packed_nodes)]
            self.op = self.derivable_op(packs[0])
        self.fetches = [*packs, *self.beside, *self.effects]

    def derivable_op(self, result: Node) -> Any:
        """The op that computes `result`, for its derivatives: these repeat no statement."""
        if not self.effects:
            return call_op(self.name, self.session, self.formals, result)
        formals, result = without_statements(self.formals, result)
        return call_op(self.name, Session(result.graph), formals, result)

    @property
    def cause(self) -> str:
        """Why the trace was made, as a text."""
        return "; ".join(how for _, how in self.changes)

    def retrace_reason(self, function: Callable[..., Any]) -> tuple[str, str] | None:
        """(what makes the trace unfit for a call with its key, how); None when nothing does."""
        for tensor, before in zip(self.captured, self.pattern):
            if tensor.requires_grad != before:
                name, now = label(tensor), tensor.requires_grad
                return name, f"{name}: requires_grad {before} → {now}"
        around = surroundings(function) if self.bound else {}
        for name, before in self.bound:
            found = tensors_in(around.get(name))
            if [(path, id(t)) for path, t in found] != [(path, id(t)) for path, t in before]:
                changed = {path for path, t in found} ^ {path for path, t in before} | {
                    path for (path, t), (_, old) in zip(found, before) if t is not old
                }
                full = f"{name}{min(changed)}"
                return full, f"{full}: the name stands for another Tensor"
        return None

    def call(self, leaves: list[Any], index: int) -> Any:
        """What the function returns for these arguments: Tensors if any Tensor takes part."""
        given = [*leaves, *self.captured, *[np.asarray(index)] * len(self.draws)]
        arrays = [x.array if isinstance(x, Tensor) else x for x in given]
        results = self.session.run(self.fetches, dict(zip(self.formals, arrays)))
        self.calls += 1
        dynamic = any(isinstance(x, Tensor) for x in given)
        values = {}
        if self.op:
            inputs = tuple([x if isinstance(x, Tensor) else new_tensor(as_array(x)) for x in given])
            z = new_tensor(results.pop(0), self.op, inputs, {}, True)
            parts = unpack_vector(z, list(map(spec_of, self.packed_nodes)))
            values = {node.order: part for node, part in zip(self.packed_nodes, parts)}
        for node, array in zip(self.beside, results):
            values[node.order] = new_tensor(array) if dynamic else array
        copied = [np.array(x) if isinstance(x, ARRAYS) else x for x in self.leaves]
        found = [values[x.order] if isinstance(x, Node) else x for x in copied]
        return unflatten(self.structure, found)


def find_effects(graph: Graph) -> list[Node]:
    """The nodes that run at each call, whether or not what the function returns needs them."""
    read = {x.order for n in graph.nodes for x in n.inputs}
    own = [n for n in graph.nodes if issubclass(n.op, Custom) and n.order not in read]
    return sorted([n for n in graph.nodes if n.op.effect] + own, key=lambda n: n.order)


def tensors_in(thing: Any) -> list[tuple[str, Tensor]]:
    """(where, Tensor) for a Tensor, and for those that a container or an object holds."""
    return [(path, x) for path, x in inside(thing) if isinstance(x, Tensor)]


def surroundings(function: Any) -> dict[str, Any]:
    """{name: value} of what a Python function takes from outside by name."""
    code = getattr(function, "__code__", None)
    if code is None:
        return {}
    around = function.__globals__
    found = {name: around[name] for name in code.co_names if name in around}
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return found


class Function(Generic[P, R]):
    """A Python function that runs as a graph; made by `function`.

    `traces` lists its traces, newest last, each with `key`, `cause` and `graph`.
    """

    traces: list[TracedCall]
    traces_by_key: dict[Any, Any]

    def __init__(self, python: Callable[P, R], check: bool) -> None:
        functools.update_wrapper(self, python)
        self.python, self.check, self.signature = python, check, inspect.signature(python)
        self.name = name_of(python)
        self.traces, self.traces_by_key, self.calls, self.keep = [], {}, 0, TRACES_KEPT

    def __reduce__(self) -> Any:
        """A function of a module pickles as its name, another with its code; traced again there."""
        path = getattr(self.python, "__qualname__", "<locals>")
        by_name = "<locals>" not in path and self.__module__ != "__main__"
        return path if by_name else (Function, (self.python, self.check))

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        """As a method: the object is the first argument, and a part of the key by identity."""
        return self if owner is None else types.MethodType(self, owner)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        entries = [Fixed("gradients", str, "recorded" if mode().recording else "not recorded")]
        for name, argument in bound.arguments.items():
            describe(argument, name, entries)
        leaves, _ = flatten([*bound.arguments.values()])
        leaves = [x for x in leaves if isinstance(x, (Value, *ARRAYS))]
        if mode().tracing or any(isinstance(x, Node) for x in leaves):
            return self.python(*args, **kwargs)
        self.calls += 1
        result: R = self.trace(bound, tuple(entries)).call(leaves, self.calls - 1)
        return result

    def trace(self, bound: inspect.BoundArguments, key: tuple[Any, ...]) -> Any:
        """The trace for a call, made now when there is none or the one there is outdated."""
        known = self.traces_by_key.get(key)
        reason = known and known.retrace_reason(self.python)
        if known and not reason:
            known.last = self.calls
            return known
        changes = [reason] if reason else self.changes(key)
        tries: list[Any] = []
        for _ in range(2 if self.check else 1):
            tracer = Tracer(self.name)
            tries.append((tracer, *tracer.trace(self.python, [bound.args, bound.kwargs], key[1:])))
        if self.check:
            compare_traces(*tries)
        tracer, leaves, structure = tries[0]
        made = self.traces_by_key[key] = TracedCall(
            self.python, tracer, leaves, structure, key, changes
        )
        self.traces.append(made)
        made.last = self.calls
        while len(self.traces) > self.keep:
            self.forget(min(self.traces, key=lambda trace: trace.last))
        if len(self.traces) == MANY_TRACES:
            self.warn()
        return made

    def forget(self, trace: TracedCall) -> None:
        """Drops a trace."""
        self.traces.remove(trace)
        self.traces_by_key = {
            key: kept for key, kept in self.traces_by_key.items() if kept is not trace
        }

    def changes(self, key: tuple[Any, ...]) -> list[tuple[str, str]]:
        """(what changed, how) for a new key: how it differs from the most similar one."""
        if not self.traces:
            return [("", "the first call")]
        return min([differences(trace.key, key) for trace in reversed(self.traces)], key=len)

    def warn(self) -> None:
        """Says that traces pile up, and which part of the key makes them."""
        names = Counter(name for t in self.traces[1:] for name in dict(t.changes))
        ((name, times),) = names.most_common(1)
        warnings.warn(
            f"{self.name} was traced {MANY_TRACES} times, {times} of them because of {name} "
            f"({self.traces[-1].cause}): pass a number that varies as an array, "
            "np.asarray(n), and arrays in few shapes",
            stacklevel=4,
        )

    def explain(self) -> str:
        """Each trace with its size, its calls and why it was made, as a text."""
        lines = [f"{self.name}: {len(self.traces)} traces, {self.calls} calls"]
        for number, t in enumerate(self.traces, 1):
            lines.append(f"  {number}. {len(t.graph.nodes)} nodes, {t.calls} calls; {t.cause}")
            entries = [entry for entry in t.key[1:] if not isinstance(entry, Nest)]
            lines += [f"       {entry.label}: {spec_text(entry)}" for entry in entries]
        return "\n".join(lines)


def spec_text(entry: Any) -> str:
    """An argument's entry in a line."""
    if isinstance(entry, Array):
        return f"{Spec(entry.shape, entry.dtype)}{', requires_grad' * entry.requires_grad}"
    return f"{entry.type.__name__} {entry.value}"


@overload
def function(python: Callable[P, R], *, check: bool = False) -> Function[P, R]: ...
@overload
def function(*, check: bool = False) -> Callable[[Callable[P, R]], Function[P, R]]: ...


def function(python: Callable[..., Any] | None = None, *, check: bool = False) -> Any:
    """Trace the decorated function into a graph at its first call, and run that graph afterwards.

    A trace serves all calls whose arguments are nested alike and have the same shapes, dtypes,
    requires_grad, Python values and grad mode; another call is traced again, and `f.traces` and
    `f.explain()` say why. Tensors and arrays are arguments of the graph, and so are Tensors that
    the function takes from outside: they are read, and get gradients, at each call. All else is
    fixed when it is traced: Python numbers (in lists too), arrays and objects from outside, and
    what the function prints or appends to. It returns Tensors where a Tensor took part, else
    arrays. On Nodes it just runs. Derivatives compute again what they need of the result.
    `check=True` traces twice, and raises GraphError when that gives two different graphs.
    Raises GraphError where Python looks into a value: bool, int, float, iteration.

    >>> @mg.function
    ... def square(x):
    ...     return x * x
    >>> square(mg.tensor(3.0))
    tensor(9.)
    """
    if python is None:
        return functools.partial(function, check=check)
    if not callable(python):
        raise ArgumentError(f"{python!r} is not a function", "write @mg.function above a def")
    return Function(python, check)
