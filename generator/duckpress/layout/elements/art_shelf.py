"""The art of a piece: each file read once, each look drawn once, and only placed art kept for printing."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from duckpress.art import BadArt
from duckpress.art.picture_files import PICTURE_ENDINGS, SVG, SVG_GREY, PictureData, read_picture
from duckpress.art.svg.artist import draw_art
from duckpress.art.svg.file import VectorArt, read_art
from duckpress.art.svg.paint import Lines, Paints
from duckpress.core.frame import Drawing, Picture, read_items, written_items
from duckpress.core.geometry import MM_PER_INCH, Rect, Size
from duckpress.core.limits import LIMITS, how_to_raise, limit, settings
from duckpress.core.problems import Level, Problem, Source, did_you_mean, has_errors
from duckpress.files.workspace import Refused, Workspace
from duckpress.layout.laid_out import ART, DRAWING, ICON, Use
from duckpress.layout.theme import Look
from duckpress.text import IconGlyph
from duckpress.text.fonts import FontLibrary

if TYPE_CHECKING:
    from duckpress.art.svg.bare_svg import BareLook

_VECTOR = ".svg"
_PICTURES = (_VECTOR, *PICTURE_ENDINGS)
_UNDRAWN = "svg-unsupported"
_UNSIZED_MM = 50.0  # the longer side of a drawing without a size of its own: of an icon, or in a text
_FINEST_DPI, _FINE_DPI = 600.0, 300.0  # what printers at home print, and what print shops ask for
_FINEST_PX = 2e6  # a picture with more pixels is drawn less fine than the finest, down to fine

_encode = msgspec.msgpack.Encoder().encode
_LONGEST_KEPT = 100_000  # bytes of a file

_read_look = msgspec.msgpack.Decoder(tuple[Rect, bytes, int]).decode


@lru_cache(maxsize=128)
def _kept_art(path: str, data: bytes, _limits: frozenset[tuple[str, int]]) -> tuple[VectorArt | None, list[Problem]]:
    """Return what `read_art` does, once in a process: pieces share their icons, and their looks the paths in them."""
    return read_art(path, data)


class Taken(NamedTuple):
    """The cost of a file, or of a look of it: its limit, the art's identity, the amount, the file."""

    limited_by: str
    what: str
    amount: int
    path: str


def too_much_art(taken: Iterable[Taken]) -> Iterator[Problem]:
    """Yield the problem `too-much-art` for the first file that exceeds a limit; the same art counts once."""
    sums, counted = Counter[str](), set[tuple[str, str]]()
    for limited_by, art, amount, path in taken:
        if (limited_by, art) in counted:
            continue
        counted.add((limited_by, art))
        most = limit(limited_by)
        if sums[limited_by] <= most < sums[limited_by] + amount:
            what = f"with {path!r} the art of this piece is more than {most} {LIMITS[limited_by].unit}"
            fix = f"make pictures smaller, or drawings simpler; {how_to_raise(limited_by)}"
            yield Problem("too-much-art", Source(path), what, fix)
        sums[limited_by] += amount


class KnownLooks(NamedTuple):
    """Looks of drawings by their digests: those that are `known` from other workers, and the `new` ones."""

    known: Callable[[bytes], bytes | None]
    new: dict[bytes, bytes]


