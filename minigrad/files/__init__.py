"""Files: graphs as JSON beside .npz, nets from a description, and arrays, each replaced whole."""

from minigrad.files.arrays import pack_arrays, unpack_arrays
from minigrad.files.atomic import new_token, open_file, replace_file
from minigrad.files.config import from_config
from minigrad.files.net import Net
from minigrad.files.paths import user_path
from minigrad.files.reading import from_bytes, load
from minigrad.files.writing import save, to_bytes

__all__ = [
    "Net",
    "from_bytes",
    "from_config",
    "load",
    "new_token",
    "open_file",
    "pack_arrays",
    "replace_file",
    "save",
    "to_bytes",
    "unpack_arrays",
    "user_path",
]
