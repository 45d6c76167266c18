"""The parts of a rules page around its columns: the title block, the footers, lines for notes.

And pages that the program writes itself, in the game's theme: blocks as in a rules sheet, and rows with small cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Drawing, Frame, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import Matrix, Rect, Size, box_of_points, rect_around, translation
from duckpress.core.language import program
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem, Source, has_errors
from duckpress.core.sizes import Format
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.layout import (
    ArtShelf,
    Batch,
    KnownFaces,
    LaidOut,
    PictureData,
    Theme,
    Wanted,
    face_drawing,
    lay_out_pieces,
    look_of,
    trim_path,
)
from duckpress.layout.rulebook.block_setting import BlockSetting, PictureRow, with_rules_roles
from duckpress.layout.rulebook.columns import Section, shifted
from duckpress.layout.rulebook.figures import FACE_EDGE
from duckpress.layout.rulebook.filling import FilledLine, read_front
from duckpress.layout.rulebook.kept_settings import KeptSettings
from duckpress.layout.rulebook.pages import Page, PageShape, make_pages
from duckpress.model import Card, Deck, Field, FieldKind, Game, Piece, Value
from duckpress.text import Typesetter
from duckpress.text.fonts import FontLibrary

_HEAD = "rules-head"
_HEAD_GAP_MM = 6.0
_HEAD_LENIENCE = 0.6  # how much smaller than on a large page its words may be set on a small one
_HEAD_NARROW_MM = 170.0
_FOOT_BASELINE_MM = 2.2  # above the edge of the printable page
_FOOT_LINE_MM = 4.2  # above that
_PAGE_NUMBER_MM = 12.0
_HAIR_MM = 0.2
_WHITE = "#ffffff"
_NOTE_LINE_MM = 8.5
_ENDLESS_MM = 40_000.0
_SENTENCE_END = re.compile(r"(?<=\w\w[.!?…])\s+(?=[^\W\d_])")  # not behind initials


class TitleBlock(Struct, frozen=True):
    """The title block of a sheet: its items, the top of the columns below, and its layout with its art."""

    items: tuple[Item, ...]
    end_mm: float
    laid_out: LaidOut


def span(counts: Sequence[int]) -> str:
    """Return player counts in words: `2–4`, or `2, 4`."""
    if len(counts) > 1 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))


class PageSetter:
    """The common parts of pages of rules and leaflets: theme and art, title blocks, footers and lines for notes.

    What is wrong with them is gathered in `problems`, what they place in `drawings` and `pictures`.
    """

    def __init__(
        self, workspace: Workspace, game: Game, piece: Piece, theme: Theme, fonts: FontLibrary, ink: str,
        memo: Memo | None = None,
    ) -> None:  # fmt: skip
        self._memo = memo or Memo()
        self.problems: list[Problem] = []
        self.drawings: dict[str, Drawing] = {}
        self.pictures: dict[str, PictureData] = {}
        self._workspace = workspace
        self._game = game
        self._piece = piece
        self._fonts = fonts
        self._ink = ink
        self._theme = with_rules_roles(theme)
        self._look = look_of(self._theme, ink)
        self._art = ArtShelf(workspace, game.folder, self._look, fonts)
        is_mirrored = self._is_mirrored = game.speech.is_mirrored
        self._typesetter = Typesetter(
            fonts, self._art.icon, game.language, names_emoji=False, is_mirrored=is_mirrored, is_from_right=is_mirrored
        )
        self._as_made: list[Item] = []  # what a layout has made, which is not mirrored

    def keep(self, piece: LaidOut) -> None:
        """Keep the art of a piece's faces."""
        self.drawings |= piece.drawings
        self.pictures |= piece.pictures

    def _setting(
        self, scale: float, picture_row: PictureRow | None = None, kept: KeptSettings | None = None
    ) -> BlockSetting:
        names = self._art.icon_names()
        return BlockSetting(self._typesetter, self._look, names, self.problems, scale, picture_row, kept)

    def _title_blocks(self, shapes: Sequence[PageShape], subtitle: str | None, height_mm: float) -> list[TitleBlock]:
        """Return the title block for each page shape; by default its subtitle says that these are rules.

        The layout `rules-head` makes them as if they were cards, all together: the template is read once.
        """
        names = [_HEAD, *(f"{_HEAD}-{number}" for number in range(2, len(shapes) + 1))]
        named = list(zip(names, shapes, strict=True))
        decks = {name: self._head_deck(name, shape, subtitle, height_mm) for name, shape in named}
        with_heads = replace(self._game, decks={**self._game.decks, **decks})
        language, memo, id_ = self._game.language, self._memo, self._game.id
        slot = _HEAD, id_, self._piece.id, language, self._ink
        known, looks, codes = KnownFaces(memo.pack(*slot)), memo.pack("looks", id_), memo.pack("codes", id_)
        wanted = [Wanted(self._piece._replace(decks=(name,)), self._sized(shape), {}, known) for name, shape in named]
        batch = Batch(
            self._workspace, with_heads, self._fonts, None, language, self._ink, wanted, looks, codes, memo
        )  # fmt: skip
        blocks: list[TitleBlock] = []
        for (laid_out, problems), deck, shape in zip(lay_out_pieces(batch), decks.values(), shapes, strict=True):
            self.problems += problems
            items = laid_out.faces[0].front.items if laid_out.faces else ()
            self._as_made += items
            end_mm = deck.size.trim.height_mm + _HEAD_GAP_MM * shape.scale if laid_out.faces else 0.0
            blocks.append(TitleBlock(items, end_mm, laid_out))
        for packed in (("looks", id_), ("codes", id_)):
            memo.save(*packed)
        # What is told of one face may hold for others, which must not pass for clean ones.
        (memo.drop if has_errors(self.problems) else memo.save)(*slot)
        return blocks

    def _head_deck(self, name: str, shape: PageShape, subtitle: str | None, height_mm: float) -> Deck:
        """Return the title block of a page as a deck with one card."""
        game, speech, source = self._game, self._game.speech, Source(self._theme.source.file)
        size = Format(_HEAD, Size(shape.trim.width_mm, round(height_mm * shape.scale, 3)), 0.0, 0.0, 2.0)
        words: dict[str, Value] = {
            "subtitle": subtitle if subtitle is not None else speech.program(program.RULES),
            "byline": speech.program(program.BYLINE, {"name": game.designer}) if game.designer else "",
            "players": speech.program(program.PLAYERS, {"players": span(game.players)}),
            "inset": shape.inset_mm,
            "scale": shape.scale,
        }
        kinds = {name: FieldKind.TEXT if isinstance(value, str) else FieldKind.NUMBER for name, value in words.items()}
        fields = {name: Field(name, kind, source) for name, kind in kinds.items()}
        card = Card(_HEAD, _HEAD, words, 1, source, {})
        return Deck(name, self._piece.title, fields, (card,), _HEAD, _HEAD, None, False, False, source, {}, size)

    def _sized(self, shape: PageShape) -> Theme:
        """Return the theme with the title's words scaled to the size of the block."""
        if shape.trim.width_mm >= _HEAD_NARROW_MM:
            return self._theme
        styles = dict(self._theme.styles)
        for name in ("rules-title", "rules-subtitle"):
            rule, style = styles[name], self._look.styles[name]
            sizes = {"size": style.size_pt * shape.scale, "min": style.min_pt * shape.scale * _HEAD_LENIENCE}
            styles[name] = rule._replace(values={**rule.values, **sizes})
        return replace(self._theme, styles=styles)

    def _finished(self, pages: Sequence[Page], setting: BlockSetting, shape: PageShape) -> tuple[Frame, ...]:
        """Return the pages as frames, with a background unless it is white.

        Their footers say what the sheet is and whose the game is, and the page, on the outer side.
        """
        style, typesetter = setting.style("rules-footer"), setting.typesetter
        version = f"{self._game.title} {self._game.version}"
        sentence = _SENTENCE_END.split(" ".join(self._game.licence.split()), maxsplit=1)[0]
        words = typesetter.line(f"{version}  ·  {sentence}" if sentence else version, style)
        if words.width_mm > shape.text_mm - _PAGE_NUMBER_MM:
            words = typesetter.line(version, style)
        y_mm = shape.trim.height_mm - _FOOT_BASELINE_MM
        left_mm, right_mm = shape.inset_mm, shape.trim.width_mm - shape.inset_mm
        hair = setting.bar(left_mm, y_mm - _FOOT_LINE_MM, shape.text_mm, _HAIR_MM, "rules-line")
        ground: tuple[Item, ...] = ()
        if self._look.palette["rules-paper"] != _WHITE:
            colour = Paint(fill=self._look.palette["rules-paper"])
            ground = (Outline(rectangle(0.0, 0.0, *shape.trim, 0.0), colour),)
        frames = []
        for number, page in enumerate(pages, 1):
            figures = typesetter.line(f"{number} / {len(pages)}", style._replace(weight="bold"))
            is_left = number % 2 == 0
            footer = shifted(words.items, right_mm - words.width_mm if is_left else left_mm, y_mm)
            footer += shifted(figures.items, left_mm if is_left else right_mm - figures.width_mm, y_mm)
            shown: Sequence[Item] = (*page.items, hair, *footer)
            if self._is_mirrored:  # all but the title block
                made, drawings, width_mm = set(map(id, self._as_made)), self._placed_drawings(), shape.trim.width_mm
                shown = [item if id(item) in made else mirrored(item, width_mm, drawings) for item in shown]
            frames.append(Frame(shape.trim, 0.0, (*ground, *shown)))
        return tuple(frames)

    def _placed_drawings(self) -> Mapping[str, Drawing]:
        return self._art.drawings | self.drawings

    def _notes_page(self, setting: BlockSetting, shape: PageShape) -> list[Item]:
        """Return the items of a booklet's spare page: lines for notes."""
        words = self._game.speech.program(program.NOTES)
        head, used_mm = setting.stack([(words, setting.style("rules-h2"))], shape.text_mm, Source(""))
        items = list(shifted(head, shape.inset_mm, shape.top_mm))
        y_mm = shape.top_mm + used_mm
        while (y_mm := y_mm + _NOTE_LINE_MM) < shape.trim.height_mm - shape.foot_mm:
            items.append(setting.bar(shape.inset_mm, y_mm, shape.text_mm, _HAIR_MM, "rules-line"))
        return items


