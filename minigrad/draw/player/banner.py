"""The banner above the frames of a film: ticks for the steps, a sentence, a formula."""

from minigrad.draw.layout.boxes import Box, name_width, text_width
from minigrad.draw.look import NAME, PHASES, SERIF, SUB, TITLE
from minigrad.draw.paint.key import wrap_notes
from minigrad.draw.paint.marks import name_svg, rectangle, text_svg
from minigrad.draw.trace.tokens import MARKS, Token

PAD, INSET = 16, 14  # around all; inside the banner
TICK, GAP = 6, 8  # the height of a tick; between ticks and banner
HEAD = 22  # from the top of the banner to its first sentence
SAID, LINE = 14, 20  # a sentence: the size of its letters; from one of its lines to the next
PIECE, OUTCOME, ROW = 15, 18, 30  # a formula: the size of its signs, of its result; its height
RAISE = 6  # pixels that an exponent stands higher
BANNER_RULES = f"""\
.said {{ font-size: {SAID}px }}
.piece {{ font-size: {PIECE}px }}
.word {{ font: {PIECE}px {SERIF} }}
.outcome {{ font-size: {OUTCOME}px; font-weight: bold }}
"""
LOOKS = {  # kind of a token: (its class, its size, its font)
    "sign": ("piece", PIECE, "sans"),
    "number": ("piece bold", PIECE, "bold"),
    "word": ("word", PIECE, "roman"),
    "power": ("sub", SUB, "roman"),
    "result": ("outcome", OUTCOME, "bold"),
}
APART = "    "  # between a formula with names and one with shapes
COLOURED = ("number", "result")  # the kinds that are in the colour of the phase


class Banner:
    """The banners of some events, all of one size: as high as the largest needs."""

    def __init__(self, events, count, title, width):
        self.events, self.count, self.title, self.width = events, count, title, width
        self.room = width - 2 * (PAD + INSET)
        self.top = PAD + TICK + GAP
        lines = max((len(self.sentence(event)) for event in events), default=1)
        rows = max((len(self.formula(event)) for event in events), default=1)
        self.height = HEAD + LINE * lines + ROW * rows + 4
        self.bottom = self.top + self.height

    def sentence(self, event):
        """The lines of a step's sentence."""
        return list(wrap_notes([event.sentence], self.room, SAID))

    def formula(self, event):
        """The formula of a step with names and with numbers, in one row if both have room."""
        numbers = (*event.substitution, *tell_entry(event))
        gap = Token(APART) if numbers and str(numbers[0])[:1] != " " else Token("")
        whole = (*event.formula, gap, *numbers)
        rows = [whole] if tokens_width(whole) <= self.room else [event.formula, numbers]
        return [fit_tokens(row, self.room) for row in rows if row]

    def opening(self):
        """The SVG parts above the finished picture: all ticks, the title, how many steps."""
        yield from self.ground(self.count, "op")
        x, y = PAD + INSET, self.top + self.height / 2
        yield text_svg(
            self.title, x, y - 4, "title bold start", text_width(self.title, TITLE, "bold")
        )
        shown = len(self.events)
        more = f", of which {shown:,} are shown" * (shown < self.count)
        yield text_svg(f"{self.count:,} steps{more}", x, y + 18, "said start muted")

    def parts(self, event):
        """The SVG parts above the picture of a step."""
        role = PHASES[event.phase]
        yield from self.ground(event.step + 1, role)
        x, y = PAD + INSET, self.top + HEAD
        yield text_svg(event.phase, x, y - 3, f"bold start {role}-ink")
        yield text_svg(f"{event.step + 1:,} of {self.count:,}", self.width - x, y - 3, "end muted")
        for line in self.sentence(event):
            y += LINE
            yield text_svg(line, x, y - 3, "said start", text_width(line, SAID))
        for row in self.formula(event):
            y += ROW
            yield from tokens_svg(row, x, y - 9, f" {role}-ink")

    def ground(self, done, role):
        """The ticks of all steps, filled up to the number that is done, and the banner itself."""
        pitch = (self.width - 2 * PAD) / max(1, len(self.events))
        wide = pitch - min(4, pitch / 4)
        for at, event in enumerate(self.events):
            own = PHASES[event.phase]
            box = Box(PAD + pitch * at + wide / 2, PAD + TICK / 2, wide, TICK)
            yield rectangle(box, f"{own}-ink" if event.step < done else own, min(3, wide / 2))
        middle = self.top + self.height / 2
        yield rectangle(Box(self.width / 2, middle, self.width - 2 * PAD, self.height), role, 10)


# formulas ----------------------------------------------------------------------------------------


def tell_entry(event):
    """Of which entry of an array the numbers are, where they are those of one."""
    return (Token(f"{APART}entry {event.element}"),) * bool(event.element)


def tokens_svg(tokens, x, y, ink):
    """Tokens in a row from there on: names in italics, numbers in the colour of the class `ink`."""
    for token in tokens:
        if token.kind in LOOKS:
            yield piece_svg(token, x, y, ink)
        else:
            own = f" {token.kind}-ink" if token.kind in MARKS else ""
            yield from name_svg(token.text, x, y, own, token.kind)
        x += token_width(token)


def piece_svg(token, x, y, ink):
    """A token that is no name; "" for a space."""
    look, size, font = LOOKS[token.kind]
    text = token.text.strip()
    before = token.text[: len(token.text) - len(token.text.lstrip())]
    colour = ink if token.kind in COLOURED else ""
    place = x + text_width(before, size, font), y - RAISE * (token.kind == "power")
    return text and text_svg(text, *place, f"{look} start{colour}", text_width(text, size, font))


def token_width(token):
    """The width of a token."""
    if token.kind not in LOOKS:
        return name_width(token.text, NAME)
    return text_width(token.text, *LOOKS[token.kind][1:])


def tokens_width(tokens):
    """The width of tokens in a row."""
    return sum(map(token_width, tokens))


def fit_tokens(tokens, room):
    """The tokens, or as many as have room before "…"."""
    if tokens_width(tokens) <= room:
        return tokens
    rest = Token("…")
    while tokens and tokens_width((*tokens, rest)) > room:
        tokens = tokens[:-1]
    return (*tokens, rest)
