"""What a user can set: each program is run under some draws from the product of all settings."""

import os
from contextlib import ExitStack, contextmanager, nullcontext
from importlib.util import find_spec
from itertools import combinations, product
from unittest import mock

import numpy as np

import minigrad as mg
from fuzz.program import all_steps
from fuzz.table import PICKY
from fuzz.ways import Way, build, finite, runs, runs_of_unknown, stateless, tiny
from minigrad.compiler import BACKENDS, codegen

PREFIX = "settings of a session: "  # then those that are not the default
DRAWS = 2  # from the product, for each program
SETTINGS = {  # name: {value: weight}; the first value is what holds where nothing is said
    "optimize": {"True": 3, "False": 1},
    "rules": {"safe": 1, "fast": 1},
    "backend": {"codegen": 10, "numpy": 10, "numba": 0.4, "jax": 0.2},  # those compile for long
    "debug": {"False": 1, "True": 1},
    "keep": {"128": 1, "1": 1},
    "threads": {"1": 1, "3": 1},
    "plain": {"False": 1, "True": 1},
    "lengths": {"known": 2, "unknown": 1},
    "tiles": {"usual": 1, "tiny": 1},  # nothing that is set: kernels for small arrays as well
}
OPTIONS = ("optimize", "rules", "backend", "debug", "keep")  # what a Session takes
MISSING = [name for name in ("numba", "jax") if name not in BACKENDS or find_spec(name) is None]
IMPOSSIBLE = {("backend=numba", "plain=True")}  # fast/ adds this backend
DEFAULTS = {name: next(iter(values)) for name, values in SETTINGS.items()}


# drawing -----------------------------------------------------------------------------------------


def drawn(rng, program):
    """The names of the ways in which a program is run under settings from the product."""
    return tuple(dict.fromkeys(way_named(fitting(draw(rng), program)) for _ in range(DRAWS)))


def draw(rng):
    """{setting: value}, each drawn by itself."""
    return {
        name: str(rng.choice([*values], p=np.divide([*values.values()], sum(values.values()))))
        for name, values in SETTINGS.items()
    }


def fitting(chosen, program):
    """The settings, with others in the place of those that a program is not meant for."""
    chosen = dict(chosen)
    by_jax = finite(program) and not asks_for_numbers(program)
    if chosen["backend"] in MISSING or chosen["backend"] == "jax" and not by_jax:
        chosen["backend"] = "codegen"
    if chosen["backend"] == "numba":
        chosen["plain"] = "False"
    if not finite(program):
        chosen["rules"] = "safe"
    if not stateless(program):
        chosen["lengths"] = "known"
    if any(np.prod(x.data.shape) >= 10_000 for x in program.inputs):
        chosen["tiles"] = "usual"
    return chosen


def asks_for_numbers(program):
    """True where a custom op looks at the numbers of its operand, which JAX refuses by design."""
    return any(step.text == PICKY for step in all_steps(program.steps))


def way_named(chosen):
    """The name of a way: what differs from the defaults, as a Session would be given it."""
    said = [f"{name}={value}" for name, value in chosen.items() if value != DEFAULTS[name]]
    return PREFIX + (", ".join(said) or "defaults")


def settings_of(name):
    """{setting: value} of a way of this name; None of any other way."""
    if not name.startswith(PREFIX):
        return None
    said = name.removeprefix(PREFIX)
    return DEFAULTS | dict(part.split("=") for part in said.split(", ") if "=" in part)


def simpler(name):
    """The names of ways with one setting less, to find out which are needed for a failure."""
    chosen = settings_of(name) or {}
    for setting, value in chosen.items():
        if value != DEFAULTS[setting]:
            yield way_named(chosen | {setting: DEFAULTS[setting]})


# running -----------------------------------------------------------------------------------------


def find_way(name):
    """The Way of settings, by its name."""
    chosen = settings_of(name)
    return Way(lambda case: results(case, chosen), 0, is_exact(chosen), None, None)


