"""What each value of a training step is for: the forward pass, the backward pass, an update.

What was differentiated, and which node is whose adjoint, is read off the ledger of the graph; no
name and no pattern is looked at. Nothing here raises, and every value has exactly one role.
"""

from collections import defaultdict
from typing import NamedTuple

from minigrad.draw.read import peek

FORWARD, BACKWARD, UPDATE, SHARED = "forward", "backward", "update", "shared"


class Sweep(NamedTuple):
    """One call of `gradients` or `forward_gradients`, in positions of an Outline.

    `seeds` are what was differentiated, or the inputs that tangents begin at; `nodes` are the
    nodes that the sweep made; `derivatives` maps a value to the nodes that are its derivative.
    `flows` maps pairs (user, operand) to what the user contributed to the adjoint of the operand:
    the positions of the contributions that are in the Outline.
    """

    kind: str  # "adjoint" | "tangent"
    seeds: tuple
    nodes: frozenset
    derivatives: dict
    flows: dict


class Roles(NamedTuple):
    """The roles of the values of an Outline, by position.

    An update belongs to a variable, its owner; what several updates read is shared, and so is what
    else was computed from derivatives.
    """

    lanes: list  # of FORWARD, BACKWARD, UPDATE or SHARED
    sweeps: tuple  # of Sweep
    adjoints: dict  # position of a forward value → positions of the nodes that are its adjoint
    owners: dict  # position of a value in an update → the variable that the update belongs to
    assigns: dict  # position of an owner → the Assigns in its update
    doubt: str  # why lanes would not be a true picture of it; "" where they are

    def lane(self, lane):
        """The positions of one role, in order."""
        return [at for at, role in enumerate(self.lanes) if role == lane]

    def is_higher(self):
        """Whether the forward pass holds a backward pass, which was differentiated again."""
        nodes = {at for sweep in self.sweeps for at in sweep.nodes}
        return any(self.lanes[at] == FORWARD for at in nodes)

    def ends(self):
        """The positions of what was differentiated."""
        ends = (at for sweep in self.sweeps if sweep.kind == "adjoint" for at in sweep.seeds)
        return tuple(dict.fromkeys(ends))


def read_roles(outline):
    """The Roles of the values of an Outline."""
    sweeps = read_sweeps(outline)
    forward = find_forward(outline, sweeps)
    backward = {at for sweep in sweeps for at in sweep.nodes} - forward
    taken = forward | backward
    assigns = [at for at in find_assigns(outline) if at not in taken]
    behind = {assign: behind_outside(outline, assign, taken) for assign in assigns}
    owner = find_owners(outline, assigns, behind, forward)
    users = defaultdict(dict)  # of a value: the variables whose updates read it
    for assign in assigns:
        for at in behind[assign]:
            users[at][owner[outline.inputs[assign][0]]] = None
    owners = {at: next(iter(found)) for at, found in users.items() if len(found) == 1}
    late = find_users(outline, backward | set(users)) - taken
    lanes = dict.fromkeys(late, SHARED) | dict.fromkeys(users, SHARED)
    lanes |= dict.fromkeys(owners, UPDATE) | dict.fromkeys(backward, BACKWARD)
    return Roles(
        lanes=[lanes.get(at, FORWARD) for at in range(len(outline.values))],
        sweeps=sweeps,
        adjoints=join_adjoints(sweeps, forward),
        owners=owners,
        assigns=group_assigns(outline, assigns, owner),
        doubt=find_doubt(outline, sweeps, forward),
    )


# the ledger --------------------------------------------------------------------------------------


def learners_value(value):
    """The learner's own value, where this is a program's copy of it."""
    source = peek(value, "source")
    return value if source is None else source


def read_sweeps(outline):
    """The Sweeps that the values of an Outline come from, by number.

    A sweep inside a step of another one, as a rule may call it, is part of that step.
    """
    places = {id(learners_value(value)): at for at, value in enumerate(outline.values)}
    graphs = {id(graph): graph for graph in map(graph_of, outline.values) if graph is not None}
    found = []
    for graph in graphs.values():
        steps = steps_by_sweep(peek(peek(graph, "ledger"), "steps", default=()))
        orders = {v.order: at for at, v in numbered_values(outline, graph)} if steps else {}
        outer = [steps[number] for number in steps if not is_nested(number, steps)]
        found += (make_sweep(each, places, orders) for each in outer)
    return tuple(sweep for sweep in found if sweep.nodes)


def graph_of(value):
    """The graph that the learner's value stands in, or None."""
    return peek(learners_value(value), "graph")


def numbered_values(outline, graph):
    """(position, learner's value) of the values of one graph."""
    values = enumerate(map(learners_value, outline.values))
    return [(at, v) for at, v in values if peek(v, "graph") is graph]


def steps_by_sweep(steps):
    """{number of a sweep: its steps}."""
    found = defaultdict(list)
    for step in steps:
        found[step.sweep].append(step)
    return dict(found)


def is_nested(number, sweeps):
    """Whether all that a sweep made was made within one step of another sweep."""
    ranges = [step.node_range for step in sweeps[number]]
    first, last = min(r.start for r in ranges), max(r.stop for r in ranges)
    others = (step.node_range for n, steps in sweeps.items() if n != number for step in steps)
    return any(r.start <= first < last <= r.stop for r in others)


