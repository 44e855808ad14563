"""Ways to run a program; each gives {key: array}, and says what it must equal."""

import copy
import io
import json
import operator
import pickle
import tempfile
import threading
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np

import minigrad as mg
from fuzz.compare import same_bits
from fuzz.derivatives import Seeds, derivatives, reverse
from fuzz.plans import plan_faults
from fuzz.program import all_steps, run_steps
from minigrad.compiler import BACKENDS, updates
from minigrad.compiler.pipeline import find_pass
from minigrad.compiler.rewrite import rule
from minigrad.core.op import Value
from minigrad.core.ops import elementwise, nn, product, reduce
from minigrad.core.spec import is_compatible
from minigrad.fast import dispatch
from minigrad.files import writing

tensor = import_module("minigrad.dynamic.tensor")  # the name `tensor` is that of the function

try:
    import numba  # noqa: F401

    BACKEND_NAMES = tuple(BACKENDS)
except ImportError:
    BACKEND_NAMES = ("codegen", "numpy")


class Built(NamedTuple):
    """A program as a graph: the nodes of its values, what is fetched, and what is fed."""

    graph: mg.Graph
    values: dict
    fetches: dict
    feeds: dict


class Case:
    """A program with its arrays, and what its ways have in common, made when first asked for."""

    def __init__(self, program, values):
        self.program, self.seeds = program, Seeds(program, values)
        self.values = values
        self.built = self.plain = None

    def arrays(self):
        """Fresh arrays of all inputs."""
        return {x.id: x.data.array() for x in self.program.inputs}

    def graph(self):
        """The graph, the same at each call."""
        self.built = self.built or build(self.program, self.seeds)
        return self.built

    def truth(self):
        """What the plain interpretation gives."""
        if self.plain is None:
            self.plain = runs(self, mg.Session(self.graph().graph, optimize=False, backend="numpy"))
        return self.plain


def build(program, seeds, lengths=lambda shape: shape, outside=False):
    """The program as a graph; `lengths` gives a placeholder's shape.

    With `outside`, the graph is not open where ops are applied to its nodes.
    """
    values, feeds = {}, {}
    with mg.Graph() as graph:
        for x in program.inputs:
            array = x.data.array()
            if x.role == "fed":
                node = mg.placeholder(f"x{x.id}", lengths(array.shape), array.dtype)
                feeds[node] = array
            elif x.role == "variable":
                node = mg.Variable(array, name=f"w{x.id}")
            elif x.role == "constant":
                node = mg.constant(array)
            else:
                node = as_operand(x, array, program)
            values[x.id] = node
    before = program.steps[: program.cut]
    with nullcontext() if outside else graph:
        run_steps(before, values, mg)
        derived = derived_nodes(program, seeds, values)
        run_steps(program.steps[len(before) :], values, mg)
    with graph:
        fetches = {("value", i): as_node(values[i]) for i in program.outputs}
        for i in {a for run in program.runs for a in run}:
            fetches["assign", i] = values[i]
        return Built(graph, values, fetches | derived, feeds)


def as_operand(x, array, program):
    """An array as the caller has it, or at times as a Tensor, a constant for a graph; not beside
    loops: one of Tensors is run by Python. The same in both engines: of arrays alone an op gives
    NumPy's own numbers, whose bits depend on how they lie."""
    loops = any({"while", "scan"} & set(s.tags) for s in all_steps(program.steps))
    return array if loops or x.id % 4 else mg.tensor(array)


def as_node(value):
    """A node; arrays become constants."""
    return value if isinstance(value, mg.Node) else mg.constant(value)


def derived_nodes(program, seeds, values):
    """The derivatives of those outputs that are there."""
    ys = {i: values[i] for i in program.outputs if differentiable(values.get(i))}
    xs = {i: values[i] for i in program.wrt}
    if not ys or not xs or not program.orders:
        return {}
    return derivatives(program.orders, ys, xs, seeds.w, seeds.v)


def differentiable(value):
    """True for a floating Tensor or Node."""
    return isinstance(value, Value) and value.dtype.kind == "f"


def fetched(built, run):
    """What one run fetches: all but the assignments that it leaves out."""
    return {key: node for key, node in built.fetches.items() if key[0] != "assign" or key[1] in run}


def runs(case, session, built=None, grouped=False):
    """{(key, run): array} of the program's runs, and the variables at the end.

    With `grouped`, the assignments of a run are one node, which gives nothing to look at.
    """
    built = built or case.graph()
    found = {}
    for number, run in enumerate(case.program.runs):
        fetches, changes = fetched(built, run), []
        if grouped:
            fetches, changes = apart(built, fetches)
        results, _ = session.run((fetches, changes), dict(built.feeds))
        found |= {(*key, number): given_back(array) for key, array in results.items()}
    variables = [x.id for x in case.program.inputs if x.role == "variable"]
    if any(case.program.runs):
        ends = session.run([built.values[i] for i in variables])
        found |= {("variable", i, "at the end"): a for i, a in zip(variables, ends)}
    return found


def given_back(array):
    """A result of a run, which must be an array of the caller's own, row by row. What numba's
    machine code gives is held by an object of numba's, which no other array looks at."""
    flags = array.flags
    own = type(array) is np.ndarray and not isinstance(array.base, np.ndarray)
    if not own or not flags.c_contiguous:
        raise WrongPlan(f"a result is a {type(array).__name__} with {array.strides} in {flags}")
    return array


def apart(built, fetches):
    """(what is no assignment, the assignments as a group in a list)."""
    kept = {key: node for key, node in fetches.items() if key[0] != "assign"}
    changes = [node for key, node in fetches.items() if key[0] == "assign"]
    with built.graph:
        return kept, [mg.group(*changes)] if changes else []


# the table ---------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way to run a program: `run(case)` gives what must be equal to the plain interpretation.

    It may also give a pair (results, what they must equal). `exact`: bit for bit. `fits` says for
    which programs it is meant, `apt` how much likelier it is drawn for a program than for others.
    """

    run: object
    weight: float
    exact: bool
    fits: object
    apt: object


WAYS = {}


def way(name, weight=1.0, exact=True, fits=lambda program: True, apt=lambda program: 1):
    """Puts a function of a Case into the table."""

    def put(run):
        WAYS[name] = Way(run, weight, exact, fits, apt)
        return run

    return put


def drawn(rng, program):
    """Three to four ways for a program."""
    names = [n for n, w in WAYS.items() if w.fits(program)]
    weights = np.array([WAYS[n].weight * WAYS[n].apt(program) for n in names])
    count = min(len(names), int(rng.integers(3, 6)))
    return tuple(str(n) for n in rng.choice(names, count, False, weights / weights.sum()))


def stateless(program):
    """True for a program that changes no variable and draws nothing by the run's number."""
    return not any(program.runs) and not keyless(program)


def keyless(program):
    """True for a program that draws by the run's number."""
    texts = [s.text for s in all_steps(program.steps) if "key=" not in s.text]
    return any("mg.dropout" in text or "mg.random" in text for text in texts)


def draws_anew(program):
    """True where all that draws depends on the traced arguments: what does not is drawn once, when
    the function is traced."""
    reached = set(program.wrt)
    for step in program.steps:
        if reached.intersection(step.args):
            reached.add(step.id)
        elif any("mg.dropout" in s.text or "mg.random" in s.text for s in all_steps([step])):
            return False
    return True


def draws(program):
    """True for a program with random numbers."""
    texts = [s.text for s in all_steps(program.steps)]
    return any("mg.dropout" in text or "mg.random" in text for text in texts)


def has_custom(program):
    """True for a program with ops from outside, which no file can hold."""
    return any("custom" in s.tags or "custom_op" in s.text for s in all_steps(program.steps))


def finite(program):
    """True for a program without special values, half floats and choices that rounding flips."""
    return not any(
        x.data.kind == "special" or x.data.dtype not in ("float64", "int64") for x in program.inputs
    ) and not any("cast" in s.tags for s in all_steps(program.steps))


