"""Finding repeats: a run of nodes in creation order whose pattern comes back again and again."""

from collections import defaultdict
from os.path import commonprefix

from minigrad.draw.read.outline import NodeGroup, OpenIteration, order_groups
from minigrad.draw.scene import MARK

LONGEST = 24  # nodes in one iteration of a repeat
PASSES = 4  # repeats within repeats
LEAST = 3  # closed scopes that are folded though there would be room for them


# The cost of a picture is the number of its nodes; it may be at most a budget. A run of t
# iterations of p nodes each is drawn as one, so folding it gains (t - 1) p nodes: a longer period
# gains no more by its length. The best choice is few runs that share no node and gain what is over
# the budget. They are chosen greedily: the largest gain first, of equal ones the shortest period,
# then the earliest.


def fold_repeats(outline, folding, budget, keep, within=None):
    """Repeats made one node each, the largest gain first, until the budget is kept.

    `keep` are positions that the reader asked to see; with `within`, only what repeats among these
    positions, LEAST times or more, is folded.
    """
    for _ in range(PASSES):
        chain = Chain(outline, folding.groups, keep, within)
        runs = disjoint(chain, folding.size() - budget)
        if not runs:
            break
        made = [chain.as_group(run) for run in runs]
        inside = {at for group in made for at in group.members}
        rest = [group for group in folding.groups if group.members[0] not in inside]
        said = [repeat_words(group) for group in made]
        iterations = (iteration for run in runs for iteration in chain.open_iterations(run))
        folding = folding._replace(
            groups=order_groups(rest + made),
            said=folding.said + said,
            iterations=(*folding.iterations, *iterations),
        )
        if folding.size() <= budget:
            break
    return folding


def repeat_words(group):
    """What was folded: "12 × “block” folded"."""
    return f"{group.times:,} × “{group.label}” folded"


