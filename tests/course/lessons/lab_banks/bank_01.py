"""What students answer in lesson 01, wrong and right; test_lab_banks.py tells the form."""


class Node:
    """The class of the lesson that a learner's Value extends."""

    tape: list["Node"] = []

    def __init__(self, data, op=None, inputs=(), local=()):
        self.data, self.op = data, op
        self.inputs, self.local = inputs, local
        self.tape.append(self)


NAMES = {"Node": Node, "EARLIER_TAPE": [Node(2.0)]}
VALUE = '''
class Value(Node):
    """A number whose operations record what they do."""

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, "+", (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, "*", (self, other), (other.data, self.data))

    def __truediv__(self, other):
        other = as_value(other)
        local = (1 / other.data, -self.data / other.data**2)
        return Value(self.data / other.data, "/", (self, other), local)


def as_value(x):
    """Return x itself if it is a Value, else a Value of this number."""
    return x if isinstance(x, Value) else Value(x)
'''


NAMED = "Compare the fact that is named above"


def changed(*pairs):
    """The class with parts of the right one replaced, wherever they stand."""
    source = VALUE
    for old, new in pairs:
        assert old in source
        source = source.replace(old, new)
    return source


WRONG_FUNCTIONS = {
    "Value": [
        ("class Value(Node):\n    ...\n", "Begin with __add__"),
        (
            changed(('return Value(self.data + other.data, "+"', '...\n        return ("+"')),
            "Begin with __add__",
        ),
        (
            changed((", (1.0, 1.0)", ""), (", (other.data, self.data)", ""), (", local)", ")")),
            "without_local",
        ),
        (changed(("(self, other), ", "(self.data, other.data), ")), "numbers_as_inputs"),
        (changed(("(other.data, self.data)", "(self.data, other.data)")), "factors_swapped"),
        (changed(("(other.data, self.data)", "(other, self)")), "values_in_local"),
        (changed(("-self.data / other", "self.data / other")), "sign_of_quotient"),
        (changed(("        other = as_value(other)\n", "")), "A plain number, such as the 2"),
        (
            changed(
                (
                    "        other = as_value(other)\n        return Value(self.data +",
                    "        return Value(self.data +",
                )
            ),
            "A plain number, such as the 2",
        ),
        (
            changed(
                (
                    "        other = as_value(other)\n        return Value(self.data *",
                    "        return Value(self.data *",
                )
            ),
            "A plain number, such as the 2",
        ),
        (changed(("self.data * other.data", "self.data * othr.data")), "Use only the parameters"),
        (changed(("__truediv__", "__div__")), "If an operand is not supported"),
        (
            changed(
                (
                    'return Value(self.data + other.data, "+", (self, other), (1.0, 1.0))',
                    "return self.data + other.data",
                )
            ),
            "If an operand is not supported",
        ),
        (changed(("self.data * other.data", "self * other")), "A method that uses + on Values"),
        (changed(("(1.0, 1.0)", "(1.0,)")), NAMED),
        (changed(('"+"', '"-"')), NAMED),
        (changed(("(self, other), local", "(other, self), local")), NAMED),
        (changed(("(self, other), ", "(Value(self.data), Value(other.data)), ")), NAMED),
        (changed(("self.data + other.data", "self.data - other.data")), NAMED),
        (changed(("other.data**2", "other.data")), "no_square"),
        (changed(("-self.data / other.data**2", "-1 / other.data**2")), "numerator_of_one"),
        (changed(("(1 / other.data, ", "(other.data, ")), NAMED),
        (changed(("(self, other), local", "(self, other), local[::-1]")), "quotient_swapped"),
        (changed(("(1.0, 1.0)", "(self.data, other.data)")), NAMED),
        (changed(("(1.0, 1.0)", "(other.data, self.data)")), NAMED),
        (
            changed(
                (
                    "return Value(self.data + other.data,",
                    "self.data += other.data\n        return Value(self.data,",
                )
            ),
            NAMED,
        ),
        (
            changed(
                (
                    "return Value(self.data + other.data,",
                    "self.data += other.data\n        return Value(self.data,",
                ),
                (
                    "return Value(self.data * other.data,",
                    "self.data *= other.data\n        return Value(self.data,",
                ),
                (
                    "return Value(self.data / other.data,",
                    "self.data /= other.data\n        return Value(self.data,",
                ),
            ),
            NAMED,
        ),
        (
            changed(
                (
                    "    def __add__",
                    """    def __init__(self, data, op=None, inputs=(), local=()):
        self.data, self.op, self.inputs, self.local = data, op, inputs, local

    def __add__""",
                )
            ),
            NAMED,
        ),
        (
            changed(
                (
                    "    def __add__",
                    """    def __eq__(self, other):
        return self.data == other.data

    def __add__""",
                )
            ),
            NAMED,
        ),
        (changed(('return Value(self.data * other.data, "*"', 'return (other.data, "*"')), NAMED),
    ],
    "sum_over_paths": [
        ("    ...", "Begin with the case y is x"),
        (
            """
            if y is x:
                return 1.0
            return sum(sum_over_paths(u, x) for u in y.inputs)
            """,
            "number_of_paths",
        ),
        (
            "return sum(d * sum_over_paths(u, x) for u, d in zip(y.inputs, y.local))",
            "If y is x, return 1",
        ),
        (
            """
            if y.data == x.data:
                return 1.0
            return sum(d * sum_over_paths(u, x) for u, d in zip(y.inputs, y.local))
            """,
            "same_number",
        ),
        (
            """
            if not y.inputs:
                return 1.0
            return sum(d * sum_over_paths(u, x) for u, d in zip(y.inputs, y.local))
            """,
            "every_leaf_counts",
        ),
        (
            """
            if y is x:
                return 1.0
            return sum(d + sum_over_paths(u, x) for u, d in zip(y.inputs, y.local))
            """,
            "added_along",
        ),
        (
            """
            if y is x:
                return 1.0
            total = 0.0
            for u, d in zip(y.inputs, y.local):
                total = d * sum_over_paths(u, x)
            return total
            """,
            "last_input_only",
        ),
        (
            """
            if y is x:
                return 1.0
            total = 0.0
            for u, d in zip(y.inputs, y.local):
                total += d * sum_over_paths(u, x)
                return total
            """,
            "A call may have returned None",
        ),
        (
            """
            if y is x:
                return 1.0
            return sum(d * sum_over_paths(y, x) for u, d in zip(y.inputs, y.local))
            """,
            "The calls do not end",
        ),
        (
            """
            if y is x:
                return 1.0
            for u, d in zip(y.inputs, y.local):
                return d * sum_over_paths(u, x)
            return 0.0
            """,
            "first_input_only",
        ),
        (
            """
            if y is x:
                return 1.0
            edges = dict(zip(y.inputs, y.local))
            return sum(d * sum_over_paths(u, x) for u, d in edges.items())
            """,
            "once_per_input",
        ),
        ("return sum(y.local)", "If y is x, return 1"),
        (
            """
            if y is x:
                return x.data
            return sum(d * sum_over_paths(u, x) for u, d in zip(y.inputs, y.local))
            """,
            "If y is x, return 1",
        ),
        ("return [sum_over_paths(u, x) for u in y.input]", "If y is x, return 1"),
    ],
    "derivative": [
        ("    ...", "Go through the tape with a loop"),
        (
            """
            numbers = {x: 1.0}
            for v in tape:
                numbers[v] = sum(d * numbers[u] for u, d in zip(v.inputs, v.local))
            return numbers[tape[-1]]
            """,
            "first_number_lost",
        ),
        (
            """
            numbers = {}
            for v in tape:
                numbers[v] = sum(d * numbers.get(u, 0) for u, d in zip(v.inputs, v.local))
            return numbers[tape[-1]]
            """,
            "first_number_lost",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in tape:
                if v is not x:
                    numbers[v] = sum(numbers[u] for u in v.inputs)
            return numbers[tape[-1]]
            """,
            "paths_by_tape",
        ),
        (
            """
            numbers = {v: 0.0 for v in tape}
            numbers[x] = 1.0
            for v in tape:
                for u, d in zip(v.inputs, v.local):
                    numbers[v] = d * numbers[u]
            return numbers[tape[-1]]
            """,
            "last_contribution",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in tape:
                if v.inputs:
                    numbers[v] = sum(d * numbers[u] for u, d in zip(v.inputs, v.local))
                else:
                    numbers[v] = 1.0
            return numbers[tape[-1]]
            """,
            "every_leaf_starts",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in tape:
                if v is not x:
                    edges = dict(zip(v.inputs, v.local))
                    numbers[v] = sum(d * numbers[u] for u, d in edges.items())
            return numbers[tape[-1]]
            """,
            "once_on_tape",
        ),
        (
            """
            numbers = {x.data: 1.0}
            for v in tape:
                if v is not x:
                    pairs = zip(v.inputs, v.local)
                    numbers[v.data] = sum(d * numbers[u.data] for u, d in pairs)
            return numbers[tape[-1].data]
            """,
            "keyed_by_number",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in EARLIER_TAPE:
                if v is not x:
                    numbers[v] = sum(d * numbers[u] for u, d in zip(v.inputs, v.local))
            return numbers[EARLIER_TAPE[-1]]
            """,
            "first_number_lost",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in reversed(tape):
                if v is not x:
                    numbers[v] = sum(d * numbers[u] for u, d in zip(v.inputs, v.local))
            return numbers[tape[-1]]
            """,
            "A value was needed before",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in tape:
                if v is not x:
                    numbers[v] = sum(d * numbers[u] for u, d in zip(v.inputs, v.local))
            return numbers
            """,
            "whole_dict",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in tape:
                if v.inputs:
                    numbers[v] = sum(d * numbers[u] for u, d in zip(v.inputs, v.local))
            return numbers[tape[-1]]
            """,
            "A value was needed before",
        ),
        (
            """
            def along(y):
                return 1.0 if y is x else sum(d * along(u) for u, d in zip(y.inputs, y.local))

            return along(tape[-1])
            """,
            "Follow no paths here",
        ),
        (
            """
            numbers = {x: 1.0}
            for v in tape:
                if v is not x:
                    numbers[v] = sum(d * numbers[u] for u, d in zip(v.inputs, v.local))
                return numbers[v]
            """,
            "first_on_tape",
        ),
        ("return 1.0", "The number of a value is the sum"),
        ("return tape[0].value", "The number of a value is the sum"),
    ],
}
RIGHT_FUNCTIONS = {
    "Value": [
        VALUE,
        changed(('"*"', '"×"'), ("(self, other), local", "[self, other], list(local)")),
        '''
        class Value(Node):
            """A number whose operations record what they do."""

            def operate(self, other, op, data, local):
                return Value(data, op, (self, other), local)

            def __add__(self, other):
                v = other if isinstance(other, Value) else Value(other)
                return self.operate(v, "add", self.data + v.data, (1, 1))

            def __mul__(self, other):
                v = other if isinstance(other, Value) else Value(other)
                return self.operate(v, "mul", self.data * v.data, (v.data, self.data))

            def __truediv__(self, other):
                v = other if isinstance(other, Value) else Value(other)
                quotient = self.data / v.data
                return self.operate(v, "div", quotient, (1 / v.data, -quotient / v.data))
        ''',
    ],
    "sum_over_paths": [
        """
        if x is y:
            return 1
        total = 0
        for at in range(len(y.inputs)):
            total += y.local[at] * sum_over_paths(y.inputs[at], x)
        return total
        """,
        """
        total, waiting = 0.0, [(y, 1.0)]
        while waiting:
            v, product = waiting.pop()
            total += product if v is x else 0.0
            if v is not x:
                waiting += [(u, product * d) for u, d in zip(v.inputs, v.local)]
        return total
        """,
    ],
    "derivative": [
        """
        numbers = {x: 1.0}
        for v in tape:
            if v not in numbers:
                numbers[v] = 0.0
                for at, u in enumerate(v.inputs):
                    numbers[v] += numbers[u] * v.local[at]
        return numbers[tape[-1]]
        """,
        """
        bars = dict.fromkeys(tape, 0.0)
        bars[tape[-1]] = 1.0
        for v in reversed(tape):
            if v is not x:
                for u, d in zip(v.inputs, v.local):
                    bars[u] += d * bars[v]
        return bars[x]
        """,
        """
        known = {id(x): 1.0}

        def number(v):
            if id(v) not in known:
                known[id(v)] = sum(d * number(u) for u, d in zip(v.inputs, v.local))
            return known[id(v)]

        return number(tape[-1])
        """,
    ],
}
SIGNATURES = {"sum_over_paths": "y, x", "derivative": "tape, x"}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with two numbers"),
        ((4, ...), "Answer with two numbers"),
        (108, "Answer with two numbers"),
        ("(4, 108)", "Answer with two numbers"),
        ((4, 54, 54), "Answer with two numbers"),
        ((2, 108), "The derivative is right"),
        ((6, 108), "The derivative is right"),
        ((4, 27), "27 is the product"),
        ((2, 54), "54 is the contribution"),
        ((4, 81), "81 is the value"),
        ((4, 36), "The local derivative on an edge"),
        ((4, 12), "The number of paths is right"),
        ((3, 7), "Multiply the local derivatives along each path"),
    ],
}
RIGHT_VALUES = {"exit": [(4, 108), [4.0, 108.0], (108, 4)]}
PREDICTIONS = {
    "operations": ([..., 13, "many"], 12),
    "paths": ([..., 2048, "doubled"], 2047),
    "item": ([..., "0.7", "fails"], "wrong"),
}
