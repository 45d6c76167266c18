"""Picture files of faces: made by all cores, of what is new only, straight into the folder where they will lie.

A file is told by the faces it shows, by their hashes, and by what is done with them. Where an earlier run made the same
and the file still lies there as it was written, it stays; of a sheet that shows another face than before, the rows of
faces that are the same are taken over as they were packed. What was made is noted in the cache, sealed like all of it,
with the hash of the file; the pictures themselves lie in the output alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.art.quick_png import PngStrip, packed_strips, png_of_strips
from duckpress.core.frame import Frame
from duckpress.core.units import MM_PER_INCH
from duckpress.fonts import FontLibrary
from duckpress.layout import LaidOut
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts
from duckpress.press.frame_store import FrameStore, MadeFile
from duckpress.store import OutputFolder, is_as_written, read_whole, seen_of
from duckpress.store.manifest import digest
from duckpress.views.pictures import FacePage, FacePainter, pixels_of

_FACES_A_PART = 48
_MOST_SCREEN_PX = 1600  # of a picture on a page: boards are shown smaller than cards
# Colours have half the pixels that lightness has: two thirds of the time and 0.94 of the bytes of all colours at 88.
_QUALITY, _COLOURS = 92, "4:2:0"


class PaintedFile(Struct, frozen=True):
    """A file that shows faces of a piece row by row, each in so many pixels: a PNG, or the JPEG of a single face.

    None among the frames leaves a place white.
    """

    laid_out: LaidOut
    frames: tuple[Frame | None, ...]
    dpi: float
    size: tuple[int, int]
    columns: int = 1
    has_bleed: bool = False
    is_jpeg: bool = False

    @property
    def rows(self) -> list[tuple[Frame | None, ...]]:
        """Return the frames row by row."""
        return [self.frames[start : start + self.columns] for start in range(0, len(self.frames), self.columns)]

    @property
    def row_keys(self) -> list[str]:
        """Return what each row is known by: all that its pixels depend on besides the program."""
        facts = repr((self.dpi, self.size, self.columns, self.has_bleed, self.is_jpeg and _QUALITY))
        return [_digest(facts, *(frame.hash if frame is not None else "" for frame in row)) for row in self.rows]

    @property
    def key(self) -> str:
        """Return what the file is known by."""
        return _digest(*self.row_keys)

    def shown(self, there: Mapping[str, PngStrip]) -> list[Frame]:
        """Return the frames that have to be painted, in order, where these rows are there."""
        rows = zip(self.row_keys, self.rows, strict=True)
        return [frame for key, row in rows if key not in there for frame in row if frame is not None]

    def painted(
        self, painter: FacePainter, pages: Iterator[FacePage], there: Mapping[str, PngStrip]
    ) -> tuple[bytes, list[tuple[str, int, int]]]:
        """Return the file's bytes, made of pages of `shown`, and of its rows key, checksum and length."""
        if self.is_jpeg:
            data = BytesIO()
            next(pages).image().save(data, "JPEG", quality=_QUALITY, subsampling=_COLOURS)
            return data.getvalue(), []
        keys, width, height = self.row_keys, self.size[0] * self.columns, self.size[1]
        strips = []
        for key, row in zip(keys, self.rows, strict=True):
            strip = there.get(key)
            if strip is None:
                drawn = painter.strip(self.size, self.columns)
                for column, frame in enumerate(row):
                    if frame is not None:
                        next(pages).draw(drawn.place(column))
                strip = drawn.packed()
            strips.append(strip)
        facts = [(key, strip.adler, strip.length) for key, strip in zip(keys, strips, strict=True)]
        return png_of_strips(strips, (width, height * len(strips)), self.dpi), facts


