"""Hints: what other libraries call things, and what to write here instead."""

import inspect
import re
from functools import lru_cache

import numpy as np

from minigrad.core.errors import MissingError


def read_hints(text):
    """{name: hint} of lines "name name: hint"; an indented line goes on with the last one."""
    joined = text.strip().replace("\n    ", " ")
    pairs = [line.split(": ", 1) for line in joined.splitlines() if line and line[0] != "#"]
    return {name: hint for names, hint in pairs for name in names.split()}


# name: what to write. A name counts everywhere, or in one room: x of values, node, np, nn, optim.
TABLE = read_hints("""
# of single numbers
add sub subtract mul multiply scalar_mul div divide true_divide truediv realdiv pow float_power:
    write the operator: x + y, x - y, x * y, x / y, x ** y
neg negative: write -x
positive: write +x
reciprocal: write 1 / x
rsqrt: write 1 / mg.sqrt(x)
eq ne lt le gt ge x.not_equal x.less x.less_equal x.greater x.greater_equal: write the operator: x
    == y, x != y, x < y, x <= y, x > y, x >= y
x.equal: write x == y, or (x == y).all() for one answer
isclose allclose array_equal: write np.allclose(x, y) or np.array_equal(x, y)
is_nonzero: write x != 0
bitwise_and bitwise_or bitwise_xor bitwise_not invert: write the operator between masks: (x > 0) &
    (y > 0), |, ^, ~
mod floormod floor_mod: write x % y, or mg.remainder(x, y)
fmod truncatemod: write mg.sign(x) * (mg.abs(x) % mg.abs(y))
truncatediv: write mg.sign(x * y) * (mg.abs(x) // mg.abs(y))
div_no_nan: write mg.where(y == 0, 0, x / mg.where(y == 0, 1, y))
crelu: write mg.concatenate([mg.relu(x), mg.relu(-x)], -1)
relu1: write mg.clip(x, -1, 1)
floordiv floor_div: write x // y
addcmul: write x + value * a * b
addcdiv: write x + value * a / b
lerp: write x + weight * (y - x)
squared_difference: write (x - y) ** 2
absolute fabs: write mg.abs(x)
sgn: write mg.sign(x)
signbit: write x < 0
copysign: write mg.where(y < 0, -mg.abs(x), mg.abs(x))
heaviside: write mg.where(x == 0, y, x > 0)
expit logistic: write mg.sigmoid(x)
logit: write mg.log(x) - mg.log1p(-x)
logsigmoid log_sigmoid: write -mg.softplus(-x)
xlogy: write x * mg.log(mg.where(x == 0, 1, y))
ceil: write -mg.floor(-x)
rint: write mg.round(x)
trunc fix: write mg.sign(x) * mg.floor(mg.abs(x))
frac: write x - mg.sign(x) * mg.floor(mg.abs(x))
hypot: write mg.sqrt(x * x + y * y)
exp2: write 2.0 ** x
cbrt: write mg.sign(x) * mg.abs(x) ** (1 / 3)
log2: write mg.log(x) / np.log(2)
log10: write mg.log(x) / np.log(10)
logaddexp2: write mg.log(2.0 ** x + 2.0 ** y) / np.log(2)
tan: write mg.sin(x) / mg.cos(x)
sinh: write (mg.expm1(x) - mg.expm1(-x)) / 2
cosh: write (mg.exp(x) + mg.exp(-x)) / 2
arcsinh asinh: write mg.log(x + mg.sqrt(x * x + 1))
arccosh acosh: write mg.log(x + mg.sqrt(x * x - 1))
arctanh atanh: write (mg.log1p(x) - mg.log1p(-x)) / 2
arctan atan: write mg.custom_op(lambda x: np.arctan(x), vjp=lambda x, z, z_bar: z_bar / (1 + x *
    x))(x)
arcsin asin: write mg.custom_op(lambda x: np.arcsin(x), vjp=lambda x, z, z_bar: z_bar / mg.sqrt(1 -
    x * x))(x)
arccos acos: write mg.custom_op(lambda x: np.arccos(x), vjp=lambda x, z, z_bar: -z_bar / mg.sqrt(1 -
    x * x))(x)
arctan2 atan2: write mg.custom_op(lambda y, x: np.arctan2(y, x), vjp=lambda y, x, z, z_bar: (z_bar *
    x / (x * x + y * y), -z_bar * y / (x * x + y * y)))(y, x)
sinc: write mg.where(x == 0, 1, mg.sin(np.pi * x) / mg.where(x == 0, 1, np.pi * x))
erf: write mg.custom_op(lambda x: scipy.special.erf(x), vjp=lambda x, z, z_bar: z_bar * 2 /
    np.sqrt(np.pi) * mg.exp(-x * x))(x)
erfc: write mg.custom_op(lambda x: scipy.special.erfc(x), vjp=lambda x, z, z_bar: -z_bar * 2 /
    np.sqrt(np.pi) * mg.exp(-x * x))(x)
lgamma gammaln: write mg.custom_op(lambda x: scipy.special.gammaln(x), vjp=lambda x, z, z_bar: z_bar
    * mg.custom_op(lambda x: scipy.special.digamma(x))(x))(x)
gamma: write mg.custom_op(lambda x: scipy.special.gamma(x), vjp=lambda x, z, z_bar: z_bar * z *
    mg.custom_op(lambda x: scipy.special.digamma(x))(x))(x)
digamma polygamma erfinv i0 i1 bessel_j0 betainc igamma zeta special: give mg.custom_op SciPy's
    function and its derivative: mg.custom_op(lambda x: scipy.special.i0(x), vjp=…)
deg2rad radians: write x * np.pi / 180
rad2deg degrees: write x * 180 / np.pi
fmax: write mg.maximum(x, y); at NaN it is NaN
fmin: write mg.minimum(x, y); at NaN it is NaN
nan_to_num: write mg.where(mg.isnan(x), 0, x), and mg.clip(x, -1e9, 1e9) for infinities
clamp clip_by_value: write mg.clip(x, low, high)
clamp_min: write mg.clip(x, low, None)
clamp_max: write mg.clip(x, None, high)
isposinf: write x == np.inf
isneginf: write x == -np.inf
relu6: write mg.clip(x, 0, 6)
leaky_relu: write mg.where(x > 0, x, 0.01 * x)
prelu rrelu: write mg.where(x > 0, x, slope * x)
elu: write mg.where(x > 0, x, mg.expm1(mg.minimum(x, 0)))
celu: write mg.where(x > 0, x, alpha * mg.expm1(mg.minimum(x, 0) / alpha))
selu: write 1.0507009873554805 * mg.where(x > 0, x, 1.6732632423543772 * mg.expm1(mg.minimum(x, 0)))
gelu: write x * (1 + mg.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3))) / 2, which is JAX's, and
    PyTorch's with approximate="tanh"
silu swish: write x * mg.sigmoid(x)
mish: write x * mg.tanh(mg.softplus(x))
glu: write a * mg.sigmoid(b), with a and b the halves of x
hardtanh hard_tanh: write mg.clip(x, -1, 1)
hardsigmoid hard_sigmoid: write mg.clip(x / 6 + 0.5, 0, 1)
hardswish hard_swish: write x * mg.clip(x / 6 + 0.5, 0, 1)
softmin: write mg.softmax(-x)
softshrink: write mg.sign(x) * mg.relu(mg.abs(x) - 0.5)
hardshrink: write mg.where(mg.abs(x) > 0.5, x, 0)
tanhshrink: write x - mg.tanh(x)
threshold: write mg.where(x > threshold, x, value)

# of several entries
amax: write mg.max(x, axis)
amin: write mg.min(x, axis)
reduce_variance variance: write mg.var(x, axis)
ptp: write mg.max(x, axis) - mg.min(x, axis)
average: write mg.mean(x, axis), or mg.sum(x * w) / mg.sum(w)
median: write mg.mean(mg.sort(x, None)[(x.size - 1) // 2 : x.size // 2 + 1])
quantile percentile kthvalue: write mg.sort(x, None)[k]
mode unique bincount histc histogram: use NumPy on x.numpy(), such as np.unique(x.numpy())
count_nonzero: write mg.sum(x != 0)
zero_fraction: write mg.mean(x == 0)
sequence_mask: write np.arange(n) < lengths[:, None]
norm: write mg.sqrt(mg.sum(x * x))
global_norm: write mg.sqrt(mg.sum(mg.stack([mg.sum(g * g) for g in gradients])))
normalize l2_normalize: write x / mg.sqrt(mg.sum(x * x, -1, keepdims=True))
moments: write mg.mean(x, axis), mg.var(x, axis)
corrcoef: write c @ c.T, with c = y / mg.sqrt(mg.sum(y * y, 1, keepdims=True)) and
    y = x - mg.mean(x, 1, keepdims=True)
cov: write c @ c.T / (x.shape[1] - 1), with c = x - mg.mean(x, 1, keepdims=True)
cumprod cumulative_prod: write mg.scan(lambda c, v: (c * v, c * v), mg.ones_like(x[0]), x)[1]
cummax: write mg.scan(lambda c, v: (mg.maximum(c, v), mg.maximum(c, v)), x[0], x)[1]
cummin: write mg.scan(lambda c, v: (mg.minimum(c, v), mg.minimum(c, v)), x[0], x)[1]
cumlogsumexp logcumsumexp: write mg.scan(lambda c, v: (mg.logaddexp(c, v),) * 2, mg.full_like(x[0],
    -np.inf), x)[1]
ediff1d: write x[1:] - x[:-1]
cumulative_sum: write mg.cumsum(x, axis)
diff: write x[..., 1:] - x[..., :-1]
trapz trapezoid: write mg.sum((x[..., 1:] + x[..., :-1]) / 2, -1)
add_n accumulate_n: write mg.sum(mg.stack(values), 0)
arg_max: write mg.argmax(x, axis)
arg_min: write mg.argmin(x, axis)
accuracy in_top_k: write mg.mean(mg.argmax(scores, 1) == labels)

# products and matrices
mm bmm mv matvec batch_matmul: write x @ y
addmm baddbmm addmv xw_plus_b: write x @ w + b
bias_add: write x + b
inner: write x @ y.T
vdot: write mg.sum(x * y)
vecdot: write mg.sum(x * y, -1)
vecmat: write x @ y
multi_dot chain_matmul: write a @ b @ c
vector_norm matrix_norm: write mg.sqrt(mg.sum(x * x, axis))
polyval: write mg.sum(mg.stack([c * x ** (len(p) - 1 - i) for i, c in enumerate(p)]), 0)
piecewise choose: write mg.where(condition, x, y)
interp searchsorted digitize: use NumPy on x.numpy(); between known places the value is
    mg.where(condition, x, y)
ger: write mg.outer(x, y)
tensordot: write mg.einsum("ij,jk->ik", x, y)
kron: write mg.reshape(mg.einsum("ij,kl->ikjl", x, y), (len(x) * len(y), -1))
cross: write x[[1, 2, 0]] * y[[2, 0, 1]] - x[[2, 0, 1]] * y[[1, 2, 0]]
convolve: write mg.windows(x[None], (1, len(k)))[0, :, 0] @ mg.flip(k)
correlate: write mg.windows(x[None], (1, len(k)))[0, :, 0] @ k
conv1d: write mg.conv2d(x[:, :, None], w[:, :, None])[:, :, 0]
trace: write mg.sum(mg.diag(x))
diagonal diag_part diag_embed diagflat matrix_diag matrix_diag_part: write mg.diag(x)
matrix_band_part: write mg.where(np.tri(*x.shape, dtype=bool), x, 0) for the lower part
tril: write mg.where(np.tri(*x.shape, dtype=bool), x, 0)
triu: write mg.where(np.tri(*x.shape, k=-1, dtype=bool), 0, x)
matrix_transpose adjoint mT t: write x.T
inv inverse matrix_inverse: write mg.custom_op(lambda x: np.linalg.inv(x), vjp=lambda x, z, z_bar:
    -z.T @ z_bar @ z.T, infer=lambda x: x)(x)
solve matrix_solve: write inv(A) @ b, with inv = mg.custom_op(lambda x: np.linalg.inv(x), vjp=lambda
    x, z, z_bar: -z.T @ z_bar @ z.T, infer=lambda x: x)
det matrix_determinant: write mg.custom_op(lambda x: np.linalg.det(x), vjp=lambda x, z, z_bar: z_bar
    * z * inv(x).T, infer=lambda x: ((), x.dtype))(x), with inv = mg.custom_op(lambda x:
    np.linalg.inv(x), vjp=lambda x, z, z_bar: -z.T @ z_bar @ z.T, infer=lambda x: x)
logdet: write mg.custom_op(lambda x: np.linalg.slogdet(x)[1], vjp=lambda x, z, z_bar: z_bar *
    inv(x).T, infer=lambda x: ((), x.dtype))(x), with inv = mg.custom_op(lambda x: np.linalg.inv(x),
    vjp=lambda x, z, z_bar: -z.T @ z_bar @ z.T, infer=lambda x: x)
slogdet pinv pinverse svd svdvals eig eigh eigvals eigvalsh qr lu cholesky lstsq matrix_rank
    matrix_power matrix_exp expm cond_number self_adjoint_eig: use NumPy where no derivative is
    needed: np.linalg.cholesky(x.numpy()); else give mg.custom_op a function and its vjp
linalg: write mg.sqrt(mg.sum(x * x)) for norm, and np.linalg.inv(x.numpy()), solve, det, cholesky
    where no derivative is needed; else mg.custom_op(lambda x: np.linalg.inv(x),
    vjp=lambda x, z, z_bar: -z.T @ z_bar @ z.T, infer=lambda x: x)(x)

# shapes
unsqueeze: write mg.expand_dims(x, axis)
permute swapaxes swapdims moveaxis movedim rollaxis: write mg.transpose(x, axes)
view view_as reshape_as: write mg.reshape(x, shape)
ravel: write mg.reshape(x, -1)
flatten: write mg.reshape(x, -1)
unflatten: write mg.reshape(x, shape)
expand expand_as broadcast broadcast_tensors broadcast_arrays: write mg.broadcast_to(x, shape)
atleast_3d: write mg.reshape(x, shape)
numel nelement: write x.size
size: write np.size(x)
dim ndimension ndim rank: write np.ndim(x)
shape get_shape: write x.shape
set_shape x.ensure_shape: write mg.reshape(x, shape)
cat concat row_stack: write mg.concatenate(values, axis)
dstack: write mg.stack(values, axis=2)
column_stack: write mg.stack(vectors, axis=1), or mg.hstack(matrices)
block: write mg.vstack([mg.hstack([a, b]), mg.hstack([c, d])])
append: write mg.concatenate([x, y])
chunk split hsplit vsplit dsplit tensor_split array_split split_with_sizes narrow select slice
    strided_slice dynamic_slice: take slices: x[:2], x[2:]
unbind unstack: write [x[i] for i in range(len(x))]
delete: write mg.concatenate([x[:i], x[i + 1:]])
insert: write mg.concatenate([x[:i], value, x[i:]])
flipud: write mg.flip(x, 0)
fliplr: write mg.flip(x, 1)
reverse: write mg.flip(x, axis)
rot90: write mg.flip(x.T, 0)
meshgrid: write x[None, :] and y[:, None], which broadcast
repeat_interleave: write mg.repeat(x, repeats, axis)

# places
gather: write mg.take_along_axis(x, indices, axis) for PyTorch's, mg.take(x, indices, 0) for
    TensorFlow's
take_along_dim batch_gather: write mg.take_along_axis(x, indices, axis)
index_select: write mg.take(x, indices, axis)
gather_nd: write x[rows, columns]
masked_select boolean_mask: write x[mask]
masked_fill index_fill: write mg.where(mask, value, x)
segment_mean: write mg.one_hot(indices, n).T @ values / mg.sum(mg.one_hot(indices, n).T, 1, True)
scatter_add index_add segment_sum unsorted_segment_sum scatter_nd sparse_tensor_dense_matmul: write
    mg.one_hot(indices, n).T @ values, of rows
scatter scatter_update index_copy index_put put_along_axis masked_scatter: write mg.where(mask,
    value, x)
embedding embedding_lookup: write weights[indices], or mg.nn.Embedding(count, size)
topk top_k: write mg.flip(mg.argsort(x)[..., -k:], -1) for the places, and mg.take_along_axis(x,
    places) for the entries
msort: write mg.sort(x, 0)
partition: write mg.sort(x, axis)
argpartition lexsort: write mg.argsort(x, axis)
nonzero flatnonzero argwhere: use NumPy's, on x.numpy(): np.nonzero(x.numpy())
interpolate upsample upsample_nearest: write mg.repeat(mg.repeat(x, 2, -1), 2, -2)
pixel_shuffle: write x.reshape(n, c, r, r, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(n, c, h * r, w
    * r)
unfold extract_image_patches: write mg.windows(x, size)
conv convolution conv_general_dilated: write mg.conv2d(x, w, stride, padding)
conv3d conv_transpose2d conv2d_transpose depthwise_conv2d separable_conv2d atrous_conv2d: use
    mg.conv2d(x, w, stride, padding), the only one here
max_pool: write mg.max_pool2d(x, 2)
max_pool1d: write mg.max_pool2d(x, (1, 2))
avg_pool avg_pool2d: write mg.mean(mg.windows(x, 2, 2), axis=(-2, -1))
avg_pool1d: write mg.mean(mg.windows(x, (1, 2), (1, 2)), axis=(-2, -1))
max_pool3d avg_pool3d: use mg.windows(x, size, stride), which looks at the last two axes
adaptive_avg_pool2d: write mg.mean(x, axis=(2, 3), keepdims=True)
adaptive_max_pool2d: write mg.max(x, axis=(2, 3), keepdims=True)
max_unpool1d max_unpool2d max_unpool3d fold: use mg.gradients: they are transposes of mg.windows
batch_norm batch_normalization fused_batch_norm: write mg.nn.BatchNorm(size)(x)
dropout1d dropout2d dropout3d alpha_dropout: write mg.dropout(x, rate, seed)
layer_norm instance_norm: write mg.nn.LayerNorm(size)(x)
rms_norm: write x / mg.sqrt(mg.mean(x * x, -1, keepdims=True) + 1e-6) * gain
standardize: write (x - mg.mean(x, -1, keepdims=True)) / mg.std(x, -1, keepdims=True)
linear dense: write x @ W + b, or mg.nn.Linear(inputs, outputs)(x)

# losses
cross_entropy_loss softmax_cross_entropy softmax_cross_entropy_with_logits
    softmax_cross_entropy_with_logits_v2 sparse_softmax_cross_entropy_with_logits
    sparse_categorical_crossentropy categorical_crossentropy: write mg.cross_entropy(scores, labels)
nll_loss NLLLoss: write mg.cross_entropy(log_probabilities, labels)
mse_loss mean_squared_error MeanSquaredError: write mg.mse(x, y)
l1_loss L1Loss mean_absolute_error: write mg.mean(mg.abs(x - y))
l2_loss: write mg.sum(x * x) / 2
smooth_l1_loss huber_loss SmoothL1Loss HuberLoss: write mg.mean(mg.where(d < 1, d * d / 2, d -
    0.5)), with d = mg.abs(x - y)
binary_cross_entropy BCELoss binary_crossentropy: write -mg.mean(y * mg.log(p) + (1 - y) * mg.log(1
    - p))
binary_cross_entropy_with_logits BCEWithLogitsLoss sigmoid_cross_entropy_with_logits: write
    mg.mean(mg.softplus(scores) - y * scores)
kl_div KLDivLoss: write mg.sum(p * (mg.log(p) - mg.log(q)))
hinge_embedding_loss hinge_loss MultiMarginLoss: write mg.mean(mg.relu(1 - y * scores))
margin_ranking_loss MarginRankingLoss: write mg.mean(mg.relu(-y * (a - b) + margin))
triplet_margin_loss TripletMarginLoss: write mg.mean(mg.relu(near - far + 1)), with the distances
    near and far: mg.sqrt(mg.sum((x - y) ** 2, -1))
poisson_nll_loss PoissonNLLLoss: write mg.mean(mg.exp(x) - y * x)
gaussian_nll_loss GaussianNLLLoss: write mg.mean(mg.log(var) + (x - y) ** 2 / var) / 2
ctc_loss CTCLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss SoftMarginLoss CosineEmbeddingLoss
    AdaptiveLogSoftmaxWithLoss: write it with mg's functions: a loss is a function of Tensors
cosine_similarity CosineSimilarity: write mg.sum(x * y) / mg.sqrt(mg.sum(x * x) * mg.sum(y * y))
pairwise_distance PairwiseDistance: write mg.sqrt(mg.sum((x - y) ** 2, -1))
cdist: write mg.sqrt(mg.sum((x[:, None] - y) ** 2, -1))
dist: write mg.sqrt(mg.sum((x - y) ** 2))
scaled_dot_product_attention: write mg.softmax(q @ k.T / math.sqrt(q.shape[-1])) @ v

# new values
array asarray asanyarray as_tensor from_numpy Parameter: write mg.tensor(data, requires_grad=True)
convert_to_tensor new_tensor: write mg.tensor(data)
FloatTensor DoubleTensor LongTensor IntTensor: write mg.tensor(data, dtype=np.float32)
empty new_zeros new_empty: write mg.zeros(shape)
new_ones: write mg.ones(shape)
new_full fill: write mg.full(shape, value)
empty_like: write mg.zeros_like(x)
identity: write mg.eye(n), or x.clone() for a copy of x
tri: write np.tri(n)
logspace: write 10 ** mg.linspace(start, stop, num)
newaxis: write None: x[None]
bfloat16 double half float int16 int8 uint8 long short int bool x.float64 x.float32 x.float16
    x.int64 x.int32: write dtype=mg.float32, or NumPy's other types
complex64 complex128 cfloat complex real imag conj angle: compute with real numbers: one value for
    the real, one for the imaginary part
dtype: write np.dtype(float)
signal: use scipy.signal on x.numpy()
Size TensorShape: write a tuple: (2, 3)
rand uniform: write mg.random_uniform(shape, seed)
rand_like: write mg.random_uniform(x.shape, seed)
randn normal standard_normal: write mg.random_normal(shape, seed)
randn_like: write mg.random_normal(x.shape, seed)
truncated_normal: write mg.clip(mg.random_normal(shape, seed), -2, 2)
bernoulli: write mg.random_uniform(shape, seed) < p
randint: write np.random.default_rng(0).integers(high, size=shape)
randperm permutation shuffle random_shuffle: write np.random.default_rng(0).permutation(n)
multinomial categorical choice random_choice: write np.random.default_rng(0).choice(n,
    p=probabilities)
exponential poisson beta laplace gumbel: write np.random.default_rng(0).exponential(size=shape)
manual_seed seed set_random_seed set_seed PRNGKey Generator: give each draw its seed:
    mg.random_normal(3, seed=0); layers take mg.nn.manual_seed(0)
key fold_in: write key=1 for each draw: mg.random_normal(3, seed=0, key=1)
multivariate_normal: write mean + mg.random_normal((n, len(mean)), seed) @ np.linalg.cholesky(cov).T
random: write mg.random_normal(shape, seed=0) or mg.random_uniform(shape, seed=0), where seed= and
    key= stand for PRNGKey; np.random.default_rng(0) has the other distributions

# derivatives
stop_gradient: write x.detach()
autograd ad: write mg.grad(f), mg.gradients(y, [x]) or mg.jacobian(f)
backward: write loss.backward(), or mg.gradients(loss, [w])
GradientTape: write y.backward() and x.grad, or mg.grad(f)(x)
jacfwd: write mg.jacobian(f, mode="forward")
jacrev: write mg.jacobian(f)
deriv: write mg.grad(f)
grad_named holomorphic_grad: write mg.grad(f, argnums=0)
vector_jacobian_product tensor_jacobian_product: write y, pullback = mg.vjp(f, x)
extend tracer: write mg.custom_op(compute, vjp=…)
make_vjp: write y, pullback = mg.vjp(f, x)
make_jvp linearize make_ggnvp: write y, y_dot = mg.jvp(f, (x,), (x_dot,))
make_hvp hessian_vector_product hessian_tensor_product: write mg.hvp(f, x, v)
egrad: write mg.elementwise_grad(f)
grad_and_aux: write mg.grad(f, has_aux=True)
multigrad multigrad_dict: write mg.grad(f, argnums=(0, 1))
remat: write mg.checkpoint(f) for Tensors, mg.gradients(y, xs, checkpoints="sqrt") in a graph
custom_vjp custom_jvp custom_gradient custom_derivatives defvjp defjvp primitive Function py_func
    py_function numpy_function pure_callback: write mg.custom_op(compute, vjp=…, jvp=…)
check_grads: write mg.gradcheck(f, x)
vmap pmap: write the function for an array with one more axis in front
jit: write @mg.function
make_jaxpr: write mg.draw(f, x)
inference_mode set_grad_enabled: write with mg.no_grad():
is_grad_enabled: write x.requires_grad
is_tensor: write isinstance(x, mg.Tensor)
tree tree_map tree_util pytree: write {name: f(value) for name, value in tree.items()}
func functional: write mg.grad, mg.vjp, mg.jvp, mg.jacobian, mg.hessian; and mg.relu(x), …
lax: write mg.scan, mg.cond, mg.while_loop; mg.exp and its like are lax.exp
switch case: write mg.cond(predicate, then, otherwise, x)
fori_loop: write mg.while_loop(condition, body, carry), or a for loop over Tensors
map_fn foldl foldr map associative_scan: write mg.scan(body, carry, xs)
numpy scipy: write mg.exp(x): the functions are in mg; np.exp(x) does the same with a Tensor
Array DeviceArray ndarray: write mg.Tensor
ops: write mg.exp(x): all functions are in mg
debug: write mg.print_(x, "x: ")

# graphs
global_variables_initializer initialize_all_variables initialize_variables
    local_variables_initializer variables_initializer tables_initializer: leave it out: variables
    start with their initial value
get_variable: write mg.Variable(initial, name="w")
trainable_variables global_variables local_variables get_collection all_variables GraphKeys: write
    mg.default_graph().variables
assign_moving_average: write mg.assign(w, decay * w + (1 - decay) * value)
Placeholder placeholder_with_default Input: write mg.placeholder(name, shape)
Constant: write mg.constant(value)
Operation Op: write mg.Node
get_default_graph: write mg.default_graph()
reset_default_graph: write with mg.Graph(): around what builds a graph
variable_scope named_scope: write with mg.name_scope("layer1"):
InteractiveSession get_default_session: write sess = mg.Session(), and sess.run(y, {x: data})
ConfigProto GPUOptions RunOptions: leave it out: mg.Session(graph) needs no settings
Print: write mg.print_(x, "x: ")
no_op: write mg.group(x), of the nodes that are to run
tuple: write mg.group(x, y)
train: optimisers are in mg.optim: write mg.optim.SGD(lr=0.1).minimize(loss)
GradientDescentOptimizer AdamOptimizer RMSPropOptimizer MomentumOptimizer AdagradOptimizer
    AdadeltaOptimizer FtrlOptimizer: write mg.optim.SGD(lr=0.1).minimize(loss), or mg.optim.Adam,
    mg.optim.RMSprop
Saver: write mg.save("net.json", y, session), and mg.load("net.json")
layers keras contrib stax slim flax haiku: layers are in mg.nn: write mg.nn.Linear(inputs, outputs)
losses metrics: write mg.cross_entropy(scores, labels) or mg.mse(x, y)
initializers: write np.random.default_rng(0).normal(size=shape), for mg.Variable
zeros_initializer: write np.zeros(shape)
ones_initializer: write np.ones(shape)
constant_initializer: write np.full(shape, value)
random_normal_initializer truncated_normal_initializer glorot_uniform_initializer
    glorot_normal_initializer random_uniform_initializer: write
    np.random.default_rng(0).normal(size=shape)
summary: write mg.print_(loss, "loss: "), or mg.draw(loss)
app flags logging gfile compat disable_eager_execution enable_eager_execution config: leave it out:
    minigrad has no settings
set_printoptions: write np.set_printoptions(precision=4)
set_default_dtype get_default_dtype: write dtype=np.float32 where a value is made
IndexedSlices SparseTensor sparse: write a dense array: np.zeros(shape)
reduce_join string_join string_split strings: work on texts in Python
assert_equal assert_rank check_numerics debugging: write assert and np.isfinite on what sess.run
    returns
math: write mg.exp(x): all functions are in mg, constants in Python's math
TensorArray: write mg.stack(values), or mg.scan
to_float to_double to_bfloat16: write mg.cast(x, float)
to_int32 to_int64: write mg.cast(x, int)
saturate_cast bitcast: write mg.cast(x, dtype)

# devices, files
cuda cpu device is_cuda pin_memory device_put devices get_device backends mps to_device: leave it
    out: minigrad computes on the processor
device_get: write x.numpy()
contiguous block_until_ready share_memory_ is_contiguous coalesce: leave it out: values lie in one
    piece where that is needed
distributed parallel multiprocessing DataParallel DistributedDataParallel: write from
    minigrad.workers import data_parallel
utils: write mg.data.batches(x, y, size=32) for DataLoader, clip_norm=1.0 of an optimiser for
    clip_grad_norm_
DataLoader Dataset TensorDataset dataset: write mg.data.batches(x, y, size=32)
clip_grad_norm_ clip_by_global_norm clip_by_norm clip_grad_value_: write mg.optim.SGD(parameters,
    clip_norm=1.0)
onnx: write mg.save("net.onnx", y)
hub: write mg.load("net.json")
fft rfft ifft stft: give mg.custom_op a function that calls np.fft, and its vjp

# methods
x.to x.type x.type_as: write x.astype(dtype)
x.double: write x.astype(float)
x.float: write x.astype(np.float32)
x.half: write x.astype(np.float16)
x.long: write x.astype(int)
x.int: write x.astype(np.int32)
x.short: write x.astype(np.int16)
x.bool: write x != 0
x.add_ x.sub_ x.mul_ x.div_ x.pow_: write x = x + 1, or x += 1 inside no_grad()
x.zero_ x.fill_ x.copy_ x.set_ x.data_ x.fill x.put x.itemset x.put_ x.index_put_: write x[...] =
    value inside no_grad()
zero_ fill_ copy_: write x[...] = value inside no_grad()
x.uniform_ x.normal_ x.random_ x.exponential_ x.bernoulli_: write x[...] =
    np.random.default_rng(0).normal(size=x.shape) inside no_grad()
x.resize x.resize_ x.resize_as_: write x.reshape(shape)
x.partition: write mg.sort(x, axis)
x.requires_grad_: write x.requires_grad = True
x.detach_: write x = x.detach()
x.assign: write mg.assign(x, value) of a Variable, or x[...] = value inside no_grad()
x.eval x.run: write sess.run(x) for a node; a tensor has its numbers
x.value: write x: a Variable stands for its value
x.values x.to_numpy x.asnumpy x.cpu_numpy x.storage x.untyped_storage x.data_ptr x.get: write
    x.numpy()
x.mm x.matmul x.bmm x.mv: write x @ y
x.view x.resize_as: write x.reshape(shape)
x.permute x.swapaxes: write x.transpose(axes)
x.unsqueeze: write mg.expand_dims(x, axis), or x[:, None]
x.repeat: write mg.repeat(x, repeats, axis) as NumPy's x.repeat does, or mg.tile(x, reps) as
    PyTorch's
x.sort: write mg.sort(x, axis), and mg.argsort(x, axis) for the places
x.gather: write mg.take_along_axis(x, indices, axis)
x.dim x.ndimension x.rank: write x.ndim
x.clamp: write x.clip(low, high)
x.stride x.strides: write x.numpy().strides
x.element_size x.itemsize: write x.dtype.itemsize
x.graph: a Tensor has no graph: its history is x.grad_fn and x.inputs
x.device: leave it out: minigrad computes on the processor
x.at: write mg.where(mask, value, x) for x.at[mask].set(value), or x[index] = value inside no_grad()
x.new: write mg.tensor(data)
x.type_: write x = x.astype(dtype)
x.is_floating_point x.is_complex: write x.dtype.kind == "f"
x.is_sparse x.to_dense x.to_sparse x.is_cpu x.layout x.is_pinned: leave it out: a Tensor is dense,
    on the processor
x.is_same_size: write x.shape == y.shape
x.map_ x.apply_: write x = f(x)
x.register_post_accumulate_grad_hook x.register_backward_hook: write x.register_hook(f)
x.retains_grad: write x.keeps_grad
x.iloc x.loc: write x[rows, columns]

# nodes, which have no numbers
node.backward node.gradient node.gradients: write mg.gradients(y, [w]), and run what it returns
node.grad node.zero_grad node.retain_grad node.register_hook: write mg.gradients(y, [w]); its nodes
    are the gradients
node.data: run the node: sess.run(x)
node.requires_grad node.is_leaf: nodes need no mark: mg.gradients takes any float among them
node.grad_fn: write x.op

# layers
nn.functional: the functions are in mg: write mg.relu(x), mg.softmax(x), mg.cross_entropy(scores,
    labels)
nn.init initializers: write mg.nn.parameter(np.random.default_rng(0).normal(size=shape), "W")
nn.utils: write mg.optim.SGD(parameters, clip_norm=1.0) for clip_grad_norm_
nn.Parameter nn.Buffer: write mg.nn.parameter(data, "W")
ModuleList ModuleDict ParameterList ParameterDict: write a Python list or dict: self.layers =
    [mg.nn.Linear(2, 3), mg.nn.Linear(3, 1)]
LSTM GRU RNN LSTMCell GRUCell dynamic_rnn static_rnn rnn_cell rnn raw_rnn BasicRNNCell
    BasicLSTMCell: write cell = mg.nn.RNNCell(inputs, hidden), and mg.scan over the steps; a cell
    with gates is a class of mg.nn.Module with forward(self, x, h)
MultiheadAttention MultiHeadAttention: write mg.nn.SelfAttention(size, heads, causal=True)
Transformer TransformerEncoder TransformerEncoderLayer TransformerDecoder TransformerDecoderLayer:
    write a class of mg.nn.Module from mg.nn.SelfAttention, mg.nn.LayerNorm and mg.nn.Linear
BatchNorm1d BatchNorm2d BatchNorm3d BatchNormalization SyncBatchNorm: write mg.nn.BatchNorm(size)
InstanceNorm1d InstanceNorm2d GroupNorm RMSNorm LayerNormalization: write mg.nn.LayerNorm(size)
Dense: write mg.nn.Linear(inputs, outputs)
Conv Conv2D: write mg.nn.Conv2d(inputs, outputs, size)
Conv1d: write mg.nn.Conv2d(inputs, outputs, (1, size)), of x[:, :, None]
Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d: use mg.nn.Conv2d, the only one here
MaxPool MaxPooling2D: write mg.nn.MaxPool2d(size)
MaxPool3d AvgPool3d: use mg.windows(x, size, stride), which looks at the last two axes
Dropout1d Dropout2d Dropout3d AlphaDropout: write mg.nn.Dropout(rate)
Identity: write lambda x: x; Sequential takes functions
LazyLinear LazyConv2d LazyBatchNorm2d: give the number of inputs: mg.nn.Linear(inputs, outputs)
AdaptiveMaxPool2d: write lambda x: mg.max(x, axis=(2, 3), keepdims=True); Sequential takes functions
MaxUnpool1d MaxUnpool2d MaxUnpool3d Fold: use mg.gradients: they are transposes of mg.windows
Softmax2d: write lambda x: mg.softmax(x, 1); Sequential takes functions
ReflectionPad2d ReplicationPad2d CircularPad2d: use np.pad(images, widths, mode="edge") on the data
nn.attention nn.modules nn.parallel nn.quantized: write mg.nn.Linear(inputs, outputs) and its like
ZeroPad2d ConstantPad2d: write lambda x: mg.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))); Sequential
    takes functions
EmbeddingBag embedding_bag: write mg.mean(mg.nn.Embedding(count, size)(x), 1)
Bilinear bilinear: write mg.einsum("ni,oij,nj->no", x, W, y)

# optimisers
optim.lr_scheduler StepLR ExponentialLR CosineAnnealingLR LambdaLR MultiStepLR OneCycleLR
    ReduceLROnPlateau exponential_decay cosine_decay_schedule: write lr=mg.optim.step_decay(0.1,
    every=30), or mg.optim.cosine, mg.optim.warmup
Adagrad Adadelta Adamax NAdam RAdam Rprop ASGD Adafactor Muon LBFGS SparseAdam Ftrl adagrad lamb
    adadelta: use mg.optim.Adam or mg.optim.RMSprop, or write a class of mg.optim.Optimizer with its
    start and update
Momentum: write mg.optim.SGD(parameters, lr=0.1, momentum=0.9)
apply_updates chain: write optimizer.step(), or session.run(optimizer.minimize(loss))
optim.swa_utils: write the mean of the weights in Python
""")

