"""The names that a setup gives and uses: every one is known before anything is computed, and is given once.

One misspelt name is one problem at its own column, whatever the number of player counts it would fail at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duckpress.check.geometry import surveying
from duckpress.check.setup.rule_book import RESERVED, RESERVED_OF_SEATS, Book
from duckpress.check.setup_expressions import PARAMETERS, DeckCall, Reading, unknown
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.mistakes import ExpressionError
from duckpress.expressions.parsing import holes
from duckpress.model.setup import ALL, Amount, Expression, Step, Take, Variant, as_name

_OF_PLACES = ("removed", "total", "told", "knowers")
_OF_NO_DECK = (*_OF_PLACES, *surveying.FUNCTIONS)


def unknown_words(book: Book) -> Iterator[Problem]:
    """Yield a problem for each name that a setup uses and nothing bears.

    Codes: `bad-expression`, `unknown-name`, `unknown-field`, `unknown-fact`, `unknown-function`, `unknown-deck`,
    `unknown-place`, `place-too-late`, `place-dropped`, `place-kind`, `name-taken`.
    """
    names = ExpressionNames(book)
    yield from _taken_names(book)
    for value in book.setup.values.values():
        yield from names.amount(value.amount)
    for variant_id in (None, *book.setup.variants):
        yield from _of_steps(book, names, variant_id)
    for expectation in (expectation for part in book.parts for expectation in part.expectations):
        seat = expectation.is_for_each_player
        yield from names.expression(expectation.that, seat=seat)
        yield from names.amount(expectation.is_, seat=seat)
        yield from names.expression(expectation.when)
        yield from names.text(expectation.say, seat=seat)
        yield from names.text(expectation.fix, seat=seat)
    for column in (column for part in book.parts for column in part.columns):
        yield from names.expression(column.shows)
    for note in book.setup.notes:
        yield from names.text(note)
    yield from _of_seats(book, names)
    for total in book.setup.totals:
        yield from names.expression(total.wanted)
        missing = [name for name in total.decks if name not in book.game.decks]
        for name in missing:
            yield unknown("unknown-deck", name, book.game.decks).problem(total.source)
        if not missing:
            yield from names.expression(total.where, decks=tuple(dict.fromkeys(total.decks)))


def _taken_names(book: Book) -> Iterator[Problem]:
    """Yield a problem for each value or place whose name in expressions is somebody else's."""
    named = [("value", value.name, value.source) for value in book.setup.values.values()]
    named += [("place", step.place, step.source) for part in book.parts for step in part.steps]
    relations = book.setup.seats.relations.values() if book.setup.seats else ()
    named += [("relation", relation.name, relation.source) for relation in relations]
    owners: dict[str, tuple[str, str, Source]] = {}
    for kind, name, source in named:
        short = as_name(name)
        owner = owners.setdefault(short, (kind, name, source))
        # A relation may be called as a function is (`left`): no expression can mean both.
        if short in RESERVED or short in (RESERVED_OF_SEATS if kind == "relation" else PARAMETERS):
            what = f"{name!r} cannot be the name of a {kind}: in expressions {short!r} has a meaning of its own"
            yield Problem("name-taken", source, what, "choose another name")
        elif owner[:2] != (kind, name):
            what = f"the {kind} {name!r} and the {owner[0]} {owner[1]!r} in line {owner[2].line} are both {short!r}"
            yield Problem("name-taken", source, f"{what} in expressions", "choose another name")


def _of_steps(book: Book, names: ExpressionNames, variant_id: str | None) -> Iterator[Problem]:
    """Yield what is wrong with the words of the basic game's steps, or of a variant's own."""
    variant = book.variant(variant_id)
    own = book.parts_of(variant_id)[-1].steps
    if variant is not None:
        basic = book.places(None)
        for name, source in [*variant.drops, *((step.replaces, step.replaces_source) for step in own)]:
            if name is not None and source is not None and name not in basic:
                what = f"the basic game has no place {name!r}"
                yield unknown("unknown-place", name, basic, what, says="the basic game has").problem(source)
        yield from _dropped_places(book, variant)
    first_of: dict[str, Step] = {}
    formed: set[str] = set()
    mine = {id(step) for step in own}  # which of them, not which are alike
    for step in book.steps(variant_id):
        first = first_of.setdefault(step.place, step)
        if id(step) in mine:
            if (first.kind, first.is_for_each_player) != (step.kind, step.is_for_each_player):
                what = f"{step.place!r} is a {_spoken(step)} here and a {_spoken(first)} in line {first.source.line}"
                yield Problem("place-kind", step.source, what, "make them the same, or give one another name")
            for take in step.takes:
                yield from _of_take(book, names, take, formed, variant_id, seat=step.is_for_each_player)
            yield from names.amount(step.remove, seat=step.is_for_each_player, all_is_allowed=True)
            yield from names.amount(step.slots, seat=step.is_for_each_player)
            yield from names.expression(step.when)
            yield from names.text(step.note)
        formed.add(step.place)


