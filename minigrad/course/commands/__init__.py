"""The commands of `minigrad`, a module each, or one for several that are alike."""
