"""Duck Pens: the fences of its scoring example, walked along here, and the size of its board on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import pypdfium2
import pytest

from duckpress.check.geometry.survey import free_shape, shape_of
from duckpress.content import load_game
from duckpress.core.frame import Text, every_item
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.press.request import Built

Cell = tuple[int, int]
Edge = frozenset[Cell]  # the two points that a space's side runs between

COLUMNS, ROWS = 12, 10


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "duck-pens")
    assert game is not None, problems
    assert problems == []
    return game


def test_the_fences_of_the_example_close_exactly_its_pens_for_their_owners(game: Game) -> None:
    fences: dict[Edge, str] = {}
    for owner, drawn in game.lists["example-fences"].items():
        for line in drawn["lines"]:
            for edge in _line(*map(_point, str(line).split("-"))):
                assert edge not in fences, "two fences lie on one line"
                fences[edge] = owner
    for owner, line in game.lists["first-fences"].items():
        assert {fences[edge] for edge in _line(_point(line["from"]), _point(line["to"]))} == {owner}
    for owner in ("red", "blue"):  # each fence touches one of its colour
        assert _joined({edge for edge, by in fences.items() if by == owner})
    shapes = {free_shape(shape_of(shape["cells"])): name for name, shape in game.lists["pens"].items()}
    pens = {frozenset(_cells(pen)): pen for pen in game.lists["example-pens"].values()}
    closed = [area for area in _areas(set(fences)) if len(area) <= 3 or free_shape(frozenset(area)) in shapes]
    assert {frozenset(area) for area in closed} == set(pens)
    for area, pen in pens.items():
        assert pen["shape"] == (shapes[free_shape(frozenset(area))] if len(area) > 3 else ""), pen
        sides = Counter(fences[edge] for edge in _outline(area) if edge in fences)
        assert sides[pen["owner"]] > sides.total() / 2, pen
    sides = {
        name: Counter(fences[edge] for edge in _outline(_cells(pen)) if edge in fences)
        for name, pen in game.lists["example-pens"].items()
    }
    ((shared, by),) = ((name, by) for name, by in sides.items() if len(by) > 1)
    told = game.lists["examples"]["shared"]  # what its words say of the one pen with fences of both colours
    assert (shared, by["red"], by["blue"]) == (told["pen"], told["own"], told["other"])
    reds = [name for name, pen in game.lists["example-pens"].items() if pen["owner"] == "red" and pen["group"]]
    assert reds.index(shared) + 1 == told["number"]


def test_the_board_is_one_sheet_in_landscape_with_spaces_wide_enough_for_felt_pens(
    whole: Callable[[str], Built],
) -> None:
    built = whole("duck-pens")
    for paper in ("a4", "letter"):
        (page,) = pypdfium2.PdfDocument(built.folder / f"duck-pens-board-{paper}.pdf")
        assert page.get_width() > page.get_height()
        assert len(pypdfium2.PdfDocument(built.folder / f"duck-pens-board-large-{paper}.pdf")) > 1
    board = next(one for one in built.checked.pieces if one.piece.id == "board").faces[0].front
    rows: dict[float, dict[str, float]] = {}
    for item in every_item(board.items):
        if isinstance(item, Text):
            rows.setdefault(item.y_mm, {})[item.text] = item.x_mm + item.width_mm / 2
    (row, *_) = (row for row in rows.values() if {*"BCDE"} <= row.keys())
    assert abs(row["E"] - row["B"]) / 3 == pytest.approx(13.6, abs=0.1)


def _cell(name: str) -> Cell:
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


_point = _cell  # points are named like the spaces to their lower right


def _cells(pen: Mapping[str, Any]) -> list[Cell]:
    return sorted(_cell(name) for name in pen["spaces"])


def _sides(cell: Cell) -> dict[Cell, Edge]:
    x, y = cell
    a, b, c, d = (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)
    return {
        (x, y - 1): frozenset((a, b)),
        (x, y + 1): frozenset((c, d)),
        (x - 1, y): frozenset((a, c)),
        (x + 1, y): frozenset((b, d)),
    }


def _outline(cells: Iterable[Cell]) -> set[Edge]:
    own = set(cells)
    return {edge for cell in own for other, edge in _sides(cell).items() if other not in own}


def _line(start: Cell, end: Cell) -> list[Edge]:
    (x1, y1), (x2, y2) = sorted((start, end))
    assert x1 == x2 or y1 == y2, "a fence is straight"
    points = [(x, y) for x in range(x1, x2 + 1) for y in range(y1, y2 + 1)]
    return [frozenset(pair) for pair in pairwise(points)]


def _areas(fences: set[Edge]) -> Iterable[set[Cell]]:
    rest = {(x, y) for x in range(COLUMNS) for y in range(ROWS)}
    while rest:
        area, todo = set(), [rest.pop()]
        while todo:
            cell = todo.pop()
            area.add(cell)
            for other, edge in _sides(cell).items():
                if other in rest and edge not in fences:
                    rest.remove(other)
                    todo.append(other)
        yield area


def _joined(edges: set[Edge]) -> bool:
    reached, rest = set(next(iter(edges))), set(edges)
    while touching := {edge for edge in rest if edge & reached}:
        reached |= {point for edge in touching for point in edge}
        rest -= touching
    return not rest
