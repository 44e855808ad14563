"""Wrong answers to q6 of ps5."""


# %% by_the_number_of_nodes | loses q6: a round that replaces nodes by as many others has changed
# something.
# | says: It stops because the number of nodes is the same
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if len(nodes_of(before)) == len(nodes_of(current)):
            break
    return current


# %% each_until_it_rests | loses q6: each pass goes on alone until it rests, and never again.
# | says: It does not call every pass of the list once in each round
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    for each in passes:
        for _ in range(rounds):
            before, current = current, list(each(current, fed))
            if all(a is b for a, b in zip(before, current)):
                break
    return current


# %% fed_is_forgotten | loses q6: the passes are not told what is fed.
# | says: The passes do not get the list of fed nodes
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        before = current
        for each in passes:
            current = list(each(current, ()))
        if all(a is b for a, b in zip(before, current)):
            break
    return current


# %% for_ever | loses q6: passes that never agree run for ever.
# | says: It stops after `rounds` rounds at the latest
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    while True:
        before = current
        for each in passes:
            current = list(each(current, fed))
        if all(a is b for a, b in zip(before, current)):
            break
    return current


# %% ids_of_the_dead | loses q6: a node that nobody holds leaves its id to the next one.
# | says: because Python reused an id
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    fetches = list(fetches)
    for _ in range(rounds):
        before = [id(node) for node in fetches]
        for change in passes:
            fetches = change(fetches, fed)
        if [id(node) for node in fetches] == before:
            break
    return list(fetches)


# %% in_the_callers_list | loses q6: the list of the caller is changed.
# | says: It changes a list that it was given
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = fetches
    for _ in range(rounds):
        before = list(current)
        for each in passes:
            current[:] = each(list(current), fed)
        if all(a is b for a, b in zip(before, current)):
            break
    return current


# %% one_round | loses q6: one round, whatever happens.
# | says: It stops although the last round has changed a node
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    for _ in range(min(rounds, 1)):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if all(a is b for a, b in zip(before, current)):
            break
    return current


# %% one_round_more | loses q6: one round more than was asked.
# | says: or beyond `rounds`
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    for _ in range(rounds + 1):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if all(a is b for a, b in zip(before, current)):
            break
    return current


# %% rests_after_the_first_idle_pass | loses q6: one idle pass ends it, but not the round.
# | says: because one pass of several has changed nothing
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        for each in passes:
            before, current = current, list(each(current, fed))
            if all(a is b for a, b in zip(before, current)):
                return current
    return current


# %% retires_a_pass | loses q6: a pass that has finished may get work from a later one.
# | says: It does not call every pass of the list once in each round
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    fetches, busy = list(fetches), list(passes)
    for _ in range(rounds):
        for change in list(busy):
            came = list(change(fetches, fed))
            if all(a is b for a, b in zip(came, fetches)):
                busy.remove(change)
            fetches = came
        if not busy:
            break
    return fetches


# %% stops_in_a_circle | loses q6: it stops at nodes that it has seen before, not after the rounds.
# | says: that it had two rounds before
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    seen = set()
    for _ in range(rounds):
        if tuple(fetches) in seen:
            break
        seen.add(tuple(fetches))
        for change in passes:
            fetches = change(fetches, fed)
    return list(fetches)


# %% the_first_fetch_only | loses q6: the other fetches go on changing.
# | says: It does not look at every fetch
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if before[0] is current[0]:
            break
    return current


# %% undone_is_not_changed | loses q6: each pass is compared with the one before, so two that undo
# each other never rest.
# | says: It compares after each pass
def improve(passes, fetches, fed=(), rounds=100):
    fetches = list(fetches)
    for _ in range(rounds):
        changed = False
        for each in passes:
            new = list(each(fetches, fed))
            changed = changed or any(a is not b for a, b in zip(new, fetches))
            fetches = new
        if not changed:
            break
    return fetches


# %% returns_the_round_before | loses q6: at the end of the rounds the last round is lost.
# | says: It does not return what the last pass has returned
def improve(passes, fetches, fed=(), rounds=100):
    before = list(fetches)
    for _ in range(rounds):
        now = before
        for p in passes:
            now = p(now, fed)
        if all(a is b for a, b in zip(before, now)):
            return list(now)
        previous, before = before, now
    return list(previous) if rounds else before
