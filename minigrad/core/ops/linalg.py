"""Products summed over shared axes: matrix products and einsum."""

import math
import string
from typing import Any, overload

import numpy as np

from minigrad.core.errors import ArgumentError, ShapeError
from minigrad.core.op import Op, Operandlike, binary, bind
from minigrad.core.ops.elementwise import mul
from minigrad.core.ops.index import Iota, getitem
from minigrad.core.ops.reduce import sum
from minigrad.core.ops.shape import expand_dims, squeeze, swap_last, transpose
from minigrad.core.signatures import Array, ArrayLike, V, ValueOf, takes_two
from minigrad.core.spec import Spec, broadcast_shapes, rank_of, spec_of


class Matmul(Op):
    """Compute z[…,i,k] = Σ_j x[…,i,j] y[…,j,k].   x […,n,m], y […,m,p] → z […,n,p].

    A vector x is a row and a vector y a column: z has no axis for it.

    >>> mg.matmul([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    array([3., 7.])
    """

    says = "{z} is the matrix product of {x} and {y}."
    says_rows = ("Each of the {rows} rows of {x} is multiplied by {y}: {x_shape} times {y_shape} "
                 "gives {z_shape}.")
    says_back = (
        "The {gradient} of {to} is the adjoint of {z} times {y}ᵀ. It has the shape of {to}.",
        "The {gradient} of {to} is {x}ᵀ times the adjoint of {z}. It has the shape of {to}.")
    onnx = "MatMul"
    sign = "@"
    infallible = True
    @classmethod
    def broadcast_lengths(op, shapes, z_shape):
        matrices = [shape for shape in shapes if len(shape) > 1]
        return [(shape[:-2], z_shape[:len(z_shape) - len(matrices)]) for shape in shapes]

    def infer(x, y):
        if x.shape == () or y.shape == ():
            raise ShapeError("a product needs vectors or matrices, not single numbers",
                             "write x * y")
        (*n, m), (m_y, *p) = x.shape[-2:], y.shape[-2:]
        if m != m_y and None not in (m, m_y):
            raise ShapeError("{x}'s columns must equal {y}'s rows",
                             "transpose one side, or check the layer sizes")
        batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
        return Spec((*batch, *n, *p), np.result_type(x.dtype, y.dtype))

    def compute(x, y, out=None):
        if is_turned(x, y):  # BLAS would take another way, which rounds otherwise
            y = np.array(y)
        return np.matmul(x, y, out=out)

    jvp = (lambda x, y, z, x_dot: x_dot @ y,
           lambda x, y, z, y_dot: x @ y_dot)
    vjp = (lambda x, y, z, z_bar: multiply_turned_y(z_bar, y, rank_of(x)),  # x̄ = z̄ yᵀ
           lambda x, y, z, z_bar: multiply_turned_x(x, z_bar, rank_of(y)))  # ȳ = xᵀ z̄
    reads = ("y", "x")


matmul = binary(Matmul)


def is_turned(x, y):
    """True for a matrix and its own transpose, in the same memory."""
    return (x.ndim > 1 and y.ndim > 1 and x.shape[-1] == y.shape[-2]
            and x.shape[-2] == y.shape[-1] and x.strides[-2:] == y.strides[:-3:-1]
            and np.may_share_memory(x, y))


def multiply_turned_y(z_bar, y, rank):
    """z̄ yᵀ for an operand x of `rank` axes; an outer product where y is a vector."""
    if len(y.shape) == 1:
        return (expand_dims(z_bar, -1) if rank > 1 else z_bar) * y
    if rank == 1 and len(y.shape) > 2:
        return squeeze(expand_dims(z_bar, -2) @ swap_last(y), -2)
    return z_bar @ swap_last(y)


def multiply_turned_x(x, z_bar, rank):
    """xᵀ z̄ for an operand y of `rank` axes; an outer product where x is a vector."""
    if len(x.shape) == 1:
        return expand_dims(x, -1) * expand_dims(z_bar, -2) if rank > 1 else x * z_bar
    if rank == 1 and len(x.shape) > 2:
        return squeeze(swap_last(x) @ expand_dims(z_bar, -1), -1)
    return swap_last(x) @ z_bar


