"""What PyTorch computes for a row, as {what: array} in the layout of minigrad."""

import zlib

import numpy as np

UPDATES, LOOKS = 20, (1, 2, 5, 20)


def small(rng, shape):
    """Random multiples of 1/64: exact in every dtype, and short when written."""
    return np.round(64 * rng.normal(size=shape)) / 64


def of_layer(torch, name, row):
    """Inputs, weights, results, gradients of all of them, and what is stored after each pass."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    module, found = row.theirs(torch), {}
    if row.parts:
        module.double()
    values = dict(module.named_parameters()) | dict(module.named_buffers()) if row.parts else {}
    for ours, part in row.parts.items():
        for theirs in part.theirs:
            start = small(rng, values[theirs].shape)
            values[theirs].data[...] = torch.tensor(abs(start) + 0.5 if "var" in theirs else start)
        found[ours] = total(values, part)
    for i, how in enumerate(row.passes):
        if hasattr(module, "train"):
            module.train(how == "t")
        arrays = [small(rng, x) if isinstance(x, tuple) else x for x in row.inputs]
        xs = [torch.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]
        y = module(*xs)
        y_bar = small(rng, tuple(y.shape))
        y.backward(torch.tensor(y_bar))
        found |= {f"{i}.y": y.detach().numpy(), f"{i}.y_bar": y_bar}
        for j, (a, x) in enumerate(zip(arrays, xs)):
            found[f"{i}.x{j}"] = a
            if x.grad is not None:
                found[f"{i}.x{j}_bar"] = x.grad.numpy()
        for ours, part in row.parts.items():
            value = values[part.theirs[0]]
            if value.requires_grad:
                found[f"{i}.{ours}_bar"] = part.turned(value.grad.numpy())
                value.grad = None
            elif how == "t":
                found[f"{i}.{ours}"] = total(values, part)
    return found


def total(values, part):
    """The value of a Part: the sum of PyTorch's, which has two biases in a cell."""
    return part.turned(sum(values[name].detach().numpy().copy() for name in part.theirs))


def problem():
    """The start of W and b, and the data: loss = Σ tanh(x W + b)²."""
    rng = np.random.default_rng(0)
    return {"W": small(rng, (3, 2)), "b": small(rng, 2), "x": small(rng, (4, 3))}


def of_optimiser(torch, name, row):
    """W and b after some updates, and the optimiser's states after the last."""
    given, found = {k: torch.tensor(a) for k, a in problem().items()}, {}
    weights = {name: given[name].requires_grad_() for name in "Wb"}
    optimiser = row.theirs(torch, list(weights.values()))
    scheduler = row.schedule and row.schedule(torch, optimiser)
    for update in range(1, UPDATES + 1):
        optimiser.zero_grad()
        (torch.tanh(given["x"] @ weights["W"] + weights["b"]) ** 2).sum().backward()
        if row.clip:
            torch.nn.utils.clip_grad_norm_(weights.values(), row.clip)
        optimiser.step()
        if scheduler:
            scheduler.step()
        if update in LOOKS:
            found |= {f"{update}.{n}": w.detach().numpy().copy() for n, w in weights.items()}
    for n, w in weights.items():
        found |= {
            f"{n}.{ours}": optimiser.state[w][theirs].numpy().astype(float)
            for ours, theirs in row.states.items()
        }
    return found


def of_schedule(torch, name, row):
    """The rates of 30 updates."""
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], row.lr)
    scheduler, rates = row.theirs(torch, optimiser), []
    for _ in range(30):
        rates.append(optimiser.param_groups[0]["lr"])
        optimiser.step()
        scheduler.step()
    return {"rates": np.array(rates)}


def everything(torch, layers, optimisers, schedules):
    """{name of a row: what PyTorch computes for it}."""
    tables = ((of_layer, layers), (of_optimiser, optimisers), (of_schedule, schedules))
    return {
        name: compute(torch, name, row) for compute, table in tables for name, row in table.items()
    }
