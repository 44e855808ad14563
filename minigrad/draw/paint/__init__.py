"""Writing a scene: as SVG, as DOT, as text, as pictures in a row."""
