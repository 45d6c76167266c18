"""A game's rules, or another of its typeset texts -> the pages for each paper; and their art.

Pages are kept for later runs, with what of a game they may depend on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.core.frame import Drawing, Frame, written_items
from duckpress.core.language import RecordingSpeech
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import PAPERS, Paper
from duckpress.files.memo import Memo, key_of
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.layout import (
    LaidOut,
    NotShown,
    Theme,
    piece_values,
    plain,
    shown_card,
    too_much_art,
)
from duckpress.layout.rulebook.block_setting import BlockSetting
from duckpress.layout.rulebook.blocks import (
    Block,
    Callout,
    GeneratedBlocks,
    Items,
    PictureBlock,
    Pictures,
    TableBlock,
    Tables,
)
from duckpress.layout.rulebook.columns import Section
from duckpress.layout.rulebook.figures import FaceOf, FigureShelf
from duckpress.layout.rulebook.filling import Front, SheetCode, compared, fill, known_numbers, read_front, typed_numbers
from duckpress.layout.rulebook.furniture import PageSetter, TitleBlock, span
from duckpress.layout.rulebook.kept_settings import KEPT, Kept, KeptSettings
from duckpress.layout.rulebook.markdown import MarkdownReader
from duckpress.layout.rulebook.pages import Page, PageShape, make_pages, shape_of
from duckpress.layout.rulebook.set_pages import PAGES, SetPage, SetPages, Shown
from duckpress.model import Game, Piece, SheetText
from duckpress.text import emoji_name, named_emoji
from duckpress.text.fonts import FontLibrary


def faces_shown(game: Game, blocks: Sequence[Block], face_of: FaceOf) -> dict[str, Shown | None]:
    """Return the faces in blocks, by `deck/card`; None for faces whose layout failed."""
    shown: dict[str, Shown | None] = {}
    for picture in _pictures(blocks):
        if picture.kind in ("card", "back"):
            target = shown_card(game.decks, picture.name, is_back=picture.kind == "back")
            if not isinstance(target, NotShown):
                deck, card = target
                shown[f"{deck.id}/{card}"] = face_of(deck.id, card)
    return shown


def _pictures(blocks: Sequence[Block]) -> Iterator[PictureBlock]:
    for block in blocks:
        if isinstance(block, Pictures):
            yield from block.pictures
        elif isinstance(block, Callout):
            yield from _pictures(block.blocks)
        elif isinstance(block, Items):
            for item in block.items:
                yield from _pictures(item)


_MEANT = re.compile(r"\\(?=[0-9])")  # says that a number is meant as it stands; it is not printed
# A last page with less on it than this share is worth setting everything a little smaller, if that saves it. By eye.
_POOR_SHARE = 0.38
_SMALLER = (0.975, 0.95, 0.925)
_LARGER = (1.04, 1.08, 1.12, 1.16)  # a booklet, so that no more than one page is left over for notes
_SIGNATURE = 4  # pages of a folded sheet


class RulesPrint(Struct, frozen=True):
    """How to print a text: theme, ink, papers, and the printed copies of each card.

    `tables` are the setup tables as plain data, `face_of` gives the faces of cards that are shown. Pages that the
    `memo` knows are not set again.
    """

    theme: Theme
    ink: str
    papers: tuple[Paper, ...]
    copies: Mapping[tuple[str, str], int]
    tables: Tables
    face_of: FaceOf
    memo: Memo = field(default_factory=Memo)


def lay_out_rules(
    workspace: Workspace, game: Game, piece: Piece, fonts: FontLibrary, how: RulesPrint
) -> tuple[LaidOut, list[Problem]]:
    """Return the pages of a typeset text in the game's language, for each paper, and all problems.

    Where the sheet is not there in the language, the game's first one is taken: `rules-not-translated`. A translation
    is compared with the original; a sheet without a word is an `empty-file`.
    """
    problems: list[Problem] = []
    sheets = game.texts[piece.text]
    original = sheets.get(game.languages[0].code)
    written = sheets.get(game.language)
    if written is None:
        written = original or next(iter(sheets.values()))
        if not piece.is_for_designer:
            what = f"there is no rules.{game.language}.md: the rules are printed in {written.language!r}"
            fix = f"translate {written.source.file}"
            problems.append(Problem("rules-not-translated", written.source, what, fix, Level.WARNING))
    values = _values(game, piece, how.tables)
    problems += typed_numbers(written.text, written.source.file, known_numbers(values))

    def parsed(sheet: SheetText) -> tuple[Front, tuple[Block, ...], list[Problem]]:
        return _parsed(game, sheet, values, how.theme, SheetCode(how.memo, workspace, sheet.source.file))

    front, blocks, found = parsed(written)
    problems += found
    if blocks and original is not None and original is not written:
        difference = compared(parsed(original)[1], blocks, written.source)
        problems += [difference] if difference is not None else []
    generated = GeneratedBlocks(game, how.tables, how.copies)
    blocks = generated.blocks(blocks)
    problems += generated.problems
    if not blocks and not problems:
        problems.append(Problem("empty-file", written.source, "the sheet is empty", "write it, or delete it"))
    papers = {paper.name: paper for paper in how.papers} if blocks else {}
    if not blocks:
        return LaidOut(piece, (), {}, {}, ()), list(dict.fromkeys(problems))
    # In any case: whether the rules have changed since another build is seen on a paper that both have.
    papers.setdefault("a4", PAPERS["a4"])
    shapes = {paper.name: shape_of(paper, front.columns, is_folded=piece.is_booklet) for paper in papers.values()}
    shown = faces_shown(game, blocks, how.face_of)
    # What a face shows is in no key, only which ones look the same: it may change under the words.
    alike: dict[str, int] = {}
    faces = {
        name: one
        and ([side and alike.setdefault(side.hash, len(alike)) for side in (one[0].front, one[0].back)], one[0].format)
        for name, one in shown.items()
    }

    def make(workspace: RecordingWorkspace) -> SetPages:
        speech, own_fonts = RecordingSpeech.of(game.speech), FontLibrary(workspace)
        maker = _PageMaker(workspace, replace(game, speech=speech), piece, own_fonts, how, [*shapes])
        pages = dict(zip(shapes, maker.pages(front, blocks, [*shapes.values()]), strict=True))
        laid_out = maker.laid_out(pages)
        at_hand = {key for one in shown.values() if one for key in (*one[1].drawings, *one[1].pictures)}
        return SetPages(
            {
                paper: [SetPage(one.trim, written_items(one.items), one.hash) for one in frames]
                for paper, frames in laid_out.pages.items()
            },
            [(key, one.box, one.items) for key, one in laid_out.drawings.items() if key not in at_hand],
            [one for key, one in laid_out.pictures.items() if key not in at_hand],
            maker.problems,
            sorted(speech.asked),
            [*speech.missing],
            [*own_fonts.paths],
            maker.faces,
            maker.depends_on_cards,
        )

    parts = game.without_cards, piece, how.theme, how.ink, front, blocks, shapes, faces
    slot = "rules", game.id, piece.id, game.language, how.ink, *shapes
    made = how.memo.once(slot, key_of(*parts), workspace, make, PAGES).with_faces(shown)
    fonts.load_paths(made.fonts)
    if isinstance(game.speech, RecordingSpeech):  # a check counts which words the pages asked for
        game.speech.asked.update(made.asked)
        game.speech.missing.update(dict.fromkeys(made.missing))
    laid_out = made.laid_out(piece, [one for one in shown.values() if one])
    return laid_out, list(dict.fromkeys([*problems, *made.problems, *fonts.problems]))


def _parsed(
    game: Game, written: SheetText, values: Mapping[str, Any], theme: Theme, codes: SheetCode
) -> tuple[Front, tuple[Block, ...], list[Problem]]:
    """Return the front matter and the blocks of a sheet, with its numbers filled in, and the problems.

    An emoji that the theme names as an icon is that icon: it stands in braces then.
    """
    icons = {emoji_name(alias) for alias in theme.icons}
    path = written.source.file
    lines, problems = fill(written.text, path, values, game.speech, codes)
    lines = [line._replace(text=named_emoji(_MEANT.sub("", line.text), icons.__contains__)) for line in lines]
    front, rest, more = read_front(lines, path)
    reader = MarkdownReader(path, written.text.split("\n"))
    blocks = reader.blocks(rest)
    return front, blocks, [*problems, *more, *reader.problems]


def _values(game: Game, piece: Piece, tables: Tables) -> dict[str, Any]:
    """Return the names for expressions: those of layouts, and short names for the subjects of rules."""
    values = piece_values(game, piece, plain(tables.get(None)), game.language)
    decks = values["decks"] = values["decks"].value

    def cells(variant: str | None) -> dict[int, Any]:
        return {row["players"]: dict(row["cells"]) for row in tables[variant]["rows"]} if variant in tables else {}

    variants = game.setup.all_variants if game.setup is not None else {}
    values["facts"], values["lists"] = values["game"]["facts"], values["game"]["lists"]
    values["players"] = span(game.players)
    values["bring"] = list(game.bring)
    values["count"] = lambda deck: decks[deck]["count"]
    values["table"] = cells(None)
    values["variants"] = {
        name: {"title": variant.title, "about": variant.about, "table": cells(name)}
        for name, variant in variants.items()
    }
    return values


class _PageMaker(PageSetter):
    """Makes the pages of one sheet for each paper; the title blocks of all come first."""

    def __init__(
        self, workspace: RecordingWorkspace, game: Game, piece: Piece, fonts: FontLibrary, how: RulesPrint,
        papers: Sequence[str],
    ) -> None:  # fmt: skip
        super().__init__(workspace, game, piece, how.theme, fonts, how.ink, how.memo)
        self._figures = FigureShelf(game, self._art, how.face_of, self._look.palette["rules-ink"], self.problems)
        self._how = how
        self._heads: list[TitleBlock] = []
        self._slot = "settings", game.id, piece.id, game.language, how.ink, *papers
        self._key = key_of(self._theme, how.ink, game.language, game.folder, self._is_mirrored)
        kept = how.memo.recall(self._slot, self._key, workspace, KEPT) or Kept()
        self._typesetter.hyphens.known.update(kept.hyphens)
        self._art.uses = self._typesetter.uses
        self._kept = KeptSettings(kept, fonts, self._art, self._typesetter.uses)
        self._answers = workspace.answers

    def pages(self, front: Front, blocks: Sequence[Block], shapes: Sequence[PageShape]) -> list[tuple[Frame, ...]]:
        """Return the pages of each shape, and keep the settings of their parts."""
        self._heads = self._title_blocks(shapes, front.subtitle, front.head_mm)
        pages = [self._best_pages(blocks, shape, head) for shape, head in zip(shapes, self._heads, strict=True)]
        news = self._kept.news(self._typesetter.hyphens.known)
        self._how.memo.keep(self._slot, self._key, self._answers, news, KEPT)
        return pages

    def laid_out(self, pages: Mapping[str, tuple[Frame, ...]]) -> LaidOut:
        """Return the piece with its pages by paper and their art, after reporting the problems of art."""
        self.problems += [*self._art.problems, *too_much_art(self._art.taken)]
        for head in self._heads:
            self.keep(head.laid_out)
        drawings = self._figures.drawings | self.drawings | self._art.drawings
        pictures = self._figures.pictures | self.pictures | self._art.pictures
        return LaidOut(self._piece, (), drawings, pictures, (), dict(pages))

    @property
    def faces(self) -> list[tuple[str, str, bool, str]]:
        """The faces shown: the key of the drawing, the card, whether it is the back, and the hash of that side."""
        return [(key, *face) for key, face in self._figures.faces.items()]

    @property
    def depends_on_cards(self) -> bool:
        """Whether a title block shows cards or reads their values."""
        return any(head.laid_out.depends_on_cards for head in self._heads)

    def _placed_drawings(self) -> Mapping[str, Drawing]:
        return {**self._figures.drawings, **super()._placed_drawings()}

    def _best_pages(self, blocks: Sequence[Block], shape: PageShape, head: TitleBlock) -> tuple[Frame, ...]:
        pages, setting, over_mm = self._set(blocks, shape, head, 1.0)
        most_pages = len(pages)
        flaws = self._flaws(pages, shape)
        for scale in (*_SMALLER, *(_LARGER if self._piece.is_booklet else ())):
            if not any(flaws[1:]):
                break
            tried = self._set(blocks, shape, head, scale)
            own = self._flaws(tried[0], shape)
            is_larger = scale > 1.0 and own == flaws  # what is left over is better spent on larger letters
            if is_larger or (own < flaws and (self._piece.is_booklet or len(tried[0]) < most_pages)):
                (pages, setting, over_mm), flaws = tried, own
        if over_mm:
            what = f"a picture, table row or callout is {over_mm:.1f} mm higher than a whole column"
            source = next(iter(self._game.texts[self._piece.text].values())).source
            self.problems.append(Problem("text-overflow", source, what, "make it smaller, or cut it in two"))
        if self._piece.is_booklet:
            while len(pages) % _SIGNATURE:
                pages.append(pages[-1]._replace(items=self._notes_page(setting, shape)))
        return self._finished(pages, setting, shape)

    def _flaws(self, pages: Sequence[Page], shape: PageShape) -> tuple[int, bool, int]:
        """Return the number of pages or sheets, whether the last one is nearly empty, and the spare pages but one."""
        room_mm = shape.trim.height_mm - shape.top_mm - shape.foot_mm
        is_poor = len(pages) > 1 and pages[-1].filled_mm - shape.top_mm < _POOR_SHARE * room_mm
        if not self._piece.is_booklet:
            return len(pages), is_poor, 0
        left_over = -len(pages) % _SIGNATURE
        return -(-len(pages) // _SIGNATURE), is_poor, max(left_over - 1, 0)

    def _set(
        self, blocks: Sequence[Block], shape: PageShape, head: TitleBlock, scale: float
    ) -> tuple[list[Page], BlockSetting, float]:
        """Return the pages at a scale: a block across all columns divides them into sections."""
        setting = self._setting(shape.scale * scale, self._figures.row, self._kept)
        sections: list[Section] = []
        column_mm = shape.column_mm(shape.columns)
        groups = [
            (is_across, list(group))
            for is_across, group in groupby(blocks, lambda block: self._goes_across(block, setting, shape))
        ]
        for (is_across, group), following in zip_longest(groups, groups[1:]):
            if is_across:
                sections += [Section(1, tuple(setting.blocks([block], shape.text_mm))) for block in group]
            else:
                after = following[1][0] if following is not None else None
                sections.append(Section(shape.columns, tuple(setting.blocks(group, column_mm, after=after))))
        pages, over_mm = make_pages(sections, shape, head.items, head.end_mm, self._kept)
        return pages, setting, over_mm

    def _goes_across(self, block: Block, setting: BlockSetting, shape: PageShape) -> bool:
        """Return whether a block spans all columns: on request, or as a table too wide for a column."""
        if shape.columns == 1:
            return False
        if isinstance(block, TableBlock):
            return block.is_wide or setting.is_too_wide(block, shape.column_mm(shape.columns))
        return isinstance(block, Pictures) and block.is_wide
