"""A question about odds -> its draw or roll, and its condition; or the place of the mistake in its words.

    2 hands of 5 from play deck each has (>= 1 where card.rare) and not a pair of species
    roll of 3 die has >= 1 where red
    hand has sum of value >= 10

What stands behind `where` is an expression that goes on to the end, or to the parenthesis that closes around it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from duckpress.check.expression_kinds import Cards, Typed, typed_value
from duckpress.check.expression_names import ExpressionNames
from duckpress.check.expressions import unknown
from duckpress.check.setup.rule_book import Book
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.parsing import ExpressionError, quoted
from duckpress.model import Deck, FieldKind
from duckpress.model.setup import Expression

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt,
    "=": operator.eq, "at least": operator.ge, "at most": operator.le, "exactly": operator.eq,
}  # fmt: skip
_SETS = {"pair": 2, "triple": 3}
_HANDS = re.compile(r"[0-9]{1,2}")
_HAS = re.compile(r"\b(?:(each|some)\s+)?has\b")
_COMPARED = re.compile("|".join(re.escape(word).replace(r"\ ", r"\s+") for word in COMPARISONS))
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?(?![\w.])")
_WORD = re.compile(r"\w+")
_FIELD = re.compile(r"[\w-]+")
_CLOSING = re.compile(r"\)")
_SAYS = "a condition begins with a comparison (>= 2 where ...), most of, distinct, sum of, a pair of, not or ("
FACE = "face"  # the field that a face has, in questions about rolls
_FACE_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")


class LooksAt(StrEnum):
    """The subject of a question."""

    HANDS = "hands"  # so many cards drawn from a place once it is set up
    ROLL = "roll"  # dice of a deck, each with one of its faces up
    PLACE = "place"  # what the setup has put there


class Figure(StrEnum):
    """A number that is counted from cards."""

    COUNT = "count"  # how many there are for which an expression is true
    MOST = "most"  # how many there are of the value that most of them have
    DISTINCT = "distinct"  # how many different values there are
    SUM = "sum"


class Comparison(Struct, frozen=True):
    """A figure of some cards, compared with a number."""

    figure: Figure
    compare: str
    number: float
    field: str = ""
    where: Expression | None = None
    offset: int = 0


class Joined(Struct, frozen=True):
    """Conditions joined by `and` or `or`, or a negated one (`not`)."""

    word: str
    parts: tuple[Condition, ...]


Condition = Comparison | Joined


class Question(Struct, frozen=True):
    """A parsed question; `of` says whether `each` or `some` of several hands must meet the condition."""

    text: str
    draw: LooksAt
    place: str
    place_offset: int
    condition: Condition
    hands: int = 1
    size: Expression | None = None
    of: str = ""

    def comparisons(self) -> Iterator[Comparison]:
        """Yield the comparisons in the order in which they are written."""
        waiting: list[Condition] = [self.condition]
        while waiting:
            part = waiting.pop(0)
            if isinstance(part, Joined):
                waiting = [*part.parts, *waiting]
            else:
                yield part


def read_question(expression: Expression) -> Question:
    """Return the parsed question. Raises `ExpressionError`: `bad-question`."""
    text = expression.text
    has = _HAS.search(text)
    if has is None:
        raise _bad("has no 'has'", "write what is looked at, 'has' and a condition", len(text))
    condition = _Reader(expression, has.end()).whole()
    words = list(re.finditer(r"\S+", text[: has.start()]))
    if not words:
        raise _bad("does not say of what", "write 'hand of 5 from PLACE', 'roll of 2 DECK' or the name of a place", 0)
    draw, first, place = _subject([word[0] for word in words])
    of, at = has[1] or "", words[place].start()
    if draw is LooksAt.PLACE:
        return Question(text, draw, text[at : words[-1].end()], at, condition, of=of)
    last = place - 1 if draw is LooksAt.ROLL else place - 2
    size = _part(expression, words[first].start(), text[words[first].start() : words[last].end()])
    hands = int(words[0][0]) if draw is LooksAt.HANDS and first == 3 else 1
    if draw is LooksAt.HANDS and (hands > 1) is not bool(of):
        what = "does not say whether each or some of the hands has it" if hands > 1 else f"has one hand, not {of}"
        raise _bad(what, "write 'hand of ... has', '2 hands of ... each has' or '... some has'", has.start())
    return Question(text, draw, text[at : words[-1].end()], at, condition, hands, size, of)


def _subject(words: list[str]) -> tuple[LooksAt, int, int]:
    """Return a question's subject, and the positions of its words for the number and the place."""
    size = 3 if _HANDS.fullmatch(words[0]) else 2
    if words[size - 2 : size] in (["hand", "of"], ["hands", "of"]) and "from" in words[size + 1 : -1]:
        return LooksAt.HANDS, size, words.index("from", size + 1) + 1
    if words[:2] == ["roll", "of"] and len(words) > 3:
        return LooksAt.ROLL, 2, len(words) - 1
    return LooksAt.PLACE, 0, 0


