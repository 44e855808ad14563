"""Optimisers: one rule each; `step` runs it on Tensors, `minimize` builds it into a graph."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

import minigrad as mg
from minigrad.nn.layers import HALF, check_alike, check_mapping, in_single, require_session

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "RMSprop", "cosine", "step_decay", "warmup"]

if not TYPE_CHECKING:  # to types, what is not there is an error

    def __getattr__(name: str) -> object:
        """Say what to write for an optimiser from elsewhere."""
        raise mg.missing(name, __all__, "optim")


State = dict[str, Any]  # what an optimiser keeps for one parameter
Schedule = Callable[[Any], Any]  # the number of updates made → the learning rate

# settings ----------------------------------------------------------------------------------------


def setting(what: str, value: Any, fits: Callable[[Any], bool], wish: str) -> float:
    """A setting as a Python float, which widens no float32. Raises ArgumentError unless it fits."""
    if not isinstance(value, Real) or isinstance(value, bool) or not fits(value):
        raise mg.ArgumentError(f"the {what} is {value!r}", f"use a number {wish}")
    return float(value)


def positive(what: str, value: Any) -> float:
    """A number above 0."""
    return setting(what, value, lambda n: 0 < n < math.inf, "above 0")


def not_negative(what: str, value: Any) -> float:
    """A number of 0 or more."""
    return setting(what, value, lambda n: 0 <= n < math.inf, "of 0 or more")


def check_betas(betas: Any) -> tuple[float, ...]:
    """The two rates at which averages forget."""
    if not isinstance(betas, (tuple, list)) or len(betas) != 2:
        raise mg.ArgumentError(f"the betas are {betas!r}", "give two, such as (0.9, 0.999)")
    return tuple(setting("beta", b, lambda n: 0 <= n < 1, "from 0 up to but not 1") for b in betas)


def check_parameters(parameters: Any) -> list[Any]:
    """What is to be trained, each once. Raises ArgumentError for what cannot be."""
    if isinstance(parameters, (mg.Tensor, mg.Node, mg.nn.Module, Real)):
        message = f"the parameters are not a list but one {type(parameters).__name__}"
        raise mg.ArgumentError(message, "pass a list of them: [w, b], or model.parameters()")
    if not isinstance(parameters, Iterable):
        message = f"the parameters are not a list but one {type(parameters).__name__}"
        cure = "call it:" if callable(parameters) else "pass a list of them: [w, b], or"
        raise mg.ArgumentError(message, f"{cure} model.parameters()")
    found = list({id(p): p for p in list(parameters)}.values())
    if not found:
        message = "the list of parameters is empty"
        raise mg.ArgumentError(
            message, "pass parameters; leave the list out to train all variables of a graph"
        )
    for p in found:
        leaf = isinstance(p, mg.Tensor) and p.requires_grad and p.is_leaf
        if not leaf and not isinstance(p, mg.Variable):
            hint = "pass leaf Tensors that require grad, or Variables"
            raise mg.ArgumentError(f"{p!r} cannot be trained", hint)
    return found


# schedules: learning rates as functions of the number of updates made ----------------------------


def step_decay(lr: float, every: float, factor: float = 0.1) -> Schedule:
    """Make a schedule lr · factor^⌊t/every⌋, smaller by `factor` after each `every` updates.

    >>> schedule = mg.optim.step_decay(0.1, 10, 0.5)
    >>> float(schedule(0)), float(schedule(10))
    (0.1, 0.05)
    """
    lr, every, factor = positive("lr", lr), positive("every", every), positive("factor", factor)
    return lambda t: lr * factor ** mg.floor(t / every)


def cosine(lr: float, steps: float, floor: float = 0.0) -> Schedule:
    """Make a schedule that falls from lr to `floor` along half a cosine of `steps` updates.

    Source: Loshchilov and Hutter, SGDR, 2017, section 3, without restarts.

    >>> schedule = mg.optim.cosine(0.1, 10)
    >>> round(float(schedule(0)), 3), round(float(schedule(10)), 3)
    (0.1, 0.0)
    """
    lr, steps, floor = positive("lr", lr), positive("steps", steps), not_negative("floor", floor)
    return lambda t: floor + (lr - floor) * (1 + mg.cos(math.pi * mg.minimum(t / steps, 1.0))) / 2


def warmup(lr: float | Schedule, steps: float) -> Schedule:
    """Make a schedule that rises linearly to lr in `steps` updates; lr is a number or a schedule.

    >>> schedule = mg.optim.warmup(0.1, 10)
    >>> round(float(schedule(20)), 3)
    0.1
    """
    lr, steps = lr if callable(lr) else positive("lr", lr), positive("steps", steps)

    def rate(t: Any) -> Any:
        full = lr(t) if callable(lr) else lr
        return full * mg.minimum((t + 1) / steps, 1.0)

    return rate


# the optimisers ----------------------------------------------------------------------------------


class Optimizer:
    """Changes parameters, each once, against their gradients.

    `lr` is a number, or a schedule: a function of the number of updates made. `clip_norm` scales
    all gradients down together so that their joint length is at most that.
    A rule brings `start(w)`, its state for a parameter as {name: array}, and
    `update(w, g, lr, **state)`, which returns the step to subtract from w and the new state,
    written with ops. The state is its own: `m += …` changes an array where it lies, and of Nodes
    makes a new one. For a weight in half precision, w, g and the state are float32, because an ε
    of 1e-8 is 0 in float16; the step is rounded at the end.
    """

    start: Callable[..., State]
    update: Callable[..., tuple[Any, State]]

    def __init__(
        self,
        parameters: Iterable[Any] | None = None,
        lr: float | Schedule = 0.01,
        clip_norm: float | None = None,
    ) -> None:
        self.parameters = [] if parameters is None else check_parameters(parameters)
        self.lr = lr if callable(lr) else positive("learning rate", lr)
        self.clip_norm = clip_norm if clip_norm is None else positive("clip_norm", clip_norm)
        self.states: dict[int, dict[str, np.ndarray]] = {}
        self.steps = 0
        # by the names of state_dict
        self.state_variables: dict[mg.Graph, dict[str, mg.Variable]] = {}

    def tensors(self) -> list[Any]:
        """The parameters. Raises ArgumentError where there are none, or Variables."""
        if not self.parameters:
            message = "the optimiser has no parameters to step"
            raise mg.ArgumentError(message, "pass parameters: SGD(model.parameters(), lr=0.1)")
        for p in self.parameters:
            if isinstance(p, mg.Variable):
                message = f"{p!r} is a Variable, which only a Session can change"
                raise mg.ArgumentError(message, "run the node that minimize(loss) returns")
        return self.parameters

    def zero_grad(self) -> None:
        """Forgets the gradients of all parameters."""
        for p in self.tensors():
            p.zero_grad()

    def step(self) -> None:
        """One update of every Tensor that has a gradient."""
        tensors = enumerate(self.tensors())
        ready = [(i, p, g.array) for i, p in tensors if (g := p.grad) is not None]
        grads = self.clip_gradients([g for _, _, g in ready])
        rate = self.rate(np.asarray(float(self.steps)))
        with mg.no_grad():
            for (i, p, _), g in zip(ready, grads):
                if i not in self.states:
                    start = self.start(in_single(p.array))
                    self.states[i] = {n: np.array(v) for n, v in start.items()}
                step, self.states[i] = self.find_step(p.array, g, rate, self.states[i])
                p -= step
        self.steps += 1

    def find_step(self, w: Any, g: Any, rate: Any, state: State) -> tuple[Any, State]:
        """What `update` gives, computed in float32 where w is float16."""
        if w.dtype != HALF:
            return self.update(w, g, cast_like(rate, w), **state)
        wide = in_single(w)
        step, state = self.update(wide, in_single(g), cast_like(rate, wide), **state)
        return mg.cast(step, HALF), state

    def minimize(self, loss: mg.Node) -> mg.Node:
        """A node that, when run, updates the variables that `loss` depends on, all at once.

        These are the optimiser's parameters, or the graph's trainable variables. What is kept for
        a variable is one, however often this is called.
        """
        return self.apply(self.gradients(loss))

    def gradients(self, loss: mg.Node) -> list[tuple[mg.Variable, mg.Node]]:
        """(variable, its gradient) for each variable that `minimize` would update."""
        return find_trained(loss, self.parameters)

    def apply(self, pairs: Iterable[tuple[mg.Variable, mg.Node]]) -> mg.Node:
        """A node that, when run, updates each variable by the gradient paired with it.

        The gradients are what `gradients` gave, or what was made of it: averaged, or fed.
        """
        variables, grads = zip(*check_pairs(pairs))
        graph, places = variables[0].graph, self.places(variables)
        own = self.state_variables.setdefault(graph, {})
        with graph, mg.name_scope(type(self).__name__.lower()):
            if "steps" not in own:
                own["steps"] = mg.Variable(0.0, name="steps", trainable=False)
            steps = own["steps"]
            rate, updates = self.rate(steps), []
            for i, w, g in zip(places, variables, self.clip_gradients(grads)):
                state = self.state_for(i, w, own)
                updates += self.updates(w, g, rate, state)
            if callable(self.lr):
                updates.append((steps, steps + 1))
            return mg.group(*[mg.assign(target, value) for target, value in updates])

    def places(self, variables: Sequence[mg.Variable]) -> list[int]:
        """The number of each variable among those that are trained. Raises ArgumentError."""
        graph = variables[0].graph
        trained = self.parameters or [v for v in graph.variables if v.trainable]
        numbers = {id(v): i for i, v in enumerate(trained)}
        for v in variables:
            if id(v) not in numbers:
                hint = "pass it among the optimiser's parameters, or create it with trainable=True"
                raise mg.ArgumentError(f"{v!r} is not one of the trained variables", hint)
        return [numbers[id(v)] for v in variables]

    def state_for(
        self, i: int, w: mg.Variable, own: dict[str, mg.Variable]
    ) -> dict[str, mg.Variable]:
        """{name: Variable} of the state of w, parameter i; made when it is not yet there."""
        start = self.start(in_single(w.initial))
        for name, value in start.items():
            if f"{i}.{name}" not in own:
                own[f"{i}.{name}"] = mg.Variable(value, name=f"{w.name}.{name}", trainable=False)
        return {name: own[f"{i}.{name}"] for name in start}

    def updates(
        self, w: mg.Variable, g: Any, rate: Any, state: dict[str, mg.Variable]
    ) -> list[Any]:
        """(variable, its new value) for w and for the state kept with it."""
        step, new_state = self.find_step(w, g, rate, state)
        return [(w, w - step)] + [(state[name], value) for name, value in new_state.items()]

    # going on later ------------------------------------------------------------------------------

    def state_dict(self, session: mg.Session | None = None) -> dict[str, np.ndarray]:
        """{name: array}: "0.m" is what is kept as m for parameter 0, "steps" the updates made.

        What minimize keeps is read from `session`. The state goes into either engine.
        """
        if session is None and not self.is_static():
            return {"steps": np.array(float(self.steps))} | {
                f"{i}.{name}": np.array(value)
                for i in sorted(self.states)
                for name, value in self.states[i].items()
            }
        session = check_session(session)
        own = self.own_variables(session)
        values, _ = session.state(own.values())
        return {name: values[v.order] for name, v in own.items()}

    def load_state_dict(self, state: Mapping[str, Any], session: mg.Session | None = None) -> None:
        """Takes over arrays from state_dict. Raises, before any changes, when they do not fit."""
        # a state of float16 is one of an earlier version
        state = {name: in_single(array) for name, array in check_mapping(state).items()}
        if session is None and not self.is_static():
            self.load_arrays(state)
            return
        session = check_session(session)
        own = self.own_variables(session)
        self.check_fit(own, state)
        for name, variable in own.items():
            session.set(variable, state.get(name, variable.initial))

    def load_arrays(self, state: dict[str, np.ndarray]) -> None:
        """Takes over arrays as the state kept with Tensors."""
        own = {
            f"{i}.{name}": value
            for i, p in enumerate(self.parameters)
            for name, value in self.start(in_single(p.array)).items()
        }
        self.check_fit(own, state)
        self.states, self.steps = {}, int(state.pop("steps", 0))
        for name, array in state.items():
            i, key = name.split(".", 1)
            self.states.setdefault(int(i), {})[key] = np.array(array)

    def is_static(self) -> bool:
        """True when the state is kept in Variables."""
        return bool(self.state_variables) or any(
            isinstance(p, mg.Variable) for p in self.parameters
        )

    def own_variables(self, session: mg.Session) -> dict[str, mg.Variable]:
        """{name: Variable} of the state in the graph of a session."""
        if session.graph not in self.state_variables:
            message = f"the optimiser has no state in {session.graph}"
            raise mg.ArgumentError(message, "call minimize first; with Tensors, pass no session")
        own = self.state_variables[session.graph]
        return {name: v for name, v in own.items() if name != "steps" or callable(self.lr)}

    def check_fit(self, own: Mapping[str, Any], state: Mapping[str, Any]) -> None:
        """Raises unless a state is one of this optimiser; a parameter may have none as yet."""
        begun = {name.split(".")[0] for name in state}
        wanted = {name for name in own if name.split(".")[0] in begun}
        wanted |= {"steps"} if callable(self.lr) else set()
        odd = (wanted ^ set(state)) - (set() if callable(self.lr) else {"steps"})
        if odd:
            message = f"the state and the optimiser differ in {', '.join(sorted(odd))}"
            raise mg.ArgumentError(message, SAME_KIND)
        steps = state.get("steps", np.zeros(()))
        if (
            steps.shape
            or steps.dtype.kind not in "iuf"
            or not 0 <= steps == np.floor(steps) < np.inf
        ):
            message = f"the state has {steps} as its steps, which is not a count of updates"
            raise mg.ArgumentError(message, "pass what state_dict() returned")
        for name in wanted - {"steps"}:
            check_alike(name, own[name], state[name], SAME_KIND)

    def rate(self, t: Any) -> Any:
        """The learning rate after t updates."""
        return self.lr(t) if callable(self.lr) else self.lr

    def clip_gradients(self, grads: Sequence[Any]) -> Sequence[Any]:
        """The gradients, scaled down together when they are longer than clip_norm."""
        if self.clip_norm is None or not grads:
            return grads
        squares = [mg.sum(g * g) for g in map(widen_gradient, grads)]
        length = mg.sqrt(sum(squares[1:], squares[0]))
        scale = mg.minimum(self.clip_norm / (length + 1e-6), 1.0)
        return [g * cast_like(scale, g) for g in grads]


def check_session(session: mg.Session | None) -> mg.Session:
    """The session that was passed. Raises ArgumentError where none was."""
    if session is None:
        message = (
            "the optimiser keeps its state in Variables, so its values are stored in a Session"
        )
        raise mg.ArgumentError(message, "pass that session")
    return require_session(session)


SAME_KIND = "load into an optimiser of the same kind, with parameters in the same order"


def cast_like(value: Any, like: Any) -> Any:
    """A Python number as it is; an array or Node in the dtype of `like`, so that float32 stays."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.astype(like.dtype, copy=False)
    return value if type(value) in (int, float) else mg.cast(value, like.dtype)


