"""Wrong answers to q1 of ps6."""


# %% a_base_of_a_base_by_recursion | loses q1: a chain of views is deeper than Python calls. | says:
# It calls itself for each view of a long chain
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    made = {each["name"]: (t, each) for t, each in enumerate(program)}
    found = {}

    def base(name):
        if name not in found:
            _, each = made[name]
            found[name] = base(each["reads"][0]) if each["kind"] == "view" else name
        return found[name]

    for name in reversed(made):
        base(name)
    life = {name: (t, t) for name, (t, each) in made.items() if each["kind"] != "view"}
    wanted = [(read, t) for t, each in enumerate(program) for read in each["reads"]]
    for name, t in wanted + [(name, len(program) - 1) for name in fetches]:
        life[base(name)] = (life[base(name)][0], t)
    return life


# %% recursion_with_a_higher_limit | loses q1: a call for each view of a chain, with a higher limit.
# | says: It calls itself for each view of a long chain (rule 4)
import sys

sys.setrecursionlimit(10**6)


def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    made = {each["name"]: (t, each) for t, each in enumerate(program)}
    found = {}

    def base(name):
        if name not in found:
            _, each = made[name]
            found[name] = base(each["reads"][0]) if each["kind"] == "view" else name
        return found[name]

    for name in reversed(made):
        base(name)
    life = {name: (t, t) for name, (t, each) in made.items() if each["kind"] != "view"}
    wanted = [(read, t) for t, each in enumerate(program) for read in each["reads"]]
    for name, t in wanted + [(name, len(program) - 1) for name in fetches]:
        life[base(name)] = (life[base(name)][0], t)
    return life


# %% a_list_that_has_grown | loses q1: the bases and readers of a program are remembered for the
# list object: a second call, after the caller has added steps to the list, answers for the
# shorter program. | says: A result of an earlier call is used again
SEEN = {}


def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    if id(program) not in SEEN:
        base, life = {}, {}
        for t, one in enumerate(program):
            for x in one["reads"]:
                life[base[x]] = (life[base[x]][0], t)
            if one["kind"] == "view":
                base[one["name"]] = base[one["reads"][0]]
            else:
                base[one["name"]] = one["name"]
                life[one["name"]] = (t, t)
        SEEN[id(program)] = program, base, life  # the program, too: its id stays its own
    _, base, life = SEEN[id(program)]
    found = dict(life)
    for name in fetches:
        found[base[name]] = (found[base[name]][0], len(program) - 1)
    return found


# %% a_view_is_not_made_of_anything | loses q1: the step of a view does not read its operand. |
# says: Making a view does not count as reading its operand
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"] if each["kind"] != "view" else ():
            life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life


# %% climbs_for_each_reader | loses q1: every reader of a view climbs all the way to the base: with
# thousands of readers of a view that is a view of thousands of views, it looks at each step
# thousands of times. | says: It goes through the program, or a chain of views, again for each
# step, or calls itself for each view
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    parent, first, last = {}, {}, {}

    def base_of(name):
        while name in parent:
            name = parent[name]
        return name

    for t, one in enumerate(program):
        if one["kind"] == "view":
            parent[one["name"]] = one["reads"][0]
            last[one["reads"][0]] = t
        else:
            first[one["name"]] = last[one["name"]] = t
            for x in one["reads"]:
                last[base_of(x)] = t
    for name in reversed(list(parent)):  # what a view of it has read, it has read
        last[parent[name]] = max(last[parent[name]], last.get(name, 0))
    for name in fetches:
        last[base_of(name)] = len(program) - 1
    return {name: (first[name], last[name]) for name in first}


# %% fetched_is_read_by_nobody | loses q1: a fetch counts only where nobody else reads. | says: A
# fetched value does not live until the last step
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            life[base[read]] = (life[base[read]][0], t)
    for name in (name for name in fetches if life[base[name]][0] == life[base[name]][1]):
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life


# %% fetched_views_are_forgotten | loses q1: a view that is fetched keeps nothing. | says: A fetched
# view does not keep its base until the last step
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            life[base[read]] = (life[base[read]][0], t)
    for name in (name for name in fetches if name in life):
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life


