"""The art of a piece: files read once, looks drawn once, and only what is placed kept for printing."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from duckpress.art.bad_art import BadArt
from duckpress.art.picture_files import PICTURE_ENDINGS, PictureData, read_picture
from duckpress.art.svg.artist import draw_art
from duckpress.art.svg.svg_file import VectorArt, read_art
from duckpress.art.svg.svg_paint import Lines, Paints
from duckpress.core.frame import Drawing
from duckpress.core.limits import LIMITS, how_to_raise, limit
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.files.workspace import Refused, Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout.dependencies import ART, DRAWING, ICON, Use
from duckpress.layout.theme.theme import Look
from duckpress.text import IconGlyph

_VECTOR = ".svg"
_PICTURES = (_VECTOR, *PICTURE_ENDINGS)


class Taken(NamedTuple):
    """What a file, or a look of it, takes: the limit it counts against, which of all art it is, how much, the file."""

    limited_by: str
    what: str
    amount: int
    path: str


def too_much_art(taken: Iterable[Taken]) -> Iterator[Problem]:
    """Yield the problem `too-much-art` for the first file that goes over a limit; the same art counts once."""
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


class ArtShelf:
    """Finds art by `href` and icons by name; what is wrong inside a file is gathered in `problems`, once."""

    def __init__(self, workspace: Workspace, game_folder: str, look: Look, fonts: FontLibrary) -> None:
        self.taken: list[Taken] = []  # for `too_much_art`
        self.problems: list[Problem] = []
        self.drawings: dict[str, Drawing] = {}
        self.pictures: dict[str, PictureData] = {}
        self._workspace = workspace
        self._folders = (game_folder, "layouts")
        self._look = look
        self._fonts = fonts
        self._files: dict[str, VectorArt | PictureData | Refused | None] = {}
        self._looks: dict[tuple[object, ...], Drawing] = {}
        self._digests: dict[str, str] = {}
        self.uses: list[Use] = []  # what is asked for, as it is asked for

    def find(self, href: str) -> VectorArt | PictureData | Refused | None:
        """Return a file's art; `Refused` where there is no such file, None where it is unusable (already reported)."""
        self.uses.append((ART, href))
        return self._find(href)

    def digest(self, href: str) -> str:
        """Return the identity of the file that `find` finds: its path and the hash of its bytes; empty for none."""
        self._find(href)
        return self._digests.get(href, "")

    def _find(self, href: str) -> VectorArt | PictureData | Refused | None:
        if href not in self._files:
            self._files[href] = self._read(href)
        return self._files[href]

    def drawing(self, art: VectorArt, repaint: tuple[tuple[str, str], ...] = (), lines: Lines | None = None) -> Drawing:
        """Return a look of vector art: classes repainted (`class[.stroke]` -> `#rrggbb`), the rest in `lines`."""
        folder = next(folder for folder in self._folders if art.path.startswith(f"{folder}/"))
        href = art.path.removeprefix(f"{folder}/")
        self.uses.append((DRAWING, href, json.dumps([repaint, lines])))
        return self._drawn(art, repaint, self._look.palette.get("ink", "#000000"), "black", lines)

    def icon(self, name: str, colour: str) -> IconGlyph | None:
        """Return an icon in a colour: its parts without a colour of their own take it; None for no such icon."""
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
        """Return the names of all icons there are."""
        folders = f"{self._folders[0]}/art/icons", "layouts/icons"
        files = [file for folder in folders for file in self._workspace.files(folder, _VECTOR)]
        return sorted({*self._look.icons, *(file.rpartition("/")[2].removesuffix(_VECTOR) for file in files)})

    def missing_fix(self, href: str) -> str:
        """Return the fix for a missing file: a picture of its name elsewhere, else one of its folder and `art/`."""
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
        self, art: VectorArt, repaint: tuple[tuple[str, str], ...], colour: str, fill: str, lines: Lines | None = None
    ) -> Drawing:
        key = (art.path, repaint, colour, fill, lines)
        drawing = self._looks.get(key)
        if drawing is None:
            drawing, segments, problems = draw_art(
                art, dict(repaint), Paints(colour, fill, self._look.ink, lines), self._fonts
            )
            self.taken.append(Taken("art-segments", repr(key), segments, art.path))
            self.problems += problems
            self._looks[key] = drawing
            self.drawings[drawing.key] = drawing
        return drawing

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
            return self._understood(path, data)
        return refused

    def _understood(self, path: str, data: bytes) -> VectorArt | PictureData | None:
        if path.lower().endswith(_VECTOR):
            art, problems = read_art(path, data)
            self.problems += problems
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