def widen_gradient(g: Any) -> Any:
    """A gradient in a dtype in which the squares of its entries do not overflow."""
    return g if g.dtype.itemsize >= 8 else mg.cast(g, float)


def broadcast_zeros(w: Any) -> np.ndarray:
    """Zeros of w's shape and dtype, which take the memory of one; they cannot be written to."""
    return np.broadcast_to(np.zeros((), w.dtype), w.shape)


def find_trained(loss: mg.Node, parameters: list[Any]) -> list[tuple[mg.Variable, mg.Node]]:
    """(variable, its gradient) for each variable that minimize changes."""
    if not isinstance(loss, mg.Node):
        message = "minimize() adds to a Graph, but the loss is not a Node"
        raise mg.ArgumentError(message, "with Tensors, call loss.backward() and then step()")
    candidates = parameters or [v for v in loss.graph.variables if v.trainable]
    slopes = mg.gradients(loss, candidates, unconnected="none")
    found = [(w, g) for w, g in zip(candidates, slopes) if g is not None]
    if not found:
        message = "the loss does not depend on a trainable variable"
        raise mg.GradientError(message, "create the weights with mg.Variable(initial)")
    return found


def check_pairs(pairs: Iterable[tuple[mg.Variable, mg.Node]]) -> list[tuple[mg.Variable, mg.Node]]:
    """Pairs of a Variable and its gradient, a Node. Raises before anything is built."""
    found = list(pairs)
    if not found:
        raise mg.ArgumentError(
            "the list of gradients to apply is empty", "pass the pairs that gradients(loss) returns"
        )
    for w, g in found:
        if not isinstance(w, mg.Variable) or not isinstance(g, mg.Node):
            message = f"({w!r}, {g!r}) is not a Variable and its gradient, a Node"
            raise mg.ArgumentError(message, "pass the pairs that gradients(loss) returns")
        alike = w.graph is g.graph is found[0][0].graph
        if not alike or (g.shape, g.dtype) != (w.shape, w.dtype):
            message = f"the gradient {g!r} does not fit {w!r}"
            raise mg.ShapeError(
                message, "give it the shape, the dtype and the graph of the variable"
            )
    if len({id(w) for w, _ in found}) < len(found):
        raise mg.ArgumentError(
            "a variable appears with two gradients", "add them, and pass the sum once"
        )
    return found


