"""The report on a class: as lines for a terminal, and as a page that holds no name and no code."""

from minigrad.course.inventory import analysis, forms
from minigrad.course.inventory.analysis import FEWEST

GENERATOR = "minigrad items"  # each page says so in its head
TITLE = "What a class knows about computation graphs"
ROUGH = 30  # answers, below which it is said how uncertain a discrimination is
RELIABLE = 0.7
TOO_FEW = (
    "There are too few answers in the {week} week ({n}). One student more or less would change "
    "every number, so nothing can be concluded about single questions, about the reliability, or "
    "about what the class has learnt, and no question is flagged. Do not publish this report: in "
    "such a small class, it may show what one student answered."
)
UNCERTAIN = "With {n} answers, a discrimination is uncertain by about ±{error:.1f}."
FEW_PAIRS = (
    "Too few students are in both weeks ({n}) to compare the gain with that of other classes."
)
NO_PAIRS = "No code is in both weeks, so nothing can be said about what students have learnt."
UNPAIRED = (
    "Codes that are only in one week: {first} in the first, {last} in the last. These students do "
    "not count for the gain."
)
UNRELIABLE = (
    "KR-20 is below 0.7: the scores of single students are not reliable. Compare classes instead."
)


def cautions(found):
    """Return what a reader must know before the numbers: a list of sentences."""
    n, pairs = found.counts[found.week], found.gain.pairs
    both = all(found.counts.values())
    unpaired = {week: count - pairs for week, count in found.counts.items()}
    low = found.reliability is not None and found.reliability < RELIABLE
    said = [
        (n < FEWEST, TOO_FEW.format(n=n, week=found.week)),
        (FEWEST <= n < ROUGH, UNCERTAIN.format(n=n, error=2 / n**0.5)),
        (both and not pairs, NO_PAIRS),
        (both and 0 < pairs < FEWEST, FEW_PAIRS.format(n=pairs)),
        (both and any(unpaired.values()), UNPAIRED.format(**unpaired)),
        (n >= FEWEST and low, UNRELIABLE),
    ]
    return [text for holds, text in said if holds] + [forms.UNTESTED]


def percent(share):
    """Write a share."""
    return f"{100 * share:.0f} %"


def measure_text(value):
    """Write a measure, or a dash for none."""
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def class_lines(found):
    """Return the lines about the whole class."""
    counts = found.counts.items()
    lines = [f"Answers in the {week} week: {count}." for week, count in counts]
    n, gain = found.counts[found.week], found.gain
    lines.append(
        f"Reliability KR-20: {measure_text(found.reliability)} (n = {n}, {found.week} week)."
    )
    if gain.pairs:
        shares = f"from {percent(gain.before)} to {percent(gain.after)} right"
        size = f"students in both weeks: {gain.pairs}"
        lines.append(f"Normalised gain ⟨g⟩: {measure_text(gain.value)} ({shares}; {size}).")
    return lines


def terminal_lines(found, questions, left_out):
    """Yield the report as lines of text."""
    yield from class_lines(found)
    yield from cautions(found)
    yield f"\nThe questions, by the answers of the {found.week} week:"
    for at, (question, item) in enumerate(zip(questions, found.items, strict=True)):
        yield ""
        yield item_line(question, item, found.first[at] if found.first else None)
        yield from (f"      ! {flag}" for flag in item.flags)
        for option, share in zip(question.options[1:], item.shares[1:], strict=True):
            meaning = f"{option.misconception} Lesson {option.lesson}"
            yield f"    {percent(share):>5}  “{option.says}”: {meaning}"
    yield from [""] * bool(left_out)
    yield from (f"left out: {text}" for text in left_out)


def item_line(question, item, first):
    """Return the line of one question."""
    before = f" (first week {percent(first)})" if first is not None else ""
    blank = f", {percent(item.blank)} open" if item.blank else ""
    right = f"{percent(item.difficulty)} right{before}{blank}"
    said = f"“{question.key.says}”, {right}, discrimination {measure_text(item.discrimination)}"
    return f"{question.name:<4}{question.topic}: {said}"


def report_page(found, questions, left_out):
    """Return the report as a page."""
    from markupsafe import Markup

    rows = [
        (question, Markup(forms.html_text(question.stem)), item, at)
        for at, (question, item) in enumerate(zip(questions, found.items, strict=True))
    ]
    return forms.render_page(
        "items.html",
        title=TITLE,
        generator=Markup(f'<meta name="generator" content="{GENERATOR}">'),
        found=found,
        enough=found.counts[found.week] >= FEWEST,
        rows=rows,
        class_lines=class_lines(found),
        cautions=cautions(found),
        left_out=left_out,
        percent=percent,
        measure_text=measure_text,
        fewest=analysis.FEWEST,
    )
