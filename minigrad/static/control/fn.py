"""A function held as a graph: the branch of a choice, the condition or the body of a loop."""

from itertools import zip_longest

from minigrad.core.autodiff import ancestors, forward_gradients, gradients
from minigrad.core.errors import GraphError
from minigrad.core.op import bind, explain_error
from minigrad.core.spec import spec_of
from minigrad.static.control.bundle import floating_places, zero_derivative
from minigrad.static.graph import (
    Constant,
    Graph,
    Node,
    PlaceholderOp,
    RunIndex,
    VariableOp,
    constant,
)
from minigrad.static.interpret import apply_node, compute_node
from minigrad.static.program import refit_spec
from minigrad.static.statements import acts


class Fn:
    """`outputs` as a function of the formal nodes `inputs`, in a graph of their own.

    `nodes` are the constants and ops between them, in order of computation. A drawing or a file
    walks `inputs`, `nodes`, `outputs`; the params of a node may hold Fns again.
    """

    def __init__(self, name, inputs, outputs):
        self.name, self.inputs, self.outputs = name, tuple(inputs), tuple(outputs)
        formal = {x.order for x in self.inputs}
        self.nodes = [v for v in ancestors(self.outputs) if v.order not in formal]
        self.specs = tuple(map(spec_of, self.outputs))
        self.inferred = {tuple(map(spec_of, self.inputs)): self.specs}
        self.derivatives = {}

    def __repr__(self):
        formals = ", ".join(f"{x.name or f'%{x.order}'}: {spec_of(x)}" for x in self.inputs)
        results = ", ".join(map(str, self.specs))
        return f"<{self.name}: ({formals}) → ({results}), {len(self.nodes)} nodes>"

    # computing -----------------------------------------------------------------------------------

    def run(self, arrays, apply=None):
        """The arrays of the outputs: the plain meaning, node by node; `apply` as in interpret."""
        values = dict(zip((x.order for x in self.inputs), arrays))
        for node in self.nodes:
            values[node.order] = compute_node(node, values, None, apply or apply_in_body)
        return [values[y.order] for y in self.outputs]

    def infer(self, specs):
        """The Specs of the outputs for inputs of these Specs, whose lengths may be known by now."""
        specs = tuple(specs)
        if specs not in self.inferred:
            found = {x.order: spec for x, spec in zip(self.inputs, specs)}
            for node in self.nodes:
                found[node.order] = infer_again(node, [found[x.order] for x in node.inputs])
            self.inferred[specs] = tuple(found[y.order] for y in self.outputs)
        return self.inferred[specs]

    def __call__(self, *values, known=()):
        """The steps once more, applied to nodes of the graph that is open.

        `known` are pairs of a node in here and a value that is not to be computed again.
        """
        pairs = [*zip(self.inputs, values), *known]
        new = {x.order: value for x, value in pairs}
        for node in self.nodes:
            if node.order in new:
                continue
            if isinstance(node, Constant):
                new[node.order] = constant(node.value)
            else:
                z = bind(node.op, *[new[x.order] for x in node.inputs], **node.params)
                new[node.order], z.line = z, node.line
            pairs.append((node, new[node.order]))
        for node, value in pairs:
            value.graph.ledger.note("copy", value, node)
        return [new[y.order] for y in self.outputs]

    # derivatives ---------------------------------------------------------------------------------

    def derive(self, key, like, f, names=()):
        """The Fn of f, which takes a list of nodes like those given; made once for each key."""
        if key not in self.derivatives:
            with Graph(f"{key[0]} of {self.name}") as graph:
                named = zip_longest(like, names)
                inputs = [new_formal(graph, spec_of(x), name) for x, name in named]
                outputs = f(inputs)
            refuse_statements(graph, inputs)
            self.derivatives[key] = Fn(graph.name, inputs, outputs)
        return self.derivatives[key]

    def pushforward(self, moved):
        """(inputs, tangents of the inputs at places `moved`) → tangents of the floating outputs."""
        like = [*self.inputs, *(self.inputs[i] for i in moved)]

        def tangents(values):
            xs, x_dots = values[: len(self.inputs)], values[len(self.inputs) :]
            ys = self(*xs)
            floating = [ys[i] for i in floating_places(self.specs)]
            return push_tangents(floating, [xs[i] for i in moved], x_dots)

        return self.derive(("pushforward", moved), like, tangents)

    def pullback(self, wanted, given):
        """(inputs, cotangents of the outputs at places `given`) → cotangents of `wanted` inputs."""
        like = [*self.inputs, *(self.outputs[i] for i in given)]

        def cotangents(values):
            xs, y_bars = values[: len(self.inputs)], values[len(self.inputs) :]
            ys = self(*xs)
            return pull_cotangents([ys[i] for i in given], [xs[i] for i in wanted], y_bars)

        return self.derive(("pullback", wanted, given), like, cotangents)


def apply_in_body(node, arrays):
    """A node's op applied to NumPy's arrays; an error names the body's line, then the loop's."""
    return apply_node(node, arrays, locate_error)


def push_tangents(ys, xs, x_dots):
    """The tangents of ys, zeros where no path leads."""
    y_dots = forward_gradients(ys, xs, x_dots, unconnected="none") if xs else [None] * len(ys)
    return [fill_unconnected("tangent", *pair) for pair in zip(ys, y_dots)]


def pull_cotangents(ys, xs, y_bars):
    """The cotangents of xs, zeros where no path leads."""
    x_bars = gradients(ys, xs, y_bars, unconnected="none") if ys else [None] * len(xs)
    return [fill_unconnected("adjoint", *pair) for pair in zip(xs, x_bars)]


def fill_unconnected(kind, x, derivative):
    """The adjoint or tangent of x, a zero where no path leads."""
    if derivative is None:
        derivative = zero_derivative(x)
        derivative.graph.ledger.note(kind, derivative, x)
    return derivative


def new_formal(graph, spec, name=None):
    """A node that stands for an operand."""
    return Node(graph, PlaceholderOp, (), {}, spec, name)


def infer_again(node, given):
    """The Spec of a node for operands of Specs `given`; no unknown length becomes a broadcast."""
    if not node.inputs:
        return spec_of(node)
    try:
        return refit_spec(node, given)
    except Exception as error:
        raise locate_error(error, node) from None


def locate_error(error, node):
    """`error` of a node in a body, with the body's line; the loop's own line is added later."""
    error = explain_error(error, node.op, node.inputs, node.params, node.line)
    return type(error)(f"{error.message}\n  in   {error.line}", error.hint, code=error.code)


# what a body cannot hold -------------------------------------------------------------------------


def refuse_statements(graph, formals):
    """Raises GraphError for what would mean something else when it is computed again."""
    formal = {x.order for x in formals}
    for node in graph.nodes:
        hint = hint_for_statement(node) if node.order not in formal else None
        if hint:
            what = "a control dependency" if any(map(acts, node.controls)) else node.op
            raise GraphError(
                f"the {graph.name} holds {what}, which a body cannot contain", hint, node.line
            )


def hint_for_statement(node):
    """What to write instead of a node that has no place in a body; None for all others."""
    if node.op.effect or any(map(acts, node.controls)):
        return "return the value, and change or print it outside"
    if node.op is RunIndex:
        return "a draw is the same in every iteration: pass key=, a whole number from the carry"
    if node.op is VariableOp or node.op is PlaceholderOp:
        return "create it outside of the body and use it inside"
    return None
