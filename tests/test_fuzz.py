"""Random programs in every way, and the tests of the search itself."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from fuzz import settings
from fuzz.check import judged
from fuzz.compare import differences, near, same_bits
from fuzz.drawing import draw_program
from fuzz.features import counted, listed, pairs
from fuzz.naive import Naive
from fuzz.old_faults import OLD, known
from fuzz.program import Body, Data, Input, Program, Step, all_steps, source
from fuzz.report import report
from fuzz.search import failure_of
from fuzz.shrink import shrunk

import minigrad as mg
from minigrad.compiler import verify
from minigrad.core.ops.elementwise import (
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    NotEqual,
    Sin,
    Tanh,
)
from minigrad.static.control.loop import Loop

BLOCKS, DRAWN, MOST, FIRST = 20, 2000, 4000, 2_000_000
OFTEN = 3  # times that a listed pair of features is met, where so many programs meet it


@pytest.fixture(scope="module")
def programs():
    """Programs that meet every pair of features that all drawn ones meet, listed ones often.

    Of more than are drawn first, those alone that meet a listed pair for the first time.
    """
    often, met, kept = dict.fromkeys(listed(), OFTEN), Counter(), []
    for number in range(MOST):
        wanted = {p for p in often if not met[p]} if number >= DRAWN else None
        if wanted == set():
            break
        program = draw_program(FIRST + number)
        found = pairs(program)
        if found & wanted if wanted else any(met[p] < often.get(p, 1) for p in found):
            met.update(found)
            kept.append(program)
    return kept


@pytest.mark.no_cover
@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_programs_agree_in_all_ways(programs, block):
    failures = (judged(program).failure for program in programs[block::BLOCKS])
    failure = next(filter(None, failures), None)
    assert failure is None, report(shrunk(failure))


def test_the_programs_above_meet_every_listed_pair_of_features(programs):
    counts = counted(programs)
    assert [pair for pair in listed() if not counts[pair]] == []


def test_the_programs_above_are_run_under_every_pair_of_settings(programs):
    counts = counted(programs)
    rare = ("backend=numba", "backend=jax")  # which compile for long, and are met by `make fuzz`
    usual = [pair for pair in settings.listed() if not any(name in pair for name in rare)]
    assert len(usual) > 100 and [pair for pair in usual if not counts[pair]] == []
    assert "not met: none" in settings.table(Counter(settings.listed()))


@pytest.mark.no_cover
def test_few_comparisons_are_passed_over(programs):
    counts, some = Counter(), programs[::BLOCKS]
    for program in some:
        counts += judged(program, "plain").counts
    passed_over = sum(n for what, n in counts.items() if what.startswith("passed over"))
    assert counts["slopes by differences"] > len(some) and passed_over < 0.25 * len(some)


def test_every_op_takes_part(programs):
    texts = " ".join(s.text for program in programs for s in all_steps(program.steps))
    names = [n for n in mg.core.ops.__all__ if n in vars(mg) and callable(vars(mg)[n])]
    names += ["cond", "while_loop", "scan", "custom_op", "dropout", "assign"]
    assert len(names) > 40 and [n for n in names if not any(w in texts for w in words(n))] == []


def words(name):
    """How a program may apply an op: by its function, or a comparison by its sign."""
    compared = Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual
    return [f"mg.{name}(", *[f"}} {op.sign} " for op in compared if op.verb == name]]


BRANCHES = {  # f, and where its slope is not 0
    "relu": (mg.relu, lambda x: x > 0),
    "clip": (lambda x: mg.clip(x, -0.5, 0.5), lambda x: (x >= -0.5) & (x <= 0.5)),
    "maximum": (lambda x: mg.maximum(x, 0.25), lambda x: x > 0.25),
    "minimum": (lambda x: mg.minimum(x, 0.25), lambda x: x < 0.25),
    "where": (lambda x: mg.where(x > 0, x, 0.0), lambda x: x > 0),
    "max": (lambda x: mg.max(mg.stack([x, np.full(8, 0.25)]), axis=0), lambda x: x > 0.25),
    "x[i]": (lambda x: x[:4] * 1, lambda x: np.arange(8) < 4),
}


@pytest.mark.parametrize(
    "options",
    [{}, {"optimize": False, "backend": "numpy"}, None],
    ids=["session", "plain", "dynamic"],
)
@pytest.mark.parametrize("name", BRANCHES)
def test_an_infinite_cotangent_is_0_in_a_branch_that_was_not_taken(name, options):
    f, taken = BRANCHES[name]
    x = np.array([-2.0, -0.4, 0.3, 1.0, -1.0, 0.1, 0.4, 2.0])
    seed = np.where(taken(x), 3.0, np.inf)[: f(x).size]
    if options is None:
        t = mg.tensor(x, requires_grad=True)
        (x_bar,) = mg.gradients(f(t), [t], [seed])
        x_bar = x_bar.numpy()
    else:
        with mg.Graph() as graph:
            node = mg.placeholder("x", x.shape)
            slopes = mg.gradients(f(node), [node], [seed])
        (x_bar,) = mg.Session(graph, **options).run(slopes, {node: x})
    np.testing.assert_array_equal(x_bar, np.where(taken(x), 3.0, 0.0))


# the search itself -------------------------------------------------------------------------------


def one_step(text, *data, **more):
    """A program of one step on fed inputs."""
    inputs = tuple(Input(i, "fed", d) for i, d in enumerate(data))
    step = Step(len(data), text, tuple(range(len(data))))
    return Program(0, inputs, (step,), (step.id,), **more)


def test_a_seed_gives_the_same_program_again():
    assert repr(draw_program(12)) == repr(draw_program(12)) != repr(draw_program(13))


def test_a_program_prints_as_python_that_runs():
    for seed in range(40):
        compile("\n".join(source(draw_program(seed).steps)), "program", "exec")


@pytest.mark.no_cover
def test_a_wrong_sign_in_a_rule_is_found_and_shrunk(monkeypatch):
    monkeypatch.setattr(Sin, "partials", (lambda x, z: -mg.cos(x),))
    seed = next(
        seed
        for seed in range(2000)
        if any("mg.sin" in s.text for s in draw_program(seed).steps)
        and failure_of(seed)
        and failure_of(seed).way == "differences"
    )
    failure = shrunk(failure_of(seed))
    assert failure.way == "differences" and len(failure.program.steps) <= 4
    assert "mg.sin" in report(failure)


def test_a_wrong_value_is_found_by_the_oracle(monkeypatch):
    monkeypatch.setattr(Tanh, "compute", lambda x, out=None: np.sin(x))
    failure = judged(one_step("mg.tanh({0})", Data((3,), "float64", "normal"))).failure
    assert failure.way == "oracle"


def test_a_number_that_is_none_is_no_matter_of_rounding(monkeypatch):
    monkeypatch.setattr(Tanh, "compute", lambda x, out=None: np.where(x > 0, np.nan, np.tanh(x)))
    failure = judged(one_step("mg.tanh({0})", Data((5,), "float64", "normal"))).failure
    assert failure.way == "oracle"


def test_the_oracle_refuses_an_average_of_nothing_as_the_package_does():
    for module in (mg, Naive()):
        with pytest.raises(ValueError, match="no entries to average"):
            module.mean(np.zeros((2, 0)), axis=1)


def test_differences_of_infinite_values_are_no_slopes():
    x, factor = np.ones(2), np.array([2.0, -np.inf])
    assert Naive().jacobian(lambda t: t * t)(x).tolist() == [[2.0, 0.0], [0.0, 2.0]]
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="infinite"):
        Naive().jacobian(lambda t: t * factor)(x)


def test_a_slope_may_overflow_in_float32_where_differences_are_beyond_it_alone(monkeypatch):
    tiny = Data((1,), "float32", (1e-25,))
    steep = one_step("mg.sum(mg.sin({0}) * 1e25) * 1e20", tiny, wrt=(0,), orders=("reverse",))
    flat = one_step("mg.sum(mg.sin({0}) * 1e10)", tiny, wrt=(0,), orders=("reverse",))
    assert judged(steep).counts["passed over: a slope that a narrow float may not hold"] == 1
    assert judged(flat).counts["slopes by differences"] == 1
    monkeypatch.setattr(Sin, "partials", (lambda x, z: mg.cos(x) * np.inf,))
    assert judged(flat).failure.way == "differences"


def test_extremes_that_tie_are_smooth_together_alone():
    text = "mg.max({0}, axis=0) * mg.min({0}, axis=0)"
    for entries, failing in (((1.0, 1.0), 0), ((1.0, 2.0), 0), ((1.0, 1.0), 1)):
        step = Step(1, text, (0,), () if failing else ("twins",))
        data = Data((2,), "float64", entries)
        orders = {"wrt": (0,), "orders": ("reverse over forward",)}
        program = Program(1, (Input(0, "fed", data),), (step,), (1,), **orders)
        assert bool(judged(program).failure) == failing


def test_what_cancels_in_half_floats_is_excused_and_a_wrong_slope_in_a_body_is_not(monkeypatch):
    body = Body((4, 5), (Step(7, "{0} + {1}", (5, 2)),), (4, 7))
    loop = "mg.while_loop(lambda i, h: i < 2, f0, (0, {0}), 2)[1]"
    steps = [
        Step(1, "{0} * 1.667", (0,)),
        Step(2, "{0} / {1}", (1, 0)),
        Step(3, loop, (2,), ("while",), (body,)),
        Step(6, "mg.exp({0})", (2,)),
    ]
    kinds = {"wrt": (0,), "orders": ("reverse",), "ways": ("dynamic",)}
    data = Data((7,), "float16", "positive", 0)
    program = Program(0, (Input(0, "fed", data),), tuple(steps), (2, 3, 6), **kinds)
    outcome = judged(program)
    assert outcome.failure is None and outcome.counts["passed over: rounding moves it far"]
    right = Loop.__dict__["pullback"].__func__

    def half_as_much(op, *arguments):
        return [None if v is None else v * 0.5 for v in right(op, *arguments)]

    monkeypatch.setattr(Loop, "pullback", classmethod(half_as_much))
    steps[1] = Step(2, "{0} * {1}", (1, 0))
    wrong = program._replace(steps=tuple(steps), outputs=(3,))
    assert judged(wrong, "dynamic").failure.way == "dynamic"


def test_settings_are_read_again_from_the_name_of_their_way():
    for seed in range(50):
        chosen = settings.draw(np.random.default_rng(seed))
        assert settings.settings_of(settings.way_named(chosen)) == chosen
    assert settings.settings_of("session debug") is None


def test_a_fault_of_two_settings_together_is_found_and_the_others_are_left_out(monkeypatch):
    def check_view(node, view, base):
        verify.expect(np.shares_memory(view, base), "it is not a view of its base", node)

    monkeypatch.setattr(verify, "check_view", check_view)
    way = settings.PREFIX + "rules=fast, backend=numpy, debug=True, keep=1, threads=3"
    step = one_step("mg.expand_dims(mg.sum({0}), 0)", Data((3,), "float64", "normal"), ways=(way,))
    failure = shrunk(judged(step).failure)
    assert failure.way == settings.PREFIX + "backend=numpy, debug=True"
    assert "backend='numpy', debug=True" in report(failure)
    monkeypatch.undo()
    assert judged(step).failure is None


def test_a_way_that_differs_in_one_bit_is_found():
    assert not same_bits(np.array([0.0]), np.array([-0.0]))
    assert not same_bits(np.array([1.0]), np.array([np.nextafter(1.0, 2)]))
    assert same_bits(np.array([np.nan, 1.0]), np.array([-np.nan, 1.0]))


def test_differences_give_both_orders_and_mistrust_kinks():
    (slope, error), (curve, wrong) = differences(lambda t: np.exp(2 * t))
    assert abs(slope - 2) < 1e-9 and abs(curve - 4) < 1e-5 and error < 1e-8 and wrong < 1e-4
    (_, error), _ = differences(lambda t: max(t, 0.0))
    assert error > 0.1
    assert near(np.ones(2), np.ones(2) + 1e-12, 1e-9) and not near(1.0, 1.1, 1e-9)


def test_a_program_that_draws_nothing_wrong_does_not_fail():
    data = Data((2, 3), "float64", "normal", 3, "F")
    program = one_step(
        "mg.sum(mg.exp({0}), axis=0)",
        data,
        wrt=(0,),
        runs=((),),
        orders=("reverse", "forward over reverse"),
        ways=("session", "dynamic"),
    )
    outcome = judged(program)
    assert outcome.failure is None and outcome.counts["slopes by differences"] == 2


def test_every_old_fault_can_be_planted_again_in_the_package_of_today():
    assert len(known(Path(mg.__file__).parent)) == len(OLD)
