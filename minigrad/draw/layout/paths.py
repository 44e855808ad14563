"""Finding a way past other nodes, as cubic curves: a start, then three points per curve."""

from itertools import pairwise

STEPS = 12  # points per curve that are tested against nodes
CLEAR = 5  # pixels kept free around nodes
BEND = 12  # pixels that a line may go farther to save a bend


def curve(start, end, bow=0.0):
    """One cubic from left to right, level at both ends; `bow` bends it aside."""
    reach = (end[0] - start[0]) * 0.45
    return (start, (start[0] + reach, start[1] + bow), (end[0] - reach, end[1] + bow), end)


def straight(start, end):
    """A line as one cubic curve."""
    third = tuple(s + (e - s) / 3 for s, e in zip(start, end))
    return (start, third, tuple(2 * t - s for s, t in zip(start, third)), end)


def bezier(points, t):
    """The point of a cubic curve at t."""
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return tuple(sum(w * p[axis] for w, p in zip(weights, points)) for axis in (0, 1))


def samples(points):
    """Points along the cubic curves."""
    for at in range(0, len(points) - 1, 3):
        for step in range(1, STEPS):
            yield bezier(points[at : at + 4], step / STEPS)


def hits(points, boxes):
    """Whether the curve comes too near to one of the boxes."""
    for x, y in samples(points):
        for box in boxes:
            if abs(x - box.x) < box.w / 2 + CLEAR and abs(y - box.y) < box.h / 2 + CLEAR:
                return True
    return False


def path_length(points):
    """About how long a path is."""
    return round(sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(points)), 1)


def clear_path(start, end, bow, others, aside=0):
    """A curve from left to right that touches no box, or None."""
    direct = curve(start, end, bow)
    between = [box for box in others if box.right > start[0] and box.left < end[0]]
    if not hits(direct, between):
        return direct
    gap = 2 * CLEAR + aside
    lanes = [y for box in between for y in (box.top - gap, box.bottom + gap)]
    ideal = (start[1] + end[1]) / 2
    for lane in sorted(set(lanes), key=lambda y: (abs(y - ideal), y)):
        path = lane_path(start, end, lane, between)
        if not hits(path, between):
            return path
    return None


def lane_path(start, end, lane, between):
    """Into a lane before the first box that is in the way, out of it after the last."""
    low, high = sorted((start[1], end[1]))
    blocking = [box for box in between if box.bottom > low - CLEAR and box.top < high + CLEAR]
    blocking = blocking or between
    enter = min(max(min(box.left for box in blocking) - 6, start[0] + 12), end[0] - 24)
    leave = max(min(max(box.right for box in blocking) + 6, end[0] - 12), enter + 4)
    first = curve(start, (enter, lane))
    level = straight((enter, lane), (leave, lane))
    last = curve((leave, lane), end)
    return (*first, *level[1:], *last[1:])


def corridor_path(start, end, others):
    """A way through a gap of every column between; the shortest, with few bends."""
    best = {start[1]: (0.0, ())}  # height → (cost, the points so far)
    for column in columns_between(start, end, others):
        enter, leave = min(box.left for box in column) - 6, max(box.right for box in column) + 6
        best = {
            y: cheapest(best, y, ((enter, y), (leave, y))) for y in gaps(column, [*best, end[1]])
        }
    _, way = cheapest(best, end[1], (end,))
    points = [start]
    for at, point in enumerate(way):
        leg = curve if at % 2 == 0 else straight  # between columns, past a column
        points += leg(points[-1], point)[1:]
    return tuple(points)


def columns_between(start, end, others):
    """The boxes between two points, column by column. Those of a column share their centre."""
    columns = {}
    for box in others:
        if start[0] < box.left and box.right < end[0]:
            columns.setdefault(round(box.x), []).append(box)
    return [columns[x] for x in sorted(columns)]


def gaps(column, heights):
    """The heights at which a line can pass a column: near those given, or beside its boxes."""
    gap = 2 * CLEAR
    beside = [y for box in column for y in (box.top - gap, box.bottom + gap)]
    return [
        y
        for y in dict.fromkeys([*heights, *beside])
        if all(abs(y - box.y) >= box.h / 2 + CLEAR for box in column)
    ]


def cheapest(best, y, step):
    """The cheapest way to height y, continued by a step."""
    costs = ((cost + abs(y - at) + BEND * (y != at), way) for at, (cost, way) in best.items())
    cost, way = min(costs)
    return cost, way + step