def _of_take(
    book: Book, names: ExpressionNames, take: Take, formed: set[str], variant_id: str | None, *, seat: bool
) -> Iterator[Problem]:
    yield from names.amount(take.amount, seat=seat, all_is_allowed=True)
    origin, decks = take.origin, book.game.decks
    if origin in decks or origin in formed:
        if take.where is not None:
            of_cards = (origin,) if origin in decks else book.decks_in(origin, variant_id)
            yield from names.expression(take.where, seat=seat, decks=of_cards)
        return
    book.faulty.add(take.source)
    if origin in book.places(variant_id):
        what = f"{origin!r} is formed only by a later step"
        yield Problem("place-too-late", take.source, what, "move that step up, before this one")
    else:
        what = f"there is no deck {origin!r}, and no earlier step forms it"
        yield unknown("unknown-deck", origin, (*decks, *formed), what, says="there are").problem(take.source)


def _dropped_places(book: Book, variant: Variant) -> Iterator[Problem]:
    """Yield a `place-dropped` for each place that a variant drops or replaces and that a step it keeps takes from.

    Nothing is said of a place that the variant forms anew before that step, and of steps that are faulty already.
    """
    gone = {name: ("drops", source) for name, source in variant.drops}
    for step in variant.steps:
        if step.replaces is not None:
            gone.setdefault(step.replaces, ("replaces", step.replaces_source or step.source))
    kept = {id(step) for step in book.setup.steps}
    formed: set[str] = set(book.game.decks)
    lines: dict[str, dict[str, int]] = {}
    for step in book.steps(variant.id):
        for take in step.takes if id(step) in kept else ():
            if take.origin in gone and take.origin not in formed and take.source not in book.faulty:
                lines.setdefault(take.origin, {}).setdefault(step.place, take.source.line)
        formed.add(step.place)
    for place, line_of in lines.items():
        verb, source = gone[place]
        takes = "takes" if len(line_of) == 1 else "take"
        takers = " and ".join(f"{name!r} in line {line}" for name, line in line_of.items())
        what = f"variant {variant.id!r} {verb} {place!r}, and {takers} still {takes} from it"
        too = " and ".join(map(repr, line_of))
        fix = f"drop or replace {too} too, or form {place!r} anew in a step with 'replaces: {place}'"
        yield Problem("place-dropped", source, what, fix, variant=variant.id)


def _of_seats(book: Book, names: ExpressionNames) -> Iterator[Problem]:
    """Yield what is wrong with the words of the relations, and with the places that players are told of."""
    seats = book.setup.seats
    if seats is None:
        return
    for relation in seats.relations.values():
        yield from names.expression(relation.expression, seat=True)
    personal = {step.place: step.is_for_each_player for part in book.parts for step in part.steps}
    for knowledge in seats.knows:
        place = knowledge.place
        if place not in personal:
            yield unknown("unknown-place", place, personal, f"no step forms {place!r}").problem(knowledge.source)
        elif personal[place] is not bool(knowledge.whose):
            whose = "each player has one" if personal[place] else "it is common to all"
            fix = f"say whose: '{place}: [seat]'" if personal[place] else f"say '{place}: yes'"
            what = f"who is told {place!r} does not fit: {whose}"
            yield Problem("place-kind", knowledge.source, what, fix)
        for expression in knowledge.whose:
            yield from names.expression(expression, seat=True)


def _spoken(step: Step) -> str:
    return f"{step.kind.value} of each player's" if step.is_for_each_player else f"{step.kind.value} of all"


