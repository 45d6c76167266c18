"""What follows from another finding: what is expected, or a total, that holds again once one written number is another.

Where several things are wrong, each number of the setup and each kind of card is tried with another value. One with
which several findings go, and none comes, is the mistake behind them all: of what is expected nothing else is
reported than that number, beside what is no expectation. Nothing is left out that another number would not mend as
well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from duckpress.check.findings.expected_gaps import totals_by_cause
from duckpress.check.mendings import Finding, Look, Mending, Place, Trials, finding_of, is_about_name, mendings_of
from duckpress.check.occurrences import cause_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.check.setup_expressions import Spent
from duckpress.core.problems import Level, Problem
from duckpress.model.setup import Expectation

_TO_ADD = re.compile(r"add (\d+) cards?\b")
_OF_DECKS = ("wrong-total", "unbalanced")


def without_followers(problems: list[Problem], runs: Runs, places: Sequence[Place], look: Look) -> list[Problem]:
    """Return the findings of a check without those expectations that fail only because something else is wrong."""
    book = runs.book
    expectations = {
        cause_of("expectation", one.source): one for part in book.parts for one in part.expectations
    }  # fmt: skip
    wrong = {finding_of(problem)[0] for problem in problems if problem.level is not Level.NOTE}
    if len(wrong) < 2 or not wrong & (expectations.keys() | totals_by_cause(book).keys()):
        return problems
    trials = Trials.of(book, look)
    mendings: list[Mending] = []
    try:
        for mending in mendings_of(trials, places, expectations):
            mendings.append(mending)
    except Spent:  # what was not tried may be a mistake of its own
        pass
    for mending in mendings:
        problems = _without_followers(book, problems, mending, expectations)
    return problems


def _without_followers(
    book: Book, problems: list[Problem], mending: Mending, expectations: dict[str, Expectation]
) -> list[Problem]:  # fmt: skip
    """Return problems without the expectations that a number mends, but for one where nothing else tells of it."""
    written, gone = mending.written, mending.gone
    totals = totals_by_cause(book)
    causes = [cause for cause in expectations if any(cause == one for one, _, _ in gone)]
    of_totals = sorted(
        (cause for cause in totals if any(cause == one for one, _, _ in gone)),
        key=lambda cause: totals[cause].where is None,
    )  # the one that says most about which cards they are comes first
    levels = [(finding_of(problem)[0], problem.level) for problem in problems if _is_gone(problem, mending)]
    others = {level for cause, level in levels if cause not in expectations and cause not in totals}
    # An error never follows from what is only a warning: then the game would pass.
    is_reported = bool(others) and (Level.ERROR in others or Level.ERROR not in {level for _, level in levels})
    gone_here = [problem.fix for problem in problems if _is_gone(problem, mending)]
    added = [int(match[1]) for fix in gone_here if (match := _TO_ADD.match(fix))]
    # Cards that are enough for the steps, and not for a total, leave a total that is wrong.
    is_enough = not added or max(added) == mending.number - written.number
    followers = {*causes, *((of_totals if is_reported else of_totals[1:]) if is_enough else ())}
    is_reported |= bool(of_totals)
    first = next(
        (cause for cause in causes if is_about_name(book, expectations[cause], written.about)), "".join(causes[:1])
    )
    lines = sorted({expectations[cause].source.line for cause in causes})
    findings = []
    for problem in problems:
        cause = finding_of(problem)[0]
        if problem.level is Level.NOTE or not _is_gone(problem, mending):
            findings.append(problem)
        elif cause not in followers:
            # Of cards it is said how many to add; which ones are otherwise, nobody knows.
            is_step = problem.code not in _OF_DECKS and written.source.file == problem.source.file
            findings.append(
                problem._replace(fix=f"{problem.fix}; or {_fix(problem, mending, lines)}") if is_step else problem
            )
        elif not is_reported and cause == first:
            fix = _fix(problem, mending, [line for line in lines if line != expectations[cause].source.line])
            findings.append(problem if expectations[cause].fix else problem._replace(fix=fix))
    return findings


def _is_gone(problem: Problem, mending: Mending) -> bool:
    """Return whether a problem is gone at every player count, and in every way to play, that it is told for."""
    cause, players, way = finding_of(problem)
    parts = set((way or "").split(",")) - {""}

    def is_of(finding: Finding) -> bool:
        return finding[0] == cause and players in (None, finding[1]) and parts <= set((finding[2] or "").split(","))

    return any(map(is_of, mending.gone)) and not any(map(is_of, mending.left))


def _fix(problem: Problem, mending: Mending, lines: list[int]) -> str:
    written = mending.written
    source = written.source
    where = f"line {source.line}" if source.file == problem.source.file else str(source)
    fix = f"write {mending.number} instead of {written.number} in {where} ({written.words}): that mends it"
    if not lines:
        return fix
    said = (
        f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]} expect" if lines[1:] else f"line {lines[0]} expects"
    )
    return f"{fix}, and what {said}"
