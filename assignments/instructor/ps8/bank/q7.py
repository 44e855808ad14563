"""Wrong answers to q7 of ps8."""


# %% a_list_of_feeds | loses q7: what was fed in an earlier run is still fed.
# %% q7 after the key
FED = {}


def run_later(fetches, feeds):
    FED.update(feeds)
    known = dict(FED)
    for fetch in fetches:
        for node in inputs_first(fetch, known):
            values = [known[x] for x in node.inputs]
            known[node] = node.compute(*values) if node.compute else node.value
    return [known[fetch] for fetch in fetches]


# %% a_second_loss_counts_the_first | loses q7: the slopes of the way back before are handed on once
# more.
# %% q7 after the key
class Now(Now):
    def backward(self):
        self.grad = np.ones(np.shape(self.value))
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y.grad is not None:
                    bar = rule(y.grad, y.value, *[one.value for one in y.inputs])
                    x.grad = bar if x.grad is None else x.grad + bar


def as_now(x):
    return x if isinstance(x, Now) else Now("value", value=np.asarray(x, float))


# %% a_total_of_its_own | loses q7: slopes are added up elsewhere, and `.grad = None` is not heard.
# %% q7 after the key
class Now(Now):
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


# %% begins_with_a_one | loses q7: the way back begins with 1, whatever the shape.
# %% q7 after the key
class Now(Now):
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
# %% q7 after the key
def run_later(fetches, feeds):
    for fetch in fetches:
        for node in inputs_first(fetch, feeds):
            values = [feeds[x] for x in node.inputs]
            feeds[node] = node.compute(*values) if node.compute else node.value
    return [feeds[fetch] for fetch in fetches]


# %% in_the_order_they_are_met | loses q7: a value passes on before all its users are through.
# %% q7 after the key
def inputs_first(end, known=()):
    listed, seen = [end], {end, *known}
    for one in listed:
        for x in one.inputs:
            if x not in seen:
                seen.add(x)
                listed.append(x)
    return [one for one in reversed(listed) if one not in known]


# %% nodes_keep_their_slopes | loses q7: gradients of a second number count those of the first.
# %% q7 after the key
def nodes_back(y, xs):
    order = inputs_first(y)
    y.bar = as_later(1.0)
    for node in reversed(order):
        for x, rule in zip(node.inputs, OPS.get(node.op, ())[1:]):
            if rule is not None and getattr(node, "bar", None) is not None:
                bar = Later("back", [node.bar, node, *node.inputs], compute=rule)
                x.bar = bar if getattr(x, "bar", None) is None else x.bar + bar
    return [x * 0.0 if getattr(x, "bar", None) is None else x.bar for x in xs]


# %% only_placeholders_are_fed | loses q7: a computed node is computed, fed or not.
# %% q7 after the key
def run_later(fetches, feeds):
    known = {node: x for node, x in feeds.items() if node.op == "placeholder"}
    for fetch in fetches:
        for node in inputs_first(fetch, known):
            values = [known[x] for x in node.inputs]
            missing = np.ones((1, 4)) if node.op == "placeholder" else node.value
            known[node] = node.compute(*values) if node.compute else missing
    return [known[fetch] for fetch in fetches]


# %% order_from_the_last_run | loses q7: the order of a run is kept for its fetches: fed elsewhere,
# it lacks what that needs.
class Eager(Operators):
    def __init__(self, op, inputs=(), value=None):
        self.op, self.value, self.grad = op, value, None
        self.inputs = [x if isinstance(x, Eager) else Eager("value", value=np.asarray(x, float))
                       for x in inputs]
        if op in OPS:
            self.value = OPS[op][0](*[x.value for x in self.inputs])

    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for one in in_order([self], lambda y: y.inputs)[::-1]:
            if one not in bars:
                continue
            bar = bars.pop(one)
            one.grad = bar if one.grad is None else one.grad + bar
            for x, rule in zip(one.inputs, OPS.get(one.op, ())[1:]):
                if rule is not None:
                    slope = rule(bar, one.value, *[x.value for x in one.inputs])
                    bars[x] = bars[x] + slope if x in bars else slope


class Lazy(Operators):
    def __init__(self, op, inputs=(), value=None, compute=None):
        self.op, self.value = op, value
        self.inputs = [x if isinstance(x, Lazy) else Lazy("constant", value=np.asarray(x, float))
                       for x in inputs]
        self.compute = OPS[op][0] if op in OPS else compute


def in_order(ends, inputs_of):
    """All that the ends need, operands first."""
    order, seen = [], set()
    for end in ends:
        todo = [(end, False)]
        while todo:
            one, through = todo.pop()
            if through:
                order.append(one)
            elif one not in seen:
                seen.add(one)
                todo.append((one, True))
                todo += [(x, False) for x in inputs_of(one)]
    return order


