"""Formulas as MathML, which browsers typeset themselves, without a script or a font to load."""

import re

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging

# Commands that docutils does not know, and what it reads in their place.
ALIASES = {r"\dots": r"\ldots", r"\big": "", r"\Big": ""}
COMMAND = re.compile(r"\\[A-Za-z]+")
INDEX_BELOW = re.compile(  # as docutils writes the index of a letter with a bar, a dot or a hat
    r"<munderover>(<mi>.</mi>)((?:(?!<munderover>).)+?)"
    r'(<mo stretchy="false">[¯˙\u02c6]</mo>)</munderover>'
)
LOGGER = logging.getLogger(__name__)


def add_renderer(app):
    """Give Sphinx a renderer of this name for `html_math_renderer`."""
    app.add_html_math_renderer("mathml", (put_inline, None), (put_block, None))


def put_inline(writer, node):
    """Write a formula that stands in a line."""
    writer.body.append(to_mathml(node, as_block=False))
    raise nodes.SkipNode


def put_block(writer, node):
    """Write a formula that stands alone."""
    writer.body.append(f'<div class="math">{to_mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def to_mathml(node, as_block):
    """Return the formula of a node as a MathML element; warn where docutils cannot read it."""
    try:
        return tex_to_mathml(node.astext(), as_block)
    except MathError as error:
        LOGGER.warning("%s is not a formula: %s", node.astext(), error, location=node)
        return ""


def tex_to_mathml(tex, as_block):
    """Return a formula in TeX as a MathML element.

    A bar or a dot is not marked as an accent: where no font for formulas is installed, Chromium
    would draw an accent through the letter. Raises MathError where docutils cannot read it.
    """
    known = COMMAND.sub(lambda found: ALIASES.get(found[0], found[0]), tex)
    made = latex2mathml.tex2mathml(known, as_block=as_block)
    made = re.sub(r"\n\s*", "", made).replace(' accent="true"', "").replace("ˉ", "¯")
    return INDEX_BELOW.sub(r"<msub><mover>\1\3</mover>\2</msub>", made)
