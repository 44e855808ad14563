"""Nets from a description: what is built, and the line that an error names."""

import json

import numpy as np
import pytest

import minigrad as mg
from minigrad.files.config import OPS, as_plain
from minigrad.files.lines import json_item

NET = """\
inputs:
  x: {shape: [null, 1, 8, 8]}
  labels: {shape: [null], dtype: int64}

layers:
  - {name: conv, type: Conv2d, outputs: 4, size: 3, padding: 1}
  - type: BatchNorm
  - {name: act, type: ReLU}
  - {type: MaxPool2d, size: 2}
  - {type: Flatten, name: flat}
  - name: left
    type: Linear
    outputs: 10
  - {name: right, type: Linear, outputs: 10, from: flat}
  - {name: scores, type: add, from: [left, right]}

loss: {type: cross_entropy, from: [scores, labels]}
"""
PAIR = """{"inputs": {"x": {"shape": [3, 2]}},
 "layers": [
  {"name": "a", "type": "tanh"},
  {"name": "b", "type": "Linear", "outputs": 2, "from": "x", "bias": false},
  {"name": "both", "type": "concatenate", "from": ["a", "b"], "axis": 1},
  {"name": "total", "type": "sum", "axis": 0}
 ]
}"""


@pytest.mark.parametrize("kind", OPS)
def test_every_op_is_built_with_its_options(kind):
    options = {
        "clip": {"low": -1, "high": 1},
        "reshape": {"shape": [3, 2]},
        "expand_dims": {"axis": 0},
        "prod": {"axis": 1},
        "cumsum": {"axis": 0},
    }
    count = 2 if kind in ("matmul", "maximum", "minimum", "remainder") else 1
    x = np.array([[0.5, 2.0], [3.0, 0.1]]) if kind == "matmul" else np.full((2, 3), 0.7)
    net = mg.from_config(
        json.dumps(
            {
                "inputs": {"x": {"shape": x.shape}},
                "layers": [
                    {"name": "y", "type": kind, "from": ["x"] * count, **options.get(kind, {})}
                ],
            }
        )
    )
    expected = getattr(mg, kind)(*[x] * count, **options.get(kind, {}))
    np.testing.assert_array_equal(net.run(net.outputs["y"], {"x": x}), expected)


def test_layers_are_built_wired_and_named():
    pytest.importorskip("yaml", reason="YAML needs PyYAML")
    mg.nn.manual_seed(0)
    net = mg.from_config(NET)
    assert list(net.outputs) == [
        "conv",
        "batchnorm_3",
        "act",
        "maxpool2d_5",
        "flat",
        "left",
        "right",
        "scores",
        "loss",
    ]
    assert list(net.inputs) == ["x", "labels"] and list(net.variables)[:2] == ["conv/W", "conv/b"]
    assert net.variables["left/W"].shape == net.variables["right/W"].shape == (4 * 4 * 4, 10)
    rng = np.random.default_rng(0)
    batch = {"x": rng.normal(size=(6, 1, 8, 8)), "labels": np.arange(6)}
    with net.graph:
        step = mg.group(
            mg.optim.SGD(lr=0.05).minimize(net.outputs["loss"]),
            *net.modules["batchnorm_3"].updates(),
        )
    before = net.run(net.outputs["loss"], batch)
    for _ in range(20):
        net.run(step, batch)
    assert net.run(net.outputs["loss"], batch) < before / 2
    left, right, scores = (net.outputs[name] for name in ("left", "right", "scores"))
    a, b, c = net.run([left, right, scores], batch)
    np.testing.assert_array_equal(a + b, c)


def test_json_needs_nothing_and_gives_the_same():
    net = mg.from_config(PAIR)
    x = np.arange(6.0).reshape(3, 2)
    w = net.session.run(net.variables["b/W"])
    assert net.run(net.outputs["total"], {"x": x}) == pytest.approx(
        np.concatenate([np.tanh(x), x @ w], 1).sum(0)
    )


