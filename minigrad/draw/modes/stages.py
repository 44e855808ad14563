"""Pictures in a row in which every node keeps its place: one scene that has room for all."""

import heapq
from collections import Counter

from minigrad.draw.scene import Edge, Scene


def share_room(scenes):
    """The scenes, each with the room of all: what is drawn in two of them is at one place."""
    scenes = tuple(scenes)
    room = room_of(scenes)
    return [scene._replace(room=room) for scene in scenes]


def room_of(scenes):
    """The scene of all nodes and edges of all scenes; a node is in the frame that it comes to."""
    nodes = {node.id: node for scene in reversed(scenes) for node in scene.nodes}
    last = {node.id: node.scope for scene in scenes for node in scene.nodes}
    pairs = Counter()
    for scene in scenes:
        pairs |= Counter((edge.source, edge.target) for edge in scene.flows())
    frames = {frame.path: frame for scene in scenes for frame in scene.frames}
    here = {node.id for node in scenes[-1].nodes}
    scopes = enclose(last, pairs, here, frames)
    order = sort_nodes(nodes, pairs)
    return Scene(
        scenes[-1].mode,
        tuple(nodes[id]._replace(scope=scopes[id]) for id in order),
        tuple(Edge(*pair) for pair, count in pairs.items() for _ in range(count)),
        frames=tuple(frames.values()),
        stages=scenes,
    )


def enclose(scopes, pairs, here, frames):
    """Id → scope; what is gone goes into the frame whose nodes it was computed from and for.

    Else a path would leave the frame and come back, and cut it in two.
    """
    into, out = {}, {}
    for source, target in pairs:
        into.setdefault(target, []).append(source)
        out.setdefault(source, []).append(target)
    found = dict(scopes)
    for path in sorted(frames, key=lambda path: path.count("/")):
        inside = {id for id, scope in scopes.items() if f"{scope}/".startswith(f"{path}/")}
        between = (reach(inside, into) & reach(inside, out)) - inside
        found |= dict.fromkeys((id for id in between if id not in here), path)
    for id in out.keys() - into.keys() - here:  # a leaf goes where its only users are
        paths = {found[user] for user in out[id]}
        found[id] = paths.pop() if len(paths) == 1 else found[id]
    return found


def reach(ids, ways):
    """All that ways lead to from some ids, these included."""
    seen, todo = set(ids), list(ids)
    while todo:
        for id in ways.get(todo.pop(), ()):
            if id not in seen:
                seen.add(id)
                todo.append(id)
    return seen


def sort_nodes(nodes, pairs):
    """The ids, each behind what it was computed from, older ones first; a circle is cut."""
    age = {id: at for at, id in enumerate(sorted(nodes, key=id_key))}
    missing = Counter(target for _, target in pairs)
    after = {}
    for source, target in pairs:
        after.setdefault(source, []).append(target)
    ready = [age[id] for id in nodes if not missing[id]]
    heapq.heapify(ready)
    ids, order = sorted(nodes, key=age.get), {}
    while len(order) < len(ids):
        at = heapq.heappop(ready) if ready else next(a for i, a in age.items() if i not in order)
        if ids[at] in order:
            continue
        order[ids[at]] = None
        for target in after.get(ids[at], ()):
            missing[target] -= 1
            if missing[target] == 0 and target not in order:
                heapq.heappush(ready, age[target])
    return list(order)


def id_key(id):
    """What ids are sorted by: "n2" before "n10", what is in "n2" behind it."""
    return [int(part) if part.isdigit() else 0 for part in id.lstrip("n").split("_")], id
