"""Faults that the package once had, or nearly: what is planted again, by hand, as source edits."""

LEAVING = """        before, inside, rest = entered.get()
        entered.set(rest)
        now = mode()  # another entry may have changed on the way, and stays so"""

OLD = {  # name: (file, text, what stood there)
    "a picked number is made once, when compiling": [
        (
            "compiler/memory.py",
            "if node.shape == () or not node.op.gives_view",
            "if not node.op.gives_view",
        ),
        ("compiler/codegen.py", 'call += "[()]"', 'call += ""'),
    ],
    "a derivative reads variables as they are when it is built": [
        (
            "static/graph.py",
            "return self.order if self.version is None else self.version",
            "return self.order",
        )
    ],
    "a Variable keeps the order in memory of its initial value": [
        ("static/graph.py", 'return np.array(value, order="C")', "return np.array(value)"),
        (
            "static/session.py",
            "if order not in self and not initial.flags.c_contiguous:",
            "if order not in self and initial.size > 1 and not any(initial.strides):",
        ),
    ],
    "a variable that is written and never read has no last use": [
        ("compiler/updates.py", "read = last.get(old.order, -1)", "read = last[old.order]")
    ],
    "a session has no lock": [
        ("static/session.py", "keep, RLock()", 'keep, __import__("contextlib").nullcontext()')
    ],
    "a file forgets as of when variables are read": [
        (
            "files/reading.py",
            "node.segment, node.version, node.made_by = segment, version, call",
            "node.segment, node.version, node.made_by = segment, None, call",
        )
    ],
    "a file forgets how many runs were made": [
        ("files/reading.py", 'runs=head.get("runs", 0)', "runs=0")
    ],
    "a rule applies whatever the dtypes": [
        (
            "compiler/rewrite.py",
            '    if node.dtype.kind not in "if":\n        return False\n',
            "    return True\n",
        )
    ],
    "equal parameters are the same, 0.0 and -0.0, 1 and 1.0": [
        (
            "compiler/cse.py",
            "return type(parameter), repr(parameter) if isinstance(parameter, float)"
            " else parameter",
            "return parameter",
        )
    ],
    "a view takes the place of a computed value": [
        (
            "compiler/rewrite.py",
            "return has_same_layout(new, node) or can_be_view(users)",
            "return True",
        )
    ],
    "operands of the caller's are not copied": [
        (
            "dynamic/tensor.py",
            "new_constant(x, inputs, at in read or now.lazy)",
            "new_constant(x, inputs, now.lazy)",
        )
    ],
    "a copied Tensor shares its numbers": [
        ("dynamic/tensor.py", "def __reduce__(self)", "def no_reduce(self)")
    ],
    "gradients share memory": [
        (
            "dynamic/tensor.py",
            "id(array) in taken or not array.flags.owndata or not array.flags.c_contiguous",
            "False",
        )
    ],
    "a branch that is not taken gets 0 times its cotangent": [
        (
            "core/ops/elementwise.py",
            "return [mask(*xs, z, z_bar, **params) if want and mask",
            "return [z_bar * mask(*xs, z, 1.0, **params) if want and mask",
        )
    ],
    "a softmax of columns shares the exponentials of rows": [
        (
            "compiler/softmax.py",
            'Softmax and node.params["axis"] == 1 and',
            "Softmax and",
        )
    ],
    "single rows and columns go to the short way of a product": [
        (
            "compiler/lowering.py",
            "len(v.shape) == 2 and 1 not in v.shape",
            "len(v.shape) == 2",
        )
    ],
    "computed values lie in memory as NumPy leaves them": [
        ("core/op.py", "    return np.ascontiguousarray(z)\n\n", "    return z\n\n"),
        (
            "core/op.py",
            "    if type(x) is np.ndarray and not x.flags.c_contiguous and x.flags.owndata:",
            "    if False:",
        ),
    ],
    "what a body hands on lies in memory as NumPy leaves it": [
        (
            "static/control/bundle.py",
            'np.array(value, order="C")',
            "np.array(value)",
        )
    ],
    "a sum over no axes is its operand under the exact rules": [
        (
            "compiler/simplify.py",
            "known_lengths, needless_casts)",
            "known_lengths, needless_casts, empty_sums)",
        )
    ],
    "a function does not look for Tensors in containers": [
        (
            "static/function/function.py",
            "return [(path, x) for path, x in inside(thing) if isinstance(x, Tensor)]",
            'return [("", thing)] if isinstance(thing, Tensor) else []',
        )
    ],
    "a function keeps what was detached when it was traced": [
        ("dynamic/tensor.py", "if mode().tracing:  # a leaf would", "if False:  # a leaf would")
    ],
    "an index may change after it was used": [
        ("core/ops/index.py", 'reads = ("*",)', 'reads = ("",)')
    ],
    "a kernel writes a result while it is still read": [
        (
            "compiler/kernel.py",
            "        at = next((n for n,",
            "        return True\n        at = next((n for n,",
        )
    ],
    "a switch holds what was before by itself": [
        (
            "core/modes.py",
            "        entered.set((before, inside, entered.get()))",
            "        self.before, self.inside = before, inside",
        ),
        (
            "core/modes.py",
            LEAVING,
            "        before, inside = self.before, self.inside\n        now = mode()",
        ),
    ],
}


def known(package):
    """(name, {file: source}, [(file, line) changed]) of the faults in the package of a folder.

    Raises ValueError for one that fits no more.
    """
    found = []
    for name, edits in OLD.items():
        sources, places = {}, []
        for file, old, new in edits:
            text = sources.get(file) or (package / file).read_text()
            if text.count(old) != 1:
                raise ValueError(f"{name}: {file} has no longer, or twice, {old!r}")
            sources[file] = text.replace(old, new)
            first = 1 + text[: text.index(old)].count("\n")
            places += [(file, line) for line in range(first, first + 1 + old.count("\n"))]
        found.append((name, sources, places))
    return found
