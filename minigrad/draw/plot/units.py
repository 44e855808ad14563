"""Numbers with their units, as tables and plots print them."""

SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
BYTES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


def digits(value):
    """A number to three digits, without an exponent."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"


def seconds_text(seconds):
    """Three digits and a unit: "12.3 µs"."""
    unit, word = next((u for u in SECONDS if seconds >= 0.9995 * u[0]), SECONDS[-1])
    return f"{digits(seconds / unit)} {word}"


def unit_of(count):
    """(bytes, word): the largest unit of which `count` bytes are one or more."""
    return next((unit for unit in BYTES if count >= unit[0]), BYTES[-1])


def about(size):
    """A size to two digits: "1,300"."""
    return f"{float(f'{size:.2g}'):,.0f}"
