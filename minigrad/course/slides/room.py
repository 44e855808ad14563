"""How high the parts of a slide are, about: what still fits below them."""

from math import ceil

from minigrad.course.slides.words import visible_length

HEIGHT, WIDTH, PADDING, GAP = 720, 1232, 24, 12  # CSS pixels, as in deck.css
TITLE, SAID, ASKED, CHOICES = 34, 26, 30, 51  # of letters; CHOICES with its gap
CODE_LINE, CODE_PADDING = 30, 24
LETTER_WIDTH = 0.5  # of a letter's height, on average


def text_height(text, size=SAID, width=WIDTH):
    """Return about how high a paragraph is, with the gap above it."""
    lines = ceil(visible_length(text) * LETTER_WIDTH * size / width)
    return (1.3 * size * lines + GAP) * bool(text)


def code_height(count):
    """Return how high so many lines of code or of printed text are, with the gap above them."""
    return (CODE_LINE * count + CODE_PADDING + GAP) * bool(count)


def room_below(*heights):
    """Return the height that is left on a slide below parts of these heights."""
    return int(HEIGHT - 2 * PADDING - sum(heights))
