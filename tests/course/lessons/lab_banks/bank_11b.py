"""What students answer in lesson 11b, wrong and right; test_lab_banks.py tells the form."""

from minigrad.course.lessons.l11b import rms

NAMES = {"rms": rms}
STATS = """
signals, gradients = [], []
for W in weights:
    x = mg.relu(x @ W)
    signals.append(rms(x))
    x.register_hook(lambda g: gradients.append(rms(g)))
x.backward(gradient=out_bar)
return signals, gradients[::-1]
"""
KAIMING = """
kept = (1 + a ** 2) / 2
variance = 1 / (kept * fan_in)
return np.sqrt(variance)
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


SIGNATURES = {"layer_stats": "x, weights, out_bar", "kaiming_std": "fan_in, a=0.0"}
WRONG_FUNCTIONS = {
    "layer_stats": [
        ("    ...", "Go through the weights"),
        (changed(STATS, "[::-1]", ""), "reversed_gradients"),
        (
            """
            signals, gradients = [], []
            for W in weights:
                z = x @ W
                signals.append(rms(z))
                x = mg.relu(z)
                x.register_hook(lambda g: gradients.append(rms(g)))
            x.backward(gradient=out_bar)
            return signals, gradients[::-1]
            """,
            "before_relu",
        ),
        (
            """
            signals, gradients = [], []
            for W in weights:
                z = x @ W
                signals.append(rms(z))
                z.register_hook(lambda g: gradients.append(rms(g)))
                x = mg.relu(z)
            x.backward(gradient=out_bar)
            return signals, gradients[::-1]
            """,
            "hooks_before_relu",
        ),
        (STATS.replace("rms(x)", "rms(x) ** 2").replace("rms(g)", "rms(g) ** 2"), "squares"),
        (
            STATS.replace("rms(x)", "x.numpy().std()").replace("rms(g)", "g.numpy().std()"),
            "deviations",
        ),
        (
            changed(STATS, "signals, gradients = []", "signals, gradients = [rms(x)]"),
            "One entry for each",
        ),
        (
            """
            signals = []
            for W in weights:
                x = mg.relu(x @ W)
                signals.append(rms(x))
            x.backward(gradient=out_bar)
            return signals, [rms(W.grad) for W in weights]
            """,
            "of_weights",
        ),
        (changed(STATS, "gradients.append(rms(g))", "rms(g)"), "What a hook returns"),
        (changed(STATS, "x.backward(gradient=out_bar)\n", ""), "One entry for each"),
        (changed(STATS, "gradient=out_bar", ""), "Call backward once"),
        (changed(STATS, "lambda g: gradients.append(rms(g))", "rms(x)"), "A hook is a function"),
        (changed(STATS, "mg.relu(x @ W)", "x @ W"), "One entry for each"),
        (
            changed(STATS, "    x = mg", "    x.register_hook(print)\n    x = mg"),
            "A tensor has register_hook",
        ),
        (
            """
            signals, gradients = [], [0.0] * len(weights)
            for k, W in enumerate(weights):
                x = mg.relu(x @ W)
                signals.append(rms(x))
                def keep(g):
                    gradients[k] = rms(g)
                x.register_hook(keep)
            x.backward(gradient=out_bar)
            return signals, gradients
            """,
            "late_binding",
        ),
        (
            """
            signals, gradients = [], [None] * len(weights)
            for k, W in enumerate(weights):
                x = mg.relu(x @ W)
                signals.append(rms(x))
                x.register_hook(lambda g: gradients.__setitem__(k, rms(g)))
            x.backward(gradient=out_bar)
            return signals, gradients
            """,
            "late_binding",
        ),
        (
            changed(STATS, "gradient=out_bar", "gradient=np.ones_like(out_bar)"),
            "One entry for each",
        ),
        (changed(STATS, "return signals", "signals"), "Does it end with return"),
        (
            """
            signals, gradients = [], []
            for W in weights:
                z = x @ W
                z.register_hook(lambda g: gradients.append(rms(g)))
                x = mg.relu(z)
                signals.append(rms(x))
            x.backward(gradient=out_bar)
            return signals, gradients[::-1]
            """,
            "One entry for each",
        ),
        (
            """
            signals, gradients = [], []
            for W in weights:
                signals.append(rms(x))
                x = mg.relu(x @ W)
                x.register_hook(lambda g: gradients.append(rms(g)))
            x.backward(gradient=out_bar)
            return signals, gradients[::-1]
            """,
            "One entry for each",
        ),
        (changed(STATS, "rms(x)", "np.std(x.numpy())"), "One entry for each"),
        (changed(STATS, "rms(g)", "rms(x)"), "One entry for each"),
    ],
    "kaiming_std": [
        ("    ...", "What part of E[z²]"),
        ("return np.sqrt(2 / fan_in)", "relu_std"),
        (changed(KAIMING, "np.sqrt(variance)", "variance"), "variance"),
        (changed(KAIMING, "a ** 2", "a"), "a_unsquared"),
        ("return 2 / (1 + a) / np.sqrt(fan_in)", "roots_added"),
        (changed(KAIMING, " / 2", ""), "half_forgotten"),
        (changed(KAIMING, "kept * fan_in", "fan_in / kept"), "upside_down"),
        ("return np.sqrt(2 / (1 + a ** 2)) / fan_in", "without_root"),
        ("return 1 / np.sqrt(fan_in)", "Half of the values"),
        ("return np.sqrt(2 / (1 + a ** 2))", "Half of the values"),
        (changed(KAIMING, "1 + a ** 2", "1 - a ** 2"), "Half of the values"),
        (changed(KAIMING, "variance = 1 / (kept * fan_in)", "variance = 2 / 64"), "Half of the"),
        (changed(KAIMING, "return ", ""), "Does it end with return"),
    ],
}
RIGHT_FUNCTIONS = {
    "layer_stats": [
        STATS,
        """
        outputs, gradients = [], {}
        for k, W in enumerate(weights):
            x = mg.relu(x @ W)
            outputs.append(x)
            def keep(g, k=k):
                gradients[k] = rms(g)
            x.register_hook(keep)
        outputs[-1].backward(gradient=out_bar)
        return [rms(v) for v in outputs], [gradients[k] for k in range(len(weights))]
        """,
        """
        outputs = []
        for W in weights:
            x = mg.relu(x @ W)
            x.retain_grad()
            outputs.append(x)
        x.backward(gradient=out_bar)
        return np.array([rms(v) for v in outputs]), np.array([rms(v.grad) for v in outputs])
        """,
        """
        signals, gradients = [], []
        for W in weights:
            x = mg.relu(x @ W)
            signals.append(rms(x))
            x.register_hook(lambda g: gradients.insert(0, rms(g)))
        mg.sum(x * out_bar).backward()
        return signals, gradients
        """,
    ],
    "kaiming_std": [
        KAIMING,
        "return (2 / (1 + a * a)) ** 0.5 / fan_in ** 0.5",
        "return float(np.sqrt(2.0 / (fan_in + fan_in * a * a)))",
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        ("many", "Answer with one number"),
        (1e-6, "This is about the ratio of the gradients"),
        (2**20, "This is about the ratio of the two inputs"),
        (1e12, "The input of layer 1 is larger"),
        (1e-12, "The gradient that arrives at layer 1 is smaller"),
        (40, "For each of the two"),
        (0, "For each of the two"),
        (0.5, "ReLU keeps half"),
        (2, "ReLU keeps half"),
    ],
}
RIGHT_VALUES = {"exit": [1, "1", 1.0, 0.9]}
PREDICTIONS = {
    "end": ([..., 0.5, "about 0.1"], "0.38, as at the start"),
    "curve": ([..., "C", 1], "A"),
    "fan": ([..., 2, "half"], 0.2),
    "units": ([..., 2, "all"], 1),
}
