"""Names and texts that others have chosen, made fit for a terminal, a table, a page and a file."""

import hashlib
import re
import unicodedata
from collections import Counter

LONGEST_BYTES = 100
JOINERS = "\u200c\u200d\u200e\u200f"  # of letters, and marks of direction, which end with a word
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|(com|lpt)\d)(\..*)?")  # no file of these on Windows


def clean_line(text):
    """`text` in one line, of characters that show; what is no Unicode is written as an escape."""
    text = text.encode("utf-8", "backslashreplace").decode()
    text = "".join(letter for letter in text if letter.isprintable() or letter.isspace())
    return unicodedata.normalize("NFC", " ".join(text.split()))


def clean_text(text):
    """`text` in lines, where what would not show, steer a terminal, or turn the direction of what
    follows becomes `�`."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter if shows(letter) else "�" for letter in lines)


def shows(letter):
    """Whether a character may stand in a text of several lines."""
    plain = letter.isprintable() or letter in "\n\t" or letter in JOINERS
    return plain or unicodedata.category(letter) == "Zs"


def add_number(name, taken, form="{} ({})"):
    """`name`, or the same with a number when it is among `taken`."""
    made, turn = name, 2
    while made in taken:
        made, turn = form.format(name, turn), turn + 1
    return made


def file_name(name):
    """A file name that every system takes: `Curie, Marie` becomes `Curie-Marie`, what a path could
    be made of becomes "_", and of a long name its beginning stays, with a digest."""
    plain = re.sub(r"[^\w@ ().-]", "_", re.sub(r"(?<=\w), *", "-", name)).strip(". ") or "_"
    plain = f"_{plain}" if RESERVED.fullmatch(plain) else plain
    if len(plain.encode()) <= LONGEST_BYTES:
        return plain
    return f"{plain.encode()[:LONGEST_BYTES].decode(errors='ignore')}-{digest(name)}"


def file_names(names):
    """{name: its file name}, no two the same, not even where small letters are as large ones.
    Those who would share one get a digest each, so that nobody's depends on who else is there."""
    plain = {name: file_name(name) for name in names}
    shared = Counter(file.casefold() for file in plain.values())
    found, taken = {}, set()
    for name, file in plain.items():
        file = f"{file}-{digest(name)}" if shared[file.casefold()] > 1 else file
        while file.casefold() in taken:
            file += "_"
        found[name] = file
        taken.add(file.casefold())
    return found


def digest(name):
    """A few digits that tell names apart."""
    return hashlib.sha256(name.encode()).hexdigest()[:12]
