"""A net as a graph: its forward pass on a placeholder, in a graph of its own."""

import copy
import inspect

from minigrad.core.errors import ArgumentError
from minigrad.draw.read import clean, is_value, peek
from minigrad.static.graph import Graph, Variable, placeholder

GIVEN = "draw what it gives for an input of yours: mg.draw(net(x))"


def forward_pass(net):
    """(what a net computes, {name: what it was computed from, and the net that did so}).

    The input has any number of rows, and the width that the first layer with weights takes. The
    net is copied, with a Variable for each weight, so that it stays as it is. Raises ArgumentError
    where its input cannot be known.
    """
    kind = clean(type(net).__name__)
    name, (shape, dtype) = input_name(net, kind), input_form(net, kind)
    with Graph():
        x = placeholder(name, shape, dtype)
        try:
            twin = copy.deepcopy(net, find_replacements(net))
            result = twin(x)
        except Exception as error:
            lengths = ", ".join("?" if n is None else str(n) for n in shape)
            message = f"draw: {kind} does not take [{lengths}], as its first weights do"
            said = peek(error, "message", default=f"{type(error).__name__}: {error}")
            raise ArgumentError(f"{message}: {clean(said, 200)}", GIVEN) from error
    return result, {name: x, kind.lower(): twin}


def input_form(net, kind):
    """(shape, dtype) of the input of the first layer with weights, whatever the length of a batch.

    It is read off a matrix W [inputs, outputs], or off the gain of a layer that normalises.
    """
    for module in net.modules():
        w, gain = (one if is_value(one := peek(module, name)) else None for name in ("W", "gain"))
        if w is not None and len(w.shape) == 2:
            return (None, w.shape[0]), w.dtype
        if gain is not None:
            return (None, *gain.shape), gain.dtype
        if any(is_value(one) for one in vars(module).values()):
            break
    raise ArgumentError(f"draw: the weights of {kind} do not tell the shape of its input", GIVEN)


def input_name(net, kind):
    """The name of the one input that `forward` takes."""
    given = inspect.signature(net.forward).parameters.values()
    needed = [
        one.name for one in given if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    ]
    if len(needed) != 1:
        names = ", ".join(needed)
        message = f"draw: {kind} takes {len(needed) or 'no'} inputs{': ' * bool(names)}{names}"
        raise ArgumentError(message, f"draw what it gives for yours: mg.draw(net({names}))")
    return needed[0]


def find_replacements(net):
    """What copy.deepcopy is to put in the place of the parts of a net, by their ids."""
    found = {}
    for value in {id(value): value for _, value in net.named_values()}.values():
        trainable = peek(value, "trainable", "requires_grad")
        found[id(value)] = Variable(peek(value, "initial", "array"), value.name, trainable)
    for module in net.modules():
        found[id(peek(module, "pending"))] = []
    found.pop(id(None), None)
    return found
