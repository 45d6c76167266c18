"""The settings of each virtual table, by its command line name: Tabletop Simulator, playingcards.io and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from duckpress.core.geometry import MM_PER_INCH
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.packet import deal
from duckpress.press.pipeline import build
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Request, Step
from duckpress.store import read_whole, scratch_folder
from duckpress.views.export_files import ExportRequest, MadeFiles
from duckpress.views.shown_game import ShownGame
from duckpress.views.virtual.playingcards import playingcards_files
from duckpress.views.virtual.sprites import playground_files, single_files, sprite_files
from duckpress.views.virtual.table_decks import TableDeck, TableThing, table_decks
from duckpress.views.virtual.table_stacks import SpriteGrid, TableJob, stacks_of_deal, stacks_of_decks
from duckpress.views.virtual.tabletop_simulator import simulator_files


class TableKind(NamedTuple):
    """The settings of a virtual table: the function that makes its files, the limits of its sheets, its dpi."""

    make: Callable[[TableJob], MadeFiles]
    columns: int = 10
    rows: int = 10
    max_px: int = 4096
    dpi: float | None = None


TABLES = {
    "tts": TableKind(simulator_files, 10, 7),
    "pcio": TableKind(playingcards_files),
    "ttpg": TableKind(playground_files, max_px=8192),
    "tabletopia": TableKind(single_files, max_px=4000, dpi=10 * MM_PER_INCH),
    "screentop": TableKind(sprite_files, max_px=2048),
    "sprites": TableKind(sprite_files),
}
_PAPER = "a4"


def table_files(
    workspace: Workspace,
    loaded: Loaded,
    shown: ShownGame,
    pieces: Sequence[LaidOut],
    request: ExportRequest,
    folder: Path,
    step: Step,
) -> MadeFiles:
    """Return the files for a virtual table; none if the cards cannot be dealt."""
    checked, fonts = shown
    game, kind = checked.game, TABLES[request.to]
    assert game is not None
    decks = table_decks(workspace, game, pieces, is_asked=bool(request.pieces))
    dealt = deal(loaded, request.players, request.seed, request.variant) if request.players is not None else None
    if dealt is not None and dealt.deal is None:
        return MadeFiles({}, checked=Checked(game.id, game, dealt.problems, checked.pieces))
    stacks = stacks_of_decks(decks) if dealt is None or dealt.deal is None else stacks_of_deal(game, decks, dealt.deal)
    grid = SpriteGrid(kind.columns, kind.rows, request.max_px or kind.max_px, kind.dpi or request.dpi)
    flat = [deck for deck in decks if deck.thing is not TableThing.DIE]
    dice = [die for deck in decks for thrown in deck.dice.values() for die in thrown]
    url = request.url and request.url.rstrip("/") + "/"
    rules = partial(_rules, workspace, loaded, game, request, step)
    table = kind.make(TableJob(game, flat, dice, stacks, grid, fonts, step, url, folder, rules))
    set_for = {} if dealt is None else {"players": request.players, "seed": request.seed, "variant": request.variant}
    return table._replace(facts={**table.facts, **set_for}, said=[*table.said, *_left_out(game, pieces, decks)])


def _rules(workspace: Workspace, loaded: Loaded, game: Game, request: ExportRequest, step: Step) -> bytes | None:
    """Return the rules as a PDF, proven as for printing; None if a game has none."""
    books = (one for one in game.pieces if one.book == "sheet" and not one.is_for_designer and one.instead_of is None)
    piece = next(books, None)
    if piece is None or request.pieces:
        return None
    step(piece.id)
    own_request = Request((_PAPER,), ink=request.ink, language=request.language, pieces=(piece.id,))
    with scratch_folder() as scratch:
        built = build(workspace, loaded, own_request, scratch)
        names = [name for name in built.files if name.endswith(".pdf")]
        return read_whole(built.folder / names[0]) if names else None


def _left_out(game: Game, pieces: Sequence[LaidOut], decks: Sequence[TableDeck]) -> list[str]:
    """Return a line that names what is left out, as no net of dice is found on it; no line if nothing is."""
    there = {deck.deck.id for deck in decks}
    missing = [
        f"{game.decks[name].title} ({name})"
        for name in dict.fromkeys(name for one in pieces for name in one.piece.decks)
        if name not in there and game.decks[name].is_component and game.decks[name].count
    ]
    return [f"left out, as no net of dice is found on them: {', '.join(missing)}"] if missing else []
