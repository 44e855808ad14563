"""How random programs come to a line of the package: what is judged first when a fault is in it."""

import ast
import builtins
import sys
from collections import defaultdict
from itertools import islice, zip_longest
from multiprocessing import get_context
from typing import NamedTuple
from unittest import mock

MOST = 1000  # programs noted for each line
OTHERS = 100  # that do not reach it
FEW = 2  # that reach it: perhaps where a module is imported late, and the line does its work later
FULL = 3  # of so many programs that reach a line in the plain run, one goes all its ways
PLAIN = "plain"  # the stage of judging that comes before all ways: the other stages are ways


class Visit(NamedTuple):
    """A program at a line: in which stages of judging, and how large the program is."""

    seed: int
    stages: frozenset
    size: float


# probing -----------------------------------------------------------------------------------------


def with_probes(file, source, lines):
    """A file's source in which each of the lines, in a function, tells that it is executed."""
    tree = Probes(file, lines).visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree))


class Probes(ast.NodeTransformer):
    """Puts a call before the innermost statement, or into the lambda, of each line."""

    def __init__(self, file, lines):
        self.file, self.lines, self.inside = file, lines, False

    def visit_FunctionDef(self, node):
        outside, self.inside = self.inside, True
        self.generic_visit(node)
        self.inside = outside
        return node

    def visit_Lambda(self, node):
        for call in self.calls(node.body):
            node.body = ast.BoolOp(ast.Or(), [call, node.body])
        return node

    def visit(self, node):
        if not isinstance(node, ast.stmt) or not self.inside:
            return super().visit(node)
        parts = [n for n in ast.walk(node) if isinstance(n, ast.stmt) and n is not node]
        there = {n for part in parts for n in range(part.lineno, part.end_lineno + 1)}
        new = super().visit(node)
        return [*map(ast.Expr, self.calls(node, there)), new]

    def calls(self, node, apart=()):
        """A call for each of the lines in a node, without some: it tells of it, and gives None."""
        for line in range(node.lineno, node.end_lineno + 1):
            if line in self.lines and line not in apart:
                place = [ast.Constant(self.file), ast.Constant(line)]
                yield ast.Call(ast.Name("probe_line", ast.Load()), place, [])


def reached(folder, seeds, jobs):
    """{(file, line): [Visit]} of the probes that programs meet in the package in this folder."""
    found = defaultdict(list)
    with get_context("fork").Pool(jobs, sys.path.insert, (0, str(folder))) as pool:
        for visits in pool.imap(visits_of, seeds, chunksize=20):
            for place, visit in visits.items():
                if len(found[place]) < MOST:
                    found[place].append(visit)
    return found


def visits_of(seed):
    """{(file, line): Visit} of the probes that a seed's program meets when it is judged."""
    stage, met = PLAIN, defaultdict(set)
    builtins.probe_line = lambda *place: met[place].add(stage)
    from fuzz.check import Judge, judged
    from fuzz.drawing import draw_program

    compare_way = Judge.compare_way

    def compare(judge, name, case, truth):
        nonlocal stage
        stage = name
        return compare_way(judge, name, case, truth)

    program = draw_program(seed)
    with mock.patch.object(Judge, "compare_way", compare):
        judged(program)
    entries = sum(x.data.array().size for x in program.inputs)
    size = len(repr(program.steps)) + entries / 10
    return {place: Visit(seed, frozenset(stages), size) for place, stages in met.items()}


# ordering ----------------------------------------------------------------------------------------


def order(found, places, seeds):
    """([(seed, the stage to judge or None for all)] in the order in which to judge, how many
    programs reach one of the places): those come first, from the rarest place on, then others;
    all, where the line may run at import."""
    lists = sorted((found.get(place, ()) for place in places), key=len)
    first = {visit.seed for visits in lists for visit in visits}
    tried = dict.fromkeys(each for visits in lists for each in by_turns(visits))
    others = (seed for seed in seeds if seed not in first)
    others = islice(others, OTHERS if len(first) > FEW else None)
    return [*tried, *((seed, None) for seed in others)], len(first)


def by_turns(visits):
    """(seed, stage): all stages that come to the line by turns, in the smallest programs first.

    Of programs that reach it in the plain run, which all ways share, some go all of them.
    """
    queues = defaultdict(list)
    for visit in sorted(visits, key=lambda v: (v.size, v.seed)):
        for stage in sorted(visit.stages):
            queues[stage].append((visit.seed, stage))
    plain = queues.pop(PLAIN, [])
    queues[PLAIN] = [each for n, each in enumerate(plain) if n % FULL]
    queues[None] = [(seed, None) for seed, _ in plain[::FULL]]
    yield from (each for turn in zip_longest(*queues.values()) for each in turn if each)
    yield from ((seed, None) for seed, _ in queues[PLAIN])
