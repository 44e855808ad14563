"""The questions of the inventory: read, proved true, and put into the order of a form."""

import random
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from minigrad.core.errors import MinigradError

TABLE = Path(__file__).with_suffix(".toml")
LETTERS = "ABCD"


@dataclass(frozen=True)
class Option:
    """One answer to a question; the key has no misconception."""

    says: str
    misconception: str = ""
    lesson: str = ""


@dataclass(frozen=True)
class Question:
    """A question with four options: the key is the first one. `name` is q1, q2, …"""

    name: str
    fact: str
    topic: str
    stem: str
    options: tuple

    @property
    def key(self):
        """Return the right option."""
        return self.options[0]

    @property
    def lessons(self):
        """Return the lessons that treat its misconceptions."""
        return sorted({option.lesson for option in self.options[1:]})


@dataclass(frozen=True)
class QuizForm:
    """The questions, each with its options in the order in which students see them."""

    number: int
    edition: int
    questions: tuple
    orders: tuple

    def options(self):
        """Return [(question, its options in order)]."""
        return [
            (question, [question.options[at] for at in order])
            for question, order in zip(self.questions, self.orders, strict=True)
        ]

    def key_letter(self, at):
        """Return the letter of the key of the question at a place."""
        return LETTERS[self.orders[at].index(0)]


@cache
def read_inventory(path=TABLE):
    """Return (the edition, the `Question`s) of a table of questions."""
    if not path.is_file():
        message = f"the questions are not in this copy of the course, which has no {path.name}"
        raise MinigradError(message, hint="run it in the instructor's copy")
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    asked = enumerate(table["question"], 1)
    return table["edition"], tuple(read_question(at, row) for at, row in asked)


def read_question(at, row):
    """Return the `Question` of a row of the table."""
    options = (Option(row["key"]), *(Option(**wrong) for wrong in row["wrong"]))
    return Question(f"q{at}", row["fact"], row["topic"], row["stem"].strip(), options)


def true_options(question):
    """Return the texts of the options that are true: the program of the question decides."""
    from minigrad.course.inventory import facts

    found = getattr(facts, question.fact)()
    decide = found if callable(found) else found.__eq__
    return [option.says for option in question.options if decide(option.says)]


def refuse_wrong_keys(questions):
    """Raise MinigradError unless of every question the key is true, and nothing else."""
    for question in questions:
        found = true_options(question)
        if found != [question.key.says]:
            message = f"the key of {question.name} ({question.fact}) is '{question.key.says}'"
            true = ", ".join(f"'{text}'" for text in found) or "no option"
            hint = f"correct {question.fact} in {TABLE.name} or in facts.py"
            raise MinigradError(f"{message}, but {true} is true", hint=hint)


def make_form(number=1, path=TABLE):
    """Return the `QuizForm` of a number: the same number always gives the same order of options.
    Each letter is the key equally often, as far as the number of questions allows."""
    edition, questions = read_inventory(path)
    rng = random.Random(f"minigrad quiz {edition} {number}")
    places = [at % len(LETTERS) for at in range(len(questions))]
    rng.shuffle(places)
    return QuizForm(number, edition, questions, tuple(shuffled_order(rng, at) for at in places))


def shuffled_order(rng, place):
    """Return an order of four options, as indices, in which the key stands at a place."""
    others = list(range(1, len(LETTERS)))
    rng.shuffle(others)
    return (*others[:place], 0, *others[place:])
