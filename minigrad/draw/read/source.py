"""What may be drawn besides values: an Executable, a Session, a Graph, a net, a function."""

import inspect
from typing import Any, NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.read import clean, has, is_value, operands, peek, role_of
from minigrad.draw.read.modules import is_module
from minigrad.draw.read.nets import forward_pass
from minigrad.draw.read.options import (
    as_argument,
    check_returned,
    function_name,
    is_of_numpy,
    refuse_call,
)
from minigrad.draw.read.outline import gather_values, graph_values


class Subject(NamedTuple):
    """The values to draw; the Executable whose program they are; a function's arguments; and what
    is known of placeholders and variables, as pairs (value, number)."""

    values: list
    executable: Any = None
    arguments: dict = {}  # name → value
    numbers: tuple = ()


def subject_of(things, mode, feed):
    """The Subject of what `draw` was given."""
    first, alone = things[0], len(things) == 1
    if is_session(first):
        found = of_session(first, things[1:], feed)
    elif is_executable(first):
        found = of_executable(first)
    elif alone and is_graph(first):
        found = Subject(list_results(first))
    elif alone and is_loaded(first):
        found = Subject(list(values_in(first.outputs)))
    elif alone and is_module(first):
        found = of_net(first)
    elif is_function(first):
        found = Subject(*graph_of_call(first, things[1:], mode))
    else:
        found = Subject(graph_values(things))
    if mode == "plan" and found.executable is None:
        raise ArgumentError(
            "draw: only a compiled program has a memory plan",
            'draw(sess.compile(fetches, feeds), mode="plan"), or draw(sess, fetches, mode="plan")',
        )
    return found


def is_executable(thing):
    """Whether it is a compiled program with a plan."""
    return peek(thing, "program") is not None and peek(thing, "plan") is not None


def is_session(thing):
    """Whether it compiles fetches of a graph."""
    return not is_value(thing) and has(thing, "compile") and peek(thing, "graph") is not None


def of_session(session, fetches, feed):
    """What the session makes of the fetches; fed are by default the placeholders they need.

    Without fetches, its graph as it was built.
    """
    if not fetches:
        return Subject(list_results(session.graph))
    if feed is None:
        feed = [
            x for x in gather_values(graph_values(fetches))[0] if role_of(x, None, ()) == "input"
        ]
    return of_executable(session.compile(list(fetches), feed), feed)


def of_executable(executable, feed=()):
    """What the program of an Executable computes, for the numbers that are fed, if these are."""
    known = tuple(known_leaves(executable, feed if hasattr(feed, "items") else {}))
    return Subject(list(executable.program.roots()), executable, numbers=known)


def known_leaves(executable, feed):
    """(node of a program, number) of what is fed, and of variables as they are now."""
    program, session = executable.program, peek(executable, "session")
    numbers = {peek(node, "order"): number for node, number in feed.items()}
    for order, node in program.feeds.items():
        if order in numbers:
            yield node, numbers[order]
    for order, node in program.variables.items() if session is not None else ():
        initial = peek(session.graph.nodes[order], "initial")
        yield node, session.variable_values.get(order, initial)


def is_graph(thing):
    """Whether it is a graph of nodes, and none of the values in one."""
    return isinstance(peek(thing, "nodes"), list) and has(thing, "variables")


def list_results(graph):
    """The nodes that no other node reads. Raises ArgumentError for a graph without nodes."""
    read = {id(source) for node in graph.nodes for source in operands(node)}
    if not graph.nodes:
        raise ArgumentError(
            "draw: the Graph has no nodes",
            "build something in it: with graph: y = mg.constant(1.0) * 2",
        )
    return [node for node in graph.nodes if id(node) not in read]


def is_loaded(thing):
    """Whether it is a graph with its outputs by name, as mg.load gives it."""
    return is_graph(peek(thing, "graph")) and has(thing, "outputs")


def of_net(net):
    """The forward pass of a net."""
    result, arguments = forward_pass(net)
    if not (values := list(values_in(result))):
        kind = clean(type(net).__name__)
        raise ArgumentError(
            f"draw: the forward of {kind} does not return a value of a graph",
            "return the result itself, without item() or numpy()",
        )
    return Subject(values, None, arguments)


# functions ----------------------------------------------------------------------------------------


def is_function(thing):
    """Whether it can be called, and is neither a value nor a class."""
    return callable(thing) and not is_value(thing) and not isinstance(thing, type)


def graph_of_call(function, examples, mode):
    """(values, executable or None, arguments by name, and of a traced function what is known of its
    placeholders) of a function called with examples."""
    if isinstance(peek(function, "traces"), list):
        return graph_of_traced(function, examples)
    if not examples and needs_arguments(function):
        name = function_name(function)
        raise ArgumentError(
            f"draw: {name} is a function: its graph appears when it is called",
            f"draw({name}, 2.0, …) with examples of its arguments",
        )
    refuse_call(function, examples, {}, "draw")
    arguments = [as_argument(example) for example in examples]
    result = function(*arguments)
    named = dict(zip(argument_names(function, len(examples)), arguments))
    check_returned(found := list(values_in(result)), "draw")
    return found, None, named


def graph_of_traced(function, examples):
    """The graph of a traced function: of the call with these examples, else of its last trace."""
    before = [trace.calls for trace in function.traces]
    if examples:
        function(*examples)
    if not function.traces:
        raise ArgumentError(
            f"draw: {function.name} has not been called yet, so it has no trace",
            f"call it once, or draw({function.name}, examples…)",
        )
    before += [0] * (len(function.traces) - len(before))
    ran = [t for t, calls in zip(function.traces, before) if t.calls > calls]
    trace = (ran or function.traces)[-1]
    programs = list(trace.session.executables.values())
    executable = programs[-1] if programs else None
    return list(values_in(trace.leaves)), executable, {}, tuple(fed_numbers(trace, examples))


def fed_numbers(trace, examples):
    """(placeholder of a traced function, number) of a call with these examples, where each of them
    and each Tensor from outside has its placeholder."""
    given = [one for one in examples if is_value(one) or is_of_numpy(one)]
    given += peek(trace, "captured", default=[])
    if len(given) == len(trace.formals):
        yield from ((x, peek(one, "array", default=one)) for x, one in zip(trace.formals, given))


def values_in(nest):
    """The graph values in nested lists, tuples and dicts."""
    if is_value(nest):
        yield nest
    elif isinstance(nest, (list, tuple, dict)):
        for part in nest.values() if isinstance(nest, dict) else nest:
            yield from values_in(part)


def parameters_of(function):
    """The parameters of a function; none where it does not tell them."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def needs_arguments(function):
    """Whether a call without arguments is refused."""
    return any(map(is_needed, parameters_of(function)))


def is_needed(parameter):
    """Whether a call without that argument is refused."""
    kinds = (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    return parameter.default is parameter.empty and parameter.kind in kinds


def argument_names(function, count):
    """The names of the first `count` arguments."""
    names = [parameter.name for parameter in parameters_of(function)]
    return (names + [f"x{i}" for i in range(len(names), count)])[:count]
