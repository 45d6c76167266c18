"""Polyominoes: shapes of square spaces, turned and mirrored, with their outlines; and their possible places on a board.

A cell is a space by its column and row, a point is a crossing of grid lines; both count from 0 at the top left. The
cell (0, 0) has the corners (0, 0), (1, 0), (0, 1) and (1, 1). Cards and lists name them by coordinates, capital letters
and a number: `C12`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

from msgspec import Struct, field

from duckpress.check.expressions import Reading, read_expression, unknown
from duckpress.core.coordinates import Coordinates
from duckpress.core.problems import Problem, Source
from duckpress.expressions.parsing import ExpressionError
from duckpress.model import Card, Game, Value
from duckpress.model.setup import Expression

MAX_SIDE = 100  # spaces of a board
Cell = tuple[int, int]
Point = tuple[int, int]
Shape = frozenset[Cell]
_WRITTEN = re.compile(r"[A-Z]{1,2}(?:0|[1-9][0-9]{0,2})")
MAX_CELLS = 400


def cell_at(names: Coordinates, text: str) -> Cell | None:
    """Return the cell of a coordinate, on the board or off it; None for an invalid coordinate."""
    return names.locate(text) if _WRITTEN.fullmatch(text) else None


def better(text: str) -> str | None:
    """Return the coordinate that a text most likely means: `c 3` and `3C` mean C3; or None."""
    letters, digits = re.sub(r"[^A-Za-z]", "", text).upper(), re.sub(r"[^0-9]", "", text)
    meant = f"{letters}{digits.lstrip('0') or digits[:1]}"
    return meant if _WRITTEN.fullmatch(meant) else None


class Reach(Struct, frozen=True):
    """An upright rectangle of coordinates, first and last included."""

    left: int
    top: int
    right: int
    bottom: int

    def nearest(self, point: Point) -> Point:
        """Return the coordinate in the rectangle nearest to a point."""
        x, y = point
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


def shape_of(rows: Iterable[str]) -> Shape:
    """Return the shape in rows of text, an `X` for each space, moved to the top left."""
    return moved_home((x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "X")


def moved_home(cells: Iterable[Cell]) -> Shape:
    """Return a shape moved so that its first column and row are 0."""
    every = list(cells)
    left, top = min((x for x, _ in every), default=0), min((y for _, y in every), default=0)
    return frozenset((x - left, y - top) for x, y in every)


def extent(shape: Shape) -> tuple[int, int]:
    """Return how many columns and rows a shape takes, counted from column 0 and row 0."""
    return max((x for x, _ in shape), default=-1) + 1, max((y for _, y in shape), default=-1) + 1


@lru_cache(maxsize=1024)
def orientations(shape: Shape) -> tuple[Shape, ...]:
    """Return the different turned and mirrored forms of a shape, in a fixed order: one to eight."""
    shapes = set()
    turned: Iterable[Cell] = shape
    for _ in range(4):
        turned = [(-y, x) for x, y in turned]
        shapes.add(moved_home(turned))
        shapes.add(moved_home((-x, y) for x, y in turned))
    return tuple(sorted(shapes, key=sorted))


def free_shape(shape: Shape) -> Shape:
    """Return one representative of a shape and all its turned and mirrored forms."""
    return orientations(shape)[0]


def parts(shape: Shape) -> list[Shape]:
    """Return the connected parts of a shape; spaces that only meet at a corner are not connected."""
    left = set(shape)
    pieces = []
    while left:
        part = {min(left)}
        waiting = list(part)
        while waiting:
            x, y = waiting.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left - part
            part |= near
            waiting += near
        pieces.append(frozenset(part))
        left -= part
    return pieces


def perimeter(shape: Shape) -> int:
    """Return the length of a shape's outline in sides of a space, the outline of holes included."""
    inner = sum(((x + 1, y) in shape) + ((x, y + 1) in shape) for x, y in shape)
    return 4 * len(shape) - 2 * inner


def outline(shape: Shape) -> frozenset[Point]:
    """Return the points of a shape's outline: of the spaces around each, some are in the shape and some not."""
    around: dict[Point, int] = {}
    for x, y in shape:
        for point in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
            around[point] = around.get(point, 0) + 1
    return frozenset(point for point, spaces in around.items() if spaces < 4)


