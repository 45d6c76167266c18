"""Games laid out to be shown on a screen, as for print; `face_painter` makes their faces into pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.check import check_game
from duckpress.core.problems import Problem, has_errors
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut
from duckpress.model import Card
from duckpress.press.checking import USUAL_PAPERS, all_findings, before_layout
from duckpress.press.reading import Checked, Loaded, named, spoken
from duckpress.press.request import Request
from duckpress.press.sheets.piece_sheets import misfits
from duckpress.press.typeset_task import TypesetTask
from duckpress.press.typesetting import typeset
from duckpress.views.pictures import pixels_of

MAX_SIDE_PX = 12_000  # a picture of that side takes 400 MB while it is made; twice as much is beyond many machines


class FaceTooLarge(Exception):
    """A face that would have too many pixels: the words say which, and how many dots per inch it could have."""


class ShownGame(NamedTuple):
    """A game laid out in one language, and the fonts that its faces are set in."""

    checked: Checked
    fonts: FontLibrary


def lay_out_game(
    workspace: Workspace,
    loaded: Loaded,
    *,
    language: str | None = None,
    ink: str = "color",
    pieces: Sequence[str] = (),
    papers: Sequence[str] = ("a4",),
    is_draft: bool = False,
) -> ShownGame:
    """Lay out the pieces named (all without a name) that need no deal; none where an error stands.

    A draft has every face that can be drawn, whatever is wrong with it or with others. Without names, pieces that
    stand for another one are left out by those who show cards, not here.
    """
    return _lay_out(workspace, loaded, language, ink, pieces, papers, is_draft=is_draft)[0]


def lay_out_page(
    workspace: Workspace, loaded: Loaded, language: str | None, ink: str, pieces: Sequence[str]
) -> ShownGame:
    """Lay out every face that can be drawn, and tell what a check finds.

    A check does not look at cards while a file cannot be read; the page shows them and tells what is wrong with them.
    """
    shown, task = _lay_out(workspace, loaded, language, ink, pieces, USUAL_PAPERS, is_draft=True)
    checked, game = shown.checked, loaded.game
    if game is None or task is None:
        return shown
    problems = before_layout(task.workspace, loaded)
    if loaded.has_errors:
        of_faces = [problem for problem in checked.problems if problem not in checked.before_layout]
        return shown._replace(checked=replace(checked, problems=named(game.id, [*problems, *of_faces])))
    problems += [*checked.problems, *misfits(game, checked.pieces, Request())]
    checked = replace(checked, problems=named(game.id, problems))
    return shown._replace(checked=all_findings(checked, task, game))


def _lay_out(
    workspace: Workspace,
    loaded: Loaded,
    language: str | None,
    ink: str,
    pieces: Sequence[str],
    papers: Sequence[str],
    *,
    is_draft: bool,
) -> tuple[ShownGame, TypesetTask | None]:
    if loaded.frames is not None and not isinstance(workspace, RecordingWorkspace):
        workspace = RecordingWorkspace(workspace)  # the next run knows by its answers which cards are as they were
        workspace.add(loaded.answers)
    fonts = FontLibrary(workspace)
    if loaded.game is None or (loaded.has_errors and not is_draft):
        return ShownGame(Checked(loaded.game_id, loaded.game, loaded.problems), fonts), None
    game, found = spoken(workspace, loaded.game, language)
    # What the setup says of cards that could not be read is no news.
    problems = [*loaded.problems, *(() if loaded.has_errors else check_game(loaded.game)), *found]
    before = named(game.id, problems)
    laid_out: list[LaidOut] = []
    wanted = [piece for piece in game.chosen_pieces(pieces) if game.dealt_to(piece) is None]
    task = TypesetTask(workspace, game, fonts, wanted, language=language, ink=ink, papers=papers, frames=loaded.frames)
    if is_draft or not has_errors(problems):
        laid_out, found = typeset(task)
        problems += found
    if has_errors(problems) and not is_draft:
        laid_out = []
    return ShownGame(Checked(game.id, game, named(game.id, problems), tuple(laid_out), before), fonts), task


def begin_game(
    workspace: Workspace, loaded: Loaded, language: str | None, ink: str, pieces: Sequence[str], most: int
) -> ShownGame:
    """Lay out so many cards of each deck of the first piece; all others are there, and have no faces yet."""
    fonts = FontLibrary(workspace)
    if loaded.game is None:
        return ShownGame(Checked(loaded.game_id, None, loaded.problems), fonts)
    game, found = spoken(workspace, loaded.game, language)
    wanted = [piece for piece in game.chosen_pieces(pieces) if piece.decks and game.dealt_to(piece) is None]
    problems = named(game.id, [*loaded.problems, *found])
    laid_out, found = typeset(
        TypesetTask(workspace, game, fonts, wanted[:1], language=language, ink=ink, papers=(), most=most)
    )
    pieces_now = (*laid_out, *(LaidOut(piece, (), {}, {}, ()) for piece in wanted[1:]))
    return ShownGame(Checked(game.id, game, named(game.id, [*problems, *found]), pieces_now, problems), fonts)


def findings_of(problems: Iterable[Problem], card: Card) -> list[Problem]:
    """Return what is wrong with one card: its own values, and its face."""
    places = {card.source, *card.sources.values()}
    return [problem for problem in problems if problem.source in places or problem.what.startswith(card.subject)]


def refuse_large(faces: Sequence[Face], dpi: float, *, has_bleed: bool) -> None:
    """Raise `FaceTooLarge` where a face would have more than `MAX_SIDE_PX` pixels across or down."""
    for face in faces:
        side = max(pixels_of(face.front, dpi, has_bleed=has_bleed))
        if side > MAX_SIDE_PX:
            most = math.floor(dpi * MAX_SIDE_PX / side)
            raise FaceTooLarge(f"{face.deck} {face.card} would be {side} pixels wide or high: use at most {most} dpi")
