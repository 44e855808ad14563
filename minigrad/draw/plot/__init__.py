"""Plots of memory and speed in the colours of the drawings; they need matplotlib."""

from minigrad.draw.plot.arena import arena
from minigrad.draw.plot.axes import style_of
from minigrad.draw.plot.lifetimes import lifetimes
from minigrad.draw.plot.memory import memory
from minigrad.draw.plot.passes import passes
from minigrad.draw.plot.profile import profile
from minigrad.draw.plot.speed import speed
from minigrad.draw.plot.winners import winners

__all__ = ["arena", "lifetimes", "memory", "passes", "profile", "speed", "style_of", "winners"]
