"""A game's rules sheet -> its pages, for each paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from duckpress.fonts import FontLibrary
from duckpress.frame import Drawing, Frame, Item
from duckpress.geometry import Size
from duckpress.language import program
from duckpress.layout import (
    ArtShelf,
    LaidOut,
    PictureData,
    Theme,
    lay_out_piece,
    look_of,
    piece_values,
    plain,
)
from duckpress.model import Card, Deck, Field, FieldKind, Game, Piece, RulesText, Value
from duckpress.problems import Level, Problem, Source
from duckpress.rulebook.blocks import Block, Pictures, Sheet, Table
from duckpress.rulebook.figures import FaceOf, FigureShelf
from duckpress.rulebook.filling import fill
from duckpress.rulebook.front import read_front
from duckpress.rulebook.generated import Generator, Tables
from duckpress.rulebook.pages import PageShape, finished, last_share, make_pages, shape_of
from duckpress.rulebook.reading import MarkdownReader
from duckpress.rulebook.roles import with_rules_roles
from duckpress.rulebook.setting import BlockSetting
from duckpress.rulebook.slugs import Section, shifted
from duckpress.rulebook.spelling import speller
from duckpress.rulebook.tables import needs_more_mm
from duckpress.rulebook.typed import known_numbers, typed_numbers
from duckpress.sizes import Format, paper_of
from duckpress.text import Typesetter
from duckpress.workspace import Workspace

_HEAD = "rules-head"
_HEAD_GAP_MM = 6.0
_HEAD_LENIENCE = 0.6  # how much smaller than on a large page its words may be set on a small one
_HEAD_NARROW_MM = 170.0
# A last page with less on it than this share is worth setting everything a little smaller, if that saves it. By eye.
_POOR_SHARE = 0.38
_SMALLER = (0.975, 0.95, 0.925)
_SIGNATURE = 4  # pages of a folded sheet
_NOTE_LINE_MM = 8.5
_MEANT = re.compile(r"\\(?=[0-9])")  # says that a number is meant as it stands; it is not printed


class RulesPrint(NamedTuple):
    """How a rules sheet is to be printed: theme, ink, papers by name, and the copies that are printed of each card."""

    theme: Theme
    ink: str
    papers: tuple[str, ...]
    copies: Mapping[tuple[str, str], int]


def lay_out_rules(
    workspace: Workspace,
    game: Game,
    piece: Piece,
    fonts: FontLibrary,
    tables: Tables,
    face_of: FaceOf,
    how: RulesPrint,
) -> tuple[LaidOut, list[Problem]]:
    """Give the pages of a game's rules in the game's language, for each paper, and all that is wrong with them.

    `tables` are the setup tables as plain data, `face_of` gives the faces of cards that are shown. Where the sheet is
    not there in the language, the game's first one is taken: `rules-not-translated`.
    """
    problems: list[Problem] = []
    written = game.rules.get(game.language)
    if written is None:
        first = game.languages[0].code
        written = game.rules.get(first) or next(iter(game.rules.values()))
        what = f"there is no rules.{game.language}.md: the rules are printed in {written.language!r}"
        fix = f"translate {written.source.file}"
        problems.append(Problem("rules-not-translated", written.source, what, fix, Level.WARNING))
    values = _values(game, piece, tables)
    sheet = _read(game, written, values, tables, how.copies, problems)
    maker = _Maker(workspace, game, piece, fonts, face_of, how, problems)
    is_folded = piece.book == "booklet"
    pages: dict[str, tuple[Frame, ...]] = {}
    # On A4 in any case: whether the rules have changed since another build is seen on a paper that both have.
    for name in dict.fromkeys((*how.papers, "a4")) if sheet.blocks else ():
        pages[name] = maker.pages(sheet, shape_of(paper_of(name), sheet.columns, is_folded=is_folded))
    drawings, pictures = maker.art()
    return LaidOut(piece, (), drawings, pictures, (), pages), list(dict.fromkeys(problems))


def _read(
    game: Game, written: RulesText, values: Mapping[str, Any], tables: Tables, copies: Mapping[tuple[str, str], int],
    problems: list[Problem],
) -> Sheet:  # fmt: skip
    """Give a sheet's blocks, its numbers filled in and its generated parts written."""
    path, speech = written.source.file, game.speech
    problems += typed_numbers(written.text, path, known_numbers(values))
    filters = {
        "number": speech.number,
        "t": lambda text: speech.t(str(text)),
        "spelled": speller(game.language, speech.number),
    }
    lines, found = fill(written.text, path, values, filters)
    problems += found
    if found:
        return Sheet(None, 0.0, 1, ())
    lines = [line._replace(text=_MEANT.sub("", line.text)) for line in lines]
    front, rest = read_front(lines, path, problems)
    reader = MarkdownReader(path, written.text.split("\n"), problems)
    blocks = Generator(game, speech, tables, copies, problems).blocks(reader.blocks(rest))
    if not blocks and not problems:
        problems.append(Problem("empty-file", written.source, "the rules sheet is empty", "write it, or delete it"))
    return Sheet(front.subtitle, front.head_mm, front.columns, blocks)


