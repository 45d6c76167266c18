"""Cards of a piece as small pictures, and how much a picture changes when it is turned round."""

from __future__ import annotations

from PIL import Image, ImageChops

from duckpress.layout import LaidOut
from duckpress.views.pictures import FacePainter
from setting import LIBRARY

DPI = 72


def sides(piece: LaidOut, *, are_backs: bool) -> dict[str, Image.Image]:
    """Return the different faces or backs of a piece as pictures, by the first card that has each."""
    frames = {}
    for face in piece.faces:
        frame = face.back if are_backs else face.front
        if frame is not None and frame not in frames.values():
            frames[face.card] = frame
    return dict(zip(frames, FacePainter(LIBRARY).pictures(piece, frames.values(), DPI), strict=True))


def turn_difference(card: Image.Image) -> float:
    """Return the part of a card's dots that change clearly when it is turned round."""
    grey = card.convert("L")
    counts = ImageChops.difference(grey.reduce(2), grey.rotate(180).reduce(2)).histogram()
    return sum(counts[100:]) / sum(counts)
