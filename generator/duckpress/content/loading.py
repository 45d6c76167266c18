"""A game's folder -> a `Game`: every file read, the parts joined, references checked, all problems at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.content.game.deck_file import Decks, DeckTables, read_bytes, read_deck
from duckpress.content.game.families import Data
from duckpress.content.game.game_file import GameFile, read_game_file
from duckpress.content.game.naming import ID, id_problem, misnamed_files
from duckpress.content.game.pieces import too_many_cards, unprinted_decks, unused_copies, with_decks, with_texts
from duckpress.content.setup.geometry_section import data_places
from duckpress.content.setup.setup_file import read_setup
from duckpress.content.tables.chosen_columns import TABLES, TableKeys
from duckpress.content.translations.translation_keys import with_words
from duckpress.content.yaml import nodes
from duckpress.content.yaml.nodes import Node
from duckpress.content.yaml.syntax_errors import decode_text
from duckpress.content.yaml.yaml_file import ValueAllowance, parser_of_yaml, read_yaml
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problems import (
    Level,
    Problem,
    ProblemList,
    Read,
    Source,
    begin_looking,
    did_you_mean,
    has_errors,
    sorted_problems,
)
from duckpress.core.sizes import Format
from duckpress.core.tuckbox import box_for
from duckpress.files.recording import Answers, RecordingWorkspace
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import RULES_TEXT, BoxPlan, Deck, Game, Language, Piece, SheetText
from duckpress.pool.parallel import started_parts

RULES_ID, BOOKLET_ID = "rules", "rules-booklet"


class ReadGame(NamedTuple):
    """The result of `load_game` for one game, and its dependencies in the workspace."""

    game: Game | None
    problems: list[Problem]
    answers: Answers


def load_game(workspace: Workspace, game_id: str) -> tuple[Game | None, list[Problem]]:
    """Return a game and every problem of form in its files, in reading order.

    The game is None where its files are too broken to say anything more about it: `game.yaml` or a deck cannot be
    read, or a piece has no deck to print. A game that comes with errors is whole enough to print a draft: a field that
    was wrong holds its default. Every problem carries the game's id.
    """
    begin_looking()
    start = Source(f"content/{game_id}/game.yaml")
    problems = ProblemList()
    game = problems.take(_load(workspace, game_id))
    if game is not None:
        game = problems.take(with_words(workspace, game))
    is_full = problems.is_full
    if game is None and not has_errors(problems):
        what, fix = "nothing can be printed of this game", "look at its players, its pieces and their decks"
        problems.add("nothing-to-print", start, what, fix)
    reported = sorted_problems(problems.cut(start) if is_full else problems)
    return None if is_full else game, [problem._replace(game=game_id) for problem in reported]


def read_games(workspace: Workspace, games: Sequence[str], jobs: int, next_module: str = "") -> list[ReadGame]:
    """Return the games of these ids, read by up to `jobs` processes. Raises what `load_game` raises."""

    def read(number: int) -> ReadGame:
        recording = RecordingWorkspace(workspace)
        return ReadGame(*load_game(recording, games[number]), recording.answers)

    parser_of_yaml()  # which is imported now, once for all processes
    with started_parts(read, len(games), jobs) as results:
        if next_module:
            import_module(next_module)
        return results()


def _load(workspace: Workspace, game_id: str) -> Read[Game | None]:
    problems = ProblemList()
    folder = f"content/{game_id}"
    path, setup_path = f"{folder}/game.yaml", f"{folder}/setup.yaml"
    if not ID.fullmatch(game_id):
        what = f"the game's folder {game_id!r} is not made of small letters, digits and '-'"
        problems.add("bad-id", Source(path), what, "rename the folder")
        return Read(None, problems)
    problems += misnamed_files(workspace, folder)
    files = GameFolder(workspace, folder)
    node = problems.take(files.yaml(path))
    stated = problems.take(read_game_file(game_id, node)) if node is not None else None
    decks = problems.take(files.decks(Data(stated.game.facts, stated.game.lists) if stated else None))
    setup_node = problems.take(files.yaml(setup_path)) if workspace.has(setup_path) else None
    setup = problems.take(read_setup(setup_node)) if setup_node is not None else None
    if stated is None:
        return Read(None, problems)
    game = problems.take(_whole_game(workspace, stated, decks))
    if game is None:
        return Read(None, problems)
    # Geometry speaks of single records and rows; nothing else needs to know where each of them stands.
    has_geometry = setup is not None and setup.geometry is not None
    game = replace(game, setup=setup, data_sources=data_places(node) if has_geometry else {})
    return Read(game, problems)


def _whole_game(workspace: Workspace, stated: GameFile, decks: Decks) -> Read[Game | None]:
    """Return the game with its decks, texts and pieces; None without players or pieces, or if a deck is unreadable."""
    problems = ProblemList()
    game, folder = stated.game, stated.game.folder
    players = max(game.players, default=1)
    decks = problems.take(size_boxes(decks, players))
    pieces = problems.take(with_decks(stated.pieces, game.theme, decks))
    problems += too_many_cards(pieces, decks, players)
    is_whole = all(piece.decks or piece.text for piece in pieces) and pieces and len(decks.by_id) == len(decks.files)
    names = dict.fromkeys((RULES_TEXT, *(piece.text for piece in pieces if piece.text)))
    texts = {name: problems.take(_read_sheets(workspace, folder, name, game.languages)) for name in names}
    problems += unprinted_decks(workspace, decks, stated.pieces, texts)
    problems += unused_copies(workspace, folder, decks.by_id)
    pieces = problems.take(with_texts(folder, pieces, texts))
    pieces += problems.take(_rules_pieces(texts[RULES_TEXT], pieces, game.theme, has_booklet=stated.has_booklet))
    if not is_whole or not game.players:
        return Read(None, problems)
    return Read(replace(game, decks=decks.by_id, pieces=pieces, texts=texts), problems)


def _read_sheets(
    workspace: Workspace, folder: str, name: str, languages: Sequence[Language]
) -> Read[dict[str, SheetText]]:
    """Return the sheets `<name>.md` of a game by language: a name without a code is the first language.

    Problems: `rules-file` for a sheet in a language that the game does not have, or without the first language's;
    those of reading a text.
    """
    problems = ProblemList()
    codes = [language.code for language in languages]
    first = codes[0]
    sheets: dict[str, SheetText] = {}
    for path in workspace.files(folder, ".md"):
        if not path.startswith(f"{folder}/{name}."):
            continue
        file, source = path.rpartition("/")[2], Source(path)
        code = file.removeprefix(name).removesuffix(".md").removeprefix(".") or first
        if code not in codes or file.endswith(f".{first}.md"):
            is_first = code == first
            what = f"{file!r} is in {'the first' if is_first else 'none'} of the game's languages"
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


def _rules_pieces(
    rules: Mapping[str, SheetText], others: Sequence[Piece], theme: str, *, has_booklet: bool
) -> Read[tuple[Piece, ...]]:
    """Return the pieces of the rules: a sheet, and a booklet instead of it if the game asks for one.

    Problem: `duplicate-id` where a piece of the game bears their id.
    """
    if not rules:
        return Read(())
    source = next(iter(rules.values())).source
    pieces = [Piece(RULES_ID, "Rules", (), theme, source, book="sheet", text=RULES_TEXT)]
    if has_booklet:
        booklet = "Rules, folded booklet"
        pieces.append(Piece(BOOKLET_ID, booklet, (), theme, source, RULES_ID, book="booklet", text=RULES_TEXT))
    taken = next((other for other in others if any(other.id == piece.id for piece in pieces)), None)
    if taken is None:
        return Read(tuple(pieces))
    what = f"the piece id {taken.id!r} is taken by the rules sheet"
    return Read((), [Problem("duplicate-id", taken.source, what, "call the piece otherwise")])


_DECK_FOLDERS = ("decks", "boards")


class GameFolder:
    """Reads the files of one game's folder, within the limits of a game."""

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
        """Return the keys of the designer's own tables in all decks; the tables need not exist yet."""
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
        """Return the problem that forbids another file (`game-too-large`), or None."""
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
    """Return the decks, with every box sized for its content; a deck for each player counts for the most players.

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