def disjoint(chain, wanted):
    """Runs that share no node, largest gain first, until so many nodes are saved."""
    runs = []
    for period in range(1, min(LONGEST, len(chain.signs) // 2) + 1):
        runs += chain.runs(period)
        if any(gain >= wanted for gain, *_ in runs):
            break  # one is enough: longer patterns would only be slower to find
    chosen, taken, saved = [], set(), 0
    for gain, start, period, times in sorted(runs, key=lambda run: (-run[0], run[2], run[1])):
        span = range(start, start + period * times)
        if saved >= wanted or not gain:
            break
        if taken.isdisjoint(span):
            chosen.append((start, period, times))
            taken.update(span)
            saved += gain
    return chosen


def spans_of_period(signs, period):
    """(start, end) of every longest span of two iterations or more, in which each sign is that of
    the same place in the iteration before."""
    same = 0
    for at in range(period, len(signs) + 1):
        if at < len(signs) and signs[at] == signs[at - period]:
            same += 1
            continue
        if same >= period:
            yield at - same - period, at
        same = 0


class Chain:
    """The nodes that have inputs, in order, each with a signature equal for equal places."""

    def __init__(self, outline, groups, keep, within=None):
        self.outline, self.keep, self.results = outline, keep, frozenset(outline.results)
        self.within = within
        self.open_iteration_counts = {}  # (start, period) of a run → how many before it
        owner = {at: group for group in groups for at in group.members}
        self.sources = {group.members[0]: self.outer_sources(group, owner) for group in groups}
        fed = (group for group in groups if self.sources[group.members[0]])
        self.steps = sorted(fed, key=lambda group: group.members[-1])  # weights are made first
        self.place = {group.members[0]: at for at, group in enumerate(self.steps)}
        self.leaves = defaultdict(list)  # step → leaves that only it uses
        self.share_leaves(groups)
        self.signs = self.signatures()

    def outer_sources(self, group, owner):
        """The first members of the groups that feed this one, in operand order."""
        fed = [owner[s] for at in group.members for s in self.outline.inputs[at] if s in owner]
        return [source.members[0] for source in fed if source is not group]

    def share_leaves(self, groups):
        """Note for every leaf the range of steps that use it."""
        users = defaultdict(list)
        for at, step in enumerate(self.steps):
            for source in self.sources[step.members[0]]:
                users[source].append(at)
        for group in groups:
            first = group.members[0]
            if first not in self.place and users[first] and first not in self.results:
                self.leaves[users[first][0]].append((users[first][-1], group))

    def signatures(self):
        """Small numbers, equal where op (or scope stem) and relative inputs are equal."""
        known = {}
        return [known.setdefault(self.sign(at), len(known)) for at in range(len(self.steps))]

    def sign(self, at):
        step = self.steps[at]
        if not self.results.isdisjoint(step.members):
            return ("result", at)
        offsets = tuple(
            at - self.place[source] if source in self.place else self.outline.roles[source]
            for source in self.sources[step.members[0]]
        )
        return (self.word(step), offsets)

    def word(self, step):
        """What a step does: its op, or its scope's name without the number."""
        if step.kind == "one":
            return self.outline.ops[step.members[0]] or "?"
        return step.label.rstrip("0123456789").rstrip("_-.") or step.label

    def runs(self, period):
        """(gain, start, period, times) for every longest run of a period."""
        for start, end in spans_of_period(self.signs, period):
            start = self.align(start, end, period)
            yield self.trim(start, period, (end - start) // period)

    def align(self, start, end, period):
        """Where the first iteration begins: it may read other values than those after it.

        As far to the left as that leads: a layer then begins with its weights, not in the middle.
        """
        early = (start - shift for shift in range(min(period, start), 0, -1))
        return next((at for at in early if self.is_first_turn(at, start, period)), start)

    def is_first_turn(self, first, start, period):
        """Whether the steps from `first` to `start` are like those an iteration later, but for what
        comes from before `first`."""
        pairs = zip(self.steps[first:start], self.steps[first + period :])
        return all(self.is_like(step, later, first, period) for step, later in pairs)

    def is_like(self, step, later, first, period):
        """Whether a step of the first iteration is like the one an iteration later."""
        sources, others = self.sources[step.members[0]], self.sources[later.members[0]]
        if self.word(step) != self.word(later) or len(sources) != len(others):
            return False
        if not self.results.isdisjoint(step.members):
            return False
        for place, moved in zip(map(self.place.get, sources), map(self.place.get, others)):
            inside = place is not None and place >= first
            mirrored = moved is not None and moved >= first + period
            if (inside or mirrored) and not (inside and moved == place + period):
                return False
        return True

    def trim(self, start, period, times):
        """The run without its iterations up to the last node that the reader asked to see."""
        if self.within is not None and not self.is_within(start, start + period * times, times):
            return (0, start, period, times)
        asked = [
            at
            for at in range(start, start + period * times)
            if self.keep and not self.keep.isdisjoint(self.members(at, len(self.steps)))
        ]
        iterations = (asked[-1] - start) // period + 1 if asked else 0
        self.open_iteration_counts[start + iterations * period, period] = iterations
        gain = max(0, times - iterations - 1) * period
        return (gain, start + iterations * period, period, times - iterations)

    def is_within(self, start, end, times):
        """Whether all steps of a run are among those that may be folded."""
        steps = self.steps[start:end]
        return times >= LEAST and all(self.within.issuperset(step.members) for step in steps)

    def members(self, at, end):
        """The values of one step and of the leaves that are used from it to `end` only."""
        leaves = (leaf.members for last, leaf in self.leaves[at] if last < end)
        return [*self.steps[at].members, *(member for some in leaves for member in some)]

    def open_iterations(self, run):
        """An OpenIteration for each iteration that stays open before a run."""
        first, period, times = run
        count = self.open_iteration_counts.get((first, period), 0)
        for iteration in range(count):
            start = first - (count - iteration) * period
            whole = self.as_group((start, period, times + count - iteration))
            end = start + period
            given = {*self.given_to(start, period)}
            members = {m for at in range(start, end) for m in self.members(at, end)} - given
            around = self.scope_around(self.steps[start:end])
            path = "/".join(filter(None, (around, MARK + self.outline.ids[whole.members[0]])))
            words = f"{iteration + 1} of {times + count:,} × {whole.label}"
            yield OpenIteration(around, path, frozenset(members), words)

    def scope_around(self, steps):
        """The innermost scope that holds all steps, and not only one closed scope."""
        paths = [
            step.path.rpartition("/")[0] if step.path else self.outline.scopes[step.members[0]]
            for step in steps
        ]
        shared = commonprefix([f"{path}/" for path in paths])  # noqa: RUF071  up to the last /
        return shared.rpartition("/")[0]

    def given_to(self, start, period):
        """The leaves that the first iteration reads where the next reads what it computed."""
        for at in range(start, start + period):
            pair = (self.sources[self.steps[i].members[0]] for i in (at, at + period))
            for source, later in zip(*pair):
                if source not in self.place and later in self.place:
                    yield source

    def as_group(self, run):
        """One group for a run, with the leaves that only the run uses."""
        start, period, times = run
        end = start + period * times
        given = {*self.given_to(start, period)} if times > 1 else ()
        found = (member for at in range(start, end) for member in self.members(at, end))
        members = [member for member in found if member not in given]
        words = list(dict.fromkeys(self.word(step) for step in self.steps[start : start + period]))
        label = " → ".join(words[:3]) + (" …" if len(words) > 3 else "")
        inner = self.steps[start].times if period == 1 else 1
        return NodeGroup(tuple(sorted(members)), "repeat", label, times * inner)