def few(program):
    """Not at all likely where arrays are large: tiles of eight entries would be very many."""
    return all(np.prod(x.data.shape) < 10_000 for x in program.inputs)


def reducible(program):
    """How much likelier a program is judged under the fast rules: more where some may apply."""
    if any("step down" in s.tags for s in program.steps):
        return 9
    tagged = {"number", "algebra", "square"}
    return 5 if any(tagged & set(s.tags) for s in program.steps) else 0.5


def reads_arrays(program):
    """How much likelier a program's operands are changed: more where there are arrays."""
    dtypes = [x.data.dtype for x in program.inputs if x.role == "array"]
    return 8 if "int64" in dtypes and program.orders else 3 if dtypes else 0.5


def updated(program):
    """How much likelier updates are made in place: more where a kernel writes what it reads."""
    return 9 if any("momentum" in s.tags for s in program.steps) else few(program)


def small(program):
    """True for a stateless program on small arrays."""
    return stateless(program) and all(np.prod(x.data.shape) < 1000 for x in program.inputs)


def has_loop(program):
    """True where bodies are differentiated: there the engines add up in other orders."""
    steps = [*all_steps(program.steps)]
    bodies = {"while", "scan", "cond", "inner", "traced"}
    if any("inner" in s.tags and "while_loop" in s.text for s in steps):
        return True
    return bool(program.orders) and any(bodies & set(s.tags) for s in steps)


# sessions ----------------------------------------------------------------------------------------


class WrongPlan(Exception):
    """A plan that breaks its own rules."""


def session_way(**options):
    """The way of a Session with these options, whose plans are looked at too."""

    def run(case):
        session = mg.Session(case.graph().graph, **options)
        results = runs(case, session)
        for executable in session.executables.values():
            roots = {n.order for n in executable.program.roots()}
            faults = plan_faults(executable.plan, roots)
            faults += [r.name for r in executable.report if find_pass(r.name).__name__ != r.name]
            if faults:
                raise WrongPlan(faults[0])
        if session.compiled != len(session.executables):
            raise WrongPlan(f"{session.compiled} programs compiled, it says")
        return results

    return run


way("session", 5)(session_way())
way("session debug", 2)(session_way(debug=True))
way("session unoptimized", 2)(session_way(optimize=False))
way("session unoptimized debug", 1)(session_way(optimize=False, debug=True))
way("session numpy optimized", 2)(session_way(backend="numpy"))
way("session fast", 2, False, finite, reducible)(session_way(rules="fast"))
if "numba" in BACKEND_NAMES:
    way("session numba", 0.05)(session_way(backend="numba"))


FUSE, SIMPLIFY, JACOBIANS = map(
    import_module,
    (
        "minigrad.compiler.fuse",
        "minigrad.compiler.simplify",
        "minigrad.dynamic.jacobians",
    ),
)
SIZES = ((FUSE, "SMALLEST", 9), (FUSE, "TILE", 8), (updates, "LARGE", 1))


@contextmanager
def tiny():
    """A block in which kernels of few tiles are made, and updates in place, at any size."""
    with ExitStack() as stack:
        for module, name, size in SIZES:
            stack.enter_context(mock.patch.object(module, name, size))
        yield


def tiny_way(grouped=False, **options):
    """The way of a Session that makes kernels of few tiles, and updates in place, at any size."""

    def run(case):
        with tiny():
            return runs(case, mg.Session(case.graph().graph, **options), None, grouped)

    return run


way("session tiny", 2, apt=few)(tiny_way())
way("session tiny debug", 1, apt=few)(tiny_way(debug=True))
way("session tiny updated", 2, fits=lambda p: any(p.runs), apt=updated)(tiny_way(True))
way("session tiny fast", 1.5, False, finite, lambda p: few(p) and reducible(p))(
    tiny_way(rules="fast")
)


NAMES = "Exp Log Log1p Expm1 Sin Cos Tanh Sigmoid Softplus Softsign Power Remainder".split()
INEXACT = [  # ops whose bits depend on the machine, if no rule puts another in their place, as
    # share does for a softmax, which subtracts row by row first, however its operand lies
    *(vars(elementwise)[name] for name in NAMES),
    *(reduce.Mean, product.Prod, product.CumSum, nn.LogSoftmax),
]


def moves_through(x):
    """(length, step) of the axes along which x is gone through; what is repeated is not. A single
    number is taken from behind, where it lies so, but from no farther than any other."""
    pairs = zip(np.shape(x), getattr(x, "strides", ()))
    return [(n, step) for n, step in pairs if step and (n > 1 or x.size == 1 and step < 0)]


def row_by_row(x, moves):
    """Whether these moves go from each number to its neighbour."""
    wanted = x.itemsize if moves else 0
    for n, step in reversed(moves):
        if step != wanted:
            return False
        wanted *= n
    return True


def by_walk(compute, beside):
    """`compute` as on a machine where an entry's bits depend on how NumPy walks to it.

    On some it takes another way through what does not lie row by row, another from an array's end,
    and another again, if `beside`, beside a target that lies the other way round.
    """

    def walked(*xs, out=None, **params):
        z = np.array(compute(*xs, **params))
        for x in np.broadcast_arrays(*xs) if beside else xs:  # as NumPy itself walks to them
            moves = moves_through(x)
            backwards = 2 + (beside and out is not None)
            forwards = all(step >= 0 for _, step in moves)
            for _ in range(0 if row_by_row(x, moves) else 1 if forwards else backwards):
                z = np.nextafter(z, np.inf, dtype=z.dtype) if z.dtype.kind == "f" else z
        if out is None:
            return z
        out[...] = z
        return out

    return walked


@contextmanager
def other_machine():
    """A block in which those ops compute as on such a machine."""
    with ExitStack() as stack:
        for op in INEXACT:
            walked = by_walk(op.compute, op.elementwise)
            stack.enter_context(mock.patch.object(op, "compute", walked))
        yield


def turns(program):
    """How much likelier a program is run so: more where something lies the other way round."""
    tagged = {"turn", "slice", "neutral", "momentum"}
    repeated = any(x.data.layout == "repeated" for x in program.inputs)
    return 4 if repeated or any(tagged & set(s.tags) for s in program.steps) else 0.5


@way("session elsewhere", 1.5, fits=lambda p: not has_custom(p), apt=turns)
def elsewhere(case):
    """A session on a machine where bits depend on how operands lie, and the plain one there."""
    built, options = case.graph(), {"backend": ("codegen", "numpy")[case.program.seed % 4 == 0]}
    with other_machine(), tiny() if case.program.seed % 2 else nullcontext():
        plain = runs(case, mg.Session(built.graph, optimize=False, backend="numpy"))
        return runs(case, mg.Session(built.graph, **options)), plain


@way("failing runs", 3, fits=lambda p: any(p.runs) and can_fail(p), apt=updated)
def failing_runs(case):
    """A run that fails in its midst changes no variable, and the next one goes on from there."""
    with tiny():
        built, session = case.graph(), mg.Session(case.graph().graph)
        spoilt = {node: np.full_like(array, OUT_OF_RANGE) for node, array in built.feeds.items()}
        for run in case.program.runs:
            before, made = session.state()
            session.restore(before, made)  # the session's own arrays, no longer the initial ones
            for fetches in failing(case, built, run):
                try:
                    session.run(fetches, spoilt)
                except (mg.MinigradError, ZeroDivisionError):
                    after, counted = session.state()
                    if counted != made or not all(same_bits(after[k], before[k]) for k in before):
                        raise WrongPlan("a run that failed changed a variable") from None
                else:
                    session.restore(before, made)
        return runs(case, session)


def failing(case, built, run):
    """What is fetched of a run that may fail: all, and each step that fails with each change."""
    results, changes = apart(built, fetched(built, run))
    yield changes, results  # the changes come first
    for risky in [s.id for s in case.program.steps if "risky" in s.tags]:
        for i in run:
            with built.graph:
                yield mg.group(built.values[i]), built.values[risky]


OUT_OF_RANGE = 77  # an index that is in no array; and what a step of the table refuses


