"""What holds of every plot: engines look alike everywhere, letters are large enough."""

from itertools import combinations

from matplotlib.colors import to_hex

from minigrad.draw.look import ENGINES, SPARE, engine_of

MARKERS = {*(look.marker for look in ENGINES.values()), *(marker for _, marker in SPARE)}


def check_engines(ax):
    """A line that is called by an engine looks like it; no two have the same dash and marker."""
    for line in ax.lines:
        engine = engine_of(str(line.get_label()))
        if engine:
            assert to_hex(line.get_color()).upper() == ENGINES[engine].colour
            assert line.get_marker() in MARKERS
    own = [
        (line.get_linestyle(), line._unscaled_dash_pattern, line.get_marker())
        for line in ax.lines
        if not str(line.get_label()).startswith("_") and line.get_linestyle() != "None"
    ]
    assert all(one != other for one, other in combinations(own, 2))


def check_letters(ax):
    """No letter is smaller than 11 pixels: 8.25 points."""
    legend = ax.get_legend()
    said = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label]
    said += [ax.yaxis.label, *(legend.get_texts() if legend else ())]
    assert min(text.get_fontsize() for text in said) >= 8.25
