"""The learner's source, as far as the steps of a trace come from it."""

import linecache
import textwrap

from minigrad.errors import short_name

LONGEST = 80  # lines of one file
AROUND = 1  # lines that are shown before and after one that some step comes from


class Source:
    """The lines that steps name, with those around them, file by file."""

    def __init__(self, events):
        places = {event.line for event in events if event.line}
        named = {}
        for line in sorted(places):
            if linecache.getline(*line).strip():
                named.setdefault(line.filename, []).append(line.number)
        self.numbers = {name: around(name, numbers) for name, numbers in named.items()}

    def files(self):
        """[{the file's name, its lines as [number, text]}]; "⋮" stands for lines left out."""
        return [
            {"name": short_name(name), "lines": quoted(name, numbers)}
            for name, numbers in self.numbers.items()
        ]

    def place(self, line):
        """[file, line], counted from 0 within what `files` gives; None for other lines."""
        if line is None or line.number not in self.numbers.get(line.filename, ()):
            return None
        numbers = self.numbers[line.filename]
        return [list(self.numbers).index(line.filename), numbers.index(line.number)]


def around(name, numbers):
    """The numbers with their neighbours, None where a gap is."""
    near = {n + d for n in numbers for d in range(-AROUND, AROUND + 1)}
    near = [n for n in sorted(near) if n in numbers or linecache.getline(name, n).strip()]
    found = []
    for number in near[:LONGEST]:
        if found and number > found[-1] + 1:
            found.append(None)
        found.append(number)
    return found


def quoted(name, numbers):
    """[number, text] of each line, moved to the left together."""
    texts = [linecache.getline(name, n).rstrip("\n") if n else "" for n in numbers]
    texts = textwrap.dedent("\n".join(texts)).split("\n")
    return [["" if n is None else n, "⋮" if n is None else t] for n, t in zip(numbers, texts)]
