"""Computation graphs and automatic differentiation, with a dynamic and a static engine."""

from minigrad.errors import (
    ArgumentError, DtypeError, FeedError, GradientError, GraphError, MinigradError, ShapeError,
)
from minigrad.ops import (
    abs, argmax, broadcast_to, cast, clip, concatenate, cos, cross_entropy, exp, expand_dims, flip,
    log, log_softmax, logsumexp, matmul, max, maximum, mean, min, minimum, mse, pad, relu, reshape,
    sigmoid, sign, sin, softmax, softplus, sqrt, squeeze, stack, sum, tanh, transpose, var, where,
)
from minigrad.autodiff import forward_gradients, gradients
from minigrad.tensor import Tensor, enable_grad, no_grad, tensor
from minigrad.transform import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from minigrad.graph import (
    Graph, Node, Variable, assign, assign_add, assign_sub, constant, default_graph, group,
    name_scope, open_graph, placeholder,
)
from minigrad.session import Session
from minigrad import data, measure, nn, optim
from minigrad.gradcheck import gradcheck
from minigrad.draw import draw