@takes_two
def dot(x: Operandlike, y: Operandlike) -> Operandlike:
    """Compute z = Σ x·y for two vectors, and the product x @ y where an operand is a matrix.

    >>> mg.dot(mg.tensor([1.0, 2.0]), [3.0, 4.0])
    tensor(11.)
    """
    if max(rank_of(x), rank_of(y)) > 2:
        raise ShapeError(f"dot of {spec_of(x)} and {spec_of(y)}",
                         "write x @ y for stacks of matrices, or mg.einsum")
    return mul(x, y) if 0 in (rank_of(x), rank_of(y)) else matmul(x, y)


# einsum ------------------------------------------------------------------------------------------


class Einsum(Op):
    """z = Σ x·y over the letters of `subscripts` (as "ij,jk->ik") that the result lacks.

    In each operand letters differ. A letter has one length, or is 1 in one of the two, which is
    repeated then.
    """

    says = "{z} sums the products of {x} and {y} that {subscripts} names."
    says_back = "{to} receives the sum of the products of {z_bar} and the other operand."

    @classmethod
    def broadcast_lengths(op, shapes, z_shape, *, subscripts):
        whole = {}
        for letters, shape in zip(terms(subscripts), shapes):
            for letter, n in zip(letters, shape):
                whole[letter] = n if whole.get(letter, 1) == 1 else whole[letter]
        return [(shape, tuple(whole[letter] for letter in letters))
                for letters, shape in zip(terms(subscripts), shapes)]

    def infer(x, y, *, subscripts):
        of_x, of_y, of_z = terms(subscripts)
        lengths = dict(zip(of_x, x.shape))
        for letter, n in zip(of_y, y.shape):
            m = lengths.get(letter)
            if m != n and not {m, n} & {None, 1}:
                raise ShapeError(f"lengths {m} and {n} of {letter!r} do not broadcast",
                                 "make the lengths equal, or one of them 1")
            lengths[letter] = m if n in (None, 1) and m is not None else n
        return Spec(tuple(lengths[a] for a in of_z), np.result_type(x.dtype, y.dtype))

    def compute(x, y, *, subscripts):
        """One matrix product over [batch, own letters of x, contracted, own letters of y]."""
        of_x, of_y, of_z = terms(subscripts)
        whole = Einsum.broadcast_lengths([np.shape(x), np.shape(y)], (), subscripts=subscripts)
        x, y = [v if now == full else np.broadcast_to(v, full)
                for v, (now, full) in zip((x, y), whole)]
        batch = [a for a in of_x if a in of_y and a in of_z]
        contracted = [a for a in of_x if a in of_y and a not in of_z]
        own_x, own_y = [a for a in of_x if a not in of_y], [a for a in of_y if a not in of_x]
        left = group_axes(x, of_x, (batch, own_x, contracted))
        right = group_axes(y, of_y, (batch, contracted, own_y))
        lengths = {**dict(zip(of_y, np.shape(y))), **dict(zip(of_x, np.shape(x)))}
        made = [*batch, *own_x, *own_y]
        z = np.reshape(Matmul.compute(left, right), [lengths[a] for a in made])
        return np.transpose(z, [made.index(a) for a in of_z])

    jvp = (lambda x, y, z, x_dot, *, subscripts: bind(Einsum, x_dot, y, subscripts=subscripts),
           lambda x, y, z, y_dot, *, subscripts: bind(Einsum, x, y_dot, subscripts=subscripts))
    vjp = (lambda x, y, z, z_bar, *, subscripts:
           bind(Einsum, z_bar, y, subscripts="{2},{1}->{0}".format(*terms(subscripts))),
           lambda x, y, z, z_bar, *, subscripts:
           bind(Einsum, z_bar, x, subscripts="{2},{0}->{1}".format(*terms(subscripts))))
    reads = ("y", "x")


def terms(subscripts):
    """The letters of both operands and of the result."""
    operands, result = subscripts.split("->")
    return (*operands.split(","), result)


def group_axes(x, letters, groups):
    """x with its axes brought together in groups, each group as one axis."""
    order = [letters.index(a) for group in groups for a in group]
    lengths = [math.prod(np.shape(x)[letters.index(a)] for a in group) for group in groups]
    return np.reshape(np.transpose(x, order), lengths)


