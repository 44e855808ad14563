"""Arrays in an .npz file: equal arrays give equal bytes, and none is read before a look at it."""

import io
import math
import struct
import threading
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import IO, Any

import numpy as np

from minigrad.core.errors import FileError, MinigradError
from minigrad.core.spec import NUMBERS, Spec

LONGEST_HEADER = 10_000  # bytes of an array's description, at most
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
PARSING = threading.Lock()  # NumPy parses headers as Python; in 3.11 only one thread may do so
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what numpy.savez and savez_compressed write
DAMAGE = (  # what the readers of archives and headers raise where the bytes are not theirs
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
    TypeError, SyntaxError, LookupError, OverflowError, MemoryError,
)  # fmt: skip


def pack_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Pack {name: array} into the bytes of an .npz file; the same arrays give the same bytes.

    >>> mg.files.pack_arrays({"x": np.ones(2)})[:2]
    b'PK'
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
    return made.getvalue()


def unpack_arrays(
    file: IO[bytes], check: Callable[[dict[str, Spec]], object]
) -> dict[str, np.ndarray]:
    """Read {name: array} from an .npz file, after `check` has accepted its {name: Spec}.

    Nothing in it is executed, and no memory is taken before `check` has returned. Raises FileError
    for what is damaged or holds anything but numbers.

    >>> import io
    >>> data = mg.files.pack_arrays({"x": np.ones(2)})
    >>> mg.files.unpack_arrays(io.BytesIO(data), lambda specs: None)
    {'x': array([1., 1.])}
    """
    try:
        with zipfile.ZipFile(file) as archive:
            members = {member_name(m): m for m in archive.infolist()}
            if len(members) != len(archive.infolist()):
                raise FileError("it contains two arrays with the same name")
            headers = {name: read_header(archive, m) for name, m in members.items()}
            check({name: spec for name, (spec, *_) in headers.items()})
            return {name: read_array(archive, m, *headers[name]) for name, m in members.items()}
    except MinigradError:
        raise
    except DAMAGE as error:
        raise FileError(f"it is damaged: {str(error)[:100]}") from None


def member_name(member):
    """The name of an array in an archive."""
    if not member.filename.endswith(".npy") or member.compress_type not in PACKINGS:
        raise FileError(f"{member.filename[:40]!r} is not an array")
    return member.filename.removesuffix(".npy")


def read_header(archive, member):
    """(Spec, is in Fortran's order, bytes of the header) of an array."""
    with archive.open(member) as file:
        reader = HEADERS[np.lib.format.read_magic(file)]
        with PARSING:
            shape, fortran, dtype = reader(file, max_header_size=LONGEST_HEADER)
        start = file.tell()
    if dtype.kind not in NUMBERS or any(type(n) is not int or n < 0 for n in shape):
        raise FileError(f"{member.filename[:40]} is not made of numbers")
    spec = Spec(shape, dtype)
    if member.file_size - start != math.prod(shape) * dtype.itemsize:
        raise FileError(
            f"{member.filename[:40]} declares {member.file_size} bytes for {str(spec)[:60]}"
        )
    return spec, fortran, start


def read_array(archive, member, spec, fortran, start):
    """An array whose header has been looked at."""
    with archive.open(member) as file:
        file.read(start)
        raw = file.read(member.file_size)  # beyond the end, where the checksum is compared
    return np.frombuffer(raw, spec.dtype).reshape(spec.shape, order="F" if fortran else "C")
