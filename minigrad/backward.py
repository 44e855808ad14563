"""Reverse mode of Tensors on raw arrays: what `autodiff.reverse_sweep` does, in the least time.

A `backward` that nobody differentiates again needs no Tensors: the same rules run on arrays.
"""

from operator import attrgetter

from minigrad.autodiff import contributions
from minigrad.op import OPPOSITE, SAME

numbers = attrgetter("data")


def sweep_arrays(path, adjoints, keep):
    """[(value, cotangent)] of all that keeps its gradient, from the seeds in `adjoints`.

    `path` maps order → value and holds all that requires grad. Both dicts are emptied on the
    way, and unless `keep`, values forget their inputs: memory falls while the sweep goes on.
    """
    found = []

    def add(x, x_bar):
        order = x.order
        adjoints[order] = adjoints[order] + x_bar if order in adjoints else x_bar

    for order in sorted(path, reverse=True):
        z, z_bar = path.pop(order), adjoints.pop(order, None)
        if z_bar is None:
            continue
        z_bar = z.hooked(z_bar) if z.rare and z.hooks else z_bar
        if z.op is None or z.rare and z.keeps_grad:
            found.append((z, z_bar))
        if z.inputs:
            share(z, z_bar, path, add)
        if not keep:
            z.inputs = ()
    return found


def share(z, z_bar, path, add):
    """Calls add(x, x_bar) for each input that z's cotangent goes on to.

    An elementwise op whose operands are alike is what most steps are, and on small arrays a call
    costs as much as the arithmetic: so `contributions` and `pullback` stand here without theirs.
    """
    inputs, partials = z.inputs, () if z.rare else z.op.partials
    if len(partials) == 1:
        (x,), (p,) = inputs, partials
        add(x, z_bar if p is SAME else -z_bar if p is OPPOSITE else z_bar * p(x.data, z.data))
        return
    if len(partials) == 2:
        (x, y), (p, q) = inputs, partials
        v, w = x.data, y.data
        if v.shape == w.shape and v.dtype is w.dtype:
            if x.requires_grad:
                add(x, z_bar if p is SAME else z_bar * p(v, w, z.data))
            if y.requires_grad:
                add(y, z_bar if q is SAME else -z_bar if q is OPPOSITE
                    else z_bar * q(v, w, z.data))
            return
    for x, x_bar in contributions(z, z_bar, path, numbers):
        add(x, x_bar)
