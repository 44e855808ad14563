"""Layers, which hold parameters: Tensors or, inside `with Graph():`, Variables."""

from typing import TYPE_CHECKING

from minigrad.nn.layers import (
    BatchNorm,
    Conv2d,
    CrossEntropyLoss,
    Dropout,
    Embedding,
    Flatten,
    LayerNorm,
    Linear,
    MaxPool2d,
    Module,
    MSELoss,
    ReLU,
    RNNCell,
    SelfAttention,
    Sequential,
    Sigmoid,
    Tanh,
    manual_seed,
    parameter,
)  # fmt: skip

__all__ = [
    "BatchNorm", "Conv2d", "CrossEntropyLoss", "Dropout", "Embedding", "Flatten", "LayerNorm",
    "Linear", "MSELoss", "MaxPool2d", "Module", "RNNCell", "ReLU", "SelfAttention",
    "Sequential", "Sigmoid", "Tanh", "manual_seed", "parameter",
]  # fmt: skip

if not TYPE_CHECKING:  # to types, what is not there is an error
    from minigrad import missing

    def __getattr__(name: str) -> object:
        """Say what to write for a layer from elsewhere."""
        raise missing(name, __all__, "nn")
