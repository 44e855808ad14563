"""What crosses between checks and student: exact types as data, everything else as a handle."""

import io
import json
import math
from collections import Counter, OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minigrad.course.grading.inside import wire


class LyingFloat(float):
    """A number that equals everything."""

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


class LyingArray:
    """An object that calls itself an array."""

    __class__ = np.ndarray

    def __array__(self, *arguments, **keywords):
        return np.zeros(3)


def there_and_back(value):
    """`value` after a passage as a request and as a reply; what is not plain becomes "handle"."""
    data = wire.encode(value, lambda value: {"handle": ["it"]})
    for write, read in (
        (wire.write_request, wire.read_request),
        (wire.write_reply, wire.read_reply),
    ):
        stream = io.BytesIO()
        write(stream, data)
        stream.seek(0)
        data = read(stream)
    return wire.decode(data, lambda body: "handle", lambda array: array)


@given(st.text(st.characters()) | st.text('"\\\n\0{}[]:,\ud800\U0001f600'))
def test_a_text_is_quoted_as_json(text):
    assert json.loads(wire.quote_text(text)) == text
    assert there_and_back({text: [text]}) == {text: [text]}


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.complex_numbers(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(plain)
def test_plain_data_crosses_unchanged(value):
    came = there_and_back(value)
    assert type(came) is type(value)
    assert repr(came) == repr(value)  # tells nan and -0.0 apart from what they equal


Point = namedtuple("Point", "x y")


class Sorted(dict):
    """A dict with a mind of its own."""


@pytest.mark.parametrize(
    "value, plain",
    [
        (defaultdict(list, {"a": [1]}), {"a": [1]}),
        (OrderedDict(b=2, a=1), {"b": 2, "a": 1}),
        (Counter("aab"), {"a": 2, "b": 1}),
        ([Point(1, (2,))], [(1, (2,))]),
        ({"in": defaultdict(int, {3: 4})}, {"in": {3: 4}}),
    ],
)
def test_dicts_and_tuples_of_the_library_cross_as_what_they_hold(value, plain):
    came = there_and_back(value)
    assert came == plain and repr(came) == repr(plain)


@pytest.mark.parametrize(
    "value",
    [
        Sorted(a=1),
        type("Pair", (Point,), {})(1, 2),
        LyingFloat(1.0),
        LyingArray(),
        type("Int", (int,), {})(1),
        type("Text", (str,), {})("a"),
        type("List", (list,), {})([1]),
        np.zeros(2).view(type("Sub", (np.ndarray,), {})),
        np.array([object()]),
        object,
        10**5000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_plain_stays_behind(value):
    assert there_and_back(value) == "handle"
    assert there_and_back([value, 1]) == ["handle", 1]


def test_a_list_that_holds_itself_ends():
    loop = []
    loop.append(loop)
    came = there_and_back(loop)
    for _ in range(wire.DEEPEST):
        (came,) = came
    assert came == "handle"


@pytest.mark.parametrize("dtype", sorted(wire.DTYPES))
def test_arrays_and_numpy_numbers_cross_with_dtype_and_shape(dtype):
    for value in (np.arange(6).reshape(2, 3).T.astype(dtype), np.zeros((0, 2), dtype)):
        came = there_and_back(value)
        assert (came.dtype, came.shape) == (dtype, value.shape)
        assert came.data == value.tobytes()
    assert there_and_back(np.dtype(dtype).type(1)).shape == ()


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6.0)[::-2],
        np.arange(6.0).astype(">f8"),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.broadcast_to(np.arange(3.0), (2, 3)),
        np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)[1:],
    ],
    ids=["backwards", "other byte order", "by columns", "stretched", "turned"],
)
def test_an_array_crosses_however_it_lies_in_memory(value):
    came = there_and_back(value)
    read = np.frombuffer(came.data, came.dtype).reshape(came.shape)
    assert np.array_equal(read, value)


