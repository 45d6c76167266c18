"""What follows from another finding: what is expected, or a total, that holds again once one written number is another.

Where several things are wrong, each number of the setup and each kind of card is tried with another value. One with
which several findings go, and none comes, is the mistake behind them all: of what is expected nothing else is told
than that number, beside what is no expectation. Nothing is left out that another number would not mend as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from duckpress.check.findings.expectations import cards_of_total, everybody_asked, is_about
from duckpress.check.setup.card_book import CardBook
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs, SetupRun
from duckpress.check.setup.scene import Scene
from duckpress.check.setup_expressions import Spent, Stopped
from duckpress.check.told_once import cause_of
from duckpress.check.written_numbers import WrittenNumber, numbers_of
from duckpress.core.limits import limit
from duckpress.core.problems import Level, Problem
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model import Game
from duckpress.model.amounts import as_name
from duckpress.model.setup import Expectation, Total

_Place = tuple[int, str | None]  # a player count and a way to play
_Finding = tuple[str, int | None, str | None]  # a cause, and where it is found
Look = Callable[[Runs, Sequence[_Place]], Iterable[Problem]]
"""Returns what is wrong at some player counts and ways to play, and with the decks."""

_SHARE = 8  # of the steps of a check, for all that is tried
_MOST_MISTAKES = 4
_MOST_VERIFIED = 4
_TO_ADD = re.compile(r"add (\d+) cards?\b")
_OF_DECKS = ("wrong-total", "unbalanced")


class _Mending(NamedTuple):
    """A number with another value, the findings that are gone with it, and those that are left."""

    written: WrittenNumber
    number: int
    gone: set[_Finding]
    left: set[_Finding]


class _Trials(Struct):
    """Games that are tried, each with another number; all of them take their steps from one budget."""

    book: Book
    calculator: Calculator
    look: Look

    def runs(self, game: Game) -> Runs:
        """Return the runs of a game, whose expressions are read once for all of them."""
        assert game.setup is not None
        book = Book(game, game.setup, self.calculator)
        reading = CardBook.reading.__wrapped__  # type: ignore[attr-defined]
        book.memory[reading] = self.book.memory[reading]
        return Runs(book)

    def findings(self, runs: Runs, places: Sequence[_Place]) -> set[_Finding]:
        """Return what is wrong at some places."""
        problems = [problem for problem in self.look(runs, places) if problem.level is not Level.NOTE]
        return {_finding(problem) for problem in problems}


def without_followers(problems: list[Problem], runs: Runs, places: Sequence[_Place], look: Look) -> list[Problem]:
    """Return the findings of a check without those expectations that fail only because something else is wrong."""
    book = runs.book
    expectations = {
        cause_of("expectation", one.source): one for part in book.parts for one in part.expectations
    }  # fmt: skip
    wrong = {_finding(problem)[0] for problem in problems if problem.level is not Level.NOTE}
    if len(wrong) < 2 or not wrong & (expectations.keys() | _totals(book).keys()):
        return problems
    trials = _Trials(book, Calculator(SETUP, limit("setup-steps") // _SHARE), look)
    mendings: list[_Mending] = []
    try:
        for mending in _mendings(trials, places, expectations):
            mendings.append(mending)
    except Spent:  # what was not tried may be a mistake of its own
        pass
    for mending in mendings:
        problems = _told(book, problems, mending, expectations)
    return problems


def _totals(book: Book) -> dict[str, Total]:
    """Return the totals by the cause of what is wrong with them."""
    return {cause_of("wrong-total", total.wanted.source): total for total in book.setup.totals}


def _finding(problem: Problem) -> _Finding:
    return problem.cause or cause_of(problem.code, problem.source), problem.players, problem.variant


def _mendings(
    trials: _Trials, places: Sequence[_Place], expectations: dict[str, Expectation]
) -> Iterator[_Mending]:  # fmt: skip
    """Yield numbers with each of which several findings go, one of them an expectation: each in the game before it."""
    game = trials.book.game
    wrong = trials.findings(trials.runs(game), places)
    for _ in range(_MOST_MISTAKES):
        mending = _mending(trials, game, wrong, places, expectations)
        if mending is None:
            return
        yield mending
        game, wrong = mending.written.changed(mending.number), mending.left


def _mending(
    trials: _Trials, game: Game, wrong: set[_Finding], places: Sequence[_Place], expectations: dict[str, Expectation]
) -> _Mending | None:
    """Return the number with which most of what is wrong goes, and nothing comes; None where there is none.

    It is looked for where most is wrong.
    """
    at = Counter((players, way) for _, players, way in sorted(wrong, key=repr) if players is not None)
    if not places or len({cause for cause, _, _ in wrong}) < 2:
        return None
    place = at.most_common(1)[0][0] if at else places[0]
    here = {one for one in wrong if one[1:] in (place, (None, None))}
    as_is = trials.runs(game)
    gaps = _gaps(as_is.run(*place), expectations)
    tried: list[_Mending] = []
    best: _Mending | None = None
    for written in _likely_first(trials.book, game, [expectations[one] for one in gaps if one in expectations]):
        for number in _numbers_to_try(trials, written, place, gaps, expectations):
            left = trials.findings(trials.runs(written.changed(number)), [place])
            if left < here:
                tried.append(_Mending(written, number, here - left, left))
            if not left:
                best = _better(best, _verified(trials, as_is, tried.pop(), wrong, places, expectations))
            if best is not None and not best.left:
                return best
    # A number that is 0 makes a step do nothing; that is rather a mistake than any other number.
    tried.sort(key=lambda one: (-len(one.gone), one.written.number != 0))
    for one in tried[:_MOST_VERIFIED]:
        best = _better(best, _verified(trials, as_is, one, wrong, places, expectations))
    return best


def _better(one: _Mending | None, other: _Mending | None) -> _Mending | None:
    """Return the one with which more goes."""
    return other if one is None or (other is not None and len(other.gone) > len(one.gone)) else one


def _verified(
    trials: _Trials, as_is: Runs, one: _Mending, wrong: set[_Finding], places: Sequence[_Place],
    expectations: dict[str, Expectation],
) -> _Mending | None:  # fmt: skip
    """Return what goes with a number at all places; None where something comes or grows, or only one thing goes."""
    runs = trials.runs(one.written.changed(one.number))
    left = trials.findings(runs, places)
    causes = {cause for cause, _, _ in wrong - left}
    if not (left < wrong and len(causes) > 1 and causes & (expectations.keys() | _totals(trials.book).keys())):
        return None
    for players, way in sorted({(players, way) for _, players, way in left if players is not None}, key=repr):
        after = _gaps(runs.run(players, way), expectations)
        for cause, gap in _gaps(as_is.run(players, way), expectations).items():
            if abs(after.get(cause) or 0) > abs(gap or 0) and gap is not None:
                return None
    return one._replace(gone=wrong - left, left=left)


def _likely_first(book: Book, game: Game, failing: Sequence[Expectation]) -> list[WrittenNumber]:
    """Return the numbers of a game, first those of what is expected to be otherwise."""
    assert game.setup is not None
    numbers = numbers_of(game, game.setup, most_kinds=None)
    is_named = {about: any(_names(book, one, about) for one in failing) for about in {one.about for one in numbers}}
    return sorted(numbers, key=lambda one: not is_named[one.about])


def _numbers_to_try(
    trials: _Trials, written: WrittenNumber, place: _Place, gaps: dict[str, float | None],
    expectations: dict[str, Expectation],
) -> Iterator[int]:  # fmt: skip
    """Yield other values of a number that bring something to what it should be, by what one more or less brings."""
    steps: dict[int, None] = {}
    for step in (1, -1):
        if written.number + step < 0:
            continue
        after = _gaps(trials.runs(written.changed(written.number + step)).run(*place), expectations)
        for cause, gap in gaps.items():
            then = after.get(cause, gap)
            if gap is None or then is None or then == gap:
                steps |= {step: None} if gap is None and then == 0 else {}
            elif gap and gap % (then - gap) == 0:
                steps[-int(gap / (then - gap)) * step] = None
    # A step that would do nothing at all mends much, and is seldom what was meant.
    yield from (written.number + step for step in steps if written.number + step > 0 or step == -1)


def _gaps(run: SetupRun, expectations: dict[str, Expectation]) -> dict[str, float | None]:
    """Return how far what is expected of a run is from what it should be, by cause; None where it is no number."""
    gaps: dict[str, float | None] = {}
    if run.is_complete:
        for cause, expectation in expectations.items():
            owner = run.steps.book.parts_of(run.variant)
            if is_about(run, expectation) and any(expectation in part.expectations for part in owner):
                gaps[cause] = _gap(run.scene, expectation)
        gaps |= {cause: _gap_of_total(run.scene, total) for cause, total in _totals(run.steps.book).items()}
    lacking = sum(shortage.falling.deficit for shortage in run.shortages)
    return {**gaps, "": lacking}


def _gap_of_total(scene: Scene, total: Total) -> float | None:
    try:
        wanted = scene.value(total.wanted)
        return cards_of_total(scene, total) - wanted if isinstance(wanted, int | float) else None
    except (Stopped, KeyError):  # of no such deck
        return 0


def _gap(scene: Scene, expectation: Expectation) -> float | None:
    try:
        for seen in everybody_asked(scene, expectation):
            if expectation.when is not None and not seen.value(expectation.when):
                continue
            value = seen.value(expectation.that)
            if expectation.is_ is None:
                if not value:
                    return None
                continue
            wanted = seen.value(seen.expression(expectation.is_, "expectation"))
            if isinstance(value, int | float) and isinstance(wanted, int | float):
                if value != wanted:
                    return value - wanted
            elif value != wanted:
                return None
    except Stopped:
        return None
    return 0


def _told(
    book: Book, problems: list[Problem], mending: _Mending, expectations: dict[str, Expectation]
) -> list[Problem]:  # fmt: skip
    """Return problems without the expectations that a number mends, but for one where nothing else tells of it."""
    written, gone = mending.written, mending.gone
    totals = _totals(book)
    causes = [cause for cause in expectations if any(cause == one for one, _, _ in gone)]
    of_totals = sorted(
        (cause for cause in totals if any(cause == one for one, _, _ in gone)),
        key=lambda cause: totals[cause].where is None,
    )  # the one that says most about which cards they are comes first
    found = [(_finding(problem)[0], problem.level) for problem in problems if _is_gone(problem, mending)]
    others = {level for cause, level in found if cause not in expectations and cause not in totals}
    # An error never follows from what is only a warning: then the game would pass.
    is_told = bool(others) and (Level.ERROR in others or Level.ERROR not in {level for _, level in found})
    gone_here = [problem.fix for problem in problems if _is_gone(problem, mending)]
    added = [int(match[1]) for fix in gone_here if (match := _TO_ADD.match(fix))]
    # Cards that are enough for the steps, and not for a total, leave a total that is wrong.
    is_enough = not added or max(added) == mending.number - written.number
    followers = {*causes, *((of_totals if is_told else of_totals[1:]) if is_enough else ())}
    is_told |= bool(of_totals)
    first = next((cause for cause in causes if _names(book, expectations[cause], written.about)), "".join(causes[:1]))
    lines = sorted({expectations[cause].source.line for cause in causes})
    told = []
    for problem in problems:
        cause = _finding(problem)[0]
        if problem.level is Level.NOTE or not _is_gone(problem, mending):
            told.append(problem)
        elif cause not in followers:
            # Of cards it is said how many to add; which ones are otherwise, nobody knows.
            is_step = problem.code not in _OF_DECKS and written.source.file == problem.source.file
            told.append(
                problem._replace(fix=f"{problem.fix}; or {_fix(problem, mending, lines)}") if is_step else problem
            )
        elif not is_told and cause == first:
            fix = _fix(problem, mending, [line for line in lines if line != expectations[cause].source.line])
            told.append(problem if expectations[cause].fix else problem._replace(fix=fix))
    return told


def _is_gone(problem: Problem, mending: _Mending) -> bool:
    """Return whether a problem is gone at every player count, and in every way to play, that it is told for."""
    cause, players, way = _finding(problem)
    parts = set((way or "").split(",")) - {""}

    def is_of(finding: _Finding) -> bool:
        return finding[0] == cause and players in (None, finding[1]) and parts <= set((finding[2] or "").split(","))

    return any(map(is_of, mending.gone)) and not any(map(is_of, mending.left))


def _names(book: Book, expectation: Expectation, name: str) -> bool:
    """Return whether an expectation is about a place or deck or value of that name."""
    reading = book.reading(expectation.that.text)
    named = {use.text for use in reading.names} | {call.origin.text for call in reading.calls if call.origin}
    return bool(named & {name, as_name(name)})


def _fix(problem: Problem, mending: _Mending, lines: list[int]) -> str:
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
