"""A table that a lesson shows: as HTML in a notebook, as aligned columns in plain text."""

from html import escape
from numbers import Number


class Table:
    """Columns with heads; floats in one format, numbers to the right, words to the left."""

    def __init__(self, heads, rows, form):
        self.heads = [str(head) for head in heads]
        self.rows = [[cell(value, form) for value in row] for row in rows]
        self.right = [all(aligned_right(row[at]) for row in rows) for at in range(len(self.heads))]

    def __repr__(self):
        lines = [self.heads, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.heads))]
        return "\n".join(
            "  ".join(
                text.rjust(width) if right else text.ljust(width)
                for text, width, right in zip(line, widths, self.right)
            ).rstrip()
            for line in lines
        )

    def _repr_html_(self):
        head = "".join(self.html("th", self.heads))
        body = "".join(f"<tr>{''.join(self.html('td', row))}</tr>\n" for row in self.rows)
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"

    def html(self, tag, texts):
        """The cells of one line."""
        for text, right in zip(texts, self.right):
            side = "right" if right else "left"
            yield f'<{tag} style="text-align:{side}">{escape(text)}</{tag}>'


def table(heads, rows, form=".4g"):
    """Rows under heads, with floats (also Tensors of one number) in the given format."""
    return Table(heads, [list(row) for row in rows], form)


def cell(value, form):
    """One value as text; None, which is not there yet, as a dot."""
    if value is None:
        return "·"
    value = value.item() if hasattr(value, "item") and not getattr(value, "shape", ()) else value
    if isinstance(value, float):
        return f"{value + 0.0:{form}}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def aligned_right(value):
    """Whether a value is a number, or none yet."""
    return value is None or isinstance(value, Number) or hasattr(value, "item")
