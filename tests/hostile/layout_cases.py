"""What goes over the limits of pictures, drawings and faces: limit -> (set low, set high, files of the game)."""

from __future__ import annotations

import io

from hostile_game import Files, png, with_art, with_face

BOX = 'width="9" height="9"'


def drawing(inside: str) -> Files:
    return with_art("a.svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>')


def progressive() -> bytes:
    """Return a JPEG of ten scans."""
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (600, 600), "red").save(out, "JPEG", progressive=True)
    return out.getvalue()


LAYOUT_CASES: dict[str, tuple[int, int, Files]] = {
    "font-file": (1_000, 30_000_000, {}),
    "image-pixels": (9_999, 10_000, with_art("a.png", png(100, 100))),
    "png-chunks": (2, 3, with_art("a.png", png(300, 300))),
    "jpeg-parts": (2, 200, with_art("a.jpg", progressive())),
    "jpeg-scans": (2, 20, with_art("a.jpg", progressive())),
    "art-bytes": (60, 10_000, with_art("a.png", png(300, 300))),
    "art-segments": (40, 200, drawing(f'<path d="M0 0{"h1" * 50}" stroke="red"/>')),
    "svg-file": (200, 1_000, drawing(f"<desc>{'x' * 300}</desc>")),
    "svg-elements": (5, 20, drawing("<g/>" * 9)),
    "svg-drawn": (5, 20, drawing('<path id="p" d="M0 0h1"/>' + '<use href="#p"/>' * 4)),
    "svg-depth": (3, 9, drawing("<g><g><g><g/></g></g></g>")),
    "svg-segments": (61, 62, drawing(f'<path id="p" d="M0 0{"h1" * 30}"/><use href="#p"/>')),
    "svg-rules": (2, 3, drawing("<style>.a,.b,.c{fill:red}</style>")),
    "path-segments": (3, 4, with_face('<path d="M0 0h1h1h1" fill="ink"/>')),
    "path-letters": (18, 19, with_face('<path d="M0 0h1h1h1        z" fill="ink"/>')),
    "transform-steps": (2, 3, with_face(f'<g transform="scale(1) scale(1) scale(1)"><rect {BOX} fill="ink"/></g>')),
    "face-elements": (9, 20, with_face("<g/>" * 9)),
    "face-depth": (3, 9, with_face("<g><g><g><g/></g></g></g>")),
    "board-cells": (3, 4, with_face(f'<squaregrid columns="4" rows="2" {BOX}/>')),
    "track-spaces": (3, 4, with_face('<track count="4" width="20" height="5"/>')),
    "grid-tracks": (3, 4, with_face('<grid columns="4"><rect fill="ink"/></grid>')),
    "polyomino-side": (3, 4, with_face(f'<polyomino rows="XXXX" fill="ink" {BOX}/>')),
}