def can_fail(program):
    """True for a program with a step that refuses some numbers when it runs."""
    return any("risky" in s.tags for s in all_steps(program.steps))


def twice(x):
    """x + x = 2 · x."""
    return x + x, 2 * x


@way("session own rule", 0.4)
def own_rule(case):
    """One more rule that changes no bits, and puts in a number that was not there."""
    kept = list(SIMPLIFY.SAFE)
    try:
        SIMPLIFY.SAFE.append(rule(twice))
        return runs(case, mg.Session(case.graph().graph))
    finally:
        SIMPLIFY.SAFE[:] = kept


@way(
    "session outside",
    0.6,
    fits=lambda p: not draws(p) and not any(x.role == "array" for x in p.inputs),
)
def built_outside(case):
    """The same graph, built without `with graph:` around its ops."""
    built = build(case.program, case.seeds, outside=True)
    return runs(case, mg.Session(built.graph), built)


class NotRefused(Exception):
    """What must be refused, and was taken."""


@way("refused feeds", 0.3, fits=stateless)
def refused_feeds(case):
    """What would be rounded, or has another shape, is not fed; afterwards all is as before."""
    built, session = case.graph(), mg.Session(case.graph().graph)
    for node, array in built.feeds.items():
        for wrong in unfit(array):
            try:
                session.run(built.fetches, {**built.feeds, node: wrong})
            except mg.FeedError:
                continue
            raise NotRefused(f"{wrong.dtype}{list(wrong.shape)} is fed to {node!r}")
    return runs(case, session)


def unfit(array):
    """Arrays that cannot be fed in the place of this one."""
    wider = array.astype(np.int8 if array.dtype == bool else np.float64)
    return [array[None], *([wider] if wider.dtype != array.dtype else [])]


def spoil(arrays):
    """Overwrites arrays in place, as a caller may."""
    for array in arrays:
        if isinstance(array, np.ndarray) and array.flags.writeable:
            array[...] = 7


@way("again", 1, fits=stateless)
def again(case):
    """Runs of one session between which all arrays that went in and came out are overwritten."""
    built, found = case.graph(), {}
    with built.graph:
        session = mg.Session()
    feeds = {node: array.copy() for node, array in built.feeds.items()}
    first = session.run(built.fetches, feeds)
    kept = {key: np.array(a) for key, a in first.items()}
    spoil(feeds.values())
    found |= {(*key, 0): np.array(a) for key, a in first.items()}
    session.run(
        built.fetches,
        {
            node: a + a.dtype.type(1) if a.dtype.kind == "f" else a
            for node, a in built.feeds.items()
        },
    )
    unchanged = all(np.array_equal(first[key], kept[key], equal_nan=True) for key in kept)
    spoil(first.values())
    second = session.run(built.fetches, dict(built.feeds))
    return {key: np.array(second[key[:2]]) if unchanged else a for key, a in found.items()}


@way("printed", 1, fits=lambda p: stateless(p) and any("print" in s.tags for s in p.steps))
def printed(case):
    """What is printed by a session, in the order in which it was built."""
    lines = []
    for options in ({}, {"optimize": False, "backend": "numpy"}):
        with redirect_stdout(io.StringIO()) as text:
            mg.Session(case.graph().graph, **options).run(
                case.graph().fetches, dict(case.graph().feeds)
            )
        lines.append(np.array([*text.getvalue()], "U1").view(np.uint32))
    return {"printed": lines[0]}, {"printed": lines[1]}


@way("nested fetches", 1, fits=stateless)
def nested_fetches(case):
    """Everything fetched twice, in nests, by a compiled program; results share no memory."""
    built = case.graph()
    nodes = list(built.fetches.values())
    exe = mg.Session(built.graph).compile(
        [{"all": nodes}, tuple(reversed(nodes))], list(built.feeds)
    )
    lists = case.program.seed % 3 == 0  # which hold what doubles and whole numbers can
    results, others = exe(
        *[
            a.tolist() if lists and a.size and a.dtype in (float, int) else a
            for a in built.feeds.values()
        ]
    )
    spoil(others)
    return {(*key, 0): given_back(a) for key, a in zip(built.fetches, results["all"])}


@way("threads assign", 0.3, fits=lambda p: any(p.runs))
def threads_assign(case):
    """Equal runs that change variables, from several threads: as many one after another."""
    built, plain = case.graph(), mg.Session(case.graph().graph, optimize=False, backend="numpy")
    session, fetches = mg.Session(built.graph), fetched(built, case.program.runs[0])

    def work():
        for _ in range(3):
            session.run(fetches, dict(built.feeds))

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for _ in range(6):
        plain.run(fetches, dict(built.feeds))
    variables = {
        ("variable", x.id): built.values[x.id] for x in case.program.inputs if x.role == "variable"
    }
    return session.run(variables), plain.run(variables)


@way("interleaved", 0.5, fits=lambda p: any(p.runs))
def interleaved(case):
    """Two sessions of one graph in turns, the assignments of a run as one group."""
    built, found = case.graph(), {}
    one, other = mg.Session(built.graph), mg.Session(built.graph, optimize=False)
    for number, run in enumerate(case.program.runs):
        fetches = fetched(built, run)
        kept, changes = apart(built, fetches)
        other.run(fetches, dict(built.feeds))
        results, _ = one.run((kept, changes), dict(built.feeds))
        found |= {(*key, number): given_back(a) for key, a in results.items()}
    variables = [x.id for x in case.program.inputs if x.role == "variable"]
    ends = one.run([built.values[i] for i in variables])
    return found | {("variable", i, "at the end"): a for i, a in zip(variables, ends)}


@way(
    "saved",
    0.6,
    fits=lambda p: no_assigns(p) and not has_custom(p),
    apt=lambda p: 6 if keyless(p) else 1,
)
def saved(case):
    """The graph written to a file, loaded, and run there."""
    built = case.graph()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.json"
        mg.save(path, {"all": list(built.fetches.values())})
        net = mg.load(path)
    arrays = {node.name: array for node, array in built.feeds.items() if node.name in net.inputs}
    results = net.run(net.outputs, arrays)["all"]
    return {(*key, 0): given_back(a) for key, a in zip(built.fetches, results)}


