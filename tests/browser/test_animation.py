"""The animated figure in a real browser: it plays, in both themes, and rests where asked to."""

from pathlib import Path

import pytest

from minigrad.draw.player.motion import LEAD, OPEN

PICTURE = Path(__file__).parents[2] / "figures" / "backward_pass.svg"
SEEN = """names => names.map(name => {
    const shown = getComputedStyle(document.querySelector(name))
    return shown.visibility === 'visible' ? Number(shown.opacity) : 0 })"""
PARTS = ["#n2", "#n5", "#n1_bar", "#n1_bar > .s7", "#n1_bar > .value:not(.sum)", ".w7", ".w8"]


def at(page, seconds):
    """What is seen of each part, so many seconds after the first step began."""
    page.evaluate(
        """moment => { for (const one of document.getAnimations()) {
        one.pause(); one.currentTime = 1000 * moment } }""",
        OPEN + LEAD + seconds,
    )
    return page.evaluate(SEEN, PARTS)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_values_then_sums_appear(page, theme):
    page.emulate_media(color_scheme=theme, reduced_motion="no-preference")
    page.goto(PICTURE.as_uri())
    dim, finished = pytest.approx(0.12), [1, 1, 1, 0, 1, 0, 1]
    assert at(page, -OPEN) == finished  # the first frame
    assert at(page, 0.5) == [dim, dim, dim, 0, 0, 0, 0]
    assert at(page, 6.5) == [1, 1, dim, 0, 0, 0, 0]  # y is there, its adjoint is not
    assert at(page, 12.7) == [1, 1, 1, 1, 0, 1, 0]  # w̄ = 3 so far
    assert at(page, 16.0) == finished  # w̄ = 5


def test_beads_run_along_their_edges(page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(PICTURE.as_uri())
    bead = "document.querySelector('[data-from=\"n4_bar\"] .bead').getBoundingClientRect().x"
    at(page, 11.3)
    start = page.evaluate(bead)
    at(page, 12.0)
    assert page.evaluate(bead) < start - 10  # adjoints run to the left


def test_who_asked_for_less_motion_sees_the_whole_at_rest(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto(PICTURE.as_uri())
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate(SEEN, PARTS) == [1, 1, 1, 0, 1, 0, 0]
    assert page.evaluate(SEEN, [".rest", ".bead"]) == [1, 0]
