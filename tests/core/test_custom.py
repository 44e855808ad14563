"""Ops of a learner's own: how many operands they take."""

import numpy as np
import pytest

import minigrad as mg


@pytest.mark.parametrize("ufunc, operands", [(np.add, 2), (np.exp, 1), (np.hypot, 2)])
def test_a_ufunc_says_itself_how_many_operands_it_has(ufunc, operands):
    rules = {1: lambda x, z, z_bar: z_bar * z, 2: lambda x, y, z, z_bar: (z_bar, z_bar)}
    op = mg.custom_op(ufunc, vjp=rules[operands])
    xs = [mg.tensor([0.5, 1.5], requires_grad=True) for _ in range(operands)]
    assert np.array_equal(op(*xs).numpy(), ufunc(*[x.numpy() for x in xs]))
    with pytest.raises(mg.ArgumentError, match=f"takes {operands} operands"):
        op(*xs, 1.0)
