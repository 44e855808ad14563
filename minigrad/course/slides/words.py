"""A lesson's text on slides: Markdown and formulas as HTML, and as many sentences as fit."""

import re

import mistune

from minigrad.course.publishing.formulas import tex_to_mathml

SENTENCE_END = re.compile(r"(?<=[.?!])(?<!\b[A-Z]\.)\s+(?=[A-Z\"“`$*(])")
NO_LETTERS = re.compile(r"\\[A-Za-z]+|[\\$*`{}_^]")


class SlideRenderer(mistune.HTMLRenderer):
    """Write formulas as MathML, and links as plain words."""

    def inline_math(self, text):
        """Return a formula that stands in a line."""
        return tex_to_mathml(text, as_block=False)

    def block_math(self, text):
        """Return a formula that stands alone."""
        return f'<div class="formula">{tex_to_mathml(text.strip(), as_block=True)}</div>\n'

    def link(self, text, url, title=None):
        """Return the words of a link: a deck leads nowhere."""
        return text


PLUGINS = ("math", "mistune.plugins.math.math_in_list", "table")
to_html = mistune.create_markdown(renderer=SlideRenderer(), plugins=PLUGINS)


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


def divide_sentences(text):
    """Return the sentences of a paragraph."""
    return SENTENCE_END.split(" ".join(text.split()))


def sentence_case(text):
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