Compose = Callable[[BlockSetting, PageShape], Sequence[Section]]
"""Gives what stands on the pages under the title block, for a shape of page."""


class Leaflet(PageSetter):
    """Makes pages; keeps the faces shown on them, with all their art."""

    def pages(self, shape: PageShape, subtitle: str, compose: Compose) -> tuple[Frame, ...]:
        """Return the pages of a shape."""
        (head,) = self._title_blocks([shape], subtitle, head_mm_of(self._game))
        self.keep(head.laid_out)
        setting = self._setting(shape.scale)
        pages, _ = make_pages(compose(setting, shape), shape, head.items, head.end_mm)
        if shape.trim.height_mm >= _ENDLESS_MM:
            filled_mm = round(pages[0].filled_mm + shape.foot_mm + 2.0, 2)
            shape = shape._replace(trim=Size(shape.trim.width_mm, filled_mm))
        self.drawings |= self._art.drawings
        self.pictures |= self._art.pictures
        return self._finished(pages, setting, shape)

    def endless(self, shape: PageShape, subtitle: str, compose: Compose) -> Frame:
        """Return one page as high as its content."""
        return self.pages(shape._replace(trim=Size(shape.trim.width_mm, _ENDLESS_MM)), subtitle, compose)[0]

    def small(self, frame: Frame, format_: Format, room: Rect) -> list[Item]:
        """Return a face scaled to fit a box, in the box's middle, with its corners and an edge."""
        trim = frame.trim
        scale = min(room.width_mm / trim.width_mm, room.height_mm / trim.height_mm)
        size = Size(round(trim.width_mm * scale, 3), round(trim.height_mm * scale, 3))
        x_mm = round(room.x_mm + (room.width_mm - size.width_mm) / 2, 4)
        y_mm = round(room.y_mm + (room.height_mm - size.height_mm) / 2, 4)
        drawing = face_drawing(frame, format_)
        self.drawings[drawing.key] = drawing
        return [
            PlacedDrawing(drawing.key, Matrix(round(scale, 6), 0.0, 0.0, round(scale, 6), x_mm, y_mm)),
            Outline(trim_path(format_, Rect(x_mm, y_mm, *size)), FACE_EDGE),
        ]

    def laid_out(self, pages: dict[str, tuple[Frame, ...]]) -> LaidOut:
        """Return the pages as a piece for reading, with all their art."""
        return LaidOut(self._piece, (), dict(self.drawings), dict(self.pictures), (), pages)


