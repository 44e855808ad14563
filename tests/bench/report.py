"""The report: a table of medians, ratios and targets, in words and as a figure."""

import json
import os
import platform
from importlib import metadata

import numpy as np

LIBRARIES = (
    "numpy",
    "minigrad",
    "numba",
    "torch",
    "jax",
    "autograd",
    "mygrad",
    "pytensor",
    "micrograd",
)
UNITS = (("s", 1), ("ms", 1e-3), ("µs", 1e-6))


def section(outcome):
    """One workload as Markdown: its contenders, its targets, who is absent."""
    w = outcome.workload
    lines = [
        f"## {w.name}",
        "",
        "| contender | median | quartiles | least | rounds | ready after |",
        "|---|---|---|---|---|---|",
    ]
    lines += [row(outcome, name) for name in outcome.samples]
    lines += [f"| {name} | – | {why} | | | |" for name, why in outcome.absent.items()]
    met = [judged(outcome, t) for t in w.targets if there(outcome, t)]
    if met:
        lines += ["", "| target | ratio | quartiles | of the least | |", "|---|---|---|---|---|"]
        lines += met
    lines += ["", f"load {outcome.load[0]:.1f} before, {outcome.load[1]:.1f} after", ""]
    return "\n".join(lines)


def row(outcome, name):
    """A contender's line."""
    samples, unit = outcome.samples[name], outcome.workload.family.unit
    low, middle, high = np.percentile(samples, (25, 50, 75))
    shown = [quantity(v, unit) for v in (middle, low, high, min(samples))]
    return (
        f"| {name} | {shown[0]} | {shown[1]} to {shown[2]} | {shown[3]} | {len(samples)} | "
        f"{quantity(outcome.ready[name], 's') if name in outcome.ready else ''} |"
    )


def there(outcome, target):
    """True when both sides of a target were measured."""
    return all(n is None or n in outcome.samples for n in (target.ours, target.than))


def judged(outcome, target):
    """A target's line: the ratio round by round, and whether its median is low enough."""
    ours, than = outcome.samples[target.ours], target.than
    values = outcome.ratios(target.ours, than) if than else np.array(ours)
    low, middle, high = np.percentile(values, (25, 50, 75))
    least = min(ours) / min(outcome.samples[than]) if than else min(ours)
    unit = "" if than else outcome.workload.family.unit
    numbers = [quantity(v, unit) for v in (target.limit, middle, low, high, least)]
    goal = f"{target.ours} ≤ {numbers[0]}" + (f" × {than}" if than else "")
    return (
        f"| {goal} | {numbers[1]} | {numbers[2]} to {numbers[3]} | {numbers[4]} | "
        f"{'met' if middle <= target.limit else 'not met'} |"
    )


def quantity(value, unit):
    """A number with its unit, three digits; seconds as s, ms or µs."""
    if unit == "s":
        unit, size = next((u for u in UNITS if value >= u[1]), UNITS[-1])
        value /= size
    if unit and abs(value) >= 1000:
        return f"{value:.0f} {unit}"
    return f"{float(f'{value:.3g}'):g} {unit}".strip()


def write(outcomes, asked):
    """The table, the figure and, if asked for, the samples, into the output folder."""
    asked.output.mkdir(parents=True, exist_ok=True)
    text = "\n".join([heading(asked), *map(section, outcomes)])
    (asked.output / "table.md").write_text(text, encoding="utf-8")
    if asked.json:
        data = {
            o.workload.name: {"samples": o.samples, "absent": o.absent, "load": o.load}
            for o in outcomes
        }
        (asked.output / "samples.json").write_text(json.dumps(data), encoding="utf-8")


def heading(asked):
    """What was measured, on what."""
    versions = []
    for name in LIBRARIES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return (
        "# minigrad beside other libraries\n\nOne thread, but where a row is named after threads; "
        f"{asked.clock} time; medians over rounds in which the contenders take turns. A ratio is "
        f"the median of the rounds' ratios. {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, {', '.join(versions)}.\n"
    )
