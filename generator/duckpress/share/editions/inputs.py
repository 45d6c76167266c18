"""What an edition is made of: its copies, by the table of people or a number; the game's files; the program itself.

An edition is printed for hours, or elsewhere: what is edited meanwhile is in no copy. The id of each copy can be the
name of a file.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from msgspec.structs import replace

import duckpress
from duckpress import __version__
from duckpress.content.game.cards import CardReader
from duckpress.content.game.fields import FieldTyper, default_of
from duckpress.content.tables.tables import Table, read_table
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean, has_errors, nearest
from duckpress.core.sizes import PAPERS, paper_named, paper_of
from duckpress.files.workspace import ROOMS, Refused, Workspace, bundled_root
from duckpress.model import Card, Field, FieldKind, Game
from duckpress.model.game import Copy, told

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
    return Read(tuple(Copy(f"{at:0{LONGEST_NUMBER}}", at, count, values) for at in range(1, count + 1)), problems)


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
    if ways.get(PAPER):
        ways[PAPER] = paper_of(ways[PAPER]).name
    values = {name: told(card.values[name]) for name in columns}
    return Copy(card.id, number, count, values, **ways, source=card.source)


_LIBRARIES = (
    "deflate", "jinja2", "msgspec", "pikepdf", "pillow", "pyphen", "reportlab", "resvg_py", "segno", "uharfbuzz",
)  # fmt: skip
_LIMIT = "art-file"  # of the largest kind; who reads a file of another kind holds it to its own


def game_files(workspace: Workspace, game_id: str) -> dict[str, bytes]:
    """Return the files of a game's folder, and its workspace's layouts and fonts, without bundled files.

    What may not be read is left out: who checked the game has told of it.
    """
    own = Workspace(workspace.roots[0])
    files: dict[str, bytes] = {}
    for folder in (f"content/{game_id}", *ROOMS[1:]):
        for path in _below(own, folder):
            with suppress(Refused):
                files[path] = own.read(path, _LIMIT)
    return files


def _below(workspace: Workspace, folder: str) -> Iterator[str]:
    yield from workspace.files(folder, "")
    for inner in workspace.folders(folder):
        yield from _below(workspace, inner)


def key_of(files: Mapping[str, bytes]) -> str:
    """Return the hash of files with their names."""
    whole = hashlib.sha256()
    for path, data in sorted(files.items()):
        whole.update(f"{path}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        whole.update(data)
    return whole.hexdigest()


def unpacked(files: Mapping[str, bytes], folder: Path) -> Workspace:
    """Write files below an empty folder, and return it as a workspace, followed by the bundled files."""
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return Workspace(folder, bundled_root())


def program_parts() -> dict[str, str]:
    """Return the parts of this program by name, each with its version or hash."""
    package, bundled = Path(duckpress.__file__).resolve().parent, bundled_root()
    parts = {
        "program": f"duckpress {__version__}",
        "modules": _hash(package, "*.py"),
        "Python": f"{sys.version_info[0]}.{sys.version_info[1]}",
    }
    for room in ("layouts", "fonts"):
        parts[room] = "none" if bundled is None else _hash(bundled / room, "*")
    return parts | {name: metadata.version(name) for name in _LIBRARIES}


def differing_parts(own: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Return words for the parts in which another program differs from this one; empty if there are none."""
    if own["program"] != theirs.get("program"):
        return f"{theirs.get('program')} where {own['program']} is asked for"
    parts = [(name, part) for name, part in own.items() if theirs.get(name) != part]
    return ", ".join(
        f"other {name}" if len(part) > 40 else f"{name} {theirs.get(name)} where {part} is asked for"  # 40: a hash
        for name, part in parts
    )


def _hash(folder: Path, pattern: str) -> str:
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob(pattern) if path.is_file() and "__pycache__" not in path.parts):
        whole.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
