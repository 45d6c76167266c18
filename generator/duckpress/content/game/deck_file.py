"""One file of `decks/` or `boards/` -> a `Deck`: the keys of the file, and its fields, tables and cards."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from duckpress.content.game.cards import CardReader
from duckpress.content.game.families import Data
from duckpress.content.game.fields import FIELDS, CardKeys, FieldTyper, HasArt
from duckpress.content.game.naming import card_id, numbered
from duckpress.content.tables.cells import TableRoom
from duckpress.content.tables.chosen_columns import TABLES, TableKeys, choose_columns
from duckpress.content.tables.tables import SUFFIXES, Row, Table, read_rows, read_table
from duckpress.content.yaml import nodes
from duckpress.content.yaml.declared_shapes import Key, Kind, ListOf, Plain, Shape, When, optional, read_shape, required
from duckpress.content.yaml.kinds import (
    LENGTH,
    NODE,
    TEXT,
    TEXTS,
    TITLE,
    YES_NO,
    Placed,
    choice,
    converted,
    length,
    list_of,
    record,
)
from duckpress.content.yaml.nodes import Node, Scalar, quoted
from duckpress.core.geometry import Size
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean, same_word
from duckpress.core.sizes import DEFAULT_BLEED_MM, DEFAULT_OVERLAP_MM, DEFAULT_SAFE_MM, FORMATS, Format
from duckpress.core.tuckbox import DEFAULT_ROOM_MM, DEFAULT_STOCK_MM
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import BoxPlan, Card, Deck, Field

BOX_LAYOUT = "tuckbox"
"""The bundled layout of boxes, for a box that names no `front`."""
MAX_SIDE_MM = 1_000.0
_YES = ("yes", "true")
_TABLE_NAME = r"\.(csv|xlsx|ods)$"
_UNKNOWN = Format("box", Size(1.0, 1.0), 0.0, 0.0, 0.0)
"""The size of a box until all decks are read."""
_FLATS = math.sqrt(3) / 2  # of a hexagon: the distance of its flat sides by the width across its points
_SIDE = length(5.0, MAX_SIDE_MM)
_SIDES = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?[xX×] ?([0-9]+(?:\.[0-9]+)?) ?(mm|cm|in)?")
_PLAYER = converted(choice(("player",)), bool)


class SizeKeys(Shape):
    """A size of a deck's own."""

    width = required(_SIDE, "the finished width")
    height = required(_SIDE, "the finished height")
    round = optional(YES_NO, False, "whether it is cut as a circle")
    hex = optional(YES_NO, False, "whether it is cut as a hexagon, with points at the ends of the longer side")
    corner = optional(LENGTH, None, "radius of the corners")
    bleed = optional(length(0.0, 10.0), DEFAULT_BLEED_MM, "how far colour goes beyond the cut")
    safe = optional(LENGTH, None, "how far words stay away from the cut")

    @classmethod
    def cases(cls) -> Sequence[tuple[When, type[SizeKeys]]]:
        return [(When(key, _YES), EvenSizeKeys) for key in ("round", "hex")]

    @classmethod
    def form(cls, node: nodes.Mapping, what: str) -> type[SizeKeys]:
        width = node.entries.get("width")
        is_known = width is not None and _SIDE.read(width.value, what).value is not None
        return next((shape for when, shape in cls.cases() if is_known and when.holds(node)), SizeKeys)


class EvenSizeKeys(SizeKeys):
    """The size of a circle or a hexagon, whose height follows from its width."""

    height = optional(_SIDE, 0.0, SizeKeys.height.about)


def _size(node: Node, label: str) -> Read[Format | None]:
    """Return a named size, or one as `63x88mm` or by keys. Problems: `unknown-size`, `not-round`, `out-of-range`."""
    if isinstance(node, Scalar):
        name, problems = TEXT.read(node, label)
        known = same_word(name or "", FORMATS)
        if name is None or known is not None:
            return Read(FORMATS.get(known or ""), problems)
        if (sides := _SIDES.fullmatch(name)) is not None:
            width, height = (Scalar(side + (sides[3] or "mm"), True, node.source) for side in sides.group(1, 2))
            entries = {"width": nodes.Entry(width, node.source), "height": nodes.Entry(height, node.source)}
            return _size(nodes.Mapping(entries, node.source), label)
        fix = did_you_mean(name, FORMATS) + " (or write 63x88mm)"
        return Read(None, [Problem("unknown-size", node.source, f"there is no size {quoted(name)}", fix)])
    problems = ProblemList()
    written = problems.take(read_shape(node, SizeKeys, label))
    return Read(None if written is None else problems.take(_own_size(written)), problems)


