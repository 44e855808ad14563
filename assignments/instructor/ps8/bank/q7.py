"""Wrong answers to q7 of ps8."""


# %% feeds_are_remembered | loses q7: what was fed in an earlier run is still fed.
# | says: or a run uses an earlier one's results.
# %% q7 after the key
FED = {}


def run_static(fetches, feeds):
    FED.update(feeds)
    known = dict(FED)
    for fetch in fetches:
        for node in inputs_first(fetch, known):
            values = [known[x] for x in node.inputs]
            known[node] = node.compute(*values) if node.compute else node.value
    return [known[fetch] for fetch in fetches]


# %% second_loss_counts_the_first | loses q7: the gradient of the backward pass before is passed on
# again.
# | says: passes on the gradient of the first one again.
# %% q7 after the key
class Dynamic(Dynamic):
    def backward(self):
        self.grad = np.ones(np.shape(self.value))
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y.grad is not None:
                    bar = rule(y.grad, y.value, *[one.value for one in y.inputs])
                    x.grad = bar if x.grad is None else x.grad + bar


def as_dynamic(x):
    return x if isinstance(x, Dynamic) else Dynamic("value", value=np.asarray(x, float))


# %% total_of_its_own | loses q7: gradients are added up elsewhere, and `.grad = None` is not heard.
# | says: or setting it to None is ignored.
# %% q7 after the key
class Dynamic(Dynamic):
    total = None

    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y in bars:
                    bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                    bars[x] = bars[x] + bar if x in bars else bar
        for x, bar in bars.items():
            x.total = bar if x.total is None else x.total + bar
            x.grad = x.total


# %% begins_with_a_one | loses q7: the backward pass begins with 1, whatever the shape.
# | says: The backward pass does not begin with ones of the Tensor's shape.
# %% q7 after the key
class Dynamic(Dynamic):
    def backward(self):
        bars = {self: np.ones(())}
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y in bars:
                    bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                    bars[x] = bars[x] + bar if x in bars else bar
        for x, bar in bars.items():
            x.grad = bar if x.grad is None else x.grad + bar


# %% feeds_are_filled | loses q7: the caller's dict holds all results afterwards.
# | says: It changes an array, a list or a dict that it was given (rule 3).
# %% q7 after the key
def run_static(fetches, feeds):
    for fetch in fetches:
        for node in inputs_first(fetch, feeds):
            values = [feeds[x] for x in node.inputs]
            feeds[node] = node.compute(*values) if node.compute else node.value
    return [feeds[fetch] for fetch in fetches]


# %% breadth_first | loses q7: a value passes on before all its users have.
# | says: A value passes its cotangent on before it is complete.
# %% q7 after the key
def inputs_first(end, known=()):
    listed, seen = [end], {end, *known}
    for one in listed:
        for x in one.inputs:
            if x not in seen:
                seen.add(x)
                listed.append(x)
    return [one for one in reversed(listed) if one not in known]


# %% nodes_keep_their_gradients | loses q7: gradients of a second number count those of the first.
# | says: A call of `gradients` counts what an earlier call has made.
# %% q7 after the key
def gradient_nodes(y, xs):
    order = inputs_first(y)
    y.bar = as_static(1.0)
    for node in reversed(order):
        for x, rule in zip(node.inputs, OPS.get(node.op, ())[1:]):
            if rule is not None and getattr(node, "bar", None) is not None:
                bar = Static("back", [node.bar, node, *node.inputs], compute=rule)
                x.bar = bar if getattr(x, "bar", None) is None else x.bar + bar
    return [x * 0.0 if getattr(x, "bar", None) is None else x.bar for x in xs]


# %% only_placeholders_are_fed | loses q7: a computed node is computed, fed or not.
# | says: A run does not begin at what it is fed
# %% q7 after the key
def run_static(fetches, feeds):
    known = {node: x for node, x in feeds.items() if node.op == "placeholder"}
    for fetch in fetches:
        for node in inputs_first(fetch, known):
            values = [known[x] for x in node.inputs]
            known[node] = node.compute(*values) if node.compute else node.value
    return [known[fetch] for fetch in fetches]