@way("exported", 0.5, fits=lambda p: stateless(p) and not has_custom(p))
def exported(case):
    """What is written to an .onnx file, which has no nests: here its results, by their names."""
    built, program = case.graph(), case.program
    keys = list(built.fetches)
    session, plain = mg.Session(built.graph), mg.Session(built.graph, optimize=False)
    for x in program.inputs:
        if x.role == "variable":
            value = x.data.array()
            for one in (session, plain) if x.data.dtype.startswith("f") else ():
                one.set(built.values[x.id], value + value.dtype.type(0.5))
    nest, names = nested(keys, program.seed)
    chosen = {key: built.fetches[key] for key in names.values()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        with mock.patch.object(writing, "onnx_model", partial(computed_model, built.feeds)):
            mg.save(path, replaced_by(built.fetches, nest), session)
        results = pickle.loads(path.read_bytes())
    if results.keys() != names.keys():
        raise WrongPlan(f"results {[*results]}, not {[*names]}")
    return {names[name]: a for name, a in results.items()}, plain.run(chosen, dict(built.feeds))


def nested(keys, seed):
    """(keys in a nest that goes by the seed, {the name of each in an .onnx file: key})."""
    first, *others = keys
    last = keys[-1]
    return [
        (first, {"output": first}),
        (keys, {f"output_{i}": key for i, key in enumerate(keys)}),
        ({"y": last, "z": first}, {"y": last, "z": first}),
        (
            {"b": {"z": last, "y": [first, last]}, "a": keys},
            {"b_z": last, "b_y_0": first, "b_y_1": last}
            | {f"a_{i}": key for i, key in enumerate(keys)},
        ),
        (
            [{"y": last}, [first, last]],
            {"output_0_y": last, "output_1_0": first, "output_1_1": last},
        ),
    ][seed % 5]


def replaced_by(nodes, nest):
    """A nest of keys with the nodes of these."""
    if isinstance(nest, list):
        return [replaced_by(nodes, part) for part in nest]
    if isinstance(nest, dict):
        return {name: replaced_by(nodes, part) for name, part in nest.items()}
    return nodes[nest]


def computed_model(feeds, nodes, outputs, values):
    """In the place of onnx_model: the arrays that the nodes and values of a model give, by name."""
    there = set()
    for node in nodes:
        if not there.issuperset(x.order for x in node.inputs):
            raise WrongPlan(f"{node!r} is written before what it reads")
        there.add(node.order)
    graph = nodes[0].graph
    session = mg.Session(graph, optimize=False)
    session.restore({order: a for order, a in values.items() if order in there}, 0)
    feeds = {node: a for node, a in feeds.items() if node.order in there}
    return pickle.dumps(session.run(outputs, feeds))


@way("saved long ago", 1, fits=lambda p: no_assigns(p) and keyless(p) and not has_custom(p))
def saved_long_ago(case):
    """A file of the first version, which did not hold how many runs were made."""
    built = case.graph()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.json"
        mg.save(path, list(built.fetches.values()))
        head = json.loads(path.read_text())
        arrays = path.with_name(f"net-{head['file']}.npz")
        arrays.rename(path.with_suffix(".npz"))
        kept = {k: v for k, v in head.items() if k not in ("file", "checksum", "runs")}
        path.write_text(json.dumps({**kept, "version": 1}))
        net = mg.load(path)
    feeds = {node.name: array for node, array in built.feeds.items() if node.name in net.inputs}
    results = net.run(net.outputs, feeds)
    return {(*key, 0): np.asarray(a) for key, a in zip(built.fetches, results)}


@way("saved meanwhile", 0.8, fits=lambda p: not stateless(p) and not has_custom(p))
def saved_meanwhile(case):
    """A session that is saved between two runs goes on as if it had not been; so does the file."""
    built, fetches = case.graph(), fetched(case.graph(), case.program.runs[0])
    one = mg.Session(built.graph)
    other = mg.Session(built.graph, optimize=False, backend="numpy")
    with tempfile.TemporaryDirectory() as folder:
        one.run(fetches, dict(built.feeds))
        mg.save(Path(folder) / "net.json", list(fetches.values()), one)
        net = mg.load(Path(folder) / "net.json")
    other.run(fetches, dict(built.feeds))
    expected, got = other.run(fetches, dict(built.feeds)), one.run(fetches, dict(built.feeds))
    named = {n.name: a for n, a in built.feeds.items() if n.name in net.inputs}
    loaded = net.run(dict(zip(fetches, net.outputs)), named)
    return (
        {
            (*key, where): a
            for where, results in (("here", got), ("loaded", loaded))
            for key, a in results.items()
        },
        {(*key, where): a for where in ("here", "loaded") for key, a in expected.items()},
    )


@way("saved between runs", 0.5, fits=lambda p: any(p.runs) and not has_custom(p))
def saved_between_runs(case):
    """A graph with assignments, saved with its variables after each run, and loaded again.

    Without its values, at times: then derivatives are saved of what is not.
    """
    built, found = case.graph(), {}
    keys = sorted(built.fetches, key=str)
    if case.program.seed % 2 and any(key[0] not in ("value", "assign") for key in keys):
        keys = [key for key in keys if key[0] != "value"]
    session = mg.Session(built.graph)
    nodes = [built.fetches[key] for key in keys]
    variables = [x.id for x in case.program.inputs if x.role == "variable"]
    nodes += [built.values[i] for i in variables]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.json"
        mg.save(path, nodes, session)
        for number, run in enumerate(case.program.runs):
            net = mg.load(path)
            chosen = {k: n for k, n in zip(keys, net.outputs) if k[0] != "assign" or k[1] in run}
            names = {n.name: a for n, a in built.feeds.items() if n.name in net.inputs}
            results = net.run(chosen, names)
            found |= {(*key, number): given_back(a) for key, a in results.items()}
            mg.save(path, net.outputs, net.session)
        ends = net.session.run(net.outputs[len(keys) :])
    return found | {("variable", i, "at the end"): a for i, a in zip(variables, ends)}


@way("pickled graph", 0.2, fits=lambda p: stateless(p) and not has_custom(p))
def pickled_graph(case):
    """The graph through pickle."""
    built = case.graph()
    nodes, fed = pickle.loads(pickle.dumps((list(built.fetches.values()), list(built.feeds))))
    results = mg.Session(nodes[0].graph).run(nodes, dict(zip(fed, built.feeds.values())))
    return {(*key, 0): np.asarray(a) for key, a in zip(built.fetches, results)}


NEEDS_LENGTH = (  # what is said where a graph cannot be without a length
    "unknown",
    "with known",
    "is not a shape",
    "a mask of shape",
    "may or may not be 1",
    "the number of channels is not known",
    "the size of the filters is not known",
    "more than one entry along",
    "does not broadcast to",
    "the fed lengths give",
    "needs more known lengths",
    "an assignment keeps the variable's shape",
)


def forms(program):
    """How much likelier lengths are unknown: more where values of different roles meet in bodies,
    and where shapes are named or taken from others."""
    texts = " ".join(s.text for s in all_steps(program.steps))
    within = any(s.bodies for s in program.steps) or "while_loop(" in texts or "scan(" in texts
    named = "reshape(" in texts or "jacobian(" in texts or "prod(" in texts
    return 1 + 2 * within + 2 * named


@way("unknown lengths", 1.2, fits=stateless, apt=forms)
def unknown_lengths(case):
    """Placeholders whose first length, or each, is known only when they are fed."""
    kind = case.program.seed % 4
    options = {"optimize": False, "backend": "numpy"} if kind == 0 else {}
    return runs_of_unknown(case, options, compiled=kind == 1)


def runs_of_unknown(case, options, compiled=False):
    """What a Session with these options gives where a first length is known only when it is fed,
    and what it must equal; `compiled` for such lengths as these examples have.

    A sum over an axis of one entry makes 0.0 of -0.0, and is made where that length is not known:
    with known lengths, signs of 0 are not compared.
    """
    # x[:1] has one entry, of a length that is not known; of no entries, none: a run refuses it
    empty = any(np.size(v) == 0 for v in case.values.values())
    try:
        built = build(case.program, case.seeds, any_first if case.program.seed % 3 else any_length)
    except mg.MinigradError as error:
        if not any(text in str(error) for text in NEEDS_LENGTH + ("grad_ys for",) * empty):
            raise
        return {}
    for i, value in built.values.items():
        shape = np.shape(case.graph().values[i])
        if isinstance(value, mg.Node) and not is_compatible(shape, value.shape) and not empty:
            raise WrongPlan(f"{value!r} is of shape {shape}")
    session = mg.Session(built.graph, **options)
    try:
        results = session.run(built.fetches, built.feeds)
        plain = mg.Session(built.graph, optimize=False, backend="numpy").run(
            built.fetches, built.feeds
        )
    except mg.FeedError:  # a length of 1 where others were expected
        return known_alone(case, built, session)
    if compiled:
        results = session.compile(built.fetches, built.feeds)(*built.feeds.values())
    got = {(*key, 0): given_back(a) for key, a in results.items()}
    return (
        got | {(*key, "known"): a + 0.0 for key, a in got.items()},
        {(*key, 0): a for key, a in plain.items()}
        | {(*key, "known"): case.truth()[key] + 0.0 for key in got},
    )


def known_alone(case, built, session):
    """What a session gives one by one, with signs of 0 left out. What is refused is not asked, nor
    are derivatives where a value is: alone, they need not meet the lengths that do not fit."""
    found, fits = {}, True
    for key, node in built.fetches.items():
        try:
            found[*key, "known"] = session.run(node, built.feeds) + 0.0
        except mg.MinigradError:
            fits = fits and key[0] != "value"
    found = {key: array for key, array in found.items() if fits or key[0] == "value"}
    return found, {key: case.truth()[*key[:2], 0] + 0.0 for key in found}


@way("fed inside", 1, fits=stateless)
def fed_inside(case):
    """A value in the middle is fed, here and in the plain interpretation."""
    built, rng = case.graph(), np.random.default_rng([case.program.seed, 2])
    feeds = fed_between(case, built, rng)
    plain = mg.Session(built.graph, optimize=False, backend="numpy").run(built.fetches, feeds)
    got = mg.Session(built.graph, optimize=bool(rng.integers(2))).run(built.fetches, feeds)
    return {key: given_back(a) for key, a in got.items()}, plain


def fed_between(case, built, rng):
    """The feeds of a graph, and arrays for two more values, other ones where they are floats."""
    inner = [i for i, v in built.values.items() if isinstance(v, mg.Node)]
    feeds = dict(built.feeds)
    for i in rng.choice(inner, 2):
        array = np.array(case.values[i])
        feeds[built.values[i]] = (
            array + rng.normal(size=array.shape).astype(array.dtype)
            if (array.dtype.kind == "f")
            else array
        )
    return feeds


@way("saved cut", 0.5, fits=lambda p: stateless(p) and not has_custom(p))
def saved_cut(case):
    """A graph that is saved without what lies behind some values; those are fed where it is loaded.

    Every second time, the lengths of what is fed are not known.
    """
    try:
        built = (
            build(case.program, case.seeds, any_first) if case.program.seed % 2 else case.graph()
        )
        feeds = fed_between(case, built, np.random.default_rng([case.program.seed, 6]))
        plain = mg.Session(built.graph, optimize=False, backend="numpy").run(built.fetches, feeds)
    except mg.MinigradError:  # what cannot be without that length, or needs it to be another
        return {}
    nodes = list(built.fetches.values())
    there = {node.order for node in writing.find_written(nodes, feeds)}
    fed = sorted((node for node in feeds if node.order in there), key=lambda node: node.order)
    net = mg.from_bytes(mg.to_bytes(nodes, inputs=fed))
    named = dict(zip(net.inputs, (feeds[node] for node in fed)))
    results = map(given_back, net.run(net.outputs, named))
    return dict(zip(built.fetches, results)), plain


def any_first(shape):
    """A shape whose first length is not known."""
    return (None, *shape[1:]) if shape else ()


def any_length(shape):
    """A shape of which no length is known."""
    return (None,) * len(shape)


@way("threads", 0.05, fits=stateless)
def threads(case):
    """One session run from several threads at once."""
    built, found = case.graph(), []
    session = mg.Session(built.graph)

    def work():
        for _ in range(5):
            results = session.run(built.fetches, dict(built.feeds))
            found.append({(*key, 0): given_back(a) for key, a in results.items()})

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    expected = [case.truth()] * 15
    return (
        {(i, *key): a for i, one in enumerate(found) for key, a in one.items()},
        {(i, *key): a for i, one in enumerate(expected) for key, a in one.items()},
    )


# Tensors -----------------------------------------------------------------------------------------


def dynamic_values(case):
    """Tensors for what is fed, stored and constant; arrays as they are, or as in the graph."""
    values, arrays = {}, case.arrays()
    for x in case.program.inputs:
        if x.role == "array" and arrays[x.id].dtype.kind == "f":
            values[x.id] = as_operand(x, arrays[x.id], case.program)
        elif x.role == "array":
            values[x.id] = arrays[x.id]  # an index that is a Tensor is refused in a traced function
        else:
            values[x.id] = mg.tensor(as_given(x, arrays[x.id]), x.id in case.program.wrt)
    return values


def as_given(x, array):
    """An input's array, or at times the same numbers as Python has them."""
    listed = x.id % 3 == 2 and array.size and array.dtype in (float, int, bool)
    return array.tolist() if listed else array


def numbers(value):
    """A Tensor's or array's numbers."""
    return np.array(value.numpy() if isinstance(value, Value) else value)


def tensor_results(case, values):
    """The outputs and derivatives of a program run on Tensors, of which only floats have any."""
    program = case.program
    for value in values.values():
        if isinstance(value, Value) and value.requires_grad and value.dtype.kind != "f":
            raise WrongSwitch(f"{value.dtype} numbers require grad")
    found = {("value", i, 0): numbers(values[i]) for i in program.outputs}
    if not all(getattr(values[i], "requires_grad", False) for i in program.wrt):
        return found  # a value in the middle that remembers nothing
    orders = [o for o in program.orders if o != "checkpoints"]
    derived = derived_nodes(program._replace(orders=tuple(orders)), case.seeds, values)
    return found | {(*key, 0): numbers(z) for key, z in derived.items()}


def no_assigns(program):
    """True for a program that Tensors can compute."""
    return not program.assigns()


def of_inputs(program):
    """True for a program that Tensors can compute, with derivatives for its inputs alone."""
    return no_assigns(program) and set(program.wrt) <= {x.id for x in program.inputs}


def learns(program):
    """How much likelier Tensors are differentiated: more where there is a loss."""
    return 3 if program.orders and any("loss" in s.tags for s in program.steps) else 1


@way("dynamic", 4, fits=no_assigns, apt=learns)
def dynamic(case):
    """Tensors, computed at once."""
    return tensor_results(case, run_steps(case.program.steps, dynamic_values(case), mg))


@way("dynamic plain", 1.5, fits=no_assigns)
def dynamic_plain(case):
    """Tensors without shortcuts."""
    with mg.plain():
        return dynamic(case)


@way("lazy", 1, fits=no_assigns)
def lazy(case):
    """Tensors, computed when they are looked at, and until then of the same kinds as others."""
    expected = kinds(run_steps(case.program.steps, dynamic_values(case), mg))
    with mg.lazy():
        if type(mg.tensor(1.0) * 2) is mg.Tensor:
            raise WrongSwitch("what is lazy is computed at once")
        values = run_steps(case.program.steps, dynamic_values(case), mg)
        compare_kinds(values, expected)
        return tensor_results(case, values)


def kinds(values):
    """{number: what is said of a value besides its numbers}."""
    return {
        i: (v.dtype, v.shape, v.requires_grad, v.is_leaf) if isinstance(v, Value) else type(v)
        for i, v in values.items()
    }


def compare_kinds(values, expected):
    """Raises WrongSwitch where the kinds of values are others than these."""
    got = kinds(values)
    for i in expected.keys() & got.keys():
        if got[i] != expected[i]:
            raise WrongSwitch(f"value {i} is {got[i]}, not {expected[i]}")


COPIES = (copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t)))


