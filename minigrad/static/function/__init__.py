"""@function: a Python function is called once with nodes; the graph it leaves runs in its place."""
