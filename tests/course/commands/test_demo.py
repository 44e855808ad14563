"""The demo: both engines learn real digits alike, and well."""

import re

import pytest

from minigrad.course import cli


def test_both_engines_learn_the_digits_alike_and_the_drawings_are_written(tmp_path, capsys):
    assert cli.main(["demo", "--out", str(tmp_path / "drawn")]) == 0
    text = capsys.readouterr().out
    assert "1437 digits to learn from, 360 to test on" in text
    rows = re.findall(r"^ +(\d+) +(\d\.\d{10}) +(\d\.\d{10})$", text, re.MULTILINE)
    assert len(rows) >= 10 and all(dynamic == static for _, dynamic, static in rows)
    assert float(rows[-1][1]) < 0.02 < 2 < float(rows[0][1])
    apart = float(re.search(r"difference between the curves: (\S+)", text)[1])
    accuracies = re.search(r"test accuracy: dynamic +(\S+)% +static +(\S+)%", text).groups()
    assert apart < 1e-10 and all(float(a) >= 95 for a in accuracies)
    assert re.search(r"training time: dynamic +\S+ s +static +\S+ s", text)
    assert re.search(r"peak of a step: dynamic +\d+ KiB +static +\d+ KiB", text)
    for name in ("dynamic.svg", "static.svg"):
        assert "CrossEntropy" in (tmp_path / "drawn" / name).read_text()
    assert re.search(r"\nnext: .*minigrad lab\n", text)


def test_a_number_of_epochs_below_one_is_refused(capsys):
    assert cli.main(["demo", "--epochs", "0"]) == 2
    assert "--epochs 0" in capsys.readouterr().err


def test_engines_that_disagree_are_reported():
    from minigrad.core.errors import MinigradError
    from minigrad.course.commands.demo import Training, report

    one = Training([1.0] * 88, 0.9, 1.0, "1 KiB")
    other = one._replace(losses=[1.0] * 87 + [1.1])
    with pytest.raises(MinigradError, match="the curves differ by 0.1"):
        report({"one": one, "other": other}, "peak of a step")


def test_two_workers_print_the_curve_of_one_process_and_what_travelled(capsys):
    pytest.importorskip("distributed", reason="the extra workers is not installed")
    assert cli.main(["demo", "--workers", "2", "--epochs", "1"]) == 0
    text = capsys.readouterr().out
    rows = re.findall(r"^ +(\d+)" + r" +(\d\.\d{10})" * 3 + "$", text, re.MULTILINE)
    assert len(rows) >= 2 and all(one == two == three for _, one, two, three in rows)
    assert float(re.search(r"difference between the curves: (\S+)", text)[1]) < 1e-12
    assert re.search(r"travelled: static +0 bytes +shards +\S+ MiB +stages +\S+ MiB", text)
    assert "dashboard: http://127.0.0.1:" in text and "next: lesson 16" in text
