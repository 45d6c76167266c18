"""Questions about odds -> what is wrong with their words: places, fields and conditions that a game does not have."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.check.expression_kinds import Cards, Typed, typed_value
from duckpress.check.expression_names import ExpressionNames
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import unknown
from duckpress.core.problems import Problem
from duckpress.expressions.mistakes import ExpressionError, quoted
from duckpress.model.amounts import Expression
from duckpress.odds.dice_faces import FACE, faces_field, named_face, values_of
from duckpress.odds.question import LooksAt, Question, read_question


def checked_question(book: Book, expression: Expression, variants: Sequence[str | None]) -> Question | list[Problem]:
    """Return a question, or what is wrong with its words; its place has to be in one of the variants."""
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
    """Return whether what a question looks at is there in a variant."""
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
    """Return what expressions know of the faces of a deck's dice."""
    values = values_of(book.game.decks[deck])
    known = typed_value(next(iter(values.values()), None), FACE)
    return known and Typed(known.kinds, known.words, FACE, None, tuple(dict.fromkeys(values.values())))
