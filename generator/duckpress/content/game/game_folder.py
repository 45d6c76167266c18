"""The files of one game's folder: YAML read into nodes, decks, boxes as large as what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.game.deck_file import DeckTables, read_bytes, read_deck
from duckpress.content.game.families import Data
from duckpress.content.game.naming import id_problem
from duckpress.content.tables.chosen_columns import TABLES, TableKeys
from duckpress.content.yaml import nodes
from duckpress.content.yaml.nodes import Node
from duckpress.content.yaml.yaml_file import ValueAllowance, read_yaml
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean
from duckpress.core.sizes import Format
from duckpress.core.tuckbox import box_for
from duckpress.files.workspace import Workspace
from duckpress.model import BoxPlan, Deck

_DECK_FOLDERS = ("decks", "boards")


class Decks(Struct, frozen=True):
    """The decks that could be read, and the path of every deck's file by id, those that could not be read included."""

    by_id: dict[str, Deck]
    files: dict[str, str]


class GameFolder:
    """Reads the files of one game's folder, which hold no more together than a game may."""

    def __init__(self, workspace: Workspace, folder: str) -> None:
        self._workspace, self._folder = workspace, folder
        self._files: dict[str, str] = {}  # the decks' files by id
        # An image lies below the game's folder, or below `layouts/` for art that games share.
        self._has_art = cache(lambda name: any(workspace.has(f"{place}/{name}") for place in (folder, "layouts")))
        self._room = ValueAllowance()
        self._tables = DeckTables(workspace, folder)

    def yaml(self, path: str) -> Read[Node | None]:
        if self._room.is_overrun:
            return Read(None)
        data, problems = read_bytes(self._workspace, path, Source(path))
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
        node, problems = self.yaml(path)
        if node is None or data is None:
            return Read(None, problems)
        deck = read_deck(name, node, data, self._has_art, self._tables)
        return Read(deck.value, [*problems, *deck.problems])


def size_boxes(decks: Decks, players: int) -> Read[Decks]:
    """Return the decks, every box of the size of what it holds; a deck for each player counts for the most players.

    Problems: `unknown-deck` for a deck that is not there, `box-holds-box`, `mixed-sizes` where what it holds is of
    more than one size. A box that holds nothing known is left out.
    """
    problems = ProblemList()
    sized = dict(decks.by_id)
    for id_, deck in decks.by_id.items():
        if (plan := deck.box_plan) is None:
            continue
        inside = problems.take(_decks_inside(deck, plan, sized, decks.files))
        if not inside:
            del sized[id_]
            continue
        holds = tuple((one.id, one.count * (players if one.is_per_player else 1)) for one in inside if one.is_component)
        dividers = sum(one.count for one in inside if not one.is_component)
        largest = max((one.size.trim for one in inside), key=lambda trim: trim.width_mm * trim.height_mm)
        count = sum(cards for _, cards in holds)
        net = box_for(largest, count, plan.stock_mm, plan.room_mm, is_sleeved=plan.is_sleeved, dividers=dividers)
        net = replace(net, holds=holds)
        size = net.net_size
        format_ = Format(f"{size.width_mm:g}x{size.height_mm:g}mm", size, 0.0, 0.0, 0.0)
        sized[id_] = replace(deck, own_format=format_, format=format_.name, box=net)
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
