"""A class that never was: students with an ability, and questions that were made good or bad."""

import json

import numpy as np

from minigrad.course.inventory import answers
from minigrad.course.inventory.answers import AnswerSheet

STUDENTS, QUESTIONS = 60, 20
GUESS, STEEPNESS = 0.25, 1.6


def make_class(seed, students=STUDENTS):
    """Return the chosen options [students, questions] of a class whose questions are all good: a
    question is harder or easier, and three wrong options tempt about equally."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(0, 1, (students, 1))
    hard = rng.uniform(-0.8, 0.8, QUESTIONS)
    chance = GUESS + (1 - GUESS) / (1 + np.exp(STEEPNESS * (hard - ability)))
    wrong = rng.integers(1, 4, chance.shape)
    return np.where(rng.random(chance.shape) < chance, 0, wrong), ability[:, 0], rng


def make_sheets(options, week="last"):
    """Return the answer sheets of chosen options; -1 stands for no answer."""
    return [
        AnswerSheet(f"pepper{at:02d}", week, 0.0, tuple(None if o < 0 else int(o) for o in row))
        for at, row in enumerate(options)
    ]


def plant_too_easy(options, at, ability, rng):
    """Make nearly everyone right."""
    options[:, at] = np.where(rng.random(len(options)) < 0.98, 0, 1)


def plant_negative(options, at, ability, rng):
    """Make strong students wrong, in all ways, and weak ones right."""
    right = rng.random(len(options)) < 1 / (1 + np.exp(2 * ability))
    options[:, at] = np.where(right, 0, rng.integers(1, 4, len(options)))


def plant_unused(options, at, ability, rng):
    """Let nobody choose the second wrong option."""
    own = options[:, at]
    options[:, at] = np.where(own == 2, rng.choice([1, 3], len(own)), own)


def plant_wrong_key(options, at, ability, rng):
    """Say of a good question that its first wrong option is the key: strong students take 3."""
    own = options[:, at].copy()
    options[:, at] = np.where(own == 0, 3, np.where(own == 3, 0, own))


PLANTED = {  # the place of the question: (what spoils it, the beginning of the flag)
    2: (plant_too_easy, "too easy"),
    7: (plant_negative, "negative discrimination"),
    11: (plant_unused, "unused option"),
    16: (plant_wrong_key, "probably a wrong key"),
}


def write_answers(folder, options, week, form, prefix="student"):
    """Write the files that the page would save: one for each row of chosen options."""
    folder.mkdir(exist_ok=True)
    for at, row in enumerate(options):
        letters = {
            question.name: "ABCD"[order.index(chosen)]
            for question, order, chosen in zip(form.questions, form.orders, row, strict=True)
            if chosen >= 0
        }
        record = {
            **answers.empty_record(form),
            "code": f"Pepper {at:02d}",
            "week": week,
            "saved": f"2026-10-01T10:00:{at % 60:02d}Z",
            "answers": letters,
        }
        (folder / f"{prefix}{at:02d}-{week}.json").write_text(json.dumps(record))