def reaches(shape: Shape, columns: int, rows: int, *, by_points: bool) -> Iterator[Reach]:
    """Yield the possible coordinates of a shape on an empty board, on its outline or on a space, as rectangles.

    Each is what one point of the outline of one orientation can be moved to; nothing where the shape does not fit.
    """
    for turned in orientations(shape):
        wide, high = extent(turned)
        if wide <= columns and high <= rows:
            for x, y in outline(turned) if by_points else turned:
                yield Reach(x, y, x + columns - wide, y + rows - high)


def nearest_reach(shape: Shape, columns: int, rows: int, at: Point, *, by_points: bool) -> Point | None:
    """Return the possible coordinate of a shape nearest to `at`, perhaps `at` itself, or None."""

    def order(point: Point) -> tuple[int, int, int]:
        return (point[0] - at[0]) ** 2 + (point[1] - at[1]) ** 2, point[1], point[0]

    points = {reach.nearest(at) for reach in reaches(shape, columns, rows, by_points=by_points)}
    return min(points, key=order, default=None)


_Value = TypeVar("_Value")
Surveyed: TypeAlias = Generator[Problem, None, _Value]


class Thing(Struct, frozen=True):
    """The kind and the number of things on a space."""

    space: Cell
    kind: str
    amount: int
    source: Source


class Plan(Struct, frozen=True):
    """A board with its size; `things` are those with a readable space, even off the board."""

    name: str
    names: Coordinates  # of its spaces
    by_points: bool
    things: tuple[Thing, ...]
    kinds: tuple[str, ...]

    @property
    def size(self) -> tuple[int, int]:
        return self.names.columns, self.names.rows

    @property
    def coordinates(self) -> Coordinates:
        """The names for the coordinates of cards: of spaces, or of the points of the grid's lines."""
        return self.names.grown() if self.by_points else self.names


class ListedShape(Struct, frozen=True):
    """A shape of a list, its id, and the place of its cells."""

    id: str
    list: str
    shape: Shape
    source: Source


