"""One file of `decks/` or `boards/` -> a `Deck`: its size and looks, the fields it declares, and its cards."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from duckpress.content import scalars
from duckpress.content.boxes import LAYOUT, box_deck, read_box
from duckpress.content.families import Data, fill_family
from duckpress.content.fields import FieldTyper, read_fields
from duckpress.content.nodes import Cell, Entry, Mapping, Node, Scalar, Sequence
from duckpress.content.reading import Reader
from duckpress.content.tables import Table
from duckpress.geometry import Size
from duckpress.limits import how_to_raise, limit, written
from duckpress.model import Card, Deck
from duckpress.problems import Problem, Source, did_you_mean, nearest
from duckpress.sizes import DEFAULT_BLEED_MM, DEFAULT_OVERLAP_MM, DEFAULT_SAFE_MM, FORMATS, Format
from duckpress.units import parse_length

MIN_SIDE_MM, MAX_SIDE_MM = 5.0, 1_000.0
MAX_BLEED_MM = 10.0
_FLATS = math.sqrt(3) / 2  # of a hexagon: the distance of its flat sides by the width across its points
MIN_OVERLAP_MM, MAX_OVERLAP_MM = 2.0, 50.0
MAX_LISTED = 5  # the same mistake in more cards than this is one problem that says in how many
_DEVICE = "(?:con|prn|aux|nul|com[0-9]|lpt[0-9])"
"""No names of files on Windows, whatever ending follows. Source: Microsoft, Naming Files, Paths, and Namespaces."""
ID = re.compile(rf"(?!{_DEVICE}\Z)[a-z0-9][a-z0-9-]{{0,79}}")

TableReader = Callable[[str, Source], Table | None]


class Surroundings(Struct, frozen=True):
    """What a deck needs from its game: facts and lists for families, whether art exists, and its tables' text."""

    data: Data
    has_art: Callable[[str], bool]
    read_table: TableReader


class _Written(Struct, frozen=True):
    """One card as written, with its label for messages."""

    given: dict[str, Entry]
    source: Source
    family: Source | None


def read_deck(id_: str, node: Node, around: Surroundings, problems: list[Problem]) -> Deck | None:
    """Give a deck from its file's content; None where no deck can be made of it (a problem says why).

    Problems: those of `Reader`, `fields`, `families` and `tables`; `unknown-size`, `bad-id`, `duplicate-id`,
    `no-cards`, `too-many-cards`.
    """
    reader = Reader.of(node, f"deck {id_!r}", problems)
    if reader is None:
        return None
    title = reader.title("title")
    plan = read_box(reader, _length)
    if plan is not None:
        front = reader.text("front", LAYOUT)
        reader.finish()
        return box_deck(id_, title, front, plan, reader)
    size = _read_size(reader, problems)
    front = reader.text("front")
    back = reader.text("back", None)
    if reader.choice("from", ("deal",), None) is not None:
        return _read_dealt(id_, title, size, front, back, reader)
    is_per_player = reader.choice("per", ("player",), None) is not None
    is_component = reader.yes_no("component", True)
    overlap_mm = _read_overlap(reader)
    fields = read_fields(reader, problems)
    if fields is None:
        return None
    typer = FieldTyper(fields, around.has_art)
    cards = _CardReader(id_, typer, problems).read(_entries(reader, around, problems))
    reader.finish()
    if size is None:
        return None
    written = reader.node("cards")
    if isinstance(written, Sequence) and not written.items:
        reader.report("no-cards", "cards", f"deck {id_!r} has no cards", "add at least one '- {id: ..., ...}'")
    return Deck(
        id_, title, fields, tuple(cards), size.name, front, back, is_per_player, is_component,
        reader.source, reader.sources(), None if size.name in FORMATS else size, overlap_mm,
    )  # fmt: skip


