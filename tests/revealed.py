"""A program of which tests/test_types.py reads the types: beside each expression stands its own."""

from typing import reveal_type

import numpy as np

import minigrad as mg

a = np.ones((2, 2))
t = mg.tensor(a, requires_grad=True)
graph = mg.Graph()
with graph:
    x = mg.placeholder("x", shape=(2, 2))
    w = mg.Variable(np.ones((2, 2)), name="w")

# ops: what is given says what comes back
reveal_type(mg.exp(t))  # Tensor
reveal_type(mg.exp(x))  # Node
reveal_type(mg.exp(w))  # Node
reveal_type(mg.exp(a))  # Array
reveal_type(mg.exp(2.0))  # Array
reveal_type(mg.matmul(t, a))  # Tensor
reveal_type(mg.matmul(a, x))  # Node
reveal_type(mg.matmul(x, w))  # Node
reveal_type(mg.matmul(a, a))  # Array
reveal_type(mg.maximum(0.0, t))  # Tensor
reveal_type(mg.relu(w))  # Node
reveal_type(mg.where(t > 0, 1.0, 0.0))  # Tensor
reveal_type(mg.where(a > 0, t, 0.0))  # Tensor
reveal_type(mg.where(a > 0, a, 0.0))  # Array
reveal_type(mg.concatenate([t, t]))  # Tensor
reveal_type(mg.stack([x, w]))  # Node
reveal_type(mg.stack([a, a]))  # Array
reveal_type(mg.stack(t * i for i in range(3)))  # Tensor
reveal_type(mg.einsum("ij,jk->ik", t, a))  # Tensor
reveal_type(mg.einsum("ij,jk->ik", a, a))  # Array
reveal_type(mg.softmax(x, axis=0))  # Node
reveal_type(mg.cross_entropy(t, np.array([0, 1])))  # Tensor
reveal_type(mg.mse(t, 1.0))  # Tensor
reveal_type(mg.var(t, axis=0, ddof=1))  # Tensor
reveal_type(mg.sum(t, axis=(0, 1), keepdims=True))  # Tensor
reveal_type(mg.mean(a))  # Array
reveal_type(mg.windows(a, 2))  # Array
reveal_type(mg.pad(t, 1))  # Tensor
reveal_type(mg.cast(w, np.float32))  # Node
reveal_type(mg.repeat(t, 2, axis=0))  # Tensor
reveal_type(mg.tile(x, (2, 1)))  # Node
reveal_type(mg.roll(a, 1))  # Array
reveal_type(mg.sort(t))  # Tensor
reveal_type(mg.take(t, [0, 1], axis=1))  # Tensor
reveal_type(mg.take_along_axis(t, mg.argsort(t)))  # Tensor
reveal_type(mg.hstack([t, t]))  # Tensor
reveal_type(mg.vstack([a, a]))  # Array
reveal_type(mg.outer(a, w))  # Node
reveal_type(mg.diag(w, k=1))  # Node
reveal_type(mg.logaddexp(t, 0.0))  # Tensor
reveal_type(mg.one_hot(np.array([0, 1]), 2))  # Array
reveal_type(mg.clip(t, 0.0, None))  # Tensor

