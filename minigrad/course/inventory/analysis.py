"""What the answers of a class say about each question, about the quiz, and about the class.

Difficulty and discrimination are those of classical test theory: the share of right answers, and
the correlation of a question with the score of all other questions (the corrected item-total
correlation). KR-20 is Kuder and Richardson's formula 20. The normalised gain is Hake's (1998): what
the class has gained, divided by what it could gain. An open question counts as not right.
"""

from dataclasses import dataclass

import numpy as np

KEY = 0  # the place of the key among the options of a question
FEWEST = 10  # answers, below which nothing is concluded
TOO_EASY, TOO_HARD = 0.9, 0.2  # shares of right answers
UNUSED, FEWEST_WRONG = 0.05, 12  # the share of the wrong answers, and how many it takes to say so
WRONG_KEY = 0.5  # the share of the best third that takes one wrong option

EASY = "too easy: it tells you little, because nearly everyone is right"
HARD = "too hard: fewer are right than by guessing"
NEGATIVE = "negative discrimination: students who know more get it wrong more often"
SUSPECT = "probably a wrong key: most of the best students choose option “{}”"
IDLE = "unused option “{}”: it tempts nobody, or next to nobody"


@dataclass(frozen=True)
class ItemStatistics:
    """What one week says of one question: the `shares` of its options in the table's order, the
    share of `blank` answers, its discrimination (None if it has none), and flags in words."""

    shares: tuple
    blank: float
    discrimination: float | None
    flags: tuple

    @property
    def difficulty(self):
        """The share of right answers."""
        return self.shares[KEY]


@dataclass(frozen=True)
class Gain:
    """The mean shares of right answers of the students who answered in both weeks, and ⟨g⟩."""

    pairs: int
    before: float | None = None
    after: float | None = None
    value: float | None = None


@dataclass(frozen=True)
class Analysis:
    """All of it: `items` are those of the `week` that has been analysed."""

    week: str
    counts: dict
    items: tuple
    first: tuple
    reliability: float | None
    gain: Gain


def analyse(sheets, questions):
    """Return the `Analysis` of sheets: of the last week where there are answers of it."""
    own = {week: [one for one in sheets if one.week == week] for week in ("first", "last")}
    week = "last" if own["last"] else "first"
    options = option_array(own[week])
    first = option_array(own["first"]) == KEY if own["first"] else None
    return Analysis(
        week,
        {name: len(found) for name, found in own.items()},
        tuple(analyse_item(options, at, question) for at, question in enumerate(questions)),
        tuple(first.mean(axis=0)) if first is not None else (),
        reliability(options == KEY),
        normalised_gain(own["first"], own["last"]),
    )


def option_array(sheets):
    """Return the chosen options [students, questions]; -1 stands for none."""
    return np.array([[-1 if at is None else at for at in sheet.options] for sheet in sheets])


def analyse_item(options, at, question):
    """Return the `ItemStatistics` of the question at a place."""
    chosen = options[:, at]
    rest = (np.delete(options, at, axis=1) == KEY).sum(axis=1)
    shares = tuple(float(np.mean(chosen == place)) for place in range(len(question.options)))
    discrimination = correlation(chosen == KEY, rest)
    flags = ()
    if len(chosen) >= FEWEST:
        flags = tuple(find_flags(chosen, rest, shares, discrimination, question))
    return ItemStatistics(shares, float(np.mean(chosen < 0)), discrimination, flags)


def correlation(one, other):
    """Return Pearson's correlation, or None where one of the two is the same for all."""
    if np.ptp(np.asarray(one, float)) == 0 or np.ptp(other) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])


def find_flags(chosen, rest, shares, discrimination, question):
    """Yield what a teacher should know of a question, in words."""
    suspect = suspect_key(chosen, rest, discrimination)
    if suspect is not None:
        yield SUSPECT.format(question.options[suspect].says)
    if discrimination is not None and discrimination < 0:
        yield NEGATIVE
    if shares[KEY] > TOO_EASY:
        yield EASY
    if shares[KEY] < TOO_HARD and suspect is None:
        yield HARD
    wrong = np.sum(chosen > KEY)
    for place, option in enumerate(question.options):
        if place != KEY and wrong >= FEWEST_WRONG and np.sum(chosen == place) < UNUSED * wrong:
            yield IDLE.format(option.says)


def suspect_key(chosen, rest, discrimination):
    """Return the place of a wrong option that at least half of the best third choose, and that goes
    together with the rest of the score better than the key does; None without one."""
    best = chosen[rest >= np.quantile(rest, 2 / 3)]
    place = np.bincount(best[best >= 0], minlength=2).argmax() if np.any(best >= 0) else KEY
    if place == KEY or np.mean(best == place) < WRONG_KEY:
        return None
    own = correlation(chosen == place, rest)
    return int(place) if own is not None and own > max(discrimination or 0.0, 0.0) else None


def reliability(right):
    """Return KR-20 of right answers [students, questions], or None where all scores are alike."""
    count, spread = right.shape[1], right.sum(axis=1).var()
    if count < 2 or spread == 0:
        return None
    share = right.mean(axis=0)
    return float(count / (count - 1) * (1 - np.sum(share * (1 - share)) / spread))


def normalised_gain(first, last):
    """Return the `Gain` of the students whose code is in both weeks."""
    before, after = ({sheet.code: sheet for sheet in sheets} for sheets in (first, last))
    codes = sorted(before.keys() & after.keys())
    if not codes:
        return Gain(0)
    means = [
        float(np.mean(option_array([week[code] for code in codes]) == KEY))
        for week in (before, after)
    ]
    gain = None if means[0] == 1 else (means[1] - means[0]) / (1 - means[0])
    return Gain(len(codes), *means, gain)
