"""Traces: what happens step by step when values and their derivatives are computed."""

from minigrad.draw.trace.event import PHASES, Event, Life, Trace
from minigrad.draw.trace.make import make_trace
from minigrad.draw.trace.summary import Summary, summary

__all__ = ["PHASES", "Event", "Life", "Summary", "Trace", "make_trace", "summary"]