def _read_dealt(id_: str, title: str, size: Format | None, front: str, back: str | None, reader: Reader) -> Deck | None:
    """Give a deck that has no cards of its own: a deal fills it, with one card or with one for each player."""
    dealt_to = "player" if reader.choice("each", ("player",), None) is not None else "host"
    reader.finish()
    if size is None:
        return None
    return Deck(
        id_, title, {}, (), size.name, front, back, False, False,
        reader.source, reader.sources(), None if size.name in FORMATS else size, None, dealt_to,
    )  # fmt: skip


def check_id(text: str, source: Source, label: str, problems: list[Problem]) -> bool:
    """Tell whether a text can be an id: small letters, digits and '-'. Problem: `bad-id`, saying what to write."""
    if ID.fullmatch(text):
        return True
    if re.fullmatch(_DEVICE, text):
        what = f"{label} {text!r} is what Windows calls a device, so no file can have that name there"
        problems.append(Problem("bad-id", source, what, "take another word"))
        return False
    better = re.sub(r"[^a-z0-9]+", "-", text[:200].lower()).strip("-")[:80]
    fix = f"write {better!r}" if better else "write small letters, digits and '-'"
    what = f"{label} {scalars.quoted(text)} is not made of small letters, digits and '-'"
    problems.append(Problem("bad-id", source, what, fix))
    return False


def _read_overlap(reader: Reader) -> float | None:
    """Give how much the tiles of a deck share; None where it must not be tiled."""
    is_tiled = reader.yes_no("tiled", False)
    overlap_mm = _length(reader, "overlap", MIN_OVERLAP_MM, MAX_OVERLAP_MM, DEFAULT_OVERLAP_MM)
    if reader.node("overlap") is not None and not is_tiled:
        what = f"{reader.what} has an 'overlap', but is not tiled"
        reader.report("overlap-unused", "overlap", what, "add 'tiled: yes', or delete it")
    return (overlap_mm or DEFAULT_OVERLAP_MM) if is_tiled else None


def _read_size(reader: Reader, problems: list[Problem]) -> Format | None:
    node = reader.node("size")
    if node is None or isinstance(node, Scalar):
        name = reader.text("size")
        if name and name not in FORMATS:
            fix = did_you_mean(name, FORMATS) + " (or write {width: 63mm, height: 88mm})"
            problems.append(Problem("unknown-size", reader.at("size"), f"there is no size {scalars.quoted(name)}", fix))
        return FORMATS.get(name)
    own = reader.reader("size")
    if own is None:
        return None
    width = _length(own, "width", MIN_SIDE_MM, MAX_SIDE_MM, None)
    is_round = own.yes_no("round", False)
    is_hex = own.yes_no("hex", False)
    as_wide = width if is_round else None if not is_hex or width is None else round(width * _FLATS, 2)
    height = _length(own, "height", MIN_SIDE_MM, MAX_SIDE_MM, as_wide)
    if is_round and is_hex:
        own.report("not-round", "hex", f"{own.what} is both round and a hexagon", "delete 'round' or 'hex'")
        is_hex = False
    if is_round and width is not None and height is not None and width != height:
        what = f"{own.what} is round, and not as wide as it is high"
        own.report("not-round", "round", what, "delete 'height', or 'round'")
    shorter = min(width or MAX_SIDE_MM, height or MAX_SIDE_MM)
    rounding = shorter / 2 if is_round else 0.0 if is_hex else min(3.0, shorter / 2)
    corner = _length(own, "corner", 0.0, shorter / 2, rounding)
    bleed = _length(own, "bleed", 0.0, MAX_BLEED_MM, DEFAULT_BLEED_MM)
    safe = _length(own, "safe", 0.0, shorter / 2, min(DEFAULT_SAFE_MM, shorter / 4))
    own.finish()
    if width is None or height is None or corner is None or bleed is None or safe is None:
        return None
    name = f"{width:g}mm round" if is_round else f"{width:g}x{height:g}mm" + (" hex" if is_hex else "")
    return Format(name, Size(width, height), corner, bleed, safe, is_round, is_hex)