def _values(game: Game, piece: Piece, tables: Tables) -> dict[str, Any]:
    """Give what expressions know: what layouts know, and shorter names for what rules speak of."""
    values = piece_values(game, piece, plain(tables.get(None)), game.language)

    def cells(table: Mapping[str, Any]) -> dict[int, Any]:
        return {row["players"]: dict(row["cells"]) for row in table["rows"]}

    def count(deck: str) -> Any:
        return values["decks"][deck]["count"]

    variants = game.setup.variants if game.setup is not None else {}
    values["facts"], values["lists"] = values["game"]["facts"], values["game"]["lists"]
    values["players"] = _span(game.players)
    values["bring"] = list(game.bring)
    values["count"] = count
    values["table"] = cells(tables[None]) if None in tables else {}
    values["variants"] = {
        name: {"title": variant.title, "about": variant.about, "table": cells(tables[name]) if name in tables else {}}
        for name, variant in variants.items()
    }
    return values


def _span(counts: Sequence[int]) -> str:
    if len(counts) > 1 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))


class _Maker:
    """Makes the pages of one sheet, on one paper after the other."""

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
        self._heads: list[LaidOut] = []

    def pages(self, sheet: Sheet, shape: PageShape) -> tuple[Frame, ...]:
        """Give the pages of one shape."""
        head, head_mm = self._head(sheet, shape)
        pages, setting, over_mm = self._set(sheet, shape, head, head_mm, 1.0)
        if len(pages) > 1 and last_share(pages, shape) < _POOR_SHARE:
            for scale in _SMALLER:
                fewer, smaller, over = self._set(sheet, shape, head, head_mm, scale)
                if len(fewer) < len(pages):
                    pages, setting, over_mm = fewer, smaller, over
                    break
        if over_mm:
            what = f"a picture, table row or callout is {over_mm:.1f} mm higher than a whole column"
            source = next(iter(self._game.rules.values())).source
            self._problems.append(Problem("text-overflow", source, what, "make it smaller, or cut it in two"))
        if self._piece.book == "booklet":
            while len(pages) % _SIGNATURE:
                pages.append(pages[-1]._replace(items=self._notes_page(setting, shape)))
        return finished(pages, shape, self._footer(setting, shape), self._look.palette["rules-paper"])

    def art(self) -> tuple[dict[str, Drawing], dict[str, PictureData]]:
        """Give the drawings and pictures that the pages place, and report what was wrong with their files."""
        self._problems += self._art.problems
        drawings, pictures = dict(self._figures.drawings), dict(self._figures.pictures)
        for one in self._heads:
            drawings |= one.drawings
            pictures |= one.pictures
        return drawings | self._art.drawings, pictures | self._art.pictures

    def _set(
        self, sheet: Sheet, shape: PageShape, head: tuple[Item, ...], head_mm: float, scale: float
    ) -> tuple[list[Any], BlockSetting, float]:
        setting = BlockSetting(
            self._typesetter, self._look, self._figures, self._art.icon_names(), self._problems,
            scale=shape.scale * scale,
        )  # fmt: skip
        pages, over_mm = make_pages(self._sections(sheet, shape, setting), shape, head, head_mm)
        return pages, setting, over_mm

    def _sections(self, sheet: Sheet, shape: PageShape, setting: BlockSetting) -> list[Section]:
        """Give the blocks as sections: what goes across all columns parts what stands in them."""
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
        """Tell whether a block takes the whole width: where it is asked to, and a table too wide for a column."""
        if isinstance(block, Pictures):
            return block.is_wide
        return isinstance(block, Table) and (block.is_wide or needs_more_mm(block, setting, column_mm))

    def _head(self, sheet: Sheet, shape: PageShape) -> tuple[tuple[Item, ...], float]:
        """Give the title block, laid out by the layout `rules-head`, and where the columns under it begin."""
        game, speech = self._game, self._game.speech
        source = Source(self._theme.source.file)
        size = Format(_HEAD, Size(shape.trim.width_mm, round(sheet.head_mm * shape.scale, 3)), 0.0, 0.0, 2.0)
        subtitle = sheet.subtitle if sheet.subtitle is not None else speech.program(program.RULES)
        words: dict[str, Value] = {
            "subtitle": subtitle,
            "byline": speech.program(program.BYLINE, {"name": game.designer}),
            "players": speech.program(program.PLAYERS, {"players": _span(game.players)}),
            "inset": shape.inset_mm,
            "scale": shape.scale,
        }
        kinds = {name: FieldKind.TEXT if isinstance(value, str) else FieldKind.NUMBER for name, value in words.items()}
        fields = {name: Field(name, kind, source) for name, kind in kinds.items()}
        card = Card(_HEAD, _HEAD, words, 1, source, {})
        deck = Deck(_HEAD, subtitle, fields, (card,), _HEAD, _HEAD, None, False, False, source, {}, size)
        with_head = replace(game, decks={**game.decks, _HEAD: deck})
        piece = self._piece._replace(decks=(_HEAD,))
        table = None
        theme = self._head_theme(shape)
        one, found = lay_out_piece(
            self._workspace, with_head, piece, theme, self._fonts, table, game.language, self._ink, {}
        )
        self._problems += found
        self._heads.append(one)
        if not one.faces:
            return (), 0.0
        return one.faces[0].front.items, size.trim.height_mm + _HEAD_GAP_MM * shape.scale

    def _head_theme(self, shape: PageShape) -> Theme:
        """Give the theme with the words of the title block as large as the block is set."""
        styles = dict(self._theme.styles)
        for name in ("rules-title", "rules-subtitle") if shape.trim.width_mm < _HEAD_NARROW_MM else ():
            rule, style = styles[name], self._look.styles[name]
            sizes = {"size": style.size_pt * shape.scale, "min": style.min_pt * shape.scale * _HEAD_LENIENCE}
            styles[name] = rule._replace(values={**rule.values, **sizes})
        return replace(self._theme, styles=styles)

    def _footer(self, setting: BlockSetting, shape: PageShape) -> Any:
        game, style = self._game, setting.style("rules-footer")
        version = f"{game.title} {game.version}"
        sentence = _first_sentence(game.licence)
        y_mm = shape.trim.height_mm - 2.2
        room_mm = shape.text_mm - 12.0

        def footer(number: int, total: int) -> tuple[Item, ...]:
            left = self._typesetter.line(f"{version}  ·  {sentence}" if sentence else version, style)
            if left.width_mm > room_mm:
                left = self._typesetter.line(version, style)
            page = self._typesetter.line(f"{number} / {total}", style._replace(weight="bold"))
            right_mm = shape.trim.width_mm - shape.inset_mm
            is_left = number % 2 == 0
            at_mm = right_mm - left.width_mm if is_left else shape.inset_mm
            page_mm = shape.inset_mm if is_left else right_mm - page.width_mm
            hair = setting.bar(shape.inset_mm, y_mm - 4.2, shape.text_mm, 0.2, "rules-line")
            return (hair, *shifted(left.items, at_mm, y_mm), *shifted(page.items, page_mm, y_mm))

        return footer

    def _notes_page(self, setting: BlockSetting, shape: PageShape) -> list[Item]:
        """Give what fills a page that a booklet has over: lines to write on."""
        words = self._game.speech.program(program.NOTES)
        title = setting.lines(words, setting.style("rules-h2"), shape.text_mm, Source(""))
        items: list[Item] = []
        for slug in title:
            items += shifted(slug.items, shape.inset_mm, shape.top_mm)
        y_mm = shape.top_mm + sum((slug.height_mm for slug in title), 0.0) + _NOTE_LINE_MM
        while y_mm < shape.trim.height_mm - shape.foot_mm:
            items.append(setting.bar(shape.inset_mm, y_mm, shape.text_mm, 0.2, "rules-line"))
            y_mm += _NOTE_LINE_MM
        return items


def _first_sentence(text: str) -> str:
    sentence, _, _ = " ".join(text.split()).partition(". ")
    return f"{sentence.rstrip('.')}." if sentence else ""