def _own_size(written: SizeKeys) -> Read[Format | None]:
    problems = ProblemList()
    width, height, is_round, is_hex = written.width, written.height, written.round, written.hex
    if isinstance(written, EvenSizeKeys) and not height and "height" not in written.wrong:
        height = width if is_round else round(width * _FLATS, 2)
    if is_round and is_hex:
        what = f"{written.what} is both round and a hexagon"
        problems.add("not-round", written.at("hex"), what, "delete 'round' or 'hex'")
        is_hex = False
    if is_round and width and height and width != height:
        what = f"{written.what} is round, and not as wide as it is high"
        problems.add("not-round", written.at("round"), what, "delete 'height', or 'round'")
    shorter = min(width or MAX_SIDE_MM, height or MAX_SIDE_MM)
    rounding = shorter / 2 if is_round else 0.0 if is_hex else min(3.0, shorter / 2)
    corner = problems.take(_inner_length(written, "corner", shorter / 2, rounding))
    safe = problems.take(_inner_length(written, "safe", shorter / 2, min(DEFAULT_SAFE_MM, shorter / 4)))
    if not width or not height or corner is None or safe is None or _is_bad_length(written, "bleed"):
        return Read(None, problems)
    name = f"{width:g}mm round" if is_round else f"{width:g}x{height:g}mm{' hex' * is_hex}"
    return Read(Format(name, Size(width, height), corner, written.bleed, safe, is_round, is_hex), problems)


def _inner_length(written: SizeKeys, key: str, most_mm: float, usual_mm: float) -> Read[float | None]:
    """Return a length of at most `most_mm`, by default `usual_mm`; None for an invalid text."""
    if written.values[key] is None:
        return Read(None if _is_bad_length(written, key) else usual_mm)
    return length(0.0, most_mm).read(written.node.entries[key].value, f"{key!r} of {written.what}")


def _is_bad_length(written: SizeKeys, key: str) -> bool:
    return key in written.wrong and isinstance(written.node.entries[key].value, Scalar)


def _cards(node: Node, label: str) -> Read[Placed | tuple[Node, ...] | None]:
    if isinstance(node, Scalar) and not node.is_null:
        return Read(Placed(node.text, node.source))
    return list_of(NODE).read(node, label)


def _held_decks(node: Node, label: str) -> Read[tuple[Placed, ...] | None]:
    """Return the decks in a box; an empty tuple if one is invalid."""
    problems = ProblemList()
    nodes = problems.take(list_of(NODE).read(node, label))
    if isinstance(node, Scalar) and node.is_null:
        return Read(None, problems)
    texts = problems.take(TEXTS.read(node, label)) or ()
    sources = (item.source for item in nodes or () if item is not None)
    return Read(tuple(map(Placed, texts, sources)), problems)


SIZE: Kind[Format | None] = Kind(
    _size, takes=(choice(FORMATS), Plain(("string",), f"^{_SIDES.pattern}$"), SizeKeys), is_scalar=True
)
_CARDS: Kind[Placed | tuple[Node, ...]] = Kind(_cards, (), takes=(Plain(pattern=_TABLE_NAME), ListOf((CardKeys,), 1)))
_HELD: Kind[tuple[Placed, ...]] = Kind(_held_decks, (), takes=(TEXTS,))


class BoxKeys(Shape):
    """A tuck box for other decks."""

    holds = required(_HELD, "ids of the decks that lie in it, all of one size")
    stock_mm = optional(length(0.05, 5.0), DEFAULT_STOCK_MM, "thickness of a card", name="stock")
    room_mm = optional(
        length(0.0, 20.0), DEFAULT_ROOM_MM, "room to spare; as much again in depth for every fifty cards", name="room"
    )
    is_sleeved = optional(YES_NO, False, "whether the cards are in sleeves", name="sleeved")


class AnyDeckKeys(Shape):
    """A file of `decks/` or `boards/`: a deck with cards, one that a deal fills, or a tuck box."""

    title = required(TITLE, "what the deck is called")
    box_plan = optional(record(BoxKeys, BoxPlan), None, "makes it a tuck box for other decks", name="box")

    @classmethod
    def cases(cls) -> Sequence[tuple[When, type[Shape]]]:
        return (
            (When("box", is_mapping=True), BoxDeckKeys),
            (When("from", ("deal",)), DealtDeckKeys),
            (When("table", without="cards"), TableDeckKeys),
            (When(), DeckKeys),
        )

    @classmethod
    def form(cls, node: nodes.Mapping, what: str) -> type[Shape] | Problem:
        form = super().form(node, what)
        fields, most = node.entries.get("fields"), limit("deck-fields")
        if fields is None or not isinstance(form, type) or not issubclass(form, FieldsDeckKeys):
            return form
        if isinstance(fields.value, nodes.Mapping) and len(fields.value.entries) > most:
            fix = f"declare fewer; {how_to_raise('deck-fields')}"
            return Problem("game-too-large", fields.value.source, f"'fields' of {what} are more than {most}", fix)
        return form


