"""The DOT text of every mode: the same grammar as in the picture, as far as DOT goes."""

import numpy as np
import pytest
from draw.toy import Add, apply, leaf, worked

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.layout import engine


def test_tangents_are_dotted_and_their_edges_dashed():
    dot = draw(worked()[-1], mode="tangent").dot
    look = 'shape=box, style="rounded,filled,dotted", color="#CDA6DE"'
    assert f'n1_dot [label="ẇ = ·", {look}' in dot
    assert 'n1_dot -> n2_dot [color="#7B3A9A", style=dashed]' in dot


def test_adjoints_alone_name_no_primals():
    dot = draw(worked()[-1], mode="backward").dot
    assert "n1_bar [" in dot and "n1 [" not in dot
    assert "rank=same" not in dot


def test_frames_are_clusters():
    dot = draw(apply(Add, leaf(1.0, scope="a"), leaf(2.0, scope="a/b"), scope="a")).dot
    lines = [line.strip() for line in dot.splitlines()]
    outer = lines.index(
        'subgraph cluster_1 { label="a"; style="filled"; color="#CFD6DE"; '
        'fillcolor="#F6F8FA"; penwidth=1'
    )
    inner = lines.index(
        'subgraph cluster_2 { label="b"; style="filled"; color="#CFD6DE"; '
        'fillcolor="#F6F8FA"; penwidth=1'
    )
    assert outer < inner and lines[inner + 2] == lines[inner + 3] == "}"


def test_a_loop_is_a_cluster_with_one_arc():
    with mg.Graph():
        z = mg.placeholder("z")
        y = mg.while_loop(lambda i, z: i < 9, lambda i, z: (i + 1, z * 2.0), (0, z))[1]
    dot = draw(y, mode="loop").dot
    assert 'label="one iteration\\ngo on while i < 9"; style="filled"; color="#9CC1E8"' in dot
    assert dot.count("next iteration") == 1
    assert 'n2_8 -> n2_0 [label="next iteration"' in dot
    folded = draw(y, mode="loop", budget=4).dot
    assert "next iteration" not in folded and "n2_8" not in folded


def test_a_plan_has_its_colours_and_double_lines():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(10,))
        y = mg.tanh(mg.exp(mg.exp(x)))
    dot = draw(mg.Session(graph), y, mode="plan").dot
    assert 'color="#1B5FA8", fillcolor="#D3E5F8"' in dot
    assert 'n1 -> n2 [color="#5F6E7D:#FFFFFF:#5F6E7D"]' in dot
    assert '// "B0 · 80 B: n1, n2"' in dot


def test_what_a_pass_changed_is_marked():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        exe = mg.Session(graph).compile(mg.exp(x * 1.0), [x])
    dot = draw.passes(exe)[1].dot
    assert 'penwidth=3, color="#17202A"' in dot
    assert 'style="rounded,filled,dashed", color="#8A95A1"' in dot
    assert 'n2 -> n3 [color="#5A6673", style=dashed]' in dot


@pytest.mark.skipif(not engine.is_available("dot"), reason="Graphviz is not installed")
def test_graphviz_takes_it():
    with mg.Graph():
        x = mg.placeholder("x", shape=(5, 2))
        last, ys = mg.scan(lambda h, x: (mg.tanh(h + x), h), np.zeros(2), x)
    svg = engine.run_process(
        ["dot", "-Tsvg"], draw(last, ys, mode="loop", names={"ys": ys}).dot, 60
    )
    assert b"next iteration" in svg and b"cluster" in svg
