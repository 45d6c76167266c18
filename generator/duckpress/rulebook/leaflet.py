"""Pages that the program writes itself, in the game's theme: blocks as in a rules sheet, and rows with small cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem
from duckpress.core.sizes import Format
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import LaidOut, PictureData, Theme
from duckpress.model import Game, Piece
from duckpress.rulebook.markdown.filling import FilledLine, read_front
from duckpress.rulebook.setting.columns import Section
from duckpress.rulebook.setting.figures import FigureShelf
from duckpress.rulebook.setting.furniture import PageSetter
from duckpress.rulebook.setting.pages import PageShape, make_pages
from duckpress.rulebook.setting.setting import BlockSetting

_EDGE_MM = 0.2
_ENDLESS_MM = 40_000.0

Compose = Callable[[BlockSetting, PageShape], Sequence[Section]]
"""Gives what stands on the pages under the title block, for a shape of page."""


class Leaflet(PageSetter):
    """Makes pages; the faces shown small on them are kept in `drawings` and `pictures`, with all they place."""

    def __init__(
        self, workspace: Workspace, game: Game, piece: Piece, theme: Theme, fonts: FontLibrary, problems: list[Problem],
        ink: str = "color",
    ) -> None:  # fmt: skip
        super().__init__(workspace, game, piece, theme, fonts, ink)
        self.problems = problems
        self.drawings: dict[str, Drawing] = {}
        self.pictures: dict[str, PictureData] = {}

    def pages(self, shape: PageShape, subtitle: str, compose: Compose) -> tuple[Frame, ...]:
        """Return the pages of a shape."""
        (head,) = self._title_blocks([shape], subtitle, head_mm_of(self._game))
        self.drawings |= head.laid_out.drawings
        self.pictures |= head.laid_out.pictures
        ink = self._look.palette["rules-ink"]
        figures = FigureShelf(self._game, self._art, lambda _deck, _card: None, ink, self.problems)
        setting = self._setting(figures, shape.scale)
        sections = [section for section in compose(setting, shape) if section.slugs]
        pages, _ = make_pages(sections, shape, head.items, head.end_mm)
        if shape.trim.height_mm >= _ENDLESS_MM:
            filled_mm = round(pages[0].filled_mm + shape.foot_mm + 2.0, 2)
            shape = shape._replace(trim=Size(shape.trim.width_mm, filled_mm))
        self.drawings |= self._art.drawings
        self.pictures |= self._art.pictures
        return self._finished(pages, setting, shape)

    def endless(self, shape: PageShape, subtitle: str, compose: Compose) -> Frame:
        """Return one page as high as it has to be."""
        return self.pages(shape._replace(trim=Size(shape.trim.width_mm, _ENDLESS_MM)), subtitle, compose)[0]

    def keep(self, one: LaidOut) -> None:
        """Keep what the faces of a piece place."""
        self.drawings |= one.drawings
        self.pictures |= one.pictures

    def small(self, frame: Frame, format_: Format, room: Rect) -> list[Item]:
        """Return a face as large as a room lets it be, in the room's middle, with its corners and an edge."""
        trim = frame.trim
        scale = min(room.width_mm / trim.width_mm, room.height_mm / trim.height_mm)
        size = Size(round(trim.width_mm * scale, 3), round(trim.height_mm * scale, 3))
        x_mm = round(room.x_mm + (room.width_mm - size.width_mm) / 2, 4)
        y_mm = round(room.y_mm + (room.height_mm - size.height_mm) / 2, 4)
        corner_mm = min(trim) / 2 if format_.is_round else min(format_.corner_mm, min(trim) / 2)
        outline = rectangle(0.0, 0.0, *trim, corner_mm)
        drawing = Drawing(Rect(0.0, 0.0, *trim), (Group(frame.items, clip=outline),))
        self.drawings[drawing.key] = drawing
        edge = rectangle(x_mm, y_mm, *size, corner_mm * scale)
        return [
            PlacedDrawing(drawing.key, Matrix(round(scale, 6), 0.0, 0.0, round(scale, 6), x_mm, y_mm)),
            Outline(edge, Paint(stroke="#000000", stroke_mm=_EDGE_MM, stroke_opacity=0.45)),
        ]

    def laid_out(self, piece: Piece, pages: dict[str, tuple[Frame, ...]]) -> LaidOut:
        """Return the pages as a piece that is read, with everything they place."""
        return LaidOut(piece, (), dict(self.drawings), dict(self.pictures), (), pages)


def leaflet_piece(game: Game, id_: str, title: str) -> Piece:
    """Return the piece that such pages are printed as, in the theme of the game's rules or of its first piece."""
    like = next((piece for piece in game.pieces if piece.book), game.pieces[0])
    return like._replace(id=id_, title=title, decks=(), instead_of=None, scale=1.0, book="sheet")


def escaped(words: str) -> str:
    """Return words as markup that shows them as they are."""
    return "".join(f"\\{letter}" if letter in "\\*{}<" else letter for letter in words)


def head_mm_of(game: Game) -> float:
    """Return the height of the title block: the one that the game's rules ask for."""
    written = next(iter(game.rules.values()), None)
    lines = [] if written is None else [FilledLine(text, at) for at, text in enumerate(written.text.split("\n"), 1)]
    return read_front(lines, "")[0].head_mm
