"""A bundle of sheets -> the pages of its cover sheet, set as rules are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.core.frame import Drawing, Frame
from duckpress.cover.cover_setting import CoverContents, CoverSetting, CoverSizes
from duckpress.cover.facts import Printed, part_of
from duckpress.cover.wording import How, Wording
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.language import program
from duckpress.layout import LaidOut, PictureData, Theme
from duckpress.model import Game, Piece
from duckpress.rulebook.leaflet import head_mm_of
from duckpress.rulebook.markdown.blocks import Directive, Entries, Items, Pictures, Prose
from duckpress.rulebook.markdown.generated import GeneratedBlocks
from duckpress.rulebook.setting.columns import Section, Slug
from duckpress.rulebook.setting.furniture import PageSetter
from duckpress.rulebook.setting.pages import PageShape, make_pages, shape_of
from duckpress.rulebook.setting.setting import BlockSetting
from duckpress.rulebook.setting.word_setting import WordSetting

COVER = "cover"
_COLUMNS = 2
# On one page, if that can be had with smaller pictures and words not much smaller; else on the two of a sheet.
_ONE_PAGE = (
    CoverSizes(1.0, 36.0),
    CoverSizes(0.95, 31.0),
    CoverSizes(0.92, 29.0),
    CoverSizes(0.9, 27.0),
    CoverSizes(0.86, 26.0),
)
_TWO_PAGES = (CoverSizes(1.0, 38.0), CoverSizes(0.95, 34.0), CoverSizes(0.9, 30.0), CoverSizes(0.85, 28.0))


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
            frames, drawings, pictures, answers = self._made(printed, how, own_pages, a_sheet)
            taken = -(-len(frames) // a_sheet) * a_sheet
            if taken <= own_pages:
                return LaidOut(self._piece, (), drawings, pictures, (), {how.paper.name: frames}, answers=answers)
            own_pages = taken

    def _made(
        self, printed: Sequence[Printed], how: How, own_pages: int, a_sheet: int
    ) -> tuple[tuple[Frame, ...], dict[str, Drawing], dict[str, PictureData], Mapping[str, str]]:
        parts = []
        at = own_pages
        for one in printed:
            if one.sheets:
                parts.append(part_of(self._game, one, at, a_sheet))
                at = parts[-1].last_page
        bundle = CoverContents(tuple(parts), *self._components())
        shape = shape_of(how.paper, _COLUMNS, is_folded=False)
        words = self._game.speech.program(program.COVER_HEAD)
        (head,) = self._title_blocks([shape], words, head_mm_of(self._game))
        made = None
        for wanted, ways in ((1, _ONE_PAGE), (2, _TWO_PAGES)):
            for seats in ways:
                setting, cover, sections = self._sections(bundle, how, shape, seats)
                pages, over_mm = make_pages(sections, shape, head.items, head.end_mm)
                if len(pages) <= wanted and not over_mm:
                    made = pages, setting, cover
                    break
            if made is not None:
                break
        # A small paper takes as many pages as it needs, set as small as may be.
        pages, setting, cover = made or (pages, setting, cover)
        frames = self._finished(pages, setting, shape)
        drawings = head.made.drawings | cover.drawings | self._art.drawings
        pictures = head.made.pictures | self._art.pictures
        for piece in (piece for one in printed for piece in one.pieces):
            drawings = {**piece.drawings, **drawings}
            pictures = {**piece.pictures, **pictures}
        return frames, drawings, pictures, head.made.answers

    def _sections(
        self, bundle: CoverContents, how: How, shape: PageShape, seats: CoverSizes
    ) -> tuple[BlockSetting, CoverSetting, list[Section]]:
        setting = self._setting(_NoFigures(), shape.scale * seats.scale)
        wording = Wording(self._game.speech, how)
        seats = seats._replace(scale=shape.scale * seats.scale)
        cover = CoverSetting(setting, wording, how, self._game.at("title"), seats)
        wide_mm, column_mm = shape.text_mm, shape.column_mm(shape.columns)
        parts = bundle.parts
        top = [
            *cover.sums(wording.sums(parts), wide_mm),
            *cover.heading(program.COVER_PRINT, wide_mm),
            *cover.steps(wording.steps(parts), wide_mm),
            *_led(cover.heading(program.COVER_PARTS, wide_mm)),
            *_led(cover.words(wording.legend(parts), wide_mm, "rules-small")),
        ]
        middle = [cover.part(part, column_mm) for part in parts]
        lists = [
            *cover.ticks(bundle.components, column_mm),
            *(cover.words(bundle.as_needed, column_mm) if bundle.as_needed else ()),
        ]
        supplies = [("", words) for words in (*bundle.bring, *wording.supplies(parts))]
        lists += [
            *_led(cover.words(f"**{self._game.speech.program(program.BRING)}**", column_mm)),
            *cover.ticks(supplies, column_mm),
        ]
        check = _led(cover.heading(program.COVER_CHECK, wide_mm))
        if shape.columns == 1:
            # All in one, so that no heading stands alone at the foot of a page.
            sections = [Section(1, (*top, *middle, *check, *lists))]
        else:
            in_turn = ((1, top), (shape.columns, middle), (1, check), (shape.columns, lists))
            sections = [Section(columns, tuple(slugs)) for columns, slugs in in_turn]
        return setting, cover, [section for section in sections if section.slugs]

    def _components(self) -> tuple[tuple[tuple[str, str], ...], str, tuple[str, ...]]:
        """Return the components as the rules sheet lists them: counts, what is printed as needed, what to bring."""
        game, source = self._game, self._game.at("title")
        directive = Directive("components", "", False, {}, source)
        blocks = GeneratedBlocks(game, {}, self._copies).blocks([directive])
        entries = tuple(entry for block in blocks if isinstance(block, Entries) for entry in block.entries)
        words = [block.text for block in blocks if isinstance(block, Prose)]
        if any(isinstance(block, Items) for block in blocks):
            words.pop()
        return entries, " ".join(words), game.bring


class _NoFigures:
    """A cover sheet has no pictures but those of its sheets."""

    def row(self, _pictures: Pictures, _setting: WordSetting, _width_mm: float) -> Slug | None:
        """Return nothing."""
        return None


def _led(slugs: list[Slug]) -> list[Slug]:
    """Return slugs that no page or column ends behind."""
    return [slug._replace(keeps_next=True) for slug in slugs]