@overload
def einsum(subscripts: str, *operands: ArrayLike) -> Array: ...
@overload
def einsum(subscripts: str, *operands: ValueOf[V] | ArrayLike) -> V: ...
def einsum(subscripts: str, *operands: Any) -> Any:
    """Compute z = the sum of products that `subscripts` names, as numpy.einsum does ("ij,jk->ik").

    Operands are combined from left to right. Letters may repeat in an operand (a diagonal) and
    "..." stands for leading axes. A length of 1 is repeated where another operand has more.
    Raises ArgumentError when letters and dimensions do not match.

    >>> mg.einsum("ij,j->i", [[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    array([3., 7.])
    """
    *parts, result = make_explicit(subscripts, [rank_of(x) for x in operands])
    values = drop_stretched([take_diagonal(x, letters) for x, letters in zip(operands, parts)])
    value, letters = values[0]
    for i, (other, others_letters) in enumerate(values[1:], 1):
        needed = set(result).union(*(set(part) for _, part in values[i + 1:]))
        value, letters = reduce_letters(value, letters, needed | set(others_letters))
        other, others_letters = reduce_letters(other, others_letters, needed | set(letters))
        kept = "".join(dict.fromkeys(a for a in letters + others_letters if a in needed))
        value = bind(Einsum, value, other, subscripts=f"{letters},{others_letters}->{kept}")
        letters = kept
    value, letters = reduce_letters(value, letters, set(result))
    return transpose(value, [letters.index(a) for a in result]) if letters != result else value


def make_explicit(subscripts, ranks):
    """The letters of each operand and of the result, without "..."."""
    if not isinstance(subscripts, str):
        raise ArgumentError(f"einsum's first argument is its letters, not {subscripts!r}",
                            'write for example einsum("ij,jk->ik", x, y)')
    left, arrow, result = subscripts.replace(" ", "").partition("->")
    parts = left.split(",")
    if len(parts) != len(ranks) or not ranks:
        raise ArgumentError(f"einsum({subscripts!r}) names {len(parts)} operands, "
                            f"but {len(ranks)} are given", "separate operands by commas")
    free = [a for a in string.ascii_letters if a not in subscripts]
    longest = max(rank - len(part.replace("...", "")) for part, rank in zip(parts, ranks))
    dots = "".join(free[:max(longest, 0)])
    filled = [part.replace("...", dots[len(dots) - rank + len(part.replace("...", "")):])
              for part, rank in zip(parts, ranks)]
    if not arrow:
        joined = "".join(filled)
        result = "..." * ("..." in left) + "".join(
            a for a in sorted(set(joined)) if joined.count(a) == 1 and a not in dots)
    filled.append(result.replace("...", dots))
    check_letters(subscripts, filled, ranks)
    return filled


def check_letters(subscripts, filled, ranks):
    """Raises ArgumentError unless each operand has a letter for each dimension."""
    *parts, result = filled
    for part, rank in zip(parts, ranks):
        if not part.isalpha() and part or len(part) != rank:
            raise ArgumentError(f"einsum({subscripts!r}): {part!r} does not fit {rank} dimensions",
                                "give one letter for each dimension")
    if len(set(result)) != len(result) or set(result) - set("".join(parts)):
        raise ArgumentError(f"einsum({subscripts!r}): the result {result!r} repeats a letter or "
                            "names one that no operand has", "use each letter of it once")


def take_diagonal(x, letters):
    """(x, letters) with each letter once: equal letters pick the diagonal."""
    for a in dict.fromkeys(letters):
        while letters.count(a) > 1:
            i, j = letters.index(a), letters.rindex(a)
            n, m = x.shape[i], x.shape[j]
            if n != m and None not in (n, m):
                raise ShapeError(f"einsum: {a!r} names axes of lengths {n} and {m}",
                                 "a diagonal needs equal lengths")
            order = [i, j, *(k for k in range(len(letters)) if k not in (i, j))]
            places = bind(Iota, x, axis=(i, j)) if None in (n, m) else np.arange(n)
            x = getitem(transpose(x, order), (places, places))
            letters = a + "".join(letters[k] for k in order[2:])
    return x, letters


def drop_stretched(values):
    """[(x, letters)] without axes of length 1 whose letter has another length elsewhere."""
    longer = {a for x, letters in values for a, n in zip(letters, np.shape(x)) if n != 1}
    found = []
    for x, letters in values:
        single = [i for i, n in enumerate(np.shape(x)) if n == 1 and letters[i] in longer]
        kept = "".join(a for i, a in enumerate(letters) if i not in single)
        found.append((squeeze(x, tuple(single)) if single else x, kept))
    return found


def reduce_letters(x, letters, needed):
    """(x, letters) summed over the letters that nothing needs."""
    axes = tuple(i for i, a in enumerate(letters) if a not in needed)
    return (sum(x, axes), "".join(a for a in letters if a in needed)) if axes else (x, letters)