class SGD(Optimizer):
    """Update v ← momentum·v + g;  w ← w - lr·v  (without momentum v is g).

    weight_decay adds weight_decay·w to g; nesterov steps along g + momentum·v instead of v.

    >>> w = mg.tensor(1.0, requires_grad=True)
    >>> (w * w).backward()
    >>> mg.optim.SGD([w], lr=0.1).step()
    >>> w
    tensor(0.8, requires_grad=True)
    """

    def __init__(
        self,
        parameters: Iterable[Any] | None = None,
        lr: float | Schedule = 0.01,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        clip_norm: float | None = None,
    ) -> None:
        super().__init__(parameters, lr, clip_norm)
        self.momentum, self.nesterov = not_negative("momentum", momentum), nesterov
        self.weight_decay = not_negative("weight_decay", weight_decay)
        if nesterov and not momentum:
            raise mg.ArgumentError("nesterov without momentum", "set momentum, such as 0.9")

    def start(self, w: Any) -> State:
        """The velocity, zero, when there is momentum."""
        return {"velocity": broadcast_zeros(w)} if self.momentum else {}

    def update(self, w: Any, g: Any, lr: Any, velocity: Any = None) -> tuple[Any, State]:
        """The step and the new velocity."""
        if self.weight_decay:
            g = g + self.weight_decay * w
        if velocity is None:
            return lr * g, {}
        velocity *= self.momentum
        velocity += g
        direction = g + self.momentum * velocity if self.nesterov else velocity
        return lr * direction, {"velocity": velocity}


