"""The course around the package: its command line, its lessons and its assignments."""
