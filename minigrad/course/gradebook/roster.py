"""The roster: who is in the class, by which id and address, and whose a submission is.

A text file has a name per line. A CSV file has the columns name, id, email, pattern (which file is
whose, as `*lovelace*`); the gradebook that Canvas exports and the list of participants of Moodle
are read, too.
"""

import fnmatch
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.gradebook import tables
from minigrad.course.grading.names import clean_line

COLUMNS = ("name", "id", "email", "pattern", "login", "sis", "section")
ALIASES = {
    "student": "name",
    "full name": "name",
    "e-mail": "email",
    "email address": "email",
    "sis login id": "login",
    "sis user id": "sis",
    "id number": "sis",
}
NOBODY = re.compile(r"\s*points possible|student, test$", re.IGNORECASE)  # lines of Canvas's own
HINT = "its first line must name the columns name,id,email,pattern (name is enough)"


class Person(NamedTuple):
    """Who is on the roster; `sis` and `section` are only handed on to Canvas."""

    name: str
    id: str = ""
    email: str = ""
    pattern: str = ""
    login: str = ""
    sis: str = ""
    section: str = ""


def read_roster(path):
    """The `Person`s of a roster, no two of one name; none without a file. Raises an ArgumentError
    that names the line."""
    if path is None:
        return []
    if Path(path).suffix.lower() != ".csv":
        return people_named(read_name_list(path))
    if not Path(path).is_file():
        raise ArgumentError(
            f"there is no roster {path}", hint="name a CSV file, for example class.csv"
        )
    rows = tables.read_rows(path, [])
    people, places = [], []
    for row in rows:
        cells = known_cells(row)
        if cells and not NOBODY.match(cells["name"]):
            people.append(Person(**cells))
            places.append(row)
    refuse_twice(people, places)
    if not people:
        raise ArgumentError(f"{Path(path).name} names nobody", hint=HINT)
    return tell_apart(people, places)


def read_name_list(path):
    """The lines of a text file."""
    try:
        return Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        message = f"the roster {path} cannot be read: {getattr(error, 'strerror', error)}"
        raise ArgumentError(message, hint="name a text file with one student per line") from error


def people_named(names):
    """A `Person` for each of these names."""
    return [Person(name) for name in dict.fromkeys(filter(None, map(clean_line, names)))]


def known_cells(row):
    """{column: text} of a line, by the names of columns here; None for a blank one."""
    plain = {(column or "").strip().lower(): clean_line(text) for column, text in row.items()}
    if not any(plain.values()):
        return None
    cells = {ALIASES.get(column, column): text for column, text in plain.items()}
    if "name" not in cells:
        last = plain.get("last name", plain.get("surname", ""))
        cells["name"] = f"{plain.get('first name', '')} {last}".strip()
    if not cells["name"]:
        raise row.fault("it has no name", hint=HINT)
    if "@" in cells.get("login", ""):
        cells.setdefault("email", cells["login"])
    return {column: cells.get(column, "") for column in COLUMNS}


def refuse_twice(people, places):
    """Raises for an id or a pattern that two have."""
    for column in ("id", "pattern"):
        seen = {}
        for person, row in zip(people, places):
            if (text := getattr(person, column)) and seen.setdefault(text, person) is not person:
                other = seen[text].name
                raise row.fault(
                    f"the {column} '{text}' is also that of {other}", "correct one of them"
                )


def tell_apart(people, places):
    """The same people; those of one name have their ids behind it."""
    shared = Counter(person.name for person in people)
    found = []
    for person, row in zip(people, places):
        if shared[person.name] > 1 and not person.id:
            message = f"two students are named '{person.name}'"
            raise row.fault(
                message, hint="give each an id, and a pattern that says which file is whose"
            )
        plain = shared[person.name] == 1
        found.append(person if plain else person._replace(name=f"{person.name} ({person.id})"))
    return found


# whose a submission is ---------------------------------------------------------------------------


def find_person(people, origin, name):
    """(the `Person` who handed in the file or folder `name`, or None; a note why it is nobody).
    What says most is asked first: Canvas's id, the pattern, the name, the name squeezed, and who
    is known by the file's name in other ways. Where a platform says whose a file is, the name that
    the student gave it says nothing."""
    for is_whose in (has_number, fits_pattern, has_name, has_name_squeezed, has_address):
        found = [person for person in people if is_whose(person, origin, name)]
        if len(found) == 1:
            return found[0], ()
        if found:
            several = " or ".join(person.name for person in found)
            return None, (f"it may belong to {several}; write a pattern into the roster",)
    return None, ("not on the roster",) if people else ()


def fits_pattern(person, origin, name):
    """Whether the roster says that this file is that person's; what a platform has written before
    the file's own name is all that counts of it."""
    pattern = person.pattern.casefold()
    shown = clean_line(name)
    if origin.platform and origin.file:
        shown = shown.removesuffix(origin.file)
    return bool(pattern) and fnmatch.fnmatchcase(shown.casefold(), pattern)


def has_number(person, origin, name):
    """Whether Canvas wrote the person's id beside the name."""
    return origin.platform == "Canvas" and origin.number == person.id


def has_name(person, origin, name):
    """Whether it is the person's name, letter by letter but for their case."""
    return clean_line(origin.owner).casefold() == person.name.casefold()


def has_name_squeezed(person, origin, name):
    """Whether it is the name without blanks and accents, whichever part of it comes first."""
    words = re.sub(r" \(.*\)$", "", person.name).replace(",", " ").split()
    turned = (words[turn:] + words[:turn] for turn in range(len(words)))
    return squeeze_name(origin.owner) in {squeeze_name("".join(words)) for words in turned} - {""}


def has_address(person, origin, name):
    """Whether the file is named after the person's id, login or e-mail address."""
    known = {person.id, person.login, person.email, person.email.partition("@")[0]} - {""}
    return clean_line(origin.owner).casefold() in {one.casefold() for one in known}


def squeeze_name(text):
    """Letters and digits alone, small and without accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def roster_table(people):
    """The roster as lines of a table that `read_roster` takes."""
    yield list(COLUMNS)
    yield from map(list, people)