class ExpressionNames:
    """What the expressions of a setup know: some names everywhere, some where there is a seat or a card."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._decks = book.game.decks
        values, places, relations = book.by_name
        self._known = {"players", "variant", "facts", "lists", *values, *places}
        self._known_at_seat = {*self._known, "seat", *relations}
        self._relations = relations

    def amount(self, amount: Amount | None, *, seat: bool = False, all_is_allowed: bool = False) -> Iterator[Problem]:
        """Yield the unknown words of an amount."""
        for expression in amount.by_players.values() if amount is not None else ():
            if expression.text != ALL or not all_is_allowed:
                yield from self.expression(expression, seat=seat)

    def text(self, text: Expression | None, *, seat: bool = False) -> Iterator[Problem]:
        """Yield the unknown words of the expressions in a text."""
        if text is not None:
            for hole in holes(text.text):
                yield from self._reading(text, hole.expression, hole.offset, seat=seat)

    def expression(
        self, expression: Expression | None, *, seat: bool = False, decks: Sequence[str] | None = None
    ) -> Iterator[Problem]:
        """Yield the unknown words of an expression; `decks` are those whose cards `card` may be."""
        if expression is not None:
            yield from self._reading(expression, expression.text, 0, seat=seat, decks=decks)

    def _reading(
        self, expression: Expression, text: str, start: int, *, seat: bool, decks: Sequence[str] | None = None
    ) -> Iterator[Problem]:
        """Yield the unknown words of a text, and mark its expression so that nothing is computed with it."""
        book = self.book
        book.at = expression.source
        book.spend(1 + len(text) // 16)
        reading = book.reading(text)
        if reading.error is not None:
            within = start or None if reading.error.offset is None else start + reading.error.offset
            book.faulty.add(expression.source)
            yield reading.error.problem(expression.at(within))
            return
        for error in self._mistakes(reading, seat=seat, decks=decks):
            book.faulty.add(expression.source)
            yield error.problem(expression.at(start + (error.offset or 0)))
        for call in reading.calls:
            wrong = self._wrong_call(call)
            if wrong is not None:
                book.faulty.add(expression.source)
                yield wrong.problem(expression.at(start + (wrong.offset or 0)))
            elif call.where and call.origin and call.origin.text in self._decks and call.function not in _OF_NO_DECK:
                inner = start + call.where.offset
                yield from self._reading(expression, call.where.text, inner, seat=seat, decks=(call.origin.text,))

    def _mistakes(self, reading: Reading, *, seat: bool, decks: Sequence[str] | None) -> Iterator[ExpressionError]:
        known = self._known_at_seat if seat else self._known
        for word in reading.names:
            if word.text not in known and (word.text != "card" or decks is None):
                what = f"nothing is named {word.text!r}"
                yield ExpressionError("unknown-name", what, self._meant(word.text, known), word.offset)
        facts = self.book.game.facts
        for word in reading.facts:
            if word.text not in facts:
                yield unknown("unknown-fact", word.text, facts, f"no fact {word.text!r}", offset=word.offset)
        for call in reading.calls:
            if call.function in self._relations and any(word.text == call.function for word in reading.names):
                what = f"{call.function!r} is meant as a relation and as a function in one expression"
                fix = "give the relation's value a name of its own under 'relations'"
                yield ExpressionError("name-taken", what, fix, call.offset)
        if decks is not None:
            fields = {name for deck in decks for name in self._decks[deck].fields}
            for word in reading.card_fields:
                if word.text not in fields and word.text not in ("id", "deck", "copies"):
                    what = f"no card of {' or '.join(repr(deck) for deck in decks)} has a field {word.text!r}"
                    yield unknown("unknown-field", word.text, fields, what, offset=word.offset)

    def _meant(self, name: str, known: Iterable[str]) -> str:
        decks = [deck for deck in self._decks if as_name(deck) == name]
        if name == "seat" or name in self._relations:
            return "a step or expectation with 'each: player' knows it"
        if name == "card":
            return "only 'where' knows it"
        if decks:
            return f"{decks[0]!r} is a deck: say count('{decks[0]}'), taken('{decks[0]}') or left('{decks[0]}')"
        return did_you_mean(name, known, else_say="the names are")

    def _wrong_call(self, call: DeckCall) -> ExpressionError | None:
        if call.function not in PARAMETERS:
            return unknown("unknown-function", call.function, PARAMETERS, offset=call.offset)
        if call.origin is None:
            return None
        name, at, decks, places = call.origin.text, call.origin.offset, self._decks, self.book.all_places
        if call.function in surveying.FUNCTIONS:
            error = surveying.unknown_board(self.book.survey, call.function, name)
            return error and ExpressionError(error.code, error.what, error.fix, at)
        if call.function in _OF_PLACES or (call.function == "left" and name not in decks):
            what = f"no step forms {name!r}"
            return None if name in places else unknown("unknown-place", name, places, what, offset=at)
        if name not in decks:
            return unknown("unknown-deck", name, decks, offset=at)
        if call.field is not None and call.field.text not in decks[name].fields:
            what = f"no card of {name!r} has a field {call.field.text!r}"
            return unknown("unknown-field", call.field.text, decks[name].fields, what, offset=call.field.offset)
        return None
