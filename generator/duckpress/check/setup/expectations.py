"""What must come out: expectations at each player count, declared totals and balanced sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duckpress.check.expression_errors import Stopped
from duckpress.check.rule_book import Book
from duckpress.check.setup.scene import Scene, as_words
from duckpress.check.setup.steps import SetupRun
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.model.setup import Balance, Expectation, Expression, Total

COST_OF_A_PROBLEM = 50  # steps: so that what is found is bounded, too
_MOST_SHOWN = 12


def failed_expectations(book: Book, run: SetupRun) -> Iterator[Problem]:
    """Yield what a run should have come to and did not (`expectation`), and what cannot be computed of it."""
    variant = book.variant(run.variant)
    for expectation in (*book.setup.expectations, *(variant.expectations if variant is not None else ())):
        book.at = expectation.source
        book.spend(1)
        if expectation.only is not None and run.players not in expectation.only:
            continue
        seats = range(1, run.players + 1) if expectation.is_for_each_player else (None,)
        for seat in seats:
            try:
                problem = _failed(run.scene.at_seat(seat), expectation)
            except Stopped as stopped:
                problem = stopped.problem
            if problem is not None:
                book.spend(COST_OF_A_PROBLEM)
                yield problem
                break  # the other players' failures are the same mistake


def _failed(scene: Scene, expectation: Expectation) -> Problem | None:
    if expectation.when is not None and not scene.holds(expectation.when):
        return None
    value = scene.value(expectation.that)
    text = expectation.that.text
    if expectation.is_ is None:
        if value:
            return None
        what, source = f"{text} does not hold", expectation.that.source
        fix = "change the amounts it is computed from, or the expectation"
    else:
        wanted_by = scene.expression(expectation.is_)
        wanted = scene.value(wanted_by)
        if value == wanted:
            return None
        has, should = as_words(value)[:200], as_words(wanted)[:200]
        what, source = f"{text} is {has}, and should be {should}", wanted_by.source
        fix = f"change the amounts it is computed from, or expect {has}"
    if scene.seat is not None:
        what = f"for player {scene.seat}, {what}"
    if expectation.level is not Level.ERROR:
        fix = "change the amounts it is computed from, or accept it in game.yaml with the reason"
    what, fix = _own_words(scene, expectation.say, what), _own_words(scene, expectation.fix, fix)
    return scene.problem(Problem("expectation", source, what, fix, expectation.level))


def _own_words(scene: Scene, text: Expression | None, else_say: str) -> str:
    """Return the game's own words for a failure; ours where there are none, or theirs are reported as faulty."""
    if text is None:
        return else_say
    try:
        return scene.spoken(text)
    except Stopped as stopped:
        if stopped.problem is not None:
            raise
        return else_say


def wrong_totals(book: Book, scene: Scene) -> Iterator[Problem]:
    """Yield a `wrong-total` for each declared number of cards that the decks do not come to."""
    for total in book.setup.totals:
        if not all(name in book.game.decks for name in total.decks):
            continue
        book.at = total.source
        try:
            wanted, counted = scene.value(total.wanted), _count(book, scene, total)
        except Stopped as stopped:
            if stopped.problem is not None:
                yield stopped.problem._replace(players=None, variant=None)
            continue
        if counted != wanted:
            decks = " and ".join(repr(name) for name in total.decks)
            such = f" where {total.where.text}" if total.where is not None else ""
            what = f"{decks} should have {as_words(wanted)} cards{such}, and the cards come to {counted}"
            source, fix = total.wanted.source, f"correct the copies of the cards, or the total {total.name!r}"
            yield Problem("wrong-total", source, what, fix, game=book.game.id)


def _count(book: Book, scene: Scene, total: Total) -> int:
    parts = [book.deck_part(name, 1 if book.game.decks[name].is_per_player else 0) for name in total.decks]
    if total.where is not None:
        parts = [scene.chosen(part, total.where) for part in parts]
    return sum(part.size for part in parts)


def unbalanced_sets(book: Book) -> Iterator[Problem]:
    """Yield an `unbalanced` for each group of a balanced set that has more cards of one value than of another."""
    variants = book.setup.variants.values()
    for balance in (*book.setup.balances, *(one for variant in variants for one in variant.balances)):
        deck = book.game.decks.get(balance.deck)
        if deck is None:
            fix = did_you_mean(balance.deck, book.game.decks, else_say="the decks are")
            yield _at(book, "unknown-deck", balance.sources["deck"], f"there is no deck {balance.deck!r}", fix)
            continue
        asked = (("by", balance.by), ("field", balance.field))
        unknown = [(key, name) for key, name in asked if name not in deck.fields]
        for key, name in unknown:
            fix = did_you_mean(name, deck.fields, else_say="its fields are")
            yield _at(book, "unknown-field", balance.sources[key], f"no card of {deck.id!r} has a field {name!r}", fix)
        if not unknown and deck.is_whole:
            yield from _unbalanced(book, balance)


def _unbalanced(book: Book, balance: Balance) -> Iterator[Problem]:
    deck = book.game.decks[balance.deck]
    written = (_spoken(card.values, balance.field) for card in deck.cards)
    values = dict.fromkeys((*deck.fields[balance.field].choices, *written))
    values.pop("", None)
    groups: dict[str, dict[str, int]] = {}
    places: dict[str, Source] = {}
    for card in deck.cards:
        group, value = _spoken(card.values, balance.by), _spoken(card.values, balance.field)
        if group and value:
            if group not in groups:
                book.at = balance.source
                book.spend(len(values))
            counts = groups.setdefault(group, dict.fromkeys(values, 0))
            counts[value] += card.copies
            places.setdefault(group, card.at(balance.by))
    for group, counts in groups.items():
        if len(set(counts.values())) > 1:
            told = [f"{count} of {value!r}" for value, count in counts.items()]
            shown = ", ".join(told[:_MOST_SHOWN]) + (", ..." if len(told) > _MOST_SHOWN else "")
            what = f"{balance.by} {group!r} of deck {deck.id!r} is not balanced by {balance.field}: {shown}"
            fix = "give each as many copies"
            yield _at(book, "unbalanced", places[group], what, fix)._replace(level=balance.level)


def _spoken(values: Mapping[str, object], name: str) -> str:
    return as_words(values.get(name))


def _at(book: Book, code: str, source: Source, what: str, fix: str) -> Problem:
    return Problem(code, source, what, fix or "correct the name", game=book.game.id)
