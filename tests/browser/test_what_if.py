"""What if, in a real browser: the page computes what the engine computes, and moves with it."""

import math
import random
import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw.player import FOLDER
from minigrad.draw.player.spec import known_ops
from minigrad.draw.read import number_text
from minigrad.draw.trace import make_trace
from minigrad.draw.trace.replay import replay_trace

PROGRAMS = 500
NEAR = 1e-12
ONE = [
    mg.exp, mg.sin, mg.cos, mg.tanh, mg.sigmoid, mg.softplus, mg.softsign, mg.abs, mg.relu,
    mg.square, mg.expm1, lambda x: -x, lambda x: x**3, lambda x: mg.log(mg.abs(x) + 0.5),
    lambda x: 1 / (x * x + 1), lambda x: mg.sqrt(x * x + 0.1), lambda x: mg.log1p(mg.abs(x)),
    lambda x: mg.clip(x, -0.7, 0.9),
    lambda x: 0.5**x,
]  # fmt: skip
TWO = [
    lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / (mg.abs(y) + 0.3),
    mg.maximum, mg.minimum, lambda x, y: (mg.abs(x) + 0.2) ** y,
    lambda x, y: mg.remainder(x, mg.abs(y) + 0.4),
]  # fmt: skip
# What a Tensor forgets, as nothing can be differentiated there, a Node remembers.
UNTRACKED = [
    lambda x, y: mg.where(x < y, x * x, y), lambda x, y: mg.where(x >= 0.1, x * 2, mg.sin(y)),
    lambda x, y: mg.floor(x * 3) * y, lambda x, y: mg.sign(x) * mg.round(y, 1),
    lambda x, y: mg.floor_divide(x, mg.abs(y) + 0.1) + y, lambda x, y: x.detach() * y,
]  # fmt: skip


def make_program(seed, two):
    """A random function of three numbers, which keeps them between -2 and 2 or so."""
    draws = random.Random(seed)
    steps = []
    for count in range(3, draws.randint(7, 12)):
        rule = draws.choice(ONE) if draws.random() < 0.5 else draws.choice(two)
        width = 1 if rule in ONE else 2
        steps.append((rule, [draws.randrange(max(0, count - 4), count) for _ in range(width)]))

    def program(x, y, z):
        values = [x, y, z]
        for rule, at in steps:
            values.append(2 * mg.sin(rule(*(values[i] for i in at))))
        return values[-1] + 0.1 * (x + y + z)

    return program


def trace_tensors(program, inputs, wrt, mode):
    """The Trace of a program of three numbers as Tensors."""
    return make_trace(program, dict(zip("xyz", inputs)), wrt and list(wrt), mode)


def trace_nodes(program, inputs, wrt, mode):
    """The same in a Graph."""
    with mg.Graph():
        x, y, z = (mg.placeholder(name) for name in "xyz")
        result = program(x, y, z)
        by_name = {"x": x, "y": y, "z": z}
        wrt = [by_name[name] for name in wrt or "xyz"]
        return make_trace(result, dict(zip((x, y, z), inputs)), wrt, mode)


def trace_session(program, inputs, wrt, mode):
    """What a Session runs of it, optimised; the numbers are fed, and one is a variable."""
    with mg.Graph():
        x, y, z = mg.placeholder("x"), mg.placeholder("y"), mg.Variable(inputs[2], name="z")
        step = mg.assign(z, program(x, y, z))
        return make_trace([step], dict(zip((x, y), inputs)))


def trace_step(program, inputs, wrt, mode):
    """A training step of it, in which two of the numbers are variables."""
    with mg.Graph():
        x = mg.placeholder("x")
        y, z = (mg.Variable(number, name=name) for name, number in zip("yz", inputs[1:]))
        loss = program(x, y, z)
        slopes = zip((y, z), mg.gradients(loss, [y, z]))
        updates = [mg.assign(v, v - 0.1 * slope) for v, slope in slopes]
        found = make_trace([loss, *updates], {x: inputs[0]})
    assert found.lanes or found.note
    return found


def numbers_of(trace):
    """What each event of a trace gives, in full."""
    return [float((event.derivative or event.value).numbers) for event in trace.events]


