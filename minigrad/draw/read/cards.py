"""A training step as cards: which values stand on one card, and in which column and row it stands.

A constant number stands in the sign of its user, what one call computed is one card, and a helper,
such as a transposed operand, belongs to its only user. Every value is on exactly one card.
"""

from collections import Counter, defaultdict
from typing import NamedTuple

from minigrad.draw.read import peek
from minigrad.draw.read.blocks import Piles, fold_blocks
from minigrad.draw.read.places import place_columns
from minigrad.draw.read.roles import (
    BACKWARD,
    FORWARD,
    SHARED,
    UPDATE,
    learners_value,
    read_roles,
)
from minigrad.draw.read.signs import (
    PICKS,
    card_sign,
    is_flattened,
    is_scalar_constant,
    known_shape,
)

HELPERS = frozenset(
    "Transpose ExpandDims Squeeze BroadcastTo BroadcastLike Cast Identity EnsureShape Reshape"
    " ReshapeLike RunIndex".split()
)
LEAVES = ("input", "variable", "constant")
MOST_GROUPS = 60  # forward cards of a graph that is drawn whole
MOST_COLUMNS = 20  # of a score: about four systems
MOST_ROWS = 5  # beside the spine


class Card(NamedTuple):
    """Values that are drawn as one card; `members` and `head`, the last of them, are positions.

    The card of an adjoint, a gradient or an update is `of` the card of its value. One that is
    `same_as` another has no members: the adjoint is the same node.
    """

    id: str
    kind: str  # variable input constant op result loop adjoint gradient update shared run
    lane: str  # parameters forward backward gradients update
    head: int
    members: tuple = ()
    sign: str = ""
    name: str = ""
    shape: str = ""  # "32×64", where it says something new
    of: str = ""
    same_as: str = ""
    column: int = 0
    row: int = 0
    count: int = 1  # of the equal cards that it stands for, as a pile

    @property
    def is_operation(self):
        """Whether an operation of the forward pass stands on it."""
        return self.lane == FORWARD and self.kind not in LEAVES


class CardEdge(NamedTuple):
    """A value that one card passes to another, as its operand number `slot`."""

    source: str
    target: str
    slot: int


class CardSet(NamedTuple):
    """A training step in cards, and how it should be drawn: `tier` is "score", "split graph" or
    "overview", and `reason` says why in one line."""

    outline: object
    roles: object
    names: list  # what each position is called
    cards: tuple
    edges: tuple  # CardEdges between forward cards
    spine: tuple  # ids of the longest path to the differentiated value
    tier: str
    reason: str
    piles: Piles | None = None  # of equal blocks, and `whole` is this set without piles
    whole: "CardSet | None" = None

    def card_of(self):
        """{position: id of the card that it stands on}."""
        return {at: card.id for card in self.cards for at in card.members}

    def card(self, id):
        """The card of that id."""
        return next(card for card in self.cards if card.id == id)

    def flows(self):
        """(id of a card, id of its operand's) where an adjoint passes from the one to the other."""
        owner = self.card_of()
        pairs = (pair for sweep in self.roles.sweeps for pair in sweep.flows)
        return {(owner[user], owner[operand]) for user, operand in pairs}


def read_cards(outline, homes=None):
    """The CardSet that an Outline shows. Never raises, and loses no value.

    With `homes`, {position: worker}, no card holds forward values of two workers.
    """
    roles = read_roles(outline)
    names = choose_names(outline)
    inside = keep_apart(fold_forward(outline, roles), homes or {})
    forward = forward_cards(outline, roles, names, inside)
    edges = card_edges(outline, forward)
    forward, spine = place_columns(forward, edges, roles)
    back = backward_cards(outline, roles, names, inside, forward)
    late = update_cards(outline, roles, names, forward)
    cards = gather_lost(outline, (*forward, *back, *late))
    step = CardSet(outline, roles, names, cards, edges, spine, *choose_tier(roles, forward))
    folds = step.tier == "overview" and not roles.doubt and homes is None
    return fold_long(step) if folds else step


def fold_long(step):
    """A long step with equal blocks in a pile."""
    folded = fold_blocks(step)
    tier, reason = choose_tier(folded.roles, [card for card in folded.cards if card.is_operation])
    return folded._replace(tier=tier, reason=reason)


