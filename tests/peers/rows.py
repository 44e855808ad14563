"""What is compared with PyTorch: a row for each layer, function, schedule and optimiser."""

from typing import Any, NamedTuple

import numpy as np

import minigrad as mg
from minigrad import nn, optim


def swapped(array):
    """A matrix turned round: PyTorch multiplies by weight.T."""
    return array.T


def columns(array):
    """[n] as [n,1,1], which broadcasts over the pixels of a channel."""
    return array[:, None, None]


class Part(NamedTuple):
    """A value stored in a layer: PyTorch's names, whose sum it is, and how its axes are turned."""

    theirs: tuple
    turned: Any = np.asarray


class Layer(NamedTuple):
    """A layer or a function: ours(dtype) and theirs(torch) make it.

    `inputs` are shapes, or arrays; `parts` is {our name: Part}; `passes` says for each call, with
    inputs of its own, whether it is in training. Numbers near 0 count when it is `extreme`.
    """

    ours: Any
    theirs: Any
    inputs: tuple
    parts: dict = {}
    passes: str = "t"
    extreme: bool = False


class Optimiser(NamedTuple):
    """An optimiser: ours(parameters) and theirs(torch, parameters) make it.

    `clip` is the joint length for clip_grad_norm_; `schedule(torch, optimiser)` makes a scheduler;
    `states` is {our name: PyTorch's}.
    """

    ours: Any
    theirs: Any
    states: dict = {}
    clip: Any = None
    schedule: Any = None


class Schedule(NamedTuple):
    """A learning rate as a function of the updates made; theirs(torch, optimiser)."""

    ours: Any
    theirs: Any
    lr: float


WEIGHT, BIAS = Part(("weight",)), Part(("bias",))
LINEAR = {"W": Part(("weight",), swapped), "b": BIAS}
CONV = {"W": WEIGHT, "b": Part(("bias",), columns)}
LAYER_NORM = {"gain": WEIGHT, "bias": BIAS}
BATCH_NORM = {**LAYER_NORM, "mean": Part(("running_mean",)), "var": Part(("running_var",))}
RNN = {
    "Wx": Part(("weight_ih",), swapped),
    "Wh": Part(("weight_hh",), swapped),
    "b": Part(("bias_ih", "bias_hh")),
}


def within(ours, theirs, parts):
    """Parts of a layer inside another one, under the dotted names they have there."""
    return {
        f"{ours}.{name}": Part(tuple(f"{theirs}.{n}" for n in part.theirs), part.turned)
        for name, part in parts.items()
    }


ATTENTION = {
    "inputs.W": Part(("in_proj_weight",), swapped),
    "inputs.b": Part(("in_proj_bias",)),
    **within("outputs", "out_proj", LINEAR),
}


def their_attention(torch, size, heads, causal):
    """PyTorch's attention of one input; True in its mask means: not seen."""

    class SelfAttention(torch.nn.MultiheadAttention):
        def forward(self, x):
            mask = torch.ones(2 * x.shape[-2:-1], dtype=bool).triu(1) if causal else None
            return super().forward(x, x, x, attn_mask=mask, need_weights=False)[0]

    return SelfAttention(size, heads, batch_first=True)


def net(dtype):
    """A small net of images."""
    return nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1, dtype=dtype),
        nn.BatchNorm(2, dtype=dtype),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(8, 3, dtype=dtype),
        nn.LayerNorm(3, dtype=dtype),
    )


def their_net(torch):
    """The same of PyTorch's layers."""
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 2, 3, padding=1),
        torch.nn.BatchNorm2d(2),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(8, 3),
        torch.nn.LayerNorm(3),
    )


FAR = np.array(
    [
        [-1e4, -745.5, -40.0, -0.0],
        [0.0, 40.0, 709.5, 1e4],
        [1e-9, 1e30, -1e30, 1.0],
        [-np.inf, 0.0, 1.0, -np.inf],
    ]
)
FINITE = FAR[:3]
LABELS = np.array([3, 2, 1, 2])

