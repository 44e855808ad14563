"""Layers, which hold parameters: Tensors or, inside `with Graph():`, Variables."""

from minigrad.nn.layers import (
    BatchNorm,
    Conv2d,
    Dropout,
    Flatten,
    LayerNorm,
    Linear,
    MaxPool2d,
    Module,
    ReLU,
    RNNCell,
    Sequential,
    Sigmoid,
    Tanh,
    manual_seed,
    parameter,
)  # fmt: skip

__all__ = [
    "BatchNorm", "Conv2d", "Dropout", "Flatten", "LayerNorm", "Linear", "MaxPool2d", "Module",
    "RNNCell", "ReLU", "Sequential", "Sigmoid", "Tanh", "manual_seed", "parameter",
]  # fmt: skip
