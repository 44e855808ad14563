"""What students answer in lesson 11, wrong and right; test_lab_banks.py tells the form."""

SWEEP = """
losses = []
for rate in rates:
    w = mg.tensor(start, requires_grad=True)
    for step in range(steps):
        w.grad = None
        loss_of(w).backward()
        with mg.no_grad():
            w -= rate * w.grad
    losses.append(loss_of(w).item())
return losses
"""
SGD = """
v = momentum * v + g
return w - lr * v, v
"""
ADAM = """
m = beta1 * m + (1 - beta1) * g
s = beta2 * s + (1 - beta2) * g ** 2
m_hat = m / (1 - beta1 ** t)
s_hat = s / (1 - beta2 ** t)
return w - lr * m_hat / (np.sqrt(s_hat) + eps), m, s
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


SIGNATURES = {
    "sweep": "loss_of, start, rates, steps",
    "sgd_step": "w, v, g, lr, momentum",
    "adam_step": "w, m, s, g, t, lr, beta1=0.9, beta2=0.999, eps=1e-8",
}
WRONG_FUNCTIONS = {
    "sweep": [
        ("    ...", "Loop over the rates"),
        (
            """
            losses = []
            for rate in rates:
                w = mg.tensor(start, requires_grad=True)
                for step in range(steps):
                    loss_of(w).backward()
                    w = (w - rate * w.grad).detach().requires_grad_()
                losses.append(loss_of(w).item())
            return losses
            """,
            "write x.requires_grad = True",
        ),
        (
            """
            losses = []
            w = mg.tensor(start, requires_grad=True)
            for rate in rates:
                for step in range(steps):
                    w.grad = None
                    loss_of(w).backward()
                    with mg.no_grad():
                        w -= rate * w.grad
                losses.append(loss_of(w).item())
            return losses
            """,
            "one_walk",
        ),
        (changed(SWEEP, "        w.grad = None\n", ""), "gradients_added"),
        (
            """
            losses = []
            for rate in rates:
                w = mg.tensor(start, requires_grad=True)
                for step in range(steps):
                    w.grad = None
                    loss = loss_of(w)
                    loss.backward()
                    with mg.no_grad():
                        w -= rate * w.grad
                losses.append(loss.item())
            return losses
            """,
            "a_step_early",
        ),
        (
            """
            losses = []
            for rate in rates:
                w = mg.tensor(start, requires_grad=True)
                loss_of(w).backward()
                with mg.no_grad():
                    w -= rate * w.grad
                losses.append(loss_of(w).item())
            return losses
            """,
            "Return a list with",
        ),
        (changed(SWEEP, "w -= rate", "w += rate"), "uphill"),
        (changed(SWEEP, "return losses", "return losses[-1]"), "Return a list with"),
        (changed(SWEEP, "\nreturn losses", "\n    return losses"), "first_rate"),
        (changed(SWEEP, "range(steps)", "range(steps + 1)"), "a_step_more"),
        (changed(SWEEP, "mg.tensor(start,", "mg.tensor([0.0, 0.0],"), "from_zeros"),
        (changed(SWEEP, "mg.tensor(start,", "mg.tensor(np.ones(2),"), "Return a list with"),
        (changed(SWEEP, "rate * w.grad", "0.1 * w.grad"), "Return a list with"),
        (changed(SWEEP, "        with mg.no_grad():\n    ", ""), "Each step needs a new"),
        (
            changed(SWEEP, "        with mg.no_grad():\n            w -=", "        w = w -"),
            "Is .grad None there",
        ),
        (changed(SWEEP, ", requires_grad=True", ""), "Each step needs a new"),
        (changed(SWEEP, "mg.tensor(start, requires_grad=True)", "start"), "Make a tensor"),
        (changed(SWEEP, "        loss_of(w).backward()\n", ""), "Is .grad None there"),
        (changed(SWEEP, "return losses", "losses"), "Does it end with return"),
    ],
    "sgd_step": [
        ("    ...", "Compute the new v first"),
        ("return w - lr * v, momentum * v + g", "old_velocity"),
        (changed(SGD, "+ g", "+ (1 - momentum) * g"), "mean_velocity"),
        ("v = momentum * v + lr * g\nreturn w - v, v", "rate_in_velocity"),
        ("v = momentum * v - lr * g\nreturn w + v, v", "signed_velocity"),
        (changed(SGD, "lr * v", "lr * g"), "plain_step"),
        (changed(SGD, "w - lr", "w + lr"), "climbing"),
        (changed(SGD, "w - lr * v, v", "v, w - lr * v"), "First v becomes"),
        (changed(SGD, "lr * v", "lr * (g + momentum * v)"), "nesterov"),
        (changed(SGD, "w - lr * v, v", "w - lr * v"), "First v becomes"),
        (changed(SGD, "+ g", "- g"), "First v becomes"),
        ("new = w - lr * u\nu = momentum * v + g\nreturn new, u", "This name gets its value"),
        ("v *= momentum\nv += g\nreturn w - lr * v, v", "Work on a copy"),
        (changed(SGD, "return ", ""), "Does it end with return"),
    ],
    "adam_step": [
        ("    ...", "Write one line for each"),
        (changed(ADAM, "m_hat / (np.sqrt(s_hat)", "m / (np.sqrt(s)"), "uncorrected"),
        (changed(ADAM, "eps), m, s", "eps), m_hat, s_hat"), "stored_corrected"),
        (changed(ADAM, "np.sqrt(s_hat)", "s_hat"), "without_root"),
        (changed(ADAM, "(np.sqrt(s_hat) + eps)", "np.sqrt(s_hat + eps)"), "eps_inside"),
        (changed(ADAM, "g ** 2", "abs(g)"), "Compare your lines"),
        (
            changed(ADAM, "beta1 ** t", "beta1").replace("beta2 ** t", "beta2"),
            "Compare your lines",
        ),
        (changed(ADAM, "w - lr", "w + lr"), "away"),
        (
            """
            m = beta2 * m + (1 - beta2) * g
            s = beta1 * s + (1 - beta1) * g ** 2
            return w - lr * m / (1 - beta2 ** t) / (np.sqrt(s / (1 - beta1 ** t)) + eps), m, s
            """,
            "swapped_betas",
        ),
        (
            changed(ADAM, "beta1 ** t", "beta1 ** (t + 1)").replace(
                "beta2 ** t", "beta2 ** (t + 1)"
            ),
            "a_power_late",
        ),
        ("t += 1\n" + ADAM, "a_power_late"),
        (
            changed(ADAM, "(1 - beta1) * g", "g").replace("(1 - beta2) * g ** 2", "g ** 2"),
            "Compare your lines",
        ),
        (changed(ADAM, "+ (1 - beta2) * g", "+ g"), "Compare your lines"),
        (
            """
            m_hat = m / (1 - beta1 ** t)
            s_hat = s / (1 - beta2 ** t)
            m = beta1 * m + (1 - beta1) * g
            s = beta2 * s + (1 - beta2) * g ** 2
            return w - lr * m_hat / (np.sqrt(s_hat) + eps), m, s
            """,
            "Compare your lines",
        ),
        (changed(ADAM, "(1 - beta1 ** t)", "(1 - beta1) ** t"), "Compare your lines"),
        (changed(ADAM, "beta1 ** t", "beta1 ^ t"), "A power is written"),
        (changed(ADAM, "m_hat / (np", "m / (np"), "Compare your lines"),
        (changed(ADAM, "np.sqrt(s_hat)", "np.sqrt(s)"), "Compare your lines"),
        (changed(ADAM, " + eps", ""), "Compare your lines"),
        (changed(ADAM, "+ (1 - beta1) * g", "+ g"), "Compare your lines"),
        (changed(ADAM, "m_hat / (np", "g / (np"), "Compare your lines"),
        (changed(ADAM, ", m, s", ""), "Compare your lines"),
        (changed(ADAM, "m = beta1", "m_hat = m / (1 - q)\nq = beta1 ** t\nm = beta1"), "This name"),
        (changed(ADAM, "return ", ""), "Does it end with return"),
    ],
}
RIGHT_FUNCTIONS = {
    "sweep": [
        SWEEP,
        """
        def end(rate):
            w = mg.tensor(start, requires_grad=True)
            optimiser = mg.optim.SGD([w], lr=rate)
            for _ in range(steps):
                optimiser.zero_grad()
                loss_of(w).backward()
                optimiser.step()
            return loss_of(w)
        return [end(rate) for rate in rates]
        """,
        """
        gradient, found = mg.grad(loss_of), []
        for rate in rates:
            w = start.copy()
            for _ in range(steps):
                w = w - rate * gradient(w).numpy()
            found.append(float(loss_of(w).item()))
        return np.array(found)
        """,
        """
        losses = []
        for rate in rates:
            w = mg.tensor([*start], requires_grad=True)
            for _ in range(steps):
                w.grad = None
                loss_of(w).backward()
                with mg.no_grad():
                    for i in range(len(start)):
                        w[i] -= rate * w.grad[i]
            losses += [loss_of(w).numpy()]
        return losses
        """,
        changed(
            SWEEP, "        with mg.no_grad():\n            w -= rate * w.grad",
            "        w = mg.tensor(w.numpy() - rate * w.grad.numpy(), requires_grad=True)",
        ),
    ],
    "sgd_step": [
        SGD,
        "new_v = g + v * momentum\nnew_w = w - new_v * lr\nreturn [new_w, new_v]",
        "return w - lr * (momentum * v + g), momentum * v + g",
        "w, v = w.copy(), v.copy()\nv *= momentum\nv += g\nw -= lr * v\nreturn w, v",
        """
        nw, nv = np.zeros_like(w), np.zeros_like(v)
        for i in range(len(w)):
            nv[i] = momentum * v[i] + g[i]
            nw[i] = w[i] - lr * nv[i]
        return nw, nv
        """,
    ],
    "adam_step": [
        ADAM,
        changed(ADAM, "np.sqrt(s_hat)", "mg.sqrt(s_hat)"),
        """
        m = m + (1 - beta1) * (g - m)
        s = s + (1 - beta2) * (g * g - s)
        rate = lr * (1 - beta2 ** t) ** 0.5 / (1 - beta1 ** t)
        return w - rate * m / (s ** 0.5 + eps * (1 - beta2 ** t) ** 0.5), m, s
        """,
        """
        new_m, new_s = beta1 * m + g * (1 - beta1), beta2 * s + np.square(g) * (1 - beta2)
        corrected = [new_m / (1 - beta1 ** t), new_s / (1 - beta2 ** t)]
        w = w - lr * corrected[0] / (corrected[1] ** 0.5 + eps)
        return [w, new_m, new_s]
        """,
        """
        m, s = m.copy(), s.copy()
        m *= beta1
        m += (1 - beta1) * g
        s *= beta2
        s += (1 - beta2) * g ** 2
        return w - lr * m / (1 - beta1 ** t) / (np.sqrt(s / (1 - beta2 ** t)) + eps), m, s
        """,
        """
        w, m, s = np.array(w), np.array(m), np.array(s)
        for i in range(len(w)):
            m[i] = beta1 * m[i] + (1 - beta1) * g[i]
            s[i] = beta2 * s[i] + (1 - beta2) * g[i] ** 2
            w[i] -= lr * m[i] / (1 - beta1 ** t) / (np.sqrt(s[i] / (1 - beta2 ** t)) + eps)
        return w, m, s
        """,
    ],
}  # fmt: skip
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        ("a lot", "Answer with one number"),
        (0.6, "This is √β"),
        ("3/5", "This is √β"),
        (0.78, "You used κ where"),
        (0.88, "This is (κ − 1)/(κ + 1)"),
        (0.23, "You used the largest curvature as κ. The"),
        (0.48, "You used the largest curvature as κ, and"),
        (0.9, "Take κ first"),
        ([0.36, 0.36], "Answer with one number"),
    ],
}
RIGHT_VALUES = {"exit": [0.36, "9/25", "0.36", (3 / 5) ** 2]}
PREDICTIONS = {
    "rate": ([..., "more", 3], "higher"),
    "beta": ([..., 0.6, "none"], 0.5),
    "sum": ([..., "neither", 1], "SGD"),
    "missing": ([..., "from step 1 on", 12], "from step 12 on"),
}
