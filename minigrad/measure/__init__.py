"""Measures of time, of functions by turns, and of memory."""

from minigrad.measure.clock import compare, compiling, machine_load, time
from minigrad.measure.comparison import Comparison
from minigrad.measure.footprint import Live, Timeline, live, memory, timeline
from minigrad.measure.profiling import Profile, profile
from minigrad.measure.winners import Winners

__all__ = [
    "Comparison",
    "Live",
    "Profile",
    "Timeline",
    "Winners",
    "compare",
    "compiling",
    "live",
    "machine_load",
    "memory",
    "profile",
    "time",
    "timeline",
]
