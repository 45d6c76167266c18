"""The elements with pictures: `image`, `icon`, `pips`, `qr`, and `card`, which shows another card of the game."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from duckpress.art.picture_files import PictureData
from duckpress.art.qr_code import ERRORS, LEAST_MODULE_MM, QUIET, TooLong, code_path, modules_of
from duckpress.art.svg.file import VectorArt
from duckpress.art.svg.paint import Lines
from duckpress.art.values import rounded
from duckpress.core.frame import Drawing, Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import MM_PER_INCH, Matrix, Rect, Size, hexagon, rotation
from duckpress.core.paths import NO_PATH, Path, rectangle
from duckpress.core.problems import Level, did_you_mean
from duckpress.core.sizes import Format
from duckpress.files.workspace import Refused
from duckpress.layout.elements.board_elements import path_around
from duckpress.layout.elements.layout_context import Attributes, LayoutContext, first_words
from duckpress.layout.elements.shapes import painted, read_paint
from duckpress.layout.laid_out import SHOWN
from duckpress.layout.legibility import LOWEST_DPI, light_of
from duckpress.model import Deck
from duckpress.text import IconGlyph

LEAST_CONTRAST = 0.55  # of all light, between paper and ink; source: ISO/IEC 15415, symbol contrast of grade B
_SLIP_MM = 1e-6
FINE_DPI = 300.0
OUTLINE_MM = 0.2
_FITS = ("contain", "cover", "stretch")
_WORDS = ("top", "bottom", "left", "right", "center", "middle")

MAX_PIPS = 10

_LEFT, _MIDDLE, _RIGHT = 0.0, 0.5, 1.0
# Pips as on playing cards: heights from the top (0) to the bottom (1). Those below the middle stand on their heads.
_PAIRS: dict[int, tuple[float, ...]] = {
    1: (), 2: (), 3: (), 4: (0, 1), 5: (0, 1), 6: (0, 1 / 2, 1), 7: (0, 1 / 2, 1), 8: (0, 1 / 2, 1),
    9: (0, 1 / 3, 2 / 3, 1), 10: (0, 1 / 3, 2 / 3, 1),
}  # fmt: skip
_SINGLES: dict[int, tuple[float, ...]] = {
    1: (1 / 2,), 2: (0, 1), 3: (0, 1 / 2, 1), 4: (), 5: (1 / 2,), 6: (), 7: (1 / 4,), 8: (1 / 4, 3 / 4),
    9: (1 / 2,), 10: (1 / 6, 5 / 6),
}  # fmt: skip


def image(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a picture file fitted into its box.

    Problems: `missing-href`, `missing-file` and the workspace's other refusals, `unknown-class`, `low-resolution`.
    """
    href = attributes.get("href", "").strip()
    box = context.box(attributes, cell)
    if not href:
        context.say("missing-href", "the image has no href", "write href='art/picture.svg'")
        return ()
    art = context.art.find(href)
    if isinstance(art, Refused):
        fix = context.art.missing_fix(href) if art.code == "missing-file" else art.fix
        context.say(art.code, f"href={first_words(href, 80)!r}: {art.what}", fix)
        return ()
    if art is None or box.width_mm <= 0 or box.height_mm <= 0:
        return ()
    fit = context.choice(attributes, "fit", _FITS, "contain")
    if isinstance(art, PictureData):
        shown = _fitted(context, attributes, art.width_px, art.height_px, box, fit)
        dpi = min(art.width_px / shown.width_mm, art.height_px / shown.height_mm) * MM_PER_INCH
        if dpi < LOWEST_DPI:
            what = f"{href!r} is printed at {dpi:.0f} dpi; below {LOWEST_DPI:.0f} it looks coarse"
            needed = " x ".join(str(math.ceil(side_mm / MM_PER_INCH * FINE_DPI)) for side_mm in (shown[2], shown[3]))
            fix = f"use a larger picture ({needed} pixels are {FINE_DPI:.0f} dpi), or print it smaller"
            context.say("low-resolution", what, fix, Level.WARNING)
        items: tuple[Item, ...] = (Picture(art.key, *(round(value, 4) for value in shown)),)
    else:
        shown = _fitted(context, attributes, art.box.width_mm, art.box.height_mm, box, fit)
        lines = _outline(context, attributes, art, shown)
        repaint, size = _repaint(context, attributes, art), Size(shown.width_mm, shown.height_mm)
        drawing = context.art.drawing(art, repaint, lines, size)
        items = (_placed(drawing.key, drawing.box, shown),)
    rx_mm = context.size(attributes, "rx", 0.0)
    opacity = context.opacity(attributes)
    clip = rectangle(*box, rx_mm) if rx_mm or not box.holds(shown, 1e-4) else NO_PATH
    return (Group(items, clip=clip, opacity=opacity),) if clip or opacity < 1 else items


