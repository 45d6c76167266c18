"""A game's faces -> what Tabletop Simulator loads: sheets of up to 70 cards, backs, and a saved object with names.

Sources: the program's knowledge base (custom decks) and its API pages on saved objects. A sheet is a grid of at most
10 x 7 places of one size without gaps; the last place is free for a card because `BackIsHidden` is set. A card's
number is the sheet's key times 100 plus its place, counted row by row. A card alone is no deck but a `CardCustom`.
Cards lie face down at `rotZ` 180. Pictures are RGB, at most 4096 pixels a side unless more are asked for.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from duckpress.art.picture_files import png_bytes
from duckpress.core.frame import Frame
from duckpress.core.sizes import Format
from duckpress.core.units import MM_PER_INCH
from duckpress.layout import Face, LaidOut
from duckpress.model import Card, Deck, FieldKind
from duckpress.press.request import Step
from duckpress.releases.changes_report import plain_words
from duckpress.views.export_files import ExportRequest, Files
from duckpress.views.face_pictures import ShownGame, paint_frames, pixels_of

COLUMNS, ROWS = 10, 7
CAPACITY = COLUMNS * ROWS
PLACEHOLDER_URL = "https://example.com/"
_CARD_HEIGHT_MM = 88.9  # of a card at scale 1 on the table
_SPACING = 4.0  # between two decks on the table, in its own units: a card is 2.2 across
_IN_A_ROW = 6
_RECTANGLE, _ROUNDED, _HEXAGON, _CIRCLE = 1, 0, 3, 4


class _Sheet(NamedTuple):
    """Faces of a deck that fill one grid: the number of its columns and rows, and the size of a place in pixels."""

    key: int
    name: str
    faces: tuple[Face, ...]
    columns: int
    rows: int
    size: tuple[int, int]
    dpi: float


def table_files(
    shown: ShownGame, pieces: Sequence[LaidOut], request: ExportRequest, step: Step
) -> tuple[Files, dict[str, Any]]:
    """Return the sheets, backs and saved object of a game, and what the manifest says of them.

    Each deck of each piece is a deck on the table.
    """
    game = shown.checked.game
    assert game is not None
    files: Files = {}
    objects: list[dict[str, Any]] = []
    taken: set[str] = set()
    base = request.url or f"{PLACEHOLDER_URL}{game.id}/"
    base += "" if base.endswith("/") else "/"
    key = 1
    for one in pieces:
        for deck_id in one.piece.decks:
            faces = [face for face in one.faces if face.deck == deck_id and face.copies]
            if not faces:
                continue
            step(f"{one.piece.id}: {deck_id}")
            often = sum(deck_id in other.piece.decks for other in pieces) > 1
            name = _free_name(f"{one.piece.id}-{deck_id}" if often else deck_id, len(faces), taken)
            sheets = _sheets(name, faces, key, request)
            key += len(sheets)
            pictures = _Pictures(one, shown, sheets, files)
            custom = {str(sheet.key): pictures.custom_deck(sheet, base) for sheet in sheets}
            objects.append(_object(game.decks[deck_id], sheets, custom, len(objects)))
    saved = {"SaveName": f"{game.title} {game.version}", "ObjectStates": objects}
    files[f"{game.id}.json"] = (json.dumps(saved, ensure_ascii=False, indent=2) + "\n").encode()
    return files, {"url": base, "max_px": request.max_px}


def card_words(card: Card, deck: Deck, nameless: str = "") -> tuple[str, str]:
    """Return what a card is called, which is its first text (`nameless` or its id without one), and its other texts."""
    values = [card.values.get(field.name) for field in deck.fields.values() if field.kind is FieldKind.TEXT]
    texts = [plain_words(value) for value in values if isinstance(value, str) and plain_words(value)]
    first = texts[0] if texts else nameless or card.id.replace("-", " ").capitalize()
    return first, "\n".join(texts[1:])


def _free_name(name: str, count: int, taken: set[str]) -> str:
    """Return a name whose sheets bear no name that is taken, and take theirs; no id ends in the sign that is added.

    The second sheet of a deck `duck` is `duck-2`, and so is the only one of a deck of that id.
    """
    sheets = math.ceil(count / CAPACITY)
    while taken & (found := {name} if sheets == 1 else {name, *(f"{name}-{number + 1}" for number in range(sheets))}):
        name += "_"
    taken |= found
    return name


def _sheets(name: str, faces: Sequence[Face], first_key: int, request: ExportRequest) -> list[_Sheet]:
    sheets = []
    groups = [faces[start : start + CAPACITY] for start in range(0, len(faces), CAPACITY)]
    for number, group in enumerate(groups):
        columns = min(COLUMNS, math.ceil(math.sqrt(len(group))))
        rows = math.ceil(len(group) / columns)
        trim = group[0].front.trim
        most = min(
            request.max_px / (columns * trim.width_mm), request.max_px / (rows * trim.height_mm)
        ) * MM_PER_INCH  # fmt: skip
        dpi = min(request.dpi, most * (1 - 1e-9))
        size = pixels_of(group[0].front, dpi, has_bleed=False)
        if size[0] * columns > request.max_px or size[1] * rows > request.max_px:  # rounded up
            dpi *= min((size[0] - 1) / size[0], (size[1] - 1) / size[1])
            size = pixels_of(group[0].front, dpi, has_bleed=False)
        sheet_name = name if len(groups) == 1 else f"{name}-{number + 1}"
        sheets.append(_Sheet(first_key + number, sheet_name, tuple(group), columns, rows, size, dpi))
    return sheets


class _Pictures:
    """The pictures of one deck: its sheets of fronts, and one back for all or a sheet of backs."""

    def __init__(self, one: LaidOut, shown: ShownGame, sheets: Sequence[_Sheet], files: Files) -> None:
        self._one = one
        self._shown = shown
        self._files = files
        backs = {face.back.hash if face.back is not None else "" for sheet in sheets for face in sheet.faces}
        self._is_shared = len(backs) == 1
        self._back_name = f"{sheets[0].name.removesuffix('-1') if len(sheets) > 1 else sheets[0].name}-back.png"

    def custom_deck(self, sheet: _Sheet, base: str) -> dict[str, Any]:
        """Add the pictures of a sheet to the files and give its record in a saved object."""
        front = f"{sheet.name}-fronts.png"
        self._add_grid(front, sheet, [face.front for face in sheet.faces])
        back = self._back_name if self._is_shared else f"{sheet.name}-backs.png"
        if not self._is_shared:
            self._add_grid(back, sheet, [face.back for face in sheet.faces])
        elif back not in self._files:
            self._add_grid(back, sheet._replace(columns=1, rows=1), [sheet.faces[0].back])
        format_ = sheet.faces[0].format
        return {
            "FaceURL": base + front,
            "BackURL": base + back,
            "NumWidth": sheet.columns,
            "NumHeight": sheet.rows,
            "BackIsHidden": True,
            "UniqueBack": not self._is_shared,
            "Type": _type_of(format_),
        }

    def _add_grid(self, name: str, sheet: _Sheet, frames: Sequence[Frame | None]) -> None:
        from PIL import Image

        width, height = sheet.size
        grid = Image.new("RGB", (width * sheet.columns, height * sheet.rows), "white")
        shown = [frame for frame in frames if frame is not None]
        painted = paint_frames(self._one, shown, self._shown.fonts, sheet.dpi, has_bleed=False)
        for place, frame in enumerate(frames):
            if frame is not None:
                row, column = divmod(place, sheet.columns)
                picture = next(painted)
                picture = picture if picture.size == sheet.size else picture.resize(sheet.size)
                grid.paste(picture, (column * width, row * height))
        self._files[name] = png_bytes(grid, sheet.dpi)


def _type_of(format_: Format) -> int:
    """Return Tabletop Simulator's number for a shape of cards."""
    if format_.is_round or format_.is_hex:
        return _CIRCLE if format_.is_round else _HEXAGON
    return _ROUNDED if format_.corner_mm else _RECTANGLE


