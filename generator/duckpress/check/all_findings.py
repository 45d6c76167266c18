"""All the findings about a game: its setup at every player count and variant, and the checks that look at the game.

Findings that a game lives with (`accept` in game.yaml) become notes that say why; they are listed, never hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from duckpress.check.findings.certainty import as_certain
from duckpress.check.findings.expectations import failed_expectations, seating_problems, unbalanced_sets, wrong_totals
from duckpress.check.findings.shortage_words import shortage_problem
from duckpress.check.following import without_followers
from duckpress.check.game_checks import CHECKS, extra_counts, unused_cards
from duckpress.check.geometry.geometry_checks import geometry_problems
from duckpress.check.rounds_in_vain import rounds_in_vain
from duckpress.check.setup.combinations import MOST_MODULES, NoSuchSetup, counts_for, way_to_play
from duckpress.check.setup.later_places import later_places
from duckpress.check.setup.rule_book import COST_OF_A_PROBLEM, Book, book_of_table
from duckpress.check.setup.runs import Runs
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.setup_table import setup_table_of, table_problems
from duckpress.check.setup.tabletop import Tabletop
from duckpress.check.setup_expressions import Spent
from duckpress.check.setup_names import unknown_words
from duckpress.check.unused_parts import unused_parts
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem, has_errors, is_fault, sorted_problems
from duckpress.model import Accepted, Game


def _of_geometry(book: Book) -> list[Problem]:
    geometry = book.setup.geometry
    return geometry_problems(book.survey, geometry) if geometry is not None and book.is_whole else []


SETUP_CHECKS: tuple[Callable[[Book], Iterable[Problem]], ...] = (
    unknown_words,
    later_places,
    unbalanced_sets,
    extra_counts,
    _of_geometry,
)
_CODES = """
    accept-unused bad-amount bad-cells bad-coordinate bad-expression bad-map cannot-place circular-value empty-deck
    empty-take expectation extra-count missing-count name-taken negative-amount no-room not-enough not-whole off-board
    place-dropped place-kind place-too-late player-count playout poor-choice same-card same-shape setup-stopped
    shape-not-allowed shape-too-large some-combinations space-taken too-many-steps torn-shape unbalanced unclear-amount
    uneven-spread unknown-board unknown-contents unknown-deck unknown-fact unknown-field unknown-field-in-text
    unknown-function unknown-name unknown-place unknown-shape unknown-variant unlucky-draw unused-cards
    unused-expectation unused-step unused-variant wrong-perimeter wrong-spaces wrong-total
"""
CODES = tuple(_CODES.split())
"""Every code that the checks here report, each explained in docs/checks.md; scripts and `accept` name them."""
ONE_MISTAKE = ("bad-expression", "circular-value", "unclear-amount")
_Key = tuple[str, int | None, str | None]  # code, player count, variant
_NEVER = ("setup-stopped", "too-many-steps")  # what was not computed cannot be lived with


def check_game(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return all findings about a game in reading order; at one player count or in one variant only, where asked.

    Where a part of the setup or cards of a deck could not be read, only the setup's words are checked: its numbers
    would say nothing.
    A finding of the basic game is not repeated for each variant, and one that is the same at every player count is
    given once, without a player count. Accepted findings are notes. Every code is explained in docs/checks.md.
    """
    findings, problems, runs = _every_finding(game, players, variant)
    book = runs.book if runs is not None else None
    if runs is not None and runs.book.is_whole:
        findings = without_followers(findings, runs, _places(runs), _wrong_at)
    if players is None and variant is None and book is not None and book.is_whole:
        findings += unused_acceptances(game, problems, of_rules=True)
    return sorted_problems(runs.occurrences.told(findings) if runs is not None else findings)


def every_finding(game: Game) -> list[Problem]:
    """Return all that is wrong with a game, with what only follows from other findings."""
    findings, _, runs = _every_finding(game, None, None)
    return sorted_problems(runs.occurrences.told(findings) if runs is not None else findings)


def _every_finding(
    game: Game, players: int | None, variant: str | None
) -> tuple[list[Problem], list[Problem], Runs | None]:  # fmt: skip
    """Return what is wrong with a game, what of it is so before anything is accepted, and the runs of its setup."""
    problems = [problem for check in CHECKS for problem in check(game)]
    book = Book(game, game.setup) if game.setup is not None else None
    runs = Runs(book) if book is not None else None
    if runs is not None:
        try:
            for problem in setup_problems(runs, players, variant, is_told=has_errors(problems)):
                problems.append(problem)
        except Spent as spent:
            problems.append(spent.problem)
    problems = _in_game(game, problems)
    return accept_findings(game, problems), problems, runs