def test_an_array_larger_than_a_message_is_not_even_copied():
    with pytest.raises(wire.WireError, match="8,000,000,000,000 bytes is more than a message"):
        there_and_back(np.broadcast_to(1.0, (10**6, 10**6)))


@pytest.mark.parametrize(
    "data",
    [
        [1],
        {},
        {"list": 1},
        {"list": [], "tuple": []},
        {"object": []},
        {"complex": ["1", 2.0]},
        {"dict": [[1]]},
        {"dict": [[{"list": []}, 1]]},
        {"array": ["float64", [2], "AAAA"]},
        {"array": ["float64", [-1], ""]},
        {"array": ["object", [1], "AAAAAAAAAAA="]},
        {"array": ["float64", [10**9, 10**9], ""]},
        {"array": ["float64", 1, ""]},
        {"array": [["float64"], [0], ""]},
        {"array": ["float64", [True], "AAAAAAAAAAA="]},
        {"array": ["float64", {"0": 1}, ""]},
        {"array": ["float64", [1] * 65, "AAAAAAAAAAA="]},
        {"array": ["float64", [2, 1] * 10**6, ""]},
        {"array": ["float64", [0, 10**9], ""]},
        {"array": ["float64", [10**4000] * 64, ""]},
        {"dict": [[1.0, 1]]},
        {"dict": [[None, 1]]},
        {"dict": [[True, 1]]},
        {"dict": [[{"tuple": [1]}, 1]]},
        {"dict": [[2**61 - 1, 1]]},
        {"dict": [[{"handle": 1}, 1]]},
        {"x" * 10**6: 1},
        {"list": [0] * wire.MOST_PARTS},
        {"list": [{"list": [0] * (wire.MOST_PARTS // 2)}] * 2},
        10**4000,
    ],
    ids=lambda data: json.dumps(data)[:40],
)
def test_data_that_is_no_value_is_refused(data):
    with pytest.raises(wire.WireError):
        wire.decode(data, list, list)


@pytest.mark.parametrize("key", [1.0, None, True, (1, 2), 1j, 2**61 - 1, b"a"], ids=repr)
def test_a_key_that_could_be_made_to_collide_stays_behind(key):
    assert there_and_back({key: 1, "a": 2}) == {"handle": 1, "a": 2}


def test_keys_that_cross():
    assert there_and_back({"a": 1, -7: 2, 2**59: 3}) == {"a": 1, -7: 2, 2**59: 3}


def test_a_value_that_holds_itself_many_times_ends():
    twice = 1
    for _ in range(wire.DEEPEST - 1):
        twice = [twice, twice]
    with pytest.raises(wire.WireError, match="more than 200,000 values"):
        there_and_back(twice)


def test_nesting_is_bounded_on_both_sides():
    data = 1
    for _ in range(wire.DEEPEST + 2):
        data = {"list": [data]}
    with pytest.raises(wire.WireError):
        wire.decode(data, list, list)


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"", EOFError),
        (b"\x00\x00\x00\x05{}", EOFError),
        (b"\xff\xff\xff\xff", wire.WireError),
        (b"\x00\x00\x00\x03{]}", wire.WireError),
        (b"\x00\x00\x00\x01\xff", wire.WireError),
        (b"\x00\x01\x00\x00" + b"[" * 0x10000, wire.WireError),
        (b"\x00\x00\x20\x00" + b"9" * 0x2000, wire.WireError),
    ],
)
def test_a_frame_that_is_none_is_refused(sent, error):
    with pytest.raises(error):
        wire.read_reply(io.BytesIO(sent))


def test_a_frame_comes_back():
    stream = io.BytesIO()
    wire.write_reply(stream, {"value": [math.pi, "é"]})
    stream.seek(0)
    assert wire.read_reply(stream) == {"value": [math.pi, "é"]}


def test_too_long_a_frame_is_not_written():
    stream = io.BytesIO()
    with pytest.raises(wire.WireError, match="more than a message may hold"):
        wire.write_reply(stream, "x" * wire.LARGEST_FRAME)
    assert stream.getvalue() == b""
