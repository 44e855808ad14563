"""What a class predicted in lessons: for each question, how many made which prediction.

Whose prediction it is, and what a file or folder is called, is in nothing that is returned: the
page is shown to the class. What cannot be read is counted under a reason, and not named.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.course.gradebook import feedback, submissions
from minigrad.course.gradebook.lesson_copies import COPY, group_by_student, latest, read_student
from minigrad.course.gradebook.platforms import open_submissions
from minigrad.course.grading.names import clean_line
from minigrad.course.lessons import questions, syllabus
from minigrad.course.lessons.answer import unquote

MOST_ROWS, SHOWN = 8, 40  # predictions beside the choices, and the characters of one
OTHERS = "other predictions"
GENERATOR = "minigrad predictions"  # each page of this module says so in its head


class PredictionLine(NamedTuple):
    """A prediction: how many made it, whether it is right, and what the lesson says of it."""

    label: str
    count: int
    right: bool = False
    sentence: str = ""

    @property
    def comment(self):
        """The sentence, where somebody made the prediction or it is right."""
        return self.sentence if self.count or self.right else ""


class Tally(NamedTuple):
    """One question: a row for each choice, one for each other prediction, how many made none, and
    how many were right."""

    question: questions.LessonQuestion
    rows: list
    others: list
    blank: int
    right: int

    @property
    def prediction_count(self):
        """How many students made a prediction."""
        return sum(row.count for row in (*self.rows, *self.others))

    @property
    def share(self):
        """How many predictions were right, in words."""
        if not self.prediction_count:
            return "Nobody made a prediction"
        percent = round(100 * self.right / self.prediction_count)
        return f"Right predictions: {self.right} of {self.prediction_count}, {percent} %"


class LessonTally(NamedTuple):
    """One lesson: its number and title, how many students handed it in, a `Tally` per question."""

    number: str
    title: str
    students: int
    tallies: list


class ClassPredictions(NamedTuple):
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
    """The `ClassPredictions` of a folder, or a zip, of lesson notebooks; the page `out` in it is
    passed over. Raises an ArgumentError where there is no lesson."""
    lessons, left_out, found, files = questions.lesson_paths(), Counter(), {}, 0
    with open_submissions(folder) as (place, damage):
        things = [one for one in submissions.list_folder(place) if Path(one.path).absolute() != out]
        for own in group_by_student(things):
            copies, reasons = read_student(own, lessons, damage)
            files += sum(map(len, copies.values())) + reasons.total()
            left_out += reasons
            for number, same in copies.items():
                found.setdefault(number, []).append(latest(same, lessons[number].stem))
                left_out += Counter({COPY: len(same) - 1})
    known = ClassPredictions(list(count_lessons(found, lessons)), files, left_out)
    if not found:
        fact = "; ".join(filter(None, ["there is no lesson notebook", known.remark]))
        raise ArgumentError(fact, hint="collect copies of lessons, for example my/03_reverse.ipynb")
    return known


# counting ----------------------------------------------------------------------------------------


def count_lessons(found, lessons):
    """A `LessonTally` for each lesson of {number: its `Predicted` copies}, in their order."""
    for number, path in lessons.items():
        if number in found:
            title = syllabus.read_unit(path, number).title
            asked = questions.questions_of(path)
            tallies = [count_predictions(question, found[number]) for question in asked]
            yield LessonTally(number, title, len(found[number]), tallies)


def count_predictions(question, copies):
    """The `Tally` of one question, given the `Predicted` copy of each student."""
    counts, others, right = Counter(), Counter(), 0
    made = {at: one.predictions[question.name] for at, one in enumerate(copies)}
    made = {at: prediction for at, prediction in made.items() if prediction}
    for at, prediction in made.items():
        choice = question.choice_of(prediction)
        right += choice == str(question.answer) or question.name in copies[at].right
        if choice is None:
            others[plain_value(prediction)] += 1
        else:
            counts[choice] += 1
    rows = [choice_row(question, str(choice), counts) for choice in question.choices]
    return Tally(question, rows, other_rows(others), len(copies) - len(made), right)


def choice_row(question, label, counts):
    """The `PredictionLine` of a choice: with the right one stands why, with others the
    misconception."""
    if label == str(question.answer):
        return PredictionLine(label, counts[label], True, question.because)
    return PredictionLine(label, counts[label], False, question.sentences.get(label, ""))


def plain_value(prediction):
    """What predictions that are no choice are grouped by: a number to three digits, or words."""
    number = unquote(prediction, 0.0)
    return clean_line(prediction).casefold() if isinstance(number, str) else f"{float(number):.3g}"


def other_rows(others):
    """A `PredictionLine` for each prediction that is no choice, most frequent first, at most eight.
    What only one student has written in words is counted and not shown: it goes before a class."""
    shown = {key: count for key, count in others.most_common() if count > 1 or is_numeric(key)}
    kept = dict([*shown.items()][:MOST_ROWS])
    if sum(kept.values()) < others.total():
        kept = dict([*kept.items()][: MOST_ROWS - 1])
    rows = [PredictionLine(fit_row(key), count) for key, count in kept.items()]
    rest = others.total() - sum(kept.values())
    return [*rows, PredictionLine(OTHERS, rest)] if rest else rows


def is_numeric(text):
    """Whether a text is a number."""
    return not isinstance(unquote(text, 0.0), str)


def fit_row(text):
    """A text that fits into a row."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} …"


def predictions_page(known):
    """The page for the next lecture: a question at a time, then its answer."""
    return feedback.render_template("predictions.html", generator=GENERATOR, known=known)
