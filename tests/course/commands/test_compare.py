"""The comparison in a terminal: every part is there, numbers fit together, a figure is saved."""

import re
from functools import partial

import numpy as np
import pytest

import minigrad as mg
from minigrad.course import cli, contenders
from minigrad.course.commands import compare


@pytest.fixture
def small(monkeypatch):
    """The comparison on little work, without other libraries."""
    monkeypatch.setattr(compare, "SIZES", (10, 20))
    monkeypatch.setattr(compare, "OPERATIONS", (4, 8))
    monkeypatch.setattr(compare, "LAYERS", 9)
    monkeypatch.setattr(compare, "PEAK_SIZE", 100_000)
    monkeypatch.setattr(compare, "find_spec", lambda name: None)


def test_all_tables_are_printed_and_the_figure_is_saved(small, tmp_path, capsys, monkeypatch):
    for module in (mg.measure, mg.measure.clock):
        monkeypatch.setattr(module, "machine_load", lambda: 0.1)
    picture = tmp_path / "speed.svg"
    assert cli.main(["compare", "--rounds", "3", "--out", str(picture)]) == 0
    said = capsys.readouterr().out
    for size in ("10", "20"):
        assert re.search(rf"^{size} +dynamic .*reference$", said, re.MULTILINE)
        assert re.search(rf"^{size} +static +\S+ .s ", said, re.MULTILINE)
    assert said.count("ratios round by round; load of the machine 0.10 per core") == 2
    assert re.search(r"^8 +\S+ .?s .*(\d runs|never, here|not told)$", said, re.MULTILINE)
    for name in ("torch", "tensorflow", "jax"):
        assert f"{name} is not installed: skipped" in said
    the_map = tmp_path / "speed-map.svg"
    assert "busy" not in said and f"drawn: {picture}, {the_map}" in said
    assert "\nnext: lesson 13" in said
    assert "<svg" in picture.read_text() and "<svg" in the_map.read_text()
    assert re.search(r"^ +first of 10 +first of 20 +peak, arrays of 100,000$", said, re.MULTILINE)
    assert re.search(r"^static( +\S+ .s){2} +(\d+\.\d|not told here)$", said, re.MULTILINE)
    assert re.search(r"^One run: .*\.\n100,000 runs: .*\.\nNo difference in ", said, re.MULTILINE)


def test_a_busy_machine_is_told(monkeypatch, capsys):
    for load, words in ((None, False), (0.5, False), (2.0, True)):
        monkeypatch.setattr(mg.measure, "machine_load", lambda load=load: load)
        compare.tell_load()
        assert ("2.00 running programs per core" in capsys.readouterr().out) is words


def test_what_torch_compile_needs_is_said(monkeypatch, capsys):
    monkeypatch.setattr(compare, "find_spec", lambda name: name == "torch")
    for compiler in ("g++", None):
        monkeypatch.setattr(compare, "find_compiler", lambda compiler=compiler: compiler)
        assert ("torch, compiled" in compare.contenders()) is bool(compiler)
        said = "torch.compile needs a C++ compiler: skipped" in capsys.readouterr().out
        assert said is not bool(compiler)


def test_both_engines_and_the_other_libraries_find_the_same_slope():
    x = np.linspace(-1, 1, 5)
    run = compare.compile_slope(contenders.y, x)
    expected = mg.grad(contenders.y)(x)
    np.testing.assert_allclose(run()[0], expected)
    for name, make in (
        ("torch", compare.with_torch),
        ("tensorflow", compare.with_tensorflow),
        ("jax", compare.with_jax),
        ("jax", compare.of_size(compare.compile_on_jax)),
    ):
        if compare.find_spec(name):
            np.testing.assert_allclose(np.ravel(make(5)()), expected, err_msg=name)


def test_runs_until_paid_are_time_once_over_time_saved(monkeypatch):
    seconds = {"dynamic": [[3.0] * 3, [1.0] * 3, [1.0] * 3]}
    seconds["static"] = [[1.0] * 3, [2.0] * 3, [0.9, 1.0, 1.1]]
    monkeypatch.setattr(mg.measure, "time", lambda function, repeat: 7.0)
    rows = compare.break_even_table(
        mg.measure.Comparison("dynamic", (4, 8, 16), seconds, None)
    ).splitlines()
    assert rows[1].split() == ["4", "7", "s", "2", "s", "4", "runs"]
    assert rows[2].split() == ["8", "7", "s", "nothing", "never,", "here"]
    assert rows[3].split() == ["16", "7", "s", "no", "difference", "not", "told"]


def test_a_peak_is_that_of_the_work_alone():
    fill = partial(partial, np.ones)  # a size → what makes so many numbers
    small, large = (contenders.measure_peak(fill, size) for size in (10, 4_000_000))
    if large is None:
        pytest.skip("the system does not tell how much memory a process had")
    assert small < 2e6 and 31e6 < large < 36e6


def test_checkpoints_hold_least_and_the_plan_less_than_the_dynamic_engine(small):
    sizes = [float(row.split()[-1]) for row in compare.peak_table().splitlines()]
    assert len(sizes) == 4 and sizes[3] < sizes[2] < sizes[0]


@pytest.mark.parametrize(
    "given, said",
    [(["--rounds", "2"], "--rounds 2"), (["--out", "nowhere/there.png"], "no such folder")],
)
def test_what_cannot_work_is_refused_before_measuring(given, said, capsys, monkeypatch):
    monkeypatch.setattr(mg.measure, "compare", lambda *rest, **more: pytest.fail("measured"))
    assert cli.main(["compare", *given]) == 2
    assert said in capsys.readouterr().err
