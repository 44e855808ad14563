"""Tables: the same cells as text and as HTML."""

import minigrad as mg
from minigrad.course.teach import table


def test_numbers_stand_right_and_words_left():
    shown = table(["step", "value"], [("v1", 2), ("longer", mg.tensor(-0.95892)), ("v3", None)])
    assert repr(shown) == ("step      value\nv1            2\nlonger  -0.9589\nv3            ·")


def test_the_format_is_that_of_floats_alone():
    shown = table(["n", "x"], [(100000, -0.0), (True, 11.6521)], form=".3f")
    assert repr(shown).split() == ["n", "x", "100,000", "0.000", "True", "11.652"]


def test_html_holds_the_same_cells_escaped():
    assert '<td style="text-align:left">a &lt; b</td>' in table(["x"], [("a < b",)])._repr_html_()