def choose_tier(roles, forward):
    """(tier, reason) for roles and forward cards with their rows."""
    inner = [card for card in forward if card.lane == FORWARD and card.kind not in LEAVES]
    rows = max((card.row for card in inner), default=0)
    columns = max((card.column for card in inner), default=0)
    if len(inner) > MOST_GROUPS or (columns > MOST_COLUMNS and not roles.doubt):
        return "overview", f"{len(inner)} operations forward: more than one picture holds."
    if roles.doubt:
        return "split graph", roles.doubt
    if not inner:
        return "split graph", "No operation stands between what was differentiated and its inputs."
    if rows > MOST_ROWS:
        return "split graph", f"The forward pass branches into {rows + 1} rows."
    return "score", "One forward pass, one backward pass, and what it updates."


# names -------------------------------------------------------------------------------------------


def choose_names(outline):
    """What each value is called: the learner's name, short where that is clear, or v3.

    The W of layers.0 is W0, where nothing else is called so.
    """
    count = Counter(end for name in outline.names for end in {*path_ends(name)})
    short = [next((e for e in path_ends(n) if count[e] == 1), n) for n in outline.names]
    taken = {*short}
    return [name or free_name(f"v{at}", taken) for at, name in enumerate(short)]


def path_ends(name):
    """Names for a path, the shortest first: W, W0, layers.0/W, net/layers.0/W."""
    parts = name.split("/")
    ends = ["/".join(parts[at:]) for at in reversed(range(len(parts)))]
    number = parts[-2].rpartition(".")[2] if len(parts) > 1 else ""
    numbered = [parts[-1] + number] if number.isdecimal() and parts[-1].isalpha() else []
    return [ends[0], *numbered, *ends[1:]]


def free_name(name, taken):
    """The name, with a prime where the learner calls another value so."""
    return f"{name}′" if name in taken else name


def sizes_text(shape):
    """A shape as it stands on a card: "32×64"; "" for one number."""
    return "×".join("?" if n is None else str(n) for n in shape)


# folding the forward pass ------------------------------------------------------------------------


def fold_forward(outline, roles):
    """{position of a forward value: the head of the card that it stands on}."""
    forward, own = roles.lane(FORWARD), forward_users(outline, roles)
    kept = {*roles.ends(), *outline.results}
    calls = fold_calls(outline, own, kept)
    inside = {at: calls.get(at, at) for at in forward}
    for at in set(forward) - kept - calls.keys():
        if len(own[at]) == 1 and is_helper(outline, at):
            inside[at] = own[at][0]
    for at in forward:
        if outline.ops[at] in PICKS and at not in kept and len(outline.inputs[at]) == 1:
            (bundle,) = outline.inputs[at]
            if own.get(bundle) == [at] and bundle not in kept and inside[bundle] == bundle:
                inside[bundle] = at
    fold_constants(outline, own, kept, inside)
    return {at: last_head(at, inside) for at in forward}


def keep_apart(inside, homes):
    """The heads of forward values; one of another worker than its head is its own."""
    return {
        at: at if homes.get(at, homes.get(head)) != homes.get(head) else head
        for at, head in inside.items()
    }


def forward_users(outline, roles):
    """{position of a forward value: the forward values that use it, each once}."""
    users, lanes = outline.users(), roles.lanes
    return {
        at: list(dict.fromkeys(user for user in users[at] if lanes[user] == FORWARD))
        for at in roles.lane(FORWARD)
    }


def last_head(at, inside):
    """The head of the head, and so on."""
    while inside[at] != at:
        at = inside[at]
    return at


def is_helper(outline, at):
    """Whether a value only brings its operand into the form that its user needs.

    What the learner gave a name is no helper, and an image made flat is a layer.
    """
    flat = outline.ops[at] == "Reshape" and is_flattened(outline, at)
    return outline.ops[at] in HELPERS and not outline.names[at] and not flat


