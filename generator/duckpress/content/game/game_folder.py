"""The files of one game's folder: YAML read into nodes, decks with their tables, boxes as large as what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.game.deck_file import read_deck
from duckpress.content.game.families import Data
from duckpress.content.game.naming import card_id, id_problem, numbered
from duckpress.content.tables.cells import TableRoom
from duckpress.content.tables.chosen_columns import TABLES, TableKeys, choose_columns
from duckpress.content.tables.tables import SUFFIXES, Row, Table, read_rows, read_table
from duckpress.content.yaml import nodes
from duckpress.content.yaml.kinds import Placed
from duckpress.content.yaml.nodes import Node, quoted
from duckpress.content.yaml.yaml_file import ValueAllowance, read_yaml
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean
from duckpress.core.sizes import Format
from duckpress.core.tuckbox import box_for
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import BoxPlan, Deck, Field


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


_DECK_FOLDERS = ("decks", "boards")


class Decks(Struct, frozen=True):
    """The decks that could be read, and the path of every deck's file by id, those that could not be read included."""

    by_id: dict[str, Deck]
    files: dict[str, str]


class GameFolder:
    """Reads the files of one game's folder, which hold no more together than a game may."""

    def __init__(self, workspace: Workspace, folder: str) -> None:
        self._workspace = workspace
        self._folder = folder
        self._files: dict[str, str] = {}  # the decks' files by id
        # An image lies below the game's folder, or below `layouts/` for art that games share.
        self._has_art = cache(lambda name: any(workspace.has(f"{place}/{name}") for place in (folder, "layouts")))
        self._room = ValueAllowance()
        self._tables = DeckTables(workspace, folder, self._bytes)

    def yaml(self, path: str) -> Read[Node | None]:
        """Return a YAML file's content, None where it cannot be read."""
        if self._room.is_overrun:
            return Read(None)
        data, problems = self._bytes(path, Source(path))
        return Read(None, problems) if data is None else read_yaml(path, data, self._room)

    def decks(self, data: Data | None) -> Read[Decks]:
        """Return the decks of all files in `decks/` and `boards/`.

        Without `data`, as there is no readable `game.yaml`, its lists are unknown, and what a card means with them:
        then the files are only read, so that at least their mistakes in writing are reported.
        """
        problems = ProblemList()
        decks: dict[str, Deck] = {}
        folders = [f"{self._folder}/{name}" for name in _DECK_FOLDERS]
        for folder in folders:
            for path in self._workspace.files(folder, ".yaml", ".yml"):
                too_many = self._too_many(decks, path)
                if too_many is not None:
                    problems.append(too_many)
                    # All decks are named: no piece is told that one is missing which was not read.
                    paths = [path for folder in folders for path in self._workspace.files(folder, ".yaml")][::-1]
                    names = {path.rpartition("/")[2].removesuffix(".yaml"): path for path in paths}
                    return Read(Decks(decks, names | self._files), problems)
                deck = problems.take(self._deck(path, data))
                if deck is not None:
                    decks[deck.id] = deck
        if len(decks) == len(self._files):
            for folder in folders:
                problems += self._tables.unused(folder)
        return Read(Decks(decks, dict(self._files)), problems)

    def tables(self) -> Read[list[TableKeys]]:
        """Return the designer's own tables that decks name, as the decks say them: none of them has to be there."""
        problems = ProblemList()
        tables: list[TableKeys] = []
        for folder in _DECK_FOLDERS:
            for path in self._workspace.files(f"{self._folder}/{folder}", ".yaml"):
                node = problems.take(self.yaml(path))
                entry = node.entries.get("table") if isinstance(node, nodes.Mapping) else None
                if entry is not None:
                    named = problems.take(TABLES.read(entry.value, "'table'"))
                    tables += named or ()
        return Read(tables, problems)

    def _too_many(self, decks: Mapping[str, Deck], path: str) -> Problem | None:
        """Return why another file may not be read (`game-too-large`), or None where it may."""
        cards = sum(len(deck.cards) for deck in decks.values())
        for name, count in (("game-files", len(self._files) + 1), ("game-cards", cards)):
            if count > limit(name):
                what = f"the game has more than {written(limit(name))} {LIMITS[name].unit} in its decks"
                fix = f"make several games of it; {how_to_raise(name)}"
                return Problem("game-too-large", Source(path), what, fix)
        return None

    def _deck(self, path: str, data: Data | None) -> Read[Deck | None]:
        start = Source(path)
        name, _, suffix = path.rpartition("/")[2].rpartition(".")
        if suffix == "yml":
            what, fix = "the file's name ends in .yml", f"rename it {name}.yaml"
            return Read(None, [Problem("bad-name", start, what, fix)])
        if (problem := id_problem(name, start, "the deck's file name")) is not None:
            return Read(None, [problem])
        if name in self._files:
            what = f"the deck id {name!r} is taken already, by {self._files[name]}"
            return Read(None, [Problem("duplicate-id", start, what, "rename one of the two files")])
        self._files[name] = path
        problems = ProblemList()
        node = problems.take(self.yaml(path))
        if node is None or data is None:
            return Read(None, problems)
        deck = read_deck(name, node, data, self._has_art, self._tables)
        return Read(problems.take(deck), problems)

    def _bytes(self, path: str, named_at: Source) -> Read[bytes | None]:
        try:
            return Read(self._workspace.read(path))
        except Refused as refused:
            problem = refused.problem(named_at)
            if named_at.file == path and (alike := self._workspace.alike(path)):
                problem = problem._replace(fix=f"rename {alike.rpartition('/')[2]} to {path.rpartition('/')[2]}")
            return Read(None, [problem])


