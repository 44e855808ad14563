"""Lesson 17: cases, references, typical wrong answers, pictures. The words are in 17.toml."""

import copy
import re
import sys

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson, known_answer
from minigrad.course.lessons import elsewhere
from minigrad.course.lessons.answer import agree, numbers
from minigrad.course.teach import Source, table

LETTERS = "cdefghijk"  # for the results of equations; the inputs are a and b
FORMULAS = {
    "(a + b) * (b + 1.0)": lambda a, b: (a + b) * (b + 1.0),
    "tanh(a * b) - a": lambda a, b: mg.tanh(a * b) - a,
    "sin(b) - b * a": lambda a, b: mg.sin(b) - b * a,
    "a * a * 3.0": lambda a, b: a * a * 3.0,
}
DERIVATIVES = {
    "add": lambda x, y: (1.0, 1.0),
    "sub": lambda x, y: (1.0, -1.0),
    "mul": lambda x, y: (y, x),
    "tanh": lambda x: (1.0 - np.tanh(x) ** 2,),
}
COMPUTE = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "tanh": np.tanh}
FRAMEWORKS = ("minigrad", "torch", "jax", "tensorflow")  # in the order of the lessons' tables
PLACES = ((2.0, 1.0), (0.5, -1.0), (-0.25, 3.0))  # of the gradients that JAX was asked for
COLLEAGUES = (  # the initial w, and two micro-batches of inputs and targets
    np.zeros(3),
    [
        (np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]), np.array([3.0, 1.0])),
        (np.array([[1.0, 1.0, 0.0], [2.0, 0.0, -1.0]]), np.array([0.0, 2.0])),
    ],
)

# other frameworks --------------------------------------------------------------------------------


def show_elsewhere(*questions):
    """Make a table of the frameworks that answered any of the questions, with their versions."""
    asked, answers = elsewhere.read_questions("17"), elsewhere.read_answers("17")
    names = [name for name in FRAMEWORKS if answers[name].keys() & set(questions)]
    heads = [f"{title_of(name)} {answers[name].get('version', '')}".strip() for name in names]
    rows = [
        [asked[question]["asks"], *(answers[name].get(question) for name in names)]
        for question in questions
    ]
    return table(["", *heads], rows)


def title_of(framework):
    """Say how a framework writes its name."""
    return elsewhere.NAMES.get(framework, framework)


def stored(question, framework):
    """Take what a framework answered."""
    return elsewhere.read_answers("17")[framework][question]


def show_programs(question, *frameworks):
    """Show how frameworks were asked, without the line that formats the answer."""
    from IPython.display import display

    for framework in frameworks:
        program = elsewhere.read_questions("17")[question][framework].strip()
        lines = [line for line in program.split("\n") if not line.startswith("answer = ")]
        display(Source("\n".join(lines), title_of(framework)))


def show_names(word):
    """Make a table of calls, and of places in the files of frameworks, that contain a word."""
    pages = map(elsewhere.read_questions, ("17_names", "17_course"))
    rows = [[row["asks"], *map(row.get, FRAMEWORKS)] for page in pages for row in page.values()]
    found = [row for row in rows if word.lower() in " ".join(filter(None, row)).lower()]
    if not found:
        return print(lesson.words["names"]["none"])
    return table(["", *map(title_of, FRAMEWORKS)], found)


def read_equations(jaxpr):
    """Read the equations of a printed jaxpr, without types."""
    lines = re.sub(r":f32\[\]", "", jaxpr).split("\n")[1:-1]
    parts = [line.split() for line in lines]
    return [(z, op, *inputs) for z, _, op, *inputs in parts]


JAX_EQUATIONS = read_equations(stored("equations_of_tanh", "jax"))
start, batches = COLLEAGUES

# equations ---------------------------------------------------------------------------------------


def build_graph(formula, letters=LETTERS):
    """Build a static graph of a formula of a and b; its other nodes are named c, d, e, …"""
    with mg.Graph() as graph:
        formula(mg.placeholder("a"), mg.placeholder("b"))
    names = iter(letters)
    for node in graph.nodes:
        if node.inputs:
            node.name = next(names)
        elif node.name is None:
            node.name = str(float(node.value))
    return graph