class RMSprop(Optimizer):
    """Update v ← α v + (1-α) g²;  w ← w - lr·g / (√v + ε).

    With momentum, b ← momentum·b + g / (√v + ε) and w ← w - lr·b. weight_decay adds weight_decay·w
    to g. Source: Hinton, Neural networks for machine learning, lecture 6e, 2012; as PyTorch has it.

    >>> w = mg.tensor(1.0, requires_grad=True)
    >>> (w * w).backward()
    >>> mg.optim.RMSprop([w], lr=0.1).step()
    >>> w.item() < 1
    True
    """

    def __init__(
        self,
        parameters: Iterable[Any] | None = None,
        lr: float | Schedule = 0.01,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        clip_norm: float | None = None,
    ) -> None:
        super().__init__(parameters, lr, clip_norm)
        self.alpha = setting("alpha", alpha, lambda n: 0 <= n < 1, "from 0 up to but not 1")
        self.eps, self.momentum = not_negative("eps", eps), not_negative("momentum", momentum)
        self.weight_decay = not_negative("weight_decay", weight_decay)

    def start(self, w: Any) -> State:
        """The mean of squares, zero, and the velocity when there is momentum."""
        return {"v": broadcast_zeros(w)} | (
            {"velocity": broadcast_zeros(w)} if self.momentum else {}
        )

    def update(self, w: Any, g: Any, lr: Any, v: Any, velocity: Any = None) -> tuple[Any, State]:
        """The step, the new mean of squares and the new velocity."""
        if self.weight_decay:
            g = g + self.weight_decay * w
        v *= self.alpha
        v += (1 - self.alpha) * g * g
        direction = g / (mg.sqrt(v) + self.eps)
        if velocity is None:
            return lr * direction, {"v": v}
        velocity *= self.momentum
        velocity += direction
        return lr * velocity, {"v": v, "velocity": velocity}


