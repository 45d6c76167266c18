"""Picture files of faces: made by all cores, of what is new only, straight into the folder where they will lie.

A file is told by the faces it shows, by their hashes, and by what is done with them. Where an earlier run made the same
and the file still lies there as it was written, it stays. What was made is noted in the cache, sealed like all of it,
with the hash of the file; the pictures themselves lie in the output alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from duckpress.art.quick_png import quick_png
from duckpress.core.frame import Frame
from duckpress.core.units import MM_PER_INCH
from duckpress.fonts import FontLibrary
from duckpress.layout import LaidOut
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts
from duckpress.press.frame_store import FrameStore, MadeFile
from duckpress.store import OutputFolder, is_as_written
from duckpress.store.manifest import digest
from duckpress.views.face_pictures import FacePainter

if TYPE_CHECKING:
    from PIL.Image import Image

_FACES_A_PART = 48
_MOST_SCREEN_PX = 1600  # of a picture on a page: boards are shown smaller than cards
_QUALITY = 88


class PaintedFile(Struct, frozen=True):
    """A file that shows faces of a piece, painted at a resolution: `finish` makes its bytes of the pictures, in order.

    `recipe` says in words what `finish` does, with every number that it knows.
    """

    laid_out: LaidOut
    frames: tuple[Frame, ...]
    dpi: float
    recipe: str
    finish: Callable[[Iterator[Image]], bytes]
    has_bleed: bool = False

    @property
    def key(self) -> str:
        """What the file is known by: all that its bytes depend on besides the program."""
        words = (self.recipe, repr(self.dpi), str(self.has_bleed), *(frame.hash for frame in self.frames))
        return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


def face_file(laid_out: LaidOut, frame: Frame, dpi: float, *, has_bleed: bool = False) -> PaintedFile:
    """Return the PNG of one face, still to be made."""
    return PaintedFile(laid_out, (frame,), dpi, "png", lambda faces: quick_png(next(faces), dpi), has_bleed)


def screen_file(laid_out: LaidOut, frame: Frame, dpi: float) -> PaintedFile:
    """Return the JPEG of one face for a screen, its bleed included, still to be made; a large one has fewer dots."""
    dpi = min(dpi, _MOST_SCREEN_PX * MM_PER_INCH / max(frame.bleed_box[2:]))
    return PaintedFile(laid_out, (frame,), dpi, f"jpeg {_QUALITY}", _jpeg, has_bleed=True)


def _jpeg(faces: Iterator[Image]) -> bytes:
    data = BytesIO()
    next(faces).save(data, "JPEG", quality=_QUALITY, subsampling=0)
    return data.getvalue()


class PictureSet(NamedTuple):
    """The files by their names, and which of them are new: those are staged for the folder's next change."""

    files: Mapping[str, MadeFile]
    staged: tuple[str, ...]


def paint_files(
    target: OutputFolder, inner: str, files: Mapping[str, PaintedFile], fonts: FontLibrary, store: FrameStore | None
) -> PictureSet:
    """Make the files that do not lie in the folder `inner` of the outputs as an earlier run made them."""
    folder = target.folder / inner
    known = store.made(str(folder)) if store is not None else {}
    keys = {name: file.key for name, file in files.items()}
    made = {
        name: known[key]
        for name, key in keys.items()
        if key in known and is_as_written(folder, name, known[key].sha256)
    }
    new = {name: file for name, file in files.items() if name not in made}
    parts = list(_parts(new))
    painter = FacePainter(fonts)

    def paint(number: int) -> list[MadeFile]:
        part = parts[number]
        first = new[part[0]]
        frames = [frame for name in part for frame in new[name].frames]
        pictures = painter.paint(first.laid_out, frames, first.dpi, has_bleed=first.has_bleed)
        data = {f"{inner}/{name}": new[name].finish(pictures) for name in part}
        target.stage(data)  # together: waiting for the disk once for each took longer than painting
        return [MadeFile(digest(one), len(one)) for one in data.values()]

    for part, facts in zip(parts, in_parts(paint, len(parts), jobs()), strict=True):
        made.update(zip(part, facts, strict=True))
    if store is not None:
        store.store_made(str(folder), {keys[name]: made[name] for name in files})
    return PictureSet({name: made[name] for name in files}, tuple(new))


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