def size_boxes(decks: Decks, players: int) -> Read[Decks]:
    """Return the decks, every box of the size of what it holds; a deck for each player counts for the most players.

    Problems: `unknown-deck` for a deck that is not there, `box-holds-box`, `mixed-sizes` where what it holds is of
    more than one size. A box that holds nothing known is left out.
    """
    problems = ProblemList()
    sized = dict(decks.by_id)
    for id_, deck in decks.by_id.items():
        if deck.box_plan is None:
            continue
        inside = problems.take(_decks_inside(deck, deck.box_plan, sized, decks.files))
        if inside:
            plan = deck.box_plan
            holds = tuple(
                (packed.id, packed.count * (players if packed.is_per_player else 1))
                for packed in inside
                if packed.is_component
            )
            count, dividers = (
                sum(cards for _, cards in holds),
                sum(deck.count for deck in inside if not deck.is_component),
            )
            largest = max((packed.size.trim for packed in inside), key=lambda trim: trim.width_mm * trim.height_mm)
            net = box_for(largest, count, plan.stock_mm, plan.room_mm, is_sleeved=plan.is_sleeved, dividers=dividers)
            net = replace(net, holds=holds)
            size = net.net_size
            format_ = Format(f"{size.width_mm:g}x{size.height_mm:g}mm", size, 0.0, 0.0, 0.0)
            sized[id_] = replace(deck, own_format=format_, format=format_.name, box=net)
        else:
            del sized[id_]
    return Read(Decks(sized, decks.files), problems)


def _decks_inside(box: Deck, plan: BoxPlan, decks: Mapping[str, Deck], files: Mapping[str, str]) -> Read[list[Deck]]:
    problems = ProblemList()
    inside = []
    for name, source in plan.holds:
        if name not in files:
            what = f"box {box.id!r} holds deck {name!r}, and there is no such file"
            problems.add("unknown-deck", source, what, did_you_mean(name, files))
        elif name in decks and decks[name].box_plan is not None:
            what = f"box {box.id!r} holds {name!r}, which is a box"
            problems.add("box-holds-box", source, what, "name the decks of cards that lie in it")
        elif name in decks:
            inside.append(decks[name])
    if len({tuple(sorted(deck.size.trim)) for deck in inside}) > 1:
        sizes = ", ".join(f"{deck.id} is {deck.format}" for deck in inside)
        what = f"box {box.id!r} holds cards of several sizes: {sizes}"
        problems.add("mixed-sizes", plan.holds[0][1], what, "make a box for each size")
    return Read(inside, problems)
