"""The page of a deck: one file that asks for no other."""

import re

import pytest

pytest.importorskip("sphinx_revealjs", reason="the extra 'slides' is not installed")

from minigrad.course.slides import page
from minigrad.course.slides.deck import Slide

SLIDES = [Slide("opening", "A <b>title</b>", "<p>One</p>", "Say it."), Slide("trap", "", "<p/>")]
ADDRESS = re.compile(r"""(?:\bsrc|\bhref)=["']?(?!data:)|url\((?!["']?data:)|@import""")


def test_a_page_has_its_slides_and_notes():
    made = page.screen_page("03 & more", SLIDES)
    assert "<title>03 &amp; more</title>" in made and made.count("<section data-key=") == 2
    assert '<aside class="notes">Say it.</aside>' in made
    assert made.count("</script>") == 1  # what reveal.js says of scripts does not end its own


@pytest.mark.parametrize("make", [page.screen_page, page.paper_page])
def test_a_page_asks_for_nothing_elsewhere(make):
    styles = "".join(re.findall(r"<style>(.*?)</style>", make("x", SLIDES), re.DOTALL))
    body = make("x", SLIDES).partition("<body>")[2].partition("<script>")[0]
    assert ADDRESS.findall(styles + body) == []
    assert not re.search(r"<(?:link|script )", make("x", SLIDES))


def test_paper_has_no_script():
    made = page.paper_page("x", SLIDES)
    assert "<script" not in made and "@page" in made
