"""`image`, `icon`, `pips` and `qr` in a layout -> placed drawings and pictures, and QR codes drawn in outlines."""

from __future__ import annotations

import math

from duckpress.art.picture_files import PictureData
from duckpress.art.qr_code import ERRORS, LEAST_MODULE_MM, QUIET, TooLong, code_path, modules_of
from duckpress.art.svg.file import VectorArt
from duckpress.art.svg.paint import Lines
from duckpress.art.values import rounded
from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size, rotation
from duckpress.core.paths import NO_PATH, rectangle
from duckpress.core.problems import Level, did_you_mean
from duckpress.core.units import MM_PER_INCH
from duckpress.files.workspace import Refused
from duckpress.layout.elements.layout_context import Attributes, Desk, first_words
from duckpress.text import IconGlyph

LEAST_CONTRAST = 0.55  # of all light, between paper and ink; source: ISO/IEC 15415, symbol contrast of grade B
_SLIP_MM = 1e-6
LOWEST_DPI, FINE_DPI = 150.0, 300.0
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


def image(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a picture file fitted into its box.

    Problems: `missing-href`, `missing-file` and the workspace's other refusals, `unknown-class`, `low-resolution`.
    """
    href = attributes.get("href", "").strip()
    box = desk.box(attributes, cell)
    if not href:
        desk.say("missing-href", "the image has no href", "write href='art/picture.svg'")
        return ()
    art = desk.art.find(href)
    if isinstance(art, Refused):
        fix = desk.art.missing_fix(href) if art.code == "missing-file" else art.fix
        desk.say(art.code, f"href={first_words(href, 80)!r}: {art.what}", fix)
        return ()
    if art is None or box.width_mm <= 0 or box.height_mm <= 0:
        return ()
    fit = desk.choice(attributes, "fit", _FITS, "contain")
    if isinstance(art, PictureData):
        shown = _fitted(desk, attributes, art.width_px, art.height_px, box, fit)
        _check_resolution(desk, href, art, shown)
        items: tuple[Item, ...] = (Picture(art.key, *(round(value, 4) for value in shown)),)
    else:
        shown = _fitted(desk, attributes, art.box.width_mm, art.box.height_mm, box, fit)
        lines = _outline(desk, attributes, art, shown)
        drawing = desk.art.drawing(art, _repaint(desk, attributes, art), lines, Size(shown.width_mm, shown.height_mm))
        items = (_placed(drawing.key, drawing.box, shown),)
    rx_mm = desk.size(attributes, "rx", 0.0)
    opacity = desk.opacity(attributes)
    clip = rectangle(*box, rx_mm) if rx_mm or not box.holds(shown, 1e-4) else NO_PATH
    return (Group(items, clip=clip, opacity=opacity),) if clip or opacity < 1 else items


def icon(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return an icon, as large as fits its box or `size` high; problem `unknown-icon`."""
    glyph = _glyph(desk, attributes, "name")
    if glyph is None:
        return ()
    box = desk.box(attributes, cell)
    aspect = glyph.box.width_mm / glyph.box.height_mm
    if "size" in attributes:
        size_mm = desk.size(attributes, "size", 0.0)
        if not {"width", "height", "align"} & attributes.keys() and {"x", "y"} & attributes.keys():
            box = Rect(box.x_mm, box.y_mm, size_mm * aspect, size_mm)
    else:
        size_mm = min(box.height_mm, box.width_mm / aspect)
    if size_mm <= 0:
        return ()
    return (_placed(glyph.key, glyph.box, aligned(desk, attributes, box, size_mm * aspect, size_mm)),)


def pips(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return 1 to 10 icons as they stand on playing cards; problems `bad-number`, `unknown-icon`."""
    count = desk.whole(attributes, "count", 0, MAX_PIPS)
    glyph = _glyph(desk, attributes, "icon")
    if not count or glyph is None:
        return ()
    box = desk.box(attributes, cell)
    size_mm = desk.size(attributes, "size", box.height_mm / 6)
    if count == 1:
        size_mm = desk.size(attributes, "ace-size", size_mm)
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


def _glyph(desk: Desk, attributes: Attributes, name: str) -> IconGlyph | None:
    wanted = attributes.get(name, "").strip()
    colour = desk.colour(attributes.get("fill", "ink"))
    glyph = desk.art.icon(wanted, colour or "#000000") if wanted else None
    if glyph is None:
        say_unknown_icon(desk, wanted)
        return None
    return glyph if colour is not None else None


def say_unknown_icon(desk: Desk, name: str) -> None:
    """Report an icon that no file and no alias of the theme gives."""
    fix = did_you_mean(name, desk.art.icon_names(), else_say="icons are")
    desk.say("unknown-icon", f"there is no icon {first_words(name)!r}", fix or f"add art/icons/{name}.svg")


def _repaint(desk: Desk, attributes: Attributes, art: VectorArt) -> tuple[tuple[str, str], ...]:
    text = attributes.get("paint")
    if text is None:
        return ()
    wanted = {}
    for part in filter(str.strip, text.split(";")):
        name, _, colour = (word.strip() for word in part.partition(":"))
        if not name or not colour:
            desk.say("bad-paint", f"paint={first_words(text)!r} is not 'class: colour; class: colour'", "correct it")
            return ()
        wanted[name] = colour
    repaint = []
    for name, written in wanted.items():
        class_ = name.removesuffix(".stroke").removesuffix(".fill")
        if class_ not in art.classes:
            what = f"{art.path!r} has no element with class={class_!r}"
            desk.say("unknown-class", what, did_you_mean(class_, art.classes) or "give an element of it that class")
            continue
        repaint.append((name, desk.colour(written) or "none"))
    return tuple(sorted(repaint))


def _outline(desk: Desk, attributes: Attributes, art: VectorArt, shown: Rect) -> Lines | None:
    """Return how a drawing is shown in lines only, with their width in the drawing's own units; None: as it is."""
    colour = desk.colour(attributes.get("outline", "none"))
    if colour is None:
        return None
    width_mm = desk.size(attributes, "outline-width", OUTLINE_MM)
    scale = (shown.width_mm / art.box.width_mm * shown.height_mm / art.box.height_mm) ** 0.5
    return Lines(colour, round(width_mm / scale, 4)) if scale > 0 else None


def _fitted(desk: Desk, attributes: Attributes, width: float, height: float, box: Rect, fit: str) -> Rect:
    """Return where a picture of a natural size comes to lie; with `cover` it reaches beyond its box."""
    if fit == "stretch":
        return box
    scales = box.width_mm / width, box.height_mm / height
    scale = max(scales) if fit == "cover" else min(scales)
    return aligned(desk, attributes, box, width * scale, height * scale)


def aligned(desk: Desk, attributes: Attributes, box: Rect, width_mm: float, height_mm: float) -> Rect:
    """Return where something of a size stands in a box; problem `bad-choice`."""
    words = attributes.get("align", "center").split()
    unknown = [word for word in words if word not in _WORDS]
    if unknown:
        what = f"align={attributes['align'][:40]!r} is not understood"
        desk.say("bad-choice", what, did_you_mean(unknown[0], _WORDS))
    across = 0.0 if "left" in words else 1.0 if "right" in words else 0.5
    down = 0.0 if "top" in words else 1.0 if "bottom" in words else 0.5
    x_mm, y_mm = box.x_mm + (box.width_mm - width_mm) * across, box.y_mm + (box.height_mm - height_mm) * down
    return Rect(x_mm, y_mm, width_mm, height_mm)


def _placed(key: str, natural: Rect, shown: Rect) -> PlacedDrawing:
    sx, sy = shown.width_mm / natural.width_mm, shown.height_mm / natural.height_mm
    e, f = shown.x_mm - natural.x_mm * sx, shown.y_mm - natural.y_mm * sy
    return PlacedDrawing(key, rounded(Matrix(sx, 0.0, 0.0, sy, e, f)))


def _check_resolution(desk: Desk, href: str, picture: PictureData, shown: Rect) -> None:
    dpi = min(picture.width_px / shown.width_mm, picture.height_px / shown.height_mm) * MM_PER_INCH
    if dpi < LOWEST_DPI:
        what = f"{href!r} is printed at {dpi:.0f} dpi; below {LOWEST_DPI:.0f} it looks coarse"
        needed = " x ".join(str(math.ceil(side_mm / MM_PER_INCH * FINE_DPI)) for side_mm in (shown[2], shown[3]))
        fix = f"use a larger picture ({needed} pixels are {FINE_DPI:.0f} dpi), or print it smaller"
        desk.say("low-resolution", what, fix, Level.WARNING)


def qr(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a code as large as fits its box, its quiet zone included.

    Problems: `bad-qr` for a text that is missing or too long, `qr-too-small`, `qr-faint`.
    """
    text = attributes.get("text", "").strip()
    error = desk.choice(attributes, "error", ERRORS, "m")
    quiet = (desk.whole(attributes, "quiet", 0, 20) or 0) if "quiet" in attributes else QUIET
    dark, light = desk.colour(attributes.get("fill", "ink")), desk.colour(attributes.get("ground", "#ffffff"))
    if not text:
        desk.say("bad-qr", "the code has no text", "write text='...', such as text='{{ report }}'")
        return ()
    try:
        modules = modules_of(text, error)
    except TooLong:
        desk.say("bad-qr", f"the text {first_words(text)!r} is too long for a code", "shorten it, or allow error='l'")
        return ()
    box = desk.box(attributes, cell)
    side_mm = min(box.width_mm, box.height_mm)
    if "size" in attributes:
        side_mm = desk.size(attributes, "size", side_mm)
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
        desk.say("qr-too-small", what, fix, Level.WARNING)
    if light_of(light or "#ffffff") - light_of(dark) < LEAST_CONTRAST:
        what = f"a code of {dark} on {light or 'the ground'} cannot be read: it has to be dark on light"
        desk.say("qr-faint", what, "take a darker 'fill' or a lighter 'ground'", Level.WARNING)
    x_mm, y_mm = box.x_mm + (box.width_mm - side_mm) / 2, box.y_mm + (box.height_mm - side_mm) / 2
    code = Outline(code_path(modules, x_mm + quiet * module_mm, y_mm + quiet * module_mm, module_mm), Paint(dark))
    if light is None:
        return (code,)
    return Outline(rectangle(x_mm, y_mm, side_mm, side_mm), Paint(light)), code


def light_of(colour: str) -> float:
    """Return how much of the light a colour throws back, 0 to 1. Source: IEC 61966-2-1 (sRGB), ITU-R BT.709."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