# %% results_of_the_last_run | loses q7: a node that was computed is never computed again.
# | says: A run returns results of an earlier run.
# %% q7 after the key
memory = {}


def run_static(fetches, feeds):
    memory.update(feeds)
    for fetch in fetches:
        for node in inputs_first(fetch, memory):
            values = [memory[x] for x in node.inputs]
            memory[node] = node.compute(*values) if node.compute else node.value
    return [memory[fetch] for fetch in fetches]


# %% run_by_recursion | loses q7: a call for each node, inside that of its user.
# | says: It calls itself for each operation, 2,000 of which in a row are too deep
# %% q7 after the key
def run_static(fetches, feeds):
    return run(fetches, feeds)


# %% run_by_recursion_above_the_limit | loses q7: a call for each node, inside that of its user,
# with a higher limit. | says: It calls itself for each operation
# %% q7 after the key
import sys

sys.setrecursionlimit(10**6)


def run_static(fetches, feeds):
    return run(fetches, feeds)


# %% gradients_are_no_values | loses q7: a gradient can be fetched, but not added to anything.
# | says: A gradient cannot be used as a Node.
# %% q7 after the key
class Slope:
    op = "gradient"

    def __init__(self, node):
        self.inputs = [node]

    def compute(self, value):
        return value


in_values = gradient_nodes


def gradient_nodes(y, xs):
    return [Slope(found) for found in in_values(y, xs)]


# %% grad_begins_at_zero | loses q7: `.grad` is zeros before any backward pass.
# | says: `.grad` is not None before the backward pass.
# %% q7 after the key
class Dynamic(Dynamic):
    def __init__(self, op, inputs=(), value=None):
        super().__init__(op, inputs, value)
        self.grad = np.zeros(np.shape(self.value))


# %% gradients_grow_in_place | loses q7: a sum gives both operands one array, and += then changes
# both.
# | says: A use of a value is counted more than once.
# %% q7 after the key
def shrunk(g, shape):
    return g if g.shape == shape else unbroadcast(g, shape)


class Dynamic(Dynamic):
    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y in bars:
                    bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                    if y.op == "add":
                        bar = shrunk(bars[y], x.value.shape)
                    if x in bars:
                        bars[x] += bar
                    else:
                        bars[x] = np.asarray(bar)
        for x, bar in bars.items():
            x.grad = np.array(bar) if x.grad is None else x.grad + bar


# %% end_is_the_given_engine | loses q7: right, along every path.
# | says: Each path is followed separately, which takes 2⁶⁰ steps.
# %% q7 after the key
def own_engine():
    return given


# %% last_loss_alone | loses q7: a second backward pass forgets the gradient of the first.
# | says: replaces the gradient of the first one.
# %% q7 after the key
class Dynamic(Dynamic):
    def backward(self):
        kept = inputs_first(self)
        for x in kept:
            x.grad = None
        super().backward()


def as_dynamic(x):
    return x if isinstance(x, Dynamic) else Dynamic("value", value=np.asarray(x, float))


# %% plan_of_the_first_run | loses q7: the order of a run is planned once for the same fetches, by
# the first feeds.
# | says: or keeps the order of an earlier run.
# %% q7 after the key
plans = {}


def run_static(fetches, feeds):
    known, key = dict(feeds), tuple(fetches)
    if key not in plans:
        plans[key] = [one for fetch in fetches for one in inputs_first(fetch, known)]
    for node in plans[key]:
        if node not in known:
            values = [known[x] for x in node.inputs]
            known[node] = node.compute(*values) if node.compute else node.value
    return [known[fetch] for fetch in fetches]


# %% unread_is_a_number | loses q7: the gradient of what y does not read is one 0.
# | says: A gradient of what y does not read is not zeros of its shape.
# %% q7 after the key
thorough = gradient_nodes


def gradient_nodes(y, xs):
    read = set(inputs_first(y))
    found = dict(zip(xs, thorough(y, xs)))
    return [found[x] if x in read else as_static(0.0) for x in xs]
