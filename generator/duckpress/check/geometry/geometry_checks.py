"""The check of geometry: shapes that are shapes, cards that can be placed, coordinates that are spread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from duckpress.check.geometry.card_coordinates import Cell
from duckpress.check.geometry.polyomino import Shape, extent, free_shape, nearest_reach, parts, perimeter, reaches
from duckpress.check.geometry.survey import ListedShape, Plan, Survey, SurveyRow
from duckpress.check.rule_book import Book
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.model import Value
from duckpress.model.setup import Geometry, ShapeCards, ShapeList, SpreadRule


class PlacedCard(NamedTuple):
    """A card with the shape and the coordinate it holds."""

    row: SurveyRow
    shape: Shape
    at: Cell
    source: Source  # of the coordinate


def geometry_problems(book: Book) -> Iterator[Problem]:
    """Yield what is wrong with a setup's geometry.

    Problems: those of `survey_of`; `torn-shape`, `same-shape`, `wrong-spaces`, `wrong-perimeter`, `shape-too-large`
    for listed shapes; `unknown-board`, `unknown-list`, `unknown-deck`, `unknown-field`, `unknown-shape`, `bad-cells`,
    `shape-not-allowed`, `bad-coordinate`, `off-board`, `cannot-place`, `same-card`, `uneven-spread` for cards.
    """
    geometry = book.setup.geometry
    if geometry is None or not book.is_whole:
        return
    check = _Check(book.survey(), geometry)
    for shapes in geometry.shapes.values():
        check.listed(shapes)
    for cards in geometry.decks.values():
        check.deck(cards)
    yield from check.survey.problems


class _Check:
    def __init__(self, survey: Survey, geometry: Geometry) -> None:
        self.survey = survey
        self.geometry = geometry
        self.game = survey.game

    def board(self, name: str, source: Source) -> Plan | None:
        """Return a board, or None where there is none of that name (`unknown-board`) or its size is unknown."""
        if name not in self.geometry.boards:
            fix = did_you_mean(name, self.geometry.boards, else_say="the boards are") or "describe it under 'boards'"
            self.survey.report("unknown-board", source, f"there is no board {name!r}", fix)
        return self.survey.plans.get(name)

    def listed(self, shapes: ShapeList) -> None:
        """Note what is wrong with the shapes of a list."""
        board = self.board(shapes.board, shapes.sources["board"]) if shapes.board is not None else None
        self.survey.spend(1 + len(self.survey.shapes) // 8)
        seen: dict[Shape, ListedShape] = {}
        for listed in (one for one in self.survey.shapes.values() if one.list == shapes.name):
            name = f"shape {listed.id!r}"
            if not self.connected(listed.shape, name, listed.source):
                continue
            other = seen.setdefault(free_shape(listed.shape), listed)
            if other is not listed:
                what = f"{name} is {other.id!r} turned or mirrored"
                self.survey.report("same-shape", listed.source, what, "change its cells, or delete one of the two")
            self.stated(shapes, listed, shapes.spaces, len(listed.shape), "wrong-spaces")
            self.stated(shapes, listed, shapes.perimeter, perimeter(listed.shape), "wrong-perimeter")
            if board is not None:
                self.fits(listed.shape, board, name, listed.source)

    def connected(self, shape: Shape, name: str, source: Source) -> bool:
        """Return whether the spaces of a shape hang together. Problem: `torn-shape`."""
        self.survey.spend(1 + len(shape) // 4)
        found = parts(shape)
        if len(found) > 1:
            sizes = " and ".join(str(len(part)) for part in found)
            what = f"{name} falls apart into {len(found)} parts, of {sizes} spaces"
            self.survey.report("torn-shape", source, what, "join them side to side; corners do not join")
        return len(found) == 1

    def stated(self, shapes: ShapeList, listed: ListedShape, key: str, computed: int, code: str) -> None:
        """Note a number of a record that is not what its cells come to."""
        record = self.game.lists[shapes.list][listed.id]
        if record.get(key) not in (None, computed):
            source = self.game.data_sources.get((shapes.list, listed.id, key), listed.source)
            what = f"shape {listed.id!r} says {key!r} {record[key]}, and its cells come to {computed}"
            self.survey.report(code, source, what, f"write {computed}, or correct its cells")

    def fits(self, shape: Shape, board: Plan, name: str, source: Source) -> bool:
        """Return whether a shape fits an empty board. Problem: `shape-too-large`."""
        if next(reaches(shape, board.columns, board.rows, by_points=False), None) is not None:
            return True
        wide, high = extent(shape)
        what = f"{name} is {wide} x {high} spaces, and board {board.name!r} is {board.columns} x {board.rows}"
        self.survey.report("shape-too-large", source, what, "make the shape smaller, or the board larger")
        return False

    def deck(self, cards: ShapeCards) -> None:
        """Note what is wrong with a deck of cards that hold a shape and a coordinate."""
        board = self.board(cards.board, cards.sources.get("board", cards.source))
        unknown = [name for name in cards.among if name not in self.geometry.shapes]
        for name in unknown:
            fix = did_you_mean(name, self.geometry.shapes, else_say="there are") or "describe it under 'shapes'"
            what = f"there are no shapes {name!r} under 'geometry'"
            self.survey.report("unknown-list", cards.sources["among"], what, fix)
        at_most = 0 if cards.at_most is None else self.survey.number(cards.at_most, 0, 1000)
        rows = list(self.survey.rows_of_deck(cards.deck, cards.source))
        named = (("shape", cards.shape), ("at", cards.at))
        if not rows or not all(
            self.survey.has_field(cards.deck, name, cards.sources.get(key, cards.source)) for key, name in named
        ):
            return
        rows = [row for row in rows if not all(row.values.get(key) in (None, "", ()) for _, key in named)]
        allowed = None
        if not unknown and at_most is not None and (cards.among or cards.at_most is not None):
            self.survey.spend(1 + len(self.survey.shapes) // 8)
            listed = [one for one in self.survey.shapes.values() if one.list in cards.among]
            allowed = {free_shape(one.shape): one.id for one in listed}
        placed = []
        for row in rows:
            shape = self.shape_of(row, cards)
            if shape is not None and allowed is not None and len(shape) > (at_most or 0):
                self.allowed(row, cards, shape, allowed, at_most or 0)
            at = self.place_of(row, cards, board) if board is not None else None
            if shape is not None and at is not None and board is not None:
                self.placeable(row, cards, shape, at, board)
                placed.append(PlacedCard(row, shape, at, row.at(cards.at)))
        self.different(placed, cards.at)
        if cards.spread is not None and board is not None and len(placed) == len(rows):
            self.spread(placed, cards.spread, board)

    def shape_of(self, row: SurveyRow, cards: ShapeCards) -> Shape | None:
        """Return the shape of a card: rows of cells of its own, or the id of a listed one (`unknown-shape`)."""
        value: Value = row.values.get(cards.shape)
        source = row.at(cards.shape)
        if isinstance(value, tuple):
            shape = self.survey.cells(value, source, f"the cells of card {row.id!r}")
            name = f"the shape of card {row.id!r}"
            return shape if shape is not None and self.connected(shape, name, source) else None
        text = str(value)
        if text in self.survey.shapes:
            listed = self.survey.shapes[text].shape
            return listed if len(parts(listed)) == 1 else None
        if text and set(text) <= set("X./"):
            return self.shape_of(row._replace(values={**row.values, cards.shape: tuple(text.split("/"))}), cards)
        if text not in self.survey.unread and self.survey.has_all_shapes:
            fix = did_you_mean(text, self.survey.shapes, else_say="the shapes are")
            what = f"card {row.id!r} shows shape {text!r}, which is in no list of shapes"
            self.survey.report("unknown-shape", source, what, fix)
        return None

    def allowed(self, row: SurveyRow, cards: ShapeCards, shape: Shape, allowed: dict[Shape, str], at_most: int) -> None:
        """Note a shape that a deck's cards may not have (`shape-not-allowed`)."""
        if free_shape(shape) in allowed:
            return
        least = f"at most {at_most} spaces" if cards.at_most is not None else ""
        among = f"one of {', '.join(allowed.values())}" if cards.among else ""
        said = " or ".join(words for words in (among, least) if words)
        what = f"card {row.id!r} shows a shape of {len(shape)} spaces, and it has to be {said}"
        self.survey.report("shape-not-allowed", row.at(cards.shape), what, "give it another shape")

    def place_of(self, row: SurveyRow, cards: ShapeCards, board: Plan) -> Cell | None:
        """Return the coordinate of a card."""
        name = f"the {cards.at} of card {row.id!r}"
        return self.survey.place(row.values.get(cards.at), row.at(cards.at), board.coordinates, name)

    def placeable(self, row: SurveyRow, cards: ShapeCards, shape: Shape, at: Cell, board: Plan) -> None:
        """Note a card whose shape no turning or mirroring brings to its coordinate (`cannot-place`)."""
        self.survey.spend(1 + len(shape))
        near = nearest_reach(shape, board.columns, board.rows, at, by_points=board.by_points)
        if near == at:
            return
        label = board.coordinates.label
        through = "with its outline through" if board.by_points else "covering"
        what = f"card {row.id!r} cannot be placed on the empty board {through} {label(at)}, however it is turned"
        fix = "give it a smaller shape" if near is None else f"the nearest coordinate where it can is {label(near)}"
        self.survey.report("cannot-place", row.at(cards.at), what, fix)

    def different(self, placed: list[PlacedCard], key: str) -> None:
        """Note cards that are alike: the same shape, however turned, at the same coordinate (`same-card`)."""
        seen: dict[tuple[Shape, Cell], PlacedCard] = {}
        for card in placed:
            other = seen.setdefault((free_shape(card.shape), card.at), card)
            if other is not card:
                what = f"card {card.row.id!r} has the same shape at {card.row.values[key]} as {other.row.id!r}"
                self.survey.report("same-card", card.source, what, "change its shape or its coordinate")
            elif card.row.copies > 1:
                what = f"card {card.row.id!r} is in the deck {card.row.copies} times"
                source = card.row.at("copies")
                self.survey.report("same-card", source, what, "write 'copies: 1', and cards of their own instead")

    def spread(self, placed: list[PlacedCard], spread: SpreadRule, board: Plan) -> None:
        """Note each part of a board with too few coordinates (`uneven-spread`)."""
        at_least = self.survey.number(spread.at_least, 1, 1000)
        if at_least is None:
            return
        parts_ = [(column, row) for row in range(spread.rows) for column in range(spread.columns)]
        found: dict[Cell, list[PlacedCard]] = {part: [] for part in parts_}
        grid = board.coordinates
        for card in placed:
            x, y = card.at
            found[part_of(x, board.columns, spread.columns), part_of(y, board.rows, spread.rows)].append(card)
        for part, cards in found.items():
            if len(cards) >= at_least:
                continue
            self.survey.spend(50)
            columns = [x for x in range(grid.names.columns) if part_of(x, board.columns, spread.columns) == part[0]]
            rows = [y for y in range(grid.names.rows) if part_of(y, board.rows, spread.rows) == part[1]]
            if not columns or not rows:
                continue
            span = f"{grid.label((columns[0], rows[0]))} to {grid.label((columns[-1], rows[-1]))}"
            has = f"has {len(cards)} of the cards' coordinates, and should have {at_least} or more"
            what = f"the part of board {board.name!r} from {span} {has}"
            middle = (columns[len(columns) // 2], rows[len(rows) // 2])
            fix = f"give a card there, such as at {grid.label(middle)}"
            for card in (card for other in found.values() if len(other) > at_least for card in reversed(other)):
                self.survey.spend(1 + len(card.shape))
                to = nearest_reach(card.shape, board.columns, board.rows, middle, by_points=board.by_points)
                if to is not None and to[0] in columns and to[1] in rows:
                    fix = f"move a card there, such as {card.row.id!r} to {grid.label(to)}"
                    break
            self.survey.report("uneven-spread", spread.source, what, fix)


def part_of(place: int, size: int, parts_: int) -> int:
    """Return which of so many parts of a board's side a column or row lies in; a dividing line belongs to the next."""
    return min(place * parts_ // size, parts_ - 1)
