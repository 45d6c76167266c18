"""A game's folder -> a `Game`: every file read, the parts joined, references of form checked, all problems at once."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.game.deck_file import Surroundings, read_deck
from duckpress.content.game.families import Data
from duckpress.content.game.game_file import GameFile, WrittenPiece, read_game_file
from duckpress.content.game.ids import ID, check_id
from duckpress.content.game.misnamed import misnamed_files
from duckpress.content.game.rule_sheets import read_sheets, rules_pieces
from duckpress.content.game.tuck_boxes import size_boxes
from duckpress.content.setup.geometry_section import data_places
from duckpress.content.setup.setup_file import read_setup
from duckpress.content.tables.cells import TableRoom
from duckpress.content.tables.column_names import unused_copies
from duckpress.content.tables.tables import SUFFIXES as TABLES
from duckpress.content.tables.tables import Table, read_table
from duckpress.content.translations.fixed_words import with_words
from duckpress.content.yaml.nodes import Node, Room, read_yaml
from duckpress.content.yaml.problem_list import Gathering, TooManyProblems
from duckpress.content.yaml.scalars import quoted
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problems import (
    Level,
    Problem,
    Source,
    begin_looking,
    did_you_mean,
    has_errors,
    nearest,
    sorted_problems,
)
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import RULES_TEXT, Deck, Game, Piece, SheetText
from duckpress.model.setup import Setup

_DECK_FOLDERS = ("decks", "boards")
_SHOWN = re.compile(r"\]\((?:card|board|back):([a-z0-9-]+)")  # the deck that a picture of a rules sheet is taken from


class _Decks(Struct, frozen=True):
    found: dict[str, Deck]
    files: dict[str, str]  # id -> path of all files there are, those that could not be read included


def load_game(workspace: Workspace, game_id: str) -> tuple[Game | None, list[Problem]]:
    """Give a game and every problem of form in its files, in reading order.

    The game is None where its files are too broken to say anything more about it: `game.yaml` or a deck cannot be
    read, or a piece has no deck to print. A game that comes with errors is whole enough to print a draft: a field that
    was wrong holds its default. Every problem carries the game's id.
    """
    begin_looking()
    problems = Gathering()
    told: list[Problem] = problems
    game = None
    try:
        with _collector_paused():
            game = _load(workspace, game_id, problems)
            if game is not None:
                game = with_words(workspace, game, problems)
    except TooManyProblems:
        game = None
        told = problems.told(Source(f"content/{game_id}/game.yaml"))
    if game is None and not has_errors(told):
        what, fix = "nothing can be printed of this game", "look at its players, its pieces and their decks"
        told.append(Problem("nothing-to-print", Source(f"content/{game_id}/game.yaml"), what, fix))
    return game, [problem._replace(game=game_id) for problem in sorted_problems(told)]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Hold the garbage collector back: reading makes many small tuples and no cycles; it would walk them all often."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _load(workspace: Workspace, game_id: str, problems: list[Problem]) -> Game | None:
    folder = f"content/{game_id}"
    if not ID.fullmatch(game_id):
        what = f"the game's folder {game_id!r} is not made of small letters, digits and '-'"
        problems.append(Problem("bad-id", Source(f"{folder}/game.yaml"), what, "rename the folder"))
        return None
    problems += misnamed_files(workspace, folder)
    loader = _Loader(workspace, folder, problems)
    node = loader.yaml(f"{folder}/game.yaml", Source(f"{folder}/game.yaml"))
    written = read_game_file(game_id, node, problems) if node is not None else None
    data = Data(written.facts, written.lists) if written else Data({}, {})
    decks = loader.decks(data, is_typed=written is not None)
    setup = None
    setup_path = f"{folder}/setup.yaml"
    if workspace.has(setup_path) and (setup_node := loader.yaml(setup_path, Source(setup_path))) is not None:
        setup = read_setup(setup_node, problems)
    if written is None:
        return None
    size_boxes(decks.found, decks.files, max(written.players, default=1), problems)
    pieces = _join_pieces(written.pieces, decks, problems)
    _refuse_crowds(pieces, decks, max(written.players, default=1), problems)
    is_whole = all(piece.decks or piece.text for piece in pieces) and pieces and len(decks.found) == len(decks.files)
    names = dict.fromkeys((RULES_TEXT, *(piece.text for piece in pieces if piece.text)))
    texts = {name: read_sheets(workspace, folder, name, written.languages, problems) for name in names}
    _report_unprinted(decks, written.pieces, texts, problems)
    problems += unused_copies(workspace, folder, decks.found)
    pieces = _with_texts(folder, pieces, texts, problems)
    has_booklet = written.has_booklet
    pieces += rules_pieces(texts[RULES_TEXT], pieces, written.theme, has_booklet=has_booklet, problems=problems)
    if not is_whole or not written.players:
        return None
    game = replace(_game(game_id, folder, written, decks.found, pieces, setup), texts=texts)
    # Geometry speaks of single records and rows; nothing else needs to know where each of them stands.
    has_geometry = setup is not None and setup.geometry is not None
    return replace(game, data_sources=data_places(node)) if has_geometry else game


class _Loader:
    """Reads the files of one game's folder and gathers what is wrong with them."""

    def __init__(self, workspace: Workspace, folder: str, problems: list[Problem]) -> None:
        self._workspace = workspace
        self._folder = folder
        self._problems = problems
        self._has_art: dict[str, bool] = {}
        self._tables: set[str] = set()
        self._room = Room()
        self._table_room = TableRoom()

    def yaml(self, path: str, named_at: Source) -> Node | None:
        """Give a YAML file's content, or None after reporting why there is none."""
        data = None if self._room.is_overrun else self._bytes(path, named_at)
        return None if data is None else read_yaml(path, data, self._problems, self._room)

    def decks(self, data: Data, *, is_typed: bool) -> _Decks:
        """Give the decks of all files in `decks/` and `boards/`.

        Without a readable `game.yaml` its lists are unknown, and what a card means with them: then (`is_typed` False)
        the files are only read, so that at least their mistakes in writing are reported.
        """
        decks = _Decks({}, {})
        for folder in (f"{self._folder}/{name}" for name in _DECK_FOLDERS):
            self._tables = set()
            for path in self._workspace.files(folder, ".yaml", ".yml"):
                if not self._has_room(decks, path):
                    self._note_unread(decks)
                    return decks
                self._deck(path, folder, data if is_typed else None, decks)
            if len(decks.found) == len(decks.files):
                self._report_unused_tables(folder)
        return decks

    def _has_room(self, decks: _Decks, path: str) -> bool:
        """Tell whether another file may be read. Problem: `game-too-large`."""
        cards = sum(len(deck.cards) for deck in decks.found.values())
        for name, count in (("game-files", len(decks.files) + 1), ("game-cards", cards)):
            if count > limit(name):
                what = f"the game has more than {written(limit(name))} {LIMITS[name].unit} in its decks"
                fix = f"make several games of it; {how_to_raise(name)}"
                self._problems.append(Problem("game-too-large", Source(path), what, fix))
                return False
        return True

    def _note_unread(self, decks: _Decks) -> None:
        """Note the files that are not read: no game comes of them, and no piece is told that they are missing."""
        for name in _DECK_FOLDERS:
            for path in self._workspace.files(f"{self._folder}/{name}", ".yaml"):
                decks.files.setdefault(path.rpartition("/")[2].removesuffix(".yaml"), path)

    def _deck(self, path: str, folder: str, data: Data | None, decks: _Decks) -> None:
        start = Source(path)
        name, _, suffix = path.rpartition("/")[2].rpartition(".")
        if suffix == "yml":
            self._problems.append(Problem("bad-name", start, "the file's name ends in .yml", f"rename it {name}.yaml"))
            return
        if not check_id(name, start, "the deck's file name", self._problems):
            return
        if name in decks.files:
            what = f"the deck id {name!r} is taken already, by {decks.files[name]}"
            self._problems.append(Problem("duplicate-id", start, what, "rename one of the two files"))
            return
        decks.files[name] = path
        node = self.yaml(path, start)
        if node is None or data is None:
            return
        around = Surroundings(data, self._art_exists, lambda table, source: self._table(folder, table, source))
        deck = read_deck(name, node, around, self._problems)
        if deck is not None:
            decks.found[name] = deck

    def _table(self, folder: str, name: str, named_at: Source) -> Table | None:
        """Give the table beside a deck that its `cards:` names."""
        if not name.endswith(TABLES) or "/" in name:
            what = f"'cards' is {quoted(name)}, neither a list nor a CSV file or spreadsheet"
            fix = f"write the cards as a list, or name a file beside this one that ends in {' or '.join(TABLES)}"
            self._problems.append(Problem("wrong-type", named_at, what, fix))
            return None
        path = f"{folder}/{name}"
        self._tables.add(path)
        data = None if self._table_room.is_overrun else self._bytes(path, named_at)
        return None if data is None else read_table(path, data, self._problems, self._table_room)

    def _bytes(self, path: str, named_at: Source) -> bytes | None:
        try:
            return self._workspace.read(path)
        except Refused as refused:
            problem = refused.problem(named_at)
            if named_at.file == path and (alike := self._workspace.alike(path)):
                problem = problem._replace(fix=f"rename {alike.rpartition('/')[2]} to {path.rpartition('/')[2]}")
            self._problems.append(problem)
            return None

    def _art_exists(self, name: str) -> bool:
        """Tell whether an image exists: below the game's folder, or below `layouts/` for art that games share."""
        if name not in self._has_art:
            places = (f"{self._folder}/{name}", f"layouts/{name}")
            self._has_art[name] = any(self._workspace.has(place) for place in places)
        return self._has_art[name]

    def _report_unused_tables(self, folder: str) -> None:
        for path in self._workspace.files(folder, *TABLES):
            if path not in self._tables:
                name = path.rpartition("/")[2]
                fix = f"write 'cards: {name}' in a deck's file beside it, or delete it"
                what = "no deck reads this table"
                self._problems.append(Problem("table-not-used", Source(path), what, fix, Level.WARNING))


