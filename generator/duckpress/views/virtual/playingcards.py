"""Decks and stacks -> a `.pcio` file for playingcards.io and VirtualTabletop: a zip of widgets and pictures.

Source: VirtualTabletop's importer (`server/pcioimport.mjs`) and files that playingcards.io wrote. `widgets.json` is a
list: piles, decks (what cards there are, with their pictures), cards (each in a pile), boards, the place for hands. A
picture of 2 MiB or more is left out by importers; a room holds about 1,200 widgets. The label of a pile stands on 40
pixels above it, the button to gather and shuffle below it. Dice are spinners, which show a word of a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from PIL.Image import Image

from duckpress.art.picture_files import png_bytes
from duckpress.core.geometry import MM_PER_INCH, Size
from duckpress.model import Game
from duckpress.model.setup import PlaceKind
from duckpress.store.stored_zip import zip_bytes
from duckpress.text.fonts import FontLibrary
from duckpress.views.export_files import MadeFiles
from duckpress.views.pictures import cut_out, face_file, made_of_pictures
from duckpress.views.virtual.table_decks import TableDeck, TableThing
from duckpress.views.virtual.table_stacks import TableCard, TableJob, TableStack, in_rows

MOST_WIDGETS = 1200
_MOST_DPI = 150.0
_MOST_BYTES = 2 * 1024 * 1024 - 1
_ROOM = Size(1600.0, 1000.0)  # pixels of the table
_HAND_TOP = 820
_PX_PER_MM = 103 / 63.5  # a card is 103 pixels across
_GAP, _LABEL, _BUTTON, _RIM = 24, 40, 36, 4  # between piles, above and below one, around its cards
_LETTER = 6  # pixels of a label at least, so that two of them do not meet
_SPINNER = 40  # pixels that the words of a die want
_SCALES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2)


class Shelf(NamedTuple):
    """A stack with its number, its place in pixels from the top left of the room, and its scale."""

    number: int
    stack: TableStack
    x: int
    y: int
    scale: float


def playingcards_files(job: TableJob) -> MadeFiles:
    """Return the room of a game as one file."""
    job.step("pictures")
    assets = _pictures(job.decks, min(job.grid.dpi, _MOST_DPI), job.fonts)
    shelves = _shelves([stack for stack in job.stacks if not stack.is_away])
    hand = {"id": "hand", "type": "hand", "x": 50, "y": _HAND_TOP, "z": 1, "dragging": None}
    widgets = [hand, *_decks(job.game, job.decks, shelves), *(one for shelf in shelves for one in _widgets(shelf))]
    said = []
    if len(widgets) > MOST_WIDGETS:
        words = "so name the pieces that you play with (--piece)"
        said.append(f"{len(widgets)} widgets, and a room holds about {MOST_WIDGETS}: {words}")
    text = json.dumps(widgets, ensure_ascii=False, separators=(",", ":")).encode()
    return MadeFiles({f"{job.game.id}.pcio": zip_bytes({"widgets.json": text, **assets})}, {}, said)


def _asset(deck: TableDeck, card: str, side: str) -> str:
    name = f"{deck.name}-back" if side == "back" and deck.has_one_back else f"{deck.name}--{card}-{side}"
    return f"userassets/{name}.png"


def _pictures(decks: Sequence[TableDeck], dpi: float, fonts: FontLibrary) -> dict[str, bytes]:
    """Return the pictures of the decks' faces, each within the size limit."""
    sides = {
        _asset(deck, face.card, side): (deck, frame)
        for deck in decks
        for side in (("front",) if deck.thing is TableThing.BOARD else ("front", "back"))
        for face in deck.faces
        if (frame := face.front if side == "front" else face.back) is not None
    }

    def make(part: Iterable[str], pictures: Iterable[Image]) -> list[bytes]:
        return [
            _small_enough(cut_out(picture, deck.faces[0].format), frame.trim)
            for (deck, frame), picture in zip((sides[name] for name in part), pictures, strict=True)
        ]

    files = {name: face_file(deck.laid_out, frame, dpi) for name, (deck, frame) in sides.items()}
    return made_of_pictures(files, fonts, make)


