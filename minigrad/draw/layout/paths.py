"""Finding a way past other nodes, as cubic curves: a start, then three points per curve."""

from itertools import pairwise

STEPS = 12  # points per curve that are tested against nodes, with pixels kept free around these
CLEAR = 5  # so many
FAR, DENSE = 300, 60  # pixels of a curve on which so many more are tested, against nodes alone
BEND = 12  # pixels that a line may go farther to save a bend
BESIDE = [(y, x) for y in (8, -8, 16, -16) for x in (8, -8, 0)]  # of a lane that is taken
BOWS = (0, 14, -14, 28, -28)  # how far a direct line may bend to keep off another


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
    return blend(points, weights_at(t))


def weights_at(t):
    """The weights of the four points of a cubic curve at t."""
    return (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3


def blend(points, weights):
    """The mean of four points with these weights."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
    a, b, c, d = weights
    return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


TESTED = [weights_at(step / STEPS) for step in range(1, STEPS)]
CLOSE = [weights_at(step / DENSE) for step in range(1, DENSE)]


def pieces_of(points):
    """The cubic curves of a path, each by its four points."""
    return (points[at : at + 4] for at in range(0, len(points) - 1, 3))


def samples(points):
    """Points along the cubic curves."""
    for piece in pieces_of(points):
        for weights in TESTED:
            yield blend(piece, weights)


def hits(points, boxes):
    """Whether the curve comes too near to one of the boxes."""
    far = list(far_samples(points))
    return any_inside(samples(points), boxes, CLEAR) or bool(far) and any_inside(far, boxes, 0)


def any_inside(points, boxes, clear):
    """Whether a point is in one of the boxes, with some pixels around it."""
    rooms = [(box.x, box.y, box.w / 2 + clear, box.h / 2 + clear) for box in boxes]
    return any(
        abs(x - across) < wide and abs(y - down) < high
        for x, y in points
        for across, down, wide, high in rooms
    )


def far_samples(points):
    """Points along the long curves, so close together that no node is between two of them."""
    for piece in pieces_of(points):
        if max(abs(end - start) for start, end in zip(piece[0], piece[3])) > FAR:
            for weights in CLOSE:
                yield blend(piece, weights)


def path_length(points):
    """About how long a path is."""
    return round(sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(points)), 1)


def clear_paths(start, end, bow, others, aside=0):
    """Curves from left to right that touch no box, the best first: direct, else by a lane."""
    between = [box for box in others if box.right > start[0] and box.left < end[0]]
    direct = [curve(start, end, bow + more) for more in BOWS]
    if not hits(direct[0], between):
        yield from (path for path in direct if not hits(path, between))
        return
    gap = 2 * CLEAR + aside
    edges = [y for box in between for y in (box.top - gap, box.bottom + gap)]
    ideal = (start[1] + end[1]) / 2
    lanes = sorted(set(edges), key=lambda y: (abs(y - ideal), y))
    for lane in lanes:
        if not hits(path := lane_path(start, end, lane, between), between):
            yield path
            for shift, more in BESIDE:
                path = lane_path(start, end, lane + shift, between, more)
                if not hits(path, between):
                    yield path


def lane_path(start, end, lane, between, more=0):
    """Into a lane before the first box that is in the way, or `more` behind, out of it after the
    last."""
    low, high = sorted((start[1], end[1]))
    blocking = [box for box in between if box.bottom > low - CLEAR and box.top < high + CLEAR]
    blocking = blocking or between
    enter = min(max(min(box.left for box in blocking) - 6, start[0] + 12), end[0] - 24) + more
    leave = max(min(max(box.right for box in blocking) + 6, end[0] - 12), enter + 4)
    first = curve(start, (enter, lane))
    level = straight((enter, lane), (leave, lane))
    last = curve((leave, lane), end)
    return (*first, *level[1:], *last[1:])


def corridor_path(start, end, others, toll):
    """A way through a gap of every column between; the shortest, with few bends.

    `toll(points)` is what it costs to run along these.
    """
    columns = columns_between(start, end, others)
    path = path_through(columns, start, end, toll)
    if not hits(path, [box for column in columns for box in column]):
        return path
    return path_through(whole_columns(columns), start, end, toll)


def path_through(columns, start, end, toll):
    """The cheapest way through the gaps of these columns."""
    best = {start[1]: (0.0, ())}  # height → (cost, the points so far)
    for column in columns:
        enter, leave = min(box.left for box in column) - 6, max(box.right for box in column) + 6
        found = {}
        for y in gaps(column, [*best, end[1]]):
            cost, way = cheapest(best, y, ((enter, y), (leave, y)))
            found[y] = cost + toll(straight((enter, y), (leave, y))), way
        best = found
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


def whole_columns(columns):
    """Columns that overlap made one: a line has no room to bend between them."""
    found = []
    for column in sorted(columns, key=lambda column: min(box.left for box in column)):
        left = min(box.left for box in column) - 12
        if found and left < max(box.right for box in found[-1]):
            found[-1] += column
        else:
            found.append([*column])
    return found


def gaps(column, heights):
    """The heights at which a line can pass a column: near those given, or beside its boxes."""
    gap = 2 * CLEAR
    beside = [
        y for more in (gap, gap + 8) for box in column for y in (box.top - more, box.bottom + more)
    ]
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
