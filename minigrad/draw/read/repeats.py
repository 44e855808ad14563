"""Finding repeats: a run of nodes in creation order whose pattern comes back again and again."""

from collections import defaultdict

from minigrad.draw.read.outline import NodeGroup, order_groups

LONGEST = 24  # nodes in one turn of a repeat
PASSES = 4  # repeats within repeats


def fold_repeats(outline, folding, budget, keep):
    """Repeats made one node each, the largest gain first, until the budget is kept."""
    for _ in range(PASSES):
        chain = Chain(outline, folding.groups, keep)
        runs = disjoint(chain, folding.size() - budget)
        if not runs:
            break
        made = [chain.as_group(run) for run in runs]
        inside = {at for group in made for at in group.members}
        rest = [group for group in folding.groups if group.members[0] not in inside]
        said = [f"{group.times:,} × “{group.label}” folded" for group in made]
        folding = folding._replace(groups=order_groups(rest + made), said=folding.said + said)
        if folding.size() <= budget:
            break
    return folding


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


class Chain:
    """The nodes that have inputs, in order, each with a signature equal for equal places."""

    def __init__(self, outline, groups, keep):
        self.outline, self.keep, self.results = outline, keep, frozenset(outline.results)
        owner = {at: group for group in groups for at in group.members}
        self.sources = {group.members[0]: self.outer_sources(group, owner) for group in groups}
        self.steps = [group for group in groups if self.sources[group.members[0]]]
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
        return step.label.rstrip("0123456789").rstrip("_-") or step.label

    def runs(self, period):
        """(gain, start, period, times) for every longest run of a period."""
        same = 0
        for at in range(period, len(self.signs) + 1):
            if at < len(self.signs) and self.signs[at] == self.signs[at - period]:
                same += 1
                continue
            if same >= period:
                yield self.trimmed(at - same - period, period, same // period + 1)
            same = 0

    def trimmed(self, start, period, times):
        """The run without its turns up to the last node that the reader asked to see."""
        asked = [
            at
            for at in range(start, start + period * times)
            if self.keep and not self.keep.isdisjoint(self.members(at, len(self.steps)))
        ]
        turns = (asked[-1] - start) // period + 1 if asked else 0
        gain = max(0, times - turns - 1) * period
        return (gain, start + turns * period, period, times - turns)

    def members(self, at, end):
        """The values of one step and of the leaves that are used from it to `end` only."""
        leaves = (leaf.members for last, leaf in self.leaves[at] if last < end)
        return [*self.steps[at].members, *(member for some in leaves for member in some)]

    def as_group(self, run):
        """One group for a run, with the leaves that only the run uses."""
        start, period, times = run
        end = start + period * times
        members = [member for at in range(start, end) for member in self.members(at, end)]
        words = list(dict.fromkeys(self.word(step) for step in self.steps[start : start + period]))
        label = " → ".join(words[:3]) + (" …" if len(words) > 3 else "")
        inner = self.steps[start].times if period == 1 else 1
        return NodeGroup(tuple(sorted(members)), "repeat", label, times * inner)