def _join_pieces(pieces: tuple[WrittenPiece, ...], decks: _Decks, problems: list[Problem]) -> tuple[Piece, ...]:
    """Give the pieces with the decks they really have.

    Problems: `unknown-deck`, `duplicate-id` for a deck named twice, `mixed-packet`.
    """
    joined = []
    for piece, sources in pieces:
        kept: list[str] = []
        for name, source in zip(piece.decks, sources, strict=True):
            if name not in decks.files:
                what = f"piece {piece.id!r} prints deck {quoted(name)}, and there is no such file"
                fix = did_you_mean(name, decks.files) or f"write decks/{name}.yaml"
                problems.append(Problem("unknown-deck", source, what, fix))
            elif name in kept:
                what = f"piece {piece.id!r} names deck {name!r} twice"
                problems.append(Problem("duplicate-id", source, what, "keep one of the two"))
            elif name in decks.found:
                if kept and decks.found[kept[0]].dealt_to != decks.found[name].dealt_to:
                    what = f"piece {piece.id!r} mixes what is printed for everybody, for the host or for one player"
                    fix = "print it as a piece of its own"
                    problems.append(Problem("mixed-packet", source, what, fix))
                    continue
                kept.append(name)
        joined.append(piece._replace(decks=tuple(kept)))
    return tuple(joined)