LAYERS = {
    "linear": Layer(
        lambda d: nn.Linear(4, 3, dtype=d), lambda t: t.nn.Linear(4, 3), [(5, 4)], LINEAR
    ),
    "linear without bias": Layer(
        lambda d: nn.Linear(4, 3, bias=False, dtype=d),
        lambda t: t.nn.Linear(4, 3, bias=False),
        [(5, 4)],
        {"W": LINEAR["W"]},
    ),
    "linear of one row": Layer(
        lambda d: nn.Linear(4, 3, dtype=d), lambda t: t.nn.Linear(4, 3), [(1, 4)], LINEAR
    ),
    "linear of sequences": Layer(
        lambda d: nn.Linear(4, 3, dtype=d), lambda t: t.nn.Linear(4, 3), [(2, 3, 4)], LINEAR
    ),
    "conv": Layer(
        lambda d: nn.Conv2d(2, 3, 3, dtype=d), lambda t: t.nn.Conv2d(2, 3, 3), [(2, 2, 5, 4)], CONV
    ),
    "conv with stride and padding": Layer(
        lambda d: nn.Conv2d(2, 2, (3, 2), stride=2, padding=1, dtype=d),
        lambda t: t.nn.Conv2d(2, 2, (3, 2), stride=2, padding=1),
        [(2, 2, 4, 5)],
        CONV,
    ),
    "conv with unequal strides, without bias": Layer(
        lambda d: nn.Conv2d(1, 2, 2, stride=(2, 1), padding=(0, 1), bias=False, dtype=d),
        lambda t: t.nn.Conv2d(1, 2, 2, stride=(2, 1), padding=(0, 1), bias=False),
        [(2, 1, 5, 3)],
        {"W": WEIGHT},
    ),
    "max pool": Layer(lambda d: nn.MaxPool2d(2), lambda t: t.nn.MaxPool2d(2), [(2, 2, 4, 5)]),
    "max pool, overlapping": Layer(
        lambda d: nn.MaxPool2d(3, stride=2), lambda t: t.nn.MaxPool2d(3, stride=2), [(1, 2, 5, 7)]
    ),
    "max pool, oblong": Layer(
        lambda d: nn.MaxPool2d((1, 3), stride=(2, 1)),
        lambda t: t.nn.MaxPool2d((1, 3), stride=(2, 1)),
        [(1, 1, 4, 5)],
    ),
    "flatten": Layer(lambda d: nn.Flatten(), lambda t: t.nn.Flatten(), [(2, 2, 1, 3)]),
    "relu": Layer(lambda d: nn.ReLU(), lambda t: t.nn.ReLU(), [(3, 4)]),
    "relu, far out": Layer(lambda d: nn.ReLU(), lambda t: t.nn.ReLU(), [FAR], extreme=True),
    "tanh": Layer(lambda d: nn.Tanh(), lambda t: t.nn.Tanh(), [(3, 4)]),
    "tanh, far out": Layer(lambda d: nn.Tanh(), lambda t: t.nn.Tanh(), [FAR], extreme=True),
    "sigmoid": Layer(lambda d: nn.Sigmoid(), lambda t: t.nn.Sigmoid(), [(3, 4)]),
    "sigmoid, far out": Layer(
        lambda d: nn.Sigmoid(), lambda t: t.nn.Sigmoid(), [FAR], extreme=True
    ),
    "dropout": Layer(lambda d: nn.Dropout(0.5), lambda t: t.nn.Dropout(0.5), [(3, 4)], passes="e"),
    "layer norm": Layer(
        lambda d: nn.LayerNorm(4, dtype=d), lambda t: t.nn.LayerNorm(4), [(3, 4)], LAYER_NORM
    ),
    "layer norm with a large eps": Layer(
        lambda d: nn.LayerNorm(4, eps=0.5, dtype=d),
        lambda t: t.nn.LayerNorm(4, eps=0.5),
        [(2, 3, 4)],
        LAYER_NORM,
    ),
    "layer norm over two axes": Layer(
        lambda d: nn.LayerNorm((3, 4), dtype=d),
        lambda t: t.nn.LayerNorm((3, 4)),
        [(2, 3, 4)],
        LAYER_NORM,
    ),
    "batch norm": Layer(
        lambda d: nn.BatchNorm(3, dtype=d),
        lambda t: t.nn.BatchNorm1d(3),
        [(4, 3)],
        BATCH_NORM,
        passes="ttte",
    ),
    "batch norm with its settings": Layer(
        lambda d: nn.BatchNorm(3, momentum=0.4, eps=0.5, dtype=d),
        lambda t: t.nn.BatchNorm1d(3, momentum=0.4, eps=0.5),
        [(2, 3)],
        BATCH_NORM,
        passes="tete",
    ),
    "batch norm of sequences": Layer(
        lambda d: nn.BatchNorm(2, dtype=d),
        lambda t: t.nn.BatchNorm1d(2),
        [(2, 2, 3)],
        BATCH_NORM,
        passes="tte",
    ),
    "batch norm of images": Layer(
        lambda d: nn.BatchNorm(2, dtype=d),
        lambda t: t.nn.BatchNorm2d(2),
        [(2, 2, 2, 3)],
        BATCH_NORM,
        passes="tte",
    ),
    "batch norm of one image": Layer(
        lambda d: nn.BatchNorm(2, dtype=d),
        lambda t: t.nn.BatchNorm2d(2),
        [(1, 2, 2, 1)],
        BATCH_NORM,
        passes="te",
    ),
    "rnn cell": Layer(
        lambda d: nn.RNNCell(3, 2, dtype=d), lambda t: t.nn.RNNCell(3, 2), [(4, 3), (4, 2)], RNN
    ),
    "embedding": Layer(
        lambda d: nn.Embedding(4, 3, dtype=d),
        lambda t: t.nn.Embedding(4, 3),
        [np.array([[0, 3, 3], [2, 0, 0]])],
        {"W": WEIGHT},
    ),
    "self-attention": Layer(
        lambda d: nn.SelfAttention(4, 2, dtype=d),
        lambda t: their_attention(t, 4, 2, causal=False),
        [(2, 3, 4)],
        ATTENTION,
    ),
    "self-attention, causal": Layer(
        lambda d: nn.SelfAttention(6, 3, causal=True, dtype=d),
        lambda t: their_attention(t, 6, 3, causal=True),
        [(2, 5, 6)],
        ATTENTION,
    ),
    "self-attention with one head, causal": Layer(
        lambda d: nn.SelfAttention(2, causal=True, dtype=d),
        lambda t: their_attention(t, 2, 1, causal=True),
        [(1, 4, 2)],
        ATTENTION,
    ),
    "net": Layer(
        net,
        their_net,
        [(3, 1, 4, 4)],
        {
            **within("layers.0", "0", CONV),
            **within("layers.1", "1", BATCH_NORM),
            **within("layers.5", "5", LINEAR),
            **within("layers.6", "6", LAYER_NORM),
        },
        passes="tte",
    ),
    "softplus": Layer(lambda d: mg.softplus, lambda t: t.nn.functional.softplus, [(3, 4)]),
    "softplus, far out": Layer(
        lambda d: mg.softplus,
        lambda t: lambda x: -t.nn.functional.logsigmoid(-x),
        [FAR],
        extreme=True,
    ),
    "softmax": Layer(lambda d: mg.softmax, lambda t: lambda x: t.softmax(x, -1), [(3, 4)]),
    "softmax down the columns, far out": Layer(
        lambda d: lambda x: mg.softmax(x, 0),
        lambda t: lambda x: t.softmax(x, 0),
        [FAR],
        extreme=True,
    ),
    "softmax, far out": Layer(
        lambda d: mg.softmax, lambda t: lambda x: t.softmax(x, -1), [FAR], extreme=True
    ),
    "log_softmax": Layer(
        lambda d: mg.log_softmax, lambda t: lambda x: t.log_softmax(x, -1), [(3, 4)]
    ),
    "log_softmax, far out": Layer(
        lambda d: mg.log_softmax, lambda t: lambda x: t.log_softmax(x, -1), [FAR], extreme=True
    ),
    "logsumexp": Layer(
        lambda d: lambda x: mg.logsumexp(x, (0, 2)),
        lambda t: lambda x: t.logsumexp(x, (0, 2)),
        [(2, 3, 4)],
    ),
    "logsumexp, far out": Layer(
        lambda d: lambda x: mg.logsumexp(x, 1, keepdims=True),
        lambda t: lambda x: t.logsumexp(x, 1, keepdim=True),
        [FAR],
        extreme=True,
    ),
    "cross entropy": Layer(
        lambda d: mg.cross_entropy, lambda t: t.nn.functional.cross_entropy, [(4, 5), LABELS]
    ),
    "cross entropy, far out": Layer(
        lambda d: mg.cross_entropy,
        lambda t: t.nn.functional.cross_entropy,
        [FAR, LABELS],
        extreme=True,
    ),
    "cross entropy of rows": Layer(
        lambda d: nn.CrossEntropyLoss(),
        lambda t: t.nn.CrossEntropyLoss(),
        [(4, 3), np.array([[0, 1, 0], [0.5, 0.25, 0.25], [0, 0, 1], [0.125, 0.875, 0]])],
    ),
    "logaddexp, far out": Layer(
        lambda d: mg.logaddexp,
        lambda t: t.logaddexp,
        [FINITE, np.flip(FINITE, 0).copy()],
        extreme=True,
    ),
    "sort": Layer(lambda d: mg.sort, lambda t: lambda x: t.sort(x, -1).values, [(3, 4)]),
    "tile": Layer(
        lambda d: lambda x: mg.tile(x, (2, 3)), lambda t: lambda x: x.repeat(2, 3), [(2, 2)]
    ),
    "repeat": Layer(
        lambda d: lambda x: mg.repeat(x, 2, 1),
        lambda t: lambda x: x.repeat_interleave(2, 1),
        [(2, 3)],
    ),
    "mse loss": Layer(lambda d: nn.MSELoss(), lambda t: t.nn.MSELoss(), [(3, 4), (3, 4)]),
    "mse": Layer(lambda d: mg.mse, lambda t: t.nn.functional.mse_loss, [(3, 4), (3, 4)]),
    "mse, far out": Layer(
        lambda d: mg.mse,
        lambda t: t.nn.functional.mse_loss,
        [np.array([1e150, -1e-200, 0.0]), np.array([-1e150, 1e-200, 0.0])],
        extreme=True,
    ),
}

