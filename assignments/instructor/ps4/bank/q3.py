"""Wrong answers to q3 of ps4."""


# %% a_fetch_is_always_computed | loses q3: a fetch is listed even when it is fed, and twice when it
# is asked for twice.
# %% q3 after the key
listed_by_the_key = needed


def needed(fetches, fed=()):
    listed = listed_by_the_key(fetches, fed)
    return listed + [x for x in set(fetches) if fetches.count(x) > 1 and x in listed]


# %% a_leaf_without_value | loses q3: a leaf with no value is taken for a placeholder by `not
# node.value`: constant(0) is left out.
# %% q3 after the key
everything = needed


def needed(fetches, fed=()):
    return [node for node in everything(fetches, fed) if node.inputs or node.value]


# %% a_lone_fetch_is_listed | loses q3: where nothing is left to compute, the fetch itself is
# listed, though it is fed.
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    lone = [x for x in fetches if x.op != "placeholder"] if len(fetches) == 1 else []
    return needed(fetches, fed) or lone


# %% a_name_is_a_placeholder | loses q3: what has a name is a placeholder, so that one with the
# empty name is listed.
# %% q3 after the key
def needed(fetches, fed=()):
    listed, done, waiting = [], set(fed), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in done:
            done.add(node)
            if not node.name:
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed


# %% adds_to_the_fed | loses q3: the caller's list of fed nodes grows.
def needed(fetches, fed=None):
    done, listed = [] if fed is None else fed, []
    seen = set(done)
    waiting = [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in seen:
            seen.add(node)
            done.append(node)
            if node.op != "placeholder":
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed


# %% all_above_the_fed | loses q3: everything that leads to a fed node is left out, also what
# another fetch needs: exp(x), with exp(x) + 1 fed, for exp(x) · 2.
# %% q3 after the key
everything = needed


def needed(fetches, fed=()):
    done, above = set(fed), list(fed)  # a fed node is not computed, so nothing that leads to it is
    while above:
        for x in above.pop().inputs:
            if x not in done and x not in fetches:
                done.add(x)
                above.append(x)
    return everything(fetches, done)


# %% answers_kept_by_the_lists | loses q3: an answer is kept by fetches and fed nodes and given
# again: when the caller has changed that list, the next answer has the change.
# %% q3 after the key
KEPT = {}


def needed(fetches, fed=(), needed=needed):
    key = tuple(fetches), tuple(fed)
    if key not in KEPT:
        KEPT[key] = needed(fetches, fed)
    return KEPT[key]


# %% below_the_fed | loses q3: leaves fed nodes out, but goes on below them.
def needed(fetches, fed=()):
    listed, done, waiting = [], set(), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            if node not in fed:
                listed.append(node)
        elif node not in done:
            done.add(node)
            if node.op != "placeholder":
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed


# %% equal_nodes_listed_once | loses q3: 'each once' is taken for each formula: of two nodes with
# the same op, value and inputs, as two constants 2.0 or exp(a) written twice, the second is not
# listed; a run computes both.
def needed(fetches, fed=()):
    """The nodes that a run of the fetches computes, inputs before users."""
    order, formulas, done, waiting = [], set(), set(fed), list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [] if node in done else [x for x in node.inputs if x not in done]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if node in done:
            continue
        done.add(node)
        formula = node.op, node.value, node.inputs
        if node.op != "placeholder" and formula not in formulas:
            formulas.add(formula)
            order.append(node)
    return order


# %% fetch_by_fetch | loses q3: each fetch is listed for itself, users first, and the whole list is
# turned round at the end: needed([b, exp(b)]) has exp(b) before b.
def needed(fetches, fed=()):
    users_first, seen = [], set(fed)
    for fetch in fetches:
        order, waiting = [], [(fetch, False)]
        while waiting:
            node, ready = waiting.pop()
            if ready:
                order.append(node)
            elif node not in seen and node.op != "placeholder":
                seen.add(node)
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
        users_first.extend(reversed(order))
    return users_first[::-1]


# %% fetched_placeholders | loses q3: a placeholder that is fetched beside other nodes is listed.
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    leaves = [x for x in dict.fromkeys(fetches) if x.op == "placeholder" and x not in fed]
    return [*leaves, *needed(fetches, fed)] if len(fetches) > 1 else needed(fetches, fed)


# %% known_by_place | loses q3: answers are kept by the id of the nodes; a new graph at the place of
# a dead one gets the old list.
# %% q3 after the key
ANSWERS = {}
search = needed


def needed(fetches, fed=()):
    key = tuple(map(id, fetches)), tuple(map(id, fed))
    if key not in ANSWERS:
        ANSWERS[key] = [id(node) for node in search(fetches, fed)]
    nodes, waiting = {}, list(fetches)
    while waiting:
        node = waiting.pop()
        if id(node) not in nodes:
            nodes[id(node)] = node
            waiting.extend(node.inputs)
    return [nodes[place] for place in ANSWERS[key] if place in nodes]


# %% leaves_out_what_cannot_be_computed | loses q3: runs the nodes to see whether they are needed.
# %% q3 after the key
listed_by_the_key = needed


def needed(fetches, fed=()):
    listed = listed_by_the_key(fetches, fed)
    for node in listed:
        if node.op == "log" and node.inputs[0].op == "constant" and node.inputs[0].value <= 0:
            listed.remove(node)
    return listed


# %% one_list_for_all | loses q3: every call fills and returns the same list, so that earlier
# answers change.
# %% q3 after the key
LISTED = []


def needed(fetches, fed=(), needed=needed):
    LISTED[:] = needed(fetches, fed)
    return LISTED


# %% placeholders_listed | loses q3: lists placeholders, which nobody computes.
def needed(fetches, fed=()):
    listed, done, waiting = [], set(fed), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in done:
            done.add(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs)
    return listed


# %% places_on_the_nodes | loses q3: nodes get their place in the list as an attribute, which stays.
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    listed = needed(fetches, fed)
    for place, node in enumerate(listed):
        node.place = place
    return listed


# %% remembers_what_is_fed | loses q3: fed nodes of an earlier call are left out of the next one,
# too.
# %% q3 after the key
listed_by_the_key, FED = needed, set()


def needed(fetches, fed=()):
    FED.update(fed)
    return listed_by_the_key(fetches, FED)


# %% reversed_meeting_order | loses q3: the order of meeting, turned round: near and far users come
# wrong.
def needed(fetches, fed=()):
    met, waiting = {}, list(fetches)
    while waiting:
        node = waiting.pop(0)
        if node not in met and node not in fed and node.op != "placeholder":
            met[node] = True
            waiting.extend(node.inputs)
    return list(met)[::-1]


# %% unknown_words_are_refused | loses q3: an op that no run could compute is refused, though
# nothing is run.
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    listed = needed(fetches, fed)
    for node in listed:
        if node.op != "constant":
            COMPUTE[node.op]
    return listed


# %% users_before_inputs | loses q3: lists a node when it is met, before its inputs.
def needed(fetches, fed=()):
    listed = []
    waiting = list(fetches)
    while waiting:
        node = waiting.pop()
        if node not in listed and node not in fed and node.op != "placeholder":
            listed.append(node)
            waiting.extend(node.inputs)
    return listed
