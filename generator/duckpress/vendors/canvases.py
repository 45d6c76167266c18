"""A picture of a face with its bleed -> a canvas of exactly the pixels a vendor wants, the trim in its middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image


def on_canvas(face: Image, width_px: int, height_px: int) -> Image:
    """Return the face in the middle of a canvas.

    A face with more bleed than the canvas has room for loses the rest; where it has less, its outermost pixels are
    repeated outwards. What is repeated lies beyond the cut by at least the face's own bleed.
    """
    from PIL import Image as Pictures

    left, top = (width_px - face.width) // 2, (height_px - face.height) // 2
    if left < 0 or top < 0:
        box = (max(0, -left), max(0, -top))
        face = face.crop((*box, min(face.width, box[0] + width_px), min(face.height, box[1] + height_px)))
        left, top = max(0, left), max(0, top)
    canvas = Pictures.new(face.mode, (width_px, height_px))
    right, bottom = left + face.width, top + face.height
    canvas.paste(face, (left, top))
    for x1, x2, at in ((0, left, left), (right, width_px, right - 1)):
        if x2 > x1:
            canvas.paste(canvas.crop((at, top, at + 1, bottom)).resize((x2 - x1, face.height)), (x1, top))
    for y1, y2, at in ((0, top, top), (bottom, height_px, bottom - 1)):
        if y2 > y1:
            canvas.paste(canvas.crop((0, at, width_px, at + 1)).resize((width_px, y2 - y1)), (0, y1))
    return canvas