VELOCITY = {"velocity": "momentum_buffer"}
MOMENTS = {"m": "exp_avg", "v": "exp_avg_sq", "t": "step"}
OPTIMISERS = {
    "sgd": Optimiser(lambda p: optim.SGD(p, 0.1), lambda t, p: t.optim.SGD(p, 0.1)),
    "sgd with decay": Optimiser(
        lambda p: optim.SGD(p, 0.1, weight_decay=0.3),
        lambda t, p: t.optim.SGD(p, 0.1, weight_decay=0.3),
    ),
    "momentum": Optimiser(
        lambda p: optim.SGD(p, 0.1, momentum=0.9),
        lambda t, p: t.optim.SGD(p, 0.1, momentum=0.9),
        VELOCITY,
    ),
    "nesterov with decay": Optimiser(
        lambda p: optim.SGD(p, 0.05, momentum=0.8, weight_decay=0.2, nesterov=True),
        lambda t, p: t.optim.SGD(p, 0.05, momentum=0.8, weight_decay=0.2, nesterov=True),
        VELOCITY,
    ),
    "clipped": Optimiser(
        lambda p: optim.SGD(p, 0.2, momentum=0.5, clip_norm=0.25),
        lambda t, p: t.optim.SGD(p, 0.2, momentum=0.5),
        VELOCITY,
        clip=0.25,
    ),
    "clipped to very little": Optimiser(
        lambda p: optim.SGD(p, 1e5, clip_norm=2e-6), lambda t, p: t.optim.SGD(p, 1e5), clip=2e-6
    ),
    "adam": Optimiser(lambda p: optim.Adam(p, 0.05), lambda t, p: t.optim.Adam(p, 0.05), MOMENTS),
    "adam with its settings": Optimiser(
        lambda p: optim.Adam(p, 0.1, betas=(0.5, 0.9), eps=0.1),
        lambda t, p: t.optim.Adam(p, 0.1, betas=(0.5, 0.9), eps=0.1),
        MOMENTS,
    ),
    "adam, clipped": Optimiser(
        lambda p: optim.Adam(p, 0.05, eps=0.01, clip_norm=0.1),
        lambda t, p: t.optim.Adam(p, 0.05, eps=0.01),
        MOMENTS,
        clip=0.1,
    ),
    "adam with decay": Optimiser(
        lambda p: optim.Adam(p, 0.05, weight_decay=0.3),
        lambda t, p: t.optim.Adam(p, 0.05, weight_decay=0.3),
        MOMENTS,
    ),
    "rmsprop": Optimiser(
        lambda p: optim.RMSprop(p, 0.05), lambda t, p: t.optim.RMSprop(p, 0.05), {"v": "square_avg"}
    ),
    "rmsprop with its settings": Optimiser(
        lambda p: optim.RMSprop(p, 0.02, 0.8, 0.01, 0.2, 0.5),
        lambda t, p: t.optim.RMSprop(p, 0.02, 0.8, 0.01, 0.2, 0.5),
        {"v": "square_avg", **VELOCITY},
    ),
    "adamw": Optimiser(
        lambda p: optim.AdamW(p, 0.05), lambda t, p: t.optim.AdamW(p, 0.05), MOMENTS
    ),
    "adamw with its settings": Optimiser(
        lambda p: optim.AdamW(p, 0.1, betas=(0.8, 0.95), eps=0.01, weight_decay=0.5),
        lambda t, p: t.optim.AdamW(p, 0.1, betas=(0.8, 0.95), eps=0.01, weight_decay=0.5),
        MOMENTS,
    ),
    "adamw on a schedule": Optimiser(
        lambda p: optim.AdamW(p, optim.cosine(0.1, 15, floor=0.01), weight_decay=0.5),
        lambda t, p: t.optim.AdamW(p, 0.1, weight_decay=0.5),
        MOMENTS,
        schedule=lambda t, o: held_at_the_end(t, o, 15, 0.01),
    ),
    "momentum on a schedule": Optimiser(
        lambda p: optim.SGD(p, optim.step_decay(0.2, 6, factor=0.5), momentum=0.9),
        lambda t, p: t.optim.SGD(p, 0.2, momentum=0.9),
        VELOCITY,
        schedule=lambda t, o: t.optim.lr_scheduler.StepLR(o, 6, 0.5),
    ),
}