@pytest.mark.parametrize("name, text", [("net.json", PAIR), ("net.yaml", NET), ("net.yml", NET)])
def test_a_description_may_lie_in_a_file(name, text, tmp_path):
    if not name.endswith("json"):
        pytest.importorskip("yaml", reason="YAML needs PyYAML")
    path = tmp_path / name
    path.write_text(text)
    assert list(mg.from_config(path).outputs) == list(mg.from_config(text).outputs)
    assert list(mg.from_config(str(path)).outputs) == list(mg.from_config(text).outputs)
    path.write_text(text.replace("type", "tipe", 1))
    with pytest.raises(mg.FileError, match=rf"^{name}, line \d"):
        mg.from_config(path)
    with pytest.raises(mg.FileError, match="cannot be read"):
        mg.from_config(tmp_path / "missing.json")
    with pytest.raises(mg.FileError, match="net.txt is not a description"):
        mg.from_config("net.txt")


SLIPS = [  # in the text, what is written instead, the line, the fact, the cure
    ("outputs: 4", "ouputs: 4", 6, "Conv2d has no option 'ouputs'", "write outputs"),
    ("type: ReLU", "type: Relo", 8, "the type 'Relo' is not known", "write ReLU"),
    ("type: ReLU", "type: [1]", 8, "the type (1,) is not known", "choose from Linear"),
    ("from: flat", "from: flt", 14, "from names 'flt', which does not stand above", "write flat"),
    ("from: flat", "from: scores", 14, "from names 'scores'", "choose from x, labels, conv"),
    ("outputs: 10\n", "outputs: ten\n", 11, "left: outputs='ten'", "a whole number"),
    ("size: 2", "size: 20", 9, "maxpool2d_5: windows(x: float64[?,4,8,8])", "smaller window"),
    ("name: act", "name: conv", 8, "the name 'conv' cannot be used", "choose a new name"),
    ("outputs: 10\n", "bias: true\n", 11, "Linear has no 'outputs'", "add outputs: …"),
    (", size: 2}", "}", 9, "MaxPool2d has no 'size'", "add size: …"),
    ("{name: act, type: ReLU}", "{name: act, type: reshape}", 8, "reshape has no 'shape'", "add"),
    ("type: ReLU", "type: ReLU, from: [x, x]", 8, "ReLU takes 1 value, but from names 2", "1 name"),
    ("type: ReLU", "type: exp, from: [x, x]", 8, "exp takes 1 value, but from names 2", "1 name"),
    ("labels:", "x:", 3, "'x' is defined twice", "define each key once"),
    ("int64", "int65", 3, "labels: 'int65' is not a dtype", "write float or np.float32"),
    ("{shape: [null], dtype", "{shapes: [null], dtype", 3, "'shapes' is not known", "write shape"),
    ("{shape: [null], dtype", "{dtype", 3, "'shape' is missing", "add shape: …"),
    ("cross_entropy", "crossentropy", 17, "the loss 'crossentropy' is not known", "cross_entropy"),
    ("[scores, labels]", "scores", 17, "a loss compares two values, not 1", "from: [scores"),
    ("[scores, labels]", "[labels, scores]", 17, "cross_entropy of scores [None]", "give a whole"),
    ("loss:", "lost:", 17, "'lost' is not known here", "write loss"),
    ("type: BatchNorm", "tipe: BatchNorm", 7, "'type' is missing", "add type: …"),
    ("{name: act, type: ReLU}", "ReLU", 8, "'ReLU' has no entries", "write key: value"),
    ("size: 2}", "size: 2", 10, "this is not YAML", "compare it"),
    ("size: 2}", "size: !!python/object:os.system 2}", 9, "is not a plain value", "use numbers"),
    ("size: 2}", "size: 2020-01-01}", 9, "is not a plain value", "use numbers"),
    ("{shape: [null], dtype: int64}", "*x", 3, "this is not YAML", "compare it"),
]


@pytest.mark.parametrize("old, new, line, message, hint", SLIPS)
def test_an_error_names_the_line_and_the_cure(old, new, line, message, hint):
    pytest.importorskip("yaml", reason="YAML needs PyYAML")
    assert NET.count(old) >= 1
    refused(NET.replace(old, new, 1), line, message, hint)


def refused(text, line, message, hint):
    """Asserts what the error for a text says, and that no graph is left open."""
    with pytest.raises(mg.FileError) as caught:
        mg.from_config(text)
    error = caught.value
    assert error.message.startswith(f"the text, line {line}: ") and message in error.message
    assert hint in error.hint and mg.open_graph() is None