class Survey(Struct):
    """The known boards and shapes of a game, and the problems of their declarations."""

    game: Game
    spend: Callable[[int], None]  # takes steps from the budget of the check
    compute: Callable[[Reading, Mapping[str, object]], object]
    board_names: tuple[str, ...] = ()  # of all boards, those that could not be surveyed included
    has_all_shapes: bool = True  # False where a list of shapes is missing: any id may be one of its
    plans: dict[str, Plan] = field(default_factory=dict)
    shapes: dict[str, ListedShape] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)  # ids of shapes whose cells could not be read
    problems: tuple[Problem, ...] = ()

    def problem(self, code: str, source: Source, what: str, fix: str) -> Problem:
        """Return a problem, and spend steps for it, so that the number of problems is limited."""
        self.spend(50)
        return Problem(code, source, what, fix)

    def mistake(self, error: ExpressionError, source: Source) -> Problem:
        return self.problem(error.code, source, error.what, error.fix)

    def number(self, expression: Expression, low: int, high: int) -> Surveyed[int | None]:
        """Return the whole number that an expression of facts and lists gives, or None."""
        try:
            value = self._computed(expression)
        except ExpressionError as error:
            yield self.mistake(error, expression.at(error.offset))
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        fix = f"write a number from {low} to {high}"
        if isinstance(value, bool) or not isinstance(value, int):
            what = f"{expression.text!r} gives {value!r}, not a whole number"
            yield self.problem("not-whole", expression.source, what, fix)
        elif not low <= value <= high:
            gives = "the number" if expression.text == str(value) else f"{expression.text!r}"
            what = f"{gives} is {value}, which is out of range"
            yield self.problem("out-of-range", expression.source, what, fix)
        else:
            return value
        return None

    def rows_of_list(self, name: str, source: Source) -> Surveyed[Sequence[Card]]:
        """Return the records of a list of `game.yaml` as if they were cards. Problem: `unknown-list`."""
        lists, places = self.game.lists, self.game.data_sources
        if name not in lists:
            error = unknown("unknown-list", name, lists, says="the lists of game.yaml are")
            yield self.problem(error.code, source, error.what, error.fix if lists else "write it in game.yaml")
            return []
        whole = places.get((name,), source)
        rows = []
        for id_, record in lists[name].items():
            self.spend(1)
            sources = {key: places.get((name, id_, key), whole) for key in record if (name, id_, key) in places}
            rows.append(Card(id_, name, record, 1, places.get((name, id_), whole), sources))
        return rows

    def rows_of_deck(self, name: str, source: Source) -> Surveyed[Sequence[Card]]:
        """Return the cards of a deck. Problem: `unknown-deck`."""
        if name not in self.game.decks:
            yield self.mistake(unknown("unknown-deck", name, self.game.decks), source)
            return []
        self.spend(len(self.game.decks[name].cards))
        return self.game.decks[name].cards

    def have_fields(self, deck: str, named: Iterable[tuple[str, Source]]) -> Surveyed[bool]:
        """Return whether the cards of a deck have all these fields. Problem: `unknown-field`, for the first."""
        fields = self.game.decks[deck].fields
        for name, source in named:
            if name not in fields and name != "id":
                what = f"no card of {deck!r} has a field {name!r}"
                yield self.mistake(unknown("unknown-field", name, fields, what), source)
                return False
        return True

    def cells(self, value: Value, source: Source, label: str) -> Surveyed[Shape | None]:
        """Return the shape in rows of text, or None. Problem: `bad-cells`."""
        rows = tuple(value.split("/")) if isinstance(value, str) else value if isinstance(value, tuple) else (value,)
        texts = [row for row in rows if isinstance(row, str)]
        self.spend(sum(map(len, texts)) // 8)
        if not rows or not all(isinstance(row, str) and row and set(row) <= {"X", "."} for row in rows):
            what = f"{label} are [{', '.join(str(row) for row in rows)[:60]}], which shows no shape"
            good = "write its rows as a list of texts, X for each of its spaces and . for none: [X., XX]"
            yield self.problem("bad-cells", source, what, good)
            return None
        odd = next((row for row in texts if len(row) != len(texts[0])), None)
        if odd is not None:
            what = f"{label} have rows of different lengths: {texts[0]!r} and {odd!r}"
            yield self.problem("bad-cells", source, what, "fill the shorter ones up with points")
            return None
        shape = shape_of(texts)
        if not shape or len(shape) > MAX_CELLS:
            what = f"{label} show {f'{len(shape)} spaces' if shape else 'no space'}"
            yield self.problem("bad-cells", source, what, f"write an X for each of 1 to {MAX_CELLS} spaces")
            return None
        return shape

    def place(
        self, value: Value, source: Source, names: Coordinates, label: str, *, of: str = "space", as_id: bool = False
    ) -> Surveyed[Cell | None]:
        """Return the column and row of a coordinate `of` a space or a point, or None.

        Problems: `bad-coordinate`, `off-board`.
        """
        text = str(value).upper() if as_id else str(value)
        place = cell_at(names, text)
        if place is None:
            meant = better(text)
            fix = f"write {meant!r}" if meant else f"write a letter and a number: {names.ends}"
            has = f"is {str(value)!r}, which is no coordinate" if value else "is empty"
            yield self.problem("bad-coordinate", source, f"{label} {has}", fix)
        elif not names.has(place):
            what = f"{label} is {text}, and the {of}s of the board are {names.ends}"
            fix = f"the nearest on the board is {names.name(*names.nearest(place))}"
            yield self.problem("off-board", source, what, fix)
        else:
            return place
        return None

    def _computed(self, expression: Expression) -> object:
        """Return the value of an expression that sees facts and lists only. Raises `ExpressionError`."""
        reading = read_expression(expression.text)
        if reading.error is not None:
            raise reading.error
        if reading.constant is not None:
            return reading.constant
        names = {"facts": self.game.facts, "lists": self.game.lists}
        for word in reading.names:
            if word.text not in names:
                fix = "only facts and lists of game.yaml are known here: facts['columns']"
                raise ExpressionError("unknown-name", f"nothing is named {word.text!r}", fix, word.offset)
        for word in reading.facts:
            if word.text not in self.game.facts:
                raise unknown("unknown-fact", word.text, self.game.facts, f"no fact {word.text!r}", offset=word.offset)
        for call in reading.calls:
            what = f"{call.function!r} cannot be called here"
            raise ExpressionError("bad-expression", what, "write a number", call.offset)
        return self.compute(reading, names)
