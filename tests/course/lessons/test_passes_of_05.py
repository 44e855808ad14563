"""Lesson 05 counts the passes of a learner's two functions."""

import pytest

import minigrad as mg
from minigrad.course.lessons import l05
from minigrad.course.lessons.answer import LessonError


@pytest.mark.parametrize("inputs", [1, 2, 12])
def test_one_pass_for_each_input_or_for_each_result(inputs):
    forward, reverse = l05.reference_jacobian_forward, l05.reference_jacobian_reverse
    assert l05.count_passes(forward, reverse, inputs, outputs=3) == (inputs, 3)


def test_a_function_that_takes_other_passes_is_told_how_to_go_on():
    def jacobian_forward(f, x):
        return mg.jacobian(f, mode="forward")(x)

    with pytest.raises(LessonError) as refused:
        l05.count_passes(jacobian_forward, l05.reference_jacobian_reverse, 4, outputs=3)
    assert "jacobian_forward took 1 forward passes, and this cell compares 4" in str(refused.value)
    assert "jacobian_forward = skip('jacobian_forward')" in refused.value.hint
