"""Reverse mode of Tensors on raw arrays: what `autodiff.reverse_sweep` does, in the least time.

A `backward` that nobody differentiates again needs no Tensors: the same rules run on arrays.
"""

from operator import attrgetter

from minigrad.autodiff import contributions
from minigrad.op import OPPOSITE, SAME

numbers = attrgetter("data")


def sweep_arrays(path, adjoints, keep):
    """[(value, cotangent)] of all that keeps its gradient.

    `path` lists values in order of creation; `adjoints` maps order → seed, or None, for each of
    them and for their inputs that require grad. Both are emptied on the way, and unless `keep`,
    values forget their inputs: memory falls while the sweep goes on.

    An elementwise op whose operands are alike is what most steps are, and on small arrays a call
    costs as much as the arithmetic: so `contributions` and `pullback` stand here without theirs.
    """
    found = []
    while path:
        z = path.pop()
        z_bar = adjoints.pop(z.order)
        if z_bar is None:
            continue
        op, rare = z.op, z.rare
        if rare and z.hooks:
            z_bar = z.hooked(z_bar)
        if op is None or rare and z.keeps_grad:
            found.append((z, z_bar))
            if op is None:
                continue
        partials = () if rare else op.partials
        if len(partials) == 1:
            x, = z.inputs
            p, = partials
            x_bar = z_bar if p is SAME else -z_bar if p is OPPOSITE else z_bar * p(x.data, z.data)
            before = adjoints[x.order]
            adjoints[x.order] = x_bar if before is None else before + x_bar
        elif len(partials) == 2:
            x, y = z.inputs
            p, q = partials
            v, w = x.data, y.data
            if v.shape != w.shape or v.dtype is not w.dtype:
                accumulate(z, z_bar, adjoints)
            else:
                if x.requires_grad:
                    x_bar = (z_bar if p is SAME else -z_bar if p is OPPOSITE
                             else z_bar * p(v, w, z.data))
                    before = adjoints[x.order]
                    adjoints[x.order] = x_bar if before is None else before + x_bar
                if y.requires_grad:
                    y_bar = (z_bar if q is SAME else -z_bar if q is OPPOSITE
                             else z_bar * q(v, w, z.data))
                    before = adjoints[y.order]
                    adjoints[y.order] = y_bar if before is None else before + y_bar
        else:
            accumulate(z, z_bar, adjoints)
        if not keep:
            z.inputs = ()
    return found


def accumulate(z, z_bar, adjoints):
    """Adds what z passes on to the adjoints of its inputs."""
    for x, x_bar in contributions(z, z_bar, adjoints, numbers):
        before = adjoints[x.order]
        adjoints[x.order] = x_bar if before is None else before + x_bar