@way("copied", 1, fits=no_assigns)
def copied(case):
    """Leaves that are copies; what is computed from the Tensors themselves is nothing to them."""
    program, rng = case.program, np.random.default_rng([case.program.seed, 3])
    originals = dynamic_values(case)
    values = {
        i: COPIES[int(rng.integers(3))](v) if isinstance(v, Value) else v
        for i, v in originals.items()
    }
    run_steps(program.steps, values, mg)
    found = tensor_results(case, values)
    if of_inputs(program) and "reverse" in program.orders:
        run_steps(program.steps, originals, mg)
        ys = {i: values[i] for i in program.outputs if differentiable(values[i])}
        ys |= {-1 - i: originals[i] for i in ys}
        ws = {i: case.seeds.w[i if i >= 0 else -1 - i] for i in ys}
        xs = {i: values[i] for i in program.wrt}
        found |= (
            {("reverse", i, 0): numbers(x) for i, x in reverse(ys, xs, ws).items()} if (ys) else {}
        )
    return found


@way("changed operands", 1, fits=no_assigns, apt=reads_arrays)
def changed_operands(case):
    """The caller's arrays are overwritten after the forward pass, before derivatives."""
    values = run_steps(case.program.steps, dynamic_values(case), mg)
    spoil([values[x.id] for x in case.program.inputs if x.role == "array"])
    for i in case.program.outputs:
        if isinstance(values[i], Value):
            spoil([values[i].numpy()])
    found = tensor_results(case, values)
    return {
        key: a for key, a in found.items() if key[0] != "value" or isinstance(values[key[1]], Value)
    }


