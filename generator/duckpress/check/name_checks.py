"""The check of words: every name that a setup uses is known, before anything is computed with it.

One misspelt name is one problem at its own column, whatever the number of player counts it would fail at.
"""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.geometry import geometry_words
from duckpress.check.rule_book import RESERVED, Book
from duckpress.check.setup import seating
from duckpress.check.setup.dropped import dropped_places
from duckpress.check.setup_expressions import PARAMETERS, DeckCall, Reading
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.holes import holes
from duckpress.model.setup import ALL, Amount, Expectation, Expression, Step, Take, as_name


def unknown_words(book: Book) -> Iterator[Problem]:
    """Yield a problem for each name that a setup uses and nothing bears.

    Codes: `bad-expression`, `unknown-name`, `unknown-field`, `unknown-fact`, `unknown-function`, `unknown-deck`,
    `unknown-place`, `place-too-late`, `place-dropped`, `place-kind`, `name-taken`.
    """
    checker = _KnownNames(book)
    yield from checker.taken_names()
    for value in book.setup.values.values():
        yield from checker.expression(value.expression)
    for variant_id in (None, *book.setup.variants):
        yield from checker.steps(variant_id)
    variants = book.setup.variants.values()
    for expectation in (*book.setup.expectations, *(one for variant in variants for one in variant.expectations)):
        yield from checker.expectation(expectation)
    for column in (*book.setup.columns, *(one for variant in variants for one in variant.columns)):
        yield from checker.expression(column.shows)
    for note in book.setup.notes:
        yield from checker.text(note)
    yield from checker.seats()
    for total in book.setup.totals:
        yield from checker.expression(total.wanted)
        unknown = [name for name in total.decks if name not in book.game.decks]
        for name in unknown:
            yield checker.unknown_deck(name, total.source)
        if total.where is not None and not unknown:
            yield from checker.expression(total.where, decks=total.decks)


