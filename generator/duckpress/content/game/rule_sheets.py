"""`<name>.md` and `<name>.<code>.md` -> a sheet as written in each language, and the pieces rules are printed as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.content.yaml.characters import decode_text
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import RULES_TEXT, Language, Piece, SheetText

SHEET, BOOKLET = "sheet", "booklet"
RULES_ID, BOOKLET_ID = "rules", "rules-booklet"


def read_sheets(
    workspace: Workspace, folder: str, name: str, languages: Sequence[Language]
) -> Read[dict[str, SheetText]]:
    """Return the sheets `<name>.md` of a game by language: the one without a code is in the first language.

    Problems: `rules-file` for a sheet in a language that the game does not have, or without the first language's;
    those of reading a text.
    """
    problems = ProblemList()
    codes = [language.code for language in languages]
    first = codes[0]
    sheets: dict[str, SheetText] = {}
    for path in _sheet_files(workspace, folder, name):
        code = path.rpartition("/")[2].removeprefix(name).removesuffix(".md").removeprefix(".") or first
        source = Source(path)
        if code not in codes or (code == first and path.endswith(f".{first}.md")):
            is_first = code == first
            what = f"{path.rpartition('/')[2]!r} is in {'the first' if is_first else 'none'} of the game's languages"
            fix = f"rename it {name}.md" if is_first else did_you_mean(code, codes[1:], else_say="there are")
            fix = fix or f"add {code!r} to 'languages' in game.yaml, or rename it {name}.md"
            problems.add("rules-file", source, what, fix, Level.WARNING)
            continue
        try:
            data = workspace.read(path, "rules-file")
        except Refused as refused:
            problems.append(refused.problem(source))
            continue
        text = problems.take(decode_text(path, data))
        if text is not None:
            sheets[code] = SheetText(code, text.replace("\r\n", "\n").replace("\r", "\n"), source)
    if sheets and first not in sheets and not workspace.has(f"{folder}/{name}.md"):
        what = f"there is no {name}.md, the sheet in the game's first language ({first})"
        problems.add("rules-file", next(iter(sheets.values())).source, what, "write it", Level.WARNING)
    return Read(sheets, problems)


def rules_pieces(
    rules: Mapping[str, SheetText], others: Sequence[Piece], theme: str, *, has_booklet: bool
) -> Read[tuple[Piece, ...]]:
    """Return the pieces that rules are printed as: a sheet, and where asked for a booklet that stands for it.

    Problem: `duplicate-id` where a piece of the game bears their id.
    """
    if not rules:
        return Read(())
    source = next(iter(rules.values())).source
    pieces = [Piece(RULES_ID, "Rules", (), theme, source, book=SHEET, text=RULES_TEXT)]
    if has_booklet:
        booklet = "Rules, folded booklet"
        pieces.append(Piece(BOOKLET_ID, booklet, (), theme, source, RULES_ID, book=BOOKLET, text=RULES_TEXT))
    ids = {piece.id for piece in pieces}
    for other in others:
        if other.id in ids:
            what = f"the piece id {other.id!r} is taken by the rules sheet"
            return Read((), [Problem("duplicate-id", other.source, what, "call the piece otherwise")])
    return Read(tuple(pieces))


def _sheet_files(workspace: Workspace, folder: str, name: str) -> list[str]:
    files = workspace.files(folder, ".md")
    return [file for file in files if file == f"{folder}/{name}.md" or file.startswith(f"{folder}/{name}.")]