@way("changed leaves", 0.8, fits=no_assigns)
def changed_leaves(case):
    """Leaves changed in place after the forward pass: old values are used, or an error says so."""
    values = run_steps(case.program.steps, dynamic_values(case), mg)
    changed, expected = {}, {}
    for x in case.program.inputs:
        if isinstance(values[x.id], Value) and values[x.id].dtype.kind in "fi":
            change, by = operator.imul, 0  # an index that still picks something
            if values[x.id].dtype.kind == "f":
                change, by = CHANGES[(case.program.seed + x.id) % len(CHANGES)], 2.0
            with mg.no_grad():
                values[x.id] = change(values[x.id], by)
            changed["changed", x.id] = numbers(values[x.id])
            expected["changed", x.id] = np.asarray(change(np.array(x.data.array()), by))
    try:
        found = tensor_results(case, values)
    except mg.GradientError:
        return changed, expected
    found = {key: a for key, a in found.items() if key[0] != "value"}
    return found | changed, case.truth() | expected


CHANGES = (operator.iadd, operator.isub, operator.imul, operator.itruediv)


def takes_derivatives(program):
    """How much likelier a program is run without recording: more where it asks for derivatives."""
    return 5 if any("inner" in s.tags for s in program.steps) else 1


@way("switched", 0.3, fits=no_assigns, apt=takes_derivatives)
def switched(case):
    """One no_grad entered twice, a use within a use, leaves all as it was."""
    off = mg.no_grad()
    with off, off:
        values = run_steps(case.program.steps, dynamic_values(case), mg)
    results = [values[s.id] for s in case.program.steps]
    if any(isinstance(v, Value) and not v.is_leaf for v in results):
        raise WrongSwitch("what was computed inside no_grad is remembered")
    return tensor_results(case, run_steps(case.program.steps, dynamic_values(case), mg))


class WrongSwitch(Exception):
    """A mode that is not what was asked for."""


@way("backward", 2, False, lambda p: no_assigns(p) and "reverse" in p.orders, learns)
def backward(case):
    """backward() of the weighted sum; seeds, and gradients once seen, are overwritten."""
    program, seeds = case.program, case.seeds
    create, together = program.seed % 4 == 0, program.seed % 3 > 0
    values = run_steps(program.steps, dynamic_values(case), mg)
    ys = [
        i
        for i in dict.fromkeys(program.outputs)
        if differentiable(values[i]) and values[i].requires_grad
    ]
    if together and ys:
        total = sum(mg.sum(values[i] * seeds.w[i].astype(values[i].dtype)) for i in ys)
        total.backward(**({"create_graph": True} if create else {}))
        if not create:
            refuse_again(total)
    given = {}
    for i in () if together else ys:
        w = seeds.w[i].astype(values[i].dtype)
        given[i] = w if program.seed % 24 else mg.tensor(w)
        values[i].backward(given[i], retain_graph=True, create_graph=create)
        spoil([given[i]])
    computed = [values[s.id] for s in program.steps if isinstance(values[s.id], mg.Tensor)]
    if any(v.op is not None and v.grad is not None for v in computed):
        raise WrongSwitch("a gradient is kept that nobody asked for")
    found = {}
    for i in program.wrt:
        if values[i].grad is not None:
            found["reverse", i, 0] = numbers(values[i].grad)
            if values[i].grad.requires_grad and not create:
                raise WrongSwitch("a gradient is remembered that nobody asked for")
            spoil([] if create else [values[i].grad.data])  # which is nobody else's
            with mg.no_grad():
                values[i].grad[...] = 7
    tensors = {("seed", i): numbers(w) for i, w in given.items() if isinstance(w, Value)}
    expected = {("seed", i): seeds.w[i].astype(values[i].dtype) for _, i in tensors}
    return found | tensors, case.truth() | expected


def refuse_again(y):
    """Raises NotRefused where backward goes through a graph that it has given back."""
    try:
        y.backward()
    except mg.GradientError:
        return
    raise NotRefused("a second backward through a graph that was given back")


@way("retained", 0.6, False, fits=lambda p: no_assigns(p) and "reverse" in p.orders)
def retained(case):
    """The gradients that backward() keeps and shows of values in the middle."""
    program, seeds, seen = case.program, case.seeds, {}
    values = run_steps(program.steps, dynamic_values(case), mg)
    ys = [
        i
        for i in dict.fromkeys(program.outputs)
        if differentiable(values[i]) and values[i].requires_grad
    ]
    inner = [
        s.id
        for s in program.steps
        if differentiable(values[s.id]) and values[s.id].requires_grad and not values[s.id].is_leaf
    ][-4:]
    if not ys or not inner:
        return {}
    total = sum(mg.sum(values[i] * seeds.w[i].astype(values[i].dtype)) for i in ys)
    expected = mg.gradients([total], [values[i] for i in inner], unconnected="none")
    reached = [i for i, x_bar in zip(inner, expected) if x_bar is not None]
    for i in inner:
        values[i].retain_grad()
        values[i].register_hook(lambda x_bar, i=i: seen.update({i: x_bar.numpy()}))
    if program.seed % 3 == 0:  # nobody holds what the hooks are to be called for
        del values
        total.backward()
        if {*seen} != {*reached}:
            raise WrongSwitch(f"hooks are called for {[*seen]}, not {reached}")
        return {("seen", i): x_bar for i, x_bar in seen.items()}, {
            ("seen", i): numbers(x_bar) for i, x_bar in zip(inner, expected) if i in reached
        }
    total.backward(create_graph=program.seed % 2 > 0)
    if [i for i in inner if values[i].grad is not None] != reached or [*sorted(seen)] != reached:
        raise WrongSwitch(f"gradients are kept of others than {reached}")
    found = {("kept", i): numbers(values[i].grad) for i in reached}
    found |= {("seen", i): x_bar for i, x_bar in seen.items()}
    return found, {
        (what, i): numbers(x_bar)
        for i, x_bar in zip(inner, expected)
        for what in ("kept", "seen")
        if i in reached
    }


@way("backward twice", 1, False, fits=lambda p: of_inputs(p) and "reverse over reverse" in p.orders)
def backward_twice(case):
    """backward(create_graph=True), and backward through the gradients."""
    program, seeds = case.program, case.seeds
    values = run_steps(program.steps, dynamic_values(case), mg)
    xs = [values[i] for i in program.wrt]
    for i in dict.fromkeys(program.outputs):
        if differentiable(values[i]) and values[i].requires_grad:
            values[i].backward(seeds.w[i], create_graph=True)
    grads = {i: x.grad for i, x in zip(program.wrt, xs)}
    for x in xs:
        x.zero_grad()
    for i, grad in grads.items():
        if grad is not None and grad.requires_grad:
            grad.backward(seeds.v[i], retain_graph=True)
    return {
        ("reverse over reverse", i, 0): numbers(x.grad)
        for i, x in zip(program.wrt, xs)
        if x.grad is not None
    }


def as_function(case, values):
    """The program as a Python function of wrt, which returns its floating outputs."""
    program = case.program

    def f(*xs):
        inner = run_steps(program.steps, {**values, **dict(zip(program.wrt, xs))}, mg)
        return [inner[i] for i in program.outputs]

    return f


def is_alike(program):
    """True for a program that makes the same ops whenever it is traced."""
    return not {"while", "scan", "cond", "custom"} & {t for s in program.steps for t in s.tags}


@way("function", 2, fits=of_inputs)
def function(case):
    """@mg.function on Tensors, called twice; Tensors from outside are captured."""
    program, values = case.program, dynamic_values(case)
    f = mg.function(as_function(case, values), check=program.seed % 4 == 0 and is_alike(program))
    if f.__name__ != "f":
        raise WrongPlan(f"a traced f is called {f.__name__}")
    f.keep = 1 + program.seed % 3  # traces: at 1 the first makes room for the second
    xs = [values[i] for i in program.wrt]
    if not xs:
        return {}
    if stateless(program):
        with mg.no_grad() if program.seed % 2 else mg.enable_grad():
            f(*xs)
    results = f(*xs)
    if any(isinstance(y, Value) > isinstance(z, Value) for z, y in zip(results, f.python(*xs))):
        raise WrongPlan("a traced function gives an array for a Tensor")
    found = tensor_results(case, {**dict(zip(program.outputs, results)), **values})
    if not keyless(program) or not draws_anew(program):
        return found
    drawn_again = {("value", i, 1): numbers(z) for i, z in zip(program.outputs, f(*xs))}
    return found | drawn_again, case.truth() | second_draw(case)


