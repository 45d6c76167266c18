"""The tables that decks read: those beside their files, and a designer's own that lie anywhere in the game's folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from duckpress.content.game.naming import card_id, numbered
from duckpress.content.tables.cells import TableRoom
from duckpress.content.tables.chosen_columns import TableKeys, choose_columns
from duckpress.content.tables.tables import SUFFIXES, Row, Table, read_rows, read_table
from duckpress.content.yaml.kinds import Placed
from duckpress.content.yaml.nodes import quoted
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Level, Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.model import Field


class DeckTables:
    """Reads the tables of one game's folder, which hold no more together than a game's may."""

    def __init__(
        self, workspace: Workspace, folder: str, read_bytes: Callable[[str, Source], Read[bytes | None]]
    ) -> None:
        self._workspace = workspace
        self._folder = folder
        self._read_bytes = read_bytes
        self._room = TableRoom()
        self._used: set[str] = set()
        self._sheets: dict[tuple[str, str], list[Row] | None] = {}

    def beside(self, name: Placed) -> Read[Table | None]:
        """Return the table beside a deck that its `cards:` names."""
        if not name.text.endswith(SUFFIXES) or "/" in name.text:
            what = f"'cards' is {quoted(name.text)}, neither a list nor a CSV file or spreadsheet"
            fix = f"write the cards as a list, or name a file beside this one that ends in {' or '.join(SUFFIXES)}"
            return Read(None, [Problem("wrong-type", name.source, what, fix)])
        path = f"{name.source.file.rpartition('/')[0]}/{name.text}"
        self._used.add(path)
        if self._room.is_overrun:
            return Read(None)
        data, problems = self._read_bytes(path, name.source)
        return Read(None, problems) if data is None else read_table(path, data, self._room)

    def chosen(self, written: Sequence[TableKeys], fields: Mapping[str, Field]) -> Iterator[Read[Table | None]]:
        """Yield what a deck with these fields reads of the designer's own tables."""
        taken: dict[str, int] = {}
        for table in written:
            problems = ProblemList()
            path, sheet = f"{self._folder}/{table.file.text}", problems.take(self._sheet(table))
            if sheet is None:
                yield Read(None, problems)
                continue
            yield Read(problems.take(choose_columns(path, sheet, table, fields, partial(_id, table, taken))), problems)

    def _sheet(self, written: TableKeys) -> Read[list[Row] | None]:
        """Return the rows of a table; decks that read the same sheet share them, and the first tells its mistakes."""
        name, at = written.file
        if "file" in written.wrong or not written.has("file"):
            return Read(None)
        path = f"{self._folder}/{name}"
        if not name.endswith(SUFFIXES) or ".." in name.split("/"):
            what = f"'file' is {quoted(name)}, no CSV file or spreadsheet in the game's folder"
            fix = f"name a file there that ends in {' or '.join(SUFFIXES)}"
            return Read(None, [Problem("wrong-type", at, what, fix)])
        self._used.add(path)
        key = (path, written.sheet.text if written.sheet is not None else "")
        if key in self._sheets or self._room.is_overrun:
            return Read(self._sheets.get(key))
        data, problems = self._read_bytes(path, at)
        beside = f"{at.file.rpartition('/')[0]}/{name}"
        if data is None and self._workspace.has(beside):
            problems = [problem._replace(fix=f"write {beside.removeprefix(self._folder)[1:]}") for problem in problems]
        elif data is None and written.url is not None:
            game = self._folder.rpartition("/")[2]
            problems = [problem._replace(fix=f"fetch it with `duckpress pull {game}`") for problem in problems]
        elif data is not None:
            self._sheets[key], problems = read_rows(path, data, self._room, written.sheet)
        return Read(self._sheets.get(key), problems)

    def unused(self, folder: str) -> Iterator[Problem]:
        """Yield a `table-not-used` for each table of a folder of decks that none of them has read."""
        for path in self._workspace.files(folder, *SUFFIXES):
            if path not in self._used:
                fix = f"write 'cards: {path.rpartition('/')[2]}' in a deck's file beside it, or delete it"
                yield Problem("table-not-used", Source(path), "no deck reads this table", fix, Level.WARNING)


def _id(written: TableKeys, taken: dict[str, int], text: str) -> str:
    """Return the id of a card: what its column `id` says, or what is made of the words of others."""
    made = card_id(text) if written.id else text
    return numbered(made, taken) if written.is_numbered else made
