"""An error is expected to say something: its own words, and not the line of the test it quotes."""

import re
from contextlib import contextmanager

import pytest

QUOTED = re.compile(r"\n +(at|in)   .*")


@contextmanager
def raises_saying(kind, text):
    """As pytest.raises with `match`, but the learner's line, which the error quotes, is left out:
    where a test has its expectations in a table, that line holds the text, too."""
    with pytest.raises(kind) as caught:
        yield caught
    said = QUOTED.sub("", str(caught.value))
    assert re.search(text, said), f"{text!r} is not in what the error says:\n{said}"
