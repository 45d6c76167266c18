"""The names that a setup gives and uses: every one is known before anything is computed, and is given once.

One misspelt name is one problem at its own column, whatever the number of player counts it would fail at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duckpress.check.geometry import surveying
from duckpress.check.setup.combinations import BASE, parts_named
from duckpress.check.setup.moves import OF_EVERYBODY
from duckpress.check.setup.rule_book import RESERVED, RESERVED_OF_SEATS, Book
from duckpress.check.setup_expressions import PARAMETERS, DeckCall, Reading, unknown
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.expressions.mistakes import ExpressionError
from duckpress.expressions.parsing import holes
from duckpress.model.setup import ALL, EVEN, Amount, Each, Expectation, Expression, Step, Take, Variant, as_name

_OF_PLACES = ("removed", "total", "told", "knowers")
_OF_DECKS = ("taken", "left")
_OWNERS = {
    Each.NOBODY: "of all",
    Each.PLAYER: "of each player's",
    Each.TEAM: "of each team's",
    Each.NUMBER: "of several, by their number",
}
_KNOWN_ELSEWHERE = {
    "team": "a step with 'each: team' knows it, and with 'each: player' where 'seats' has 'teams'",
    "nth": "a step with 'each: 4' knows it, of any number",
    "drawn": "'where' and 'count' beside 'per' know it",
}
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
    yield from _of_parts(book)
    checked: set[object] = set()
    dropped: set[tuple[Source, str]] = set()
    for way in book.combinations():
        yield from _of_steps(book, names, way, checked)
        for problem in _dropped_places(book, way):
            if (problem.source, problem.what) not in dropped:
                dropped.add((problem.source, problem.what))
                yield problem
    for expectation in (expectation for part in book.parts for expectation in part.expectations):
        each = _whose(book, expectation)
        yield from names.expression(expectation.that, each)
        yield from names.amount(expectation.is_, each)
        yield from names.expression(expectation.when, each)
        yield from names.text(expectation.say, each)
        yield from names.text(expectation.fix, each)
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


def _whose(book: Book, expectation: Expectation) -> Each:
    """Return for whom an expectation holds: each player, or each who has a place that it names."""
    each_of = {step.place: step.each for part in book.parts for step in part.steps}
    amounts = expectation.is_.by_players.values() if expectation.is_ is not None else ()
    found = {Each.PLAYER} if expectation.is_for_each_player else set[Each]()
    for text in (expectation.that, expectation.when, *amounts):
        reading = book.reading(text.text) if text is not None else None
        if reading is not None and reading.error is None:
            named = {book.by_name[1].get(use.text, "") for use in reading.names}
            named |= {call.origin.text for call in reading.calls if call.origin and call.function not in OF_EVERYBODY}
            found |= {each_of[name] for name in named & each_of.keys()}
    return next((each for each in (Each.PLAYER, Each.TEAM, Each.NUMBER) if each in found), Each.NOBODY)


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


def _of_parts(book: Book) -> Iterator[Problem]:
    """Yield what is wrong with the names that variants, modules and expectations say of one another."""
    known = book.setup.all_variants
    for part in known.values():
        for name, source in (*part.needs, *part.excludes):
            if name not in known:
                what = f"there is no variant or module {name!r}"
                yield unknown("unknown-variant", name, known, what, says="there are").problem(source)
        others = [step.place for other in book.parts if other is not part for step in other.steps]
        for place, at in (*part.drops, *((step.replaces, step.replaces_source) for step in part.steps)):
            if place is not None and at is not None and place not in others:
                what = f"the basic game has no place {place!r}"
                yield unknown("unknown-place", place, others, what, says="the basic game has").problem(at)
    for expectation in (expectation for part in book.parts for expectation in part.expectations):
        for name in expectation.belongs_to or ():
            if name not in (BASE, *known):
                what = f"there is no variant or module {name!r}"
                where = expectation.belongs_source or expectation.source
                yield unknown("unknown-variant", name, (BASE, *known), what, says="there are").problem(where)


def _of_steps(book: Book, names: ExpressionNames, way: str | None, checked: set[object]) -> Iterator[Problem]:
    """Yield what is wrong with the words of the steps of a way to play that were not checked in an earlier one.

    Whether two steps mean one place is looked at wherever they come together.
    """
    first_of: dict[str, Step] = {}
    formed: set[str] = set()
    for step in book.steps(way):
        first = first_of.setdefault(step.place, step)
        if (first.kind, first.each) != (step.kind, step.each) and step.source not in checked:
            checked.add(step.source)
            what = f"{step.place!r} is a {_spoken(step)} here and a {_spoken(first)} in line {first.source.line}"
            yield Problem("place-kind", step.source, what, "make them the same, or give one another name")
        if id(step) not in checked:  # which of them, not which are alike
            checked.add(id(step))
            if step.each is Each.TEAM and (book.setup.seats is None or book.setup.seats.teams is None):
                fix = "say which team a seat is of, under 'seats': 'teams: seat % 2 + 1'"
                yield Problem("place-kind", step.source, f"{step.place!r} is each team's, and there are no teams", fix)
            for take in step.takes:
                yield from _of_take(book, names, step, take, formed, way)
            yield from names.amount(step.instances)
            yield from names.amount(step.remove, step.each, words=(ALL,))
            yield from names.amount(step.slots, step.each)
            yield from names.expression(step.when, step.each)
            yield from names.text(step.note)
        formed.add(step.place)


def _of_take(
    book: Book, names: ExpressionNames, step: Step, take: Take, formed: set[str], way: str | None
) -> Iterator[Problem]:
    origin, decks, drawn = take.origin, book.game.decks, take.per is not None
    if take.per is not None and take.per not in formed:
        book.faulty.add(take.source)
        what = f"no earlier step forms {take.per!r}"
        yield unknown("unknown-place", take.per, formed, what, says="there are").problem(take.source)
    yield from names.amount(take.amount, step.each, words=(ALL, EVEN), drawn=drawn)
    if origin in decks or origin in formed:
        if origin in decks and origin in formed and origin != step.place:
            what = f"{step.place!r} takes from the deck {origin!r}, and not from the place that is called so, too"
            yield Problem("name-taken", take.source, what, "give the place another name", Level.NOTE)
        if take.where is not None:
            of_cards = (origin,) if origin in decks else book.decks_in(origin, way)
            yield from names.expression(take.where, step.each, decks=of_cards, drawn=drawn)
        each = Each.NOBODY if origin in decks else book.each_of_places(way)[origin]
        if {each, step.each} not in ({each}, {Each.PLAYER, Each.TEAM}) and each and step.each:
            book.faulty.add(take.source)
            what = f"{step.place!r} is a {_spoken(step)} and cannot take from {origin!r}, a place {_OWNERS[each]}"
            yield Problem("place-kind", take.source, what, "make them the same, or take from a place of all")
        return
    book.faulty.add(take.source)
    if origin in book.places(way):
        what = f"{origin!r} is formed only by a later step"
        yield Problem("place-too-late", take.source, what, "move that step up, before this one")
    else:
        what = f"there is no deck {origin!r}, and no earlier step forms it"
        yield unknown("unknown-deck", origin, (*decks, *formed), what, says="there are").problem(take.source)


def _dropped_places(book: Book, way: str | None) -> Iterator[Problem]:
    """Yield a `place-dropped` for each place that a part drops or replaces and that a step of another takes from.

    Nothing is said of a place that is formed anew before that step, and of steps that are faulty already.
    """
    gone: dict[str, tuple[str, Source, Variant]] = {}
    for part in parts_named(book.setup, way):
        gone.update({name: ("drops", source, part) for name, source in part.drops})
        for step in part.steps:
            if step.replaces is not None:
                gone.setdefault(step.replaces, ("replaces", step.replaces_source or step.source, part))
    formed: set[str] = set(book.game.decks)
    lines: dict[str, dict[str, int]] = {}
    for step in book.steps(way):
        for take in step.takes if gone else ():
            is_missing = take.origin in gone and take.origin not in formed and take.source not in book.faulty
            if is_missing and all(step is not own for own in gone[take.origin][2].steps):
                lines.setdefault(take.origin, {}).setdefault(step.place, take.source.line)
        formed.add(step.place)
    for place, line_of in lines.items():
        verb, source, part = gone[place]
        takes = "takes" if len(line_of) == 1 else "take"
        takers = " and ".join(f"{name!r} in line {line}" for name, line in line_of.items())
        kind = "module" if part.is_module else "variant"
        what = f"{kind} {part.id!r} {verb} {place!r}, and {takers} still {takes} from it"
        too = " and ".join(map(repr, line_of))
        fix = f"drop or replace {too} too, or form {place!r} anew in a step with 'replaces: {place}'"
        yield Problem("place-dropped", source, what, fix, variant=way)


def _of_seats(book: Book, names: ExpressionNames) -> Iterator[Problem]:
    """Yield what is wrong with the words of the relations, and with the places that players are told of."""
    seats = book.setup.seats
    if seats is None:
        return
    yield from names.expression(seats.teams, Each.PLAYER)
    for relation in seats.relations.values():
        yield from names.expression(relation.expression, Each.PLAYER)
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
            yield from names.expression(expression, Each.PLAYER)


def _spoken(step: Step) -> str:
    return f"{step.kind.value} {_OWNERS[step.each]}"


def _wrong_part(book: Book, owner: str, name: str) -> ExpressionError | None:
    """Return what is wrong with a name that `variant` or `modules` is compared with; '' is no variant."""
    variants, modules = book.setup.variants, book.setup.modules
    known, others = (variants, modules) if owner == "variant" else (modules, variants)
    if name in known or (name == "" and owner == "variant"):
        return None
    what = f"there is no {owner.removesuffix('s')} {name!r} to compare with"
    if name in others:
        fix = (
            f"it is a module: say '{name}' in modules"
            if name in modules
            else f"it is a variant: say variant == '{name}'"
        )
        return ExpressionError("unknown-variant", what, fix)
    if name == BASE:
        return ExpressionError("unknown-variant", what, "without a variant it is '': say variant == ''")
    return unknown("unknown-variant", name, known, what, says=f"the {owner.removesuffix('s')}s are")


def is_strange(book: Book, expression: Expression | None) -> bool:
    """Return whether an expression compares with a variant or module that there is not, which is told by itself."""
    return expression is not None and any(strange_names(book, expression))


def strange_names(book: Book, expression: Expression, text: str = "", start: int = 0) -> Iterator[Problem]:
    """Yield a warning for each name of no variant or module that an expression, or a text in it, compares with."""
    for owner, part in book.reading(text or expression.text).parts:
        strange = _wrong_part(book, owner, part.text)
        if strange is not None:
            yield strange.problem(expression.at(start + part.offset))._replace(level=Level.WARNING)


class ExpressionNames:
    """What the expressions of a setup know: some names everywhere, some where there is a seat or a card."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._decks = book.game.decks
        values, places, self._relations = book.by_name
        team = {"team"} if book.setup.seats is not None and book.setup.seats.teams is not None else set()
        known = {"players", "variant", "modules", "facts", "lists", *values, *places}
        self._known: dict[Each, set[str]] = {
            Each.NOBODY: known,
            Each.PLAYER: {*known, "seat", *self._relations, *team},
            Each.TEAM: {*known, *team},
            Each.NUMBER: {*known, "nth"},
        }

    def amount(
        self,
        amount: Amount | None,
        each: Each = Each.NOBODY,
        *,
        words: Sequence[str] = (),
        drawn: bool = False,
    ) -> Iterator[Problem]:
        """Yield the unknown words of an amount; `words` are those that it may be instead of an expression."""
        for expression in amount.by_players.values() if amount is not None else ():
            if expression.text not in words:
                yield from self.expression(expression, each, drawn=drawn)

    def text(self, text: Expression | None, each: Each = Each.NOBODY) -> Iterator[Problem]:
        """Yield the unknown words of the expressions in a text."""
        if text is not None:
            for hole in holes(text.text):
                yield from self._reading(text, hole.expression, hole.offset, each)

    def expression(
        self,
        expression: Expression | None,
        each: Each = Each.NOBODY,
        *,
        decks: Sequence[str] | None = None,
        drawn: bool = False,
    ) -> Iterator[Problem]:
        """Yield the unknown words of an expression; `decks` are those whose cards `card` may be."""
        if expression is not None:
            yield from self._reading(expression, expression.text, 0, each, decks=decks, drawn=drawn)

    def _reading(
        self,
        expression: Expression,
        text: str,
        start: int,
        each: Each,
        *,
        decks: Sequence[str] | None = None,
        drawn: bool = False,
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
        for error in self._mistakes(reading, each, decks=decks, drawn=drawn):
            book.faulty.add(expression.source)
            yield error.problem(expression.at(start + (error.offset or 0)))
        yield from strange_names(book, expression, text, start)
        for call in reading.calls:
            wrong = self._wrong_call(call)
            if wrong is not None:
                book.faulty.add(expression.source)
                yield wrong.problem(expression.at(start + (wrong.offset or 0)))
            elif call.where and call.origin and call.function not in _OF_NO_DECK:
                inner, origin = start + call.where.offset, call.origin.text
                of_cards = (origin,) if origin in self._decks else self._decks_at(origin)
                yield from self._reading(expression, call.where.text, inner, each, decks=of_cards, drawn=drawn)

    def _decks_at(self, place: str) -> tuple[str, ...]:
        """Return the decks whose cards may lie at a place, however it is played."""
        ways = self.book.combinations()
        return tuple(dict.fromkeys(deck for way in ways for deck in self.book.decks_in(place, way)))

    def _mistakes(
        self, reading: Reading, each: Each, *, decks: Sequence[str] | None, drawn: bool
    ) -> Iterator[ExpressionError]:
        known = {*self._known[each], *(["drawn"] if drawn else []), *([] if decks is None else ["card"])}
        for word in reading.names:
            if word.text not in known:
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
        if name in _KNOWN_ELSEWHERE:
            return _KNOWN_ELSEWHERE[name]
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
        if name not in decks and (name not in places or call.function in _OF_DECKS):
            return unknown("unknown-deck", name, decks, offset=at)
        of_cards = (name,) if name in decks else self._decks_at(name)
        fields = {field: None for deck in of_cards for field in decks[deck].fields}
        if call.field is not None and call.field.text not in (*fields, "id", "deck"):
            what = f"no card of {name!r} has a field {call.field.text!r}"
            return unknown("unknown-field", call.field.text, fields, what, offset=call.field.offset)
        return None
