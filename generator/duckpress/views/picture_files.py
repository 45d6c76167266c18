"""Picture files of faces: made by all cores, of what is new only, straight into the folder where they will lie.

A file is known by the hashes of the faces that it shows, and by what is done with them. Where an earlier run made the
same, and the file still lies there as it was written, it stays. The cache has the hash of each file that was made; the
pictures themselves lie in the output alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from itertools import groupby
from typing import NamedTuple, TypeVar

from msgspec import Struct
from PIL import Image as Pictures
from PIL.Image import Image

from duckpress.art.quick_png import quick_png
from duckpress.core.frame import Frame
from duckpress.core.units import MM_PER_INCH
from duckpress.layout import LaidOut
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts
from duckpress.press.build_cache import BuildCache, MadeFile
from duckpress.store import OutputFolder, is_as_written
from duckpress.store.manifest import digest
from duckpress.text.fonts import FontLibrary
from duckpress.views.pictures import FacePainter, pixels_of

_Made = TypeVar("_Made")
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
    def key(self) -> str:
        """Return what the file is known by: a hash of all that its pixels depend on besides the program."""
        facts = repr((self.dpi, self.size, self.columns, self.has_bleed, self.is_jpeg and _QUALITY))
        rows = [self.frames[start : start + self.columns] for start in range(0, len(self.frames), self.columns)]
        return _digest(*(_digest(facts, *(frame.hash if frame is not None else "" for frame in row)) for row in rows))

    @property
    def painted(self) -> list[Frame]:
        """Return the frames that have to be painted, in order."""
        return [frame for frame in self.frames if frame is not None]

    def data(self, pictures: Iterator[Image]) -> bytes:
        """Return the file's bytes, made of the pictures of `painted`."""
        if self.is_jpeg:
            data = BytesIO()
            next(pictures).save(data, "JPEG", quality=_QUALITY, subsampling=_COLOURS)
            return data.getvalue()
        if len(self.frames) == 1:
            (frame,) = self.frames
            return quick_png(next(pictures) if frame is not None else Pictures.new("RGB", self.size, "white"), self.dpi)
        (width, height), rows = self.size, -(-len(self.frames) // self.columns)
        sheet = Pictures.new("RGB", (width * self.columns, height * rows), "white")
        for place, frame in enumerate(self.frames):
            if frame is not None:
                sheet.paste(next(pictures), (place % self.columns * width, place // self.columns * height))
        return quick_png(sheet, self.dpi, height)

    def made(self, painter: FacePainter) -> bytes:
        """Return the file's bytes."""
        return self.data(painter.pictures(self.laid_out, self.painted, self.dpi, has_bleed=self.has_bleed))


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
    """The files by their names, and which of them are new: those are staged for the folder's next change."""

    files: Mapping[str, MadeFile]
    staged: tuple[str, ...]


def paint_files(
    target: OutputFolder, inner: str, files: Mapping[str, PaintedFile], fonts: FontLibrary, store: BuildCache | None
) -> PictureSet:
    """Make the files that do not lie in the folder `inner` of the outputs as an earlier run made them."""
    folder = target.folder / inner
    known = store.made(str(folder)) if store is not None else {}
    made = {
        name: before
        for name, file in files.items()
        if (before := known.get(name)) is not None and before.key == file.key
        if is_as_written(folder, name, before.sha256)
    }
    new = {name: file for name, file in files.items() if name not in made}

    def stage(part: Mapping[str, PaintedFile], pictures: Iterator[Image]) -> list[MadeFile]:
        data = {name: file.data(pictures) for name, file in part.items()}
        target.stage({f"{inner}/{name}": one for name, one in data.items()})  # together: the disk is waited for once
        return [MadeFile(digest(one), len(one), part[name].key) for name, one in data.items()]

    made |= made_of_pictures(new, fonts, stage)
    painted = {name: made[name] for name in files}
    if store is not None:
        store.store_made(str(folder), painted)
    return PictureSet(painted, tuple(new))


def made_of_pictures(
    files: Mapping[str, PaintedFile], fonts: FontLibrary,
    make: Callable[[Mapping[str, PaintedFile], Iterator[Image]], list[_Made]],
) -> dict[str, _Made]:  # fmt: skip
    """Return a result for each file, made by all cores; results have to be picklable.

    `make` is given some files and the pictures for all of them, and returns what it makes of each.
    """
    parts = list(_parts(files))
    painter = FacePainter(fonts)

    def make_part(number: int) -> list[_Made]:
        part = {name: files[name] for name in parts[number]}
        first = next(iter(part.values()))
        frames = [frame for file in part.values() for frame in file.painted]
        return make(part, painter.pictures(first.laid_out, frames, first.dpi, has_bleed=first.has_bleed))

    made = in_parts(make_part, len(parts), jobs())
    return {name: one for part, some in zip(parts, made, strict=True) for name, one in zip(part, some, strict=True)}


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
