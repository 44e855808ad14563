"""What lesson cells call: calls that may be refused, quotes, tables."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.course.lessons.answer import LessonError
from minigrad.course.teach import call_or_error, show, table


def test_a_refusal_is_an_outcome_too(capsys):
    assert call_or_error(abs, -2) == 2
    assert call_or_error(mg.ones(2).__matmul__, mg.ones(3)) == "error"
    assert "at   test_teach.py" in capsys.readouterr().out
    with pytest.raises(ZeroDivisionError):
        call_or_error(lambda x: 1 / x, 0)


def test_show_quotes_the_source_and_names_its_file():
    quoted = show(mg.core.ops.elementwise.Exp)
    assert repr(quoted).startswith("# minigrad/core/ops/elementwise.py\nclass Exp(Elementwise):")
    assert "np.exp" in repr(quoted) and "lambda x, z: z" in quoted._repr_html_()
    own = test_a_number_rounded_to_zero_has_no_sign
    assert repr(show(own)).startswith(f"# this notebook\ndef {own.__name__}():")
    with pytest.raises(LessonError, match="has no Python source"):
        show(np.exp)


def test_numbers_stand_right_and_words_left():
    shown = table(["step", "value"], [("v1", 2), ("longer", mg.tensor(-0.95892)), ("v3", None)])
    assert repr(shown) == ("step      value\nv1            2\nlonger  -0.9589\nv3            ·")


def test_the_format_is_that_of_floats_alone():
    shown = table(["n", "x"], [(100000, -0.0), (True, 11.6521)], form=".3f")
    assert repr(shown).split() == ["n", "x", "100,000", "0.000", "True", "11.652"]


def test_long_names_may_be_broken_in_html():
    shown = table(["x"], [("torch/autograd/graph.py: Node",), ("0.25 a/b",)])._repr_html_()
    assert "torch/<wbr>autograd/<wbr>graph.<wbr>py: Node" in shown and "0.25 a/b" in shown


def test_html_holds_the_same_cells_escaped():
    assert '<td style="text-align:left">a &lt; b</td>' in table(["x"], [("a < b",)])._repr_html_()


def test_a_number_rounded_to_zero_has_no_sign():
    assert str(table(["saved"], [(-0.3,), (-0.0,), (-7.6,)], form=",.0f")).split() == [
        "saved", "0", "0", "-8",
    ]  # fmt: skip
