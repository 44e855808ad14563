"""`python -m minigrad` is the command `minigrad`."""

import sys

from minigrad.course.cli import main

if __name__ == "__main__":
    sys.exit(main())
