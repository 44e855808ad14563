"""The static engine's runner: compiles what is fetched from what is fed, once, and runs it."""

import warnings
from collections.abc import Iterable
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, overload

import numpy as np

from minigrad.compiler import BACKENDS, can_raise, compile_program, explain, schedule_program
from minigrad.core.errors import ArgumentError, FeedError, GraphError
from minigrad.core.pytree import flatten, unflatten
from minigrad.core.signatures import Array
from minigrad.core.spec import Spec, spec_of
from minigrad.static.feeds import (
    check_fetches,
    check_variables,
    convert_feed,
    example_specs,
    is_ready,
    read_feeds,
)
from minigrad.static.graph import Graph, Node, Variable, default_graph
from minigrad.static.interpret import Interpreter
from minigrad.static.program import cut, name_node, suggest_feed

if TYPE_CHECKING:
    from minigrad.compiler.memory import Plan
    from minigrad.compiler.pipeline import PassReport
    from minigrad.measure.profiling import Profile

Feeds: TypeAlias = dict[Any, Any] | None  # {node: value}
K = TypeVar("K")
N = TypeVar("N", bound=Node)

GROWING = 20  # runs in a row that each found a larger graph, before a warning is given
PROGRAMS_KEPT = 128  # by a Session; one for which there is no room is compiled again


class Options(NamedTuple):
    """How programs are compiled."""

    optimize: bool = True
    rules: str = "safe"
    backend: str = "codegen"
    debug: bool = False


class Store(dict[int, np.ndarray]):
    """{order of a variable: its value}, with the arrays that the values before these were in.

    A value is computed into such a back buffer, so that a run that fails leaves the present one.
    """

    def __init__(self) -> None:
        self.back_buffers: dict[int, np.ndarray | None] = {}

    def value(self, order: int, initial: np.ndarray) -> np.ndarray:
        """A variable's value, row by row; an initial one kept as a single number is stored now."""
        if order not in self and not initial.flags.c_contiguous:
            self[order] = np.array(initial, order="C")
        return self.get(order, initial)

    def target(self, order: int, initial: np.ndarray) -> np.ndarray:
        """The array for a variable's next value."""
        back_buffer = self.back_buffers.pop(order, None)
        return np.empty(initial.shape, initial.dtype) if back_buffer is None else back_buffer

    def commit(self, order: int, new: np.ndarray) -> None:
        """Makes an array the variable's value."""
        old = self.get(order)
        if new is not old:
            self.back_buffers[order], self[order] = old, new


def expect_session(session: Any) -> "Session":
    """A Session that was passed. Raises ArgumentError for anything else."""
    if not isinstance(session, Session):
        message = f"session={session!r} is not a Session"
        raise ArgumentError(message, "pass the one that ran the graph: mg.Session(graph)")
    return session