class BoxDeckKeys(AnyDeckKeys):
    """A deck that is a tuck box."""

    front = optional(TEXT, BOX_LAYOUT, "name of its layout")


class SizedDeckKeys(AnyDeckKeys):
    """A deck with a size."""

    size = required(SIZE, "name of a size, or a size of its own")
    front = required(TEXT, "name of the layout of its fronts")
    back = optional(TEXT, None, "name of the layout of its backs; without it it has none")
    from_ = optional(choice(("deal",)), None, "deal: it has no cards of its own, a deal fills it")


class DealtDeckKeys(SizedDeckKeys):
    """A deck that a deal fills, with one card or with one for each player."""

    is_for_each = optional(_PLAYER, False, "player: one card for each player, and one file for each", name="each")


class FieldsDeckKeys(SizedDeckKeys):
    """A deck whose cards have fields."""

    is_per_player = optional(_PLAYER, False, "player: it is there once for each player", name="per")
    is_component = optional(YES_NO, True, "no for a sheet that no setup deals out", name="component")
    tiled = optional(YES_NO, False, "whether it may be larger than the paper")
    overlap = optional(length(2.0, 50.0), DEFAULT_OVERLAP_MM, "how much neighbouring tiles share")
    fields: Key[dict[str, Field]] = optional(FIELDS, {}, "what a card may hold")

    def check(self) -> Iterator[Problem]:
        if self.has("overlap") and not self.tiled:
            what = f"{self.what} has an 'overlap', but is not tiled"
            yield Problem("overlap-unused", self.at("overlap"), what, "add 'tiled: yes', or delete it")


class TableDeckKeys(FieldsDeckKeys):
    """A deck whose cards are in tables of the designer's own."""

    tables = required(TABLES, "the table of its cards, or a list of several", name="table")


class DeckKeys(FieldsDeckKeys):
    """A deck with cards."""

    cards = required(_CARDS, "the cards: a list, or the name of a table beside the file")

    def check(self) -> Iterator[Problem]:
        yield from super().check()
        if self.has("cards") and self.cards == () and "cards" not in self.wrong and self.size is not None:
            fix = "add at least one '- {id: ..., ...}'"
            yield Problem("no-cards", self.at("cards"), f"{self.what} has no cards", fix)


class Decks(Struct, frozen=True):
    """The readable decks, and the path of every deck's file by id, unreadable ones included."""

    by_id: dict[str, Deck]
    files: dict[str, str]


def read_bytes(workspace: Workspace, path: str, named_at: Source) -> Read[bytes | None]:
    """Return a file's bytes, None if they are refused; a problem's source is where the file is named."""
    try:
        return Read(workspace.read(path))
    except Refused as refused:
        problem = refused.problem(named_at)
        if named_at.file == path and (alike := workspace.alike(path)):
            problem = problem._replace(fix=f"rename {alike.rpartition('/')[2]} to {path.rpartition('/')[2]}")
        return Read(None, [problem])