def make_sweep(steps, places, orders):
    """The Sweep of these steps of a ledger."""
    nodes = {orders[order] for step in steps for order in step.node_range if order in orders}
    derivatives = defaultdict(dict)
    for value, derivative in derivative_pairs(steps):
        if id(value) in places:
            parts = [
                places[id(part)] for part in derivative_nodes(derivative) if id(part) in places
            ]
            derivatives[places[id(value)]] |= dict.fromkeys(parts)
    seeds = [v for v, seed, _ in steps[0].contributions if seed is not None]
    return Sweep(
        kind=steps[0].kind,
        seeds=tuple(places[id(v)] for v in seeds if id(v) in places),
        nodes=frozenset(nodes),
        derivatives={at: tuple(parts) for at, parts in derivatives.items() if parts},
        flows=read_flows(steps, places),
    )


def derivative_pairs(steps):
    """(value, derivative) of the steps of a sweep, and of where no path leads."""
    for step in steps:
        if step.value is not None:
            yield step.value, step.derivative
        else:
            yield from ((v, total) for v, _, total in step.contributions if total is not None)


def read_flows(steps, places):
    """{(user, operand): their contributions}, in positions."""
    found = defaultdict(list)
    for step in steps:
        for operand, contribution, _ in step.contributions:
            if contribution is not None and {id(step.value), id(operand)} <= places.keys():
                pair = places[id(step.value)], places[id(operand)]
                found[pair] += [places[id(contribution)]] if id(contribution) in places else []
    return dict(found)


def derivative_nodes(derivative):
    """The nodes of a derivative: of a bundle one for each part."""
    return derivative.values() if isinstance(derivative, dict) else (derivative,)


def join_adjoints(sweeps, forward):
    """{position of a forward value: the nodes that are its adjoint, of all sweeps}."""
    found = defaultdict(dict)
    for sweep in sweeps:
        for at, parts in sweep.derivatives.items():
            if sweep.kind == "adjoint" and at in forward:
                found[at] |= dict.fromkeys(parts)
    return {at: tuple(parts) for at, parts in found.items()}


# the lanes ---------------------------------------------------------------------------------------


def find_forward(outline, sweeps):
    """The positions that the differentiated values depend on; without a sweep none is known."""
    ends = {at for sweep in sweeps if sweep.kind == "adjoint" for at in sweep.seeds}
    ends |= {at for sweep in sweeps if sweep.kind == "tangent" for at in sweep.derivatives}
    return outline.behind(ends)


def behind_outside(outline, end, taken):
    """The positions that a value depends on, and its own, not looking behind what is taken."""
    found, todo = set(), [end]
    while todo:
        at = todo.pop()
        if at not in found and at not in taken:
            found.add(at)
            todo += outline.inputs[at]
    return found


def find_users(outline, values):
    """The positions of all that depends on the values, and of the values."""
    found = set()
    for at, inputs in enumerate(outline.inputs):
        if at in values or not found.isdisjoint(inputs):
            found.add(at)
    return found


def find_assigns(outline):
    """The positions of the assignments, in order."""
    inputs = outline.inputs
    return [at for at, op in enumerate(outline.ops) if op == "Assign" and len(inputs[at]) == 2]


def find_owners(outline, assigns, behind, forward):
    """{variable: the variable whose update it belongs to}, of all that are assigned.

    What an optimiser keeps for one parameter, such as its velocity, is read by the update of that
    parameter and belongs to it; a count of steps, which many updates read, is updated by itself.
    """
    reads = defaultdict(set)
    for assign in assigns:
        reads[outline.inputs[assign][0]] |= behind[assign]
    owners = {}
    for variable in reads:
        users = [other for other in reads if other != variable and variable in reads[other]]
        users = [other for other in users if other in forward] or users
        joins = variable not in forward and len(users) == 1
        owners[variable] = users[0] if joins else variable
    return {variable: last_owner(variable, owners) for variable in owners}


def last_owner(variable, owners):
    """The owner of the owner, and so on; a variable in a circle of them is its own."""
    seen = [variable]
    while owners[seen[-1]] not in seen:
        seen.append(owners[seen[-1]])
    return seen[-1] if owners[seen[-1]] == seen[-1] else variable


def group_assigns(outline, assigns, owner):
    """{owner: the Assigns of its update}."""
    found = defaultdict(list)
    for assign in assigns:
        found[owner[outline.inputs[assign][0]]].append(assign)
    return dict(found)


# what lanes cannot show --------------------------------------------------------------------------


def find_doubt(outline, sweeps, forward):
    """Why lanes would not be a true picture of these values, in one line; "" where they are."""
    backward = [sweep for sweep in sweeps if sweep.kind == "adjoint"]
    if outline.frames:
        return "A loop, a choice or a kernel is open, and lanes show each as one operation."
    if not sweeps:
        return "Nothing was differentiated, so there is only a forward pass."
    if len(backward) < len(sweeps):
        return "Tangents run forward, beside their values."
    last = [sweep for sweep in backward if not sweep.nodes <= forward]
    if len(last) > 1:
        return f"{len(last)} backward passes give one value several adjoints."
    return ""
