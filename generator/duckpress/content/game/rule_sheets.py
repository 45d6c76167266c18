"""`<name>.md` and `<name>.<code>.md` -> a sheet as written in each language, and the pieces rules are printed as."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.content.yaml.characters import decode_text
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import RULES_TEXT, Language, Piece, SheetText

SHEET, BOOKLET = "sheet", "booklet"
RULES_ID, BOOKLET_ID = "rules", "rules-booklet"


def read_sheets(
    workspace: Workspace, folder: str, name: str, languages: Sequence[Language], problems: list[Problem]
) -> dict[str, SheetText]:
    """Return the sheets `<name>.md` of a game by language: the one without a code is in the first language.

    Problems: `rules-file` for a sheet in a language that the game does not have, or without the first language's;
    those of reading a text.
    """
    first = languages[0].code
    found: dict[str, SheetText] = {}
    for path in _sheet_files(workspace, folder, name):
        code = path.rpartition("/")[2].removeprefix(name).removesuffix(".md").removeprefix(".") or first
        source = Source(path)
        if code not in [language.code for language in languages] or (code == first and path.endswith(f".{first}.md")):
            is_first = code == first
            what = f"{path.rpartition('/')[2]!r} is in {'the first' if is_first else 'none'} of the game's languages"
            codes = [language.code for language in languages[1:]]
            fix = f"rename it {name}.md" if is_first else did_you_mean(code, codes, else_say="there are")
            fix = fix or f"add {code!r} to 'languages' in game.yaml, or rename it {name}.md"
            problems.append(Problem("rules-file", source, what, fix, Level.WARNING))
            continue
        try:
            data = workspace.read(path, "rules-file")
        except Refused as refused:
            problems.append(refused.problem(source))
            continue
        text = decode_text(path, data, problems)
        if text is not None:
            found[code] = SheetText(code, text.replace("\r\n", "\n").replace("\r", "\n"), source)
    if found and first not in found and not workspace.has(f"{folder}/{name}.md"):
        what = f"there is no {name}.md, the sheet in the game's first language ({first})"
        problems.append(Problem("rules-file", next(iter(found.values())).source, what, "write it", Level.WARNING))
    return found


def rules_pieces(
    rules: dict[str, SheetText], others: Sequence[Piece], theme: str, *, has_booklet: bool, problems: list[Problem]
) -> tuple[Piece, ...]:
    """Give the pieces that rules are printed as: a sheet, and where asked for a booklet that stands for it.

    Problem: `duplicate-id` where a piece of the game bears their id.
    """
    if not rules:
        return ()
    source = next(iter(rules.values())).source
    made = [Piece(RULES_ID, "Rules", (), theme, source, book=SHEET, text=RULES_TEXT)]
    if has_booklet:
        booklet = "Rules, folded booklet"
        made.append(Piece(BOOKLET_ID, booklet, (), theme, source, RULES_ID, book=BOOKLET, text=RULES_TEXT))
    ids = {piece.id for piece in made}
    for piece in others:
        if piece.id in ids:
            what = f"the piece id {piece.id!r} is taken by the rules sheet"
            problems.append(Problem("duplicate-id", piece.source, what, "call the piece otherwise"))
            return ()
    return tuple(made)


def _sheet_files(workspace: Workspace, folder: str, name: str) -> list[str]:
    files = workspace.files(folder, ".md")
    return [file for file in files if file == f"{folder}/{name}.md" or file.startswith(f"{folder}/{name}.")]
