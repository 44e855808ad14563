"""The first steps of JAX: grad, jit, value_and_grad on dicts, jvp, vjp, Hessians, control flow."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, jit, value_and_grad

# here: pass
jax.config.update("jax_enable_x64", True)


@jit
def selu(x, alpha=1.67, lam=1.05):
    return lam * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)


def sum_logistic(x):
    return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))


x_small = jnp.arange(3.0)
derivative = grad(sum_logistic)(x_small)
thrice = grad(jit(grad(jit(grad(sum_logistic)))))(1.0)


def predict(params, inputs):
    hidden = jnp.tanh(inputs @ params["W"] + params["b"])
    return hidden @ params["v"]


def loss(params, inputs, targets):
    error = predict(params, inputs) - targets
    return jnp.mean(error**2)


inputs = jnp.linspace(-1.0, 1.0, 60).reshape(20, 3)
targets = jnp.sin(inputs).sum(axis=1)
params = {
    "W": jnp.linspace(-0.5, 0.5, 12).reshape(3, 4),
    "b": jnp.zeros(4),
    "v": jnp.linspace(0.1, 0.4, 4),
}
losses = []
step = jit(value_and_grad(loss))
for _ in range(30):
    value, grads = step(params, inputs, targets)
    params = {name: params[name] - 0.1 * grads[name] for name in params}
    losses.append(value)


def f(x, y):
    return x * y**2 + jnp.sin(x)


both = grad(f, argnums=(0, 1))(2.0, 3.0)
value, tangent = jax.jvp(f, (2.0, 3.0), (1.0, 0.5))
_, pull = jax.vjp(f, 2.0, 3.0)


def reversing(v):
    return jnp.exp(v) * v[::-1]


# here: point = jnp.tensor([0.5, 1.5])
point = jnp.array([0.5, 1.5])
hessian = jax.hessian(lambda v: jnp.sum(v**3) + v[0] * v[1])(point)
# here: forward = jax.jacobian(reversing, mode="forward")(point)
forward = jax.jacfwd(reversing)(point)
# here: reverse = jax.jacobian(reversing)(point)
reverse = jax.jacrev(reversing)(point)


@grad
def branching(x):
    if x > 3:
        return 3.0 * x**2
    total = 0.0
    for k in range(4):
        total += jnp.cos(k * x)
    return total


def halvings(x):
    # here: return jax.while_loop(lambda v: v > 1.0, lambda v: v / 2, x)
    return jax.lax.while_loop(lambda v: v > 1.0, lambda v: v / 2, x)


def running(c, x):
    return c * 0.9 + x, c


# here: carry, outs = jax.scan(running, 0.0, jnp.arange(5.0))
carry, outs = jax.lax.scan(running, 0.0, jnp.arange(5.0))
(aux_value, aux), aux_grad = value_and_grad(lambda x: (x**2, {"y": x * 3}), has_aux=True)(2.0)
# here: stopped = grad(lambda x: x * x.detach())(3.0)
stopped = grad(lambda x: x * jax.lax.stop_gradient(x))(3.0)

RESULT = {
    "selu": selu(jnp.arange(-2.0, 3.0)),
    "derivative": derivative,
    "thrice": thrice,
    "losses": losses,
    "W": params["W"],
    "both": both,
    "jvp": [value, tangent],
    "vjp": pull(1.0),
    "hessian": hessian,
    "jacobians": [forward, reverse],
    "branching": [branching(2.0), branching(4.0)],
    "loops": [halvings(13.0), carry, outs.sum()],
    "aux": [aux_value, aux["y"], aux_grad],
    "stopped": stopped,
    "linspace": np.asarray(jnp.linspace(0.0, 1.0, 5)),
}
