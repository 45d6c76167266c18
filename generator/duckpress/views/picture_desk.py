"""Pictures of faces for a program that goes on: each is made when it is first asked for, by whichever thread asks."""

from __future__ import annotations

from threading import Lock

from duckpress.fonts import FontLibrary
from duckpress.views.face_painter import FacePainter
from duckpress.views.painted_files import PaintedFile

_MOST_BYTES = 64_000_000  # of pictures kept: some 1,500 cards at 150 dpi


class PictureDesk:
    """Hands out files of pictures, from memory or made now: a card at 150 dpi in a hundredth of a second.

    Only one picture is made at a time, as PDFium knows no threads. `begin` comes first, and again after each laying
    out; pictures made before are kept, as a file's key says all that it shows.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._painter: FacePainter | None = None
        self._kept: dict[str, bytes] = {}
        self._bytes = 0

    def begin(self, fonts: FontLibrary) -> None:
        """Paint from now on with the fonts of a game that was laid out (`ShownGame.fonts`)."""
        with self._lock:
            self._painter = FacePainter(fonts)

    def picture(self, file: PaintedFile) -> bytes:
        """Return the bytes of a file, such as `screen_file` and `face_file` describe."""
        with self._lock:
            key = file.key
            data = self._kept.pop(key, b"") or self._made(file)
            self._kept[key] = data  # last: what nobody asks for any more goes first
            return data

    def _made(self, file: PaintedFile) -> bytes:
        assert self._painter is not None, "`begin` comes first"
        pages = self._painter.pages(file.laid_out, file.shown({}), file.dpi, has_bleed=file.has_bleed)
        data, _ = file.painted(self._painter, pages, {})
        self._bytes += len(data)
        while self._bytes > _MOST_BYTES and self._kept:
            self._bytes -= len(self._kept.pop(next(iter(self._kept))))
        return data