def second_draw(case):
    """The outputs of a session's second run."""
    session, built = mg.Session(case.graph().graph, optimize=False, backend="numpy"), case.graph()
    for _ in range(2):
        results = session.run(built.fetches, dict(built.feeds))
    return {("value", i, 1): results["value", i] for i in case.program.outputs}


@way("function again", 1, fits=lambda p: of_inputs(p) and stateless(p))
def function_again(case):
    """@mg.function that reads Tensors from a dict, which are replaced or changed after a call."""
    program, values = case.program, dynamic_values(case)
    given = program.wrt[::2]
    held = {
        i: mg.tensor(v.numpy() * 0 + v.dtype.type(1), v.requires_grad)
        if isinstance(v, Value) and v.dtype.kind == "f"
        else v
        for i, v in values.items()
        if i not in given
    }

    def read(*xs):
        inner = run_steps(program.steps, {**held, **dict(zip(given, xs))}, mg)
        return [inner[i] for i in program.outputs]

    f, xs = mg.function(read), [values[i] for i in given]
    f(*xs)
    if program.seed % 2:
        held.update({i: values[i] for i in held})
    else:
        with mg.no_grad():
            for i, v in held.items():
                if values[i] is not v:
                    v[...] = values[i].numpy()
        values = {**held, **dict(zip(given, xs))}
    return tensor_results(case, {**dict(zip(program.outputs, f(*xs))), **values})


@way("function inside", 0.6, fits=lambda p: of_inputs(p) and stateless(p) and bool(p.wrt))
def function_inside(case):
    """@mg.function called with nodes, where a graph is built, or by another, which is traced.

    It takes some of the arguments, where it is traced at times none, and captures the others.
    """
    program, held = case.program, {}
    rest = program.wrt[program.seed % 3 :] or program.wrt[: program.seed % 2]

    @mg.function
    def inner(*xs):
        values = run_steps(program.steps, {**held, **dict(zip(rest, xs))}, mg)
        return [values[i] for i in program.outputs]

    def outer(*xs):
        held.update(zip(program.wrt, xs))
        return inner(*[held[i] for i in rest])

    if program.seed % 2:
        built = build(program._replace(orders=(), steps=(), outputs=()), case.seeds)
        held.update(built.values)
        with built.graph:
            results = outer(*[held[i] for i in program.wrt])
            fetches = {("value", i, 0): as_node(z) for i, z in zip(program.outputs, results)}
        return mg.Session(built.graph).run(fetches, built.feeds)
    values = dynamic_values(case)
    held.update(values)
    results = mg.function(outer)(*[values[i] for i in program.wrt])
    return tensor_results(case, {**values, **dict(zip(program.outputs, results))})


class Runs(NamedTuple):
    """The program as a function of wrt that can be pickled."""

    program: object
    values: dict

    def __call__(self, *xs):
        values = {**self.values, **dict(zip(self.program.wrt, xs))}
        inner = run_steps(self.program.steps, values, mg)
        return [inner[i] for i in self.program.outputs]


@mg.function
def halve(x):
    """x / 2, by a function of a module."""
    return x / 2


@way("pickled function", 0.3, fits=of_inputs)
def pickled_function(case):
    """Traced functions through pickle: by its name that of a module, others with their code."""
    program, values = case.program, dynamic_values(case)
    if pickle.loads(pickle.dumps(halve)) is not halve:
        raise WrongPlan("a function of a module is another one through pickle")
    f = mg.function(Runs(program, values), check=program.seed % 2 > 0 and is_alike(program))
    f = pickle.loads(pickle.dumps(f))
    found = f(*[values[i] for i in program.wrt]) if program.wrt else []
    return {("value", i, 0): numbers(z) for i, z in zip(program.outputs, found)}


@way("transforms", 1, True, lambda p: of_inputs(p) and {*p.orders} & {"reverse", "forward"}, learns)
def transforms(case):
    """vjp and jvp of the program as a function of arrays."""
    program, seeds = case.program, case.seeds
    values = dynamic_values(case)
    f, arrays = as_function(case, values), case.arrays()
    xs, found = [arrays[i] for i in program.wrt], {}

    def floats(*given):
        return [y for y in f(*given) if differentiable(y)]

    ys = [i for i, y in zip(program.outputs, f(*[mg.tensor(x) for x in xs])) if differentiable(y)]
    with mg.no_grad() if program.seed % 3 == 0 else nullcontext():
        if "reverse" in program.orders and ys:
            _, pullback = mg.vjp(floats, *xs)
            found |= {
                ("reverse", i, 0): numbers(x)
                for i, x in zip(program.wrt, pullback([seeds.w[i] for i in ys]))
            }
        if "forward" in program.orders and ys:
            _, y_dots = mg.jvp(floats, xs, [seeds.v[i] for i in program.wrt])
            found |= {("forward", i, 0): numbers(y) for i, y in zip(ys, y_dots)}
    return found


@way("hvp", 1, False, fits=lambda p: of_inputs(p) and "forward over reverse" in p.orders)
def hvp(case):
    """mg.hvp and mg.grad of the weighted sum of the outputs, for all inputs at once."""
    program, seeds, values = case.program, case.seeds, dynamic_values(case)
    f, arrays = as_function(case, values), case.arrays()

    def total(xs):
        return sum(
            (
                mg.sum(y * seeds.w[i].astype(y.dtype))
                for i, y in zip(program.outputs, f(*xs))
                if differentiable(y)
            ),
            0.0 * mg.sum(xs[0]),
        )

    xs = [arrays[i] for i in program.wrt]
    v = [seeds.v[i].astype(x.dtype) for i, x in zip(program.wrt, xs)]
    found = {
        ("forward over reverse", i, 0): numbers(x)
        for i, x in zip(program.wrt, mg.hvp(total, xs, v))
    }
    if "reverse" in program.orders:
        graded = mg.grad(lambda xs: (total(xs), [2 * x for x in xs]), has_aux=True)
        x_bars, handed_on = graded(xs)
        if any(x.requires_grad for x in handed_on):
            raise WrongSwitch("what a function hands on beside its result is remembered")
        found |= {("reverse", i, 0): numbers(x) for i, x in zip(program.wrt, x_bars)}
    return {key: a for key, a in found.items() if key in case.truth()}  # none without float outputs


