"""One build, from a game's files to `output/`. Read this first: each stage takes the value of the one before it.

    load_all          ids of games              -> Loaded, each       press.reading
    check_to_print    Loaded                    -> Checked            press.checking
    lay_out_faces     pieces of a checked Game  -> LaidOut, each      press.typesetting; in workers: layout
    fit_to_sleeve     LaidOut, each             -> LaidOut, each      press.sheets.sleeving
    draw              their faces               -> Renderer           press.printing
    hard_to_read      LaidOut, each             -> problems           press.typesetting
    print_packet      a Deal                    -> Packet             press.packet: these stages for each player
    impose            LaidOut, each             -> Imposition         press.sheets.imposition
    mark_copy           its files                 -> the same, marked   press.printing: for a copy of an edition
    render            its files                 -> RenderedFile, each press.printing
    prove             RenderedFile, each        -> ProvenFiles        press.printing
    publish           ProvenFiles               -> names of files     press.publishing
    all_findings      Checked                   -> Checked            press.checking

What several processes do, what is done ahead of time and what is taken from a cache is the business of each stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from duckpress import pool
from duckpress.core.problems import Problem, has_errors, is_fault
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.checking import all_findings, check_to_print
from duckpress.press.packet import Packet, deal_packet, print_packet
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import KeptFiles, as_unproven, draw, mark_copy, prove, render
from duckpress.press.publishing import nothing_printed, outputs_of, publish, summaries
from duckpress.press.reading import Checked, Loaded, apply_finish, named, translate
from duckpress.press.request import Built, Request, Step, silent
from duckpress.press.sheets.imposition import cover_maker, impose, touching_edges
from duckpress.press.sheets.kept_sheets import KeptSheets
from duckpress.press.sheets.piece_sheets import oversize_pieces
from duckpress.press.sheets.sleeving import fit_to_sleeve
from duckpress.press.typesetting import TypesetTask, hard_to_read, lay_out_faces
from duckpress.store import OutputFolder
from duckpress.text.fonts import FontLibrary

if TYPE_CHECKING:
    from duckpress.layout import LaidOut
    from duckpress.model import Game
    from duckpress.press.cover import CoverMaker


def build(
    workspace: Workspace, loaded: Loaded, request: Request, out: Path, step: Step = silent, *, is_all: bool = True
) -> Built:
    """Check a game, print the requested pieces into `out/<game>/`, and prove them.

    An error stops it before anything is written; `is_forced` prints in spite of errors what could be read, also what
    its proof objects to, which then says in its margins that it is unproven; but nothing where a card fits no paper.
    With `is_all` it also tells what a check tells of what is not printed. Faces that the `frames` of `loaded` know are
    not laid out again. Problem: `nothing-to-print`, where nothing is printed and no other error says why. Raises
    `MachineError` where the machine cannot write the files.
    """
    loaded = apply_finish(loaded, request.finish)
    checked = check_to_print(workspace, loaded, request, step)
    if loaded.game is None or (loaded.has_errors and not request.is_forced):
        return Built(checked, out / loaded.game_id / request.run)
    with outputs_of(workspace, loaded, out, step) as target:
        built, task = _print(workspace, checked, request, target, step, loaded.frames)
    return _with_other_findings(built, task, loaded.game) if is_all and not loaded.has_errors else built


def _print(
    workspace: Workspace, checked: Checked, request: Request, target: OutputFolder, step: Step,
    frames: BuildCache | None,
) -> tuple[Built, TypesetTask]:  # fmt: skip
    """Return the build of a game, whose output folder is locked, and the task of its layout."""
    original, folder = checked.game, target.folder / request.run
    assert original is not None
    game, untranslated = translate(workspace, original, request.language)
    step("laying out")
    job = PrintJob(game, request, FontLibrary(workspace), step)
    chosen = [piece for piece in game.chosen_pieces(request.pieces) if game.dealt_to(piece) is None]
    task = TypesetTask(
        workspace, game, job.fonts, chosen, request.players, request.language, request.ink,
        tuple(map(request.paper, request.papers)), frames,
    )  # fmt: skip
    laid_out, faults = lay_out_faces(task)
    pieces, unfit = fit_to_sleeve(job, laid_out)
    is_stopped = has_errors([*checked.problems, *untranslated, *faults]) and not request.is_forced
    with draw(job, () if is_stopped else pieces, frames) as renderer:
        problems = [*checked.problems, *untranslated, *faults, *hard_to_read(task, laid_out, faults), *unfit]
        problems += oversize_pieces(game, pieces, request)
        deal = None if is_stopped else deal_packet(original, request)
        if isinstance(deal, Problem):
            packet = Packet(problems=(deal,))
        else:
            packet = print_packet(workspace, job, deal, is_draft=has_errors(problems))
        problems += [*packet.problems, *oversize_pieces(game, packet.pieces, request)]
        every = (*pieces, *packet.pieces)
        if has_errors(oversize_pieces(game, every, request)) or (
            has_errors(problems) and not (request.is_forced and every)
        ):
            return Built(Checked(game.id, game, named(game.id, problems), every), folder), task
        covers, uncovered = cover_maker(workspace, job)
        is_draft = has_errors([*problems, *uncovered])
        kept_sheets = None if frames is None else KeptSheets(workspace, job, frames.memo)
        imposition = impose(job, pieces, covers, kept_sheets, is_draft=is_draft)
        if request.is_forced and not is_draft and has_errors(imposition.problems):
            imposition = impose(job, pieces, covers, is_draft=True)
        problems += touching_edges(job, imposition.files)
        files, unmarked = mark_copy(job, imposition.files)
        kept = KeptFiles(job, target.folder, files, frames)
        rendered = render(job, files, renderer, pool.jobs(), kept)
        before = None if frames is None else frames.proven(game.id)
        proven = prove(job, rendered, before, is_doubted=any(map(is_fault, problems)))
        marked = partial(_marked_files, job, pieces, covers)
        proven = as_unproven(job, proven, marked, renderer, pool.jobs())
    faults = [*packet.unproven, *uncovered, *imposition.problems, *unmarked, *proven.problems]
    checked = Checked(game.id, game, named(game.id, [*problems, *faults]), every)
    if has_errors(faults) and not request.is_forced:
        return Built(checked, folder), task
    written = publish(job, original, pieces, proven.outputs, packet, target)
    if frames is not None and not has_errors(faults):
        frames.store_printed(game.id)
        kept.store(proven)
    if not written and not checked.has_errors:
        checked = replace(checked, problems=named(game.id, [*checked.problems, nothing_printed(original, request)]))
    rows, in_all = summaries(job, imposition, pieces, packet), imposition.sheets_in_all(pieces)
    sums, printed = (imposition.saved, imposition.shared), tuple(output.facts for output in proven.outputs)
    return Built(checked, folder, written, rows, in_all, *sums, job.language, printed, request), task


def _marked_files(job: PrintJob, pieces: Sequence[LaidOut], covers: CoverMaker | None) -> list[ImposedFile]:
    """Return the files of a build with the note that they are unproven."""
    return impose(job, pieces, covers, is_draft=True, is_unproven=True).files


def _with_other_findings(built: Built, task: TypesetTask, original: Game) -> Built:
    """Return a build with the other findings about the game, which do not prevent printing."""
    return replace(built, checked=all_findings(built.checked, task, original))