def is_exact(chosen):
    """True where a program must give the bits of the plain interpretation."""
    rewritten = chosen["optimize"] == "True" or chosen["backend"] == "numba"
    return chosen["backend"] != "jax" and (chosen["rules"] == "safe" or not rewritten)


def results(case, chosen):
    """What a Session gives under these settings; with unknown lengths also what it must equal."""
    case.truth()  # which is found out before anything is set
    with in_force(chosen):
        if chosen["lengths"] == "unknown":
            return runs_of_unknown(case, options_of(chosen))
        plain = chosen["plain"] == "True"
        built = build(case.program, case.seeds) if plain else case.graph()
        return runs(case, mg.Session(built.graph, **options_of(chosen)), built)


def options_of(chosen):
    """The arguments of the Session."""
    values = {"True": True, "False": False, "128": 128, "1": 1}
    return {name: values.get(chosen[name], chosen[name]) for name in OPTIONS}


@contextmanager
def in_force(chosen):
    """A block in which the settings hold that are none of a Session's."""
    with ExitStack() as stack:
        environment = {"MINIGRAD_THREADS": chosen["threads"]}
        stack.enter_context(mock.patch.dict(os.environ, environment))
        stack.enter_context(without_lane() if chosen["plain"] == "True" else nullcontext())
        stack.enter_context(tiny() if chosen["tiles"] == "tiny" else nullcontext())
        stack.enter_context(quick_jax() if chosen["backend"] == "jax" else nullcontext())
        yield


@contextmanager
def without_lane():
    """A block as in a process that was begun with MINIGRAD_PLAIN=1, in which generated code has no
    quick forms either."""
    with mg.plain(), mock.patch.object(codegen, "LOWERINGS", []):
        yield


@contextmanager
def quick_jax():
    """A block in which XLA does not optimise, which makes no difference here and takes long."""
    from minigrad.on_jax.backend import OPTIONS as COMPILED

    with mock.patch.dict(COMPILED, {"xla_backend_optimization_level": 0}):
        yield


# counting ----------------------------------------------------------------------------------------


def pairs(program):
    """Pairs "a & b" of all values of two settings that hold together in some run of the program."""
    found = set()
    for chosen in filter(None, map(settings_of, program.ways)):
        values = [f"{name}={value}" for name, value in chosen.items()]
        found |= {f"{a} & {b}" for a, b in combinations(values, 2)}
    return found


def listed():
    """All pairs of values of two settings that can hold together here."""
    values = [
        [f"{name}={value}" for value in each if value not in MISSING]
        for name, each in SETTINGS.items()
    ]
    every = (pair for two in combinations(values, 2) for pair in product(*two))
    return [" & ".join(pair) for pair in every if pair not in IMPOSSIBLE]


def table(counts):
    """A table of how many programs were run under each pair of settings, and which were not."""
    rows = [f"{name}={value}" for name, each in SETTINGS.items() for value in each]
    width = max(map(len, rows))
    columns = [row for row in rows if not row.startswith([*SETTINGS][-1])]
    lines = ["how many programs were run under two settings at once (a column: by its value):"]
    lines.append(" " * width + "".join(f"{b.split('=')[1][:7]:>8}" for b in columns))
    for a in rows:
        before = columns[: rows.index(a)]
        lines.append(f"{a:<{width}}" + "".join(f"{count_of(b, a, counts):>8}" for b in before))
    missing = [pair for pair in listed() if not counts[pair]]
    lines.append(
        f"pairs of settings: {len(listed()) - len(missing)} of {len(listed())} were met; "
        f"not met: {', '.join(missing) or 'none'}"
    )
    return "\n".join([*lines, *[f"not installed: {name}" for name in MISSING]])


def count_of(a, b, counts):
    """How often two values held together; nothing for two values of one setting, or what cannot."""
    alike = a.split("=")[0] == b.split("=")[0]
    return "" if alike or (a, b) in IMPOSSIBLE else counts[f"{a} & {b}"]