class Session:
    """Holds the variables of a graph and computes fetches; threads may share it.

    Every new combination of fetches, fed nodes, shapes and dtypes is compiled once; `compiled`
    counts them. At most `keep` programs are held: the one that has not run for the longest time
    makes room. A run is atomic: another thread's comes before or after it.

    optimize=False leaves the passes out; rules="fast" allows rewrites that change bits (see
    compiler/simplify.py); backend is "codegen", "numpy" (with optimize=False: the plain meaning of
    the graph) or, when installed, "numba" or "jax" (see on_jax/); debug=True looks after every pass
    whether the program is sound, checks how each value lies in memory, and fills memory that is no
    longer needed with NaN, so that a wrong plan shows.
    """

    variable_values: Store
    executables: dict[tuple[Any, ...], "Executable"]
    cache: dict[tuple[Any, ...], "Executable"]
    inside: tuple[Any, ...]

    def __init__(
        self,
        graph: Graph | None = None,
        optimize: bool = True,
        rules: str = "safe",
        backend: str = "codegen",
        debug: bool = False,
        keep: int = PROGRAMS_KEPT,
    ) -> None:
        self.graph = default_graph() if graph is None else graph
        if not isinstance(self.graph, Graph):
            raise ArgumentError(f"Session of {self.graph!r}", "pass a Graph, or nothing")
        choices = ("rules", rules, ("safe", "fast")), ("backend", backend, tuple(BACKENDS))
        for what, value, known in choices:
            if value not in known:
                message = f"there is no {what} {value!r}"
                raise ArgumentError(message, f"choose from {', '.join(known)}")
        if not isinstance(keep, int) or isinstance(keep, bool) or keep < 1:
            raise ArgumentError(f"keep={keep!r}", "pass 1 or more")
        self.options, self.keep, self.lock = Options(optimize, rules, backend, debug), keep, RLock()
        self.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def close(self) -> None:
        """Forgets variables and compiled programs."""
        with self.lock:
            # programs are found by what is fetched and fed, and in `cache` by how a call said it
            self.variable_values, self.executables, self.cache = Store(), {}, {}
            self.runs, self.size, self.growth, self.compiled = 0, len(self.graph.nodes), 0, 0
            self.inside = ()  # the programs that are running: more than one when an op runs some

    def set(self, variable: Variable, value: Any) -> None:
        """Stores `value`, an array of the variable's shape and dtype."""
        check_variables([variable], self.graph)
        array = np.array(convert_feed(variable, value), order="C")
        with self.lock:
            self.variable_values[variable.order] = array

    def state(self, variables: Iterable[Variable] | None = None) -> tuple[dict[Any, Any], int]:
        """({order: copy of its value} of all variables or of these, how many runs were made).

        Both are of one moment between two runs, and nothing is run for it. Raises GraphError
        inside a run, where some variables may have changed already.
        """
        variables = self.graph.variables if variables is None else list(variables)
        check_variables(variables, self.graph)
        with self.lock:
            if self.inside:
                message = "the session is running, so its variables are changing"
                raise GraphError(message, "save after the run has returned")
            values = {
                v.order: np.array(self.variable_values.get(v.order, v.initial), order="C")
                for v in variables
            }
            return values, self.runs

    def restore(self, values: dict[Any, Any], runs: int) -> None:
        """Takes back what `state` gave: all of it, or nothing when one value does not fit."""
        known = {v.order: v for v in self.graph.variables}
        foreign = [order for order in values if order not in known]
        if foreign or not isinstance(runs, (int, np.integer)) or runs < 0:
            found = f"no Variable is number {foreign[0]!r}" if foreign else f"runs={runs!r}"
            message = f"this is not a state of this graph: {found}"
            raise GraphError(message, "pass the values and the count that state() returned")
        nodes = [known[order] for order in values]
        arrays = [np.array(convert_feed(v, a), order="C") for v, a in zip(nodes, values.values())]
        with self.lock:
            self.variable_values |= {v.order: array for v, array in zip(nodes, arrays)}
            self.runs = runs

    @overload
    def run(self, fetches: Node, feed_dict: Feeds = None) -> Array: ...
    @overload
    def run(self, fetches: list[N], feed_dict: Feeds = None) -> list[Array]: ...
    @overload
    def run(self, fetches: tuple[N, ...], feed_dict: Feeds = None) -> tuple[Array, ...]: ...
    @overload
    def run(self, fetches: dict[K, N], feed_dict: Feeds = None) -> dict[K, Array]: ...
    @overload  # other nests
    def run(self, fetches: Any, feed_dict: Feeds = None) -> Any: ...

    def run(self, fetches: Any, feed_dict: Feeds = None) -> Any:
        """The values of `fetches`, in the same nest of lists, tuples and dicts, as new arrays.

        `feed_dict` maps nodes to values; any node may be fed. Assignments take effect together,
        at the end of a run that succeeds; one stopped from the keyboard may have made some of them.
        Raises FeedError for a missing, unknown or unfitting feed.
        """
        nodes, structure = flatten(fetches)
        feeds = read_feeds({} if feed_dict is None else feed_dict, self.graph)
        request = (*map(id, nodes), *feeds, *[a.shape for a in feeds.values()])
        with self.lock:
            exe = self.cache.get(request)
            if exe is None:
                exe = self.executable(nodes, structure, feeds)
                self.cache[request] = exe
            return unflatten(structure, exe.results(feeds))

    def executable(self, nodes: list[Any], structure: Any, feeds: dict[Any, Any]) -> "Executable":
        """The program for fetched nodes and checked feeds, in whatever order these came."""
        check_fetches(nodes, self.graph)
        specs = {order: Spec(a.shape, a.dtype) for order, a in sorted(feeds.items())}
        key = tuple(map(id, nodes)), tuple(specs.items())
        if key not in self.executables:
            made = Executable(self, nodes, structure, specs)
            while len(self.executables) >= self.keep:
                self.forget(min(self.executables, key=lambda k: self.executables[k].last_run))
            self.executables[key] = made
            self.compiled += 1
            self.notice_growth()
        if len(self.cache) > 16 * self.keep:  # one program is met under every order of its feeds
            self.cache.clear()
        return self.executables[key]

    def forget(self, key: tuple[Any, ...]) -> None:
        """Drops a program."""
        dropped = self.executables.pop(key)
        self.cache = {key: exe for key, exe in self.cache.items() if exe is not dropped}

    def compile(self, fetches: Any, feeds: Iterable[Any] = ()) -> "Executable":
        """The Executable for fetches and fed nodes, without running it.

        `feeds` are nodes with known lengths, or a dict from nodes to example arrays.
        """
        nodes, structure = flatten(fetches)
        check_fetches(nodes, self.graph)
        specs = example_specs(feeds, self.graph)
        try:
            return Executable(self, nodes, structure, specs)
        except FeedError as error:
            if error.missing_feed is not None:
                name = error.missing_feed.name or "node"
                suggest_feed(error, {name: error.missing_feed}, "session.compile(…, [{}])")
            raise

    def notice_growth(self) -> None:
        """Warns when run after run finds new nodes: they are being built inside the loop."""
        grown = len(self.graph.nodes) > self.size
        self.size, self.growth = len(self.graph.nodes), self.growth + 1 if grown else 0
        if self.growth == GROWING:
            warnings.warn(
                f"the graph grew in {GROWING} runs, to {self.size} nodes: ops are built "
                f"inside the loop\n  at   {self.graph.nodes[-1].line}\n"
                "  try  build them once, before the loop",
                stacklevel=3,
            )


