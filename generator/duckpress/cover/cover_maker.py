"""A bundle of sheets -> the pages of its cover sheet, set as rules are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.cover.cover_setting import CoverSetting
from duckpress.cover.facts import CoverPart, How, Printed, Wording, part_of
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.language import program
from duckpress.layout import LaidOut, Theme
from duckpress.model import Game, Piece
from duckpress.rulebook.markdown.blocks import Directive, Entries, Items, Prose
from duckpress.rulebook.markdown.generated import GeneratedBlocks
from duckpress.rulebook.setting.columns import Section, Slug
from duckpress.rulebook.setting.furniture import PageSetter, head_mm_of
from duckpress.rulebook.setting.pages import PageShape, make_pages, shape_of

COVER = "cover"
_COLUMNS = 2
# On one page, if that can be had with smaller pictures and words not much smaller; else on the two of a sheet: the most
# pages, the scale of everything, and the longer side of the sheets' pictures in millimetres.
_SIZES = (
    (1, 1.0, 36.0), (1, 0.95, 31.0), (1, 0.92, 29.0), (1, 0.9, 27.0), (1, 0.86, 26.0),
    (2, 1.0, 38.0), (2, 0.95, 34.0), (2, 0.9, 30.0), (2, 0.85, 28.0),
)  # fmt: skip


Components = tuple[tuple[tuple[str, str], ...], str]
"""Counts of components with their words, and what is printed as needed."""


class CoverMaker(PageSetter):
    """Makes the cover sheets of one game in one language and ink."""

    def __init__(
        self,
        workspace: Workspace,
        game: Game,
        theme: Theme,
        fonts: FontLibrary,
        ink: str,
        copies: Mapping[tuple[str, str], int],
    ) -> None:
        title = game.speech.program(program.COVER)
        piece = Piece(COVER, title, (), game.theme or theme.name, game.source, book=COVER)
        super().__init__(workspace, game, piece, theme, fonts, ink)
        self._copies = copies

    def cover(self, printed: Sequence[Printed], how: How, *, is_double_sided: bool) -> LaidOut:
        """Return the cover sheet of a file in which these sheets follow it.

        `is_double_sided` says that each sheet of the file takes two pages. The cover tells on which pages of the file
        everything is, and its own length is among them: it is made again where it came out longer than was thought.
        """
        a_sheet = 2 if is_double_sided else 1
        own_pages = a_sheet
        while True:
            cover = self._cover(printed, how, own_pages, a_sheet)
            taken = -(-len(cover.pages[how.paper.name]) // a_sheet) * a_sheet
            if taken <= own_pages:
                return cover
            own_pages = taken

    def _cover(self, printed: Sequence[Printed], how: How, own_pages: int, a_sheet: int) -> LaidOut:
        """Return the cover sheet if it takes so many pages itself."""
        parts: list[CoverPart] = []
        at = own_pages
        for one in printed:
            if one.sheets:
                parts.append(part_of(self._game, one, at, a_sheet))
                at = parts[-1].last_page
        shape = shape_of(how.paper, _COLUMNS, is_folded=False)
        words = self._game.speech.program(program.COVER_HEAD)
        (head,) = self._title_blocks([shape], words, head_mm_of(self._game))
        components = self._components()
        # A small paper takes as many pages as it needs, set as small as may be.
        for most_pages, scale, picture_mm in _SIZES:
            scale *= shape.scale
            setting = self._setting(scale)
            cover = CoverSetting(setting, Wording(self._game.speech, how), self._game.at("title"), scale, picture_mm)
            pages, over_mm = make_pages(self._sections(parts, components, cover, shape), shape, head.items, head.end_mm)
            if len(pages) <= most_pages and not over_mm:
                break
        frames = self._finished(pages, setting, shape)
        drawings = head.laid_out.drawings | cover.drawings | self._art.drawings
        pictures = head.laid_out.pictures | self._art.pictures
        for piece in (piece for one in printed for piece in one.pieces):
            drawings = {**piece.drawings, **drawings}
            pictures = {**piece.pictures, **pictures}
        pages_of = {how.paper.name: frames}
        return LaidOut(self._piece, (), drawings, pictures, (), pages_of)

    def _sections(
        self, parts: Sequence[CoverPart], components: Components, cover: CoverSetting, shape: PageShape
    ) -> list[Section]:
        wording = cover.wording
        wide_mm, column_mm = shape.text_mm, shape.column_mm(shape.columns)
        top = [
            *cover.sums(wording.sums(parts), wide_mm),
            *cover.heading(program.COVER_PRINT, wide_mm),
            *cover.steps(wording.steps(parts), wide_mm),
            *_led(cover.heading(program.COVER_PARTS, wide_mm)),
            *_led(cover.words(wording.legend(parts), wide_mm, "rules-small")),
        ]
        middle = [cover.part(part, column_mm) for part in parts]
        counts, as_needed = components
        supplies = [("", words) for words in (*self._game.bring, *wording.supplies(parts))]
        lists = [
            *cover.ticks(counts, column_mm),
            *(cover.words(as_needed, column_mm) if as_needed else ()),
            *_led(cover.words(f"**{self._game.speech.program(program.BRING)}**", column_mm)),
            *cover.ticks(supplies, column_mm),
        ]
        check = _led(cover.heading(program.COVER_CHECK, wide_mm))
        if shape.columns == 1:
            # All in one, so that no heading stands alone at the foot of a page.
            return [Section(1, (*top, *middle, *check, *lists))]
        in_turn = ((1, top), (shape.columns, middle), (1, check), (shape.columns, lists))
        return [Section(columns, tuple(slugs)) for columns, slugs in in_turn]

    def _components(self) -> Components:
        """Return the components as the rules sheet lists them: counts, and what is printed as needed."""
        directive = Directive("components", "", False, {}, self._game.at("title"))
        blocks = GeneratedBlocks(self._game, {}, self._copies).blocks([directive])
        entries = tuple(entry for block in blocks if isinstance(block, Entries) for entry in block.entries)
        words = [block.text for block in blocks if isinstance(block, Prose)]
        if any(isinstance(block, Items) for block in blocks):
            words.pop()
        return entries, " ".join(words)


def _led(slugs: list[Slug]) -> list[Slug]:
    """Return slugs that no page or column ends behind."""
    return [slug._replace(keeps_next=True) for slug in slugs]