ROOMS = {"mg": "mg", "nn": "mg.nn", "optim": "mg.optim", "data": "mg.data"}


def advice(name, room, known):
    """What to write for a name that is not among the `known` ones of a room; None for no idea."""
    return (
        TABLE.get(f"{room}.{name}")
        or (room == "node" and TABLE.get(f"x.{name}"))
        or TABLE.get(name)
        or public_advice(name)
        or family_advice(name, room, known)
        or layer_advice(name)
        or numpy_advice(name)
        or guess(name, room, known)
    )


def public_advice(name):
    """The call of what another room of the package has under this name."""
    import minigrad as mg

    for room, place in ROOMS.items():
        module = mg if room == "mg" else getattr(mg, room)
        if name in module.__all__:
            return f"write {place}.{name}{call_of(getattr(module, name))}"
    return None


def call_of(value):
    """The brackets of a call, with the parameters that must be given."""
    if not callable(value):
        return ""
    parameters = inspect.signature(value).parameters.values()
    return f"({', '.join(p.name for p in parameters if p.default is p.empty)})"


def family_advice(name, room, known):
    """What to write for a name that says by its beginning or its end what it is."""
    import minigrad as mg

    for start, form in (("reduce_", "mg.{}(x, axis)"), ("nan", "mg.{}(x[~mg.isnan(x)])")):
        rest = name.removeprefix(start)
        if rest != name and rest in mg.__all__:
            return f"write {form.format(rest)}"
    base = name.removesuffix("_")
    if base == name:
        return None
    if base in known:
        return f"write x = mg.{base}(x)" if room == "mg" else f"write x = x.{base}()"
    found = TABLE.get(f"x.{base}") or TABLE.get(base) or public_advice(base)
    return found and re.sub("^write (?!the )", "write x = ", found)


