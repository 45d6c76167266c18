"""A setup's geometry looked up in its game: boards with their sizes and contents, shapes by their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from duckpress.check.geometry.card_coordinates import Cell, CoordinateGrid, better
from duckpress.check.geometry.polyomino import Shape, shape_of
from duckpress.check.setup_expressions import Reading, read_expression
from duckpress.core.coordinates import Coordinates
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.mistakes import ExpressionError
from duckpress.model import Game, Value
from duckpress.model.setup import Expression

MAX_CELLS = 400


class Thing(Struct, frozen=True):
    """What a space of a board holds, and how many of it."""

    space: Cell
    kind: str
    amount: int
    source: Source


class Plan(Struct, frozen=True):
    """A board with its size; `things` are those whose space could be read, wherever it lies."""

    name: str
    names: Coordinates  # of its spaces
    by_points: bool
    things: tuple[Thing, ...]
    kinds: tuple[str, ...]

    @property
    def columns(self) -> int:
        """How many spaces it is wide."""
        return self.names.columns

    @property
    def rows(self) -> int:
        """How many spaces it is high."""
        return self.names.rows

    @property
    def coordinates(self) -> CoordinateGrid:
        """What the coordinates of cards name: its spaces, or the points of its lines."""
        return CoordinateGrid(self.names.grown(), "point") if self.by_points else CoordinateGrid(self.names, "space")


class ListedShape(Struct, frozen=True):
    """A shape of a list, its id, and the place of its cells."""

    id: str
    list: str
    shape: Shape
    source: Source


class SurveyRow(NamedTuple):
    """A record of a list or a card of a deck: its values, and where each of them stands."""

    id: str
    values: Mapping[str, Value]
    source: Source
    sources: Mapping[str, Source]
    copies: int = 1

    def at(self, key: str) -> Source:
        """Return the place of a value, or of the row."""
        return self.sources.get(key, self.source)


class Survey(Struct):
    """What is known of a game's boards and shapes, and what is wrong with how they are written."""

    game: Game
    spend: Callable[[int], None]  # takes steps from the budget of the check
    compute: Callable[[Reading, Mapping[str, object]], object]
    plans: dict[str, Plan] = field(default_factory=dict)
    shapes: dict[str, ListedShape] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    board_names: tuple[str, ...] = ()  # of all boards, those that could not be surveyed included
    unread: set[str] = field(default_factory=set)  # ids of shapes whose cells could not be read
    has_all_shapes: bool = True  # False where a list of shapes is missing: any id may be one of its

    def report(self, code: str, source: Source, what: str, fix: str) -> None:
        """Note a problem."""
        self.spend(50)
        self.problems.append(Problem(code, source, what, fix or "correct the name", game=self.game.id))

    def number(self, expression: Expression, low: int, high: int) -> int | None:
        """Return the whole number that an expression of facts and lists comes to, or None after reporting why not."""
        try:
            value = self._computed(expression)
        except ExpressionError as error:
            self.report(error.code, expression.at(error.offset), error.what, error.fix)
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            what = f"{expression.text!r} gives {value!r}, not a whole number"
            self.report("not-whole", expression.source, what, f"write a number from {low} to {high}")
        elif not low <= value <= high:
            fix = f"write a number from {low} to {high}"
            gives = "the number" if expression.text == str(value) else f"{expression.text!r}"
            self.report("out-of-range", expression.source, f"{gives} is {value}, which is out of range", fix)
        else:
            return value
        return None

    def rows_of_list(self, name: str, source: Source) -> Iterator[SurveyRow]:
        """Yield the records of a list of `game.yaml`. Problem: `unknown-list`."""
        if name not in self.game.lists:
            fix = did_you_mean(name, self.game.lists, else_say="the lists of game.yaml are") or "write it in game.yaml"
            self.report("unknown-list", source, f"there is no list {name!r}", fix)
            return
        places = self.game.data_sources
        whole = places.get((name,), source)
        for id_, record in self.game.lists[name].items():
            self.spend(1)
            sources = {key: places.get((name, id_, key), whole) for key in record if (name, id_, key) in places}
            yield SurveyRow(id_, record, places.get((name, id_), whole), sources)

    def rows_of_deck(self, name: str, source: Source) -> Iterator[SurveyRow]:
        """Yield the cards of a deck. Problem: `unknown-deck`."""
        if name not in self.game.decks:
            fix = did_you_mean(name, self.game.decks, else_say="the decks are")
            self.report("unknown-deck", source, f"there is no deck {name!r}", fix)
            return
        for card in self.game.decks[name].cards:
            self.spend(1)
            yield SurveyRow(card.id, card.values, card.source, card.sources, card.copies)

    def has_field(self, deck: str, name: str, source: Source) -> bool:
        """Return whether the cards of a deck have a field. Problem: `unknown-field`."""
        fields = self.game.decks[deck].fields
        if name in fields or name == "id":
            return True
        fix = did_you_mean(name, fields, else_say="the fields are")
        self.report("unknown-field", source, f"no card of {deck!r} has a field {name!r}", fix)
        return False

    def cells(self, value: Value, source: Source, label_: str) -> Shape | None:
        """Return the shape that rows of text show, or None after reporting `bad-cells`."""
        rows = tuple(value.split("/")) if isinstance(value, str) else value if isinstance(value, tuple) else (value,)
        self.spend(sum(len(row) for row in rows if isinstance(row, str)) // 8)
        good = "write its rows as a list of texts, X for each of its spaces and . for none: [X., XX]"
        if not all(isinstance(row, str) and row and set(row) <= {"X", "."} for row in rows) or not rows:
            shown = ", ".join(str(row) for row in rows)[:60]
            self.report("bad-cells", source, f"{label_} are [{shown}], which shows no shape", good)
            return None
        texts = [row for row in rows if isinstance(row, str)]
        if len({len(row) for row in texts}) > 1:
            odd = next(row for row in texts if len(row) != len(texts[0]))
            what = f"{label_} have rows of different lengths: {texts[0]!r} and {odd!r}"
            self.report("bad-cells", source, what, "fill the shorter ones up with points")
            return None
        shape = shape_of(texts)
        if not shape or len(shape) > MAX_CELLS:
            what = f"{label_} show {'no space' if not shape else f'{len(shape)} spaces'}"
            self.report("bad-cells", source, what, f"write an X for each of 1 to {MAX_CELLS} spaces")
            return None
        return shape

    def place(
        self, value: Value, source: Source, grid: CoordinateGrid, label_: str, *, as_id: bool = False
    ) -> Cell | None:
        """Return the column and row of a coordinate, or None after reporting `bad-coordinate` or `off-board`."""
        text = str(value).upper() if as_id else str(value)
        found = grid.find(text)
        if found is None:
            meant = better(text)
            fix = f"write {meant!r}" if meant else f"write a letter and a number: {grid.names.ends}"
            has = f"is {str(value)!r}, which is no coordinate" if value else "is empty"
            self.report("bad-coordinate", source, f"{label_} {has}", fix)
            return None
        if not grid.names.has(found):
            what = f"{label_} is {text}, and the {grid.of}s of the board are {grid.names.ends}"
            fix = f"the nearest on the board is {grid.label(grid.names.nearest(found))}"
            self.report("off-board", source, what, fix)
            return None
        return found

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
                fix = did_you_mean(word.text, self.game.facts, else_say="the facts are")
                raise ExpressionError("unknown-fact", f"no fact {word.text!r}", fix, word.offset)
        for call in reading.calls:
            raise ExpressionError(
                "bad-expression", f"{call.function!r} cannot be called here", "write a number", call.offset
            )
        return self.compute(reading, names)