def cases_equations():
    """(formula, names of the results), of which `run_equations` makes graphs."""
    *formulas, last = FORMULAS
    return [*((formula, LETTERS) for formula in formulas), (last, "zyx")]


def show_equations(formula, letters):
    """A case in words."""
    return f"the graph of {formula}, whose first result is called {letters[0]}"


def run_equations(function, formula, letters=LETTERS):
    """Run a function on the graph of a formula; give its lines with single spaces, and whether they
    came as one text."""
    found = function(build_graph(FORMULAS[formula], letters))
    if found is None:
        return None
    is_text = isinstance(found, str)
    lines = found.splitlines() if is_text else list(found)
    if not all(isinstance(line, str) for line in lines):
        raise TypeError("the list holds something that is not a text")
    told = "; ".join(" ".join(line.split()) for line in lines)
    return f"one text, and no list: {told}" if is_text else told


def write_equations(graph, keep=lambda node: node.inputs, between=" ", turn=1):
    """Write the equations of a graph; the options make known mistakes."""
    return [
        f"{node.name} = {str(node.op).lower()} {between.join(x.name for x in node.inputs[::turn])}"
        for node in graph.nodes
        if keep(node)
    ]


def reference_equations(graph):
    """Write a line "c = add a b" for each node that is computed from others."""
    return write_equations(graph)


def every_node(graph):
    """Lines for placeholders and constants, too."""
    return write_equations(graph, keep=lambda node: True)


def constants_kept(graph):
    """Lines for constants, but none for placeholders."""
    return write_equations(graph, keep=lambda node: str(node.op) != "Placeholder")


def one_text(graph):
    """The lines in one text."""
    return "\n".join(write_equations(graph))


def with_commas(graph):
    """Commas between the inputs."""
    return write_equations(graph, between=", ")


def inputs_reversed(graph):
    """The inputs from the last to the first."""
    return write_equations(graph, turn=-1)


def first_line(graph):
    """The first line alone."""
    return write_equations(graph)[:1]


def graph_above(graph):
    """The lines of the graph in the notebook, whichever graph is given."""
    return write_equations(build_graph(FORMULAS["(a + b) * (b + 1.0)"]))


def after_equations(function):
    """Show the learner's lines beside those that JAX printed, for another formula."""
    mine = run_equations(function, "tanh(a * b) - a").split("; ")
    theirs = [" ".join([z, "=", *parts]) for z, *parts in JAX_EQUATIONS]
    print("  The lines for tanh(a * b) - a:")
    return table(["yours", "JAX's, without types"], zip(mine, theirs))


# backward_pass -----------------------------------------------------------------------------------


def cases_backward_pass():
    """(equations, values of a and b)."""
    return [
        ([("c", "add", "a", "b"), ("d", "add", "b", "1.0"), ("e", "mul", "c", "d")], 2.0, 1.0),
        ([("c", "mul", "a", "a"), ("d", "mul", "c", "c")], 2.0, 1.0),
        ([("c", "mul", "a", "b"), ("d", "tanh", "c"), ("e", "sub", "d", "a")], 0.5, -1.0),
        (
            [
                ("c", "sub", "a", "b"),
                ("d", "mul", "c", "a"),
                ("e", "mul", "d", "c"),
                ("f", "add", "e", "d"),
            ],
            3.0,
            -2.0,
        ),
    ]


def show_backward_pass(equations, a, b):
    """A case in words."""
    lines = "; ".join(f"{z} = {op} {' '.join(inputs)}" for z, op, *inputs in equations)
    return f"{lines} at a = {a:g}, b = {b:g}"


def evaluate(equations, a, b):
    """Run the forward pass: give the value of each name, constants included."""
    values = {"a": a, "b": b}
    for z, op, *inputs in equations:
        values |= {x: float(x) for x in inputs if x not in values}
        values[z] = float(COMPUTE[op](*[values[x] for x in inputs]))
    return values


def run_backward_pass(function, equations, a, b):
    """Run a function; give the adjoints of a, b and the results, 0 where there is none."""
    found = function([*equations], evaluate(equations, a, b), {**DERIVATIVES})
    if found is None:
        return None
    if not isinstance(found, dict):
        raise TypeError(f"the function returned {type(found).__name__}, which is not a dictionary")
    used = {x for _, _, *inputs in equations for x in inputs if x.isalpha()}
    names = sorted(used | {z for z, *_ in equations})
    return {name: float(found.get(name, 0.0)) for name in names}


