"""Comparisons of incompatible kinds, as of a number with a text, and values instead of conditions.

The kind of a part is known where a deck declares it, a fact or a text says it, or an operator makes it. What may be of
any kind is never complained of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from jinja2 import nodes
from msgspec import Struct

from duckpress.check.setup.later_places import written
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import did_you_mean
from duckpress.expressions.calculator import read_tree
from duckpress.expressions.parsing import ExpressionError, most_size
from duckpress.expressions.profiles import SETUP
from duckpress.model import FieldKind
from duckpress.model.setup import as_name

_NUMBER, _TEXT, _YES_NO, _LIST = "a number", "a text", "yes or no", "a list"
_OF_FIELDS = {
    FieldKind.WHOLE: _NUMBER, FieldKind.NUMBER: _NUMBER, FieldKind.YES_NO: _YES_NO, FieldKind.LIST: _LIST,
}  # fmt: skip
_WORDS = {FieldKind.WHOLE: "a whole number", FieldKind.CHOICE: "a choice", FieldKind.LIST: "a list of texts"}
_OF_TYPES: Mapping[type, str] = {int: _NUMBER, float: _NUMBER, str: _TEXT, bool: _YES_NO, tuple: _LIST}
_OF_NAMES = {"variant": _TEXT, "modules": _LIST}
_OF_CARDS = {"id": _TEXT, "deck": _TEXT, "copies": _NUMBER}  # what each of them has besides its fields
_NUMBERS = {"players", "seat", "team", "nth", "round"}
_COUNTING = {
    "abs", "ceil", "contents", "count", "distinct", "floor", "knowers", "left", "most", "perimeter", "removed",
    "spaces", "sum", "taken", "tally", "told", "total",
}  # fmt: skip
_MADE: tuple[tuple[tuple[type[nodes.Node], ...], str], ...] = (
    ((nodes.Compare, nodes.Not, nodes.Test), _YES_NO), ((nodes.Concat,), _TEXT), ((nodes.List, nodes.Tuple), _LIST),
)  # fmt: skip
_CALCULATED = (nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos)
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">="}


class Typed(Struct, frozen=True):
    """The known type of a part of an expression: its kinds, in words, its text, and its possible values."""

    kinds: frozenset[str]
    words: str
    says: str = ""
    value: object = None  # of what is written out
    choices: tuple[str | int | float, ...] = ()

    @property
    def shown(self) -> str:
        """The words for this side of a comparison."""
        if self.value is not None:
            return f"the {self.words.removeprefix('a ')} {self.says}" if self.words != _YES_NO else self.says
        return f"{self.says}, {self.words}" if self.says else self.words


def typed_value(value: object, says: str = "") -> Typed | None:
    """Return the type of a value; None for one of no kind, such as None or a record."""
    return _typed(_OF_TYPES.get(type(value)), says)


def _typed(kind: str | None, says: str = "") -> Typed | None:
    return Typed(frozenset((kind,)), kind, says) if kind is not None else None


class Cards(Struct, frozen=True):
    """What `card` may be: a card of some decks, which lie at a `place` in one variant, or the face of a die."""

    decks: Sequence[str]
    place: str = ""
    face: Typed | None = None


class ExpressionKinds(Struct, frozen=True):
    """The types of the names in expressions."""

    book: Book
    cards: Cards

    def mistakes(self, text: str, *, is_condition: bool) -> Iterator[ExpressionError]:
        """Yield the type mistakes in a readable expression; `bad-expression`."""
        tree = read_tree(SETUP, text, most_size())
        if is_condition and (bare := self._bare(tree, text)) is not None:
            yield bare
        yield from islice(filter(None, (self._in_chain(node, text) for node in _comparisons(tree))), 1)

    def texts(self, text: str) -> set[str]:
        """Return the names in an expression that are compared with a text: they may be unquoted texts."""
        pairs = (pair for node in _comparisons(read_tree(SETUP, text, most_size())) for pair in _pairs(node))
        named = ((side.name, self.typed(other)) for side, other in pairs if isinstance(side, nodes.Name))
        return {name for name, known in named if known is not None and known.kinds == {_TEXT}}

    def typed(self, node: nodes.Node | None) -> Typed | None:
        """Return the type of a part of an expression; None if it is not known."""
        if isinstance(node, nodes.Const):
            known = typed_value(node.value, _written(node.value))
            return known and Typed(known.kinds, known.words, known.says, node.value)
        if isinstance(node, nodes.Getattr | nodes.Getitem) and isinstance(node.node, nodes.Name):
            key = node.attr if isinstance(node, nodes.Getattr) else getattr(node.arg, "value", None)
            return self._key(node.node.name, key) if isinstance(key, str) else None
        if isinstance(node, nodes.Name):
            return self._name(node.name)
        if isinstance(node, nodes.Call):
            name = node.node.name if isinstance(node.node, nodes.Name) else ""
            return _typed(_NUMBER, f"{name}(...)") if name in _COUNTING else None
        made = next((kind for types, kind in _MADE if isinstance(node, types)), None)
        parts = [self.typed(part) for part in _operands(node)] if made is None else []
        if made is not None or isinstance(node, _CALCULATED):  # a text or a list can be taken several times
            return _typed(made or _NUMBER) if all(one and one.kinds == {_NUMBER} for one in parts) else None
        kinds = frozenset(kind for part in parts for kind in (part.kinds if part else ()))
        return Typed(kinds, " or ".join(sorted(kinds))) if parts and all(parts) else None

    def _name(self, name: str) -> Typed | None:
        values, places, relations = self.book.by_name
        if name == "face" and self.cards.face is not None:
            return self.cards.face
        if name in values:
            readings = (self.book.reading(part.text) for part in written(values[name].amount))
            return _typed(_NUMBER, name) if all(reading.constant is not None for reading in readings) else None
        rounds = [part.rounds for part in self.book.parts if part.rounds is not None]
        played = {as_name(step.place) for one in rounds for step in one.steps}
        is_number = any(name in known for known in (_NUMBERS, places, relations, played))
        return _typed(_NUMBER if is_number else _OF_NAMES.get(name), name)

    def _key(self, owner: str, key: str) -> Typed | None:
        says = f"{owner}.{key}" if key.isidentifier() else f"{owner}[{_written(key)}]"
        if owner == "facts":
            return typed_value(self.book.game.facts.get(key), says)
        if owner == "card" and self.cards.face is not None:
            return self.cards.face if key == "face" else None
        if owner != "card" or key in _OF_CARDS:
            return _typed(_OF_CARDS.get(key), says) if owner in ("card", "drawn") else None
        decks = map(self.book.game.decks.__getitem__, self.cards.decks)
        fields = [deck.fields[key] for deck in decks if key in deck.fields]
        kinds = dict.fromkeys(field.kind for field in fields)
        words = " or ".join(_WORDS.get(kind, _OF_FIELDS.get(kind, _TEXT)) for kind in kinds)
        choices = tuple(dict.fromkeys(choice for field in fields for choice in field.choices))
        known = frozenset(_OF_FIELDS.get(kind, _TEXT) for kind in kinds)
        return Typed(known, words, says, None, choices if {*kinds} == {FieldKind.CHOICE} else ()) if kinds else None

    def _in_chain(self, node: nodes.Compare, text: str) -> ExpressionError | None:
        """Return the first mistake of a comparison."""
        left: nodes.Node = node.expr
        for operand in node.ops:
            right = operand.expr
            if operand.op not in ("in", "notin"):
                wrong = self._pair(left, _SIGNS[operand.op], right, text)
            elif isinstance(right, nodes.List | nodes.Tuple):
                wrong = next(filter(None, (self._pair(left, "==", item, text) for item in right.items)), None)
            else:
                wrong = self._member(self.typed(left), self.typed(right), text)
            if wrong is not None:
                return wrong
            left = right
        return None

    def _pair(self, left: nodes.Node, sign: str, right: nodes.Node, text: str) -> ExpressionError | None:
        one, other = self.typed(left), self.typed(right)
        if one is None or other is None:
            return None
        if one.value is not None and other.value is None:
            one, other, sign = other, one, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
        numbers = {_NUMBER, _YES_NO}  # yes is 1 to a number
        if not (one.kinds & other.kinds or (one.kinds & numbers and other.kinds & numbers)):
            what = f"{one.says or one.words} is {one.words} and is compared with {other.shown}"
            return _wrong(what if one.says else f"{one.words} is compared with {other.shown}",
                          self._mended(one, sign, other), text, other, one)  # fmt: skip
        is_choice = one.choices and isinstance(other.value, str | int | float) and sign in ("==", "!=")
        if is_choice and other.value not in ("", *one.choices):
            word = other.value if isinstance(other.value, str) else ""  # no number is meant for the nearest one
            fix = did_you_mean(word, map(str, one.choices), else_say="it is one of")
            return _wrong(f"{one.says} is never {other.says}", fix, text, other, one)
        return None

    def _member(self, one: Typed | None, of: Typed | None, text: str) -> ExpressionError | None:
        """Return the mistake of a search with `in`: in a text, in a field with a list, or in no list at all."""
        if of is None or (one is None and of.kinds & {_TEXT, _LIST}):
            return None
        if not of.kinds & {_TEXT, _LIST}:
            what = f"{of.says or 'what is searched'} is {of.words}, and nothing is in it"
            return _wrong(what, "compare it with ==", text, of, of)
        assert one is not None
        if one.kinds & {_TEXT} or (of.kinds & {_LIST} and not of.says.startswith("card")):
            return None
        what = f"{one.shown} is looked for in {of.shown}"
        quoted = f"write '{one.value}' in {of.says}" if one.value is not None else "look for a text"
        return _wrong(what, quoted, text, one, of)

    def _mended(self, one: Typed, sign: str, other: Typed) -> str:
        """Return the correction of a comparison of two kinds."""
        value, is_equal = other.value, sign in ("==", "!=")
        if value is None or value is True or value is False:
            kind = "a text in quotes" if one.kinds == {_TEXT} else " or ".join(sorted(one.kinds))
            return f"compare {one.says} with {kind}" if one.says else f"compare it with {kind}"
        if one.kinds == {_LIST}:
            return f"write '{value}' {'in' if sign == '==' else 'not in'} {one.says}"
        if isinstance(value, str) and one.kinds == {_YES_NO}:
            is_yes = (value.lower() not in ("no", "false", "0", "")) is (sign == "==")
            return f"write {one.says}" if is_yes else f"write not {one.says}"
        if isinstance(value, str):
            if value == "":
                return f"write {one.says} is {'' if sign == '==' else 'not '}none"
            if re.fullmatch(r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?", value):
                return f"write {one.says} {sign} {value}"
            field = self._field_of(value)
            number = f"compare it with a number: {one.says} {sign} 1" if one.says else "compare it with a number"
            return f"write {field} {sign} '{value}'" if field else number
        return f"write {one.says} {sign} '{value}'" if is_equal else "compare it with ==, or declare it as a number"

    def _field_of(self, value: object) -> str:
        """Return a field in which a card has a value, or ''."""
        for deck in map(self.book.game.decks.__getitem__, self.cards.decks):
            for card in deck.cards:
                for name, held in (("id", card.id), *card.values.items()):
                    if type(held) is type(value) and held == value:
                        return f"card.{name}"
        return ""

    def _bare(self, tree: nodes.Node, text: str) -> ExpressionError | None:
        """Return the mistake of a value instead of a condition, as in `x == 5 or 6`."""
        parts, words = [tree], ""
        for node in parts:
            parts += _operands(node) if isinstance(node, nodes.And | nodes.Or | nodes.Not) else ()
            words += type(node).__name__
        bare = [one for one in parts if isinstance(one, nodes.Const) and type(one.value) in (int, float, str)]
        if not bare:
            return None
        equal = [one for one in parts if isinstance(one, nodes.Compare) and one.ops[0].op == "eq"]
        subject = self.typed(equal[0].expr) if equal else self.cards.face
        says = subject.says if subject is not None and subject.says else self._field_of(bare[0].value) or "card.FIELD"
        said, others = _written(bare[0].value), [one.ops[0].expr for one in equal]
        values = [_written(one.value) for one in (*others, *bare) if isinstance(one, nodes.Const)]
        fix = f"write {says} in [{', '.join(values)}]" if len(values) > 1 and "And" not in words else ""
        what = f"{said} stands where a condition should, and is {'always' if bare[0].value else 'never'} true"
        return _wrong(what, fix or f"write {says} == {said}", text, Typed(frozenset(), "", said, bare[0].value))


def _operands(node: nodes.Node | None) -> list[nodes.Node]:
    """Return the operands of an operator; none for any other node."""
    if isinstance(node, nodes.BinExpr):
        return [node.left, node.right]
    if isinstance(node, nodes.UnaryExpr):
        return [node.node]
    if isinstance(node, nodes.CondExpr):
        return [node.expr1, *([node.expr2] if node.expr2 is not None else [])]
    return []


def _comparisons(tree: nodes.Node) -> Iterator[nodes.Compare]:
    yield from (node for node in (tree, *tree.find_all(nodes.Compare)) if isinstance(node, nodes.Compare))


def _pairs(node: nodes.Compare) -> Iterator[tuple[nodes.Node, nodes.Node]]:
    """Yield the two sides of each comparison of a chain, in both orders."""
    left: nodes.Node = node.expr
    for operand in node.ops:
        yield from ((left, operand.expr), (operand.expr, left))
        left = operand.expr


def _written(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else repr(value)


def _wrong(what: str, fix: str, text: str, *parts: Typed) -> ExpressionError:
    """Return a mistake, at the first of its parts that occurs in the text."""
    places = (place for part in parts if (place := _place(part, text)) >= 0)
    return ExpressionError("bad-expression", what, fix, next(places, 0))


def _place(part: Typed, text: str) -> int:
    """Return the offset of a part in a text, or -1."""
    if isinstance(part.value, str):
        return max(text.find(f"'{part.value}'"), text.find(f'"{part.value}"'))
    if part.value is None:
        return text.find(part.says) if part.says else -1
    match = re.search(rf"(?<![\w.]){re.escape(str(part.value))}(?![\w.])", text)
    return match.start() if match is not None else -1
