"""Tables with an address in decks -> their files, fetched: either the whole new one, or the old one unchanged.

What comes back is read as the deck will read it before anything is written, so that a page to sign in, or half a table,
never stands where the cards were.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from duckpress.content.loading import GameFolder
from duckpress.content.tables.cells import TableRoom
from duckpress.content.tables.chosen_columns import TableChanges, TableKeys, table_changes
from duckpress.content.tables.tables import SUFFIXES, read_rows
from duckpress.content.yaml.nodes import quoted
from duckpress.core.limits import limit
from duckpress.core.problems import Problem, ProblemList, Read
from duckpress.files.download import Downloaded, NotFetched, download
from duckpress.files.workspace import Refused, Workspace
from duckpress.store import write_file

SECONDS = 60
"""For one table, with all redirects: a published sheet takes two."""
_MOST_HEAD = 100_000  # bytes of a web page that its beginning and its title are looked for in
_PAGE = re.compile(rb"(?>(?:\s++|<!--(?>.*?-->))*)<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(rb"<title[^<>]*>([^<]{1,300})", re.IGNORECASE)

Fetch = Callable[[str], Downloaded]
"""Returns what lies at an address, or raises `NotFetched`."""


class PulledTable(Struct, frozen=True):
    """A table's file, its host, its number of rows, and the changes; None if it is new."""

    file: str
    host: str
    rows: int
    is_written: bool
    changes: TableChanges | None


class Pulled(Struct, frozen=True):
    """The fetched tables of a game, and the problems."""

    tables: tuple[PulledTable, ...]
    problems: tuple[Problem, ...]


def fetcher(*, allow_private: bool) -> Fetch:
    """Return a function that fetches a table from the network, within the size limit of a build."""
    return lambda url: download(url, limit("text-file"), SECONDS, allow_private=allow_private)


def pull_tables(workspace: Workspace, game_id: str, fetch: Fetch, show: Callable[[str], None]) -> Pulled:
    """Fetch the tables of a game that have an address, each file once; `show` gets each file's name.

    Problems, at the deck's line: those of the decks' `table:`; `address-refused`, `not-fetched`; `not-a-table`, and
    `unknown-sheet` and its like, for what cannot be read as the deck reads it; `outside-workspace` for its file.
    """
    folder = f"content/{game_id}"
    tables, problems = GameFolder(workspace, folder).tables()
    problems = ProblemList(problems)
    files: dict[str, list[TableKeys]] = {}
    for table in tables:
        if table.url is not None and not table.wrong and table.url.text.lower().startswith("https://"):
            files.setdefault(table.file.text, []).append(table)
    pulled = []
    for name, named in files.items():
        first = named[0].url
        other = next((table.url for table in named if first and table.url and table.url.text != first.text), None)
        if first is not None and other is not None:
            what = f"{name} comes from another address already, in {first.source}"
            problems.add("not-fetched", other.source, what, "name one file for each address")
            continue
        show(name)
        one = problems.take(_pull(workspace, f"{folder}/{name}", named, fetch))
        if one is not None:
            pulled.append(one)
    return Pulled(tuple(pulled), tuple(problems))


def _pull(workspace: Workspace, path: str, named: Sequence[TableKeys], fetch: Fetch) -> Read[PulledTable | None]:
    """Return the table fetched for these keys, its file written if it changed; None, with a problem, if refused."""
    url = named[0].url
    at = url.source if url is not None else named[0].source
    try:
        place = _place(workspace, path)
        old = _old(workspace, path)
        answer = fetch(url.text if url is not None else "")
        wrong = _no_table(path, answer)
    except Refused as refused:
        return Read(None, [refused.problem(named[0].file.source)])
    except NotFetched as error:
        return Read(None, [error.problem(at)])
    if wrong:
        fix = "publish the sheet as CSV, so that its address shows the table to somebody who is not signed in"
        return Read(None, [Problem("not-a-table", at, f"{answer.host} sends {wrong}, no table", fix)])
    sheets = {(table.sheet.text if table.sheet else "", table.header): table for table in named}
    count, parts = 0, []
    for table in sheets.values():
        rows, problems = read_rows(path, answer.data, TableRoom(), table.sheet)
        if rows is None or len(rows) < 2:  # names, and a card
            what = problems[0].what if problems else "it has no row below the names of its columns"
            line = f" (its line {problems[0].source.line})" if problems and problems[0].source.file == path else ""
            fix = problems[0].fix if problems else "check in a browser what its address shows"
            return Read(
                None, [Problem("not-a-table", at, f"what {answer.host} sends is no table to read: {what}{line}", fix)]
            )
        count += len(rows) - 1
        before = read_rows(path, old, TableRoom(), table.sheet).value if old is not None else None
        parts.append(table_changes(before or [], rows, table))
    joined = (tuple(chain.from_iterable(names)) for names in zip(*map(astuple, parts), strict=True))
    changes = TableChanges(*joined)
    if answer.data != old:
        write_file(place, answer.data)
    name = path.split("/", 2)[2]
    return Read(PulledTable(name, answer.host, count, answer.data != old, changes if old is not None else None))


def _place(workspace: Workspace, path: str) -> Path:
    """Return the path of a table's file. Raises `Refused` for no table's name, or outside the game's folder."""
    _, game_id, name = path.split("/", 2)
    if not name.endswith(SUFFIXES):
        raise Refused("wrong-type", f"{quoted(name)} is no CSV file or spreadsheet", f"end it in {SUFFIXES[0]}")
    place = workspace.root / path
    own = Path(os.path.realpath(workspace.roots[0] / "content" / game_id))
    if not Path(os.path.realpath(place.parent)).is_relative_to(own) or not own.is_relative_to(workspace.roots[0]):
        what = f"{quoted(name)} leads out of the game's folder"
        raise Refused("outside-workspace", what, "write it as data/cards.csv")
    return place


def _old(workspace: Workspace, path: str) -> bytes | None:
    """Return the bytes of the current file, or None. Raises `Refused` if it exists and may not be read."""
    try:
        return workspace.read(path)
    except Refused as refused:
        if refused.code == "missing-file":
            return None
        raise


def _no_table(path: str, answer: Downloaded) -> str:
    """Return in words what the server sent instead of a table; empty if it may be a table."""
    data, suffix = answer.data.removeprefix(b"\xef\xbb\xbf"), Path(path).suffix
    if _PAGE.match(data, 0, _MOST_HEAD) or answer.kind == "text/html":
        title = _TITLE.search(data, 0, _MOST_HEAD)
        words = " ".join(html.unescape(title[1].decode("utf-8", "replace")).split()) if title else ""
        return f"a web page ({quoted(words)})" if words else "a web page"
    if answer.kind.endswith("json"):
        return "JSON"
    if suffix == ".csv" and data.startswith((b"PK\x03\x04", b"%PDF", b"\x89PNG", b"GIF8", b"\xff\xd8")):
        return f"a file that is no CSV ({answer.kind})"
    return ""
