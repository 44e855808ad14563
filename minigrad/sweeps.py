"""The sweeps of Tensors on raw arrays: what those of `autodiff` do, in the least time.

A derivative that nobody differentiates again needs no Tensors: the same rules run on arrays.
An elementwise op whose operands are alike is what most steps are, and on small arrays a call
costs as much as the arithmetic: so such rules are applied here without the calls around them.
"""

from minigrad.autodiff import fit_cotangent, fit_tangent
from minigrad.op import OPPOSITE, SAME, in_rows
from minigrad.spec import is_float


def reverse_arrays(path, adjoints, keep):
    """[(value, cotangent)] of all that keeps its gradient.

    `path` lists values in order of creation; `adjoints` maps order → seed, or None, for each of
    them and for their inputs that require grad. Both are emptied on the way, and unless `keep`,
    values forget their inputs: memory falls while the sweep goes on.
    """
    found = []
    while path:
        z = path.pop()
        z_bar = adjoints.pop(z.order)
        if z_bar is None:
            continue
        op = z.op
        if op is None or z.rare:
            z_bar = z.hooked(z_bar) if z.hooks else z_bar
            if op is None or z.keeps_grad:
                found.append((z, z_bar))
            if op is None:
                continue
        count = 0 if z.rare else op.quick
        if count == 1:
            (x,) = z.inputs
            (p,) = op.partials
            if p is SAME:
                x_bar = z_bar
            elif p is OPPOSITE:
                x_bar = -z_bar
            else:
                x_bar = z_bar * p(x.data, z.data)
            order = x.order
            before = adjoints[order]
            adjoints[order] = x_bar if before is None else before + x_bar
        elif count == 2:
            x, y = z.inputs
            p, q = op.partials
            v, w = x.data, y.data
            if v.shape != w.shape or v.dtype is not w.dtype:
                accumulate(z, z_bar, adjoints)
            else:
                if x.tracked:
                    if p is SAME:
                        x_bar = z_bar
                    elif p is OPPOSITE:
                        x_bar = -z_bar
                    else:
                        x_bar = z_bar * p(v, w, z.data)
                    order = x.order
                    before = adjoints[order]
                    adjoints[order] = x_bar if before is None else before + x_bar
                if y.tracked:
                    if q is SAME:
                        y_bar = z_bar
                    elif q is OPPOSITE:
                        y_bar = -z_bar
                    else:
                        y_bar = z_bar * q(v, w, z.data)
                    order = y.order
                    before = adjoints[order]
                    adjoints[order] = y_bar if before is None else before + y_bar
        else:
            accumulate(z, z_bar, adjoints)
        if not keep:
            z.inputs = ()
    return found


def forward_arrays(path, tangents):
    """Fills `tangents`, order → tangent, for the values of `path`, from the seeds it holds."""
    for z in path:
        op, inputs = z.op, z.inputs
        if op is None:
            continue
        if op.quick == 1 and not z.rare:
            (x,) = inputs
            (p,) = op.partials
            x_dot = tangents.get(x.order)
            if x_dot is not None:
                tangents[z.order] = (
                    x_dot if p is SAME else -x_dot if p is OPPOSITE else x_dot * p(x.data, z.data)
                )
        elif is_float(z.data.dtype):
            x_dots = [tangents.get(x.order) for x in inputs]
            x_dots = [x_dot if x_dot is None else in_rows(x_dot) for x_dot in x_dots]
            z_dot = op.pushforward(
                [in_rows(x.data) for x in inputs], in_rows(z.data), x_dots, z.params
            )
            if z_dot is not None:
                tangents[z.order] = fit_tangent(z_dot, z.data)
    return tangents


def accumulate(z, z_bar, adjoints):
    """Adds what z passes on to the adjoints of its inputs."""
    inputs, xs = z.inputs, [in_rows(x.data) for x in z.inputs]
    wanted = [x.tracked for x in inputs]
    x_bars = z.op.pullback(xs, in_rows(z.data), in_rows(z_bar), wanted, z.params)
    for x, v, x_bar in zip(inputs, xs, x_bars):
        if x.tracked and x_bar is not None:
            if x_bar.shape != v.shape or x_bar.dtype is not v.dtype:
                x_bar = fit_cotangent(x_bar, v)
            before = adjoints[x.order]
            adjoints[x.order] = x_bar if before is None else before + x_bar
