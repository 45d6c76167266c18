"""`card` in a layout -> the face of another card of the game, placed at any size and turn; and which card is meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from duckpress.art.values import rounded
from duckpress.core.frame import Drawing, Group, Item, PlacedDrawing, Text
from duckpress.core.geometry import Matrix, Rect, Size, hexagon, rotation
from duckpress.core.paths import Path, rectangle
from duckpress.core.problems import did_you_mean
from duckpress.core.sizes import Format
from duckpress.layout.dependencies import SHOWN
from duckpress.layout.elements.board_elements import path_around
from duckpress.layout.elements.images import aligned
from duckpress.layout.elements.layout_context import Attributes, Desk
from duckpress.layout.elements.shapes import painted, read_paint
from duckpress.model import Deck

EDGE = {"stroke": "ink", "stroke-width": "0.2", "stroke-opacity": "0.45"}
"""How the edge of a shown card is drawn where its attributes say nothing: cards are light as paper is."""

FRONT, BACK = "front", "back"
_NO_FONT = ""


class NotShown(NamedTuple):
    """Why there is no such card to show: a code, what is wrong and how to mend it."""

    code: str
    what: str
    fix: str


def shown_card(decks: Mapping[str, Deck], name: str, *, is_back: bool) -> tuple[Deck, str] | NotShown:
    """Return the deck and the card that `deck/card` names; the card may be left out where it makes no difference.

    `NotShown`: `unknown-deck`, `unknown-card`, `no-back`.
    """
    deck_id, _, card_id = name.partition("/")
    deck = decks.get(deck_id)
    if deck is None:
        fix = did_you_mean(deck_id, decks, else_say="the decks are")
        return NotShown("unknown-deck", f"there is no deck {deck_id[:40]!r} to show a card of", fix)
    ids = [card.id for card in deck.cards]
    if not card_id and (len(ids) == 1 or is_back) and ids:
        card_id = ids[0]
    if card_id not in ids:
        what = f"deck {deck_id!r} has no card {card_id[:40]!r}" if card_id else f"deck {deck_id!r} has {len(ids)} cards"
        fix = did_you_mean(card_id, ids) if card_id else f"name one: {deck_id}/{ids[0] if ids else 'card'}"
        return NotShown("unknown-card", what, fix)
    if is_back and deck.back is None:
        return NotShown("no-back", f"the cards of deck {deck_id!r} have no backs", "show the front")
    return deck, card_id


def card(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return the face of a card as large as fits its box, with its edge; problems as `shown_card`."""
    name = attributes.get("of", "").strip()
    side = desk.choice(attributes, "side", (FRONT, BACK), FRONT)
    is_back = side == BACK
    desk.uses.append((SHOWN, name, side))
    shown = shown_card(desk.decks, name, is_back=is_back)
    if isinstance(shown, NotShown):
        desk.say(*shown)
        return ()
    deck, card_id = shown
    trim, box = deck.size.trim, desk.box(attributes, cell)
    if "width" in attributes and "height" not in attributes:
        box = box._replace(height_mm=box.width_mm * trim.height_mm / trim.width_mm)
    elif "height" in attributes and "width" not in attributes:
        box = box._replace(width_mm=box.height_mm * trim.width_mm / trim.height_mm)
    scale = min(box.width_mm / trim.width_mm, box.height_mm / trim.height_mm)
    paint, opacity = read_paint(desk, {**EDGE, **attributes}), desk.opacity(attributes)
    turn = desk.number(attributes, "turn", 0.0, -360.0, 360.0)
    if scale <= 0 or opacity == 0:
        return ()
    at = aligned(desk, attributes, box, trim.width_mm * scale, trim.height_mm * scale)
    matrix = Matrix(scale, 0.0, 0.0, scale, at.x_mm, at.y_mm)
    face = PlacedDrawing(_kept_stand_in(desk, deck, card_id, is_back=is_back), rounded(matrix))
    items = (face, *painted(trim_path(deck.size, at), paint))
    if turn == 0 and opacity == 1:
        return items
    middle = at.x_mm + at.width_mm / 2, at.y_mm + at.height_mm / 2
    return (Group(items, rounded(rotation(turn, *middle)), opacity=opacity),)


def shown_as(desk: Desk, name: str, *, is_back: bool) -> str:
    """Return all that a face which shows a card knows of it; empty where there is no such card."""
    shown = shown_card(desk.decks, name, is_back=is_back)
    return "" if isinstance(shown, NotShown) else f"{_kept_stand_in(desk, *shown, is_back=is_back)} {shown[0].size}"


def _kept_stand_in(desk: Desk, deck: Deck, card_id: str, *, is_back: bool) -> str:
    """Return the key of a stand-in that is kept with the art."""
    drawing = stand_in(deck, card_id, is_back=is_back)
    desk.art.drawings[drawing.key] = drawing
    return drawing.key


def stand_in(deck: Deck, card_id: str, *, is_back: bool) -> Drawing:
    """Return an empty drawing of a card's size, which says whose face has to stand in its place."""
    name = "\n".join((deck.id, card_id, BACK if is_back else FRONT))
    return Drawing(Rect(0.0, 0.0, *deck.size.trim), (Text(0.0, 0.0, 0.0, _NO_FONT, "", "", name, 0.0),))


def stood_for(drawing: Drawing) -> tuple[str, str, bool] | None:
    """Return the deck, the card and whether its back is meant, where a drawing is one of `stand_in`."""
    only = drawing.items[0] if len(drawing.items) == 1 else None
    if not isinstance(only, Text) or only.font != _NO_FONT:
        return None
    deck_id, card_id, side = only.text.split("\n")
    return deck_id, card_id, side == BACK


def trim_path(format_: Format, at: Rect) -> Path:
    """Return the edge of a card of a format that is shown in a rectangle of its shape."""
    if format_.is_hex:
        return path_around([[(at.x_mm + x, at.y_mm + y) for x, y in hexagon(Size(at.width_mm, at.height_mm))]])
    shorter_mm = min(at.width_mm, at.height_mm)
    radius_mm = shorter_mm if format_.is_round else format_.corner_mm * at.width_mm / format_.trim.width_mm
    return rectangle(*at, min(radius_mm, shorter_mm / 2))