def fold_calls(outline, own, kept):
    """{position: head} of what one call of a composite function made, where one value leaves it."""
    calls = defaultdict(list)
    for at in own:
        call = made_by(outline, at)
        if call is not None and outline.roles[at] == "op":
            calls[id(call)].append(at)
    found = {}
    for members in calls.values():
        leaving = [
            at for at in members if at in kept or not {*own[at]} <= {*members} or not own[at]
        ]
        if len(leaving) == 1:
            found |= dict.fromkeys(members, leaving[0])
    return found


def made_by(outline, at):
    """The call of a composite function in which a value was made, or None."""
    return peek(learners_value(outline.values[at]), "made_by")


def fold_constants(outline, own, kept, inside):
    """Puts each constant number into its first user that something else feeds as well."""
    for at in own:
        if is_scalar_constant(outline, at) and at not in kept:
            user = next((u for u in own[at] if is_fed(outline, u)), None)
            if user is not None:
                inside[at] = user


def is_fed(outline, at):
    """Whether a value has an operand that is no constant number."""
    return any(not is_scalar_constant(outline, x) for x in outline.inputs[at])


# forward cards -----------------------------------------------------------------------------------


def forward_cards(outline, roles, names, inside):
    """The cards of the forward pass, without columns; in order of their heads."""
    members, ends = defaultdict(list), roles.ends()
    for at, head in sorted(inside.items()):
        members[head].append(at)
    return [
        make_forward(outline, head, tuple(members[head]), names, ends) for head in sorted(members)
    ]


def make_forward(outline, head, members, names, ends):
    """The card of a forward value."""
    role, name, id = outline.roles[head], names[head], outline.ids[head]
    if role in LEAVES and not outline.inputs[head]:
        shape = sizes_text(known_shape(outline, head))
        lane = "parameters"
        return Card(id, role, lane, head, members, name=name, shape=shape)
    call = made_by(outline, head)
    folded = call is not None and any(made_by(outline, at) is call for at in members if at != head)
    sign = card_sign(outline, head, members, peek(call, "name", default="") if folded else "")
    kind = "result" if head in ends else "loop" if sign == "↻" else "op"
    return Card(id, kind, FORWARD, head, members, sign, name, new_shape(outline, head, members))


def new_shape(outline, head, members):
    """The shape of a card, where it is not that of its first operand."""
    operands, shape = outer_operands(outline, head, members), known_shape(outline, head)
    same = operands and known_shape(outline, operands[0]) == shape
    return "" if same else sizes_text(shape)


def outer_operands(outline, head, members):
    """The operands of a card in the order of its formula, without constants in its sign."""
    found, inner, todo = {}, {*members}, [head]
    fed = any(is_fed(outline, at) for at in members)
    while todo:
        at = todo.pop()
        if at in inner:
            inner.discard(at)
            todo += reversed(outline.inputs[at])
        elif at not in members and not (fed and is_scalar_constant(outline, at)):
            found.setdefault(at)
    return list(found)


def card_edges(outline, cards):
    """The CardEdges between forward cards, each once."""
    owner = {at: card.id for card in cards for at in card.members}
    found = {}
    for card in cards:
        for slot, at in enumerate(outer_operands(outline, card.head, card.members)):
            if owner[at] != outline.ids[at] and is_scalar_constant(outline, at):
                continue  # it stands in the sign of each user
            found.setdefault((owner[at], card.id), slot)
    return tuple(CardEdge(*pair, slot) for pair, slot in found.items())


# the backward pass -------------------------------------------------------------------------------


def backward_cards(outline, roles, names, inside, forward):
    """The cards of adjoints and gradients, from the last value to the first.

    An adjoint that is itself differentiated stands in the forward pass, and has no card here.
    """
    heads = {card.head: card for card in forward}
    claims = claim_adjoints(roles, inside)
    members, found = share_backward(outline, roles, claims), []
    for at in sorted(roles.adjoints, reverse=True):
        owners = [claims[part] for part in roles.adjoints[at] if part in claims]
        if at in heads and owners:
            same = "" if at in owners else f"{outline.ids[owners[0]]}_bar"
            head = next(part for part in reversed(roles.adjoints[at]) if part in claims)
            found.append(make_backward(heads[at], head, tuple(members[at]), same))
    return found


