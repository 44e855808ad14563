"""Random programs, computed in every way that the package knows and by a naive oracle."""
