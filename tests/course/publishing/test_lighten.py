"""Pages that load only what they use."""

import re

import pytest

from minigrad.course.publishing import lighten

STYLES = """/* about .none */ @font-face { src: url(/fa-solid.woff2) }
.seen { a: 1 } .none, p .seen { b: 2 } .none { c: 3 } @media print { .none { d: 4 } }
a:not(.none) { e: 5 } .seen.none { f: 6 }"""


def test_only_rules_that_a_page_can_use_are_kept():
    kept = lighten.prune_styles(STYLES, {"seen", "a", "p"})
    assert re.findall(r"\b\w: \d", kept) == ["a: 1", "b: 2", "e: 5"]
    assert "font-face" not in kept


@pytest.mark.parametrize("tag", ["i", "span"])
def test_an_icon_holds_its_shape(tag):
    shapes = '"arrow-up":[10,20,[8],"f062","M1 2"],sun:[5,6,[9728],"f185","M3 4"]'
    text = f'<{tag} title="day" class="switch fa-solid fa-sun fa-lg"></{tag}>'
    assert lighten.ICON.sub(lambda found: lighten.icon_svg(shapes, found), text) == (
        f'<{tag} title="day" class="switch fa-solid fa-sun fa-lg"><svg class="icon" '
        f'viewBox="0 0 5 6" aria-hidden="true"><path fill="currentColor" d="M3 4"/></svg></{tag}>'
    )