# operators
reveal_type(t * 2)  # Tensor
reveal_type(2 * t)  # Tensor
reveal_type(t * a)  # Tensor
reveal_type(a * t)  # Tensor
reveal_type(a @ w)  # Node
reveal_type(w - 1)  # Node
reveal_type(x / w)  # Node
reveal_type(-w)  # Node
reveal_type(+w)  # Node
reveal_type(t**2)  # Tensor
reveal_type(2**t)  # Tensor
reveal_type(t // 2)  # Tensor
reveal_type(divmod(t, 2))  # tuple[Tensor, Tensor]
reveal_type(abs(t))  # Tensor
reveal_type(t == a)  # Tensor
reveal_type(x != w)  # Node
reveal_type(t > 0)  # Tensor
reveal_type(~(t > 0) | (t < 0))  # Tensor
reveal_type(t[0])  # Tensor
reveal_type(x[:, None])  # Node
reveal_type(list(t))  # list[Tensor]

# methods
reveal_type(t.sum())  # Tensor
reveal_type(t.sum(0, keepdims=True))  # Tensor
reveal_type(w.mean(axis=0))  # Node
reveal_type(w.exp())  # Node
reveal_type(t.softmax(axis=0))  # Tensor
reveal_type(t.clip(0.0, 1.0))  # Tensor
reveal_type(t.dot(a))  # Tensor
reveal_type(t.roll(1, axis=0))  # Tensor
reveal_type(t.reshape(4, 1))  # Tensor
reveal_type(w.T)  # Node
reveal_type(t.argmax(0))  # Tensor
reveal_type(t.astype(float))  # Tensor
reveal_type(t.detach())  # Tensor
reveal_type(w.detach())  # Node

# what a value is
reveal_type(t.shape)  # tuple[int, ...]
reveal_type(x.shape)  # tuple[int | None, ...]
reveal_type(t.dtype)  # dtype[Any]
reveal_type(w.dtype)  # dtype[Any]
reveal_type(t.ndim)  # int
reveal_type(t.size)  # int
reveal_type(t.grad)  # Tensor | None
reveal_type(t.data)  # Array
reveal_type(t.numpy())  # Array
reveal_type(t.sum().item())  # float | Any
reveal_type(t.name)  # str | None
reveal_type(w.name)  # str | None
reveal_type(t.requires_grad)  # bool
reveal_type(x.graph)  # Graph

# derivatives
loss = (t * t).sum()
reveal_type(loss.backward())  # None
reveal_type(mg.gradients((w * x).sum(), [w, x]))  # list[Node]
reveal_type(mg.gradients((t * 2).sum(), t))  # list[Tensor]
reveal_type(mg.gradients((w * x).sum(), [w, x], unconnected="none"))  # list[Node | None]
reveal_type(mg.forward_gradients([x * w], [w], [a]))  # list[Node]
reveal_type(mg.grad(lambda v: (v * v).sum())(t))  # Tensor
reveal_type(mg.grad(lambda v: (v * v).sum())(a))  # Tensor
reveal_type(mg.grad(lambda v: v * v)(3.0))  # Tensor
reveal_type(mg.grad(lambda v: (v * v).sum())(w))  # Node
reveal_type(mg.elementwise_grad(lambda v: v * v)(a))  # Tensor
reveal_type(mg.elementwise_grad(lambda v: v * v)(w))  # Node
reveal_type(mg.value_and_grad(lambda v: (v * v).sum())(t))  # tuple[Tensor, Tensor]
reveal_type(mg.jacobian(mg.exp)(a))  # Tensor
reveal_type(mg.jacobian(mg.exp, mode="forward")(w))  # Node
reveal_type(mg.hessian(mg.sum)(t))  # Tensor
reveal_type(mg.hvp(mg.sum, t, a))  # Tensor
reveal_type(mg.jvp(lambda: t * 2, (), ()) if False else (t, t))  # tuple[Tensor, Tensor]
reveal_type(mg.gradcheck(mg.exp, a))  # bool

# graphs and sessions
session = mg.Session(graph)
run = mg.compile(x * w)
reveal_type(w)  # Variable
reveal_type(mg.constant(1.0))  # Constant
reveal_type(mg.assign_add(w, 1.0))  # Node
reveal_type(mg.print_(x, "x: "))  # Node
reveal_type(mg.group(mg.assign(w, x)))  # Node
reveal_type(session.run(w * 2))  # Array
reveal_type(session.run([x, w], {x: a}))  # list[Array]
reveal_type(session.run((x, w), {x: a}))  # tuple[Array, ...]
reveal_type(session.run({"y": x + w}, {x: a}))  # dict[str, Array]
reveal_type(session.compile(x * w, {x: a}))  # Executable
reveal_type(run(x=a))  # Array
reveal_type(mg.cond(w.sum() > 0, lambda v: v * 2, lambda v: -v, w))  # Node
reveal_type(mg.cond(t.sum() > 0, mg.exp, mg.log, t))  # Tensor
reveal_type(mg.while_loop(lambda v: v.sum() < 9.0, lambda v: v * 2, t))  # Tensor
reveal_type(mg.scan(lambda c, v: (c + v, c * v), t[0], t))  # tuple[Tensor, Tensor]
reveal_type(mg.scan(lambda c, v: (c + v, c * v), w[0], w))  # tuple[Node, Node]


@mg.function
def double(v: mg.Tensor) -> mg.Tensor:
    """Twice v."""
    return v * 2


@mg.no_grad
def triple(v: mg.Tensor) -> mg.Tensor:
    """Three times v."""
    return v * 3


reveal_type(double(t))  # Tensor
reveal_type(triple(t))  # Tensor

# making values: inside a graph a Node comes, and no type says what is open
reveal_type(mg.zeros((2, 3)))  # Tensor | Any
reveal_type(mg.arange(3))  # Tensor | Any
reveal_type(mg.random_normal(3, seed=0))  # Tensor | Any
reveal_type(mg.zeros_like(t))  # Tensor
reveal_type(mg.ones_like(w))  # Node
reveal_type(mg.dropout(t, 0.5, seed=0))  # Tensor

# layers and optimisers
net = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Tanh(), mg.nn.Linear(3, 1))
sgd = mg.optim.SGD(net.parameters(), lr=0.1)
reveal_type(mg.nn.Linear(2, 3)(t))  # Tensor
reveal_type(mg.nn.Linear(2, 3)(a))  # Tensor | Any
reveal_type(net(t))  # Tensor
reveal_type(len(net))  # int
reveal_type(net[:2])  # Sequential
reveal_type(mg.nn.Embedding(4, 2)(np.array([1, 3])))  # Tensor | Any
reveal_type(mg.optim.RMSprop(net.parameters(), lr=0.01))  # RMSprop
reveal_type(mg.nn.RNNCell(2, 2)(a, t))  # Tensor
reveal_type(net.parameters())  # list[Tensor | Any]
reveal_type(net.eval())  # Sequential
reveal_type(net.state_dict())  # dict[str, Array]
reveal_type(sgd)  # SGD
reveal_type(sgd.step())  # None
reveal_type(sgd.zero_grad())  # None
reveal_type(mg.optim.Adam().minimize((w * 2).sum()))  # Node


class Square(mg.nn.Module):
    """x and its square."""

    def forward(self, v: mg.Tensor) -> tuple[mg.Tensor, mg.Tensor]:
        """Both."""
        return v, v * v


reveal_type(Square()(t))  # tuple[Tensor, Tensor]

# an op of one's own
sigma = mg.custom_op(lambda v: 1 / (1 + np.exp(-v)), vjp=lambda v, z, z_bar: z_bar * z * (1 - z))
reveal_type(sigma(t))  # Tensor
reveal_type(sigma(w))  # Node
reveal_type(sigma(a))  # Array
