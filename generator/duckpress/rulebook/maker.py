"""The blocks of a sheet -> its pages, on one paper after the other; and the art that they place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from duckpress.core.frame import Drawing, Frame
from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.files.recording import Answers, merged
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import ArtShelf, PictureData, Theme, look_of
from duckpress.model import Game, Piece
from duckpress.rulebook.markdown.blocks import Block, Pictures, RulesSheet, TableBlock
from duckpress.rulebook.setting.columns import Section
from duckpress.rulebook.setting.figures import FaceOf, FigureShelf
from duckpress.rulebook.setting.furniture import Title, TitleBlock, footer_of, notes_page, title_blocks
from duckpress.rulebook.setting.pages import Page, PageShape, finished, last_share, make_pages
from duckpress.rulebook.setting.roles import with_rules_roles
from duckpress.rulebook.setting.setting import BlockSetting
from duckpress.rulebook.setting.word_setting import needs_more_mm
from duckpress.text import Typesetter

# A last page with less on it than this share is worth setting everything a little smaller, if that saves it. By eye.
_POOR_SHARE = 0.38
_SMALLER = (0.975, 0.95, 0.925)
_SIGNATURE = 4  # pages of a folded sheet


class RulesPrint(Struct, frozen=True):
    """How a rules sheet is to be printed: theme, ink, papers, and the copies that are printed of each card."""

    theme: Theme
    ink: str
    papers: tuple[Paper, ...]
    copies: Mapping[tuple[str, str], int]


class PageMaker:
    """Makes the pages of one sheet, on one paper after the other; the title blocks of all come first."""

    def __init__(
        self, workspace: Workspace, game: Game, piece: Piece, fonts: FontLibrary, face_of: FaceOf, how: RulesPrint,
        problems: list[Problem],
    ) -> None:  # fmt: skip
        self._workspace = workspace
        self._game = game
        self._piece = piece
        self._fonts = fonts
        self._ink = how.ink
        self._problems = problems
        self._theme = with_rules_roles(how.theme)
        self._look = look_of(self._theme, how.ink)
        self._art = ArtShelf(workspace, game.folder, self._look)
        self._typesetter = Typesetter(fonts, self._art.icon, game.language)
        self._figures = FigureShelf(game, self._art, face_of, self._look.palette["rules-ink"], problems)
        self._heads: list[TitleBlock] = []

    def pages(self, sheet: RulesSheet, shapes: Sequence[PageShape]) -> list[tuple[Frame, ...]]:
        """Return the pages of each shape."""
        title = Title(self._game, self._piece, self._theme, self._ink, sheet.subtitle, sheet.head_mm)
        self._heads, found = title_blocks(self._workspace, self._fonts, title, shapes)
        self._problems += found
        return [self._made(sheet, shape, head) for shape, head in zip(shapes, self._heads, strict=True)]

    def _made(self, sheet: RulesSheet, shape: PageShape, head: TitleBlock) -> tuple[Frame, ...]:
        pages, setting, over_mm = self._set(sheet, shape, head, 1.0)
        if len(pages) > 1 and last_share(pages, shape) < _POOR_SHARE:
            for scale in _SMALLER:
                fewer, smaller, over = self._set(sheet, shape, head, scale)
                if len(fewer) < len(pages):
                    pages, setting, over_mm = fewer, smaller, over
                    break
        if over_mm:
            what = f"a picture, table row or callout is {over_mm:.1f} mm higher than a whole column"
            source = next(iter(self._game.texts[self._piece.text].values())).source
            self._problems.append(Problem("text-overflow", source, what, "make it smaller, or cut it in two"))
        if self._piece.is_booklet:
            while len(pages) % _SIGNATURE:
                pages.append(pages[-1]._replace(items=notes_page(self._game, setting, shape)))
        return finished(pages, shape, footer_of(self._game, setting, shape), self._look.palette["rules-paper"])

    def answers(self) -> Answers:
        """Return what other processes asked of the workspace for the title blocks."""
        return merged(*(head.made.answers for head in self._heads))

    def art(self) -> tuple[dict[str, Drawing], dict[str, PictureData]]:
        """Return the drawings and pictures that the pages place, and report what was wrong with their files."""
        self._problems += self._art.problems
        drawings, pictures = dict(self._figures.drawings), dict(self._figures.pictures)
        for one in self._heads:
            drawings |= one.made.drawings
            pictures |= one.made.pictures
        return drawings | self._art.drawings, pictures | self._art.pictures

    def _set(
        self, sheet: RulesSheet, shape: PageShape, head: TitleBlock, scale: float
    ) -> tuple[list[Page], BlockSetting, float]:
        setting = BlockSetting(
            self._typesetter, self._look, self._figures, self._art.icon_names(), self._problems,
            scale=shape.scale * scale,
        )  # fmt: skip
        pages, over_mm = make_pages(self._sections(sheet, shape, setting), shape, head.items, head.end_mm)
        return pages, setting, over_mm

    def _sections(self, sheet: RulesSheet, shape: PageShape, setting: BlockSetting) -> list[Section]:
        """Return the blocks as sections: what goes across all columns parts what stands in them."""
        sections: list[Section] = []
        waiting: list[Block] = []

        def close() -> None:
            if waiting:
                slugs = setting.blocks(waiting, shape.column_mm(shape.columns))
                sections.append(Section(shape.columns, tuple(slugs)))
                waiting.clear()

        for block in sheet.blocks:
            if shape.columns > 1 and self._goes_across(block, setting, shape.column_mm(shape.columns)):
                close()
                sections.append(Section(1, tuple(setting.blocks([block], shape.text_mm))))
            else:
                waiting.append(block)
        close()
        return [section for section in sections if section.slugs]

    def _goes_across(self, block: Block, setting: BlockSetting, column_mm: float) -> bool:
        """Return whether a block takes the whole width: where it is asked to, and a table too wide for a column."""
        if isinstance(block, Pictures):
            return block.is_wide
        return isinstance(block, TableBlock) and (block.is_wide or needs_more_mm(block, setting, column_mm))