@way("optimisers", 1, False, fits=lambda p: small(p) and of_inputs(p) and trainable(p))
def optimisers(case):
    """Two optimisers that minimize one loss, against their formulas with gradients of Tensors."""
    program = case.program
    names = [x.id for x in program.inputs if x.role == "variable" and x.id in program.wrt]
    rng = np.random.default_rng([program.seed, 4])
    groups = [names[: len(names) // 2], names[len(names) // 2 :]]
    groups = [g for g in groups if g]
    kinds = [str(rng.choice(["plain", "momentum", "adam"])) for _ in groups]
    built = build(program._replace(orders=()), case.seeds)
    with built.graph:
        loss = weighted(program, case.seeds, built.values)
        changes = [
            OPTIMISERS[k]([built.values[i] for i in g]).minimize(loss)
            for k, g in zip(kinds, groups)
        ]
    session = mg.Session(built.graph)
    for _ in range(2):
        session.run([loss, *changes], dict(built.feeds))
    got = session.run({("variable", i): built.values[i] for i in names})
    return got, trained(
        case,
        dict(zip(kinds, groups)) if len(set(kinds)) == len(kinds) else {kinds[0]: names},
        names,
    )


OPTIMISERS = {
    "plain": lambda ws: mg.optim.SGD(ws, lr=0.1),
    "momentum": lambda ws: mg.optim.SGD(ws, lr=0.1, momentum=0.5),
    "adam": lambda ws: mg.optim.Adam(ws, lr=0.1),
}


def trainable(program):
    """True for a program with a float64 variable to train."""
    return any(
        x.role == "variable" and x.id in program.wrt and x.data.dtype == "float64"
        for x in program.inputs
    ) and finite(program)


def weighted(program, seeds, values):
    """The sum of the floating outputs, each entry times its weight."""
    parts = [
        mg.sum(values[i] * seeds.w[i])
        for i in dict.fromkeys(program.outputs)
        if differentiable(values[i])
    ]
    parts += [0.0 * mg.sum(values[i]) for i in program.wrt]
    return sum(parts[1:], parts[0])


def trained(case, groups, names):
    """The variables after two updates, by the formulas of the optimisers."""
    program, arrays = case.program, case.arrays()
    state = {i: [0.0, 0.0] for i in names}
    for t in (1, 2):
        values = dynamic_values(case)
        values |= {i: mg.tensor(arrays[i], i in program.wrt) for i in names}
        run_steps(program.steps, values, mg)
        grads = mg.gradients(weighted(program, case.seeds, values), [values[i] for i in names])
        for i, g in zip(names, map(numbers, grads)):
            kind = next(k for k, group in groups.items() if i in group)
            m, v = state[i]
            if kind == "adam":
                m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
                step = 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
            else:
                m = 0.5 * m * (kind == "momentum") + g
                step = 0.1 * m
            state[i], arrays[i] = [m, v], arrays[i] - step
    return {("variable", i): np.asarray(arrays[i]) for i in names}


@way(
    "branches",
    0.6,
    False,
    fits=lambda p: small(p) and of_inputs(p) and finite(p) and "reverse" in p.orders,
)
def branches(case):
    """An infinite cotangent of an entry that is not taken does nothing: it counts as 0."""
    program, seeds, built = case.program, case.seeds, case.graph()
    rng = np.random.default_rng([program.seed, 5])
    zs, ys, infinite, zero = [], [], [], []
    with built.graph:
        xs = [built.values[i] for i in program.wrt]
        for i in dict.fromkeys(program.outputs):
            y = built.values[i]
            if differentiable(y):
                z, taken = hidden(y, case.truth()["value", i, 0], rng)
                w = seeds.w[i].astype(y.dtype)
                zs, ys = [*zs, z], [*ys, y]
                infinite.append(np.where(taken, w, np.inf))
                zero.append(np.where(taken, w, 0))
        if not zs:
            return {}
        got = mg.gradients(zs, xs, infinite, unconnected="zero")
        expected = mg.gradients(ys, xs, zero, unconnected="zero")
    keys = [("reverse", i, 0) for i in program.wrt]
    plain = mg.Session(built.graph, optimize=False, backend="numpy")
    return (
        mg.Session(built.graph).run(dict(zip(keys, got)), dict(built.feeds)),
        plain.run(dict(zip(keys, expected)), dict(built.feeds)),
    )


def hidden(y, value, rng):
    """(y with some entries replaced by others, which entries are still y's own)."""
    mask = rng.random(value.shape) < 0.5
    low = np.where(mask, -1e30, 1e30).astype(value.dtype)
    return [
        lambda: (mg.where(mask, y, 0.0), mask),
        lambda: (mg.where(~mask, 0.0, y), mask),
        lambda: (mg.maximum(y, low), mask),
        lambda: (mg.maximum(low, y), mask),
        lambda: (mg.minimum(y, -low), mask),
        lambda: (mg.minimum(-low, y), mask),
        lambda: (mg.relu(y), value > 0),
        lambda: (mg.clip(y, -0.5, 0.5), (value >= -0.5) & (value <= 0.5)),
    ][rng.integers(8)]()


@way("jacobian", 0.8, False, fits=lambda p: small(p) and of_inputs(p) and "reverse" in p.orders)
def jacobian(case):
    """The rows of a Jacobian, weighted and added up; at times few of them together."""
    kept = JACOBIANS.TOGETHER
    try:
        JACOBIANS.TOGETHER = 40 if case.program.seed % 2 else kept
        return weighted_jacobian(case)
    finally:
        JACOBIANS.TOGETHER = kept


ONE_WAY = {  # ops that can be differentiated in one mode alone
    "reverse": mg.custom_op(lambda x: x * 1, vjp=lambda x, z, z_bar: z_bar, name="back"),
    "forward": mg.custom_op(lambda x: x * 1, jvp=lambda x, z, x_dot: x_dot, name="forth"),
}


def weighted_jacobian(case):
    """(the sum over outputs of their weights times their Jacobians, what it must be)."""
    program, seeds = case.program, case.seeds
    values = dynamic_values(case)
    f, arrays = as_function(case, values), case.arrays()
    place = program.seed % len(program.wrt)
    if ("reverse", program.wrt[place], 0) not in case.truth():
        return {}
    x, total, kinds = arrays[program.wrt[place]], 0, {}
    mode = "forward" if program.seed % 3 else "reverse"
    others = [arrays[i] for i in program.wrt]
    for number, i in enumerate(program.outputs):
        y = f(*[mg.tensor(a) for a in others])[number]
        if differentiable(y) and y.size <= 40 and x.size <= 40:

            def one(t, number=number):
                given = [mg.tensor(a, a.dtype.kind == "f") for a in others]
                given[place] = ONE_WAY[mode](t) if program.seed % 5 == 0 else t
                return f(*given)[number]

            with mg.no_grad() if program.seed % 4 == 0 else nullcontext():
                table = mg.jacobian(one, mode)(mg.tensor(x))
                if program.seed % 4 == 0 and table.requires_grad:
                    raise WrongSwitch("a Jacobian is remembered inside no_grad")
            table = numbers(table)
            kinds["dtype", i] = (
                table.reshape(-1)[:0],
                np.zeros(0, (x if mode == "reverse" else y).dtype),
            )
            total = total + np.tensordot(seeds.w[i], table.astype(float), seeds.w[i].ndim)
        elif differentiable(y):
            return {}
    expected = np.asarray(case.truth()["reverse", program.wrt[place], 0], float)
    kinds["jacobian", program.wrt[place]] = np.asarray(total + 0 * expected), expected
    return {key: got for key, (got, _) in kinds.items()}, {key: a for key, (_, a) in kinds.items()}


@way("shortcuts", 1.5, fits=lambda p: any(WAYS[name].fits(p) for name in LANES))
def fast_lane(case):
    """The same with shortcuts and without them, bit for bit."""
    names = [name for name in LANES if WAYS[name].fits(case.program)]
    run = WAYS[names[case.program.seed % len(names)]].run
    fast = run(case)
    with mg.plain():
        plain = run(case)
    first = fast[0] if isinstance(fast, tuple) else fast
    return first, plain[0] if isinstance(plain, tuple) else plain


@way("nothing kept", 2, fits=lambda p: any(WAYS[name].fits(p) for name in LANES))
def nothing_kept(case):
    """The same where also small values that no rule reads are let go, bit for bit."""
    names = [name for name in LANES if WAYS[name].fits(case.program)]
    run = WAYS[names[case.program.seed % len(names)]].run
    kept = run(case)
    patches = [mock.patch.object(one, "LEAST_FREED", 0) for one in (tensor, dispatch)]
    lane = mg.plain() if case.program.seed % 2 else nullcontext()
    with (
        lane,
        patches[0],
        patches[1],
        mock.patch.object(tensor.MetaTensor, "resolve", resolve_if_asked),
    ):
        bare = run(case)
    first, last = (found[0] if isinstance(found, tuple) else found for found in (kept, bare))
    # a Jacobian of what is linear may ask for a derivative, which is 0, where all is kept
    return {key: array for key, array in first.items() if key in last}, last


def resolve_if_asked(shadow):
    """The shadow itself, as where nobody holds the value, unless it was asked for its gradient."""
    value = shadow.origin()
    return value if value is not None and (value.keeps_grad or value.hooks) else shadow


LANES = ("backward", "transforms", "hvp", "retained", "backward twice", "jacobian")