def make_backward(card, head, members, same):
    """The card of the adjoint of a forward card."""
    leaf = card.kind in LEAVES
    return Card(
        id=f"{card.id}_bar",
        kind="gradient" if leaf else "adjoint",
        lane="gradients" if leaf else BACKWARD,
        head=head,
        members=members,
        name=card.name,
        of=card.id,
        same_as=same,
        column=card.column,
        row=card.row,
    )


def claim_adjoints(roles, inside):
    """{node that is an adjoint: the value whose card holds it}: the last of those it is of.

    Of values within a card none holds it where a value that leaves a card has the same adjoint.
    """
    claims = {}
    heads = [at for at in sorted(roles.adjoints, reverse=True) if inside.get(at) == at]
    for at in heads:
        for part in roles.adjoints[at]:
            if roles.lanes[part] == BACKWARD:
                claims.setdefault(part, at)
    return claims


def share_backward(outline, roles, claims):
    """{value: positions on the card of its adjoint}, each position once.

    A node belongs to the first adjoint, from last value to first, that is computed from it and
    from no other adjoint on the way; what nothing reads belongs to what it was computed from.
    """
    users, owner = outline.users(), dict(claims)
    backward = roles.lane(BACKWARD)
    for at in reversed(backward):
        if at not in owner:
            readers = [owner[user] for user in users[at] if user in owner]
            if readers:
                owner[at] = max(readers)
    for at in backward:
        if at not in owner:
            feeders = [owner[x] for x in outline.inputs[at] if x in owner]
            owner[at] = feeders[-1] if feeders else next(iter(claims.values()), None)
    members = defaultdict(list)
    for at in backward:
        members[owner[at]].append(at)
    return members


# updates -----------------------------------------------------------------------------------------


def update_cards(outline, roles, names, forward):
    """The cards of updates, of what they share, and of what only runs other nodes."""
    cards = {at: card for card in forward for at in card.members}
    found = []
    for variable, assigns in roles.assigns.items():
        members = [at for at, owner in roles.owners.items() if owner == variable]
        card = cards.get(variable)
        found.append(
            Card(
                id=f"{outline.ids[variable]}_update",
                kind="update",
                lane=UPDATE,
                head=assigns[-1],
                members=tuple(sorted(members)),
                name=names[variable],
                of=card.id if card is not None else "",
                column=card.column if card is not None else 0,
            )
        )
    return [*found, *shared_cards(outline, roles, names)]


def shared_cards(outline, roles, names):
    """The cards of what several updates read: one for each leaf, and for what belongs together."""
    shared = {*roles.lane(SHARED)}
    parts = {}  # of a shared value: the first value that it is connected with
    for at in sorted(shared):
        near = [x for x in outline.inputs[at] if x in shared and joins_user(outline, x)]
        parts[at] = at if not near else find_root(parts, near[0])
        for x in near[1:]:
            parts[find_root(parts, x)] = find_root(parts, near[0])
    groups = defaultdict(list)
    for at in sorted(shared):
        groups[find_root(parts, at)].append(at)
    return [make_shared(outline, names, members) for members in groups.values()]


def joins_user(outline, at):
    """Whether a shared value stands on the card of its user: all but inputs and variables."""
    return outline.roles[at] not in ("input", "variable")


def find_root(parts, at):
    """The first value of the part that a value belongs to."""
    while parts[at] != at:
        at = parts[at]
    return at


def make_shared(outline, names, members):
    """The card of connected values that several updates read."""
    head = members[-1]
    role, shape = outline.roles[head], sizes_text(known_shape(outline, head))
    leaf = role in LEAVES and len(members) == 1
    kind = role if leaf else "run" if outline.ops[head] == "Group" else "shared"
    name = names[head] if outline.names[head] or kind != "run" else "run"
    return Card(outline.ids[head], kind, UPDATE, head, tuple(members), name=name, shape=shape)


def gather_lost(outline, cards):
    """The cards, with one more for values that stand on none of them."""
    there = {at for card in cards for at in card.members}
    lost = tuple(at for at in range(len(outline.values)) if at not in there)
    more = [Card(f"{outline.ids[lost[0]]}_rest", "shared", UPDATE, lost[-1], lost)] if lost else []
    return (*cards, *more)
