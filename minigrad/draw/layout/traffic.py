"""Where lines already run, so that those of two different values do not run into one."""

from minigrad.draw.layout.paths import pieces_of

CELL = 4  # pixels; lines are apart where a free cell is between them
STRIDE = 6  # from one point that is looked at to the next
FEW = 4  # of them may two lines share: they cross
DETOUR = 4  # pixels that a way may be longer, for each of them
MOST = 90  # lines; where there are more, none can keep off all others
NEAR = 12  # pixels from the end of a line: others may begin, or end, there, too
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


class TakenGround:
    """The ground that lines take, each for its source: lines of one value may share it."""

    def __init__(self):
        self.cells, self.count = {}, 0  # (column, row) → the sources of lines there

    def add(self, source, points):
        """Notes a line from that source."""
        self.count += 1
        if self.count > MOST:
            self.cells.clear()
            return
        for column, row in set(cells_on(points)):
            for dx, dy in AROUND:
                self.cells.setdefault((column + dx, row + dy), set()).add(source)

    def count_shared(self, source, points):
        """How many of a line's points lie beside the lines of other sources."""
        if not self.cells:
            return 0
        found = map(self.cells.get, cells_on(points))
        return sum(
            1 for sources in found if sources and (len(sources) > 1 or source not in sources)
        )

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


def crossing_lines(lines):
    """The places of the lines, as points of cubic curves, that run over one before them."""
    taken, found = set(), set()
    for at, points in enumerate(lines):
        ends = points[0], points[-1]
        own = {cell for cell in cells_on(points) if is_far(cell, ends)}
        around = {(column + dx, row + dy) for column, row in own for dx, dy in AROUND}
        if around & taken:
            found.add(at)
        taken |= own
    return found


def is_far(cell, ends):
    """Whether a cell is so far from the ends of a line that what is there is another line."""
    x, y = cell[0] * CELL, cell[1] * CELL
    return all(abs(x - a) + abs(y - b) > NEAR for a, b in ends)


def cells_on(points):
    """The cells that a path runs through, one every few pixels."""
    for (x0, y0), (x1, y1), (x2, y2), (x3, y3) in pieces_of(points):
        count = max(1, int((abs(x3 - x0) + abs(y3 - y0)) / STRIDE))
        for step in range(count):
            t = (step + 0.5) / count
            s = 1 - t
            a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
            x, y = a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3
            yield round(x / CELL), round(y / CELL)
