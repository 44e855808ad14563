"""A profile on a drawing: what takes long is dark, and says how long."""

from minigrad.core.errors import ArgumentError
from minigrad.draw.look import HEAT
from minigrad.draw.read import bytes_text, seconds_text

SHARES = (0.01, 0.05, 0.2, 0.5)  # of the time: from each on, a node is darker
WORDS = ("less than 1 %", "from 1 %", "from 5 %", "from 20 %", "from 50 % of the time")


def colour_profile(scene, basis):
    """The scene with every node coloured by its share of the time; what a loop does is its own."""
    profile = basis.options.profile
    check_profile(profile, basis.executable)
    took, holds = sums_of(profile.rows, "seconds"), sums_of(profile.rows, "bytes")
    known = {id(node): node.order for node in profile.plan.order}
    whole, nodes = max(profile.together, 1e-12), []
    for node, orders in zip(scene.nodes, drawn_orders(basis.primal, known)):
        seconds = sum(took.get(order, 0.0) for order in orders)
        size = sum(holds.get(order, 0) for order in orders)
        nodes.append(heat_node(node, seconds, size, whole) if seconds else node)
    used = sorted({node.fill for node in nodes if node.fill[:1] == "h"}, reverse=True)
    legend = tuple((fill, WORDS[int(fill[1:])]) for fill in used)
    return scene._replace(
        nodes=tuple(nodes), legend=legend, notes=(*scene.notes, *profile_notes(profile, whole))
    )


def check_profile(profile, executable):
    """Refuse what is not a profile of the program that is drawn."""
    hint = "draw(executable, profile=executable.profile(feeds))"
    if not hasattr(profile, "rows") or not hasattr(profile, "together"):
        raise ArgumentError(f"draw: {type(profile).__name__} is not a profile", hint)
    if executable is None or profile.plan is not executable.plan:
        raise ArgumentError("draw: this is the profile of another program", hint)


def sums_of(rows, what):
    """{order of a node: the sum of a column over its rows}."""
    found = {}
    for row in rows:
        found[row.order] = found.get(row.order, 0) + getattr(row, what)
    return found


def drawn_orders(primal, known):
    """For each drawn node the orders of what it stands for."""
    values = primal.outline.values
    for group in primal.folding.groups:
        yield [known[id(values[at])] for at in group.members if id(values[at]) in known]


def heat_node(node, seconds, size, whole):
    """The node in the colour of its share, with its time below its label."""
    share = seconds / whole
    percent = f"{share:.0%}" if share >= 0.005 else "< 1%"
    words = f"{seconds_text(seconds)} · {percent}"
    more = ", ".join([words, *[bytes_text(size)] * bool(size)])
    return node._replace(lines=(*node.lines, words), fill=heat_of(share).name, more=more)


def heat_of(share):
    """The Heat of a share of the time."""
    return HEAT[sum(share >= limit for limit in SHARES)]


def profile_notes(profile, whole):
    """How long it takes in all, and the learner's line that takes longest."""
    line, seconds = next(iter(profile.by_line().items()), ("", 0.0))
    yield f"{seconds_text(profile.together)} in all."
    if line:
        yield f"{seconds / whole:.0%} of it: {line}"