def _part(whole: Expression, offset: int, text: str) -> Expression:
    at: Source = whole.at(offset)
    return Expression(text, at, 0)


def _bad(what: str, fix: str, offset: int) -> ExpressionError:
    return ExpressionError("bad-question", f"the question {what}", fix, offset)


class _Reader:
    """A parser of conditions."""

    def __init__(self, expression: Expression, start: int) -> None:
        self._expression = expression
        self._text = expression.text
        self._at = start
        self._depth = 0

    def whole(self) -> Condition:
        condition = self._joined("or")
        if self._rest():
            raise self._wrong("'and', 'or' or the end", ("and", "or"))
        return condition

    def _joined(self, word: str) -> Condition:
        parts = [self._joined("and") if word == "or" else self._single()]
        while self._took(word):
            parts.append(self._joined("and") if word == "or" else self._single())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def _single(self) -> Condition:
        is_not = self._took("not")
        if not is_not and not self._rest().startswith("("):
            return self._comparison()
        self._depth += 1
        if self._depth > limit("template-depth"):
            what = f"is nested more than {limit('template-depth')} deep"
            raise _bad(what, f"ask more simply; {how_to_raise('template-depth')}", self._start())
        if is_not:
            condition: Condition = Joined("not", (self._single(),))
        else:
            self._at = self._start() + 1
            condition = self._joined("or")
            if not self._match(_CLOSING):
                raise self._wrong("a closing parenthesis", ())
        self._depth -= 1
        return condition

    def _comparison(self) -> Comparison:
        offset = self._start()
        if self._took("a"):
            word = next((word for word in _SETS if self._took(word)), "")
            if not word:
                raise self._wrong("pair or triple", tuple(_SETS))
            self._needs("of")
            return Comparison(Figure.MOST, ">=", _SETS[word], self._field(), offset=offset)
        for figure in (Figure.MOST, Figure.DISTINCT, Figure.SUM):
            if self._took(figure.value):
                if figure is not Figure.DISTINCT:
                    self._needs("of")
                field = self._field()
                return Comparison(figure, *self._compared(), field, offset=offset)
        if self._took("no"):
            return Comparison(Figure.COUNT, "==", 0, where=self._where(), offset=offset)
        if _COMPARED.match(self._rest()) is None:
            raise self._wrong("a condition", ("most", "distinct", "sum", "not", "a pair of", "no where"), _SAYS)
        return Comparison(Figure.COUNT, *self._compared(), where=self._where(), offset=offset)

    def _compared(self) -> tuple[str, float]:
        compared = self._match(_COMPARED)
        if not compared:
            raise self._wrong("a comparison", tuple(COMPARISONS))
        number = self._match(_NUMBER)
        if not number:
            raise self._wrong("a number", ())
        return " ".join(compared.split()), float(number)

    def _where(self) -> Expression:
        """Return the expression after `where`: up to the end, or to the enclosing parenthesis."""
        if not self._took("where"):
            says = "" if self._rest() else "say which ones: >= 1 where card.id == 'ID', or where FACE of dice"
            raise self._wrong("'where'", ("where",), says)
        start, depth, quote, at = self._start(), 0, "", 0
        for at, letter in enumerate(self._text + ")"):  # where it ends is what is asked
            if at < start:
                continue
            if quote:
                quote = "" if letter == quote else quote
            elif letter in "'\"":
                quote = letter
            elif letter in "([":
                depth += 1
            elif letter in ")]":
                depth -= 1
                if depth < 0:
                    break
        self._at = at = min(at, len(self._text))
        if not self._text[start:at].strip():
            raise self._wrong("an expression behind 'where'", ())
        return _part(self._expression, start, self._text[start:at].rstrip())

    def _field(self) -> str:
        if name := self._match(_FIELD):
            return name
        raise self._wrong("the name of a field", ())

    def _needs(self, word: str) -> None:
        if not self._took(word):
            raise self._wrong(f"'{word}'", (word,))

    def _took(self, word: str) -> bool:
        match = _WORD.match(self._rest())
        return match is not None and match[0] == word and bool(self._match(_WORD))

    def _match(self, pattern: re.Pattern[str]) -> str:
        """Return the next letters if they match the pattern, and move past them; '' if they do not."""
        match, start = pattern.match(self._rest()), self._start()
        self._at = start + match.end() if match is not None else self._at
        return match[0] if match is not None else ""

    def _start(self) -> int:
        return len(self._text) - len(self._rest())

    def _rest(self) -> str:
        return self._text[self._at :].lstrip()

    def _wrong(self, wanted: str, known: tuple[str, ...], says: str = "") -> ExpressionError:
        match = re.match(r"\S+", self._rest())
        there = f"{quoted(match[0])} where {wanted} should stand" if match else f"ends where {wanted} should stand"
        fix = did_you_mean(match[0], known, else_say="it may be") if match and known and not says else says
        return _bad(f"has {there}" if match else there, fix or "docs/odds.md has the words", self._start())


