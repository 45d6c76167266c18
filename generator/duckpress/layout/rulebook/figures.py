"""Pictures of a rules sheet: the faces of the game's own cards, reduced, and its art and icons."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from duckpress.core.frame import Drawing, Group, Item, Outline, Paint, Picture, PlacedDrawing
from duckpress.core.geometry import MM_PER_INCH, Matrix, Rect, Size, added, rotation, scaling, translation
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.core.sizes import Format
from duckpress.files.workspace import Refused
from duckpress.layout import (
    ArtShelf,
    Face,
    LaidOut,
    NotShown,
    PictureData,
    VectorArt,
    face_drawing,
    shown_card,
    trim_path,
)
from duckpress.layout.rulebook.blocks import PictureBlock, Pictures
from duckpress.layout.rulebook.columns import Slug, shifted
from duckpress.layout.rulebook.word_setting import WordSetting
from duckpress.model import Game

_GAP_MM = 4.0
_CAPTION_GAP_MM = 1.2
_BESIDE_GAP_MM = 4.0
_BESIDE_SHARE = 0.55  # a single picture narrower than this share of its column has its caption beside it
FACE_EDGE = Paint(stroke="#000000", stroke_mm=0.2, stroke_opacity=0.45)
_ICON_MM = 8.0
_TALLEST_MM = 150.0
_ART_DPI = 300  # at which a picture without a size is printed

FaceOf = Callable[[str, str], tuple[Face, LaidOut] | None]
"""Finds a card's face by deck and card, and the piece it was laid out in; None where it could not be laid out."""


class _Shown(Struct, frozen=True):
    """A placeable picture: its own size, and its items from its own top left."""

    size: Size
    items: tuple[Item, ...]
    format: Format | None  # of a face, whose edge is drawn


class FigureShelf:
    """Finds pictures and keeps their art for printing: `drawings` and `pictures` by key."""

    def __init__(self, game: Game, art: ArtShelf, face_of: FaceOf, ink: str, problems: list[Problem]) -> None:
        self.drawings: dict[str, Drawing] = {}
        self.pictures: dict[str, PictureData] = {}
        self.faces: dict[str, tuple[str, bool, str]] = {}  # of a drawing: the card, whether it is its back, the hash
        self._game = game
        self._art = art
        self._face_of = face_of
        self._ink = ink
        self._problems = problems
        self._shown: dict[tuple[str, str], _Shown | None] = {}

    def row(self, pictures: Pictures, setting: WordSetting, width_mm: float) -> Slug | None:
        """Return pictures side by side in a column, their captions under them (beside a single narrow one)."""
        shown = [(picture, image) for picture in pictures.pictures if (image := self._find(picture)) is not None]
        if not shown:
            return None
        sizes = [_size_of(picture, image.size) for picture, image in shown]
        fit = min(1.0, (width_mm - _GAP_MM * (len(sizes) - 1)) / added(size.width_mm for size in sizes))
        sizes = [Size(round(size.width_mm * fit, 3), round(size.height_mm * fit, 3)) for size in sizes]
        if len(shown) == 1 and shown[0][0].caption and sizes[0].width_mm < width_mm * _BESIDE_SHARE:
            return self._beside(*shown[0], sizes[0], setting, width_mm)
        share_mm = (width_mm - added(size.width_mm for size in sizes)) / len(sizes)
        items: list[Item] = []
        x_mm, height_mm = 0.0, max(size.height_mm for size in sizes)
        total_mm = height_mm
        for (picture, image), size in zip(shown, sizes, strict=True):
            cell_mm = size.width_mm + share_mm
            y_mm = height_mm - size.height_mm
            items += _placed_items(image, size, picture.turn_degrees, x_mm + share_mm / 2, y_mm)
            if picture.caption:
                room_mm = cell_mm - (_GAP_MM / 2 if len(sizes) > 1 else 0.0)
                style = setting.style("rules-caption")._replace(align="center")
                own, used_mm = setting.stack([(picture.caption, style)], room_mm, picture.source)
                items += shifted(own, x_mm + (cell_mm - room_mm) / 2, height_mm + _CAPTION_GAP_MM)
                total_mm = max(total_mm, height_mm + _CAPTION_GAP_MM + used_mm)
            x_mm += cell_mm
        return Slug(total_mm, tuple(items))

    def _beside(self, picture: PictureBlock, image: _Shown, size: Size, setting: WordSetting, width_mm: float) -> Slug:
        left_mm = size.width_mm + _BESIDE_GAP_MM
        style = setting.style("rules-caption")._replace(align="left")
        own, used_mm = setting.stack([(picture.caption, style)], width_mm - left_mm, picture.source)
        height_mm = max(size.height_mm, used_mm)
        items = _placed_items(image, size, picture.turn_degrees, 0.0, (height_mm - size.height_mm) / 2)
        items += shifted(own, left_mm, (height_mm - used_mm) / 2)
        return Slug(height_mm, tuple(items))

    def _find(self, picture: PictureBlock) -> _Shown | None:
        key = (picture.kind, picture.name)
        if key not in self._shown:
            makers = {"art": self._drawn, "icon": self._icon}
            self._shown[key] = makers.get(picture.kind, self._face)(picture)
        return self._shown[key]

    def _face(self, picture: PictureBlock) -> _Shown | None:
        """Return a card's front or back. Problems: `unknown-deck`, `unknown-card`, `no-back`."""
        shown = shown_card(self._game.decks, picture.name, is_back=picture.kind == "back")
        if isinstance(shown, NotShown):
            self._say(shown.code, picture.source, shown.what, shown.fix)
            return None
        deck, card_id = shown
        laid_out = self._face_of(deck.id, card_id)
        if laid_out is None:
            return None  # why it could not be laid out is told where the deck is
        face, piece = laid_out
        frame = face.back if picture.kind == "back" and face.back is not None else face.front
        self.drawings.update(piece.drawings)
        self.pictures.update(piece.pictures)
        drawing = face_drawing(frame, face.format)
        self.drawings[drawing.key] = drawing
        self.faces[drawing.key] = f"{deck.id}/{card_id}", frame is face.back, frame.hash
        return _Shown(frame.trim, (PlacedDrawing(drawing.key, Matrix()),), face.format)

    def _drawn(self, picture: PictureBlock) -> _Shown | None:
        """Return a file of art. Problem: `missing-art`."""
        art = self._art.find(picture.name)
        if isinstance(art, Refused):
            fix = self._art.missing_fix(picture.name) if art.code == "missing-file" else art.fix
            self._say("missing-art", picture.source, f"there is no art {picture.name!r}", fix)
            return None
        if art is None:
            return None
        if isinstance(art, VectorArt):
            drawing = self._art.drawing(art)
            self.drawings[drawing.key] = drawing
            box = drawing.box
            at = translation(-box.x_mm, -box.y_mm)
            return _Shown(Size(box.width_mm, box.height_mm), (PlacedDrawing(drawing.key, at),), None)
        self.pictures[art.key] = art
        size = Size(art.width_px * MM_PER_INCH / _ART_DPI, art.height_px * MM_PER_INCH / _ART_DPI)
        return _Shown(size, (Picture(art.key, 0.0, 0.0, *size),), None)

    def _icon(self, picture: PictureBlock) -> _Shown | None:
        """Return an icon. Problem: `unknown-icon`."""
        icon = self._art.icon(picture.name, self._ink)
        if icon is None:
            fix = did_you_mean(picture.name, self._art.icon_names())
            self._say("unknown-icon", picture.source, f"there is no icon {picture.name!r}", fix)
            return None
        self.drawings[icon.key] = self._art.drawings[icon.key]
        matrix = icon.matrix(0.0, 0.0, _ICON_MM)
        return _Shown(Size(_ICON_MM * icon.aspect, _ICON_MM), (PlacedDrawing(icon.key, matrix),), None)

    def _say(self, code: str, source: Source, what: str, fix: str) -> None:
        problem = Problem(code, source, what, fix)
        if problem not in self._problems:
            self._problems.append(problem)


