"""What a class guessed in lessons: for each question, how many made which guess.

Whose guess it is, and what a file or folder is called, is in nothing that is returned: the page is
shown to the class. What cannot be read is counted under a reason, and not named.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.gradebook import feedback, submissions
from minigrad.course.gradebook.lesson_copies import COPY, group_by_student, latest, read_student
from minigrad.course.gradebook.platforms import open_submissions
from minigrad.course.grading.names import clean_line
from minigrad.course.lessons import guesses, syllabus
from minigrad.course.lessons.answer import unquote

MOST_ROWS, SHOWN = 8, 40  # guesses beside the choices, and the characters of one
OTHERS = "other guesses"
GENERATOR = "minigrad predictions"  # each page of this module says so in its head


class GuessLine(NamedTuple):
    """A guess: how many made it, whether it is right, and what the lesson says of it."""

    label: str
    count: int
    right: bool = False
    sentence: str = ""

    @property
    def comment(self):
        """The sentence, where somebody made the guess or it is right."""
        return self.sentence if self.count or self.right else ""


class Tally(NamedTuple):
    """One question: a row for each choice, one for each other guess, how many made none, and how
    many were right."""

    question: guesses.LessonQuestion
    rows: list
    others: list
    blank: int
    right: int

    @property
    def guess_count(self):
        """How many students made a guess."""
        return sum(row.count for row in (*self.rows, *self.others))

    @property
    def share(self):
        """How many were right at the first guess, in words."""
        if not self.guess_count:
            return "Nobody made a guess"
        percent = round(100 * self.right / self.guess_count)
        return f"Right at the first guess: {self.right} of {self.guess_count}, {percent} %"


class LessonTally(NamedTuple):
    """One lesson: its number and title, how many students handed it in, a `Tally` per question."""

    number: str
    title: str
    students: int
    tallies: list


class ClassGuesses(NamedTuple):
    """The `LessonTally` of each lesson that was handed in, how many files there were, and {reason:
    number} of those that are not counted."""

    lessons: list
    files: int
    left_out: Counter

    @property
    def remark(self):
        """What is said of the files that are not counted; "" where all are."""
        if not self.left_out:
            return ""
        reasons = ", ".join(f"{count} {reason}" for reason, count in self.left_out.most_common())
        verb = "is" if self.left_out.total() == 1 else "are"
        return f"{self.left_out.total()} of {self.files} files {verb} not counted: {reasons}"


# reading a class ---------------------------------------------------------------------------------


def read_class(folder, out=None):
    """The `ClassGuesses` of a folder, or a zip, of lesson notebooks; the page `out` in it is passed
    over. Raises an ArgumentError where there is no lesson."""
    lessons, left_out, found, files = guesses.lesson_paths(), Counter(), {}, 0
    with open_submissions(folder) as (place, damage):
        things = [one for one in submissions.list_folder(place) if Path(one.path).absolute() != out]
        for own in group_by_student(things):
            copies, reasons = read_student(own, lessons, damage)
            files += sum(map(len, copies.values())) + reasons.total()
            left_out += reasons
            for number, same in copies.items():
                found.setdefault(number, []).append(latest(same, lessons[number].stem))
                left_out += Counter({COPY: len(same) - 1})
    known = ClassGuesses(list(count_lessons(found, lessons)), files, left_out)
    if not found:
        fact = "; ".join(filter(None, ["there is no lesson notebook", known.remark]))
        raise ArgumentError(fact, hint="collect copies of lessons, for example my/03_reverse.ipynb")
    return known


# counting ----------------------------------------------------------------------------------------


def count_lessons(found, lessons):
    """A `LessonTally` for each lesson of {number: its `Guessed` copies}, in their order."""
    for number, path in lessons.items():
        if number in found:
            title = syllabus.read_unit(path, number).title
            questions = guesses.questions_of(path)
            tallies = [count_guesses(question, found[number]) for question in questions]
            yield LessonTally(number, title, len(found[number]), tallies)


def count_guesses(question, copies):
    """The `Tally` of one question, given the `Guessed` copy of each student."""
    counts, others, right = Counter(), Counter(), 0
    made = {at: guess for at, one in enumerate(copies) if (guess := one.guesses[question.name])}
    for at, guess in made.items():
        choice = question.choice_of(guess)
        right += choice == str(question.answer) or question.name in copies[at].right
        if choice is None:
            others[plain_value(guess)] += 1
        else:
            counts[choice] += 1
    rows = [choice_row(question, str(choice), counts) for choice in question.choices]
    return Tally(question, rows, other_rows(others), len(copies) - len(made), right)


def choice_row(question, label, counts):
    """The `GuessLine` of a choice: with the right one stands why, with others the misconception."""
    if label == str(question.answer):
        return GuessLine(label, counts[label], True, question.because)
    return GuessLine(label, counts[label], False, question.sentences.get(label, ""))


def plain_value(guess):
    """What guesses that are no choice are grouped by: a number to three digits, or words."""
    number = unquote(guess, 0.0)
    return clean_line(guess).casefold() if isinstance(number, str) else f"{float(number):.3g}"


def other_rows(others):
    """A `GuessLine` for each guess that is no choice, most frequent first, at most eight. What only
    one student has written in words is counted and not shown: it goes before a class."""
    shown = {key: count for key, count in others.most_common() if count > 1 or is_numeric(key)}
    kept = dict([*shown.items()][:MOST_ROWS])
    if sum(kept.values()) < others.total():
        kept = dict([*kept.items()][: MOST_ROWS - 1])
    rows = [GuessLine(fit_row(key), count) for key, count in kept.items()]
    rest = others.total() - sum(kept.values())
    return [*rows, GuessLine(OTHERS, rest)] if rest else rows


def is_numeric(text):
    """Whether a text is a number."""
    return not isinstance(unquote(text, 0.0), str)


def fit_row(text):
    """A text that fits into a row."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} …"


def guesses_page(known):
    """The page for the next lecture: a question at a time, then its answer."""
    return feedback.render_template("predictions.html", generator=GENERATOR, known=known)
