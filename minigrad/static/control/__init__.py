"""Choices and loops inside a graph: one op each, whose bodies are graphs of their own."""

from minigrad.static.control.calls import scan, while_loop
from minigrad.static.control.choice import cond
from minigrad.static.control.fn import Fn

__all__ = ["Fn", "cond", "scan", "while_loop"]