def _size_of(picture: PictureBlock, own: Size) -> Size:
    """Return the size of a picture; missing dimensions keep its proportions."""
    size = own.turned() if picture.turn_degrees in (90, 270) else own
    limits = (picture.width_mm, size.width_mm), (picture.height_mm, size.height_mm)
    scales = [limit_mm / own_mm for limit_mm, own_mm in limits if limit_mm is not None]
    scale = min(*(scales or [1.0]), _TALLEST_MM / size.height_mm)
    return Size(size.width_mm * scale, size.height_mm * scale)


def _placed_items(image: _Shown, size: Size, turn_degrees: int, x_mm: float, y_mm: float) -> list[Item]:
    """Return a picture at a place and size; a face gets an edge, because cards are as light as the paper."""
    across, down = image.size.turned() if turn_degrees in (90, 270) else image.size
    scale = size.width_mm / across
    inner = rotation(turn_degrees, image.size.width_mm / 2, image.size.height_mm / 2)
    shift = translation((across - image.size.width_mm) / 2, (down - image.size.height_mm) / 2)
    matrix = scaling(scale).after(shift).after(inner)
    a, b, c, d, e, f = translation(x_mm, y_mm).after(matrix)
    exact = Matrix(round(a, 6), round(b, 6), round(c, 6), round(d, 6), round(e, 4), round(f, 4))
    items: list[Item] = []
    for item in image.items:
        if isinstance(item, PlacedDrawing):
            items.append(PlacedDrawing(item.key, exact.after(item.matrix) if item.matrix != Matrix() else exact))
        else:
            items.append(Group((item,), exact))
    if image.format is not None:
        edge = image.format.turned() if turn_degrees in (90, 270) else image.format
        items.append(Outline(trim_path(edge, Rect(x_mm, y_mm, *size)), FACE_EDGE))
    return items
