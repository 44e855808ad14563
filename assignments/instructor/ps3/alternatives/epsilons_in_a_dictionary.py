"""Full points: numbers as sums over sets of epsilons, and the Hessian by reverse over reverse."""
# %% q3
def along(f, x, v):
    result = f(Dual(x, v))
    still = np.zeros(np.shape(getattr(result, "value", result)))
    return (getattr(result, "value", result), getattr(result, "tangent", still))


def jacobian(f, x):
    columns = []
    for j in range(x.size):
        seed = np.zeros_like(x)
        seed[j] = 1
        columns.append(along(f, x, seed)[1])
    return np.column_stack(columns)
# %% q4
class Epsilons:
    """A sum of number times a product of epsilons, each of which has the square 0."""

    def __init__(self, terms):
        self.terms = terms

    def __add__(self, other):
        terms = dict(self.terms)
        for key, number in terms_of(other).items():
            terms[key] = terms.get(key, 0.0) + number
        return Epsilons(terms)

    def __mul__(self, other):
        terms = {}
        for a, x in self.terms.items():
            for b, y in terms_of(other).items():
                if not a & b:
                    terms[a | b] = terms.get(a | b, 0.0) + x * y
        return Epsilons(terms)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + -1 * Epsilons(terms_of(other))

    def __rsub__(self, other):
        return -1 * self + other


def terms_of(x):
    return x.terms if isinstance(x, Epsilons) else {frozenset(): x}


def derivative(f, x):
    mine = object()
    result = terms_of(f(x + Epsilons({frozenset([mine]): 1.0})))
    found = {key - {mine}: number for key, number in result.items() if mine in key}
    return Epsilons(found) if set(found) - {frozenset()} else sum(found.values(), 0.0)
# %% q5
def hvp(f, xs, vs):
    """The gradient of the gradient's product with vs."""
    def slope_along_vs(nodes):
        slopes = gradient(f, nodes)
        return as_node(sum(slope * v for slope, v in zip(slopes, vs)))

    return gradient(slope_along_vs, xs)
