"""The static engine: Graphs of Nodes, which a Session runs."""
