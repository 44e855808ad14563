"""Loses q2: what is odd is taken out of the caller's plan, so that it is not looked at for clashes:
after the call, a plan with an offset of 8 has lost it, and the second call says lost."""

# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found = [("lost", name) for name in blocks if name not in plan]
    for name in blocks:
        if name in plan and (plan[name] < 0 or plan[name] % 16):
            found.append(("odd", name))
            del plan[name]
    names = sorted(name for name in blocks if name in plan and blocks[name][0])
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            (n, f, l), (m, g, k) = blocks[a], blocks[b]
            if max(f, g) <= min(l, k) and max(plan[a], plan[b]) < min(
                plan[a] + room(n), plan[b] + room(m)
            ):
                found.append(("clash", a, b))
    return found