def own_run(fetches, feeds, plans={}):
    known = {node: np.asarray(x, float) for node, x in feeds.items()}
    key = tuple(fetches)
    if key not in plans:  # planned once, run often
        plans[key] = in_order(fetches, lambda y: () if y in feeds else y.inputs)
    for node in plans[key]:
        if node not in known:
            given = [known[x] for x in node.inputs]
            known[node] = node.compute(*given) if node.compute else node.value
    return [known[node] for node in fetches]


def own_gradients(y, xs):
    bars = {y: Lazy("constant", value=np.ones(()))}
    for one in in_order([y], lambda y: y.inputs)[::-1]:
        if one in bars:
            for x, rule in zip(one.inputs, OPS.get(one.op, ())[1:]):
                if rule is not None:
                    slope = Lazy("back", [bars[one], one, *one.inputs], compute=rule)
                    bars[x] = bars[x] + slope if x in bars else slope
    return [bars[x] if x in bars else x * 0.0 for x in xs]


def own_engine():
    return SimpleNamespace(tensor=lambda array: Eager("value", value=np.asarray(array, float)),
                           placeholder=lambda name: Lazy("placeholder"), run=own_run,
                           gradients=own_gradients)


# %% remembers_the_last_run | loses q7: a node that was computed is never computed again.
# %% q7 after the key
memory = {}


def run_later(fetches, feeds):
    memory.update(feeds)
    for fetch in fetches:
        for node in inputs_first(fetch, memory):
            values = [memory[x] for x in node.inputs]
            memory[node] = node.compute(*values) if node.compute else node.value
    return [memory[fetch] for fetch in fetches]


# %% runs_by_recursion | loses q7: a call for each node, inside that of its user.
# %% q7 after the key
def run_later(fetches, feeds):
    return run(fetches, feeds)


# %% slopes_are_no_values | loses q7: a slope can be fetched, but not added to anything.
# %% q7 after the key
class Slope:
    op = "slope"

    def __init__(self, node):
        self.inputs = [node]

    def compute(self, value):
        return value


in_values = nodes_back


def nodes_back(y, xs):
    return [Slope(found) for found in in_values(y, xs)]


# %% slopes_begin_at_zero | loses q7: `.grad` is zeros before any way back.
# %% q7 after the key
class Now(Now):
    def __init__(self, op, inputs=(), value=None):
        super().__init__(op, inputs, value)
        self.grad = np.zeros(np.shape(self.value))


# %% slopes_grow_in_place | loses q7: a sum gives both operands one array, and += then changes both.
# %% q7 after the key
def shrunk(g, shape):
    return g if g.shape == shape else fit(g, shape)


class Now(Now):
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


# %% slopes_only_where_nothing_went_in | loses q7: only Tensors that were given get a `.grad`.
# %% q7 after the key
class Now(Now):
    def backward(self):
        computed = [x for x in inputs_first(self) if x.inputs]
        super().backward()
        for x in computed:
            x.grad = None


# %% tensors_of_copies | loses q7: a Tensor holds a copy of its array.
# %% q7 after the key
def as_now(x):
    return x if isinstance(x, Now) else Now("value", value=np.array(x, float))


# %% the_end_is_no_x | loses q7: y itself among the xs has no slope.
# %% q7 after the key
whole_way = nodes_back


def nodes_back(y, xs):
    return [x * 0.0 if x is y else bar for x, bar in zip(xs, whole_way(y, xs))]


# %% the_given_one | loses q7: right, along every path.
# %% q7 after the key
def own_engine():
    return given


# %% the_last_loss_alone | loses q7: a second way back forgets the slopes of the first.
# %% q7 after the key
class Now(Now):
    def backward(self):
        kept = inputs_first(self)
        for x in kept:
            x.grad = None
        super().backward()


def as_now(x):
    return x if isinstance(x, Now) else Now("value", value=np.asarray(x, float))


# %% the_plan_of_the_first_run | loses q7: the order of a run is planned once for the same fetches,
# by the first feeds.
# %% q7 after the key
plans = {}


def run_later(fetches, feeds):
    known, key = dict(feeds), tuple(fetches)
    if key not in plans:
        plans[key] = [one for fetch in fetches for one in inputs_first(fetch, known)]
    for node in plans[key]:
        if node not in known:
            values = [known[x] for x in node.inputs]
            known[node] = node.compute(*values) if node.compute else node.value
    return [known[fetch] for fetch in fetches]


# %% what_is_not_read_is_a_number | loses q7: the slope of what y does not read is one 0.
# %% q7 after the key
thorough = nodes_back


def nodes_back(y, xs):
    read = set(inputs_first(y))
    found = dict(zip(xs, thorough(y, xs)))
    return [found[x] if x in read else as_later(0.0) for x in xs]


# %% writes_into_what_is_fed | loses q7: relu is computed in the array that it gets.
# %% q7 after the key
OPS = OPS | {"relu": (lambda a: np.maximum(a, 0, out=a), OPS["relu"][1])}