def _length(reader: Reader, key: str, low_mm: float, high_mm: float, default_mm: float | None) -> float | None:
    """Give a length in millimetres, or None after reporting it; without a default the key is required."""
    text = reader.text(key) if default_mm is None else reader.text(key, None)
    if not text:
        return default_mm
    length_mm = parse_length(text)
    if length_mm is None:
        what = f"{key!r} of {reader.what} is {scalars.quoted(text)}, not a length"
        reader.report("wrong-type", key, what, "write it as 63mm, 6.3cm or 2.5in")
    elif not low_mm <= length_mm <= high_mm:
        what = f"{key!r} of {reader.what} is {scalars.quoted(text)}, which is out of range"
        reader.report("out-of-range", key, what, f"write a length from {low_mm:g}mm to {high_mm:g}mm")
    else:
        return length_mm
    return None


def _entries(reader: Reader, around: Surroundings, problems: list[Problem]) -> Iterator[_Written]:
    """Yield the cards as written, families filled in, from the file itself or from the table it names."""
    node = reader.node("cards")
    if isinstance(node, Scalar) and not node.is_null:
        table = around.read_table(node.text, node.source)
        yield from _table_entries(table) if table else ()
        return
    for item in reader.items("cards", is_required=True):
        if not isinstance(item, Mapping):
            Reader.of(item, f"an entry of 'cards' of {reader.what}", problems)
        elif "for" in item.entries:
            for given in fill_family(item, around.data, problems):
                yield _Written(given, item.source, item.source)
        else:
            yield _Written(item.entries, item.source, None)


def _table_entries(table: Table) -> Iterator[_Written]:
    new = tuple.__new__
    names = [(name.text, name.source) for name in table.header]
    for row in table.rows:
        given = {
            name: Entry(new(Cell, (cell.text, True, cell.source)), name_source)
            for (name, name_source), cell in zip(names, row, strict=False)
            if cell.text
        }
        yield _Written(given, row[0].source, None)


class _Crowd:
    """The same mistake in several cards: at the first places, and at how many in all."""

    def __init__(self) -> None:
        self._first: list[Problem] = []
        self._last: Source | None = None
        self._count = 0

    def is_told_at(self, source: Source) -> bool:
        """Tell whether the place was the last one, or is one of those that are only counted; counts it then."""
        if source == self._last:
            return True
        self._last = source
        self._count += 1
        return self._count > MAX_LISTED

    def take(self, problem: Problem) -> None:
        """Take in the mistake at a place that is to be told."""
        self._first.append(problem)

    def told(self) -> list[Problem]:
        """Give the problems: one for each place, or one that says at how many."""
        if self._count <= MAX_LISTED:
            return self._first
        return [self._first[0]._replace(what=f"{self._first[0].what} (and {self._count - 1} more cards)")]


