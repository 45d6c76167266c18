"""A game's folder -> a `Game`: every file read, the parts joined, references of form checked, all problems at once."""

from __future__ import annotations

from msgspec.structs import replace

from duckpress.content.game.families import Data
from duckpress.content.game.game_file import GameFile, read_game_file
from duckpress.content.game.game_folder import Decks, GameFolder, size_boxes
from duckpress.content.game.naming import ID, misnamed_files
from duckpress.content.game.pieces import too_many_cards, unprinted_decks, with_decks, with_texts
from duckpress.content.game.rule_sheets import read_sheets, rules_pieces
from duckpress.content.setup.geometry_section import data_places
from duckpress.content.setup.setup_file import read_setup
from duckpress.content.tables.column_names import unused_copies
from duckpress.content.translations.fixed_words import with_words
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, Source, begin_looking, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import RULES_TEXT, Game


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
    texts = {name: problems.take(read_sheets(workspace, folder, name, game.languages)) for name in names}
    problems += unprinted_decks(decks, written.pieces, texts)
    problems += unused_copies(workspace, folder, decks.by_id)
    pieces = problems.take(with_texts(folder, pieces, texts))
    pieces += problems.take(rules_pieces(texts[RULES_TEXT], pieces, game.theme, has_booklet=written.has_booklet))
    if not is_whole or not game.players:
        return Read(None, problems)
    return Read(replace(game, decks=decks.by_id, pieces=pieces, texts=texts), problems)