def _with_texts(
    folder: str, pieces: Sequence[Piece], texts: Mapping[str, Mapping[str, SheetText]], problems: list[Problem]
) -> tuple[Piece, ...]:
    """Return the pieces without those whose text is not there. Problem: `missing-file`."""
    missing = [piece for piece in pieces if piece.text and not texts[piece.text]]
    for piece in missing:
        what = f"piece {piece.id!r} is typeset from {piece.text}.md, and there is no such file"
        problems.append(Problem("missing-file", piece.source, what, f"write {folder}/{piece.text}.md"))
    return tuple(piece for piece in pieces if piece not in missing)


def _refuse_crowds(pieces: Sequence[Piece], decks: _Decks, players: int, problems: list[Problem]) -> None:
    """Report a game that prints more than anybody cuts. Problem: `game-too-large`, at the piece that is too much."""
    most = limit("printed-cards")
    count = 0
    for piece in pieces:
        found = [decks.found[name] for name in piece.decks]
        count += sum(deck.count * (players if deck.is_per_player else 1) for deck in found)
        if count > most:
            what = f"the game prints more than {written(most)} cards, all copies counted"
            fix = f"print fewer copies; {how_to_raise('printed-cards')}"
            problems.append(Problem("game-too-large", piece.source, what, fix))
            return


def _report_unprinted(
    decks: _Decks,
    pieces: tuple[WrittenPiece, ...],
    texts: Mapping[str, Mapping[str, SheetText]],
    problems: list[Problem],
) -> None:
    """Warn of each deck that no piece prints and no rules sheet shows a picture of (`deck-not-printed`).

    Without pieces nothing is said, nor of a deck whose name a piece misspells.
    """
    if not pieces:
        return
    named = {name for piece, _ in pieces for name in piece.decks}
    named.update(name for sheets in texts.values() for sheet in sheets.values() for name in _SHOWN.findall(sheet.text))
    meant = {nearest(name, decks.files) for name in named if name not in decks.files}
    for id_, path in decks.files.items():
        if id_ not in named and id_ not in meant:
            what = f"no piece prints deck {id_!r}"
            fix = f"add {id_!r} to the 'decks' of a piece in game.yaml"
            problems.append(Problem("deck-not-printed", Source(path), what, fix, Level.WARNING))


def _game(
    id_: str, folder: str, written: GameFile, decks: dict[str, Deck], pieces: tuple[Piece, ...], setup: Setup | None
) -> Game:
    return Game(
        id=id_,
        title=written.title,
        version=written.version,
        designer=written.designer,
        players=written.players,
        languages=written.languages,
        decks=decks,
        pieces=pieces,
        lists=written.lists,
        facts=written.facts,
        setup=setup,
        notes=written.notes,
        accepted=written.accepted,
        credits=written.credits,
        about=written.about,
        licence=written.licence,
        folder=folder,
        source=written.source,
        sources=written.sources,
        publisher=written.publisher,
        theme=written.theme,
        bring=written.bring,
        has_cover=written.has_cover,
        bundle=written.bundle,
    )