@pytest.fixture(scope="module")
def compute(page):
    """A function that lets the browser compute many (program, inputs)."""
    page.goto("about:blank")
    code = (FOLDER / "values.js").read_text(encoding="utf-8")

    def run(pairs):
        return page.evaluate(
            f"""(pairs) => {{ {code}
            return pairs.map(([program, inputs]) => {{
                const values = runProgram(program, inputs);
                return program.steps.map((slot) => numberOf(values[slot]));
            }});
            function numberOf(value) {{ return Number(value); }} }}""",
            [[program._asdict(), inputs] for program, inputs in pairs],
        )

    return run


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "trace, two, mode, wrt, ops",
    [
        (trace_tensors, TWO, "reverse", None, 30),
        (trace_tensors, TWO, "forward", "xz", 30),
        (trace_nodes, TWO + UNTRACKED, "reverse", None, 36),
        (trace_session, TWO + UNTRACKED, "reverse", None, 30),
        (trace_step, TWO, "reverse", "yz", 30),
    ],
)
def test_the_page_computes_what_the_engine_computes(compute, trace, two, mode, wrt, ops):
    draws, pairs, expected = random.Random(7), [], []
    for seed in range(PROGRAMS if wrt is None and two is TWO else PROGRAMS // 5):
        program = make_program(seed, two)
        before, after = ([draws.uniform(-2, 2) for _ in "xyz"] for _ in range(2))
        found = replay_trace(trace(program, before, wrt, mode), known_ops())
        assert found is not None, seed
        pairs.append((found, after))
        expected.append(numbers_of(trace(program, after, wrt, mode)))
    for seed, (got, wanted) in enumerate(zip(compute(pairs), expected, strict=True)):
        assert got == pytest.approx(wanted, rel=NEAR, abs=1e-14), f"program {seed}"
    used = {op for program, _ in pairs for op, *_ in program.code}
    assert len(used) >= ops, sorted(used)


def test_numbers_are_written_as_the_drawings_write_them(page, compute):
    draws = random.Random(3)
    numbers = [draws.uniform(-1, 1) * 10 ** draws.uniform(-12, 15) for _ in range(2000)]
    numbers += [round(number, 3) for number in numbers] + [n / 16 for n in range(-400, 400)]
    numbers += [0.0, -0.0, 1e300, 5e-324, 99995.0, 9999.5, 0.00099995, 1.0625, 100.0, 1000.0]
    code = (FOLDER / "values.js").read_text(encoding="utf-8")
    texts = page.evaluate(f"(numbers) => {{ {code} return numbers.map(numberText) }}", numbers)
    assert texts == [number_text(number) for number in numbers]
    odd = page.evaluate(f"() => {{ {code} return [NaN, Infinity, -Infinity].map(numberText) }}")
    assert odd == ["nan", "inf", "-inf"]


SETTINGS = {
    "ScalarPower": {"exponent": 3},
    "Clip": {"low": -1.0, "high": 2.0},
    "Round": {"decimals": 0},
    "Keep": {"when": True},
    "Cast": {"dtype": np.dtype(float)},
}
OF_TWO = ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "FloorDivide")
EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 710.0, -745.0, math.inf, -math.inf, math.nan)


@pytest.mark.parametrize("name", sorted(known_ops()))
def test_each_op_of_the_page_is_the_engines_at_the_edges(page, name):
    """Of all pairs of numbers at which functions are special, NumPy and the page say the same."""
    homes = (mg.core.ops.elementwise, mg.core.ops.logic, mg.core.op)
    op = next(getattr(home, name) for home in homes if hasattr(home, name))
    params = SETTINGS.get(name, {})
    count = len(op.partials or getattr(op, "masks", ())) or (2 if name in OF_TWO else 1)
    places = [(x, y, 7.0)[:count] for x in EDGES for y in (EDGES if count > 1 else (0.0,))]
    if name in ("Keep", "Where"):  # a condition is an answer of yes or no
        places = [(x > 0, *rest) for x, *rest in places]
    if name == "Power":  # NumPy takes a root of -inf as of a negative number, C as of an infinity
        places.remove((-math.inf, 0.5))
    extra = [float(setting) for setting in params.values() if not isinstance(setting, np.dtype)]
    code = (FOLDER / "values.js").read_text(encoding="utf-8")
    got = page.evaluate(
        f"(places) => {{ {code} return places.map((at) => Number(VALUES.{name}(...at))) }}",
        [[*at, *extra] for at in places],
    )
    with np.errstate(all="ignore"):
        for at, found in zip(places, got, strict=True):
            arrays = [np.array(x) for x in at]
            wanted = float(op.compute(*arrays, **params))
            assert found == pytest.approx(wanted, rel=NEAR, nan_ok=True), at


def test_a_player_of_a_session_moves_with_its_inputs(page, opened_player):
    page.get_by_role("button", name="What if").click()
    field = page.get_by_role("textbox", name="w as a number")
    field.fill("5")
    field.press("Enter")
    assert "→ w = " not in page.locator(".say").inner_text()
    texts = page.locator("g.node").evaluate_all("all => all.map((node) => node.textContent)")
    assert "w5" in texts
    assert any("100" in text for text in texts), texts  # (2 · 5)²


@pytest.fixture
def opened_player(page, tmp_path):
    """The page of a player of what a Session runs."""
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.Variable(3.0, name="w")
        player = mg.player([mg.square(x * w)], {x: 2.0})
    page.goto(player.save(tmp_path / "run.html").as_uri())
    return page


def plain_text(player):
    """What each step of a player says, and its formula with numbers, without brackets."""
    data = player.data
    for step in data["steps"]:
        told = [*step["formula"], *step["numbers"]]
        places = [at for one in told for at in (one[2:] if isinstance(one, list) else [one])]
        text = "".join(data["tokens"][at][0] for at in places)
        yield re.sub("[()]", "", f"{step['say']}\n{text}")


@pytest.mark.parametrize("seed", range(6))
def test_sentences_and_formulas_say_what_the_engine_says_of_moved_inputs(page, tmp_path, seed):
    draws, program = random.Random(seed), make_program(seed, TWO)
    before, after = ([round(draws.uniform(-2, 2), 2) for _ in "xyz"] for _ in range(2))
    recorded, wanted = (mg.player(program, dict(zip("xyz", at))) for at in (before, after))
    moved = "".join(f";{name}={number}" for name, number in zip("xyz", after))
    page.goto(recorded.save(tmp_path / "moved.html").as_uri() + f"#step-1{moved}")
    said = []
    for _ in recorded.data["steps"]:
        sentence = page.locator(".say").inner_text().partition("→")[0].strip()
        said.append(re.sub("[()]", "", f"{sentence}\n{page.locator('.formula').inner_text()}"))
        page.get_by_role("button", name="next step").click()
    assert said == list(plain_text(wanted))
