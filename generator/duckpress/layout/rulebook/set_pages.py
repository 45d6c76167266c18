"""The pages of a typeset text as plain data, as they are kept for later runs; faces in them may look different then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Group, Item, PlacedDrawing, read_items, written_items
from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Problem
from duckpress.files.memo import Form, form_of
from duckpress.layout import Face, LaidOut, face_drawing
from duckpress.model import Piece

Shown = tuple[Face, LaidOut]
"""A face that a text shows, and the piece it was laid out in."""


class SetPage(Struct, frozen=True, array_like=True):
    """A page: its size, its items (`written_items`) and the hash of its frame."""

    trim: Size
    items: bytes
    frame_hash: str


class SetPages(Struct, frozen=True, array_like=True):
    """The pages by paper; their art except what faces show; problems; used words; font files read; the faces shown.

    Of a face: the key of its drawing, its card, whether it is the back, and the hash of that side.
    """

    pages: dict[str, list[SetPage]]
    drawings: list[tuple[str, Rect, tuple[Item, ...]]]
    pictures: list[PictureData]
    problems: list[Problem]
    asked: list[str]
    missing: list[str]
    fonts: list[str]
    faces: list[tuple[str, str, bool, str]]
    depends_on_cards: bool  # in more than the faces that it shows

    def with_faces(self, shown: Mapping[str, Shown | None]) -> SetPages:
        """Return the pages with the faces as they look now: they are as large as they were."""
        new: dict[str, Drawing] = {}
        for key, name, is_back, side_hash in self.faces:
            face, _ = shown[name] or (None, None)
            frame = None if face is None else face.back if is_back else face.front
            if face is not None and frame is not None and frame.hash != side_hash:
                new[key] = face_drawing(frame, face.format)
        if not new:
            return self

        def renewed(page: SetPage) -> SetPage:
            items = _with_drawings(read_items(page.items), {key: drawing.key for key, drawing in new.items()})
            frame = Frame(page.trim, 0.0, items)
            return SetPage(page.trim, written_items(frame.items), frame.hash)

        pages = {paper: [*map(renewed, pages)] for paper, pages in self.pages.items()}
        old = [one for one in self.drawings if one[0] not in new]
        return replace(self, pages=pages, drawings=[*old, *((one.key, one.box, one.items) for one in new.values())])

    def laid_out(self, piece: Piece, shown: Sequence[Shown]) -> LaidOut:
        """Return the piece with its pages; `shown` are the faces on them."""
        drawings = {key: drawing for _, one in shown for key, drawing in one.drawings.items()}
        drawings |= {one[0]: Drawing.of_key(*one) for one in self.drawings}
        pictures = {key: picture for _, one in shown for key, picture in one.pictures.items()}
        pictures |= {picture.key: picture for picture in self.pictures}
        pages = {
            paper: tuple([Frame.of_hash(page.trim, 0.0, page.items, page.frame_hash) for page in pages])
            for paper, pages in self.pages.items()
        }
        return LaidOut(piece, (), drawings, pictures, (), pages)


def _with_drawings(items: Iterable[Item], new: Mapping[str, str]) -> tuple[Item, ...]:
    """Return items with other drawings in the place of some, by their keys."""
    return tuple(
        replace(item, items=_with_drawings(item.items, new)) if isinstance(item, Group)
        else replace(item, key=new.get(item.key, item.key)) if isinstance(item, PlacedDrawing)
        else item
        for item in items
    )  # fmt: skip


def _written(pages: SetPages) -> bytes:
    if pages.depends_on_cards:
        raise ValueError("what cards say is in no key")
    return _plain_form.write(pages)


_plain_form = form_of(SetPages)
PAGES = Form(_written, _plain_form.read)