class DeckTables:
    """Reads the tables of one game's folder, within the game's limits for all of them together."""

    def __init__(self, workspace: Workspace, folder: str) -> None:
        self._workspace, self._folder = workspace, folder
        self._room = TableRoom()
        self._used: set[str] = set()
        self._sheets: dict[tuple[str, str], list[Row] | None] = {}

    def beside(self, name: Placed) -> Read[Table | None]:
        """Return the table next to a deck's file, named by its `cards:`."""
        if not name.text.endswith(SUFFIXES) or "/" in name.text:
            what = f"'cards' is {quoted(name.text)}, neither a list nor a CSV file or spreadsheet"
            fix = f"write the cards as a list, or name a file beside this one that ends in {' or '.join(SUFFIXES)}"
            return Read(None, [Problem("wrong-type", name.source, what, fix)])
        path = f"{name.source.file.rpartition('/')[0]}/{name.text}"
        self._used.add(path)
        if self._room.is_overrun:
            return Read(None)
        data, problems = read_bytes(self._workspace, path, name.source)
        return Read(None, problems) if data is None else read_table(path, data, self._room)

    def chosen(self, written: Sequence[TableKeys], fields: Mapping[str, Field]) -> Iterator[Read[Table | None]]:
        """Yield the tables of a deck with these fields, from the designer's own tables."""
        taken: dict[str, int] = {}
        for table in written:
            sheet, problems = self._sheet(table)
            if sheet is None:
                yield Read(None, problems)
                continue

            def id_of(text: str, *, is_made: bool = bool(table.id), is_numbered: bool = table.is_numbered) -> str:
                id_ = card_id(text) if is_made else text  # what the column `id` says, or what is made of others' words
                return numbered(id_, taken) if is_numbered else id_

            path = f"{self._folder}/{table.file.text}"
            chosen = choose_columns(path, sheet, table, fields, id_of)
            yield Read(chosen.value, [*problems, *chosen.problems])

    def _sheet(self, written: TableKeys) -> Read[list[Row] | None]:
        """Return the rows of a table; decks share a sheet's rows, and only the first reports its mistakes."""
        name, at = written.file
        if "file" in written.wrong or not written.has("file"):
            return Read(None)
        path = f"{self._folder}/{name}"
        if not name.endswith(SUFFIXES) or ".." in name.split("/"):
            what = f"'file' is {quoted(name)}, no CSV file or spreadsheet in the game's folder"
            fix = f"name a file there that ends in {' or '.join(SUFFIXES)}"
            return Read(None, [Problem("wrong-type", at, what, fix)])
        self._used.add(path)
        key = (path, written.sheet.text if written.sheet is not None else "")
        if key in self._sheets or self._room.is_overrun:
            return Read(self._sheets.get(key))
        data, problems = read_bytes(self._workspace, path, at)
        beside = f"{at.file.rpartition('/')[0]}/{name}"
        if data is None and self._workspace.has(beside):
            problems = [problem._replace(fix=f"write {beside.removeprefix(self._folder)[1:]}") for problem in problems]
        elif data is None and written.url is not None:
            game = self._folder.rpartition("/")[2]
            problems = [problem._replace(fix=f"fetch it with `duckpress pull {game}`") for problem in problems]
        elif data is not None:
            self._sheets[key], problems = read_rows(path, data, self._room, written.sheet)
        return Read(self._sheets.get(key), problems)

    def unused(self, folder: str) -> Iterator[Problem]:
        """Yield a `table-not-used` for each table in a folder of decks that no deck has read."""
        for path in self._workspace.files(folder, *SUFFIXES):
            if path not in self._used:
                fix = f"write 'cards: {path.rpartition('/')[2]}' in a deck's file beside it, or delete it"
                yield Problem("table-not-used", Source(path), "no deck reads this table", fix, Level.WARNING)


def read_deck(id_: str, node: Node, data: Data, has_art: HasArt, tables: DeckTables) -> Read[Deck | None]:
    """Return a deck from its file's content; None if it is unusable (a problem says why).

    `data` is what families are filled with; `has_art` returns whether an image exists; `tables` reads them.
    Problems: those of `read_shape`, `fields` and `CardReader`; `unknown-size`, `not-round`, `overlap-unused`,
    `no-cards`, `game-too-large`.
    """
    problems = ProblemList()
    written = problems.take(read_shape(node, AnyDeckKeys, f"deck {id_!r}"))
    own: dict[str, Any] = {"fields": {}, "cards": (), "is_per_player": False, "is_component": False}
    size = written.size if isinstance(written, SizedDeckKeys) else None
    if isinstance(written, FieldsDeckKeys):
        reader = CardReader(id_, FieldTyper(written.fields, has_art))
        if isinstance(written, TableDeckKeys):
            read = reader.read_tables(tables.chosen(written.tables, written.fields))
        elif isinstance(written, DeckKeys) and isinstance(written.cards, Placed):
            read = reader.read_tables([tables.beside(written.cards)])
        else:
            items = written.cards if isinstance(written, DeckKeys) and not isinstance(written.cards, Placed) else ()
            read = reader.read_list(items, data)
        cards, is_whole = problems.take(read)
        own = {"cards": cards, "is_whole": is_whole, "overlap_mm": written.overlap if written.tiled else None}
    elif isinstance(written, DealtDeckKeys):
        own["dealt_to"] = "player" if written.is_for_each else "host"
    elif isinstance(written, BoxDeckKeys) and written.box_plan is not None:
        # One sheet to cut and fold, without a size of its own until `size_boxes` knows it.
        size = _UNKNOWN
        own |= {"cards": (Card(id_, id_, {}, 1, written.source, {}),), "back": None}
    if written is None or size is None:
        return Read(None, problems)
    own_format = None if size.name in FORMATS else size
    return Read(written.as_record(Deck, id=id_, format=size.name, own_format=own_format, **own), problems)
