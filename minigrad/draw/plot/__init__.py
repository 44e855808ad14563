"""Plots of memory, speed and matrices in the colours of the drawings; they need matplotlib."""

from minigrad.draw.plot.arena import arena
from minigrad.draw.plot.axes import style_of
from minigrad.draw.plot.grids import grids
from minigrad.draw.plot.lifetimes import lifetimes
from minigrad.draw.plot.memory import memory
from minigrad.draw.plot.passes import passes
from minigrad.draw.plot.profile import profile
from minigrad.draw.plot.speed import speed
from minigrad.draw.plot.winners import winners

__all__ = ["arena", "grids", "lifetimes", "memory", "passes"]
__all__ += ["profile", "speed", "style_of", "winners"]
