"""Systems: a score breaks its columns into lines of nearly equal width, as text does."""

SLACK = 1.04  # so much wider than the room a line may be


def break_columns(columns, width, room):
    """The columns in as few systems as the room allows, and of those the narrowest: lists.

    `width(part, first, last)` is the width of a system of these columns. Where even single columns
    are too wide, each has a system of its own.
    """
    for count in range(1, len(columns) + 1):
        widest, parts = narrowest(columns, width, count)
        if widest <= room * SLACK or count == len(columns):
            return parts
    return []


def narrowest(columns, width, count):
    """(the greatest width, the parts) of the columns in `count` parts, so that it is least."""
    total, known = len(columns), {(0, 0): (0, [])}
    for parts in range(1, count + 1):
        for end in range(parts, total - (count - parts) + 1):
            tried = []
            for start in range(parts - 1, end):
                if (start, parts - 1) in known:
                    widest, before = known[start, parts - 1]
                    own = width(columns[start:end], start == 0, end == total)
                    tried.append((max(widest, own), [*before, columns[start:end]]))
            known[end, parts] = min(tried, key=lambda found: found[0])
    return known[total, count]