def icon(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return an icon, as large as fits its box or `size` high; problem `unknown-icon`."""
    glyph = _glyph(context, attributes, "name")
    if glyph is None:
        return ()
    box = context.box(attributes, cell)
    aspect = glyph.box.width_mm / glyph.box.height_mm
    if "size" in attributes:
        size_mm = context.size(attributes, "size", 0.0)
        if not {"width", "height", "align"} & attributes.keys() and {"x", "y"} & attributes.keys():
            box = Rect(box.x_mm, box.y_mm, size_mm * aspect, size_mm)
    else:
        size_mm = min(box.height_mm, box.width_mm / aspect)
    if size_mm <= 0:
        return ()
    return (_placed(glyph.key, glyph.box, aligned(context, attributes, box, size_mm * aspect, size_mm)),)


def pips(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return 1 to 10 icons arranged as on playing cards; problems `bad-number`, `unknown-icon`."""
    count = context.whole(attributes, "count", 0, MAX_PIPS)
    glyph = _glyph(context, attributes, "icon")
    if not count or glyph is None:
        return ()
    box = context.box(attributes, cell)
    size_mm = context.size(attributes, "size", box.height_mm / 6)
    if count == 1:
        size_mm = context.size(attributes, "ace-size", size_mm)
    width_mm = size_mm * glyph.box.width_mm / glyph.box.height_mm
    items: list[Item] = []
    for across, down in pip_places(count):
        x_mm = box.x_mm + (box.width_mm - width_mm) * across
        y_mm = box.y_mm + (box.height_mm - size_mm) * down
        upright = _placed(glyph.key, glyph.box, Rect(x_mm, y_mm, width_mm, size_mm))
        if down > 0.5:
            half_turn = rotation(180, x_mm + width_mm / 2, y_mm + size_mm / 2)
            upright = PlacedDrawing(glyph.key, rounded(half_turn.after(upright.matrix)))
        items.append(upright)
    return tuple(items)


def pip_places(count: int) -> list[tuple[float, float]]:
    """Return the places of 1 to 10 pips as parts of the width (0 left, 1 right) and the height (0 top, 1 bottom)."""
    pairs = [(across, down) for down in _PAIRS[count] for across in (_LEFT, _RIGHT)]
    return sorted([*pairs, *((_MIDDLE, down) for down in _SINGLES[count])], key=lambda place: (place[1], place[0]))


def _glyph(context: LayoutContext, attributes: Attributes, name: str) -> IconGlyph | None:
    wanted = attributes.get(name, "").strip()
    colour = context.colour(attributes.get("fill", "ink"))
    glyph = context.art.icon(wanted, colour or "#000000") if wanted else None
    if glyph is None:
        say_unknown_icon(context, wanted)
        return None
    return glyph if colour is not None else None


def say_unknown_icon(context: LayoutContext, name: str) -> None:
    """Report an icon that is neither a file nor an alias in the theme."""
    fix = did_you_mean(name, context.art.icon_names(), else_say="icons are")
    context.say("unknown-icon", f"there is no icon {first_words(name)!r}", fix or f"add art/icons/{name}.svg")


def _repaint(context: LayoutContext, attributes: Attributes, art: VectorArt) -> tuple[tuple[str, str], ...]:
    text = attributes.get("paint")
    if text is None:
        return ()
    wanted = {}
    for part in filter(str.strip, text.split(";")):
        name, _, colour = (word.strip() for word in part.partition(":"))
        if not name or not colour:
            context.say("bad-paint", f"paint={first_words(text)!r} is not 'class: colour; class: colour'", "correct it")
            return ()
        wanted[name] = colour
    repaint = []
    for name, written in wanted.items():
        class_ = name.removesuffix(".stroke").removesuffix(".fill")
        if class_ not in art.classes:
            what = f"{art.path!r} has no element with class={class_!r}"
            context.say("unknown-class", what, did_you_mean(class_, art.classes) or "give an element of it that class")
            continue
        repaint.append((name, context.colour(written) or "none"))
    return tuple(sorted(repaint))


def _outline(context: LayoutContext, attributes: Attributes, art: VectorArt, shown: Rect) -> Lines | None:
    """Return the lines that replace a drawing's areas, with their width in the drawing's own units, or None."""
    colour = context.colour(attributes.get("outline", "none"))
    if colour is None:
        return None
    width_mm = context.size(attributes, "outline-width", OUTLINE_MM)
    scale = (shown.width_mm / art.box.width_mm * shown.height_mm / art.box.height_mm) ** 0.5
    return Lines(colour, round(width_mm / scale, 4)) if scale > 0 else None


def _fitted(context: LayoutContext, attributes: Attributes, width: float, height: float, box: Rect, fit: str) -> Rect:
    """Return the rectangle of a picture of a natural size; with `cover` it extends beyond its box."""
    if fit == "stretch":
        return box
    scales = box.width_mm / width, box.height_mm / height
    scale = max(scales) if fit == "cover" else min(scales)
    return aligned(context, attributes, box, width * scale, height * scale)


def aligned(context: LayoutContext, attributes: Attributes, box: Rect, width_mm: float, height_mm: float) -> Rect:
    """Return the rectangle of a size aligned in a box; problem `bad-choice`."""
    words = attributes.get("align", "center").split()
    unknown = [word for word in words if word not in _WORDS]
    if unknown:
        what = f"align={attributes['align'][:40]!r} is not understood"
        context.say("bad-choice", what, did_you_mean(unknown[0], _WORDS))
    across = 0.0 if "left" in words else 1.0 if "right" in words else 0.5
    down = 0.0 if "top" in words else 1.0 if "bottom" in words else 0.5
    x_mm, y_mm = box.x_mm + (box.width_mm - width_mm) * across, box.y_mm + (box.height_mm - height_mm) * down
    return Rect(x_mm, y_mm, width_mm, height_mm)


def _placed(key: str, natural: Rect, shown: Rect) -> PlacedDrawing:
    sx, sy = shown.width_mm / natural.width_mm, shown.height_mm / natural.height_mm
    e, f = shown.x_mm - natural.x_mm * sx, shown.y_mm - natural.y_mm * sy
    return PlacedDrawing(key, rounded(Matrix(sx, 0.0, 0.0, sy, e, f)))


def qr(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a code as large as fits its box, its quiet zone included.

    Problems: `bad-qr` for a text that is missing or too long, `qr-too-small`, `qr-faint`.
    """
    text = attributes.get("text", "").strip()
    error = context.choice(attributes, "error", ERRORS, "m")
    quiet = (context.whole(attributes, "quiet", 0, 20) or 0) if "quiet" in attributes else QUIET
    dark, light = context.colour(attributes.get("fill", "ink")), context.colour(attributes.get("ground", "#ffffff"))
    if not text:
        context.say("bad-qr", "the code has no text", "write text='...', such as text='{{ report }}'")
        return ()
    try:
        modules = modules_of(text, error)
    except TooLong:
        what = f"the text {first_words(text)!r} is too long for a code"
        context.say("bad-qr", what, "shorten it, or allow error='l'")
        return ()
    box = context.box(attributes, cell)
    side_mm = min(box.width_mm, box.height_mm)
    if "size" in attributes:
        side_mm = context.size(attributes, "size", side_mm)
        if not {"width", "height"} & attributes.keys():
            box = Rect(box.x_mm, box.y_mm, side_mm, side_mm)
    if dark is None or side_mm <= 0:
        return ()
    count = len(modules) + 2 * quiet
    module_mm = side_mm / count
    if module_mm + _SLIP_MM < LEAST_MODULE_MM:
        what = (
            f"the code of {first_words(text)!r} has {count} modules across and is {side_mm:.4g} mm wide: "
            f"{module_mm:.2f} mm for each, and below {LEAST_MODULE_MM:g} mm phones fail to read it"
        )
        fix = f"make it {count * LEAST_MODULE_MM:.1f} mm wide, shorten its text, or write it in capitals"
        context.say("qr-too-small", what, fix, Level.WARNING)
    if light_of(light or "#ffffff") - light_of(dark) < LEAST_CONTRAST:
        what = f"a code of {dark} on {light or 'the ground'} cannot be read: it has to be dark on light"
        context.say("qr-faint", what, "take a darker 'fill' or a lighter 'ground'", Level.WARNING)
    x_mm, y_mm = box.x_mm + (box.width_mm - side_mm) / 2, box.y_mm + (box.height_mm - side_mm) / 2
    code = Outline(code_path(modules, x_mm + quiet * module_mm, y_mm + quiet * module_mm, module_mm), Paint(dark))
    if light is None:
        return (code,)
    return Outline(rectangle(x_mm, y_mm, side_mm, side_mm), Paint(light)), code


EDGE = {"stroke": "ink", "stroke-width": "0.2", "stroke-opacity": "0.45"}
"""How the edge of a shown card is drawn where its attributes say nothing: cards are light as paper is."""

FRONT, BACK = "front", "back"
_NO_FONT = ""


class NotShown(NamedTuple):
    """The problem of a missing card: a code, what is wrong and how to mend it."""

    code: str
    what: str
    fix: str


def shown_card(decks: Mapping[str, Deck], name: str, *, is_back: bool) -> tuple[Deck, str] | NotShown:
    """Return the deck and the card in `deck/card`; the card may be left out where it does not matter.

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


def card(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return the face of a card as large as fits its box, with its edge; problems as `shown_card`."""
    name = attributes.get("of", "").strip()
    side = context.choice(attributes, "side", (FRONT, BACK), FRONT)
    is_back = side == BACK
    context.uses.append((SHOWN, name, side))
    shown = shown_card(context.decks, name, is_back=is_back)
    if isinstance(shown, NotShown):
        context.say(*shown)
        return ()
    deck, card_id = shown
    trim, box = deck.size.trim, context.box(attributes, cell)
    if "width" in attributes and "height" not in attributes:
        box = box._replace(height_mm=box.width_mm * trim.height_mm / trim.width_mm)
    elif "height" in attributes and "width" not in attributes:
        box = box._replace(width_mm=box.height_mm * trim.width_mm / trim.height_mm)
    scale = min(box.width_mm / trim.width_mm, box.height_mm / trim.height_mm)
    paint, opacity = read_paint(context, {**EDGE, **attributes}), context.opacity(attributes)
    turn = context.number(attributes, "turn", 0.0, -360.0, 360.0)
    if scale <= 0 or opacity == 0:
        return ()
    at = aligned(context, attributes, box, trim.width_mm * scale, trim.height_mm * scale)
    drawing = stand_in(deck, card_id, is_back=is_back)
    context.art.drawings[drawing.key] = drawing
    face = PlacedDrawing(drawing.key, rounded(Matrix(scale, 0.0, 0.0, scale, at.x_mm, at.y_mm)))
    items = (face, *painted(trim_path(deck.size, at), paint))
    if turn == 0 and opacity == 1:
        return items
    middle = at.x_mm + at.width_mm / 2, at.y_mm + at.height_mm / 2
    return (Group(items, rounded(rotation(turn, *middle)), opacity=opacity),)


def shown_as(context: LayoutContext, name: str, *, is_back: bool) -> str:
    """Return a key of the card shown on a face, for what that face depends on; empty if there is no such card."""
    shown = shown_card(context.decks, name, is_back=is_back)
    if isinstance(shown, NotShown):
        return ""
    drawing = stand_in(*shown, is_back=is_back)
    context.art.drawings[drawing.key] = drawing
    return f"{drawing.key} {shown[0].size}"


def stand_in(deck: Deck, card_id: str, *, is_back: bool) -> Drawing:
    """Return a placeholder for a card's face: an empty drawing of its size, with the card's name."""
    name = "\n".join((deck.id, card_id, BACK if is_back else FRONT))
    return Drawing(Rect(0.0, 0.0, *deck.size.trim), (Text(0.0, 0.0, 0.0, _NO_FONT, "", "", name, 0.0),))


def stood_for(drawing: Drawing) -> tuple[str, str, bool] | None:
    """Return the deck, the card and whether it is the back, if a drawing is a placeholder from `stand_in`."""
    only = drawing.items[0] if len(drawing.items) == 1 else None
    if not isinstance(only, Text) or only.font != _NO_FONT:
        return None
    deck_id, card_id, side = only.text.split("\n")
    return deck_id, card_id, side == BACK


def trim_path(format_: Format, at: Rect) -> Path:
    """Return the edge of a card of a format, in a rectangle of its shape."""
    if format_.is_hex:
        return path_around([[(at.x_mm + x, at.y_mm + y) for x, y in hexagon(Size(at.width_mm, at.height_mm))]])
    shorter_mm = min(at.width_mm, at.height_mm)
    radius_mm = shorter_mm if format_.is_round else format_.corner_mm * at.width_mm / format_.trim.width_mm
    return rectangle(*at, min(radius_mm, shorter_mm / 2))