# %% fetches_searched_at_every_step | loses q1: the list of fetches is searched at every step. |
# says: It goes through the program, or a chain of views, again for each step, or calls itself
# for each view
# %% q1 after the key
def live_ranges(program, fetches):
    base, found, end = {}, {}, len(program) - 1
    for t, each in enumerate(program):
        name = each["name"]
        for read in each["reads"]:
            first, last = found[base[read]]
            found[base[read]] = first, max(last, t)
        base[name] = base[each["reads"][0]] if each["kind"] == "view" else name
        found.setdefault(base[name], (t, t))
        if name in fetches:
            found[base[name]] = found[base[name]][0], end
    return found


# %% one_floor_of_views | loses q1: the base of a view of a view is a view. | says: A view of a view
# does not lead to the base
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = each["reads"][0]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            if base[read] in life:
                life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        if base[name] in life:
            life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life


# %% only_the_first_operand | loses q1: the others are read, too. | says: An operand after the first
# does not count as read
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"][:1]:
            life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life


# %% readers_of_views_are_lost | loses q1: who reads a view does not read its base. | says: A step
# that reads a view does not count as a reader of the base
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            if read in life:
                life[read] = (life[read][0], t)
    for name in fetches:
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life


# %% rewrites_what_is_read | loses q1: it puts the bases in place of the views into the caller's own
# steps: after the call, a program with a view that is read has other reads than before. | says:
# The call changes a dict or a list that it is given
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, first, last = {}, {}, {}
    for t, one in enumerate(program):
        one["reads"] = [base[x] for x in one["reads"]]
        for x in one["reads"]:
            last[x] = t
        name = one["name"]
        if one["kind"] == "view":
            base[name] = one["reads"][0]
        else:
            base[name] = name
            first[name] = last[name] = t
    for name in fetches:
        last[base[name]] = len(program) - 1
    return {name: (first[name], last[name]) for name in first}


# %% taken_off_twice | loses q1: it counts readers, a step once for each base, but takes one off for
# each name: a step that reads a value and a view of it ends the value's life before a later
# reader comes. | says: A step that reads a value and a view of it counts as two readers
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, waiting = {}, {}
    for one in program:
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
        for owner in {base[x] for x in one["reads"]}:
            waiting[owner] = waiting.get(owner, 0) + 1
    kept = {base[name] for name in fetches}
    first, last = {}, {}
    for t, one in enumerate(program):
        for x in set(one["reads"]):
            owner = base[x]
            waiting[owner] -= 1
            if waiting[owner] == 0:  # that was the last one
                last[owner] = t
        if one["kind"] != "view":
            first[one["name"]] = t
    end = len(program) - 1
    return {name: (t, end if name in kept else last.get(name, t)) for name, t in first.items()}


# %% the_base_is_looked_for_again | loses q1: each reader walks the whole chain of views. | says: It
# goes through the program, or a chain of views, again for each step, or calls itself for each
# view
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = each["reads"][0]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            b = bottom(base, read)
            life[b] = (life[b][0], t)
    for b in [bottom(base, name) for name in fetches]:
        life[b] = (life[b][0], len(program) - 1)
    return life


def bottom(base, name):
    """The base below all views."""
    while base[name] != name:
        name = base[name]
    return name


# %% unread_is_nothing | loses q1: what nobody reads is not listed. | says: A value that no step
# reads has no entry
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    read = {base[name] for name in fetches}
    read |= {base[name] for each in program for name in each["reads"]}
    return {name: span for name, span in life.items() if name in read}


# %% unread_until_the_end | loses q1: what nobody reads is kept. | says: A value that no step reads
# lives longer than its own step
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    read = {base[name] for each in program for name in each["reads"]}
    return {name: span if name in read else (span[0], len(program) - 1)
            for name, span in life.items()}


# %% until_the_last_read | loses q1: what is fetched lives until the last step that reads something:
# where the program ends with steps that read nothing, as a constant that is fetched, it dies too
# early. | says: A fetched value does not live until the last step
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, first, last, end = {}, {}, {}, 0
    for t, one in enumerate(program):
        for x in one["reads"]:
            last[base[x]] = end = t
        name = one["name"]
        if one["kind"] == "view":
            base[name] = base[one["reads"][0]]
        else:
            base[name] = name
            first[name] = last[name] = t
    for name in fetches:
        last[base[name]] = max(last[base[name]], end)
    return {name: (first[name], last[name]) for name in first}


# %% views_have_lives | loses q1: a view is listed with a life of its own. | says: A view has an
# entry, although it has no bytes of its own
def live_ranges(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life | {each["name"]: life[base[each["name"]]] for each in program}