def layer_advice(name):
    """What to write for a layer without weights: Sequential takes functions, too."""
    import minigrad as mg

    if not name[0].isupper():
        return None
    spelt = {word.replace("_", ""): word for word in [*TABLE, *mg.__all__] if word.islower()}
    word = spelt.get(name.lower(), "")
    found = f"write mg.{word}" if word in mg.__all__ else TABLE.get(word, "")
    found = re.sub("^write (?=.*\\bx\\b)", "write lambda x: ", found)
    return found and f"{found}; Sequential takes functions"


def numpy_advice(name):
    """What to write for a name of NumPy's."""
    if hasattr(np.ndarray, name) and name not in np.__all__:
        return f"write x.numpy().{name}{'()' if callable(getattr(np.ndarray, name)) else ''}"
    if name not in np.__all__:
        return None
    value = getattr(np, name)
    if not callable(value) or isinstance(value, type):
        return f"write np.{name}"
    return f"write np.{name}(x.numpy()), or mg.custom_op(lambda x: np.{name}(x), vjp=…)"


def advice_for_numpy(name):
    """What to write for a function of NumPy's that no op stands for, such as "np.linalg.det"."""
    *path, last = name.split(".")
    if path == ["np", "linalg"] and last in ("matmul", "outer", "trace", "diagonal"):
        return public_advice(last) or TABLE[last]
    if path not in (["np"], ["np", "linalg"]):
        return None
    return TABLE.get(last) or family_advice(last, "mg", ())


def guess(name, room, known):
    """The name that was probably meant."""
    from difflib import get_close_matches

    spelt = {word.lower(): word for word in known if not word.startswith("_")}
    near = get_close_matches(name.lower(), spelt, 1, 0.8)
    return f"did you mean {ROOMS.get(room, 'x')}.{spelt[near[0]]}?" if near else None


def missing_attribute(value, name):
    """The error for an attribute that a Tensor or Node does not have."""
    kind = type(value)
    if name.startswith("_"):
        words = f"{kind.__name__!r} object has no attribute {name!r}"
        return AttributeError(words, name=name, obj=value)
    return MissingError(f"a {kind.__name__} has no {name}", attribute_hint(kind, name))


@lru_cache(1024)  # hasattr() asks for the same names again and again
def attribute_hint(kind, name):
    """What to write for an attribute that a class of values does not have."""
    return advice(name, kind._room, dir(kind)) or "see dir(x)"


def missing(name, known, room="mg"):
    """The error for a name that the package, or one of its rooms, does not have."""
    place = "minigrad" if room == "mg" else ROOMS[room]
    hint = None if name.startswith("_") else advice(name, room, known)
    return MissingError(f"{place} has no {name}", hint or f"see dir({ROOMS[room]})")
