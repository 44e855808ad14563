"""Arrays in files: read when they are what they say, bit for bit."""

import io
import zipfile

import numpy as np
import pytest

import minigrad as mg
from minigrad import files
from minigrad.core.spec import Spec


def unpacked(content, check=lambda specs: None):
    return files.unpack_arrays(io.BytesIO(content), check)


def test_arrays_come_back_bit_for_bit_and_pack_to_the_same_bytes():
    arrays = {
        "W": np.array([[np.nan, -0.0], [5e-324, np.inf]]),
        "file": np.arange(3, dtype=">i2"),
        "allow_pickle": np.asfortranarray(np.ones((2, 3), np.float16)),
        "": np.array(True),
        "none": np.zeros((0, 4)),
    }
    packed, seen = files.pack_arrays(arrays), {}
    found = unpacked(packed, seen.update)
    assert packed == files.pack_arrays(arrays) and list(found) == list(arrays) == list(seen)
    for name, array in arrays.items():
        assert found[name].tobytes() == array.tobytes() and seen[name] == Spec(
            array.shape, array.dtype
        ) == Spec(found[name].shape, found[name].dtype)
    with np.load(io.BytesIO(packed)) as file:  # it is what NumPy calls an .npz file
        np.testing.assert_array_equal(file["W"], arrays["W"])


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def archive(*members, packing=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as made:
        for name, content in members:
            made.writestr(name, content)
    return file.getvalue()


def headed(text):
    """An array with a header of another text."""
    text = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


GOOD = npy(np.arange(3.0))
HOSTILE = {
    "no archive": b"PK",
    "an array alone": GOOD,
    "nothing": b"",
    "a text": archive(("a.npy", b"x" * 100)),
    "another file": archive(("a.txt", GOOD)),
    "an object": archive(("a.npy", npy(np.array([print], object)))),
    "letters": archive(("a.npy", npy(np.array(["a"])))),
    "cut off": archive(("a.npy", GOOD[:-1])),
    "too long": archive(("a.npy", GOOD + b"x")),
    "a bomb": archive(
        ("a.npy", headed("{'descr': '<f8', 'fortran_order': False, 'shape': (10**12,)}"))
    ),
    "huge": archive(
        ("a.npy", headed("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}"))
    ),
    "negative": archive(
        (
            "a.npy",
            headed("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -3)}") + GOOD[-24:],
        )
    ),
    "a bool": archive(
        ("a.npy", headed("{'descr': '|b1', 'fortran_order': False, 'shape': (True,)}") + b"x")
    ),
    "a record": archive(
        (
            "a.npy",
            headed("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}") + b"x" * 8,
        )
    ),
    "no version": archive(("a.npy", b"\x93NUMPY\x09\x00" + GOOD[8:])),
    "lzma": archive(("a.npy", GOOD), packing=zipfile.ZIP_LZMA),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_an_archive_that_is_not_of_arrays_of_numbers_is_refused(content):
    with pytest.raises(mg.FileError):
        unpacked(content)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_arrays_of_one_name_are_refused():
    with pytest.raises(mg.FileError, match="two arrays with the same name"):
        unpacked(archive(("a.npy", GOOD), ("a.npy", GOOD)))


def test_bits_that_were_changed_are_found():
    packed = bytearray(archive(("a.npy", GOOD)))
    packed[packed.index(np.arange(3.0).tobytes()) + 8] ^= 1
    with pytest.raises(mg.FileError, match="it is damaged: Bad CRC"):
        unpacked(bytes(packed))


def test_nothing_is_read_before_the_check_allows_it():
    content = archive(("a.npy", npy(np.zeros(10**7))), packing=zipfile.ZIP_DEFLATED)

    def refuse(specs):
        assert specs == {"a": Spec((10**7,), np.dtype(float))}
        raise mg.ShapeError("too large")

    with pytest.raises(mg.ShapeError, match="too large"):
        unpacked(content, refuse)
