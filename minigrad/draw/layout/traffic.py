"""Where lines already run, so that those of two different values do not run into one."""

from minigrad.draw.layout.paths import pieces_of

CELL = 4  # pixels; lines are apart where a free cell is between them
STRIDE = 6  # from one point that is looked at to the next
FEW = 4  # of them may two lines share: they cross
DETOUR = 4  # pixels that a way may be longer, for each of them
MOST = 90  # lines; where there are more, none can keep off all others
BESIDE = 2  # points before and after those at which a line runs over another
NEAR = 12  # pixels from the end of a line: others may begin, or end, there, too
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


class TakenGround:
    """The ground that lines take, each for its source: lines of one value may share it."""

    def __init__(self, most=MOST):
        self.cells, self.count, self.most = {}, 0, most  # (column, row) → sources of lines there

    def add(self, source, points):
        """Notes a line from that source."""
        self.count += 1
        if self.count > self.most:
            self.cells.clear()
            return
        for column, row in set(cells_on(points)):
            for dx, dy in AROUND:
                self.cells.setdefault((column + dx, row + dy), set()).add(source)

    def count_shared(self, source, points):
        """How many of a line's points lie beside the lines of other sources."""
        if not self.cells:
            return 0
        return sum(self.is_foreign(source, cell) for cell in cells_on(points))

    def is_foreign(self, source, cell):
        """Whether a line of another source runs there."""
        sources = self.cells.get(cell)
        return bool(sources) and (len(sources) > 1 or source not in sources)

    def toll(self, source, points):
        """How many pixels longer a way may be that keeps off such a part of a line."""
        return DETOUR * self.count_shared(source, points)

    def calmest(self, source, paths):
        """The first of the paths that runs into no other line, else the one that does so least;
        None where there are none."""
        best = None
        for path in paths:
            shared = self.count_shared(source, path)
            if shared <= FEW:
                return path
            if best is None or shared < best[0]:
                best = shared, path
        return best and best[1]


def find_crossings(sources, lines):
    """Place of a line → its stretches that run over lines of other sources before it, each a list
    of points. Lines are given as points of cubic curves."""
    ground, found = TakenGround(most=len(lines)), {}
    for at, (source, points) in enumerate(zip(sources, lines)):
        ends = points[0], points[-1]
        spots = list(points_on(points))
        over = [is_far(spot, ends) and ground.is_foreign(source, cell_at(*spot)) for spot in spots]
        stretches = list(crossing_runs(spots, over))
        if stretches:
            found[at] = stretches
        ground.add(source, points)
    return found


def crossing_runs(spots, over):
    """The runs of spots that are over another line, each with its neighbours."""
    run = []
    for at, spot in enumerate(spots):
        if any(over[max(at - BESIDE, 0) : at + BESIDE + 1]):
            run.append(spot)
        elif run:
            yield run
            run = []
    if run:
        yield run


def is_far(spot, ends):
    """Whether a spot is so far from the ends of a line that what is there is another line."""
    return all(abs(spot[0] - x) + abs(spot[1] - y) > NEAR for x, y in ends)


def cells_on(points):
    """The cells that a path runs through, one every few pixels."""
    return (cell_at(x, y) for x, y in points_on(points))


def cell_at(x, y):
    """The column and the row of a point."""
    return round(x / CELL), round(y / CELL)


def points_on(points):
    """A point every few pixels of a path."""
    for (x0, y0), (x1, y1), (x2, y2), (x3, y3) in pieces_of(points):
        count = max(1, int((abs(x3 - x0) + abs(y3 - y0)) / STRIDE))
        for step in range(count):
            t = (step + 0.5) / count
            s = 1 - t
            a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
            yield a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3