def sweep(
    equations,
    values,
    derivatives,
    seed=1.0,
    at=None,
    backward=True,
    add=True,
    factor=True,
    read=True,
):
    """Run over equations and collect adjoints; the options make known mistakes."""
    adjoints = dict.fromkeys(values, 0.0) | {at or equations[-1][0]: seed}
    for z, op, *inputs in reversed(equations) if backward else equations:
        places = values if read else adjoints
        for x, derivative in zip(inputs, derivatives[op](*[places[x] for x in inputs])):
            contribution = derivative * (adjoints[z] if factor else 1.0)
            adjoints[x] = contribution + (adjoints[x] if add else 0.0)
    return adjoints


def reference_backward_pass(equations, values, derivatives):
    """Run over the equations in reverse, and add each contribution to the adjoint of its input."""
    return sweep(equations, values, derivatives)


def contribution_replaced(equations, values, derivatives):
    """The last contribution alone."""
    return sweep(equations, values, derivatives, add=False)


def only_the_last(equations, values, derivatives):
    """The last equation alone, as where the loop ends after it, or runs in forward order."""
    return sweep(equations, values, derivatives, backward=False)


def at_adjoints(equations, values, derivatives):
    """Derivatives at the adjoints instead of the values."""
    return sweep(equations, values, derivatives, read=False)


def without_seed(equations, values, derivatives):
    """The adjoint of the result is 0."""
    return sweep(equations, values, derivatives, seed=0.0)


def result_called_e(equations, values, derivatives):
    """The adjoint of e is 1, whichever result comes last."""
    return sweep(equations, values, derivatives, at="e")


def inputs_alone(equations, values, derivatives):
    """The adjoints of a and b alone."""
    adjoints = reference_backward_pass(equations, values, derivatives)
    return {name: adjoints.get(name, 0.0) for name in "ab"}


def adjoint_ignored(equations, values, derivatives):
    """Sums of local derivatives."""
    return sweep(equations, values, derivatives, factor=False)


def after_backward_pass(function):
    """Run the learner's function over equations that JAX printed; compare with JAX's gradients."""
    theirs = stored("gradients_of_tanh", "jax").split()
    rows = []
    for at, (a, b) in enumerate(PLACES):
        adjoints = run_backward_pass(function, JAX_EQUATIONS, a, b)
        mine = [adjoints[name] for name in "ab"]
        rows.append([f"a = {a:g}, b = {b:g}", pair(mine), " ".join(theirs[2 * at : 2 * at + 2])])
    print("  JAX's equations of tanh(a * b) - a, and the adjoints of a and b:")
    return table(["", "your backward pass", "jax.grad"], rows)


def pair(numbers):
    """Write numbers with four decimals."""
    return " ".join(f"{number:.4f}" for number in numbers)


# port --------------------------------------------------------------------------------------------


def squared_error(w, x, y):
    """Compute the squared error of a linear layer, for arrays of any library."""
    return ((x @ w - y) ** 2).sum()


def cases_port():
    """(initial w, micro-batches, steps)."""
    third = (np.array([[0.0, 2.0, 1.0]]), np.array([-1.0]))
    return [
        (start, batches, 1),
        (start, batches, 3),
        (np.array([1.0, -1.0, 0.5]), [*batches, third], 2),
        (start, [third], 4),
    ]


def show_port(w, batches, steps):
    """A case in words."""
    count = f"{len(batches)} micro-batch{'es' * (len(batches) > 1)}"
    return f"{count} and {steps} step{'s' * (steps > 1)}"


def run_port(function, w, batches, steps):
    """Run a function with minigrad's grad; give w as an array, and how grad was used."""
    used, seen = [], []  # examples in each call of a gradient; examples in each call of the loss

    def loss(w, x, y):
        seen.append(np.size(y))
        return squared_error(w, x, y)

    def grad(loss, *given, **named):
        gradient = mg.grad(loss, *given, **named)

        def counted(*arguments, **others):
            before = len(seen)
            found = gradient(*arguments, **others)
            used.append(sum(seen[before:]))
            return found

        return counted

    found = function(grad, loss, mg.tensor(w), [*batches], steps)
    if found is None:
        return None
    return numbers(found), use_of_grad(numbers(found), used, w, batches, steps)