def _places(runs: Runs) -> list[tuple[int, str | None]]:
    """Return where a game that is tried is looked at: alone or with one part, and wherever something is wrong."""
    looked_at = runs.occurrences.looked_at
    wrong = [place for places in runs.occurrences.found.values() for place in sorted(places, key=repr)]
    few = [(players, way) for way, counts in looked_at.items() if "," not in (way or "") for players in counts]
    return list(dict.fromkeys((*few, *wrong)))


def _wrong_at(runs: Runs, places: Sequence[tuple[int, str | None]]) -> Iterator[Problem]:
    """Yield what is wrong with a game at some player counts, in some ways to play, and with its decks."""
    book = runs.book
    problems = [*unbalanced_sets(book), *_totals(book, list(dict.fromkeys(players for players, _ in places)))]
    for players, way in places:
        problems += runs.occurrences.noted(_run_problems(runs, players, way, is_told=True), players, way)
    yield from accept_findings(book.game, problems)


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


def setup_problems(
    runs: Runs, players: int | None = None, variant: str | None = None, *, is_told: bool = False
) -> Iterator[Problem]:
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
    try:
        way = way_to_play(book.setup, variant)
    except NoSuchSetup as wrong:
        yield Problem("unknown-variant", book.setup.source, wrong.what, wrong.fix)
        return
    yield from _totals(book, counts)
    ways = book.combinations() if variant is None else (way,)
    fitting = {id_: counts_for(book.setup, id_, counts) for id_ in ways}
    if players is not None and variant is not None and not is_outside and not fitting[way]:
        yield _not_for(book, way, players)
    yield from _problems_of_ways(runs, fitting, is_all=variant is None, is_told=is_told)
    if players is None and variant is None:
        yield from unused_cards(runs)
        yield from () if is_told else unused_parts(runs)
        yield from rounds_in_vain(runs)
        for id_ in (None, *book.setup.all_variants):
            # Whoever prints a table reports nothing: what is too much for it is found here.
            setup_table_of(book_of_table(book.game, book.setup), id_)


