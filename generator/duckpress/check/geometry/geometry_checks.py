"""The check of geometry: valid shapes, cards that can be placed, coordinates that are spread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from duckpress.check.expressions import unknown
from duckpress.check.geometry.survey import (
    Cell,
    ListedShape,
    Plan,
    Shape,
    Survey,
    Surveyed,
    extent,
    free_shape,
    nearest_reach,
    parts,
    perimeter,
    reaches,
)
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.model import Card
from duckpress.model.setup import Geometry, ShapeCards, ShapeList, SpreadRule


class PlacedCard(NamedTuple):
    """A card with its shape and its coordinate."""

    row: Card
    shape: Shape
    at: Cell
    source: Source  # of the coordinate


def geometry_problems(survey: Survey, geometry: Geometry) -> list[Problem]:
    """Return the problems of a setup's geometry.

    Problems: those of `survey_of`; `torn-shape`, `same-shape`, `wrong-spaces`, `wrong-perimeter`, `shape-too-large`
    for listed shapes; `unknown-board`, `unknown-list`, `unknown-deck`, `unknown-field`, `unknown-shape`, `bad-cells`,
    `shape-not-allowed`, `bad-coordinate`, `off-board`, `cannot-place`, `same-card`, `uneven-spread` for cards.
    """
    check = _Check(survey, geometry)
    listed = [problem for shapes in geometry.shapes.values() for problem in check.listed(shapes)]
    return [*survey.problems, *listed, *(problem for cards in geometry.decks.values() for problem in check.deck(cards))]


class _Check:
    def __init__(self, survey: Survey, geometry: Geometry) -> None:
        self.survey = survey
        self.geometry = geometry

    def board(self, name: str, source: Source) -> Surveyed[Plan | None]:
        """Return a board, or None if there is none of that name (`unknown-board`) or its size is unknown."""
        boards = self.geometry.boards
        if name not in boards:
            error = unknown("unknown-board", name, boards)
            fix = error.fix if boards else "describe it under 'boards'"
            yield self.survey.problem(error.code, source, error.what, fix)
        return self.survey.plans.get(name)

    def listed(self, shapes: ShapeList) -> Iterator[Problem]:
        board = None
        if shapes.board is not None:
            board = yield from self.board(shapes.board, shapes.sources["board"])
        self.survey.spend(1 + len(self.survey.shapes) // 8)
        seen: dict[Shape, ListedShape] = {}
        for listed in (shape for shape in self.survey.shapes.values() if shape.list == shapes.name):
            name = f"shape {listed.id!r}"
            if not (yield from self.connected(listed.shape, name, listed.source)):
                continue
            other = seen.setdefault(free_shape(listed.shape), listed)
            if other is not listed:
                what, fix = f"{name} is {other.id!r} turned or mirrored", "change its cells, or delete one of the two"
                yield self.survey.problem("same-shape", listed.source, what, fix)
            yield from self.stated(shapes, listed, shapes.spaces, len(listed.shape), "wrong-spaces")
            yield from self.stated(shapes, listed, shapes.perimeter, perimeter(listed.shape), "wrong-perimeter")
            if board is not None and next(reaches(listed.shape, *board.size, by_points=False), None) is None:
                wide, high = extent(listed.shape)
                columns, rows = board.size
                what = f"{name} is {wide} x {high} spaces, and board {board.name!r} is {columns} x {rows}"
                fix = "make the shape smaller, or the board larger"
                yield self.survey.problem("shape-too-large", listed.source, what, fix)

    def connected(self, shape: Shape, name: str, source: Source) -> Surveyed[bool]:
        """Return whether the spaces of a shape are connected. Problem: `torn-shape`."""
        self.survey.spend(1 + len(shape) // 4)
        pieces = parts(shape)
        if len(pieces) > 1:
            sizes = " and ".join(str(len(piece)) for piece in pieces)
            what = f"{name} falls apart into {len(pieces)} parts, of {sizes} spaces"
            fix = "join them side to side; corners do not join"
            yield self.survey.problem("torn-shape", source, what, fix)
        return len(pieces) == 1

    def stated(self, shapes: ShapeList, listed: ListedShape, key: str, computed: int, code: str) -> Iterator[Problem]:
        record = self.survey.game.lists[shapes.list][listed.id]
        if record.get(key) not in (None, computed):
            source = self.survey.game.data_sources.get((shapes.list, listed.id, key), listed.source)
            what = f"shape {listed.id!r} says {key!r} {record[key]}, and its cells come to {computed}"
            yield self.survey.problem(code, source, what, f"write {computed}, or correct its cells")

    def deck(self, cards: ShapeCards) -> Iterator[Problem]:
        survey = self.survey
        board = yield from self.board(cards.board, cards.sources.get("board", cards.source))
        lists = [name for name in cards.among if name not in self.geometry.shapes]
        for name in lists:
            fix = did_you_mean(name, self.geometry.shapes, else_say="there are") or "describe it under 'shapes'"
            what = f"there are no shapes {name!r} under 'geometry'"
            yield survey.problem("unknown-list", cards.sources["among"], what, fix)
        at_most = 0 if cards.at_most is None else (yield from survey.number(cards.at_most, 0, 1000))
        rows = yield from survey.rows_of_deck(cards.deck, cards.source)
        keys = (("shape", cards.shape), ("at", cards.at))
        named = [(name, cards.sources.get(key, cards.source)) for key, name in keys]
        if not rows or not (yield from survey.have_fields(cards.deck, named)):
            return
        rows = [row for row in rows if not all(row.values.get(name) in (None, "", ()) for name, _ in named)]
        allowed = None
        if not lists and at_most is not None and (cards.among or cards.at_most is not None):
            survey.spend(1 + len(survey.shapes) // 8)
            allowed = {
                free_shape(shape.shape): shape.id for shape in survey.shapes.values() if shape.list in cards.among
            }
        placed = []
        for row in rows:
            shape = yield from self.shape_of(row, cards)
            if shape is not None and allowed is not None and len(shape) > (at_most or 0):
                yield from self.allowed(row, cards, shape, allowed, at_most or 0)
            if board is None:
                continue
            label = f"the {cards.at} of card {row.id!r}"
            value, of = row.values.get(cards.at), "point" if board.by_points else "space"
            at = yield from survey.place(value, row.at(cards.at), board.coordinates, label, of=of)
            if shape is not None and at is not None:
                card = PlacedCard(row, shape, at, row.at(cards.at))
                yield from self.placeable(card, board)
                placed.append(card)
        yield from self.different(placed, cards.at)
        if cards.spread is not None and board is not None and len(placed) == len(rows):
            yield from self.spread(placed, cards.spread, board)

    def shape_of(self, row: Card, cards: ShapeCards) -> Surveyed[Shape | None]:
        """Return the shape of a card: its own rows of cells, or the id of a listed one (`unknown-shape`)."""
        value, source = row.values.get(cards.shape), row.at(cards.shape)
        text = str(value)
        if not isinstance(value, tuple) and text in self.survey.shapes:
            listed = self.survey.shapes[text].shape
            return listed if len(parts(listed)) == 1 else None
        if isinstance(value, tuple) or (text and set(text) <= set("X./")):
            rows = value if isinstance(value, tuple) else text
            shape = yield from self.survey.cells(rows, source, f"the cells of card {row.id!r}")
            if shape is None or not (yield from self.connected(shape, f"the shape of card {row.id!r}", source)):
                return None
            return shape
        if text not in self.survey.unread and self.survey.has_all_shapes:
            what = f"card {row.id!r} shows shape {text!r}, which is in no list of shapes"
            yield self.survey.mistake(unknown("unknown-shape", text, self.survey.shapes, what), source)
        return None

    def allowed(
        self, row: Card, cards: ShapeCards, shape: Shape, allowed: dict[Shape, str], at_most: int
    ) -> Iterator[Problem]:
        if free_shape(shape) not in allowed:
            least = f"at most {at_most} spaces" if cards.at_most is not None else ""
            among = f"one of {', '.join(allowed.values())}" if cards.among else ""
            said = " or ".join(words for words in (among, least) if words)
            what = f"card {row.id!r} shows a shape of {len(shape)} spaces, and it has to be {said}"
            yield self.survey.problem("shape-not-allowed", row.at(cards.shape), what, "give it another shape")

    def placeable(self, card: PlacedCard, board: Plan) -> Iterator[Problem]:
        self.survey.spend(1 + len(card.shape))
        near = nearest_reach(card.shape, *board.size, card.at, by_points=board.by_points)
        if near != card.at:
            name = board.coordinates.name
            where = f"{'with its outline through' if board.by_points else 'covering'} {name(*card.at)}"
            what = f"card {card.row.id!r} cannot be placed on the empty board {where}, however it is turned"
            fix = "give it a smaller shape" if near is None else f"the nearest coordinate where it can is {name(*near)}"
            yield self.survey.problem("cannot-place", card.source, what, fix)

    def different(self, placed: list[PlacedCard], key: str) -> Iterator[Problem]:
        """Yield cards that are equal: the same shape, however turned, at the same coordinate (`same-card`)."""
        seen: dict[tuple[Shape, Cell], PlacedCard] = {}
        for card in placed:
            other = seen.setdefault((free_shape(card.shape), card.at), card)
            if other is not card:
                what = f"card {card.row.id!r} has the same shape at {card.row.values[key]} as {other.row.id!r}"
                yield self.survey.problem("same-card", card.source, what, "change its shape or its coordinate")
            elif card.row.copies > 1:
                what = f"card {card.row.id!r} is in the deck {card.row.copies} times"
                fix = "write 'copies: 1', and cards of their own instead"
                yield self.survey.problem("same-card", card.row.at("copies"), what, fix)

    def spread(self, placed: list[PlacedCard], spread: SpreadRule, board: Plan) -> Iterator[Problem]:
        at_least = yield from self.survey.number(spread.at_least, 1, 1000)
        if at_least is None:
            return
        wide, high = board.size
        cards_of: dict[Cell, list[PlacedCard]] = {
            (column, row): [] for row in range(spread.rows) for column in range(spread.columns)
        }
        names = board.coordinates
        for card in placed:
            x, y = card.at
            cards_of[part_of(x, wide, spread.columns), part_of(y, high, spread.rows)].append(card)
        for part, cards in cards_of.items():
            if len(cards) >= at_least:
                continue
            self.survey.spend(50)
            columns = [x for x in range(names.columns) if part_of(x, wide, spread.columns) == part[0]]
            rows = [y for y in range(names.rows) if part_of(y, high, spread.rows) == part[1]]
            if not columns or not rows:
                continue
            span = f"{names.name(columns[0], rows[0])} to {names.name(columns[-1], rows[-1])}"
            has = f"has {len(cards)} of the cards' coordinates, and should have {at_least} or more"
            what = f"the part of board {board.name!r} from {span} {has}"
            middle = (columns[len(columns) // 2], rows[len(rows) // 2])
            fix = f"give a card there, such as at {names.name(*middle)}"
            for card in (card for other in cards_of.values() if len(other) > at_least for card in reversed(other)):
                self.survey.spend(1 + len(card.shape))
                to = nearest_reach(card.shape, wide, high, middle, by_points=board.by_points)
                if to is not None and to[0] in columns and to[1] in rows:
                    fix = f"move a card there, such as {card.row.id!r} to {names.name(*to)}"
                    break
            yield self.survey.problem("uneven-spread", spread.source, what, fix)


def part_of(place: int, size: int, parts_: int) -> int:
    """Return the index of the part of a board's side with a column or row; a dividing line belongs to the next."""
    return min(place * parts_ // size, parts_ - 1)
