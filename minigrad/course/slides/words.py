"""A lesson's text on slides: Markdown and formulas as HTML, and as many sentences as fit."""

import re

import mistune

from minigrad.course.publishing.formulas import tex_to_mathml

SENTENCE_END = re.compile(r"(?<=[.?!])(?<!\b[A-Z]\.)\s+(?=[A-Z\"“`$*(])")
SHORT_FRACTION = re.compile(r"(\\[td]?frac)(\d)(\d)")
POINTS_BELOW = re.compile(r"\b[Bb]elow\b(?! [\d$])")  # of a page, which a slide is not
NO_LETTERS = re.compile(r"\\[A-Za-z]+|[\\$*`{}_^]")


class SlideRenderer(mistune.HTMLRenderer):
    """Write formulas as MathML, and links as plain words."""

    def inline_math(self, text):
        """Return a formula that stands in a line."""
        return tex_to_mathml(with_braces(text), as_block=False)

    def block_math(self, text):
        """Return a formula that stands alone."""
        made = tex_to_mathml(with_braces(text.strip()), as_block=True)
        return f'<div class="formula">{made}</div>\n'

    def link(self, text, url, title=None):
        """Return the words of a link: a deck leads nowhere."""
        return text


def with_braces(tex):
    """Return a formula in which fractions of two digits, such as \\tfrac12, have braces."""
    return SHORT_FRACTION.sub(r"\1{\2}{\3}", tex)


PLUGINS = ("math", "mistune.plugins.math.math_in_list", "table")
render = mistune.create_markdown(renderer=SlideRenderer(), plugins=PLUGINS)
WHOLE = re.compile(r"<math(?:(?!</math>).)*</math>[.,;:?)]|\b\d+e-\d+\b", re.DOTALL)


def to_html(text):
    """Return Markdown as HTML in which no line begins with a full stop or ends within 1e-8."""
    return WHOLE.sub(r'<span class="whole">\g<0></span>', render(text))


def inline_html(text):
    """Return one paragraph of Markdown as HTML without the tag around it."""
    return to_html(text).strip().removeprefix("<p>").removesuffix("</p>")


def visible_length(text):
    """Return about how many letters a reader sees of a Markdown text."""
    return len(NO_LETTERS.sub("", text))


def cell_prose(text):
    """Return the text of a cell without its heading, its boxes, its prediction and its exercise."""
    body = re.split(r"^### |^\*\*Predict\.\*\*", text, flags=re.MULTILINE)[0]
    lines = [line for line in body.splitlines() if not line.startswith(("## ", ">", "|"))]
    return "\n".join(lines).replace("$$", "$").strip()


def first_sentences(text, limit):
    """Return the first sentences of a text that have at most `limit` letters together, and at
    least one sentence."""
    first, *others = divide_sentences(text)
    for sentence in others:
        if visible_length(f"{first} {sentence}") > limit:
            break
        first = f"{first} {sentence}"
    return first


def last_question(text, limit):
    """Return the last question of a text, with as many sentences before it as fit together;
    where it asks nothing, ""."""
    sentences = divide_sentences(text)
    ends = [at for at, one in enumerate(sentences) if one.endswith("?")]
    if not ends:
        return ""
    start = end = ends[-1]
    while start and visible_length(" ".join(sentences[start - 1 : end + 1])) <= limit:
        start -= 1
    return " ".join(sentences[start : end + 1])


def last_paragraph(text, limit):
    """Return the last paragraph of a text; "" where it is a formula, or has more letters."""
    last = text.rpartition("\n\n")[2]
    return last if visible_length(last) <= limit and not last.startswith("$") else ""


def divide_sentences(text):
    """Return the sentences of a paragraph."""
    return SENTENCE_END.split(" ".join(text.split()))


def sentence_case(text):
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