JSON_SLIPS = [
    ('"type": "tanh"', '"type": "tan"', 3, "the type 'tan' is not known", "write Tanh"),
    ('"outputs": 2', '"outputs" 2', 4, "2 stands where : is missing", "compare it"),
    ('"outputs": 2', '"outputs": two', 4, "two is no value", "write texts in"),
    ('"outputs": 2', '"outputs": "2', 4, "from stands where , is missing", "compare it"),
    ('"axis": 1}', '"axis": 1', 6, "{ stands where a key is missing", "write keys in"),
    ('"axis": 1', '"axis": 7', 5, "both: axis 7 does not exist", "choose from -2 to 1"),
    ('"axis": 0', '"axis": 0, "axis": 1', 6, "'axis' is defined twice", "define each key once"),
    ('"axis": 0', '"axis": ' + "[" * 50 + "]" * 50, 6, "nested too deeply", "compare it"),
    ("\n}", "\n", 7, "the end stands where , is missing", "compare it"),
    ("\n}", "\n} {", 8, "{ stands after the end", "compare it"),
    ('"x": {"shape": [3, 2]}', "", 1, "the inputs are missing", "add x:"),
    ('"shape": [3, 2]', '"shape": 3.5', 1, "x: ", "give a tuple of whole numbers"),
    ('"shape": [3, 2]', '"shape": [3, -2]', 1, "a length is negative", "lengths of 0 or more"),
]


@pytest.mark.parametrize("old, new, line, message, hint", JSON_SLIPS)
def test_an_error_in_json_names_the_line_too(old, new, line, message, hint):
    assert old in PAIR
    refused(PAIR.replace(old, new, 1), line, message, hint)


def test_aliases_that_would_grow_without_end_are_refused():
    pytest.importorskip("yaml", reason="YAML needs PyYAML")
    grown = "inputs:\n  a: &a {shape: [3]}\n  b: *a\nlayers: []\n"
    refused(grown, 2, "repeats a part by *", "write it out")
    refused("inputs: &a\n  x: *a\nlayers: []\n", 1, "repeats a part by *", "write it out")


def test_json_is_read_as_the_standard_reader_reads_it():
    value = {"a b": [1, -2.5e3, True, None, 'x\\n"ü"', {}, []], "": {"k": "{,}:[]"}}
    for indent in (None, 1):
        text = json.dumps(value, indent=indent)
        assert as_plain(json_item(text)) == plain_tuples(value)


TEXTS = [
    '{"a":[1,2],\n\t"b":\t"no"}',
    '{\r\n"y": "1_000",\r\n"1e5": [1e5, 1E+5, -0.0, 0.1e-3]}',
    "[NaN, Infinity, -Infinity, 1e999]",
    '["\x7f\u2028\x85é", "\\ud83d\\ude00", "\\ud800", "a\\/b: c # d", "*x &y !z"]',
    "[" + "9" * 4300 + "]",
    '{"' + "k" * 2000 + '"\n:\n1}',
    "[[], {}, [{}], 7, null, true, false]",
]


@pytest.mark.parametrize("text", TEXTS)
def test_where_yaml_reads_otherwise_json_stays_json(text):
    assert repr(as_plain(json_item(text))) == repr(plain_tuples(json.loads(text)))


@pytest.mark.parametrize("text", ["[01]", "['a']", "[1,]", "{a: 1}", '["a\tb"]', "[1 # one\n]", ""])
def test_what_is_only_yaml_is_no_json(text):
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)
    with pytest.raises(mg.FileError, match="line 1: "):
        json_item(text)


def test_a_number_of_too_many_digits_is_named_with_its_line():
    with pytest.raises(mg.FileError, match="line 2: .*digits"):
        json_item("[1,\n" + "9" * 5000 + "]")


def test_each_value_has_the_line_where_it_begins():
    items = json_item('[1,\n{"a": [\n2], "b":\n3}]').value
    assert [item.line for item in items] == [1, 2]
    assert [item.line for item in items[1].value.values()] == [2, 4]
    assert items[1].value["a"].value[0].line == 3


def plain_tuples(value):
    """The value with tuples for lists."""
    if isinstance(value, dict):
        return {key: plain_tuples(part) for key, part in value.items()}
    return tuple(map(plain_tuples, value)) if isinstance(value, list) else value
