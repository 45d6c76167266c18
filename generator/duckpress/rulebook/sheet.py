"""A game's rules, or another typeset text of its -> the pages, for each paper."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import PAPERS
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import LaidOut, piece_values, plain
from duckpress.model import Game, Piece, SheetText
from duckpress.rulebook.maker import PageMaker, RulesPrint
from duckpress.rulebook.markdown.blocks import Block, RulesSheet
from duckpress.rulebook.markdown.filling import Front, fill, read_front
from duckpress.rulebook.markdown.generated import GeneratedBlocks, Tables
from duckpress.rulebook.markdown.markdown_reader import MarkdownReader
from duckpress.rulebook.markdown.text_checks import compared, known_numbers, typed_numbers
from duckpress.rulebook.setting.figures import FaceOf
from duckpress.rulebook.setting.furniture import span
from duckpress.rulebook.setting.pages import shape_of

_MEANT = re.compile(r"\\(?=[0-9])")  # says that a number is meant as it stands; it is not printed


def lay_out_rules(
    workspace: Workspace,
    game: Game,
    piece: Piece,
    fonts: FontLibrary,
    tables: Tables,
    face_of: FaceOf,
    how: RulesPrint,
) -> tuple[LaidOut, list[Problem]]:
    """Return the pages of a typeset text in the game's language, for each paper, and all that is wrong with them.

    `tables` are the setup tables as plain data, `face_of` gives the faces of cards that are shown. Where the sheet is
    not there in the language, the game's first one is taken: `rules-not-translated`.
    """
    problems: list[Problem] = []
    sheets = game.texts[piece.text]
    written = sheets.get(game.language)
    if written is None:
        first = game.languages[0].code
        written = sheets.get(first) or next(iter(sheets.values()))
        if not piece.is_for_designer:
            what = f"there is no rules.{game.language}.md: the rules are printed in {written.language!r}"
            fix = f"translate {written.source.file}"
            problems.append(Problem("rules-not-translated", written.source, what, fix, Level.WARNING))
    values = _values(game, piece, tables)
    sheet = _read(game, written, sheets, values, tables, how.copies, problems)
    maker = PageMaker(workspace, game, piece, fonts, face_of, how, problems)
    is_folded = piece.is_booklet
    # On A4 in any case: whether the rules have changed since another build is seen on a paper that both have.
    papers = {PAPERS["a4"].name: PAPERS["a4"]} | {paper.name: paper for paper in how.papers}
    names = tuple(dict.fromkeys((*(paper.name for paper in how.papers), "a4"))) if sheet.blocks else ()
    shapes = [shape_of(papers[name], sheet.columns, is_folded=is_folded) for name in names]
    pages = dict(zip(names, maker.pages(sheet, shapes), strict=True)) if names else {}
    drawings, pictures = maker.art()
    laid_out = LaidOut(piece, (), drawings, pictures, (), pages, answers=maker.answers())
    return laid_out, list(dict.fromkeys(problems))


def _read(
    game: Game, written: SheetText, sheets: Mapping[str, SheetText], values: Mapping[str, Any], tables: Tables,
    copies: Mapping[tuple[str, str], int], problems: list[Problem],
) -> RulesSheet:  # fmt: skip
    """Return a sheet's blocks, its numbers filled in and its generated parts written; a translation is compared."""
    problems += typed_numbers(written.text, written.source.file, known_numbers(values))
    front, blocks = _parsed(game, written, values, problems)
    original = sheets.get(game.languages[0].code)
    if blocks and original is not None and original is not written:
        found = compared(_parsed(game, original, values, [])[1], blocks, written.source)
        problems += [found] if found is not None else []
    made = GeneratedBlocks(game, game.speech, tables, copies, problems).blocks(blocks)
    if not made and not problems:
        problems.append(Problem("empty-file", written.source, "the sheet is empty", "write it, or delete it"))
    return RulesSheet(front.subtitle, front.head_mm, front.columns, made)


def _parsed(
    game: Game, written: SheetText, values: Mapping[str, Any], problems: list[Problem]
) -> tuple[Front, tuple[Block, ...]]:
    """Return the front matter and the blocks of a sheet as written, its numbers filled in."""
    path = written.source.file
    lines, found = fill(written.text, path, values, game.speech)
    problems += found
    lines = [line._replace(text=_MEANT.sub("", line.text)) for line in lines]
    front, rest = read_front(lines, path, problems)
    return front, MarkdownReader(path, written.text.split("\n"), problems).blocks(rest)


def _values(game: Game, piece: Piece, tables: Tables) -> dict[str, Any]:
    """Return what expressions know: what layouts know, and shorter names for what rules speak of."""
    values = piece_values(game, piece, plain(tables.get(None)), game.language)
    decks = values["decks"] = values["decks"].value

    def cells(table: Mapping[str, Any]) -> dict[int, Any]:
        return {row["players"]: dict(row["cells"]) for row in table["rows"]}

    def count(deck: str) -> Any:
        return decks[deck]["count"]

    variants = game.setup.variants if game.setup is not None else {}
    values["facts"], values["lists"] = values["game"]["facts"], values["game"]["lists"]
    values["players"] = span(game.players)
    values["bring"] = list(game.bring)
    values["count"] = count
    values["table"] = cells(tables[None]) if None in tables else {}
    values["variants"] = {
        name: {"title": variant.title, "about": variant.about, "table": cells(tables[name]) if name in tables else {}}
        for name, variant in variants.items()
    }
    return values
