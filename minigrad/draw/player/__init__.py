"""The player: forward, then backward, step by step."""

from minigrad.draw.player.player import Player, player

__all__ = ["Player", "player"]
