"""The course as a web site: its pages, how they are gathered, and what Sphinx is told."""