def faces_field(deck: Deck) -> str | None:
    """Return the field of a deck that lists the faces of its dice: `faces`, else its first list; None without any."""
    lists = [name for name, field in deck.fields.items() if field.kind is FieldKind.LIST]
    return "faces" if "faces" in lists else next(iter(lists), None)


def faces_of(deck: Deck, position: int) -> tuple[str, ...]:
    faces = deck.cards[position].values.get(faces_field(deck) or "")
    return tuple(map(str, faces)) if isinstance(faces, tuple) else ()


def values_of(deck: Deck) -> dict[str, str | int | float]:
    """Return each face of a deck's dice as its value in expressions: a number if all the faces are numbers."""
    faces = dict.fromkeys(face for position in range(len(deck.cards)) for face in faces_of(deck, position))
    numbers = {face: number for face in faces if (number := number_of(face)) is not None}
    if len(numbers) < len(faces):
        return {face: face for face in faces}
    return {face: int(n) if n.denominator == 1 else float(n) for face, n in numbers.items()}


def named_face(deck: Deck, text: str) -> str | None:
    """Return the face that a condition names, with quotes or without; None for any other expression."""
    return next((face for face in values_of(deck) if text in (face, f"'{face}'", f'"{face}"')), None)


def number_of(text: str) -> Fraction | None:
    """Return a text as a number, or None."""
    return Fraction(text) if _FACE_NUMBER.fullmatch(text) else None


def checked_question(book: Book, expression: Expression, variants: Sequence[str | None]) -> Question | list[Problem]:
    """Return a question, or its problems; its place must exist in one of the variants."""
    try:
        question = read_question(expression)
        decks = _decks_of(book, question, variants)
    except ExpressionError as error:
        return [error.problem(expression.at(error.offset))]
    names, problems = ExpressionNames(book), list[Problem]()
    if question.size is not None:
        problems += names.expression(question.size)
    is_roll = question.draw is LooksAt.ROLL
    for one in question.comparisons():
        if one.where is not None and not (is_roll and named_face(book.game.decks[decks[0]], one.where.text)):
            face = _face(book, decks[0]) if is_roll else None
            problems += names.expression(one.where, cards=Cards(decks, face=face))
        fields = [FACE] if is_roll else sorted({name for deck in decks for name in book.game.decks[deck].fields})
        if one.field and one.field not in fields:
            what = f"no card of {' or '.join(map(repr, decks))} has a field {one.field!r}"
            mistake = unknown("unknown-field", one.field, fields, what, says="its fields are")
            problems.append(mistake.problem(expression.at(one.offset)))
    return problems or question


def knows_place(book: Book, question: Question, variant: str | None) -> bool:
    return question.place in book.game.decks or question.place in book.places(variant)


def _decks_of(book: Book, question: Question, variants: Sequence[str | None]) -> tuple[str, ...]:
    """Return the decks whose cards a question may see. Raises `ExpressionError` for an unknown place."""
    name = question.place
    if name in book.game.decks:
        if question.draw is LooksAt.ROLL and faces_field(book.game.decks[name]) is None:
            what = f"{name!r} is no deck of dice: none of its fields is a list"
            raise ExpressionError("bad-question", what, "give its cards a list of faces", question.place_offset)
        return (name,)
    decks = dict.fromkeys(deck for variant in variants for deck in book.decks_in(name, variant))
    if question.draw is LooksAt.ROLL or not any(name in book.places(variant) for variant in variants):
        known = [*book.game.decks, *(place for variant in variants for place in book.places(variant))]
        what = f"there is no deck {quoted(name)}" + ("" if question.draw is LooksAt.ROLL else ", and no step forms it")
        raise unknown("unknown-place", name, known, what, says="there are", offset=question.place_offset)
    return tuple(decks)


def _face(book: Book, deck: str) -> Typed | None:
    """Return the type of the faces of a deck's dice in expressions."""
    values = values_of(book.game.decks[deck])
    known = typed_value(next(iter(values.values()), None), FACE)
    return known and Typed(known.kinds, known.words, FACE, None, tuple(dict.fromkeys(values.values())))
