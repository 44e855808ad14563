"""How wide a text is drawn: the advance widths of Helvetica, Arial and Liberation Sans."""

import unicodedata

# Thousandths of the font size, for the characters from space to "~". Read with fontTools from
# LiberationSans-Regular and -Bold (`hmtx` advances, scaled from 2048 units), whose widths are those
# of Helvetica and Arial by design. A table, so that boxes do not depend on the fonts installed.
REGULAR = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)
BOLD = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
    975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
    333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
)
OTHER, FULL = 620, 1000  # a letter outside the table; an East Asian one


def text_width(text, size, bold=False):
    """The width of `text` in pixels at `size` pixels."""
    return sum(char_width(char, BOLD if bold else REGULAR) for char in text) * size / 1000


def char_width(char, table):
    """The width of one character in thousandths of the font size."""
    if " " <= char <= "~":
        return table[ord(char) - 32]
    if unicodedata.combining(char):
        return 0
    return FULL if unicodedata.east_asian_width(char) in "WF" else OTHER
