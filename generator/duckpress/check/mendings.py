"""Numbers of a setup, and of cards, with which several findings of a game go and none comes: found by trying.

Each number is tried with other values, those first of what is expected to be otherwise; all of them take their steps
from one budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from duckpress.check.findings.expected_gaps import gaps_of, totals_by_cause
from duckpress.check.occurrences import cause_of
from duckpress.check.setup.card_book import CardBook
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.check.written_numbers import WrittenNumber, numbers_of
from duckpress.core.limits import limit
from duckpress.core.problems import Level, Problem
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model import Game
from duckpress.model.amounts import as_name
from duckpress.model.setup import Expectation

Place = tuple[int, str | None]  # a player count and a way to play
Finding = tuple[str, int | None, str | None]  # a cause, and where it is found
Look = Callable[[Runs, Sequence[Place]], Iterable[Problem]]
"""Returns what is wrong at some player counts and ways to play, and with the decks."""

_SHARE = 8  # of the steps of a check, for all that is tried
_MOST_MISTAKES = 4
_MOST_VERIFIED = 4


class Mending(NamedTuple):
    """A number with another value, the findings that are gone with it, and those that are left."""

    written: WrittenNumber
    number: int
    gone: set[Finding]
    left: set[Finding]


class Trials(Struct):
    """Games that are tried, each with another number; all of them take their steps from one budget."""

    book: Book
    calculator: Calculator
    look: Look

    @classmethod
    def of(cls, book: Book, look: Look) -> Trials:
        """Return trials with a budget of their own."""
        return cls(book, Calculator(SETUP, limit("setup-steps") // _SHARE), look)

    def runs(self, game: Game) -> Runs:
        """Return the runs of a game, whose expressions are read once for all of them."""
        assert game.setup is not None
        book = Book(game, game.setup, self.calculator)
        reading = CardBook.reading.__wrapped__  # type: ignore[attr-defined]
        book.memory[reading] = self.book.memory[reading]
        return Runs(book)

    def findings(self, runs: Runs, places: Sequence[Place]) -> set[Finding]:
        """Return what is wrong at some places."""
        problems = [problem for problem in self.look(runs, places) if problem.level is not Level.NOTE]
        return {finding_of(problem) for problem in problems}


def finding_of(problem: Problem) -> Finding:
    """Return the cause of a problem, and the player count and the way to play that it is reported for."""
    return problem.cause or cause_of(problem.code, problem.source), problem.players, problem.variant


def mendings_of(
    trials: Trials, places: Sequence[Place], expectations: dict[str, Expectation]
) -> Iterator[Mending]:  # fmt: skip
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
    trials: Trials, game: Game, wrong: set[Finding], places: Sequence[Place], expectations: dict[str, Expectation]
) -> Mending | None:
    """Return the number with which most of what is wrong goes, and nothing comes; None where there is none.

    It is looked for where most is wrong.
    """
    at = Counter((players, way) for _, players, way in sorted(wrong, key=repr) if players is not None)
    if not places or len({cause for cause, _, _ in wrong}) < 2:
        return None
    place = at.most_common(1)[0][0] if at else places[0]
    here = {one for one in wrong if one[1:] in (place, (None, None))}
    as_is = trials.runs(game)
    gaps = gaps_of(as_is.run(*place), expectations)
    tried: list[Mending] = []
    best: Mending | None = None
    for written in _likely_first(trials.book, game, [expectations[one] for one in gaps if one in expectations]):
        for number in _numbers_to_try(trials, written, place, gaps, expectations):
            left = trials.findings(trials.runs(written.changed(number)), [place])
            if left < here:
                tried.append(Mending(written, number, here - left, left))
            if not left:
                best = _better(best, _verified(trials, as_is, tried.pop(), wrong, places, expectations))
            if best is not None and not best.left:
                return best
    # A number that is 0 makes a step do nothing; that is rather a mistake than any other number.
    tried.sort(key=lambda one: (-len(one.gone), one.written.number != 0))
    for one in tried[:_MOST_VERIFIED]:
        best = _better(best, _verified(trials, as_is, one, wrong, places, expectations))
    return best


def _better(one: Mending | None, other: Mending | None) -> Mending | None:
    """Return the one with which more goes."""
    return other if one is None or (other is not None and len(other.gone) > len(one.gone)) else one


def _verified(
    trials: Trials, as_is: Runs, one: Mending, wrong: set[Finding], places: Sequence[Place],
    expectations: dict[str, Expectation],
) -> Mending | None:  # fmt: skip
    """Return what goes with a number at all places; None where something comes or grows, or only one thing goes."""
    runs = trials.runs(one.written.changed(one.number))
    left = trials.findings(runs, places)
    causes = {cause for cause, _, _ in wrong - left}
    if not (left < wrong and len(causes) > 1 and causes & (expectations.keys() | totals_by_cause(trials.book).keys())):
        return None
    for players, way in sorted({(players, way) for _, players, way in left if players is not None}, key=repr):
        after = gaps_of(runs.run(players, way), expectations)
        for cause, gap in gaps_of(as_is.run(players, way), expectations).items():
            if abs(after.get(cause) or 0) > abs(gap or 0) and gap is not None:
                return None
    return one._replace(gone=wrong - left, left=left)


def _likely_first(book: Book, game: Game, failing: Sequence[Expectation]) -> list[WrittenNumber]:
    """Return the numbers of a game, first those of what is expected to be otherwise."""
    assert game.setup is not None
    numbers = numbers_of(game, game.setup, most_kinds=None)
    is_named = {
        about: any(is_about_name(book, one, about) for one in failing) for about in {one.about for one in numbers}
    }
    return sorted(numbers, key=lambda one: not is_named[one.about])


def _numbers_to_try(
    trials: Trials, written: WrittenNumber, place: Place, gaps: dict[str, float | None],
    expectations: dict[str, Expectation],
) -> Iterator[int]:  # fmt: skip
    """Yield other values of a number that bring something to what it should be, by what one more or less brings."""
    steps: dict[int, None] = {}
    for step in (1, -1):
        if written.number + step < 0:
            continue
        after = gaps_of(trials.runs(written.changed(written.number + step)).run(*place), expectations)
        for cause, gap in gaps.items():
            then = after.get(cause, gap)
            if gap is None or then is None or then == gap:
                steps |= {step: None} if gap is None and then == 0 else {}
            elif gap and gap % (then - gap) == 0:
                steps[-int(gap / (then - gap)) * step] = None
    # A step that would do nothing at all mends much, and is seldom what was meant.
    yield from (written.number + step for step in steps if written.number + step > 0 or step == -1)


def is_about_name(book: Book, expectation: Expectation, name: str) -> bool:
    """Return whether an expectation is about a place or deck or value of that name."""
    reading = book.reading(expectation.that.text)
    named = {use.text for use in reading.names} | {call.origin.text for call in reading.calls if call.origin}
    return bool(named & {name, as_name(name)})
