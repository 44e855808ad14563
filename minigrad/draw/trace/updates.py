"""What an assignment tells at the end of a run: the formula by which a variable is updated."""

from minigrad.compiler.kernel import Kernel
from minigrad.core.spec import spec_of
from minigrad.draw.trace.formula import substitute, value_symbol, written
from minigrad.draw.trace.summary import summary
from minigrad.draw.trace.symbols import Symbol
from minigrad.draw.trace.telling import Telling
from minigrad.draw.trace.tokens import Token, name_token, typeset_number

DEEP = 3  # steps of a formula that stand in it; values further back are named
ARROW = Token(" ← ")


def tell_update(play, variable, node):
    """What is told of `variable` ← node."""
    token = Token(variable.name or "the variable", "value")
    symbol = update_symbol(play, node, DEEP, True)
    reads = [v for v in play.plan.order if v.role == "variable" and v.name == variable.name]
    used = play.array(reads[0]) if reads else None
    return tell_assignment(token, symbol, play.array(node), used)


def tell_assignment(token, symbol, array, used):
    """What is told of an assignment of an array, whose Symbol is given, to the variable of a Token;
    `used` is its old value, where something read that."""
    numbers, element = substitute(symbol, array)
    sentence = f"The update replaces {token}."
    if used is not None:
        number = "that" if used.shape else typeset_number(summary(used).text)
        sentence += f" The old value was read before, so this run still used {number}."
    return Telling(sentence, (token, ARROW, *written(symbol)), numbers, element)


def update_symbol(play, node, deep, first=False):
    """A node as a Symbol: a formula of variables, adjoints and values with names."""
    name = play.adjoint_names.get(node.order)
    leaf = name and Token(name, "adjoint", play.labels.id(node), "bar")
    whole = not node.inputs or node.op is Kernel and not first or bool(node.name) and not first
    if not leaf and not (whole or deep == 0):
        return value_symbol(node, lambda x: update_symbol(play, x, deep - 1))
    leaf = leaf or name_token(play.labels.name(node), play.labels.id(node))
    return Symbol(spec_of(node), leaf, read=lambda: play.array(node))


def find_adjoints(nodes):
    """{order of a node: the name of the value whose adjoint it is}, where that has a name."""
    origins, found = {}, {}
    for node in nodes:
        made = node if node.source is None else node.source
        if id(made.graph) not in origins:
            origins[id(made.graph)] = made.graph.ledger.origins()
        for kind, of, _ in origins[id(made.graph)].get(made.order, ()):
            if kind == "adjoint" and getattr(of, "name", None):
                found.setdefault(node.order, of.name)
    return found
