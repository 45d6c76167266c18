"""A setup's geometry -> its `Survey`: every shape read, every board measured, its contents found."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from duckpress.check.geometry.card_coordinates import MAX_SIDE, CoordinateGrid, better
from duckpress.check.geometry.contents import kinds_of, things_on
from duckpress.check.geometry.survey import ListedShape, Plan, Survey
from duckpress.check.setup_expressions import Reading
from duckpress.core.coordinates import counted_from
from duckpress.model import Game
from duckpress.model.setup import Board, ShapeList


def survey_of(
    game: Game, spend: Callable[[int], None], compute: Callable[[Reading, Mapping[str, object]], object]
) -> Survey:
    """Return what is known of a game's boards and shapes; `spend` takes the steps of the work.

    Problems: `out-of-range`, `not-whole` and those of expressions for sizes; `unknown-list`, `unknown-deck`,
    `unknown-field`, `missing-key`, `bad-cells`, `name-taken`, `bad-coordinate`, `off-board`, `space-taken`,
    `unknown-contents`, `bad-amount`.
    """
    survey = Survey(game, spend, compute)
    geometry = game.setup.geometry if game.setup is not None else None
    if geometry is None:
        return survey
    survey.board_names = tuple(geometry.boards)
    for shapes in geometry.shapes.values():
        _survey_shapes(survey, shapes)
    for board in geometry.boards.values():
        _survey_board(survey, board)
    return survey


def _survey_shapes(survey: Survey, shapes: ShapeList) -> None:
    survey.has_all_shapes &= shapes.list in survey.game.lists
    for row in survey.rows_of_list(shapes.list, shapes.sources.get("list", shapes.source)):
        other = survey.shapes.get(row.id)
        if other is not None or row.id in survey.board_names:
            whose = f"a shape of list {other.list!r}" if other is not None else "a board"
            survey.report("name-taken", row.source, f"{row.id!r} is {whose} already", "give it another id")
            continue
        if shapes.cells not in row.values:
            what = f"{row.id!r} of list {shapes.list!r} has no {shapes.cells!r}"
            survey.report("missing-key", row.source, what, f"add '{shapes.cells}: [X., XX]', the rows of the shape")
            shape = None
        else:
            label_ = f"the {shapes.cells} of {row.id!r}"
            shape = survey.cells(row.values[shapes.cells], row.at(shapes.cells), label_)
        if shape is None:
            survey.unread.add(row.id)
        else:
            survey.shapes[row.id] = ListedShape(row.id, shapes.name, shape, row.at(shapes.cells))


def _survey_board(survey: Survey, board: Board) -> None:
    columns = survey.number(board.columns, 1, MAX_SIDE)
    rows = survey.number(board.rows, 1, MAX_SIDE)
    if columns is None or rows is None:
        return
    names = counted_from(board.first, columns, rows, letters=board.letters, origin=board.origin)
    if names is None:
        fix = f"write {better(board.first) or 'A1'!r}"
        survey.report("bad-coordinate", board.first_source, f"'first' is {board.first!r}, which is no coordinate", fix)
        return
    grid = CoordinateGrid(names, "space")
    things = tuple(things_on(survey, board.contents, grid)) if board.contents is not None else ()
    kinds = kinds_of(board.contents) if board.contents is not None else ()
    survey.plans[board.name] = Plan(board.name, names, board.is_by_points, things, kinds)
