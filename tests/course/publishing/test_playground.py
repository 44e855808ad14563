"""The rules that the box for a formula runs."""

import numpy as np

from minigrad.course.publishing import playground
from minigrad.draw.player.spec import known_ops


def test_the_page_can_compute_every_rule():
    rules = playground.list_rules()
    assert len(rules) == len(playground.OPERATIONS) + len(playground.FUNCTIONS)
    assert {op for rule in rules.values() for op, *_ in rule["code"]} <= known_ops()
    assert {name for name, rule in rules.items() if len(rule["adjoints"]) == 2} == {
        *playground.PAIRS
    }


def test_a_rule_names_the_slots_of_the_value_and_of_each_adjoint():
    rule = playground.list_rules()["div"]
    compute = {"Div": np.divide, "Mul": np.multiply, "Neg": np.negative}
    slots = [6.0, 2.0, 10.0, *map(float, rule["constants"])]
    for op, *operands in rule["code"]:
        slots.append(compute[op](*(slots[at] for at in operands)))
    assert [slots[at] for at in (rule["value"], *rule["adjoints"])] == [3.0, 5.0, -15.0]
