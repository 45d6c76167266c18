"""Ways to play -> what is wrong in each at its player counts: what one of fewer parts has already is not repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from duckpress.check.findings.certainty import as_certain, once_mended
from duckpress.check.findings.expectations import failed_expectations, seating_problems
from duckpress.check.findings.shortage_words import shortage_problem
from duckpress.check.setup.combinations import MOST_MODULES
from duckpress.check.setup.runs import Runs
from duckpress.check.setup.setup_table import table_problems
from duckpress.check.setup_expressions import Spent
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem

ONE_MISTAKE = ("bad-expression", "circular-value", "unclear-amount")


def problems_of_ways(
    runs: Runs, counts: Mapping[str | None, Sequence[int]], *, is_all: bool, is_reported: bool
) -> Iterator[Problem]:
    """Yield what is wrong in ways to play, at their player counts: combinations last, with steps of their own."""
    book, modules = runs.book, len(runs.book.setup.modules)
    if is_all and modules > MOST_MODULES:
        what = f"of {modules} modules those of up to three together are checked, and all together"
        yield Problem("some-combinations", book.setup.source, what, "name others with --variant a,b", Level.NOTE)
    together = [way for way in counts if is_all and "," in (way or "")]
    earlier: list[tuple[set[str], set[tuple[object, ...]]]] = []
    for way in counts:
        if way not in together:
            yield from _problems_of_way(runs, way, counts[way], earlier, is_reported=is_reported)
    if not together:
        return
    budget = book.calculator.budget
    left, budget.steps_left, each, runs.left = budget.steps_left, limit("combination-steps"), runs.left, None
    try:
        for way in together:
            yield from _problems_of_way(runs, way, counts[way], earlier, is_reported=is_reported)
    except Spent:
        runs.is_partial = True
        what = f"of {len(counts)} ways to play {len(earlier)} are checked, those of few parts first"
        fix = f"name others with --variant a,b; {how_to_raise('combination-steps')}"
        yield Problem("some-combinations", book.setup.source, what, fix, Level.WARNING)
    budget.steps_left, runs.left = left, each


def _problems_of_way(
    runs: Runs, way: str | None, counts: Sequence[int], earlier: list[tuple[set[str], set[tuple[object, ...]]]], *,
    is_reported: bool,
) -> Iterator[Problem]:  # fmt: skip
    """Yield what is wrong in a way to play that was not in `earlier` ones of fewer parts, each with what is wrong."""
    runs.occurrences.looked_at[way] = counts
    problems = []
    for count in counts:
        with runs.counting(count):
            problems += runs.occurrences.noted(problems_of_run(runs, count, way, is_reported=is_reported), count, way)
    parts = set(way.split(",")) if way else set()
    # What a part does alone, or the basic game without any, is not repeated for what it is played with.
    known = {essence for fewer, essences in earlier if fewer <= parts for essence in essences}
    earlier.append((parts, {_essence(problem) for problem in problems}))
    is_outside = not set(counts) <= set(runs.book.game.players)
    problems = [problem for problem in problems if _essence(problem) not in known]
    yield from _merged([one for one in problems if not (is_outside and one.code == "missing-count")], len(counts))


def problems_of_run(runs: Runs, players: int, variant: str | None, *, is_reported: bool) -> Iterator[Problem]:
    """Yield what is wrong in one run, `is_reported`: what cannot be computed has been said already."""
    run = runs.run(players, variant)
    for trouble in run.troubles:
        problem = trouble.problem
        if problem is None and trouble.place is not None and not is_reported:
            what = "this step cannot be computed, and no other problem says why"
            fix = "look at the names and places it uses; duckpress should have told, so a report is welcome"
            problem = Problem("setup-stopped", trouble.place, what, fix, players=players, variant=variant)
        if problem is not None:
            told = as_certain(problem, trouble.states, trouble.of, trouble.ended, tried=run.steps.tried)
            yield once_mended(told, run.mended_lines if told != problem else ())
    for shortage in run.shortages:
        others = [other for other in runs.of_variant(variant) if other.is_complete]
        fine = [other.players for other in others if not other.is_short_of(shortage.origin)]
        yield shortage_problem(shortage, players, sorted(fine))._replace(players=players, variant=variant)
    if run.is_complete:
        yield from failed_expectations(runs.book, run)
    if run.is_known:
        yield from seating_problems(run.scene)
        yield from table_problems(run)


def _essence(problem: Problem) -> tuple[object, ...]:
    advice = problem.fix.partition(", ")[0]  # other ways out hang on what else a variant changes
    return (problem.code, problem.source, problem.what, advice, problem.players)


def _merged(problems: list[Problem], counts: int) -> list[Problem]:
    """Return the problems with those that are alike at every player count as one, and say the others' player count.

    What cannot be computed is one mistake however many player counts show it: the first one is given.
    """
    alike: dict[tuple[object, ...], list[Problem]] = {}
    for problem in problems:
        is_one = problem.code in ONE_MISTAKE
        alike.setdefault((problem.code, problem.source, "" if is_one else problem.what), []).append(problem)
    merged = []
    for group in alike.values():
        is_everywhere = counts > 1 and len({problem.players for problem in group}) == counts
        # The same words with other numbers of cards to add are not the same finding.
        if is_everywhere and len({(problem.what, problem.fix) for problem in group}) == 1:
            group = [group[0]._replace(players=None)]
        if group[0].code in ONE_MISTAKE:
            group = group[:1]
        merged += [problem.headed for problem in group]
    return merged