def held_at_the_end(torch, optimiser, steps, floor):
    """Half a cosine, then its last rate: CosineAnnealingLR alone would climb again."""
    rates = torch.optim.lr_scheduler
    return rates.SequentialLR(
        optimiser,
        [
            rates.CosineAnnealingLR(optimiser, steps, floor),
            rates.ConstantLR(optimiser, floor / optimiser.param_groups[0]["lr"], 10**6),
        ],
        [steps],
    )


def warmed(torch, optimiser, steps):
    """Straight up within `steps` updates."""
    return torch.optim.lr_scheduler.LinearLR(optimiser, 1 / steps, total_iters=steps - 1)


SCHEDULES = {
    "step decay": Schedule(
        optim.step_decay(0.3, 4), lambda t, o: t.optim.lr_scheduler.StepLR(o, 4), 0.3
    ),
    "step decay by a half": Schedule(
        optim.step_decay(2.0, 7, factor=0.5),
        lambda t, o: t.optim.lr_scheduler.StepLR(o, 7, 0.5),
        2.0,
    ),
    "cosine": Schedule(optim.cosine(0.3, 12), lambda t, o: held_at_the_end(t, o, 12, 0.0), 0.3),
    "cosine to a floor": Schedule(
        optim.cosine(0.3, 25, floor=0.1), lambda t, o: held_at_the_end(t, o, 25, 0.1), 0.3
    ),
    "warmup": Schedule(optim.warmup(0.3, 6), lambda t, o: warmed(t, o, 6), 0.3),
    "warmup of a decay": Schedule(
        optim.warmup(optim.step_decay(0.3, 9), 6),
        lambda t, o: t.optim.lr_scheduler.ChainedScheduler(
            [warmed(t, o, 6), t.optim.lr_scheduler.StepLR(o, 9)]
        ),
        0.3,
    ),
}
