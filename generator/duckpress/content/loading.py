"""A game's folder -> a `Game`: every file read, the parts joined, references of form checked, all problems at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.content.game.families import Data
from duckpress.content.game.game_file import GameFile, read_game_file
from duckpress.content.game.game_folder import Decks, GameFolder, size_boxes
from duckpress.content.game.naming import ID, misnamed_files
from duckpress.content.game.pieces import too_many_cards, unprinted_decks, with_decks, with_texts
from duckpress.content.setup.geometry_section import data_places
from duckpress.content.setup.setup_file import read_setup
from duckpress.content.tables.conventions import unused_copies
from duckpress.content.translations.translation_keys import with_words
from duckpress.content.yaml.syntax_errors import decode_text
from duckpress.content.yaml.yaml_file import parser_of_yaml
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
from duckpress.files.recording import Answers, RecordingWorkspace
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import RULES_TEXT, Game, Language, Piece, SheetText
from duckpress.pool.parallel import started_parts

RULES_ID, BOOKLET_ID = "rules", "rules-booklet"


class ReadGame(NamedTuple):
    """What `load_game` returns of a game, and all that reading it asked of the workspace."""

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
    if problems.is_full:
        return None, _of_game(game_id, problems.cut(start))
    if game is None and not has_errors(problems):
        what, fix = "nothing can be printed of this game", "look at its players, its pieces and their decks"
        problems.add("nothing-to-print", start, what, fix)
    return game, _of_game(game_id, problems)


def _of_game(game_id: str, problems: list[Problem]) -> list[Problem]:
    return [problem._replace(game=game_id) for problem in sorted_problems(problems)]


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
    written = problems.take(read_game_file(game_id, node)) if node is not None else None
    decks = problems.take(files.decks(Data(written.game.facts, written.game.lists) if written else None))
    setup_node = problems.take(files.yaml(setup_path)) if workspace.has(setup_path) else None
    setup = problems.take(read_setup(setup_node)) if setup_node is not None else None
    if written is None:
        return Read(None, problems)
    game = problems.take(_joined(workspace, written, decks))
    if game is None:
        return Read(None, problems)
    # Geometry speaks of single records and rows; nothing else needs to know where each of them stands.
    has_geometry = setup is not None and setup.geometry is not None
    game = replace(game, setup=setup, data_sources=data_places(node) if has_geometry else {})
    return Read(game, problems)


def _joined(workspace: Workspace, written: GameFile, decks: Decks) -> Read[Game | None]:
    """Return the game with its decks, its texts and the pieces that print them; None where one prints nothing."""
    problems = ProblemList()
    game, folder = written.game, written.game.folder
    players = max(game.players, default=1)
    decks = problems.take(size_boxes(decks, players))
    pieces = problems.take(with_decks(written.pieces, game.theme, decks))
    problems += too_many_cards(pieces, decks, players)
    is_whole = all(piece.decks or piece.text for piece in pieces) and pieces and len(decks.by_id) == len(decks.files)
    names = dict.fromkeys((RULES_TEXT, *(piece.text for piece in pieces if piece.text)))
    texts = {name: problems.take(_read_sheets(workspace, folder, name, game.languages)) for name in names}
    problems += unprinted_decks(workspace, decks, written.pieces, texts)
    problems += unused_copies(workspace, folder, decks.by_id)
    pieces = problems.take(with_texts(folder, pieces, texts))
    pieces += problems.take(_rules_pieces(texts[RULES_TEXT], pieces, game.theme, has_booklet=written.has_booklet))
    if not is_whole or not game.players:
        return Read(None, problems)
    return Read(replace(game, decks=decks.by_id, pieces=pieces, texts=texts), problems)


def _read_sheets(
    workspace: Workspace, folder: str, name: str, languages: Sequence[Language]
) -> Read[dict[str, SheetText]]:
    """Return the sheets `<name>.md` of a game by language: the one without a code is in the first language.

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
        code = path.rpartition("/")[2].removeprefix(name).removesuffix(".md").removeprefix(".") or first
        source = Source(path)
        if code not in codes or (code == first and path.endswith(f".{first}.md")):
            is_first = code == first
            what = f"{path.rpartition('/')[2]!r} is in {'the first' if is_first else 'none'} of the game's languages"
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
    """Return the pieces that rules are printed as: a sheet, and where asked for a booklet that stands for it.

    Problem: `duplicate-id` where a piece of the game bears their id.
    """
    if not rules:
        return Read(())
    source = next(iter(rules.values())).source
    pieces = [Piece(RULES_ID, "Rules", (), theme, source, book="sheet", text=RULES_TEXT)]
    if has_booklet:
        booklet = "Rules, folded booklet"
        pieces.append(Piece(BOOKLET_ID, booklet, (), theme, source, RULES_ID, book="booklet", text=RULES_TEXT))
    ids = {piece.id for piece in pieces}
    for other in others:
        if other.id in ids:
            what = f"the piece id {other.id!r} is taken by the rules sheet"
            return Read((), [Problem("duplicate-id", other.source, what, "call the piece otherwise")])
    return Read(tuple(pieces))
