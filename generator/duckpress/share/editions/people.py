"""The table of people, or a number -> the copies of an edition, each with an id that is a valid file name."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from duckpress.content.game.cards import CardReader
from duckpress.content.game.fields import FieldTyper, default_of
from duckpress.content.tables.tables import Table, read_table
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean, has_errors, nearest
from duckpress.core.sizes import PAPERS, paper_named
from duckpress.model import Card, Field, FieldKind, Game
from duckpress.model.game import Copy, Told, told

LANGUAGE, PAPER = "language", "paper"
"""Columns that say how a copy is printed, unless the game declares columns of these names for itself."""

LONGEST_NUMBER = 4
"""Digits of an id that is a number: so many at least, so that the files of most editions stand in order."""


def numbered_copies(game: Game, count: int) -> Read[tuple[Copy, ...]]:
    """Return so many copies without rows. Problem: `missing-key` for columns that each copy must have."""
    columns = game.edition.columns if game.edition is not None else {}
    values = {name: told(default_of(field)) for name, field in columns.items()}
    what, fix = "every copy needs this column", "name a table that has it: --for people.csv; or make it 'optional: yes'"
    problems = [Problem("missing-key", field.source, what, fix) for field in columns.values() if field.is_required]
    return Read(tuple(_numbered(count, values)), problems)


def _numbered(count: int, values: dict[str, Told | tuple[Told, ...]]) -> list[Copy]:
    return [Copy(f"{at:0{LONGEST_NUMBER}}", at, count, values) for at in range(1, count + 1)]


def read_people(game: Game, path: str, data: bytes) -> Read[tuple[Copy, ...]]:
    """Return the copies of a table of people, one a row, in its order; other columns are allowed.

    Problems: those of `read_table` and of a deck's cards (`bad-id`, `duplicate-id`, `missing-key`, `wrong-type` ...);
    `unknown-choice` for languages that the game has not, and for papers; `unknown-column` for one that is misspelt.
    """
    columns = dict(game.edition.columns) if game.edition is not None else {}
    own = [name for name in (LANGUAGE, PAPER) if name not in columns]
    fields = columns | {name: _way(name, game, Source(path)) for name in own}
    table, more = read_table(path, data)
    problems = ProblemList(problem._replace(fix=problem.fix.replace("each card", "each copy")) for problem in more)
    if table is None or has_errors(problems):
        return Read((), problems)
    reader = CardReader("people", FieldTyper(fields, lambda _: True), noun="copy")
    known = _known_columns(table, fields)
    problems += _misspelt(table, known, fields)
    cards, _ = problems.take(reader.read_tables([Read(known)]))
    for card in cards:
        problems += _unknown_paper(card) if PAPER in own else ()
    if has_errors(problems):
        return Read((), problems)
    return Read(tuple(_copy(card, at, len(cards), columns, own) for at, card in enumerate(cards, 1)), problems)


def _way(name: str, game: Game, source: Source) -> Field:
    if name == PAPER:
        return Field(name, FieldKind.TEXT, source, is_required=False)
    codes = tuple(language.code for language in game.languages)
    return Field(name, FieldKind.CHOICE, source, codes, is_required=False)


def _known_columns(table: Table, fields: dict[str, Field]) -> Table:
    """Return a table with the game's columns, matched without regard to capitals and spaces."""
    known = {name.casefold(): name for name in ("id", *fields)}
    kept = [
        (at, name._replace(text=known[key]))
        for at, name in enumerate(table.header)
        if (key := name.text.casefold().replace(" ", "_")) in known
    ]
    header = tuple(name for _, name in kept)
    rows = tuple(tuple(row[at] for at, _ in kept if at < len(row)) for row in table.rows)
    return replace(table, header=header, rows=rows)


def _misspelt(table: Table, asked: Table, fields: dict[str, Field]) -> list[Problem]:
    """Return a problem for each unread column with a name near a missing column's."""
    read = {name.source for name in asked.header}
    free = {"id", *fields} - {name.text for name in asked.header}
    problems = []
    for name in table.header:
        near = None if name.source in read else nearest(name.text, sorted(free))
        if near is not None:
            what = f"the column {name.text!r} stays unread; it is near {near!r}, which the table does not have"
            problems.append(Problem("unknown-column", name.source, what, f"call it {near!r}", Level.WARNING))
    return problems


def _unknown_paper(card: Card) -> Sequence[Problem]:
    paper = str(card.values[PAPER] or "")
    if not paper or paper_named(paper) is not None:
        return ()
    what = f"'paper' of copy {card.id!r} is {paper!r}, which is no paper"
    return [Problem("unknown-choice", card.at(PAPER), what, did_you_mean(paper, PAPERS))]


def _copy(card: Card, number: int, count: int, columns: dict[str, Field], own: Sequence[str]) -> Copy:
    ways = {name: str(card.values[name] or "") for name in own}
    values = {name: told(card.values[name]) for name in columns}
    return Copy(card.id, number, count, values, **ways, source=card.source)
