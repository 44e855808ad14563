"""Wrong answers to q6 of ps8."""


# %% a_list_equals_itself | loses q6: lists are compared as a whole first, and a list with NaN
# equals itself.
# %% q6 after the key
entry_by_entry = apart


def apart(ours, theirs):
    return 0.0 if ours is theirs else entry_by_entry(ours, theirs)


# %% a_little_below_the_line | loses q6: a small number saves the division, and hides small losses.
# %% q6 after the key
def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("unequal lengths")
    far = [0.0]
    for a, b in zip(ours, theirs):
        if a != b:
            finite = np.isfinite(a) and np.isfinite(b)
            far.append(abs(a - b) / (max(abs(a), abs(b)) + 1e-15) if finite else np.inf)
    return max(far)


# %% apart_beside_ours | loses q6: differences are measured by the first list alone.
# %% q6 after the key
def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("unequal lengths")
    far = [0.0]
    for a, b in zip(ours, theirs):
        if a != b:
            far.append(abs(a - b) / abs(a) if a and np.isfinite(a) and np.isfinite(b) else np.inf)
    return max(far)


# %% apart_in_an_array | loses q6: np.where chooses, and returns an array without axes.
# %% q6 after the key
whole = apart


def apart(ours, theirs):
    found = whole(ours, theirs)
    return np.where(np.isfinite(found), found, np.inf)


# %% bytes_along_every_path | loses q6: what is used twice is walked through twice.
# %% q6 after the key
def kept_bytes(end):
    owners, waiting = {}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                owners[id(owner)] = owner.nbytes
        waiting.extend(one.inputs)
    return sum(owners.values())


# %% bytes_by_recursion | loses q6: a call for each Tensor, inside that of its user.
# %% q6 after the key
def kept_bytes(end):
    owners, seen = {}, set()

    def visit(one):
        if id(one) not in seen:
            seen.add(id(one))
            for array in (one.value, one.grad):
                if array is not None:
                    owner = array if array.base is None else array.base
                    owners[id(owner)] = owner.nbytes
            for x in one.inputs:
                visit(x)

    visit(end)
    return sum(owners.values())


# %% divides_and_sees | loses q6: 0 beside 0 is found by an error that NumPy's numbers do not raise.
# %% q6 after the key
def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of unequal length")
    furthest, infinite = 0.0, float("inf")
    for a, b in zip(ours, theirs):
        if abs(a) == infinite and a == b:
            continue
        try:
            one = abs(a - b) / max(abs(a), abs(b))
        except ZeroDivisionError:
            one = 0.0
        furthest = max(furthest, one if one == one else infinite)
    return furthest


# %% equal_arrays_are_one | loses q6: arrays with the same numbers count once.
# %% q6 after the key
def kept_bytes(end):
    owners, seen, waiting = {}, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                owners[owner.tobytes(), owner.shape] = owner.nbytes
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return sum(owners.values())


# %% equal_times_count_once | loses q6: the median of the different times; equal ones count once.
# %% q6 after the key
def seconds(work, clock, times):
    work()
    found = set()
    for _ in range(times):
        begun = clock()
        work()
        found.add(clock() - begun)
    return float(np.median(sorted(found)))


# %% infinite_at_once | loses q6: infinity at the first NaN, before the lists are seen to have
# unequal lengths.
# %% q6 after the key
def apart(ours, theirs):
    furthest = 0.0
    for a, b in zip(ours, theirs, strict=True):
        if a != b:
            if not (np.isfinite(a) and np.isfinite(b)):
                return np.inf
            furthest = max(furthest, abs(a - b) / max(abs(a), abs(b)))
    return furthest


# %% marks_on_tensors | loses q6: Tensors that were counted carry a mark, which not all can.
# %% q6 after the key
def kept_bytes(end):
    owners, turn, waiting = {}, object(), [end]
    while waiting:
        one = waiting.pop()
        if getattr(one, "turn", None) is turn:
            continue
        one.turn = turn
        for array in (one.value, one.grad):
            while getattr(array, "base", None) is not None:
                array = array.base
            if array is not None:
                owners[id(array)] = array.nbytes
        waiting.extend(one.inputs)
    return sum(owners.values())


# %% nan_is_passed_over | loses q6: a comparison with NaN is never true.
# %% q6 after the key
def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("unequal lengths")
    furthest = 0.0
    for a, b in zip(ours, theirs):
        if a != b:
            far = abs(a - b) / max(abs(a), abs(b))
            furthest = max(furthest, np.inf if far != far and abs(a) == np.inf else far)
    return furthest


# %% numbers_count_each_time | loses q6: a NumPy number that two hold counts twice.
# %% q6 after the key
def kept_bytes(end):
    owners, numbers, seen, waiting = {}, 0, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if isinstance(array, np.generic):
                numbers += array.nbytes
            elif array is not None:
                while array.base is not None:
                    array = array.base
                owners[id(array)] = array.nbytes
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return sum(owners.values()) + numbers


# %% once_for_each_tensor | loses q6: an array that two Tensors hold counts twice.
# %% q6 after the key
def kept_bytes(end):
    total, seen, waiting = 0, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        owners = {}
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                owners[id(owner)] = owner.nbytes
        total += sum(owners.values())
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return total


# %% seen_in_a_list | loses q6: whether a Tensor was seen is looked up in a list, from its
# beginning.
# %% q6 after the key
def kept_bytes(end):
    owners, seen, waiting = {}, [id(end)], [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            while getattr(array, "base", None) is not None:
                array = array.base
            if array is not None:
                owners[id(array)] = array.nbytes
        for x in one.inputs:
            if id(x) not in seen:
                seen.append(id(x))
                waiting.append(x)
    return sum(owners.values())


# %% takes_the_losses | loses q6: the caller's lists are empty afterwards.
# %% q6 after the key
whole = apart


def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of unequal length")
    furthest = 0.0
    while ours:
        furthest = max(furthest, whole([ours.pop()], [theirs.pop()]))
    return furthest


# %% the_first_call_counts | loses q6: the call that pays for more is among those measured.
# %% q6 after the key
def seconds(work, clock, times):
    found = []
    for _ in range(times + 1):
        begun = clock()
        work()
        found.append(clock() - begun)
    return float(np.median(found))


# %% the_lower_of_two | loses q6: of an even number, one of the two in the middle.
# %% q6 after the key
def seconds(work, clock, times):
    work()
    found = []
    for _ in range(times):
        begun = clock()
        work()
        found.append(clock() - begun)
    return sorted(found)[(times - 1) // 2]


# %% the_mean_of_times | loses q6: one call that was disturbed moves the result.
# %% q6 after the key
def seconds(work, clock, times):
    work()
    found = []
    for _ in range(times):
        begun = clock()
        work()
        found.append(clock() - begun)
    return float(np.mean(found))


# %% views_by_their_own_size | loses q6: a view counts as what it shows.
# %% q6 after the key
def kept_bytes(end):
    found, seen, waiting = {}, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if array is not None:
                found[id(array)] = array.nbytes
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return sum(found.values())


# %% warm_from_before | loses q6: work that was called by an earlier measurement is not called for
# nothing again.
# %% q6 after the key
WARM = set()


def seconds(work, clock, times):
    if work not in WARM:
        WARM.add(work)
        work()
    found = []
    for _ in range(times):
        begun = clock()
        work()
        found.append(clock() - begun)
    return float(np.median(found))
