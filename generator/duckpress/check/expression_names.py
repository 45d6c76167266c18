"""The names in the expressions of a setup: the known names of each expression, and problems for all others."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from duckpress.check.expression_kinds import Cards, ExpressionKinds
from duckpress.check.expressions import PARAMETERS, DeckCall, Reading, unknown
from duckpress.check.geometry import surveying
from duckpress.check.setup.combinations import BASE
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import Level, Problem, did_you_mean
from duckpress.expressions.parsing import ExpressionError, holes
from duckpress.model.setup import Amount, Each, Expression, as_name

_OF_PLACES = ("removed", "total", "told", "knowers")
_OF_DECKS = ("taken", "left")
_KNOWN_ELSEWHERE = {
    "team": "a step with 'each: team' knows it, and with 'each: player' where 'seats' has 'teams'",
    "nth": "a step with 'each: 4' knows it, of any number",
    "drawn": "'where' and 'count' beside 'per' know it",
}
_OF_NO_DECK = (*_OF_PLACES, *surveying.FUNCTIONS)


def _wrong_part(book: Book, owner: str, name: str) -> ExpressionError | None:
    """Return the mistake of a name compared with `variant` or `modules`; '' is valid for no variant."""
    variants, modules = book.setup.variants, book.setup.modules
    known, others = (variants, modules) if owner == "variant" else (modules, variants)
    if name in known or (name == "" and owner == "variant"):
        return None
    what = f"there is no {owner.removesuffix('s')} {name!r} to compare with"
    if name in others:
        of_module, of_variant = f"it is a module: say '{name}' in modules", f"it is a variant: say variant == '{name}'"
        return ExpressionError("unknown-variant", what, of_module if name in modules else of_variant)
    if name == BASE:
        return ExpressionError("unknown-variant", what, "without a variant it is '': say variant == ''")
    return unknown("unknown-variant", name, known, what, says=f"the {owner.removesuffix('s')}s are")


def is_strange(book: Book, expression: Expression | None) -> bool:
    """Return whether an expression compares with an unknown variant or module, which is reported separately."""
    return expression is not None and any(strange_names(book, expression))


def strange_names(book: Book, expression: Expression, text: str = "", start: int = 0) -> Iterator[Problem]:
    """Yield a warning for each unknown variant or module in an expression's comparisons, or in a text's."""
    for owner, part in book.reading(text or expression.text).parts:
        strange = _wrong_part(book, owner, part.text)
        if strange is not None:
            yield strange.problem(expression.at(start + part.offset))._replace(level=Level.WARNING)


class ExpressionNames:
    """The names in a setup's expressions: some valid everywhere, some only with a seat or a card."""

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
        self, amount: Amount | None, each: Each = Each.NOBODY, *, words: Sequence[str] = (), drawn: bool = False
    ) -> Iterator[Problem]:
        """Yield the unknown names of an amount; `words` are valid instead of an expression."""
        for expression in amount.by_players.values() if amount is not None else ():
            if expression.text not in words:
                yield from self.expression(expression, each, drawn=drawn)

    def text(self, text: Expression | None, each: Each = Each.NOBODY) -> Iterator[Problem]:
        for hole in holes(text.text) if text is not None else ():
            yield from self.expression(text, each, text=hole.expression, start=hole.offset)

    def expression(
        self, expression: Expression | None, each: Each = Each.NOBODY, *, cards: Cards | None = None,
        drawn: bool = False, is_condition: bool = False, text: str | None = None, start: int = 0,
    ) -> Iterator[Problem]:  # fmt: skip
        """Yield the unknown names of an expression, or of a text in it, and comparisons of two kinds.

        `cards` are what `card` may be. Nothing is computed with an expression in which anything is wrong.
        """
        if expression is None:
            return
        text, is_condition = expression.text if text is None else text, is_condition or cards is not None
        book = self.book
        book.at = expression.source
        book.spend(1 + len(text) // 16)
        reading = book.reading(text)
        if reading.error is not None:
            within = start or None if reading.error.offset is None else start + reading.error.offset
            book.faulty.add(expression.source)
            yield reading.error.problem(expression.at(within))
            return
        mistakes = list(self._mistakes(reading, each, cards=cards, drawn=drawn))
        mistakes = mistakes or self._of_kinds(reading, cards, is_condition=is_condition)
        for error in mistakes:
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
                of = Cards((origin,) if origin in self._decks else self._decks_at(origin))
                yield from self.expression(expression, each, cards=of, drawn=drawn, text=call.where.text, start=inner)

    def _of_kinds(self, reading: Reading, cards: Cards | None, *, is_condition: bool) -> list[ExpressionError]:
        """Return the invalid comparisons in an expression, and the values instead of conditions."""
        if not reading.compares and (not is_condition or reading.constant is None):
            return []
        kinds = ExpressionKinds(self.book, cards or Cards(()))
        mistakes = list(kinds.mistakes(reading.text, is_condition=is_condition))
        if mistakes and cards is not None and cards.place:  # where it is played otherwise, there may be other cards
            return self._of_kinds(reading, Cards(self._decks_at(cards.place)), is_condition=is_condition)
        return mistakes

    def of_round(
        self, expression: Expression, *, is_where: bool = False, is_condition: bool = False
    ) -> Iterator[Problem]:
        """Yield comparisons of two kinds in an expression of a round, in which cards of any deck may lie anywhere."""
        every = Cards(tuple(self._decks))
        waiting = [(expression.text, 0, every if is_where else None, is_condition)]
        for text, start, cards, is_true in waiting:
            reading = self.book.reading(text)
            for error in self._of_kinds(reading, cards, is_condition=is_true):
                yield error.problem(expression.at(start + (error.offset or 0)))
            for call in reading.calls:
                if call.where is not None and call.origin is not None:
                    of = Cards((call.origin.text,)) if call.origin.text in self._decks else every
                    waiting.append((call.where.text, start + call.where.offset, of, True))

    def _decks_at(self, place: str) -> tuple[str, ...]:
        """Return the decks whose cards may lie at a place, in any variant."""
        ways = self.book.combinations()
        return tuple(dict.fromkeys(deck for way in ways for deck in self.book.decks_in(place, way)))

    def _mistakes(self, reading: Reading, each: Each, *, cards: Cards | None, drawn: bool) -> Iterator[ExpressionError]:
        decks, face = (cards.decks, cards.face) if cards is not None else ((), None)
        known = {*self._known[each], *(["drawn"] if drawn else []), *([] if cards is None else ["card"])}
        fields = {field: None for deck in decks for field in self._decks[deck].fields}
        if face is not None:
            known, fields = {*known, "face"}, {"face": None}
        for word in reading.names:
            if word.text not in known:
                what = f"nothing is named {word.text!r}"
                fix = self._meant_of_cards(word.text, fields, reading.text, cards) or self._name_fix(word.text, known)
                yield ExpressionError("unknown-name", what, fix, word.offset)
        facts = self.book.game.facts
        for word in reading.facts:
            if word.text not in facts:
                yield unknown("unknown-fact", word.text, facts, f"no fact {word.text!r}", offset=word.offset)
        for call in reading.calls:
            if call.function in self._relations and any(word.text == call.function for word in reading.names):
                what = f"{call.function!r} is meant as a relation and as a function in one expression"
                fix = "give the relation's value a name of its own under 'relations'"
                yield ExpressionError("name-taken", what, fix, call.offset)
        if cards is not None:
            for word in reading.card_fields:
                if word.text not in fields and (face is not None or word.text not in ("id", "deck", "copies")):
                    what = f"no card of {' or '.join(repr(deck) for deck in decks)} has a field {word.text!r}"
                    yield unknown("unknown-field", word.text, fields, what, offset=word.offset)

    def _meant_of_cards(self, name: str, fields: Container[str], text: str, cards: Cards | None) -> str:
        """Return the fix for a name that is a field or an unquoted text; '' for any other."""
        cards = cards or Cards(())
        if name in fields or (cards.decks and not cards.face and name in ("id", "deck", "copies")):
            return f"did you mean card.{name}?"
        if cards.face is not None and cards.face.choices:
            is_face, faces = name in cards.face.choices, map(str, cards.face.choices)
            return f"write face == '{name}'" if is_face else did_you_mean(name, faces, else_say="the faces are")
        return f"put texts in quotes: '{name}'" if name in ExpressionKinds(self.book, cards).texts(text) else ""

    def _name_fix(self, name: str, known: Iterable[str]) -> str:
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
