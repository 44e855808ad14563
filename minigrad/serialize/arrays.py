"""The arrays of a file, read after their sizes are known."""

import hashlib
import io
import math
import zipfile
import zlib

import numpy as np

from minigrad.errors import FileError

MOST_BYTES = 2 ** 30  # of all arrays of a file together
HEADER = 10_000  # bytes of an array's description, at most
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0,
           (2, 0): np.lib.format.read_array_header_2_0}


def read_arrays(content, digest, specs):
    """The arrays a0, a1, … of an .npz file's `content`, which must have these Specs."""
    if hashlib.sha256(content).hexdigest() != digest:
        raise FileError("the .npz file is not the one that was saved with the .json file",
                        "keep the two files of one save together")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            check_members(archive.infolist(), specs)
            return [read_array(archive, f"a{i}.npy", spec) for i, spec in enumerate(specs)]
    except FileError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError,
            ValueError) as error:
        raise FileError(f"the .npz file is damaged: {error}") from None


def check_members(members, specs):
    """Raises FileError unless the archive holds what the nodes need, in the declared sizes."""
    if [m.filename for m in members] != [f"a{i}.npy" for i in range(len(specs))]:
        raise FileError(f"the .npz file does not hold the {len(specs)} arrays of the nodes")
    for member, spec in zip(members, specs):
        if not 0 <= member.file_size - size(spec) <= HEADER:
            raise FileError(f"{member.filename} declares {member.file_size} bytes for {spec}")


def size(spec):
    """The bytes of an array."""
    return math.prod(spec.shape) * spec.dtype.itemsize


def read_array(archive, name, spec):
    """One array, read as what its node says it is."""
    with archive.open(name) as file:
        try:
            reader = HEADERS[np.lib.format.read_magic(file)]
            shape, fortran, dtype = reader(file, max_header_size=HEADER)
        except (ValueError, TypeError, SyntaxError, KeyError, OverflowError) as error:
            raise FileError(f"{name} is damaged: {error}") from None
        if shape != spec.shape or dtype != spec.dtype:
            raise FileError(f"{name} is {str(dtype)[:40]}{str(shape)[:40]}, but its node {spec}")
        raw = file.read(size(spec) + 1)
        if len(raw) != size(spec):
            raise FileError(f"{name} does not hold {size(spec)} bytes")
        return np.frombuffer(raw, dtype).reshape(shape, order="F" if fortran else "C")
