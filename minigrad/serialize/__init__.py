"""Files: graphs saved and loaded as JSON beside .npz, and nets read from a description."""

from minigrad.serialize.config import from_config
from minigrad.serialize.reading import load
from minigrad.serialize.writing import save

__all__ = ["from_config", "load", "save"]
