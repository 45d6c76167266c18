"""Findings that are consequences of another one: those that a change of a single written number removes.

Where several things are wrong, each number of the setup and each kind of card is tried with other values, first those
of what is expected to be otherwise. A number with which several findings go and none comes is suggested as a fix, and
the expectations and totals that hold with it are not listed beside it.

Numbers are those of steps and values, and the copies of cards of every deck that the setup names; cards that are alike
in everything it looks at are one kind. What is itself a check (totals, expectations, bounds, `slots`) is none of them,
nor are facts, texts, tables, seats, boards and rounds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import fields, replace

from duckpress.check.expectations import gaps_of, totals_by_cause, unbalanced_sets, wrong_totals_at
from duckpress.check.expressions import Spent, without_strings
from duckpress.check.findings import accept_findings, cause_of
from duckpress.check.setup.later_places import step_expressions, written
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.check.unused_parts import every
from duckpress.check.variant_findings import is_part_of, problems_of_run
from duckpress.core.limits import limit
from duckpress.core.problems import Level, Problem, Source
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model import Deck, Game
from duckpress.model.setup import Expectation, Expression, Setup, Variant, as_name

MOST_KINDS = 40  # of a deck's cards; of more, so many are changed, spread over the deck
_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.])")
_SHARE = 8  # of the steps of a check, for all that is tried
_MOST_MISTAKES = 4
_MOST_VERIFIED = 4
_TO_ADD = re.compile(r"add (\d+) cards?\b")
_OF_DECKS = ("wrong-total", "unbalanced")


class WrittenNumber(NamedTuple):
    """A written number, a function to change it, and expressions that probably depend on it."""

    source: Source
    words: str
    about: str  # the place, value or deck that has it
    number: int
    changed: Callable[[int], Game]
    asks: list[str]
    part: str = ""  # the variant or module that it belongs to


def numbers_of(game: Game, setup: Setup, most_kinds: int | None = MOST_KINDS) -> list[WrittenNumber]:
    # Of '3-4: 5' both player counts have the number, which is written once.
    numbers = {number.source: number for number in _of_numbers(game, setup)}
    return [*numbers.values(), *_of_cards(game, setup, most_kinds)]


def _of_numbers(game: Game, setup: Setup) -> Iterator[WrittenNumber]:
    names = [as_name(name) for name in setup.values]
    places = {step.place: step for part in _parts(setup) for step in part.steps}
    common = [*names, *(f"taken('{deck}')" for deck in game.decks), *map(as_name, places)]
    common += [f"{ask}('{place}')" for ask in ("total", "removed") for place in places]
    for value in setup.values.values():
        for expression in written(value.amount):
            asks = [as_name(value.name), *common]
            yield from _in_text(game, setup, expression, f"value {value.name!r}", value.name, asks)
    for part in _parts(setup):
        for step in part.steps:
            asks = [f"taken('{take.origin}')" for take in step.takes if take.origin in game.decks]
            asks += [as_name(step.place), f"removed('{step.place}')"]
            asks += [f"count('{step.place}', where=\"{take.where.text}\")" for take in step.takes if take.where]
            for expression in step_expressions(replace(step, slots=None)):  # the most that fits is a check itself
                name = part.id if isinstance(part, Variant) else ""
                yield from _in_text(
                    game, setup, expression, f"{step.kind.value} {step.place!r}", step.place, [*asks, *common], name
                )


def _in_text(
    game: Game, setup: Setup, expression: Expression, words: str, about: str, asks: list[str], part: str = ""
) -> Iterator[WrittenNumber]:
    for match in _NUMBER.finditer(without_strings(expression.text)):

        def changed(number: int, start: int = match.start(), end: int = match.end()) -> Game:
            text = f"{expression.text[:start]}{number}{expression.text[end:]}"
            return replace(game, setup=_replaced(setup, expression, replace(expression, text=text)))

        whole = f"{expression.text!r} of the {words}" if match[0] != expression.text else f"an amount of the {words}"
        yield WrittenNumber(expression.at(match.start()), whole, about, int(match[0]), changed, asks, part)


def _replaced(record: Any, old: Expression, new: Expression) -> Any:
    """Return a record of a setup with one expression, known by its source, replaced wherever it occurs."""
    if isinstance(record, Expression) and record == old:
        return new
    if isinstance(record, Struct):
        values = {field.name: getattr(record, field.name) for field in fields(record)}
        others = {name: _replaced(value, old, new) for name, value in values.items()}
        changes = {name: value for name, value in others.items() if value is not values[name]}
        return replace(record, **changes) if changes else record
    if isinstance(record, Mapping):
        mapping = {key: _replaced(value, old, new) for key, value in record.items()}
        return mapping if any(mapping[key] is not value for key, value in record.items()) else record
    if isinstance(record, tuple):
        entries = tuple(_replaced(entry, old, new) for entry in record)
        return entries if any(one is not other for one, other in zip(entries, record, strict=True)) else record
    return record


def _of_cards(game: Game, setup: Setup, most_kinds: int | None) -> Iterator[WrittenNumber]:
    """Yield the copies of one card of each kind, for the decks that the setup names."""
    texts = " ".join(expression.text for expression in every(Expression, setup))
    texts += " ".join(f" {balance.by} {balance.field}" for part in _parts(setup) for balance in part.balances)
    origins = {take.origin for part in _parts(setup) for step in part.steps for take in step.takes}
    for deck in game.decks.values():
        if not deck.is_component or (deck.id not in origins and f"'{deck.id}'" not in texts):
            continue
        names = [name for name in ("id", *deck.fields) if re.search(rf"\b{re.escape(name)}\b", texts)]
        kinds: dict[str, list[int]] = {}
        for at, card in enumerate(deck.cards):
            seen = [card.id if name == "id" else card.values.get(name) for name in names]
            kinds.setdefault(repr((card.copies, seen)), []).append(at)
        groups = list(kinds.values())
        for group in groups[:: -(-len(groups) // (most_kinds or len(groups)))] if groups else ():
            yield _of_card(game, deck, group)


def _of_card(game: Game, deck: Deck, group: list[int]) -> WrittenNumber:
    card = deck.cards[group[0]]

    def changed(number: int) -> Game:
        cards = tuple(replace(one, copies=number) if one is card else one for one in deck.cards)
        return replace(game, decks={**game.decks, deck.id: replace(deck, cards=cards)})

    alike = f", as of {len(group) - 1} alike" if len(group) > 1 else ""
    words = f"copies of {card.id!r} in deck {deck.id!r}{alike}"
    return WrittenNumber(card.at("copies"), words, deck.id, card.copies, changed, [f"count('{deck.id}')"])


def _parts(setup: Setup) -> tuple[Setup | Variant, ...]:
    return setup, *setup.all_variants.values()


Place = tuple[int, str | None]  # a player count and a way to play
Finding = tuple[str, int | None, str | None]  # a cause, and where it is found


class Suggestion(NamedTuple):
    """A number with another value, the findings that it removes, and the rest of them."""

    written: WrittenNumber
    number: int
    gone: set[Finding]
    left: set[Finding]


def finding_of(problem: Problem) -> Finding:
    """Return the cause of a problem, with its player count and variant."""
    return problem.cause or cause_of(problem.code, problem.source), problem.players, problem.variant


class Trials(Struct):
    """Changed games, each with another number, run at some places; all of them share one budget."""

    book: Book
    places: Sequence[Place]
    expectations: Mapping[str, Expectation]
    calculator: Calculator

    def suggestions(self) -> Iterator[Suggestion]:
        """Yield numbers that each remove several findings, one of them an expectation: one after the other.

        Raises `Spent`.
        """
        game = self.book.game
        wrong = self._findings(self._runs(game), self.places)
        for _ in range(_MOST_MISTAKES):
            suggestion = self._best(game, wrong)
            if suggestion is None:
                return
            yield suggestion
            game, wrong = suggestion.written.changed(suggestion.number), suggestion.left

    def _runs(self, game: Game) -> Runs:
        """Return the runs of a game; all trials share its parsed expressions."""
        assert game.setup is not None
        book = Book(game, game.setup, self.calculator)
        reading = Book.reading.__wrapped__  # type: ignore[attr-defined]
        book.memory[reading] = self.book.memory[reading]
        return Runs(book)

    def _findings(self, runs: Runs, places: Sequence[Place]) -> set[Finding]:
        """Return the findings at some player counts and variants, and those of the decks."""
        counts = list(dict.fromkeys(players for players, _ in places))
        problems = [*unbalanced_sets(runs.book), *wrong_totals_at(runs.book, counts)]
        for players, way in places:
            problems += runs.occurrences.grouped(problems_of_run(runs, players, way, is_reported=True), players, way)
        accepted = accept_findings(runs.book.game, problems)
        return {finding_of(problem) for problem in accepted if problem.level is not Level.NOTE}

    def _best(self, game: Game, wrong: set[Finding]) -> Suggestion | None:
        """Return the number that removes most findings without adding one, or None.

        It is looked for where most is wrong.
        """
        at = Counter((players, way) for _, players, way in sorted(wrong, key=repr) if players is not None)
        if not self.places or len({cause for cause, _, _ in wrong}) < 2:
            return None
        place = at.most_common(1)[0][0] if at else self.places[0]
        here = {one for one in wrong if one[1:] in (place, (None, None))}
        as_is = self._runs(game)
        gaps = gaps_of(as_is.run(*place), self.expectations)
        tried: list[Suggestion] = []
        best: Suggestion | None = None

        def better(one: Suggestion) -> Suggestion | None:
            other = self._verified(as_is, one, wrong)
            return other if best is None or (other is not None and len(other.gone) > len(best.gone)) else best

        for changed in self._likely_first(game, [self.expectations[one] for one in gaps if one in self.expectations]):
            for number in self._numbers_to_try(changed, place, gaps):
                left = self._findings(self._runs(changed.changed(number)), [place])
                if left < here:
                    tried.append(Suggestion(changed, number, here - left, left))
                if not left:
                    best = better(tried.pop())
                if best is not None and not best.left:
                    return best
        # A number that is 0 makes a step do nothing; that is rather a mistake than any other number.
        tried.sort(key=lambda one: (-len(one.gone), one.written.number != 0))
        for one in tried[:_MOST_VERIFIED]:
            best = better(one)
        return best

    def _verified(self, as_is: Runs, one: Suggestion, wrong: set[Finding]) -> Suggestion | None:
        """Return the effect of a number at all places; None if it adds or worsens a finding, or removes only one."""
        runs, expectations = self._runs(one.written.changed(one.number)), self.expectations
        left = self._findings(runs, self.places)
        causes = {cause for cause, _, _ in wrong - left}
        if not (
            left < wrong and len(causes) > 1 and causes & (expectations.keys() | totals_by_cause(self.book).keys())
        ):
            return None
        for players, way in sorted({(players, way) for _, players, way in left if players is not None}, key=repr):
            after = gaps_of(runs.run(players, way), expectations)
            for cause, gap in gaps_of(as_is.run(players, way), expectations).items():
                if abs(after.get(cause) or 0) > abs(gap or 0) and gap is not None:
                    return None
        return one._replace(gone=wrong - left, left=left)

    def _likely_first(self, game: Game, failing: Sequence[Expectation]) -> list[WrittenNumber]:
        """Return the numbers of a game, first those that failed expectations depend on."""
        assert game.setup is not None
        numbers = numbers_of(game, game.setup, most_kinds=None)
        names = {number.about for number in numbers}
        is_named = {name: any(is_about_name(self.book, one, name) for one in failing) for name in names}
        return sorted(numbers, key=lambda one: not is_named[one.about])

    def _numbers_to_try(
        self, written: WrittenNumber, place: Place, gaps: Mapping[str, float | None]
    ) -> Iterator[int]:  # fmt: skip
        """Yield other values of a number that may remove a failure, estimated from a change by one."""
        steps: dict[int, None] = {}
        for step in (1, -1):
            if written.number + step < 0:
                continue
            after = gaps_of(self._runs(written.changed(written.number + step)).run(*place), self.expectations)
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


def only_root_causes(problems: list[Problem], runs: Runs) -> list[Problem]:
    """Return the findings of a check without the expectations that fail as a consequence of another mistake."""
    book = runs.book
    expectations = {cause_of("expectation", one.source): one for part in book.parts for one in part.expectations}
    wrong = {finding_of(problem)[0] for problem in problems if problem.level is not Level.NOTE}
    if len(wrong) < 2 or not wrong & (expectations.keys() | totals_by_cause(book).keys()):
        return problems
    # A game that is tried is looked at alone or with one part, and wherever something is wrong.
    looked_at, places_of = runs.occurrences.looked_at, runs.occurrences.places_of.values()
    few = [(players, way) for way, counts in looked_at.items() if "," not in (way or "") for players in counts]
    places = dict.fromkeys((*few, *(place for places in places_of for place in sorted(places, key=repr))))
    trials = Trials(book, list(places), expectations, Calculator(SETUP, limit("setup-steps") // _SHARE))
    suggestions: list[Suggestion] = []
    with suppress(Spent):  # what was not tried may be a mistake of its own
        suggestions.extend(trials.suggestions())
    for suggestion in suggestions:
        problems = _without_consequences(book, problems, suggestion, expectations)
    return problems


def _without_consequences(
    book: Book, problems: list[Problem], suggestion: Suggestion, expectations: Mapping[str, Expectation]
) -> list[Problem]:  # fmt: skip
    """Return problems without the expectations that a number corrects, but one if nothing else tells."""
    written, gone, totals = suggestion.written, {cause for cause, _, _ in suggestion.gone}, totals_by_cause(book)
    causes = [cause for cause in expectations if cause in gone]
    # The total that says most about which cards they are comes first.
    of_totals = sorted((cause for cause in totals if cause in gone), key=lambda cause: totals[cause].where is None)
    gone_here = [problem for problem in problems if _is_gone(problem, suggestion)]
    levels = [(finding_of(problem)[0], problem.level) for problem in gone_here]
    others = {level for cause, level in levels if cause not in expectations and cause not in totals}
    # An error never follows from what is only a warning: then the game would pass.
    is_reported = bool(others) and (Level.ERROR in others or Level.ERROR not in {level for _, level in levels})
    added = [int(match[1]) for problem in gone_here if (match := _TO_ADD.match(problem.fix))]
    # Cards that are enough for the steps, and not for a total, leave a total that is wrong.
    is_enough = not added or max(added) == suggestion.number - written.number
    consequences = {*causes, *((of_totals if is_reported else of_totals[1:]) if is_enough else ())}
    is_reported |= bool(of_totals)
    about = (cause for cause in causes if is_about_name(book, expectations[cause], written.about))
    first = next(about, "".join(causes[:1]))
    lines = sorted({expectations[cause].source.line for cause in causes})
    findings = []
    for problem in problems:
        cause = finding_of(problem)[0]
        if problem.level is Level.NOTE or problem not in gone_here:
            findings.append(problem)
        elif cause not in consequences:
            # Of cards it is said how many to add; which ones are otherwise, nobody knows.
            if problem.code not in _OF_DECKS and written.source.file == problem.source.file:
                problem = problem._replace(fix=f"{problem.fix}; or {_fix(problem, suggestion, lines)}")
            findings.append(problem)
        elif not is_reported and cause == first:
            fix = _fix(problem, suggestion, [line for line in lines if line != expectations[cause].source.line])
            findings.append(problem if expectations[cause].fix else problem._replace(fix=fix))
    return findings


def _is_gone(problem: Problem, suggestion: Suggestion) -> bool:
    """Return whether a suggestion removes a problem at all its player counts and in all its variants."""
    cause, players, way = finding_of(problem)

    def is_of(finding: Finding) -> bool:
        return finding[0] == cause and players in (None, finding[1]) and is_part_of(way, finding[2])

    return any(map(is_of, suggestion.gone)) and not any(map(is_of, suggestion.left))


def _fix(problem: Problem, suggestion: Suggestion, lines: list[int]) -> str:
    written = suggestion.written
    source = written.source
    where = f"line {source.line}" if source.file == problem.source.file else str(source)
    fix = f"write {suggestion.number} instead of {written.number} in {where} ({written.words}): that mends it"
    if not lines:
        return fix
    others = ", ".join(map(str, lines[:-1]))
    return f"{fix}, and what {f'lines {others} and {lines[-1]} expect' if others else f'line {lines[0]} expects'}"