class _KnownNames:
    def __init__(self, book: Book) -> None:
        self.book = book
        self.decks = book.game.decks
        self.places = book.all_places()
        self.known = book.known_names()
        self.relations = {as_name(name) for name in book.setup.seats.relations} if book.setup.seats else set[str]()
        self.known_at_seat = self.known | {"seat"} | self.relations
        self.origins: dict[str | None, dict[str, dict[str, None]]] = {}

    def problem(self, code: str, source: Source, what: str, fix: str) -> Problem:
        return Problem(code, source, what, fix or "correct the name", game=self.book.game.id)

    def unknown_deck(self, name: str, source: Source) -> Problem:
        fix = did_you_mean(name, self.decks, else_say="the decks are")
        return self.problem("unknown-deck", source, f"there is no deck {name!r}", fix)

    def taken_names(self) -> Iterator[Problem]:
        """Yield a problem for each value or place whose name in expressions is somebody else's."""
        named = [("value", value.name, value.source) for value in self.book.setup.values.values()]
        named += [("place", step.place, step.source) for step in self.all_steps()]
        relations = self.book.setup.seats.relations.values() if self.book.setup.seats else ()
        named += [("relation", relation.name, relation.source) for relation in relations]
        owners: dict[str, tuple[str, str, Source]] = {}
        for kind, name, source in named:
            short = as_name(name)
            owner = owners.setdefault(short, (kind, name, source))
            # A relation may be called as a function is (`left`): no expression can mean both.
            taken = (*RESERVED, *seating.RESERVED) if kind == "relation" else (*RESERVED, *PARAMETERS)
            if short in taken:
                what = f"{name!r} cannot be the name of a {kind}: in expressions {short!r} has a meaning of its own"
                yield self.problem("name-taken", source, what, "choose another name")
            elif owner[:2] != (kind, name):
                what = f"the {kind} {name!r} and the {owner[0]} {owner[1]!r} in line {owner[2].line} are both {short!r}"
                yield self.problem("name-taken", source, f"{what} in expressions", "choose another name")

    def all_steps(self) -> list[Step]:
        variants = self.book.setup.variants.values()
        return [*self.book.setup.steps, *(step for variant in variants for step in variant.steps)]

    def steps(self, variant_id: str | None) -> Iterator[Problem]:
        """Yield what is wrong with the words of the basic game's steps, or of a variant's own."""
        variant = self.book.variant(variant_id)
        own = self.book.setup.steps if variant is None else variant.steps
        basic = self.book.places(None)
        if variant is not None:
            gone = [*variant.drops, *((step.replaces, step.replaces_source) for step in own)]
            for name, source in gone:
                if name is not None and source is not None and name not in basic:
                    fix = did_you_mean(name, basic, else_say="the basic game has")
                    yield self.problem("unknown-place", source, f"the basic game has no place {name!r}", fix)
            yield from dropped_places(self.book, variant)
        kinds: dict[str, Step] = {}
        formed: set[str] = set()
        mine = {id(step) for step in own}  # which of them, not which are alike
        for step in self.book.steps(variant_id):
            if id(step) in mine:
                yield from self.step(step, formed, variant_id, kinds.setdefault(step.place, step))
            kinds.setdefault(step.place, step)
            formed.add(step.place)

    def step(self, step: Step, formed: set[str], variant_id: str | None, first: Step) -> Iterator[Problem]:
        if (first.kind, first.is_for_each_player) != (step.kind, step.is_for_each_player):
            what = f"{step.place!r} is a {_spoken(step)} here and a {_spoken(first)} in line {first.source.line}"
            yield self.problem("place-kind", step.source, what, "make them the same, or give one another name")
        for take in step.takes:
            yield from self.take(take, formed, variant_id, seat=step.is_for_each_player)
        for amount, all_is_allowed in ((step.remove, True), (step.slots, False)):
            yield from self.amount(amount, seat=step.is_for_each_player, all_is_allowed=all_is_allowed)
        yield from self.expression(step.when)
        yield from self.text(step.note)

    def take(self, take: Take, formed: set[str], variant_id: str | None, *, seat: bool) -> Iterator[Problem]:
        yield from self.amount(take.amount, seat=seat, all_is_allowed=True)
        decks: tuple[str, ...] = (take.origin,)
        if take.origin not in self.decks:
            places = self.book.places(variant_id)
            if take.origin in formed:
                decks = self.decks_in(take.origin, variant_id)
            elif take.origin in places:
                self.book.faulty.add(take.source)
                what = f"{take.origin!r} is formed only by a later step"
                yield self.problem("place-too-late", take.source, what, "move that step up, before this one")
                return
            else:
                self.book.faulty.add(take.source)
                fix = did_you_mean(take.origin, (*self.decks, *formed), else_say="there are")
                what = f"there is no deck {take.origin!r}, and no earlier step forms it"
                yield self.problem("unknown-deck", take.source, what, fix)
                return
        yield from self.expression(take.where, seat=seat, decks=decks)

    def decks_in(self, place: str, variant_id: str | None) -> tuple[str, ...]:
        """Return the decks whose cards may lie at a place."""
        if variant_id not in self.origins:
            origins = self.origins[variant_id] = {}
            for step in self.book.steps(variant_id):
                origins.setdefault(step.place, {}).update(dict.fromkeys(take.origin for take in step.takes))
        origins = self.origins[variant_id]
        found: dict[str, None] = {}
        seen, waiting = {place}, [place]
        while waiting:
            here = list(origins.get(waiting.pop(), ()))
            self.book.spend(1 + len(here))
            for origin in here:
                if origin in self.decks:
                    found[origin] = None
                elif origin not in seen:
                    seen.add(origin)
                    waiting.append(origin)
        return tuple(found)

    def expectation(self, expectation: Expectation) -> Iterator[Problem]:
        seat = expectation.is_for_each_player
        yield from self.expression(expectation.that, seat=seat)
        yield from self.amount(expectation.is_, seat=seat)
        yield from self.expression(expectation.when)
        yield from self.text(expectation.say, seat=seat)
        yield from self.text(expectation.fix, seat=seat)

    def seats(self) -> Iterator[Problem]:
        """Yield what is wrong with the words of the relations, and with the places that players are told of."""
        seats = self.book.setup.seats
        for relation in seats.relations.values() if seats is not None else ():
            yield from self.expression(relation.expression, seat=True)
        personal = {step.place: step.is_for_each_player for step in self.all_steps()}
        for knowledge in seats.knows if seats is not None else ():
            place = knowledge.place
            if place not in personal:
                fix = did_you_mean(place, self.places, else_say="the places are")
                yield self.problem("unknown-place", knowledge.source, f"no step forms {place!r}", fix)
            elif personal[place] is not bool(knowledge.whose):
                whose = "each player has one" if personal[place] else "it is common to all"
                fix = f"say whose: '{place}: [seat]'" if personal[place] else f"say '{place}: yes'"
                what = f"who is told {place!r} does not fit: {whose}"
                yield self.problem("place-kind", knowledge.source, what, fix)
            for expression in knowledge.whose:
                yield from self.expression(expression, seat=True)

    def amount(self, amount: Amount | None, *, seat: bool = False, all_is_allowed: bool = False) -> Iterator[Problem]:
        for expression in amount.by_players.values() if amount is not None else ():
            if expression.text != ALL or not all_is_allowed:
                yield from self.expression(expression, seat=seat)

    def text(self, text: Expression | None, *, seat: bool = False) -> Iterator[Problem]:
        for hole in holes(text.text) if text is not None else ():
            assert text is not None
            yield from self.reading(text, hole.expression, hole.offset, seat=seat)

    def expression(
        self, expression: Expression | None, *, seat: bool = False, decks: tuple[str, ...] | None = None
    ) -> Iterator[Problem]:
        """Yield the unknown words of an expression; `decks` are those whose cards `card` may be."""
        if expression is not None:
            yield from self.reading(expression, expression.text, 0, seat=seat, decks=decks)

    def reading(
        self, expression: Expression, text: str, start: int, *, seat: bool, decks: tuple[str, ...] | None = None
    ) -> Iterator[Problem]:
        """Yield the unknown words of a text, and mark its expression so that nothing is computed with it."""
        for problem in self.unknown(expression, text, start, seat=seat, decks=decks):
            self.book.faulty.add(expression.source)
            yield problem

    def unknown(
        self, expression: Expression, text: str, start: int, *, seat: bool, decks: tuple[str, ...] | None
    ) -> Iterator[Problem]:
        self.book.at = expression.source
        self.book.spend(1 + len(text) // 16)
        reading = self.book.reading(text)
        if reading.error is not None:
            error = reading.error
            within = start or None if error.offset is None else start + error.offset
            yield self.problem(error.code, expression.at(within), error.what, error.fix)
            return
        known = self.known_at_seat if seat else self.known
        for word in reading.names:
            if word.text not in known and (word.text != "card" or decks is None):
                yield self.unknown_name(word.text, expression.at(start + word.offset), known)
        for word in reading.facts:
            if word.text not in self.book.game.facts:
                fix = did_you_mean(word.text, self.book.game.facts, else_say="the facts are")
                yield self.problem("unknown-fact", expression.at(start + word.offset), f"no fact {word.text!r}", fix)
        for call in reading.calls:
            if call.function in self.relations and reading.uses(call.function):
                what = f"{call.function!r} is meant as a relation and as a function in one expression"
                fix = "give the relation's value a name of its own under 'relations'"
                yield self.problem("name-taken", expression.at(start + call.offset), what, fix)
        yield from self.card_fields(reading, expression, start, decks)
        for call in reading.calls:
            yield from self.call(call, expression, start, seat=seat)

    def card_fields(
        self, reading: Reading, expression: Expression, start: int, decks: tuple[str, ...] | None
    ) -> Iterator[Problem]:
        fields = {name for deck in decks or () for name in self.decks[deck].fields}
        for word in reading.card_fields if decks is not None else ():
            if word.text not in fields and word.text not in ("id", "deck", "copies"):
                fix = did_you_mean(word.text, fields, else_say="the fields are")
                shown = " or ".join(repr(deck) for deck in dict.fromkeys(decks or ()))
                what = f"no card of {shown} has a field {word.text!r}"
                yield self.problem("unknown-field", expression.at(start + word.offset), what, fix)

    def unknown_name(self, name: str, source: Source, known: set[str]) -> Problem:
        decks = [deck for deck in self.decks if as_name(deck) == name]
        if name == "seat" or name in self.relations:
            fix = "a step or expectation with 'each: player' knows it"
        elif name == "card":
            fix = "only 'where' knows it"
        elif decks:
            fix = f"{decks[0]!r} is a deck: say count('{decks[0]}'), taken('{decks[0]}') or left('{decks[0]}')"
        else:
            fix = did_you_mean(name, known, else_say="the names are")
        return self.problem("unknown-name", source, f"nothing is named {name!r}", fix)

    def call(self, call: DeckCall, expression: Expression, start: int, *, seat: bool) -> Iterator[Problem]:
        source = expression.at(start + call.offset)
        if call.function not in PARAMETERS:
            fix = did_you_mean(call.function, PARAMETERS, else_say="the functions are")
            yield self.problem("unknown-function", source, f"there is no function {call.function!r}", fix)
            return
        if call.origin is None:
            return
        at_origin = expression.at(start + call.origin.offset)
        name = call.origin.text
        is_of_place = call.function in ("removed", "total", "told", "knowers")
        if is_of_place or (call.function == "left" and name not in self.decks):
            if name not in self.places:
                fix = did_you_mean(name, self.places, else_say="the places are")
                yield self.problem("unknown-place", at_origin, f"no step forms {name!r}", fix)
        elif call.function in geometry_words.FUNCTIONS:
            error = geometry_words.unknown_name(self.book.survey(), call.function, name)
            if error is not None:
                yield self.problem(error.code, at_origin, error.what, error.fix)
        elif name not in self.decks:
            yield self.unknown_deck(name, at_origin)
        elif call.field is not None and call.field.text not in self.decks[name].fields:
            fix = did_you_mean(call.field.text, self.decks[name].fields, else_say="the fields are")
            what = f"no card of {name!r} has a field {call.field.text!r}"
            yield self.problem("unknown-field", expression.at(start + call.field.offset), what, fix)
        elif call.where is not None:
            start += call.where.offset
            yield from self.reading(expression, call.where.text, start, seat=seat, decks=(name,))


def _spoken(step: Step) -> str:
    return f"{step.kind.value} of each player's" if step.is_for_each_player else f"{step.kind.value} of all"