def _digest(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


def face_file(laid_out: LaidOut, frame: Frame, dpi: float, *, has_bleed: bool = False) -> PaintedFile:
    """Return the PNG of one face, still to be made."""
    return PaintedFile(laid_out, (frame,), dpi, pixels_of(frame, dpi, has_bleed=has_bleed), has_bleed=has_bleed)


def screen_file(laid_out: LaidOut, frame: Frame, dpi: float) -> PaintedFile:
    """Return the JPEG of one face for a screen, its bleed included, still to be made; a large one has fewer dots."""
    dpi = min(dpi, _MOST_SCREEN_PX * MM_PER_INCH / max(frame.bleed_box[2:]))
    size = pixels_of(frame, dpi, has_bleed=True)
    return PaintedFile(laid_out, (frame,), dpi, size, has_bleed=True, is_jpeg=True)


class PictureSet(NamedTuple):
    """The files by their names, and which of them are new: those are staged for the folder's next change.

    When that is done, they are to be noted in `store`.
    """

    files: Mapping[str, MadeFile]
    staged: tuple[str, ...]
    store: FrameStore | None = None

    def note(self, folder: Path) -> None:
        """Note what lies in a folder now, and how it looks: what looks the same next time was not touched."""
        if self.store is not None:
            new = {name: replace(self.files[name], seen=seen_of(folder, name)) for name in self.staged}
            self.store.store_made(str(folder), {**self.files, **new})


def paint_files(
    target: OutputFolder, inner: str, files: Mapping[str, PaintedFile], fonts: FontLibrary, store: FrameStore | None
) -> PictureSet:
    """Make the files that do not lie in the folder `inner` of the outputs as an earlier run made them."""
    folder = target.folder / inner
    known = store.made(str(folder)) if store is not None else {}
    made = {
        name: there
        for name, file in files.items()
        if (before := known.get(name)) is not None and before.key == file.key
        if (there := _as_it_lies(folder, name, before)) is not None
    }
    new = {name: file for name, file in files.items() if name not in made}
    parts = list(_parts(new))
    painter = FacePainter(fonts)

    def paint(number: int) -> list[MadeFile]:
        part = {name: new[name] for name in parts[number]}
        first = next(iter(part.values()))
        there = {name: _rows_there(folder, name, known.get(name)) for name in part}
        frames = [frame for name, file in part.items() for frame in file.shown(there[name])]
        pages = painter.pages(first.laid_out, frames, first.dpi, has_bleed=first.has_bleed)
        data, facts = {}, []
        for name, file in part.items():
            whole, rows = file.painted(painter, pages, there[name])
            data[f"{inner}/{name}"] = whole
            facts.append(MadeFile(digest(whole), len(whole), file.key, rows))
        target.stage(data)  # together: waiting for the disk once for each took longer than painting
        return facts

    for part, facts in zip(parts, in_parts(paint, len(parts), jobs()), strict=True):
        made.update(zip(part, facts, strict=True))
    return PictureSet({name: made[name] for name in files}, tuple(new), store)


def _as_it_lies(folder: Path, name: str, made: MadeFile) -> MadeFile | None:
    """Return a file that looks as it did when it was made, or has the same bytes, as it looks now; else None."""
    seen = seen_of(folder, name)
    if seen == made.seen:
        return made
    return replace(made, seen=seen) if is_as_written(folder, name, made.sha256) else None


def _rows_there(folder: Path, name: str, made: MadeFile | None) -> dict[str, PngStrip]:
    """Return the rows of an earlier sheet of that name, by their keys; none where it is not as it was made."""
    if made is not None and len(made.rows) > 1:
        with suppress(OSError):
            data = read_whole(folder / name, made.bytes)
            if digest(data) == made.sha256:
                return {
                    key: PngStrip(packed, adler, length)
                    for packed, (key, adler, length) in zip(packed_strips(data), made.rows, strict=True)
                }
    return {}


def _parts(files: Mapping[str, PaintedFile]) -> Iterator[list[str]]:
    """Yield the names of files that are made together: of one piece, at one resolution, of so many faces."""
    for _, group in groupby(files.items(), key=lambda one: (id(one[1].laid_out), one[1].dpi, one[1].has_bleed)):
        part: list[str] = []
        faces = 0
        for name, file in group:
            part.append(name)
            faces += len(file.frames)
            if faces >= _FACES_A_PART:
                yield part
                part, faces = [], 0
        if part:
            yield part


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
