"""One file of `decks/` or `boards/` -> a `Deck`: its size and looks, and the fields of its cards."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import Struct

from duckpress.content.game.cards import TableReader, read_cards
from duckpress.content.game.families import Data
from duckpress.content.game.fields import FieldTyper, read_fields
from duckpress.content.game.tuck_boxes import LAYOUT, box_deck, read_box
from duckpress.content.yaml import scalars
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Node, Scalar, Sequence
from duckpress.core.geometry import Size
from duckpress.core.problems import Problem, did_you_mean
from duckpress.core.sizes import DEFAULT_BLEED_MM, DEFAULT_OVERLAP_MM, DEFAULT_SAFE_MM, FORMATS, Format
from duckpress.core.units import parse_length
from duckpress.model import Deck

MIN_SIDE_MM, MAX_SIDE_MM = 5.0, 1_000.0
MAX_BLEED_MM = 10.0
_FLATS = math.sqrt(3) / 2  # of a hexagon: the distance of its flat sides by the width across its points
MIN_OVERLAP_MM, MAX_OVERLAP_MM = 2.0, 50.0


class Surroundings(Struct, frozen=True):
    """What a deck needs from its game: facts and lists for families, whether art exists, and its tables' text."""

    data: Data
    has_art: Callable[[str], bool]
    read_table: TableReader


def read_deck(id_: str, node: Node, around: Surroundings, problems: list[Problem]) -> Deck | None:
    """Give a deck from its file's content; None where no deck can be made of it (a problem says why).

    Problems: those of `Reader`, `fields` and `read_cards`; `unknown-size`, `no-cards`.
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
    cards, is_whole = read_cards(id_, reader, typer, around.data, around.read_table, problems)
    reader.finish()
    if size is None:
        return None
    written = reader.node("cards")
    if isinstance(written, Sequence) and not written.items:
        reader.report("no-cards", "cards", f"deck {id_!r} has no cards", "add at least one '- {id: ..., ...}'")
    return Deck(
        id_, title, fields, cards, size.name, front, back, is_per_player, is_component,
        reader.source, reader.sources(), None if size.name in FORMATS else size, overlap_mm, is_whole=is_whole,
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
