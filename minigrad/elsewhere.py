"""What other libraries call things, and what to write here instead."""

from minigrad.autodiff import label
from minigrad.errors import GraphError, MissingError, UsageError
from minigrad.graph import Node
from minigrad.operators import Operand


def read_cures(text):
    """{name: cure} of lines "name name: cure"."""
    pairs = [line.split(": ", 1) for line in text.strip().splitlines()]
    return {name: cure for names, cure in pairs for name in names.split()}


# of Tensors and Nodes
METHODS = read_cures("""
cuda cpu device is_cuda pin_memory: leave it out: minigrad computes on the processor
to type type_as: write x.astype(dtype)
double float: write x.astype(float)
long int: write x.astype(int)
add_ sub_ mul_ div_ zero_ fill_ copy_: write x = x + 1, or x += 1 inside no_grad()
mm bmm mv matmul: write x @ y
chunk split narrow: take slices: x[:2], x[2:]
gather index_select take: index with integers: x[rows, columns]
sort argsort topk nonzero: use NumPy's, on x.numpy()
eval run: write sess.run(x) for a node; a tensor has its numbers
view: write x.reshape(shape)
ravel: write x.flatten()
unsqueeze: write mg.expand_dims(x, axis), or x[:, None]
permute swapaxes: write x.transpose(axes)
expand: write mg.broadcast_to(x, shape)
repeat tile: write mg.broadcast_to or mg.concatenate
numel: write x.size
dim: write x.ndim
clamp: write x.clip(low, high)
half: write x.astype(np.float16)
bool: write x != 0
contiguous: leave it out: values lie in one piece where that is needed
add sub mul div pow: write the operator: x + y, x - y, x * y, x / y, x ** y
norm: write mg.sqrt((x * x).sum())
masked_fill: write mg.where(mask, value, x)
requires_grad_: write mg.tensor(x.numpy(), requires_grad=True)
""")

# what Tensors have and Nodes do not
NODES = read_cures("""
backward gradient gradients: write mg.gradients(y, [w]), and run what it returns
grad zero_grad retain_grad register_hook: write mg.gradients(y, [w]); its nodes are the gradients
data: run the node: sess.run(x)
requires_grad: nodes need no mark: mg.gradients takes any float among them
""")

# of the package
FUNCTIONS = read_cures("""
cat concat hstack vstack: write mg.concatenate
array asarray as_tensor from_numpy Parameter: write mg.tensor(data, requires_grad=True)
mm bmm: write x @ y
mod fmod: write x % y, or mg.remainder
rand uniform: write mg.random_uniform(shape, seed)
randn normal: write mg.random_normal(shape, seed)
manual_seed seed: give each draw its seed: random_normal(3, seed=0)
float64 float32 float16 int64 int32 bool: write dtype=np.float32, or NumPy's other types
Linear Conv2d MaxPool2d ReLU Tanh Sigmoid Dropout LayerNorm BatchNorm: layers are in mg.nn
Sequential RNNCell Module: layers are in mg.nn
SGD Adam AdamW: optimisers are in mg.optim
device cuda: leave it out: minigrad computes on the processor
clamp: write mg.clip(x, low, high)
absolute: write mg.abs
add subtract multiply divide pow power: write the operator: x + y, x - y, x * y, x / y, x ** y
unsqueeze: write mg.expand_dims(x, axis)
view: write mg.reshape(x, shape)
permute: write mg.transpose(x, axes)
ravel flatten: write mg.reshape(x, -1)
ceil: write -mg.floor(-x)
tan: write mg.sin(x) / mg.cos(x)
cross_entropy_loss: write mg.cross_entropy(scores, labels)
mse_loss: write mg.mse(x, y)
one_hot: write np.eye(classes)[labels]
norm: write mg.sqrt(mg.sum(x * x))
backward: write loss.backward(), or mg.gradients(loss, [w])
vmap: write the function for an array with one more axis in front
jit: write @mg.function
Placeholder: write mg.placeholder(name, shape)
Constant: write mg.constant(value)
""")


class Elsewhere:
    """An attribute that is not there, and says what is."""

    def __init__(self, name, cure):
        self.name, self.cure = name, cure

    def __get__(self, value, kind=None):
        raise MissingError(f"a {(kind or type(value)).__name__} has no {self.name}", self.cure)


def missing(name, known):
    """The error for a name that the package does not have."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    cure = FUNCTIONS.get(name) or (f"did you mean mg.{near[0]}?" if near else "see dir(mg)")
    return MissingError(f"minigrad has no {name}", cure)


def offer_names(value):
    """What dir() shows of a value: not the names that only say what to write instead."""
    return [name for name in object.__dir__(value) if name not in METHODS]


# what a node has no answer to -----------------------------------------------------------------


def no_value(node, cure):
    """The error for a node that is asked for numbers."""
    tracer = node.graph.tracer
    when = f"while {tracer.name} is traced" if tracer else "until a Session runs it"
    return GraphError(f"{label(node)} has no value {when}", cure)


def no_number(node, *_, **__):
    """Inside a graph there are no Python numbers and no arrays."""
    if node.graph.tracer:
        cure = "keep computing with the node; take the number from what the function returns"
    else:
        cure = "use sess.run(node)"
    raise no_value(node, cure)


def no_choice(node):
    """Python's if, while, and, or, not, assert cannot look at a node."""
    cure = "choose entries with mg.where, a computation with mg.cond; repeat with mg.while_loop"
    raise no_value(node, f"{cure}; for `and`, `or`, `not` write &, |, ~ and brackets")


def no_iteration(node):
    """Python's for cannot walk through a node."""
    raise no_value(node, "take x[i] for i in range(len(x)), or use mg.scan")


def no_assignment(node, index, value):
    """A node is what it was computed as."""
    cure = "choose with mg.where(condition, value, x), or join parts with mg.concatenate"
    raise UsageError(f"entries of {node.name or f'%{node.order}'} cannot be set", cure)


def no_shift(x, other):
    """Bits are not looked at."""
    fact = "<< and >> move bits, which minigrad does not look at"
    raise UsageError(fact, "multiply by 2 ** n, or use NumPy on x.numpy()")


for name in ("__lshift__", "__rshift__", "__rlshift__", "__rrshift__"):
    setattr(Operand, name, no_shift)
for name in ("__int__", "__float__", "__index__", "__array__", "numpy", "item"):
    setattr(Node, name, no_number)
Node.__bool__, Node.__iter__, Node.__setitem__ = no_choice, no_iteration, no_assignment
for kind, cures in ((Operand, METHODS), (Node, NODES)):
    for name, cure in cures.items():
        setattr(kind, name, Elsewhere(name, cure))
Operand.__dir__ = offer_names
