"""All the findings about a game: its setup at every player count and variant, and the checks that look at the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from duckpress.check.accepting import accept_findings, unused_acceptances
from duckpress.check.copies import unused_cards
from duckpress.check.game_checks import CHECKS, extra_counts
from duckpress.check.geometry.geometry_checks import geometry_problems
from duckpress.check.setup.expectations import (
    COST_OF_A_PROBLEM,
    failed_expectations,
    seating_problems,
    unbalanced_sets,
    wrong_totals,
)
from duckpress.check.setup.rule_book import Book, book_of_table
from duckpress.check.setup.setup_table import setup_table_of, table_problems
from duckpress.check.setup.shortages import shortage_problem
from duckpress.check.setup.steps import Runs
from duckpress.check.setup_expressions import Spent
from duckpress.check.setup_names import unknown_words
from duckpress.core.problems import Level, Problem, did_you_mean, has_errors, sorted_problems
from duckpress.model import Game


def _of_geometry(book: Book) -> list[Problem]:
    geometry = book.setup.geometry
    return geometry_problems(book.survey, geometry) if geometry is not None and book.is_whole else []


SETUP_CHECKS: tuple[Callable[[Book], Iterable[Problem]], ...] = (
    unknown_words,
    unbalanced_sets,
    extra_counts,
    _of_geometry,
)
BASE = "base"  # the variant that is none: the game without any
ONE_MISTAKE = ("bad-expression", "circular-value", "negative-amount", "not-whole", "unclear-amount")


def check_game(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return all findings about a game in reading order; at one player count or in one variant only, where asked.

    Where a part of the setup or cards of a deck could not be read, only the setup's words are checked: its numbers
    would say nothing.
    A finding of the basic game is not repeated for each variant, and one that is the same at every player count is
    given once, without a player count. Accepted findings are notes. Every code is explained in docs/checks.md.
    """
    problems = [problem for check in CHECKS for problem in check(game)]
    book = Book(game, game.setup) if game.setup is not None else None
    if book is not None:
        try:
            for problem in _setup_problems(Runs(book), players, variant, has_errors(problems)):
                problems.append(problem)
        except Spent as spent:
            problems.append(spent.problem)
    problems = _in_game(game, problems)
    findings = accept_findings(game, problems)
    if players is None and variant is None and book is not None and book.is_whole:
        findings += unused_acceptances(game, problems, of_rules=True)
    return sorted_problems(findings)


def wrong_words(game: Game) -> list[Problem]:
    """Return a problem for each name in the setup that nothing bears, without computing anything."""
    if game.setup is None:
        return []
    try:
        return _in_game(game, unknown_words(Book(game, game.setup)))
    except Spent as spent:
        return _in_game(game, [spent.problem])


def _in_game(game: Game, problems: Iterable[Problem]) -> list[Problem]:
    return [problem._replace(game=game.id) for problem in problems]


def _setup_problems(runs: Runs, players: int | None, variant: str | None, is_told: bool) -> Iterator[Problem]:
    """Yield what is wrong with the setup; `is_told`: there are errors already. Raises `Spent` if it takes too long."""
    book = runs.book
    for check in SETUP_CHECKS:
        for problem in check(book):
            is_told |= problem.level is Level.ERROR
            yield problem
            book.spend(COST_OF_A_PROBLEM)
    if not book.is_whole:
        return
    counts = book.game.players if players is None else (players,)
    is_outside = players is not None and players not in book.game.players
    if is_outside:
        yield _outside(book.game, players or 0)
    if variant not in (None, BASE, *book.setup.variants):
        fix = did_you_mean(variant or "", book.setup.variants, else_say="the variants are")
        what = f"there is no variant {variant!r}"
        yield Problem("unknown-variant", book.setup.source, what, fix)
        return
    if counts:
        yield from wrong_totals(book, runs.run(counts[0], None).scene)
    variants = (None, *book.setup.variants) if variant is None else (None if variant == BASE else variant,)
    basic: set[tuple[object, ...]] = set()
    for id_ in variants:
        problems = [problem for count in counts for problem in _run_problems(runs, count, id_, is_told=is_told)]
        if is_outside:
            problems = [problem for problem in problems if problem.code != "missing-count"]
        problems = [problem for problem in problems if _essence(problem) not in basic]
        if id_ is None:
            basic = {_essence(problem) for problem in problems}
        yield from _merged(problems, len(counts))
    if players is None and variant is None:
        yield from unused_cards(runs)
        for id_ in variants:
            # Whoever prints a table reports nothing: what is too much for it is found here.
            setup_table_of(book_of_table(book.game, book.setup), id_)


def _run_problems(runs: Runs, players: int, variant: str | None, *, is_told: bool) -> Iterator[Problem]:
    """Yield what is wrong with a run; `is_told` says whether the checks before have found why one may have stopped."""
    run = runs.run(players, variant)
    yield from run.problems
    if run.untold is not None and not is_told:
        what = "this step cannot be computed, and no other problem says why"
        fix = "look at the names and places it uses; duckpress should have told, so a report is welcome"
        yield run.scene.problem(Problem("setup-stopped", run.untold, what, fix))
    for shortage in run.shortages:
        fine = [
            other.players for other in runs.of_variant(variant) if other.is_complete and not other.is_short_of(shortage)
        ]
        yield run.scene.problem(shortage_problem(shortage, runs.book.game.decks, players, sorted(fine)))
    if run.is_complete:
        yield from failed_expectations(runs.book, run)
        yield from seating_problems(run.scene)
        yield from table_problems(run)


def _outside(game: Game, players: int) -> Problem:
    said = f"{game.players[0]}-{game.players[-1]}" if len(game.players) > 1 else "".join(map(str, game.players))
    what = f"the game is for {said} players, and {players} are asked for"
    fix = "choose one of its player counts"
    return Problem("player-count", game.at("players"), what, fix, players=players)


def _essence(problem: Problem) -> tuple[object, ...]:
    return (problem.code, problem.source, problem.what, problem.players)


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
        if is_everywhere and len({problem.what for problem in group}) == 1:
            group = [group[0]._replace(players=None)]
        if group[0].code in ONE_MISTAKE:
            group = group[:1]
        merged += [problem._replace(what=_headed(problem)) for problem in group]
    return merged


def _headed(problem: Problem) -> str:
    players = None if problem.players is None else f"{problem.players} players" if problem.players != 1 else "1 player"
    variant = None if problem.variant is None else f"variant {problem.variant!r}"
    head = ", ".join(words for words in (players, variant) if words is not None)
    return f"{head}: {problem.what}" if head else problem.what