def _small_enough(picture: Image, trim: Size) -> bytes:
    """Return a picture as PNG, halved until importers accept it."""
    while len(data := png_bytes(picture, picture.width / trim.width_mm * MM_PER_INCH)) > _MOST_BYTES:
        picture = picture.resize((max(1, picture.width // 2), max(1, picture.height // 2)))
    return data


def _size(card: TableCard, scale: float) -> tuple[int, int]:
    return round(card.size.width_mm * _PX_PER_MM * scale), round(card.size.height_mm * _PX_PER_MM * scale)


def _room_of(stack: TableStack, scale: float) -> Size:
    """Return the width and height of a stack in pixels, with its label and button, and the rims of its cards."""
    is_row = _is_row(stack)
    width_mm, height_mm = stack.room if is_row else stack._replace(kind=PlaceKind.PILE).room
    rims = _RIM * (len(stack.cards) if is_row else 1)
    height = height_mm * _PX_PER_MM * scale + 2 * _RIM + _LABEL
    height += _BUTTON if stack.kind is PlaceKind.PILE else 0
    return Size(max(width_mm * _PX_PER_MM * scale + _RIM + rims, 0 if is_row else _LETTER * len(stack.title)), height)


def _is_row(stack: TableStack) -> bool:
    """Return whether the cards lie side by side; a hand is a pile, as the room has its own place for hands."""
    return stack.is_spread and stack.kind is not PlaceKind.HAND


def _shelves(stacks: Sequence[TableStack]) -> list[Shelf]:
    """Return stacks in rows above the hand, as large as all fit; at the smallest size they may overflow.

    What is a player's stays together, so far as it fits across.
    """
    ordered = sorted(stacks, key=lambda stack: stack.seat)
    across = _ROOM.width_mm - 2 * _GAP
    for scale in _SCALES:
        groups = [[_room_of(stack, scale) for stack in group] for _, group in groupby(ordered, lambda one: one.seat)]
        blocks = [in_rows(group, across, _GAP) for group in groups]
        widths = [max(x + size.width_mm for (x, _), size in zip(one[0], group, strict=True))
                  for one, group in zip(blocks, groups, strict=True)]  # fmt: skip
        corners, height = in_rows([Size(wide, one[1]) for wide, one in zip(widths, blocks, strict=True)], across, _GAP)
        if height <= _HAND_TOP:
            break
    places = [(left + x, top + y) for (left, top), one in zip(corners, blocks, strict=True) for x, y in one[0]]
    return [
        Shelf(number, stack, round(_GAP + x), round(_LABEL + y), scale)
        for number, (stack, (x, y)) in enumerate(zip(ordered, places, strict=True))
    ]


def _decks(game: Game, decks: Sequence[TableDeck], shelves: Sequence[Shelf]) -> Iterator[dict[str, Any]]:
    """Yield the decks of cards; a deck belongs to the pile with most of its cards, and returns there."""
    scale = shelves[0].scale if shelves else 1.0
    for deck in decks:
        if deck.thing is TableThing.BOARD:
            continue
        counts = [sum(card.deck.name == deck.name for card in shelf.stack.cards) for shelf in shelves]
        home = max(range(len(shelves)), key=counts.__getitem__) if any(counts) else 0
        width, height = _size(TableCard(deck, deck.faces[0]), scale)
        words = deck.words(game)
        parent = {"parent": f"pile-{home}"} if shelves and shelves[home].stack.kind is not PlaceKind.ROW else {}
        yield {
            "id": f"deck-{deck.name}",
            "type": "cardDeck",
            **parent,
            "x": shelves[home].x + _RIM if shelves else 0,
            "y": shelves[home].y + _RIM if shelves else 0,
            "z": 3,
            "cardWidth": width,
            "cardHeight": height,
            "enlarge": True,
            "faceTemplate": _template("face", width, height),
            "backTemplate": _template("back", width, height),
            "cardTypes": {
                face.card: {
                    "label": words[face.card][0],
                    "face": f"package://{_asset(deck, face.card, 'front')}",
                    "back": f"package://{_asset(deck, face.card, 'back' if face.back is not None else 'front')}",
                }
                for face in deck.faces
            },
        }


def _template(value: str, width: int, height: int) -> dict[str, Any]:
    picture = {"type": "image", "valueType": "dynamic", "value": value, "color": "white"}
    return {
        "includeBorder": False,
        "includeRadius": True,
        "objects": [{**picture, "x": 0, "y": 0, "w": width, "h": height}],
    }


def _widgets(shelf: Shelf) -> Iterator[dict[str, Any]]:
    """Yield a stack: its pile with the cards in it, the top one last; a row and boards card by card."""
    stack, pile = shelf.stack, f"pile-{shelf.number}"
    x, y = shelf.x + _RIM, shelf.y + _RIM
    is_row, is_face_up = _is_row(stack), stack.is_face_up
    if not is_row and any(card.deck.thing is not TableThing.BOARD for card in stack.cards):
        width, height = (side + 2 * _RIM for side in _size(stack.cards[0], shelf.scale))
        yield {"id": pile, "type": "cardPile", "x": shelf.x, "y": shelf.y, "z": 2, "width": width, "height": height,
               "label": stack.title, "hasShuffleButton": stack.kind is PlaceKind.PILE, "dragging": None}  # fmt: skip
    for number, card in enumerate(reversed(stack.cards)):
        width, height = _size(card, shelf.scale)
        place = {"id": f"{pile}-{number}", "x": x, "y": y, "z": 10 + number}
        for across, die in enumerate(card.deck.dice.get(card.face.card, ())):
            side = max(_SPINNER, round(die.edge_mm * _PX_PER_MM * shelf.scale))
            one = {"id": f"{pile}-{number}-{across}", "x": x + across * side, "width": side, "height": side}
            yield {**place, **one, "type": "spinner", "options": list(die.sides), "value": die.sides[0]}
        if card.deck.thing is TableThing.BOARD:
            image = f"package://{_asset(card.deck, card.face.card, 'front')}"
            board = {"type": "board", "z": 1, "boardImage": image, "width": width, "height": height, "dragging": None}
            yield {**place, **board}
        elif card.deck.thing is not TableThing.DIE:
            parent = {} if is_row else {"parent": pile}
            kinds = {"type": "card", "deck": f"deck-{card.deck.name}", "cardType": card.face.card}
            yield {**place, **kinds, **parent, "faceup": is_face_up}
        x += width + _RIM if is_row else 0