def _object(deck: Deck, sheets: Sequence[_Sheet], custom: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a deck as an object on the table; a deck of one card is that card, which no deck may be."""
    cards = {card.id: card for card in deck.cards}
    numbered = [
        (sheet.key * 100 + place, sheet.key, cards[face.card])
        for sheet in sheets
        for place, face in enumerate(sheet.faces)
        for _ in range(face.copies)
    ]
    scale = round(sheets[0].faces[0].front.trim.height_mm / _CARD_HEIGHT_MM, 3)
    place = {"posX": number % _IN_A_ROW * _SPACING, "posY": 1.0, "posZ": -(number // _IN_A_ROW) * _SPACING}
    transform = {**place, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0, "scaleX": scale, "scaleY": 1.0, "scaleZ": scale}
    held = [
        _card(index, number_, deck, card, transform, {str(key): custom[str(key)]})
        for index, (number_, key, card) in enumerate(numbered)
    ]
    if len(held) == 1:
        return {**held[0], "Name": "CardCustom"}
    return {
        "GUID": _guid(sheets[0].name),
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": deck.title,
        "Description": "",
        "DeckIDs": [number_ for number_, _, _ in numbered],
        "CustomDeck": dict(custom),
        "ContainedObjects": held,
    }


def _guid(*words: object) -> str:
    """Return the six digits by which an object is known, the same for the same game."""
    return hashlib.sha256("/".join(map(str, words)).encode()).hexdigest()[:6]


def _card(
    index: int, number: int, deck: Deck, card: Card, transform: Mapping[str, float], custom: Mapping[str, Any]
) -> dict[str, Any]:
    nickname, description = card_words(card, deck)
    is_sideways = deck.size.trim.width_mm > deck.size.trim.height_mm
    return {
        "GUID": _guid(number, index),
        "Name": "Card",
        "Transform": dict(transform),
        "Nickname": nickname,
        "Description": description,
        "CardID": number,
        "SidewaysCard": is_sideways,
        "CustomDeck": dict(custom),
    }
