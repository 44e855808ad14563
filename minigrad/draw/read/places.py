"""In which column and row each card of the forward pass stands.

The longest path to what was differentiated is the spine, row 0; what branches off has rows above.
"""

from collections import defaultdict

from minigrad.draw.read.roles import FORWARD, UPDATE


def place_columns(cards, edges, roles):
    """(cards with column and row, ids of the spine): the longest path to what was differentiated.

    A leaf stands over its first user; it starts the forward lane where it is data that the first
    operation of the spine takes as its first operand.
    """
    before = defaultdict(list)
    for edge in sorted(edges, key=lambda edge: edge.slot):
        before[edge.target].append(edge.source)
    inner = {card.id: card for card in cards if card.lane == FORWARD}
    columns = {}
    for id in inner:
        columns[id] = 1 + max((columns[x] for x in before[id] if x in columns), default=0)
    spine = find_spine(inner, columns, before, roles.ends())
    pull_branches(inner, columns, before, spine)
    rows = choose_rows(inner, columns, spine)
    cards = [
        card._replace(column=columns.get(card.id, 0), row=rows.get(card.id, 0)) for card in cards
    ]
    return place_leaves(cards, edges, spine), spine


def find_spine(inner, columns, before, ends):
    """The ids of the longest path, ties to the first operand, in order."""
    heads = [id for id, card in inner.items() if card.head in ends] or list(inner)
    spine = [max(heads, key=columns.get)] if heads else []
    while spine and columns[spine[-1]] > 1:
        wanted = columns[spine[-1]] - 1
        spine.append(next(x for x in before[spine[-1]] if columns.get(x) == wanted))
    return tuple(reversed(spine))


def pull_branches(inner, columns, before, spine):
    """Moves what is not on the spine to the right, to the column before its first user."""
    first = {}
    for id in reversed(inner):
        if id not in spine and id in first:
            columns[id] = first[id] - 1
        for x in before[id]:
            first[x] = min(columns[id], first.get(x, columns[id]))


def choose_rows(inner, columns, spine):
    """{id: row}: the spine is row 0, and what branches off takes the first free row above it."""
    taken, rows = set(), {}
    for id in inner:
        row = (
            0
            if id in spine
            else next(r for r in range(1, len(inner) + 1) if (columns[id], r) not in taken)
        )
        rows[id] = row
        taken.add((columns[id], row))
    return rows


def place_leaves(cards, edges, spine):
    """The cards with each leaf in the column of its first user, 0 for the start of the spine."""
    at = {card.id: card for card in cards}
    users = defaultdict(list)
    for edge in edges:
        users[edge.source].append(
            (at[edge.target].column, at[edge.target].head, edge.slot, edge.target)
        )
    placed, starts = [], 0
    for card in cards:
        if card.lane == FORWARD:
            placed.append(card)
            continue
        column, _, slot, user = min(users[card.id], default=(0, 0, 1, ""))
        start = card.kind != "variable" and slot == 0 and spine[:1] == (user,) and not starts
        starts += start
        lane = FORWARD if start else card.lane if user else UPDATE  # what nothing forward reads
        placed.append(card._replace(column=0 if start else column, lane=lane))
    return placed