def leaflet_piece(game: Game, id_: str, title: str) -> Piece:
    """Return the piece for such pages, in the theme of the game's rules or of its first piece."""
    like = next((piece for piece in game.pieces if piece.book), game.pieces[0])
    return like._replace(id=id_, title=title, decks=(), instead_of=None, scale=1.0, book="sheet")


def escaped(words: str) -> str:
    """Return words as markup that shows them as they are: signs of markup are escaped."""
    return "".join(f"\\{letter}" if letter in "\\*{}<" else letter for letter in words)


def head_mm_of(game: Game) -> float:
    """Return the height of the title block, from the game's rules."""
    written = next(iter(game.rules.values()), None)
    lines = [] if written is None else [FilledLine(text, at) for at, text in enumerate(written.text.split("\n"), 1)]
    return read_front(lines, "")[0].head_mm


def mirrored(item: Item, edges_mm: float, drawings: Mapping[str, Drawing]) -> Item:
    """Return an item mirrored: as far from the right edge as it was from the left; `edges_mm` is the sum of both."""
    if isinstance(item, Outline):
        return replace(item, path=item.path.mapped(Matrix(-1.0, 0.0, 0.0, 1.0, edges_mm, 0.0)))
    box = _box_of(item, drawings)
    if isinstance(item, Text | Picture):
        return replace(item, x_mm=round(edges_mm - box.right_mm, 4))
    a, b, c, d, e, f = translation(edges_mm - box.right_mm - box.x_mm, 0.0).after(item.matrix)
    return replace(item, matrix=Matrix(a, b, c, d, round(e, 4), f))


def _box_of(item: Item, drawings: Mapping[str, Drawing]) -> Rect:
    if isinstance(item, Text):
        return Rect(item.x_mm, item.y_mm, item.width_mm, 0.0)
    if isinstance(item, Picture):
        return Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm)
    if isinstance(item, PlacedDrawing):
        return item.matrix.around(drawings[item.key].box)
    if isinstance(item, Outline):
        numbers = item.path.numbers
        return box_of_points(zip(numbers[::2], numbers[1::2], strict=True))
    return item.matrix.around(rect_around([_box_of(inner, drawings) for inner in item.items]))
