"""A setup's geometry -> its `Survey`: all shapes, boards and their contents; and functions for expressions.

What the spaces of a board hold is told by a list, by a deck, or by a map of text. Expressions ask by `spaces()`,
`contents()` and `perimeter()`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from duckpress.check.expressions import Reading, Stopped, unknown
from duckpress.check.geometry.survey import (
    MAX_SIDE,
    Cell,
    ListedShape,
    Plan,
    Shape,
    Survey,
    Surveyed,
    Thing,
    better,
    perimeter,
)
from duckpress.core.coordinates import Coordinates, counted_from
from duckpress.core.problems import Problem
from duckpress.expressions.parsing import ExpressionError
from duckpress.model import Card, Game
from duckpress.model.setup import Board, ShapeList, SpaceContents

FUNCTIONS = ("spaces", "contents", "perimeter")


def survey_of(
    game: Game, spend: Callable[[int], None], compute: Callable[[Reading, Mapping[str, object]], object]
) -> Survey:
    """Return the known boards and shapes of a game; `spend` takes the steps of the work.

    Problems: `out-of-range`, `not-whole` and those of expressions for sizes; `unknown-list`, `unknown-deck`,
    `unknown-field`, `missing-key`, `bad-cells`, `name-taken`, `bad-coordinate`, `off-board`, `space-taken`,
    `unknown-contents`, `bad-amount`, `unknown-fact`, `bad-map`.
    """
    geometry = game.setup.geometry if game.setup is not None else None
    if geometry is None:
        return Survey(game, spend, compute)
    has_all_shapes = all(shapes.list in game.lists for shapes in geometry.shapes.values())
    survey = Survey(game, spend, compute, tuple(geometry.boards), has_all_shapes)
    problems = [problem for shapes in geometry.shapes.values() for problem in _survey_shapes(survey, shapes)]
    problems += [problem for board in geometry.boards.values() for problem in _survey_board(survey, board)]
    survey.problems = tuple(problems)
    return survey


def _survey_shapes(survey: Survey, shapes: ShapeList) -> Iterator[Problem]:
    rows = yield from survey.rows_of_list(shapes.list, shapes.sources.get("list", shapes.source))
    for row in rows:
        other = survey.shapes.get(row.id)
        if other is not None or row.id in survey.board_names:
            whose = f"a shape of list {other.list!r}" if other is not None else "a board"
            yield survey.problem("name-taken", row.source, f"{row.id!r} is {whose} already", "give it another id")
            continue
        shape = None
        if shapes.cells in row.values:
            label = f"the {shapes.cells} of {row.id!r}"
            shape = yield from survey.cells(row.values[shapes.cells], row.at(shapes.cells), label)
        else:
            what = f"{row.id!r} of list {shapes.list!r} has no {shapes.cells!r}"
            fix = f"add '{shapes.cells}: [X., XX]', the rows of the shape"
            yield survey.problem("missing-key", row.source, what, fix)
        if shape is None:
            survey.unread.add(row.id)
        else:
            survey.shapes[row.id] = ListedShape(row.id, shapes.name, shape, row.at(shapes.cells))


def _survey_board(survey: Survey, board: Board) -> Iterator[Problem]:
    columns = yield from survey.number(board.columns, 1, MAX_SIDE)
    rows = yield from survey.number(board.rows, 1, MAX_SIDE)
    if columns is None or rows is None:
        return
    names = counted_from(board.first, columns, rows, letters=board.letters, origin=board.origin)
    if names is None:
        what, fix = f"'first' is {board.first!r}, which is no coordinate", f"write {better(board.first) or 'A1'!r}"
        yield survey.problem("bad-coordinate", board.first_source, what, fix)
        return
    contents = board.contents
    things: list[Thing] = []
    kinds: tuple[str, ...] = ()
    if contents is not None:
        things = yield from (_mapped_things if contents.kind == "map" else _listed_things)(survey, contents, names)
        # What a space can hold, as far as it is said; it can be anything where nothing is.
        kinds = contents.kinds or tuple(dict.fromkeys(sign.holds for sign in contents.signs.values()))
    survey.plans[board.name] = Plan(board.name, names, board.is_by_points, tuple(things), kinds)


def _listed_things(survey: Survey, contents: SpaceContents, names: Coordinates) -> Surveyed[list[Thing]]:
    """Return the things on the spaces, from the records of a list or the cards of a deck."""
    is_deck = contents.kind == "deck"
    source = contents.sources.get(contents.kind, contents.source)
    if is_deck and contents.origin in survey.game.decks:
        named = [(name, contents.sources.get(key, source)) for key, name in _keys(contents)]
        if not (yield from survey.have_fields(contents.origin, named)):
            return []
    rows = yield from (survey.rows_of_deck if is_deck else survey.rows_of_list)(contents.origin, source)
    seen: dict[Cell, Card] = {}
    things = []
    for row in rows:
        thing = yield from _thing(survey, contents, names, row)
        if thing is None:
            continue
        if thing.space in seen or row.copies != 1:
            other = seen.get(thing.space, row)
            whose = f"and so is {other.id!r}" if other is not row else f"and there are {row.copies} of it"
            what = f"{row.id!r} is about {names.name(*thing.space)}, {whose}"
            yield survey.problem("space-taken", row.at(contents.at), what, "say what a space holds once")
            continue
        seen[thing.space] = row
        things.append(thing)
    return things


def _keys(contents: SpaceContents) -> tuple[tuple[str, str], ...]:
    return ("at", contents.at), ("holds", contents.holds)


def _thing(survey: Survey, contents: SpaceContents, names: Coordinates, row: Card) -> Surveyed[Thing | None]:
    values = {"id": row.id, **row.values}
    for _, key in _keys(contents):
        if values.get(key) in (None, ""):
            yield survey.problem("missing-key", row.source, f"{row.id!r} has no {key!r}", f"add '{key}: ...'")
            return None
    is_id = contents.at == "id"
    at = row.source if is_id else row.at(contents.at)
    whose = f"a space of {contents.kind} {contents.origin!r}" if is_id else f"the space of {row.id!r}"
    space = yield from survey.place(values[contents.at], at, names, whose, as_id=is_id)
    kind, amount = str(values[contents.holds]), values.get(contents.amount)
    if contents.kinds and kind not in contents.kinds:
        error = unknown("unknown-contents", kind, contents.kinds, f"{row.id!r} holds {kind!r}", says="a space can hold")
        yield survey.mistake(error, row.at(contents.holds))
        return None
    if amount is None:
        amount = 1
    if isinstance(amount, bool) or not isinstance(amount, int) or amount < 1:
        what, fix = f"{row.id!r} holds {amount!r} of {kind!r}", "write a whole number from 1, or leave the space out"
        yield survey.problem("bad-amount", row.at(contents.amount), what, fix)
        return None
    return None if space is None else Thing(space, kind, amount, row.source)


def _mapped_things(survey: Survey, contents: SpaceContents, names: Coordinates) -> Surveyed[list[Thing]]:
    """Return the things in a fact with rows of text: a letter for each space, a point for an empty one."""
    source, facts = contents.sources["map"], survey.game.facts
    if contents.origin not in facts:
        yield survey.mistake(unknown("unknown-fact", contents.origin, facts, f"no fact {contents.origin!r}"), source)
        return []
    for sign in contents.signs.values():
        if contents.kinds and sign.holds not in contents.kinds:
            what = f"a sign stands for {sign.holds!r}"
            error = unknown("unknown-contents", sign.holds, contents.kinds, what, says="a space can hold")
            yield survey.mistake(error, sign.source)
    rows = facts[contents.origin]
    places = survey.game.data_sources
    whole = places.get(("", contents.origin), source)
    if not isinstance(rows, tuple) or len(rows) != names.rows:
        has = f"has {len(rows)} rows, and the board" if isinstance(rows, tuple) else "is no list of rows; the board"
        what = f"the map {contents.origin!r} {has} is {names.rows} spaces high"
        fix = f"write {names.rows} rows of {names.columns} letters, '.' for an empty space"
        yield survey.problem("bad-map", whole, what, fix)
        return []
    things = []
    for y, row in enumerate(map(str, rows)):
        at = places.get(("", contents.origin, str(y)), whole)
        if len(row) != names.columns:
            has = f"has {len(row)} letters, and the board is {names.columns} spaces wide"
            what = f"row {y + 1} of the map {contents.origin!r} {has}"
            yield survey.problem("bad-map", at, what, "write a letter for each space, '.' for an empty one")
            continue
        survey.spend(1 + names.columns // 8)
        for x, letter in enumerate(row):
            if letter in contents.signs:
                sign = contents.signs[letter]
                things.append(Thing((x, y), sign.holds, sign.amount, at))
            elif letter != ".":
                what = f"{names.name(x, y)} of the map {contents.origin!r} shows {letter!r}"
                yield survey.mistake(unknown("bad-map", letter, contents.signs, what, says="the signs are"), at)
    return things


def functions_of(survey: Survey) -> Mapping[str, Callable[..., object]]:
    """Return the functions by name. They raise `ExpressionError` for an unknown name, `Stopped` for a faulty one."""
    return {
        "spaces": lambda of, holding=None: _spaces(survey, str(of), holding),
        "contents": lambda of, holding=None: sum(_amounts(survey, str(of), holding)),
        "perimeter": lambda of: perimeter(_shape(survey, str(of), "perimeter")),
    }


def unknown_board(survey: Survey, function: str, name: str) -> ExpressionError | None:
    """Return the mistake in a function's argument; None if the name is known, or its mistake is reported."""
    shapes = {*survey.shapes, *survey.unread}
    survey.spend(1 + len(shapes) // 8)
    if not survey.has_all_shapes and function != "contents":
        return None
    if function == "perimeter" and name not in shapes:
        return unknown("unknown-shape", name, shapes)
    if function == "contents" and name not in survey.board_names:
        return unknown("unknown-board", name, survey.board_names)
    if name not in (*survey.board_names, *shapes):
        known, what = (*survey.board_names, *shapes), f"there is no board or shape {name!r}"
        return unknown("unknown-board", name, known, what, says="the boards and shapes are")
    return None


def _spaces(survey: Survey, name: str, holding: object) -> int:
    if holding is not None:
        return len(_amounts(survey, name, holding))
    if name in survey.plans:
        return math.prod(survey.plans[name].size)
    return len(_shape(survey, name, "spaces"))


def _amounts(survey: Survey, name: str, holding: object) -> list[int]:
    """Return the number of things on each space of a board, of one kind or of all."""
    error = unknown_board(survey, "contents", name)
    if error is not None:
        raise error
    if name not in survey.plans:
        raise Stopped(None)
    plan = survey.plans[name]
    survey.spend(1 + len(plan.things) // 4)
    kinds = plan.kinds or tuple(sorted({thing.kind for thing in plan.things}))
    if holding is not None and holding not in kinds:
        what = f"no space of board {name!r} holds {holding!r}"
        raise unknown("unknown-contents", str(holding), kinds, what, says="its spaces hold")
    return [thing.amount for thing in plan.things if holding in (None, thing.kind)]


def _shape(survey: Survey, name: str, function: str) -> Shape:
    error = unknown_board(survey, function, name)
    if error is not None:
        raise error
    if name not in survey.shapes:
        raise Stopped(None)
    return survey.shapes[name].shape
