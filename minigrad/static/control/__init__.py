"""Choices and loops inside a graph: one op each, whose bodies are graphs of their own."""

from minigrad.static.control.choice import cond
from minigrad.static.control.fn import Fn
from minigrad.static.control.loop_calls import scan, while_loop

__all__ = ["Fn", "cond", "scan", "while_loop"]