def _problems_of_ways(
    runs: Runs, counts: Mapping[str | None, Sequence[int]], *, is_all: bool, is_told: bool
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
            yield from _problems_of_way(runs, way, counts[way], earlier, is_told=is_told)
    if not together:
        return
    budget = book.calculator.budget
    left, budget.steps_left = budget.steps_left, limit("combination-steps")
    try:
        for way in together:
            yield from _problems_of_way(runs, way, counts[way], earlier, is_told=is_told)
    except Spent:
        runs.is_partial = True
        what = f"of {len(counts)} ways to play {len(earlier)} are checked, those of few parts first"
        fix = f"name others with --variant a,b; {how_to_raise('combination-steps')}"
        yield Problem("some-combinations", book.setup.source, what, fix, Level.WARNING)
    budget.steps_left = left


def _problems_of_way(
    runs: Runs, way: str | None, counts: Sequence[int], earlier: list[tuple[set[str], set[tuple[object, ...]]]], *,
    is_told: bool,
) -> Iterator[Problem]:  # fmt: skip
    """Yield what is wrong in a way to play that was not in `earlier` ones of fewer parts, each with what is wrong."""
    runs.occurrences.looked_at[way] = counts
    problems = []
    for count in counts:
        problems += runs.occurrences.noted(_run_problems(runs, count, way, is_told=is_told), count, way)
    parts = set(way.split(",")) if way else set()
    # What a part does alone, or the basic game without any, is not repeated for what it is played with.
    known = {essence for fewer, essences in earlier if fewer <= parts for essence in essences}
    earlier.append((parts, {_essence(problem) for problem in problems}))
    is_outside = not set(counts) <= set(runs.book.game.players)
    problems = [problem for problem in problems if _essence(problem) not in known]
    yield from _merged([one for one in problems if not (is_outside and one.code == "missing-count")], len(counts))


def _totals(book: Book, counts: Sequence[int]) -> Iterator[Problem]:
    for count in counts:
        problems = list(wrong_totals(book, Scene(book, count, None, Tabletop(book, count, None)).settled()))
        if problems and count != counts[0]:
            # A total is the same however many play: this one says the number of players in error, but harms no one.
            problems = [problem._replace(level=Level.WARNING, players=count) for problem in problems]
        if problems:
            yield from problems
            return


def _run_problems(runs: Runs, players: int, variant: str | None, *, is_told: bool) -> Iterator[Problem]:
    run = runs.run(players, variant)
    for trouble in run.troubles:
        problem = trouble.problem
        if problem is None and trouble.place is not None and not is_told:
            what = "this step cannot be computed, and no other problem says why"
            fix = "look at the names and places it uses; duckpress should have told, so a report is welcome"
            problem = Problem("setup-stopped", trouble.place, what, fix, players=players, variant=variant)
        if problem is not None:
            yield as_certain(problem, trouble.states, trouble.of, tried=run.steps.tried)
    for shortage in run.shortages:
        others = [other for other in runs.of_variant(variant) if other.is_complete]
        fine = [other.players for other in others if not other.is_short_of(shortage.origin)]
        yield shortage_problem(shortage, players, sorted(fine))._replace(players=players, variant=variant)
    if run.is_complete:
        yield from failed_expectations(runs.book, run)
    if run.is_known:
        yield from seating_problems(run.scene)
        yield from table_problems(run)


def _outside(game: Game, players: int) -> Problem:
    said = f"{game.players[0]}-{game.players[-1]}" if len(game.players) > 1 else "".join(map(str, game.players))
    what = f"the game is for {said} players, and {players} are asked for"
    fix = "choose one of its player counts"
    return Problem("player-count", game.at("players"), what, fix, players=players)


def _not_for(book: Book, way: str | None, players: int) -> Problem:
    """Return the problem of a way to play that is asked for at a player count that it is not for."""
    counts = ", ".join(map(str, book.counts_of(way)))
    fix = f"choose one of its player counts: {counts}" if counts else "correct its 'only'"
    what = f"{way!r} is not played by {players}"
    return Problem("player-count", book.setup.source, what, fix, players=players, variant=way)


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


def accept_findings(game: Game, problems: Iterable[Problem], ink: str | None = None) -> list[Problem]:
    """Return the problems with those that `accept` in game.yaml names as notes, the reason added.

    `ink` is the one they were found in; what is accepted in one ink only is a problem in the others.
    """
    accepting: dict[_Key, Accepted] = {}
    for accepted in game.accepted:
        if accepted.ink in (None, ink):
            accepting.setdefault((accepted.code, accepted.players, accepted.variant), accepted)
    findings = []
    for problem in problems:
        acceptance = next((accepting[key] for key in _keys(problem) if key in accepting), None)
        if acceptance is not None and problem.code not in _NEVER and not is_fault(problem):
            what = f"{problem.what} (accepted: {acceptance.reason})"
            problem = problem._replace(level=Level.NOTE, what=what, fix="")
        findings.append(problem)
    return findings


def unused_acceptances(
    game: Game, problems: Iterable[Problem], *, of_rules: bool, inks: Collection[str] = ()
) -> Iterator[Problem]:
    """Yield an `accept-unused` for each acceptance of a finding, of this room or of the others, that does not occur.

    Of an acceptance in one ink, only where that ink is among those looked at.
    """
    occurring = {key for problem in problems for key in _keys(problem)}
    for accepted in game.accepted:
        is_asked = (accepted.code in CODES) is of_rules and (accepted.ink is None or accepted.ink in inks)
        if is_asked and (accepted.code, accepted.players, accepted.variant) not in occurring:
            where = f" with {accepted.players} players" if accepted.players is not None else ""
            where += f" in variant {accepted.variant!r}" if accepted.variant is not None else ""
            where += f" in ink {accepted.ink!r}" if accepted.ink is not None else ""
            what = f"{accepted.code!r} is accepted{where}, and does not occur"
            yield Problem("accept-unused", accepted.source, what, "delete it from 'accept'", Level.NOTE, game=game.id)


def _keys(problem: Problem) -> list[_Key]:
    """Return what an acceptance of a problem can say of it, the closest first."""
    code, players, variant = problem.code, problem.players, problem.variant
    keys = ((code, players, variant), (code, players, None), (code, None, variant), (code, None, None))
    return list(dict.fromkeys(keys))
