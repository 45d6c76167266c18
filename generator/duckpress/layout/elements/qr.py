"""`qr` in a layout -> a QR code of its text, drawn in outlines."""

from __future__ import annotations

from duckpress.art.qr_code import ERRORS, LEAST_MODULE_MM, QUIET, TooLong, code_path, modules_of
from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Rect
from duckpress.core.paths import rectangle
from duckpress.core.problems import Level
from duckpress.layout.elements.layout_context import Attributes, Desk, first_words

LEAST_CONTRAST = 0.55  # of all light, between paper and ink; source: ISO/IEC 15415, symbol contrast of grade B
_SLIP_MM = 1e-6


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
    _check_contrast(desk, dark, light)
    x_mm, y_mm = box.x_mm + (box.width_mm - side_mm) / 2, box.y_mm + (box.height_mm - side_mm) / 2
    code = Outline(code_path(modules, x_mm + quiet * module_mm, y_mm + quiet * module_mm, module_mm), Paint(dark))
    if light is None:
        return (code,)
    return Outline(rectangle(x_mm, y_mm, side_mm, side_mm), Paint(light)), code


def _check_contrast(desk: Desk, dark: str, light: str | None) -> None:
    contrast = light_of(light or "#ffffff") - light_of(dark)
    if contrast < LEAST_CONTRAST:
        what = f"a code of {dark} on {light or 'the ground'} cannot be read: it has to be dark on light"
        desk.say("qr-faint", what, "take a darker 'fill' or a lighter 'ground'", Level.WARNING)


def light_of(colour: str) -> float:
    """Return how much of the light a colour throws back, 0 to 1. Source: IEC 61966-2-1 (sRGB), ITU-R BT.709."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
