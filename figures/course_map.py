"""The lessons, and what each builds on: a graph like any other, drawn by the package itself."""

import minigrad as mg
from minigrad.course.lessons import syllabus

ALT = (
    "The lessons as a graph. Lessons 00 to 03 stand in a row; from 03 ways lead to 05, to "
    "04, and to 07. 06 needs 04 and 05. From 07 lead 08, then 09, and 10. 11 needs 04 and 07; 11b "
    "and 12 need 05 and 11; 13 needs 09 and 12; 14 needs 11; 15 needs 04 and 10; 16 needs 12 and "
    "14; 17 needs 08 and 15."
)


class Step:
    """What can be drawn: something with an op, a name and inputs."""

    op = "+"  # the order of what a lesson needs means nothing

    def __init__(self, unit, inputs):
        self.name = f"{unit.name} · {unit.path.stem.partition('_')[2].replace('_', ' ')}"
        self.inputs = inputs


def make():
    """The drawing of the steps that no other needs, with all that lead to them."""
    steps, used = {}, set()
    for unit in syllabus.read_lessons():
        steps[unit.name] = Step(unit, [steps[name] for name in unit.needs])
        used |= {*unit.needs}
    last = [step for name, step in steps.items() if name not in used]
    return mg.draw(last, show="name", title="The lessons, and what each builds on")
