"""From text to a checked game, typeset: everything that can be said about a game before a sheet is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duckpress.check import check_game, unused_acceptances
from duckpress.core.problems import Problem, has_errors
from duckpress.files.workspace import Workspace
from duckpress.model import Game, Piece
from duckpress.press.faces.legible import in_ink
from duckpress.press.faces.typesetting import typeset
from duckpress.press.reading import Checked, Loaded, named
from duckpress.press.translate import check_languages

if TYPE_CHECKING:
    from duckpress.layout import LaidOut


def check(
    workspace: Workspace,
    loaded: Loaded,
    *,
    players: int | None = None,
    variant: str | None = None,
    inks: Sequence[str] = ("color",),
) -> Checked:
    """Check a game: its files, its components (at one player count or all, in one variant or all), its typesetting.

    It is typeset in full in the first ink; of the others, what is found there only is added.
    """
    from duckpress.fonts import FontLibrary
    from duckpress.press.packets.packet import packet_layout_problems

    game, frames = loaded.game, loaded.frames
    if game is None:
        return Checked(loaded.game_id, None, loaded.problems)
    problems = [*loaded.problems, *check_game(game, players, variant)]
    pieces: list[LaidOut] = []
    if not loaded.has_errors:
        fonts = FontLibrary(workspace)
        pieces, found = typeset(workspace, game, fonts, _plain_pieces(game), players=None, ink=inks[0], frames=frames)
        problems += found
        for ink in inks[1:]:
            found = typeset(workspace, game, fonts, _plain_pieces(game), players=None, ink=ink, frames=frames)[1]
            known = {(problem.source, problem.what) for problem in problems}
            problems += [one for one in found if (one.source, one.what.removeprefix(in_ink(ink))) not in known]
        if not has_errors(problems):
            problems += packet_layout_problems(workspace, game, fonts, players, inks[0])

        def lay_out(spoken: Game) -> tuple[list[LaidOut], list[Problem]]:
            laid_out, found = typeset(
                workspace, spoken, fonts, _plain_pieces(spoken), players=None, ink=inks[0], frames=frames
            )
            return laid_out, [*found, *packet_layout_problems(workspace, spoken, fonts, players, inks[0])]

        more, found = check_languages(workspace, game, lay_out)
        pieces += more
        problems += found
        problems += unused_acceptances(game, problems, of_rules=False, inks=inks)
    return Checked(loaded.game_id, game, named(loaded.game_id, problems), tuple(pieces))


def _plain_pieces(game: Game) -> list[Piece]:
    """Give the pieces that need no deal."""
    return [piece for piece in game.pieces if game.dealt_to(piece) is None]
