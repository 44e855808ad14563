"""Hints: what other libraries call things, and what to write here instead."""

from minigrad.core.errors import MissingError


def read_cures(text):
    """{name: cure} of lines "name name: cure"."""
    pairs = [line.split(": ", 1) for line in text.strip().splitlines()]
    return {name: hint for names, hint in pairs for name in names.split()}


# of attributes of Tensors and Nodes
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

# of attributes of Nodes: those, and what Tensors alone have
NODES = METHODS | read_cures("""
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


def missing_attribute(value, name):
    """The error for an attribute that a Tensor or Node does not have."""
    kind = type(value)
    if (hint := kind._hints.get(name)) is not None:
        return MissingError(f"a {kind.__name__} has no {name}", hint)
    words = f"{kind.__name__!r} object has no attribute {name!r}"
    return AttributeError(words, name=name, obj=value)


def missing(name, known):
    """The error for a name that the package does not have."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    hint = FUNCTIONS.get(name) or (f"did you mean mg.{near[0]}?" if near else "see dir(mg)")
    return MissingError(f"minigrad has no {name}", hint)
