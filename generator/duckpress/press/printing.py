"""From a checked game to proven files in `output/`: lays out, imposes, renders, proves, and writes all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from duckpress import pool
from duckpress.check import check_game, deal_cards
from duckpress.core.problems import Problem, Source, has_errors
from duckpress.files.recording import merged
from duckpress.files.workspace import Workspace
from duckpress.press.document_maker import Press
from duckpress.press.faces.typesetting import typeset
from duckpress.press.packets.packet import Packet, print_packet
from duckpress.press.print_run import PrintRun
from duckpress.press.reading import Checked, Loaded, named
from duckpress.press.request import Built, Request, Step
from duckpress.press.sheets.backs import printed_frames
from duckpress.press.sheets.covers import cover_problems
from duckpress.press.sheets.sleeving import sleeved
from duckpress.press.translate import spoken

if TYPE_CHECKING:
    from duckpress.layout import LaidOut
    from duckpress.model import Game
    from duckpress.press.faces.frame_store import FrameStore
    from duckpress.render import Renderer
    from duckpress.store import Outputs


def build(
    workspace: Workspace,
    loaded: Loaded,
    request: Request,
    out: Path,
    step: Step = lambda _name: None,
    frames: FrameStore | None = None,
) -> Built:
    """Check a game, print what is asked for into `out/<game>/`, and prove it.

    An error stops it before anything is written; `is_forced` prints in spite of errors, but never an unproven file.
    Faces that `frames` (or those of `loaded`) know are not laid out again. Problem: `nothing-to-print`, where nothing
    is printed and no other error says why.
    Raises `MachineError` where the machine cannot write the files.
    """
    built = _checked_and_built(workspace, loaded, request, out, step, frames)
    if built.files or built.checked.has_errors:
        return built
    problem = _nothing_printed(loaded.game_id, loaded.game, request)
    return replace(built, checked=replace(built.checked, problems=(*built.checked.problems, problem)))


def _nothing_printed(game_id: str, game: Game | None, request: Request) -> Problem:
    source = game.at("pieces") if game is not None else Source(f"content/{game_id}/game.yaml")
    what, fix = "nothing of this game is printed", "look at its pieces, and at the copies of their cards"
    if request.backs == "only":
        what, fix = "nothing that would be printed has a back", "leave out '--backs only'"
    elif game is not None and all(game.dealt_to(piece) is not None for piece in game.pieces):
        what, fix = "a deal fills every piece of this game, and none is asked for", "deal it: --seed 1"
    return Problem("nothing-to-print", source, what, fix, game=game_id)


def _checked_and_built(
    workspace: Workspace, loaded: Loaded, request: Request, out: Path, step: Step, frames: FrameStore | None
) -> Built:
    """Return what is printed of a game, and what was found."""
    from duckpress.store import held_outputs, sources_of

    folder = out / loaded.game_id / request.run
    game, frames = loaded.game, frames or loaded.frames
    if game is None or loaded.has_errors:
        return Built(Checked(loaded.game_id, game, loaded.problems), folder)
    step("checking")
    problems = [*loaded.problems, *check_game(game), *cover_problems(game, request)]
    if has_errors(problems) and not request.is_forced:
        return Built(Checked(game.id, game, named(game.id, problems)), folder)
    with held_outputs(out / game.id, sources_of(workspace.root)) as held, ExitStack() as until_printed:
        return _build(workspace, game, problems, request, held, step, frames, until_printed)


def _build(
    workspace: Workspace,
    game: Game,
    problems: list[Problem],
    request: Request,
    held: Outputs,
    step: Step,
    frames: FrameStore | None,
    until_printed: ExitStack,
) -> Built:
    from duckpress.fonts import FontLibrary

    folder = held.folder / request.run
    original = game
    game, found = spoken(workspace, game, request.language)
    problems += found
    step("laying out")
    fonts = FontLibrary(workspace)

    @cache
    def renderer() -> Renderer:
        from duckpress.render import Renderer

        return frames.renderer(fonts) if frames is not None else Renderer(fonts)

    def draw(pieces: Sequence[LaidOut]) -> None:
        """Have faces drawn by other processes while this one goes on."""
        if request.sleeve is None:  # it changes every face
            until_printed.enter_context(renderer().drawing(printed_frames(pieces, request.backs), pool.jobs()))

    chosen = [piece for piece in game.chosen_pieces(request.pieces) if game.dealt_to(piece) is None]
    pieces, found = typeset(
        workspace, game, fonts, chosen, players=request.players, language=request.language, ink=request.ink,
        papers=tuple(map(request.paper, request.papers)), frames=frames, done=draw,
    )  # fmt: skip
    problems += found
    if request.sleeve is not None:
        pieces, found = sleeved(game, pieces, request.sleeve, is_scaled=request.is_scaled_for_sleeve)
        problems += found
    problems += misfits(game, pieces, request)
    packet = Packet()
    players = request.players or max(game.players)
    # What a setup with an error would deal means nothing, forced or not; its errors are listed.
    dealt = None
    if request.seed is not None and not has_errors(check_game(original, players, request.variant)):
        dealt = deal_cards(original, players, request.seed, request.variant)
    if isinstance(dealt, Problem):
        problems.append(dealt)
    elif dealt is not None:
        was_draft = has_errors(problems)

        def own_press(has_faults: bool) -> Press:
            return Press(game, request, fonts, is_draft=was_draft or has_faults, step=step)

        packet = print_packet(workspace, game, dealt, request, fonts, own_press)
        problems += [*packet.problems, *misfits(game, packet.pieces, request)]
    if has_errors(problems) and not (request.is_forced and (pieces or packet.pieces)):
        answers = merged(*(piece.answers for piece in pieces))
        return Built(
            Checked(game.id, game, named(game.id, problems), (*pieces, *packet.pieces)), folder, answers=answers
        )
    is_draft = has_errors(problems)
    press = Press(game, request, fonts, is_draft=is_draft, step=step, renderer=renderer(), jobs=pool.jobs())
    run = PrintRun(workspace, game, request, fonts, press, step=step, original_title=original.title)
    return run.print_all(pieces, problems, folder, packet, held)


def misfits(game: Game, pieces: Sequence[LaidOut], request: Request) -> list[Problem]:
    """Give a problem for each deck whose size does not fit a paper asked for."""
    from duckpress.impose import Turn, check_fit, check_tiles

    turn = None if request.backs == "none" else Turn(request.turn)
    found = []
    for deck, format_, overlap_mm in {
        (face.deck, face.format, face.overlap_mm): None for one in pieces for face in one.faces
    }:
        who, source = f"a card of deck {deck!r}", game.decks[deck].at("size")
        for paper in map(request.paper, request.papers):
            if overlap_mm is None:
                found.append(check_fit(format_, paper, who, source, request.paper))
            else:
                found.append(check_tiles(format_, paper, overlap_mm, turn, who, source))
    return [problem for problem in found if problem is not None]
