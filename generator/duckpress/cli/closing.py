"""The last lines of a build: the sheets of each print file on each paper, and which file to print, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from duckpress.cli.report import counted, plural
from duckpress.core.backs import Backs
from duckpress.store.manifest import ALL_PIECES, COVER, GANG

if TYPE_CHECKING:
    from duckpress.model import Piece
    from duckpress.press.request import Built

_ONE_SIDE = {Backs.GUTTERFOLD: "one side, fold and glue", Backs.ONLY: "on the other side of the printed fronts"}


def closing_lines(built: Built) -> list[str]:
    """Return the table of sheets, the folder, and the files to print first, with full paths; none of nothing."""
    pieces = {piece.id: piece for piece in built.checked.game.pieces} if built.checked.game is not None else {}
    folder = f"    {counted(len(built.files), 'file')} in {built.folder}"
    return [*_table(built, pieces), folder, *_print_this(built, pieces)] if built.files else []


def _table(built: Built, pieces: Mapping[str, Piece]) -> Iterator[str]:
    papers, absent = built.request.papers, "shared" if built.shared else "-"

    def cells(of: Mapping[str, int]) -> list[str]:
        return [str(of.get(paper, absent)) for paper in papers]

    rows = [("Sheets of paper", "", [paper.capitalize() for paper in papers], "")]
    for row in built.pieces:
        count, word = (max(row.pages.values()), "page") if row.pages else (row.cards, "card")
        replaced = (pieces[row.piece].instead_of if row.piece in pieces else None) or ""
        more = f"instead of {pieces[replaced].title}" if replaced in pieces else ""
        rows.append((row.title, f"{count:>4} {plural(count, word)}", cells(row.sheets), more))
    saved = [f"{count} of {paper.capitalize()}" for paper, count in built.saved.items() if count]
    sharing = f"{' and '.join(saved)} saved by sharing" if saved else ""
    if built.shared:
        rows.append(("Shared sheets", "", cells(built.shared), sharing))
    if len(built.pieces) > 1 and not built.request.pieces and any(built.sheets_in_all.values()):
        rows.append(("All together", "", cells(built.sheets_in_all), "" if built.shared else sharing))
    titles, amounts = (max(len(row[at]) for row in rows) for at in (0, 1))
    for title, amount, numbers, more in rows:
        columns = "  ".join(f"{number:>{max(6, len(paper))}}" for number, paper in zip(numbers, papers, strict=True))
        yield f"    {title:<{titles}}  {amount:<{amounts}}  {columns}{f'  ({more})' if more else ''}"


def _print_this(built: Built, pieces: Mapping[str, Piece]) -> Iterator[str]:
    """Yield a line for each file to print: on each paper the one with everything, else all that complete a game."""
    request = built.request
    for paper in request.papers:
        files = {one.piece: one for one in built.printed if one.paper == paper}
        wanted = [files[name] for name in (ALL_PIECES, GANG) if name in files][:1]
        if ALL_PIECES not in files and not (GANG in files and COVER in files):
            own = [piece for id_, piece in pieces.items() if id_ in files]
            wanted += [files[piece.id] for piece in own if request.pieces or piece.instead_of is None]
        first = "Print this draft" if request.is_forced and built.has_errors else "Print this"
        lead = first if paper == request.papers[0] else f"or on {paper.capitalize()}"
        for at, file in enumerate(wanted):
            is_booklet = file.piece in pieces and pieces[file.piece].is_booklet
            how = f"both sides, flip on the {'short' if is_booklet else request.turn} edge"
            how = how if file.pages > file.sheets else _ONE_SIDE.get(request.backs, "one side")
            how = f"{counted(file.sheets, 'sheet')}, {how}, at 100 %"
            yield f"{'and' if at else lead}: {built.folder / file.name} ({how})"
    if count := sum(name.startswith("packet/") for name in built.files):
        lead = "and" if built.printed else "Print this"
        yield f"{lead}: {built.folder / 'packet'} ({counted(count, 'file')} for the host and the players, at 100 %)"
