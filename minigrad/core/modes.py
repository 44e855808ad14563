"""Modes: whether operations are remembered, and whether lazy; and the graph that is open."""

import functools
import gc
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol, TypeVar, cast, overload

from minigrad.core.errors import name_of

F = TypeVar("F", bound=Callable[..., Any])


class Mode(NamedTuple):
    """What holds: are operations remembered, are they lazy.

    `lazy` is what puts an op off now, and `tracing` the tracer that turns a Python function into a
    graph, or None; `lines` keeps where each Tensor was made; `plain` leaves shortcuts out.
    """

    recording: bool = True
    lazy: Any = None
    tracing: Any = None
    lines: bool = False
    plain: bool = False


# The usual modes; they are told from all others by `is`, which takes the least time.
REMEMBER, FORGET = Mode(), Mode(recording=False)

current = ContextVar("mode", default=REMEMBER)
mode = current.get  # mode() is the Mode of the running thread
# what held before, and before that
entered: ContextVar[tuple[Any, ...]] = ContextVar("entered", default=())


# The graph whose `with` block is the innermost open one, and those around it: each thread and each
# asyncio task has its own.
opened: ContextVar[tuple[Any, ...]] = ContextVar("opened", default=(None, ()))


def open_graph() -> Any:
    """Return the graph of the innermost open `with graph:`, or None.

    >>> mg.open_graph() is None
    True
    """
    return opened.get()[0]


class CompositeCall:
    """One call of a function that consists of several ops; nodes made in it are `made_by` it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


composite_call: ContextVar[CompositeCall | None] = ContextVar("composite_call", default=None)


def composite(function: F) -> F:
    """Marks a function as one operation of drawings, though it consists of several ops.

    Its nodes in a Graph are `made_by` the call, under the function's name; a training step shows
    them as one card. Within another such call they belong to that one.

    >>> @mg.composite
    ... def attention(q, k, v):
    ...     return mg.softmax(q @ mg.transpose(k), axis=1) @ v
    """
    name = name_of(function)

    @functools.wraps(function)
    def call(*operands: Any, **params: Any) -> Any:
        if composite_call.get() is not None:
            return function(*operands, **params)
        before = composite_call.set(CompositeCall(name))
        try:
            return function(*operands, **params)
        finally:
            composite_call.reset(before)

    return cast(F, call)


class Switch(ContextDecorator):
    """Sets one entry of the Mode within a `with` block, or in each call of a decorated function."""

    def __init__(self, entry: str, value: Any) -> None:
        self.at, self.value = Mode._fields.index(entry), value

    def __enter__(self) -> None:
        before = mode()
        inside = self.replace(before, self.value)
        # what held before belongs to this thread, not to the Switch, which others may use as well
        entered.set((before, inside, entered.get()))
        if inside is not before:
            current.set(inside)

    def __exit__(self, *exception: Any) -> None:
        before, inside, rest = entered.get()
        entered.set(rest)
        now = mode()  # another entry may have changed on the way, and stays so
        if now is not inside:
            before = self.replace(now, before[self.at])
        if now is not before:
            current.set(before)

    def replace(self, now: Mode, value: Any) -> Mode:
        """The mode `now` with the one entry changed."""
        at = self.at
        if now[at] is value:
            return now
        found = Mode._make((*now[:at], value, *now[at + 1 :]))
        return REMEMBER if found == REMEMBER else FORGET if found == FORGET else found


class BlockOrDecorator(Protocol):
    """`with no_grad():`, `@no_grad` or `@no_grad()`, as types see it."""

    @overload
    def __call__(self) -> Switch: ...
    @overload
    def __call__(self, function: F) -> F: ...


def block_or_decorator(function: Callable[[Any], Any]) -> BlockOrDecorator:
    """The function, of which types then know both uses."""
    return cast(BlockOrDecorator, function)


NO_GRAD, ENABLE_GRAD = Switch("recording", False), Switch("recording", True)
KEEP_LINES, PLAIN = Switch("lines", True), Switch("plain", True)


def use_switch(switch: Switch, function: Callable[..., Any] | None = None) -> Any:
    """The Switch, or, where it is written as a decorator without brackets, the decorated
    function."""
    return switch if function is None else switch(function)


@block_or_decorator
def no_grad(function: Callable[..., Any] | None = None) -> Any:
    """Compute without recording in `with no_grad():`; `@no_grad` does so in a function.

    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> with mg.no_grad():
    ...     y = x * x
    >>> y.requires_grad
    False
    """
    return use_switch(NO_GRAD, function)


@block_or_decorator
def enable_grad(function: Callable[..., Any] | None = None) -> Any:
    """Record again inside a no_grad block: `with enable_grad():`; also a decorator.

    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> with mg.no_grad(), mg.enable_grad():
    ...     y = x * x
    >>> y.requires_grad
    True
    """
    return use_switch(ENABLE_GRAD, function)


def tracing(tracer: Any) -> Switch:
    """`with tracing(tracer):` hands every op on Tensors to the tracer."""
    return Switch("tracing", tracer)


@block_or_decorator
def keep_lines(function: Callable[..., Any] | None = None) -> Any:
    """Give every new Tensor the `line` of your code that made it; also a decorator.

    >>> with mg.keep_lines():
    ...     y = mg.tensor(1.0) * 2
    >>> y.line is not None
    True
    """
    return use_switch(KEEP_LINES, function)


@block_or_decorator
def plain(function: Callable[..., Any] | None = None) -> Any:
    """Compute without the shortcuts of `fast/` in `with plain():`; also a decorator.

    The numbers are the same, bit for bit. What a Session compiles is not concerned.

    >>> with mg.plain():
    ...     y = mg.tensor(2.0) * 3
    >>> y
    tensor(6.)
    """
    return use_switch(PLAIN, function)


@contextmanager
def no_search_for_garbage() -> Iterator[None]:
    """Leaves Python's collector out where very many objects are made that stay: it would walk them
    in vain."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