def use_of_grad(found, used, w, batches, steps):
    """Say how grad was used. Too many examples in one gradient count only where w is right, so that
    a hint about w is found for either way of writing it."""
    if not any(used):
        return "grad(loss) was never called"
    right = numbers(descend(mg.grad, squared_error, mg.tensor(w), batches, steps))
    if max(used) > max(np.size(y) for _, y in batches) and agree(found, right):
        return "one gradient of several micro-batches"
    return "one gradient for each micro-batch"


def descend(grad, loss, w, batches, steps, rate=0.01, each=False, reset=True, last=False):
    """Descend on several micro-batches; the options make known mistakes."""
    gradient, total = grad(loss), 0.0
    for _ in range(steps):
        total = 0.0 if reset else total
        for x, y in batches:
            found = gradient(w, x, y)
            total = found if last else total + found
            w = w - rate * found if each else w
        w = w if each else w - rate * total
    return w


def reference_port(grad, loss, w, batches, steps):
    """Add the gradients of all micro-batches, then take one step."""
    return descend(grad, loss, w, batches, steps)


def step_per_batch(grad, loss, w, batches, steps):
    """A step after each micro-batch."""
    return descend(grad, loss, w, batches, steps, each=True)


def never_reset(grad, loss, w, batches, steps):
    """The sum of the gradients of all steps so far."""
    return descend(grad, loss, w, batches, steps, reset=False)


def last_batch(grad, loss, w, batches, steps):
    """The gradient of the last micro-batch alone."""
    return descend(grad, loss, w, batches, steps, last=True)


def mean_of_batches(grad, loss, w, batches, steps):
    """The mean instead of the sum over the micro-batches."""
    return descend(grad, loss, w, batches, steps, rate=0.01 / len(batches))


def without_grad(grad, loss, w, batches, steps):
    """The right w, by other means than grad."""
    return descend(mg.grad, loss, w, batches, steps)


def initial_w(grad, loss, w, batches, steps):
    """The w with which it began."""
    return w + 0.0 * descend(grad, loss, w, batches, 1)


def whole_batch(grad, loss, w, batches, steps):
    """One gradient of the sum of the losses."""
    whole = grad(lambda w: sum(loss(w, x, y) for x, y in batches))
    for _ in range(steps):
        w = w - 0.01 * whole(w)
    return w


def after_port(function):
    """Say where the learner's function ends, and where the frameworks ended on the same data."""
    w, _ = run_port(function, *copy.deepcopy(COLLEAGUES), 20)
    rows = [["your function with mg.grad", pair(w)]]
    rows.append(["the colleague's loop in PyTorch", stored("port", "torch")])
    rows.append(["the course's port with jax.grad", stored("port", "jax")])
    rows.append(["a loop with tf.GradientTape", stored("port", "tensorflow")])
    return table(["after 20 steps", "w"], rows)


# the exit question -------------------------------------------------------------------------------


def judge_exit(answer, words):
    """The hint for a wrong set of names; None for the right one, written in any way."""
    parts = answer if isinstance(answer, (set, list, tuple)) else [answer]
    text = re.sub(r"\band\b", " ", " ".join(map(str, parts)).lower())
    names = sorted({*re.findall(r"\w", text)})
    if not names or not {*names} <= {*"xwph"}:
        return words["form"]
    return known_answer("".join(names), words)


# pictures ----------------------------------------------------------------------------------------


def show_losses(curves):
    """Draw the losses of several trainings: {label: losses}."""
    from minigrad.draw.plot.axes import paper

    with paper([2.2]) as (_, (axes,)):
        for (label, losses), style in zip(curves.items(), ("dynamic", "by hand")):
            axes.plot(losses, **mg.plot.style_of(style, marker=""), label=label)
        axes.set(xlabel="step", ylabel="loss", ylim=(0, 24))
        axes.legend(edgecolor="none", framealpha=1, ncols=2)


lesson = Lesson("17", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