class _CardReader:
    """Makes cards of a deck's entries and gathers what is wrong with them."""

    def __init__(self, deck: str, typer: FieldTyper, problems: list[Problem]) -> None:
        self._deck = deck
        self._typer = typer
        self._problems = problems
        self._cards: list[Card] = []
        self._first: dict[str, Source] = {}
        self._known = frozenset(typer.fields) | {"id", "copies"}
        self._crowds: dict[tuple[str, str], _Crowd] = {}
        self._most_crowds = limit("problems")
        self._meant: dict[str, str | None] = {}
        self._most = limit("deck-cards")
        self._most_copies = limit("card-copies")
        self._spoilt: set[tuple[str, Source]] = set()  # what was reported of a family is not reported for its next card

    def read(self, entries: Iterator[_Written]) -> list[Card]:
        """Give the cards in order; those without a usable id are left out."""
        for entry in entries:
            if len(self._cards) >= self._most:
                what = f"deck {self._deck!r} has more than {written(self._most)} different cards"
                fix = f"split it into several decks; {how_to_raise('deck-cards')}"
                self._problems.append(Problem("too-many-cards", entry.source, what, fix))
                break
            found: list[Problem] = []
            card = self._card(entry, found)
            if card is not None:
                self._cards.append(card)
            if found:
                self._keep(found, entry.family)
        for crowd in self._crowds.values():
            self._problems.extend(crowd.told())
        return self._cards

    def _card(self, entry: _Written, found: list[Problem]) -> Card | None:
        given = entry.given
        id_node = given["id"].value if "id" in given else None
        shown = id_node.text if isinstance(id_node, Scalar) else ""
        label = f"card {shown!r}" if shown else "the card"
        fields = self._typer.fields
        (values, sources), missing = self._typer.type_values(
            [pair for pair in given.items() if pair[0] in fields], label, found
        )
        copies = 1
        if "copies" in given:
            node = given["copies"].value
            before = len(found)
            number = scalars.whole_of(node, f"'copies' of {label}", found, 0, self._most_copies)
            if len(found) > before and found[-1].code == "out-of-range":
                found[-1] = found[-1]._replace(fix=f"{found[-1].fix}; {how_to_raise('card-copies')}")
            copies = 1 if number is None else number
            sources["copies"] = node.source
        if id_node is None:
            missing.insert(0, "id")
        # Each key is a field, the id, the copies, or unknown: so much for a sum, all is well for most cards.
        if missing or len(given) > len(sources) + 1:
            self._gather_keys(given, missing, label, entry)
        if id_node is None:
            return None
        sources["id"] = id_node.source
        id_ = scalars.text_of(id_node, f"'id' of {label}", found)
        if id_ is None or not self._is_new(id_, id_node.source, found):
            return None
        return Card(id_, self._deck, values, copies, id_node.source if entry.family is None else entry.source, sources)

    def _is_new(self, id_: str, source: Source, found: list[Problem]) -> bool:
        if not ID.fullmatch(id_) and not check_id(id_, source, "the id", found):
            return False
        first = self._first.get(id_)
        if first is None:
            self._first[id_] = source
            return True
        what = f"the id {id_!r} is taken already, in line {first.line}"
        fix = "give every card of a deck an id of its own"
        if first == source:
            what, fix = f"several cards of this family get the id {id_!r}", "use every name of 'for' in the id"
        found.append(Problem("duplicate-id", source, what, fix))
        return False

    def _gather_keys(self, given: dict[str, Entry], missing: list[str], label: str, entry: _Written) -> None:
        """Keep unknown keys and missing fields apart by name; a missing one that an unknown one meant is left out."""
        for key in given:
            if key in self._known:
                continue
            if key not in self._meant:  # once for all cards: a table may have it wrong in every row
                free = [name for name in self._known if name not in given]
                self._meant[key] = nearest(key, missing) or nearest(key, free)
            near = self._meant[key]
            if near in missing:
                missing.remove(near)
            crowd = self._crowd("unknown", key)
            if crowd is None or crowd.is_told_at(given[key].source):
                continue
            fix = did_you_mean(near or key, self._known)
            if near is None:
                fix = f"declare it (add '{key}: text' under 'fields'), or {fix}"
            what = f"{label} has {scalars.quoted(key)}, which is no field of deck {self._deck!r}"
            crowd.take(Problem("unknown-key", given[key].source, what, fix))
        for key in missing:
            crowd = self._crowd("missing", key)
            if crowd is None or crowd.is_told_at(entry.source):
                continue
            what = f"{label} has no {key!r}"
            fix = f"add '{key}: ...'" + ("" if key == "id" else ", or make the field 'optional: yes'")
            crowd.take(Problem("missing-key", entry.source, what, fix))

    def _crowd(self, kind: str, key: str) -> _Crowd | None:
        """Give the crowd of a mistake; None where there are more kinds of them than will be told."""
        if (kind, key) not in self._crowds and len(self._crowds) > self._most_crowds:
            return None
        return self._crowds.setdefault((kind, key), _Crowd())

    def _keep(self, found: list[Problem], family: Source | None) -> None:
        for problem in found:
            if family is not None:
                if (problem.code, problem.source) in self._spoilt:
                    continue
                self._spoilt.add((problem.code, problem.source))
            self._problems.append(problem)