class Executable:
    """A compiled program: call it with the fed arrays, in the order of its feeds.

    `source` is what runs, `plan` the memory, `report` what the passes did.
    """

    runner: Any  # of the backend

    def __init__(
        self, session: Session, fetches: list[Any], structure: Any, specs: dict[Any, Any]
    ) -> None:
        options = session.options
        self.session, self.structure, self.fetches = session, structure, fetches
        self.last_run = session.runs
        self.feeds = [session.graph.nodes[order] for order in specs]
        self.feed_specs = list(specs.values())
        self.report: list[PassReport] = []
        donated: dict[int, int] = {}
        if options.optimize or options.debug or options.backend != "numpy":
            compiled = compile_program(fetches, specs, options)
            program, self.report, self.plan, self.runner, donated = compiled
        else:  # the plain meaning: no compiler
            program = cut(fetches, specs)
            self.runner = Interpreter(program)
        self.program, self.source = program, self.runner.source
        self.live_feeds = list(program.feeds)
        nodes = session.graph.nodes
        self.read_variables = [(order, nodes[order].initial) for order in program.variables]
        self.written_variables = [
            (variable.order, variable.initial) for variable, _ in program.stores
        ]
        places = {order: place for place, (order, _) in enumerate(self.read_variables)}
        self.in_place = {i: places[order] for i, order in donated.items()}

    def profile(self, feeds: dict[Any, Any] | None = None, rounds: int = 5) -> "Profile":
        """Measure how long each line of `source` takes, for fed values {node: value}.

        The program runs 2·`rounds` times, by turns as it is and with a clock after each line; the
        rows are those of the middle run. Afterwards variables and the number of runs are as before.
        Raises ArgumentError for a backend whose program is not Python's lines.
        """
        from minigrad.measure.profiling import profile

        return profile(self, feeds, rounds)

    @cached_property
    def plan(self) -> "Plan":
        """The memory that a compiled form would take."""
        plan: Plan = schedule_program(self.program, {n.order for n in self.program.roots()})
        return plan

    def __call__(self, *arrays: Any) -> Any:
        """The fetched values, in the nest in which they were asked for."""
        if len(arrays) != len(self.feeds):
            message = f"the program takes {len(self.feeds)} feeds, not {len(arrays)} arrays"
            raise FeedError(message, f"pass {', '.join(map(name_node, self.feeds)) or 'nothing'}")
        feeds = {}
        for node, spec, array in zip(self.feeds, self.feed_specs, arrays):
            if not is_ready(spec, array):
                array = convert_feed(node, array)
                if array.shape != spec.shape:
                    message = (
                        f"this program takes {name_node(node)} as {spec}, not {spec_of(array)}"
                    )
                    raise FeedError(message, "compile one for that shape")
            feeds[node.order] = array
        return unflatten(self.structure, self.results(feeds))

    def results(self, feeds: dict[int, np.ndarray]) -> list[Any]:
        """The fetched arrays for checked feeds; variables change when all went well.

        A new value is computed over the present one where that is safe (see updates.py), else
        into the array that the variable left at its last change.
        """
        session = self.session
        with session.lock:
            store = session.variable_values
            current = [store.value(order, initial) for order, initial in self.read_variables]
            outer = self.enter(session)
            try:
                targets = self.targets(store, current) if self.written_variables else ()
                results: list[Any] = self.runner.run(
                    [feeds[order] for order in self.live_feeds], current, targets, session.runs
                )
            finally:
                session.inside = outer
            session.runs += 1
            self.last_run = session.runs
            for (order, _), new in zip(self.written_variables, targets):
                store.commit(order, new)
            return results

    def enter(self, session: Session) -> tuple[Any, ...]:
        """Marks this program as running; returns those in the middle of which it was called.

        Raises GraphError for one that is among them, since its memory is in use, and for one that
        would change variables under the eyes of another.
        """
        outer = session.inside
        if outer and (self in outer or self.written_variables):
            what = "is run again" if self in outer else "changes variables"
            message = f"a program of this session {what} inside a run of it, by the code of an op"
            raise GraphError(message, "let the op compute with NumPy, or use another Session")
        session.inside = (*outer, self)
        return outer

    def targets(self, store: Store, current: list[Any]) -> list[Any]:
        """The arrays for new values; `current` takes copies of what must not be written over."""
        careful = bool(self.in_place) and can_raise()
        for place in self.in_place.values():
            if careful or self.read_variables[place][0] not in store:
                current[place] = np.array(current[place])
        return [
            current[self.in_place[i]] if i in self.in_place else store.target(*variable)
            for i, variable in enumerate(self.written_variables)
        ]

    @property
    def recomputed(self) -> list[Node]:
        """The nodes that are computed a second time because of checkpoints."""
        return [n for n in self.program.nodes() if n.segment is not None and n.inputs]

    def explain(self) -> str:
        """What became of the graph: the passes, the memory, and what will not run."""
        return explain(self)
