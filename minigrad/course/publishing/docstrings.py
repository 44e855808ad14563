"""Docstrings of this package, which are plain text, in the markup that autodoc reads."""

import re

COLUMNS = re.compile(r"^ |\S {2,}\S", re.MULTILINE)
MARKUP = re.compile(r"([\\*|_])")


def as_rst(app, what, name, obj, options, lines):
    """Rewrites the lines in place: paragraphs wrap, and what stands in columns stays so."""
    first, *others = "\n".join(lines).strip().split("\n\n")
    parts = [
        prose(first),
        *(block(part) if COLUMNS.search(part) else prose(part) for part in others),
    ]
    lines[:] = [*"\n\n".join(parts).split("\n"), ""]


def prose(text):
    """A paragraph whose `code` is literal and whose other signs mean themselves."""
    parts = text.split("`")
    return "".join(
        f"``{part}``" if inside % 2 else MARKUP.sub(r"\\\1", part)
        for inside, part in enumerate(parts)
    )


def block(text):
    """Lines that are kept as they are."""
    return "::\n\n" + "\n".join(f"    {line}" for line in text.split("\n"))