class Adam(Optimizer):
    """Update m ← β1 m + (1-β1) g;  v ← β2 v + (1-β2) g²;  w ← w - lr·m̂ / (√v̂ + ε).

    m̂ = m/(1-β1ᵗ) and v̂ = v/(1-β2ᵗ) correct the start at zero. The fraction is taken times
    √(1-β2ᵗ) above and below, so that the corrections are of single numbers, which are float64:
    in float32, 1-β2ᵗ has lost four digits at t = 1. weight_decay adds weight_decay·w to g.
    Source: Kingma and Ba, 2015, algorithm 1 and section 2.

    >>> w = mg.tensor(1.0, requires_grad=True)
    >>> (w * w).backward()
    >>> mg.optim.Adam([w], lr=0.1).step()
    >>> w
    tensor(0.9, requires_grad=True)
    """

    def __init__(
        self,
        parameters: Iterable[Any] | None = None,
        lr: float | Schedule = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        clip_norm: float | None = None,
    ) -> None:
        super().__init__(parameters, lr, clip_norm)
        self.betas, self.eps = check_betas(betas), not_negative("eps", eps)
        self.weight_decay = not_negative("weight_decay", weight_decay)

    def start(self, w: Any) -> State:
        """Both moments and the step count, zero."""
        return {"m": broadcast_zeros(w), "v": broadcast_zeros(w), "t": np.zeros(())}

    def update(self, w: Any, g: Any, lr: Any, m: Any, v: Any, t: Any) -> tuple[Any, State]:
        """The step, the new moments and the count of steps."""
        if self.weight_decay:
            g = g + self.weight_decay * w
        b1, b2 = self.betas
        t = t + 1
        m *= b1
        m += (1 - b1) * g
        v *= b2
        v += (1 - b2) * g * g
        root = (1 - b2**t) ** 0.5
        rate, eps = cast_like(lr * root / (1 - b1**t), w), cast_like(self.eps * root, w)
        return rate * m / (mg.sqrt(v) + eps), {"m": m, "v": v, "t": t}


class AdamW(Optimizer):
    """Update w by Adam's step and by -lr·weight_decay·w: the decay bypasses the moments.

    Source: Loshchilov and Hutter, 2019, algorithm 2, whose λ is lr·weight_decay at the first lr.

    >>> w = mg.tensor(1.0, requires_grad=True)
    >>> (w * w).backward()
    >>> mg.optim.AdamW([w], lr=0.1).step()
    >>> w.item() < 1
    True
    """

    def __init__(
        self,
        parameters: Iterable[Any] | None = None,
        lr: float | Schedule = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
        clip_norm: float | None = None,
    ) -> None:
        super().__init__(parameters, lr, clip_norm)
        self.adam = Adam(betas=betas, eps=eps)
        self.weight_decay = not_negative("weight_decay", weight_decay)

    def start(self, w: Any) -> State:
        """Adam's state."""
        return self.adam.start(w)

    def update(self, w: Any, g: Any, lr: Any, **state: Any) -> tuple[Any, State]:
        """The step, the new moments and the count of steps."""
        step, state = self.adam.update(w, g, lr, **state)
        return step + lr * self.weight_decay * w, state
