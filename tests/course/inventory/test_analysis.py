"""The numbers about questions and a class, against other ways to compute them, and the flags."""

import numpy as np
import pytest

from minigrad.course.inventory import analysis, questions
from minigrad.course.inventory.answers import AnswerSheet

from .synthetic import PLANTED, QUESTIONS, make_class, make_sheets

_, ASKED = questions.read_inventory()
SEEDS = range(20)
# Four students, three questions, worked out by hand: 1 is right.
#   scores 3, 2, 1, 0; p = 3/4, 2/4, 1/4; sum of p q = 3/16 + 4/16 + 3/16 = 5/8; variance 5/4
#   KR-20 = 3/2 (1 - (5/8) / (5/4)) = 3/4
SMALL = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], bool)


def test_kr20_of_a_small_class_is_what_it_is_by_hand():
    assert analysis.reliability(SMALL) == pytest.approx(3 / 4)
    assert analysis.reliability(np.ones((5, 3), bool)) is None


def test_difficulty_and_discrimination_are_those_of_numpy():
    options, _, _ = make_class(3)
    found = analysis.analyse(make_sheets(options), ASKED)
    right = (options == 0).astype(float)
    for at, item in enumerate(found.items):
        rest = right.sum(axis=1) - right[:, at]
        assert item.difficulty == pytest.approx(right[:, at].mean())
        assert item.discrimination == pytest.approx(np.corrcoef(right[:, at], rest)[0, 1])
        assert sum(item.shares) == pytest.approx(1) and item.blank == 0
    assert np.std([item.discrimination for item in found.items]) > 0.05


def test_kr20_is_cronbachs_alpha_of_the_covariances():
    options, _, _ = make_class(4)
    found = analysis.analyse(make_sheets(options), ASKED)
    matrix = np.cov((options == 0).astype(float).T)
    alpha = QUESTIONS / (QUESTIONS - 1) * (1 - np.trace(matrix) / matrix.sum())
    assert found.reliability == pytest.approx(alpha) and 0.4 < alpha < 0.95


def test_the_gain_counts_students_of_both_weeks_only():
    def sheets(week, **scores):
        rows = {code: [0] * right + [1] * (QUESTIONS - right) for code, right in scores.items()}
        return [AnswerSheet(code, week, 0.0, tuple(row)) for code, row in rows.items()]

    own = [*sheets("first", ann=5, bob=10, cleo=20), *sheets("last", bob=15, ann=11, dan=0)]
    found = analysis.analyse(own, ASKED)
    before, after = 15 / 40, 26 / 40
    assert (found.gain.pairs, found.gain.before, found.gain.after) == (2, before, after)
    assert found.gain.value == pytest.approx((after - before) / (1 - before))  # 0.44
    assert found.counts == {"first": 3, "last": 3} and found.week == "last"
    perfect = analysis.analyse([*sheets("first", ann=20), *sheets("last", ann=20)], ASKED)
    assert perfect.gain.value is None
    assert analysis.analyse(sheets("first", ann=5), ASKED).gain.pairs == 0


def test_an_open_question_is_not_right_and_no_wrong_option():
    options, _, _ = make_class(5)
    options[:30, 0] = -1
    item = analysis.analyse(make_sheets(options), ASKED).items[0]
    assert item.blank == 0.5 and sum(item.shares) == pytest.approx(0.5)


def planted_class(seed):
    """What is found of a class with four bad questions."""
    options, ability, rng = make_class(seed)
    for at, (plant, _) in PLANTED.items():
        plant(options, at, ability, rng)
    return analysis.analyse(make_sheets(options), ASKED).items


def test_every_planted_fault_is_found_and_hardly_a_good_question_is_flagged():
    missed, false = [], 0
    for seed in SEEDS:
        for at, item in enumerate(planted_class(seed)):
            if at not in PLANTED:
                false += bool(item.flags)
            elif not any(flag.startswith(PLANTED[at][1]) for flag in item.flags):
                missed.append((seed, at, item))
    assert missed == []
    assert false / (len(SEEDS) * (QUESTIONS - len(PLANTED))) <= 0.02  # 2 of 320: 0.6 %


def test_a_wrong_key_is_told_with_the_option_that_is_the_key():
    for seed in SEEDS:
        item = planted_class(seed)[16]
        (flag,) = [flag for flag in item.flags if flag.startswith("probably a wrong key")]
        assert f"“{ASKED[16].options[3].says}”" in flag
        assert analysis.HARD not in item.flags


def test_the_option_that_nobody_takes_is_named():
    flags = planted_class(0)[11].flags
    assert flags == (analysis.IDLE.format(ASKED[11].options[2].says),)


def test_a_hard_question_is_flagged():
    options, _, _ = make_class(6)
    options[:, 4] = np.where(np.arange(60) < 6, 0, 1 + np.arange(60) % 3)
    assert analysis.HARD in analysis.analyse(make_sheets(options), ASKED).items[4].flags


def test_a_small_class_has_no_flag():
    options, ability, rng = make_class(7, students=analysis.FEWEST - 1)
    for at, (plant, _) in PLANTED.items():
        plant(options, at, ability, rng)
    found = analysis.analyse(make_sheets(options), ASKED)
    assert [item.flags for item in found.items] == [()] * QUESTIONS
    alone = analysis.analyse(make_sheets(options[:1]), ASKED)
    assert alone.reliability is None and alone.items[0].discrimination is None