class ArtShelf:
    """Finds art by `href` and icons by name; gathers the problems inside files in `problems`, once each."""

    def __init__(
        self, workspace: Workspace, game_folder: str, look: Look, fonts: FontLibrary, looks: KnownLooks | None = None
    ) -> None:
        self.taken: list[Taken] = []  # for `too_much_art`
        self.problems: list[Problem] = []
        self.drawings: dict[str, Drawing] = {}
        self.pictures: dict[str, PictureData] = {}
        self._workspace = workspace
        self._folders = (game_folder, "layouts")
        self._look = look
        self._fonts = fonts
        self._known_looks = looks
        self._hashes: dict[str, str] = {}  # of the drawings without words, by their paths
        self._files: dict[str, VectorArt | PictureData | Refused | None] = {}
        self._looks: dict[tuple[object, ...], Drawing] = {}
        self._undrawn: dict[str, list[Problem]] = {}  # by file: what of it no look can be drawn with
        self._digests: dict[str, str] = {}
        self.uses: list[Use] = []  # what is asked for, as it is asked for

    def find(self, href: str) -> VectorArt | PictureData | Refused | None:
        """Return a file's art; `Refused` if there is no such file, None if it is unusable (already reported)."""
        self.uses.append((ART, href))
        return self._find(href)

    def digest(self, href: str) -> str:
        """Return the identity of a file of art: its path and the hash of its bytes; empty if there is none."""
        self._find(href)
        return self._digests.get(href, "")

    def _find(self, href: str) -> VectorArt | PictureData | Refused | None:
        if href not in self._files:
            self._files[href] = self._read(href)
        return self._files[href]

    def drawing(
        self,
        art: VectorArt,
        repaint: tuple[tuple[str, str], ...] = (),
        lines: Lines | None = None,
        size: Size | None = None,
    ) -> Drawing:
        """Return a look of vector art: classes repainted (`class[.stroke]` -> `#rrggbb`), the rest in `lines`.

        `size` is how large it is shown: where it cannot be vector, it is a picture with the pixels for that.
        """
        folder = next(folder for folder in self._folders if art.path.startswith(f"{folder}/"))
        href = art.path.removeprefix(f"{folder}/")
        size = None if size is None else Size(round(size.width_mm, 2), round(size.height_mm, 2))
        self.uses.append((DRAWING, href, json.dumps([repaint, lines, size])))
        return self._drawn(art, repaint, self._look.palette.get("ink", "#000000"), "#000000", lines, size)

    def icon(self, name: str, colour: str) -> IconGlyph | None:
        """Return an icon in a colour, which its parts without a colour take; None for an unknown name."""
        self.uses.append((ICON, name, colour))
        alias = self._look.icons.get(name)
        if alias is not None:
            hrefs = [alias]
        elif "/" in name or "\\" in name or ":" in name or name.startswith("."):
            return None
        else:
            hrefs = [f"art/icons/{name}{_VECTOR}", f"icons/{name}{_VECTOR}"]
        for href in hrefs:
            art = self._find(href)
            if isinstance(art, VectorArt):
                drawing = self._drawn(art, (), colour, colour)
                return IconGlyph(drawing.key, drawing.box)
        return None

    def icon_names(self) -> list[str]:
        """Return the names of all icons."""
        folders = f"{self._folders[0]}/art/icons", "layouts/icons"
        files = [file for folder in folders for file in self._workspace.files(folder, _VECTOR)]
        return sorted({*self._look.icons, *(file.rpartition("/")[2].removesuffix(_VECTOR) for file in files)})

    def missing_fix(self, href: str) -> str:
        """Return the fix for a missing file: a picture of the same name, else a near name in its folder or `art/`."""
        folder, _, name = href.rpartition("/")
        pictures = {
            file.removeprefix(f"{root}/")
            for root in self._folders
            for place in (f"{root}/{folder}".rstrip("/"), f"{root}/art", *self._workspace.folders(f"{root}/art"))
            for file in self._workspace.files(place, "")
            if file.lower().endswith(_PICTURES)
        }
        same = {picture for picture in pictures if picture.rpartition("/")[2] == name}
        return did_you_mean(href, same or pictures) or f"put it at {self._folders[0]}/{href}"

    def _drawn(
        self,
        art: VectorArt,
        repaint: tuple[tuple[str, str], ...],
        colour: str,
        fill: str,
        lines: Lines | None = None,
        size: Size | None = None,
    ) -> Drawing:
        key: tuple[object, ...] = (art.path, repaint, colour, fill, lines)
        drawing = self._looks.get(key) or self._looks.get((*key, size))
        if drawing is None:
            paints = Paints(colour, fill, self._look.ink, lines)
            drawing, segments, problems = self._look_of(art, repaint, paints)
            undrawn = [*self._undrawn.get(art.path, ()), *(one for one in problems if one.code == _UNDRAWN)]
            others = [one for one in problems if one.code != _UNDRAWN]
            self.problems += others
            if undrawn and lines is None and not self._look.is_vector_required and not has_errors(others):
                key = (*key, size)
                ink = self._look.ink if any(name.startswith("ink-") for name in art.classes) else ""
                from duckpress.art.svg.bare_svg import BareLook  # with modules of the net, which few games pay for

                look = BareLook(art.box, *_pixels(art, size), colour, fill, ink, repaint)
                drawing = self._as_picture(art, look, undrawn)
            else:
                self.taken.append(Taken("art-segments", repr(key), segments, art.path))
                self.problems += undrawn
            self._looks[key] = drawing
            self.drawings[drawing.key] = drawing
        return drawing

    def _look_of(
        self, art: VectorArt, repaint: tuple[tuple[str, str], ...], paints: Paints
    ) -> tuple[Drawing, int, list[Problem]]:
        """Return a look as `draw_art` does; one without words and problems is known to later workers."""
        looks, file = self._known_looks, self._hashes.get(art.path)
        if looks is None or file is None:
            return draw_art(art, dict(repaint), paints, self._fonts)
        name = hashlib.sha256(repr((file, repaint, paints)).encode("utf-8", "surrogatepass")).digest()
        with suppress(ValueError):
            box, written, segments = _read_look(looks.known(name) or b"")
            return Drawing(box, read_items(written)), segments, []
        drawing, segments, problems = draw_art(art, dict(repaint), paints, self._fonts)
        if not problems:
            with suppress(ValueError):
                looks.new[name] = _encode((drawing.box, written_items(drawing.items), segments))
        return drawing, segments, problems

    def _as_picture(self, art: VectorArt, look: BareLook, undrawn: list[Problem]) -> Drawing:
        """Return a drawing of one picture, which the SVG renderer draws for art without outlines."""
        from duckpress.art.svg.bare_svg import bare_svg

        data = self._workspace.read(art.path, "art-file")
        kind = SVG_GREY if self._look.is_grey else SVG
        # Its identity is what was asked for, not what came of it: pixels may differ from one machine to another.
        family = self._fonts.common_family if b"<text" in data else ""
        more = f" (and {len(undrawn) - 1} more)" if len(undrawn) > 1 else ""
        what = f"{art.path!r} is printed as a picture, not as outlines: {undrawn[0].what}{more}"
        what += f"; words in fonts that are not in fonts/ are in {family!r}" if family else ""
        fix = f"{undrawn[0].fix}; or leave it: it is drawn for the size it is shown at"
        problem = Problem("drawing-as-picture", undrawn[0].source, what, fix, Level.WARNING)
        if problem not in self.problems:  # once for a drawing, with the first reason and its place
            self.problems.append(problem)
        fonts = self._fonts_in(data.lower(), family) if family else ()
        parts = kind, *fonts, hashlib.sha256(data).hexdigest(), *map(repr, msgspec.structs.astuple(look))
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
        bare = bare_svg(art.path, data, look)
        self.pictures[key] = PictureData(key, bare, kind, look.width_px, look.height_px, art.path)
        return Drawing(art.box, (Picture(key, *art.box),))

    def _fonts_in(self, data: bytes, family: str) -> Iterator[str]:
        """Yield the digests of the fonts that a drawing's words may use: the families that it names."""
        for name in sorted(self._fonts.families):
            if name == family or name.lower().encode() in data:
                faces = map(self._fonts.typeface_of, self._fonts.families[name].styles)
                yield from (face.file.digest() for face in faces if face is not None)

    def _read(self, href: str) -> VectorArt | PictureData | Refused | None:
        refused: Refused | None = None
        for folder in self._folders:
            path = f"{folder}/{href}"
            try:
                data = self._workspace.read(path, "art-file")
            except Refused as error:
                refused = refused or error
                if error.code == "missing-file":
                    continue
                return error
            self._digests[href] = f"{path} {hashlib.sha256(data).hexdigest()}"
            if b"text" not in data:
                self._hashes[path] = self._digests[href]
            return self._understood(path, data)
        return refused

    def _understood(self, path: str, data: bytes) -> VectorArt | PictureData | None:
        if path.lower().endswith(_VECTOR):
            is_short = len(data) <= _LONGEST_KEPT
            art, problems = _kept_art(path, data, frozenset(settings().items())) if is_short else read_art(path, data)
            if art is not None:
                self._undrawn[path] = [one for one in problems if one.code == _UNDRAWN]
            self.problems += [one for one in problems if art is None or one.code != _UNDRAWN]
            return art
        try:
            picture, note = read_picture(path, data, is_grey=self._look.is_grey)
        except BadArt as error:
            self.problems.append(Problem("bad-picture", Source(path), str(error), error.fix))
            return None
        if note:
            fix = "save it as a plain RGB picture to see here what will be printed"
            self.problems.append(Problem("picture-converted", Source(path), note, fix, Level.WARNING))
        self.taken.append(Taken("art-bytes", path, len(picture.data), path))
        self.pictures[picture.key] = picture
        return picture


def _pixels(art: VectorArt, size: Size | None) -> tuple[int, int]:
    """Return the width and height in pixels of a drawing as a picture, for its size on the face."""
    if size is None:
        scale = _UNSIZED_MM / max(art.box.width_mm, art.box.height_mm)
        size = Size(art.box.width_mm * scale, art.box.height_mm * scale)
    square_inches = size.width_mm * size.height_mm / MM_PER_INCH**2
    dpi = min(_FINEST_DPI, max(_FINE_DPI, math.sqrt(_FINEST_PX / max(square_inches, 1e-9))))
    dpi = min(dpi, math.sqrt(limit("image-pixels") / 2 / max(square_inches, 1e-9)))
    across, down = (max(1, math.ceil(side_mm / MM_PER_INCH * dpi)) for side_mm in size)
    return across, down
